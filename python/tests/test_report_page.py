# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""report.html in a browser: what it shows is what the simulation says."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import streamtensor as st
from browser import Element, Page, open_page
from streamtensor.report import activity, charts, write_report
from streamtensor.report.breakdown import break_down
from streamtensor.report.measure import FIFO_LOSSES
from streamtensor.report.modules import group
from streamtensor.stored import StoredDesign

# As a front end leaves it: each operation says from which module of a model it comes.
SOURCE = """
#up = loc("feed.up"("model.py":3:1))
#act = loc("feed.act"("model.py":4:1))
#down = loc("feed.down"("model.py":5:1))
#add = loc("add"("model.py":6:1))
func.func @main(%x: tensor<8x16xf32>, %u: tensor<16x32xf32>, %d: tensor<32x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32> loc(#up)
  %a = linalg.matmul ins(%x, %u : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>)
    -> tensor<8x32xf32> loc(#up)
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) {
  ^bb0(%v: f32, %o: f32):
    %m = arith.maximumf %v, %zero : f32
    linalg.yield %m : f32
  } -> tensor<8x32xf32> loc(#act)
  %g = tensor.empty() : tensor<8x16xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<8x16xf32>) -> tensor<8x16xf32> loc(#down)
  %b = linalg.matmul ins(%r, %d : tensor<8x32xf32>, tensor<32x16xf32>) outs(%h : tensor<8x16xf32>)
    -> tensor<8x16xf32> loc(#down)
  %y = linalg.add ins(%b, %x : tensor<8x16xf32>, tensor<8x16xf32>) outs(%g : tensor<8x16xf32>)
    -> tensor<8x16xf32> loc(#add)
  return %y : tensor<8x16xf32>
}
"""


@pytest.fixture(scope="module")
def design(tmp_path_factory) -> st.Design:
    directory = tmp_path_factory.mktemp("reported")
    source = directory / "feed.mlir"
    source.write_text(SOURCE)
    options = st.Options(tile_size=8, unroll=32, engines=False, padding=0, compare=False)
    return st.compile(source, options=options, out=directory / "out")


@pytest.fixture(scope="module")
def simulation(design) -> dict:
    return json.loads((design.directory / "simulation.json").read_text())


@pytest.fixture(scope="module")
def report(design) -> Path:
    return design.report(sizings=True)


@pytest.fixture(scope="module")
def page(report, tmp_path_factory) -> Page:
    return open_page(report, tmp_path_factory.mktemp("browser"))


def shown(table: Element) -> list[Element]:
    return [row for row in table.find("tr", class_="row") if "hidden" not in row.attributes]


def cells(row: Element) -> dict[str, str]:
    """What stands in the fields of a row."""
    return {e.attributes["data-field"]: e.text for e in row.find("td") if "data-field" in e.attributes}


def rows(page: Page, table: str) -> dict[str, dict[str, str]]:
    """The rows that are shown, by their first fields."""
    found = [cells(row) for row in shown(page.root.one("table", id=table))]
    return {next(iter(row.values())): row for row in found}


def test_scripts_run_without_errors_and_without_a_network(page):
    assert page.messages == []
    assert page.root.one("html").attributes["data-state"] == "ready"
    loaded = [e for e in page.root.walk() for name in ("src", "srcset") if name in e.attributes]
    links = [e.attributes["href"] for e in page.root.walk() if "href" in e.attributes]
    assert loaded == []
    assert page.root.find("link") == []
    assert all(link.startswith("#") for link in links)


def test_every_task_is_shown_with_the_cycles_of_the_simulation(page, simulation):
    tasks = {task["name"]: task for task in simulation["tasks"]}
    breakdown = rows(page, "breakdown")
    assert breakdown.keys() == rows(page, "timeline").keys() == tasks.keys()
    assert page.root.one("b", data_figure="tasks").text == str(len(tasks))
    assert page.root.one("b", data_figure="cycles").text == f"{simulation['cycles']:,}"
    for name, task in tasks.items():
        row = {key: text.replace(",", "") for key, text in breakdown[name].items()}
        assert row["busy"] == str(task["busy"])
        assert int(row["before"]) + int(row["input"]) == task["input_stall"]
        assert row["output"] == str(task["output_stall"])
        assert row["memory"] == str(task["memory_stall"])
        assert int(row["after"]) == simulation["cycles"] - task["end"]
        assert row["multiply_adds"] == str(task["multiply_adds"])
        assert row["dsp"] == f"{task['resources']['dsp']:g}"


