"""Each rule of the lint finds its fault in a text that is otherwise clean."""

import ast
import sys
from pathlib import Path

import pytest
from hls.lint import lint, main
from hls.text import read
from hls_native import ROOT, translate

CLEAN = """
#include "hls_stream.h"
using rows_t = float[4][16];

void load(const hls::vector<float, 4> *x, hls::stream<hls::vector<float, 4>> &values) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
#pragma HLS pipeline II=1 style=flp
    values.write(x[i0]);
  }
}

void fill(hls::stream<hls::vector<float, 4>> &values, hls::stream_of_blocks<rows_t, 2> &rows) {
  for (int i0 = 0; i0 < 4; ++i0) {
    hls::write_lock<rows_t> block(rows);
    for (int i1 = 0; i1 < 2; ++i1) {
      for (int i2 = 0; i2 < 2; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<float, 4> token = values.read();
        for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
          const float product = -token[u0] * st::bit_cast<float>(token[0]);
#pragma HLS bind_op variable=product op=fmul impl=maxdsp latency=3
          const float exponential = st::exp(product);
#pragma HLS bind_op variable=exponential op=fexp impl=fulldsp latency=9
          const ap_int<4> square = ap_int<4>(i1 * i1);
#pragma HLS bind_op variable=square op=mul impl=dsp latency=3
          block[i1][i2 * 4 + u0] = exponential;
        }
      }
    }
  }
}

void store(hls::stream_of_blocks<rows_t, 2> &rows, float *y) {
  for (int i0 = 0; i0 < 4; ++i0) {
    hls::read_lock<rows_t> block(rows);
    for (int i1 = 0; i1 < 16; ++i1) {
#pragma HLS pipeline II=1 style=flp
      y[i0 * 16 + i1] = block[0][i1];
    }
  }
}

extern "C" void top(const hls::vector<float, 4> *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=16
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=64
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 4>> values("values");
#pragma HLS stream variable=values depth=8
#pragma HLS bind_storage variable=values type=fifo impl=srl
  hls::stream_of_blocks<rows_t, 2> rows;
#pragma HLS array_partition variable=rows type=cyclic factor=4 dim=2
  load(x, values);
  fill(values, rows);
  store(rows, y);
}

void send(hls::stream<st::Link<ap_int<5>>> &there) {
  for (int i0 = 0; i0 < 16; ++i0) {
#pragma HLS pipeline II=1 style=flp
    there.write(st::to_link<ap_int<5>>(i0));
  }
}

extern "C" void kernel(hls::stream<st::Link<ap_int<5>>> &there) {
#pragma HLS interface mode=axis port=there
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  send(there);
}
"""

