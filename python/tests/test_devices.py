# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every card that comes along, and one that a user adds by the page about it."""

from __future__ import annotations

import json
import re

import pytest
import streamtensor as st
import torch
from streamtensor import cli, paths
from streamtensor.devices import device_files, find_device
from streamtensor.errors import DeviceError
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


def compiled(device: str, out):
    x = torch.randn(16, 32)
    module = Gated()
    design = st.compile(module, (x,), st.Options(device=device, tile_size=8, unroll=16), out=out)
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


def test_the_cards_are_there(capfd):
    assert {"u55c", "u280", "u50", "vcu128", "zcu102", "kv260"} <= set(NAMES)
    assert cli.run(["devices"]) == 0
    listed = capfd.readouterr().out
    for name in NAMES:
        assert find_device(name).card in " ".join(listed.split()), name


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
