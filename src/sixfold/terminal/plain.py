"""A line-by-line interface for screen readers, pipes and terminals without cursor control."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sixfold.bots import Budget
from sixfold.bots.hints import hint
from sixfold.engine.annotations import shown_by
from sixfold.engine.chance import Seeded
from sixfold.engine.notation import Refused, example
from sixfold.engine.text import render_text
from sixfold.language import say
from sixfold.terminal import log_text
from sixfold.terminal.input_match import candidates

if TYPE_CHECKING:
    from sixfold.bots import Bot
    from sixfold.engine.game import Game

MAX_LISTED = 40
MAX_GUESSES = 8


def ask(prompt: str) -> str | None:
    """Read a line from the player; None at the end of the input."""
    try:
        return input(prompt).strip()
    except EOFError:
        print()
        return None


class Plain:
    """A game in which one player types and a bot plays all other seats."""

    def __init__(self, game: "Game", seat: int, names: Sequence[str], language: str) -> None:
        self.game, self.seat, self.names, self.language = game, seat, names, language
        self._printed = 0
        self._shown_hands: dict[int, list[str]] = {}  # C13: hands that were shown to all players, by event number

    def play(self, bot: "Bot", chance: Seeded) -> bool:
        """Play to the end; False if the player quits first."""
        game, seat = self.game, self.seat
        opponents = ", ".join(name for player, name in enumerate(self.names) if player != seat)
        number = say("player", self.language, number=seat)
        print(say("play_you", self.language, name=number, others=opponents))
        print(say("play_welcome", self.language, example=example(game.rules)))
        while game.turn is not None:
            if game.turn != seat:
                move = bot.choose(game.view(game.turn), Budget(), chance)
                self._shown_hands[len(game.events)] = shown_by(game, move)
                game.play(move)
                continue
            self._print_events()
            print(f"\n{render_text(game.rules, game.view(seat).state, self.language)}")
            if not self._turn():
                return False
        self._print_events()
        print(f"\n{render_text(game.rules, game.state, self.language)}")
        self._print_result()
        return True

    def _print_events(self) -> None:
        """Print the events since the last call, masked for the player."""
        for number, event in enumerate(self.game.events[self._printed :], start=self._printed):
            masked = event if self.game.over else self.game.masked_event(event, self.seat)
            if masked is not None:
                sentence = log_text.event_text(masked, self.names, [self.seat], self.language)
                print(f"  {sentence}{log_text.shown_hand(self._shown_hands.get(number), self.language)}")
        self._printed = len(self.game.events)

    def _print_result(self) -> None:
        result = self.game.result
        assert result is not None
        for player in sorted(range(self.game.players), key=lambda player: result.places[player]):
            values = " ".join(str(value) for value in sorted(result.values[player]))
            name = self.names[player]
            print(say("place_line", self.language, place=result.places[player], name=name, values=values))

    def _turn(self) -> bool:
        """Prompt until the player has moved; False if the player quits."""
        while True:
            line = ask(f"{say('play_prompt', self.language)}> ")
            if line is None or line in ("q", "quit"):
                return False
            if line == "??":
                self._hint()
            elif line.startswith("?"):
                self._list_moves(line[1:].strip())
            elif line and self._try_move(line):
                return True

    def _try_move(self, line: str) -> bool:
        """Play the typed move if it is unambiguous."""
        matches = candidates(list(self.game.legal()), line)
        if 1 < len(matches) <= MAX_GUESSES:
            print(f"  {say('play_guess', self.language, moves=', '.join(matches))}")
            return False
        try:
            self.game.play(matches[0] if len(matches) == 1 else line)
        except Refused as refused:
            print(f"  {refused.sentence(self.language)}")
            return False
        return True

    def _hint(self) -> None:
        """Print the move the strongest bot would make, and why."""
        advice = hint(self.game.view(self.game.turn), Seeded(len(self.game.events)))
        print(f"  {say('hint', self.language, move=advice.move, reason=advice.sentence(self.language))}")

    def _list_moves(self, prefix: str) -> None:
        """List the moves with a prefix; if there are too many, only their first words with counts."""
        moves = list(self.game.legal())
        matches = candidates(moves, prefix) if prefix else moves
        if not matches:
            print(f"  {say('play_none', self.language, text=prefix)}")
            return
        print(f"  {say('play_moves', self.language, number=len(matches))}")
        if len(matches) <= MAX_LISTED or prefix:
            for move in matches:
                print(f"    {move}")
            return
        groups: dict[str, int] = {}
        for move in matches:
            head = " ".join(move.split(" ")[:2])
            groups[head] = groups.get(head, 0) + 1
        for head, number in groups.items():
            print(f"    {head} … ({number})")
        print(f"  {say('play_more', self.language, example=next(iter(groups)))}")
