// Design 'cache': a dataflow region of 2 leaf tasks.
#include "cache.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace cache_tasks {

// store: 2 iterations, II 1
void append(const hls::vector<std::int32_t, 2> *new_s0, const hls::vector<std::int32_t, 2> *new_s1,
            hls::vector<std::int32_t, 4> *kv_written, hls::stream<bool> &done) {
#pragma HLS inline off
append_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
#pragma HLS pipeline II=1 style=flp
    hls::vector<std::int32_t, 2> new_s0_word[2];
#pragma HLS array_partition variable=new_s0_word type=complete dim=0
    new_s0_word[0] = new_s0[i0];
    new_s0_word[1] = new_s1[i0];
    hls::vector<std::int32_t, 4> new_s0_value;
    for (int u1 = 0; u1 < 4; ++u1) {
#pragma HLS unroll
      new_s0_value[u1] = new_s0_word[u1 / 2][u1 % 2];
    }
    kv_written[i0 + 2] = new_s0_value;
    if (i0 == 1) {
      done.write(true);
    }
  }
}

// load: 4 iterations, II 1
void read(hls::stream<bool> &done, const hls::vector<std::int32_t, 4> *kv_read,
          hls::vector<std::int32_t, 4> *y) {
#pragma HLS inline off
  bool done_token;
read_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
#pragma HLS pipeline II=1 style=flp
    if (i0 == 0) {
      done_token = done.read();
    }
    const hls::vector<std::int32_t, 4> kv_read_word = kv_read[i0];
    y[i0] = kv_read_word;
  }
}

} // namespace cache_tasks

extern "C" void cache(const hls::vector<std::int32_t, 2> *new_s0,
                      const hls::vector<std::int32_t, 2> *new_s1,
                      hls::vector<std::int32_t, 4> *kv_written,
                      const hls::vector<std::int32_t, 4> *kv_read,
                      hls::vector<std::int32_t, 4> *y) {
#pragma HLS interface mode=m_axi port=new_s0 bundle=gmem_0 offset=slave depth=2 max_read_burst_length=2 num_read_outstanding=12
#pragma HLS interface mode=m_axi port=new_s1 bundle=gmem_1 offset=slave depth=2 max_read_burst_length=2 num_read_outstanding=12
#pragma HLS interface mode=m_axi port=kv_written bundle=gmem_kv offset=slave depth=4 max_write_burst_length=2 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=kv_read bundle=gmem_kv offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=4 max_write_burst_length=4 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=new_s0 bundle=control
#pragma HLS interface mode=s_axilite port=new_s1 bundle=control
#pragma HLS interface mode=s_axilite port=kv_written bundle=control
#pragma HLS interface mode=s_axilite port=kv_read bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<bool> done("done");
#pragma HLS stream variable=done depth=2
#pragma HLS bind_storage variable=done type=fifo impl=srl

  cache_tasks::append(new_s0, new_s1, kv_written, done);
  cache_tasks::read(done, kv_read, y);
}

// The call through which a native run enters 'cache'.
#include "cache.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int cache_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    cache(static_cast<const hls::vector<std::int32_t, 2> *>(st_ports[0]),
          static_cast<const hls::vector<std::int32_t, 2> *>(st_ports[1]),
          static_cast<hls::vector<std::int32_t, 4> *>(st_ports[2]),
          static_cast<const hls::vector<std::int32_t, 4> *>(st_ports[3]),
          static_cast<hls::vector<std::int32_t, 4> *>(st_ports[4]));
  });
}
