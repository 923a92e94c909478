"""The start menu: game, players, options and language."""

from dataclasses import dataclass, field
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from sixfold.bots.levels import LEVELS
from sixfold.games import packages
from sixfold.games.contract import Span, Value
from sixfold.games.shared.terminal import SHAPES, Line, half
from sixfold.language import LANGUAGES, say, sentences
from sixfold.terminal import scene_builder
from sixfold.terminal.board_view import BoardView
from sixfold.terminal.game_screen import CommonScreen
from sixfold.terminal.keys import LANGUAGE, QUIT, RULES, Key, Keys
from sixfold.terminal.local_table import PERSON

LANGUAGE_NAMES = {"en": "English", "de": "Deutsch", "nl": "Nederlands"}
START = "start"
DEFAULT_LEVEL = "level2"
LABEL_WIDTH = 12
KEYS = (Key("Enter", "choose", "menu_start"), RULES, LANGUAGE, QUIT)


def with_bots(level: str) -> list[str]:
    """One person, and bots of a level at all other seats that any game can have."""
    most = max(max(package.facts.PLAYERS) for package in packages().values())
    return [PERSON, *[level] * (most - 1)]


def level_names(game: str, language: str) -> dict[str, str]:
    """The names of the levels that can be chosen; a game without levels of its own has one, which plays at random."""
    if not packages()[game].has_levels:
        return {DEFAULT_LEVEL: say("plays_at_random", language)}
    return {f"level{number}": say(f"level_{number}", language) for number in LEVELS}


@dataclass
class GameChoices:
    """The choices made in the menu so far."""

    game: str
    players: int = 2
    who: list[str] = field(default_factory=lambda: with_bots(DEFAULT_LEVEL))  # by seat
    rounds: int = 0  # 0 means the game's default
    options: dict[str, Value] = field(default_factory=dict)

    def choose(self, pick: str) -> None:
        """Apply a choice, given as the menu encodes it."""
        field_name, _, value = pick.partition(" ")
        if field_name == "game":
            self.game, self.options, self.rounds = value, {}, 0
            allowed = packages()[value].facts.PLAYERS
            self.players = self.players if self.players in allowed else allowed[0]
        elif field_name == "players":
            self.players, self.rounds = int(value), 0
        elif field_name == "seat":
            seat, occupant = value.split(" ")
            self.who[int(seat)] = occupant
        elif field_name == "rounds":
            self.rounds = int(value)
        elif field_name == "option":
            name, number = value.split(" ")
            self.options[name] = packages()[self.game].facts.OPTIONS[name].choices[int(number)]


class Menu(CommonScreen):
    """One line per setting; the current choice is in brackets."""

    CSS = """
    Menu { align: center top; }
    Menu #title { height: 1; background: $panel; text-style: bold; padding: 0 1; dock: top; }
    Menu BoardView { margin: 1 2; }
    Menu #help { padding: 0 2; color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "quit", show=False),
    ]

    def __init__(self, choices: GameChoices) -> None:
        super().__init__()
        self.choices = choices

    def compose(self) -> ComposeResult:
        yield Static("", id="title", markup=False)
        yield BoardView()
        yield Static("", id="help", markup=False)
        yield Keys()

    def on_mount(self) -> None:
        self._draw()
        self.query_one(BoardView).focus()

    def _draw(self) -> None:
        language = self.app.language
        lines = self._lines(language)
        self.query_one(BoardView).show(lines, {span.pick for line in lines for span in line if span.pick}, {START})
        self.query_one("#title", Static).update(f"Sixfold  {' '.join(SHAPES.values())}")
        self.query_one("#help", Static).update(say("menu_help", language))
        self.query_one(Keys).show(KEYS, language)

    def _lines(self, language: str) -> list[Line]:
        choices = self.choices
        facts = packages()[choices.game].facts
        lines: list[Line] = [[span for letter in SHAPES for span in (*half(letter), Span(" "))], []]
        games = {f"game {name}": scene_builder.title(name, language) for name in packages()}
        lines.append(_row(say("menu_game", language), games, f"game {choices.game}"))
        if len(facts.PLAYERS) > 1:
            numbers = {f"players {number}": str(number) for number in facts.PLAYERS}
            lines.append(_row(say("menu_players", language), numbers, f"players {choices.players}"))
        for seat in range(choices.players):
            occupants = {f"seat {seat} {PERSON}": say("person", language)}
            occupants |= {f"seat {seat} {level}": name for level, name in level_names(choices.game, language).items()}
            lines.append(
                _row(say("seat_number", language, number=seat + 1), occupants, f"seat {seat} {choices.who[seat]}")
            )
        if facts.ROUNDS:
            chosen = choices.rounds or facts.ROUNDS[choices.players]
            rounds = {f"rounds {number}": str(number) for number in range(1, 6)}
            lines.append(_row(say("menu_rounds", language), rounds, f"rounds {chosen}"))
        lines += self._options(language)
        languages = {f"language {code}": LANGUAGE_NAMES[code] for code in LANGUAGES}
        lines.append(_row(say("menu_language", language), languages, f"language {language}"))
        return [*lines, [], [Span(" " * LABEL_WIDTH), Span(f"[ {say('menu_start', language)} ]", "strong", START)]]

    def _options(self, language: str) -> list[Line]:
        lines = []
        for name, option in packages()[self.choices.game].facts.OPTIONS.items():
            value = self.choices.options.get(name, option.default)
            words = {False: say("off", language), True: say("on", language)}
            choices = {
                f"option {name} {number}": words[choice] if isinstance(choice, bool) else choice
                for number, choice in enumerate(option.choices)
            }
            key = f"option_{name}"
            label = say(key, language) if key in sentences(language) else name
            lines.append(_row(label, choices, f"option {name} {option.choices.index(value)}"))
        return lines

    def on_board_view_picked(self, message: BoardView.Picked) -> None:
        pick = message.pick
        if pick is None:
            return
        if pick == START:
            self._start()
            return
        if pick.startswith("language "):
            self.app.language = pick.partition(" ")[2]
        self.choices.choose(pick)
        self._draw()

    def _start(self) -> None:
        if PERSON in self.choices.who[: self.choices.players]:
            self.app.sit_down(self.choices)
        else:
            self.query_one("#help", Static).update(say("menu_person", self.app.language))

    def action_choose(self) -> None:
        self.query_one(BoardView).action_choose()

    @property
    def shown_game(self) -> str:
        return self.choices.game


def _row(label: str, choices: dict[str, str], chosen: str) -> Line:
    """A label and its choices; the current one is in brackets."""
    line: Line = [Span(f"{label:<{LABEL_WIDTH}}", "faint")]
    for pick, text in choices.items():
        label_text = f"[{text}]" if pick == chosen else f" {text} "
        line += [Span(label_text, "strong" if pick == chosen else "", pick), Span(" ")]
    return line
