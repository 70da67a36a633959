// Design 'decltype': a dataflow region of 2 leaf tasks.
#include "decltype_1.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace decltype_1_tasks {

// load: 32 iterations, II 1
void nullptr_1(const float *ap_int_1, hls::stream<float> &n_NAN) {
#pragma HLS inline off
nullptr_1_i0:
  for (int i0 = 0; i0 < 32; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float ap_int_1_word = ap_int_1[i0];
    n_NAN.write(ap_int_1_word);
  }
}

// store: 32 iterations, II 1
void static_cast_1(hls::stream<float> &n_NAN, float *K) {
#pragma HLS inline off
static_cast_1_i0:
  for (int i0 = 0; i0 < 32; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float n_NAN_token = n_NAN.read();
    K[i0] = n_NAN_token;
  }
}

} // namespace decltype_1_tasks

extern "C" void decltype_1(const float *ap_int_1, float *K) {
#pragma HLS interface mode=m_axi port=ap_int_1 bundle=gmem_ap_int offset=slave depth=32 max_read_burst_length=32 num_read_outstanding=4
#pragma HLS interface mode=m_axi port=K bundle=gmem_K offset=slave depth=32 max_write_burst_length=32 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=ap_int_1 bundle=control
#pragma HLS interface mode=s_axilite port=K bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> n_NAN("n_NAN");
#pragma HLS stream variable=n_NAN depth=2
#pragma HLS bind_storage variable=n_NAN type=fifo impl=srl

  decltype_1_tasks::nullptr_1(ap_int_1, n_NAN);
  decltype_1_tasks::static_cast_1(n_NAN, K);
}

// The call through which a native run enters 'decltype'.
#include "decltype_1.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int decltype_1_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    decltype_1(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]));
  });
}
