"""What the module of a game offers: everything that a table needs, as functions over buffers.

The position in question lies in the buffer ``state``; moves, values and so on are written into buffers of those names.
Buffers whose names begin with ``_`` are nobody else's business.
"""

from typing import Any, cast

import numpy as np

from sixfold.bots import choosing
from sixfold.bots.greedy import judged
from sixfold.bots.search import ROOM
from sixfold.bots.tree import NODE, desk, explorer, new_node
from sixfold.browser.playing import digested_games, words_of
from sixfold.engine.entry import single
from sixfold.engine.explaining import explained
from sixfold.engine.many import random_games
from sixfold.engine.wasm import Argument, Buffer, Export
from sixfold.games import Package
from sixfold.games.contract import MOST_WORDS, Explaining, Judgement, Lines, Rules, Shows
from sixfold.games.shared.compiling import compiled, compiled_with_arrays
from sixfold.games.shared.generator import below, picked, stream
from sixfold.games.shared.shown import InParts, Parts
from sixfold.games.shared.symbols import NONE

# How many games one call of the measurement plays.
BATCH = 1000
INT, SEED = np.int64, np.uint64


def buffer(name: str, kind: Any, *shape: int, content: np.ndarray | None = None) -> Buffer:
    """A buffer of one item, or of a shape."""
    return Buffer(name, np.dtype(kind), shape or (1,), b"" if content is None else content.tobytes())


class Buffers:
    """The buffers that several functions of a game share."""

    def __init__(self, rules: Rules) -> None:
        self.state = buffer("state", rules.STATE)
        # The same state as whole words, the last one filled up with zeros.
        self.words = buffer("state", np.uint64, words_of(rules))
        self.scratch = buffer("_scratch", rules.STATE, 2)
        self.moves = buffer("moves", np.int16, rules.MOST_LEGAL)
        self.worth = buffer("worth", np.float64, rules.MOST_LEGAL)
        self.order = buffer("_order", np.int32, rules.MOST_LEGAL)
        self.values = buffer("values", np.int8, max(rules.PLAYERS), 6)
        self.generator = buffer("generator", np.uint64)


def rules_exports(rules: Rules, use: Buffers) -> list[Export]:
    """The rules: what may be done, doing it, chance, what a seat sees and may guess, values and previews."""
    on = single(rules)
    preview = on.preview

    @compiled
    def owed(states: np.ndarray, answer: np.ndarray) -> None:
        answer[0], answer[1] = rules.owed(states[0])

    @compiled
    def draw(states: np.ndarray, generator: np.ndarray) -> int:
        item = rules.drawn(states[0], below(generator, rules.pool_size(states[0])))
        rules.receive(states[0], item)
        return item

    @compiled
    def sees(states: np.ndarray, seat: int, player: int) -> bool:
        return rules.sees(states[0], seat, player)

    @compiled
    def guess(states: np.ndarray, items: np.ndarray, generator: np.ndarray, seat: int) -> None:
        player = rules.unknown(states[0], seat)
        while player != NONE:
            rules.possible(states[0], player, items)
            rules.fill(states[0], player, picked(generator, items))
            player = rules.unknown(states[0], seat)

    @compiled_with_arrays
    def previews(states: Any, scratch: Any, moves: Any, table: Any, effects: Any, number: int) -> None:
        preview(states, scratch, moves[:number], table, effects)

    state, generator = {"states": use.state}, {"generator": use.generator}
    tried = {"scratch": use.scratch, "moves": use.moves, "table": use.values}
    effects = {"effects": buffer("effects", np.int8, rules.MOST_LEGAL, 7)}
    items = {"items": buffer("items", np.int8, len(rules.ITEMS))}
    return [
        Export("count", on.count, state),
        Export("legal", on.legal, {**state, "moves": use.moves}),
        Export("allowed", on.allowed, {**state, "move": INT}),
        Export("act", on.act, {**state, "move": INT}),
        Export("owed", owed, {**state, "answer": buffer("answer", np.int32, 2)}),
        Export("pool_size", on.pool_size, state),
        Export("receive", on.receive, {**state, "item": INT}),
        Export("draw", draw, {**state, **generator}),
        Export("sees", sees, {**state, "seat": INT, "player": INT}),
        Export("hide", on.hide, {**state, "seat": INT}),
        Export("guess", guess, {**state, **items, **generator, "seat": INT}),
        Export("evaluate", on.values, {**state, "result": use.values}),
        Export("previews", previews, {**state, **tried, **effects, "number": INT}),
    ]


