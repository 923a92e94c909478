"""Exports nets to ONNX (docs/nets.md)."""

from pathlib import Path
from typing import Any, cast

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from sixfold.bots.graph import INCIDENCE, PAIRS, SYMBOLS, rounds_of
from sixfold.bots.net import METADATA_KEYS, features_of, load
from sixfold.games.contract import GraphFeatures

# Old enough for every runtime in use.
OPSET, IR = 17, 8


class Writer:
    """Collects operations and the arrays that they use."""

    def __init__(self, arrays: dict[str, np.ndarray]) -> None:
        self.arrays = dict(arrays)
        self.nodes: list[Any] = []

    def add(self, operation: str, *inputs: str, **attributes: Any) -> str:
        """Add an operation; returns the name of its output."""
        output = f"{operation.lower()}-{len(self.nodes)}"
        self.nodes.append(helper.make_node(operation, inputs, [output], **attributes))
        return output

    def number(self, *values: int) -> str:
        """Add an integer constant; returns its name."""
        name = "numbers-" + "-".join(map(str, values))
        self.arrays[name] = np.array(values, dtype=np.int64)
        return name

    def part(self, what: str, begin: int, end: int, axis: int = 1) -> str:
        return self.add("Slice", what, self.number(begin), self.number(end), self.number(axis))

    def linear(self, what: str, weight: str, bias: str | None = None) -> str:
        """Add a linear layer over the last dimension."""
        self.arrays[f"{weight}.T"] = np.ascontiguousarray(self.arrays[weight].T)
        product = self.add("MatMul", what, f"{weight}.T")
        return product if bias is None else self.add("Add", product, bias)


def dense(writer: Writer) -> str:
    """Add the layers of a dense net; returns the name of the output."""
    number = sum(name.startswith("weight") for name in writer.arrays)
    output = "told"
    for layer in range(number):
        output = writer.linear(output, f"weight{layer}", f"bias{layer}")
        if layer < number - 1:
            output = writer.add("Relu", output)
    return output


def graph(writer: Writer, shape: tuple[int, int, int], inputs: int) -> str:
    """Add the message-passing rounds of a graph net; returns the name of the output."""
    row, common, whole = shape
    writer.arrays |= {"joins": INCIDENCE, "parts": np.ascontiguousarray(INCIDENCE.T)}
    rows = writer.add("Reshape", writer.part("told", 0, SYMBOLS * row), writer.number(-1, SYMBOLS, row))
    overall = writer.part("told", SYMBOLS * row, SYMBOLS * row + whole)
    of_pairs = writer.part("told", SYMBOLS * row + whole, inputs)
    kinds = writer.arrays["pair0"].shape[1] - common
    of_pairs = writer.add("Reshape", of_pairs, writer.number(-1, kinds, len(PAIRS)))
    of_pairs = writer.add("Transpose", of_pairs, perm=[0, 2, 1])
    cards = writer.part(rows, row - common, row, 2)
    both = [writer.add("Gather", cards, writer.number(*PAIRS[:, number].tolist()), axis=1) for number in range(2)]
    pair_inputs = writer.add("Concat", of_pairs, writer.add("Mul", *both), axis=2)
    alike = writer.add("Unsqueeze", writer.linear(overall, "whole"), writer.number(1))
    symbols = writer.add("Relu", writer.add("Add", writer.linear(rows, "symbol", "symbol_bias"), alike))
    pairs = ""
    for number in range(rounds_of(writer.arrays)):
        messages = writer.add("MatMul", "parts", writer.linear(symbols, f"meet{number}"))
        pairs = writer.add(
            "Relu", writer.add("Add", messages, writer.linear(pair_inputs, f"pair{number}", f"pair_bias{number}"))
        )
        received = writer.linear(writer.add("MatMul", "joins", pairs), f"hear{number}")
        symbols = writer.add(
            "Relu", writer.add("Add", received, writer.linear(symbols, f"own{number}", f"own_bias{number}"))
        )
    writer.arrays["nothing"] = np.zeros(1, dtype=np.float32)
    is_held = writer.add("Cast", writer.add("Greater", writer.part(of_pairs, 0, 1, 2), "nothing"), to=TensorProto.FLOAT)
    best = writer.add("ReduceMax", writer.add("Mul", pairs, is_held), axes=[1], keepdims=0)
    of_symbols, of_all_pairs = (
        writer.add("ReduceSum", what, writer.number(1), keepdims=0) for what in (symbols, pairs)
    )
    everything = writer.add(
        "Sum",
        writer.linear(of_symbols, "all_symbols", "all_bias"),
        writer.linear(of_all_pairs, "all_pairs"),
        writer.linear(best, "all_best"),
        writer.linear(overall, "all_whole"),
    )
    return writer.linear(writer.add("Relu", everything), "say", "say_bias")


def export(net: Path, out: Path) -> None:
    """Write a net as ONNX; the input is named ``told``, the output ``said``."""
    with np.load(net) as file:
        metadata = {name: str(file[name]) for name in METADATA_KEYS}
        writer = Writer({name: file[name].astype(np.float32) for name in file.files if name not in METADATA_KEYS})
    players = int(metadata["players"])
    features = features_of(metadata["game"], players)
    inputs = features.input_count(players)
    outputs = int(load(net, metadata["game"], players)[1][-1])
    if features.NET == "dense":
        output = dense(writer)
    else:
        output = graph(writer, cast("GraphFeatures", features).shape(players), inputs)
    writer.nodes.append(helper.make_node("Identity", [output], ["said"]))
    graph_proto = helper.make_graph(
        writer.nodes,
        f"{metadata['game']}-{metadata['players']}",
        [helper.make_tensor_value_info("told", TensorProto.FLOAT, ["positions", inputs])],
        [helper.make_tensor_value_info("said", TensorProto.FLOAT, ["positions", outputs])],
        [numpy_helper.from_array(array, name) for name, array in used_arrays(writer).items()],
    )
    model = helper.make_model(
        graph_proto, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR, producer_name="sixfold"
    )
    helper.set_model_props(model, metadata)
    onnx.checker.check_model(model)
    onnx.save(model, str(out))


def used_arrays(writer: Writer) -> dict[str, np.ndarray]:
    """The arrays that are an input of any operation."""
    names = {name for node in writer.nodes for name in node.input}
    return {name: array for name, array in writer.arrays.items() if name in names}
