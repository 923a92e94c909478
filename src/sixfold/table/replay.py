"""Replay a finished round step by step: each decision, the chance events after it, and the resulting position."""

from collections.abc import Mapping
from typing import Any

from sixfold.engine.annotations import reach
from sixfold.engine.record import begin, walk
from sixfold.table import positions


def steps(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The steps of a record with all hands open; the first one is the deal."""
    game, events = begin(record), record["events"]
    ends = {number for number, event in enumerate(events) if event[0].isdigit()} | {len(events)}
    replay_steps: list[dict[str, Any]] = []
    group: list[str] = []
    before = game.values
    for event, _ in walk(game, events):
        group.append(event)
        if len(game.events) not in ends:
            continue
        player = int(group[0].partition(" ")[0]) if group[0][0].isdigit() else None
        gained = [0] * len(game.rules.VALUES)
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
        group, before = [], game.values
    return replay_steps
