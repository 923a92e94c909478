"""The compiler: a decorator for compiled functions, and a cache that is invalidated when any source file changes."""

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any, TypeVar, cast

from numba import njit

from sixfold import numba_internals, sources

F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """Compile a function for the CPU; a CUDA kernel may call the same function.

    The function must neither create nor copy arrays, because reference counting is turned off.
    """
    return _compiled(function, **numba_internals.NO_REFERENCE_COUNTS)


def compiled_into_callers(function: F) -> F:
    """Compile a function and inline it into its callers, for functions with so many arguments that calls are slow."""
    return _compiled(function, forceinline=True, **numba_internals.NO_REFERENCE_COUNTS)


def compiled_with_arrays(function: F) -> F:
    """Compile a function that creates or copies arrays."""
    return _compiled(function)


def _compiled(function: F, **options: Any) -> F:
    dispatcher: Any = njit(cache=True, nogil=True, error_model="numpy", **options)(function)
    if dispatcher is not function:
        # Numba's cache checks only the function's own file and would miss changes in the files of its callees.
        sources.snapshot(function.__module__)
        modules = _modules(function)
        suffix = "".join(f"-{module.name}" for module in modules[1:])
        numba_internals.cache_under(dispatcher, suffix, lambda: sources.fingerprint(modules))
    return cast(F, dispatcher)


def _modules(function: Callable[..., object]) -> list[sources.Module]:
    """The module of a function, and those that a factory compiles it for: the modules in its closure, and the modules
    of the compiled functions in it."""
    modules = [sources.loaded(function.__module__)]
    for closed in numba_internals.closed_over(function):
        if isinstance(closed, ModuleType):
            modules.append(sources.of(closed))
        elif isinstance(plain := numba_internals.plain_function(closed), FunctionType):
            modules += _modules(plain)
    return list(dict.fromkeys(modules))
