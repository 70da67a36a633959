"""Reports of synthesis: read, and compared with the model. The reports are written here, in the format of Vitis HLS."""

import json
import math
import shutil
import subprocess

import pytest
from hls_native import OPT, ROOT, translate
from streamtensor import cli
from streamtensor.csynth import Loop, read_report
from streamtensor.errors import RunError

PART = "xcu55c-fsvh2892-2L-e"


def resources(lut: int, ff: int, dsp: int, bram18: int, uram: int = 0) -> str:
    parts = {"LUT": lut, "FF": ff, "DSP": dsp, "BRAM_18K": bram18, "URAM": uram}
    inner = "".join(f"<{tag}>{count}</{tag}>" for tag, count in parts.items())
    return f"<AreaEstimates><Resources>{inner}</Resources></AreaEstimates>"


def loop(name: str, ii: int, depth: int, trips: str = "384") -> str:
    return (
        f"<{name}><Name>{name}</Name><TripCount>{trips}</TripCount><Latency>9</Latency>"
        f"<PipelineII>{ii}</PipelineII><PipelineDepth>{depth}</PipelineDepth></{name}>"
    )


def module(name: str, area: str, loops: str = "", nodes: str = "") -> str:
    return (
        f"<Module><Name>{name}</Name><PerformanceEstimates><SummaryOfOverallLatency><PipelineInitiationInterval>5 ~ 400"
        f"</PipelineInitiationInterval></SummaryOfOverallLatency><SummaryOfLoopLatency>{loops}</SummaryOfLoopLatency>"
        f"</PerformanceEstimates>{area}<BindNodes>{nodes}</BindNodes></Module>"
    )


def node(kind: str, instance: str, dsp: int) -> str:
    return (
        f'<BindNode BINDTYPE="op" OPTYPE="{kind}" RTLNAME="{instance}" IMPL="maxdsp" LATENCY="3" DSP="{dsp}" BRAM="0"/>'
    )


def profile(
    top: str = "matmul", part: str = PART, modules: str = "", version: str = "2023.2", period: str = "4.00"
) -> str:
    return (
        f"<profile><ReportVersion><Version>{version}</Version></ReportVersion><UserAssignments>"
        f"<Part>{part}</Part><TopModelName>{top}</TopModelName><TargetClockPeriod>{period}</TargetClockPeriod>"
        "</UserAssignments><PerformanceEstimates><SummaryOfOverallLatency><Interval-max>undef</Interval-max>"
        f"</SummaryOfOverallLatency></PerformanceEstimates>{resources(5000, 6000, 320, 37)}"
        f"<ModuleInformation>{modules}</ModuleInformation></profile>"
    )


PROJ = module("proj", resources(900, 800, 300, 4)) + module(
    "proj_Pipeline_proj_i1_proj_i2",
    resources(700, 600, 300, 0),
    "<outer><TripCount>3</TripCount>" + loop("proj_i3", 1, 25) + "</outer>",
    node("fmul", "fmul_U1", 3) + node("fmul", "fmul_U1", 3) + node("fadd", "fadd_U2", 2),
)


@pytest.fixture(scope="module")
def design(tmp_path_factory):
    """The files of a design that the comparison reads."""
    directory = tmp_path_factory.mktemp("design")
    assert translate((ROOT / "test/Target/HLSCpp/matmul.mlir").read_text(), directory).returncode == 0
    sim = [OPT.with_name("streamtensor-sim"), directory / "scheduled.mlir", "--json"]
    found = subprocess.run(sim, check=True, capture_output=True, text=True).stdout
    (directory / "out/simulation.json").write_text(found)
    (directory / "out/design.json").write_text(json.dumps({"part": PART}))
    shutil.copy(ROOT / "devices/u55c.json", directory / "out/device.json")
    return directory / "out"


def write(directory, text: str):
    path = directory / "csynth.xml"
    path.write_text(text)
    return path


