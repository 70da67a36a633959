// Design 'report': a dataflow region of 4 leaf tasks.
#include "report.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace report_tasks {

using block_block_t = float[8];

// load: 16 iterations, II 2
void load(const float *x, const float *v, hls::stream<float> &rows, hls::stream<float> &extra) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
#pragma HLS pipeline II=2 style=flp
    const float x_word = x[i0];
    const float v_word = v[i0];
    rows.write(x_word);
    extra.write(v_word);
  }
}

// fill: 16 iterations, II 1
void fill(hls::stream<float> &rows, hls::stream_of_blocks<block_block_t, 2> &block) {
#pragma HLS inline off
fill_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
    hls::write_lock<block_block_t> block_block(block);
fill_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS pipeline II=1 style=flp
      const float rows_token = rows.read();
      block_block[i1] = rows_token;
    }
  }
}

// compute: 48 iterations, II 1 in keep, then II 1 in add, then II 1 in drain
void mix(const float *w, hls::stream<float> &extra, hls::stream_of_blocks<block_block_t, 2> &block,
         hls::stream<float> &sums) {
#pragma HLS inline off
  float local_0[8];
#pragma HLS bind_storage variable=local_0 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_0 type=inter direction=RAW distance=11 dependent=true
  float local_1[8];
#pragma HLS bind_storage variable=local_1 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_1 type=inter direction=RAW distance=2 dependent=true
mix_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
    hls::read_lock<block_block_t> block_block(block);
mix_keep_i1:
    for (int keep_i1 = 0; keep_i1 < 8; ++keep_i1) {
#pragma HLS pipeline II=1 style=flp
      const float w_word = w[keep_i1];
      local_0[keep_i1] = w_word;
    }
mix_add_i1:
    for (int add_i1 = 0; add_i1 < 8; ++add_i1) {
#pragma HLS pipeline II=1 style=flp
      const float extra_token = extra.read();
      const float product = block_block[add_i1] * local_0[-add_i1 + 7];
#pragma HLS bind_op variable=product op=fmul impl=maxdsp latency=3
      const float sum = product + extra_token;
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
      local_1[add_i1] = sum;
    }
mix_drain_i1:
    for (int drain_i1 = 0; drain_i1 < 8; ++drain_i1) {
#pragma HLS pipeline II=1 style=flp
      sums.write(local_1[-drain_i1 + 7]);
    }
  }
}

// store: 16 iterations, II 2
void store(hls::stream<float> &sums, float *y, float *z) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
#pragma HLS pipeline II=2 style=flp
    const float sums_token = sums.read();
    y[i0] = sums_token;
    z[i0] = sums_token;
  }
}

} // namespace report_tasks

using namespace report_tasks;

extern "C" void report(const float *x, const float *v, const float *w, float *y, float *z) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_in offset=slave depth=16 max_read_burst_length=256 num_read_outstanding=4
#pragma HLS interface mode=m_axi port=v bundle=gmem_in offset=slave depth=16 max_read_burst_length=256 num_read_outstanding=4
#pragma HLS interface mode=m_axi port=w bundle=gmem_w offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_out offset=slave depth=16 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=z bundle=gmem_out offset=slave depth=16 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=v bundle=control
#pragma HLS interface mode=s_axilite port=w bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> rows("rows");
#pragma HLS stream variable=rows depth=2
#pragma HLS bind_storage variable=rows type=fifo impl=srl
  hls::stream<float> extra("extra");
#pragma HLS stream variable=extra depth=15
#pragma HLS bind_storage variable=extra type=fifo impl=srl
  hls::stream<float> sums("sums");
#pragma HLS stream variable=sums depth=5
#pragma HLS bind_storage variable=sums type=fifo impl=srl
  hls::stream_of_blocks<block_block_t, 2> block;
#pragma HLS bind_storage variable=block type=ram_2p impl=lutram

  report_tasks::load(x, v, rows, extra);
  report_tasks::fill(rows, block);
  report_tasks::mix(w, extra, block, sums);
  report_tasks::store(sums, y, z);
}

// The call through which a native run enters 'report'.
#include "report.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int report_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    const st::BlockNames block_names({"block"});
    report(static_cast<const float *>(st_ports[0]), static_cast<const float *>(st_ports[1]),
           static_cast<const float *>(st_ports[2]), static_cast<float *>(st_ports[3]),
           static_cast<float *>(st_ports[4]));
  });
}
