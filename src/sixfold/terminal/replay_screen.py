"""A record on the screen, step by step, with everything open."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.timer import Timer
from textual.widgets import Static

from sixfold.language import LANGUAGES, say
from sixfold.table import replay
from sixfold.terminal import rules, scenes, telling
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
    Key("Home", "to_begin", "key_begin"),
    Key("End", "to_end", "key_end"),
    Key("Space", "run", "key_run"),
    Key("r", "rules", "key_rules"),
    Key("l", "language", "key_language"),
    Key("q", "quit", "key_quit"),
)


class ReplayScreen(GameScreen):
    """A game that was played."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,down,n,enter", "on", show=False, priority=True),
        Binding("left,up,p,backspace", "back", show=False, priority=True),
        Binding("home", "to_begin", show=False, priority=True),
        Binding("end", "to_end", show=False, priority=True),
        Binding("space", "run", show=False, priority=True),
        Binding("r", "rules", show=False),
        Binding("l", "language", show=False),
        Binding("q,escape", "quit", show=False),
    ]
    app: "Sixfold"

    def __init__(self, record: Mapping[str, Any]) -> None:
        super().__init__()
        self._record = record
        self._steps = replay.steps(record)
        self._at = 0
        self._timer: Timer | None = None

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
        self.query_one("#title", Static).update(f"Sixfold · {title} · {number}")
        step = steps[self._at]
        lines = scenes.drawn(
            step["position"], names=self._names, reach=step["reach"], language=language, last=step["events"]
        )
        self.query_one(Picture).show(lines)
        told = [line for before in steps[: self._at + 1] for line in self._lines(before)]
        self.query_one("#told", Static).update("\n".join(told))
        self.query_one("#prompt", Static).update(self._prompt(step))
        self.query_one(Keys).show(KEYS, language)
        self.query_one("#log", VerticalScroll).scroll_end(animate=False)

    def _lines(self, step: Mapping[str, Any]) -> list[str]:
        lines = [telling.line(event, self._names, (), self.app.language) for event in step["events"]]
        if any(step["gained"]):
            lines[0] += f" ({telling.gains(step['gained'], self.app.language)})"
        return lines

    def _prompt(self, step: Mapping[str, Any]) -> str:
        result = self._record.get("result")
        if step is self._steps[-1] and result is not None:
            best = [self._names[player] for player, place in enumerate(result["places"]) if place == 1]
            shared = say("share_win", self.app.language, names=", ".join(best))
            return shared if len(best) > 1 else say("wins", self.app.language, name=best[0])
        return say("replay_deal", self.app.language) if step["player"] is None else self._lines(step)[0]

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

    def action_rules(self) -> None:
        text = rules.text(self._record["game"], self.app.language)
        self.app.push_screen(Reading(text, say("key_close", self.app.language)))

    def action_language(self) -> None:
        at = LANGUAGES.index(self.app.language)
        self.app.language = LANGUAGES[(at + 1) % len(LANGUAGES)]
        self._draw()

    def action_quit(self) -> None:
        self.app.exit()
