"""Matches between bots, and what they say about the bots' strength (docs/arena.md)."""
