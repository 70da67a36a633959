# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far the resource estimates are from published reports of synthesis.

    python benchmarks/csynth_errors.py [--device u55c] REPORT...

A REPORT is csynth.xml of Vitis HLS 2021.1 or later. Each of its modules becomes a leaf task with as many loops and the
same operators (kind and widths, from the names of the instances), scheduled and counted by the tools as any design is;
the sums are compared with the figures of the report. Index arithmetic belongs to the loops; a port on external memory
costs what the device file says. Memories are left out: these reports do not give their sizes, so BRAM is not compared.

The reports themselves are their authors', and no part of this project. Tried on those that these repositories of GitHub
publish below their paths; none of them is a source of a device file:

    ArdaAsci/hls_project csynth.xml                            ayumiohno/mnist_depthwise_hls solution1/syn/report
    stavshulman/Lab_HW_SW_CNN_Dogs_Cats_2026 csynth.xml        ZTTTX/scalehls_vitis_test .../forward/solution/syn/report
    InputBlackBoxOutput/Systolic-Matrix-Multiplier solution/syn/report
    NTHU-CTLAB-24/ViT_HLS kernel_stage0/mem_opt/syn/report, kernel_stage0/vitis_hls/.../solution1/syn/report
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import results
from streamtensor import paths
from streamtensor.csynth import Module, Report, read_report

COMPARED = ("dsp", "lut", "ff")
_INSTANCE = re.compile(r"(?P<kind>[a-z_]+?)_(?P<widths>\d+n?s(?:_\d+n?s)*)_(?P<result>\d+)_\d+_")
_FLOAT = {
    "add": "arith.addf {x}, {x}", "sub": "arith.subf {x}, {x}", "mul": "arith.mulf {x}, {x}",
    "div": "arith.divf {x}, {x}", "exp": "math.exp {x}", "log": "math.log {x}", "sqrt": "math.sqrt {x}",
    "rsqrt": "math.rsqrt {x}",
}  # fmt: skip


@dataclass(frozen=True)
class Need:
    """An operator of hardware: its name here, the widths of its operands, and of the result of a product."""

    kind: str
    widths: tuple[int, ...]
    kept: int = 0


def need_of(instance: str) -> Need | None:
    """What an instance computes; None for index arithmetic, which has no component of its own."""
    match = _INSTANCE.match(instance)
    if match is None:
        return None
    widths = tuple(int(width.rstrip("ns")) for width in match["widths"].split("_"))
    kind = match["kind"]
    if kind in ("mac_muladd", "mac_mulsub", "mul_mul", "mul"):  # one multiplier each, with what a DSP adds to it
        return Need("mul", widths[:2], int(match["result"]))
    if kind in ("am_addmul", "ama_addmuladd"):
        return Need("mul", (max(widths[:2]) + 1, widths[2]), int(match["result"]))
    return Need(kind, widths)


def needs(module: Module) -> Counter[Need]:
    found = (need_of(operator.instance) for operator in module.operators if not operator.is_storage)
    return Counter(need for need in found if need is not None)


def lines(need: Need, count: int, name: str) -> Iterator[str]:
    """`count` lanes of an operator on the token %t, an i32."""
    if need.kind == "mul":
        narrow, wide = sorted(need.widths)
        width = max(wide, min(narrow + wide, need.kept))
        for place, bits in enumerate((narrow, wide)):
            yield f"%{name}w{place} = arith.extsi %t : i32 to i64"
            yield f"%{name}c{place} = arith.trunci %{name}w{place} : i64 to i{bits}"
            extended = f"%{name}c{place}"
            if bits < width:
                extended = f"%{name}e{place}"
                yield f"{extended} = arith.extsi %{name}c{place} : i{bits} to i{width}"
            yield f"%{name}v{place} = vector.broadcast {extended} : i{width} to vector<{count}xi{width}>"
        yield f"%{name} = arith.muli %{name}v0, %{name}v1 : vector<{count}xi{width}>"
        return
    type_name = {"f": "f32", "d": "f64", "h": "f16"}.get(need.kind[0])
    operation = _FLOAT.get(need.kind[1:])
    if type_name is None or operation is None:
        raise SystemExit(f"error: no operation here is what the report calls '{need.kind}'; add it to this program")
    yield f"%{name}s = arith.constant 1.5 : {type_name}"
    yield f"%{name}x = vector.broadcast %{name}s : {type_name} to vector<{count}x{type_name}>"
    yield f"%{name} = {operation.format(x=f'%{name}x')} : vector<{count}x{type_name}>"


