"""``python -m sixfold``."""

from sixfold.cli import main

main()
