# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile(module, backend="streamtensor").

A graph that cannot be compiled runs in PyTorch on the host, with a warning that says why. A graph whose results need
gradients is an error: a design computes no backward pass, and its results would silently be constants.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Sequence
from dataclasses import fields, replace

import torch

from streamtensor import paths
from streamtensor.errors import Error
from streamtensor.options import Options
from streamtensor.result_views import restorer


def streamtensor(graph: torch.fx.GraphModule, example_inputs: Sequence, options: dict | None = None) -> Callable:
    """The backend: compiles `graph` to a design; `options` are those of streamtensor.Options."""
    chosen = _options(options or {})
    _check_gradients(graph, example_inputs)
    try:
        return _compiled(graph, example_inputs, chosen)
    except Error as error:
        warnings.warn(f"StreamTensor runs a graph in PyTorch instead: {error}", stacklevel=2)
        return graph.forward


def _options(given: dict) -> Options:
    known = [field.name for field in fields(Options)]
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise Error(f"There is no option '{unknown[0]}': the options are {', '.join(known)}.")
    return Options(**given)


def _check_gradients(graph: torch.fx.GraphModule, example_inputs: Sequence) -> None:
    if not (torch.is_grad_enabled() and _needs_gradients(graph, example_inputs)):
        return
    raise Error(
        "The results of this graph need gradients, and a design computes none. Call the compiled module under "
        "torch.inference_mode() or torch.no_grad(), or freeze it with module.requires_grad_(False) and pass inputs "
        "that need no gradient; train it without torch.compile(backend='streamtensor')."
    )


def _needs_gradients(graph: torch.fx.GraphModule, example_inputs: Sequence) -> bool:
    """Whether PyTorch would record the graph; where its results are unknown, whether it could."""
    (output,) = graph.graph.find_nodes(op="output")
    results = [node.meta.get("example_value") for node in output.all_input_nodes]
    if all(isinstance(result, torch.Tensor) for result in results):
        return any(result.requires_grad for result in results)
    given = [*example_inputs, *graph.parameters(), *graph.buffers()]
    return any(isinstance(value, torch.Tensor) and value.requires_grad for value in given)


def _compiled(graph: torch.fx.GraphModule, example_inputs: Sequence, options: Options) -> Callable:
    from streamtensor.compiler import compile

    real = tuple(_materialise(value) for value in example_inputs)
    restore = restorer(graph)
    options = replace(options, force=True)  # nothing in the cache is the user's
    design = compile(graph, real, options, paths.cache_directory() / "designs" / _key(graph, real, options))

    def call(*inputs: torch.Tensor):
        with torch.no_grad():
            return restore(inputs, design(*[value.detach() for value in inputs]))

    return call


def _key(graph: torch.fx.GraphModule, inputs: Sequence[torch.Tensor], options: Options) -> str:
    """A name for the design: different for graphs that differ in code, options, inputs or the tensors they hold."""
    digest = hashlib.sha256(repr((graph.code, options, [(v.shape, v.dtype) for v in inputs])).encode())
    for name, value in sorted(graph.state_dict().items()):
        digest.update(repr((name, value.shape, value.dtype)).encode())
        digest.update(value.detach().cpu().contiguous().flatten().view(torch.uint8).numpy())
    return digest.hexdigest()[:16]


def _materialise(value: object) -> torch.Tensor:
    """A tensor of the shape of `value`: a graph's own example inputs may be fake."""
    if isinstance(value, torch.SymInt) or not isinstance(value, torch.Tensor):
        raise Error("a graph input is not a tensor of fixed shape; pass dynamic=False to torch.compile")
    if any(not isinstance(size, int) for size in value.shape):
        raise Error("a graph input has a dynamic shape; pass dynamic=False to torch.compile")
    return torch.zeros(value.shape, dtype=value.dtype)
