"""Replay a finished round step by step: each decision, the chance events after it, and the resulting position."""

from collections.abc import Mapping
from typing import Any

from sixfold.engine.annotations import reach
from sixfold.engine.game import Game, full_options, rules_of
from sixfold.table import positions


def steps(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The steps of a record with all hands open; the first one is the deal."""
    rules = rules_of(record["game"], record["players"])
    game = Game(rules, rules.start(record["players"], **full_options(rules, record["options"])))
    replay_steps: list[dict[str, Any]] = []
    events: list[str] = record["events"]
    at = 0
    while at < len(events):
        before = game.values
        head = events[at].split(" ")[0]
        player = int(head) if head.isdigit() else None
        group = [events[at]]
        while at + len(group) < len(events) and not events[at + len(group)][0].isdigit():
            group.append(events[at + len(group)])
        for event in group:
            game.apply(event)
        at += len(group)
        gained = [0] * len(rules.VALUES)
        if player is not None:
            gained = [after - value for after, value in zip(game.values[player], before[player], strict=True)]
        open_view = game.open_view()
        replay_steps.append(
            {
                "events": group,
                "player": player,
                "gained": gained,
                "position": positions.value(open_view),
                "reach": reach(open_view),
            }
        )
    return replay_steps
