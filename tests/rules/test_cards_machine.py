"""The card game played on at random by Hypothesis, against a slow and independent account of it."""

from collections import Counter

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from sixfold import Game, Seeded, start
from tests.positions import discarded, face_up, hand, in_pile

AREA = (0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3)


class Cards(RuleBasedStateMachine):
    """Keeps its own chips and face-up cards, and compares after every decision."""

    @initialize(seed=st.integers(0, 2**64 - 1), players=st.integers(2, 4))
    def begin(self, seed: int, players: int) -> None:
        self.players = players
        self.game: Game = start("cards", players, chance=Seeded(seed))
        self.chips = [dict.fromkeys("RGBOYP", 0) for _ in range(players)]
        self.open = [face_up(self.game, player).split() for player in range(players)]
        self.bonus = 0

    def move_chip(self, player: int, symbol: str) -> None:
        """C7, C9, C10, C14, one step after the other, by the areas themselves."""
        chips = self.chips[player]
        for _ in range(sum(symbol in card for row in self.open for card in row)):
            if chips[symbol] == 10:
                return
            column = chips[symbol] + 1
            if column in (4, 7) and min(AREA[chip] for chip in chips.values()) < AREA[column] - 1:
                return
            chips[symbol] = column
            self.bonus += column == 10

    @precondition(lambda self: not self.game.over)
    @rule(which=st.integers(0, 10**6))
    def move(self, which: int) -> None:
        player = self.game.turn
        assert player is not None
        moves = self.game.legal()
        move = moves[which % len(moves)]
        held = Counter(hand(self.game, player).split())
        self.game.play(move)
        if not move.startswith("play"):
            self.finish_turn(player)
            return
        card = "".join(sorted(move[5:], key="RGBOYP".index))
        assert held[card] > 0
        self.move_chip(player, move[5])
        self.move_chip(player, move[6])
        self.open[player].append(card)
        if min(self.chips[player].values()) >= 7:
            assert self.game.over
        elif self.bonus:
            self.bonus -= 1
            self.open[player].pop(0)
            assert self.game.turn == player
        elif self.game.turn == player:
            assert list(self.game.legal()) == ["keep", "renew"]
            lowest = {symbol for symbol, chip in self.chips[player].items() if chip == min(self.chips[player].values())}
            assert not lowest & set("".join((held - Counter([card])).elements()))
        else:
            self.finish_turn(player)

    def finish_turn(self, player: int) -> None:
        self.open[player].pop(0)
        assert self.game.turn == (player + 1) % self.players
        assert len(hand(self.game, player).split()) == 6

    @precondition(lambda self: self.game.over)
    @rule(seed=st.integers(0, 2**64 - 1), players=st.integers(2, 4))
    def another_game(self, seed: int, players: int) -> None:
        self.begin(seed, players)

    @invariant()
    def cards_are_conserved(self) -> None:
        held = Counter(card for player in range(self.players) for card in hand(self.game, player).split())
        shown = Counter(card for row in self.open for card in row)
        every = held + shown + in_pile(self.game) + discarded(self.game)
        assert every.total() == 60
        assert set(every.values()) == {4}
        assert in_pile(self.game).total() == self.game.state.pile_size > 0
        assert discarded(self.game).total() == self.game.state.discards_size

    @invariant()
    def chips_and_face_up_cards_are_right(self) -> None:
        assert self.game.values == [[chips[symbol] for symbol in "RGBOYP"] for chips in self.chips]
        assert [face_up(self.game, player).split() for player in range(self.players)] == self.open

    @invariant()
    def chips_stand_in_two_neighbouring_areas(self) -> None:
        for row in self.game.values:
            areas = [AREA[chip] for chip in row]
            assert max(areas) - min(areas) <= 1

    @invariant()
    def the_game_ends_when_and_only_when_it_must(self) -> None:
        assert self.game.over == any(min(row) >= 7 for row in self.game.values)


TestCards = Cards.TestCase
TestCards.settings = settings(max_examples=15, stateful_step_count=120, deadline=None)
