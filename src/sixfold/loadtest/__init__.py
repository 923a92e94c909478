"""Load on the loopback address: scripted players, servers that are killed, and messages that make no sense."""
