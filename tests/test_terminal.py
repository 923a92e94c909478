"""The full-screen table, driven by keys and clicks as a player would, at 80 columns and 24 lines."""

import asyncio
import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.geometry import Region
from textual.pilot import Pilot
from textual.widgets import Input, Static

from sixfold import Seeded, start
from sixfold.engine import record
from sixfold.games import packages
from sixfold.language import LANGUAGES, say
from sixfold.review import review
from sixfold.review.model import Decision
from sixfold.review.solution import values_of
from sixfold.review.text import SIGNS
from sixfold.terminal import review_text, rules
from sixfold.terminal.app import Sixfold
from sixfold.terminal.board_view import BoardView, Spot
from sixfold.terminal.dialogs import ConfirmDialog, Curtain, TextDialog
from sixfold.terminal.launch import make_local_table
from sixfold.terminal.local_table import LocalTable
from sixfold.terminal.menu import GameChoices, Menu
from sixfold.terminal.replay_screen import KEYS as REPLAY_KEYS
from sixfold.terminal.replay_screen import ReplayScreen
from sixfold.terminal.table_screen import PLAY, TableScreen
from tests.waiting import until

SIZE = (80, 24)
PEOPLE = ["person"] * 4
WAIT = 60


class Seen:
    """The screen as a player sees it."""

    def __init__(self, app: Sixfold, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def board(self) -> BoardView:
        return self.app.screen.query_one(BoardView)

    @property
    def client(self) -> LocalTable:
        assert isinstance(self.app.client, LocalTable)
        return self.app.client

    def line(self, name: str) -> str:
        return str(self.app.screen.query_one(f"#{name}", Static).render())

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def click(self, pick: str) -> None:
        """Click where something can be picked."""
        spot: Spot = next(spot for spot in self.board.spots if spot.pick == pick)
        await self.pilot.click(BoardView, offset=(spot.begin + 1, spot.row))
        await self.pilot.pause()

    async def until(self, holds: Callable[[], bool]) -> None:
        await until(holds)
        await self.pilot.pause()


@asynccontextmanager
async def opened(begin: Callable[[Sixfold], object], language: str = "en", seed: int = 3) -> AsyncIterator[Seen]:
    app = Sixfold(begin, language, partial(make_local_table, seed=seed, first=0, pace=0))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        yield Seen(app, pilot)


@asynccontextmanager
async def at_table(
    game: str, players: int = 2, who: list[str] = PEOPLE, language: str = "en", **options: Any
) -> AsyncIterator[Seen]:
    """A table of people, or of a person and bots, on the screen."""
    choices = GameChoices(game, players, list(who), 1 if packages()[game].facts.ROUNDS else 0, options)
    async with opened(lambda app: app.sit_down(choices), language) as seen:
        await seen.until(lambda: isinstance(seen.app.screen, TableScreen | Curtain))
        yield seen


def run(work: Awaitable[None]) -> None:
    async def whole() -> None:
        await work

    asyncio.run(whole())


def test_the_menu_leads_to_a_table() -> None:
    async def work() -> None:
        choices = GameChoices("travel")
        async with opened(lambda app: app.show_menu(choices)) as seen:
            assert isinstance(seen.app.screen, Menu)
            for pick in ("game dice", "players 3", "seat 1 level1", "seat 2 person", "option split_jokers 1"):
                await seen.click(pick)
            await seen.press("l")
            assert say("menu_start", "de") in seen.board.text
            assert f"[{say('title_dice', 'de')}]" in seen.board.text
            await seen.click("start")
            await seen.until(lambda: isinstance(seen.app.screen, TableScreen))
            table = seen.client.table
            assert (table.setup.game, table.setup.players) == ("dice", 3)
            assert table.setup.options["split_jokers"] is True
            assert [seat.level or seat.kind for seat in table.seats] == ["person", "level1", "person"]

    run(work())


def test_a_table_needs_a_person() -> None:
    async def work() -> None:
        async with opened(lambda app: app.show_menu(GameChoices("dice"))) as seen:
            await seen.click("seat 0 level3")
            await seen.click("start")
            assert isinstance(seen.app.screen, Menu)
            assert seen.line("help") == say("menu_person")

    run(work())


def test_the_menu_is_for_keys_too() -> None:
    async def work() -> None:
        choices = GameChoices("travel")
        async with opened(lambda app: app.show_menu(choices)) as seen:
            # From the button at the bottom up through the rows to the games, one to the right, and back down.
            while not (seen.board.cursor or "").startswith("game "):
                await seen.press("up")
            await seen.press("left", "left", "left", "right", "enter")
            assert choices.game == list(packages())[1]
            await seen.press("q")
        assert not seen.app.is_running

    run(work())


@pytest.mark.parametrize("game", list(packages()))
def test_everything_fits_on_a_small_screen(game: str) -> None:
    async def work() -> None:
        most = packages()[game].facts.PLAYERS[-1]
        async with at_table(game, most, ["person", "level1", "level1", "level1"], "de") as seen:
            await seen.press("enter")
            whole = Region(0, 0, *SIZE)
            screen = seen.app.screen
            for widget in screen.query("#title, #prompt, #detail, #log, Keys, BoardView"):
                assert whole.contains_region(widget.region), widget
                assert widget.region.height > 0
            assert screen.query_one("#log").region.height >= 3
            assert screen.query_one("#log").region.y >= seen.board.region.bottom

    run(work())


def test_a_tile_is_laid_with_the_mouse() -> None:
    async def work() -> None:
        async with at_table("travel", who=["person", "level1"]) as seen:
            await seen.click("RG")
            assert "⟨" in seen.board.text
            await seen.click("a2")
            await seen.click("a3")
            assert seen.line("detail").startswith("place RG a2 a3: red +1")
            await seen.click(PLAY)
            assert seen.client.table.records == []
            events = seen.client.table.game.events if seen.client.table.game else []
            assert "0 place RG a2 a3" in events
            assert "You lay RG a2 a3 (red +1)" in seen.line("events")

    run(work())


def test_a_card_is_played_with_keys_and_taken_back() -> None:
    async def work() -> None:
        async with at_table("cards", who=["person", "level1"]) as seen:
            before = seen.board.text
            await seen.press("right", "left", "enter")
            await seen.press("escape")
            assert seen.board.text.count("⟨") == 0
            await seen.press("enter", "enter")
            await seen.until(lambda: seen.client.table.turn == 0 and seen.client.table.version > 3)
            assert seen.board.text != before
            await seen.press("u")
            assert seen.board.text.splitlines()[1:] == before.splitlines()[1:]
            assert "take" in seen.line("events").splitlines()[-1]

    run(work())


def test_dice_become_a_joker_row_by_row() -> None:
    async def work() -> None:
        async with at_table("dice") as seen:
            assert "[ 2×✶B as a joker ]" in seen.board.text
            await seen.click("B2")
            await seen.click(">P")
            assert "▣" in seen.board.text
            await seen.click("score")
            assert "scores with the joker B2>P (yellow +1, purple +1)" in seen.line("events")

    run(work())


def test_a_hint_is_picked_but_not_played() -> None:
    async def work() -> None:
        async with at_table("cards") as seen:
            await seen.press("enter")
            version = seen.client.table.version
            await seen.press("h")
            await seen.until(lambda: "because" in seen.line("detail"))
            assert seen.client.table.version == version
            assert seen.board.cursor == PLAY

    run(work())


def test_rules_help_and_languages() -> None:
    async def work() -> None:
        async with at_table("dice") as seen:
            for language in LANGUAGES:
                assert seen.app.language == language
                assert say("title_dice", language) in seen.line("title")
                await seen.press("l")
            await seen.press("r")
            assert isinstance(seen.app.screen, TextDialog)
            assert str(seen.app.screen.query_one(Static).render()) == rules.text("dice", "en")
            await seen.press("escape", "question_mark")
            shown = str(seen.app.screen.query_one(Static).render())
            assert say("key_resign") in shown
            assert say("help_dice") in shown
            await seen.press("escape")

    run(work())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_to_read_have_every_clause(language: str) -> None:
    for game, clauses in (("travel", 20), ("cards", 18), ("dice", 15)):
        numbers = [number for _, section in rules.sections(game, language) for number in section]
        assert numbers == [f"{game[0].upper()}{number}" for number in range(1, clauses + 1)]
        assert all(f"{number}  " in rules.text(game, language) for number in numbers)


def test_a_curtain_hides_each_hand_from_the_other() -> None:
    async def work() -> None:
        async with at_table("cards") as seen:
            assert isinstance(seen.app.screen, Curtain)
            table = seen.app.screen_stack[-2]
            assert table.query_one(BoardView).text == ""
            await seen.press("enter")
            assert isinstance(seen.app.screen, TableScreen)
            first = seen.board.text
            await seen.press("enter", "enter")
            if seen.client.table.turn == 0:
                await seen.press("enter")
            assert isinstance(seen.app.screen, Curtain)
            assert table.query_one(BoardView).text == ""
            await seen.press("enter")
            assert seen.board.text.splitlines()[9] != first.splitlines()[9]

    run(work())


def test_a_move_can_be_typed_and_a_wrong_one_is_explained() -> None:
    async def work() -> None:
        async with at_table("travel", who=["person", "level1"]) as seen:
            await seen.press("m", *"rg d4 d5".replace(" ", "§"))
            seen.app.screen.query_one(Input).value = "place RG d4 d5"
            await seen.press("enter")
            assert "(T6)" in seen.line("detail")
            await seen.press("m", "escape")
            assert not seen.app.screen.query_one(Input).display
            await seen.press("m")
            seen.app.screen.query_one(Input).value = "rg a2 a3"
            await seen.press("enter")
            assert "You lay RG a2 a3" in seen.line("events")

    run(work())


def test_leaving_and_resigning_ask_first() -> None:
    async def work() -> None:
        async with at_table("dice", who=["person", "level1"]) as seen:
            await seen.press("q")
            assert isinstance(seen.app.screen, ConfirmDialog)
            await seen.press("n")
            assert isinstance(seen.app.screen, TableScreen)
            await seen.press("x", "y")
            await seen.until(lambda: seen.client.table.stage == "over")
            assert "wins" in seen.line("prompt")
            assert say("rematch") in seen.line("prompt")
            await seen.press("enter")
            await seen.until(lambda: seen.client.table.stage == "playing")

    run(work())


def test_a_series_goes_on_to_the_next_round(tmp_path: Path) -> None:
    async def work() -> None:
        choices = GameChoices("dice", 2, list(PEOPLE), 2)
        async with opened(lambda app: app.sit_down(choices)) as seen:
            await seen.until(lambda: isinstance(seen.app.screen, TableScreen))
            while seen.client.table.stage == "playing":
                seen.client.play("score")
            await seen.client.act("react", reaction="well_played")
            assert say("next_round") in seen.line("prompt")
            assert "1. Player" in seen.line("events")
            assert "Points so far" in seen.line("events")
            await seen.press("enter")
            assert seen.client.table.rounds_begun == 2
            assert "round 2 of 2" in seen.line("title")
            seen.client.write_records(tmp_path / "mine.sixfold.jsonl")

    run(work())
    whole, begun = ((tmp_path / "mine.sixfold.jsonl").read_text(encoding="utf-8")).splitlines()
    assert record.replay(json.loads(whole)).game.over
    assert not record.replay(json.loads(begun)).game.over


def test_a_record_is_gone_through_step_by_step() -> None:
    game = start("dice", 2, chance=Seeded(5))
    while game.turn is not None:
        game.play("score")
    told = record.of(game, names=["Anne", "Carl"])

    async def work() -> None:
        async with opened(lambda app: app.push_screen(ReplayScreen(told))) as seen:
            assert say("replay_deal") in seen.line("prompt")
            await seen.press("right")
            assert "Anne scores" in seen.line("prompt")
            await seen.press("left", "end")
            assert "wins" in seen.line("prompt")
            for line in seen.board.text.splitlines()[3:9]:
                assert "7" in line
            await seen.press("home", "l", "space")
            await seen.until(lambda: "wertet" in seen.line("prompt"))
            await seen.press("q")

    run(work())


def begun_record() -> dict[str, Any]:
    """Some turns of a game, not all of them good."""
    game = start("dice", 2, chance=Seeded(5))
    for _ in range(6):
        game.play("score")
    return record.of(game, names=["Anne", "Carl"])


def test_a_record_is_reviewed_beside_the_screen() -> None:
    told = begun_record()
    found = review(told, values=values_of(told))
    decisions = [step for step in found.steps if isinstance(step, Decision)]
    second = decisions[1]

    async def work() -> None:
        async with opened(lambda app: app.push_screen(ReplayScreen(told))) as seen:
            assert "·" not in seen.line("prompt")
            await seen.press("v", "right", "right")
            await seen.until(lambda: review_text.verdict(second, "en") in seen.line("prompt"))
            log = seen.line("events")
            for one in second.candidates[: review_text.MAX_CANDIDATES]:
                assert f"{one.chance:.1f}  {one.move}" in log
            await seen.until(lambda: say("review_progress", total="", done="")[:6] not in seen.line("title"))
            await seen.press("end")
            signs = tuple(f" {sign}" for sign in SIGNS.values())
            marked = [line for line in seen.line("events").splitlines() if line.endswith(signs)]
            assert len(marked) == sum(step.mark is not None for step in decisions) > 0
            await seen.press("v")
            text = str(seen.app.screen.query_one(Static).render())
            for account, name in zip(found.accounts, ("Anne", "Carl"), strict=True):
                marks = {mark: str(times) for mark, times in account.marks.items()}
                assert say("review_counts", name=name, **marks) in text
                assert f"{account.lost:.1f}" in text
            await seen.press("escape", "l")
            assert review_text.verdict(decisions[-1], "de") in seen.line("events")
            await seen.press("q")

    run(work())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_keys_of_a_record_fit_on_a_narrow_screen(language: str) -> None:
    shown = [f"{key.shown} {say(key.label, language)}" for key in REPLAY_KEYS]
    until_quit = shown[: [key.action for key in REPLAY_KEYS].index("quit") + 1]
    assert len("  ".join(until_quit)) <= 80


def test_the_real_program_reviews_a_record(tmp_path: Path) -> None:
    """Somebody has it reviewed, reads what it says, and leaves before it is done or after."""
    file = tmp_path / "game.sixfold.jsonl"
    file.write_text(json.dumps(begun_record()) + "\n", encoding="utf-8")
    process, terminal = pty.fork()
    if process == 0:
        os.environ |= {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
        os.execv(sys.executable, [sys.executable, "-m", "sixfold", "show", str(file), "--language", "nl"])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    shown = _read_until(terminal, say("replay_deal", "nl"))
    os.write(terminal, b"v")
    shown += _read_until(terminal, say("review_luck", "nl", luck="")[:7])
    os.write(terminal, b"q")
    _, status = os.waitpid(process, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert "Traceback" not in shown


def test_the_real_program_in_a_real_terminal(tmp_path: Path) -> None:
    out = tmp_path / "left.sixfold.jsonl"
    command = [sys.executable, "-m", "sixfold", "play", "dice", "--seed", "1", "--language", "nl", "--out", str(out)]
    process, terminal = pty.fork()
    if process == 0:
        os.environ |= {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
        os.execv(sys.executable, command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    shown = _read_until(terminal, say("pick_score", "nl"))
    os.write(terminal, b"q")
    shown += _read_until(terminal, say("sure_leave", "nl")[:10])
    os.write(terminal, b"j")
    _read_until(terminal, str(out.name))
    _, status = os.waitpid(process, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert "Traceback" not in shown
    assert json.loads(out.read_text(encoding="utf-8"))["result"] is None


def _read_until(terminal: int, text: str) -> str:
    shown = b""
    while text.encode() not in shown:
        ready, _, _ = select.select([terminal], [], [], WAIT)
        assert ready, shown[-2000:]
        try:
            shown += os.read(terminal, 65536)
        except OSError:
            break
    assert text.encode() in shown, shown[-2000:]
    return shown.decode(errors="replace")


def test_a_board_that_is_larger_than_the_window_scrolls_with_the_cursor() -> None:
    async def work() -> None:
        async with at_table("travel", who=["person", "level1"]) as seen:
            await seen.until(lambda: isinstance(seen.app.screen, TableScreen) and bool(seen.board.spots))
            await seen.pilot.resize_terminal(60, 14)
            await seen.pilot.pause()
            window = seen.app.screen.query_one("#board")
            assert window.size.height < seen.board.size.height
            for _ in seen.board.spots:
                await seen.pilot.press("tab")
                (spot, *_) = [spot for spot in seen.board.spots if spot.pick == seen.board.cursor]
                assert 0 <= spot.row - window.scroll_offset.y < window.size.height

    run(work())
