"""The compiler: one decorator for every rule, and a cache that notices when any compiled source has changed."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., object])


def _fingerprint() -> str:
    """A hash of all sources that are compiled, and of the tables that are compiled into them."""
    package = Path(__file__).parents[2]
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        source = path.read_bytes()
        if "games" in path.parts or b"@compiled" in source:
            digest.update(path.name.encode() + b"\0" + source)
    return digest.hexdigest()


_SOURCES = _fingerprint()


def compiled(function: F) -> F:
    """Compile a function for the CPU; a CUDA kernel may call the same function.

    It must not make an array, nor copy one into another. Numba then need not count who uses those it is given, which
    in small functions takes longer than all the rest.
    """
    return _compiled(function, _nrt=False)


def compiled_with_arrays(function: F) -> F:
    """The same for a function that makes or copies arrays."""
    return _compiled(function)


def _compiled(function: F, **options: Any) -> F:
    dispatcher: Any = njit(cache=True, nogil=True, error_model="numpy", **options)(function)
    if dispatcher is not function:
        # Numba looks only at a function's own file; what it calls from another file would go stale unnoticed.
        dispatcher._cache._cache_file._source_stamp = _SOURCES
    return cast(F, dispatcher)
