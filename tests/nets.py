"""All outputs of a net for one position, by the compiled code and by a NumPy reference."""

from itertools import combinations
from pathlib import Path
from typing import cast

import numpy as np

from sixfold.bots.graph import rounds_of
from sixfold.bots.net import METADATA_KEYS, features_of, load, net_module
from sixfold.games.contract import GraphFeatures


def net_outputs(path: Path, game: str, players: int, inputs: np.ndarray) -> list[float]:
    """The outputs computed by the compiled functions."""
    kind, (weights, sizes) = net_module(features_of(game, players)), load(path, game, players)
    outputs = []
    for which in range(int(sizes[-1])):
        workspace = kind.make_workspace(int(sizes.max()))
        kind.feed(weights, sizes, inputs, workspace, 0)
        outputs.append(kind.output_single(weights, sizes, workspace, which))
    return outputs


def reference_outputs(path: Path, game: str, players: int, inputs: np.ndarray) -> np.ndarray:
    """The outputs computed from the arrays of the net's file, as docs/nets.md describes them."""
    features = features_of(game, players)
    with np.load(path) as file:
        arrays = {name: file[name].astype(np.float32) for name in file.files if name not in METADATA_KEYS}
    if features.NET == "dense":
        return dense(arrays, inputs)
    return graph(arrays, cast("GraphFeatures", features).shape(players), inputs)


def dense(file: dict[str, np.ndarray], inputs: np.ndarray) -> np.ndarray:
    x = inputs.astype(np.float32)
    for number in range(3):
        x = file[f"weight{number}"] @ x + file[f"bias{number}"]
        if number < 2:
            x = np.maximum(x, 0)
    return x


def graph(file: dict[str, np.ndarray], shape: tuple[int, int, int], inputs: np.ndarray) -> np.ndarray:
    row, common, whole = shape
    x = inputs.astype(np.float32)
    rows, overall, pairs = x[: 6 * row].reshape(6, row), x[6 * row :][:whole], x[6 * row + whole :].reshape(-1, 15)
    symbols = [
        np.maximum(file["symbol"] @ symbol_row + file["whole"] @ overall + file["symbol_bias"], 0)
        for symbol_row in rows
    ]
    messages, pairs_of_symbols = {}, list(combinations(range(6), 2))
    for at in range(rounds_of(file)):
        for number, (a, b) in enumerate(pairs_of_symbols):
            numbers = np.concatenate((pairs[:, number], (rows[a] * rows[b])[row - common :]))
            combined = file[f"meet{at}"] @ (symbols[a] + symbols[b])
            messages[a, b] = np.maximum(combined + file[f"pair{at}"] @ numbers + file[f"pair_bias{at}"], 0)
        received = [sum(messages[pair] for pair in pairs_of_symbols if symbol in pair) for symbol in range(6)]
        own = [file[f"own{at}"] @ symbols[symbol] + file[f"own_bias{at}"] for symbol in range(6)]
        symbols = [np.maximum(own[symbol] + file[f"hear{at}"] @ received[symbol], 0) for symbol in range(6)]
    held = [messages[pair] for number, pair in enumerate(pairs_of_symbols) if pairs[0, number] > 0]
    hidden = file["all_symbols"] @ sum(symbols) + file["all_pairs"] @ sum(messages.values()) + file["all_bias"]
    hidden += file["all_whole"] @ overall + file["all_best"] @ np.max([0 * hidden, *held], axis=0)
    outputs: np.ndarray = file["say"] @ np.maximum(hidden, 0) + file["say_bias"]
    return outputs
