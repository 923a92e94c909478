"""The table screen: board, log, prompt and actions."""

import time
from collections.abc import Awaitable, Callable
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Key as KeyPressed
from textual.suggester import SuggestFromList
from textual.widgets import Input, Static

from sixfold.engine.game import rules_of
from sixfold.engine.notation import example
from sixfold.games.contract import Span
from sixfold.games.shared.terminal import Line
from sixfold.language import say, sentences
from sixfold.terminal import log_text, scene_builder
from sixfold.terminal.board_view import BoardView
from sixfold.terminal.dialogs import ConfirmDialog, Curtain
from sixfold.terminal.game_screen import GameScreen
from sixfold.terminal.input_match import match_move
from sixfold.terminal.keys import LANGUAGE, QUIT, RULES, Key, Keys
from sixfold.terminal.move_builder import MoveBuilder
from sixfold.terminal.table_client import ClientRefused, TableClient, View

START, ADD_BOT, PLAY = "start", "bot", "play it"
LOBBY_LEVEL = 2
KEYS = (
    Key("h", "hint", "key_hint"),
    Key("u", "undo", "key_undo"),
    Key("m", "type_move", "key_type"),
    *(RULES, LANGUAGE),
    Key("?", "help", "key_help"),
    QUIT,
)
RESIGN = Key("x", "resign", "key_resign")
ANSWERS = (Key("a", "answer('agree')", "key_agree"), Key("d", "answer('decline')", "key_decline"))


