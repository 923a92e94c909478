"""Posy, a toy game in one package (tests/posy), goes everywhere that a game can go."""

import asyncio
import json
import re
from pathlib import Path

import httpx
import pytest

from sixfold import GAMES
from sixfold.language import LANGUAGES
from tests.fork_server import ForkedNode, run
from tests.toy_games import ROOT, files_that_name, play_first_moves, python, sixfold
from tests.toy_games import installed as installed

# One after the other: what the first compiles, the others find.
pytestmark = [pytest.mark.xdist_group("posy"), pytest.mark.usefixtures("installed")]
TOYS = ("posy",)


def test_nothing_but_its_own_package_names_it() -> None:
    assert "posy" not in GAMES
    assert not files_that_name("posy")


def test_its_sentences_are_there_in_every_language() -> None:
    tables = [json.loads((ROOT / "tests" / "posy" / "languages" / f"{one}.json").read_text()) for one in LANGUAGES]
    assert all(list(table) == list(tables[0]) for table in tables)


def test_it_keeps_what_every_game_must_keep() -> None:
    files = [f"tests/test_{name}.py" for name in ("conformance", "contract", "views")]
    told = python("-m", "pytest", "-p", "no:schemathesis", *files, "-k", "posy")
    found = re.search(r"(\d+) passed", told)
    assert found is not None, told
    assert int(found[1]) > 200


def test_its_games_are_recorded_and_checked(tmp_path: Path) -> None:
    records = tmp_path / "games.sixfold.jsonl"
    choice = ("--players", "3", "--option", "pack=large")
    sixfold("simulate", "posy", *choice, "--games", "40", "--legal", "--out", str(records))
    assert "40" in sixfold("check", str(records))
    line = records.read_text().splitlines()[0]
    one = tmp_path / "one.sixfold.jsonl"
    one.write_text(line + "\n")
    # It has no net, so its review plays on to the end.
    reviewed = json.loads(sixfold("review", str(one), "--json", "--iterations", "60"))
    assert (reviewed["judged_by"], len(reviewed["steps"])) == ("playouts", len(json.loads(line)["events"]))
    first = json.loads(line)
    assert first["options"] == {"pack": "large", "open_hands": False}
    first["events"][3] = "0 lay X"
    records.write_text(json.dumps(first) + "\n")
    refused = run("check", str(records))
    assert refused.returncode != 0
    assert "X is not one of the symbols" in refused.stdout + refused.stderr
    wrong = run("simulate", "posy", "--option", "pack=huge")
    assert "option pack of posy is small or large, not 'huge'" in wrong.stderr


def test_bots_meet_in_the_arena(tmp_path: Path) -> None:
    bots = ("random", "greedy", "search")
    settings = ("--games", "60", "--budget", "60it", "--seed", "3", "--out", str(tmp_path))
    python("-m", "sixfold", "arena", "posy", *bots, *settings)
    results = json.loads((tmp_path / "results.json").read_text())
    ratings = {bot["bot"]: bot["rating"] for bot in results["bots"]}
    assert ratings["random"] < ratings["greedy"] < ratings["search"]


ENVIRONMENTS = """
import numpy as np, pyspiel
from pettingzoo.test import api_test
from sixfold import Seeded, start
from sixfold.research import open_spiel, pettingzoo
from sixfold.research.batch import Batch
api_test(pettingzoo.env("posy", 3, pack="large"), num_cycles=20)
pyspiel.random_sim_test(pyspiel.load_game("sixfold_posy(pack=large)"), num_sims=1, serialize=True, verbose=False)
batch = Batch("posy", 3, 4, pack="large")
rows, _ = batch.begin(1)
while not batch.step(batch.sample())[1].ended.any():
    pass
assert "lay" in start("posy", chance=Seeded(1))._repr_svg_()
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
rules = GAMES["posy"]
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
    told = python("-c", CUDA, NUMBA_ENABLE_CUDASIM="1", NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="ignore")
    assert told.strip() == "the same games"


def test_somebody_plays_it_with_a_bot_over_a_socket(tmp_path: Path) -> None:
    node = ForkedNode(f"sqlite:///{tmp_path}/posy.db", None, tmp_path / "log")
    node.start()
    try:
        asyncio.run(node.wait_until_ready())
        with httpx.Client(base_url=node.url, timeout=30) as client:
            (facts,) = [game for game in client.get("/api/games").json() if game["name"] == "posy"]
            assert facts["options"]["pack"] == {"kind": "choice", "default": "small", "choices": ["small", "large"]}
            assert (facts["players"], facts["rounds_default"]["2"], facts["last"]) == ([2, 3, 4], 3, 5)
            client.post("/api/guest", json={"name": "Anne"}).raise_for_status()
            seats = [{"kind": "me"}, {"kind": "bot", "level": "level4"}]
            table = {"game": "posy", "seats": seats, "options": {"pack": "large"}, "first": 0, "rounds": 1}
            made = client.post("/api/tables", json=table)
            made.raise_for_status()
            view = play_first_moves(node.url, made.json()["id"], client)
            assert view["position"]["game"] == "posy"
            assert view["result"]["why"] == "played"
            lines = client.get(f"/api/tables/{made.json()['id']}/records").text
        records = tmp_path / "played.sixfold.jsonl"
        records.write_text(lines)
        sixfold("check", str(records))
    finally:
        node.stop()


SKIPPED = """
import sys
from typer.testing import CliRunner
from sixfold.cli import app
from sixfold.wasm import builder
builder.build_game = lambda package, folder: []
print(CliRunner().invoke(app, ["wasm", "build", sys.argv[1]]).output)
"""


def test_without_a_description_of_its_codec_it_has_no_module(tmp_path: Path) -> None:
    assert "posy has no module: its codec has no FIELDS" in python("-c", SKIPPED, str(tmp_path))
