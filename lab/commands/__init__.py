"""The commands of the lab, one file per command."""
