"""A net as ONNX, for other programs (docs/nets.md)."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

# Old enough for every reader in use.
OPSET, IR = 17, 8


def export(net: Path, out: Path) -> None:
    """Write the plain arrays of a net as a row of matrix products: ``told`` goes in, ``said`` comes out."""
    with np.load(net) as file:
        about = {name: str(file[name]) for name in ("game", "players", "version", "games")}
        number = sum(name.startswith("weight") for name in file.files)
        arrays = {name: file[name].astype(np.float32) for name in file.files if name not in about}
    nodes = []
    before = "told"
    for layer in range(number):
        last = layer == number - 1
        sums = "said" if last else f"sum{layer}"
        nodes.append(helper.make_node("Gemm", [before, f"weight{layer}", f"bias{layer}"], [sums], transB=1))
        if not last:
            before = f"hidden{layer}"
            nodes.append(helper.make_node("Relu", [sums], [before]))
    inputs, outputs = arrays["weight0"].shape[1], len(arrays[f"bias{number - 1}"])
    graph = helper.make_graph(
        nodes,
        f"{about['game']}-{about['players']}",
        [helper.make_tensor_value_info("told", TensorProto.FLOAT, ["positions", inputs])],
        [helper.make_tensor_value_info("said", TensorProto.FLOAT, ["positions", outputs])],
        [numpy_helper.from_array(array, name) for name, array in arrays.items()],
    )
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR, producer_name="sixfold"
    )
    helper.set_model_props(model, about)
    onnx.checker.check_model(model)
    onnx.save(model, str(out))
