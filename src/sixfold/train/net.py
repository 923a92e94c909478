"""The nets as PyTorch modules, and their conversion to plain arrays (docs/nets.md)."""

import copy
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from sixfold.bots.graph import INCIDENCE, PAIRS, SYMBOLS, WIDTHS, rounds_of
from sixfold.bots.net import features_of, load
from sixfold.engine.game import SetupError
from sixfold.games.contract import Features, GraphFeatures

# The default hidden layers; for a graph net, the width of each round.
HIDDEN = {"dense": (256, 256), "graph": (160, 160, 160, 160)}
# Triton is not available for Windows.
TRITON = find_spec("triton") is not None
# The pairs of this many positions take a gigabyte.
MAX_BATCH = 1 << 17


def outputs(players: int) -> int:
    """The number of values: one for two players, since the other's is its complement; else one per seat."""
    return 1 if players == 2 else players


class WeightGroup(NamedTuple):
    """A layer and the names of its arrays in a file, where ``scale`` is multiplied into the inputs' weights."""

    layer: nn.Linear
    weight: str
    bias: str | None = None
    scale: torch.Tensor | float = 1.0


class Net(nn.Module):
    """Maps inputs to the values as log odds, the observing seat first, and the margin."""

    scales: torch.Tensor

    def __init__(self, scales: np.ndarray) -> None:
        super().__init__()
        self.register_buffer("scales", torch.from_numpy(1.0 / scales))

    def weight_groups(self, new: int = 0) -> Iterator[WeightGroup]:
        """All weights except those of the first ``new`` rounds."""
        raise NotImplementedError

    def insert_rounds(self, names: list[str]) -> int:
        """Initialise as identity the rounds that a net with arrays of these names lacks; returns their number."""
        return 0

    def frozen_copy(self) -> "Net":
        """A copy with frozen weights."""
        frozen = copy.deepcopy(self)
        for weight in frozen.parameters():
            weight.requires_grad_(False)
        return frozen


class Dense(Net):
    """A multilayer perceptron."""

    def __init__(self, scales: np.ndarray, hidden: tuple[int, ...], values: int) -> None:
        super().__init__(scales)
        sizes = (len(scales), *hidden, values + 1)
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))

    def weight_groups(self, new: int = 0) -> Iterator[WeightGroup]:
        for number, layer in enumerate(self.layers):
            assert isinstance(layer, nn.Linear)
            yield WeightGroup(layer, f"weight{number}", f"bias{number}", self.scales if number == 0 else 1.0)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        x = inputs.float() * self.scales
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        outputs: torch.Tensor = self.layers[-1](x)
        return outputs


