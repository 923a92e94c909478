"""``python -m lab``, from the top of the repository."""

from lab.cli import main

main()
