# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options are declared once: the command line and the compiler know them as Options does."""

from __future__ import annotations

import inspect
import math
import re
from pathlib import Path

import harness
import pytest
from streamtensor import Options
from streamtensor.cli import commands
from streamtensor.errors import CompileError, RunError
from streamtensor.options import PHASES, SimulationOptions, declared
from streamtensor.simulation import simulate
from streamtensor.stored import StoredDesign


def pipeline_options() -> set[str]:
    """The options that streamtensor-opt declares for its pipeline."""
    text = harness.run_tool("streamtensor-opt", "--help").succeed().stdout
    (_, section) = text.split("      --streamtensor-pipeline ")
    (section, *_) = section.split("\n      --")
    return set(re.findall(r"^        --([a-z-]+)[= ]", section, re.M))


def test_the_compiler_knows_every_option_that_it_is_handed():
    known = pipeline_options()
    handed = {about.pipeline for about in declared().values()} - {""}
    choices = {
        "tile-size",
        "unroll",
        "lane-share",
        "engines",
        "padding",
        "fifo-loss",
        "kernels",
        "decision",
        "schedule",
    }
    assert {"device", *choices, "stop-after"} == handed
    assert handed <= known
    options = Options(tile_size=4, unroll=8, stop_after="tile")
    defaults = {"engines": True, "padding": 12, "fifo-loss": 0.01, "kernels": "one", "decision": "simulated"}
    assert options.to_pipeline() == {"tile-size": 4, "unroll": 8, **defaults, "stop-after": "tile"}
    assert Options(schedule=Path("/a b.json")).to_paths() == {"device": "u55c", "schedule": Path("/a b.json")}


def test_the_command_line_has_every_option():
    parameters = inspect.signature(commands.compile).parameters
    assert list(parameters)[-len(declared()) :] == list(declared())
    for name, about in declared().items():
        assert parameters[name].default == getattr(Options(), name)
        (option,) = parameters[name].annotation.__metadata__
        assert (option.help, option.min, option.max) == (about.help, about.least, about.most)


def test_options_of_a_simulation_are_those_of_the_command_and_the_simulator():
    known = harness.run_tool("streamtensor-sim", "--help").succeed().stdout
    parameters = inspect.signature(commands.simulate).parameters
    for name, about in declared(SimulationOptions).items():
        assert f"--{name.replace('_', '-')} " in known.replace("=", " ")
        (option,) = parameters[name].annotation.__metadata__
        assert option.help == about.help
        for function in (StoredDesign.simulate, simulate):
            assert inspect.signature(function).parameters[name].default == getattr(SimulationOptions, name)
    asked = SimulationOptions(Path("/a b.json"), True, "fifo a depth=2", True, 300)
    assert asked.to_arguments() == [
        "--timeline",
        Path("/a b.json"),
        "--on-chip-io",
        "--what-if=fifo a depth=2",
        "--advise",
        "--clock-mhz=300",
    ]
    assert SimulationOptions().to_arguments() == []


def test_phases_are_those_of_the_compiler():
    refused = harness.run_tool(
        "streamtensor-opt", "/dev/null", f"--streamtensor-pipeline=device={harness.device_file()} stop-after=none"
    )
    assert f"the phases are {', '.join(PHASES[:-1])}\n" in refused.stderr


@pytest.mark.parametrize("loss", [-0.1, math.nan, math.inf, "0.1"])
def test_a_loss_of_speed_is_a_fraction(loss):
    with pytest.raises(CompileError, match=r"fifo_loss is .*: it must be a number of at least 0"):
        Options(fifo_loss=loss)


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ({"clock_mhz": 0}, "clock_mhz is 0: it must be a number of at least 1"),
        ({"clock_mhz": math.inf}, "clock_mhz is inf: it must be a number of at least 1"),
        ({"memory_efficiency": 1.5}, "memory_efficiency is 1.5: it must be a number of at least 0.01 and at most 1"),
        ({"memory_efficiency": 0.0}, "memory_efficiency is 0.0: it must be a number of at least 0.01 and at most 1"),
        ({"products_per_dsp": 2.0}, "products_per_dsp is 2.0: it must be a whole number of at least 1"),
    ],
)
def test_what_no_device_could_have_is_refused(wrong, expected):
    with pytest.raises(CompileError, match=re.escape(expected)):
        Options(**wrong)


def test_only_what_is_given_stands_for_the_device_file():
    assert Options().to_assumptions() == {}
    assert Options(products_per_dsp=1, clock_mhz=300).to_assumptions() == {"products_per_dsp": 1, "clock_mhz": 300}
    with pytest.raises(RunError, match="clock_mhz is -1: it must be a number of at least 1"):
        SimulationOptions(clock_mhz=-1)


@pytest.mark.parametrize("lanes", [None, 32])
def test_what_is_not_chosen_is_left_to_the_compiler(lanes):
    assert Options(unroll=lanes).to_pipeline().get("unroll") == lanes