class TableScreen(GameScreen):
    """Shows one table, local or remote."""

    CSS = """
    TableScreen #detail { height: 1; padding: 0 1; }
    TableScreen #typed { height: 1; border: none; padding: 0 1; display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hint", show=False),
        Binding("u", "undo", show=False),
        Binding("m,colon", "type_move", show=False),
        Binding("x", "resign", show=False),
        Binding("a", "answer('agree')", show=False),
        Binding("d", "answer('decline')", show=False),
        Binding("question_mark,f1", "help", show=False),
        Binding("escape,backspace", "back", show=False),
    ]

    def __init__(self, client: TableClient) -> None:
        super().__init__()
        self.client = client
        self._builder: MoveBuilder | None = None
        self._decided_on = (-1, -1)  # the version and seat the builder was made for
        self._seat: int | None = None  # the seat whose view is shown
        self._curtain = False
        self._notice = ""  # the reply to the last action

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield Static("", id="detail", markup=False)
        yield Input(id="typed")
        yield Keys()

    def on_mount(self) -> None:
        self.query_one("#log", VerticalScroll).can_focus = False
        self.client.on_change = self._changed
        self.query_one(BoardView).focus()
        self.run_worker(self.client.run(), exclusive=True, group="table")
        self.set_interval(1, self._tick)
        self._changed()

    # The current view

    @property
    def language(self) -> str:
        return self.client.language

    @property
    def view(self) -> View | None:
        """The view to show: of several local seats the one in turn, or the last one that was."""
        views = self.client.views
        if not views:
            return None
        turn = views[0]["turn"]
        seats = [view["seat"] for view in views]
        seat = turn if turn in seats else self._seat if self._seat in seats else seats[0]
        return views[seats.index(seat)]

    def _changed(self) -> None:
        """Update after a change of the table: another seat may be in turn, and the picks may be obsolete."""
        view = self.view
        if view is not None and self.client.is_shared_screen and view["seat"] != self._seat and view["legal"]:
            self._seat = view["seat"]
            self._pull_curtain(view["seats"][view["seat"]]["name"])
        elif view is not None:
            self._seat = view["seat"]
        if view is None or not view["legal"]:
            self._builder = None
        elif self._decided_on != (view["version"], view["seat"]):
            self._builder = MoveBuilder(view)
            self._decided_on = (view["version"], view["seat"])
            self._notice = ""
            self.query_one(BoardView).release_cursor()
        self._draw()

    def _pull_curtain(self, name: str) -> None:
        def lifted(_: None) -> None:
            self._curtain = False
            self._draw()

        self._curtain = True
        text = f"{say('hand_over', self.language, name=name)}\n\n{say('hand_over_press', self.language, name=name)}"
        self.app.push_screen(Curtain(text), lifted)

    # Drawing

    def _draw(self) -> None:
        view = self.view
        board = self.query_one(BoardView)
        keys = list(KEYS)
        if view is None or self._curtain:
            board.show([], ())
            self._set_text("prompt", self.client.status_message)
            self.query_one(Keys).show(keys, self.language)
            return
        if view["position"] is None:
            board.show(self._lobby(view), (START, ADD_BOT))
        else:
            self._draw_game(view, board)
        self._set_text("title", self._heading(view))
        self._set_text("events", "\n".join(self._log_lines(view)))
        self._set_text("prompt", self.client.status_message or self._prompt(view))
        self._set_text("detail", self._notice or self._detail(view))
        self.query_one(Keys).show([*(ANSWERS if self._take_back_asker(view) else ()), *keys], self.language)
        self.query_one("#log", VerticalScroll).scroll_end(animate=False)

    def _draw_game(self, view: View, board: BoardView) -> None:
        builder = self._builder
        if builder is None:
            board.show(scene_builder.from_view(view, None, None, self.language))
            return
        offers: set[str] = {PLAY} if builder.move is not None else set(builder.offers)
        # The drawing depends on the cursor, and the cursor on the spots in the drawing, so draw twice.
        for _ in range(2):
            lines = scene_builder.from_view(view, builder, board.cursor, self.language)
            if builder.move is not None:
                lines.append([Span(f"[ {say('pick_play', self.language, move=builder.move)} ]", "strong", PLAY)])
            board.show(lines, offers | builder.starts, offers)

    def _set_text(self, where: str, text: str) -> None:
        self.query_one(f"#{where}", Static).update(text)

    def _heading(self, view: View) -> str:
        setup = view["setup"]
        rounds = setup["rounds"]
        parts = ["Sixfold", scene_builder.title(setup["game"], self.language)]
        if rounds > 1 and view["round"]:
            parts.append(say("round_of", self.language, number=view["round"], rounds=rounds))
        if view["due"] is not None and setup["clock"] != "none":
            left = max(0, view["due"] // 1000 - int(time.time()))
            parts.append(f"{left // 60}:{left % 60:02}")
        return " · ".join(parts)

    def _tick(self) -> None:
        """Update the clock."""
        view = self.view
        if view is not None and view["due"] is not None:
            self._set_text("title", self._heading(view))

    def _is_substituted(self, view: View) -> bool:
        """Whether a bot is playing this seat."""
        seat = None if view["seat"] is None else view["seats"][view["seat"]]
        return view["stage"] == "playing" and seat is not None and (seat["relieved"] or seat["left"])

    def _lobby(self, view: View) -> list[Line]:
        """The seats before the game starts."""
        lines: list[Line] = [[]]
        for number, seat in enumerate(view["seats"], start=1):
            name = (
                say("free_seat", self.language)
                if seat["kind"] == "open"
                else scene_builder.seat_label(seat, self.language)
            )
            lines.append([Span(f"  {say('seat_number', self.language, number=number)}: {name}")])
        if view["seat"] is None:
            return lines
        free = any(seat["kind"] == "open" for seat in view["seats"])
        level = say(f"level_{LOBBY_LEVEL}", self.language)
        label = say("lobby_bot", self.language, level=level) if free else say("lobby_start", self.language)
        return [*lines, [], [Span("  "), Span(f"[ {label} ]", "strong", ADD_BOT if free else START)]]

    def _log_lines(self, view: View) -> list[str]:
        """The events of this round and, after its end, the result."""
        me = self._addressed_seats()
        lines = [
            line
            for event in self.client.events_for(view["seat"])
            for line in log_text.table_event_lines(event, view, me, self.language)
        ]
        return [*lines, *log_text.result_lines(view, me, self.language)] if view["result"] else lines

    def _prompt(self, view: View) -> str:
        stage, language = view["stage"], self.language
        if stage == "open":
            return say("waiting_seats", language)
        if stage != "playing":
            own_views = [own for own in self.client.views if own["seat"] is not None]
            is_waiting = bool(own_views) and all(view["seats"][own["seat"]]["ready"] for own in own_views)
            more = say("waiting_others" if is_waiting else "next_round" if stage == "between" else "rematch", language)
            return (
                f"{log_text.winner_text(view, self._addressed_seats(), language)} {more if own_views else ''}".strip()
            )
        if self._is_substituted(view):
            return say("come_back", language)
        asking = self._take_back_asker(view)
        if asking is not None:
            return say("take_back_asked", language, name=asking)
        turn = view["seats"][view["turn"]]
        if not view["legal"]:
            return say("thinking", language, name=scene_builder.seat_label(turn, language))
        has_several_seats = len(self.client.views) > 1
        turn_text = (
            say("turn_of_you", language, name=turn["name"]) if has_several_seats else say("turn_yours", language)
        )
        bonus = f"{say('bonus_turn', language)} " if view["bonus"] else ""
        return f"{bonus}{turn_text}: {scene_builder.decision(view, language)}"

    def _addressed_seats(self) -> list[int]:
        """The seats addressed as "you": the local one, or none if several players share this screen."""
        seats = [own["seat"] for own in self.client.views if own["seat"] is not None]
        return seats if len(seats) == 1 else []

    def _take_back_asker(self, view: View) -> str | None:
        """The name of the player whose take-back request this seat has to answer, if any."""
        request = view["take_back"]
        if request is None or view["seat"] is None or request["seat"] in [own["seat"] for own in self.client.views]:
            return None
        return None if view["seat"] in request["agreed"] else str(view["seats"][request["seat"]]["name"])

    def _detail(self, view: View) -> str:
        """The picks so far, and the gain they would bring."""
        builder = self._builder
        if builder is None:
            return say("watching", self.language) if view["seat"] is None else ""
        cursor = self.query_one(BoardView).cursor
        gained = log_text.gains_text(builder.rules, builder.gained(cursor), self.language) or say(
            "no_gain", self.language
        )
        if builder.move is not None:
            return say("pick_ready", self.language, move=builder.move, gains=gained)
        preview = f"  {cursor}: {gained}" if builder.completes(cursor) else ""
        picked = " ".join(builder.picked)
        return f"{say('pick_next', self.language, picked=picked)}{preview}" if picked else preview.strip()

    # Picks

    async def on_board_view_picked(self, message: BoardView.Picked) -> None:
        view = self.view
        if view is None or self._curtain:
            return
        if view["position"] is None:
            await self._pick_in_lobby(message.pick)
        elif self._is_substituted(view):
            await self._act("back", seat=view["seat"])
        elif view["stage"] != "playing":
            await self._ready()
        elif self._builder is not None:
            await self._pick(self._builder, message.pick)

    async def _pick_in_lobby(self, pick: str | None) -> None:
        if pick == START:
            await self._act("start")
        elif pick == ADD_BOT:
            await self._act("bot", level=f"level{LOBBY_LEVEL}")

    async def _ready(self) -> None:
        """Ready all local seats for the next round or a rematch."""
        for view in self.client.views:
            seat = view["seat"]
            if seat is not None and not view["seats"][seat]["ready"]:
                await self._act("ready", seat=seat)

    async def _pick(self, builder: MoveBuilder, pick: str | None) -> None:
        self._notice = ""
        if pick == PLAY and builder.move is not None:
            await self._play(builder.move)
        elif pick is not None:
            builder.pick(pick)
            self.query_one(BoardView).release_cursor()
            if builder.ends_with_verb and builder.move is not None:
                await self._play(builder.move)
            else:
                self._draw()

    async def _play(self, move: str) -> None:
        view = self.view
        assert view is not None
        await self._act("move", move=move, seat=view["seat"])

    def on_board_view_moved(self) -> None:
        self._notice = ""
        self._draw()

    def action_back(self) -> None:
        if self._builder is not None and self._builder.back():
            self._notice = ""
            self._draw()

    # Keys

    async def _act(self, do: str, **words: object) -> bool:
        """Perform an action at the table, or show why it was refused."""
        return await self._try(lambda: self.client.act(do, **words))

    async def _try(self, action: Callable[[], Awaitable[None]]) -> bool:
        try:
            await action()
        except ClientRefused as refused:
            self._notice = f"✗ {refused}"
            self._draw()
            return False
        return True

    async def action_undo(self) -> None:
        """Undo within the turn, else ask to take back the last decision; players at other screens have to agree."""
        view = self.view
        if view is None or view["seat"] is None:
            return
        undone = await self._act("undo" if view["undo"] else "take_back", seat=view["seat"])
        after = self.view
        if undone and after is not None and after["take_back"] is not None:
            self._notice = say("take_back_waiting", self.language)
            self._draw()

    async def action_answer(self, answer: str) -> None:
        view = self.view
        if view is not None and self._take_back_asker(view) is not None:
            await self._act(answer, seat=view["seat"])

    @work(exclusive=True, group="hint")
    async def action_hint(self) -> None:
        """Pick the move the strongest bot would play, and say why; it is not played yet."""
        view, builder = self.view, self._builder
        if view is None or view["seat"] is None:
            return
        self._notice = "…"
        self._draw()
        try:
            advice = await self.client.hint(view["seat"])
        except ClientRefused as refused:
            self._notice = f"✗ {refused}"
        else:
            if builder is not None and builder is self._builder:
                builder.show(advice.move)
                self._notice = say("hint", self.language, move=advice.move, reason=advice.reason)
        self.query_one(BoardView).release_cursor()
        self._draw()

    @property
    def shown_game(self) -> str | None:
        return None if self.view is None else str(self.view["setup"]["game"])

    def action_help(self) -> None:
        help_key = f"help_{self.shown_game}"
        game_help = [say(help_key, self.language)] if help_key in sentences(self.language) else []
        keys = "\n".join(f"  {key.shown}   {say(key.label, self.language)}" for key in (*KEYS, RESIGN, *ANSWERS))
        self.show_text("\n\n".join([*game_help, say("help_table", self.language), keys]))

    def set_language(self, language: str) -> None:
        self.client.language = language
        super().set_language(language)

    def action_resign(self) -> None:
        view = self.view

        async def answered(confirmed: bool | None) -> None:
            if confirmed and view is not None:
                await self._act("resign", seat=view["seat"])

        if view is not None and view["stage"] == "playing" and view["seat"] is not None:
            question = ConfirmDialog(say("sure_resign", self.language), say("yes_keys", self.language))
            self.app.push_screen(question, answered)

    def action_quit(self) -> None:
        def answered(confirmed: bool | None) -> None:
            if confirmed:
                self.app.exit()

        view = self.view
        if view is None or view["stage"] != "playing" or view["seat"] is None:
            self.app.exit()
            return
        self.app.push_screen(ConfirmDialog(say("sure_leave", self.language), say("yes_keys", self.language)), answered)

    # Typing a move

    def action_type_move(self) -> None:
        view = self.view
        if view is None or not view["legal"]:
            return
        typed = self.query_one("#typed", Input)
        typed.placeholder = say("type_move", self.language, example=example(rules_of(view["setup"]["game"])))
        typed.suggester = SuggestFromList(view["legal"], case_sensitive=False)
        typed.value = ""
        typed.display = True
        typed.focus()

    def _close_input(self) -> None:
        self.query_one("#typed", Input).display = False
        self.query_one(BoardView).focus()

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        view = self.view
        self._close_input()
        if view is not None and event.value.strip():
            await self._play(match_move(view["legal"], event.value))

    def on_key(self, event: KeyPressed) -> None:
        if event.key == "escape" and self.query_one("#typed", Input).display:
            self._close_input()
