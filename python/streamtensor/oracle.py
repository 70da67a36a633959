# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a design must compute: PyTorch for a module, the interpreter's run of the source for a FILE.mlir."""

from __future__ import annotations

import copy
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path

import torch

from streamtensor import diagnostics, draws, numpy_files, paths, process, tolerances, wide
from streamtensor.errors import Error
from streamtensor.frontend import flat_state
from streamtensor.interface import Interface, Tensor
from streamtensor.ordered import Ordered
from streamtensor.turned import Turned

EXAMPLES = "the example inputs"


class Oracle(ABC):
    """One set of inputs with its right results; `parameters` and `scalars` are what a design takes beside them."""

    name: str

    def __init__(
        self,
        title: str,
        inputs: Sequence[torch.Tensor],
        parameters: dict[str, torch.Tensor] | None = None,
        scalars: dict[str, int] | None = None,
    ):
        self.title = title
        self.scalars = scalars or {}
        self.inputs = [value.detach().clone() for value in inputs]
        self.parameters = parameters or {}

    @cached_property
    def expected(self) -> list[torch.Tensor]:
        return self.compute(self.inputs)

    @abstractmethod
    def compute(self, inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]: ...

    def widened(self) -> list[torch.Tensor] | None:
        """The results without the roundings of f32, where they can be had."""
        return None

    def _narrowed(self, wide: list[torch.Tensor]) -> list[torch.Tensor]:
        return [value.to(expected.dtype) for value, expected in zip(wide, self.expected, strict=True)]

    @abstractmethod
    def neighbours(self, generator: torch.Generator) -> Iterator[list[torch.Tensor]]:
        """Results of the same program with every float input and parameter a few roundings away."""

    def turns(self, generator: torch.Generator) -> Iterator[list[torch.Tensor]]:
        """Results of the same program with some roundings to integers turned, as far as it has any."""
        yield from ()

    def parts(self, found: Sequence[torch.Tensor]) -> Iterator[tuple[Oracle, list[torch.Tensor]]]:
        """What is compared by itself: an oracle, and what the design gave for it."""
        yield self, list(found)

    def repeats(self) -> bool:
        """Whether the reference gives the same results again."""
        again = self.compute(self.inputs)
        return all(bool(tolerances.equal(*pair).all()) for pair in zip(again, self.expected, strict=True))