def test_modules_loops_and_operators_are_read(tmp_path):
    report = read_report(write(tmp_path, profile(modules=PROJ)))
    assert (report.version, report.part, report.top, report.clock_ns) == ("2023.2", PART, "matmul", 4.0)
    assert report.total.resources == {"lut": 5000, "ff": 6000, "dsp": 320, "bram": 18.5, "uram": 0}
    assert report.total.interval is None
    inner = report.modules["proj_Pipeline_proj_i1_proj_i2"]
    assert inner.loops == [Loop("proj_i3", 384, 1, 25)]
    assert inner.interval == 400
    assert [(operator.kind, operator.dsp) for operator in inner.operators] == [("fmul", 3), ("fadd", 2)]


def test_the_benchmark_rebuilds_what_a_report_names(tmp_path):
    """Operators by the names of their instances; index arithmetic, which has none, is left to the loops."""
    from csynth_errors import Need, count, needs

    nodes = "".join(
        node(kind, instance, 0)
        for kind, instance in (
            ("fmul", "fmul_32ns_32ns_32_4_max_dsp_1_U1"),
            ("fadd", "fadd_32ns_32ns_32_7_full_dsp_1_U2"),
            ("mul", "mul_8s_8s_16_1_1_U3"),
            ("add", "mac_muladd_8s_4s_16ns_16_4_1_U4"),
            ("mul", "mac_muladd_8s_4s_16ns_16_4_1_U4"),
            ("add", "add_ln10_fu_101_p2"),
        )
    )
    report = read_report(write(tmp_path, profile(modules=module("k", resources(0, 0, 0, 0), loop("l", 1, 9), nodes))))
    (built,) = report.modules.values()
    assert needs(built) == {
        Need("fmul", (32, 32)): 1,
        Need("fadd", (32, 32)): 1,
        Need("mul", (8, 8), 16): 1,
        Need("mul", (8, 4), 16): 1,
    }
    operators = json.loads((ROOT / "devices/u55c.json").read_text())["operators"]
    names = ("mul_f32", "add_f32", "mul_int", "mul_int")
    assert count(report, "u55c")["dsp"] == sum(math.ceil(operators[name]["dsp"]) for name in names)


TABLES = """
    * Memory:
    +-------+-------+---------+---+----+-----+------+-----+------+-------------+
    | Memory| Module| BRAM_18K| FF| LUT| URAM| Words| Bits| Banks| W*Bits*Banks|
    +-------+-------+---------+---+----+-----+------+-----+------+-------------+
    |a_U    |a_RAM  |        2|  0|   0|    0|  1024|   32|     1|        32768|
    |b_U    |b_RAM  |        0|  0|   8|    0|    64|    4|     2|          512|
    +-------+-------+---------+---+----+-----+------+-----+------+-------------+
    |Total  |       |        2|  0|   8|    0|  1088|   36|     3|        33280|
    +-------+-------+---------+---+----+-----+------+-----+------+-------------+

    * Expression:
    +-------------------+----------+----+---+----+------------+------------+
    |   Variable Name   | Operation| DSP| FF| LUT| Bitwidth P0| Bitwidth P1|
    +-------------------+----------+----+---+----+------------+------------+
    |add_ln10_fu_1_p2   |         +|   0|  0|  12|           5|           1|
    |icmp_ln10_fu_2_p2  |      icmp|   0|  0|   9|           5|           5|
    |result_fu_3_p2     |         +|   0|  0|  99|          32|          20|
    |ap_block_state1    |        or|   0|  0|   2|           1|           1|
    +-------------------+----------+----+---+----+------------+------------+
    |Total              |          |   0|  0| 122|          43|          27|
    +-------------------+----------+----+---+----+------------+------------+

    * Multiplexer:
    +-----------+----+-----------+-----+-----------+
    |    Name   | LUT| Input Size| Bits| Total Bits|
    +-----------+----+-----------+-----+-----------+
    |ap_NS_fsm  |  99|         55|    1|         55|
    |a_d0       |  14|          4|   32|        128|
    |a_we0      |  14|          4|    1|          4|
    +-----------+----+-----------+-----+-----------+
    |Total      | 127|         63|   34|        187|
    +-----------+----+-----------+-----+-----------+

"""


