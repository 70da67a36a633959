# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every card that comes along, and one that a user adds by the page about it."""

from __future__ import annotations

import json
import re

import harness
import pytest
import streamtensor as st
import torch
from streamtensor import cli, paths
from streamtensor.devices import device_files, find_device
from streamtensor.errors import DeviceError
from streamtensor.report.assumptions import assumptions
from torch import nn

NAMES = [path.stem for path in device_files()]
PAGE = paths.devices_directory().parent / "docs" / "devices.md"


class Gated(nn.Module):
    """A product, a sum, an exponential, a table of biases."""

    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(32, 64), nn.Linear(64, 32)

    def forward(self, x):
        return self.down(torch.sigmoid(self.up(x))) + x


def compiled(device: str, out, **words):
    x = torch.randn(16, 32)
    module = Gated()
    design = st.compile(module, (x,), st.Options(device=device, tile_size=8, unroll=16, **words), out=out)
    torch.testing.assert_close(design(x), module(x))
    return design


#: What v++ takes behind `sp=...:` (UG1393 for HBM; for embedded platforms the sptag of ports in AMD's sources).
SP_TAGS = dict.fromkeys(("u55c", "u280", "u50", "vcu128"), r"HBM\[([0-9]|[12][0-9]|3[01])\]") | dict.fromkeys(
    ("zcu102", "kv260"), r"HP[0-3]"
)


def memories_of(out) -> set[str]:
    """The memories of all ports, as the host's program has them."""
    [design] = json.loads((out / "interface.json").read_text())["designs"]
    return {memory for port in design["ports"] for memory in port["memories"]}


class Integers(nn.Module):
    """Products of small integers, two or four of which fit a DSP."""

    def forward(self, x, w):
        return torch.mm(x.to(torch.int32), w.to(torch.int32))


@pytest.fixture(scope="module")
def assumed(tmp_path_factory):
    """Designs as the file has the card and with each switch; then with all of them, by the command."""
    folder = tmp_path_factory.mktemp("assumed")
    inputs = tuple(torch.randint(-8, 8, shape, dtype=torch.int8) for shape in ((256, 64), (64, 64)))
    given = {"stated": {}, "clock": {"clock_mhz": 125}, "memory": {"memory_efficiency": 0.01}}
    given |= {"packing": {"products_per_dsp": 1}, "tools": {"vitis_version": "2024.1"}}
    given |= {"all": {name: value for each in given.values() for name, value in each.items()}}
    return {
        name: st.compile(Integers(), inputs, st.Options(unroll=256, compare=False, **words), folder / name)
        for name, words in given.items()
    }


def test_each_switch_stands_for_its_figure_alone(assumed):
    files = {name: json.loads((design.directory / "device.json").read_text()) for name, design in assumed.items()}
    stated = files["stated"]
    assert stated == json.loads(find_device("u55c").path.read_text())
    assert files["clock"]["clock_mhz"].pop("value") == 125
    assert files["clock"]["clock_mhz"].pop("source").startswith("chosen for this design; the device has 250: ")
    assert files["clock"] | {"clock_mhz": stated["clock_mhz"]} == stated
    memory = files["memory"]["external_memory"]
    assert memory["sustained_bytes_per_s"] == 0.01 * memory["peak_bytes_per_s"]
    assert memory["source"].startswith("sustained rate chosen for this design; the device has 92.4%: ")
    changed = {key: stated["external_memory"][key] for key in ("sustained_bytes_per_s", "source")}
    assert files["memory"] | {"external_memory": memory | changed} == stated
    rows = stated["operators"]
    left = {name: rows[name] for name in rows if name not in ("mul_pair_int", "mul_cross_int")}
    assert len(left) == len(rows) - 2
    assert files["packing"] == stated | {"operators": left}
    assert files["tools"]["vitis"].pop("value") == "2024.1"
    assert files["tools"]["vitis"].pop("source").startswith("chosen for this design; the device has 2023.2: ")
    assert files["tools"] | {"vitis": stated["vitis"]} == stated


def test_each_switch_changes_what_is_predicted(assumed):
    found = {name: design.simulate() for name, design in assumed.items()}
    stated = found["stated"]
    assert (stated.data["clock_mhz"], found["clock"].data["clock_mhz"]) == (250, 125)
    assert assumed["clock"].manifest["clock_mhz"] == 125
    assert found["clock"].seconds > 1.5 * stated.seconds  # Memory, which keeps its rate, takes fewer cycles.
    assert found["clock"].cycles <= stated.cycles
    assert found["memory"].cycles > 1.5 * stated.cycles
    assert found["packing"].data["resources"]["dsp"]["used"] >= 2 * stated.data["resources"]["dsp"]["used"]
    assert found["all"].data["clock_mhz"] == 125
    assert found["tools"].cycles == stated.cycles
    makefiles = {name: (assumed[name].directory / "vitis/Makefile").read_text() for name in ("stated", "tools")}
    assert "\nVITIS := 2023.2\n" in makefiles["stated"]
    assert makefiles["tools"] == makefiles["stated"].replace("\nVITIS := 2023.2\n", "\nVITIS := 2024.1\n")


