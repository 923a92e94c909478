"""The exports of a game's module: everything that a table needs, as functions over buffers.

The position is in the buffer ``state``; moves, values and so on are written into buffers of those names. Buffers whose
names begin with ``_`` are private.
"""

from typing import Any, NamedTuple, cast

import numpy as np

from sixfold.bots import selection
from sixfold.bots.greedy import build_one_ply
from sixfold.bots.reasons import build_explain
from sixfold.bots.reasons import make_workspace as make_reason_workspace
from sixfold.bots.search import MAX_NODES
from sixfold.bots.tree import NODE, build_search, init_node, make_workspace
from sixfold.engine.annotations import lift_annotations, lift_scored, lift_shows
from sixfold.engine.lifted import lift
from sixfold.engine.playouts import random_games
from sixfold.engine.steps import steps_of
from sixfold.engine.wasm import Argument, Buffer, Export, buffers_like
from sixfold.games import Package
from sixfold.games.contract import MAX_WORDS, Annotations, Heuristics, Lines, Rules, Series, Shows
from sixfold.games.shared.compiler import compiled, compiled_with_arrays
from sixfold.games.shared.generator import below, stream
from sixfold.games.shared.symbols import CHANCE, NONE
from sixfold.table.position_writer import WriterProgram, write_json
from sixfold.wasm.game_digest import digested_games, words_of

# The number of games that one call of the benchmark plays.
BATCH = 1000
INT, SEED = np.int64, np.uint64
# More bytes than the JSON of any position has.
MOST_JSON = 8192


def buffer(name: str, kind: Any, *shape: int, content: np.ndarray | None = None) -> Buffer:
    """A buffer of one item, or of a shape."""
    return Buffer(name, np.dtype(kind), shape or (1,), b"" if content is None else content.tobytes())


class Buffers:
    """The buffers shared by several functions of a game."""

    def __init__(self, rules: Rules) -> None:
        self.state = buffer("state", rules.STATE)
        # The same memory as words, the last one padded with zeros.
        self.words = buffer("state", np.uint64, words_of(rules))
        self.bytes = buffer("state", np.int8, rules.STATE.itemsize)
        self.scratch = buffer("_scratch", rules.STATE, 2)
        self.moves = buffer("moves", np.int16, rules.MAX_LEGAL)
        self.worth = buffer("worth", np.float64, rules.MAX_LEGAL)
        self.order = buffer("_order", np.int32, rules.MAX_LEGAL)
        self.values = buffer("values", np.int8, max(rules.PLAYERS), len(rules.VALUES))
        self.generator = buffer("generator", np.uint64)


def rules_exports(rules: Rules, buffers: Buffers) -> list[Export]:
    """The rules: legal moves, acting, chance, views and guesses of a seat, values and previews."""
    lifted, steps = lift(rules), steps_of(rules)
    preview, draw_one, deal_hidden = lifted.preview, steps.draw, steps.deal_hidden

    @compiled
    def owed(states: np.ndarray, answer: np.ndarray) -> None:
        answer[0], answer[1] = rules.pending_chance(states[0])

    @compiled
    def draw(states: np.ndarray, generator: np.ndarray) -> int:
        return draw_one(states[0], generator)

    @compiled
    def sees(states: np.ndarray, seat: int, player: int) -> bool:
        return rules.sees(states[0], seat, player)

    @compiled
    def guess(states: np.ndarray, items: np.ndarray, generator: np.ndarray, seat: int) -> None:
        deal_hidden(states[0], seat, items, generator)

    @compiled_with_arrays
    def previews(states: Any, scratch: Any, moves: Any, table: Any, effects: Any, number: int) -> None:
        preview(states, scratch, moves[:number], table, effects)

    state, generator = {"states": buffers.state}, {"generator": buffers.generator}
    preview_buffers = {"scratch": buffers.scratch, "moves": buffers.moves, "table": buffers.values}
    effects = {"effects": buffer("effects", np.int8, rules.MAX_LEGAL, len(rules.VALUES) + 1)}
    places = {"places": buffer("places", np.int8, max(rules.PLAYERS))}
    items = {"items": buffer("items", np.int8, len(rules.ITEMS))}
    exports = [
        Export("count", lifted.count, state),
        Export("legal", lifted.legal, {**state, "moves": buffers.moves}),
        Export("allowed", lifted.allowed, {**state, "move": INT}),
        Export("act", lifted.act, {**state, "move": INT}),
        Export("owed", owed, {**state, "answer": buffer("answer", np.int32, 2)}),
        Export("pool_size", lifted.pool_size, state),
        Export("receive", lifted.receive, {**state, "item": INT}),
        Export("draw", draw, {**state, **generator}),
        Export("sees", sees, {**state, "seat": INT, "player": INT}),
        Export("conceals", lifted.conceals, {**state, "occasion": INT, "player": INT, "seat": INT}),
        Export("hide", lifted.hide, {**state, "seat": INT}),
        Export("guess", guess, {**state, **items, **generator, "seat": INT}),
        Export("evaluate", lifted.values, {**state, "result": buffers.values}),
        Export("rank", lifted.rank, {**state, "result": buffers.values, **places}),
        Export("previews", previews, {**state, **preview_buffers, **effects, "number": INT}),
    ]
    return [*exports, points_export(cast(Series, rules), buffers)] if rules.ROUNDS else exports


