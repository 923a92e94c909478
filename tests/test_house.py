"""The house stays in order: imports run downwards, rules are pure, importing is quick."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from sixfold import GAMES
from sixfold.sources import PACKAGE, Module, imported

ROOT = Path(__file__).parents[1]

FACADE = "__init__"
LAYERS = [
    {"charts", "errors", "language", "numba_internals", "pages", "sources", "system"},
    {"games"},
    {"engine"},
    {"table"},
    {"bots", "solve", FACADE},
    {"arena", "train", "review", "wasm"},
    {"server", "terminal", "research"},
    {"commands", "cli"},
    {"__main__"},
]
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}

IMPURE = ("random", "secrets", "time", "os", "numpy.random")
HEAVY = ("numba", "numpy", "torch", "litestar", "textual", "typer")


def sources() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def room(path: Path) -> str:
    """The part of the house that a file belongs to: its first name below sixfold."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def names_in(path: Path) -> Iterator[str]:
    """Full names of everything a file imports; ``from a import b`` gives ``a.b``."""
    for base, name in imported(module_at(path)):
        yield f"{base}.{name}" if name else base


def module_at(path: Path) -> Module:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return Module(".".join(parts[:-1] if parts[-1] == FACADE else parts), path)


def imported_rooms(path: Path) -> Iterator[tuple[str, str]]:
    """Pairs of an import and the part of the house it leads to."""
    for name in names_in(path):
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


def test_the_product_knows_nothing_of_the_lab() -> None:
    wrong = [f"{shown(path)} imports {name}" for path in sources() for name in names_in(path) if within(name, "lab")]
    assert not wrong


def test_a_table_knows_nothing_of_bots() -> None:
    files = (PACKAGE / "table").glob("*.py")
    names = [name for path in files for name, target in imported_rooms(path) if target == "bots"]
    assert not names


def test_rules_draw_no_chance_and_read_no_clock() -> None:
    wrong = []
    for path in sorted((PACKAGE / "games").rglob("*.py")):
        names = set(names_in(path))
        functions = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if is_function(node)]
        for node in (inner for function in functions for inner in ast.walk(function)):
            # A table that a fixed seed makes once, when the module is loaded, is no chance.
            if isinstance(node, ast.Attribute) and ast.unparse(node) in ("np.random", "numpy.random"):
                names.add("numpy.random")
        wrong += [
            f"{shown(path)} uses {name}" for name in sorted(names) if any(within(name, module) for module in IMPURE)
        ]
    assert not wrong, "rules must be pure:\n" + "\n".join(wrong)


# The solution is one of the dice game.
ABOUT_A_GAME = ("solve", "review/solution", "wasm/solution", "wasm/netrolls", "commands/odds.py", "commands/solve.py")


def named_games(path: Path) -> Iterator[str]:
    """Where a file names a game: imports from its package, and texts that are its name."""
    yield from (f"imports {name}" for name in names_in(path) if any(f"games.{game}" in name for game in GAMES))
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and node.value in GAMES:
            yield f"line {node.lineno} says {node.value!r}"


def test_nothing_but_its_own_package_names_a_game() -> None:
    found = []
    for path in sources():
        inside = path.relative_to(PACKAGE).as_posix()
        if not inside.startswith(("games/", *ABOUT_A_GAME)):
            found += [f"{shown(path)} {named}" for named in named_games(path)]
    for path in (PACKAGE / "games").rglob("*.py"):
        own = path.relative_to(PACKAGE / "games").parts[0]
        itself = (f"games.{own}", f"says {own!r}")
        others = [named for named in named_games(path) if not any(name in named for name in itself)]
        found += [f"{shown(path)} {named}" for named in others]
    assert not found, "games have a registry:\n" + "\n".join(found)


# Generated from the rules and from the server's types.
GENERATED = ("lib/schema.ts", "rules/interface.ts")
VERBS = ("place", "play", "score", "reroll", "keep", "renew", "swap")
# A table's event for a choice that was declined, whatever the game calls it.
TABLE_EVENTS = {"local/": {"keep"}}


def test_in_the_browser_only_its_own_folder_knows_a_game() -> None:
    web = ROOT / "web" / "src"
    folders = tuple(f"games/{game}/" for game in GAMES)
    found = []
    for path in [*web.rglob("*.ts"), *web.rglob("*.svelte")]:
        inside = path.relative_to(web).as_posix()
        if inside in GENERATED or inside.startswith(folders) or inside.endswith(".test.ts"):
            continue
        text = path.read_text(encoding="utf-8")
        found += [f"{inside} names {game}" for game in GAMES if re.search(rf"['\"`/]{game}['\"`./]", text)]
        if re.search(r"\[0(, 0){5}\]|\[0, 1, 2, 3, 4, 5\]|slice\(0, 6\)", text):
            found.append(f"{inside} knows how many values a game has")
        known = {verb for place, verbs in TABLE_EVENTS.items() if inside.startswith(place) for verb in verbs}
        # Attributes of elements are in double quotes, strings in single ones.
        found += [
            f"{inside} says {verb}" for verb in VERBS if verb not in known and re.search(rf"['`]{verb}['` ]", text)
        ]
    assert not found, "a game's folder in web/src/games knows its name and verbs:\n" + "\n".join(found)


def test_importing_sixfold_is_light() -> None:
    program = f"import sys, sixfold; print(*[name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not done.stdout.split(), f"import sixfold also imports: {done.stdout.strip()}"


def test_the_version_is_written_once() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" in project["project"]["dynamic"]
    assert ROOT / project["tool"]["hatch"]["version"]["path"] == PACKAGE / "__init__.py"
    for name in ("package.json", "package-lock.json"):
        web = json.loads((ROOT / "web" / name).read_text(encoding="utf-8"))
        assert "version" not in web, f"web/{name} has a version of its own"


def test_every_direct_dependency_is_explained() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [name for names in project["optional-dependencies"].values() for name in names]
    web = json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))
    named = {re.split(r"[\[<>=;]", name)[0] for name in [*project["dependencies"], *extras]} - {"sixfold"}
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    explained = {name.strip() for line in re.findall(r"^\| (.*?) \|", page, flags=re.M) for name in line.split(",")}
    every = named | {*web.get("dependencies", {}), *web["devDependencies"]}
    assert every - explained == set(), "docs/dependencies.md does not say why these are there"
    assert explained - every - {"package", "---"} == set(), "docs/dependencies.md names what is not used"
