"""What the games share: the compiler, sets as bits, six symbols and items with two, judging."""
