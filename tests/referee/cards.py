"""Referee for the card game (C1 to C18)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

from .common import (
    Referee,
    Refusal,
    Values,
    canonical,
    check_sorted,
    check_tiles,
    is_pair,
    lowest,
    pairs,
    refuse,
    sample,
    zeros,
)

CARDS = pairs(same=False)
LAST = 10
HAND = 6
NEEDED = {4: 1, 7: 4}  # C10: to enter this column every chip must stand at this column or further on


def advance(chips: Values, symbol: str, steps: int) -> bool:
    """C9, C10: move a chip step by step; whether it arrived in column 10 (C14)."""
    before = chips[symbol]
    for _ in range(steps):
        target = chips[symbol] + 1
        if target > LAST or min(chips.values()) < NEEDED.get(target, 0):
            break
        chips[symbol] = target
    return before < LAST and chips[symbol] == LAST


class Cards(Referee):
    """A round of the card game. Phases: deal, open, play, choice, draw, over."""

    OPTIONS = ()
    PLAYERS = range(2, 5)

    def __init__(self, players: int, options: Mapping[str, bool]) -> None:
        super().__init__(players, options)
        self.pile = Counter(dict.fromkeys(CARDS, 4))  # C1
        self.discards: Counter[str] = Counter()
        self.hands: list[Counter[str]] = [Counter() for _ in range(players)]
        self.faces: list[list[str]] = [[] for _ in range(players)]  # nearest the middle first
        self.chips: list[Values] = [zeros() for _ in range(players)]
        self.bonus = 0  # bonus turns still due
        self.bonus_turn = False
        self.renewed = False
        self.phase = "deal"

    def all_values(self) -> list[Values]:
        """The columns of the chips."""
        return self.chips

    def renew_offered(self) -> bool:
        """C13: no card in hand shows the symbol of a lowest chip."""
        shown = {symbol for card in self.hands[self.player].elements() for symbol in card}
        return not shown & lowest(self.chips[self.player])

    def choices(self) -> list[str]:
        """Every card of the hand in both scoring orders (C6, C8), or keep and renew."""
        if self.phase == "choice":
            return [f"{self.player} keep", f"{self.player} renew"]
        if self.phase != "play":
            return []
        held = sorted(set(self.hands[self.player].elements()))
        return [f"{self.player} play {way}" for card in held for way in (card, card[::-1])]

    def move(self, words: list[str]) -> None:
        """A card played, or the choice by C13."""
        if words[0] == "play":
            self.play(words[1])
        else:
            self.finish_turn(renew=words[0] == "renew")

    def play(self, letters: str) -> None:
        """C6 to C10: score both symbols in the order written, then lay the card below the others."""
        chips = self.chips[self.player]
        card = canonical(letters)
        self.hands[self.player] -= Counter([card])
        for symbol in letters:
            shown = sum(symbol in face for row in self.faces for face in row)
            self.bonus += advance(chips, symbol, shown)
        self.faces[self.player].append(card)
        if min(chips.values()) >= 7:
            self.end("C15")
        elif self.bonus:
            self.bonus -= 1
            self.bonus_turn = True
            self.discard_nearest()
        elif self.renew_offered():
            self.phase = "choice"
        else:
            self.finish_turn(renew=False)

    def discard_nearest(self) -> None:
        """C11, C14: the face-up card nearest the middle goes to the discards, the others move up."""
        self.discards += Counter([self.faces[self.player].pop(0)])

    def finish_turn(self, renew: bool) -> None:
        """C13, C11: perhaps the hand, then the nearest face-up card go to the discards; drawing is due."""
        if renew:
            self.discards += self.hands[self.player]
            self.hands[self.player] = Counter()
        self.discard_nearest()
        self.renewed = renew
        self.phase = "draw"

    def explain(self, words: list[str]) -> Refusal:
        """Name the clause that an event breaks where a player has to choose."""
        if self.phase == "choice":
            return Refusal("C13", f"player {self.player} chooses between keep and renew here")
        if words[:2] != [str(self.player), "play"]:
            clause = "C14" if self.bonus_turn else "C13" if words[1:] in (["keep"], ["renew"]) else "C5"
            return Refusal(clause, f"player {self.player} has to play a card")
        if len(words) != 3 or not is_pair(words[2]) or canonical(words[2]) not in CARDS:
            return Refusal("record", "a card is two different letters")
        return Refusal("C6", f"{canonical(words[2])} is not in the hand")

    def due(self) -> tuple[str, int, str]:
        """Which chance event comes now: its word, how many cards, by which clause."""
        if self.phase == "deal":
            return "deal", HAND, "C3"
        if self.phase == "open":
            return "open", 2 if self.players == 2 else 1, "C4"
        return "draw", HAND - self.hands[self.player].total(), "C13" if self.renewed else "C11"

    def chance(self, words: list[str]) -> None:
        """C3, C4, C11: cards come off the pile into a hand or face up."""
        word, count, clause = self.due()
        if words[:2] != [word, str(self.player)]:
            known = words[1:] in (["keep"], ["renew"])
            refuse("C13" if known else "record", f"'{word} {self.player}' expected")
        cards = check_tiles(words[2:], CARDS, count, clause)
        if word != "open":
            check_sorted(words[2:])
        self.take(cards, "C12" if word == "draw" else "C1")
        if word == "open":
            self.faces[self.player] = words[2:]
        else:
            self.hands[self.player] += cards
        self.after_chance()

    def take(self, cards: Counter[str], clause: str) -> None:
        """C12: cards off the pile; once its last one is taken, the discards are the pile."""
        if cards.total() < self.pile.total():
            if not cards <= self.pile:
                refuse(clause, f"not in the pile: {' '.join((cards - self.pile).elements())}")
            self.pile -= cards
            return
        if not self.pile <= cards:
            refuse(clause, f"the rest of the pile is missing: {' '.join((self.pile - cards).elements())}")
        beyond = cards - self.pile
        if not beyond <= self.discards:
            refuse(clause, f"not among the discards: {' '.join((beyond - self.discards).elements())}")
        self.pile = self.discards - beyond
        self.discards = Counter()

    def after_chance(self) -> None:
        """The next seat; after the last deal the face-up cards, after those the first turn (C5)."""
        self.player = (self.player + 1) % self.players
        if self.phase == "deal":
            self.phase = "deal" if self.player else "open"
        elif self.phase == "open":
            self.phase = "open" if self.player else "play"
        else:
            self.phase = "play"
            self.bonus_turn = False
            self.renewed = False

    def random_chance(self, rng: random.Random) -> str:
        """Cards drawn blindly; two face-up cards come in the order of drawing."""
        word, count, _ = self.due()
        if count < self.pile.total():
            cards = sample(rng, self.pile, count)
        else:
            beyond = sample(rng, self.discards, count - self.pile.total())
            whole = self.pile + Counter(beyond)
            cards = sample(rng, whole, count)
        if word == "open":
            rng.shuffle(cards)
        return " ".join([word, str(self.player), *cards])
