# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether a design fits its device, and what to change if it does not."""

from __future__ import annotations

from streamtensor.errors import DeviceError

_LARGEST = 3
_MEMORIES = ("bram", "uram")


def check_fits(model: str, card: str, simulation: dict) -> None:
    """Raises DeviceError if the resource estimate of a simulated design exceeds the device."""
    over = {name: e for name, e in simulation["resources"].items() if e["used"] > e["available"]}
    if not over:
        return
    excess = "; ".join(
        f"{name} {e['used']:,.0f} of {e['available']:,.0f}, {e['used'] - e['available']:,.0f} too many"
        for name, e in over.items()
    )
    raise DeviceError(f"The design of {model} does not fit {card}: {excess}. {_remedy(over, simulation)}")


def _remedy(over: dict, simulation: dict) -> str:
    buffers = simulation["buffers"]
    if not any(name in _MEMORIES for name in over):
        buffers = [buffer for buffer in buffers if buffer["memory"] == "lutram"] if "lut" in over else []
    if not buffers:
        return "Lower the number of lanes with unroll (--unroll), or choose a larger device."
    largest = sorted(buffers, key=lambda buffer: -buffer["bytes"])[:_LARGEST]
    named = ", ".join(f"'{buffer['name']}' ({buffer['bytes']:,} bytes in {buffer['memory']})" for buffer in largest)
    return (
        f"The largest block buffers are {named}. Choose a smaller tile_size (--tile-size), fewer tokens, fewer lanes "
        "(--unroll), or a larger device."
    )