class Round(nn.Module):
    """A round of message passing: pairs receive from their two symbols, symbols from their five pairs."""

    def __init__(self, before: int, width: int, pair_inputs: int) -> None:
        super().__init__()
        self.meet = nn.Linear(before, width, bias=False)
        self.pair = nn.Linear(pair_inputs, width)
        self.own = nn.Linear(before, width)
        self.hear = nn.Linear(width, width, bias=False)

    def forward(
        self, symbols: torch.Tensor, pair_inputs: torch.Tensor, joins: torch.Tensor, best: bool
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The new symbol activations, the received messages, and if ``best`` is set the maximum over held pairs.

        Tensors are indexed by position, by symbol or pair, and by feature.
        """
        messages, weight = self.meet(symbols), self.pair.weight.t()
        pad = weight.new_zeros((pair_inputs.shape[2] - weight.shape[0] - 1, weight.shape[1]))
        weight = torch.cat((weight, self.pair.bias.unsqueeze(0), pad)).to(messages.dtype)
        aggregate = aggregate_messages_on_gpu if messages.is_cuda and TRITON else aggregate_messages
        received, maximum = aggregate(pair_inputs.to(messages.dtype), messages, weight, joins, best)
        own = self.own(symbols)
        updated = torch.addmm(own.flatten(0, 1), received.flatten(0, 1), self.hear.weight.t())
        return torch.relu(updated.view_as(own)), received, maximum


def aggregate_messages(
    pair_inputs: torch.Tensor, messages: torch.Tensor, weight: torch.Tensor, joins: torch.Tensor, best: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    """The messages that symbols receive from their pairs, and the maximum over held pairs; ``joins`` is the incidence
    matrix of symbols and pairs."""
    pairs = torch.relu(pair_inputs @ weight + joins.t() @ messages)
    return joins @ pairs, (pairs * (pair_inputs[:, :, :1] > 0)).amax(1) if best else pairs.new_empty(0)


def aggregate_messages_on_gpu(
    pair_inputs: torch.Tensor, messages: torch.Tensor, weight: torch.Tensor, joins: torch.Tensor, best: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    """The same on a GPU, as Triton kernels."""
    from sixfold.train.message_passing import MessagePassing

    received, maximum = MessagePassing.apply(pair_inputs.contiguous(), messages.contiguous(), weight.contiguous(), best)
    return received, maximum.amax(1) if best else maximum


class Graph(Net):
    """A message-passing net over symbols and pairs of symbols, with a width for every round."""

    joins: torch.Tensor
    of: torch.Tensor

    def __init__(self, scales: np.ndarray, shape: tuple[int, int, int], hidden: tuple[int, ...], values: int) -> None:
        """``shape``: the inputs of a symbol, how many of them stand for cards, and the inputs of the whole position."""
        super().__init__(scales)
        self.row, self.common, self.whole = shape
        self.pair_size = (len(scales) - SYMBOLS * self.row - self.whole) // len(PAIRS)
        self.register_buffer("joins", torch.from_numpy(INCIDENCE))
        self.register_buffer("of", torch.from_numpy(PAIRS.T.astype(np.int64)))
        width = hidden[-1]
        self.of_symbol = nn.Linear(self.row, hidden[0])
        self.of_whole = nn.Linear(self.whole, hidden[0], bias=False)
        sizes = pairwise((hidden[0], *hidden))
        self.rounds = nn.ModuleList(Round(before, after, self.pair_size + self.common) for before, after in sizes)
        self.all_symbols = nn.Linear(width, width)
        self.all_pairs, self.all_best = (nn.Linear(width, width, bias=False) for _ in range(2))
        self.all_whole = nn.Linear(self.whole, width, bias=False)
        self.say = nn.Linear(width, values + 1)

    def weight_groups(self, new: int = 0) -> Iterator[WeightGroup]:
        rows = SYMBOLS * self.row
        whole, of_pairs = self.scales[rows : rows + self.whole], self.scales[rows + self.whole :: len(PAIRS)]
        pair_scales = torch.cat((of_pairs, torch.ones(self.common, device=of_pairs.device)))
        yield WeightGroup(self.of_symbol, "symbol", "symbol_bias", self.scales[: self.row])
        yield WeightGroup(self.of_whole, "whole", None, whole)
        for number, round_ in enumerate(self.rounds[new:]):
            assert isinstance(round_, Round)
            yield WeightGroup(round_.meet, f"meet{number}")
            yield WeightGroup(round_.pair, f"pair{number}", f"pair_bias{number}", pair_scales)
            yield WeightGroup(round_.own, f"own{number}", f"own_bias{number}")
            yield WeightGroup(round_.hear, f"hear{number}")
        yield WeightGroup(self.all_symbols, "all_symbols", "all_bias", 2 / SYMBOLS)
        yield WeightGroup(self.all_pairs, "all_pairs", None, 3 / len(PAIRS))
        yield WeightGroup(self.all_best, "all_best")
        yield WeightGroup(self.all_whole, "all_whole", None, whole)
        yield WeightGroup(self.say, "say", "say_bias")

    def insert_rounds(self, names: list[str]) -> int:
        new = len(self.rounds) - rounds_of(names)
        if new < 0:
            raise ValueError("it has more rounds")
        for round_ in self.rounds[:new]:
            assert isinstance(round_, Round)
            nn.init.eye_(round_.own.weight)
            nn.init.zeros_(round_.own.bias)
            nn.init.zeros_(round_.hear.weight)
        return new

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        if len(inputs) > MAX_BATCH and not torch.is_grad_enabled():
            return torch.cat([self.forward(chunk) for chunk in torch.split(inputs, MAX_BATCH)])
        # bfloat16 is faster on a GPU and precise enough for training; the outputs are float32.
        dtype = torch.bfloat16 if inputs.is_cuda else torch.float32
        with torch.autocast(inputs.device.type, dtype, enabled=inputs.is_cuda):
            hidden = self.trunk((inputs.float() * self.scales).to(dtype))
        outputs: torch.Tensor = self.say(hidden.float())
        return outputs

    def trunk(self, x: torch.Tensor) -> torch.Tensor:
        """The activations of the last hidden layer."""
        rows = x[:, : SYMBOLS * self.row].view(-1, SYMBOLS, self.row)
        whole = x[:, SYMBOLS * self.row : SYMBOLS * self.row + self.whole]
        symbols = torch.relu(self.of_symbol(rows) + self.of_whole(whole).unsqueeze(1))
        pairs, last = self.pair_inputs(x, rows), len(self.rounds) - 1
        for number, round_ in enumerate(self.rounds):
            symbols, received, best = round_(symbols, pairs, self.joins, number == last)
        total = self.all_symbols(symbols.sum(1) * (2 / SYMBOLS))
        # Every pair was received twice.
        total = total + self.all_pairs(received.sum(1) * (1.5 / len(PAIRS)))
        return torch.relu(total + self.all_best(best) + self.all_whole(whole))

    def pair_inputs(self, x: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
        """The inputs of pairs: their own, which cards show both symbols, a 1 for the bias, and zero padding."""
        inputs = x[:, SYMBOLS * self.row + self.whole :].view(-1, self.pair_size, len(PAIRS)).transpose(1, 2)
        cards = rows[:, :, self.row - self.common :]
        both = cards[:, self.of[0]] * cards[:, self.of[1]]
        combined = torch.cat((inputs, both, torch.ones_like(inputs[:, :, :1])), 2)
        return functional.pad(combined, (0, -combined.shape[2] % 16))


def create(features: Features, players: int, hidden: tuple[int, ...]) -> Net:
    """An untrained net of the architecture used for a game."""
    scales, values = features.scales(players), outputs(players)
    if features.NET == "dense":
        return Dense(scales, hidden, values)
    return Graph(scales, cast("GraphFeatures", features).shape(players), hidden, values)


def load_net(path: Path, game: str, players: int) -> Net:
    """Load the net of a file in its own size."""
    features = features_of(game, players)
    _, sizes = load(path, game, players)
    hidden = sizes[1:-1] if features.NET == "dense" else sizes[WIDTHS:-1]
    net = create(features, players, tuple(int(size) for size in hidden))
    read(path, net, game, players)
    return net.frozen_copy()


def arrays(net: Net) -> dict[str, np.ndarray]:
    """The weights as plain arrays, outputs × inputs, with the input scales multiplied in."""
    weights: dict[str, np.ndarray] = {}
    for group in net.weight_groups():
        weights[group.weight] = (group.layer.weight.detach() * group.scale).float().cpu().numpy()
        if group.bias is not None:
            weights[group.bias] = group.layer.bias.detach().float().cpu().numpy()
    return weights


def write(net: Net, path: Path, **about: Any) -> None:
    """Write a net's arrays to a file as float16, with metadata."""
    metadata = {name: np.array(value) for name, value in about.items()}
    new = path.with_suffix(".new.npz")
    contents: dict[str, Any] = {**{name: array.astype(np.float16) for name, array in arrays(net).items()}, **metadata}
    np.savez_compressed(new, **contents)
    new.replace(path)


def read(path: Path, net: Net, game: str, players: int) -> int:
    """Load the weights of a file into a net, which may be larger; new weights do not change the outputs.

    Returns the number of games it was trained on.
    """
    try:
        with np.load(path) as file, torch.no_grad():
            if (str(file["game"]), int(file["players"])) != (game, players):
                raise SetupError(f"{path} is a net for {file['game']} with {file['players']} players")
            for group in net.weight_groups(net.insert_rounds(file.files)):
                weight = torch.from_numpy(file[group.weight].astype(np.float32))
                rows, columns = weight.shape
                scale = group.scale.cpu()[:columns] if isinstance(group.scale, torch.Tensor) else group.scale
                group.layer.weight[:rows, :columns] = weight / scale
                group.layer.weight[:rows, columns:] = 0.0
                if group.bias is not None:
                    group.layer.bias[:rows] = torch.from_numpy(file[group.bias].astype(np.float32))
            return int(file["games"])
    except SetupError:
        raise
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise SetupError(f"{path} is no net to begin with: {error}") from None