def test_tables_of_modules_say_what_no_instance_names(tmp_path):
    """A counter and its end belong to the loop, states and handshakes to the task; estimates are not read."""
    from csynth_errors import count
    from csynth_tables import Choice, Expression, Memory, read_tables

    path = write(tmp_path, profile(modules=module("k", resources(0, 0, 0, 0), loop("l", 1, 9))))
    bare = count(read_report(path), "u55c")
    tables = path.with_name("k_csynth.rpt")
    tables.write_text(TABLES)
    found = read_tables(tables)
    assert found.expressions == [Expression("+", 32)]
    assert found.choices == [Choice(4, 32)]
    assert found.memories == [Memory(1024, 32, "bram", "a"), Memory(64, 8, "lutram", "b")]
    built = count(read_report(path), "u55c")
    # 64 words of 7 bits are eight LUTs, of one bit two.
    assert built["lut"] - bare["lut"] == 32 + 4 * 32 / 4 + 8 + 2
    assert built["bram"] - bare["bram"] == 1


def array_port(array: str, signal: str) -> str:
    way = "in" if signal.startswith("q") else "out"
    return f"|{array}_{signal} | {way}| 32| ap_memory| {array}| array|\n"


def test_memories_are_blocks_by_their_ports(tmp_path):
    """512 words of 32 bits: half a block RAM for one port that writes and one that reads; two halves where the one that
    writes reads too; four ports take three copies of that; a channel of a dataflow region is there twice."""
    from csynth_errors import count
    from csynth_tables import Memory, Ports, read_tables

    hierarchy = (
        "<RTLDesignHierarchy><TopModule><ModuleName>matmul</ModuleName><InstancesList><Instance><ModuleName>k</ModuleName>"
        "</Instance></InstancesList></TopModule></RTLDesignHierarchy></profile>"
    )
    modules = module("matmul", resources(0, 0, 0, 0)) + module("k", resources(0, 0, 0, 0), loop("l", 1, 9))
    path = write(tmp_path, profile(modules=modules).replace("</profile>", hierarchy))
    assert read_report(path).inner == {"matmul": frozenset("k"), "k": frozenset()}

    def blocks(ports: list[str], channel: bool = False) -> float:
        row = "    |m_U   |m_RAM  |        1|  0|   0|    0|   512|   32|     1|        16384|\n"
        head = TABLES.partition("    |a_U")[0]
        channels = "\n|ap_channel_done_m | and| 0| 0| 2| 1| 1|\n" if channel else ""
        path.with_name("matmul_csynth.rpt").write_text(f"{head}{row}\n{channels}")
        path.with_name("k_csynth.rpt").write_text("".join(array_port("m", port) for port in ports))
        read_tables.cache_clear()
        return count(read_report(path), "u55c")["bram"]

    assert blocks([]) == 0.5
    assert blocks(["we0", "q1"]) == 0.5
    assert blocks(["we0", "q0", "q1"]) == 1
    assert blocks(["we0", "q0", "q1", "q2", "q3"]) == 3
    assert blocks([], channel=True) == 1
    (memory,) = read_tables(path.with_name("matmul_csynth.rpt")).memories
    assert memory == Memory(512, 32, "bram", "m", 2)
    assert [Ports(frozenset(range(number))).copies for number in (1, 2, 3, 4)] == [1, 1, 2, 2]  # of a ROM


def test_a_report_with_less_than_the_bits_is_not_compared(tmp_path):
    """98,784 words of 32 bits fill 172 blocks of 18 Kib, not 2."""
    from csynth_errors import why_not_compared
    from csynth_tables import read_tables

    path = write(tmp_path, profile(modules=module("k", resources(0, 0, 0, 0), loop("l", 1, 9))))
    assert why_not_compared(read_report(path), "bram") is None  # there is no memory
    memory = '<BindNode BINDTYPE="storage" OPTYPE="ram_1p" RTLNAME="a_U"/>'
    path = write(tmp_path, profile(modules=module("k", resources(0, 0, 0, 0), loop("l", 1, 9), memory)))
    assert why_not_compared(read_report(path), "lut") is None
    assert why_not_compared(read_report(path), "bram") == "the tables of k are missing"
    for words, expected in (
        ("1024", None),
        ("98784", "the report has too few blocks for 98784 words of 32 bits"),
    ):
        path.with_name("k_csynth.rpt").write_text(TABLES.replace("|  1024|", f"|{words}|"))
        read_tables.cache_clear()
        assert why_not_compared(read_report(path), "bram") == expected


