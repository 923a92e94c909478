"""Writes docs/dice-solved.md and its charts from the numbers of a report."""

import json
from pathlib import Path
from typing import Any

from lab.studies import charts
from sixfold.errors import SetupError
from sixfold.system import atomic_file

PHASES = ("0 to 13 marks", "14 to 27 marks", "28 to 41 marks")
HABITS = {
    "greedy": "always the scoring with most marks",
    "three_rolls": "always rolling three times",
    "one_roll": "never rolling again",
    "no_jokers": "never using a joker",
}
COMMANDS = (
    "```sh",
    "sixfold solve dice                                # the values, where the other commands look for them",
    "sixfold solve check FILE                          # digests, and the equation at every position",
    "sixfold odds dice 331021 123002 RRBP              # one position",
    "sixfold odds dice 331021 123002 RRBP --roll RRGY --rolls-left 1",
    "sixfold solve teach FILE --out dice.guess.npz     # the approximation",
    "python -m lab solution docs                       # this page, from the values of both readings",
    "```",
)
# Points of a chart that rest on fewer decisions than this are left out.
ENOUGH = 200


def read_numbers(docs: Path, name: str) -> dict[str, Any]:
    """The numbers of one reading of the joker rule."""
    path = docs / "dice-solved" / name
    if not path.exists():
        raise SetupError(f"{path} is not there; leave out --only-page to work it out from the value files")
    try:
        numbers: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise SetupError(f"{path} is no JSON: {error}") from None
    return numbers


def kept(rolls: list[list[list[list[int]]]], roll: int) -> dict[str, dict[float, float]]:
    """How often perfect play keeps a roll, by the marks gained, for each third of the sheet."""
    return {
        phase: {
            marks: keep / (keep + again)
            for marks, (keep, again) in enumerate(rolls[roll][number])
            if keep + again >= ENOUGH
        }
        for number, phase in enumerate(PHASES)
    }


def leading(leads: dict[str, Any]) -> dict[str, dict[float, float]]:
    """The chance of the player about to roll, by the lead in marks."""
    return {
        phase: {
            at - leads["middle"]: total / turns
            for at, (turns, total) in enumerate(leads["sums"][number])
            if turns >= ENOUGH
        }
        for number, phase in enumerate(("0 to 27 on both sheets", "28 to 55", "56 to 83"))
    }


def threshold(shares: dict[float, float]) -> float:
    """The fewest marks for which a roll is kept more often than not."""
    return min(marks for marks, share in shares.items() if share > 0.5)


def pictures(whole: dict[str, Any], split: dict[str, Any]) -> dict[str, str]:
    """The charts of the page, by file name."""
    first = {
        "as printed": whole["first_turn"]["printed"],
        "hidden start": whole["first_turn"]["hidden"],
        "as printed, split jokers": split["first_turn"]["printed"],
        "hidden start, split jokers": split["first_turn"]["hidden"],
    }
    wins = {text: whole["habits"][habit]["wins"] for habit, text in HABITS.items()}
    across = "marks that keeping the roll would give"
    rolls = whole["perfect"]["rolls"]
    return {
        "first-turn.svg": charts.bars("The start player's chance of winning", first, 0.5),
        "first-roll.svg": charts.lines("How often the first roll is kept", across, kept(rolls, 0)),
        "second-roll.svg": charts.lines("How often the second roll is kept", across, kept(rolls, 1)),
        "leads.svg": charts.lines(
            "The chance of the player about to roll", "lead in marks", leading(whole["perfect"]["leads"])
        ),
        "habits.svg": charts.bars("Games won against perfect play", wins, 0.5),
    }


def _joker_rows(jokers: list[list[float]]) -> list[str]:
    rows = [
        "| largest group | scored rolls | with a joker | what the joker gained, on average |",
        "| ---: | ---: | ---: | ---: |",
    ]
    for size in (2, 3, 4):
        scored, used, gain = jokers[size]
        rows.append(f"| {size} | {scored:,.0f} | {used / scored:.1%} | {100 * gain / used:.1f} points |")
    return rows


