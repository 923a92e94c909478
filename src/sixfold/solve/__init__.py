"""The two-player dice game, solved: the winning chance of every position (docs/dice-solved.md).

``positions`` enumerates them, ``values`` computes and stores the chance of each, ``play`` plays by the chances and by
an approximation of them, ``report`` writes the page.
"""