def test_masters_keep_the_words_on_the_way(tmp_path):
    """16 bursts of 16 words of 512 bits and their places take 15 half blocks; a report counts both ways."""
    from csynth_errors import count
    from streamtensor.csynth import Master

    ports = "".join(
        f"<RtlPorts><name>m_axi_gmem_{name}</name><Object>gmem</Object><IOProtocol>m_axi</IOProtocol>"
        f"<Bits>{bits}</Bits></RtlPorts>"
        for name, bits in (("ARADDR", 64), ("RDATA", 512))
    )
    stated = "".join(
        f'<busParam busParamName="{name}">{number}</busParam>'
        for name, number in (("NUM_READ_OUTSTANDING", 2), ("MAX_READ_BURST_LENGTH", 128))
    )
    stated = f'<Interface InterfaceName="m_axi_gmem"><busParams>{stated}</busParams></Interface>'
    text = profile(modules=module("k", resources(0, 0, 0, 0), loop("l", 1, 9)))
    added = f"<InterfaceSummary>{ports}</InterfaceSummary><Interfaces>{stated}</Interfaces></profile>"
    text = text.replace("</profile>", added)
    report = read_report(write(tmp_path, text))
    assert report.masters == (Master("gmem", 512, 256, 256),)
    assert count(report, "u55c")["bram"] == 2 * 7.5
    older = read_report(write(tmp_path, text.replace("<Version>2023.2<", "<Version>2022.2<")))
    assert count(older, "u55c")["bram"] == 0


def test_what_tables_alone_name_is_counted(tmp_path):
    from csynth_errors import count
    from csynth_tables import Choice, Fifo, read_tables

    path = write(tmp_path, profile(modules=module("k", resources(0, 0, 0, 0), loop("l", 1, 9))))
    bare = count(read_report(path), "u55c")
    head = "    +--+\n    |Instance| Module|\n    +--+\n"
    rows = ("mux_42_32_1_1", "sparsemux_17_3_8_1_1", "mux_19664_16_1_1", "fmul_32ns_32ns_32_4_max_dsp_1")
    table = "".join(f"    |{name}_U1  |{name}  |  0|   0|  0|  43|    0|\n" for name in rows)
    fifo = "    |f_U   |        0|  99|   0|    -|     2|   32|       64|\n"
    path.with_name("k_csynth.rpt").write_text(f"\n    * Instance:\n{head}{table}\n\n    * FIFO:\n{head}{fifo}\n\n")
    found = read_tables(path.with_name("k_csynth.rpt"))
    assert found.choices == [Choice(4, 32), Choice(8, 8), Choice(196, 16)]
    assert found.fifos == [Fifo(2, 32, "srl")]
    built = count(read_report(path), "u55c")
    device = json.loads((ROOT / "devices/u55c.json").read_text())
    product, control = device["operators"]["mul_f32"], device["fifo"]["control_lut"]
    assert built["lut"] - bare["lut"] == (4 * 32 + 8 * 8 + 196 * 16) / 4 + product["lut"] + 32 + control
    assert built["dsp"] - bare["dsp"] == product["dsp"]


def test_arguments_are_registers(tmp_path):
    from csynth_errors import count

    slave = "<RtlPorts><Object>control</Object><IOProtocol>s_axi</IOProtocol></RtlPorts>"
    offsets = ("0x00", "0x10", "0x14", "0x1c")
    registers = "".join(f'<register offset="{offset}" range="32"/>' for offset in offsets)
    added = f"<InterfaceSummary>{slave}</InterfaceSummary><Interfaces>{registers}</Interfaces></profile>"
    bare = profile(modules=module("k", resources(0, 0, 0, 0), loop("l", 1, 9)))
    report = read_report(write(tmp_path, bare.replace("</profile>", added)))
    assert report.argument_bits == 96
    port = json.loads((ROOT / "devices/u55c.json").read_text())["control_port"]
    more = count(report, "u55c")["lut"] - count(read_report(write(tmp_path, bare)), "u55c")["lut"]
    assert abs(more - port["lut"] - 96 * port["lut_per_bit"]) <= 1


