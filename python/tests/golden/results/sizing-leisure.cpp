// Design 'leisure': a dataflow region of 9 leaf tasks.
#include "leisure.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace leisure_tasks {

// load: 8196 iterations, II 1
void rare_load(const float *rare_x, hls::stream<float> &rare_in) {
#pragma HLS inline off
rare_load_i0:
  for (int i0 = 0; i0 < 8196; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float rare_x_word = rare_x[i0];
    rare_in.write(rare_x_word);
  }
}

// compute: 8196 iterations, II 1 in core, then II 7 in drain
void rare(hls::stream<float> &rare_in, hls::stream<float> &rare_out) {
#pragma HLS inline off
rare_core_i0:
  for (int core_i0 = 0; core_i0 < 8192; ++core_i0) {
#pragma HLS pipeline II=1 style=flp
    const float rare_in_token = rare_in.read();
    const float sum = rare_in_token + rare_in_token;
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
    rare_out.write(sum);
  }
rare_drain_i0:
  for (int drain_i0 = 0; drain_i0 < 4; ++drain_i0) {
#pragma HLS pipeline II=7 style=flp
    const float rare_in_token_1 = rare_in.read();
    const float sum_1 = rare_in_token_1 + rare_in_token_1;
#pragma HLS bind_op variable=sum_1 op=fadd impl=fulldsp latency=6
    const float sum_2 = sum_1 + rare_in_token_1;
#pragma HLS bind_op variable=sum_2 op=fadd impl=fulldsp latency=6
    const float sum_3 = sum_2 + rare_in_token_1;
#pragma HLS bind_op variable=sum_3 op=fadd impl=fulldsp latency=6
    const float sum_4 = sum_3 + rare_in_token_1;
#pragma HLS bind_op variable=sum_4 op=fadd impl=fulldsp latency=6
    const float sum_5 = sum_4 + rare_in_token_1;
#pragma HLS bind_op variable=sum_5 op=fadd impl=fulldsp latency=6
    const float sum_6 = sum_5 + rare_in_token_1;
#pragma HLS bind_op variable=sum_6 op=fadd impl=fulldsp latency=6
    const float sum_7 = sum_6 + rare_in_token_1;
#pragma HLS bind_op variable=sum_7 op=fadd impl=fulldsp latency=6
    rare_out.write(sum_7);
  }
}

// store: 8196 iterations, II 1
void rare_store(hls::stream<float> &rare_out, float *rare_y) {
#pragma HLS inline off
rare_store_i0:
  for (int i0 = 0; i0 < 8196; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float rare_out_token = rare_out.read();
    rare_y[i0] = rare_out_token;
  }
}

// load: 4100 iterations, II 1
void scarce_load(const float *scarce_x, hls::stream<float> &scarce_in) {
#pragma HLS inline off
scarce_load_i0:
  for (int i0 = 0; i0 < 4100; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float scarce_x_word = scarce_x[i0];
    scarce_in.write(scarce_x_word);
  }
}

// compute: 4100 iterations, II 1 in core, then II 4 in drain
void scarce(hls::stream<float> &scarce_in, hls::stream<float> &scarce_out) {
#pragma HLS inline off
scarce_core_i0:
  for (int core_i0 = 0; core_i0 < 4096; ++core_i0) {
#pragma HLS pipeline II=1 style=flp
    const float scarce_in_token = scarce_in.read();
    const float sum = scarce_in_token + scarce_in_token;
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
    scarce_out.write(sum);
  }
scarce_drain_i0:
  for (int drain_i0 = 0; drain_i0 < 4; ++drain_i0) {
#pragma HLS pipeline II=4 style=flp
    const float scarce_in_token_1 = scarce_in.read();
    const float sum_1 = scarce_in_token_1 + scarce_in_token_1;
#pragma HLS bind_op variable=sum_1 op=fadd impl=fulldsp latency=6
    const float sum_2 = sum_1 + scarce_in_token_1;
#pragma HLS bind_op variable=sum_2 op=fadd impl=fulldsp latency=6
    const float sum_3 = sum_2 + scarce_in_token_1;
#pragma HLS bind_op variable=sum_3 op=fadd impl=fulldsp latency=6
    const float sum_4 = sum_3 + scarce_in_token_1;
#pragma HLS bind_op variable=sum_4 op=fadd impl=fulldsp latency=6
    const float sum_5 = sum_4 + scarce_in_token_1;
#pragma HLS bind_op variable=sum_5 op=fadd impl=fulldsp latency=6
    const float sum_6 = sum_5 + scarce_in_token_1;
#pragma HLS bind_op variable=sum_6 op=fadd impl=fulldsp latency=6
    const float sum_7 = sum_6 + scarce_in_token_1;
#pragma HLS bind_op variable=sum_7 op=fadd impl=fulldsp latency=6
    scarce_out.write(sum_7);
  }
}

// store: 4100 iterations, II 1
void scarce_store(hls::stream<float> &scarce_out, float *scarce_y) {
#pragma HLS inline off
scarce_store_i0:
  for (int i0 = 0; i0 < 4100; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float scarce_out_token = scarce_out.read();
    scarce_y[i0] = scarce_out_token;
  }
}

// load: at most 8196 iterations, II 1
void counted_load(const float *counted_x, hls::stream<float> &counted_in, int few) {
#pragma HLS inline off
  const int i0_count = few + 4;
counted_load_i0:
  for (int i0 = 0; i0 < i0_count; ++i0) {
#pragma HLS loop_tripcount max=8196
#pragma HLS pipeline II=1 style=flp
    const float counted_x_word = counted_x[i0];
    counted_in.write(counted_x_word);
  }
}