def _habit_rows(habits: dict[str, Any]) -> list[str]:
    rows = [
        "| habit | games | wins against perfect play | cost of its decisions a game |",
        "| --- | ---: | ---: | ---: |",
    ]
    for habit, text in {**HABITS, "approximation": "the approximation in the package"}.items():
        result = habits[habit]
        wins = f"{result['wins']:.2%} ± {1.96 * result['wins_error']:.2%}"
        rows.append(
            f"| {text} | {result['games']:,} | {wins} | {100 * result['loss']:.2f} ± {196 * result['error']:.2f} points |"
        )
    return rows


def _even_rows(examples: list[dict[str, Any]]) -> list[str]:
    rows = ["| both sheets | the opponent shows | the player about to roll wins |", "| --- | --- | ---: |"]
    for position in examples:
        if position["mine"] == position["theirs"]:
            rows.append(f"| {position['mine']} | {position['shown']} | {position['chance']:.2%} |")
    return rows


def _thresholds(rolls: list[list[list[list[int]]]]) -> list[str]:
    rows = ["| marks on the own sheet | first roll | second roll |", "| --- | ---: | ---: |"]
    for number, phase in enumerate(PHASES):
        first, second = (threshold(kept(rolls, roll)[PHASES[number]]) for roll in (0, 1))
        rows.append(f"| {phase.removesuffix(' marks')} | {first} | {second} |")
    return rows


def _beginning(whole: dict[str, Any], split: dict[str, Any]) -> list[str]:
    begin, other, residual = whole["first_turn"], split["first_turn"], whole["residual"]
    worst, best = begin["by_dice"]["4"]["value"], max(kind["value"] for kind in begin["by_dice"].values())
    return [
        "# The two-player dice game, solved",
        f"Every position has a true winning chance, and here it is: {residual['values']:,} values for {whole['sheets']:,} sheets "
        f"({whole['classes']} up to a renaming of the symbols), each against every sheet and every roll of the opponent. A point on this "
        "page is one hundredth of winning chance. `sixfold solve dice` works the values out, `sixfold odds dice` looks one up, and "
        "`python -m lab solution` writes this page.",
        "## What is the first turn worth?",
        "![The start player's chance](dice-solved/first-turn.svg)",
        f"A lot. With perfect play on both sides the start player of the printed game wins **{begin['printed']:.2%}** of all games. It matters "
        f"little what the other has rolled: four equal dice leave {worst:.1%}, the best kind {best:.1%}. The printed variant with a hidden start "
        f"turns it round: the start player, who can score only jokers in the first turn, wins **{begin['hidden']:.2%}**. So the variant "
        f"repairs the game, and leaves the second player a small advantage. With the other reading of the joker rule (`split_jokers`) the figures are "
        f"{other['printed']:.2%} and {other['hidden']:.2%}: for this question it does not matter.",
    ]


def _playing(perfect: dict[str, Any], examples: list[dict[str, Any]]) -> list[str]:
    targets = perfect["targets"]
    return [
        "## When to roll again",
        "Perfect play keeps a roll more often than not when it gives at least so many marks:",
        "\n".join(_thresholds(perfect["rolls"])),
        "![The first roll](dice-solved/first-roll.svg)",
        "![The second roll](dice-solved/second-roll.svg)",
        "The number of marks is not all there is to it: which symbols they are, and what one's dice leave for the other, decide the cases in between.",
        "## What a joker is worth",
        "\n".join(_joker_rows(perfect["jokers"])),
        f"Counted in the games below, where the gain is over the best scoring without a joker. {targets[0] / sum(targets):.0%} of all single "
        "jokers go to the lowest row, or to one of the lowest.",
        "## What a lead is worth",
        "![Leads](dice-solved/leads.svg)",
        "Level in marks, the player about to roll is the favourite throughout; late in the game a few marks decide.",
        "Between equal sheets it is worth more and more to be the one about to roll:",
        "\n".join(_even_rows(examples)),
    ]


