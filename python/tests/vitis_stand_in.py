#!/usr/bin/env python3
"""A stand-in for v++ and vitis-run of Vitis 2023.2: reads what they are given as strictly as their documentation says,
and does with this machine's compiler what can be done.

C simulation and co-simulation compile the files of the configuration with the headers of native runs (AMD's signatures)
and run the testbench. Synthesis checks that the top function exists and writes an empty object; a link checks kernels
and memories.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

# UG1399 2023.2, "v++ Mode HLS": keys of the [hls] section, and those before any section.
KEYS = {
    "clock", "flow_target", "syn.top", "syn.file", "syn.file_cflags", "tb.file", "tb.file_cflags", "csim.argv",
    "cosim.argv", "package.output.format", "package.output.file", "package.output.syn",
}  # fmt: skip
GENERAL = {"part"}
REPEATED = {"syn.file", "syn.file_cflags", "tb.file", "tb.file_cflags"}


def fail(message: str) -> None:
    sys.exit(f"ERROR: {message}")


def read_config(path: Path) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    section = ""
    for line in path.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("["):
            section = line.strip("[]")
            continue
        key, equals, value = line.partition("=")
        if not equals or key not in (KEYS if section == "hls" else GENERAL):
            fail(f"[v++ 60-1268] unknown option '{key}' in section '{section}' of {path}")
        if key in values and key not in REPEATED:
            fail(f"'{key}' twice in {path}")
        if "@" in value:
            fail(f"'{value}' is not filled in")
        values.setdefault(key, []).append(value)
    return values


def flags_of(values: dict[str, list[str]], kind: str) -> dict[str, list[str]]:
    pairs = [entry.split(",", 1) for entry in values.get(f"{kind}.file_cflags", [])]
    unknown = {name for name, _ in pairs} - set(values[f"{kind}.file"])
    if unknown:
        fail(f"flags for {unknown}, which is no {kind}.file")
    return {name: shlex.split(flags) for name, flags in pairs}


def compile_all(values: dict[str, list[str]], work: Path) -> Path:
    """Each file with its own flags, as HLS compiles them."""
    objects = []
    own = shlex.split(os.environ["STAND_IN_HEADERS"])
    for kind in ("syn", "tb"):
        flags = flags_of(values, kind)
        for name in values[f"{kind}.file"]:
            if not Path(name).is_absolute() or not Path(name).is_file():
                fail(f"no file '{name}'")
            target = work / (Path(name).stem + ".o")
            command = [os.environ["CXX"], "-c", *flags.get(name, []), *own, "-Wno-unknown-pragmas", name, "-o", target]
            if subprocess.run(command).returncode != 0:
                fail(f"C compilation of {name}")
            objects.append(target)
    program = work / "csim.exe"
    subprocess.run([os.environ["CXX"], *objects, "-o", program], check=True)
    return program


def vitis_run(options: dict[str, str]) -> None:
    work = Path(options["--work_dir"]).resolve()
    work.mkdir(parents=True, exist_ok=True)
    values = read_config(Path(options["--config"]))
    mode = "csim" if "--csim" in options else "cosim"
    arguments = shlex.split(values.get(f"{mode}.argv", [""])[0])
    if subprocess.run([compile_all(values, work), *arguments], cwd=work).returncode != 0:
        fail(f"[HLS 200-70] {mode} did not return 0")


def synthesise(options: dict[str, str]) -> None:
    values = read_config(Path(options["--config"]))
    (top,), (output,) = values["syn.top"], values["package.output.file"]
    if not any(re.search(rf'extern "C" void {top}\(', Path(name).read_text()) for name in values["syn.file"]):
        fail(f"top function '{top}' not found")
    work = Path(options["--work_dir"]).resolve()
    work.mkdir(parents=True, exist_ok=True)
    (text,) = (Path(name).read_text() for name in values["syn.file"] if f"void {top}(" in Path(name).read_text())
    body = text[text.index(f"void {top}(") :]
    streams = re.findall(r"#pragma HLS interface mode=axis port=(\w+)", body[: body.index("\n}")])
    (work / output).write_text(" ".join([top, values["part"][0], values["clock"][0], *streams]) + "\n")


def connect(text: str, instances: set[str], inputs: list[str]) -> None:
    """Streams from kernel to kernel (UG1393, connectivity.stream_connect): each end is an argument of its kernel, a
    kernel does not drive itself, a port is connected once, and the FIFO is one that there is (PG085)."""
    arguments = {words[0]: words[3:] for words in (Path(name).read_text().split() for name in inputs)}
    found = re.findall(r"^stream_connect=(\w+)\.(\w+):(\w+)\.(\w+):(\d+)$", text, re.MULTILINE)
    ends = [end for from_, out, to, into, _ in found for end in ((from_, out), (to, into))]
    for from_, _, to, _, depth in found:
        if from_ == to or int(depth) not in [1 << bits for bits in range(4, 16)]:
            fail(f"a stream from {from_} to {to} of depth {depth}")
    for instance, port in ends:
        if instance not in instances or port not in arguments[instance.removesuffix("_1")]:
            fail(f"'{instance}' has no stream '{port}'")
    streams = [(f"{kernel}_1", name) for kernel, names in arguments.items() for name in names]
    if sorted(ends) != sorted(streams):
        fail("a stream of a kernel is connected never, or twice")


def link(options: dict[str, str], inputs: list[str]) -> None:
    kernels = {Path(name).read_text().split()[0] for name in inputs}
    text = Path(options["--config"]).read_text()
    for name, count, instances in re.findall(r"^nk=(\w+):(\d+):(\S+)$", text, re.MULTILINE):
        if name not in kernels or int(count) != len(instances.split(".")):
            fail(f"no kernel '{name}' among {kernels}")
    instances = set(re.findall(r"^nk=\w+:\d+:(\S+)$", text, re.MULTILINE))
    if kernels != set(re.findall(r"^nk=(\w+):", text, re.MULTILINE)):
        fail(f"objects of {kernels}, and other kernels in the configuration")
    for instance in re.findall(r"^slr=(\w+):SLR\d+$", text, re.MULTILINE):
        if instance not in instances:
            fail(f"no instance '{instance}'")
    connect(text, instances, inputs)
    for instance in re.findall(r"^sp=(\w+)\.\w+:\w+\[\d+\]$", text, re.MULTILINE):
        if instance not in instances:
            fail(f"no instance '{instance}'")
    Path(options["-o"]).write_text(" ".join(sorted(kernels)) + "\n")


def main() -> None:
    words, options, inputs = sys.argv[1:], {}, []
    if words == ["--version"]:
        print(f"\n****** v++ v{os.environ.get('STAND_IN_VERSION', '2023.2')} (64-bit)\n")
        return
    while words:
        word = words.pop(0)
        if word in ("-c", "-l", "--csim", "--cosim"):
            options[word] = ""
        elif word.startswith("-"):
            options[word] = words.pop(0)
        else:
            inputs.append(word)
    if Path(sys.argv[0]).name == "vitis-run":
        vitis_run(options)
    elif "-c" in options:
        synthesise(options)
    else:
        link(options, inputs)


if __name__ == "__main__":
    main()