def test_channels_ports_dies_and_fifos_are_those_of_the_simulation(page, simulation):
    channels = rows(page, "channels")
    assert len(channels) == len(simulation["channels"]) > 3
    for channel in simulation["channels"]:
        assert channels[channel["name"]]["bytes"] == f"{channel['bytes']:,}"
        assert channels[channel["name"]]["utilisation"] == f"{100 * channel['utilisation']:.1f} %"
    ports = rows(page, "ports")
    for port in simulation["ports"]:
        assert ports[port["interface"]]["bits"] == str(port["bits"])
        assert ports[port["interface"]]["channel"] == port["channel"]
        assert ports[port["interface"]]["bytes"] == f"{port['bytes']:,}"
    for die in simulation["designs"][0]["dies"]:
        dsp = page.root.one("tr", data_die=die["name"]).find("td")[2]
        assert dsp.text == f"{die['used']['dsp']:,g} / {die['placeable']['dsp']:,}"
    fifos = rows(page, "fifos")
    assert len(fifos) == len(simulation["fifos"])
    for fifo in simulation["fifos"]:
        row = fifos[fifo["name"]]
        found = (row["depth"], row["high_water"], row["memory"], row["critical"])
        critical = "yes" if fifo["critical"] else ""
        assert found == (f"{fifo['depth']:,}", f"{fifo['high_water']:,}", fifo["memory"], critical)


def test_other_sizings_of_fifos_are_a_row_and_a_point_each(page, report, simulation):
    sizings = json.loads(report.with_suffix(".json").read_text())["designs"][0]["sizings"]
    table = page.root.one("table", id=f"sizings-{simulation['designs'][0]['name']}")
    rows = [[cell.text for cell in row.find("td")] for row in table.find("tr")[1:]]
    assert len(rows) == len(sizings) == 3 + len(FIFO_LOSSES)
    for (name, cycles, kib, *_, share, safe, beaten), sizing in zip(rows, sizings, strict=True):
        assert name == charts.spell_sizing(sizing)
        assert cycles == ("deadlock" if sizing["cycles"] is None else f"{sizing['cycles']:,}")
        assert kib == f"{sizing['bits'] / 8192:.1f}"
        assert share == f"{100 * sizing['share']:.1f} %"
        assert (safe, beaten == "no") == ("yes" if sizing["ends_whatever_the_timing"] else "no", sizing["on_front"])
    default = next(sizing for sizing in sizings if sizing.get("loss") == st.Options().fifo_loss)
    assert default["depths"] == [fifo["depth"] for fifo in simulation["fifos"]]
    (chart,) = [e for e in page.root.find("div") if e.attributes.get("id", "").startswith("fifo-front-")]
    assert "memory of FIFOs, % of the card" in chart.text
    assert "no other is both smaller and faster" in chart.text


def test_fifos_are_sized_again_only_if_that_is_asked_for(design, report):
    """The page with sizings is put back, as the other tests read it."""
    kept = report.read_text(), report.with_suffix(".json").read_text()
    plain = design.report().read_text()
    assert "report OUT --sizings" in plain
    assert "fifo-front-" not in plain
    assert all("sizings" not in each for each in json.loads(report.with_suffix(".json").read_text())["designs"])
    report.write_text(kept[0])
    report.with_suffix(".json").write_text(kept[1])


