# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether a design fits its device, and what takes the most where it does not."""

from __future__ import annotations

from streamtensor.errors import CapacityError

_LARGEST = 3
_KINDS = {"tasks": "task", "buffers": "buffer", "fifos": "FIFO"}


def check_fits(model: str, card: str, simulation: dict) -> None:
    """Raises CapacityError if a simulated design takes more than can be placed on the device or on one of its dies."""
    over = {name: e for name, e in simulation["resources"].items() if e["used"] > e["placeable"]}
    if not over:
        _check_dies(model, card, simulation)
        return
    excess = "; ".join(f"{name} {_excess(e['used'], e['placeable'])}" for name, e in over.items())
    scarcest = max(over, key=lambda name: over[name]["used"] / max(over[name]["placeable"], 1))
    largest = _largest(scarcest, simulation)
    named = f" What takes most {scarcest}: {largest}." if largest else ""
    needs = {name: entry["used"] for name, entry in over.items()}
    raise CapacityError(f"The design of {model} does not fit {card}: {excess}.{named}", needs)


def _excess(used: float, placeable: float) -> str:
    return f"{used:,.0f} of {placeable:,.0f} that can be placed, {used - placeable:,.0f} too many"


def _check_dies(model: str, card: str, simulation: dict) -> None:
    """All of it would fit, but no way was found to divide it among the dies."""
    faults, needs = [], {}
    for design in simulation["designs"]:
        for die in design.get("dies", []):
            for name, used in die["used"].items():
                if used > die["placeable"][name]:
                    faults.append(f"{die['name']} {name} {_excess(used, die['placeable'][name])}")
                    needs[name] = simulation["resources"][name]["used"]
        for crossing in design.get("crossings", []):
            if crossing["bits"] > crossing["wires"]:
                faults.append(
                    f"{crossing['bits']:,} bits between {' and '.join(crossing['between'])} over {crossing['wires']:,} "
                    "wires"
                )
    if faults:
        raise CapacityError(
            f"The design of {model} does not fit the dies of {card}: {'; '.join(faults)}.",
            needs,
        )


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
