"""Compiles Numba functions to a WebAssembly module: the same functions that run on the CPU, for browsers and Node.

Numba emits unoptimised LLVM IR for a function and its callees. The IR is given the wasm32 data layout, optimised by
llvmlite, and linked by ``wasm-ld``, which is part of the package ``ziglang``.

A module has named *buffers* at fixed addresses in its memory, and *exports* that work on them. Integers are passed as
i32, seeds as i64 and floats as f64; everything else is passed in a buffer. A buffer's address is exported under its
name, unless the name begins with ``_``.
"""

import gc
import importlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from sixfold.errors import SetupError
from sixfold.numba_internals import assembly_of, emit_only_assembly

numba: Any = importlib.import_module("numba")

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext,+simd128"
STACK = 1 << 18
# The heap for small arrays that the functions allocate themselves.
ARENA = 1 << 20
# Must be set before Numba is imported, so that the IR is not optimised for the host. The cache must be an empty folder.
ENVIRONMENT = {"NUMBA_OPT": "0"}


@dataclass(frozen=True)
class Buffer:
    """One array in a module's memory, initially zero or ``content``; buffers with the same name share memory."""

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...] = (1,)
    content: bytes = b""

    @property
    def size(self) -> int:
        return self.dtype.itemsize * int(np.prod(self.shape, dtype=np.int64))


def buffers_like(name: str, arrays: Any) -> Any:
    """A private buffer for each array of a workspace, in the same structure."""
    if isinstance(arrays, np.ndarray):
        return Buffer(name, arrays.dtype, arrays.shape)
    parts = [buffers_like(f"{name}_{number}", part) for number, part in enumerate(arrays)]
    return type(arrays)(*parts) if hasattr(arrays, "_fields") else tuple(parts)


Argument = Buffer | type[np.int64] | type[np.uint64] | type[np.float64] | tuple[Any, ...]


@dataclass(frozen=True)
class Export:
    """A function that a module exports, with its buffers and its numeric parameters by name."""

    name: str
    function: Any
    arguments: Mapping[str, Argument]

    @property
    def numbers(self) -> dict[str, str]:
        """The numeric parameters with their WebAssembly types."""
        return {name: _OUTSIDE[kind] for name, kind in self.arguments.items() if isinstance(kind, type)}


_OUTSIDE = {np.int64: "i32", np.uint64: "i64", np.float64: "double"}
_INSIDE = {np.int64: "i64", np.uint64: "i64", np.float64: "double"}

# Replaces Numba's reference-counting runtime by a bump allocator that resets once no array is live. The header has the
# layout that Numba's code reads: count, destructor, its argument, data, size.
RUNTIME = f"""
@arena = internal global [{ARENA} x i8] zeroinitializer, align 16
@top = internal global i64 0
@live = internal global i64 0
declare double @llvm.sqrt.f64(double)
declare void @llvm.trap()

define internal double @sqrt(double %x) alwaysinline {{
  %root = call double @llvm.sqrt.f64(double %x)
  ret double %root
}}

define internal ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {{
  %top = load i64, ptr @top
  %rounded = add i64 %size, 79
  %whole = and i64 %rounded, -16
  %after = add i64 %top, %whole
  %full = icmp ugt i64 %after, {ARENA}
  br i1 %full, label %no, label %yes
no:
  call void @llvm.trap()
  unreachable
yes:
  store i64 %after, ptr @top
  %live = load i64, ptr @live
  %more = add i64 %live, 1
  store i64 %more, ptr @live
  %info = getelementptr i8, ptr @arena, i64 %top
  %data = getelementptr i8, ptr %info, i64 64
  store {{ i64, ptr, ptr, ptr, i64 }} zeroinitializer, ptr %info
  store i64 1, ptr %info
  %data_at = getelementptr {{ i64, ptr, ptr, ptr, i64 }}, ptr %info, i32 0, i32 3
  store ptr %data, ptr %data_at
  ret ptr %info
}}

define internal void @NRT_MemInfo_call_dtor(ptr %info) {{
  %live = load i64, ptr @live
  %less = sub i64 %live, 1
  store i64 %less, ptr @live
  %empty = icmp eq i64 %less, 0
  br i1 %empty, label %reset, label %done
reset:
  store i64 0, ptr @top
  br label %done
done:
  ret void
}}
"""