STORAGE = "bind_storage variable=values type=fifo impl=srl"
FAULTS = [
    ("pragma-syntax", "pipeline II=1", "pipelin II=1"),
    ("pragma-syntax", "II=1 style=flp", "II=1 style=fast"),
    ("pragma-syntax", "II=1 style=flp", "II=one"),
    ("pragma-syntax", "offset=slave depth=16", "offset=slave speed=16"),
    ("pragma-syntax", "variable=rows type", "variable=columns type"),
    ("pragma-syntax", "type=cyclic factor=4", "type=cyclic"),
    ("pragma-syntax", "stream variable=values depth", "stream depth"),
    ("pragma-syntax", "impl=maxdsp latency=3", "impl=maxdsp"),
    ("pragma-place", "using rows_t", "#pragma HLS inline off\nusing rows_t"),
    ("not-synthesisable", "values.write(x[i0]);", "float *p = new float[4];\n values.write(x[i0]);"),
    ("not-synthesisable", "values.write(x[i0]);", "std::vector<float> v;\n values.write(x[i0]);"),
    ("not-synthesisable", "values.write(x[i0]);", "auto p = malloc(4);\n values.write(x[i0]);"),
    ("constant-bounds", "i0 < 16", "i0 < count"),
    ("constant-bounds", "for (int i0 = 0; i0 < 16; ++i0)", "while (true)"),
    ("recursion", "values.write(x[i0]);", "values.write(x[i0]); load(x, values);"),
    ("stream-depth", "#pragma HLS stream variable=values depth=8\n", ""),
    ("stream-depth", "variable=values depth=8", "variable=values depth=0"),
    ("stream-width", "hls::stream<hls::vector<float, 4>> values(", "hls::stream<hls::vector<float, 129>> values("),
    ("one-producer-one-consumer", "  fill(values, rows);\n", "  fill(values, rows);\n  fill(values, rows);\n"),
    ("one-producer-one-consumer", "  store(rows, y);\n", ""),
    ("feedback", "  load(x, values);\n  fill(values, rows);\n", "  fill(values, rows);\n  load(x, values);\n"),
    ("region-form", "  load(x, values);", "  if (y) { load(x, values); }"),
    ("region-form", "  load(x, values);", "  int n = 3;\n  load(x, values);"),
    ("port-interface", "#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=64\n", ""),
    ("port-width", "bundle=gmem_y", "bundle=gmem_x"),
    ("port-width", "const hls::vector<float, 4> *x", "const hls::vector<float, 64> *x"),
    ("port-interface", "#pragma HLS interface mode=axis port=there\n", ""),
    ("port-width", "kernel(hls::stream<st::Link<ap_int<5>>>", "kernel(hls::stream<ap_int<5>>"),
    ("port-sharing", "  send(there);\n", "  send(there);\n  send(there);\n"),
    ("port-sharing", "  store(rows, y);\n", "  store(rows, y);\n  store(rows, y);\n"),
    ("port-sharing", "  load(x, values);\n", "  load(x, values);\n  load(y, values);\n"),
    ("port-read-write", "y[i0 * 16 + i1] = block[0][i1];", "y[i0 * 16 + i1] = y[i1] + block[0][i1];"),
    ("lock-scope", "hls::read_lock<rows_t> block(rows);", "static hls::read_lock<rows_t> block(rows);"),
    ("nested-locks", "y[i0 * 16 + i1] =", "hls::read_lock<rows_t> other(rows); y[i0 * 16 + i1] ="),
    ("lock-scope", "y[i0 * 16 + i1] =", "hls::read_lock<rows_t> other(rows); y[i0 * 16 + i1] ="),
    ("task-form", "void load(", "int load("),
    ("task-form", "float, 4>> &values) {\n#pragma HLS inline off", "float, 4>> values) {\n#pragma HLS inline off"),
    ("task-form", "values.write(x[i0]);", "static int n = 0;\n    values.write(x[i0]);"),
    ("task-form", "  fill(values, rows);", "  fill(values, rows, rows);"),
    ("storage", "type=fifo impl=srl", "type=ram_2p impl=bram"),
    ("storage", "variable=values type=fifo impl=srl", "variable=rows type=ram_2p impl=srl"),
    ("storage", "variable=values type=fifo impl=srl", "variable=rows type=ram_t2p impl=lutram"),
    ("storage", "variable=values type=fifo impl=srl", "variable=rows type=ram_2p impl=bram"),
    (
        "layout",
        "type=cyclic factor=4 dim=2",
        "type=cyclic factor=4 dim=2\n#pragma HLS array_reshape variable=rows type=cyclic factor=2 dim=2",
    ),
    ("storage", f"#pragma HLS {STORAGE}\n", f"#pragma HLS {STORAGE}\n#pragma HLS {STORAGE}\n"),
    ("operator", "op=fmul impl=maxdsp", "op=fmul impl=dsp"),
    ("operator", "op=fmul impl=maxdsp", "op=fpow impl=maxdsp"),
    ("operator", "impl=maxdsp latency=3", "impl=maxdsp latency=8"),
    ("operator", "impl=maxdsp latency=3", "impl=maxdsp latency=two"),
    ("operator", "op=fmul impl=maxdsp", "op=fadd impl=fulldsp"),
    ("operator", "op=fmul impl=maxdsp", "op=mul impl=dsp"),
    ("operator", "token[0]);\n", "token[0]) + 1.0f;\n"),
    ("operator", "token[u0] * st", "token[u0] / st"),
    ("operator", "const float product", "const double product"),
    ("operator", "i1 * i1", "i1 + i1"),
    ("operator", "st::exp(product);", "st::log(product);"),
    ("operator", "st::exp(product);", "st::exp(product) + 1.0f;"),
    ("operator", "variable=exponential op", "variable=product op"),
    (
        "operator",
        "const float exponential",
        "block[0][0] = product;\n#pragma HLS bind_op op=fmul\n  const float exponential",
    ),
    ("constant-bounds", "i0 = 0; i0 < 16; ++i0) {\n", "i0 = 2; i0 < n; ++i0) {\n#pragma HLS loop_tripcount max=16\n"),
    ("nested-pipeline", "#pragma HLS unroll", "#pragma HLS pipeline II=1"),
    ("local-array", "values.write(x[i0]);", "hls::vector<float, 4> words[2]{};\n values.write(x[i0]);"),
    ("flatten", "    for (int i1 = 0; i1 < 2; ++i1) {\n", "    for (int i1 = 0; i1 < 2; ++i1) {\n      int k = i1;\n"),
    ("burst", "x[i0]", "x[i0 / 2]"),
    ("burst", "x[i0]", "x[st::clamp_row(row, 16) * 4 + i0]"),
    ("burst", "values.write(x[i0]);", "if (i0 == 0) { values.write(x[i0]); }"),
    ("burst", "values.write(x[i0]);", "values.write(x[k]); ++k;"),
    ("burst", "y[i0 * 16 + i1] = block[0][i1];", "y[k] = block[0][i1]; k = k + 1;"),
    ("index-division", "block[i1][i2", "block[i1 % 3][i2"),
    ("index-division", "block[i1][i2", "block[(i1 * 2 + u0) / 6][i2"),
    ("flatten", "i2 < 2; ++i2) {\n", "i2 < n; ++i2) {\n#pragma HLS loop_tripcount max=2\n"),
]


