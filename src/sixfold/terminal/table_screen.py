"""The table on the screen: the game, what was said, what you may do."""

import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, ClassVar

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
from sixfold.language import LANGUAGES, say, sentences
from sixfold.terminal import rules, scenes, telling
from sixfold.terminal.dialogs import Asking, Curtain, Reading
from sixfold.terminal.game_screen import GameScreen
from sixfold.terminal.keys import Key, Keys
from sixfold.terminal.matching import matching
from sixfold.terminal.picking import Picking
from sixfold.terminal.picture import Picture
from sixfold.terminal.rooms import Room, RoomRefused, View

if TYPE_CHECKING:
    from sixfold.terminal.app import Sixfold

START, ADD_BOT, PLAY = "start", "bot", "play it"
LOBBY_LEVEL = 2
KEYS = (
    Key("h", "hint", "key_hint"),
    Key("u", "undo", "key_undo"),
    Key("m", "type_move", "key_type"),
    Key("r", "rules", "key_rules"),
    Key("l", "language", "key_language"),
    Key("?", "help", "key_help"),
    Key("q", "quit", "key_quit"),
)
RESIGN = Key("x", "resign", "key_resign")
ANSWERS = (Key("a", "answer('agree')", "key_agree"), Key("d", "answer('decline')", "key_decline"))


