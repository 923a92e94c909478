"""The card game (docs/rules/cards.md)."""
