# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The fields of Options as options of a command."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, get_type_hints

import typer

from streamtensor.options import About, Options, declared


def takes_options(command: Callable) -> Callable:
    """`command`, whose parameter `options` becomes one parameter per field of Options."""

    def with_fields(**values: object) -> None:
        chosen = {name: values.pop(name) for name in declared()}
        command(**values, options=Options(**chosen))

    hints = get_type_hints(command, include_extras=True)
    own = [parameter for name, parameter in inspect.signature(command).parameters.items() if name != "options"]
    own = [parameter.replace(annotation=hints[parameter.name]) for parameter in own]
    with_fields.__signature__ = inspect.Signature([*own, *(_parameter(*option) for option in declared().items())])
    with_fields.__name__, with_fields.__doc__ = command.__name__, command.__doc__
    return with_fields


def _parameter(name: str, about: About) -> inspect.Parameter:
    kind = get_type_hints(Options)[name]
    default, flags = getattr(Options, name), []
    if kind is bool:  # What is off by default has no opposite.
        flags = [f"--{name}/--no-{name}" if default else f"--{name}"]
    option = typer.Option(*flags, help=about.help, min=about.least, metavar=about.metavar)
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option])
