"""Building the modules: each game in a process of its own, in which Numba does not optimise for this machine."""

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

from sixfold.browser import nets
from sixfold.browser.describing import description
from sixfold.engine.wasm import ENVIRONMENT, Buffer, Export, Module, compile_module, need_linker
from sixfold.games import Package, packages
from sixfold.system import all_cores


@dataclass(frozen=True)
class Built:
    """A file that was written, its size, and its size as a server sends it."""

    path: Path
    size: int
    compressed: int


def build(folder: Path, tell: Callable[[str], None]) -> list[Built]:
    """Build all modules, as many side by side as there are cores; ``tell`` hears each game that is done."""
    need_linker()
    folder.mkdir(parents=True, exist_ok=True)

    def one(package: Package) -> list[Built]:
        built = build_one(package, folder)
        tell(package.facts.NAME)
        return built

    with ThreadPoolExecutor(all_cores()) as pool:
        return [built for several in pool.map(one, packages().values()) for built in several]


def build_one(package: Package, folder: Path) -> list[Built]:
    """Build the module of one game: its code, its description, and the data of its bots."""
    game = package.facts.NAME
    own = {bot: import_module(place) for bot, place in _own_bots(package).items()}
    tables = {bot: found for bot, part in own.items() if (found := part.tables())}
    shapes = {name: [table.dtype.str, table.shape] for several in tables.values() for name, table in several.items()}
    with tempfile.TemporaryDirectory(prefix="sixfold-wasm-") as cache:
        made = Path(cache, "module.wasm")
        command = [sys.executable, "-W", "ignore", "-m", __name__, package.module, str(made), json.dumps(shapes)]
        environment = {**os.environ, **ENVIRONMENT, "NUMBA_CACHE_DIR": cache}
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"the module of {game} could not be built:\n{done.stderr}")
        code = made.read_bytes()
    weights = nets.tables(package)
    tables = weights | tables
    bots = dict.fromkeys(nets.BOTS if weights else (), nets.DATA) | {bot: part.DATA for bot, part in own.items()}
    data = {name: list(several) for name, several in tables.items()}
    known = description(package, json.loads(done.stdout), bots, data)
    text = json.dumps(known, ensure_ascii=False, separators=(",", ":"))
    files = {f"{game}.wasm": code, f"{game}.json": text.encode()}
    for name, several in tables.items():
        files[f"{game}.{name}.data"] = gzip.compress(
            b"".join(table.tobytes() for table in several.values()), 9, mtime=0
        )
    return [_write(folder / name, body) for name, body in files.items()]


def _own_bots(package: Package) -> dict[str, str]:
    """The bots that know only this game and can play in a browser, with the module that says how."""
    found = {}
    for bot, place in package.levels.BOTS.items():
        module, _, cls = place.partition(":")
        part = getattr(getattr(import_module(module), cls), "BROWSER", None)
        if part is not None:
            found[bot] = part
    return found


def _write(path: Path, body: bytes) -> Built:
    """A file appears under its name only when it is complete."""
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(body)
    part.replace(path)
    return Built(path, len(body), len(gzip.compress(body, 9)))


def compile_game(package: Package, shapes: Mapping[str, tuple[str, list[int]]]) -> Module:
    """Compile a game's module; ``shapes`` says what tables the data of its own bots hold."""
    from sixfold.browser.functions import Buffers, exports_of
    from sixfold.browser.reviewing import review_exports

    tables = {name: Buffer(name, np.dtype(kind), tuple(shape)) for name, (kind, shape) in shapes.items()}
    use = Buffers(package.rules)
    thinking, given = nets.thinking_of(package, use.state), tables | nets.buffers(package)
    exports: list[Export] = exports_of(package) + nets.net_exports(thinking, use.generator)
    for place in _own_bots(package).values():
        exports += import_module(place).exports(use.state, given)
    exports += review_exports(package, use, thinking, given)
    return compile_module(exports)


def offered(module: Module) -> dict[str, Any]:
    """What a module offers, as plain values."""
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
    made = compile_game(Package(sys.argv[1]), json.loads(sys.argv[3]))
    Path(sys.argv[2]).write_bytes(made.code)
    print(json.dumps(offered(made)))
