"""Playing by the solution: the best move, the odds, the approximation that a package can carry, whole matches."""