@pytest.mark.parametrize("version", ["2023.1", "2022.2", "2024.3", "24.1", "newest"])
def test_versions_that_cannot_build_a_design_are_refused(version, tmp_path):
    inputs = (torch.zeros((8, 8), dtype=torch.int8), torch.zeros((8, 8), dtype=torch.int8))
    with pytest.raises(st.Error, match=rf"'vitis\.value' is '{version}'.* a version from 2023\.2 on") as error:
        st.compile(Integers(), inputs, st.Options(vitis_version=version), tmp_path / "out")
    assert "array_partition" in str(error.value)


@pytest.mark.parametrize(("version", "spelt"), [(None, "202320"), ("2024.1", "202410")])
def test_a_platform_of_the_tools_has_their_version(version, spelt, tmp_path):
    design = compiled("zcu102", tmp_path / "out", vitis_version=version)
    (link,) = (path for path in (design.directory / "vitis").glob("*.cfg") if not path.stem.endswith("-hls"))
    assert f"platform=xilinx_zcu102_base_{spelt}_1\n" in link.read_text()


def test_the_module_keeps_what_was_assumed(assumed, tmp_path):
    """A phase is taken up again without a word about it, and the file of the card is another device."""
    directory = assumed["all"].directory
    (stream,) = (directory / "ir").glob("*-stream.mlir")
    again, words = tmp_path / "sized.mlir", ["--streamtensor-pipeline=start-after=stream", "--mlir-print-debuginfo"]
    harness.run_tool("streamtensor-opt", stream, *words, "-o", again).succeed()
    assert harness.without_locations(again) == harness.without_locations(directory / "ir/sized.mlir")
    refused = harness.run_tool("streamtensor-opt", stream, f"{words[0]} device=u55c").stderr
    assert "[module.device] the module was compiled for device 'u55c', and that holds" in refused


def test_the_report_names_the_switches(assumed):
    rows = {row.name: row for row in assumptions(json.loads((assumed["all"].directory / "device.json").read_text()))}
    assert (rows["clock, MHz"].figures, rows["clock, MHz"].switch) == ("125", "--clock-mhz")
    assert rows["efficiency of memory"].figures == "1.0% of the peak rate"
    assert rows["efficiency of memory"].switch == "--memory-efficiency"
    assert (rows["products in a DSP"].figures, rows["products in a DSP"].switch) == ("one", "--products-per-dsp")
    assert rows["FIFOs"].switch == "--device FILE"
    assert (rows["Vitis"].figures, rows["Vitis"].switch) == ("2024.1 and later", "--vitis-version")
    page = assumed["all"].report().read_text()
    for row in rows.values():
        assert f"<td>{row.switch}</td>" in page


def test_the_commands_have_the_switches(assumed, tmp_path, capfd):
    source = tmp_path / "sum.mlir"
    source.write_text("func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }")
    words = ["--clock-mhz", "300", "--memory-efficiency", "1", "--products-per-dsp", "2", "--no-compare"]
    assert cli.run(["compile", str(source), "-o", str(tmp_path / "out"), *words]) == 0
    device = json.loads((tmp_path / "out/device.json").read_text())
    assert (device["clock_mhz"]["value"], "mul_cross_int" in device["operators"]) == (300, False)
    memory = device["external_memory"]
    assert memory["sustained_bytes_per_s"] == memory["peak_bytes_per_s"]
    capfd.readouterr()
    assert cli.run(["simulate", str(assumed["stated"].directory), "--json", "--clock-mhz", "125"]) == 0
    slow, stated = json.loads(capfd.readouterr().out), assumed["stated"].simulate().data
    assert slow["clock_mhz"] == 125
    assert slow["seconds"] > stated["seconds"]
    assert slow["cycles"] <= stated["cycles"]


def test_the_cards_are_there(capfd):
    assert {"u55c", "u280", "u50", "vcu128", "zcu102", "kv260"} <= set(NAMES)
    assert cli.run(["devices"]) == 0
    listed = capfd.readouterr().out
    for name in NAMES:
        assert find_device(name).card in " ".join(listed.split()), name


