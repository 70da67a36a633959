"""Where the C++ headers are that generated code is compiled with.

    python -m streamtensor.headers --runtime     # runtime/ (holds native/, host/ and include/)
    python -m streamtensor.headers --ap-types    # open ap_int and ap_fixed headers

The `ap_types` headers (Apache-2.0) come with the Python package hls4ml. They are taken from an
installed hls4ml; else the package's file is fetched once, without its dependencies, and the headers
are extracted into the user's cache.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shlex
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from streamtensor.errors import Error

HLS4ML = "hls4ml==1.3.0"
AP_TYPES = "hls4ml/templates/vivado/ap_types/"


def runtime_directory() -> Path:
    """The `runtime/` directory: beside the package when installed, else the repository's."""
    package = Path(__file__).resolve().parent
    for candidate in (package / "runtime", package.parents[1] / "runtime"):
        if (candidate / "native" / "hls_stream.h").is_file():
            return candidate
    raise Error(f"the runtime headers are missing beside {package}; reinstall streamtensor")


def native_include_directories() -> list[Path]:
    """Include directories of a native compilation, in order."""
    runtime = runtime_directory()
    return [runtime / "native", runtime / "host", runtime / "include", ap_types_directory()]


def ap_types_directory() -> Path:
    """The open ap_int headers, found or fetched."""
    override = os.environ.get("STREAMTENSOR_AP_TYPES")
    if override:
        return Path(override)
    spec = importlib.util.find_spec("hls4ml")
    if spec and spec.submodule_search_locations:
        installed = Path(spec.submodule_search_locations[0]).parent / AP_TYPES
        if (installed / "ap_int.h").is_file():
            return installed
    cached = cache_directory() / AP_TYPES
    if not (cached / "ap_int.h").is_file():
        fetch(cache_directory())
    return cached


def cache_directory() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "streamtensor" / HLS4ML.replace("==", "-")


def fetch(destination: Path) -> None:
    """Download hls4ml's wheel and extract its headers into `destination`, all or nothing."""
    destination.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=destination.parent) as scratch:
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "-q", "-d", scratch, HLS4ML]
        done = subprocess.run(command, capture_output=True, text=True)
        wheels = list(Path(scratch).glob("hls4ml-*.whl"))
        if done.returncode != 0 or not wheels:
            reason = (done.stderr.strip().splitlines() or ["pip gave no reason"])[-1]
            raise Error(
                f"The ap_int headers cannot be fetched ({shlex.join(command)}): {reason}. Install hls4ml, set "
                "STREAMTENSOR_AP_TYPES to a directory with ap_int.h, or XDG_CACHE_HOME to a disk with space."
            )
        staging = Path(scratch) / "extracted"
        with zipfile.ZipFile(wheels[0]) as wheel:
            members = [name for name in wheel.namelist() if name.startswith(AP_TYPES)]
            wheel.extractall(staging, members)
        if not destination.exists():
            staging.rename(destination)


def main() -> int:
    parser = argparse.ArgumentParser(prog="streamtensor.headers", description=__doc__)
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--runtime", action="store_true", help="print the runtime directory")
    choice.add_argument("--ap-types", action="store_true", help="print the ap_int header directory")
    options = parser.parse_args()
    try:
        print(runtime_directory() if options.runtime else ap_types_directory())
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
