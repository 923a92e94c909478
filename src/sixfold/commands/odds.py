"""``sixfold odds``: the exact chances of a position."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from sixfold.commands.cli_support import GameName, Options, read_options

if TYPE_CHECKING:
    from sixfold.solve.play.odds import Odds


def odds(
    game: GameName,
    me: Annotated[str, typer.Argument(metavar="ME", help="the marks of the player in turn, such as 331021")],
    opponent: Annotated[str, typer.Argument(metavar="OPPONENT", help="the opponent's marks")],
    shown: Annotated[str, typer.Argument(metavar="DICE", help="the dice the opponent shows; - if hidden (D15)")],
    roll: Annotated[str | None, typer.Option(help="the roll just made: what can be done with it?")] = None,
    rolls_left: Annotated[
        int | None, typer.Option(min=0, max=2, help="how many more rolls are allowed after --roll; 2 unless told")
    ] = None,
    option: Options = None,
    values: Annotated[
        Path | None, typer.Option(help="the value file, if it is not where `sixfold solve` puts it")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="the same for programs")] = False,
) -> None:
    """The chance of winning for the player about to roll, marks in the order R G B O Y P; with --roll, every choice."""
    from sixfold.engine.game import full_options, rules_of
    from sixfold.errors import SetupError
    from sixfold.solve.play.odds import NOTHING, Odds, dice_text, read_dice, read_sheet
    from sixfold.solve.values.file import open_values

    if game != "dice":
        raise SetupError("only the dice game with two players is solved; write: sixfold odds dice …")
    if roll is None and rolls_left is not None:
        raise SetupError("--rolls-left says how many rolls may follow the one just made: it needs --roll")
    options = full_options(rules_of(game), read_options(option))
    if shown == NOTHING and (me + opponent != 12 * "0" or not options["hidden_start"]):
        raise SetupError("DICE is - only before the first turn of a game with --option hidden_start=true (D15)")
    table = open_values(options["split_jokers"] is True, values)
    mine, theirs = read_sheet(table, me, "ME"), read_sheet(table, opponent, "OPPONENT")
    in_view = 0 if shown == NOTHING else read_dice(table, shown, "DICE")
    position_odds = Odds(table, mine, theirs, in_view)
    answer: dict[str, Any] = {
        "game": game,
        "options": options,
        "mine": me,
        "theirs": opponent,
        "shown": dice_text(in_view),
        "chance": position_odds.chance(),
    }
    if roll is not None:
        rolled, left = read_dice(table, roll, "--roll"), 2 if rolls_left is None else rolls_left
        answer |= {"roll": dice_text(rolled), "rolls_left": left, "choices": _choices(position_odds, rolled, left)}
    if as_json:
        print(json.dumps(answer))
    else:
        _show(answer)


def _choices(position_odds: "Odds", roll: int, rolls_left: int) -> list[dict[str, Any]]:
    from dataclasses import asdict

    return [asdict(choice) for choice in position_odds.choices(roll, rolls_left)]


def _show(answer: dict[str, Any]) -> None:
    console = Console()
    chance = f"{answer['chance']:.4%}"
    if "choices" not in answer:
        console.print(f"The player about to roll wins with {chance}.", highlight=False)
        return
    best = f"{answer['choices'][0]['chance']:.4%}"
    console.print(f"Before the turn the player to move wins with {chance}, now with {best}.", highlight=False)
    more = ("no more roll", "one more roll", "two more rolls")[answer["rolls_left"]]
    table = Table(title=f"after {answer['roll']}, {more} allowed")
    for heading in ("move", "sheet", "chance", "loss"):
        table.add_column(heading, justify="right" if heading in ("chance", "loss") else "left")
    for choice in answer["choices"]:
        table.add_row(choice["move"], choice["sheet"] or "", f"{choice['chance']:.4%}", f"{choice['loss']:.4%}")
    console.print(table)
