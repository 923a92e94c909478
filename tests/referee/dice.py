"""Referee for the dice game (D1 to D15)."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping
from itertools import combinations_with_replacement, product

from .common import SYMBOLS, Referee, Refusal, Values, check_sorted, in_order, refuse, zeros

DICE = {2: 4, 3: 3, 4: 2}  # D1: dice for each player
ROW = 7
ROLLS = 3

Joker = tuple[str, int, str]  # the dice's symbol, how many of them, the symbol wanted


def joker_key(joker: Joker) -> tuple[int, int, int]:
    """Record: jokers by their dice's letter, then number, then target."""
    return (SYMBOLS.index(joker[0]), joker[1], SYMBOLS.index(joker[2]))


def group_ways(symbol: str, count: int, split: bool) -> list[tuple[Joker, ...]]:
    """D7, D9: every way to set dice of one group apart, none included."""
    if not split:
        return [()] + [((symbol, count, target),) for target in SYMBOLS if count >= 2]
    single = [(symbol, size, target) for size in range(2, count + 1) for target in SYMBOLS]
    ways: list[tuple[Joker, ...]] = []
    for number in range(count // 2 + 1):
        for way in combinations_with_replacement(single, number):
            if sum(size for _, size, _ in way) <= count:
                ways.append(way)
    return ways


def scorings(roll: Counter[str], split: bool) -> list[list[Joker]]:
    """D7 to D9: every set of jokers a roll allows, each in the order of the record."""
    groups = [group_ways(symbol, count, split) for symbol, count in roll.items()]
    return [sorted((joker for way in ways for joker in way), key=joker_key) for ways in product(*groups)]


def spell(jokers: list[Joker]) -> str:
    """The words of a scoring, without the player's number."""
    return " ".join(["score", *(f"{symbol}{size}>{target}" for symbol, size, target in jokers)])


def read_joker(word: str) -> Joker | None:
    """A joker such as B2>Y, or None when it is not spelled like one."""
    found = re.fullmatch(r"([RGBOYP])([2-4])>([RGBOYP])", word)
    return (found[1], int(found[2]), found[3]) if found else None


def marks_for(roll: Counter[str], others: Counter[str], jokers: list[Joker]) -> Counter[str]:
    """D6 to D8: what a roll scores against the dice of the others, with these jokers set apart."""
    marks: Counter[str] = Counter()
    matching = Counter(roll)
    for symbol, size, target in jokers:
        matching[symbol] -= size
        marks[target] += size - 1
    for die in matching.elements():
        marks[die] += others[die]
    return marks


def fits(sheet: Values, symbol: str) -> bool:
    """D2, D10, D11: whether the next box of a row may be marked."""
    box = sheet[symbol] + 1
    if box <= 3:
        return True
    if box <= 6:
        return all(marks >= 1 for marks in sheet.values())
    return box == ROW and all(marks >= 4 for marks in sheet.values())


def mark(sheet: Values, marks: Counter[str]) -> None:
    """D12: place one mark after another until none of those left fits."""
    left = Counter(marks)
    while True:
        able = [symbol for symbol in SYMBOLS if left[symbol] > 0 and fits(sheet, symbol)]
        if not able:
            return
        sheet[able[0]] += 1
        left[able[0]] -= 1


class Dice(Referee):
    """A game of the dice game. Phases: opening, roll, decide, over."""

    OPTIONS = ("split_jokers", "hidden_start")
    PLAYERS = range(2, 5)

    def __init__(self, players: int, options: Mapping[str, bool]) -> None:
        super().__init__(players, options)
        self.sheets: list[Values] = [zeros() for _ in range(players)]
        self.shown: list[Counter[str]] = [Counter() for _ in range(players)]  # dice in view
        self.rolled = 0  # rolls in this turn
        self.phase = "opening"
        self.player = 1
        if options["hidden_start"]:  # D15: no opening rolls; dice come into view with a first turn
            self.phase = "roll"
            self.player = 0

    def all_values(self) -> list[Values]:
        """The marks."""
        return self.sheets

    def choices(self) -> list[str]:
        """Another roll (D4), or every way to score this one."""
        if self.phase != "decide":
            return []
        ways = [spell(way) for way in scorings(self.shown[self.player], self.options["split_jokers"])]
        again = ["reroll"] if self.rolled < ROLLS else []
        return [f"{self.player} {words}" for words in again + ways]

    def move(self, words: list[str]) -> None:
        """Another roll is wanted, or this one is scored."""
        self.phase = "roll"
        if words[0] == "score":
            self.score([joker for joker in map(read_joker, words[1:]) if joker])

    def score(self, jokers: list[Joker]) -> None:
        """D5, D6, D12, D13: mark what the roll brings; then the game is over or the next player rolls."""
        others: Counter[str] = Counter()
        for player, dice in enumerate(self.shown):
            if player != self.player:
                others += dice
        sheet = self.sheets[self.player]
        mark(sheet, marks_for(self.shown[self.player], others, jokers))
        if all(marks == ROW for marks in sheet.values()):
            self.end("D13")
            return
        self.player = (self.player + 1) % self.players
        self.rolled = 0

    def explain(self, words: list[str]) -> Refusal:
        """Name the clause that an event breaks where a player has to choose."""
        if words == [str(self.player), "reroll"]:
            return Refusal("D4", "three rolls at most")
        if words[:2] != [str(self.player), "score"]:
            return Refusal("D4", f"player {self.player} scores or rolls again")
        jokers = [joker for joker in map(read_joker, words[2:]) if joker]
        if len(jokers) < len(words) - 2:
            return Refusal("record", "a joker is spelled like B2>Y")
        return self.explain_jokers(jokers)

    def explain_jokers(self, jokers: list[Joker]) -> Refusal:
        """Name the clause that jokers break (D7, D9, record)."""
        roll = self.shown[self.player]
        used: Counter[str] = Counter()
        for symbol, size, _ in jokers:
            used[symbol] += size
        if not used <= roll:
            return Refusal("D7", "more dice set apart than rolled")
        if not self.options["split_jokers"] and any(size != roll[symbol] for symbol, size, _ in jokers):
            return Refusal("D9", "a group is set apart whole or not at all")
        return Refusal("record", "jokers are in the order of their letter, number and target")

    def chance(self, words: list[str]) -> None:
        """D1, D3, D4: a roll of all of a player's dice."""
        if words[:2] != ["roll", str(self.player)]:
            clause = "record" if words[0] == "roll" or self.phase == "opening" else "D4"
            refuse(clause, f"'roll {self.player}' expected")
        dice = words[2:]
        if any(len(die) != 1 or die not in SYMBOLS for die in dice):
            refuse("record", "a die shows one of the letters R G B O Y P")
        if len(dice) != DICE[self.players]:
            refuse("D1", f"{DICE[self.players]} dice expected, {len(dice)} written")
        check_sorted(dice)
        self.shown[self.player] = Counter(dice)
        self.after_roll()

    def after_roll(self) -> None:
        """After the opening rolls of players 1, 2 and 3 player 0 begins; in a turn the player decides."""
        if self.phase == "opening":
            self.player = (self.player + 1) % self.players
            self.phase = "opening" if self.player else "roll"
        else:
            self.rolled += 1
            self.phase = "decide"

    def random_chance(self, rng: random.Random) -> str:
        """Fair dice."""
        dice = in_order(rng.choice(SYMBOLS) for _ in range(DICE[self.players]))
        return " ".join(["roll", str(self.player), *dice])