@pytest.mark.parametrize("name", NAMES)
def test_each_card_states_its_own_energy(name):
    """What the card takes at rest is its own, whatever file it is based on, and each figure is named by the source."""
    file = json.loads((paths.devices_directory() / f"{name}.json").read_text())
    energy, group = find_device(name).energy, file["energy"]
    assert (energy.static_watts, energy.byte_pj, energy.dsp_pj) == tuple(
        group[key] for key in ("static_watts", "byte_pj", "dsp_pj")
    )
    for figure in ("watts: ", "a byte: ", "a DSP operation: "):
        assert figure in group["source"]
    # 3.92 pJ a bit of HBM2; DDR4 takes four times as much.
    assert energy.byte_pj == pytest.approx(8 * 3.92 * (1 if file["external_memory"]["kind"] == "HBM" else 4), abs=0.1)


def test_energy_may_be_unknown_but_not_wrong(tmp_path):
    content = json.loads((paths.devices_directory() / "u55c.json").read_text())
    file, energy = tmp_path / "card.json", content.pop("energy")
    file.write_text(json.dumps(content))
    assert find_device(str(file)).energy is None
    file.write_text(json.dumps(content | {"energy": energy | {"byte_pj": -1}}))
    with pytest.raises(DeviceError, match=r"'energy\.byte_pj' is -1; a number of picojoules, at least 0"):
        find_device(str(file))
    del energy["source"]
    file.write_text(json.dumps(content | {"energy": energy}))
    with pytest.raises(DeviceError, match=r"'energy\.source' is missing"):
        find_device(str(file))


@pytest.mark.parametrize("name", NAMES)
def test_a_design_is_made_for_each_card(name, tmp_path):
    """Compiled, placed, printed, run natively and simulated."""
    device = find_device(name)
    design = compiled(name, tmp_path / "out")
    result = design.simulate()
    assert result.data["card"] == device.card
    assert result.data["clock_mhz"] == device.clock_mhz
    [entry] = result.data["designs"]
    file = json.loads(device.path.read_text())
    dies = {die["name"] for die in file.get("dies", json.loads(find_device("u55c").path.read_text())["dies"])["list"]}
    assert {die["name"] for die in entry["dies"]} == dies
    for die in entry["dies"]:
        assert all(used <= die["placeable"][kind] for kind, used in die["used"].items())
    placed = {task["die"] for task in result.tasks}
    assert placed <= dies
    configuration = next((tmp_path / "out" / "vitis").glob("*.cfg")).read_text()
    memory = file["external_memory"]
    banks = re.findall(r"^sp=\w+_1\.m_axi_\w+:(.+)$", configuration, re.MULTILINE)
    assert banks
    pattern = re.escape(memory["bank"]).replace(re.escape("#"), r"(\d+)")
    numbers = set()
    for bank in banks:
        found = re.fullmatch(pattern, bank)
        assert found, f"{bank} is no {memory['bank']}"
        assert int(found[1]) < memory["channels"]
        assert re.fullmatch(SP_TAGS[name], bank)
        numbers.add(found[1])
    assert len(banks) <= memory["masters"]
    # The host finds the channels by their names in the binary.
    assert memories_of(tmp_path / "out") == {memory["tag"].replace("#", number) for number in numbers}
    assert ("slr=" in configuration) == (len(dies) > 1)


def example(heading: str) -> str:
    """The block of JSON below a heading of the page."""
    return re.search(rf"^## {heading}$.*?```json\n(.*?)```", PAGE.read_text(), re.MULTILINE | re.DOTALL)[1]


def test_a_file_may_be_a_path():
    path = paths.devices_directory() / "kv260.json"
    assert st.Options(device=path) == st.Options(device=str(path))


def test_the_page_says_how_a_card_is_added(tmp_path):
    """The example, as it stands there, beside the files that come along."""
    for path in device_files():
        (tmp_path / path.name).write_text(path.read_text())
    file = tmp_path / "mycard.json"
    file.write_text(example("A card of one's own"))
    wanted = json.loads(file.read_text())
    design = compiled(str(file), tmp_path / "out")
    assert design.simulate().data["card"] == wanted["card"]
    configuration = next((tmp_path / "out" / "vitis").glob("*.cfg")).read_text()
    assert wanted["platform"]["value"] in configuration
    banks = re.findall(r"^sp=.*:(.+)$", configuration, re.MULTILINE)
    assert set(banks) == {f"DDR[{number}]" for number in range(4)}
    assert memories_of(tmp_path / "out") == {"bank0", "bank1", "bank2", "bank3"}


def test_a_card_is_based_on_one_that_exists(tmp_path):
    file = tmp_path / "card.json"
    file.write_text('{"based_on": "nosuch.json", "name": "card"}')
    with pytest.raises(DeviceError, match=r"nosuch\.json"):
        find_device(str(file))
    file.write_text('{"based_on": "card.json", "name": "card"}')
    with pytest.raises(DeviceError, match="'based_on' leads back to"):
        find_device(str(file))
    file.write_text('{"based_on": 3}')
    with pytest.raises(DeviceError, match="'based_on' is not the name of a file"):
        find_device(str(file))
