"""Game reviews: what each decision cost, how lucky each draw and roll was, and puzzles (docs/review.md)."""

from sixfold.review.report import review as review
