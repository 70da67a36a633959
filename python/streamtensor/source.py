# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can be compiled, from what the user names: a module, a file, a factory."""

from __future__ import annotations

import importlib
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from streamtensor import not_sources
from streamtensor.errors import CompileError, Error, SourceError, first_line
from streamtensor.process import TIME_LIMIT
from streamtensor.schemes import GROUP_SIZE

_OWN = (__file__, importlib.__file__)
_FACTORY = re.compile(r"[\w.]+:\w+")

if TYPE_CHECKING:
    from streamtensor.frontend.linalg_module import LinalgModule
    from streamtensor.oracle import Oracle


@dataclass
class Program:
    """A program ready for the compiler: a name, and Linalg text from the front end or from a file."""

    name: str
    text: str
    module: LinalgModule | None = None
    oracles: Callable[[int], list[Oracle]] | None = None  # of a module: PyTorch on inputs drawn with a seed
    looped: Callable[[int], list[Oracle]] | None = None  # the same where a launch goes through all layers of a model
    directory: Path | None = None  # of a file: where the headers of hand-written kernels lie

    @property
    def bound(self) -> dict:
        return self.module.parameters if self.module else {}


def is_language_model(source: str) -> bool:
    """Whether `source` names a Hugging Face directory or a GGUF file."""
    path = Path(source)
    return path.suffix == ".gguf" or (path.is_dir() and (path / "config.json").exists())


def load(
    source: object,
    example_inputs: Sequence | None,
    time_limit: float = TIME_LIMIT,
    scheme: str | None = None,
    group_size: int = GROUP_SIZE,
) -> Program:
    """A program from a torch.nn.Module, the path of FILE.mlir, or `package.module:factory`.

    `scheme` and `group_size`: how a float module is quantised before.
    """
    if isinstance(source, Path) or (isinstance(source, str) and not _FACTORY.fullmatch(source)):
        return _load_file(Path(source), scheme)
    from streamtensor import oracle, quantise
    from streamtensor.frontend import export_module, locations
    from streamtensor.frontend.export import check_module

    line = locations.calling_line()
    if isinstance(source, str):
        line = _line_of(_find_factory(source))
        source, example_inputs = load_factory(source)

    check_module(source)
    if example_inputs is None:
        raise CompileError("A module needs example inputs: pass a tuple with one tensor per argument of forward().")
    with locations.handed_over_at(line):
        source = quantise.quantised_copy(source, scheme, group_size)
        module = export_module(source, example_inputs, time_limit=time_limit)
    oracles = partial(oracle.of_module, source, example_inputs, module.parameters)
    return Program(type(source).__name__, module.text, module, oracles)


def _load_file(path: Path, scheme: str | None) -> Program:
    program = load_mlir(path)
    if scheme is not None:
        raise CompileError(
            f"quantise is '{scheme}', but '{path}' is Linalg, which says by itself what is computed in "
            "integers. Quantise the PyTorch module that it came from, or leave quantise out."
        )
    return program


def load_mlir(path: Path) -> Program:
    if path.is_dir() or path.suffix != ".mlir":
        raise not_sources.describe(path)
    try:
        return Program(path.stem, path.read_text(), directory=path.absolute().parent)
    except FileNotFoundError as error:
        raise not_sources.describe(path) from error
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"The file '{path}' cannot be read: {error}.") from error


def _line_of(factory: Callable) -> tuple[str, int] | None:
    code = getattr(factory, "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code else None


def _find_factory(text: str) -> Callable:
    module_name, _, attribute = text.partition(":")
    sys.path.insert(0, str(Path.cwd()))
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        raise SourceError(
            f"The module '{module_name}' of '{text}' cannot be imported: {_describe(error)}. Check its name; the "
            f"working directory is {Path.cwd()}."
        ) from error
    finally:
        sys.path.pop(0)
    factory = getattr(module, attribute, None)
    if not callable(factory):
        raise SourceError(f"'{module_name}' has no function '{attribute}': it must return (module, example_inputs).")
    return factory


def load_factory(text: str) -> tuple[object, Sequence]:
    """Calls `package.module:factory`, which gives (module, example_inputs)."""
    factory = _find_factory(text)
    try:
        result = factory()
    except Error:
        raise
    except Exception as error:
        raise SourceError(
            f"The factory '{text}' failed: {_describe(error)}. It takes no arguments and returns (module, "
            "example_inputs)."
        ) from error
    if not (isinstance(result, tuple) and len(result) == 2):
        raise SourceError(f"'{text}' returned {type(result).__name__}: it must return (module, example_inputs).")
    return result


def _describe(error: Exception) -> str:
    """The kind of an error in the user's code, what it says, and the line that raised it."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename not in _OWN]
    theirs = [frame for frame in frames if not frame.filename.startswith("<frozen")]
    where = f" ({theirs[-1].filename}:{theirs[-1].lineno})" if theirs else ""
    return f"{type(error).__name__}: {first_line(error).rstrip('.')}{where}"
