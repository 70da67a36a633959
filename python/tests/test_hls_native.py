"""Stream-level designs written by hand, run as native HLS C++ against numpy."""

import subprocess
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from hls_native import ROOT, Native, build, translate

MATMUL = (ROOT / "test/Target/HLSCpp/matmul.mlir").read_text()


def elementwise(body: str, shape: str, element: str, lanes: int, result: str | None = None) -> str:
    """A design that applies `body` (from %a to %r) to a tensor, `lanes` elements at a time."""
    result = result or element
    size = int(np.prod([int(extent) for extent in shape.split("x")]))
    vector, out = f"vector<{lanes}x{element}>", f"vector<{lanes}x{result}>"
    return f"""
    func.func @main(%x: tensor<{shape}x{element}>) -> tensor<{shape}x{result}> {{
      %flat = tensor.collapse_shape %x {[list(range(shape.count("x") + 1))]}
        : tensor<{shape}x{element}> into tensor<{size}x{element}>
      %y = dataflow.launch @apply(%flat) : (tensor<{size}x{element}>) -> tensor<{size}x{result}>
      %z = tensor.expand_shape %y {[list(range(shape.count("x") + 1))]} output_shape {shape.split("x")}
        : tensor<{size}x{result}> into tensor<{shape}x{result}>
      return %z : tensor<{shape}x{result}>
    }}
    dataflow.design @apply {{
      %x = dataflow.port in "x" : !dataflow.port<{size}x{element}>
      %y = dataflow.port out "y" : !dataflow.port<{size}x{result}>
      %f = dataflow.stream "values" : !dataflow.stream<{vector}, 2>
      %g = dataflow.stream "results" : !dataflow.stream<{out}, 2>
      dataflow.leaf "load" load [{size // lanes}] {{
      ^bb0(%i: index):
        %v = dataflow.load %x affine_map<(d0) -> (d0 * {lanes})> : !dataflow.port<{size}x{element}> -> {vector}
        dataflow.stream_write %v, %f : {vector}, !dataflow.stream<{vector}, 2>
      }}
      dataflow.leaf "apply" compute [{size // lanes}] {{
      ^bb0(%i: index):
        %a = dataflow.stream_read %f : !dataflow.stream<{vector}, 2> -> {vector}
        {body}
        dataflow.stream_write %r, %g : {out}, !dataflow.stream<{out}, 2>
      }}
      dataflow.leaf "store" store [{size // lanes}] {{
      ^bb0(%i: index):
        %v = dataflow.stream_read %g : !dataflow.stream<{out}, 2> -> {out}
        dataflow.store %v, %y affine_map<(d0) -> (d0 * {lanes})> : {out}, !dataflow.port<{size}x{result}>
      }}
    }}""".replace("'", "")


def test_matmul(tmp_path):
    design = build(MATMUL, tmp_path)
    random = np.random.default_rng(0)
    x = random.standard_normal((16, 32), dtype=np.float32)
    w = random.standard_normal((48, 32), dtype=np.float32)
    for _ in range(2):
        (y,) = design(x, w)
        np.testing.assert_allclose(y, x @ w.T, rtol=1e-5, atol=1e-5)


def run_testbench(hls: Path, data: Path, arguments: list[np.ndarray]) -> None:
    """Compiles the generated testbench and runs it on raw files."""
    from hls_native import compiler
    from streamtensor.headers import ap_types_directory

    data.mkdir()
    for number, argument in enumerate(arguments):
        argument.tofile(data / f"arg{number}.bin")
    make = ["make", "-C", str(hls), "native", f"CXX={compiler()}"]
    make += [f"RUNTIME={ROOT / 'runtime'}", f"AP_TYPES={ap_types_directory()}"]
    subprocess.run(make, check=True, capture_output=True)
    subprocess.run([hls / "testbench", data], check=True, cwd=hls)


def test_testbench_agrees_with_the_library(tmp_path):
    design = build(MATMUL, tmp_path)
    random = np.random.default_rng(1)
    x = random.standard_normal((16, 32), dtype=np.float32)
    w = random.standard_normal((48, 32), dtype=np.float32)
    data = tmp_path / "data"
    run_testbench(tmp_path / "out" / "hls", data, [x, w])
    y = np.fromfile(data / "result0.bin", dtype=np.float32).reshape(16, 48)
    assert np.array_equal(y, design(x, w)[0])


