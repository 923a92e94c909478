"""Every game keeps the contract: mypy sees it where the parts are named, and a test for every game of the registry."""

import inspect
from types import ModuleType
from typing import Any

import msgspec
import pytest

from sixfold import GAMES, Seeded
from sixfold.engine import annotations
from sixfold.games import contract, packages
from sixfold.games.cards import annotations as cards_annotations
from sixfold.games.cards import codec as cards_codec
from sixfold.games.cards import heuristics as cards_heuristics
from sixfold.games.cards import levels as cards_levels
from sixfold.games.cards import notation as cards_notation
from sixfold.games.cards import rules as cards_rules
from sixfold.games.cards import svg as cards_svg
from sixfold.games.cards import terminal as cards_terminal
from sixfold.games.cards import text as cards_text
from sixfold.games.dice import annotations as dice_annotations
from sixfold.games.dice import codec as dice_codec
from sixfold.games.dice import heuristics as dice_heuristics
from sixfold.games.dice import levels as dice_levels
from sixfold.games.dice import notation as dice_notation
from sixfold.games.dice import rules as dice_rules
from sixfold.games.dice import svg as dice_svg
from sixfold.games.dice import terminal as dice_terminal
from sixfold.games.dice import text as dice_text
from sixfold.games.travel import annotations as travel_annotations
from sixfold.games.travel import codec as travel_codec
from sixfold.games.travel import heuristics as travel_heuristics
from sixfold.games.travel import levels as travel_levels
from sixfold.games.travel import notation as travel_notation
from sixfold.games.travel import rules as travel_rules
from sixfold.games.travel import svg as travel_svg
from sixfold.games.travel import terminal as travel_terminal
from sixfold.games.travel import text as travel_text
from sixfold.language import LANGUAGES, sentences
from sixfold.table.positions import value, view_of
from tests.orchard import annotations as orchard_annotations
from tests.orchard import codec as orchard_codec
from tests.orchard import rules as orchard_rules
from tests.posy import annotations as posy_annotations
from tests.posy import codec as posy_codec
from tests.posy import heuristics as posy_heuristics
from tests.posy import rules as posy_rules
from tests.tables import Table, at_every_table, play_on

# For mypy: these modules keep these protocols.
RULES: tuple[contract.Rules, ...] = (travel_rules, cards_rules, dice_rules, posy_rules, orchard_rules)
RANKS: contract.Ranks = orchard_rules
SERIES: tuple[contract.Series, ...] = (cards_rules, dice_rules, posy_rules)
MASKS: contract.Masks = travel_rules
ANNOTATIONS: tuple[contract.Annotations, ...] = (
    travel_annotations,
    cards_annotations,
    dice_annotations,
    posy_annotations,
    orchard_annotations,
)
LINES: contract.Lines = travel_annotations
FAVOURS: contract.Favours = dice_annotations
NOTATION: tuple[contract.Notation, ...] = (travel_notation, cards_notation, dice_notation)
TEXT: tuple[contract.Text, ...] = (travel_text, cards_text, dice_text)
SVG: tuple[contract.Svg, ...] = (travel_svg, cards_svg, dice_svg)
CODEC: tuple[contract.Codec, ...] = (travel_codec, cards_codec, dice_codec, posy_codec, orchard_codec)
FIELDS: tuple[contract.Fields, ...] = (travel_codec, cards_codec, dice_codec, orchard_codec)
HEURISTICS: tuple[contract.Heuristics, ...] = (travel_heuristics, cards_heuristics, dice_heuristics, posy_heuristics)
LEVELS: tuple[contract.Levels, ...] = (travel_levels, cards_levels, dice_levels)
TERMINAL: tuple[contract.Terminal, ...] = (travel_terminal, cards_terminal, dice_terminal)

PARTS = {
    "facts": contract.Facts,
    "rules": contract.Rules,
    "annotations": contract.Annotations,
    "notation": contract.Notation,
    "text": contract.Text,
    "codec": contract.Codec,
    "heuristics": contract.Heuristics,
    "levels": contract.Levels,
}
in_every_game = pytest.mark.parametrize("name", list(GAMES))


