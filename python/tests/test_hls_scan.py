"""The scan counts what a text builds."""

from hls.scan import scan
from hls_native import ROOT, translate
from test_hls_lint import CLEAN

DOT = """
#include "hls_stream.h"

void dot(hls::stream<hls::vector<float, 8>> &a, hls::stream<hls::vector<float, 8>> &b, hls::stream<float> &c) {
  static const float table[2] = {1.0f, 2.0f};
  float total[1];
  for (int i0 = 0; i0 < 64; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 8> x = a.read();
    const hls::vector<float, 8> y = b.read();
    hls::vector<float, 8> product;
    for (int u0 = 0; u0 < 8; ++u0) {
#pragma HLS unroll
      product[u0] = x[u0] * y[u0];
    }
    hls::vector<float, 4> scaled;
    for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
      scaled[u0] = x[u0 * 2] * table[1];
    }
    hls::vector<float, 4> sum;
    for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
      sum[u0] = product[u0] + product[u0 + 4];
    }
    const float next = (i0 == 0 ? 0.0f : total[0]) + ((sum[0] + sum[1]) + (sum[2] + sum[3]));
    total[0] = next;
    if (i0 == 63) {
      c.write(next * scaled[0]);
    }
  }
}

extern "C" void top(const float *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x depth=512
#pragma HLS interface mode=m_axi port=y bundle=gmem_y depth=1
#pragma HLS dataflow
  hls::stream<ap_int<9>> c("c");
#pragma HLS stream variable=c depth=5
#pragma HLS bind_storage variable=c type=fifo impl=srl
  dot(a, b, c);
}
"""


def test_channels_and_ports():
    found = scan(CLEAN)
    assert found["fifos"] == [{"name": "values", "width_bits": 128, "depth": 8, "bytes": 128, "storage": "srl"}]
    (rows,) = found["blocks"]
    assert (rows["shape"], rows["blocks"], rows["bytes"]) == ([4, 16], 2, 512)
    assert [(p["name"], p["direction"], p["bytes"]) for p in found["ports"]] == [("x", "in", 256), ("y", "out", 256)]
    assert found["totals"]["on_chip_bytes"] == 128 + 512
    assert found["multiply_add_lanes"] == 0


def test_only_products_that_are_accumulated_count_as_lanes():
    assert scan(DOT)["lanes"] == {"dot": 8}


def test_lanes_follow_the_unrolled_loops():
    assert scan(DOT.replace("u0 < 8", "u0 < 16"))["multiply_add_lanes"] == 16
    assert scan(DOT.replace("#pragma HLS unroll\n", ""))["multiply_add_lanes"] == 1
    without_sum = DOT.replace("product[u0] + product[u0 + 4]", "product[u0]").replace("total[0] = next", "total[0] = 0")
    assert scan(without_sum.replace("((sum[0] + sum[1]) + (sum[2] + sum[3]))", "sum[0]"))["multiply_add_lanes"] == 0


def test_pipelines_that_take_turns_share_their_lanes():
    loop = DOT[DOT.index("  for (int i0 = 0; i0 < 64") : DOT.index('}\n\nextern "C"')]
    assert scan(DOT.replace(loop, loop + loop))["multiply_add_lanes"] == 8
    wider = loop.replace("u0 < 8", "u0 < 16")
    assert scan(DOT.replace(loop, loop + wider))["multiply_add_lanes"] == 16


def test_arrays_by_role():
    roles = {array["name"]: (array["role"], array["bytes"]) for array in scan(DOT)["arrays"]}
    assert roles["table"] == ("table", 8)
    assert roles["total"] == ("memory", 4)
    assert roles["product"] == ("wire", 32)


def test_widths_below_a_byte_round_up_once():
    (fifo,) = scan(DOT)["fifos"]
    assert fifo == {"name": "c", "width_bits": 9, "depth": 5, "bytes": 6, "storage": "srl"}


def test_generated_matmul(tmp_path):
    assert translate((ROOT / "test/Target/HLSCpp/matmul.mlir").read_text(), tmp_path).returncode == 0
    found = scan((tmp_path / "out/hls/matmul.cpp").read_text())
    assert found["lanes"] == {"proj": 64}
    assert found["totals"] == {
        "array_bytes": 16 * 16 * 4,
        "fifo_bytes": 2 * 16 + 4 * 64 + 2 * 64,
        "block_bytes": 2 * (16 * 32 + 16 * 16) * 4,
        "on_chip_bytes": 1024 + 416 + 6144,
    }
    assert [port["name"] for port in found["ports"]] == ["x", "w", "y"]
