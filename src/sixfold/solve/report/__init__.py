"""The page about the solved game: numbers, charts and text."""
