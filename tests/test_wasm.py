"""The modules of WebAssembly, run by Node: built by `make pages`, small, and playing like the native rules."""

import gzip
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from typer.testing import CliRunner

import sixfold
from lab.studies import wasm_speed
from sixfold import Seeded, start
from sixfold.bots.levels import LEVELS
from sixfold.cli import app
from sixfold.engine import wasm
from sixfold.engine.notation import move_texts
from sixfold.errors import SetupError
from sixfold.games import GAMES
from sixfold.review import review
from sixfold.wasm import expectations, verification
from sixfold.wasm.notation_tables import blocks
from tests.test_review import played

ROOT = Path(__file__).parents[1]
FEW = 1000
KINDS = list(expectations.kinds())
# All modules with bots, without what is loaded as data; and a net.
MOST_BYTES = 250_000
MOST_BYTES_OF_A_NET = 1_000_000

built = pytest.mark.skipif(not verification.MODULES.is_dir(), reason="the modules are not built: make pages")
pytestmark = pytest.mark.xdist_group("wasm")


@built
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_modules_play_like_the_native_rules(kind: expectations.Kind) -> None:
    question = expectations.expected(kind, 0, FEW, positions=True)
    asked = {one["who"] for position in question["positions"] for one in position["chosen"]}
    assert asked == {*LEVELS, *expectations.BOTS}
    assert verification.ask_node(verification.MODULES, [question]) == [[]]


@built
def test_a_difference_is_found_and_named() -> None:
    question = expectations.expected(KINDS[0], 0, 10, positions=True)
    question["runs"][0]["digest"] = "0" * 16
    question["positions"][3]["values"][0][0] += 1
    question["positions"][0]["chosen"][0]["move"] = "swap"
    (found,) = verification.ask_node(verification.MODULES, [question])
    assert len(found) == 3
    assert "games 0 to 9 are not the same" in found[0]
    assert "position 0: level 1 is" in found[1]
    assert "position 3: values is" in found[2]


@built
@pytest.mark.parametrize(
    ("game", "players", "bots"),
    [("cards", 2, {"search", "net", "netsearch"}), ("dice", 3, {"search", "net", "netrolls"})],
)
def test_random_play_and_the_bots_of_the_levels_are_measured(game: str, players: int, bots: set[str]) -> None:
    position = start(game, players, chance=Seeded(1))
    work = wasm_speed.bot_workloads(position.view(position.turn))
    assert set(work) == bots
    question = {"game": game, "players": players, "seconds": 0.01, "bots": work}
    (rates,) = verification.ask_node(verification.MODULES, [question])
    assert set(rates) == {"play", *bots}
    assert min(rates.values()) > 0


@built
@pytest.mark.parametrize(("game", "players"), [("travel", 2), ("cards", 2), ("cards", 3), ("dice", 2), ("dice", 3)])
def test_modules_review_like_the_native_judges(game: str, players: int) -> None:
    whole = played(game, players, seed=11)
    beginning = {**whole, "events": whole["events"][:16], "result": None, "names": list("ABCD"[:players])}
    # A little thinking about a whole game, and enough about its beginning for moves to be given up and tried longer.
    asked = [(whole, 10, 5), (beginning, 320, 6)]
    questions = [{"game": game, "record": one, "iterations": many, "seed": seed} for one, many, seed in asked]
    native = [review(one, many, seed, threads=2) for one, many, seed in asked]
    # As JSON, and so to the last digit.
    assert verification.ask_node(verification.MODULES, questions) == [msgspec.to_builtins(found) for found in native]


@built
def test_a_review_in_a_browser_says_what_is_wrong_with_a_record() -> None:
    whole = played("dice", seed=11)
    changes: list[tuple[dict[str, Any], str]] = [
        ({"events": [*whole["events"][:3], "0 score R4>G"]}, "record_event: 4: 0 score R4>G"),
        ({"result": None}, "record_result: D13"),
        ({"players": 7}, "record_bad: players"),
        ({"options": {}}, "record_bad: options"),
        ({"legal": [1, 2, 3]}, "record_legal"),
    ]
    for change, why in changes:
        question = {"game": "dice", "record": {**whole, **change}, "iterations": 1, "seed": 1}
        with pytest.raises(SetupError, match=why):
            verification.ask_node(verification.MODULES, [question])


@built
def test_modules_are_small() -> None:
    sizes = [len(gzip.compress(path.read_bytes(), 9)) for path in verification.MODULES.glob("*.wasm")]
    assert len(sizes) == len(GAMES)
    assert sum(sizes) <= MOST_BYTES
    nets = [path.stat().st_size for path in verification.MODULES.glob("*.net.*.data")]
    assert len(nets) == len(list(Path(sixfold.__file__).parent.glob("games/*/net-*.npz")))
    assert max(nets) <= MOST_BYTES_OF_A_NET


@built
def test_modules_need_nothing_from_outside() -> None:
    for path in verification.MODULES.glob("*.wasm"):
        # The sections of a module follow its eight first bytes; number 2 lists what it imports.
        assert 2 not in sections(path.read_bytes())


def sections(code: bytes) -> Iterator[int]:
    at = 8
    while at < len(code):
        kind, size, shift = code[at], 0, 0
        at += 1
        while True:
            byte = code[at]
            size |= (byte & 127) << shift
            at, shift = at + 1, shift + 7
            if byte < 128:
                break
        yield kind
        at += size


@pytest.mark.parametrize("game", GAMES)
def test_the_table_of_moves_spells_every_move(game: str) -> None:
    texts = move_texts(GAMES[game])
    table = json.loads(json.dumps(blocks(texts)))
    assert [text for block in table for text in spelled(block)] == list(texts)
    assert len(json.dumps(table)) < 4000


def spelled(block: object) -> list[str | None]:
    if isinstance(block, list):
        return block
    assert isinstance(block, dict)
    inner = block["inner"]
    missing = {first + more for first, many in block["not"] for more in range(many)}
    found: list[str | None] = []
    for number in range(inner * block["outer"]):
        words = [
            word
            if isinstance(word, str)
            else word["outer"][number // inner]
            if "outer" in word
            else word["inner"][number % inner]
            for word in block["words"]
        ]
        found.append(None if number in missing else " ".join(words))
    return found


def test_a_build_without_the_linker_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(wasm.importlib.util, "find_spec", lambda name: None)
    result = CliRunner().invoke(app, ["wasm", str(tmp_path)])
    assert isinstance(result.exception, SetupError)
    assert "pip install 'sixfold[wasm]'" in str(result.exception)
    assert not list(tmp_path.iterdir())


def test_without_node_or_modules_the_check_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="make pages"):
        verification.ask_node(tmp_path, [])
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(SetupError, match="needs Node"):
        verification.ask_node(tmp_path, [])


def test_a_buffer_of_bytes_becomes_a_variable_with_its_content() -> None:
    buffer = wasm.Buffer("numbers", np.dtype(np.int16), (2,), np.array([1, -1], np.int16).tobytes())
    assert wasm._variable(buffer) == '@numbers = global [4 x i8] c"\\01\\00\\FF\\FF", align 16'
