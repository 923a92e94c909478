"""All positions of the game and the outcomes of a turn from each: sheets, rolls, outcomes and their numbering."""
