"""Compiled functions as a WebAssembly module: the very functions that run on the CPU, for a browser or Node.

Numba is asked for the LLVM text of a function and of all it calls, not optimised for this machine. It gets the layout
of wasm32, is optimised for that by llvmlite, and is linked by ``wasm-ld``, which the package ``ziglang`` brings.

A module has named *buffers* at fixed places in its memory, and *exports* that work on them. A whole number crosses the
border as i32, a seed as i64, a fraction as f64; everything larger lies in a buffer. Where a buffer lies is exported
under its name, unless that begins with ``_``.
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
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from sixfold.errors import SetupError
from sixfold.numba_internals import llvm_text, make_only_text

numba: Any = importlib.import_module("numba")

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext,+simd128"
STACK = 1 << 18
# What small arrays that functions make for themselves may take together.
ARENA = 1 << 20
# Set before Numba is imported: the text must not be optimised for this machine. The cache must be an empty folder.
ENVIRONMENT = {"NUMBA_OPT": "0"}


@dataclass(frozen=True)
class Buffer:
    """A place in a module's memory that holds one array, at first zeros or what is given; two of one name share it."""

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...] = (1,)
    content: bytes = b""

    @property
    def size(self) -> int:
        return self.dtype.itemsize * int(np.prod(self.shape, dtype=np.int64))


Argument = Buffer | type[np.int64] | type[np.uint64] | type[np.float64] | tuple[Any, ...]


@dataclass(frozen=True)
class Export:
    """A function that a module offers: what it works on, and the numbers that a caller gives, by their names."""

    name: str
    function: Any
    arguments: Mapping[str, Argument]

    @property
    def numbers(self) -> dict[str, str]:
        """What a caller gives, with its type in WebAssembly."""
        return {name: _OUTSIDE[kind] for name, kind in self.arguments.items() if isinstance(kind, type)}


_OUTSIDE = {np.int64: "i32", np.uint64: "i64", np.float64: "double"}
_INSIDE = {np.int64: "i64", np.uint64: "i64", np.float64: "double"}

# Numba's own runtime counts who uses an array; here that is a heap which is empty again when nobody uses any. The
# header is the one that Numba's code reads: count, destructor, its argument, data, size.
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
        return numba.types.BaseTuple.from_types([_numba_type(part) for part in argument])
    return numba.typeof(argument(0))


def _compiled_text(export: Export, machine: llvm.TargetMachine) -> tuple[str, str, Any]:
    """A function's LLVM text for wasm32, the name it has there, and the type of what it returns."""
    kinds = tuple(_numba_type(argument) for argument in export.arguments.values())
    text, name, returns = llvm_text(export.function, kinds)
    text = re.sub(r"^target (datalayout|triple).*\n", "", text, flags=re.M)
    # Addresses in this process. Nothing may use them; the linker finds out.
    text = re.sub(r"^(@numba\.dynamic\.globals\S* =) .*$", r"\1 external global ptr", text, flags=re.M)
    text = re.sub(r"inttoptr \(i64 \d+ to ptr\)", "null", text)
    # An object of WebAssembly knows no common symbols.
    text = text.replace("= common global", "= internal global")
    text = re.sub(r'"target-(cpu|features)"="[^"]*"', "", text)
    return _header(machine) + text, name, returns


def _passed(argument: Argument, name: str) -> Iterator[tuple[str, str]]:
    """An argument as Numba passes it: LLVM type and value; arrays with everything that is known of them."""
    if isinstance(argument, tuple):
        for part in argument:
            yield from _passed(part, name)
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
    """What a function gives back: its LLVM type in memory, outside, and how one becomes the other."""
    kind = numba.types.unliteral(returns)
    if kind == numba.types.none:
        return "ptr", "void", ""
    if kind == numba.types.float64:
        return "double", "double", "%result = load double, ptr %place"
    if isinstance(kind, numba.types.Boolean):
        return "i8", "i32", "%found = load i8, ptr %place\n  %result = zext i8 %found to i32"
    if isinstance(kind, numba.types.Integer):
        size = f"i{kind.bitwidth}"
        if kind.bitwidth == 32:
            return size, "i32", "%result = load i32, ptr %place"
        turn = "trunc" if kind.bitwidth == 64 else "sext" if kind.signed else "zext"
        return size, "i32", f"%found = load {size}, ptr %place\n  %result = {turn} {size} %found to i32"
    raise TypeError(f"an export returns one number or nothing, not {kind}")