def _proving(whole: dict[str, Any], split: dict[str, Any]) -> list[str]:
    begin, perfect, residual = whole["first_turn"], whole["perfect"], whole["residual"]
    turns = sum(number * games for number, games in enumerate(perfect["turns"])) / perfect["games"]
    return [
        "## What habits cost",
        "![Habits](dice-solved/habits.svg)",
        "\n".join(_habit_rows(whole["habits"])),
        "Each habit is played perfectly apart from itself, and begins every other game. The cost is exact: at every decision, the chance of the best "
        "move less the chance of the move made, added up over the game. Taking most marks costs almost nothing; bad rolling and spurned jokers lose nearly every game.",
        "## How we know",
        f"- The optimality equation holds at all {residual['values']:,} values: the largest residual is {residual['largest']:.1e}, the mean {residual['mean']:.1e} "
        f"(split jokers: {split['residual']['largest']:.1e}).",
        f"- {perfect['games']:,} games of perfect play against itself: the start player won {perfect['start_player_wins']:.2%} ± {1.96 * perfect['error']:.2%}, "
        f"predicted {begin['printed']:.2%}. A game takes {turns:.1f} turns.",
        f"- One more mark never hurts: over all positions and every box that could be marked besides, the chance falls by at most {whole['largest_drop']:.1e}, "
        "the last digit of the values.",
        "- Reduced games (fewer symbols, boxes and dice) were solved by brute force in exact fractions, and agree value by value; so do transitions "
        "of sampled positions that were played out by the rule book (`tests/test_solve.py`).",
        "- The same game solved on an NVIDIA H200 and on sixteen cores: no value differs by more than 1.3e-7 "
        "(`sixfold solve check FILE --against OTHER`). Sixteen cores of one maker and two of another write the same file, byte for byte.",
    ]


def _making(whole: dict[str, Any]) -> list[str]:
    loss = whole["habits"]["approximation"]["loss"]
    return [
        "## How it is done",
        "A position is my sheet, the opponent's sheet and the dice that the opponent shows. Renaming the symbols on both sheets and the dice together leaves "
        "6,121,593 pairs of sheets; dice that such a renaming cannot tell apart share a value, and so do dice that make no difference to anything I can roll. "
        "What a roll can make of my sheet does not depend on the opponent: it is worked out once, by the rule book, and only results stay that no other "
        "covers. More marks never hurt, since one can always play on as if they were not there. Marks never go away, so pairs are solved by the marks on "
        "both sheets, from full sheets down. Only a turn without any mark stays on its level; it leads from (mine, theirs) to (theirs, mine), so these two are "
        "solved together until nothing changes.",
        "Two cores of an AMD EPYC take six and a half minutes and 2.5 GB of memory, sixteen cores of an Intel Xeon 81 seconds, and an "
        "H200 18 seconds, 2 of them for the pairs; 31 to 38 seconds where nothing was compiled before. "
        f"The file has {whole['file'] / 1e9:.2f} GB; `src/sixfold/solve/values/file.py` and `positions/state_space.py` describe it.",
        "## The bots",
        "`perfect` plays by the file and never makes a mistake. `solved` needs no file: it plays by an approximation that comes with the package and was taught "
        f"by the values, looking one turn ahead; the last fourteen boxes it knows by heart. Along the games above its decisions cost {100 * loss:.2f} points of winning chance "
        "a game. It is taught with the printed rules, and plays by the other reading of the joker rule, too. It is level 5 of the two-player game.",
        "## Make it yourself",
        "\n".join(COMMANDS),
        "`--device cuda` solves on an NVIDIA GPU, and `--option split_jokers=true` by the other reading of the joker rule.",
        "## What is open",
        "Three and four players have too many positions for this method: a third sheet multiplies them by tens of thousands. So has the series (D14), where "
        "it counts by how much one loses: its end would need the distribution of the loser's shortest row, not only the winning chance.",
    ]


def page(whole: dict[str, Any], split: dict[str, Any]) -> list[str]:
    """The page, paragraph by paragraph."""
    return [
        *_beginning(whole, split),
        *_playing(whole["perfect"], whole["examples"]),
        *_proving(whole, split),
        *_making(whole),
    ]


def write_page(docs: Path) -> None:
    """Write the page and its charts from the numbers in ``docs/dice-solved``."""
    whole = read_numbers(docs, "dice-solved.json")
    split = read_numbers(docs, "dice-solved-split_jokers.json")
    for name, svg in pictures(whole, split).items():
        with atomic_file(docs / "dice-solved" / name) as file:
            file.write(svg)
    with atomic_file(docs / "dice-solved.md") as file:
        file.write("\n\n".join(page(whole, split)) + "\n")
