"""The net as PyTorch knows it, and as plain arrays (docs/nets.md)."""

import copy
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn


def outputs(players: int) -> int:
    """How many values: with two players one, since the other's is what is left; else one for each seat."""
    return 1 if players == 2 else players


class Net(nn.Module):
    """Numbers in, then hidden layers; out come the values as log odds, the own seat first, and the margin."""

    def __init__(self, scales: np.ndarray, hidden: tuple[int, ...], values: int) -> None:
        super().__init__()
        self.register_buffer("scales", torch.from_numpy(1.0 / scales))
        sizes = (len(scales), *hidden, values + 1)
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))

    def forward(self, told: torch.Tensor) -> torch.Tensor:
        x = told.float() * self.scales
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        found: torch.Tensor = self.layers[-1](x)
        return found

    def twin(self) -> "Net":
        """A copy of its own, that does not learn."""
        other = copy.deepcopy(self)
        for weight in other.parameters():
            weight.requires_grad_(False)
        return other


def arrays(net: Net) -> dict[str, np.ndarray]:
    """The weights as plain arrays, inputs' scales multiplied in: ``weight0`` (outputs × inputs), ``bias0``, …"""
    found: dict[str, np.ndarray] = {}
    for number, layer in enumerate(net.layers):
        weight = layer.weight.detach()
        if number == 0:
            weight = weight * net.scales
        found[f"weight{number}"] = weight.float().cpu().numpy()
        found[f"bias{number}"] = layer.bias.detach().float().cpu().numpy()
    return found


def write(net: Net, path: Path, **about: Any) -> None:
    """Write a net's arrays to a file, with what there is to say about it."""
    said = {name: np.array(value) for name, value in about.items()}
    new = path.with_suffix(".new.npz")
    kept: dict[str, Any] = {**arrays(net), **said}
    np.savez_compressed(new, **kept)
    new.replace(path)


def read(path: Path, net: Net) -> None:
    """Take over the weights of a file. A smaller net fills a part of a larger one; what is new says nothing as yet."""
    with np.load(path) as file, torch.no_grad():
        scales = net.scales.cpu()
        for number, layer in enumerate(net.layers):
            weight = torch.from_numpy(file[f"weight{number}"].astype(np.float32))
            outs, ins = weight.shape
            if number == 0:
                weight = weight / scales[:ins]
            layer.weight[:outs, :ins] = weight
            layer.weight[:outs, ins:] = 0.0
            layer.bias[:outs] = torch.from_numpy(file[f"bias{number}"].astype(np.float32))
