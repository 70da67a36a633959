# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""report.html: one file that needs nothing else."""

from __future__ import annotations

import jinja2

from streamtensor.report.graph import Graph
from streamtensor.report.picture import LEGEND, draw

_TEMPLATE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>StreamTensor: {{ report.model }}</title>
<style>
 body { font: 14px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 1200px; padding: 0 1em; color: #1b1f24 }
 h1 { font-size: 1.6em } h2 { margin-top: 2em; border-bottom: 1px solid #d0d7de }
 table { border-collapse: collapse } th, td { padding: .2em .8em; border-bottom: 1px solid #eaeef2; text-align: left }
 td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
 .bar { display: inline-block; height: .8em; vertical-align: middle }
 .picture { overflow: auto; max-height: 85vh; border: 1px solid #d0d7de; background: #fff }
 .key { display: inline-block; width: .9em; height: .9em; border-radius: 2px; margin: 0 .3em 0 1em }
 .scroll { overflow-x: auto }
</style></head><body>
<h1>{{ report.model }} on {{ report.card }}</h1>
<table>
{% for name, value in facts %}<tr><th>{{ name }}</th><td>{{ value }}</td></tr>
{% endfor %}</table>

<h2>Resources</h2>
<p>An estimate from the cost tables of the device file, not a synthesis result.</p>
<table><tr><th>resource</th><th class="number">used</th><th class="number">available</th><th>share</th></tr>
{% for name, entry in report.resources.items() %}<tr><td>{{ name }}</td>
<td class="number">{{ entry.used | number }}</td><td class="number">{{ entry.available | number }}</td>
<td><span class="bar" style="background: #2f6db5;
width: {{ [200 * entry.used / entry.available, 200] | min }}px"></span>
{{ "%.1f" | format(100 * entry.used / entry.available) }} %</td></tr>
{% endfor %}</table>

<h2>Intermediate memory</h2>
<table><tr><td>before fusion: every tensor between kernels, in external memory</td>
<td class="number">{{ report.intermediate_bytes_before | number }} bytes</td></tr>
<tr><td>after fusion: FIFOs, block buffers and private memories, on chip</td>
<td class="number">{{ report.intermediate_bytes_after | number }} bytes</td></tr>
<tr><td>on-chip bytes of weights on their way, not counted above</td>
<td class="number">{{ report.weight_bytes | number }} bytes</td></tr></table>

<h2>Task graph</h2>
<p>Thin edges are FIFOs with their depths; thick edges are block buffers (converters, fills) with block shape and number
of blocks; grey edges carry weights.
{% for colour, role in legend %}<span class="key" style="background: {{ colour }}"></span>{{ role }}{% endfor %}</p>
<div class="picture">{{ picture | safe }}</div>

<h2>Tasks</h2>
<div class="scroll"><table><tr><th>task</th><th>role</th><th class="number">iterations</th><th class="number">II</th>
<th class="number">start</th><th class="number">end</th><th>busy, waiting for input, waiting for output</th></tr>
{% for task in report.tasks %}<tr><td>{{ task.name }}</td><td>{{ task.role }}</td>
<td class="number">{{ task.iterations | number }}</td><td class="number">{{ task.ii }}</td>
<td class="number">{{ task.start | number }}</td><td class="number">{{ task.end | number }}</td>
<td style="white-space: nowrap">{% for key, colour in shares %}<span class="bar"
title="{{ key }}: {{ task[key] }} cycles"
style="width: {{ 240 * task[key] / report.cycles }}px; background: {{ colour }}"></span>{% endfor %}</td></tr>
{% endfor %}</table></div>

<h2>FIFOs</h2>
<div class="scroll"><table><tr><th>FIFO</th><th>writer</th><th>reader</th><th class="number">bits</th>
<th class="number">depth</th><th class="number">high water</th><th class="number">tokens</th><th>memory</th></tr>
{% for fifo in report.fifos %}<tr><td>{{ fifo.name }}</td><td>{{ fifo.writer }}</td><td>{{ fifo.reader }}</td>
<td class="number">{{ fifo.bits }}</td><td class="number">{{ fifo.depth | number }}</td>
<td class="number">{{ fifo.high_water | number }}</td><td class="number">{{ fifo.tokens | number }}</td>
<td>{{ fifo.memory }}</td></tr>
{% endfor %}</table></div>
</body></html>
"""

_SHARES = (("busy", "#22863a"), ("input_stall", "#d0d7de"), ("output_stall", "#d1570c"))


def render(report: dict, graph: Graph) -> str:
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    environment.filters["number"] = _number
    template = environment.from_string(_TEMPLATE)
    return template.render(report=report, facts=_facts(report), legend=LEGEND, shares=_SHARES, picture=draw(graph))


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


def _facts(report: dict) -> list[tuple[str, str]]:
    facts = [
        ("device", f"{report['device']} ({report['card']})"),
        ("clock", f"{report['clock_mhz']:g} MHz"),
        ("cycles", f"{report['cycles']:,} per activation: {report['seconds'] * 1e3:.3f} ms"),
        ("compilation", f"{report['compile_seconds']:.1f} s{_comparison_time(report)}"),
    ]
    if report["layers"]:
        milliseconds = report["layers"] * report["seconds"] * 1e3
        tokens = report["tokens_per_pass"]
        times = f"{report['layers']}, one activation each: {milliseconds:.2f} ms for a pass of {tokens} token(s)"
        facts.append(("layers", times))
        facts.append(("context", f"at most {report['max_context']} tokens"))
    error, compared = report["max_abs_error"], report["compared_with"]
    known = f"largest absolute error {error:.3g} ({compared})" if error is not None else compared
    facts.append(("comparison", known))
    if report["tokens_expected"] is not None:
        facts.append(("prompt", report["prompt"]))
        facts.append(("PyTorch's tokens", _tokens(report, "expected")))
        facts.append(("the design's tokens", _tokens(report, "generated")))
    return facts


def _comparison_time(report: dict) -> str:
    seconds = report["compare_seconds"]
    return "" if seconds is None else f", and {seconds:.1f} s of comparison"


def _tokens(report: dict, which: str) -> str:
    return f"{report[f'text_{which}']!r}: {' '.join(map(str, report[f'tokens_{which}']))}"
