"""All positions of the game and what a turn can make of each: sheets, rolls, outcomes, and how they are numbered."""
