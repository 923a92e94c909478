"""The nets as PyTorch knows them, and as plain arrays (docs/nets.md)."""

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

from sixfold.bots.graph import JOINS, PAIRS, SYMBOLS, WIDTHS, rounds_of
from sixfold.bots.net import features_of, load
from sixfold.engine.game import SetupError
from sixfold.games.contract import Features, GraphFeatures

# Hidden layers where nobody says others; of a graph net, the width of each round.
HIDDEN = {"dense": (256, 256), "graph": (160, 160, 160, 160)}
# There is none for Windows.
TRITON = find_spec("triton") is not None
# So many positions at once take a gigabyte for their pairs.
AT_ONCE = 1 << 17


def outputs(players: int) -> int:
    """How many values: with two players one, since the other's is what is left; else one for each seat."""
    return 1 if players == 2 else players


class Part(NamedTuple):
    """Weights by their names in a file; ``scale`` is multiplied in there, input by input."""

    layer: nn.Linear
    weight: str
    bias: str | None = None
    scale: torch.Tensor | float = 1.0


class Net(nn.Module):
    """Numbers go in; out come the values as log odds, the own seat first, and the margin."""

    scales: torch.Tensor

    def __init__(self, scales: np.ndarray) -> None:
        super().__init__()
        self.register_buffer("scales", torch.from_numpy(1.0 / scales))

    def parts(self, new: int = 0) -> Iterator[Part]:
        """All weights but those of the first so many rounds."""
        raise NotImplementedError

    def make_room(self, names: list[str]) -> int:
        """How many rounds are new to a net that has arrays of these names; they change nothing as yet."""
        return 0

    def twin(self) -> "Net":
        """A copy of its own, that does not learn."""
        other = copy.deepcopy(self)
        for weight in other.parameters():
            weight.requires_grad_(False)
        return other


class Dense(Net):
    """Hidden layers, one after the other (multilayer perceptron)."""

    def __init__(self, scales: np.ndarray, hidden: tuple[int, ...], values: int) -> None:
        super().__init__(scales)
        sizes = (len(scales), *hidden, values + 1)
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))

    def parts(self, new: int = 0) -> Iterator[Part]:
        for number, layer in enumerate(self.layers):
            assert isinstance(layer, nn.Linear)
            yield Part(layer, f"weight{number}", f"bias{number}", self.scales if number == 0 else 1.0)

    def forward(self, told: torch.Tensor) -> torch.Tensor:
        x = told.float() * self.scales
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        found: torch.Tensor = self.layers[-1](x)
        return found


