# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiled design: call it, simulate it, report on it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from streamtensor import dtypes, shared_bytes
from streamtensor import lazy_torch as torch
from streamtensor.errors import RunError
from streamtensor.interface import Interface, Tensor
from streamtensor.memory import PackedTensor, Resident, RowBuffer, as_tensor
from streamtensor.stored import StoredDesign


class Design(StoredDesign):
    """The design in an output directory."""

    @cached_property
    def interface(self) -> Interface:
        self._check_complete()
        interface = Interface(self.directory, self.manifest["options"]["time_limit"])
        if self.manifest["results"]:  # A file of Linalg declares nothing but itself.
            interface.declare(self.manifest["arguments"], self.manifest["results"])
        return interface

    @cached_property
    def parameters(self) -> dict[str, torch.Tensor]:
        """The values that the source bound to parameters."""
        path = self.directory / "params" / "parameters.safetensors"
        if not path.exists() and self.manifest["parameters_bound"]:
            raise RunError(f"The file {path} with the parameters of the design is missing: compile the design again.")
        if not path.exists():
            return {}
        narrow = {a["name"]: a for a in self.manifest["arguments"] if a.get("bits") in shared_bytes.WIDTHS}
        return {name: _widened(tensor, narrow.get(name)) for name, tensor in load_tensors(path).items()}

    @cached_property
    def inputs(self) -> list[Tensor]:
        """The arguments that a call passes: all of them, or the activations where parameters are bound."""
        return [argument for argument in self.interface.arguments if argument.name not in self.parameters]

    def __call__(self, *inputs: torch.Tensor, **scalars: int):
        """Runs the generated HLS C++, compiled natively; gives what the module gives, in the same structure.

        A design with scalars takes their values by name.
        """
        return self._structured(self.compute(*inputs, **scalars))

    def compute(self, *inputs: torch.Tensor, **scalars: int) -> list[torch.Tensor]:
        """The tensors among the results, in order."""
        self._check_same()
        self._check(inputs)
        given = iter(inputs)
        bound = self.parameters
        values = [bound[a.name] if a.name in bound else next(given) for a in self.interface.arguments]
        return [as_tensor(result) for result in self.interface.execute(values, scalars)]

    def _structured(self, results: list[torch.Tensor]) -> object:
        known = self.manifest.get("structure")
        if known:
            from streamtensor.structure import Structure

            return Structure.from_json(known).restore(results)
        return results[0] if len(results) == 1 else tuple(results)

    def execute(
        self,
        inputs: tuple[torch.Tensor | Resident, ...],
        parameters: dict[str, torch.Tensor | PackedTensor],
        scalars: Mapping[str, int] | None = None,
    ) -> list[torch.Tensor | Resident | None]:
        """Runs the design with parameters and scalars given for this activation, by name.

        A scalar that the design does not take is fixed at its largest value there. Inputs named in `updates` change
        where they lie (`row_buffers`), and None stands for the results that they are.

        What it returns may be the input of the next call: it is not unpacked where both lie alike.
        """
        self._check_same()
        activations = [a for a in self.interface.arguments if a.kind == "input"]
        _check_tensors(inputs, activations)
        given = iter(inputs)
        values = [next(given) if a.kind == "input" else _parameter(parameters, a) for a in self.interface.arguments]
        return self.interface.execute(values, self.interface.fill(scalars or {}), in_place=True)

    @property
    def updates(self) -> frozenset[str]:
        """Inputs that `execute` updates."""
        return frozenset(self.interface.arguments[update.argument].name for update in self.interface.updates)

    def row_buffers(self) -> tuple[RowBuffer, ...]:
        """An empty cache of one layer of a language model, or of all in one."""
        return self.interface.row_buffers()

    def load_parameters(self, name: str) -> dict[str, torch.Tensor | PackedTensor]:
        """One set of parameters of a design that serves several, packed when it was compiled."""
        path = self.directory / "params" / f"{name}.safetensors"
        try:
            return self.interface.read_parameters(load_tensors(path))
        except KeyError as error:
            raise RunError(
                f"{path} does not hold what the design reads ({error}): compile the design again."
            ) from error

    def report(self, sizings: bool = False) -> Path:
        """Writes report.json and report.html and gives the path of the latter.

        With `sizings` they show what each way to size the FIFOs costs; of a large design that takes minutes.
        """
        from streamtensor.report import write_report

        return write_report(self, sizings)

    def _check(self, inputs: tuple) -> None:
        _check_tensors(inputs, self.inputs)


def load_tensors(path: Path) -> dict[str, torch.Tensor]:
    """The parameters that a compilation wrote there."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return load_file(path)
    except (OSError, SafetensorError) as error:
        raise RunError(f"The file {path} of a design cannot be read ({error}): compile the design again.") from error


def _widened(tensor: torch.Tensor, argument: dict | None) -> torch.Tensor:
    """A parameter that `argument` describes if its integers are narrower than their type: in bytes of its own."""
    if argument is None or tensor.dtype is not torch.uint8:
        return tensor
    return shared_bytes.own(tensor, argument["bits"], tuple(argument["shape"]))


def _parameter(parameters: dict[str, torch.Tensor], argument: Tensor) -> torch.Tensor:
    value = parameters.get(argument.name)
    if value is None:
        raise RunError(f"No value was given for the parameter '{argument.name}' of the design.")
    _check_tensor(value, argument, f"Parameter '{argument.name}'")
    return value


def _check_tensors(inputs: tuple, arguments: list[Tensor]) -> None:
    if len(inputs) != len(arguments):
        expected = ", ".join(_spell(argument) for argument in arguments)
        raise RunError(f"The design takes {len(arguments)} input(s) ({expected}), but {len(inputs)} were given.")
    for index, (value, argument) in enumerate(zip(inputs, arguments, strict=True)):
        _check_tensor(value, argument, f"Input {index} ('{argument.name}')" if argument.name else f"Input {index}")


def _check_tensor(value: object, argument: Tensor, what: str) -> None:
    if not isinstance(value, torch.Tensor | Resident | PackedTensor):
        raise RunError(f"{what} is a {type(value).__name__}: pass a torch.Tensor of {_spell(argument)}.")
    if tuple(value.shape) != argument.shape:
        raise RunError(
            f"{what} has shape {list(value.shape)}, but the design was compiled for {list(argument.shape)}: pad or cut "
            "the input, or compile again with example inputs of this shape."
        )
    if value.dtype != argument.dtype:
        raise RunError(
            f"{what} has dtype {dtypes.name_of(value.dtype)}, but the design was compiled for "
            f"{dtypes.name_of(argument.dtype)}: convert it with .to({argument.dtype}), or compile again."
        )
    if value.device.type != "cpu":
        raise RunError(f"{what} is on {value.device}: the design reads host memory; pass value.cpu().")
    if isinstance(value, torch.Tensor) and value.layout is not torch.strided:
        raise RunError(f"{what} is a tensor of layout '{value.layout}': the design reads all; pass value.to_dense().")


def _spell(argument: Tensor) -> str:
    name = f"{argument.name}: " if argument.name else ""
    return f"{name}{dtypes.name_of(argument.dtype)}{list(argument.shape)}"