def test_the_roofline_has_the_point_of_the_design(page, simulation):
    """8 rows through 16 x 32 and 32 x 16 weights."""
    roof = simulation["designs"][0]["roofline"]
    assert roof["multiply_adds"] == 2 * 8 * 16 * 32
    assert page.root.one("td", data_figure="multiply_adds").text == f"{roof['multiply_adds']:,}"
    moved = sum(channel["bytes"] for channel in simulation["channels"])
    assert page.root.one("td", data_figure="external_bytes").text == f"{moved:,}"
    (chart,) = [e for e in page.root.find("div") if e.attributes.get("id", "").startswith("roofline-")]
    achieved = roof["multiply_adds"] / simulation["seconds"]
    assert f"{achieved / 1e9:,.2f} GMAC/s" in chart.text
    assert "multiply-adds per byte of external memory" in chart.text
    most = max(channel["utilisation"] for channel in simulation["channels"])
    assert f", at {100 * most:.1f} % of its sustained rate" in page.root.one("section", id="roofline").text


def test_clocks_are_simulated_around_that_of_the_device(page, design, simulation):
    table = page.root.one("section", id="roofline").find("table")[-1]
    found = [[td.text.replace(",", "") for td in row.find("td")] for row in table.find("tr")[1:]]
    assert [row[0] for row in found] == ["200", "225", "250", "275", "300"]
    assert found[2][1] == str(simulation["cycles"])
    # Memory answers after the same cycles, but gives less in a cycle of a faster clock.
    assert int(found[0][1]) <= int(found[2][1]) <= int(found[4][1])
    slow = design.simulate(further=["--clock-mhz=200"])
    assert found[0][1:] == [str(slow.cycles), f"{slow.seconds * 1e3:.5g}"]


def test_the_graph_has_every_task_fifo_and_buffer(page, simulation):
    modules, tasks = page.root.one("section", id="graph").find("div", class_="picture")
    for kind, entries in (("task", "tasks"), ("fifo", "fifos"), ("buffer", "buffers")):
        assert len(tasks.find("g", class_=kind)) == len(simulation[entries])
    boxes = {box.one("text").text for box in modules.find("g", class_="task")}
    assert boxes == {task.get("module", "(no module)") for task in simulation["tasks"]}


def test_a_search_leaves_what_it_finds(report, simulation, tmp_path):
    found = open_page(report, tmp_path, "search=feed.down")
    assert found.root.one("html").attributes["data-state"] == "ready"
    named = {task["name"] for task in simulation["tasks"] if task.get("module", "").startswith("feed.down")}
    assert 0 < len(named) < len(simulation["tasks"])
    assert rows(found, "breakdown").keys() == rows(found, "timeline").keys() == named
    count = found.root.one("span", class_="shown", data_of="breakdown").text
    assert count == f"{len(named)} of {len(simulation['tasks'])}"
    modules = found.root.one("table", id="breakdown").find("tr", class_="module")
    headings = {e.attributes["data-module"] for e in modules if "hidden" not in e.attributes}
    assert headings == {"feed", "feed.down"}
    lost = [e for e in found.root.find("g") if "lost" in e.attributes.get("class", "").split()]
    assert lost
    assert not any("feed.down" in e.attributes["data-text"] for e in lost)


def test_rows_are_sorted_and_folded(report, simulation, tmp_path):
    address = "sort=breakdown.busy&sort=ports.bytes&sort=timeline.nonsense&sort=nothing&from=nowhere&fold=feed"
    found = open_page(report, tmp_path, address)
    assert found.root.one("html").attributes["data-state"] == "ready"
    by_module: dict[str, list[int]] = {}
    for task in simulation["tasks"]:
        by_module.setdefault(task.get("module", ""), []).append(task["busy"])
    kept = {path: sorted(busy, reverse=True) for path, busy in by_module.items() if not path.startswith("feed")}
    assert any(len(set(busy)) > 1 for busy in kept.values())
    ordered: dict[str, list[int]] = {}
    for row in shown(found.root.one("table", id="breakdown")):
        busy = int(cells(row)["busy"].replace(",", ""))
        ordered.setdefault(row.attributes["data-module"], []).append(busy)
    assert ordered == kept
    headings = found.root.one("table", id="breakdown").find("tr", class_="module")
    hidden = {e.attributes["data-module"] for e in headings if "hidden" in e.attributes}
    assert hidden == {"feed.up", "feed.act", "feed.down"}
    assert found.root.one("button", id="fold").text == "unfold all"
    moved = [int(row["bytes"].replace(",", "")) for row in rows(found, "ports").values()]
    assert moved == sorted((port["bytes"] for port in simulation["ports"]), reverse=True)


