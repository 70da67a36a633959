// Design 'cache': a dataflow region of 4 leaf tasks.
#include "cache.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace cache_tasks {

// load: at most 1024 iterations, II 1
void keys_load(const hls::vector<std::int8_t, 64> *keys_read_s0,
               const hls::vector<std::int8_t, 64> *keys_read_s1,
               hls::stream<hls::vector<std::int8_t, 128>> &keys_load_words, hls::stream<bool> &read,
               int blocks) {
#pragma HLS inline off
keys_load_i0:
  for (int i0 = 0; i0 < 32; ++i0) {
keys_load_i1:
    for (int i1 = 0; i1 < blocks; ++i1) {
#pragma HLS loop_tripcount max=16
#pragma HLS loop_flatten off
keys_load_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        hls::vector<std::int8_t, 64> keys_read_s0_word[2];
#pragma HLS array_partition variable=keys_read_s0_word type=complete dim=0
        keys_read_s0_word[0] = keys_read_s0[i0 * 32 + i1 * 2 + i2];
        keys_read_s0_word[1] = keys_read_s1[i0 * 32 + i1 * 2 + i2];
        hls::vector<std::int8_t, 128> keys_read_s0_value;
        for (int u2 = 0; u2 < 128; ++u2) {
#pragma HLS unroll
          keys_read_s0_value[u2] = keys_read_s0_word[u2 / 64][u2 % 64];
        }
        keys_load_words.write(keys_read_s0_value);
        if (i0 == 31 && i1 == blocks - 1 && i2 == 1) {
          read.write(true);
        }
      }
    }
  }
}

// regroup: at most 1024 iterations, II 1
void keys_load_regroup(hls::stream<hls::vector<std::int8_t, 128>> &keys_load_words,
                       hls::stream<hls::vector<std::int8_t, 256>> &fifo, int blocks) {
#pragma HLS inline off
  std::int8_t local[256];
#pragma HLS array_partition variable=local type=complete dim=1
  hls::vector<std::int8_t, 256> local_value;
  int i0 = 0;
  int i1 = 0;
  int i2 = 0;
keys_load_regroup_iteration:
  for (int iteration = 0; iteration < 32 * blocks * 2; ++iteration) {
#pragma HLS loop_tripcount max=1024
#pragma HLS pipeline II=1 style=flp
    const hls::vector<std::int8_t, 128> keys_load_words_token = keys_load_words.read();
    for (int u0 = 0; u0 < 128; ++u0) {
#pragma HLS unroll
      local[i2 * 128 + u0] = keys_load_words_token[u0];
    }
    if (i2 == 1) {
      for (int u0 = 0; u0 < 256; ++u0) {
#pragma HLS unroll
        local_value[u0] = local[u0];
      }
    }
    if (i2 == 1) {
      hls::vector<std::int8_t, 256> fifo_token;
      for (int u0 = 0; u0 < 256; ++u0) {
#pragma HLS unroll
        fifo_token[u0] = local_value[(((u0 / 64) * 64 + u0 % 64) / 128) * 128 + ((u0 / 64) * 64 + u0 % 64) % 128];
      }
      fifo.write(fifo_token);
    }
    if (++i2 == 2) {
      i2 = 0;
      if (++i1 == blocks) {
        i1 = 0;
        ++i0;
      }
    }
  }
}

// store: at most 2048 iterations, II 1
void take(hls::stream<hls::vector<std::int8_t, 256>> &fifo, hls::vector<std::int8_t, 64> *y,
          int blocks) {
#pragma HLS inline off
  std::int8_t local[256];
#pragma HLS array_partition variable=local type=complete dim=1
  hls::vector<std::int8_t, 256> fifo_token;
take_i0:
  for (int i0 = 0; i0 < 32; ++i0) {
take_i1:
    for (int i1 = 0; i1 < blocks; ++i1) {
#pragma HLS loop_tripcount max=16
#pragma HLS loop_flatten off
take_i2:
      for (int i2 = 0; i2 < 4; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        if (i2 == 0) {
          fifo_token = fifo.read();
        }
        if (i2 == 0) {
          for (int u0 = 0; u0 < 256; ++u0) {
#pragma HLS unroll
            local[u0] = fifo_token[u0];
          }
        }
        hls::vector<std::int8_t, 64> y_word;
        for (int u2 = 0; u2 < 64; ++u2) {
#pragma HLS unroll
          y_word[u2] = local[i2 * 64 + u2];
        }
        y[i0 * 64 + i1 * 4 + i2] = y_word;
      }
    }
  }
}