@pytest.mark.parametrize("lanes", [1, 3, 16])
def test_scale(tmp_path, lanes):
    body = f"%c = arith.constant dense<0.1> : vector<{lanes}xf32>\n%r = arith.mulf %a, %c : vector<{lanes}xf32>"
    x = np.random.default_rng(2).standard_normal((4, 12), dtype=np.float32)
    (y,) = build(elementwise(body, "4x12", "f32", lanes), tmp_path)(x)
    assert np.array_equal(y, x * np.float32(0.1))


@pytest.mark.parametrize("name", ["ports", "message", "capacity"])
def test_a_design_may_be_called_as_what_the_native_call_has(tmp_path, name):
    source = elementwise("%r = arith.addf %a, %a : vector<4xf32>", "12", "f32", 4).replace("@apply", f"@{name}")
    x = np.arange(12, dtype=np.float32)
    (y,) = build(source, tmp_path)(x)
    assert np.array_equal(y, 2 * x)


def test_maximum_and_minimum_treat_nan_and_zero_as_arith_does(tmp_path):
    body = """
        %zero = arith.constant dense<0.0> : vector<4xf32>
        %top = arith.maximumf %a, %zero : vector<4xf32>
        %one = arith.constant dense<1.0> : vector<4xf32>
        %r = arith.minimumf %top, %one : vector<4xf32>"""
    x = np.array([np.nan, -0.0, 0.0, 2.0, -3.0, 0.5, np.inf, -np.inf], dtype=np.float32)
    (y,) = build(elementwise(body, "8", "f32", 4), tmp_path)(x)
    assert np.isnan(y[0])
    assert y[1:].tolist() == [0.0, 0.0, 1.0, 0.0, 0.5, 1.0, 0.0]
    assert not np.signbit(y[1:]).any()


def test_int4_wraps_and_widens(tmp_path):
    body = """
        %s = arith.addi %a, %a : vector<8xi4>
        %w = arith.extsi %s : vector<8xi4> to vector<8xi32>
        %u = arith.extui %a : vector<8xi4> to vector<8xi32>
        %h = arith.constant dense<100> : vector<8xi32>
        %m = arith.muli %w, %h : vector<8xi32>
        %r = arith.addi %m, %u : vector<8xi32>"""
    x = np.arange(-8, 8, dtype=np.int8)
    (y,) = build(elementwise(body, "16", "i4", 8, "i32"), tmp_path)(x)
    doubled = ((2 * x.astype(np.int32) + 8) % 16) - 8
    assert np.array_equal(y, doubled * 100 + (x.astype(np.int32) & 15))


