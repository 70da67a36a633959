// Design 'memories': a dataflow region of 5 leaf tasks.
#include "memories.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace memories_tasks {

// load: 8 iterations, II 1
void load_x(const hls::vector<float, 4> *x, hls::stream<hls::vector<float, 4>> &a) {
#pragma HLS inline off
load_x_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 4> x_word = x[i0];
    a.write(x_word);
  }
}

// load: 16 iterations, II 1
void load_z(const float *z, hls::stream<float> &c) {
#pragma HLS inline off
load_z_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float z_word = z[i0];
    c.write(z_word);
  }
}

// compute: 40 iterations, II 1 in fill, then II 1 in drain
void banks(hls::stream<hls::vector<float, 4>> &a, hls::stream<float> &b) {
#pragma HLS inline off
  float local[32];
#pragma HLS array_partition variable=local type=cyclic factor=4 dim=1
#pragma HLS bind_storage variable=local type=ram_2p impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=2 dependent=true
banks_fill_i0:
  for (int fill_i0 = 0; fill_i0 < 8; ++fill_i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 4> a_token = a.read();
    for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
      local[fill_i0 * 4 + u0] = a_token[u0];
    }
  }
banks_drain_i0:
  for (int drain_i0 = 0; drain_i0 < 32; ++drain_i0) {
#pragma HLS pipeline II=1 style=flp
    b.write(local[drain_i0]);
  }
}

// compute: 80 iterations, II 1 in first, then II 1 in second, then II 1 in third
void writers(hls::stream<float> &b, hls::stream<float> &c, hls::stream<float> &d) {
#pragma HLS inline off
  float local[32];
#pragma HLS bind_storage variable=local type=ram_2p impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=2 dependent=true
writers_first_i0:
  for (int first_i0 = 0; first_i0 < 32; ++first_i0) {
#pragma HLS pipeline II=1 style=flp
    const float b_token = b.read();
    local[first_i0] = b_token;
  }
writers_second_i0:
  for (int second_i0 = 0; second_i0 < 16; ++second_i0) {
#pragma HLS pipeline II=1 style=flp
    const float c_token = c.read();
    local[second_i0 + 16] = c_token;
  }
writers_third_i0:
  for (int third_i0 = 0; third_i0 < 32; ++third_i0) {
#pragma HLS pipeline II=1 style=flp
    d.write(local[third_i0]);
  }
}

// store: 32 iterations, II 1
void store(hls::stream<float> &d, float *y) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 32; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float d_token = d.read();
    y[i0] = d_token;
  }
}

} // namespace memories_tasks

extern "C" void memories(const hls::vector<float, 4> *x, const float *z, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=16 max_read_burst_length=16 num_read_outstanding=5
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=32 max_write_burst_length=32 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 4>> a("a");
#pragma HLS stream variable=a depth=2
#pragma HLS bind_storage variable=a type=fifo impl=srl
  hls::stream<float> b("b");
#pragma HLS stream variable=b depth=2
#pragma HLS bind_storage variable=b type=fifo impl=srl
  hls::stream<float> c("c");
#pragma HLS stream variable=c depth=13
#pragma HLS bind_storage variable=c type=fifo impl=srl
  hls::stream<float> d("d");
#pragma HLS stream variable=d depth=2
#pragma HLS bind_storage variable=d type=fifo impl=srl

  memories_tasks::load_x(x, a);
  memories_tasks::load_z(z, c);
  memories_tasks::banks(a, b);
  memories_tasks::writers(b, c, d);
  memories_tasks::store(d, y);
}

// The call through which a native run enters 'memories'.
#include "memories.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int memories_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    memories(static_cast<const hls::vector<float, 4> *>(st_ports[0]),
             static_cast<const float *>(st_ports[1]), static_cast<float *>(st_ports[2]));
  });
}