def _wrapper(export: Export, mangled: str, returns: Any) -> str:
    """A function of plain numbers around one of Numba's; what Numba would raise becomes a trap."""
    numbers = export.numbers
    outside = ", ".join(f"{kind} %{name}" for name, kind in numbers.items())
    widen = [
        f"  %inside.{name} = " + (f"sext i32 %{name} to i64" if kind == "i32" else f"freeze {kind} %{name}")
        for name, kind in numbers.items()
    ]
    passed = [part for name, argument in export.arguments.items() for part in _passed(argument, name)]
    kinds = ", ".join(["ptr", "ptr", *(kind for kind, _ in passed)])
    given = ", ".join(f"{kind} {value}" for kind, value in [("ptr", "%place"), ("ptr", "%error"), *passed])
    inner, outer, load = _result(returns)
    lines = [
        f"declare i32 @{mangled}({kinds})",
        f"define {outer} @{export.name}({outside}) {{",
        f"  %place = alloca {inner}",
        "  %error = alloca ptr",
        *widen,
        f"  %status = call i32 @{mangled}({given})",
        "  %raised = icmp sgt i32 %status, 0",
        "  br i1 %raised, label %bad, label %good",
        "bad:\n  call void @llvm.trap()\n  unreachable",
        f"good:\n  {load}",
        "  ret void" if outer == "void" else f"  ret {outer} %result",
        "}",
    ]
    return "\n".join(lines)


def _buffers(exports: Iterable[Export]) -> dict[str, Buffer]:
    """Every buffer that some export works on; of those that share a name the largest."""
    found: dict[str, Buffer] = {}

    def note(argument: Argument) -> None:
        if isinstance(argument, tuple):
            for part in argument:
                note(part)
        elif isinstance(argument, Buffer):
            known = found.setdefault(argument.name, argument)
            if argument.size > known.size:
                found[argument.name] = argument

    for export in exports:
        for argument in export.arguments.values():
            note(argument)
    return found


def _variable(buffer: Buffer) -> str:
    """A buffer as a global variable."""
    content = "zeroinitializer"
    if buffer.content:
        content = 'c"' + "".join(f"\\{byte:02X}" for byte in buffer.content) + '"'
    return f"@{buffer.name} = global [{buffer.size} x i8] {content}, align 16"


@dataclass(frozen=True)
class Module:
    """What was built: the module's bytes, and what it offers."""

    code: bytes
    exports: Sequence[Export]
    returns: Mapping[str, str]  # by the export's name: void, i32 or double
    buffers: Mapping[str, Buffer]


def compile_module(exports: Sequence[Export]) -> Module:
    """Compile and link functions into one module, in a process that does nothing else."""
    need_linker()
    if int(numba.config.OPT) != 0:
        raise RuntimeError(f"set {ENVIRONMENT} before Numba is imported")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    machine = target.create_target_machine(opt=3, reloc="static", features=FEATURES)
    buffers = _buffers(exports)
    make_only_text()
    gc.disable()
    own = [_header(machine), RUNTIME]
    own += [_variable(buffer) for buffer in buffers.values()]
    texts, returns = [], {}
    for export in exports:
        text, mangled, kind = _compiled_text(export, machine)
        texts.append(text)
        own.append(_wrapper(export, mangled, kind))
        returns[export.name] = _result(kind)[1]
    module = llvm.parse_assembly("\n".join(own).replace("define internal", "define"))
    for text in texts:
        module.link_in(llvm.parse_assembly(text))
    _only(module, {export.name for export in exports} | set(buffers))
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return Module(_linked(machine.emit_object(module), exports, buffers), exports, returns, buffers)


def _only(module: llvm.ModuleRef, names: set[str]) -> None:
    """Nothing but these can be seen from outside, so what they do not need falls away."""
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name in names else "internal"
    for variable in module.global_variables:
        if not variable.is_declaration and variable.name not in names:
            variable.linkage = "internal"


def need_linker() -> None:
    """Say what to install where the linker is missing."""
    if importlib.util.find_spec("ziglang") is None:
        raise SetupError("building WebAssembly needs a linker: pip install 'sixfold[wasm]', which brings ziglang")


def _linked(code: bytes, exports: Iterable[Export], buffers: Mapping[str, Buffer]) -> bytes:
    names = [*(export.name for export in exports), *(name for name in buffers if not name.startswith("_"))]
    with tempfile.TemporaryDirectory(prefix="sixfold-wasm-") as folder:
        source, made = Path(folder, "module.o"), Path(folder, "module.wasm")
        source.write_bytes(code)
        command = [sys.executable, "-m", "ziglang", "wasm-ld", str(source), "-o", str(made)]
        command += ["--no-entry", "--gc-sections", "--strip-all", "--stack-first", "-z", f"stack-size={STACK}"]
        command += [f"--export={name}" for name in names]
        environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": folder}
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        if done.returncode:
            raise RuntimeError(f"wasm-ld: {done.stderr.strip()[:2000]}")
        return made.read_bytes()