def test_older_reports_have_the_top_alone(tmp_path):
    text = profile().replace("DSP>", "DSP48E>").replace("<ModuleInformation></ModuleInformation>", "")
    report = read_report(write(tmp_path, text))
    assert (report.modules, report.total.resources["dsp"]) == ({}, 320)


def test_tasks_are_compared_with_their_functions(design, tmp_path, capsys):
    path = write(tmp_path, profile(modules=PROJ))
    assert cli.run(["csynth", str(design), str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    rows = {row["name"]: row for row in found["tasks"]}
    simulated = json.loads((design / "simulation.json").read_text())
    (task,) = (task for task in simulated["tasks"] if task["name"] == "proj")
    assert rows["proj"]["model"] == {"ii": 1, "depth": task["depth"], **task["resources"]}
    assert rows["proj"]["report"] == {"ii": 1, "depth": 25, "lut": 900, "ff": 800, "dsp": 300, "bram": 2, "uram": 0}
    assert rows["load_x"]["report"] == {}
    assert rows["matmul"]["model"]["dsp"] == simulated["resources"]["dsp"]["used"]
    assert rows["matmul"]["report"]["bram"] == 18.5
    assert cli.run(["csynth", str(design), str(path)]) == 0
    table = capsys.readouterr().out
    assert f"{task['depth']} / 25" in table
    assert "– " in table  # a task without a module


def test_other_assumptions_than_the_models_are_said(design, tmp_path, capsys):
    def differences(**otherwise: str) -> tuple[list[dict], str]:
        path = write(tmp_path, profile(modules=PROJ, **otherwise))
        assert cli.run(["csynth", str(design), str(path), "--json"]) == 0
        printed = capsys.readouterr()
        found = json.loads(printed.out)["differences"]
        assert [f"streamtensor: warning: {entry['text']}" for entry in found] == printed.err.splitlines()
        return [entry | {"text": ""} for entry in found], printed.err

    assert differences() == ([], "")
    assert differences(version="2023.2.1", period="4.005") == ([], "")
    found, text = differences(version="2022.1.2")
    assert found == [{"name": "vitis", "model": "2023.2", "report": "2022.1.2", "text": ""}]
    assert "of Vitis 2022.1.2, older than 2023.2" in text
    assert "of Vitis 2024.2, later than 2023.2" in differences(version="2024.2")[1]
    found, text = differences(period="3.33")
    assert found == [{"name": "clock_ns", "model": 4.0, "report": 3.33, "text": ""}]
    assert "a clock of 3.33 ns, and the model for 4 ns (250 MHz)" in text
    assert len(differences(version="2024.2", period="10.00")[0]) == 2


def test_the_clock_of_a_design_is_the_one_it_was_made_for(design, tmp_path, capsys):
    """300 MHz are 3.33 ns in a report, which has two digits."""
    other = tmp_path / "design"
    shutil.copytree(design, other)
    device = json.loads((other / "device.json").read_text())
    device["clock_mhz"]["value"] = 300
    (other / "device.json").write_text(json.dumps(device))
    for period, warnings in (("3.33", 0), ("4.00", 1)):
        assert cli.run(["csynth", str(other), str(write(tmp_path, profile(period=period)))]) == 0
        assert capsys.readouterr().err.count("warning") == warnings


def test_a_report_of_something_else_is_refused(design, tmp_path, capsys):
    def error(text: str) -> str:
        assert cli.run(["csynth", str(design), str(write(tmp_path, text))]) == 1
        return " ".join(capsys.readouterr().err.split())

    assert "is of the function 'other'" in error(profile(top="other"))
    assert "is for xc7z020, and the design" in error(profile(part="xc7z020"))
    assert "cannot be read as XML" in error("<profile>")
    assert "is no report of synthesis" in error("<profile></profile>")
    with pytest.raises(RunError, match="There is no file"):
        read_report(tmp_path / "nothing.xml")
