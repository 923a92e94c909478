"""A record on the screen, step by step, with everything open, and its review."""

from collections.abc import Mapping
from contextlib import suppress
from itertools import accumulate
from typing import TYPE_CHECKING, Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static
from textual.worker import Worker, get_current_worker

from sixfold.language import LANGUAGES, say
from sixfold.review import review
from sixfold.review.shapes import Review, Step
from sixfold.review.solution import values_of
from sixfold.system import all_cores
from sixfold.table import replay
from sixfold.terminal import reviewed, rules, scenes, telling
from sixfold.terminal.dialogs import Reading
from sixfold.terminal.game_screen import GameScreen
from sixfold.terminal.keys import Key, Keys
from sixfold.terminal.picture import Picture

if TYPE_CHECKING:
    from sixfold.terminal.app import Sixfold

SECONDS = 1.0
KEYS = (
    Key("←", "back", "key_back"),
    Key("→", "on", "key_step"),
    Key("Space", "run", "key_run"),
    Key("v", "review", "key_review"),
    Key("r", "rules", "key_rules"),
    Key("l", "language", "key_language"),
    Key("q", "quit", "key_quit"),
    # These do not fit on a narrow screen.
    Key("Home", "to_begin", "key_begin"),
    Key("End", "to_end", "key_end"),
)


class Judged(Message):
    """Another step was judged, or all of them."""

    def __init__(self, found: Step | Review) -> None:
        super().__init__()
        self.found = found


class Stopped(Exception):
    """The screen was left."""


class ReplayScreen(GameScreen):
    """A game that was played."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,down,n,enter", "on", show=False, priority=True),
        Binding("left,up,p,backspace", "back", show=False, priority=True),
        Binding("home", "to_begin", show=False, priority=True),
        Binding("end", "to_end", show=False, priority=True),
        Binding("space", "run", show=False, priority=True),
        Binding("v", "review", show=False),
        Binding("r", "rules", show=False),
        Binding("l", "language", show=False),
        Binding("q,escape", "quit", show=False),
    ]
    app: "Sixfold"

    def __init__(self, record: Mapping[str, Any]) -> None:
        super().__init__()
        self._record = record
        self._steps = replay.steps(record)
        # The number of each step's first event, counted from 1.
        self._numbers = list(accumulate((len(step["events"]) for step in self._steps), initial=1))
        self._at = 0
        self._timer: Timer | None = None
        self._judged: dict[int, Step] = {}  # by the number of the event
        self._review: Review | None = None
        self._reviewing: Worker[None] | None = None

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield Keys()

    def on_mount(self) -> None:
        self._draw()

    @property
    def _names(self) -> list[str]:
        named = self._record.get("names")
        language = self.app.language
        return named or [say("player", language, number=player) for player in range(self._record["players"])]

    def _draw(self) -> None:
        language, steps = self.app.language, self._steps
        number = say("replay_step", language, number=self._at, steps=len(steps) - 1)
        title = scenes.title(self._record["game"], language)
        progress = self._progress()
        self.query_one("#title", Static).update(f"Sixfold · {title} · {number}{progress}")
        step = steps[self._at]
        lines = scenes.drawn(
            step["position"], names=self._names, reach=step["reach"], language=language, last=step["events"]
        )
        self.query_one(Picture).show(lines)
        told = [line for before in range(self._at + 1) for line in self._lines(before)]
        self.query_one("#told", Static).update("\n".join([*told, *self._looked_back()]))
        self.query_one("#prompt", Static).update(self._prompt(step))
        self.query_one(Keys).show(KEYS, language)
        self.query_one("#log", VerticalScroll).scroll_end(animate=False)

    def _lines(self, at: int) -> list[str]:
        step, number = self._steps[at], self._numbers[at]
        lines = [telling.line(event, self._names, (), self.app.language) for event in step["events"]]
        if any(step["gained"]):
            lines[0] += f" ({telling.gains(step['gained'], self.app.language)})"
        return [line + reviewed.sign(self._judged.get(number + at)) for at, line in enumerate(lines)]

    def _looked_back(self) -> list[str]:
        """What the review says about the step on the screen: every draw of it, and the decision with its candidates."""
        first = self._numbers[self._at]
        events = range(first, first + len(self._steps[self._at]["events"]))
        steps = [self._judged[number] for number in events if number in self._judged]
        return [line for step in steps for line in reviewed.told(step, self.app.language)]

    def _progress(self) -> str:
        if self._reviewing is None or self._review is not None:
            return ""
        total = len(self._record["events"])
        return " · " + say("review_progress", self.app.language, done=len(self._judged), total=total)

    def _prompt(self, step: Mapping[str, Any]) -> str:
        result = self._record.get("result")
        if step is self._steps[-1] and result is not None:
            best = [self._names[player] for player, place in enumerate(result["places"]) if place == 1]
            shared = say("share_win", self.app.language, names=", ".join(best))
            return shared if len(best) > 1 else say("wins", self.app.language, name=best[0])
        if step["player"] is None:
            return say("replay_deal", self.app.language)
        judged = self._judged.get(self._numbers[self._at])
        line = self._lines(self._at)[0]
        return line if judged is None else f"{line} · {reviewed.verdict(judged, self.app.language)}"

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
        """Run on by itself, or stop."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        else:
            self._timer = self.set_interval(SECONDS, self._run_on)

    def _run_on(self) -> None:
        if self._at == len(self._steps) - 1:
            self.action_run()
        else:
            self.action_on()

    def action_review(self) -> None:
        """Have the game reviewed; once that is done, show the sums."""
        if self._reviewing is None:
            self._reviewing = self._work()
            self._draw()
        elif self._review is not None:
            language = self.app.language
            text = "\n".join(reviewed.sums(self._review, self._names, language))
            self.app.push_screen(Reading(text, say("key_close", language)))

    @work(thread=True)
    def _work(self) -> None:
        """On all cores beside the screen, which hears of every step; nobody waits for it in the end."""
        worker = get_current_worker()

        def tell(done: int, total: int, step: Step) -> None:
            if worker.is_cancelled:
                raise Stopped
            self.post_message(Judged(step))

        with suppress(Stopped):
            found = review(dict(self._record), threads=all_cores(), values=values_of(self._record), tell=tell)
            self.post_message(Judged(found))

    def on_judged(self, message: Judged) -> None:
        if isinstance(message.found, Review):
            self._review = message.found
        else:
            self._judged[message.found.number] = message.found
        self._draw()

    def action_rules(self) -> None:
        text = rules.text(self._record["game"], self.app.language)
        self.app.push_screen(Reading(text, say("key_close", self.app.language)))

    def action_language(self) -> None:
        at = LANGUAGES.index(self.app.language)
        self.app.language = LANGUAGES[(at + 1) % len(LANGUAGES)]
        self._draw()

    def action_quit(self) -> None:
        self.app.exit()
