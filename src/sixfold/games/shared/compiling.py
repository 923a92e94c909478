"""The compiler: one decorator for every rule, and a cache that notices when any file compiled in has changed."""

from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar, cast

from numba import njit

from sixfold import numba_internals, sources

F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """Compile a function for the CPU; a CUDA kernel may call the same function.

    It must not make an array, nor copy one into another: then Numba need not count who uses those it is given.
    """
    return _compiled(function, **numba_internals.NO_REFERENCE_COUNTS)


def compiled_into_callers(function: F) -> F:
    """The same for a function with so many arguments that calling it takes long."""
    return _compiled(function, forceinline=True, **numba_internals.NO_REFERENCE_COUNTS)


def compiled_with_arrays(function: F) -> F:
    """The same for a function that makes or copies arrays."""
    return _compiled(function)


def _compiled(function: F, **options: Any) -> F:
    dispatcher: Any = njit(cache=True, nogil=True, error_model="numpy", **options)(function)
    if dispatcher is not function:
        # Numba looks only at a function's own file; what it calls from another file would go stale unnoticed.
        sources.snapshot(function.__module__)
        modules = _modules(function)
        names = "".join(f"-{module.name}" for module in modules[1:])
        numba_internals.cache_under(dispatcher, names, lambda: sources.fingerprint(modules))
    return cast(F, dispatcher)


def _modules(function: Callable[..., object]) -> list[sources.Module]:
    """The module of a function, and those that it closes over: one function may be made for many games."""
    cells = function.__closure__ or ()
    closed_over = [cell.cell_contents for cell in cells if isinstance(cell.cell_contents, ModuleType)]
    return [sources.loaded(function.__module__), *map(sources.of, closed_over)]
