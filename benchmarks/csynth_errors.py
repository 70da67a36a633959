# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far the resource estimates are from published reports of synthesis.

    python benchmarks/csynth_errors.py [--device u55c] REPORT...

A REPORT is csynth.xml of Vitis HLS 2021.1 or later. Each of its modules becomes a leaf task with as many loops and the
same operators (kind and widths, from the names of the instances), scheduled and counted by the tools as any design is;
the sums are compared with the figures of the report. A port on external memory and the registers of arguments cost what
the device file says; the words on the way through a master are a memory as wide and as long as the report says. What no
instance names (sums, comparisons, multiplexers, FIFOs, memories and their ports, how often a module is there) is in the
tables of MODULE_csynth.rpt, with its kind and its size; the estimates there are not read. Where these files do not lie
beside the report, sums on a line with a product are as wide as that product, others belong to the loops, and BRAM is
not compared. Nor is it where a memory of the report has fewer blocks than its bits fill.

The reports themselves are their authors', and no part of this project. Tried on all that were found in repositories of
GitHub (of designs with more than 100 LUTs), at these commits below these paths; none is a source of a device file:

    Apollo-kernel/jpeg-project 45a4206 reports
    ArdaAsci/hls_project 939477d .
    DGGua/IGCN 253d2d4 solution1/syn/report
    DGGua/cgcn 679158c solution2/syn/report
    HanderRi/AMD-Pervasive-AI aa02475 solution1/syn/report
    InputBlackBoxOutput/Systolic-Matrix-Multiplier 0cf8e10 solution/syn/report
    Marui-9/swiglu d7c60d3 swiglu/hls/syn/report
    NTHU-CTLAB-24/ViT_HLS 6eef5b3 kernel_stage0_mem_opt/syn/report, kernel_stage0/.../solution1/syn/report,
        kernel_EMO/FinalReport/emo012, kernel_EMO/FinalReport/emo_total
    RISABH-UG26/image_pros 351c467 solution1/syn/report
    Taise228/topk_sort 9234b41 solution1/syn/report
    ZTTTX/scalehls_vitis_test ccb625e .../forward/solution/syn/report
    ayumiohno/mnist_depthwise_hls 4f259bb solution1/syn/report
    ihsanalhafiz/Alveo_FPGA_Design_Workshop ad8340d hls/solution1/syn/report
    ishanurg/HardwareAccelerated-Split-Radix-FFT-Algorithm 5146d16 HLS-IP/solution1/syn/report
    srinivasr9/BFS_HLS f59d847 report
    stavshulman/Lab_HW_SW_CNN_Dogs_Cats_2026 6fabeb7 .
    terenceza/AccelAutoencoderOnFPGA 3d57da0 solution1/syn/report
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
from csynth_tables import Fifo, Memory, Ports, Tables, read_tables
from streamtensor import paths
from streamtensor.csynth import Module, Operator, Report, read_report