// store: at most 32 iterations, II 1
void rows_store(hls::stream<bool> &read, const hls::vector<std::int8_t, 64> *new_1,
                hls::vector<std::int8_t, 64> *keys_written_s0,
                hls::vector<std::int8_t, 64> *keys_written_s1, int blocks) {
#pragma HLS inline off
  bool read_token;
rows_store_i0:
  for (int i0 = 0; i0 < 32; ++i0) {
#pragma HLS pipeline II=1 style=flp
    if (i0 == 0) {
      read_token = read.read();
    }
    const hls::vector<std::int8_t, 64> new_1_word = new_1[i0];
    if (1 == 0) {
      keys_written_s0[i0 * 32 + blocks * 2 - 1] = new_1_word;
    }
    else if (1 == 1) {
      keys_written_s1[i0 * 32 + blocks * 2 - 1] = new_1_word;
    }
  }
}

} // namespace cache_tasks

extern "C" void cache(const hls::vector<std::int8_t, 64> *new_1,
                      const hls::vector<std::int8_t, 64> *keys_read_s0,
                      const hls::vector<std::int8_t, 64> *keys_read_s1,
                      hls::vector<std::int8_t, 64> *keys_written_s0,
                      hls::vector<std::int8_t, 64> *keys_written_s1,
                      hls::vector<std::int8_t, 64> *y, int blocks) {
#pragma HLS interface mode=m_axi port=new_1 bundle=gmem_new offset=slave depth=32 max_read_burst_length=32 num_read_outstanding=4
#pragma HLS interface mode=m_axi port=keys_read_s0 bundle=gmem_keys_s0 offset=slave depth=1024 max_read_burst_length=32 num_read_outstanding=4
#pragma HLS interface mode=m_axi port=keys_read_s1 bundle=gmem_keys_s1 offset=slave depth=1024 max_read_burst_length=32 num_read_outstanding=4
#pragma HLS interface mode=m_axi port=keys_written_s0 bundle=gmem_keys_s0 offset=slave depth=1024 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=keys_written_s1 bundle=gmem_keys_s1 offset=slave depth=1024 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=2048 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=new_1 bundle=control
#pragma HLS interface mode=s_axilite port=keys_read_s0 bundle=control
#pragma HLS interface mode=s_axilite port=keys_read_s1 bundle=control
#pragma HLS interface mode=s_axilite port=keys_written_s0 bundle=control
#pragma HLS interface mode=s_axilite port=keys_written_s1 bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=blocks bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<std::int8_t, 256>> fifo("fifo");
#pragma HLS stream variable=fifo depth=32
#pragma HLS bind_storage variable=fifo type=fifo impl=lutram
  hls::stream<bool> read("read");
#pragma HLS stream variable=read depth=2
#pragma HLS bind_storage variable=read type=fifo impl=srl
  hls::stream<hls::vector<std::int8_t, 128>> keys_load_words("keys_load_words");
#pragma HLS stream variable=keys_load_words depth=2
#pragma HLS bind_storage variable=keys_load_words type=fifo impl=srl

  cache_tasks::keys_load(keys_read_s0, keys_read_s1, keys_load_words, read, blocks);
  cache_tasks::keys_load_regroup(keys_load_words, fifo, blocks);
  cache_tasks::take(fifo, y, blocks);
  cache_tasks::rows_store(read, new_1, keys_written_s0, keys_written_s1, blocks);
}

// The call through which a native run enters 'cache'.
#include "cache.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int cache_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    cache(static_cast<const hls::vector<std::int8_t, 64> *>(st_ports[0]),
          static_cast<const hls::vector<std::int8_t, 64> *>(st_ports[1]),
          static_cast<const hls::vector<std::int8_t, 64> *>(st_ports[2]),
          static_cast<hls::vector<std::int8_t, 64> *>(st_ports[3]),
          static_cast<hls::vector<std::int8_t, 64> *>(st_ports[4]),
          static_cast<hls::vector<std::int8_t, 64> *>(st_ports[5]),
          st::scalar("blocks", st_ports[6], 1, 16));
  });
}
