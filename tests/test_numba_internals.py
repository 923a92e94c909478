"""Numba's private parts are as we know them. A failure here says which one a new version of Numba has changed."""

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
import pytest
from numba import njit

from sixfold.numba_internals import NO_REFERENCE_COUNTS, CacheFile, assembly_of, cache_under, tables_in_global_memory

VERSION = f"Numba {numba.__version__}: see src/sixfold/numba_internals.py"


def first(numbers: np.ndarray) -> int:
    kept = numbers
    return int(kept[0])


def test_arrays_can_be_used_without_counting_who_uses_them() -> None:
    counted: Any = njit(first)
    plain: Any = njit(**NO_REFERENCE_COUNTS)(first)
    numbers = np.array([7])
    assert counted(numbers) == plain(numbers) == 7
    texts = [next(iter(made.inspect_llvm().values())) for made in (counted, plain)]
    assert "call void @NRT_incref" in texts[0] or "NRT_decref" in texts[0], f"the test proves nothing ({VERSION})"
    assert "NRT_incref(" not in texts[1], f"the option _nrt=False has no effect ({VERSION})"


def cache_file(folder: Path, stamp: str) -> Any:
    return CacheFile(str(folder), "one", lambda: stamp)


def test_a_cache_can_be_given_a_stamp_and_a_name(tmp_path: Path) -> None:
    made: Any = njit(cache=True)(first)
    for part in ("_cache_file", "_cache_path", "_impl"):
        assert hasattr(made._cache, part), f"a dispatcher's cache has no {part} any more ({VERSION})"
    cache_under(made, "-here", lambda: "stamp")
    assert isinstance(made._cache._cache_file, CacheFile)
    assert made._cache._cache_file._index_name.endswith("-here.nbi"), VERSION

    one, same, late = (cache_file(tmp_path, stamp) for stamp in ("early", "early", "late"))
    one.save("key", 1)
    assert same.load("key") == 1, VERSION
    assert late.load("key") is None, f"the stamp is ignored ({VERSION})"


def test_a_cache_of_an_older_version_whose_types_have_moved_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = ModuleType("moved_since")
    key = type("Key", (), {"__module__": moved.__name__})
    moved.Key = key  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, moved.__name__, moved)
    cache_file(tmp_path, "early").save(key, 1)
    assert cache_file(tmp_path, "early").load(key) == 1, VERSION
    monkeypatch.delitem(sys.modules, moved.__name__)
    late = cache_file(tmp_path, "late")
    assert late.load("key") is None, VERSION
    late.save("key", 2)
    assert cache_file(tmp_path, "late").load("key") == 2, VERSION


def test_the_stamp_is_worked_out_only_when_it_is_needed(tmp_path: Path) -> None:
    def refuse() -> str:
        pytest.fail(f"the stamp was asked for too early ({VERSION})")

    CacheFile(str(tmp_path), "lazy", refuse)


def test_tables_of_kernels_can_be_moved_to_global_memory() -> None:
    nvvm: Any = importlib.import_module("numba.cuda.cudadrv.nvvm")
    names = ("ADDRSPACE_GLOBAL", "ADDRSPACE_CONSTANT")
    assert [getattr(nvvm, name, None) for name in names] == [1, 4], f"other address spaces ({VERSION})"
    with tables_in_global_memory():
        assert nvvm.ADDRSPACE_CONSTANT == 1
    assert nvvm.ADDRSPACE_CONSTANT == 4


def test_a_function_is_available_as_llvm_assembly() -> None:
    dispatcher: Any = njit(first)
    kind = numba.types.Array(numba.int64, 1, "C")
    modules, name, returns = assembly_of(dispatcher, (kind,))
    text = "\n".join(text for texts in modules.values() for text in texts)
    assert re.search(rf"^define .*i32 @{re.escape(name)}\(", text, re.M), f"the function is missing ({VERSION})"
    assert returns == numba.int64


@pytest.mark.parametrize(
    ("place", "names"),
    [
        ("cpu:CPUContext", ["create_cpython_wrapper", "create_cfunc_wrapper"]),
        ("codegen:CPUCodeLibrary", ["add_ir_module", "finalize"]),
        ("codegen:JITCodeLibrary", ["get_pointer_to_function"]),
        ("codegen:JITCPUCodegen", ["set_env"]),
        ("caching:FunctionCache", ["load_overload", "save_overload"]),
    ],
)
def test_all_but_the_text_can_be_left_out(place: str, names: list[str]) -> None:
    module, _, cls = place.partition(":")
    for name in names:
        found = getattr(getattr(importlib.import_module(f"numba.core.{module}"), cls), name, None)
        assert callable(found), f"{cls} has no {name} any more ({VERSION})"


INNER = """
from sixfold.games.shared.compiler import compiled

FACTOR = 2

@compiled
def scaled(number):
    return FACTOR * number
"""
OUTER = """
from sixfold.games.shared.compiler import compiled
from toy import inner

def build(function):
    @compiled
    def applied(number):
        return function(number) + 1

    return applied

def build_twice(function):
    applied = build(function)

    @compiled
    def twice(number):
        return applied(applied(number))

    return twice

def run():
    twice = build_twice(inner.scaled)
    result = twice(5)
    print(result, sum(twice.stats.cache_hits.values()))
"""


def test_a_function_over_a_compiled_function_is_found_again_until_a_file_changes(tmp_path: Path) -> None:
    package = tmp_path / "toy"
    package.mkdir()
    for name, text in {"__init__": "", "inner": INNER, "outer": OUTER}.items():
        package.joinpath(f"{name}.py").write_text(text)
    path = os.pathsep.join([str(tmp_path), *sys.path])
    environment = {**os.environ, "PYTHONPATH": path, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def result_and_hits() -> str:
        command = [sys.executable, "-c", "from toy.outer import run; run()"]
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.strip()

    assert result_and_hits() == "23 0"
    assert result_and_hits() == "23 1", f"a function over a compiled function is compiled again ({VERSION})"
    package.joinpath("inner.py").write_text(INNER.replace("FACTOR = 2", "FACTOR = 3"))
    assert result_and_hits() == "49 0", f"the cache misses a change in the file of a closed-over function ({VERSION})"
