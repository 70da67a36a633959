// Design 'busy': a dataflow region of 5 leaf tasks.
#include "busy.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace busy_tasks {

// load: 4096 iterations, II 1
void x_load(const hls::vector<float, 8> *x_s0, const hls::vector<float, 8> *x_s1,
            const hls::vector<float, 8> *x_s2, const hls::vector<float, 8> *x_s3,
            hls::stream<hls::vector<float, 32>> &rows) {
#pragma HLS inline off
x_load_i0:
  for (int i0 = 0; i0 < 4096; ++i0) {
#pragma HLS pipeline II=1 style=flp
    hls::vector<float, 8> x_s0_word[4];
#pragma HLS array_partition variable=x_s0_word type=complete dim=0
    x_s0_word[0] = x_s0[i0];
    x_s0_word[1] = x_s1[i0];
    x_s0_word[2] = x_s2[i0];
    x_s0_word[3] = x_s3[i0];
    hls::vector<float, 32> x_s0_value;
    for (int u1 = 0; u1 < 32; ++u1) {
#pragma HLS unroll
      x_s0_value[u1] = x_s0_word[u1 / 8][u1 % 8];
    }
    rows.write(x_s0_value);
  }
}

// compute: 4096 iterations, II 1
void take(hls::stream<hls::vector<float, 32>> &rows, hls::stream<float> &last) {
#pragma HLS inline off
take_i0:
  for (int i0 = 0; i0 < 4096; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 32> rows_token = rows.read();
    if (i0 == 4095) {
      last.write(rows_token[3]);
    }
  }
}

// compute: 2048 iterations, II 1
void make(hls::stream<hls::vector<float, 32>> &made) {
#pragma HLS inline off
make_i0:
  for (int i0 = 0; i0 < 2048; ++i0) {
#pragma HLS pipeline II=1 style=flp
    hls::vector<float, 32> made_token;
    for (int u0 = 0; u0 < 32; ++u0) {
#pragma HLS unroll
      made_token[u0] = 1.0f;
    }
    made.write(made_token);
  }
}

// store: 2048 iterations, II 1
void y_store(hls::stream<hls::vector<float, 32>> &made, hls::vector<float, 16> *y_s0,
             hls::vector<float, 16> *y_s1) {
#pragma HLS inline off
y_store_i0:
  for (int i0 = 0; i0 < 2048; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 32> made_token = made.read();
    hls::vector<float, 16> y_s0_word[2]{};
#pragma HLS array_partition variable=y_s0_word type=complete dim=0
    for (int u1 = 0; u1 < 32; ++u1) {
#pragma HLS unroll
      y_s0_word[u1 / 16][u1 % 16] = made_token[u1];
    }
    y_s0[i0] = y_s0_word[0];
    y_s1[i0] = y_s0_word[1];
  }
}

// store: 1 iterations, II 1
void z_store(hls::stream<float> &last, float *z) {
#pragma HLS inline off
  const float last_token = last.read();
  z[0] = last_token;
}

} // namespace busy_tasks

extern "C" void busy(const hls::vector<float, 8> *x_s0, const hls::vector<float, 8> *x_s1,
                     const hls::vector<float, 8> *x_s2, const hls::vector<float, 8> *x_s3,
                     hls::vector<float, 16> *y_s0, hls::vector<float, 16> *y_s1, float *z) {
#pragma HLS interface mode=m_axi port=x_s0 bundle=gmem_x_s0 offset=slave depth=4096 max_read_burst_length=128 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=x_s1 bundle=gmem_x_s1 offset=slave depth=4096 max_read_burst_length=128 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=x_s2 bundle=gmem_x_s2 offset=slave depth=4096 max_read_burst_length=128 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=x_s3 bundle=gmem_x_s3 offset=slave depth=4096 max_read_burst_length=128 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=y_s0 bundle=gmem_y_s0 offset=slave depth=2048 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=y_s1 bundle=gmem_y_s1 offset=slave depth=2048 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=x_s0 bundle=control
#pragma HLS interface mode=s_axilite port=x_s1 bundle=control
#pragma HLS interface mode=s_axilite port=x_s2 bundle=control
#pragma HLS interface mode=s_axilite port=x_s3 bundle=control
#pragma HLS interface mode=s_axilite port=y_s0 bundle=control
#pragma HLS interface mode=s_axilite port=y_s1 bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 32>> rows("rows");
#pragma HLS stream variable=rows depth=2
#pragma HLS bind_storage variable=rows type=fifo impl=srl
  hls::stream<hls::vector<float, 32>> made("made");
#pragma HLS stream variable=made depth=2
#pragma HLS bind_storage variable=made type=fifo impl=srl
  hls::stream<float> last("last");
#pragma HLS stream variable=last depth=2
#pragma HLS bind_storage variable=last type=fifo impl=srl

  busy_tasks::x_load(x_s0, x_s1, x_s2, x_s3, rows);
  busy_tasks::take(rows, last);
  busy_tasks::make(made);
  busy_tasks::y_store(made, y_s0, y_s1);
  busy_tasks::z_store(last, z);
}

// The call through which a native run enters 'busy'.
#include "busy.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int busy_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    busy(static_cast<const hls::vector<float, 8> *>(st_ports[0]),
         static_cast<const hls::vector<float, 8> *>(st_ports[1]),
         static_cast<const hls::vector<float, 8> *>(st_ports[2]),
         static_cast<const hls::vector<float, 8> *>(st_ports[3]),
         static_cast<hls::vector<float, 16> *>(st_ports[4]),
         static_cast<hls::vector<float, 16> *>(st_ports[5]), static_cast<float *>(st_ports[6]));
  });
}