// compute: at most 8196 iterations, II 1 in core, then II 1 in drain
void counted(hls::stream<float> &counted_in, hls::stream<float> &counted_out, int few) {
#pragma HLS inline off
counted_core_i0:
  for (int core_i0 = 0; core_i0 < few; ++core_i0) {
#pragma HLS loop_tripcount max=8192
#pragma HLS pipeline II=1 style=flp
    const float counted_in_token = counted_in.read();
    const float sum = counted_in_token + counted_in_token;
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
    counted_out.write(sum);
  }
counted_drain_i0:
  for (int drain_i0 = 0; drain_i0 < 4; ++drain_i0) {
#pragma HLS pipeline II=1 style=flp
    const float counted_in_token_1 = counted_in.read();
    const float sum_1 = counted_in_token_1 + counted_in_token_1;
#pragma HLS bind_op variable=sum_1 op=fadd impl=fulldsp latency=6
    const float sum_2 = sum_1 + counted_in_token_1;
#pragma HLS bind_op variable=sum_2 op=fadd impl=fulldsp latency=6
    const float sum_3 = sum_2 + counted_in_token_1;
#pragma HLS bind_op variable=sum_3 op=fadd impl=fulldsp latency=6
    const float sum_4 = sum_3 + counted_in_token_1;
#pragma HLS bind_op variable=sum_4 op=fadd impl=fulldsp latency=6
    const float sum_5 = sum_4 + counted_in_token_1;
#pragma HLS bind_op variable=sum_5 op=fadd impl=fulldsp latency=6
    const float sum_6 = sum_5 + counted_in_token_1;
#pragma HLS bind_op variable=sum_6 op=fadd impl=fulldsp latency=6
    const float sum_7 = sum_6 + counted_in_token_1;
#pragma HLS bind_op variable=sum_7 op=fadd impl=fulldsp latency=6
    counted_out.write(sum_7);
  }
}

// store: at most 8196 iterations, II 1
void counted_store(hls::stream<float> &counted_out, float *counted_y, int few) {
#pragma HLS inline off
  const int i0_count = few + 4;
counted_store_i0:
  for (int i0 = 0; i0 < i0_count; ++i0) {
#pragma HLS loop_tripcount max=8196
#pragma HLS pipeline II=1 style=flp
    const float counted_out_token = counted_out.read();
    counted_y[i0] = counted_out_token;
  }
}

} // namespace leisure_tasks

extern "C" void leisure(const float *rare_x, const float *scarce_x, const float *counted_x,
                        float *rare_y, float *scarce_y, float *counted_y, int few) {
#pragma HLS interface mode=m_axi port=rare_x bundle=gmem_rare_x offset=slave depth=8196 max_read_burst_length=256 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=scarce_x bundle=gmem_scarce_x offset=slave depth=4100 max_read_burst_length=256 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=counted_x bundle=gmem_counted_x offset=slave depth=8196 max_read_burst_length=256 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=rare_y bundle=gmem_rare_y offset=slave depth=8196 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=scarce_y bundle=gmem_scarce_y offset=slave depth=4100 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=counted_y bundle=gmem_counted_y offset=slave depth=8196 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=rare_x bundle=control
#pragma HLS interface mode=s_axilite port=scarce_x bundle=control
#pragma HLS interface mode=s_axilite port=counted_x bundle=control
#pragma HLS interface mode=s_axilite port=rare_y bundle=control
#pragma HLS interface mode=s_axilite port=scarce_y bundle=control
#pragma HLS interface mode=s_axilite port=counted_y bundle=control
#pragma HLS interface mode=s_axilite port=few bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> rare_in("rare_in");
#pragma HLS stream variable=rare_in depth=32
#pragma HLS bind_storage variable=rare_in type=fifo impl=srl
  hls::stream<float> rare_out("rare_out");
#pragma HLS stream variable=rare_out depth=64
#pragma HLS bind_storage variable=rare_out type=fifo impl=lutram
  hls::stream<float> scarce_in("scarce_in");
#pragma HLS stream variable=scarce_in depth=32
#pragma HLS bind_storage variable=scarce_in type=fifo impl=srl
  hls::stream<float> scarce_out("scarce_out");
#pragma HLS stream variable=scarce_out depth=64
#pragma HLS bind_storage variable=scarce_out type=fifo impl=lutram
  hls::stream<float> counted_in("counted_in");
#pragma HLS stream variable=counted_in depth=32
#pragma HLS bind_storage variable=counted_in type=fifo impl=srl
  hls::stream<float> counted_out("counted_out");
#pragma HLS stream variable=counted_out depth=64
#pragma HLS bind_storage variable=counted_out type=fifo impl=lutram

  leisure_tasks::rare_load(rare_x, rare_in);
  leisure_tasks::rare(rare_in, rare_out);
  leisure_tasks::rare_store(rare_out, rare_y);
  leisure_tasks::scarce_load(scarce_x, scarce_in);
  leisure_tasks::scarce(scarce_in, scarce_out);
  leisure_tasks::scarce_store(scarce_out, scarce_y);
  leisure_tasks::counted_load(counted_x, counted_in, few);
  leisure_tasks::counted(counted_in, counted_out, few);
  leisure_tasks::counted_store(counted_out, counted_y, few);
}

// The call through which a native run enters 'leisure'.
#include "leisure.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int leisure_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    leisure(static_cast<const float *>(st_ports[0]), static_cast<const float *>(st_ports[1]),
            static_cast<const float *>(st_ports[2]), static_cast<float *>(st_ports[3]),
            static_cast<float *>(st_ports[4]), static_cast<float *>(st_ports[5]),
            st::scalar("few", st_ports[6], 1, 8192));
  });
}
