// Design 'write_ports': a dataflow region of 4 leaf tasks.
#include "write_ports.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace write_ports_tasks {

// pad: 64 iterations, II 1
void make(hls::stream<float> &in) {
#pragma HLS inline off
make_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
#pragma HLS pipeline II=1 style=flp
    in.write(1.0f);
  }
}

// compute: 128 iterations, II 2 in fill, then II 1 in drain
void stated(hls::stream<float> &in, hls::stream<float> &between) {
#pragma HLS inline off
  float local[128];
#pragma HLS bind_storage variable=local type=ram_2p impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=2 dependent=true
stated_fill_i1:
  for (int fill_i1 = 0; fill_i1 < 64; ++fill_i1) {
#pragma HLS pipeline II=2 style=flp
    const float in_token = in.read();
    local[fill_i1] = in_token;
    local[fill_i1 + 64] = in_token;
  }
stated_drain_i1:
  for (int drain_i1 = 0; drain_i1 < 64; ++drain_i1) {
#pragma HLS pipeline II=1 style=flp
    between.write(local[drain_i1 + 32]);
  }
}

// compute: 128 iterations, II 1 in fill, then II 1 in drain
void chosen(hls::stream<float> &between, hls::stream<float> &out) {
#pragma HLS inline off
  float local[128];
#pragma HLS bind_storage variable=local type=ram_t2p impl=bram latency=2
#pragma HLS dependence variable=local type=inter direction=RAW distance=3 dependent=true
chosen_fill_i1:
  for (int fill_i1 = 0; fill_i1 < 64; ++fill_i1) {
#pragma HLS pipeline II=1 style=flp
    const float between_token = between.read();
    local[fill_i1] = between_token;
    local[fill_i1 + 64] = between_token;
  }
chosen_drain_i1:
  for (int drain_i1 = 0; drain_i1 < 64; ++drain_i1) {
#pragma HLS pipeline II=1 style=flp
    out.write(local[drain_i1 + 32]);
  }
}

// compute: 64 iterations, II 1
void take(hls::stream<float> &out) {
#pragma HLS inline off
take_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float out_token = out.read();
  }
}

} // namespace write_ports_tasks

extern "C" void write_ports() {
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> in("in");
#pragma HLS stream variable=in depth=5
#pragma HLS bind_storage variable=in type=fifo impl=srl
  hls::stream<float> between("between");
#pragma HLS stream variable=between depth=2
#pragma HLS bind_storage variable=between type=fifo impl=srl
  hls::stream<float> out("out");
#pragma HLS stream variable=out depth=2
#pragma HLS bind_storage variable=out type=fifo impl=srl

  write_ports_tasks::make(in);
  write_ports_tasks::stated(in, between);
  write_ports_tasks::chosen(between, out);
  write_ports_tasks::take(out);
}

// The call through which a native run enters 'write_ports'.
#include "write_ports.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int write_ports_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    write_ports();
  });
}