def test_a_clean_text_has_no_findings():
    assert lint(CLEAN) == []


@pytest.mark.parametrize(("rule", "good", "bad"), FAULTS, ids=[f"{rule}-{i}" for i, (rule, _, _) in enumerate(FAULTS)])
def test_each_fault_is_found(rule, good, bad):
    assert good in CLEAN
    findings = lint(CLEAN.replace(good, bad))
    assert rule in {finding.rule for finding in findings}
    lines = CLEAN.replace(good, bad).count("\n") + 1
    assert all(1 <= finding.line <= lines for finding in findings)


def test_locks_one_after_the_other_are_clean():
    """UG1399 allows sequential locks in blocks of their own."""
    loop = CLEAN[CLEAN.index("  for (int i0 = 0; i0 < 4; ++i0) {\n    hls::read_lock") : CLEAN.index('}\n\nextern "C"')]
    inner = loop.split("\n", 1)[1].rsplit("  }\n", 1)[0]
    twice = "  for (int i0 = 0; i0 < 4; ++i0) {\n    {\n" + inner + "    }\n    {\n" + inner + "    }\n  }\n"
    assert lint(CLEAN.replace(loop, twice)) == []
    nested = "  for (int i0 = 0; i0 < 4; ++i0) {\n" + inner + "    {\n" + inner + "    }\n  }\n"
    assert [finding.rule for finding in lint(CLEAN.replace(loop, nested))] == ["nested-locks"]


def test_counts_of_the_launch_state_their_largest_value():
    counted = CLEAN.replace("i0 < 16; ++i0) {\n", "i0 < n; ++i0) {\n#pragma HLS loop_tripcount max=16\n")
    assert lint(counted) == []


def test_of_loops_that_become_one_the_outermost_alone_counts_to_what_is_known_at_run_time():
    lock, loop = "    hls::write_lock<rows_t> block(rows);\n", "  for (int i0 = 0; i0 < 4; ++i0) {\n"
    three = CLEAN.replace(loop + lock, lock + loop)
    stated = "n; ++{0}) {{\n#pragma HLS loop_tripcount max=4\n"
    outermost = three.replace("4; ++i0) {\n    for", stated.format("i0") + "    for")
    middle = three.replace("2; ++i1) {\n      for", stated.format("i1") + "      for")
    assert outermost != three != middle
    assert lint(three) == lint(outermost) == []
    assert [finding.rule for finding in lint(middle)] == ["flatten"]


def test_lanes_are_divided_by_anything_and_indices_by_powers_of_two():
    assert lint(CLEAN.replace("block[i1][i2", "block[i1 / 4][(u0 + 1) % 3 + u0 / 3 + i2")) == []


def test_line_numbers_are_those_of_the_file():
    finding = next(f for f in lint(CLEAN.replace("i0 < 16", "i0 < count")) if f.rule == "constant-bounds")
    assert "i0 < count" in CLEAN.replace("i0 < 16", "i0 < count").splitlines()[finding.line - 1]


def test_comments_and_strings_are_not_code():
    assert lint(CLEAN.replace('values("values")', 'values("new while")') + "// malloc(4)\n/* goto */\n") == []


@pytest.mark.parametrize("name", ["external-memory", "many-iterations", "packed-constants", "scalars", "shared-bytes"])
def test_generated_files_are_clean(name, tmp_path, capsys):
    files = generate(name, tmp_path)
    assert len(files) >= 2
    assert main(files) == 0, capsys.readouterr().out


def test_locks_that_a_leaf_nests_are_found_and_told(tmp_path, capsys):
    """This design is written by hand; those that phases make hold one block at a time."""
    files = generate("matmul", tmp_path)
    assert main(files) == 1
    (finding,) = capsys.readouterr().out.splitlines()
    assert "nested-locks: 'result' is locked while 'weight' is" in finding


def generate(name: str, directory) -> list[str]:
    """The C++ files of a test of the emitter."""
    done = translate((ROOT / f"test/Target/HLSCpp/{name}.mlir").read_text(), directory)
    assert done.returncode == 0, done.stderr
    assert ("holds 2 blocks at once" in done.stderr) == (name == "matmul"), done.stderr
    return sorted(map(str, (directory / "out" / "hls").glob("*.cpp")))


def test_command_line_names_file_line_and_rule(tmp_path, capsys):
    path = tmp_path / "bad.cpp"
    path.write_text(CLEAN.replace("depth=8", "depth=0"))
    assert main([str(path)]) == 1
    assert f"{path}:" in (output := capsys.readouterr().out) and "stream-depth" in output


