"""Orchard, a toy game of another family than posy (tests/orchard), goes everywhere that a game can go.

It has partners, a single player, a ranking of its own, a private choice, a hidden occasion called take, and neither
levels nor heuristics."""

import asyncio
import json
import re
import shutil
from pathlib import Path

import httpx
import pytest

from sixfold import GAMES
from sixfold.language import LANGUAGES
from sixfold.wasm import verification
from tests.fork_server import ForkedNode, run
from tests.toy_games import ROOT, files_that_name, play_first_moves, python, sixfold
from tests.toy_games import installed as installed

# One after the other: what the first compiles, the others find.
pytestmark = [pytest.mark.xdist_group("orchard"), pytest.mark.usefixtures("installed")]
TOYS = ("orchard",)


def test_nothing_but_its_own_package_names_it() -> None:
    assert "orchard" not in GAMES
    assert not files_that_name("orchard")


def test_its_sentences_are_there_in_every_language() -> None:
    folder = ROOT / "tests" / "orchard" / "languages"
    tables = [json.loads((folder / f"{language}.json").read_text()) for language in LANGUAGES]
    assert all(list(table) == list(tables[0]) for table in tables)


def test_it_keeps_what_every_game_must_keep() -> None:
    files = [f"tests/test_{name}.py" for name in ("conformance", "contract", "views")]
    output = python("-m", "pytest", "-p", "no:schemathesis", *files, "-k", "orchard")
    passed = re.search(r"(\d+) passed", output)
    assert passed is not None, output
    assert int(passed[1]) > 100


@pytest.mark.parametrize("players", [1, 4])
def test_its_games_are_recorded_checked_replayed_and_reviewed(players: int, tmp_path: Path) -> None:
    records = tmp_path / "games.sixfold.jsonl"
    sixfold("simulate", "orchard", "--players", str(players), "--games", "20", "--legal", "--out", str(records))
    assert "20" in sixfold("check", str(records))
    line = records.read_text().splitlines()[0]
    one = tmp_path / "one.sixfold.jsonl"
    one.write_text(line + "\n")
    reviewed = json.loads(sixfold("review", str(one), "--json", "--iterations", "60"))
    assert (reviewed["judged_by"], len(reviewed["steps"])) == ("playouts", len(json.loads(line)["events"]))
    # O8: partners win and lose together; a single player has no opponents.
    final = reviewed["curve"][-1]
    assert final == ([50.0] if players == 1 else [final[0], final[1]] * 2)
    places = json.loads(line)["result"]["places"]
    assert places == ([1] if players == 1 else [places[0], places[1]] * 2)
    wrong = run("simulate", "orchard", "--players", "5")
    assert "orchard is for 1 or 2 or 3 or 4 players, not 5" in wrong.stderr


def test_bots_meet_in_the_arena_and_every_level_plays_at_random(tmp_path: Path) -> None:
    settings = ("--games", "120", "--budget", "200it", "--seed", "3", "--out", str(tmp_path))
    python("-m", "sixfold", "arena", "orchard", "random", "level5", "search", *settings)
    results = json.loads((tmp_path / "results.json").read_text())
    ratings = {bot["bot"]: bot["rating"] for bot in results["bots"]}
    assert ratings["search"] > max(ratings["random"], ratings["level5"])


ENVIRONMENTS = """
import pyspiel
from pettingzoo.test import api_test
from sixfold import GAMES, Seeded, start
from sixfold.bots.levels import warm_up
from sixfold.research import open_spiel, pettingzoo
from sixfold.research.batch import Batch
for players in GAMES["orchard"].PLAYERS:
    api_test(pettingzoo.env("orchard", players), num_cycles=20)
    batch = Batch("orchard", players, 4)
    batch.begin(1)
    while not (outcome := batch.step(batch.sample())[1]).ended.any():
        pass
    assert abs(outcome.rewards.sum()) < 1e-6
pyspiel.random_sim_test(pyspiel.load_game("sixfold_orchard(players=4)"), num_sims=1, serialize=True, verbose=False)
warm_up("orchard")
assert "lay" in start("orchard", chance=Seeded(1))._repr_svg_()
print("as everywhere")
"""


def test_it_has_environments_and_is_drawn() -> None:
    assert python("-c", ENVIRONMENTS, PYTHONWARNINGS="ignore").splitlines()[-1] == "as everywhere"


CUDA = """
import numpy as np
from sixfold import GAMES
from sixfold.engine.cuda_playouts import kernel
from sixfold.engine.playouts import play_games
from sixfold.games.shared.generator import seed_word
rules = GAMES["orchard"]
for players in rules.PLAYERS:
    begin = rules.start(players)
    lengths, values = np.zeros(20, dtype=np.int32), np.zeros((20, players, len(rules.VALUES)), dtype=np.int8)
    places = np.zeros((20, players), dtype=np.int8)
    kernel(rules)[2, 4](begin, seed_word(5), 0, lengths, values, places)
    host = play_games(rules, begin, 5, 0, 20)
    assert np.array_equal(lengths, host.lengths) and np.array_equal(values, host.values)
    assert np.array_equal(places, host.places)
    assert lengths.min() > 0
print("the same games")
"""


