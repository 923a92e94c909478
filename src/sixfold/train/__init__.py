"""Training of nets by self-play in thousands of parallel games; the only package that needs PyTorch."""
