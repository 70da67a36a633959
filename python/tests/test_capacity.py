# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Designs that exceed their device are refused with figures and with what takes most."""

from __future__ import annotations

import pytest
from streamtensor.capacity import check_fits
from streamtensor.errors import CapacityError


def usage(**used):
    available = {"lut": 1000, "ff": 1000, "dsp": 10, "bram": 4, "uram": 2}
    resources = {
        name: {"used": used.get(name, 0), "placeable": limit, "available": 2 * limit}
        for name, limit in available.items()
    }
    none = dict.fromkeys(available, 0)
    converter = {"name": "k_converter", "bytes": 8192, "module": "attn.k", "line": "model.py:7"}
    return {
        "resources": resources,
        "designs": [{"name": "d"}],
        "tasks": [{"name": "bmm", "resources": none | {"dsp": 12}}, {"name": "add", "resources": none | {"dsp": 3}}],
        "buffers": [
            {"name": "small", "bytes": 64, "resources": none | {"lut": 64}},
            {**converter, "resources": none | {"bram": 6}},
        ],
        "fifos": [{"name": "long", "resources": none | {"lut": 900}}],
    }


def test_a_design_that_fits_passes():
    check_fits("model", "card", usage(lut=1000, bram=4))


def test_memory_names_the_excess_and_where_it_comes_from():
    with pytest.raises(CapacityError) as caught:
        check_fits("Block", "Alveo U55C", usage(bram=7))
    assert str(caught.value) == (
        "The design of Block does not fit Alveo U55C: bram 7 of 4 that can be placed, 3 too many. What takes most "
        "bram: buffer 'k_converter' of 8,192 bytes with 6 (module 'attn.k', model.py:7)."
    )
    assert caught.value.needs == {"bram": 7}


def test_the_largest_users_come_first():
    with pytest.raises(
        CapacityError, match=r"5 too many\. What takes most dsp: task 'bmm' with 12, task 'add' with 3\."
    ):
        check_fits("Block", "Alveo U55C", usage(dsp=15))


def test_the_scarcest_resource_is_explained():
    with pytest.raises(CapacityError, match=r"most lut: FIFO 'long' with 900, buffer 'small' of 64 bytes with 64\."):
        check_fits("Block", "Alveo U55C", usage(lut=4000, dsp=11))


def divided(**used):
    """Two dies that can hold all of it together."""
    none = dict.fromkeys(("lut", "ff", "dsp", "bram", "uram"), 0)
    dies = [
        {"name": "SLR0", "used": none | used, "placeable": none | {"lut": 500, "dsp": 5}},
        {"name": "SLR1", "used": none, "placeable": none | {"lut": 500, "dsp": 5}},
    ]
    crossing = {"between": ["SLR0", "SLR1"], "bits": 4000, "wires": 3000}
    return {"dies": dies, "crossings": [crossing]}


def test_a_die_and_the_wires_between_two_can_be_too_small():
    simulation = usage(dsp=7)
    simulation["designs"] = [divided(dsp=7)]
    with pytest.raises(CapacityError) as caught:
        check_fits("Block", "Alveo U55C", simulation)
    assert str(caught.value) == (
        "The design of Block does not fit the dies of Alveo U55C: SLR0 dsp 7 of 5 that can be placed, 2 too many; "
        "4,000 bits between SLR0 and SLR1 over 3,000 wires."
    )
    assert caught.value.needs == {"dsp": 7}
