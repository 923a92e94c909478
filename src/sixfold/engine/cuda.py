"""The CUDA driver: compiles and launches kernels, on a GPU or in Numba's simulator."""

import importlib
from contextlib import nullcontext
from typing import Any

import numba
import numpy as np

from sixfold.errors import SetupError
from sixfold.numba_internals import tables_in_global_memory

cuda: Any = importlib.import_module("numba.cuda")
config: Any = importlib.import_module("numba.core.config")
# The simulator runs plain Python in the CPU's memory.
SIMULATED = bool(config.ENABLE_CUDASIM)


def need_device() -> None:
    """Raise an error if there is no CUDA device."""
    if not cuda.is_available():
        raise SetupError("no CUDA device was found; this needs one, and pip install 'sixfold[gpu]'")


def record_type(dtype: "np.dtype[np.void]") -> Any:
    """The type of local and shared arrays of records."""
    return dtype if SIMULATED else numba.from_dtype(dtype)


def launch(kernel: Any, blocks: int, threads: int, *arguments: Any, shared_memory: int = 0) -> None:
    """Run a kernel, which is compiled on its first launch."""
    with nullcontext() if SIMULATED else tables_in_global_memory():
        kernel[blocks, threads, 0, shared_memory](*arguments)
