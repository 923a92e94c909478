"""The commands, one module each; heavy imports happen when a command runs."""
