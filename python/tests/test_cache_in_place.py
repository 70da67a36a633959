# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A cache that designs update where it lies: what one launch writes the next one reads."""

from __future__ import annotations

import re
from pathlib import Path

import harness
import numpy as np
import pytest
import streamtensor as st
import torch
import transformers
from number_words import Words
from streamtensor.errors import RunError
from streamtensor.frontend import export_module, models
from streamtensor.interface import Interface
from streamtensor.memory import as_tensor
from streamtensor.options import Options
from streamtensor.reference import generate_checked

HEADS, ROWS, NEW = 2, 24, 2


class Append(torch.nn.Module):
    """Rows before `at` are summed; those that are new follow from `x`."""

    def forward(self, cache, x, at):
        seen = torch.arange(cache.shape[2], dtype=torch.int32) < at[0]
        total = torch.where(seen[:, None], cache, 0.0).sum(2)
        return total, torch.tanh(x + 1.0)


def lower(text: str, options: str, folder: Path) -> str:
    """Writes sized.mlir into `folder`, every pass checked by execution; gives what the compiler said."""
    (folder / "source.mlir").write_text(text)
    words = [f"--streamtensor-pipeline={options}", f"--device={harness.device_file()}", "--validate"]
    lowered = harness.run_tool("streamtensor-opt", folder / "source.mlir", *words, "-o", folder / "sized.mlir")
    return lowered.succeed().stderr


@pytest.fixture(scope="module")
def sized(tmp_path_factory):
    folder = tmp_path_factory.mktemp("append")
    inputs = torch.zeros(1, HEADS, ROWS, 8), torch.zeros(1, HEADS, NEW, 8), torch.ones(1, dtype=torch.int32)
    extents, updates = {"cache": ("", "", "length", "")}, {1: ("cache", "position")}
    text = export_module(Append(), inputs, extents=extents, updates=updates).text
    assert "warning" not in lower(text, "tile-size=4 unroll=8", folder)
    return folder / "sized.mlir"


def numbers(position: int) -> dict[str, int]:
    return {"length": max(position, 1), "position": position}


def expect(cache: torch.Tensor, x: torch.Tensor, position: int) -> tuple[torch.Tensor, torch.Tensor]:
    total, rows = Append()(cache, x, torch.tensor([position], dtype=torch.int32))
    after = cache.clone()
    after[:, :, position : position + NEW] = rows
    return total, after


@pytest.mark.parametrize("options", [[], ["--pipelined"]], ids=["in order", "pipelined"])
def test_launches_of_the_interpreter_follow_each_other(sized, options, tmp_path) -> None:
    """Rows behind the position hold what an earlier text left, and stay as they are but for the new ones."""
    generator = torch.Generator().manual_seed(harness.seed())
    cache = torch.randn(1, HEADS, ROWS, 8, generator=generator)
    for position in (0, 1, 2, 5, 7, 8, ROWS - NEW):
        x = torch.randn(1, HEADS, NEW, 8, generator=generator)
        given = {"cache": cache, "x": x, "at": torch.tensor([position], dtype=torch.int32)}
        for name, value in given.items():
            np.save(tmp_path / f"{name}.npy", value.numpy())
        words = [f"--input={tmp_path / name}.npy" for name in given]
        words += [f"--scalar={name}={value}" for name, value in numbers(position).items()]
        harness.run_tool("streamtensor-run", sized, *words, *options, f"--output-dir={tmp_path}").succeed()
        total, after = expect(cache, x, position)
        np.testing.assert_allclose(np.load(tmp_path / "result0.npy"), total, rtol=1e-5, atol=1e-6)
        found = np.load(tmp_path / "result1.npy")
        np.testing.assert_allclose(found, after, rtol=1e-5, atol=1e-6)
        cache = torch.from_numpy(found)


def test_without_its_token_the_order_of_reads_and_writes_is_an_error(sized, tmp_path) -> None:
    """Rows of the tile that holds the position are read, masked, and some of them written."""
    text = re.sub(r"orders %cache : !dataflow.port<[^>]*> ", "", sized.read_text())
    (tmp_path / "sized.mlir").write_text(text.replace('inout "cache"', 'inout "cache" next_launch'))
    words = ["--scalar=length=5", "--scalar=position=5"]
    refused = harness.run_tool("streamtensor-run", tmp_path / "sized.mlir", *words)
    assert refused.code == 1 and "[port.order]" in refused.stderr


def test_the_native_design_updates_the_tensor_that_it_is_given(sized, tmp_path) -> None:
    harness.translate(sized, tmp_path / "out").succeed()
    interface = Interface(tmp_path / "out")
    argument = interface.arguments[0]
    buffer, cache = interface.row_buffer(argument), torch.zeros(1, HEADS, ROWS, 8)
    generator = torch.Generator().manual_seed(harness.seed())
    for position in (0, 2, 4, 6, 8, 10, 12, ROWS - NEW):
        x, at = torch.randn(1, HEADS, NEW, 8, generator=generator), torch.tensor([position], dtype=torch.int32)
        given = [buffer.value, x, at]
        found, none = interface.execute(given, numbers(position), in_place=True)
        total, cache = expect(cache, x, position)
        assert none is None
        torch.testing.assert_close(as_tensor(found), total)
        # In a copy, the tensor that is given stays as it is.
        copied = as_tensor(interface.execute([cache, x, at], numbers(position))[1])
        torch.testing.assert_close(copied, cache)
    packed = interface._packs_only(argument.value)
    if packed:
        with pytest.raises(RunError, match=r"make it with row_buffer"):
            interface.execute([cache, x, at], numbers(0), in_place=True)


