"""What many games tell about a game."""
