# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The subcommands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from streamtensor.options import PHASES, Options
from streamtensor.progress import Progress, for_stderr, quiet_libraries

app = typer.Typer(
    help="PyTorch models as streaming dataflow accelerators for FPGAs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Output = Annotated[Path, typer.Argument(metavar="OUT", help="Output directory of `streamtensor compile`.")]


@app.command()
def compile(
    source: Annotated[
        str, typer.Argument(help="FILE.mlir, a Hugging Face directory, FILE.gguf, or package.module:factory.")
    ],
    out: Annotated[Path, typer.Option("-o", "--output", help="Output directory.")] = Path("out"),
    device: Annotated[str, typer.Option(help="Name of a device or path of a device file.")] = "u55c",
    tile_size: Annotated[int, typer.Option(min=1, help="Default tile of every dimension.")] = 16,
    unroll: Annotated[
        int | None, typer.Option(min=1, help="Multiply-add lanes of the design; the device decides without it.")
    ] = None,
    num_tokens: Annotated[int, typer.Option(min=1, help="Positions of a language model's design.")] = 16,
    stop_after: Annotated[
        str | None, typer.Option(metavar="PHASE", help=f"End after this phase: {', '.join(PHASES)}.")
    ] = None,
    validate: Annotated[
        bool, typer.Option("--validate", help="Execute the program before and after every pass; stop at a wrong one.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the arguments of --validate.")] = 0,
) -> None:
    """Compile a model into a design."""
    options = Options(
        device=device, tile_size=tile_size, unroll=unroll, stop_after=stop_after, validate=validate, seed=seed
    )
    with _progress() as progress:
        design = _compile(source, num_tokens, options, out, progress)
    _print_summary(design)


def _compile(source: str, num_tokens: int, options: Options, out: Path, progress: Progress):
    from streamtensor.source import is_language_model

    quiet_libraries()
    if is_language_model(source):
        from streamtensor.llm import compile_llm

        return compile_llm(source, None, num_tokens, options, out, progress).design
    from streamtensor.compiler import compile as compile_program

    return compile_program(source, None, options, out, progress)


def _print_summary(design) -> None:
    console = _console()
    manifest = design.manifest
    if not (design.directory / "simulation.json").exists():
        console.print(f"{design.directory}: IR up to phase {manifest['options']['stop_after']}")
        return
    from streamtensor.simulation import parse

    result = parse((design.directory / "simulation.json").read_text())
    console.print(
        f"{design.directory}: {result.cycles} cycles on {manifest['card']} at {manifest['clock_mhz']:g} MHz "
        f"({result.seconds * 1e3:.3f} ms), {len(result.tasks)} tasks, {len(result.fifos)} FIFOs"
    )


@app.command()
def run(
    directory: Output,
    inputs: Annotated[Path, typer.Option(help="in.npz with keys arg0, arg1, …")],
    outputs: Annotated[Path, typer.Option(help="out.npz, written with keys result0, result1, …")],
) -> None:
    """Run a design on arrays: its HLS C++, compiled natively."""
    from streamtensor.arrays import run_npz

    quiet_libraries()
    with _progress() as progress:
        shapes = run_npz(directory, inputs, outputs, progress)
    print(f"{outputs}: " + ", ".join(f"{key} {list(shape)}" for key, shape in shapes.items()))


@app.command()
def simulate(
    directory: Output,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    timeline: Annotated[Path | None, typer.Option(help="Write a Chrome trace of all tasks.")] = None,
    on_chip_io: Annotated[bool, typer.Option("--on-chip-io", help="Leave external memory out.")] = False,
) -> None:
    """Simulate one activation of a design, cycle by cycle."""
    from streamtensor.design import Design

    with _progress() as progress, progress.stage("simulate"):
        result = Design(directory).simulate(timeline, on_chip_io)
    if as_json:
        print(json.dumps(result.data, indent=1))
        return
    console = _console()
    console.print(f"{result.cycles} cycles, {result.seconds * 1e3:.3f} ms")
    console.print(_table("Tasks", result.tasks))
    console.print(_table("FIFOs", result.fifos))


def _table(title: str, rows: list[dict]) -> Table:
    table = Table(title=title, title_justify="left")
    columns = [key for key, value in rows[0].items() if isinstance(value, int | float | str)] if rows else []
    columns.sort(key=lambda column: column != "name")
    for column in columns:
        table.add_column(column, justify="left" if isinstance(rows[0][column], str) else "right")
    for row in rows:
        table.add_row(*[str(row.get(column, "")) for column in columns])
    return table


@app.command()
def generate(
    directory: Output,
    prompt: Annotated[str, typer.Option(help="The text to continue.")],
    max_new_tokens: Annotated[int, typer.Option(min=1, help="How many tokens to add.")] = 8,
    check: Annotated[bool, typer.Option("--check", help="Compare with PyTorch at every layer and position.")] = False,
) -> None:
    """Continue a text greedily; the decoder layers run on the design."""
    from streamtensor.llm import load_llm

    quiet_libraries()
    with _progress() as progress:
        with progress.stage("load"):
            llm = load_llm(directory)
        if check:
            from streamtensor.reference import check_generation

            generation = check_generation(llm, prompt, max_new_tokens, progress)
        else:
            generation = llm.generate(prompt, max_new_tokens, progress)
    print(prompt + generation.text)


@app.command()
def report(directory: Output) -> None:
    """Write report.json and report.html of a design."""
    from streamtensor.design import Design

    quiet_libraries()
    print(Design(directory).report())


@app.command()
def devices() -> None:
    """List the devices that designs can be made for."""
    from streamtensor.devices import device_files, load_device

    table = Table()
    for column in ("name", "card", "part", "MHz", "LUT", "FF", "DSP", "BRAM", "URAM"):
        table.add_column(column)
    for device in map(load_device, device_files()):
        totals = [f"{device.totals[key]:,.0f}" for key in ("lut", "ff", "dsp", "bram36", "uram")]
        table.add_row(device.name, device.card, device.part, f"{device.clock_mhz:g}", *totals)
    _console().print(table)


@app.command()
def doctor() -> None:
    """Check tools, compiler, headers and packages, and say how to repair what is missing."""
    from streamtensor.doctor import examine

    findings = examine()
    for finding in findings:
        print(f"{'ok     ' if finding.good else 'MISSING'} {finding.name}: {finding.detail}")
    raise typer.Exit(0 if all(finding.good for finding in findings) else 1)


def _console() -> Console:
    """Standard output; tables keep their width where it is not a terminal."""
    console = Console(highlight=False, soft_wrap=True)
    if not console.is_terminal:
        console.width = 240
    return console


@contextmanager
def _progress() -> Iterator[Progress]:
    progress = for_stderr()
    try:
        yield progress
    finally:
        progress.close()
