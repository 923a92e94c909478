"""A net as ONNX, for other programs (docs/nets.md)."""

from pathlib import Path
from typing import Any, cast

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from sixfold.bots.graph import JOINS, PAIRS, SYMBOLS, rounds_of
from sixfold.bots.net import ABOUT, features_of, load
from sixfold.games.contract import GraphFeatures

# Old enough for every reader in use.
OPSET, IR = 17, 8


class Writer:
    """Operations one after the other, and the arrays that they use."""

    def __init__(self, arrays: dict[str, np.ndarray]) -> None:
        self.arrays = dict(arrays)
        self.nodes: list[Any] = []

    def do(self, operation: str, *inputs: str, **how: Any) -> str:
        """The name of what comes out."""
        out = f"{operation.lower()}-{len(self.nodes)}"
        self.nodes.append(helper.make_node(operation, inputs, [out], **how))
        return out

    def number(self, *values: int) -> str:
        """Whole numbers that an operation takes as an input."""
        name = "numbers-" + "-".join(map(str, values))
        self.arrays[name] = np.array(values, dtype=np.int64)
        return name

    def part(self, what: str, begin: int, end: int, axis: int = 1) -> str:
        return self.do("Slice", what, self.number(begin), self.number(end), self.number(axis))

    def linear(self, what: str, weight: str, bias: str | None = None) -> str:
        """Numbers times weights, in the last dimension."""
        self.arrays[f"{weight}.T"] = np.ascontiguousarray(self.arrays[weight].T)
        product = self.do("MatMul", what, f"{weight}.T")
        return product if bias is None else self.do("Add", product, bias)


def dense(writer: Writer) -> str:
    """Layer after layer."""
    number = sum(name.startswith("weight") for name in writer.arrays)
    said = "told"
    for layer in range(number):
        said = writer.linear(said, f"weight{layer}", f"bias{layer}")
        if layer < number - 1:
            said = writer.do("Relu", said)
    return said


def graph(writer: Writer, shape: tuple[int, int, int], inputs: int) -> str:
    """Symbols and pairs of them, round after round."""
    row, common, whole = shape
    writer.arrays |= {"joins": JOINS, "parts": np.ascontiguousarray(JOINS.T)}
    rows = writer.do("Reshape", writer.part("told", 0, SYMBOLS * row), writer.number(-1, SYMBOLS, row))
    overall = writer.part("told", SYMBOLS * row, SYMBOLS * row + whole)
    of_pairs = writer.part("told", SYMBOLS * row + whole, inputs)
    kinds = writer.arrays["pair0"].shape[1] - common
    of_pairs = writer.do("Reshape", of_pairs, writer.number(-1, kinds, len(PAIRS)))
    of_pairs = writer.do("Transpose", of_pairs, perm=[0, 2, 1])
    cards = writer.part(rows, row - common, row, 2)
    both = [writer.do("Gather", cards, writer.number(*PAIRS[:, at].tolist()), axis=1) for at in range(2)]
    told = writer.do("Concat", of_pairs, writer.do("Mul", *both), axis=2)
    alike = writer.do("Unsqueeze", writer.linear(overall, "whole"), writer.number(1))
    symbols = writer.do("Relu", writer.do("Add", writer.linear(rows, "symbol", "symbol_bias"), alike))
    pairs = ""
    for at in range(rounds_of(writer.arrays)):
        met = writer.do("MatMul", "parts", writer.linear(symbols, f"meet{at}"))
        pairs = writer.do("Relu", writer.do("Add", met, writer.linear(told, f"pair{at}", f"pair_bias{at}")))
        heard = writer.linear(writer.do("MatMul", "joins", pairs), f"hear{at}")
        symbols = writer.do("Relu", writer.do("Add", heard, writer.linear(symbols, f"own{at}", f"own_bias{at}")))
    writer.arrays["nothing"] = np.zeros(1, dtype=np.float32)
    held = writer.do("Cast", writer.do("Greater", writer.part(of_pairs, 0, 1, 2), "nothing"), to=TensorProto.FLOAT)
    best = writer.do("ReduceMax", writer.do("Mul", pairs, held), axes=[1], keepdims=0)
    of_symbols, of_all_pairs = (writer.do("ReduceSum", what, writer.number(1), keepdims=0) for what in (symbols, pairs))
    everything = writer.do(
        "Sum",
        writer.linear(of_symbols, "all_symbols", "all_bias"),
        writer.linear(of_all_pairs, "all_pairs"),
        writer.linear(best, "all_best"),
        writer.linear(overall, "all_whole"),
    )
    return writer.linear(writer.do("Relu", everything), "say", "say_bias")


def export(net: Path, out: Path) -> None:
    """Write the plain arrays of a net as a row of operations: ``told`` goes in, ``said`` comes out."""
    with np.load(net) as file:
        about = {name: str(file[name]) for name in ABOUT}
        writer = Writer({name: file[name].astype(np.float32) for name in file.files if name not in ABOUT})
    players = int(about["players"])
    features = features_of(about["game"], players)
    inputs = features.inputs(players)
    says = int(load(net, about["game"], players)[1][-1])
    if features.NET == "dense":
        found = dense(writer)
    else:
        found = graph(writer, cast("GraphFeatures", features).shape(players), inputs)
    writer.nodes.append(helper.make_node("Identity", [found], ["said"]))
    made = helper.make_graph(
        writer.nodes,
        f"{about['game']}-{about['players']}",
        [helper.make_tensor_value_info("told", TensorProto.FLOAT, ["positions", inputs])],
        [helper.make_tensor_value_info("said", TensorProto.FLOAT, ["positions", says])],
        [numpy_helper.from_array(array, name) for name, array in used(writer).items()],
    )
    model = helper.make_model(
        made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR, producer_name="sixfold"
    )
    helper.set_model_props(model, about)
    onnx.checker.check_model(model)
    onnx.save(model, str(out))


def used(writer: Writer) -> dict[str, np.ndarray]:
    """The arrays that an operation takes."""
    names = {name for node in writer.nodes for name in node.input}
    return {name: array for name, array in writer.arrays.items() if name in names}
