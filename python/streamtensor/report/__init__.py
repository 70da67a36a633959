# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports on a design: report.json for programs, report.html for people."""

from __future__ import annotations

import json
from pathlib import Path

from streamtensor import output
from streamtensor.report.document import render
from streamtensor.report.graph import Graph, build_graph, parameter_loads, parameter_ports
from streamtensor.report.intermediates import intermediates
from streamtensor.report.measure import at_clocks, measure
from streamtensor.stored import HEAD, HEAD_ON, HOST, StoredDesign, embedding_on, left_to_host, tokens_per_launch

_RUN = ("prompt", "tokens_expected", "tokens_generated", "text_expected", "text_generated", "max_layer_error")


def write_report(design: StoredDesign, sizings: bool = False) -> Path:
    """Writes report.json and report.html of a design into its output directory and gives the path of the latter.

    With `sizings` they have the FIFOs sized by every strategy, each simulated.
    """
    directory, stated = design.directory, measure(design, sizings)
    graph = read_graph(design, stated.data)
    report = collect(design, stated.data, graph, at_clocks(design, stated))
    output.write_file(directory / "report.json", json.dumps(report, indent=1) + "\n")
    device = design.read("device.json")
    path = directory / "report.html"
    output.write_file(path, render(report, stated.data, device, graph))
    return path


def read_graph(design: StoredDesign, simulation: dict) -> Graph:
    ports = parameter_ports(design.read("interface.json"))
    return build_graph(simulation, parameter_loads(design.find("ir/sized.mlir").read_text(), ports))


def collect(design: StoredDesign, simulation: dict, graph: Graph, clocks: list[dict]) -> dict:
    """Everything that report.json says. Bytes and cycles are of one activation."""
    directory, manifest = design.directory, design.manifest
    linalg = design.find("ir/*-linalg.mlir").read_text()
    return {
        "model": manifest["model"],
        "device": manifest["device"],
        "card": manifest["card"],
        "clock_mhz": manifest["clock_mhz"],
        "cycles": simulation["cycles"],
        "seconds": simulation["seconds"],
        "layers": manifest.get("layers"),
        "layers_on": manifest.get("layers_on"),
        "tokens_per_pass": manifest.get("tokens_per_pass"),
        "max_context": manifest.get("max_context"),
        HEAD_ON: manifest.get(HEAD_ON),
        HEAD: manifest.get(HEAD),
        "on_host": _on_host(manifest),
        "warnings": manifest["warnings"],
        **_comparison(directory, manifest),
        "intermediate_bytes_before": sum(tensor.bytes for tensor in intermediates(linalg)),
        "intermediate_bytes_after": graph.intermediate_bytes,
        "weight_bytes": graph.weight_bytes,
        "memory": simulation["memory"],
        "resources": simulation["resources"],
        "compile_seconds": manifest["compile_seconds"],
        "compare_seconds": manifest.get("compare_seconds"),
        "stages_seconds": manifest["stages_seconds"],
        "options": manifest["options"],
        "clocks": clocks,
        "designs": simulation["designs"],
        "tasks": [_without_activity(task) for task in simulation["tasks"]],
        "fifos": simulation["fifos"],
        "buffers": simulation["buffers"],
        "channels": simulation["channels"],
        "ports": simulation["ports"],
    }


def _on_host(manifest: dict) -> list[str]:
    """What of the model runs in PyTorch: of a language model what is no layer; of others nothing, a design has all."""
    if "layers" not in manifest:
        return []
    return left_to_host(manifest.get(HEAD_ON, HOST), embedding_on(manifest), tokens_per_launch(manifest))


def _without_activity(task: dict) -> dict:
    """What only the page's timeline needs would be most of the file."""
    return {key: value for key, value in task.items() if key != "activity"}


def _comparison(directory: Path, manifest: dict) -> dict:
    """What is known about the result against PyTorch, or against the source."""
    facts = dict.fromkeys(_RUN)
    path = directory / "run.json"
    if path.exists():
        run = json.loads(path.read_text())
        facts |= {key: run[key] for key in _RUN}
        compared = f"logits at {run['positions_compared']} positions of a checked generation"
        return {**facts, "max_abs_error": run["max_abs_error"], "compared_with": compared}
    comparison = manifest.get("comparison")
    if comparison is None:
        return {**facts, "max_abs_error": None, "compared_with": "not compared"}
    return {**facts, "max_abs_error": comparison["max_abs_error"], "compared_with": describe_comparison(comparison)}


def describe_comparison(comparison: dict) -> str:
    """With what a finished design was compared, and on what."""
    return f"{comparison['reference']}, on {' and on '.join(comparison['draws'])}"
