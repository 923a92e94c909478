"""OpenSpiel's own tests, unchanged, the playthroughs, and what players know."""

from pathlib import Path

import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import generate_playthrough
from open_spiel.python.observation import make_observation

from sixfold import GAMES, Seeded, SetupError, start
from sixfold.research import open_spiel
from sixfold.research.observations import observation
from tests.tables import play_on

PLAYTHROUGHS = sorted((Path(__file__).parent / "playthroughs").glob("*.txt"))


@pytest.mark.parametrize("serialize", [False, True])
@pytest.mark.parametrize("name", ["travel", "cards(players=3)", "dice(split_jokers=True)"])
def test_openspiel_finds_nothing_wrong(name: str, serialize: bool) -> None:
    game = pyspiel.load_game(open_spiel.PREFIX + name)
    pyspiel.random_sim_test(game, num_sims=1, serialize=serialize, verbose=False)


@pytest.mark.parametrize("file", PLAYTHROUGHS, ids=lambda file: file.stem)
def test_a_playthrough_goes_as_it_went(file: Path) -> None:
    """``python -m tests.research.test_open_spiel`` writes them anew."""
    flags.FLAGS.mark_as_parsed()
    before, now = generate_playthrough.replay(str(file))
    assert now == before


def test_every_game_has_a_playthrough() -> None:
    assert [file.stem for file in PLAYTHROUGHS] == sorted(open_spiel.PREFIX + name for name in GAMES)
    assert {file.stem for file in PLAYTHROUGHS} <= set(pyspiel.registered_names())


def test_chance_gives_one_item_a_node_and_hears_how_likely_each_is() -> None:
    state = pyspiel.load_game("sixfold_cards").new_initial_state()
    dealt = 0
    while state.is_chance_node():
        chances = dict(state.chance_outcomes())
        assert sum(chances.values()) == pytest.approx(1)
        assert len(chances) == 15
        assert chances[14] == pytest.approx(4 / (60 - dealt))
        state.apply_action(dealt % 14)
        dealt += 1
    assert dealt == 2 * 6 + 2 * 2  # C3, C4


def test_players_have_heard_what_they_were_told() -> None:
    state = pyspiel.load_game("sixfold_travel").new_initial_state()
    for _ in range(8):
        state.apply_action(state.legal_actions()[0])
    assert state.information_state_string(0) == "deal 0 RR RR RG RG RG RB\ndeal 1 ?? ??"
    assert state.information_state_string(1) == "deal 0 ?? ?? ?? ?? ?? ??\ndeal 1 RB RB"
    seen = make_observation(state.get_game())
    seen.set_from(state, 1)
    assert seen.tensor.tolist() == observation(state.table.view(1)).tolist()
    assert seen.dict["rack_size"].tolist() == [2, 6]
    public = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    assert "RR" not in make_observation(state.get_game(), public).string_from(state, 0)


def test_a_position_of_the_object_can_be_looked_at() -> None:
    chance = Seeded(5)
    position = start("dice", chance=chance)
    play_on(position, chance, 9)
    state = pyspiel.load_game("sixfold_dice").state_at(position)
    assert str(state) == str(position)
    child = state.child(state.legal_actions()[0])
    assert str(child) != str(state) == str(position)
    with pytest.raises(SetupError, match="not one of sixfold_dice"):
        pyspiel.load_game("sixfold_dice(split_jokers=True)").state_at(position)


def write_playthroughs() -> None:
    for name in GAMES:
        text = generate_playthrough.playthrough(open_spiel.PREFIX + name, None, seed=1)
        (Path(__file__).parent / "playthroughs" / f"{open_spiel.PREFIX}{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_playthroughs()
