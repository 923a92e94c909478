"""A game line by line: for screen readers, for pipes, and for terminals that can do no more."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sixfold.bots import Budget
from sixfold.bots.hints import hint
from sixfold.engine import picture
from sixfold.engine.chance import Seeded
from sixfold.engine.explaining import shown_by
from sixfold.engine.notation import Refused, example
from sixfold.language import say
from sixfold.terminal import telling
from sixfold.terminal.matching import candidates

if TYPE_CHECKING:
    from sixfold.bots import Bot
    from sixfold.engine.game import Game

MANY = 40
FEW = 8


def ask(prompt: str) -> str | None:
    """A line from the player; None when there are no more."""
    try:
        return input(prompt).strip()
    except EOFError:
        print()
        return None


class Plain:
    """A game in which one player types and a bot plays everybody else."""

    def __init__(self, game: "Game", seat: int, names: Sequence[str], language: str) -> None:
        self.game, self.seat, self.names, self.language = game, seat, names, language
        self._told = 0
        self._shown: dict[int, list[str]] = {}  # C13: the hand that an event showed to everybody

    def play(self, others: "Bot", chance: Seeded) -> bool:
        """Play to the end; False if the player left before."""
        game, seat = self.game, self.seat
        against = ", ".join(name for player, name in enumerate(self.names) if player != seat)
        number = say("player", self.language, number=seat)
        print(say("play_you", self.language, name=number, others=against))
        print(say("play_welcome", self.language, example=example(game.rules)))
        while game.turn is not None:
            if game.turn != seat:
                move = others.choose(game.view(game.turn), Budget(), chance)
                self._shown[len(game.events)] = shown_by(game, move)
                game.play(move)
                continue
            self._tell()
            print(f"\n{picture.text(game.rules, game.view(seat).state, self.language)}")
            if not self._turn():
                return False
        self._tell()
        print(f"\n{picture.text(game.rules, game.state, self.language)}")
        self._result()
        return True

    def _tell(self) -> None:
        """What has happened since the last time, as the player may hear it."""
        for number, event in enumerate(self.game.events[self._told :], start=self._told):
            heard = event if self.game.over else self.game.told(event, self.seat)
            if heard is not None:
                told = telling.line(heard, self.names, [self.seat], self.language)
                print(f"  {told}{telling.shown(self._shown.get(number), self.language)}")
        self._told = len(self.game.events)

    def _result(self) -> None:
        result = self.game.result
        assert result is not None
        for player in sorted(range(self.game.players), key=lambda player: result.places[player]):
            values = " ".join(str(value) for value in sorted(result.values[player]))
            name = self.names[player]
            print(say("place_line", self.language, place=result.places[player], name=name, values=values))

    def _turn(self) -> bool:
        """Ask until the player has made one move; False if the player leaves."""
        while True:
            line = ask(f"{say('play_prompt', self.language)}> ")
            if line is None or line in ("q", "quit"):
                return False
            if line == "??":
                self._hint()
            elif line.startswith("?"):
                self._list_moves(line[1:].strip())
            elif line and self._played(line):
                return True

    def _played(self, line: str) -> bool:
        """Play what was typed, if it can only mean one move."""
        found = candidates(list(self.game.legal()), line)
        if 1 < len(found) <= FEW:
            print(f"  {say('play_guess', self.language, moves=', '.join(found))}")
            return False
        try:
            self.game.play(found[0] if len(found) == 1 else line)
        except Refused as refused:
            print(f"  {refused.sentence(self.language)}")
            return False
        return True

    def _hint(self) -> None:
        """What the strongest bot would do in the player's place, and why."""
        found = hint(self.game.view(self.game.turn), Seeded(len(self.game.events)))
        print(f"  {say('hint', self.language, move=found.move, reason=found.sentence(self.language))}")

    def _list_moves(self, beginning: str) -> None:
        """All moves that begin so; where there are too many, their beginnings and how many go on from each."""
        moves = list(self.game.legal())
        wanted = candidates(moves, beginning) if beginning else moves
        if not wanted:
            print(f"  {say('play_none', self.language, text=beginning)}")
            return
        print(f"  {say('play_moves', self.language, number=len(wanted))}")
        if len(wanted) <= MANY or beginning:
            for move in wanted:
                print(f"    {move}")
            return
        groups: dict[str, int] = {}
        for move in wanted:
            head = " ".join(move.split(" ")[:2])
            groups[head] = groups.get(head, 0) + 1
        for head, number in groups.items():
            print(f"    {head} … ({number})")
        print(f"  {say('play_more', self.language, example=next(iter(groups)))}")
