"""Shares an array on a GPU with other libraries without a copy: ``__dlpack__`` and ``__cuda_array_interface__``.

Numba's device arrays have only the latter; PyTorch, JAX and CuPy all accept the former.
"""

import ctypes
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int32, c_int64, c_uint8, c_uint16, c_uint64, c_void_p
from typing import Any

import numpy as np

ON_CPU, ON_CUDA = 1, 2
# Streams that are synchronized with the default stream.
DEFAULT_STREAMS = (None, 0, 1)
_KINDS = {"i": 0, "u": 1, "f": 2}
_UNCONSUMED = b"dltensor"


class _Tensor(Structure):
    """DLTensor of dlpack.h."""

    _fields_ = (
        ("data", c_void_p),
        ("device_type", c_int32),
        ("device_id", c_int32),
        ("ndim", c_int32),
        ("code", c_uint8),
        ("bits", c_uint8),
        ("lanes", c_uint16),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    )


class _Managed(Structure):
    """DLManagedTensor of dlpack.h."""

    _fields_ = (("tensor", _Tensor), ("context", c_void_p), ("deleter", c_void_p))


# Arrays still in use by other libraries, by the address of their DLManagedTensor.
_lent: dict[int, tuple[Any, ...]] = {}


@CFUNCTYPE(None, c_void_p)
def _release(address: int) -> None:
    _lent.pop(address, None)


_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype, _new_capsule.argtypes = ctypes.py_object, (c_void_p, c_char_p, c_void_p)
# A capsule under destruction is passed as an address: as an object it would be counted, and deleted twice.
_is_unconsumed = ctypes.pythonapi.PyCapsule_IsValid
_is_unconsumed.argtypes = (c_void_p, c_char_p)
_capsule_address = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_address.restype, _capsule_address.argtypes = c_void_p, (c_void_p, c_char_p)


@CFUNCTYPE(None, c_void_p)
def _delete_capsule(capsule: int) -> None:
    """Release the array of a capsule that was never consumed."""
    if _is_unconsumed(capsule, _UNCONSUMED):
        _release(_capsule_address(capsule, _UNCONSUMED))


class Shared:
    """An array that stays on its device, which is given by DLPack's device type and number."""

    def __init__(self, array: Any, device: tuple[int, int], synchronize: Callable[[], None]) -> None:
        self.array = array
        self.shape: tuple[int, ...] = array.shape
        self.dtype = np.dtype(array.dtype)
        self._device = device
        self._synchronize = synchronize

    def copy_to_host(self) -> np.ndarray:
        """A copy as a NumPy array."""
        copy: np.ndarray = self.array.copy_to_host()
        return copy

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        interface: dict[str, Any] = self.array.__cuda_array_interface__
        return interface

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device

    def __dlpack__(self, *, stream: int | None = None, **_: Any) -> Any:
        if stream not in DEFAULT_STREAMS:
            self._synchronize()
        kind, number = self._device
        address = self.array.ctypes.data if kind == ON_CPU else self.__cuda_array_interface__["data"][0]
        shape = (c_int64 * len(self.shape))(*self.shape)
        layout = (len(self.shape), _KINDS[self.dtype.kind], 8 * self.dtype.itemsize, 1, shape, None, 0)
        deleter = ctypes.cast(_release, c_void_p).value
        managed = _Managed(_Tensor(address, kind, number, *layout), None, deleter)
        _lent[ctypes.addressof(managed)] = (managed, shape, self.array)
        return _new_capsule(ctypes.addressof(managed), _UNCONSUMED, ctypes.cast(_delete_capsule, c_void_p))
