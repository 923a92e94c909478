"""The dice game (docs/rules/dice.md)."""
