"""The command line as people use it: what it prints, what it writes, and what it says to wrong input."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sixfold import GAMES, Seeded, __version__, start
from sixfold.cli import main
from sixfold.engine import record

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in this process: exit code, output, messages. Typed lines are what a player would type."""

    def command(*words: object, typed: str = "") -> tuple[int, str, str]:
        lines = iter(typed.splitlines())

        def line(prompt: str = "") -> str:
            print(prompt, end="")
            try:
                return next(lines)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", line)
        monkeypatch.setattr("sys.argv", ["sixfold", *(str(word) for word in words)])
        monkeypatch.setenv("LANG", "C")
        with pytest.raises(SystemExit) as end:
            main()
        out, messages = capsys.readouterr()
        return int(end.value.code or 0), out, messages

    return command


@pytest.fixture
def records(tmp_path: Path, run: Run) -> Path:
    path = tmp_path / "games.sixfold.jsonl"
    assert run("simulate", "cards", "--players", 3, "--games", 5, "--seed", 2, "--legal", "--out", path)[0] == 0
    return path


def test_simulate_sums_up_random_play(run: Run) -> None:
    code, out, _ = run("simulate", "dice", "--players", 4, "--games", 300, "--seed", 5)
    assert code == 0
    assert "300" in out
    assert "player 3 wins" in out
    assert "lowest value" in out


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_gives_the_same_file(name: str, run: Run, tmp_path: Path) -> None:
    first, second, other = (tmp_path / f"{letter}.sixfold.jsonl" for letter in "abc")
    for path, seed in ((first, 7), (second, 7), (other, 8)):
        assert run("simulate", name, "--games", 20, "--seed", seed, "--out", path)[0] == 0
    assert first.read_bytes() == second.read_bytes() != other.read_bytes()


def test_simulated_records_are_the_games_that_the_object_plays(records: Path) -> None:
    for number, line in enumerate(records.read_text().splitlines()):
        chance = Seeded(2, number)
        game = start("cards", 3, chance=chance)
        legal = []
        while game.turn is not None:
            moves = game.legal()
            legal.append(len(moves))
            game.play(moves[chance.below(len(moves))])
        assert json.loads(line) == record.of(game, legal=legal)


