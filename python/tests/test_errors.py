# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every mistake a user can make gets one paragraph: what, where, what to do."""

from __future__ import annotations

import re

import pytest
import torch
from streamtensor import CompileError, DeviceError, Options, SourceError, UnsupportedOpError
from streamtensor.devices import find_device
from streamtensor.frontend import export_module
from streamtensor.frontend.export import check_weights
from streamtensor.source import load, load_factory


class Inner(torch.nn.Module):
    def __init__(self, function) -> None:
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


class Outer(torch.nn.Module):
    def __init__(self, function) -> None:
        super().__init__()
        self.inner = Inner(function)

    def forward(self, x):
        return self.inner(x)


def export_failure(function) -> str:
    with pytest.raises(UnsupportedOpError) as caught:
        export_module(Outer(function), (torch.randn(4, 6),))
    return str(caught.value)


LINE_OF_INNER = Inner.forward.__code__.co_firstlineno + 1


@pytest.mark.parametrize(
    ("function", "operation"),
    [
        (lambda x: torch.linalg.svd(x)[1], "aten._linalg_svd.default"),
        (torch.lgamma, "aten.lgamma.default"),
        (lambda x: torch.histc(x, 4), "aten.histc.default"),
        (lambda x: torch.mode(x, 0)[0], "aten.mode.default"),
    ],
    ids=["svd", "lgamma", "histc", "mode"],
)
def test_unsupported_operations_are_named_with_module_and_line(function, operation):
    message = export_failure(function)
    assert message.startswith(f"Unsupported operation '{operation}' in module 'inner'")
    assert f"test_errors.py:{LINE_OF_INNER})" in message
    assert "keep this part on the host" in message


def test_what_is_refused_by_a_constant_alone_is_named():
    """torch-mlir tells of a number that nothing else takes."""
    message = export_failure(lambda x: torch.as_strided_scatter(x.T, x[0, :2], (2,), (1,)))
    assert message.startswith("Unsupported operation 'aten.as_strided_scatter.default' in module 'inner'")
    assert f"test_errors.py:{LINE_OF_INNER})" in message


@pytest.mark.parametrize("dtype", [torch.uint16, torch.uint32, torch.uint64, torch.complex64])
def test_types_that_designs_do_not_compute_with_are_refused_by_name(dtype):
    with pytest.raises(CompileError, match=f"Example input 0 has elements of type {str(dtype)[6:]}"):
        export_module(torch.nn.Identity(), (torch.ones(2).to(dtype),))
    module = torch.nn.ReLU()
    module.register_buffer("table", torch.ones(2).to(torch.uint16))
    with pytest.raises(CompileError, match="Buffer 'table' of ReLU has elements of type uint16"):
        export_module(module, (torch.ones(2),))


def test_gradients_are_refused_in_words():
    message = export_failure(torch.func.grad(lambda x: (x**3).sum()))
    assert "PyTorch cannot take the program apart" in message


def test_shapes_that_depend_on_data_are_refused_where_they_arise():
    message = export_failure(lambda x: x[x > 0])
    assert "in module 'inner'" in message
    assert "Pad to a constant size" in message


def test_branches_on_data_are_refused():
    message = export_failure(lambda x: x + 1 if x.sum() > 0 else x - 1)
    assert "decides on the values of a tensor" in message
    assert re.search(r"test_errors\.py:\d+, 'message = export_failure\(lambda x: x \+ 1 if x.sum\(\) > 0", message)
    assert "torch.where" in message


def test_changing_an_input_in_place_is_refused():
    assert "changes 'x' in place" in export_failure(lambda x: x.add_(1)).replace("function_x", "x")


@pytest.mark.parametrize(
    ("thing", "remedy"),
    [(torch.nn.Linear, "call it to make an instance"), (len, "wrap a function"), (3, "wrap a function")],
)
def test_what_is_not_a_module_is_named(thing, remedy):
    with pytest.raises(CompileError, match=r"Not a PyTorch module: expected an instance of torch\.nn") as caught:
        export_module(thing, (torch.randn(2),))
    assert remedy in str(caught.value)


def test_large_weights_are_no_infinite_ones():
    module = torch.nn.Linear(4, 4)
    module.weight.data.fill_(3e38)  # their sum is infinite
    check_weights(module)


def test_infinite_weights_of_both_signs_are_reported():
    module = torch.nn.Linear(4, 4)
    module.weight.data[0, 0], module.weight.data[1, 1] = float("inf"), float("-inf")
    with pytest.raises(CompileError, match=r"'weight' of Linear holds 2 value\(s\) that are NaN or infinite"):
        check_weights(module)