COMPARED = ("dsp", "lut", "ff")
BRAM = "bram"
_INSTANCE = re.compile(r"(?P<kind>[a-z_]+?)_(?P<widths>\d+n?s(?:_\d+n?s)*)_(?P<result>\d+)_\d+_")
_FLOAT = {
    "add": "arith.addf {x}, {x} :", "sub": "arith.subf {x}, {x} :", "adddsub": "arith.addf {x}, {x} :",
    "mul": "arith.mulf {x}, {x} :",
    "div": "arith.divf {x}, {x} :", "exp": "math.exp {x} :", "log": "math.log {x} :", "sqrt": "math.sqrt {x} :",
    "rsqrt": "math.rsqrt {x} :", "cmp": "arith.cmpf olt, {x}, {x} :",
}  # fmt: skip
_CONVERSIONS = {
    "sitofp": ("sitofp", "i32", "1", "f32"), "uitofp": ("uitofp", "i32", "1", "f32"),
    "fptosi": ("fptosi", "f32", "1.5", "i32"), "fptoui": ("fptoui", "f32", "1.5", "i32"),
    "sitodp": ("sitofp", "i32", "1", "f64"), "uitodp": ("uitofp", "i32", "1", "f64"),
    "fpext": ("extf", "f32", "1.5", "f64"), "fptrunc": ("truncf", "f64", "1.5", "f32"),
}  # fmt: skip
# One multiplier each, with what a DSP adds to it.
_MULTIPLIERS = ("mac_muladd", "mac_mulsub", "mac_mul_sub", "mul_mul", "mul")
_DIVISIONS = {"sdiv": "divsi", "udiv": "divui", "srem": "remsi", "urem": "remui"}
_LOGIC = {
    "+": "arith.addi {x}, {x} :", "-": "arith.subi {x}, {x} :", "icmp": "arith.cmpi slt, {x}, {x} :",
    "shl": "arith.shli {x}, {x} :", "lshr": "arith.shrui {x}, {x} :",
    "ashr": "arith.shrsi {x}, {x} :", "and": "arith.andi {x}, {x} :", "or": "arith.ori {x}, {x} :",
    "xor": "arith.xori {x}, {x} :",
}  # fmt: skip
CHOICE, ADD, SCALAR_BITS = "choice", "+", 32
MASTERS, FIFO = "masters", "!dataflow.stream<i32, 2>"
# Their reports say that adapters have no block RAM; the Verilog beside them has MAXI_BUFFER_IMPL = "block".
WITHOUT_WORDS = ("2022.1", "2022.2")


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
    if kind in _MULTIPLIERS:
        return Need("mul", widths[:2], int(match["result"]))
    if kind in ("am_addmul", "ama_addmuladd"):
        return Need("mul", (max(widths[:2]) + 1, widths[2]), int(match["result"]))
    if kind in ("partselect", "bitselect"):  # one of the parts of a word, read or written
        part, word, *_ = widths
        return Need(CHOICE, (word // part, part))
    return Need(kind, widths)


def needs(module: Module, tables: Tables | None = None) -> Counter[Need]:
    operators = [operator for operator in module.operators if not operator.is_storage]
    names = {operator.instance for operator in operators}.union(tables.instances if tables else ())
    found = Counter(need for need in map(need_of, names) if need is not None)
    if tables is None:
        return found + sums_of_products(operators)
    found.update(Need(entry.operation, (entry.bits,)) for entry in tables.expressions if not entry.operation.isdigit())
    found.update(Need(CHOICE, (entry.inputs, entry.bits)) for entry in tables.choices)
    return found


def sums_of_products(operators: list[Operator]) -> Counter[Need]:
    """Sums of logic that no table gives a width, on the lines of products."""
    kept: dict[str, int] = {}
    for operator in operators:
        need = need_of(operator.instance)
        if need is not None and need.kind == "mul" and operator.source:
            kept[operator.source] = max(kept.get(operator.source, 0), need.kept)
    sums = (entry for entry in operators if entry.kind in ("add", "sub") and entry.implementation == "fabric")
    return Counter(Need(ADD, (kept[entry.source],)) for entry in sums if entry.source in kept)


def tables_of(report: Report, module: Module) -> Tables | None:
    path = report.path.with_name(f"{module.name}_csynth.rpt")
    return read_tables(path) if path.is_file() else None


def lines(need: Need, count: int, name: str) -> Iterator[str]:
    """`count` lanes of an operator, of a product on the token %t, an i32."""
    if need.kind == "mul":
        yield from product_lines(need, count, name)
    elif need.kind == CHOICE:
        inputs, bits = need.widths
        yield f"%{name}x = arith.constant dense<1> : vector<{inputs}xi{bits}>"
        for number in range(count):
            yield f"%{name}_{number} = vector.extract %{name}x[%i0] : i{bits} from vector<{inputs}xi{bits}>"
    elif need.kind == "select":
        mask = f"vector<{count}xi1>"
        yield f"%{name}b = arith.constant dense<true> : {mask}"
        select = f"arith.select %{name}b, {{x}}, {{x}} : {mask},"
        yield from lane_lines(f"i{need.widths[0]}", "1", select, count, name)
    elif need.kind in _LOGIC:
        yield from lane_lines(f"i{need.widths[0]}", "1", _LOGIC[need.kind], count, name)
    elif need.kind in _CONVERSIONS:
        operation, source, value, result = _CONVERSIONS[need.kind]
        yield from lane_lines(source, value, f"arith.{operation} {{x}} :", count, name, f" to vector<{count}x{result}>")
    elif need.kind in _DIVISIONS:
        bits = max(need.widths)
        yield from lane_lines(f"i{bits}", "1", f"arith.{_DIVISIONS[need.kind]} {{x}}, {{x}} :", count, name)
    else:
        type_name = {"f": "f32", "d": "f64", "h": "f16"}.get(need.kind[0])
        operation = _FLOAT.get(need.kind[1:])
        if type_name is None or operation is None:
            raise SystemExit(f"error: no operation here is what the report calls '{need.kind}'; add it to this program")
        yield from lane_lines(type_name, "1.5", operation, count, name)


def lane_lines(type_name: str, value: str, operation: str, count: int, name: str, end: str = "") -> Iterator[str]:
    vector = f"vector<{count}x{type_name}>"
    yield f"%{name}x = arith.constant dense<{value}> : {vector}"
    yield f"%{name} = {operation.format(x=f'%{name}x')} {vector}{end}"


def product_lines(need: Need, count: int, name: str) -> Iterator[str]:
    narrow, wide = sorted(need.widths)
    width = max(wide, min(narrow + wide, need.kept))
    for place, bits in enumerate((narrow, wide)):
        yield f"%{name}w{place} = arith.extsi %t : i32 to i256"
        yield f"%{name}c{place} = arith.trunci %{name}w{place} : i256 to i{bits}"
        extended = f"%{name}c{place}"
        if bits < width:
            extended = f"%{name}e{place}"
            yield f"{extended} = arith.extsi %{name}c{place} : i{bits} to i{width}"
        yield f"%{name}v{place} = vector.broadcast {extended} : i{width} to vector<{count}xi{width}>"
    yield f"%{name} = arith.muli %{name}v0, %{name}v1 : vector<{count}xi{width}>"


def instances(report: Report) -> Counter[str]:
    """How often each module is there, by the tables; where some lack by the hierarchy, which repeats what is shared."""
    if report.top not in report.modules or not all(tables_of(report, module) for module in report.modules.values()):
        return report.instances
    found: Counter[str] = Counter()
    waiting = [(report.top, 1)]
    for name, times in waiting:
        found[name] += times
        inner = tables_of(report, report.modules[name]).instances.values()
        waiting += [(module, times) for module in inner if module in report.modules]
    return found


def rebuilt_modules(report: Report) -> list[Module]:
    def is_built(module: Module) -> bool:
        tables = tables_of(report, module)
        return bool(module.loops or needs(module, tables) or (tables and tables.memories))

    return [module for module in report.modules.values() if is_built(module)]


@dataclass(frozen=True)
class Built:
    """A memory as blocks have it: each is an array, or a copy of one that is read at several places at once."""

    words: int
    bits: int
    kind: str
    ports_alike: bool = False

    @property
    def type_name(self) -> str:
        return f"!dataflow.private<{self.words}xi{self.bits}>"

    def storage(self, device: dict) -> str:
        kind = device["memories"][self.kind]
        facts = " ".join(f"{key} {kind[key]}" for key in ("ports", "write_ports", "read", "write") if key in kind)
        return f"#dataflow.storage<{self.kind} partition [1] {facts}>"


def memories_of(report: Report, module: Module) -> Iterator[Built]:
    tables = tables_of(report, module)
    for memory in tables.memories if tables else ():
        ports = ports_of(report, module, memory)
        copies = memory.buffers * (ports.copies if memory.kind == BRAM else 1)
        yield from [Built(memory.words, memory.bits, memory.kind, memory.kind == BRAM and ports.are_alike)] * copies


def ports_of(report: Report, module: Module, memory: Memory) -> Ports:
    """As the modules in this one name them; arrays keep their names where loops become modules."""
    ports = Ports()
    for name in report.inner.get(module.name, ()):
        tables = tables_of(report, report.modules[name]) if name in report.modules else None
        ports |= tables.arrays.get(memory.name, Ports()) if tables else Ports()
    return ports


def words_on_the_way(report: Report, device: dict) -> list[Built]:
    """The memories of masters. A report counts both ways of each."""
    if report.version.startswith(WITHOUT_WORDS):
        return []
    kind = device["memory_port"]["word_memory"]
    return [Built(words, master.bits, kind) for master in report.masters for words in (master.reads, master.writes)]


def leaf_lines(name: str, place: int, loops: int, memories: list[Built], device: dict) -> Iterator[str]:
    """A leaf with these loops and memories, up to its first token, %t, which it is to hand on."""
    arguments = [f"%i{loop}: index" for loop in range(loops)]
    arguments += [f"%m{number}: {memory.type_name}" for number, memory in enumerate(memories)]
    storages = ", ".join(memory.storage(device) for memory in memories)
    attributes = f" attributes {{storages = [{storages}]}}" if memories else ""
    trips = ", ".join(["16"] + ["1"] * (loops - 1))
    yield f'  dataflow.leaf "{name}" compute [{trips}]{attributes} {{'
    yield f"  ^bb0({', '.join(arguments)}):"
    yield f"    %t = dataflow.stream_read %f{place} : {FIFO} -> i32"
    dims = ", ".join(f"d{loop}" for loop in range(loops))
    for number, memory in enumerate(memories):
        for port in range(2 if memory.ports_alike else 0):
            place_of = f"affine_map<({dims}) -> ({port})>"
            yield f"    %m{number}_{port} = dataflow.load %m{number} {place_of} : {memory.type_name} -> i{memory.bits}"


def fifo_lines(fifos: Counter[Fifo]) -> Iterator[str]:
    """FIFOs of each kind, and two leaves that use them."""
    typed = [(f"%q{place}", fifo, f"!dataflow.stream<i{fifo.bits}, {fifo.depth}>") for place, fifo in enumerate(fifos)]
    for name, fifo, stream in typed:
        latency = 1 if fifo.kind == "srl" else 2
        facts = f"{{latency = {latency} : i64, memory = #dataflow.memory<{fifo.kind}>}}"
        yield f'  {name} = dataflow.stream "{name[1:]}" {facts} : {stream}'
    yield from ('  dataflow.leaf "sends" compute [16] {', "  ^bb0(%i: index):")
    for name, fifo, stream in typed:
        yield f"    {name}t = arith.constant 1 : i{fifo.bits}"
        yield f"    dataflow.stream_write {name}t, {name} : i{fifo.bits}, {stream}"
    yield from ("  }", '  dataflow.leaf "receives" compute [16] {', "  ^bb0(%i: index):")
    yield from (f"    {name}t = dataflow.stream_read {name} : {stream} -> i{fifo.bits}" for name, fifo, stream in typed)
    yield "  }"


def fifos_of(report: Report) -> Counter[Fifo]:
    """How often each kind is there, in the order in which `rebuild` numbers them."""
    found: Counter[Fifo] = Counter()
    times = instances(report)
    for module in report.modules.values():
        tables = tables_of(report, module)
        for fifo in tables.fifos if tables else ():
            found[fifo] += max(1, times[module.name])
    return found


def module_leaf(number: int, report: Report, module: Module, device: dict) -> Iterator[str]:
    """A leaf with the module's loops, operators and memories, which hands tokens on."""
    # Loops besides the pipelines run around them: each has a counter.
    loops = max(1, len(module.loops))
    yield from leaf_lines(f"m{number}", number, loops, list(memories_of(report, module)), device)
    for place, (need, count) in enumerate(sorted(needs(module, tables_of(report, module)).items(), key=str)):
        yield from (f"    {line}" for line in lines(need, count, f"o{place}_"))
    yield f"    dataflow.stream_write %t, %f{number + 1} : i32, {FIFO}"
    yield "  }"


def rebuild(report: Report, device: dict) -> str:
    """A design with a leaf per module. Its loads have a master each: of the first, which has the registers of all
    arguments too, and of the second, which has its address alone, the design has one more than it needs."""
    modules = rebuilt_modules(report)
    port, fifo, last = "!dataflow.port<16xi32>", FIFO, len(modules)
    addresses = len(report.masters) * device["memory_port"]["address_bits"]
    text = ["dataflow.design @rebuilt {"]
    text += [f'  %{name} = dataflow.port in "{name}" : {port}' for name in ("x", "p")]
    text.append(f'  %y = dataflow.port out "y" : {port}')
    text += [f'  %s{n} = dataflow.scalar "s{n}" from 1 to 2 : index' for n in range(count_scalars(report, addresses))]
    text += [f'  %f{number} = dataflow.stream "f{number}" : {fifo}' for number in range(last + 2)]
    text += [f'  %g = dataflow.stream "g" : {fifo}']
    for name, source, target in (("first", "x", "g"), ("load", "p", "f0")):
        text += [f'  dataflow.leaf "{name}" load [16] {{', "  ^bb0(%i: index):"]
        text.append(f"    %t = dataflow.load %{source} affine_map<(d0) -> (d0)> : {port} -> i32")
        text += [f"    dataflow.stream_write %t, %{target} : i32, {fifo}", "  }"]
    for number, module in enumerate(modules):
        text += module_leaf(number, report, module, device)
    text += leaf_lines(MASTERS, last, 1, words_on_the_way(report, device), device)
    text += [f"    dataflow.stream_write %t, %f{last + 1} : i32, {fifo}", "  }"]
    text += ['  dataflow.leaf "store" store [16] {', "  ^bb0(%i: index):"]
    text.append(f"    %t = dataflow.stream_read %f{last + 1} : {fifo} -> i32")
    text.append(f"    %u = dataflow.stream_read %g : {fifo} -> i32")
    text.append("    %v = arith.addi %t, %u : i32")
    text += [f"    dataflow.store %v, %y affine_map<(d0) -> (d0)> : i32, {port}", "  }"]
    if fifos := fifos_of(report):
        text += fifo_lines(fifos)
    text.append("}")
    return "\n".join(text) + "\n"


def count_scalars(report: Report, address_bits: int) -> int:
    """Registers of 32 bits besides those with the addresses of masters."""
    return max(0, (report.argument_bits or 0) - address_bits) // SCALAR_BITS


def count(report: Report, device: str) -> dict[str, float]:
    """The resources of the rebuilt modules, of a port for each master, and of the host's registers."""
    figures = json.loads((paths.devices_directory() / f"{device}.json").read_text())
    with tempfile.TemporaryDirectory() as work:
        source, sized = Path(work) / "rebuilt.mlir", Path(work) / "scheduled.mlir"
        source.write_text(rebuild(report, figures))
        passes = [f"--dataflow-attach-device=device={device}", "--streamtensor-schedule-phase"]
        subprocess.run([paths.find_tool("streamtensor-opt"), source, *passes, "-o", sized], check=True)
        done = subprocess.run(
            [paths.find_tool("streamtensor-sim"), sized, "--json"], check=True, capture_output=True, text=True
        )
    counted = json.loads(done.stdout)
    tasks = {task["name"]: task["resources"] for task in counted["tasks"]}
    fifos = {fifo["name"]: fifo["resources"] for fifo in counted["fifos"]}
    times = instances(report)
    copies = [max(1, times[module.name]) for module in rebuilt_modules(report)]
    found = {}
    for key in (*COMPARED, BRAM):
        found[key] = sum(count * tasks[f"m{number}"][key] for number, count in enumerate(copies))
        found[key] += sum(count * fifos[f"q{place}"][key] for place, count in enumerate(fifos_of(report).values()))
        if key == BRAM:
            found[key] += tasks[MASTERS][key]
            continue
        found[key] += len(report.masters) * tasks["load"][key]
        if report.argument_bits is not None:
            found[key] += tasks["first"][key] - tasks["load"][key]
    return found


def why_not_compared(report: Report, key: str) -> str | None:
    """Blocks need the sizes of all memories, and a report that counts them whole."""
    if key != BRAM:
        return None
    tables = {module.name: tables_of(report, module) for module in report.modules.values()}
    for name, table in tables.items():
        if not table and any(each.is_storage and each.kind != "fifo" for each in report.modules[name].operators):
            return f"the tables of {name} are missing"
    small = [memory for table in tables.values() if table for memory in table.memories if memory.too_small]
    if small:
        largest = max(small, key=lambda memory: memory.words * memory.bits)
        return f"the report has too few blocks for {largest.words} words of {largest.bits} bits"
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reports", nargs="+", type=Path, metavar="REPORT", help="csynth.xml")
    parser.add_argument("--device", default="u55c", help="device whose cost tables are asked")
    results.add_option(parser)
    options = parser.parse_args()
    shown = results.Results(options.json)
    errors: dict[str, list[float]] = {key: [] for key in (*COMPARED, BRAM)}
    for path in options.reports:
        report = read_report(path)
        estimated = count(report, options.device)
        row = {"top": report.top, "part": report.part, "version": report.version, "clock_ns": report.clock_ns}
        words = []
        for key in (*COMPARED, BRAM):
            if reason := why_not_compared(report, key):
                words.append(f"{key} not compared: {reason}")
                continue
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