def rebuilt_modules(report: Report) -> list[Module]:
    return [module for module in report.modules.values() if module.loops or needs(module)]


def rebuild(report: Report) -> str:
    """A design with a leaf per module: its loops and its operators."""
    modules = rebuilt_modules(report)
    text = ["dataflow.design @rebuilt {", '  %x = dataflow.port in "x" : !dataflow.port<16xi32>']
    text.append('  %y = dataflow.port out "y" : !dataflow.port<16xi32>')
    fifo = "!dataflow.stream<i32, 2>"
    text += [f'  %f{number} = dataflow.stream "f{number}" : {fifo}' for number in range(len(modules) + 1)]
    text += ['  dataflow.leaf "load" load [16] {', "  ^bb0(%i: index):"]
    text.append("    %t = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<16xi32> -> i32")
    text += [f"    dataflow.stream_write %t, %f0 : i32, {fifo}", "  }"]
    for number, module in enumerate(modules):
        # Loops besides the pipelines run around them: each has a counter.
        loops = max(1, len(module.loops))
        trips = ", ".join(["16"] + ["1"] * (loops - 1))
        indices = ", ".join(f"%i{loop}: index" for loop in range(loops))
        text += [f'  dataflow.leaf "m{number}" compute [{trips}] {{', f"  ^bb0({indices}):"]
        text.append(f"    %t = dataflow.stream_read %f{number} : {fifo} -> i32")
        for place, (need, count) in enumerate(sorted(needs(module).items(), key=str)):
            text += [f"    {line}" for line in lines(need, count, f"o{place}_")]
        text += [f"    dataflow.stream_write %t, %f{number + 1} : i32, {fifo}", "  }"]
    text += ['  dataflow.leaf "store" store [16] {', "  ^bb0(%i: index):"]
    text.append(f"    %t = dataflow.stream_read %f{len(modules)} : {fifo} -> i32")
    text += ["    dataflow.store %t, %y affine_map<(d0) -> (d0)> : i32, !dataflow.port<16xi32>", "  }", "}"]
    return "\n".join(text) + "\n"


def count(report: Report, device: str) -> dict[str, float]:
    """The resources of the rebuilt modules, and of a port for each master."""
    with tempfile.TemporaryDirectory() as work:
        source, sized = Path(work) / "rebuilt.mlir", Path(work) / "scheduled.mlir"
        source.write_text(rebuild(report))
        passes = [f"--dataflow-attach-device=device={device}", "--streamtensor-schedule-phase"]
        subprocess.run([paths.find_tool("streamtensor-opt"), source, *passes, "-o", sized], check=True)
        done = subprocess.run(
            [paths.find_tool("streamtensor-sim"), sized, "--json"], check=True, capture_output=True, text=True
        )
    tasks = {task["name"]: task["resources"] for task in json.loads(done.stdout)["tasks"]}
    copies = [max(1, report.instances[module.name]) for module in rebuilt_modules(report)]
    ports = len(report.masters)
    return {
        key: sum(times * tasks[f"m{number}"][key] for number, times in enumerate(copies)) + ports * tasks["load"][key]
        for key in COMPARED
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reports", nargs="+", type=Path, metavar="REPORT", help="csynth.xml")
    parser.add_argument("--device", default="u55c", help="device whose cost tables are asked")
    results.add_option(parser)
    options = parser.parse_args()
    shown = results.Results(options.json)
    errors: dict[str, list[float]] = {key: [] for key in COMPARED}
    for path in options.reports:
        report = read_report(path)
        estimated = count(report, options.device)
        row = {"top": report.top, "part": report.part, "version": report.version, "clock_ns": report.clock_ns}
        words = []
        for key in COMPARED:
            built = report.total.resources[key]
            row[key] = {"report": built, "estimate": estimated[key]}
            words.append(f"{key} {estimated[key]:g} for {built:g}")
            if built:
                errors[key].append((estimated[key] - built) / built)
                words[-1] += f" ({errors[key][-1]:+.0%})"
        shown.add(f"{report.top} ({report.part}, {report.version}): {', '.join(words)}", **row)
    medians = {key: statistics.median(map(abs, found)) for key, found in errors.items() if found}
    shown.line("median error: " + ", ".join(f"{key} {value:.0%}" for key, value in medians.items()))
    shown.end(medians=medians)


if __name__ == "__main__":
    main()
