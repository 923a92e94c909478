"""Which files a module is made of: all of ours that it imports, directly or not, and the data files they declare.

A module that reads a file at its side says so with ``DATA_FILES = ("turns.json",)``. Everything is found in the text of
the sources; nothing is imported for it. The compile cache, the arena and the choice of tests all ask here.
"""

import ast
import hashlib
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

PACKAGE = Path(__file__).parent
DATA = "DATA_FILES"


class Module(NamedTuple):
    """A module by its full name and its file."""

    name: str
    path: Path


@cache
def content(path: Path) -> bytes:
    """A file as it was when it was first asked for: what runs now was made of that."""
    return path.read_bytes()


@cache
def snapshot(loading: str) -> None:
    """Keep the text of everything of ours that is loaded by now, a module on its way included, before it is changed."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and name.partition(".")[0] == PACKAGE.name:
            content(Path(file))
            for data in getattr(module, DATA, ()):
                content(Path(file).with_name(data))


def loaded(module: str) -> Module:
    """A module that is loaded."""
    return of(sys.modules[module])


def of(module: ModuleType) -> Module:
    """A module as an object."""
    assert module.__file__ is not None
    return Module(module.__name__, Path(module.__file__))


def in_package(name: str) -> list[Module]:
    """A module of ours by its name, and all modules in it if it is a package."""
    place = PACKAGE.parent.joinpath(*name.split("."))
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
    return [Module(_name_of(file), file) for file in files]


def beside(module: Module) -> list[Module]:
    """All modules of the package that a module stands in."""
    package = ".".join(package_of(module))
    return [Module(f"{package}.{file.stem}", file) for file in sorted(module.path.parent.glob("*.py"))]


def _name_of(file: Path) -> str:
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(content(path))


def package_of(module: Module) -> list[str]:
    """The names that lead to the package of a module; a package is its own."""
    names = module.name.split(".")
    return names if module.path.name == "__init__.py" else names[:-1]


def imported(module: Module) -> Iterator[tuple[str, str]]:
    """What a module imports, anywhere in its text: a and b of ``from a import b``, a and nothing of ``import a``."""
    parts = package_of(module)
    for node in ast.walk(_tree(module.path)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = parts[: len(parts) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from ((base, alias.name) for alias in node.names)


def data_files(module: Module) -> list[tuple[str, Path]]:
    """The files that a module says it reads, each with its place: ``games/dice/turns.json``."""
    folder = "".join(f"{name}/" for name in package_of(module)[1:])
    for node in _tree(module.path).body:
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == DATA for to in node.targets):
            return [(folder + name, module.path.with_name(name)) for name in ast.literal_eval(node.value)]
    return []


@cache
def direct(module: Module) -> frozenset[Module]:
    """The modules of ours that a module imports itself: of this package, and of the folder where it is at home."""
    home = module.path.parents[len(package_of(module))]
    own_root = module.name.partition(".")[0]
    found = set()
    for base, name in imported(module):
        root = base.partition(".")[0]
        if root == PACKAGE.name:
            folder = PACKAGE.parent
        elif root == own_root or "site-packages" not in home.parts:
            folder = home
        else:
            continue
        target = (name and _find(folder, f"{base}.{name}")) or _find(folder, base)
        if target:
            found.add(target)
    return frozenset(found)


@cache
def _find(folder: Path, name: str) -> Module | None:
    place = folder.joinpath(*name.split("."))
    for path in (place.with_name(f"{place.name}.py"), place / "__init__.py"):
        if path.is_file():
            return Module(name, path)
    return None


def closure(modules: Iterable[Module]) -> list[Module]:
    """The modules, and all that they import, directly or not, in the order of their names."""
    found: set[Module] = set()
    todo = list(modules)
    while todo:
        module = todo.pop()
        if module not in found:
            found.add(module)
            todo += direct(module)
    return sorted(found)


def digest(files: Iterable[tuple[str, Path]]) -> str:
    """Stands for files under their names: another content or another name gives another digest."""
    whole = hashlib.sha256()
    for name, path in files:
        whole.update(name.encode() + b"\0" + hashlib.sha256(content(path)).digest())
    return whole.hexdigest()


def fingerprint(modules: Iterable[Module]) -> str:
    """Stands for everything that modules are made of, their data files included."""
    parts = closure(modules)
    return digest([*parts, *(file for module in parts for file in data_files(module))])
