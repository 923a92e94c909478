"""The travel edition (docs/rules/travel.md)."""
