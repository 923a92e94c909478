"""Builds the modules, each game in its own process, in which Numba does not optimise for this machine."""

import gzip
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from sixfold.engine.wasm import ENVIRONMENT, Buffer, Export, Module, compile_module, need_linker
from sixfold.games import Package, packages
from sixfold.wasm import bot_exports
from sixfold.wasm.manifest import description


@dataclass(frozen=True)
class BuiltFile:
    """A written file with its size and its compressed size."""

    path: Path
    size: int
    compressed: int


def build(folder: Path, report: Callable[[str], None]) -> list[BuiltFile]:
    """Build the modules of all games that can have one in parallel; ``report`` is called with each
    finished game."""
    need_linker()
    folder.mkdir(parents=True, exist_ok=True)

    def build_package(package: Package) -> list[BuiltFile]:
        built = build_game(package, folder)
        report(package.facts.NAME)
        return built

    buildable = [package for package in packages().values() if package.fields is not None]
    # Each thread waits for a process; with more games than cores, all finish earlier if they share the cores.
    with ThreadPoolExecutor() as pool:
        return [built for files in pool.map(build_package, buildable) for built in files]


def build_game(package: Package, folder: Path) -> list[BuiltFile]:
    """Build the module of one game: its code, its manifest, and the data of its bots."""
    game = package.facts.NAME
    own = {bot: import_module(place) for bot, place in _own_bots(package).items()}
    tables = {bot: bot_tables for bot, part in own.items() if (bot_tables := part.tables())}
    shapes = {name: [table.dtype.str, table.shape] for arrays in tables.values() for name, table in arrays.items()}
    with tempfile.TemporaryDirectory(prefix="sixfold-wasm-") as cache:
        output = Path(cache, "module.wasm")
        command = [sys.executable, "-W", "ignore", "-m", __name__, package.module, str(output), json.dumps(shapes)]
        environment = {**os.environ, **ENVIRONMENT, "NUMBA_CACHE_DIR": cache}
        process = subprocess.run(command, env=environment, capture_output=True, text=True)
        if process.returncode:
            raise RuntimeError(f"the module of {game} could not be built:\n{process.stderr}")
        code = output.read_bytes()
    weights = bot_exports.tables(package)
    tables = weights | tables
    bots = dict.fromkeys(bot_exports.BOTS if weights else (), bot_exports.DATA) | {
        bot: part.DATA for bot, part in own.items()
    }
    data = {name: list(arrays) for name, arrays in tables.items()}
    manifest = description(package, json.loads(process.stdout), bots, data)
    text = json.dumps(manifest, ensure_ascii=False, separators=(",", ":"))
    files = {f"{game}.wasm": code, f"{game}.json": text.encode()}
    for name, arrays in tables.items():
        files[f"{game}.{name}.data"] = gzip.compress(b"".join(table.tobytes() for table in arrays.values()), 9, mtime=0)
    return [_write(folder / name, body) for name, body in files.items()]


def _own_bots(package: Package) -> dict[str, str]:
    """The bots specific to this game that can run in a browser, with the module of their exports."""
    modules = {}
    for bot, path in package.levels.BOTS.items():
        module, _, cls = path.partition(":")
        browser_module = getattr(getattr(import_module(module), cls), "WASM_MODULE", None)
        if browser_module is not None:
            modules[bot] = browser_module
    return modules


def _write(path: Path, body: bytes) -> BuiltFile:
    """Write a file atomically."""
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(body)
    part.replace(path)
    return BuiltFile(path, len(body), len(gzip.compress(body, 9)))


def compile_game(package: Package, shapes: Mapping[str, tuple[str, list[int]]]) -> Module:
    """Compile a game's module; ``shapes`` gives the dtype and shape of each table of its own bots' data."""
    from sixfold.wasm.review_exports import review_exports
    from sixfold.wasm.rule_exports import Buffers, exports_of

    tables = {name: Buffer(name, np.dtype(kind), tuple(shape)) for name, (kind, shape) in shapes.items()}
    buffers = Buffers(package.rules)
    runner, inputs = bot_exports.net_runner(package, buffers.state), tables | bot_exports.buffers(package)
    exports: list[Export] = exports_of(package) + bot_exports.net_exports(runner, buffers.generator)
    for module in _own_bots(package).values():
        exports += import_module(module).exports(buffers.state, inputs)
    exports += review_exports(package, buffers, runner, inputs)
    return compile_module(exports)


def interface_of(module: Module) -> dict[str, Any]:
    """The buffers and exports of a module, as plain values."""
    return {
        "buffers": {
            name: {"type": "record" if buffer.dtype.names else buffer.dtype.name, "shape": list(buffer.shape)}
            for name, buffer in module.buffers.items()
            if not name.startswith("_")
        },
        "exports": {
            export.name: {"numbers": export.numbers, "returns": module.returns[export.name]}
            for export in module.exports
        },
    }


if __name__ == "__main__":
    module = compile_game(Package(sys.argv[1]), json.loads(sys.argv[3]))
    Path(sys.argv[2]).write_bytes(module.code)
    print(json.dumps(interface_of(module)))
