// Design 'ports_alike': a dataflow region of 7 leaf tasks.
#include "ports_alike.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace ports_alike_tasks {

using block_block_t = std::int32_t[512];

// pad: 256 iterations, II 1
void make(hls::stream<std::int32_t> &f0) {
#pragma HLS inline off
make_i0:
  for (int i0 = 0; i0 < 256; ++i0) {
#pragma HLS pipeline II=1 style=flp
    f0.write(1);
  }
}

// compute: 256 iterations, II 1
void one(hls::stream<std::int32_t> &f0, hls::stream<std::int32_t> &f1) {
#pragma HLS inline off
  std::int32_t local[512];
#pragma HLS bind_storage variable=local type=ram_2p impl=bram latency=2
#pragma HLS dependence variable=local type=inter direction=RAW distance=5 dependent=true
one_i0:
  for (int i0 = 0; i0 < 256; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const std::int32_t f0_token = f0.read();
    local[i0] = f0_token;
    f1.write(local[i0 + 256]);
  }
}

// compute: 256 iterations, II 1
void two(hls::stream<std::int32_t> &f1, hls::stream<std::int32_t> &f2) {
#pragma HLS inline off
  std::int32_t local[512];
#pragma HLS bind_storage variable=local type=ram_2p impl=bram latency=2
two_i0:
  for (int i0 = 0; i0 < 256; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const std::int32_t f1_token = f1.read();
    f2.write((local[i0] + local[i0 + 256]) + f1_token);
  }
}

// compute: 256 iterations, II 1
void ultra(hls::stream<std::int32_t> &f2, hls::stream<std::int32_t> &f3) {
#pragma HLS inline off
  std::int32_t local[512];
#pragma HLS bind_storage variable=local type=ram_2p impl=uram latency=3
ultra_i0:
  for (int i0 = 0; i0 < 256; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const std::int32_t f2_token = f2.read();
    f3.write((local[i0] + local[i0 + 256]) + f2_token);
  }
}

// fill: 256 iterations, II 1
void fill(hls::stream<std::int32_t> &f3, hls::stream_of_blocks<block_block_t, 2> &block) {
#pragma HLS inline off
fill_i0:
  for (int i0 = 0; i0 < 256; ++i0) {
    hls::write_lock<block_block_t> block_block(block);
    const std::int32_t f3_token = f3.read();
    block_block[i0] = f3_token;
  }
}

// compute: 256 iterations, II 1
void use(hls::stream_of_blocks<block_block_t, 2> &block, hls::stream<std::int32_t> &f4) {
#pragma HLS inline off
use_i0:
  for (int i0 = 0; i0 < 256; ++i0) {
    hls::read_lock<block_block_t> block_block(block);
    f4.write(block_block[i0] + block_block[-i0 + 255]);
  }
}

// compute: 256 iterations, II 1
void take(hls::stream<std::int32_t> &f4) {
#pragma HLS inline off
take_i0:
  for (int i0 = 0; i0 < 256; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const std::int32_t f4_token = f4.read();
  }
}

} // namespace ports_alike_tasks

using namespace ports_alike_tasks;

extern "C" void ports_alike() {
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<std::int32_t> f0("f0");
#pragma HLS stream variable=f0 depth=2
#pragma HLS bind_storage variable=f0 type=fifo impl=srl
  hls::stream<std::int32_t> f1("f1");
#pragma HLS stream variable=f1 depth=2
#pragma HLS bind_storage variable=f1 type=fifo impl=srl
  hls::stream<std::int32_t> f2("f2");
#pragma HLS stream variable=f2 depth=2
#pragma HLS bind_storage variable=f2 type=fifo impl=srl
  hls::stream<std::int32_t> f3("f3");
#pragma HLS stream variable=f3 depth=13
#pragma HLS bind_storage variable=f3 type=fifo impl=srl
  hls::stream<std::int32_t> f4("f4");
#pragma HLS stream variable=f4 depth=2
#pragma HLS bind_storage variable=f4 type=fifo impl=srl
  hls::stream_of_blocks<block_block_t, 2> block;
#pragma HLS bind_storage variable=block type=ram_2p impl=bram latency=2

  ports_alike_tasks::make(f0);
  ports_alike_tasks::one(f0, f1);
  ports_alike_tasks::two(f1, f2);
  ports_alike_tasks::ultra(f2, f3);
  ports_alike_tasks::fill(f3, block);
  ports_alike_tasks::use(block, f4);
  ports_alike_tasks::take(f4);
}

// The call through which a native run enters 'ports_alike'.
#include "ports_alike.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int ports_alike_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    const st::BlockNames block_names({"block"});
    ports_alike();
  });
}