class TableScreen(GameScreen):
    """One table, wherever it is."""

    CSS = """
    TableScreen #detail { height: 1; padding: 0 1; }
    TableScreen #typed { height: 1; border: none; padding: 0 1; display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hint", show=False),
        Binding("u", "undo", show=False),
        Binding("m,colon", "type_move", show=False),
        Binding("r", "rules", show=False),
        Binding("l", "language", show=False),
        Binding("x", "resign", show=False),
        Binding("a", "answer('agree')", show=False),
        Binding("d", "answer('decline')", show=False),
        Binding("question_mark,f1", "help", show=False),
        Binding("q", "quit", show=False),
        Binding("escape,backspace", "back", show=False),
    ]
    app: "Sixfold"

    def __init__(self, room: Room) -> None:
        super().__init__()
        self.room = room
        self._picking: Picking | None = None
        self._decided_on = (-1, -1)  # the version and seat that the picking is for
        self._seat: int | None = None  # the seat in front of the screen
        self._curtain = False
        self._said = ""  # the answer to the last thing that was tried

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield Static("", id="detail", markup=False)
        yield Input(id="typed")
        yield Keys()

    def on_mount(self) -> None:
        self.query_one("#log", VerticalScroll).can_focus = False
        self.room.changed = self._changed
        self.query_one(Picture).focus()
        self.run_worker(self.room.run(), exclusive=True, group="room")
        self.set_interval(1, self._tick)
        self._changed()

    # What is in front of us

    @property
    def language(self) -> str:
        return self.room.language

    @property
    def view(self) -> View | None:
        """What the seat in front sees: of several seats of ours the one in turn, or the last that was."""
        views = self.room.views
        if not views:
            return None
        turn = views[0]["turn"]
        seats = [view["seat"] for view in views]
        wanted = turn if turn in seats else self._seat if self._seat in seats else seats[0]
        return views[seats.index(wanted)]

    def _changed(self) -> None:
        """The table has changed: another view may be in front, and what was picked may be no more."""
        view = self.view
        if view is not None and self.room.share_a_screen and view["seat"] != self._seat and view["legal"]:
            self._seat = view["seat"]
            self._pull_curtain(view["seats"][view["seat"]]["name"])
        elif view is not None:
            self._seat = view["seat"]
        if view is None or not view["legal"]:
            self._picking = None
        elif self._decided_on != (view["version"], view["seat"]):
            self._picking = Picking(view)
            self._decided_on = (view["version"], view["seat"])
            self._said = ""
            self.query_one(Picture).leave()
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
        picture = self.query_one(Picture)
        keys = list(KEYS)
        if view is None or self._curtain:
            picture.show([], ())
            self._write("prompt", self.room.trouble)
            self.query_one(Keys).show(keys, self.language)
            return
        if view["position"] is None:
            picture.show(self._lobby(view), (START, ADD_BOT))
        else:
            self._draw_game(view, picture)
        self._write("title", self._heading(view))
        self._write("told", "\n".join(self._told(view)))
        self._write("prompt", self.room.trouble or self._prompt(view))
        self._write("detail", self._said or self._detail(view))
        self.query_one(Keys).show([*(ANSWERS if self._asked(view) else ()), *keys], self.language)
        self.query_one("#log", VerticalScroll).scroll_end(animate=False)

    def _draw_game(self, view: View, picture: Picture) -> None:
        picking = self._picking
        if picking is None:
            picture.show(scenes.of_view(view, None, None, self.language))
            return
        offers: set[str] = {PLAY} if picking.move is not None else set(picking.offers)
        # What the drawing says depends on where the cursor stands, and that on what there is to stand on.
        for _ in range(2):
            lines = scenes.of_view(view, picking, picture.cursor, self.language)
            if picking.move is not None:
                lines.append([Span(f"[ {say('pick_play', self.language, move=picking.move)} ]", "strong", PLAY)])
            picture.show(lines, offers | picking.starts, offers)

    def _write(self, where: str, text: str) -> None:
        self.query_one(f"#{where}", Static).update(text)

    def _heading(self, view: View) -> str:
        setup = view["setup"]
        rounds = setup["rounds"]
        parts = ["Sixfold", scenes.title(setup["game"], self.language)]
        if rounds > 1 and view["round"]:
            parts.append(say("round_of", self.language, number=view["round"], rounds=rounds))
        if view["due"] is not None and setup["clock"] != "none":
            left = max(0, view["due"] // 1000 - int(time.time()))
            parts.append(f"{left // 60}:{left % 60:02}")
        return " · ".join(parts)

    def _tick(self) -> None:
        """A clock runs."""
        view = self.view
        if view is not None and view["due"] is not None:
            self._write("title", self._heading(view))

    def _away(self, view: View) -> bool:
        """Does a bot fill in for us?"""
        seat = None if view["seat"] is None else view["seats"][view["seat"]]
        return view["stage"] == "playing" and seat is not None and (seat["relieved"] or seat["left"])

    def _lobby(self, view: View) -> list[Line]:
        """Who sits where before the start."""
        lines: list[Line] = [[]]
        for number, seat in enumerate(view["seats"], start=1):
            name = say("free_seat", self.language) if seat["kind"] == "open" else scenes.name_of(seat, self.language)
            lines.append([Span(f"  {say('seat_number', self.language, number=number)}: {name}")])
        if view["seat"] is None:
            return lines
        free = any(seat["kind"] == "open" for seat in view["seats"])
        level = say(f"level_{LOBBY_LEVEL}", self.language)
        label = say("lobby_bot", self.language, level=level) if free else say("lobby_start", self.language)
        return [*lines, [], [Span("  "), Span(f"[ {label} ]", "strong", ADD_BOT if free else START)]]

    def _told(self, view: View) -> list[str]:
        """What was heard in this round; after it, how it ended."""
        me = self._only_mine()
        lines = [
            line for event in self.room.heard(view["seat"]) for line in telling.heard(event, view, me, self.language)
        ]
        return [*lines, *telling.result(view, me, self.language)] if view["result"] else lines

    def _prompt(self, view: View) -> str:
        stage, language = view["stage"], self.language
        if stage == "open":
            return say("waiting_seats", language)
        if stage != "playing":
            mine = [one for one in self.room.views if one["seat"] is not None]
            waits = bool(mine) and all(view["seats"][one["seat"]]["ready"] for one in mine)
            more = say("waiting_others" if waits else "next_round" if stage == "between" else "rematch", language)
            return f"{telling.winner(view, self._only_mine(), language)} {more if mine else ''}".strip()
        if self._away(view):
            return say("come_back", language)
        asked = self._asked(view)
        if asked is not None:
            return say("take_back_asked", language, name=asked)
        turn = view["seats"][view["turn"]]
        if not view["legal"]:
            return say("thinking", language, name=scenes.name_of(turn, language))
        several = len(self.room.views) > 1
        whose = say("turn_of_you", language, name=turn["name"]) if several else say("turn_yours", language)
        bonus = f"{say('bonus_turn', language)} " if view["bonus"] else ""
        return f"{bonus}{whose}: {scenes.decision(view, language)}"

    def _only_mine(self) -> list[int]:
        """The seat that "you" means: ours, unless several people share this screen."""
        mine = [one["seat"] for one in self.room.views if one["seat"] is not None]
        return mine if len(mine) == 1 else []

    def _asked(self, view: View) -> str | None:
        """Who asks to take something back, where it is for us to answer."""
        asked = view["take_back"]
        if asked is None or view["seat"] is None or asked["seat"] in [one["seat"] for one in self.room.views]:
            return None
        return None if view["seat"] in asked["agreed"] else str(view["seats"][asked["seat"]]["name"])

    def _detail(self, view: View) -> str:
        """What has been picked so far, and what it brings."""
        picking = self._picking
        if picking is None:
            return say("watching", self.language) if view["seat"] is None else ""
        cursor = self.query_one(Picture).cursor
        gained = telling.gains(picking.gained(cursor), self.language) or say("no_gain", self.language)
        if picking.move is not None:
            return say("pick_ready", self.language, move=picking.move, gains=gained)
        would = f"  {cursor}: {gained}" if picking.completes(cursor) else ""
        picked = " ".join(picking.picked)
        return f"{say('pick_next', self.language, picked=picked)}{would}" if picked else would.strip()

    # Picking

    async def on_picture_picked(self, message: Picture.Picked) -> None:
        view = self.view
        if view is None or self._curtain:
            return
        if view["position"] is None:
            await self._in_lobby(message.pick)
        elif self._away(view):
            await self._act("back", seat=view["seat"])
        elif view["stage"] != "playing":
            await self._ready()
        elif self._picking is not None:
            await self._pick(self._picking, message.pick)

    async def _in_lobby(self, pick: str | None) -> None:
        if pick == START:
            await self._act("start")
        elif pick == ADD_BOT:
            await self._act("bot", level=f"level{LOBBY_LEVEL}")

    async def _ready(self) -> None:
        """On to the next round, or a rematch, for everybody at this screen."""
        for view in self.room.views:
            seat = view["seat"]
            if seat is not None and not view["seats"][seat]["ready"]:
                await self._act("ready", seat=seat)

    async def _pick(self, picking: Picking, pick: str | None) -> None:
        self._said = ""
        if pick == PLAY and picking.move is not None:
            await self._play(picking.move)
        elif pick is not None:
            picking.pick(pick)
            self.query_one(Picture).leave()
            if picking.said and picking.move is not None:
                await self._play(picking.move)
            else:
                self._draw()

    async def _play(self, move: str) -> None:
        view = self.view
        assert view is not None
        await self._act("move", move=move, seat=view["seat"])

    def on_picture_moved(self) -> None:
        self._said = ""
        self._draw()

    def action_back(self) -> None:
        if self._picking is not None and self._picking.back():
            self._said = ""
            self._draw()

    # Keys

    async def _act(self, do: str, **words: object) -> bool:
        """Do something at the table, or say why not."""
        return await self._try(lambda: self.room.act(do, **words))

    async def _try(self, what: Callable[[], Awaitable[None]]) -> bool:
        try:
            await what()
        except RoomRefused as refused:
            self._said = f"✗ {refused}"
            self._draw()
            return False
        return True

    async def action_undo(self) -> None:
        """Undo within the turn, else take the last decision back; people at other screens are asked."""
        view = self.view
        if view is None or view["seat"] is None:
            return
        undone = await self._act("undo" if view["undo"] else "take_back", seat=view["seat"])
        after = self.view
        if undone and after is not None and after["take_back"] is not None:
            self._said = say("take_back_waiting", self.language)
            self._draw()

    async def action_answer(self, answer: str) -> None:
        view = self.view
        if view is not None and self._asked(view) is not None:
            await self._act(answer, seat=view["seat"])

    @work(exclusive=True, group="hint")
    async def action_hint(self) -> None:
        """Pick what the strongest bot would play, and say why; nothing is played."""
        view, picking = self.view, self._picking
        if view is None or view["seat"] is None:
            return
        self._said = "…"
        self._draw()
        try:
            found = await self.room.hint(view["seat"])
        except RoomRefused as refused:
            self._said = f"✗ {refused}"
        else:
            if picking is not None and picking is self._picking:
                picking.show(found.move)
                self._said = say("hint", self.language, move=found.move, reason=found.reason)
        self.query_one(Picture).leave()
        self._draw()

    def action_rules(self) -> None:
        view = self.view
        if view is not None:
            text = rules.text(view["setup"]["game"], self.language)
            self.app.push_screen(Reading(text, say("key_close", self.language)))

    def action_help(self) -> None:
        view = self.view
        own = f"help_{view['setup']['game']}" if view is not None else ""
        first = [say(own, self.language)] if own in sentences(self.language) else []
        keys = "\n".join(f"  {key.shown}   {say(key.label, self.language)}" for key in (*KEYS, RESIGN, *ANSWERS))
        text = "\n\n".join([*first, say("help_table", self.language), keys])
        self.app.push_screen(Reading(text, say("key_close", self.language)))

    def action_language(self) -> None:
        at = LANGUAGES.index(self.language)
        self.room.language = self.app.language = LANGUAGES[(at + 1) % len(LANGUAGES)]
        self._draw()

    def action_resign(self) -> None:
        view = self.view

        async def answered(sure: bool | None) -> None:
            if sure and view is not None:
                await self._act("resign", seat=view["seat"])

        if view is not None and view["stage"] == "playing" and view["seat"] is not None:
            question = Asking(say("sure_resign", self.language), say("yes_keys", self.language))
            self.app.push_screen(question, answered)

    def action_quit(self) -> None:
        def answered(sure: bool | None) -> None:
            if sure:
                self.app.exit()

        view = self.view
        if view is None or view["stage"] != "playing" or view["seat"] is None:
            self.app.exit()
            return
        self.app.push_screen(Asking(say("sure_leave", self.language), say("yes_keys", self.language)), answered)

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
        self.query_one(Picture).focus()

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        view = self.view
        self._close_input()
        if view is not None and event.value.strip():
            await self._play(matching(view["legal"], event.value))

    def on_key(self, event: KeyPressed) -> None:
        if event.key == "escape" and self.query_one("#typed", Input).display:
            self._close_input()
