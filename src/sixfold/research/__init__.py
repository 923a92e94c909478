"""The games for research: environments that others already know, batches on CPU and card, and what many games tell."""
