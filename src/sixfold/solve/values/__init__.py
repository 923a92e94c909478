"""The winning chance of every position: value iteration on the cores or on a card, the file, and the proof."""