def points_export(rules: Series, buffers: Buffers) -> Export:
    """The points of a player in a series."""

    @compiled
    def points(states: np.ndarray, player: int) -> int:
        return rules.points(states[0], player)

    return Export("points", points, {"states": buffers.state, "player": INT})


def codec_exports(package: Package, buffers: Buffers) -> list[Export]:
    """``follow`` computes the derived fields of a decoded position, ``encode`` writes a position as JSON."""
    assert package.fields is not None
    rules, follow_one = package.rules, package.fields.follow

    @compiled
    def follow(states: np.ndarray) -> None:
        follow_one(states[0])

    @compiled
    def encode(
        states: np.ndarray, state: np.ndarray, steps: np.ndarray, texts: np.ndarray, ends: np.ndarray, json: np.ndarray,
        seat: int,
    ) -> int:  # fmt: skip
        occasion = np.int64(NONE)
        if states[0].phase == CHANCE:
            occasion = np.int64(rules.pending_chance(states[0])[0])
        return write_json(steps, texts, ends, state, (seat, occasion, np.int64(rules.pool_size(states[0]))), json)

    program = {
        name: buffer(f"_json_{name}", array.dtype, *array.shape, content=array)
        for name, array in zip(("steps", "texts", "ends"), WriterProgram(package).arrays, strict=True)
    }
    json = {"json": buffer("json", np.uint8, MOST_JSON)}
    return [
        Export("follow", follow, {"states": buffers.state}),
        Export("encode", encode, {"states": buffers.state, "state": buffers.bytes, **program, **json, "seat": INT}),
    ]


def annotation_exports(rules: Rules, annotations: Annotations, buffers: Buffers) -> list[Export]:
    """The annotations of a position."""
    lifted = lift_annotations(annotations)
    earned_by_moves = lifted.earned

    @compiled
    def earned(states: Any, moves: Any, results: Any, number: int) -> None:
        earned_by_moves(states, moves[:number], results)

    state = {"states": buffers.state}
    earnings = {"results": buffer("earnings", np.int8, rules.MAX_LEGAL, len(rules.VALUES))}
    exports = [
        Export("earned", earned, {**state, "moves": buffers.moves, **earnings, "number": INT}),
        Export("reach", lifted.reach, {**state, "result": buffer("reaches", np.int8, max(rules.PLAYERS))}),
        Export("bonus", lifted.bonus, state),
        Export("ended", lifted.ended, state),
        Export("refusal", lifted.refusal, {**state, "move": INT, "words": buffer("words", np.int64, MAX_WORDS)}),
    ]
    if annotations.CELLS:
        exports += lines_exports(cast(Lines, annotations), buffers)
    if hasattr(annotations, "shows"):
        exports.append(reveal_export(rules, cast(Shows, annotations), buffers))
    return exports


def reveal_export(rules: Rules, annotations: Shows, buffers: Buffers) -> Export:
    """What a move reveals to everybody of the hand that it is played from."""
    items = buffer("shown", np.int16, len(rules.ITEMS))
    return Export("shows", lift_shows(annotations), {"states": buffers.state, "move": INT, "items": items})


def hint_export(package: Package, buffers: Buffers) -> Export:
    """The reason for a move from the view of the player in turn, as an index into the description's hints."""
    workspace = buffers_like("_hint", make_reason_workspace(package))
    workspace = workspace._replace(words=buffer("words", np.int64, MAX_WORDS))
    return Export("explain", build_explain(package), {"views": buffers.state, "workspace": workspace, "move": INT})


def lines_exports(annotations: Lines, buffers: Buffers) -> list[Export]:
    """Which cells score, for games with a board."""

    @compiled
    def scoring(states: np.ndarray, cells: np.ndarray, cell: int, symbol: int) -> int:
        return annotations.scoring(states[0], cell, symbol, cells)

    state, cells = {"states": buffers.state}, {"cells": buffer("cells", np.int16, annotations.MAX_SCORING)}
    return [
        Export("scoring", scoring, {**state, **cells, "cell": INT, "symbol": INT}),
        Export("scored", lift_scored(annotations), {**state, "move": INT, **cells}),
    ]