def test_nan_in_weights_is_reported_with_its_place():
    module = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 4))
    module[1].weight.data[2, 3] = float("nan")
    module[1].weight.data[3, 0] = float("inf")
    with pytest.raises(CompileError) as caught:
        export_module(module, (torch.randn(1, 4),))
    assert "Parameter '1.weight'" in str(caught.value)
    assert "2 value(s)" in str(caught.value)
    assert "at index [2, 3]" in str(caught.value)
    assert "Load a checkpoint whose weights are finite" in str(caught.value)


def test_example_inputs_must_be_a_tuple_of_tensors():
    with pytest.raises(CompileError, match="pass a tuple with one tensor per argument"):
        export_module(torch.nn.Linear(2, 2), torch.randn(2))
    with pytest.raises(CompileError, match="Example input 0 is of type int"):
        export_module(torch.nn.Linear(2, 2), (3,))
    with pytest.raises(CompileError, match="A module needs example inputs"):
        load(torch.nn.Linear(2, 2), None)


def test_wrong_example_shapes_are_explained():
    with pytest.raises(CompileError, match=r"PyTorch cannot trace Linear.*reduction dim.*\[1, 3\] X \[6, 6\]"):
        export_module(torch.nn.Linear(6, 6), (torch.randn(3),))


class _WrongKey(torch.nn.Module):
    def forward(self, x):
        return {"a": x}["b"]


class _NoScale(torch.nn.Module):
    def forward(self, x):
        return x * self.scale


@pytest.mark.parametrize(
    ("module", "said"), [(_WrongKey(), "KeyError: 'b'"), (_NoScale(), "object has no attribute 'scale'")]
)
def test_whatever_the_code_of_a_module_raises_is_told_with_its_line(module, said):
    with pytest.raises(CompileError, match=rf"cannot trace {type(module).__name__} at .*test_errors.py:\d+.*{said}"):
        export_module(module, (torch.randn(3),))


@pytest.mark.filterwarnings("ignore")  # PyTorch will remove these modules.
def test_packed_quantised_modules_are_named():
    linear = torch.nn.Sequential(torch.nn.Linear(8, 8))
    packed = torch.ao.quantization.quantize_dynamic(linear, {torch.nn.Linear})
    with pytest.raises(CompileError, match=r"packed form.*quantise='w8a8', or quantise it with torchao"):
        export_module(packed, (torch.randn(3, 8),))


def test_names_of_modules_that_pytorch_cannot_export_are_explained():
    """torch.export writes the names of modules into Python text."""
    module = torch.nn.ModuleDict({'a "quoted" name': torch.nn.Linear(4, 4)})
    module.forward = lambda x: module['a "quoted" name'](x)
    with pytest.raises(CompileError, match=r"cannot export a module with the name .*another name"):
        export_module(module.eval(), (torch.randn(2, 4),))


def test_missing_file(tmp_path):
    with pytest.raises(SourceError, match=r"There is no file '.*nothing\.mlir'\. Check the path"):
        load(tmp_path / "nothing.mlir", None)


def test_files_of_another_kind(tmp_path):
    (tmp_path / "model.txt").write_text("")
    with pytest.raises(SourceError, match=r"give FILE\.mlir, a Hugging Face directory, FILE\.gguf"):
        load(tmp_path / "model.txt", None)


def test_factories_that_are_missing_or_give_something_else(tmp_path, monkeypatch):
    with pytest.raises(SourceError, match=r"'no_such_package_anywhere' of .* cannot be imported"):
        load_factory("no_such_package_anywhere:make")
    (tmp_path / "some_factories.py").write_text("def wrong():\n    return 3\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SourceError, match="has no function 'right': it must return"):
        load_factory("some_factories:right")
    with pytest.raises(SourceError, match=r"returned int: it must return \(module, example_inputs\)"):
        load_factory("some_factories:wrong")


def test_unknown_device():
    with pytest.raises(DeviceError, match=r"Unknown device 'u9000': the devices are .*u55c.* Choose one of them"):
        find_device("u9000")


def test_malformed_device_file(tmp_path):
    path = tmp_path / "card.json"
    path.write_text('{"name": "card"}')
    with pytest.raises(
        DeviceError, match=r"^Device file '.*card\.json': 'card' is missing; .* Compare it with .*/devices/u55c\.json"
    ):
        find_device(str(path))
    path.write_text('{"name": "card",}')
    with pytest.raises(DeviceError, match=r"card\.json' is not JSON: .*1:17"):
        find_device(str(path))
    path.write_bytes(b"\xff")
    with pytest.raises(DeviceError, match=r"card\.json' cannot be read: it is not text"):
        find_device(str(path))
    path.unlink()
    with pytest.raises(DeviceError, match=r"card\.json' cannot be read: No such file"):
        find_device(str(path))


def test_options_are_checked():
    with pytest.raises(CompileError, match="tile_size is 0: it must be a whole number of at least 1"):
        Options(tile_size=0)
    with pytest.raises(CompileError, match=r"There is no phase 'lower': stop_after is one of import, linalg"):
        Options(stop_after="lower")
