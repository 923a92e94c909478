"""The dice game played on at random by Hypothesis, against a slow and independent account of it."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from sixfold import Game, Seeded, start


class Dice(RuleBasedStateMachine):
    """Keeps its own sheets and dice, and compares after every decision."""

    @initialize(seed=st.integers(0, 2**64 - 1), players=st.integers(2, 4), split=st.booleans(), hidden=st.booleans())
    def begin(self, seed: int, players: int, split: bool, hidden: bool) -> None:
        self.players = players
        self.game: Game = start("dice", players, chance=Seeded(seed), split_jokers=split, hidden_start=hidden)
        self.sheets = [dict.fromkeys("RGBOYP", 0) for _ in range(players)]
        self.dice: list[str] = [""] * players
        self.rolls = 1
        for event in self.game.events:
            self.roll(event)

    def roll(self, event: str) -> None:
        word, player, *letters = event.split()
        assert word == "roll"
        assert len(letters) == {2: 4, 3: 3, 4: 2}[self.players]
        self.dice[int(player)] = "".join(letters)

    def marks(self, player: int, jokers: list[str]) -> list[str]:
        """D6 to D9: every mark that a roll gives, one by one."""
        own = list(self.dice[player])
        marks: list[str] = []
        for joker in jokers:
            symbol, number, target = joker[0], int(joker[1]), joker[3]
            for _ in range(number):
                own.remove(symbol)
            marks += [target] * (number - 1)
        others = "".join(dice for other, dice in enumerate(self.dice) if other != player)
        return marks + [die for die in own for other in others if other == die]

    def mark(self, player: int, marks: list[str]) -> None:
        """D10 to D12, one box after the other."""
        sheet = self.sheets[player]

        def fits(symbol: str) -> bool:
            needed = {1: 0, 2: 0, 3: 0, 4: 1, 5: 1, 6: 1, 7: 4}.get(sheet[symbol] + 1, 99)
            return min(sheet.values()) >= needed

        while able := [symbol for symbol in marks if fits(symbol)]:
            sheet[able[-1]] += 1
            marks.remove(able[-1])

    @precondition(lambda self: not self.game.over)
    @rule(which=st.integers(0, 10**6))
    def move(self, which: int) -> None:
        moves = self.game.legal()
        self.play(moves[which % len(moves)])

    @precondition(lambda self: not self.game.over)
    @rule()
    def score_without_jokers(self) -> None:
        self.play("score")

    def play(self, move: str) -> None:
        player = self.game.turn
        assert player is not None
        events = self.game.play(move)
        word, *jokers = move.split()
        if word == "reroll":
            self.rolls += 1
            assert self.rolls <= 3
            assert self.game.turn == player
        else:
            self.mark(player, self.marks(player, jokers))
            self.rolls = 1
            assert self.game.over or self.game.turn == (player + 1) % self.players
        if not self.game.over:
            self.roll(events[1])
            assert events[1].split()[1] == str(self.game.turn)

    @precondition(lambda self: self.game.over)
    @rule(seed=st.integers(0, 2**64 - 1), players=st.integers(2, 4), split=st.booleans(), hidden=st.booleans())
    def another_game(self, seed: int, players: int, split: bool, hidden: bool) -> None:
        self.begin(seed, players, split, hidden)

    @invariant()
    def sheets_and_dice_are_right(self) -> None:
        assert self.game.values == [[sheet[symbol] for symbol in "RGBOYP"] for sheet in self.sheets]
        shown = self.game.state.dice
        for player, dice in enumerate(self.dice):
            assert [int(number) for number in shown[player]] == [dice.count(symbol) for symbol in "RGBOYP"]

    @invariant()
    def strips_are_respected(self) -> None:
        for row in self.game.values:
            assert max(row) <= (3 if min(row) < 1 else 6 if min(row) < 4 else 7)

    @invariant()
    def rolling_again_is_offered_twice(self) -> None:
        assert self.game.over or ("reroll" in self.game.legal()) == (self.rolls < 3)

    @invariant()
    def the_game_ends_when_and_only_when_it_must(self) -> None:
        assert self.game.over == any(sum(row) == 42 for row in self.game.values)


TestDice = Dice.TestCase
TestDice.settings = settings(max_examples=15, stateful_step_count=120, deadline=None)
