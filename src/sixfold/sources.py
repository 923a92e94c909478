"""The files that a module depends on: every module of ours that it imports, directly or not, and their data files.

A module that reads a file in its own folder declares it with ``DATA_FILES = ("turns.json",)``. Dependencies are found
by parsing the sources; nothing is imported. The compile cache and the arena use this module.
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
    """A file's content as of the first call, which is what the running process was built from."""
    return path.read_bytes()


@cache
def snapshot(loading: str) -> None:
    """Read all our loaded modules, including the one being loaded, into the cache of ``content`` before they change."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and name.partition(".")[0] == PACKAGE.name:
            content(Path(file))
            for data in getattr(module, DATA, ()):
                content(Path(file).with_name(data))


def loaded(module: str) -> Module:
    """A loaded module by its name."""
    return of(sys.modules[module])


def of(module: ModuleType) -> Module:
    """The ``Module`` of a module object."""
    assert module.__file__ is not None
    return Module(module.__name__, Path(module.__file__))


def in_package(name: str) -> list[Module]:
    """A module of ours by its name, or all modules in it if it is a package."""
    path = PACKAGE.parent.joinpath(*name.split("."))
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
    return [Module(_name_of(file), file) for file in files]


def beside(module: Module) -> list[Module]:
    """All modules in the same package as a module."""
    package = ".".join(package_of(module))
    return [Module(f"{package}.{file.stem}", file) for file in sorted(module.path.parent.glob("*.py"))]


def _name_of(file: Path) -> str:
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(content(path))


def package_of(module: Module) -> list[str]:
    """The name parts of a module's package; a package is its own package."""
    names = module.name.split(".")
    return names if module.path.name == "__init__.py" else names[:-1]


def imported(module: Module) -> Iterator[tuple[str, str]]:
    """Every import in a module: ("a", "b") for ``from a import b`` and ("a", "") for ``import a``."""
    parts = package_of(module)
    for node in ast.walk(_tree(module.path)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = parts[: len(parts) - node.level + 1] if node.level else []
            base = ".".join([*parents, *([node.module] if node.module else [])])
            yield from ((base, alias.name) for alias in node.names)


def data_files(module: Module) -> list[tuple[str, Path]]:
    """The data files that a module declares, each with its name in the package, such as ``games/dice/turns.json``."""
    folder = "".join(f"{name}/" for name in package_of(module)[1:])
    for node in _tree(module.path).body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == DATA for target in node.targets
        ):
            return [(folder + name, module.path.with_name(name)) for name in ast.literal_eval(node.value)]
    return []


@cache
def direct(module: Module) -> frozenset[Module]:
    """The modules that a module imports directly, from Sixfold and from the module's own source tree."""
    home = module.path.parents[len(package_of(module))]
    own_root = module.name.partition(".")[0]
    modules = set()
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
            modules.add(target)
    return frozenset(modules)


@cache
def _find(folder: Path, name: str) -> Module | None:
    base = folder.joinpath(*name.split("."))
    for path in (base.with_name(f"{base.name}.py"), base / "__init__.py"):
        if path.is_file():
            return Module(name, path)
    return None


def closure(modules: Iterable[Module]) -> list[Module]:
    """The modules and everything that they import, directly or not, sorted by name."""
    reached: set[Module] = set()
    pending = list(modules)
    while pending:
        module = pending.pop()
        if module not in reached:
            reached.add(module)
            pending += direct(module)
    return sorted(reached)


def digest(files: Iterable[tuple[str, Path]]) -> str:
    """A hash of the names and contents of some files."""
    hasher = hashlib.sha256()
    for name, path in files:
        hasher.update(name.encode() + b"\0" + hashlib.sha256(content(path)).digest())
    return hasher.hexdigest()


def fingerprint(modules: Iterable[Module]) -> str:
    """A hash of everything that some modules depend on, data files included."""
    parts = closure(modules)
    return digest([*parts, *(file for module in parts for file in data_files(module))])
