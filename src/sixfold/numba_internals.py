"""The private parts of Numba that Sixfold uses, all of them; tests/test_numba_internals.py tells when they change."""

import importlib
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from numba.core.caching import IndexDataCacheFile
from numba.core.errors import NumbaWarning

# An option of ``njit``: do not count who uses the arrays that a function is given. In small functions that takes longer
# than all the rest; a function that makes or copies arrays needs it.
NO_REFERENCE_COUNTS: dict[str, Any] = {"_nrt": False}


class CacheFile(IndexDataCacheFile):
    """A function's cache with a stamp of our own, worked out when it is needed: Numba's own sees one file only."""

    def __init__(self, folder: str, name: str, stamp: Callable[[], str]) -> None:
        super().__init__(folder, name, source_stamp=None)  # type: ignore[no-untyped-call]
        del self._source_stamp
        self._stamp = stamp

    @cached_property
    def _source_stamp(self) -> str:
        return self._stamp()


def cache_under(dispatcher: Any, suffix: str, stamp: Callable[[], str]) -> None:
    """Keep what a function is compiled to under its name and a suffix, for as long as the stamp stays the same."""
    cache = dispatcher._cache
    cache._cache_file = CacheFile(cache._cache_path, cache._impl.filename_base + suffix, stamp)


def llvm_text(dispatcher: Any, kinds: tuple[Any, ...]) -> tuple[str, str, Any]:
    """A function and all it calls as LLVM text, the name it has there, and the type of what it returns."""
    with warnings.catch_warnings():
        # What is not optimised cannot be cached, and need not be.
        warnings.simplefilter("ignore", NumbaWarning)
        dispatcher.compile(kinds)
    overload = dispatcher.overloads[kinds]
    return overload.library.get_llvm_str(), overload.fndesc.llvm_func_name, overload.signature.return_type


def make_only_text() -> None:
    """Nothing that is compiled from now on can be run or is kept, which saves a third of the time."""
    context: Any = importlib.import_module("numba.core.cpu").CPUContext
    context.create_cpython_wrapper = context.create_cfunc_wrapper = lambda *_, **__: None
    codegen: Any = importlib.import_module("numba.core.codegen")
    codegen.JITCodeLibrary._finalize_specific = codegen.JITCPUCodegen.set_env = lambda *_: None
    cache: Any = importlib.import_module("numba.core.caching").FunctionCache
    cache.load_overload = cache.save_overload = lambda *_: None


@contextmanager
def tables_in_global_memory() -> Iterator[None]:
    """While CUDA kernels are compiled: put global arrays where threads can look up different entries at once."""
    # Numba puts them into constant memory, which serves one address at a time: travel ran eight times slower there.
    nvvm: Any = importlib.import_module("numba.cuda.cudadrv.nvvm")
    constant = nvvm.ADDRSPACE_CONSTANT
    nvvm.ADDRSPACE_CONSTANT = nvvm.ADDRSPACE_GLOBAL
    try:
        yield
    finally:
        nvvm.ADDRSPACE_CONSTANT = constant
