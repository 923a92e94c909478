"""Every position draws itself, and a drawing of a view shows what the view shows."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from sixfold import GAMES, Game, Seeded, View
from sixfold.engine.svg import render_svg
from sixfold.games import packages
from sixfold.games.shared.svg import COLOURS, SHAPES
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.language import LANGUAGES, say
from tests.tables import Table, at_every_table, play_on, random_game

PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "position.svg"
SVG = "{http://www.w3.org/2000/svg}"


def drawn(text: str) -> tuple[ET.Element, list[str]]:
    """A drawing, and the words in it."""
    root = ET.fromstring(text)
    return root, ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]


def symbols(root: ET.Element) -> list[str]:
    """The letters of the symbols in a drawing, by their shapes."""
    letters = {shape: letter for letter, shape in SHAPES.items()}
    return [letters[path.get("d", "")] for path in root.iter(f"{SVG}path") if path.get("d") in letters]


@at_every_table
def test_every_position_draws_itself(table: Table) -> None:
    chance = Seeded(5)
    game = table.start(chance)
    while not game.over:
        root, words = drawn(game._repr_svg_())
        width, height = (float(root.get(name, 0)) for name in ("width", "height"))
        assert 200 < width < 1000
        assert 100 < height < 1000
        assert not game.last or " ".join(game.last) in words
        # Six rows for everybody, each with its number.
        for player in range(table.players):
            assert all(str(value) in words for value in game.values[player])
        play_on(game, chance, 8)
    assert say("over") in drawn(render_svg(game))[1][0]


@pytest.mark.parametrize("name", ["travel", "cards"])
def test_a_view_hides_what_it_hides(name: str) -> None:
    game = random_game(Table(name, 2, {}), 6, decisions=5)
    everything, own, nothing = (
        symbols(drawn(render_svg(position))[0]) for position in (game, game.view(0), game.view(None))
    )
    assert len(everything) - len(own) == len(own) - len(nothing) == 12
    other = game.view(0).guess(Seeded(1))
    assert other != game
    assert render_svg(_heard(other.view(0), game)) == render_svg(game.view(0))


def _heard(view: View, game: Game) -> View:
    """A guess does not know what was played before."""
    view.last = game.view(0).last
    return view


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_it_speaks_every_language(name: str, language: str) -> None:
    game = random_game(Table(name, 2, {}), 6, decisions=5)
    _, words = drawn(render_svg(game, language))
    assert say("player", language, number=1) in words or f"▶ {say('player', language, number=1)}" in words


def test_every_symbol_has_a_shape_of_its_own() -> None:
    assert list(SHAPES) == list(COLOURS) == list(SYMBOLS)
    assert len(set(SHAPES.values())) == len(SYMBOLS)


def test_the_last_move_is_marked_where_it_was_heard() -> None:
    chance = Seeded(2)
    game = Table("travel", 2, {}).start(chance)
    assert game.last == game.view(1).last == []
    game.play(game.legal()[0])
    ringed = [path for path in drawn(render_svg(game))[0].iter(f"{SVG}path") if path.get("stroke-width") == "2.2"]
    assert len(ringed) == 2
    assert game.view(1).last == game.last
    # T16: nobody else hears that somebody may swap and keeps.
    game.events.append("0 keep")
    assert game.view(0).last == ["0", "keep"]
    assert game.view(1).last != ["0", "keep"]


def test_the_picture_in_the_documents_is_what_is_drawn() -> None:
    game = random_game(Table("travel", 2, {}), 3, decisions=22)
    assert PICTURE.read_text(encoding="utf-8") == render_svg(game.view(game.turn)) + "\n"


def test_a_game_without_a_drawing_shows_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    game = random_game(Table("dice", 2, {}), 6, decisions=5)
    monkeypatch.setitem(packages()["dice"].__dict__, "svg", None)
    words = drawn(game._repr_svg_())[1]
    assert str(game).splitlines()[1:] == [word for word in words if word.startswith("  ")]