def test_int8_arithmetic_wraps_before_it_is_used(tmp_path):
    body = """
        %s = arith.addi %a, %a : vector<4xi8>
        %c = arith.constant dense<1> : vector<4xi8>
        %t = arith.shrsi %s, %c : vector<4xi8>
        %q = arith.constant dense<3> : vector<4xi8>
        %r = arith.divui %t, %q : vector<4xi8>"""
    x = np.arange(-128, 128, dtype=np.int8)
    (y,) = build(elementwise(body, "256", "i8", 4), tmp_path)(x)
    shifted = (x + x).astype(np.int8) >> 1
    assert np.array_equal(y, (shifted.view(np.uint8) // 3).view(np.int8))


@pytest.mark.parametrize("element", ["f16", "bf16"])
def test_narrow_floats_round_after_each_operation(tmp_path, element):
    numpy_type = {"f16": np.float16, "bf16": ml_dtypes.bfloat16}[element]
    body = f"%p = arith.mulf %a, %a : vector<8x{element}>\n%r = arith.addf %p, %a : vector<8x{element}>"
    x = np.random.default_rng(3).standard_normal(256).astype(numpy_type)
    (y,) = build(elementwise(body, "256", element, 8), tmp_path)(x)
    product = (x.astype(np.float32) * x.astype(np.float32)).astype(numpy_type)
    expected = (product.astype(np.float32) + x.astype(np.float32)).astype(numpy_type)
    assert np.array_equal(y.view(np.uint16), expected.view(np.uint16))


def test_constants_and_comparisons(tmp_path):
    body = """
        %t = arith.constant dense<[0.5, -1.0, 2.0, 0.0]> : vector<4xf32>
        %c = arith.cmpf ugt, %a, %t : vector<4xf32>
        %e = math.exp %a : vector<4xf32>
        %r = arith.select %c, %e, %t : vector<4xi1>, vector<4xf32>"""
    x = np.array([[1, -2, 3, np.nan], [0, 0, 0, -1]], dtype=np.float32)
    (y,) = build(elementwise(body, "2x4", "f32", 4), tmp_path)(x)
    table = np.array([0.5, -1.0, 2.0, 0.0], dtype=np.float32)
    expected = np.where(~(x <= table), np.exp(x.astype(np.float64)).astype(np.float32), table)
    assert np.array_equal(y, expected, equal_nan=True)


GUARDS = """
func.func @main(%x: tensor<6x8xf32>, %s: tensor<6xf32>) -> (tensor<6x8xf32>, tensor<6xf32>) {
  %y:2 = dataflow.launch @guards(%x, %s) : (tensor<6x8xf32>, tensor<6xf32>) -> (tensor<6x8xf32>, tensor<6xf32>)
  return %y#0, %y#1 : tensor<6x8xf32>, tensor<6xf32>
}
dataflow.design @guards {
  %x = dataflow.port in "x" : !dataflow.port<6x8xf32>
  %s = dataflow.port in "s" : !dataflow.port<6xf32>
  %y = dataflow.port out "y" : !dataflow.port<6x8xf32>
  %t = dataflow.port out "row sums" : !dataflow.port<6xf32>
  %fx = dataflow.stream "x" : !dataflow.stream<f32, 2>
  %fa = dataflow.stream "fork.a" : !dataflow.stream<f32, 2>
  %fb = dataflow.stream "fork.b" : !dataflow.stream<f32, 9>
  %fs = dataflow.stream "class" : !dataflow.stream<f32, 2>
  %fy = dataflow.stream "y" : !dataflow.stream<f32, 2>
  %ft = dataflow.stream "sums" : !dataflow.stream<f32, 2>
  dataflow.leaf "sum" compute [6, 8] {
  ^bb0(%i: index, %j: index, %acc: !dataflow.private<1xf32>):
    %v = dataflow.stream_read %fa : !dataflow.stream<f32, 2> -> f32
    %old = dataflow.load %acc affine_map<(i, j) -> (0)> : !dataflow.private<1xf32> -> f32
    %zero = arith.constant 0.0 : f32
    %first = dataflow.test affine_set<(i, j) : (j == 0)>
    %start = arith.select %first, %zero, %old : f32
    %sum = arith.addf %start, %v : f32
    dataflow.store %sum, %acc affine_map<(i, j) -> (0)> : f32, !dataflow.private<1xf32>
    dataflow.stream_write %sum, %ft when affine_set<(i, j) : (j - 7 == 0)> : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "load x" load [48] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i floordiv 8, i mod 8)> : !dataflow.port<6x8xf32> -> f32
    dataflow.stream_write %v, %fx : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "load s" load [6] {
  ^bb0(%i: index):
    %v = dataflow.load %s affine_map<(i) -> (i)> : !dataflow.port<6xf32> -> f32
    dataflow.stream_write %v, %fs : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "fork" fork [48] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fx : !dataflow.stream<f32, 2> -> f32
    dataflow.stream_write %v, %fa : f32, !dataflow.stream<f32, 2>
    dataflow.stream_write %v, %fb : f32, !dataflow.stream<f32, 9>
  }
  dataflow.leaf "scale" compute [6, 8] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %fb : !dataflow.stream<f32, 9> -> f32
    %s0 = dataflow.stream_read %fs when affine_set<(i, j) : (j == 0)> : !dataflow.stream<f32, 2> -> f32
    %late = dataflow.test affine_set<(i, j) : (j - 5 >= 0)>
    %p = arith.mulf %v, %s0 : f32
    %n = arith.negf %p : f32
    %r = arith.select %late, %n, %p : f32
    dataflow.stream_write %r, %fy : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "store y" store [6, 8] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %fy : !dataflow.stream<f32, 2> -> f32
    dataflow.store %v, %y affine_map<(i, j) -> (i, j)> : f32, !dataflow.port<6x8xf32>
  }
  dataflow.leaf "store t" store [6] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %ft : !dataflow.stream<f32, 2> -> f32
    dataflow.store %v, %t affine_map<(i) -> (i)> : f32, !dataflow.port<6xf32>
  }
}
"""


def test_fork_guards_and_private_memory(tmp_path):
    design = build(GUARDS, tmp_path)
    random = np.random.default_rng(4)
    x, s = random.standard_normal((6, 8), dtype=np.float32), random.standard_normal(6, dtype=np.float32)
    y, sums = design(x, s)
    expected = x * s[:, None]
    expected[:, 5:] *= -1
    assert np.array_equal(y, expected)
    assert np.array_equal(sums, np.cumsum(x, axis=1, dtype=np.float32)[:, -1])


def build_with_fault(task: str, right: str, wrong: str, directory: Path) -> Native:
    """GUARDS with a fault in the C++ of one task: the verifier refuses such a fault in the IR."""
    done = translate(GUARDS, directory)
    assert done.returncode == 0, done.stderr
    code = directory / "out" / "hls" / "guards.cpp"
    before, start, after = code.read_text().partition(f"void {task}(")
    assert right in after
    code.write_text(before + start + after.replace(right, wrong, 1))
    return Native(directory / "out")


def test_read_while_empty_names_the_fifo(tmp_path):
    design = build_with_fault("load_s", "i0 < 6", "i0 < 5", tmp_path)
    with pytest.raises(RuntimeError, match="FIFO 'class_1' is read while empty"):
        design(np.ones((6, 8)), np.ones(6))


def test_leftover_tokens_name_the_fifo(tmp_path):
    design = build_with_fault("store_t", "i0 < 6", "i0 < 4", tmp_path)
    with pytest.raises(RuntimeError, match="FIFO 'sums' still holds 2 tokens"):
        design(np.ones((6, 8)), np.ones(6))
    with pytest.raises(RuntimeError, match="FIFO 'sums'"):
        design(np.ones((6, 8)), np.ones(6))


LANES = """
func.func @main(%x: tensor<4x6x8xf32>) -> (tensor<32x6xf32>) {
  %y = dataflow.launch @lanes(%x) : (tensor<4x6x8xf32>) -> tensor<32x6xf32>
  return %y : tensor<32x6xf32>
}
dataflow.design @lanes {
  %x = dataflow.port in "x" : !dataflow.port<4x6x8xf32>
  %y = dataflow.port out "y" : !dataflow.port<32x6xf32>
  %f = dataflow.stream "boxes" : !dataflow.stream<vector<48xf32>, 2>
  %g = dataflow.stream "rows" : !dataflow.stream<vector<6xf32>, 2>
  dataflow.leaf "load" load [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i, 0, 0)> : !dataflow.port<4x6x8xf32> -> vector<1x6x8xf32>
    %w = vector.shape_cast %v : vector<1x6x8xf32> to vector<48xf32>
    dataflow.stream_write %w, %f : vector<48xf32>, !dataflow.stream<vector<48xf32>, 2>
  }
  dataflow.leaf "shuffle" compute [4, 8] {
  ^bb0(%i: index, %j: index):
    %t = dataflow.stream_read %f when affine_set<(i, j) : (j == 0)>
      : !dataflow.stream<vector<48xf32>, 2> -> vector<48xf32>
    %box = vector.shape_cast %t : vector<48xf32> to vector<6x8xf32>
    %turned = vector.transpose %box, [1, 0] : vector<6x8xf32> to vector<8x6xf32>
    %row = vector.extract %turned[%j] : vector<6xf32> from vector<8x6xf32>
    %twice = arith.addf %row, %row : vector<6xf32>
    %half = vector.extract_strided_slice %twice {offsets = [0], sizes = [3], strides = [1]}
      : vector<6xf32> to vector<3xf32>
    %ends = vector.insert_strided_slice %half, %row {offsets = [3], strides = [1]} : vector<3xf32> into vector<6xf32>
    %a = vector.extract %ends[5] : f32 from vector<6xf32>
    %steps = vector.step : vector<6xindex>
    %si = arith.index_cast %steps : vector<6xindex> to vector<6xi32>
    %sf = arith.sitofp %si : vector<6xi32> to vector<6xf32>
    %ab = vector.broadcast %a : f32 to vector<6xf32>
    %s = arith.mulf %sf, %ab : vector<6xf32>
    %u = arith.addf %ends, %s : vector<6xf32>
    dataflow.stream_write %u, %g : vector<6xf32>, !dataflow.stream<vector<6xf32>, 2>
  }
  dataflow.leaf "store" store [4, 8] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %g : !dataflow.stream<vector<6xf32>, 2> -> vector<6xf32>
    %w = vector.shape_cast %v : vector<6xf32> to vector<1x6xf32>
    dataflow.store %w, %y affine_map<(i, j) -> (i * 8 + j, 0)> : vector<1x6xf32>, !dataflow.port<32x6xf32>
  }
}
"""


def test_lanes_move(tmp_path):
    x = np.random.default_rng(5).standard_normal((4, 6, 8), dtype=np.float32)
    (y,) = build(LANES, tmp_path)(x)
    rows = x.transpose(0, 2, 1).reshape(32, 6)
    ends = np.concatenate([rows[:, :3], 2 * rows[:, :3]], axis=1)
    assert np.array_equal(y, ends + np.arange(6, dtype=np.float32) * ends[:, 5:6])


def test_an_unsized_fifo_is_an_error(tmp_path):
    source = GUARDS.replace("<f32, 9>", "<f32>")
    done = translate(source, tmp_path)
    assert done.returncode == 1
    assert "FIFO 'fork.b' has no depth" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_failed_run_leaves_the_earlier_output(tmp_path):
    assert translate(GUARDS, tmp_path).returncode == 0
    before = (tmp_path / "out/hls/guards.cpp").read_bytes()
    assert translate(GUARDS.replace("<f32, 9>", "<f32>"), tmp_path).returncode == 1
    assert (tmp_path / "out/hls/guards.cpp").read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["design.mlir", "out", "scheduled.mlir"]


def test_a_striped_cache_is_updated_in_place(tmp_path):
    """Rows come in over two interfaces and go behind those of a cache, which is then read: on all levels alike."""
    source = (ROOT / "test/Target/HLSCpp/external-memory.mlir").read_text()
    design = build(source, tmp_path)
    random = np.random.default_rng(3)
    new = random.integers(-100, 100, (2, 4), dtype=np.int32)
    old = random.integers(-100, 100, (4, 4), dtype=np.int32)
    expected = np.concatenate([old[:2], new])
    for result in design(new, old):
        assert np.array_equal(result, expected)
    data = tmp_path / "data"
    run_testbench(tmp_path / "out" / "hls", data, [new, old])
    for number in range(2):
        assert np.array_equal(np.fromfile(data / f"result{number}.bin", np.int32).reshape(4, 4), expected)


def test_the_host_stripes_tensors_and_leaves_the_operand_alone(tmp_path):
    """What `Design` runs: parts of each row for each interface, and a tensor of its own for an `inout` port."""
    import torch
    from streamtensor.interface import Interface

    source = (ROOT / "test/Target/HLSCpp/external-memory.mlir").read_text()
    assert translate(source, tmp_path).returncode == 0
    new, old = torch.arange(8, dtype=torch.int32).reshape(2, 4), torch.full((4, 4), -1, dtype=torch.int32)
    results = Interface(tmp_path / "out").execute([new, old])
    for result in results:
        assert result.tolist() == [[-1] * 4, [-1] * 4, [0, 1, 2, 3], [4, 5, 6, 7]]
    assert (old == -1).all()