def shown_exports(parts: Parts, use: Buffers) -> list[Export]:
    """``follow`` works out what follows from a position that was told."""
    follow_one = parts.follow

    @compiled
    def follow(states: np.ndarray) -> None:
        follow_one(states[0])

    return [Export("follow", follow, {"states": use.state})]


def explaining_exports(rules: Rules, explaining: Explaining, use: Buffers) -> list[Export]:
    """What people ask of a position."""
    on = explained(explaining)
    earned_by_all = on.earned

    @compiled
    def earned(states: Any, moves: Any, results: Any, number: int) -> None:
        earned_by_all(states, moves[:number], results)

    state = {"states": use.state}
    earnings = {"results": buffer("earnings", np.int8, rules.MOST_LEGAL, 6)}
    found = [
        Export("earned", earned, {**state, "moves": use.moves, **earnings, "number": INT}),
        Export("reach", on.reach, {**state, "result": buffer("reaches", np.int8, max(rules.PLAYERS))}),
        Export("bonus", on.bonus, state),
        Export("ended", on.ended, state),
        Export("refusal", on.refusal, {**state, "move": INT, "words": buffer("words", np.int64, MOST_WORDS)}),
    ]
    if explaining.CELLS:
        found += lines_exports(cast(Lines, explaining), use)
    if hasattr(explaining, "shows"):
        found.append(shows_export(rules, cast(Shows, explaining), use))
    if hasattr(explaining, "favours"):
        found.append(Export("favours", explaining.favours, {"move": INT, "symbol": INT}))
    return found


def shows_export(rules: Rules, explaining: Shows, use: Buffers) -> Export:
    """What a move shows to everybody of the hand that it is played from."""

    @compiled
    def shows(states: np.ndarray, found: np.ndarray, move: int) -> int:
        return explaining.shows(states[0], move, found)

    return Export(
        "shows", shows, {"states": use.state, "found": buffer("shown", np.int16, len(rules.ITEMS)), "move": INT}
    )


def lines_exports(explaining: Lines, use: Buffers) -> list[Export]:
    """Which cells score, where there is a board."""

    @compiled
    def scoring(states: np.ndarray, found: np.ndarray, cell: int, symbol: int) -> int:
        return explaining.scoring(states[0], cell, symbol, found)

    @compiled
    def scored(states: np.ndarray, found: np.ndarray, move: int) -> int:
        return explaining.scored(states[0], move, found)

    given = {"states": use.state, "found": buffer("cells", np.int16, explaining.MOST_SCORING)}
    return [
        Export("scoring", scoring, {**given, "cell": INT, "symbol": INT}),
        Export("scored", scored, {**given, "move": INT}),
    ]


def bot_exports(judgement: Judgement, use: Buffers) -> list[Export]:
    """One look ahead: ``judge`` says how many moves it has given values, then one of them is taken by its place."""
    judge_all = judged(judgement)

    @compiled
    def plant(generator: np.ndarray, seed: np.uint64, number: int) -> None:
        generator[0] = stream(seed, number)

    @compiled
    def any_below(generator: np.ndarray, limit: int) -> int:
        return below(generator, limit)

    @compiled_with_arrays
    def judge(states: Any, moves: Any, worth: Any, weights: Any, after: Any, foresight: int) -> int:
        return judge_all(states, moves, worth, weights[foresight], after)

    @compiled
    def best(worth: np.ndarray, number: int) -> int:
        return choosing.best(worth[:number])

    @compiled
    def any_best(worth: np.ndarray, generator: np.ndarray, number: int) -> int:
        return choosing.any_best(worth[:number], generator)

    @compiled
    def any_better(worth: np.ndarray, order: np.ndarray, generator: np.ndarray, number: int) -> int:
        return choosing.any_of_better_half(worth[:number], order, generator)

    both = np.array([judgement.WEIGHTS, judgement.FORESIGHT])
    weights = buffer("_weights", np.float64, *both.shape, content=both)
    worth, generator = {"worth": use.worth}, {"generator": use.generator}
    given = {"states": use.state, "moves": use.moves, **worth, "weights": weights, "after": use.scratch}
    return [
        Export("plant", plant, {**generator, "seed": SEED, "number": INT}),
        Export("below", any_below, {**generator, "limit": INT}),
        Export("judge", judge, {**given, "foresight": INT}),
        Export("best", best, {**worth, "number": INT}),
        Export("any_best", any_best, {**worth, **generator, "number": INT}),
        Export("any_better", any_better, {**worth, "order": use.order, **generator, "number": INT}),
    ]


