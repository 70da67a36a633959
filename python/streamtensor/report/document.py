# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""report.html: one file that needs nothing else."""

from __future__ import annotations

import jinja2
from markupsafe import Markup

from streamtensor.report import activity, charts
from streamtensor.report.assumptions import assumptions, operators
from streamtensor.report.breakdown import KINDS
from streamtensor.report.graph import Graph
from streamtensor.report.modules import contract
from streamtensor.report.picture import LEGEND, draw
from streamtensor.report.tables import tables

_SPELLED = {"head": "final norm and LM head", "sampling": "choice of the next token"}
MANY = 40  # tasks, above which their graph is not the first one to read
RESOURCES = {"lut": "LUT", "ff": "FF", "dsp": "DSP", "bram": "BRAM", "uram": "URAM"}


def render(report: dict, simulation: dict, device: dict, graph: Graph) -> str:
    loader = jinja2.PackageLoader("streamtensor.report")
    environment = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"number": _number, "share": _share}
    return environment.get_template("report.html").render(
        report=report,
        facts=_facts(report),
        rooflines=_rooflines(simulation),
        clocks=Markup(charts.clocks(report["clocks"], report["clock_mhz"])),
        sizings=[_sizings(design) for design in simulation["designs"] if "sizings" in design],
        plotting=Markup(charts.library()),
        tables=tables(simulation),
        kinds=KINDS,
        resources=RESOURCES,
        assumptions=assumptions(device),
        operators=operators(device),
        legend=LEGEND,
        many=MANY,
        pictures={"modules": Markup(draw(contract(graph))), "tasks": Markup(draw(graph))},
        timeline=_timeline(simulation),
    )


def _rooflines(simulation: dict) -> list[dict]:
    """For each design its facts, the chart, and how far it is below the roof at its intensity."""
    hertz = simulation["clock_mhz"] * 1e6
    channels = simulation["channels"]
    return [
        _roofline(design, [channel for channel in channels if channel["design"] == design["name"]], hertz)
        for design in simulation["designs"]
    ]


def _roofline(design: dict, channels: list[dict], hertz: float) -> dict:
    roof = design["roofline"]
    achieved = roof["multiply_adds"] / design["seconds"] if design["seconds"] else 0.0
    found = {**roof, "name": design["name"], "achieved": achieved, "chart": None}
    chart = charts.roofline(roof, achieved, hertz, design["name"])
    if chart is None:
        return found
    by_memory = roof["bytes_per_second"] * roof["multiply_adds"] / roof["external_bytes"]
    by_units = (roof.get("placeable_lanes") or roof["lanes"]) * hertz
    limit = min(by_memory, by_units)
    return found | {
        "chart": Markup(chart),
        "intensity": roof["multiply_adds"] / roof["external_bytes"],
        "limit": limit,
        "bound": "memory" if by_memory < by_units else "computing",
        "spelled": {"achieved": charts.spell_rate(achieved), "limit": charts.spell_rate(limit)},
        "of_limit": achieved / limit,
        "of_own": achieved / (roof["lanes"] * hertz),
        "busiest": max(channels, key=lambda channel: channel["utilisation"]),
    }


def _sizings(design: dict) -> dict:
    """Ways to size the FIFOs of a design: the chart, and a row for each."""
    chart = charts.fifo_front(design["sizings"], design["name"])
    rows = [{**sizing, "name": charts.spell_sizing(sizing)} for sizing in design["sizings"]]
    return {"name": design["name"], "chart": chart and Markup(chart), "rows": rows}


def _timeline(simulation: dict) -> dict:
    """What the page draws the timeline from."""
    parts = {design["name"]: design["part_cycles"] for design in simulation["designs"]}
    tasks = [
        {"start": t["start"], "end": t["end"], "part": parts[t["design"]], **activity.encode(t, parts[t["design"]])}
        for t in simulation["tasks"]
    ]
    longest = max((design["cycles"] for design in simulation["designs"]), default=1)
    colours = {f"{kind.key}_stall": kind.colour for kind in KINDS} | {"busy": _colour("busy")}
    return {"cycles": longest, "mhz": simulation["clock_mhz"], "tasks": tasks, "colours": colours}


def _colour(key: str) -> str:
    return next(kind.colour for kind in KINDS if kind.key == key)


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def _facts(report: dict) -> list[tuple[str, str]]:
    facts = [
        ("device", f"{report['device']} ({report['card']})"),
        ("clock", f"{report['clock_mhz']:g} MHz"),
        ("cycles", f"{report['cycles']:,} per activation: {report['seconds'] * 1e3:.3f} ms"),
        *_scalars(report),
        ("compilation", f"{report['compile_seconds']:.1f} s{_comparison_time(report)}"),
    ]
    if report["layers"]:
        facts.append(_layers(report))
        facts.append(("context", f"at most {report['max_context']} tokens"))
    if report["head"]:
        facts.append(("head", _head(report["head"])))
    facts.append(("in PyTorch on the host", ", ".join(_SPELLED.get(p, p) for p in report["on_host"]) or "nothing"))
    facts.extend(("warning", text) for text in report["warnings"])
    error, compared = report["max_abs_error"], report["compared_with"]
    known = f"largest absolute error {error:.3g} ({compared})" if error is not None else compared
    facts.append(("comparison", known))
    if report["tokens_expected"] is not None:
        facts.append(("prompt", report["prompt"]))
        facts.append(("PyTorch's tokens", _tokens(report, "expected")))
        facts.append(("the design's tokens", _tokens(report, "generated")))
    return facts


def _scalars(report: dict) -> list[tuple[str, str]]:
    """For what values of the launch's scalars the page is."""
    found = [design["scalars"] for design in report["designs"] if "scalars" in design]
    values = ", ".join(dict.fromkeys(f"{name} {value}" for each in found for name, value in each.items()))
    return [("scalars", f"{values}: the largest")] if values else []


def _layers(report: dict) -> tuple[str, str]:
    if report["layers_on"] == "device":
        return (
            "layers",
            f"{report['layers']}, all in one activation, for a pass of {report['tokens_per_pass']} token(s)",
        )
    milliseconds = report["layers"] * report["seconds"] * 1e3
    times = f"{report['layers']}, one activation each: {milliseconds:.2f} ms for a pass"
    return "layers", f"{times} of {report['tokens_per_pass']} token(s)"


def _head(head: dict) -> str:
    used = ", ".join(f"{name} {_number(amount)}" for name, amount in head["resources"].items())
    return f"a design of its own (head/), {head['cycles']:,} cycles a new token; it takes {used} before the layers"


def _comparison_time(report: dict) -> str:
    seconds = report["compare_seconds"]
    return "" if seconds is None else f", and {seconds:.1f} s of comparison"


def _tokens(report: dict, which: str) -> str:
    return f"{report[f'text_{which}']!r}: {' '.join(map(str, report[f'tokens_{which}']))}"
