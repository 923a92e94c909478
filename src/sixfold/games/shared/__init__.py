"""Shared parts of the games: the compiler, bit sets, the six symbols and items with two of them, and heuristics."""