def search_exports(rules: Rules, judgement: Judgement, use: Buffers) -> list[Export]:
    """The search: a ``root`` is made of what was judged, then ``explore`` goes on while there is time."""
    explore_on = explorer(judgement)

    @compiled
    def root(
        moves: Any, worth: Any, order: Any, roots: Any, values: Any, nodes: Any, used: Any, dreams: Any, generator: Any,
        number: int,
    ) -> None:  # fmt: skip
        choosing.best_first(worth[:number], order)
        for at in range(number):
            roots[at] = moves[order[at]]
            values[at] = worth[order[at]]
        new_node(nodes, 0, 0)
        used[0] = 1
        dreams[0] = stream(np.uint64(below(generator, 2**32)), 0)

    @compiled
    def explore(
        states: Any, roots: Any, values: Any, nodes: Any, used: Any, room: Any, dreams: Any, plan: Any, seat: int,
        number: int, iterations: int,
    ) -> int:  # fmt: skip
        beginning = (states, seat, roots[:number], values[:number])
        return explore_on(beginning, nodes, used, room, dreams, plan, iterations)

    room = tuple(buffer(f"_desk_{number}", array.dtype, *array.shape) for number, array in enumerate(desk(judgement)))
    roots = {
        "roots": buffer("_roots", np.int16, rules.MOST_LEGAL),
        "values": buffer("_root_values", np.float64, rules.MOST_LEGAL),
    }
    tree = {"nodes": buffer("_nodes", NODE, ROOM), "used": buffer("_used", np.int64)}
    dreams = {"dreams": buffer("_dreams", np.uint64)}
    plan = {"plan": buffer("_plan", judgement.PLAN.record().dtype, content=judgement.PLAN.record())}
    sorting = {"moves": use.moves, "worth": use.worth, "order": use.order}
    going: dict[str, Argument] = {"states": use.state, **roots, **tree, "room": room, **dreams, **plan}
    return [
        Export("root", root, {**sorting, **roots, **tree, **dreams, "generator": use.generator, "number": INT}),
        Export("explore", explore, {**going, "seat": INT, "number": INT, "iterations": INT}),
        Export("most_tried", choosing.most_tried, {"nodes": tree["nodes"]}),
    ]


def checking_exports(rules: Rules, use: Buffers) -> list[Export]:
    """Random games: to compare them with those played elsewhere, and to measure."""
    begin = {"begin": buffer("begin", rules.STATE)}
    seeds: dict[str, Argument] = {"seed": SEED, "first": INT}
    digested = {"words": use.words, "generator": use.generator, "digest": buffer("digest", np.uint64)}
    played = {
        "lengths": buffer("lengths", np.int32, BATCH),
        "results": buffer("results", np.int8, BATCH, max(rules.PLAYERS), 6),
    }
    plain = {"scratch": use.scratch, "generator": use.generator}
    return [
        Export("digested", digested_games(rules), {**begin, "states": use.state, **digested, **seeds, "games": INT}),
        Export("play", random_games(rules), {**begin, **plain, **seeds, "row": INT, "stride": INT, **played}),
    ]


def exports_of(package: Package) -> list[Export]:
    """Everything that a game's module offers, but for bots that know only this game."""
    rules, judgement = package.rules, package.judgement
    use = Buffers(rules)
    return [
        *rules_exports(rules, use),
        *shown_exports(cast(InParts, package.shown).PARTS, use),
        *explaining_exports(rules, package.explaining, use),
        *bot_exports(judgement, use),
        *search_exports(rules, judgement, use),
        *checking_exports(rules, use),
    ]