def members(protocol: Any) -> list[str]:
    bases = [base for base in protocol.__mro__ if base.__module__ == contract.__name__]
    return [name for base in bases for name in vars(base) if not name.startswith("_")]


@in_every_game
@pytest.mark.parametrize("part", PARTS)
def test_every_part_of_a_game_has_all_that_the_contract_asks_for(name: str, part: str) -> None:
    module = getattr(packages()[name], part)
    assert isinstance(module, ModuleType)
    wanted = members(PARTS[part])
    assert wanted
    assert not [member for member in wanted if not hasattr(module, member)]


@in_every_game
def test_facts_and_rules_agree(name: str) -> None:
    package = packages()[name]
    for member in ("NAME", "VERSION", "PLAYERS", "OPTIONS", "ROUNDS"):
        assert getattr(package.facts, member) == getattr(package.rules, member)
    facts, names = package.facts, package.rules.STATE.names or ()
    assert {"phase", "turn", "players", *facts.OPTIONS} <= set(names)
    assert set(facts.ROUNDS) in (set(), set(facts.PLAYERS))
    assert facts.AREAS[-1] == facts.LAST >= facts.GOAL > 0
    assert len(package.levels.LEVELS) == 5
    assert package.codec.POSITION.__struct_config__.tag == name


@in_every_game
def test_occasions_with_the_same_word_are_equally_visible(name: str) -> None:
    occasions = GAMES[name].OCCASIONS
    assert len({(occasion.word, occasion.hidden) for occasion in occasions}) == len({one.word for one in occasions})
    assert not any(occasion.word.isdigit() for occasion in occasions)


@in_every_game
def test_every_sentence_that_a_game_asks_for_is_there(name: str) -> None:
    package = packages()[name]
    keys = [f"game_{name}", *(reason.key for reason in package.annotations.REASONS)]
    for language in LANGUAGES:
        assert not [key for key in keys if key not in sentences(language)]


def test_compiled_parts_are_compiled() -> None:
    """A rule that Python runs would be slow, and could not be run on a GPU or in a browser."""
    for package in packages().values():
        for part in ("rules", "annotations", "heuristics"):
            module = getattr(package, part)
            functions = [getattr(module, name) for name in members(PARTS[part]) if name != "start"]
            plain = [function.__name__ for function in functions if inspect.isfunction(function)]
            assert not plain, f"{package.module}.{part}"


@at_every_table
def test_what_a_view_shows_can_be_told_again(table: Table) -> None:
    chance = Seeded(17)
    game = table.start(chance)
    while not game.over:
        for seat in (None, *range(table.players)):
            view = game.view(seat)
            shown = value(view)
            assert view_of(shown) == view
            position = msgspec.convert(shown, packages()[table.game].codec.POSITION)
            assert msgspec.to_builtins(position) == shown
        play_on(game, chance, 3)


@at_every_table
def test_a_move_gains_what_it_earns_up_to_a_limit_and_the_end_has_a_reason(table: Table) -> None:
    chance = Seeded(18)
    game = table.start(chance)
    again = False
    while not game.over:
        player = game.turn
        assert player is not None
        assert annotations.over_why(game) is None
        assert annotations.bonus(game) == again
        moves = game.legal()
        earned, previews = annotations.earned(game, moves), game.previews(moves).tolist()
        reach = annotations.reach(game)
        assert all(max(row) <= limit for row, limit in zip(game.values, reach, strict=True))
        for gained, given in zip(previews, earned, strict=True):
            assert all(0 <= gain <= more for gain, more in zip(gained[:-1], given, strict=True))
        game.play_number(int(moves.numbers[chance.below(len(moves))]))
        # T13, C14: only a bonus turn lets the same player play again; in other games there are none.
        again = table.game in ("travel", "cards") and game.turn == player and game.state.phase != table.rules.CHOOSE
    assert annotations.over_why(game) in [key for key, _ in packages()[table.game].annotations.ENDS]
