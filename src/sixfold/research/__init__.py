"""The games for research: standard environments, batches on CPU and GPU, and statistics over many games."""
