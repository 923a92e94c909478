"""The commands, one module each; what is heavy they import when they run."""
