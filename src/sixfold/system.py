"""The machine below us: its cores, its name, and files that are whole or not there."""

import io
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO


def all_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def machine() -> dict[str, str]:
    """What a measurement ran on: the processor, and the versions that matter for speed."""
    import numba
    import numpy as np

    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.partition(":")[2].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        model = names[0] if names else model
    return {
        "processor": model,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
    }


@contextmanager
def whole_binary_file(path: Path) -> Iterator[BinaryIO]:
    """A file that appears under its name only when it is complete."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """The same for text."""
    with whole_binary_file(path) as file, io.TextIOWrapper(file, encoding="utf-8", newline="\n") as text:
        yield text