def one_ply_exports(heuristics: Heuristics, buffers: Buffers) -> list[Export]:
    """One-ply lookahead: ``judge`` returns the number of moves it has evaluated, then one is chosen by its index."""
    evaluate_moves = build_one_ply(heuristics)

    @compiled
    def seed_generator(generator: np.ndarray, seed: np.uint64, number: int) -> None:
        generator[0] = stream(seed, number)

    @compiled
    def any_below(generator: np.ndarray, limit: int) -> int:
        return below(generator, limit)

    @compiled_with_arrays
    def evaluate(states: Any, moves: Any, worth: Any, weights: Any, after: Any, foresight: int) -> int:
        return evaluate_moves(states, moves, worth, weights[foresight], after)

    @compiled
    def best(worth: np.ndarray, number: int) -> int:
        return selection.argmax(worth[:number])

    @compiled
    def any_best(worth: np.ndarray, generator: np.ndarray, number: int) -> int:
        return selection.random_argmax(worth[:number], generator)

    @compiled
    def any_better(worth: np.ndarray, order: np.ndarray, generator: np.ndarray, number: int) -> int:
        return selection.random_of_better_half(worth[:number], order, generator)

    weight_sets = np.array([heuristics.WEIGHTS, heuristics.SEARCH_WEIGHTS])
    weights = buffer("_weights", np.float64, *weight_sets.shape, content=weight_sets)
    worth, generator = {"worth": buffers.worth}, {"generator": buffers.generator}
    arguments = {"states": buffers.state, "moves": buffers.moves, **worth, "weights": weights, "after": buffers.scratch}
    return [
        Export("plant", seed_generator, {**generator, "seed": SEED, "number": INT}),
        Export("below", any_below, {**generator, "limit": INT}),
        Export("judge", evaluate, {**arguments, "foresight": INT}),
        Export("best", best, {**worth, "number": INT}),
        Export("any_best", any_best, {**worth, **generator, "number": INT}),
        Export("any_better", any_better, {**worth, "order": buffers.order, **generator, "number": INT}),
    ]


class TreeBuffers(NamedTuple):
    """The tree of a search, its root moves with their values, its generator, and the arguments of ``explore``."""

    nodes: Any
    used: Any
    moves: Any
    values: Any
    generator: Any
    workspace: Any
    plan: Any


def search_exports(rules: Rules, heuristics: Heuristics, buffers: Buffers) -> list[Export]:
    """The tree search: ``root`` starts from the evaluated moves, then ``explore`` continues while there is time."""
    continue_search = build_search(heuristics)

    @compiled
    def root(tree: Any, moves: Any, worth: Any, order: Any, generator: Any, number: int) -> None:
        selection.argsort_descending(worth[:number], order)
        for at in range(number):
            tree.moves[at] = moves[order[at]]
            tree.values[at] = worth[order[at]]
        init_node(tree.nodes, 0, 0)
        tree.used[0] = 1
        tree.generator[0] = stream(np.uint64(below(generator, 2**32)), 0)

    @compiled
    def explore(tree: Any, states: Any, seat: int, number: int, iterations: int) -> int:
        start = (states, seat, tree.moves[:number], tree.values[:number])
        return continue_search(start, tree.nodes, tree.used, tree.workspace, tree.generator, tree.plan, iterations)

    plan = heuristics.PLAN.record()
    tree = TreeBuffers(
        nodes=buffer("_nodes", NODE, MAX_NODES),
        used=buffer("_used", np.int64),
        moves=buffer("_roots", np.int16, rules.MAX_LEGAL),
        values=buffer("_root_values", np.float64, rules.MAX_LEGAL),
        generator=buffer("_dreams", np.uint64),
        workspace=buffers_like("_desk", make_workspace(heuristics)),
        plan=buffer("_plan", plan.dtype, content=plan),
    )
    evaluated = {"moves": buffers.moves, "worth": buffers.worth, "order": buffers.order}
    searching: dict[str, Argument] = {"tree": tree, "states": buffers.state}
    return [
        Export("root", root, {"tree": tree, **evaluated, "generator": buffers.generator, "number": INT}),
        Export("explore", explore, {**searching, "seat": INT, "number": INT, "iterations": INT}),
        Export("most_tried", selection.most_visited_move, {"nodes": tree.nodes}),
    ]


def verification_exports(rules: Rules, buffers: Buffers) -> list[Export]:
    """Random games, for verification and benchmarks."""
    begin = {"begin": buffer("begin", rules.STATE)}
    seeds: dict[str, Argument] = {"seed": SEED, "first": INT}
    digested = {"words": buffers.words, "generator": buffers.generator, "digest": buffer("digest", np.uint64)}
    played = {
        "lengths": buffer("lengths", np.int32, BATCH),
        "results": buffer("results", np.int8, BATCH, max(rules.PLAYERS), len(rules.VALUES)),
        "places": buffer("_places", np.int8, BATCH, max(rules.PLAYERS)),
    }
    plain = {"scratch": buffers.scratch, "generator": buffers.generator}
    return [
        Export(
            "digested", digested_games(rules), {**begin, "states": buffers.state, **digested, **seeds, "games": INT}
        ),
        Export("play", random_games(rules), {**begin, **plain, **seeds, "row": INT, "stride": INT, **played}),
    ]


def exports_of(package: Package) -> list[Export]:
    """All exports of a game's module except those of bots specific to the game."""
    rules, heuristics = package.rules, package.heuristics
    buffers = Buffers(rules)
    return [
        *rules_exports(rules, buffers),
        *codec_exports(package, buffers),
        *annotation_exports(rules, package.annotations, buffers),
        hint_export(package, buffers),
        *one_ply_exports(heuristics, buffers),
        *search_exports(rules, heuristics, buffers),
        *verification_exports(rules, buffers),
    ]