def _header(machine: llvm.TargetMachine) -> str:
    return f'target datalayout = "{machine.target_data}"\ntarget triple = "{TRIPLE}"\n'


def _numba_type(argument: Argument) -> Any:
    if isinstance(argument, Buffer):
        return numba.typeof(np.empty((0,) * len(argument.shape), argument.dtype))
    if isinstance(argument, tuple):
        named = type(argument) if hasattr(argument, "_fields") else None
        return numba.types.BaseTuple.from_types([_numba_type(part) for part in argument], named)
    return numba.typeof(argument(0))


def _retarget(text: str) -> str:
    """The LLVM IR of one of Numba's modules without anything that belongs to this machine or process."""
    text = re.sub(r"^target (datalayout|triple).*\n", "", text, flags=re.M)
    # Addresses in this process. If anything used them, linking would fail.
    text = re.sub(r"^(@numba\.dynamic\.globals\S* =) .*$", r"\1 external global ptr", text, flags=re.M)
    text = re.sub(r"inttoptr \(i64 \d+ to ptr\)", "null", text)
    # WebAssembly objects have no common symbols.
    text = text.replace("= common global", "= internal global")
    return re.sub(r'"target-(cpu|features)"="[^"]*"', "", text)


def _lowered(argument: Argument, name: str) -> Iterator[tuple[str, str]]:
    """An argument as Numba lowers it, as pairs of LLVM type and value; an array becomes its descriptor's fields."""
    if isinstance(argument, tuple):
        for part in argument:
            yield from _lowered(part, name)
    elif isinstance(argument, Buffer):
        steps = [argument.dtype.itemsize]
        for length in reversed(argument.shape[1:]):
            steps.insert(0, steps[0] * length)
        yield from (("ptr", "null"), ("ptr", "null"))
        yield from (("i64", str(int(np.prod(argument.shape)))), ("i64", str(argument.dtype.itemsize)))
        yield "ptr", f"@{argument.name}"
        yield from (("i64", str(length)) for length in (*argument.shape, *steps))
    else:
        yield _INSIDE[argument], f"%inside.{name}"


def _result(returns: Any) -> tuple[str, str, str]:
    """A function's result: its LLVM type in memory, its exported type, and the code that converts it."""
    kind = numba.types.unliteral(returns)
    if kind == numba.types.none:
        return "ptr", "void", ""
    if kind == numba.types.float64:
        return "double", "double", "%result = load double, ptr %place"
    if isinstance(kind, numba.types.Boolean):
        return "i8", "i32", "%raw = load i8, ptr %place\n  %result = zext i8 %raw to i32"
    if isinstance(kind, numba.types.Integer):
        size = f"i{kind.bitwidth}"
        if kind.bitwidth == 32:
            return size, "i32", "%result = load i32, ptr %place"
        turn = "trunc" if kind.bitwidth == 64 else "sext" if kind.signed else "zext"
        return size, "i32", f"%raw = load {size}, ptr %place\n  %result = {turn} {size} %raw to i32"
    raise TypeError(f"an export returns one number or nothing, not {kind}")


def _wrapper(export: Export, mangled: str, returns: Any) -> str:
    """An exported function of plain numbers that calls Numba's function and traps where Numba would raise."""
    numbers = export.numbers
    outside = ", ".join(f"{kind} %{name}" for name, kind in numbers.items())
    widen = [
        f"  %inside.{name} = " + (f"sext i32 %{name} to i64" if kind == "i32" else f"freeze {kind} %{name}")
        for name, kind in numbers.items()
    ]
    lowered = [part for name, argument in export.arguments.items() for part in _lowered(argument, name)]
    types = ", ".join(["ptr", "ptr", *(kind for kind, _ in lowered)])
    call_arguments = ", ".join(f"{kind} {value}" for kind, value in [("ptr", "%place"), ("ptr", "%error"), *lowered])
    inner, outer, load = _result(returns)
    lines = [
        f"declare i32 @{mangled}({types})",
        f"define {outer} @{export.name}({outside}) {{",
        f"  %place = alloca {inner}",
        "  %error = alloca ptr",
        *widen,
        f"  %status = call i32 @{mangled}({call_arguments})",
        "  %raised = icmp sgt i32 %status, 0",
        "  br i1 %raised, label %bad, label %good",
        "bad:\n  call void @llvm.trap()\n  unreachable",
        f"good:\n  {load}",
        "  ret void" if outer == "void" else f"  ret {outer} %result",
        "}",
    ]
    return "\n".join(lines)


