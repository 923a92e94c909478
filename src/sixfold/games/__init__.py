"""The games, found by themselves: packages in this folder, and those that other distributions name as entry points.

``contract`` says what a game is. A part of a game is loaded when somebody first asks for it.
"""

import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from sixfold import language
from sixfold.games.contract import (
    Drawing,
    Explaining,
    Facts,
    Features,
    Judgement,
    Levels,
    Picture,
    Rules,
    Shown,
    Spelling,
    Terminal,
)

ENTRY_POINTS = "sixfold.games"


@dataclass(frozen=True)
class Package:
    """A game's package and its parts."""

    module: str

    def _part(self, name: str) -> Any:
        return import_module(f"{self.module}.{name}")

    def _part_if_there(self, name: str) -> Any:
        return self._part(name) if find_spec(f"{self.module}.{name}") is not None else None

    @cached_property
    def facts(self) -> Facts:
        return cast(Facts, import_module(self.module))

    @cached_property
    def rules(self) -> Rules:
        return cast(Rules, self._part("rules"))

    @cached_property
    def explaining(self) -> Explaining:
        return cast(Explaining, self._part("explaining"))

    @cached_property
    def spelling(self) -> Spelling:
        return cast(Spelling, self._part("spelling"))

    @cached_property
    def picture(self) -> Picture:
        return cast(Picture, self._part("picture"))

    @cached_property
    def shown(self) -> Shown:
        return cast(Shown, self._part("shown"))

    @cached_property
    def judgement(self) -> Judgement:
        return cast(Judgement, self._part("judgement"))

    @cached_property
    def features(self) -> Features | None:
        """What nets are told, if nets know the game."""
        return cast("Features | None", self._part_if_there("features"))

    @cached_property
    def drawing(self) -> Drawing | None:
        """How a position is drawn, if the game says so."""
        return cast("Drawing | None", self._part_if_there("drawing"))

    @cached_property
    def terminal(self) -> Terminal | None:
        """How it is drawn in a terminal, if the game says so."""
        return cast("Terminal | None", self._part_if_there("terminal"))

    def net(self, players: int) -> Path:
        """Where the net for a number of players is, if there is one."""
        return Path(str(self._part("rules").__file__)).with_name(f"net-{players}.npz")

    @cached_property
    def levels(self) -> Levels:
        return cast(Levels, self._part("levels"))


@cache
def packages() -> Mapping[str, Package]:
    """Every game's package by the game's name, the oldest game first."""
    inside = [module.name for module in pkgutil.iter_modules(__path__, f"{__name__}.") if module.ispkg]
    outside = [entry.value for entry in entry_points(group=ENTRY_POINTS)]
    found = [Package(module) for module in [*inside, *outside] if hasattr(import_module(module), "NAME")]
    for module in outside:
        language.add_sentences(module)
    found.sort(key=lambda package: package.facts.YEAR)
    return {package.facts.NAME: package for package in found}


class _Games(Mapping[str, Rules]):
    """The rules of every game by its name."""

    def __getitem__(self, name: str) -> Rules:
        return packages()[name].rules

    def __iter__(self) -> Iterator[str]:
        return iter(packages())

    def __len__(self) -> int:
        return len(packages())


GAMES: Mapping[str, Rules] = _Games()