class Round(nn.Module):
    """Every pair hears its two symbols, every symbol its five pairs."""

    def __init__(self, before: int, width: int, told: int) -> None:
        super().__init__()
        self.meet = nn.Linear(before, width, bias=False)
        self.pair = nn.Linear(told, width)
        self.own = nn.Linear(before, width)
        self.hear = nn.Linear(width, width, bias=False)

    def forward(
        self, symbols: torch.Tensor, told: torch.Tensor, joins: torch.Tensor, best: bool
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """By position, symbol or pair, and number: what symbols say, what they heard, and the most that a pair says
        that is held, if it is asked for."""
        met, weight = self.meet(symbols), self.pair.weight.t()
        pad = weight.new_zeros((told.shape[2] - weight.shape[0] - 1, weight.shape[1]))
        weight = torch.cat((weight, self.pair.bias.unsqueeze(0), pad)).to(met.dtype)
        heard, most = (meet_on_device if met.is_cuda and TRITON else meet)(told.to(met.dtype), met, weight, joins, best)
        own = self.own(symbols)
        said = torch.addmm(own.flatten(0, 1), heard.flatten(0, 1), self.hear.weight.t())
        return torch.relu(said.view_as(own)), heard, most


def meet(
    told: torch.Tensor, met: torch.Tensor, weight: torch.Tensor, joins: torch.Tensor, best: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    """What symbols hear of their pairs, and the most that a pair says that is held; ``joins`` says which symbols are in
    which pairs."""
    pairs = torch.relu(told @ weight + joins.t() @ met)
    return joins @ pairs, (pairs * (told[:, :, :1] > 0)).amax(1) if best else pairs.new_empty(0)


def meet_on_device(
    told: torch.Tensor, met: torch.Tensor, weight: torch.Tensor, joins: torch.Tensor, best: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    """The same, written for a CUDA device in Triton."""
    from sixfold.train.meeting import Meeting

    heard, most = Meeting.apply(told.contiguous(), met.contiguous(), weight.contiguous(), best)
    return heard, most.amax(1) if best else most


class Graph(Net):
    """Symbols and pairs of them tell each other things, a width for every round (message passing)."""

    joins: torch.Tensor
    of: torch.Tensor

    def __init__(self, scales: np.ndarray, shape: tuple[int, int, int], hidden: tuple[int, ...], values: int) -> None:
        """``shape``: the numbers of a symbol, how many of them mean cards, and the numbers of the whole."""
        super().__init__(scales)
        self.row, self.common, self.whole = shape
        self.told = (len(scales) - SYMBOLS * self.row - self.whole) // len(PAIRS)
        self.register_buffer("joins", torch.from_numpy(JOINS))
        self.register_buffer("of", torch.from_numpy(PAIRS.T.astype(np.int64)))
        width = hidden[-1]
        self.of_symbol = nn.Linear(self.row, hidden[0])
        self.of_whole = nn.Linear(self.whole, hidden[0], bias=False)
        sizes = pairwise((hidden[0], *hidden))
        self.rounds = nn.ModuleList(Round(before, after, self.told + self.common) for before, after in sizes)
        self.all_symbols = nn.Linear(width, width)
        self.all_pairs, self.all_best = (nn.Linear(width, width, bias=False) for _ in range(2))
        self.all_whole = nn.Linear(self.whole, width, bias=False)
        self.say = nn.Linear(width, values + 1)

    def parts(self, new: int = 0) -> Iterator[Part]:
        rows = SYMBOLS * self.row
        whole, of_pairs = self.scales[rows : rows + self.whole], self.scales[rows + self.whole :: len(PAIRS)]
        told = torch.cat((of_pairs, torch.ones(self.common, device=of_pairs.device)))
        yield Part(self.of_symbol, "symbol", "symbol_bias", self.scales[: self.row])
        yield Part(self.of_whole, "whole", None, whole)
        for number, one in enumerate(self.rounds[new:]):
            assert isinstance(one, Round)
            yield Part(one.meet, f"meet{number}")
            yield Part(one.pair, f"pair{number}", f"pair_bias{number}", told)
            yield Part(one.own, f"own{number}", f"own_bias{number}")
            yield Part(one.hear, f"hear{number}")
        yield Part(self.all_symbols, "all_symbols", "all_bias", 2 / SYMBOLS)
        yield Part(self.all_pairs, "all_pairs", None, 3 / len(PAIRS))
        yield Part(self.all_best, "all_best")
        yield Part(self.all_whole, "all_whole", None, whole)
        yield Part(self.say, "say", "say_bias")

    def make_room(self, names: list[str]) -> int:
        new = len(self.rounds) - rounds_of(names)
        if new < 0:
            raise ValueError("it has more rounds")
        for one in self.rounds[:new]:
            assert isinstance(one, Round)
            nn.init.eye_(one.own.weight)
            nn.init.zeros_(one.own.bias)
            nn.init.zeros_(one.hear.weight)
        return new

    def forward(self, told: torch.Tensor) -> torch.Tensor:
        if len(told) > AT_ONCE and not torch.is_grad_enabled():
            return torch.cat([self.forward(some) for some in torch.split(told, AT_ONCE)])
        # Numbers of sixteen bits are faster on a CUDA device, and good enough to learn; those that come out have more.
        short = torch.bfloat16 if told.is_cuda else torch.float32
        with torch.autocast(told.device.type, short, enabled=told.is_cuda):
            said = self.everything((told.float() * self.scales).to(short))
        found: torch.Tensor = self.say(said.float())
        return found

    def everything(self, x: torch.Tensor) -> torch.Tensor:
        """What the net comes to in the end."""
        rows = x[:, : SYMBOLS * self.row].view(-1, SYMBOLS, self.row)
        whole = x[:, SYMBOLS * self.row : SYMBOLS * self.row + self.whole]
        symbols = torch.relu(self.of_symbol(rows) + self.of_whole(whole).unsqueeze(1))
        pairs, last = self.pairs(x, rows), len(self.rounds) - 1
        for number, one in enumerate(self.rounds):
            symbols, heard, best = one(symbols, pairs, self.joins, number == last)
        found = self.all_symbols(symbols.sum(1) * (2 / SYMBOLS))
        # Every pair was heard twice.
        found = found + self.all_pairs(heard.sum(1) * (1.5 / len(PAIRS)))
        return torch.relu(found + self.all_best(best) + self.all_whole(whole))

    def pairs(self, x: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
        """The numbers of pairs: those told of them, which cards show both symbols, a 1 for the bias, and some 0."""
        told = x[:, SYMBOLS * self.row + self.whole :].view(-1, self.told, len(PAIRS)).transpose(1, 2)
        cards = rows[:, :, self.row - self.common :]
        both = cards[:, self.of[0]] * cards[:, self.of[1]]
        found = torch.cat((told, both, torch.ones_like(told[:, :, :1])), 2)
        return functional.pad(found, (0, -found.shape[2] % 16))


def made(features: Features, players: int, hidden: tuple[int, ...]) -> Net:
    """A net that knows nothing as yet, of the kind that learns a game."""
    scales, values = features.scales(players), outputs(players)
    if features.NET == "dense":
        return Dense(scales, hidden, values)
    return Graph(scales, cast("GraphFeatures", features).shape(players), hidden, values)


def opened(path: Path, game: str, players: int) -> Net:
    """The net of a file, as large as it is."""
    features = features_of(game, players)
    _, sizes = load(path, game, players)
    hidden = sizes[1:-1] if features.NET == "dense" else sizes[WIDTHS:-1]
    net = made(features, players, tuple(int(size) for size in hidden))
    read(path, net, game, players)
    return net.twin()


def arrays(net: Net) -> dict[str, np.ndarray]:
    """The weights as plain arrays, outputs × inputs, what inputs are scaled by multiplied in."""
    found: dict[str, np.ndarray] = {}
    for part in net.parts():
        found[part.weight] = (part.layer.weight.detach() * part.scale).float().cpu().numpy()
        if part.bias is not None:
            found[part.bias] = part.layer.bias.detach().float().cpu().numpy()
    return found


def write(net: Net, path: Path, **about: Any) -> None:
    """Write a net's arrays to a file, as numbers of sixteen bits, with what there is to say about it."""
    said = {name: np.array(value) for name, value in about.items()}
    new = path.with_suffix(".new.npz")
    kept: dict[str, Any] = {**{name: array.astype(np.float16) for name, array in arrays(net).items()}, **said}
    np.savez_compressed(new, **kept)
    new.replace(path)


def read(path: Path, net: Net, game: str, players: int) -> int:
    """Take over the weights of a file. A smaller net fills a part of a larger one; what is new says nothing as yet.

    Returns how many games it has learned from.
    """
    try:
        with np.load(path) as file, torch.no_grad():
            if (str(file["game"]), int(file["players"])) != (game, players):
                raise SetupError(f"{path} is a net for {file['game']} with {file['players']} players")
            for part in net.parts(net.make_room(file.files)):
                weight = torch.from_numpy(file[part.weight].astype(np.float32))
                outs, ins = weight.shape
                scale = part.scale.cpu()[:ins] if isinstance(part.scale, torch.Tensor) else part.scale
                part.layer.weight[:outs, :ins] = weight / scale
                part.layer.weight[:outs, ins:] = 0.0
                if part.bias is not None:
                    part.layer.bias[:outs] = torch.from_numpy(file[part.bias].astype(np.float32))
            return int(file["games"])
    except SetupError:
        raise
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise SetupError(f"{path} is no net to begin with: {error}") from None
