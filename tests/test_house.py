"""The house stays in order: imports run downwards, rules are pure, importing is quick."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "sixfold"

FACADE = "__init__"
LAYERS = [
    {"language", "system"},
    {"games"},
    {"engine"},
    {"bots", "table", "solve", FACADE},
    {"arena", "train", "review", "browser"},
    {"server", "terminal", "research"},
    {"loadtest"},
    {"commands", "cli"},
    {"__main__"},
]
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}

IMPURE = ("random", "secrets", "time", "os", "numpy.random")
HEAVY = ("numba_cuda", "torch", "litestar", "textual", "typer")


def sources() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def room(path: Path) -> str:
    """The part of the house that a file belongs to: its first name below sixfold."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imported(path: Path, source: str | None = None) -> Iterator[str]:
    """Full names of everything a file imports; `from a import b` gives `a.b`."""
    package = ("sixfold", *path.relative_to(PACKAGE).parent.parts)
    tree = ast.parse(path.read_text(encoding="utf-8") if source is None else source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*parents, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def imported_rooms(path: Path) -> Iterator[tuple[str, str]]:
    """Pairs of an import and the part of the house it leads to."""
    for name in imported(path):
        first, _, rest = name.partition(".")
        if first == "sixfold":
            target = rest.partition(".")[0]
            exists = (PACKAGE / target).is_dir() or (PACKAGE / f"{target}.py").is_file()
            yield name, target if target and exists else FACADE


def is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.Lambda)


def within(name: str, module: str) -> bool:
    return name == module or name.startswith(f"{module}.")


def test_every_file_belongs_to_a_layer() -> None:
    homeless = [shown(path) for path in sources() if room(path) not in LEVEL]
    assert not homeless, "no layer for:\n" + "\n".join(homeless)


def test_imports_run_downwards() -> None:
    wrong = [
        f"{shown(path)} imports {name}"
        for path in sources()
        for name, target in imported_rooms(path)
        if LEVEL.get(target, len(LAYERS)) > LEVEL.get(room(path), len(LAYERS))
    ]
    assert not wrong, "imports that run upwards:\n" + "\n".join(wrong)


def test_no_two_parts_import_each_other() -> None:
    graph: dict[str, set[str]] = {}
    for path in sources():
        targets = {target for _, target in imported_rooms(path)} - {room(path)}
        graph.setdefault(room(path), set()).update(targets)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("imports in a circle: " + " <- ".join(error.args[1]))


def test_rules_draw_no_chance_and_read_no_clock() -> None:
    wrong = []
    for path in sorted((PACKAGE / "games").rglob("*.py")):
        names = set(imported(path))
        functions = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if is_function(node)]
        for node in (inner for function in functions for inner in ast.walk(function)):
            # A table that a fixed seed makes once, when the module is loaded, is no chance.
            if isinstance(node, ast.Attribute) and ast.unparse(node) in ("np.random", "numpy.random"):
                names.add("numpy.random")
        wrong += [
            f"{shown(path)} uses {name}" for name in sorted(names) if any(within(name, module) for module in IMPURE)
        ]
    assert not wrong, "rules must be pure:\n" + "\n".join(wrong)


def test_importing_sixfold_is_light() -> None:
    program = f"import sys, sixfold; print(*[name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not done.stdout.split(), f"import sixfold also imports: {done.stdout.strip()}"


def test_relative_imports_are_understood() -> None:
    path = PACKAGE / "bots" / "greedy.py"
    source = "from . import base\nfrom ..games import start\nimport sixfold.games.dice\n"
    assert list(imported(path, source)) == ["sixfold.bots.base", "sixfold.games.start", "sixfold.games.dice"]
