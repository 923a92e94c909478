"""Load tests on the loopback address: scripted players, server crashes, fuzzing and attacks."""
