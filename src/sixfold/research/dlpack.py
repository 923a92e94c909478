"""An array on a card, handed to others without a copy: ``__dlpack__`` and ``__cuda_array_interface__``.

Numba's device arrays have only the second; PyTorch, JAX and CuPy all take the first.
"""

import ctypes
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int32, c_int64, c_uint8, c_uint16, c_uint64, c_void_p
from typing import Any

import numpy as np

ON_CPU, ON_CUDA = 1, 2
# Streams that everything on the default stream waits for, and that wait for it.
DEFAULT_STREAMS = (None, 0, 1)
_KINDS = {"i": 0, "u": 1, "f": 2}
_FRESH = b"dltensor"


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


# What others still use, by the address of its description.
_lent: dict[int, tuple[Any, ...]] = {}


@CFUNCTYPE(None, c_void_p)
def _give_back(address: int) -> None:
    _lent.pop(address, None)


_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype, _new_capsule.argtypes = ctypes.py_object, (c_void_p, c_char_p, c_void_p)
# A capsule that is on its way out is an address, not an object: an object would be counted, and deleted twice.
_is_fresh = ctypes.pythonapi.PyCapsule_IsValid
_is_fresh.argtypes = (c_void_p, c_char_p)
_address_in = ctypes.pythonapi.PyCapsule_GetPointer
_address_in.restype, _address_in.argtypes = c_void_p, (c_void_p, c_char_p)


@CFUNCTYPE(None, c_void_p)
def _forget(capsule: int) -> None:
    """A capsule that nobody took goes back by itself."""
    if _is_fresh(capsule, _FRESH):
        _give_back(_address_in(capsule, _FRESH))


class Shared:
    """An array that stays where it is, on a device of DLPack's kind and number."""

    def __init__(self, array: Any, device: tuple[int, int], synchronize: Callable[[], None]) -> None:
        self.array = array
        self.shape: tuple[int, ...] = array.shape
        self.dtype = np.dtype(array.dtype)
        self._device = device
        self._synchronize = synchronize

    def copy_to_host(self) -> np.ndarray:
        """A copy for NumPy."""
        found: np.ndarray = self.array.copy_to_host()
        return found

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        described: dict[str, Any] = self.array.__cuda_array_interface__
        return described

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device

    def __dlpack__(self, *, stream: int | None = None, **_: Any) -> Any:
        if stream not in DEFAULT_STREAMS:
            self._synchronize()
        kind, number = self._device
        address = self.array.ctypes.data if kind == ON_CPU else self.__cuda_array_interface__["data"][0]
        shape = (c_int64 * len(self.shape))(*self.shape)
        form = (len(self.shape), _KINDS[self.dtype.kind], 8 * self.dtype.itemsize, 1, shape, None, 0)
        deleter = ctypes.cast(_give_back, c_void_p).value
        managed = _Managed(_Tensor(address, kind, number, *form), None, deleter)
        _lent[ctypes.addressof(managed)] = (managed, shape, self.array)
        return _new_capsule(ctypes.addressof(managed), _FRESH, ctypes.cast(_forget, c_void_p))
