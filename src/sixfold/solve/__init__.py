"""The two-player dice game, solved: the winning chance of every position (docs/dice-solved.md).

``positions`` numbers them, ``values`` works out and keeps the chance of each, ``play`` plays by the chances and by an
approximation of them, ``report`` makes the page.
"""
