"""Every private Numba API that Sixfold uses; tests/test_numba_internals.py fails when one of them changes."""

import importlib
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from numba.core.caching import IndexDataCacheFile
from numba.core.errors import NumbaWarning

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


def cache_under(dispatcher: Any, suffix: str, stamp: Callable[[], str]) -> None:
    """Cache a compiled function under its name plus a suffix; the entry is valid while the stamp is unchanged."""
    cache = dispatcher._cache
    cache._cache_file = CacheFile(cache._cache_path, cache._impl.filename_base + suffix, stamp)


def llvm_text(dispatcher: Any, kinds: tuple[Any, ...]) -> tuple[str, str, Any]:
    """The LLVM IR of a function and its callees, its mangled name, and its return type."""
    with warnings.catch_warnings():
        # Unoptimised code cannot be cached and does not need to be.
        warnings.simplefilter("ignore", NumbaWarning)
        dispatcher.compile(kinds)
    overload = dispatcher.overloads[kinds]
    return overload.library.get_llvm_str(), overload.fndesc.llvm_func_name, overload.signature.return_type


def make_only_text() -> None:
    """Compile only to LLVM IR from now on, without executable code or cache entries; saves a third of the time."""
    context: Any = importlib.import_module("numba.core.cpu").CPUContext
    context.create_cpython_wrapper = context.create_cfunc_wrapper = lambda *_, **__: None
    codegen: Any = importlib.import_module("numba.core.codegen")
    codegen.JITCodeLibrary._finalize_specific = codegen.JITCPUCodegen.set_env = lambda *_: None
    cache: Any = importlib.import_module("numba.core.caching").FunctionCache
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
