"""Registry of games: the packages in this folder, and those that other distributions register as entry points.

``contract`` defines what a game must provide. The modules of a game are imported on first use.
"""

import pkgutil
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from sixfold import language
from sixfold.games.contract import (
    Annotations,
    Codec,
    Facts,
    Features,
    Heuristics,
    Levels,
    Notation,
    Rules,
    Svg,
    Terminal,
    Text,
)
from sixfold.games.shared import random_levels
from sixfold.games.shared.codec import PositionFields
from sixfold.games.shared.uniform import uniform_heuristics

ENTRY_POINTS = "sixfold.games"


@dataclass(frozen=True)
class Package:
    """A game's package and its modules, imported on first use."""

    module: str

    def _module(self, name: str) -> Any:
        return import_module(f"{self.module}.{name}")

    def _optional_module(self, name: str) -> Any:
        return self._module(name) if find_spec(f"{self.module}.{name}") is not None else None

    @cached_property
    def facts(self) -> Facts:
        return cast(Facts, import_module(self.module))

    @cached_property
    def rules(self) -> Rules:
        return cast(Rules, self._module("rules"))

    @cached_property
    def annotations(self) -> Annotations:
        return cast(Annotations, self._module("annotations"))

    @cached_property
    def notation(self) -> Notation:
        return cast(Notation, self._module("notation"))

    @cached_property
    def text(self) -> Text:
        return cast(Text, self._module("text"))

    @cached_property
    def codec(self) -> Codec:
        return cast(Codec, self._module("codec"))

    @cached_property
    def fields(self) -> PositionFields | None:
        """The description of the codec, or None if the game has none."""
        return cast("PositionFields | None", getattr(self.codec, "FIELDS", None))

    @cached_property
    def heuristics(self) -> Heuristics:
        """The game's own heuristics, or those that treat all moves alike."""
        return cast(Heuristics, self._optional_module("heuristics") or uniform_heuristics(cast(ModuleType, self.rules)))

    @cached_property
    def features(self) -> Features | None:
        """The net features, or None if the game has none."""
        return cast("Features | None", self._optional_module("features"))

    @cached_property
    def svg(self) -> Svg | None:
        """The SVG renderer, or None if the game has none."""
        return cast("Svg | None", self._optional_module("svg"))

    @cached_property
    def terminal(self) -> Terminal | None:
        """The terminal renderer, or None if the game has none."""
        return cast("Terminal | None", self._optional_module("terminal"))

    def net(self, players: int) -> Path:
        """The path of the net for a number of players; the file may not exist."""
        return Path(str(self._module("rules").__file__)).with_name(f"net-{players}.npz")

    @cached_property
    def levels(self) -> Levels:
        """The game's own levels, or random play at every level."""
        return cast("Levels | None", self._optional_module("levels")) or random_levels

    @cached_property
    def has_levels(self) -> bool:
        return self.levels is not random_levels

    def check(self) -> None:
        """Import all modules, and raise an error if one that every game needs is missing."""
        for name in ("rules", "annotations", "notation", "text", "codec"):
            self._module(name)
        for name in ("heuristics", "levels", "features", "svg", "terminal"):
            self._optional_module(name)


@cache
def packages() -> Mapping[str, Package]:
    """Every game's package by name, ordered by year of publication."""
    built_in = [module.name for module in pkgutil.iter_modules(__path__, f"{__name__}.") if module.ispkg]
    installed = [entry.value for entry in entry_points(group=ENTRY_POINTS)]
    games = [Package(module) for module in built_in if hasattr(import_module(module), "NAME")]
    for module in installed:
        try:
            Package(module).check()
            language.add_sentences(module)
        except Exception as error:
            warnings.warn(f"the game {module} is left out: {type(error).__name__}: {error}", stacklevel=2)
        else:
            games.append(Package(module))
    games.sort(key=lambda package: package.facts.YEAR)
    return {package.facts.NAME: package for package in games}


class _Games(Mapping[str, Rules]):
    """The rules of every game by its name."""

    def __getitem__(self, name: str) -> Rules:
        return packages()[name].rules

    def __iter__(self) -> Iterator[str]:
        return iter(packages())

    def __len__(self) -> int:
        return len(packages())


GAMES: Mapping[str, Rules] = _Games()