def test_modules_stand_above_what_is_within(page, simulation):
    headings = page.root.one("table", id="breakdown").find("tr", class_="module")
    paths = [heading.attributes["data-module"] for heading in headings]
    assert {"add", "feed", "feed.up", "feed.down"} <= set(paths)
    assert paths.index("feed") < paths.index("feed.up") < paths.index("feed.down")
    within = sum(task.get("module", "").startswith("feed") for task in simulation["tasks"])
    (feed,) = [heading for heading in headings if heading.attributes["data-module"] == "feed"]
    assert f"{within} tasks" in feed.text


def test_the_assumptions_are_those_of_the_device_file(page, design):
    device = json.loads((design.directory / "device.json").read_text())
    text = page.root.one("section", id="assumptions").text
    for group_name in ("clock_mhz", "placement", "external_memory", "fifo", "dsp"):
        assert device[group_name]["source"] in text
    memory = device["external_memory"]
    assert f"{memory['sustained_bytes_per_s'] / memory['peak_bytes_per_s']:.1%} of the peak rate" in text


def test_warnings_of_the_compilation_and_what_the_host_computes_are_in_the_summary(design, tmp_path):
    shutil.copytree(design.directory, tmp_path / "out")
    manifest = json.loads((tmp_path / "out/design.json").read_text())
    assert manifest["warnings"] == []
    warned = ["[layers.fallback] the host launches each layer by itself: <why>", "[counts.fallback] each launch"]
    (tmp_path / "out/design.json").write_text(json.dumps(manifest | {"warnings": warned}))
    page = write_report(StoredDesign(tmp_path / "out"))
    report = json.loads(page.with_suffix(".json").read_text())
    assert (report["warnings"], report["on_host"]) == (warned, [])
    assert page.read_text().count("<tr><th>warning</th><td>[") == len(warned)
    assert "by itself: &lt;why&gt;</td>" in page.read_text()
    assert "<tr><th>in PyTorch on the host</th><td>nothing</td>" in page.read_text()


def test_the_parts_of_a_task_are_the_whole_run(design, simulation):
    for task in simulation["tasks"]:
        assert sum(break_down(task, simulation["cycles"]).values()) == simulation["cycles"]


def test_waiting_is_told_by_a_digit_for_each_part():
    task = {"activity": {"input_stall": [0, 8, 16], "memory_stall": [3]}}
    assert activity.encode(task, 16) == {"input_stall": "0iz", "output_stall": "", "memory_stall": "7"}


def test_modules_are_grouped_by_their_paths():
    items = [("a", "x.y"), ("b", ""), ("c", "x"), ("d", "z"), ("e", "x.y")]
    found = [(module.path, [name for name, _ in module.own]) for module in group(items, lambda item: item[1])]
    assert found == [("x", ["c"]), ("x.y", ["a", "e"]), ("z", ["d"]), ("", ["b"])]


def test_a_directory_without_a_simulation_says_what_to_do(tmp_path):
    (tmp_path / "design.mlir").write_text(
        "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }"
    )
    design = st.compile(tmp_path / "design.mlir", options=st.Options(stop_after="tile"), out=tmp_path / "out")
    with pytest.raises(st.RunError, match=r"up to phase 'tile' only: it holds no code\. Compile it again without"):
        design.report()
    st.compile(tmp_path / "design.mlir", options=st.Options(compare=False, force=True), out=tmp_path / "out")
    for name in ("device.json", "ir/02-linalg.mlir", "ir/sized.mlir"):
        (tmp_path / "out" / name).unlink()
        with pytest.raises(st.RunError, match=r"out lacks .*: compile it again"):
            st.Design(tmp_path / "out").report()
    with pytest.raises(st.RunError, match=r"holds no design: .* Compile one with `streamtensor compile`"):
        st.Design(tmp_path / "nothing")
