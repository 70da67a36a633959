# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fusion plans, as benchmarks/fusion_plans.py counts them, and what their groups compute."""

from __future__ import annotations

import re

import fusion_plans
import harness
import pytest
import zoo

SOURCE = zoo.ROOT / "test/Dialect/Dataflow/Transforms/fuse-plans.mlir"


@pytest.mark.parametrize(("plan", "crossing"), [("greedy", 64 * 48 * 4), ("optimal", 64 * 32 * 4)])
def test_what_crosses_is_written_once_and_read_once(plan, crossing):
    """The chain of fuse-plans.mlir, where one of two products fits in a group."""
    options = {"unroll": 1, "decision": "rules", "stop_after": "fuse", "group_bytes": 3072, "fusion_plan": plan}
    found = fusion_plans.plan_of(zoo.run_pipeline(SOURCE, **options))
    assert found == {"groups": 2, "external_bytes": 2 * crossing}


def test_a_result_is_stored_for_nothing_and_each_reader_loads():
    text = """
    %a:2 = dataflow.kernel "first"(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<8x2xi8>) {
    %c = tensor.expand_shape %a#1 [[0], [1, 2]] output_shape [8, 2, 1] : tensor<8x2xi8> into tensor<8x2x1xi8>
    %b = dataflow.kernel "second"(%a#0, %c, %a#0) : (tensor<4xf32>, tensor<8x2x1xi8>, tensor<4xf32>) -> tensor<4xf32> {
    return %b, %a#0 : tensor<4xf32>, tensor<4xf32>
    """
    assert fusion_plans.plan_of(text) == {"groups": 2, "external_bytes": 2 * 16 + (1 + 1) * 16}


def test_groups_of_the_optimal_plan_compute_what_the_source_computes(tmp_path):
    source = tmp_path / "chain.mlir"
    source.write_text(re.sub(r"^//.*\n", "", SOURCE.read_text(), flags=re.MULTILINE))
    options = f"device={harness.device_file()} unroll=16 decision=rules group-bytes=3072 fusion-plan=optimal"
    arguments = ("--validate", f"--streamtensor-pipeline={options}", "-o", tmp_path / "sized.mlir")
    harness.run_tool("streamtensor-opt", source, *arguments).succeed()
    assert (tmp_path / "sized.mlir").read_text().count("dataflow.design @") == 2


def test_no_optimal_plan_of_a_random_graph_is_dearer():
    graphs = fusion_plans.draw_graphs(count=30, seed=harness.seed())
    found = fusion_plans.summarise(graphs)
    assert (found["graphs"], found["dearer"]) == (30, 0)
    assert 0 < found["cheaper"] <= 30
    assert graphs == fusion_plans.draw_graphs(count=30, seed=harness.seed())
    assert all(8 <= graph["nodes"] <= 24 for graph in graphs)


def test_the_launch_is_counted_as_the_compiler_counts_it():
    """75 us at 32 channels of 13.28 GB/s."""
    assert fusion_plans.launch_bytes() == 31_872_000
