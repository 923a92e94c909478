"""Playing by the solution: the best move, the odds, the approximation shipped with the package, and whole matches."""
