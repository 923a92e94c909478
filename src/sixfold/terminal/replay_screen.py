"""Steps through a record with all hands open, and reviews it."""

from collections.abc import Mapping
from contextlib import suppress
from itertools import accumulate
from typing import Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static
from textual.worker import Worker, get_current_worker

from sixfold.games import GAMES
from sixfold.language import say
from sixfold.review import review
from sixfold.review.model import Review, Step
from sixfold.review.solution import values_of
from sixfold.system import available_cores
from sixfold.table import replay
from sixfold.terminal import log_text, review_text, scene_builder
from sixfold.terminal.board_view import BoardView
from sixfold.terminal.game_screen import GameScreen
from sixfold.terminal.keys import LANGUAGE, QUIT, RULES, Key, Keys

STEP_SECONDS = 1.0
KEYS = (
    Key("←", "back", "key_back"),
    Key("→", "on", "key_step"),
    Key("Space", "run", "key_run"),
    Key("v", "review", "key_review"),
    *(RULES, LANGUAGE, QUIT),
    # These do not fit on a narrow screen.
    Key("Home", "to_begin", "key_begin"),
    Key("End", "to_end", "key_end"),
)


class StepReviewed(Message):
    """A step was reviewed, or the whole review is complete."""

    def __init__(self, outcome: Step | Review) -> None:
        super().__init__()
        self.outcome = outcome


class Stopped(Exception):
    """The screen was closed."""


class ReplayScreen(GameScreen):
    """Shows a recorded game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,down,n,enter", "on", show=False, priority=True),
        Binding("left,up,p,backspace", "back", show=False, priority=True),
        Binding("home", "to_begin", show=False, priority=True),
        Binding("end", "to_end", show=False, priority=True),
        Binding("space", "run", show=False, priority=True),
        Binding("v", "review", show=False),
        Binding("escape", "quit", show=False),
    ]

    def __init__(self, record: Mapping[str, Any]) -> None:
        super().__init__()
        self._record = record
        self._steps = replay.steps(record)
        # The number of each step's first event, counted from 1.
        self._numbers = list(accumulate((len(step["events"]) for step in self._steps), initial=1))
        self._at = 0
        self._timer: Timer | None = None
        self._reviewed_steps: dict[int, Step] = {}  # by the number of the event
        self._review: Review | None = None
        self._review_worker: Worker[None] | None = None

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield Keys()

    def on_mount(self) -> None:
        self._draw()

    @property
    def _names(self) -> list[str]:
        names = self._record.get("names")
        language = self.app.language
        return names or [say("player", language, number=player) for player in range(self._record["players"])]

    def _draw(self) -> None:
        language, steps = self.app.language, self._steps
        number = say("replay_step", language, number=self._at, steps=len(steps) - 1)
        title = scene_builder.title(self._record["game"], language)
        progress = self._progress()
        self.query_one("#title", Static).update(f"Sixfold · {title} · {number}{progress}")
        step = steps[self._at]
        lines = scene_builder.from_position(
            step["position"], names=self._names, reach=step["reach"], language=language, last=step["events"]
        )
        self.query_one(BoardView).show(lines)
        log = [line for step_number in range(self._at + 1) for line in self._event_lines(step_number)]
        self.query_one("#events", Static).update("\n".join([*log, *self._review_lines()]))
        self.query_one("#prompt", Static).update(self._prompt(step))
        self.query_one(Keys).show(KEYS, language)
        self.query_one("#log", VerticalScroll).scroll_end(animate=False)

    def _event_lines(self, at: int) -> list[str]:
        step, number = self._steps[at], self._numbers[at]
        lines = [log_text.event_text(event, self._names, (), self.app.language) for event in step["events"]]
        if any(step["gained"]):
            lines[0] += f" ({log_text.gains_text(GAMES[self._record['game']], step['gained'], self.app.language)})"
        return [
            line + review_text.mark_suffix(self._reviewed_steps.get(number + offset))
            for offset, line in enumerate(lines)
        ]

    def _review_lines(self) -> list[str]:
        """The review of the current step: its draws, and its decision with the candidates."""
        first = self._numbers[self._at]
        events = range(first, first + len(self._steps[self._at]["events"]))
        steps = [self._reviewed_steps[number] for number in events if number in self._reviewed_steps]
        return [line for step in steps for line in review_text.step_lines(step, self.app.language)]

    def _progress(self) -> str:
        if self._review_worker is None or self._review is not None:
            return ""
        total = len(self._record["events"])
        return " · " + say("review_progress", self.app.language, done=len(self._reviewed_steps), total=total)

    def _prompt(self, step: Mapping[str, Any]) -> str:
        result = self._record.get("result")
        if step is self._steps[-1] and result is not None:
            best = [self._names[player] for player, place in enumerate(result["places"]) if place == 1]
            shared = say("share_win", self.app.language, names=", ".join(best))
            return shared if len(best) > 1 else say("wins", self.app.language, name=best[0])
        if step["player"] is None:
            return say("replay_deal", self.app.language)
        reviewed_step = self._reviewed_steps.get(self._numbers[self._at])
        line = self._event_lines(self._at)[0]
        return line if reviewed_step is None else f"{line} · {review_text.verdict(reviewed_step, self.app.language)}"

    def _go_to(self, step: int) -> None:
        self._at = min(max(step, 0), len(self._steps) - 1)
        self._draw()

    def action_on(self) -> None:
        self._go_to(self._at + 1)

    def action_back(self) -> None:
        self._go_to(self._at - 1)

    def action_to_begin(self) -> None:
        self._go_to(0)

    def action_to_end(self) -> None:
        self._go_to(len(self._steps))

    def action_run(self) -> None:
        """Start or stop automatic playback."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        else:
            self._timer = self.set_interval(STEP_SECONDS, self._play_next)

    def _play_next(self) -> None:
        if self._at == len(self._steps) - 1:
            self.action_run()
        else:
            self.action_on()

    def action_review(self) -> None:
        """Start the review; once it is complete, show its summary."""
        if self._review_worker is None:
            self._review_worker = self._run_review()
            self._draw()
        elif self._review is not None:
            language = self.app.language
            self.show_text("\n".join(review_text.summary_lines(self._review, self._names, language)))

    @work(thread=True)
    def _run_review(self) -> None:
        """Review on all cores in the background and report every step; closing the screen cancels it."""
        worker = get_current_worker()

        def report(done: int, total: int, step: Step) -> None:
            if worker.is_cancelled:
                raise Stopped
            self.post_message(StepReviewed(step))

        with suppress(Stopped):
            outcome = review(dict(self._record), threads=available_cores(), values=values_of(self._record), tell=report)
            self.post_message(StepReviewed(outcome))

    def on_step_reviewed(self, message: StepReviewed) -> None:
        if isinstance(message.outcome, Review):
            self._review = message.outcome
        else:
            self._reviewed_steps[message.outcome.number] = message.outcome
        self._draw()

    @property
    def shown_game(self) -> str:
        return str(self._record["game"])