class Module(Oracle):
    """A PyTorch module, in the mode that it is in."""

    name = "PyTorch"

    def __init__(
        self,
        title: str,
        module: torch.nn.Module,
        inputs: Sequence[torch.Tensor],
        parameters: dict[str, torch.Tensor],
        scalars: dict[str, int] | None = None,
    ):
        super().__init__(title, inputs, parameters, scalars)
        self._module = module

    def on(self, first: torch.Tensor) -> Module:
        """The same with another first input."""
        return Module(self.title, self._module, [first, *self.inputs[1:]], self.parameters, self.scalars)

    def compute(self, inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        return _run(self._module, inputs)

    def neighbours(self, generator: torch.Generator) -> Iterator[list[torch.Tensor]]:
        state = {**dict(self._module.named_parameters()), **dict(self._module.named_buffers())}
        move = partial(tolerances.moved, generator=generator)
        for _ in range(tolerances.MOVES):
            near = {name: flat_state.rebuild(value.detach(), move) for name, value in state.items()}
            inputs = [tolerances.moved(value, generator) for value in self.inputs]
            yield _run(partial(self._call, near), inputs)

    def turns(self, generator: torch.Generator) -> Iterator[list[torch.Tensor]]:
        for _ in range(tolerances.TURNS):
            with Turned(generator) as turned:
                found = _run(self._module, self.inputs)
            if not turned.undecided:
                return
            yield found

    def widened(self) -> list[torch.Tensor] | None:
        state = {**dict(self._module.named_parameters()), **dict(self._module.named_buffers())}
        if any(value.dtype is torch.float64 for value in [*self.inputs, *state.values()]):
            return None  # a cast to f32 is part of the program
        try:
            with wide.Widened():
                found = _run(copy.deepcopy(self._module).double(), [wide.widen(value) for value in self.inputs])
        except Exception:  # whatever the user's code does with another type
            return None
        return self._narrowed(found)

    def _call(self, state: dict[str, torch.Tensor], *inputs: torch.Tensor):
        return torch.func.functional_call(self._module, state, inputs)


class Stacked(Mapping):
    """Tensors of all layers, by name, put together when they are asked for."""

    def __init__(self, layers: Sequence[Mapping[str, torch.Tensor]]):
        self._layers = layers

    def __getitem__(self, name: str) -> torch.Tensor:
        return torch.stack([layer[name].detach() for layer in self._layers])

    def __iter__(self) -> Iterator[str]:
        return iter(self._layers[0])

    def __len__(self) -> int:
        return len(self._layers[0])


class Layers(Oracle):
    """Layers that one launch goes through, each on what the design gave for the one before: no error adds up.

    `layers`: one oracle each; those behind the first have no hidden state of their own. Of the inputs those with a
    number in `shared` are the same for all, and one for the launch.
    """

    name = "PyTorch"

    def __init__(self, title: str, layers: Sequence[Module], shared: Sequence[int], scalars: dict[str, int]):
        columns = [*zip(*(layer.inputs for layer in layers), strict=True)]
        known = {0, *shared}
        inputs = [each[0] if number in known else torch.stack(each) for number, each in enumerate(columns)]
        super().__init__(title, inputs, None, scalars)
        self.parameters = Stacked([layer.parameters for layer in layers])
        self._layers = layers

    def parts(self, found: Sequence[torch.Tensor]) -> Iterator[tuple[Oracle, list[torch.Tensor]]]:
        hidden = self.inputs[0]
        for index, layer in enumerate(self._layers):
            own = [each[index] for each in found]
            yield layer.on(hidden), own
            hidden = own[0]

    def compute(self, inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """From layer to layer; `inputs` but for the first are those of the layers."""
        hidden, found = inputs[0], []
        for layer in self._layers:
            found.append(layer.compute([hidden, *layer.inputs[1:]]))
            hidden = found[-1][0]
        return [torch.stack(each) for each in zip(*found, strict=True)]

    def neighbours(self, generator: torch.Generator) -> Iterator[list[torch.Tensor]]:
        raise NotImplementedError("layers are compared one by one")


class Source(Oracle):
    """The interpreter's run of a file of Linalg; every argument is an input."""

    name = "the interpreter's run of the source"

    def __init__(self, title: str, source: Path, interface: Interface, inputs: list[torch.Tensor], time_limit: float):
        super().__init__(title, inputs)
        self._source = source
        self._types = [result.dtype for result in interface.results]
        self._time_limit = time_limit

    def compute(self, inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        return self._interpret(inputs, self._types)

    def _interpret(self, inputs: Sequence[torch.Tensor], types: list[torch.dtype], *flags: str) -> list[torch.Tensor]:
        with tempfile.TemporaryDirectory(prefix="streamtensor-") as scratch:
            folder = Path(scratch)
            files = [numpy_files.save(folder / f"arg{index}.npy", value) for index, value in enumerate(inputs)]
            words = [paths.find_tool("streamtensor-run"), self._source, f"--output-dir={folder}", *flags]
            outcome = process.run([*words, *(f"--input={path}" for path in files)], self._time_limit)
            diagnostics.check(outcome, self._source, self._source.name)
            return [numpy_files.load(folder / f"result{index}.npy", dtype) for index, dtype in enumerate(types)]

    def neighbours(self, generator: torch.Generator) -> Iterator[list[torch.Tensor]]:
        for _ in range(tolerances.MOVES):
            yield self.compute([tolerances.moved(value, generator) for value in self.inputs])

    def widened(self) -> list[torch.Tensor] | None:
        """None where the source with f64 for f32 is no program: it takes the bits of a float, say."""
        types = [torch.float64 if dtype is torch.float32 else dtype for dtype in self._types]
        try:
            found = self._interpret([wide.widen(value) for value in self.inputs], types, "--widen")
        except Error:
            return None
        return self._narrowed(found)


def of_module(
    module: torch.nn.Module, examples: Sequence[torch.Tensor], parameters: dict[str, torch.Tensor], seed: int
) -> list[Oracle]:
    """The example inputs and another draw; without the latter where PyTorch refuses every draw."""
    first = Module(EXAMPLES, module, examples, parameters)
    other = _redrawn(module, examples, parameters, seed)
    return [first] if other is None else [first, other]


def _redrawn(module, examples, parameters, seed) -> Module | None:
    """Floats and integers drawn anew, or the floats alone: integers may depend on each other."""
    generator = torch.Generator().manual_seed(seed)
    for kinds in ("floats and integers", "floats"):
        is_kept = [kinds == "floats" and not value.is_floating_point() for value in examples]
        inputs = [v if kept else draws.redraw(v, generator) for v, kept in zip(examples, is_kept, strict=True)]
        draw = Module(f"{kinds} of seed {seed}", module, inputs, parameters)
        try:
            _ = draw.expected
        except Exception:  # the user's module does not take these values
            continue
        return draw
    return None


def of_file(source: Path, interface: Interface, seed: int, time_limit: float) -> list[Oracle]:
    """Values of both signs, and positive ones, of which logarithms, roots and quotients of every program are finite."""
    generator = torch.Generator().manual_seed(seed)
    kinds = (("random", -1.0, -8), ("positive", 0.25, 1))
    return [
        Source(f"{name} values of seed {seed}", source, interface, _drawn(interface, generator, *lows), time_limit)
        for name, *lows in kinds
    ]


def _drawn(interface: Interface, generator: torch.Generator, low: float, lowest: int) -> list[torch.Tensor]:
    return [draws.draw(tensor.dtype, tensor.shape, low, lowest, generator) for tensor in interface.arguments]


def _run(call, inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    with torch.no_grad(), Ordered():
        results = torch.utils._pytree.tree_leaves(call(*[value.clone() for value in inputs]))
    return [value.detach().clone().contiguous() for value in results if isinstance(value, torch.Tensor)]


def arguments(oracle: Oracle, tensors: Sequence[Tensor]) -> list[torch.Tensor]:
    """What a design's program takes, in its order: inputs, and parameters by name."""
    given = iter(oracle.inputs)
    return [oracle.parameters[t.name] if t.name in oracle.parameters else next(given) for t in tensors]