LONG, FEW, WORD = 64, 4, 16


class Scale(torch.nn.Module):
    """A scale for each row: those in front of `at` are summed, new ones follow."""

    def forward(self, scales, x, at):
        seen = torch.arange(scales.shape[2], dtype=torch.int32) < at[0]
        return torch.where(seen[:, None], scales, 0.0) * 2.0, torch.tanh(x + 1.0)


@pytest.fixture(scope="module")
def scales(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scales")
    inputs = torch.zeros(1, HEADS, LONG, 1), torch.zeros(1, HEADS, FEW, 1), torch.ones(1, dtype=torch.int32)
    extents, updates = {"scales": ("", "", "length", "")}, {1: ("scales", "position")}
    text = export_module(Scale(), inputs, extents=extents, updates=updates).text
    assert "inplace" not in lower(text, "tile-size=16 unroll=32 decision=rules", folder)
    text = (folder / "sized.mlir").read_text()
    assert re.search(rf"store %\w+, %scales .*lanes = {WORD}", text)
    return folder / "sized.mlir"


@pytest.mark.parametrize("options", [[], ["--pipelined"]], ids=["in order", "pipelined"])
def test_a_row_that_is_a_part_of_a_word_leaves_those_in_front(scales, options, tmp_path) -> None:
    """What lies behind the new rows, in the last word that they reach, becomes zero."""
    generator = torch.Generator().manual_seed(harness.seed())
    for position, length in ((0, 1), (1, 1), (14, 14), (15, 15), (16, 16), (31, 64), (46, 46), (LONG - FEW, LONG)):
        whole = torch.randn(1, HEADS, LONG, 1, generator=generator)
        x = torch.randn(1, HEADS, FEW, 1, generator=generator)
        given = {"scales": whole, "x": x, "at": torch.tensor([position], dtype=torch.int32)}
        for name, value in given.items():
            np.save(tmp_path / f"{name}.npy", value.numpy())
        words = [f"--input={tmp_path / name}.npy" for name in given]
        words += [f"--scalar=length={length}", f"--scalar=position={position}"]
        harness.run_tool("streamtensor-run", scales, *words, *options, f"--output-dir={tmp_path}").succeed()
        after = whole.clone()
        after[:, :, position : position + FEW] = Scale()(*given.values())[1]
        after[:, :, position + FEW : -(-(position + FEW) // WORD) * WORD] = 0.0
        found = np.load(tmp_path / "result1.npy")
        np.testing.assert_allclose(found, after, rtol=1e-5, atol=1e-6, err_msg=f"at {position}")


def falcon_config():
    """One head of keys and values; attention joins the rows of the cache and the new ones."""
    return transformers.FalconConfig(vocab_size=100, hidden_size=32, num_hidden_layers=2, num_attention_heads=4)


def test_an_extent_that_cannot_end_early_is_said(tmp_path) -> None:
    model = models.random_causal_lm(falcon_config())
    model.generation_config.eos_token_id = None
    llm = st.compile_llm(model, Words(), 12, 3, out=tmp_path / "out", options=Options(tile_size=8, unroll=16))
    warnings = llm.design.manifest["warnings"]
    assert all(warning.startswith("[counts.fallback]") for warning in warnings)
    assert [re.findall("'(context|tokens)'", warning) for warning in warnings] == [["tokens"], ["context"]]
    assert llm.design.updates == {"keys", "values"}
    assert [scalar["name"] for scalar in llm.design.interface.scalars] == ["position", "layers"]
    reference, generation, _ = generate_checked(llm, "1 2 3 4", 9)
    assert generation.tokens == reference.tokens


@pytest.mark.parametrize("config", [models.tiny_llama_config, models.tiny_gemma3_config], ids=["llama", "gemma3"])
def test_a_model_generates_up_to_the_last_position(config, tmp_path) -> None:
    """In passes of three tokens, the last of which reach behind the context; then a second text."""
    model = models.random_causal_lm(config())
    model.generation_config.eos_token_id = None
    options = Options(tile_size=8, unroll=16)
    llm = st.compile_llm(model, Words(), 20, tokens_per_pass=3, out=tmp_path / "out", options=options)
    assert llm.design.updates == {"keys", "values"}
    assert [scalar["name"] for scalar in llm.design.interface.scalars] == ["tokens", "context", "position", "layers"]
    first = " ".join(str(7 * index % 90 + 1) for index in range(7))
    for prompt in (first, "5", first):
        reference, generation, comparison = generate_checked(llm, prompt, 21 - len(prompt.split()))
        assert generation.tokens == reference.tokens
        assert comparison.positions == 20
        assert comparison.logit_error < 1e-5


def test_rows_that_a_task_takes_together_come_as_one_token(tmp_path) -> None:
    """Words of several rows one after the other, while a new row is stored as words of the same width."""
    model = models.random_causal_lm(models.tiny_gemma3_config())
    model.generation_config.eos_token_id = None
    out, options = tmp_path / "out", Options(tile_size=8, unroll=256, decision="rules")
    llm = st.compile_llm(model, Words(), 20, out=out, options=options)
    assert llm.design.updates == {"keys", "values"}
    design = (out / "ir" / "sized.mlir").read_text()
    for name in llm.design.updates:
        assert re.findall(rf"load %{name} .*count = (\d+), lanes = (\d+)", design) == [("2", "8")]
        assert re.findall(rf"store %\w+, %{name} .*count = (\d+), lanes = (\d+)", design) == [("1", "8")]
    reference, generation, comparison = generate_checked(llm, "1 2 3 4 5", 14)
    assert generation.tokens == reference.tokens
    assert comparison.logit_error < 1e-5
