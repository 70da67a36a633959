# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The figures of the documentation are what the benchmarks print, now: the quick ones are measured again here.

`make figures` measures all of them again and rewrites the pages.
"""

import json
import os
import subprocess
import sys

import figures
import pytest
from streamtensor import paths

STALE = "the figures of the pages are stale: run `make figures`"
BENCHMARKS = sorted(path.stem for path in (figures.ROOT / "benchmarks").glob("*.py"))


def answer(program: str, *arguments: str) -> dict:
    command = [sys.executable, figures.ROOT / "benchmarks" / f"{program}.py", "--json", *arguments]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=600).stdout)


def kept(program: str) -> dict:
    return json.loads((figures.ANSWERS / f"{program}.json").read_text())


@pytest.mark.parametrize("page", figures.pages(), ids=lambda page: str(page.relative_to(figures.ROOT)))
def test_pages_show_what_the_programs_printed(page):
    assert figures.faults_of(page) == [], STALE


def test_every_kept_answer_is_shown():
    assert figures.shown() == set(figures.RENDERERS)
    assert {path.stem for path in figures.ANSWERS.glob("*.json")} == set(figures.PROGRAMS)


def test_one_wrong_digit_is_found_and_repaired(tmp_path):
    good = (figures.ROOT / "README.md").read_text()
    cycles = f"{kept('layer')['rows'][0]['cycles']:,}"
    assert cycles in good
    page = tmp_path / "page.md"
    page.write_text(good.replace(cycles, cycles.replace(cycles[0], str(int(cycles[0]) % 9 + 1), 1)))
    assert len(figures.faults_of(page)) == 1
    assert "'layer' is not what benchmarks/layer.py printed" in figures.faults_of(page)[0]
    assert figures.rewritten(page.read_text()) == good


def test_unknown_names_are_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("<!-- figures: gone -->1<!-- end of figures -->")
    assert "no renderer 'gone'" in figures.faults_of(page)[0]


def test_the_layer_takes_what_the_pages_say():
    (found,) = answer("layer", "--tile-size", "16", "--no-run")["rows"]
    expected = next(row for row in kept("layer")["rows"] if row["tile_size"] == 16)
    assert 0 < expected["layer_error"] < 1e-5
    assert {**found, "layer_error": None} == {**expected, "layer_error": None}, STALE


def test_the_first_model_is_as_fast_as_the_pages_say():
    rows = answer("paper_table", "gpt2-medium", "--quantise", "w4a8-symmetric", "--tokens-per-pass", "8")["rows"]
    expected = kept("paper_table")["rows"][: len(rows)]
    assert len(rows) == 4
    assert [{**row, "compile_seconds": 0} for row in rows] == [{**row, "compile_seconds": 0} for row in expected], STALE


def test_intermediates_of_a_layer_take_what_the_pages_say():
    rows = answer("intermediate_memory", "--layer", "gpt2-medium", "--form", "arrays")["rows"]
    assert rows == kept("intermediate_memory")["rows"][:1], STALE


def test_pairs_take_what_the_pages_say():
    expected = kept("pairs")["rows"]
    (found,) = answer("pairs", expected[1]["name"])["rows"]
    assert found == expected[1], STALE


def test_a_join_costs_what_the_pages_say():
    code = "import joins, json; print(json.dumps(joins.masked_task()))"
    directory = figures.ROOT / "benchmarks"
    environment = {**os.environ, "STREAMTENSOR_BIN": str(paths.find_tool("streamtensor-opt").parent)}
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, cwd=directory, env=environment, stdout=subprocess.PIPE, check=True, timeout=300)
    assert json.loads(run.stdout) == kept("joins")["masked_task"], STALE


@pytest.mark.parametrize(
    "program", [name for name in BENCHMARKS if name not in ("csynth_tables", "pages", "polybench", "results", "zoo")]
)
def test_every_benchmark_can_answer_in_json(program):
    text = (figures.ROOT / "benchmarks" / f"{program}.py").read_text()
    assert "results.add_option(parser)" in text or '"--json"' in text


def test_a_model_that_failed_has_a_row_with_the_reason():
    """Without lengths and predictions, as benchmarks/paper_table.py leaves it."""
    row = {"model": "tinyllama-1.1b", "quantise": "w4a8", "error": "It does not fit."}
    *_, last = figures.RENDERERS["models"][1]({"rows": [*kept("paper_table")["rows"], row]}).splitlines()
    assert last == "| TinyLlama-1.1B, `w4a8` | It does not fit. | | | | |"
