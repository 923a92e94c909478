"""The two-player dice game, solved: the winning chance of every position (docs/dice-solved.md)."""
