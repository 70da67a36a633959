// Design 'two': a dataflow region of 4 leaf tasks.
#include "two.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace two_tasks {

// load: 128 iterations, II 1
void load_a(const hls::vector<float, 16> *a, hls::stream<hls::vector<float, 16>> &fa) {
#pragma HLS inline off
load_a_i0:
  for (int i0 = 0; i0 < 128; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 16> a_word = a[i0];
    fa.write(a_word);
  }
}

// load: 128 iterations, II 1
void load_b(const hls::vector<float, 16> *b, hls::stream<hls::vector<float, 16>> &fb) {
#pragma HLS inline off
load_b_i0:
  for (int i0 = 0; i0 < 128; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 16> b_word = b[i0];
    fb.write(b_word);
  }
}

// store: 128 iterations, II 1
void store_y(hls::stream<hls::vector<float, 16>> &fa, hls::vector<float, 16> *y) {
#pragma HLS inline off
store_y_i0:
  for (int i0 = 0; i0 < 128; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 16> fa_token = fa.read();
    y[i0] = fa_token;
  }
}

// store: 128 iterations, II 1
void store_z(hls::stream<hls::vector<float, 16>> &fb, hls::vector<float, 16> *z) {
#pragma HLS inline off
store_z_i0:
  for (int i0 = 0; i0 < 128; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 16> fb_token = fb.read();
    z[i0] = fb_token;
  }
}

} // namespace two_tasks

extern "C" void two(const hls::vector<float, 16> *a, const hls::vector<float, 16> *b,
                    hls::vector<float, 16> *y, hls::vector<float, 16> *z) {
#pragma HLS interface mode=m_axi port=a bundle=gmem_a offset=slave depth=128 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=b bundle=gmem_b offset=slave depth=128 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=128 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=128 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=a bundle=control
#pragma HLS interface mode=s_axilite port=b bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 16>> fa("fa");
#pragma HLS stream variable=fa depth=2
#pragma HLS bind_storage variable=fa type=fifo impl=srl
  hls::stream<hls::vector<float, 16>> fb("fb");
#pragma HLS stream variable=fb depth=2
#pragma HLS bind_storage variable=fb type=fifo impl=srl

  two_tasks::load_a(a, fa);
  two_tasks::load_b(b, fb);
  two_tasks::store_y(fa, y);
  two_tasks::store_z(fb, z);
}

// The call through which a native run enters 'two'.
#include "two.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int two_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    two(static_cast<const hls::vector<float, 16> *>(st_ports[0]),
        static_cast<const hls::vector<float, 16> *>(st_ports[1]),
        static_cast<hls::vector<float, 16> *>(st_ports[2]),
        static_cast<hls::vector<float, 16> *>(st_ports[3]));
  });
}