def _buffers(exports: Iterable[Export]) -> dict[str, Buffer]:
    """All buffers of the exports by name; the largest of those that share a name."""
    buffers: dict[str, Buffer] = {}

    def collect(argument: Argument) -> None:
        if isinstance(argument, tuple):
            for part in argument:
                collect(part)
        elif isinstance(argument, Buffer):
            known = buffers.setdefault(argument.name, argument)
            if argument.size > known.size:
                buffers[argument.name] = argument

    for export in exports:
        for argument in export.arguments.values():
            collect(argument)
    return buffers


def _variable(buffer: Buffer) -> str:
    """A buffer as an LLVM global variable."""
    content = "zeroinitializer"
    if buffer.content:
        content = 'c"' + "".join(f"\\{byte:02X}" for byte in buffer.content) + '"'
    return f"@{buffer.name} = global [{buffer.size} x i8] {content}, align 16"


@dataclass(frozen=True)
class Module:
    """A compiled module: its bytes, exports and buffers."""

    code: bytes
    exports: Sequence[Export]
    returns: Mapping[str, str]  # by the export's name: void, i32 or double
    buffers: Mapping[str, Buffer]


def compile_module(exports: Sequence[Export]) -> Module:
    """Compile and link functions into one module; the process must not do anything else."""
    need_linker()
    if int(numba.config.OPT) != 0:
        raise RuntimeError(f"set {ENVIRONMENT} before Numba is imported")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    machine = target.create_target_machine(opt=3, reloc="static", features=FEATURES)
    buffers = _buffers(exports)
    emit_only_assembly()
    gc.disable()
    module_text = [_header(machine), RUNTIME]
    module_text += [_variable(buffer) for buffer in buffers.values()]
    functions: dict[Any, list[str]] = {}
    returns = {}
    for export in exports:
        types = tuple(_numba_type(argument) for argument in export.arguments.values())
        assembly = assembly_of(export.function, types)
        functions |= assembly.modules
        module_text.append(_wrapper(export, assembly.name, assembly.returns))
        returns[export.name] = _result(assembly.returns)[1]
    module = llvm.parse_assembly("\n".join(module_text).replace("define internal", "define"))
    for text in chain.from_iterable(functions.values()):
        module.link_in(llvm.parse_assembly(_header(machine) + _retarget(text)))
    _only(module, {export.name for export in exports} | set(buffers))
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return Module(_linked(machine.emit_object(module), exports, buffers), exports, returns, buffers)


def _only(module: llvm.ModuleRef, names: set[str]) -> None:
    """Make everything but these names internal, so that unused code is removed."""
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name in names else "internal"
    for variable in module.global_variables:
        if not variable.is_declaration and variable.name not in names:
            variable.linkage = "internal"


def need_linker() -> None:
    """Raise an error that says what to install if the linker is missing."""
    if importlib.util.find_spec("ziglang") is None:
        raise SetupError("building WebAssembly needs a linker: pip install 'sixfold[wasm]', which brings ziglang")


def _linked(code: bytes, exports: Iterable[Export], buffers: Mapping[str, Buffer]) -> bytes:
    names = [*(export.name for export in exports), *(name for name in buffers if not name.startswith("_"))]
    with tempfile.TemporaryDirectory(prefix="sixfold-wasm-") as folder:
        source, linked = Path(folder, "module.o"), Path(folder, "module.wasm")
        source.write_bytes(code)
        command = [sys.executable, "-m", "ziglang", "wasm-ld", str(source), "-o", str(linked)]
        command += ["--no-entry", "--gc-sections", "--strip-all", "--stack-first", "-z", f"stack-size={STACK}"]
        command += [f"--export={name}" for name in names]
        environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": folder}
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        if done.returncode:
            raise RuntimeError(f"wasm-ld: {done.stderr.strip()[:2000]}")
        return linked.read_bytes()
