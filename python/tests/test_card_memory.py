# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors that do not fit the memory beside the chip: what is refused, and that following the advice compiles."""

from __future__ import annotations

import json
import re
from contextlib import nullcontext
from pathlib import Path

import pytest
import streamtensor as st
from number_words import Words
from streamtensor.card_memory import Context, OnCard, check_memory
from streamtensor.compiler import compile as compile_program
from streamtensor.devices import describe, find_device
from streamtensor.errors import CapacityError
from streamtensor.frontend import models
from streamtensor.options import Options

PAGE = 4096


def card(directory: Path, channel_bytes: int) -> str:
    """The U55C with so much memory in a channel, rounded to what a file can say: 1 GiB in ever more channels."""
    data = json.loads(find_device("u55c").path.read_text())
    data["external_memory"] |= {"gib": 1, "channels": 2**30 // channel_bytes}
    path = directory / f"card-{channel_bytes}.json"
    path.write_text(json.dumps(data))
    return str(path)


def port(name: str, memories: list[str], shape: list[int], direction: str = "in", bits: int = 32) -> dict:
    stripes = list(range(len(memories)))
    return {
        "name": name,
        "direction": direction,
        "shape": shape,
        "bits": bits,
        "memories": memories,
        "stripes": stripes,
    }


def argument(value: int, name: str, kind: str, shape: list[int], dtype: str = "float32") -> dict:
    return {"value": value, "name": name, "kind": kind, "shape": shape, "dtype": dtype}


def interface(arguments: list[dict], designs: dict[str, list[dict]], steps: list[dict]) -> dict:
    named = [{"name": name, "ports": ports} for name, ports in designs.items()]
    return {"designs": named, "main": {"arguments": arguments, "constants": [], "steps": steps}}


def launch(design: str, inputs: list[int], outputs: list[int]) -> dict:
    return {"op": "launch", "design": design, "inputs": inputs, "outputs": outputs}


def refusal(tmp_path, channel_bytes: int, *programs: OnCard, context: Context | None = None) -> str | None:
    try:
        check_memory("Block", "Alveo U55C", Path(card(tmp_path, channel_bytes)), programs, context)
    except CapacityError as error:
        return str(error)
    return None


def least_room(tmp_path, *programs: OnCard, context: Context | None = None) -> int:
    """Pages that the fullest channel needs, as refusals tell."""
    said = refusal(tmp_path, PAGE, *programs, context=context)
    if said is None:
        return 1
    return int(re.search(r"hold ([\d,]+) of 4,096 bytes", said)[1].replace(",", "")) // PAGE


def test_tensors_of_a_channel_are_summed_in_whole_pages(tmp_path):
    arguments = [argument(0, "x", "input", [8, 128]), argument(1, "w", "parameter", [2048])]
    ports = [port("x", ["HBM[0]"], [8, 128]), port("w", ["HBM[0]"], [2050]), port("y", ["HBM[1]"], [1], "out")]
    program = OnCard(interface(arguments, {"d": ports}, [launch("d", [0, 1], [2])]))
    assert least_room(tmp_path, program) == 1 + 3
    assert refusal(tmp_path, 4 * PAGE, program) is None
    assert refusal(tmp_path, 2 * PAGE, program) == (
        "The design of Block does not fit the memory of Alveo U55C: HBM[0] would hold 16,384 of 8,192 bytes. There "
        "weights take 12.0 KiB, inputs take 4.0 KiB; most of it 'w' (weights) 12.0 KiB, 'x' (inputs) 4.0 KiB. Choose a "
        "device with 16,384 bytes there."
    )


@pytest.mark.parametrize(("device", "gib", "fits"), [("kv260", 3, True), ("kv260", 5, False), ("u55c", 1, False)])
def test_ports_of_a_processor_lead_to_one_memory(device, gib, fits, tmp_path):
    """The KV260 has 4 GiB behind all ports, the U55C 512 MiB behind each channel."""
    file = tmp_path / "device.json"
    file.write_text(describe(find_device(device), Options()))
    memory = json.loads(file.read_text())["external_memory"]
    names = [memory["bank"].replace("#", str(channel)) for channel in range(2)]
    arguments = [argument(n, f"w{n}", "parameter", [gib, 2**27]) for n in range(2)]
    ports = [port("w0", names[:1], [gib - 1, 2**28]), port("w1", names[1:], [1, 2**28])]
    programs = [OnCard(interface(arguments, {"d": ports}, [launch("d", [0, 1], [])]))]
    said = r"the memory behind all HP would|HBM\[1\] would"
    with nullcontext() if fits else pytest.raises(CapacityError, match=said):
        check_memory("Block", "card", file, programs)


def test_stripes_lie_apart_and_narrow_elements_share_bytes(tmp_path):
    arguments = [argument(0, "w", "parameter", [4, 8192], "int4")]
    ports = [port("w", ["HBM[0]", "HBM[1]"], [4, 8192], bits=4), port("y", ["HBM[2]"], [1], "out")]
    assert least_room(tmp_path, OnCard(interface(arguments, {"d": ports}, [launch("d", [0], [1])]))) == 2


def test_what_is_updated_in_place_and_what_is_read_twice_lies_there_once(tmp_path):
    arguments = [argument(0, "x", "input", [2048])]
    ports = [port("x", ["HBM[0]"], [2048], "inout"), port("w", ["HBM[1]"], [4096]), port("w_1", ["HBM[1]"], [4096])]
    arguments.append(argument(1, "w", "parameter", [4096]))
    program = OnCard(interface(arguments, {"d": ports}, [launch("d", [0, 1, 1], [2])]))
    assert least_room(tmp_path, program) == 4


def test_the_name_of_a_tensor_in_another_layout_is_its_arguments(tmp_path):
    arguments = [argument(0, "proj.weight", "parameter", [64, 64])]
    steps = [{"op": "reshape", "input": 0, "output": 1}, {"op": "pack", "input": 1, "output": 2}]
    ports = [port("weight_1", ["HBM[0]"], [4096]), port("y", ["HBM[0]"], [1024], "out")]
    said = refusal(tmp_path, PAGE, OnCard(interface(arguments, {"d": ports}, [*steps, launch("d", [2], [3])])))
    assert "'proj.weight' (weights) 16.0 KiB, 'y' (results) 4.0 KiB" in said


def test_a_design_gives_its_memory_back_to_the_next_one(tmp_path):
    arguments = [argument(0, "x", "input", [2048])]
    ports = {name: [port("x", ["HBM[0]"], [2048]), port("y", ["HBM[0]"], [2048], "out")] for name in ("a", "b")}
    alternating = interface(arguments, ports, [launch("a", [0], [1]), launch("b", [1], [2]), launch("a", [2], [3])])
    following = interface(arguments, ports, [launch("a", [0], [1]), launch("a", [1], [2])])
    assert least_room(tmp_path, OnCard(alternating)) == 4
    assert least_room(tmp_path, OnCard(following)) == 6
    assert least_room(tmp_path, OnCard(alternating), OnCard(following)) == 4 + 6  # on the card together


def sized(**more) -> Context:
    sizes = {"max_context": 60, "tile": 8, "least": 1, "has_float_cache": True, "is_quantised": False, "layers": 2}
    return Context(cache_arguments=("keys",), **{**sizes, **more})


def a_layer(rows: int) -> dict:
    """Eight pages of weights, one for each row of the cache."""
    arguments = [argument(0, "keys", "input", [1, 4, rows, 256]), argument(1, "w", "parameter", [8192])]
    ports = [port("keys", ["HBM[0]"], [4, rows, 256], "inout"), port("w", ["HBM[0]"], [8192])]
    return interface(arguments, {"d": ports}, [launch("d", [0, 1], [2])])


def test_each_layer_that_the_host_goes_through_has_its_weights_and_cache(tmp_path):
    assert least_room(tmp_path, OnCard(a_layer(64)), context=sized()) == 64 + 8
    assert least_room(tmp_path, OnCard(a_layer(64), 2), context=sized()) == 2 * (64 + 8)


@pytest.mark.parametrize("pages", [256, 128, 64, 32, 16, 8, 4])
def test_the_context_that_is_advised_is_the_longest_that_fits(pages, tmp_path):
    said = refusal(tmp_path, pages * PAGE, OnCard(a_layer(64)), context=sized(is_quantised=True, has_float_cache=False))
    rows = (pages - 8) // 8 * 8
    if pages >= 128:
        assert said is None
    elif rows < 8:
        assert "max_context" not in said
    else:
        assert f"with max_context={rows - 4} (--max-context {rows - 4}); or choose" in said
        assert refusal(tmp_path, pages * PAGE, OnCard(a_layer(rows)), context=sized()) is None
        assert refusal(tmp_path, pages * PAGE, OnCard(a_layer(rows + 8)), context=sized())


def test_narrower_elements_are_advised_where_they_are_enough(tmp_path):
    heavy = a_layer(8)
    heavy["designs"][0]["ports"][1]["shape"] = [64 * 1024]
    assert "--cache int8" in refusal(tmp_path, 32 * PAGE, OnCard(a_layer(64)), context=sized())
    assert "--quantise w4a8" not in refusal(tmp_path, 32 * PAGE, OnCard(a_layer(64)), context=sized())
    assert "--quantise w4a8" in refusal(tmp_path, 32 * PAGE, OnCard(heavy), context=sized())
    assert "--cache int8" not in refusal(tmp_path, 32 * PAGE, OnCard(heavy), context=sized())
    done = sized(is_quantised=True, has_float_cache=False)
    assert "--quantise" not in refusal(tmp_path, 32 * PAGE, OnCard(heavy), context=done)
    assert "--cache" not in refusal(tmp_path, 32 * PAGE, OnCard(a_layer(64)), context=done)


SUM = """func.func @main(%a: tensor<512x1024xf32>, %b: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
  %r = linalg.add ins(%a, %b : tensor<512x1024xf32>, tensor<512x1024xf32>)
                  outs(%a : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  return %r : tensor<512x1024xf32>
}
"""


def test_a_program_is_refused_at_once(tmp_path):
    """Without a search for lanes that fit: none would."""
    source = tmp_path / "sum.mlir"
    source.write_text(SUM)
    with pytest.raises(CapacityError, match=r"sum\.mlir does not fit the memory of Alveo U55C: HBM") as caught:
        compile_program(source, None, Options(device=card(tmp_path, 2**18), unroll=16), tmp_path / "out")
    assert "unroll" not in str(caught.value)
    assert not (tmp_path / "out").exists()
    compile_program(source, None, Options(device=card(tmp_path, 2**22), unroll=16, compare=False), tmp_path / "out")


MODES = {
    "layers": {},
    "layer by layer, head": {"layers": "host", "head": "device", "candidates": 1},
    "launches": {"head": "device", "candidates": 1, "embedding": "device", "tokens_per_launch": 4},
}


@pytest.mark.parametrize("mode", MODES)
def test_models_compile_with_the_advised_context(mode, tmp_path):
    config = models.tiny_gpt2_config()
    config.n_positions, config.n_layer = 1024, 8
    model, device = models.random_causal_lm(config), card(tmp_path, 2**19)

    def compiled(max_context: int):
        options = Options(tile_size=8, unroll=16, compare=False, device=device)
        return st.compile_llm(model, Words(), max_context, 1, options, tmp_path / "out", **MODES[mode])

    with pytest.raises(CapacityError, match="cache take") as caught:
        compiled(1000)
    assert "head_share" not in str(caught.value)
    advised = int(re.search(r"max_context=(\d+) \(--max-context \1\)", str(caught.value))[1])
    assert advised > 400
    assert compiled(advised).max_context == advised
