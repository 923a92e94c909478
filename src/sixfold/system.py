"""The machine: available cores, a description for benchmarks, and atomic file writes."""

import io
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO


def available_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def machine() -> dict[str, str]:
    """The processor and the library versions that a benchmark ran on."""
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
def atomic_binary_file(path: Path) -> Iterator[BinaryIO]:
    """Write a binary file atomically: it appears under its name only once it is complete."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def atomic_file(path: Path) -> Iterator[TextIO]:
    """Write a UTF-8 text file atomically."""
    with atomic_binary_file(path) as file, io.TextIOWrapper(file, encoding="utf-8", newline="\n") as text:
        yield text
