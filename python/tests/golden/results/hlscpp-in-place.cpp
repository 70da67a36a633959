// Design 'places': a dataflow region of 3 leaf tasks.
#include "places.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace places_tasks {

// compute: 8 iterations, II 2
void same(const hls::vector<std::int32_t, 4> *x) {
#pragma HLS inline off
  std::int32_t local[4];
#pragma HLS array_partition variable=local type=complete dim=1
same_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=2 style=flp
    const hls::vector<std::int32_t, 4> x_word = x[i0];
    for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
      local[u0] = (local[u0] + x_word[u0]) ^ x_word[u0];
    }
  }
}

// compute: 8 iterations, II 3
void beside(const hls::vector<std::int32_t, 4> *z) {
#pragma HLS inline off
  std::int32_t local[5];
#pragma HLS array_partition variable=local type=cyclic factor=4 dim=1
#pragma HLS bind_storage variable=local type=ram_2p impl=lutram
beside_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=3 style=flp
    const hls::vector<std::int32_t, 4> z_word = z[i0];
    hls::vector<std::int32_t, 4> local_value;
    for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
      local_value[u0] = local[u0];
    }
    for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
      local[u0 + 1] = local_value[u0] + z_word[u0];
    }
  }
}

// compute: 8 iterations, II 1
void turned() {
#pragma HLS inline off
  std::int32_t local[4][4];
#pragma HLS array_partition variable=local type=complete dim=1
#pragma HLS array_partition variable=local type=complete dim=2
turned_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    std::int32_t local_value[4][4];
#pragma HLS array_partition variable=local_value type=complete dim=0
    for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
      for (int u1 = 0; u1 < 4; ++u1) {
#pragma HLS unroll
        local_value[u0][u1] = local[u0][u1];
      }
    }
    for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
      for (int u1 = 0; u1 < 4; ++u1) {
#pragma HLS unroll
        local[u0][u1] = local_value[u1][u0];
      }
    }
  }
}

} // namespace places_tasks

extern "C" void places(const hls::vector<std::int32_t, 4> *x,
                       const hls::vector<std::int32_t, 4> *z) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  places_tasks::same(x);
  places_tasks::beside(z);
  places_tasks::turned();
}

// The call through which a native run enters 'places'.
#include "places.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int places_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    places(static_cast<const hls::vector<std::int32_t, 4> *>(st_ports[0]),
           static_cast<const hls::vector<std::int32_t, 4> *>(st_ports[1]));
  });
}
