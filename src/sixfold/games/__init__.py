"""The three games: plain functions over one small record each, compiled by Numba.

Every game's module has the same functions (``start``, ``count``, ``nth``, ``legal``, ``act``, ``pool``, ``receive``,
``hide``, ``unknown``, ``fill``, ``values``, ``refusal``). They draw nothing and roll nothing: a state in phase
``CHANCE`` says with ``pool`` what may come, and is told with ``receive`` what came.
"""
