# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Designs that exceed their device are refused with figures and a remedy."""

from __future__ import annotations

import json

import pytest
from streamtensor import DeviceError, Options
from streamtensor.capacity import check_fits
from streamtensor.compiler import compile as compile_program
from streamtensor.devices import find_device
from streamtensor.frontend.examples import MODULES


def usage(**used):
    available = {"lut": 1000, "ff": 1000, "dsp": 10, "bram": 4, "uram": 2}
    resources = {name: {"used": used.get(name, 0), "available": limit} for name, limit in available.items()}
    buffers = [
        {"name": "small", "bytes": 64, "memory": "lutram"},
        {"name": "k_converter", "bytes": 8192, "memory": "bram"},
    ]
    return {"resources": resources, "buffers": buffers}


def test_a_design_that_fits_passes():
    check_fits("model", "card", usage(lut=1000, bram=4))


def test_memory_names_the_excess_the_largest_buffers_and_the_way_out():
    with pytest.raises(DeviceError) as caught:
        check_fits("Block", "Alveo U55C", usage(bram=7))
    message = str(caught.value)
    assert message.startswith("The design of Block does not fit Alveo U55C: bram 7 of 4, 3 too many.")
    assert "'k_converter' (8,192 bytes in bram), 'small' (64 bytes in lutram)" in message
    assert "smaller tile_size" in message


def test_logic_asks_for_fewer_lanes():
    with pytest.raises(DeviceError, match=r"dsp 15 of 10, 5 too many\. Lower the number of lanes"):
        check_fits("Block", "Alveo U55C", usage(dsp=15))


def test_too_many_luts_name_the_buffers_made_of_them():
    with pytest.raises(DeviceError, match=r"lut 2,000 of 1,000, 1,000 too many.* buffers are 'small' \(64 bytes in"):
        check_fits("Block", "Alveo U55C", usage(lut=2000))


def test_a_small_device_refuses_a_real_design_and_leaves_nothing(tmp_path):
    data = json.loads(find_device("u55c").path.read_text())
    data["totals"] |= {"dsp": 3}
    (tmp_path / "tiny.json").write_text(json.dumps(data))
    module, inputs = MODULES["mlp"]()
    with pytest.raises(DeviceError, match=r"dsp [\d,]+ of 3, [\d,]+ too many"):
        compile_program(module, inputs, Options(device=str(tmp_path / "tiny.json")), tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["tiny.json"]
