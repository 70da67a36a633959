# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The fields of a schema of options as options of a command."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, get_type_hints

import typer

from streamtensor.options import About, declared


def takes_options(command: Callable) -> Callable:
    """`command`, whose parameter `options` becomes one parameter per field of its type."""
    hints = get_type_hints(command, include_extras=True)
    schema = hints["options"]

    def with_fields(**values: object) -> None:
        chosen = {name: values.pop(name) for name in declared(schema)}
        command(**values, options=schema(**chosen))

    own = [parameter for name, parameter in inspect.signature(command).parameters.items() if name != "options"]
    own = [parameter.replace(annotation=hints[parameter.name]) for parameter in own]
    fields = [_parameter(schema, *option) for option in declared(schema).items()]
    with_fields.__signature__ = inspect.Signature([*own, *fields])
    with_fields.__name__, with_fields.__doc__ = command.__name__, command.__doc__
    return with_fields


def _parameter(schema: type, name: str, about: About) -> inspect.Parameter:
    kind = get_type_hints(schema)[name]
    default, flags = getattr(schema, name), []
    if kind == tuple[str, ...]:  # given as often as wanted
        kind, default = list[str], list(default)
    if kind is bool:  # What is off by default has no opposite.
        dashed = name.replace("_", "-")
        flags = [f"--{dashed}/--no-{dashed}" if default else f"--{dashed}"]
    option = typer.Option(*flags, help=about.help, min=about.least, max=about.most, metavar=about.metavar)
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option])
