"""``sixfold odds``: the exact chances of a position."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from sixfold.commands.common import GameName, Options, read_options

if TYPE_CHECKING:
    from sixfold.solve.odds import Odds


def odds(
    game: GameName,
    me: Annotated[str, typer.Argument(metavar="ME", help="the marks of the player in turn, such as 331021")],
    opponent: Annotated[str, typer.Argument(metavar="OPPONENT", help="the opponent's marks")],
    shown: Annotated[str, typer.Argument(metavar="DICE", help="the dice the opponent shows; - for none (D15)")],
    roll: Annotated[str | None, typer.Option(help="the roll just made: what can be done with it?")] = None,
    rolls_left: Annotated[int, typer.Option(min=0, max=2, help="how many more rolls are allowed")] = 2,
    option: Options = None,
    values: Annotated[
        Path | None, typer.Option(help="the value file, if it is not where `sixfold solve` puts it")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="the same for programs")] = False,
) -> None:
    """The chance of winning for the player about to roll, marks in the order R G B O Y P; with --roll, every choice."""
    from sixfold.games import SetupError, full_options, rules_of
    from sixfold.solve.odds import NOTHING, Odds, dice_text, read_dice, read_sheet
    from sixfold.solve.values import open_values

    if game != "dice":
        raise SetupError("only the dice game with two players is solved; write: sixfold odds dice …")
    options = full_options(rules_of(game), read_options(option))
    table = open_values(options["split_jokers"], values)
    mine, theirs = read_sheet(table, me, "ME"), read_sheet(table, opponent, "OPPONENT")
    if shown == NOTHING and theirs:
        raise SetupError("only an opponent without a turn so far shows no dice (D15)")
    in_view = 0 if shown == NOTHING else read_dice(table, shown, "DICE")
    asked = Odds(table, mine, theirs, in_view)
    answer: dict[str, Any] = {
        "game": game,
        "options": options,
        "mine": me,
        "theirs": opponent,
        "shown": dice_text(in_view),
        "chance": asked.chance(),
    }
    if roll is not None:
        made = read_dice(table, roll, "--roll")
        answer |= {"roll": dice_text(made), "rolls_left": rolls_left, "choices": _choices(asked, made, rolls_left)}
    if as_json:
        print(json.dumps(answer))
    else:
        _show(answer)


def _choices(asked: "Odds", roll: int, rolls_left: int) -> list[dict[str, Any]]:
    from dataclasses import asdict

    return [asdict(choice) for choice in asked.choices(roll, rolls_left)]


def _show(answer: dict[str, Any]) -> None:
    console = Console()
    console.print(f"The player about to roll wins with {answer['chance']:.4%}.", highlight=False)
    if "choices" not in answer:
        return
    table = Table(title=f"after {answer['roll']}, {answer['rolls_left']} more rolls allowed")
    for heading in ("move", "sheet", "chance", "loss"):
        table.add_column(heading, justify="right" if heading in ("chance", "loss") else "left")
    for choice in answer["choices"]:
        table.add_row(choice["move"], choice["sheet"] or "", f"{choice['chance']:.4%}", f"{choice['loss']:.4%}")
    console.print(table)
