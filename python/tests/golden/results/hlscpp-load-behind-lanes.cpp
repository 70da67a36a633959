// Design 'behind': a dataflow region of 4 leaf tasks.
#include "behind.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace behind_tasks {

// load: 4 iterations, II 1
void load(const hls::vector<float, 4> *x, hls::stream<hls::vector<float, 4>> &a,
          hls::stream<hls::vector<float, 4>> &b, hls::stream<hls::vector<float, 4>> &c) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 4> x_word = x[i0];
    a.write(x_word);
    b.write(x_word);
    c.write(x_word);
  }
}

// compute: 4 iterations, II 1
void lane(hls::stream<hls::vector<float, 4>> &a, float *y) {
#pragma HLS inline off
  float local[4];
#pragma HLS array_partition variable=local type=complete dim=1
lane_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 4> a_token = a.read();
    for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
      local[u0] = a_token[u0];
    }
    hls::vector<float, 4> local_value;
    for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
      local_value[u0] = local[u0];
    }
    const float negated = -local_value[2];
    const float product = negated * negated;
#pragma HLS bind_op variable=product op=fmul impl=maxdsp latency=3
    y[i0] = product;
  }
}

// compute: 4 iterations, II 1
void element(hls::stream<hls::vector<float, 4>> &b, float *z) {
#pragma HLS inline off
  float local[4];
#pragma HLS array_partition variable=local type=complete dim=1
element_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 4> b_token = b.read();
    for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
      local[u0] = b_token[u0];
    }
    const float negated = -local[2];
    const float product = negated * negated;
#pragma HLS bind_op variable=product op=fmul impl=maxdsp latency=3
    z[i0] = product;
  }
}

// compute: 4 iterations, II 1
void itself(hls::stream<hls::vector<float, 4>> &c, float *q) {
#pragma HLS inline off
  float local[4];
#pragma HLS array_partition variable=local type=complete dim=1
itself_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 4> c_token = c.read();
    for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
      local[u0] = c_token[u0];
    }
    const float local_value = local[2];
    const float product = local_value * local_value;
#pragma HLS bind_op variable=product op=fmul impl=maxdsp latency=3
    q[i0] = product;
  }
}

} // namespace behind_tasks

extern "C" void behind(const hls::vector<float, 4> *x, float *y, float *z, float *q) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=4 max_write_burst_length=4 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=4 max_write_burst_length=4 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=q bundle=gmem_q offset=slave depth=4 max_write_burst_length=4 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=q bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 4>> a("a");
#pragma HLS stream variable=a depth=2
#pragma HLS bind_storage variable=a type=fifo impl=srl
  hls::stream<hls::vector<float, 4>> b("b");
#pragma HLS stream variable=b depth=2
#pragma HLS bind_storage variable=b type=fifo impl=srl
  hls::stream<hls::vector<float, 4>> c("c");
#pragma HLS stream variable=c depth=2
#pragma HLS bind_storage variable=c type=fifo impl=srl

  behind_tasks::load(x, a, b, c);
  behind_tasks::lane(a, y);
  behind_tasks::element(b, z);
  behind_tasks::itself(c, q);
}

// The call through which a native run enters 'behind'.
#include "behind.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int behind_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    behind(static_cast<const hls::vector<float, 4> *>(st_ports[0]),
           static_cast<float *>(st_ports[1]), static_cast<float *>(st_ports[2]),
           static_cast<float *>(st_ports[3]));
  });
}
