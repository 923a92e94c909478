"""Studies whose results are pages in docs/ or figures in them."""
