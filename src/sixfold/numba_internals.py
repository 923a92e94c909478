"""Every private Numba API that Sixfold uses; tests/test_numba_internals.py fails when one of them changes."""

import hashlib
import importlib
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from types import FunctionType
from typing import Any, NamedTuple

from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaWarning
from numba.core.serialize import dumps

# An option of ``njit`` that turns off reference counting of array arguments, which dominates the run time of small
# functions. Functions that create or copy arrays need it on.
NO_REFERENCE_COUNTS: dict[str, Any] = {"_nrt": False}


class CacheFile(IndexDataCacheFile):
    """A function's compile cache with our own lazily computed stamp; Numba's stamp covers only the function's file."""

    def __init__(self, folder: str, name: str, stamp: Callable[[], str]) -> None:
        super().__init__(folder, name, source_stamp=None)  # type: ignore[no-untyped-call]
        del self._source_stamp
        self._stamp = stamp

    @cached_property
    def _source_stamp(self) -> str:
        return self._stamp()

    def _load_index(self) -> dict[Any, Any]:
        try:
            return super()._load_index()  # type: ignore[no-untyped-call, no-any-return]
        except (ImportError, AttributeError):
            # Written by an older version: a signature names a type that has moved since. Numba would fail here, before
            # it compares the stamps.
            return {}


class ClosureCache(FunctionCache):
    """A compile cache that finds functions again whose closures hold compiled functions.

    Numba's own key has the unique number that every process gives to a compiled function; this one has its name and its
    closure instead.
    """

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        parts = self._py_func.__code__.co_code, dumps(_closure_key(self._py_func))  # type: ignore[no-untyped-call]
        return sig, codegen.magic_tuple(), tuple(hashlib.sha256(part).hexdigest() for part in parts)


def _closure_key(function: Callable[..., object]) -> tuple[Any, ...]:
    return tuple(
        (part.__module__, part.__qualname__, _closure_key(part)) if isinstance(part, FunctionType) else part
        for part in map(plain_function, closed_over(function))
    )


def closed_over(function: Callable[..., object]) -> list[Any]:
    """The contents of a plain function's closure."""
    return [cell.cell_contents for cell in function.__closure__ or ()]


def plain_function(value: Any) -> Any:
    """The plain function of a compiled one; any other value unchanged."""
    return value.py_func if isinstance(value, Dispatcher) else value


def cache_under(dispatcher: Any, suffix: str, stamp: Callable[[], str]) -> None:
    """Cache a compiled function under its name plus a suffix; the entry is valid while the stamp is unchanged."""
    cache: Any = ClosureCache(dispatcher.py_func)  # type: ignore[no-untyped-call]
    cache._cache_file = CacheFile(cache._cache_path, cache._impl.filename_base + suffix, stamp)
    dispatcher._cache = cache


class Assembly(NamedTuple):
    """A compiled function: the LLVM IR of itself and of each of its callees, its mangled name, and its return type."""

    modules: dict[Any, list[str]]
    name: str
    returns: Any


def assembly_of(dispatcher: Any, kinds: tuple[Any, ...]) -> Assembly:
    """Compile a function to LLVM IR, after ``emit_only_assembly``; functions with common callees share their keys."""
    with warnings.catch_warnings():
        # Unoptimised code cannot be cached and does not need to be.
        warnings.simplefilter("ignore", NumbaWarning)
        dispatcher.compile(kinds)
    overload = dispatcher.overloads[kinds]
    modules: dict[Any, list[str]] = {}
    libraries = [overload.library]
    for library in libraries:
        if library not in modules:
            # Numba's own runtime was compiled before.
            modules[library] = getattr(library, "assembly", None) or [library.get_llvm_str()]
            libraries += library._linking_libraries
    return Assembly(modules, overload.fndesc.llvm_func_name, overload.signature.return_type)


def emit_only_assembly() -> None:
    """Compile only to LLVM IR from now on. Nothing is optimised, linked, made executable or cached."""
    context: Any = importlib.import_module("numba.core.cpu").CPUContext
    context.create_cpython_wrapper = context.create_cfunc_wrapper = lambda *_, **__: None
    codegen: Any = importlib.import_module("numba.core.codegen")
    codegen.JITCPUCodegen.set_env = lambda *_: None

    def add_ir_module(library: Any, module: Any) -> None:
        library.assembly = [*getattr(library, "assembly", []), str(module)]

    def finalize(library: Any) -> None:
        library._finalized = True

    codegen.CPUCodeLibrary.add_ir_module = add_ir_module
    codegen.CPUCodeLibrary.finalize = finalize
    codegen.JITCodeLibrary.get_pointer_to_function = lambda *_: 0
    cache: Any = FunctionCache
    cache.load_overload = cache.save_overload = lambda *_: None


@contextmanager
def tables_in_global_memory() -> Iterator[None]:
    """Compile CUDA kernels with global arrays in global instead of constant memory."""
    # Constant memory serves one address at a time, and threads read different entries: travel was eight times slower.
    nvvm: Any = importlib.import_module("numba.cuda.cudadrv.nvvm")
    constant = nvvm.ADDRSPACE_CONSTANT
    nvvm.ADDRSPACE_CONSTANT = nvvm.ADDRSPACE_GLOBAL
    try:
        yield
    finally:
        nvvm.ADDRSPACE_CONSTANT = constant
