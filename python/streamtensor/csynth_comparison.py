# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What synthesis built against what the model says, task by task: `streamtensor csynth`."""

from __future__ import annotations

from dataclasses import dataclass

from streamtensor.csynth import Loop, Report
from streamtensor.errors import RunError
from streamtensor.stored import StoredDesign

FIGURES = ("ii", "depth", "lut", "ff", "dsp", "bram", "uram")
CLOCK_DIGITS = 2  # of a period in nanoseconds, as reports print it


@dataclass(frozen=True)
class Row:
    """A task, or the whole design: figures by name, of the model and of the report; None where one has none."""

    name: str
    model: dict[str, float | None]
    report: dict[str, float | None]

    def to_json(self) -> dict:
        return {"name": self.name, "model": self.model, "report": self.report}

    def cells(self) -> dict[str, str]:
        """For a table: `model / report`."""
        pairs = {key: (self.model.get(key), self.report.get(key)) for key in FIGURES}
        return {"name": self.name} | {key: " / ".join(map(_spell, pair)) for key, pair in pairs.items()}


@dataclass(frozen=True)
class Difference:
    """What the model takes for granted, and the report is otherwise: figures beside each other then mean less."""

    name: str
    model: str | float
    report: str | float
    text: str

    def to_json(self) -> dict:
        return {"name": self.name, "model": self.model, "report": self.report, "text": self.text}


def differences(design: StoredDesign, report: Report) -> list[Difference]:
    """In the version of Vitis and in the clock; a report for another part is an error of `compare`."""
    device = design.read("device.json")
    made_for, mhz = device["vitis"]["value"], round(device["clock_mhz"]["value"])
    found = []
    if report.version and _release(report.version) != _release(made_for):
        age = "older" if _release(report.version) < _release(made_for) else "later"
        text = (
            f"The report is of Vitis {report.version}, {age} than {made_for}, which the model assumes: "
            "latencies and resources of operators, and how they are counted, may be others."
        )
        found.append(Difference("vitis", made_for, report.version, text))
    period = round(1e3 / mhz, CLOCK_DIGITS)
    if report.clock_ns and abs(report.clock_ns - period) > 10**-CLOCK_DIGITS:
        text = (
            f"The report is for a clock of {report.clock_ns:g} ns, and the model for {period:g} ns ({mhz} MHz): "
            "depths and resources of what synthesis gives a latency are those of another clock."
        )
        found.append(Difference("clock_ns", period, report.clock_ns, text))
    return found


def _release(version: str) -> tuple[int, ...]:
    """Year and release: `2022.1.2` is an update of 2022.1."""
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())


def compare(design: StoredDesign, report: Report) -> list[Row]:
    """Every task that the report has a module for, then the whole design, or the kernel that the report is of."""
    simulation = design.read("simulation.json")
    interface = design.read("interface.json")
    if any("kernels" not in described for described in interface["designs"]):
        raise RunError(f"The design in {design.directory} is of an older version: compile it again.")
    described, die = _find_design(interface, report, design)
    functions = {task["name"]: task["function"] for task in described["tasks"]}
    whole_design = [task for task in simulation["tasks"] if task["design"] == described["name"]]
    own = [task for task in whole_design if die is None or task["die"] == die]
    rows = [_compare_task(task, functions[task["name"]], report) for task in own]
    (whole,) = (entry for entry in simulation["designs"] if entry["name"] == described["name"])
    total = {key: entry["used"] for key, entry in whole["resources"].items()}
    if die:
        (total,) = (entry["used"] for entry in whole["dies"] if entry["name"] == die)
    return [*rows, Row(report.top if die else described["name"], total, dict(report.total.resources))]


def _find_design(interface: dict, report: Report, design: StoredDesign) -> tuple[dict, str | None]:
    """The design that the report is of, and the die where it is of the kernel on one."""
    tops = [(described, kernel) for described in interface["designs"] for kernel in described["kernels"]]
    for described, kernel in tops:
        if kernel["function"] == report.top:
            if report.part and report.part.lower() != design.manifest["part"].lower():
                raise RunError(
                    f"The report {report.path} is for {report.part}, and the design in {design.directory} for "
                    f"{design.manifest['part']}: synthesise with vitis/{report.top}-hls.cfg, or compile for that card."
                )
            return described, kernel.get("die")
    known = ", ".join(kernel["function"] for _, kernel in tops) or "none"
    raise RunError(
        f"The report {report.path} is of the function '{report.top}', which {design.directory} does not have (it has "
        f"{known}): give the csynth.xml of one of these."
    )


def _compare_task(task: dict, function: str, report: Report) -> Row:
    model = {"ii": task["ii"], "depth": task["depth"], **task["resources"]}
    module = report.modules.get(function)
    if module is None:
        return Row(task["name"], model, {})
    loops = list(_find_pipelines(function, report))
    found = {key: max((getattr(loop, key) for loop in loops), default=None) for key in ("ii", "depth")}
    return Row(task["name"], model, found | module.resources)


def _find_pipelines(function: str, report: Report) -> list[Loop]:
    """The pipelines of a function: synthesis makes a module of its own of most, FUNCTION_Pipeline_LABEL."""
    names = [name for name in report.modules if name == function or name.startswith(f"{function}_Pipeline_")]
    return [loop for name in names for loop in report.modules[name].loops]


def _spell(value: float | None) -> str:
    return "–" if value is None else f"{value:g}"