def test_a_cuda_kernel_plays_the_same_games() -> None:
    output = python("-c", CUDA, NUMBA_ENABLE_CUDASIM="1", NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="ignore")
    assert output.strip() == "the same games"


# O2, O5: at a table in the terminal, the others hear neither what is taken nor that somebody held.
TERMINAL = """
from sixfold.language import LANGUAGES
from sixfold.table import event_view, replay, table_view
from sixfold.terminal import log_text, scene_builder
from sixfold.terminal.launch import make_local_table
from sixfold.terminal.menu import GameChoices, level_names
from sixfold.terminal.move_builder import MoveBuilder
for players in (1, 2, 4):
    client = make_local_table(GameChoices("orchard", players, ["person"] * players), "en", seed=players, pace=0)
    table, held = client.table, 0
    while table.stage == "playing":
        view = table_view(table, table.turn)
        builder = MoveBuilder(view)
        lines = ["".join(span.text for span in line) for line in scene_builder.from_view(view, builder, None, "en")]
        assert any(f"[ {view['legal'][0]} ]" in line for line in lines), lines
        held += view["legal"][0] == "hold"
        builder.pick(view["legal"][0])
        assert log_text.gains_text(builder.rules, builder.gained(None), "en") or view["legal"][0] == "hold"
        client.play(view["legal"][0])
    assert held > 0
    for seat in [None, *range(players)]:
        for version in range(1, table.version + 1):
            event = event_view(table, version, seat)
            for text in [*(event.get("events") or []), *(event.get("deal") or [])]:
                words = text.split(" ")
                own = seat is not None and table.player_of(seat) == int(words[1] if words[0] == "take" else words[0])
                assert words[0] != "take" or own or set(words[2:]) <= {"??"}, text
                assert words[1] != "hold" or own, text
    for language in LANGUAGES:
        text = log_text.result_lines(table_view(table, 0), [0], language)
        assert len(text) == players + 1
    for step in replay.steps(table.records[0]):
        assert scene_builder.from_position(step["position"], names=["?"] * players, reach=step["reach"], language="en")
assert level_names("orchard", "en") == {"level2": "random moves"}
print("played")
"""


def test_it_is_played_and_replayed_in_the_terminal_and_keeps_its_secrets() -> None:
    assert python("-c", TERMINAL).strip() == "played"


def test_it_is_played_line_by_line() -> None:
    words = ("play", "orchard", "--players", "4", "--plain", "--seed", "1", "--language", "en")
    output = python("-m", "sixfold", *words, typed="??\n?\nq\n")
    assert "hint: lay" in output
    assert "take 1 ??" in output


def test_a_person_plays_it_with_bots_over_a_socket(tmp_path: Path) -> None:
    node = ForkedNode(f"sqlite:///{tmp_path}/orchard.db", None, tmp_path / "log")
    node.start()
    try:
        asyncio.run(node.wait_until_ready())
        with httpx.Client(base_url=node.url, timeout=30) as client:
            (facts,) = [game for game in client.get("/api/games").json() if game["name"] == "orchard"]
            assert facts["players"] == [1, 2, 3, 4]
            client.post("/api/guest", json={"name": "Anne"}).raise_for_status()
            for players in (1, 4):
                bots = [{"kind": "bot", "level": "level3"}] * (players - 1)
                table = {"game": "orchard", "players": players, "seats": [{"kind": "me"}, *bots], "first": 0}
                made = client.post("/api/tables", json=table)
                assert made.status_code == 201, made.text
                view = play_first_moves(node.url, made.json()["id"], client)
                result = view["result"]
                assert (result["why"], result["over_why"]) == ("played", "orchard_bare")
                assert players == 1 or result["places"][:2] == result["places"][2:]
                lines = client.get(f"/api/tables/{made.json()['id']}/records").text
                records = tmp_path / "played.sixfold.jsonl"
                records.write_text(lines)
                sixfold("check", str(records))
    finally:
        node.stop()


MODULE = """
import sys
from pathlib import Path
from sixfold.games import packages
from sixfold.wasm import expectations, verification
from sixfold.wasm.builder import build_game
folder = Path(sys.argv[1])
build_game(packages()["orchard"], folder)
for kind in expectations.kinds():
    if kind.game == "orchard":
        assert verification.ask_node(folder, [expectations.expected(kind, 0, 1000, positions=True)]) == [[]]
print("the same")
"""


@pytest.mark.skipif(not verification.MODULES.is_dir(), reason="the modules are not built: make pages")
def test_its_module_plays_like_the_native_rules(tmp_path: Path) -> None:
    for script in verification.MODULES.glob("*.js"):
        shutil.copy(script, tmp_path)
    assert python("-W", "ignore", "-c", MODULE, str(tmp_path)).strip() == "the same"
