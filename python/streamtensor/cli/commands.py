# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The subcommands."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from streamtensor.cli import language, tables
from streamtensor.cli.options import takes_options
from streamtensor.devices import Device, device_files, load_device
from streamtensor.errors import RunError, SourceError
from streamtensor.options import MOST_SEED, Options, SimulationOptions
from streamtensor.progress import Progress, for_stderr, quiet_libraries
from streamtensor.schemes import GROUP_SIZE, GROUPS, OF_ROWS, SCHEMES
from streamtensor.stored import HEAD, WORKLOAD

app = typer.Typer(
    help="Turn PyTorch models into FPGA accelerators whose kernels pass data to each other on the chip.",
    epilog="Start with `streamtensor doctor`, then compile SOURCE, and run, simulate or report what it wrote.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _show_version(wanted: bool) -> None:
    if not wanted:
        return
    from streamtensor.version import describe

    print(describe())
    raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Options before the command."""


Output = Annotated[Path, typer.Argument(metavar="OUT", help="Output directory of `streamtensor compile`.")]


@app.command()
@takes_options
def compile(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE", help="FILE.mlir, a Hugging Face directory, FILE.gguf, or package.module:factory."
        ),
    ],
    out: Annotated[Path, typer.Option("-o", "--output", help="Output directory.")] = Path("out"),
    max_context: Annotated[
        int | None, typer.Option(min=1, help="Longest text of a language model, in tokens; 256 without it.")
    ] = None,
    tokens_per_pass: Annotated[
        int | None, typer.Option(min=1, help="Tokens that a language model's design reads at once; 1 without it.")
    ] = None,
    quantise: Annotated[str | None, typer.Option(help=f"Quantise the linear layers: {', '.join(SCHEMES)}.")] = None,
    group_size: Annotated[
        int | None,
        typer.Option(help=f"Weights that share a scale, of {', '.join(map(str, GROUPS))}; {GROUP_SIZE} without it."),
    ] = None,
    cache: Annotated[
        str | None, typer.Option(help="Keys and values of a language model's cache: float or int8; float without it.")
    ] = None,
    layers: Annotated[
        str | None, typer.Option(help="Who goes through a language model's layers: device or host; device without it.")
    ] = None,
    head: Annotated[
        str | None,
        typer.Option(help="Who computes a language model's final norm and head: host or device; host without."),
    ] = None,
    head_share: Annotated[
        int | None, typer.Option(min=1, max=99, help="Percent of the lanes that a head on the device takes.")
    ] = None,
    candidates: Annotated[
        int | None, typer.Option(min=1, help="Best tokens that a head on the device gives; all logits without it.")
    ] = None,
    embedding: Annotated[
        str | None,
        typer.Option(help="Who embeds the best token of a head on the device: host or device; host without it."),
    ] = None,
    tokens_per_launch: Annotated[
        int | None,
        typer.Option(
            min=1, help="Tokens that one launch makes at most, with head and embedding on the device; 1 without it."
        ),
    ] = None,
    prompt_tokens: Annotated[
        int | None, typer.Option(min=1, help="Choose the tokens of a pass for texts whose prompt has this many tokens.")
    ] = None,
    new_tokens: Annotated[int | None, typer.Option(min=1, help="Tokens that such a text gets.")] = None,
    *,
    options: Options,
) -> None:
    """Compile a model into a design: C++ for the card."""
    if (prompt_tokens is None) != (new_tokens is None):
        raise SourceError("--prompt-tokens and --new-tokens describe one text: give both, or neither.")
    sizes = _given(max_context=max_context, tokens_per_pass=tokens_per_pass, cache=cache, layers=layers)
    sizes |= _given(head=head, head_share=head_share, candidates=candidates, embedding=embedding)
    sizes |= _given(tokens_per_launch=tokens_per_launch)
    sizes |= _given(workload=None if prompt_tokens is None else (prompt_tokens, new_tokens))
    scheme = _given(quantise=quantise, group_size=group_size)
    if group_size is not None and quantise is None:
        raise SourceError("--group-size is for quantised weights: give --quantise as well, or leave it out.")
    if group_size is not None and quantise in OF_ROWS:
        raise SourceError(
            f"--group-size is for groups of a row, and {quantise} has one scale for all of it: leave --group-size out."
        )
    with _progress() as progress:
        design = _compile(source, sizes, scheme, options, out, progress)
    _print_summary(design)


def _given(**values: object) -> dict[str, object]:
    return {name: value for name, value in values.items() if value is not None}


def _compile(source: str, sizes: dict, scheme: dict, options: Options, out: Path, progress: Progress):
    """`sizes`: what was asked for of a language model; `scheme`: how to quantise."""
    from streamtensor.source import is_language_model

    quiet_libraries()
    if is_language_model(source):
        from streamtensor.llm_files import compile_llm

        return compile_llm(source, None, options=options, out=out, progress=progress, **sizes, **scheme).design
    if sizes:
        text = ("prompt_tokens", "new_tokens")
        names = [each for name in sizes for each in (text if name == WORKLOAD else (name,))]
        named = " and ".join(f"--{name.replace('_', '-')}" for name in names)
        verb, them = ("are", "them") if len(names) > 1 else ("is", "it")
        raise SourceError(f"'{source}' is no language model, and {named} {verb} for those alone: leave {them} out.")
    from streamtensor.compiler import compile as compile_program

    return compile_program(source, None, options, out, progress, **scheme)


def _print_summary(design) -> None:
    console = tables.console()
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
    console.print(_comparison(manifest))
    if manifest.get(WORKLOAD):
        from streamtensor import workload

        console.print(f"{workload.describe(manifest[WORKLOAD])}; compiled for {manifest['tokens_per_pass']}")
    if manifest.get(HEAD):
        console.print(f"{design.directory / HEAD}: {manifest[HEAD]['cycles']} cycles for each new token")


def _comparison(manifest: dict) -> str:
    found = manifest["comparison"]
    if found is None:
        return "not compared"
    from streamtensor.report import describe_comparison

    error = f"largest error {found['max_abs_error']:.2g}, {found['max_error']:.2g} of the largest value"
    return f"compared with {describe_comparison(found)}: {error} ({manifest['compare_seconds']:.1f} s)"


@app.command()
def run(
    directory: Output,
    inputs: Annotated[Path, typer.Option(help="in.npz with keys arg0, arg1, …")],
    outputs: Annotated[Path, typer.Option(help="out.npz, written with keys result0, result1, …")],
) -> None:
    """Run a design on arrays from a file, on this machine."""
    from streamtensor.arrays import run_npz

    quiet_libraries()
    with _progress() as progress:
        shapes = run_npz(directory, inputs, outputs, progress)
    print(f"{outputs}: " + ", ".join(f"{key} {list(shape)}" for key, shape in shapes.items()))


@app.command()
@takes_options
def simulate(
    directory: Output,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    prompt_tokens: Annotated[
        int | None, typer.Option(min=1, help="Predict a language model's answer to a prompt of this many tokens.")
    ] = None,
    new_tokens: Annotated[int | None, typer.Option(min=1, help="Tokens of that answer.")] = None,
    *,
    options: SimulationOptions,
) -> None:
    """Tell how many cycles a design takes on its card, and where; or how fast a language model answers."""
    from streamtensor.stored import StoredDesign

    if (prompt_tokens is None) != (new_tokens is None):
        raise RunError("--prompt-tokens and --new-tokens describe one text: give both, or neither.")
    design = StoredDesign(directory)
    if prompt_tokens is not None:
        from streamtensor import prediction

        if options.what_if or options.advise or options.clock_mhz or options.timeline:
            raise RunError(
                "--what-if, --advise, --clock-mhz and --timeline are about one pass: ask without --prompt-tokens and "
                "--new-tokens, which add up many."
            )
        with _progress() as progress, progress.stage("simulate"):
            found = prediction.predict(design, prompt_tokens, new_tokens, options.on_chip_io)
        print(json.dumps(found.to_json(), indent=1) if as_json else prediction.describe(found))
        return
    with _progress() as progress, progress.stage("simulate"):
        result = design.simulate(**vars(options))
    count, microseconds = design.host_launches()
    if as_json:
        print(json.dumps(result.data | {"host_launches": {"count": count, "us_each": microseconds}}, indent=1))
        return
    console = tables.console()
    console.print(f"{result.cycles} cycles, {result.seconds * 1e3:.3f} ms")
    console.print(f"beside them {count} {'start' if count == 1 else 'starts'} by the host, {microseconds:g} us each")
    if options.what_if:
        console.print(tables.describe_what_if(result.data["what_if"]))
    if options.advise:
        console.print(tables.advice(result.data["advice"]))
    if options.what_if or options.advise:
        return
    console.print(tables.table("Tasks", tables.TASK_COLUMNS, result.tasks))
    console.print(tables.table("FIFOs", tables.FIFO_COLUMNS, result.fifos))
    if result.data.get("channels"):
        console.print(tables.table("External memory", tables.CHANNEL_COLUMNS, result.data["channels"]))


app.command()(language.generate)
app.command()(language.chat)


@app.command()
def report(
    directory: Output,
    sizings: Annotated[
        bool, typer.Option("--sizings", help="Size the FIFOs in every way too; minutes for a large design.")
    ] = False,
) -> None:
    """Write a page about a design: report.html (and .json)."""
    from streamtensor.report import write_report
    from streamtensor.stored import StoredDesign

    print(write_report(StoredDesign(directory), sizings))


@app.command()
def csynth(
    directory: Output,
    report: Annotated[Path, typer.Argument(metavar="REPORT", help="csynth.xml, which Vitis HLS wrote.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Compare what synthesis built of a design with what the model says, task by task."""
    from streamtensor.csynth import read_report
    from streamtensor.csynth_comparison import compare, differences
    from streamtensor.stored import StoredDesign

    design, synthesised = StoredDesign(directory), read_report(report)
    rows, different = compare(design, synthesised), differences(design, synthesised)
    for difference in different:
        print(f"streamtensor: warning: {difference.text}", file=sys.stderr)
    if as_json:
        found = {"differences": [entry.to_json() for entry in different], "tasks": [row.to_json() for row in rows]}
        print(json.dumps(found, indent=1))
        return
    title = "Model / report"
    tables.console().print(tables.table(title, tables.CSYNTH_COLUMNS, [row.cells() for row in rows]))


@app.command()
def tune(
    directory: Output,
    out: Annotated[Path, typer.Option("-o", "--output", help="Where the best schedule goes.")] = Path("tuned.json"),
    trials: Annotated[int, typer.Option(min=1, help="Schedules to try, those of earlier runs counted.")] = 100,
    workers: Annotated[int, typer.Option(min=1, help="Processes that try them.")] = 1,
    objective: Annotated[
        list[str] | None, typer.Option(help="What to minimise: cycles, lut, bytes, …; may be given several times.")
    ] = None,
    at_most: Annotated[
        list[str] | None, typer.Option(metavar="NAME=NUMBER", help="Refuse designs that take more, as in dsp=1000.")
    ] = None,
    sampler: Annotated[str, typer.Option(help="near (the best schedules), tpe, or random.")] = "near",
    seed: Annotated[int, typer.Option(min=0, max=MOST_SEED, help="Of what is drawn.")] = 0,
    storage: Annotated[
        str, typer.Option(metavar="URL", help="Database of the trials; a file beside OUT without it.")
    ] = "",
    study: Annotated[str, typer.Option(help="Name of the search in the database.")] = "",
    time_limit: Annotated[float, typer.Option(help="Seconds for each program that a trial runs.")] = 60.0,
    patience: Annotated[float, typer.Option(help="Seconds that the database may be away.")] = 60.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Search for a better schedule of a design; `compile --schedule` takes what it finds."""
    from streamtensor import tuning

    chosen = tuple(objective or ("cycles",))
    limits = dict(map(_limit, at_most or []))
    search = tuning.Search(directory, trials, chosen, sampler, seed, storage, study, time_limit, patience, limits)
    with _progress() as progress:
        found = tuning.tune(search, out, workers, progress)
    print(json.dumps(asdict(found), indent=1, default=str) if as_json else tables.describe_tuning(found, chosen))


def _limit(text: str) -> tuple[str, float]:
    name, _, number = text.partition("=")
    try:
        most = float(number)
    except ValueError:
        most = math.nan
    if math.isnan(most):
        raise RunError(f"--at-most is '{text}': give a name and a number, as in dsp=1000.")
    return name, most


@app.command()
def devices() -> None:
    """List the cards that designs can be made for."""
    rows = [_device_row(load_device(path)) for path in device_files()]
    tables.console().print(tables.table("", {key: key for key in rows[0]} if rows else {}, rows))


def _device_row(device: Device) -> dict[str, str]:
    heads = {"lut": "LUT", "ff": "FF", "dsp": "DSP", "bram36": "BRAM", "uram": "URAM"}
    row = {"name": device.name, "card": device.card, "part": device.part, "MHz": f"{device.clock_mhz:g}"}
    return row | {head: f"{device.totals[key]:,.0f}" for key, head in heads.items()}


@app.command()
def doctor() -> None:
    """Check the installation and say how to repair it."""
    from streamtensor.doctor import examine

    findings = examine()
    for finding in findings:
        print(f"{'ok     ' if finding.good else 'MISSING'} {finding.name}: {finding.detail}")
    raise typer.Exit(0 if all(finding.good for finding in findings) else 1)


@contextmanager
def _progress() -> Iterator[Progress]:
    progress = for_stderr()
    try:
        yield progress
    finally:
        progress.close()
