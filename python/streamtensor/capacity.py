# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether a design fits its device, and what takes the most where it does not."""

from __future__ import annotations

from streamtensor.errors import CapacityError

_LARGEST = 3
_KINDS = {"tasks": "task", "buffers": "buffer", "fifos": "FIFO"}


def check_fits(model: str, card: str, simulation: dict) -> None:
    """Raises CapacityError if the resource estimate of a simulated design exceeds the device."""
    over = {name: e for name, e in simulation["resources"].items() if e["used"] > e["available"]}
    if not over:
        return
    excess = "; ".join(
        f"{name} {e['used']:,.0f} of {e['available']:,.0f}, {e['used'] - e['available']:,.0f} too many"
        for name, e in over.items()
    )
    scarcest = max(over, key=lambda name: over[name]["used"] / max(over[name]["available"], 1))
    largest = _largest(scarcest, simulation)
    named = f" What takes most {scarcest}: {largest}." if largest else ""
    needs = {name: entry["used"] for name, entry in over.items()}
    raise CapacityError(f"The design of {model} does not fit {card}: {excess}.{named}", needs)


def _largest(resource: str, simulation: dict) -> str:
    """The tasks, buffers and FIFOs that take most of `resource`, each with where it comes from."""
    parts = [(entry["resources"][resource], kind, entry) for key, kind in _KINDS.items() for entry in simulation[key]]
    parts = sorted((part for part in parts if part[0] > 0), key=lambda part: -part[0])[:_LARGEST]
    return ", ".join(_describe(amount, kind, entry) for amount, kind, entry in parts)


def _describe(amount: float, kind: str, entry: dict) -> str:
    size = f" of {entry['bytes']:,} bytes" if "bytes" in entry else ""
    module = f"module '{entry['module']}'" if entry.get("module") else ""
    origin = ", ".join(part for part in (module, entry.get("line", "")) if part)
    return f"{kind} '{entry['name']}'{size} with {amount:,.0f}" + (f" ({origin})" if origin else "")
