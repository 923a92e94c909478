"""Learning to play: nets that teach themselves in thousands of games at once. Only this needs PyTorch."""