def test_functions_of_the_user_are_ends_of_channels():
    """A call with `::` is a kernel written by hand: it has no text here, but it reads and writes what it is given."""
    declaration = 'hls::stream<hls::vector<float, 4>> values("values");\n#pragma HLS stream variable=values depth=8\n'
    scaled = declaration.replace("values", "scaled")
    call = "  ::kernels::scale(values, scaled);\n"
    text = CLEAN.replace(declaration, declaration + scaled)
    text = text.replace("  fill(values, rows);\n", call + "  fill(scaled, rows);\n")
    assert lint(text) == []
    found = {finding.rule: finding.message for finding in lint(text.replace(call, ""))}
    assert "'scaled' has 0 writing and 1 reading tasks" in found["one-producer-one-consumer"]
    backwards = text.replace(call + "  fill(scaled, rows);\n", "  fill(scaled, rows);\n" + call)
    assert {finding.rule for finding in lint(backwards)} == {"feedback"}
    # Synthesis runs both ends at once; what C simulation reads is no region then.
    assert lint(f"#ifdef __SYNTHESIS__\n{backwards}#else\n#endif\n") == []
    assert {finding.rule for finding in lint(f"#ifdef __SYNTHESIS__\n#else\n{backwards}#endif\n")} == {"feedback"}


def test_a_bundle_has_one_reading_task():
    """Ports may share a bundle, tasks may not: one reads through it and one writes."""
    shared = CLEAN.replace("2> &rows, float *y)", "2> &rows, const hls::vector<float, 4> *z, float *y)")
    shared = shared.replace("*x, float *y) {", "*x, const hls::vector<float, 4> *z, float *y) {")
    shared = shared.replace("store(rows, y);", "store(rows, z, y);")
    pragma = "#pragma HLS interface mode=m_axi port=z bundle={} offset=slave depth=16\n"
    before = "#pragma HLS interface mode=m_axi port=y"
    assert lint(shared.replace(before, pragma.format("gmem_z") + before)) == []
    findings = lint(shared.replace(before, pragma.format("gmem_x") + before))
    assert [finding.rule for finding in findings] == ["port-sharing"]
    assert "bundle 'gmem_x' is read by 2 tasks" in findings[0].message


CALLED = """
extern "C" void part(const float *x, float *y) {
#pragma HLS inline off
#pragma HLS dataflow
  ::parts::copy(x, y);
}
"""
TURNS = """
extern "C" void turns(const float *x, float *y, int count) {
#pragma HLS interface mode=m_axi port=x bundle=gmem offset=slave depth=16
#pragma HLS interface mode=m_axi port=y bundle=gmem offset=slave depth=16
  for (int turn = 0; turn < count; ++turn) {
#pragma HLS loop_tripcount max=4
#pragma HLS pipeline off
    for (int step = 0; step < 2; ++step) {
#pragma HLS pipeline off
      part(x, y);
      part(x, y);
    }
  }
}
"""


def test_a_design_that_a_kernel_calls_has_no_interface():
    """Its ports are those of the kernel, which calls one design after the other: no region, so they may share."""
    assert lint(CALLED + TURNS) == []
    top = CALLED.replace("#pragma HLS inline off\n", "")
    assert {finding.rule for finding in lint(top)} == {"port-interface"}
    one = TURNS.replace("  for (int turn", "#pragma HLS dataflow\n  for (int turn")
    assert "port-sharing" in {finding.rule for finding in lint(CALLED + one)}


def test_a_loop_whose_pipeline_is_off_may_hold_pipelines():
    inner = TURNS.replace(
        "step < 2; ++step) {\n#pragma HLS pipeline off", "step < 2; ++step) {\n#pragma HLS pipeline II=1"
    )
    assert lint(CALLED + inner) == []
    assert [finding.rule for finding in lint(CALLED + inner.replace("pipeline off", "pipeline"))] == ["nested-pipeline"]


def test_every_place_that_finds_something_does_so_above():
    """Each `yield` of the lint is reached by one of the faults, so that no rule stands there unbroken."""
    path = lint.__code__.co_filename
    places = {node.lineno for node in ast.walk(ast.parse(Path(path).read_text())) if isinstance(node, ast.Yield)}
    reached: set[int] = set()

    def trace(frame, event, _):
        if frame.f_code.co_filename != path:
            return None
        if event == "line":
            reached.add(frame.f_lineno)
        return trace

    for _, good, bad in FAULTS:
        text = CLEAN.replace(good, bad)
        read(text)  # kept: the reader is not watched
        sys.settrace(trace)
        try:
            lint(text)
        finally:
            sys.settrace(None)
    assert len(places) > 30
    assert not places - reached, sorted(places - reached)
