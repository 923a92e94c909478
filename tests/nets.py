"""What a net says of one position, all of its numbers."""

from itertools import combinations
from pathlib import Path
from typing import cast

import numpy as np

from sixfold.bots.graph import rounds_of
from sixfold.bots.net import ABOUT, features_of, kind_of, load
from sixfold.games.contract import GraphFeatures


def said(path: Path, game: str, players: int, told: np.ndarray) -> list[float]:
    """By the compiled functions."""
    kind, (weights, sizes) = kind_of(features_of(game, players)), load(path, game, players)
    numbers = []
    for which in range(int(sizes[-1])):
        room = kind.scratch(int(sizes.max()))
        kind.listen(weights, sizes, told, room, 0)
        numbers.append(kind.say_of_one(weights, sizes, room, which))
    return numbers


def by_the_book(path: Path, game: str, players: int, told: np.ndarray) -> np.ndarray:
    """By the arrays of its file, as docs/nets.md describes them."""
    features = features_of(game, players)
    with np.load(path) as file:
        arrays = {name: file[name].astype(np.float32) for name in file.files if name not in ABOUT}
    if features.NET == "dense":
        return dense(arrays, told)
    return graph(arrays, cast("GraphFeatures", features).shape(players), told)


def dense(file: dict[str, np.ndarray], told: np.ndarray) -> np.ndarray:
    x = told.astype(np.float32)
    for number in range(3):
        x = file[f"weight{number}"] @ x + file[f"bias{number}"]
        if number < 2:
            x = np.maximum(x, 0)
    return x


def graph(file: dict[str, np.ndarray], shape: tuple[int, int, int], told: np.ndarray) -> np.ndarray:
    row, common, whole = shape
    x = told.astype(np.float32)
    rows, overall, pairs = x[: 6 * row].reshape(6, row), x[6 * row :][:whole], x[6 * row + whole :].reshape(-1, 15)
    symbols = [np.maximum(file["symbol"] @ one + file["whole"] @ overall + file["symbol_bias"], 0) for one in rows]
    said, of = {}, list(combinations(range(6), 2))
    for at in range(rounds_of(file)):
        for number, (a, b) in enumerate(of):
            numbers = np.concatenate((pairs[:, number], (rows[a] * rows[b])[row - common :]))
            met = file[f"meet{at}"] @ (symbols[a] + symbols[b])
            said[a, b] = np.maximum(met + file[f"pair{at}"] @ numbers + file[f"pair_bias{at}"], 0)
        heard = [sum(said[pair] for pair in of if symbol in pair) for symbol in range(6)]
        own = [file[f"own{at}"] @ symbols[symbol] + file[f"own_bias{at}"] for symbol in range(6)]
        symbols = [np.maximum(own[symbol] + file[f"hear{at}"] @ heard[symbol], 0) for symbol in range(6)]
    held = [said[pair] for number, pair in enumerate(of) if pairs[0, number] > 0]
    everything = file["all_symbols"] @ sum(symbols) + file["all_pairs"] @ sum(said.values()) + file["all_bias"]
    everything += file["all_whole"] @ overall + file["all_best"] @ np.max([0 * everything, *held], axis=0)
    found: np.ndarray = file["say"] @ np.maximum(everything, 0) + file["say_bias"]
    return found
