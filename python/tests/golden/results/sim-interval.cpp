// Design 'interval': a dataflow region of 3 leaf tasks.
#include "interval.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace interval_tasks {

// load: 8 iterations, II 2
void rows_1(const hls::vector<float, 16> *x, hls::stream<hls::vector<float, 32>> &rows) {
#pragma HLS inline off
rows_1_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=2 style=flp
    hls::vector<float, 16> x_word[2];
#pragma HLS array_partition variable=x_word type=complete dim=0
    for (int word = 0; word < 2; ++word) {
#pragma HLS unroll
      x_word[word] = x[i0 * 4 + word];
    }
    hls::vector<float, 32> x_value;
    for (int u1 = 0; u1 < 32; ++u1) {
#pragma HLS unroll
      x_value[u1] = x_word[u1 / 16][u1 % 16];
    }
    rows.write(x_value);
  }
}

// compute: 8 iterations, II 9
void column(const float *w, hls::stream<float> &sum) {
#pragma HLS inline off
  float local[1];
column_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=9 style=flp
    const float w_word = w[i0 * 64];
    const float sum_1 = ((i0 == 0) ? 0.0f : local[0]) + w_word;
#pragma HLS bind_op variable=sum_1 op=fadd impl=fulldsp latency=6
    local[0] = sum_1;
    if (i0 == 7) {
      sum.write(sum_1);
    }
  }
}

// store: 8 iterations, II 2
void gather(hls::stream<hls::vector<float, 32>> &rows, hls::stream<float> &sum,
            hls::vector<float, 16> *y, float *z) {
#pragma HLS inline off
  float sum_token;
gather_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=2 style=flp
    const hls::vector<float, 32> rows_token = rows.read();
    hls::vector<float, 16> y_word[2]{};
#pragma HLS array_partition variable=y_word type=complete dim=0
    for (int u1 = 0; u1 < 32; ++u1) {
#pragma HLS unroll
      y_word[u1 / 16][u1 % 16] = rows_token[u1];
    }
    for (int word = 0; word < 2; ++word) {
#pragma HLS unroll
      y[i0 * 2 + word] = y_word[word];
    }
    if (i0 == 7) {
      sum_token = sum.read();
    }
    if (i0 == 7) {
      z[0] = sum_token;
    }
  }
}

} // namespace interval_tasks

extern "C" void interval(const hls::vector<float, 16> *x, const float *w, hls::vector<float, 16> *y,
                         float *z) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=32 max_read_burst_length=64 num_read_outstanding=12
#pragma HLS interface mode=m_axi port=w bundle=gmem_w offset=slave depth=512 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=y bundle=g offset=slave depth=16 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=w bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 32>> rows("rows");
#pragma HLS stream variable=rows depth=2
#pragma HLS bind_storage variable=rows type=fifo impl=srl
  hls::stream<float> sum("sum");
#pragma HLS stream variable=sum depth=2
#pragma HLS bind_storage variable=sum type=fifo impl=srl

  interval_tasks::rows_1(x, rows);
  interval_tasks::column(w, sum);
  interval_tasks::gather(rows, sum, y, z);
}

// The call through which a native run enters 'interval'.
#include "interval.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int interval_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    interval(static_cast<const hls::vector<float, 16> *>(st_ports[0]),
             static_cast<const float *>(st_ports[1]),
             static_cast<hls::vector<float, 16> *>(st_ports[2]), static_cast<float *>(st_ports[3]));
  });
}