def test_legal_counts_are_written_only_on_request(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "plain.sixfold.jsonl"
    assert run("simulate", "dice", "--games", 2, "--out", path)[0] == 0
    assert all("legal" not in json.loads(line) for line in path.read_text().splitlines())


def test_check_counts_the_records_that_hold(run: Run, records: Path) -> None:
    assert run("check", records) == (0, "5 of 5 records hold\n", "")


def test_check_names_line_event_reason_and_clause(run: Run, records: Path) -> None:
    lines = records.read_text().splitlines()
    broken = json.loads(lines[3])
    place = next(at for at, event in enumerate(broken["events"]) if event.startswith("1 play"))
    broken["events"][place] = broken["events"][place].replace("1 play", "2 play")
    lines[3] = json.dumps(broken)
    lines[1] = "{"
    records.write_text("\n".join(lines) + "\n")
    code, out, _ = run("check", records)
    assert code == 1
    assert f"{records} line 2: not a JSON object" in out
    assert f"{records} line 4: event {place + 1}: " in out
    assert "it is player 1's turn (record)" in out
    assert "3 of 5 records hold" in out


def test_show_prints_a_readable_game(run: Run, records: Path) -> None:
    code, out, _ = run("show", records, "--game", 4)
    events = json.loads(records.read_text().splitlines()[3])["events"]
    assert code == 0
    assert [line for line in out.splitlines() if line in events] == events
    assert "cards: the game is over" in out
    assert "place 1" in out


def test_play_to_the_end_and_keep_the_record(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.sixfold.jsonl"
    code, out, _ = run("play", "dice", "--seed", 3, "--out", path, typed="nonsense\n?\n" + "score\n" * 400)
    assert code == 0
    assert '"nonsense": this is not a move' in out
    assert "score\n" in out
    assert "1. player" in out
    assert record.replay(json.loads(path.read_text())).game.over


def test_play_hides_what_the_other_draws(run: Run) -> None:
    game = start("travel", chance=Seeded(4))
    code, out, _ = run("play", "travel", "--seed", 4, typed=f"{game.legal()[0]}\nq\n")
    assert code == 0
    mine, other = (event.split(" ", 2)[2] for event in game.events[:2])
    assert f"You are dealt {mine}." in out
    assert other not in out
    assert "player 1 is dealt 6, face down." in out
    assert "player 1 draws 1, face down." in out


def test_play_understands_what_people_type(run: Run) -> None:
    code, out, _ = run("play", "dice", "--seed", 1, typed="SCORE\nre\nplay\nq\n")
    assert code == 0
    assert "You score" in out
    assert "You roll again." in out
    assert '"play": this is not a move' in out


def test_play_says_what_it_needs_the_whole_screen_for(run: Run) -> None:
    assert "passing the keyboard needs the whole screen" in run("play", "dice", "--against", "person")[2]
    assert "open the link in a browser" in run("play", "--join", "http://localhost/#join=x")[2]


@pytest.mark.parametrize(("tongue", "word"), [("en", "your move"), ("de", "dein Zug"), ("nl", "jouw zet")])
def test_play_speaks_three_languages(run: Run, tongue: str, word: str) -> None:
    code, out, _ = run("play", "cards", "--seed", 1, "--language", tongue, typed="q\n")
    assert code == 0
    assert word in out


def test_play_asks_which_game(run: Run) -> None:
    assert "dice: player 0, roll 1 of 3" in run("play", "--seed", 1, typed="dice\nq\n")[1]


def test_many_moves_are_listed_by_their_beginning(run: Run) -> None:
    game = start("travel", chance=Seeded(4))
    tile = game.legal()[0].split()[1]
    _, out, _ = run("play", "travel", "--seed", 4, typed=f"?\n? place {tile}\n? place XX\nq\n")
    assert f"place {tile} … (" in out
    assert f"    {game.legal()[0]}\n" in out
    assert 'no move begins with "place XX"' in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["simulate", "chess"], "there is no game 'chess'; choose one of travel, cards, dice"),
        (["simulate", "travel", "--players", "3"], "travel is for 2 players, not 3"),
        (["simulate", "dice", "--players", "5"], "dice is for 2 or 3 or 4 players, not 5"),
        (["simulate", "dice", "--option", "open_racks=true"], "dice has no option 'open_racks'"),
        (
            ["simulate", "dice", "--option", "split_jokers=maybe"],
            "option split_jokers of dice is true or false, not 'maybe'",
        ),
        (["simulate", "dice", "--games", "0"], "--games has to be at least 1"),
        (["simulate", "dice", "--legal"], "--legal goes with --out"),
        (["simulate", "dice", "--games", "2", "--out", "nowhere/x.sixfold.jsonl"], "nowhere"),
        (["check", "nothing.sixfold.jsonl"], "nothing.sixfold.jsonl: No such file"),
        (["show", "nothing.sixfold.jsonl"], "nothing.sixfold.jsonl: No such file"),
        (["play", "dice", "--seat", "2"], "there is no seat 2; seats are 0 to 1"),
        (["play", "dice", "--against", "grandmother"], "there is no bot 'grandmother'"),
        (["play", "dice", "--language", "fr"], "there is no language 'fr'"),
    ],
)
def test_wrong_input_ends_in_one_clear_line(run: Run, words: list[str], message: str, tmp_path: Path) -> None:
    code, _, messages = run(*words)
    assert code == 2
    assert messages.count("\n") == 1
    assert messages.startswith("sixfold: ")
    assert message in messages
    assert not list(tmp_path.iterdir())


def test_there_is_no_game_beyond_the_last(run: Run, records: Path) -> None:
    assert run("show", records, "--game", 6)[2] == f"sixfold: {records} has 5 games, so there is no game 6\n"


def test_a_file_appears_only_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "half.sixfold.jsonl"

    def stops() -> object:
        yield {"format": "sixfold/1"}
        raise RuntimeError("stopped in the middle")

    with pytest.raises(RuntimeError):
        record.write_lines(path, stops())  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_the_version_is_printed(run: Run) -> None:
    assert run("--version") == (0, f"sixfold {__version__}\n", "")


def test_a_mistyped_command_gets_a_suggestion(run: Run) -> None:
    code, _, messages = run("pley")
    assert code == 2
    assert "Did you mean 'play'?" in messages
