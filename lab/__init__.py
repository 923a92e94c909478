"""Measurements and studies of Sixfold: benchmarks, load and attack tools, strength pages. Not part of the package."""
