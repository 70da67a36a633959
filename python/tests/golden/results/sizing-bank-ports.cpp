// Design 'bank_ports': a dataflow region of 4 leaf tasks.
#include "bank_ports.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace bank_ports_tasks {

using block_block_t = float[4096];

// pad: 16 iterations, II 1
void make(hls::stream<hls::vector<float, 5>> &in) {
#pragma HLS inline off
make_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
#pragma HLS pipeline II=1 style=flp
    hls::vector<float, 5> in_token;
    for (int u0 = 0; u0 < 5; ++u0) {
#pragma HLS unroll
      in_token[u0] = 1.0f;
    }
    in.write(in_token);
  }
}

// fill: 16 iterations, II 1
void fill(hls::stream<hls::vector<float, 5>> &in, hls::stream_of_blocks<block_block_t, 2> &block) {
#pragma HLS inline off
fill_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
    hls::write_lock<block_block_t> block_block(block);
    const hls::vector<float, 5> in_token = in.read();
    for (int u0 = 0; u0 < 5; ++u0) {
#pragma HLS unroll
      block_block[u0] = in_token[u0];
    }
  }
}

// compute: 16 iterations, II 2
void use(hls::stream_of_blocks<block_block_t, 2> &block, hls::stream<hls::vector<float, 5>> &out) {
#pragma HLS inline off
use_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
    hls::read_lock<block_block_t> block_block(block);
    hls::vector<float, 5> sum;
    for (int u0 = 0; u0 < 5; ++u0) {
#pragma HLS unroll
      const float lane_sum = block_block[u0] + block_block[u0 + 8];
#pragma HLS bind_op variable=lane_sum op=fadd impl=fulldsp latency=6
      sum[u0] = lane_sum;
    }
    out.write(sum);
  }
}

// compute: 16 iterations, II 1
void take(hls::stream<hls::vector<float, 5>> &out) {
#pragma HLS inline off
take_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 5> out_token = out.read();
  }
}

} // namespace bank_ports_tasks

using namespace bank_ports_tasks;

extern "C" void bank_ports() {
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 5>> in("in");
#pragma HLS stream variable=in depth=12
#pragma HLS bind_storage variable=in type=fifo impl=lutram
  hls::stream<hls::vector<float, 5>> out("out");
#pragma HLS stream variable=out depth=2
#pragma HLS bind_storage variable=out type=fifo impl=srl
  hls::stream_of_blocks<block_block_t, 2> block;
#pragma HLS array_partition variable=block type=cyclic factor=4 dim=1
#pragma HLS bind_storage variable=block type=ram_t2p impl=bram latency=2

  bank_ports_tasks::make(in);
  bank_ports_tasks::fill(in, block);
  bank_ports_tasks::use(block, out);
  bank_ports_tasks::take(out);
}

// The call through which a native run enters 'bank_ports'.
#include "bank_ports.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int bank_ports_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    const st::BlockNames block_names({"block"});
    bank_ports();
  });
}
