// Design 'columns': a dataflow region of 4 leaf tasks.
#include "columns.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace columns_tasks {

using columns_block_block_t = float[1024][64];

// compute: 65536 iterations, II 1
void f_give(hls::stream<float> &f) {
#pragma HLS inline off
f_give_i0:
  for (int i0 = 0; i0 < 65536; ++i0) {
#pragma HLS pipeline II=1 style=flp
    f.write(1.0f);
  }
}

// convert_in: 65536 iterations, II 1
void in(hls::stream<float> &f, hls::stream_of_blocks<columns_block_block_t, 1> &columns_block) {
#pragma HLS inline off
  hls::write_lock<columns_block_block_t> columns_block_block(columns_block);
in_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
in_i1:
    for (int i1 = 0; i1 < 1024; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float f_token = f.read();
      columns_block_block[i1][i0] = f_token;
    }
  }
}

// convert_out: 8192 iterations, II 1
void out(hls::stream_of_blocks<columns_block_block_t, 1> &columns_block,
         hls::stream<hls::vector<float, 8>> &g) {
#pragma HLS inline off
  hls::read_lock<columns_block_block_t> columns_block_block(columns_block);
out_i0:
  for (int i0 = 0; i0 < 1024; ++i0) {
out_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      hls::vector<float, 8> columns_block_block_value;
      for (int u1 = 0; u1 < 8; ++u1) {
#pragma HLS unroll
        columns_block_block_value[u1] = columns_block_block[i0][i1 * 8 + u1];
      }
      g.write(columns_block_block_value);
    }
  }
}

// compute: 8192 iterations, II 1
void g_take(hls::stream<hls::vector<float, 8>> &g) {
#pragma HLS inline off
g_take_i0:
  for (int i0 = 0; i0 < 8192; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 8> g_token = g.read();
  }
}

} // namespace columns_tasks

using namespace columns_tasks;

extern "C" void columns() {
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> f("f");
#pragma HLS stream variable=f depth=2
#pragma HLS bind_storage variable=f type=fifo impl=srl
  hls::stream<hls::vector<float, 8>> g("g");
#pragma HLS stream variable=g depth=2
#pragma HLS bind_storage variable=g type=fifo impl=srl
  hls::stream_of_blocks<columns_block_block_t, 1> columns_block;
#pragma HLS array_partition variable=columns_block type=cyclic factor=8 dim=2
#pragma HLS bind_storage variable=columns_block type=ram_2p impl=uram latency=3

  columns_tasks::f_give(f);
  columns_tasks::in(f, columns_block);
  columns_tasks::out(columns_block, g);
  columns_tasks::g_take(g);
}

// The call through which a native run enters 'columns'.
#include "columns.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int columns_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    const st::BlockNames block_names({"columns_block"});
    columns();
  });
}

// Design 'few': a dataflow region of 4 leaf tasks.
#include "few.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace few_tasks {

using few_block_block_t = float[128][64];

// compute: 8192 iterations, II 1
void f_give(hls::stream<float> &f) {
#pragma HLS inline off
f_give_i0:
  for (int i0 = 0; i0 < 8192; ++i0) {
#pragma HLS pipeline II=1 style=flp
    f.write(1.0f);
  }
}

// convert_in: 8192 iterations, II 1
void in(hls::stream<float> &f, hls::stream_of_blocks<few_block_block_t, 1> &few_block) {
#pragma HLS inline off
  hls::write_lock<few_block_block_t> few_block_block(few_block);
in_i0:
  for (int i0 = 0; i0 < 128; ++i0) {
in_i1:
    for (int i1 = 0; i1 < 64; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float f_token = f.read();
      few_block_block[i0][i1] = f_token;
    }
  }
}

// convert_out: 1024 iterations, II 1
void out(hls::stream_of_blocks<few_block_block_t, 1> &few_block,
         hls::stream<hls::vector<float, 8>> &g) {
#pragma HLS inline off
  hls::read_lock<few_block_block_t> few_block_block(few_block);
out_i0:
  for (int i0 = 0; i0 < 128; ++i0) {
out_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      hls::vector<float, 8> few_block_block_value;
      for (int u1 = 0; u1 < 8; ++u1) {
#pragma HLS unroll
        few_block_block_value[u1] = few_block_block[i0][i1 * 8 + u1];
      }
      g.write(few_block_block_value);
    }
  }
}

// compute: 1024 iterations, II 1
void g_take(hls::stream<hls::vector<float, 8>> &g) {
#pragma HLS inline off
g_take_i0:
  for (int i0 = 0; i0 < 1024; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 8> g_token = g.read();
  }
}

} // namespace few_tasks

using namespace few_tasks;

extern "C" void few() {
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> f("f");
#pragma HLS stream variable=f depth=2
#pragma HLS bind_storage variable=f type=fifo impl=srl
  hls::stream<hls::vector<float, 8>> g("g");
#pragma HLS stream variable=g depth=2
#pragma HLS bind_storage variable=g type=fifo impl=srl
  hls::stream_of_blocks<few_block_block_t, 1> few_block;
#pragma HLS array_partition variable=few_block type=cyclic factor=8 dim=2
#pragma HLS bind_storage variable=few_block type=ram_2p impl=bram latency=2

  few_tasks::f_give(f);
  few_tasks::in(f, few_block);
  few_tasks::out(few_block, g);
  few_tasks::g_take(g);
}

// The call through which a native run enters 'few'.
#include "few.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int few_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    const st::BlockNames block_names({"few_block"});
    few();
  });
}

// Design 'guarded_elements': a dataflow region of 4 leaf tasks.
#include "guarded_elements.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace guarded_elements_tasks {

using guarded_elements_block_block_t = float[1024][64];

// compute: 65536 iterations, II 1
void f_give(hls::stream<float> &f) {
#pragma HLS inline off
f_give_i0:
  for (int i0 = 0; i0 < 65536; ++i0) {
#pragma HLS pipeline II=1 style=flp
    f.write(1.0f);
  }
}

// convert_in: 65536 iterations, II 1
void in(hls::stream<float> &f,
        hls::stream_of_blocks<guarded_elements_block_block_t, 1> &guarded_elements_block) {
#pragma HLS inline off
  hls::write_lock<guarded_elements_block_block_t> guarded_elements_block_block(guarded_elements_block);
in_i0:
  for (int i0 = 0; i0 < 1024; ++i0) {
in_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
in_i2:
      for (int i2 = 0; i2 < 8; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const float f_token = f.read();
        if (i2 <= 6) {
          guarded_elements_block_block[i0][i1 * 8 + i2] = f_token;
        }
      }
    }
  }
}

// convert_out: 8192 iterations, II 1
void out(hls::stream_of_blocks<guarded_elements_block_block_t, 1> &guarded_elements_block,
         hls::stream<hls::vector<float, 8>> &g) {
#pragma HLS inline off
  hls::read_lock<guarded_elements_block_block_t> guarded_elements_block_block(guarded_elements_block);
out_i0:
  for (int i0 = 0; i0 < 1024; ++i0) {
out_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      hls::vector<float, 8> guarded_elements_block_block_value;
      for (int u1 = 0; u1 < 8; ++u1) {
#pragma HLS unroll
        guarded_elements_block_block_value[u1] = guarded_elements_block_block[i0][i1 * 8 + u1];
      }
      g.write(guarded_elements_block_block_value);
    }
  }
}

// compute: 8192 iterations, II 1
void g_take(hls::stream<hls::vector<float, 8>> &g) {
#pragma HLS inline off
g_take_i0:
  for (int i0 = 0; i0 < 8192; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 8> g_token = g.read();
  }
}

} // namespace guarded_elements_tasks

using namespace guarded_elements_tasks;

extern "C" void guarded_elements() {
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> f("f");
#pragma HLS stream variable=f depth=2
#pragma HLS bind_storage variable=f type=fifo impl=srl
  hls::stream<hls::vector<float, 8>> g("g");
#pragma HLS stream variable=g depth=2
#pragma HLS bind_storage variable=g type=fifo impl=srl
  hls::stream_of_blocks<guarded_elements_block_block_t, 1> guarded_elements_block;
#pragma HLS array_partition variable=guarded_elements_block type=cyclic factor=8 dim=2
#pragma HLS bind_storage variable=guarded_elements_block type=ram_2p impl=uram latency=3

  guarded_elements_tasks::f_give(f);
  guarded_elements_tasks::in(f, guarded_elements_block);
  guarded_elements_tasks::out(guarded_elements_block, g);
  guarded_elements_tasks::g_take(g);
}

// The call through which a native run enters 'guarded_elements'.
#include "guarded_elements.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int guarded_elements_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    const st::BlockNames block_names({"guarded_elements_block"});
    guarded_elements();
  });
}

// Design 'guarded_rows': a dataflow region of 4 leaf tasks.
#include "guarded_rows.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace guarded_rows_tasks {

using guarded_rows_block_block_t = float[1024][64];

// compute: 65536 iterations, II 1
void f_give(hls::stream<float> &f) {
#pragma HLS inline off
f_give_i0:
  for (int i0 = 0; i0 < 65536; ++i0) {
#pragma HLS pipeline II=1 style=flp
    f.write(1.0f);
  }
}

// convert_in: 65536 iterations, II 1
void in(hls::stream<float> &f,
        hls::stream_of_blocks<guarded_rows_block_block_t, 1> &guarded_rows_block) {
#pragma HLS inline off
  float local[1][8];
#pragma HLS array_partition variable=local type=complete dim=2
  hls::vector<float, 8> local_value;
  hls::write_lock<guarded_rows_block_block_t> guarded_rows_block_block(guarded_rows_block);
in_i0:
  for (int i0 = 0; i0 < 1024; ++i0) {
in_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
in_i2:
      for (int i2 = 0; i2 < 8; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const float f_token = f.read();
        local[0][i2] = f_token;
        if (i0 <= 1000 && i2 == 7) {
          for (int u1 = 0; u1 < 8; ++u1) {
#pragma HLS unroll
            local_value[u1] = local[0][u1];
          }
        }
        if (i0 <= 1000 && i2 == 7) {
          for (int u1 = 0; u1 < 8; ++u1) {
#pragma HLS unroll
            guarded_rows_block_block[i0][i1 * 8 + u1] = local_value[u1];
          }
        }
      }
    }
  }
}

// convert_out: 8192 iterations, II 1
void out(hls::stream_of_blocks<guarded_rows_block_block_t, 1> &guarded_rows_block,
         hls::stream<hls::vector<float, 8>> &g) {
#pragma HLS inline off
  hls::read_lock<guarded_rows_block_block_t> guarded_rows_block_block(guarded_rows_block);
out_i0:
  for (int i0 = 0; i0 < 1024; ++i0) {
out_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      hls::vector<float, 8> guarded_rows_block_block_value;
      for (int u1 = 0; u1 < 8; ++u1) {
#pragma HLS unroll
        guarded_rows_block_block_value[u1] = guarded_rows_block_block[i0][i1 * 8 + u1];
      }
      g.write(guarded_rows_block_block_value);
    }
  }
}

// compute: 8192 iterations, II 1
void g_take(hls::stream<hls::vector<float, 8>> &g) {
#pragma HLS inline off
g_take_i0:
  for (int i0 = 0; i0 < 8192; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 8> g_token = g.read();
  }
}

} // namespace guarded_rows_tasks

using namespace guarded_rows_tasks;

extern "C" void guarded_rows() {
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> f("f");
#pragma HLS stream variable=f depth=2
#pragma HLS bind_storage variable=f type=fifo impl=srl
  hls::stream<hls::vector<float, 8>> g("g");
#pragma HLS stream variable=g depth=2
#pragma HLS bind_storage variable=g type=fifo impl=srl
  hls::stream_of_blocks<guarded_rows_block_block_t, 1> guarded_rows_block;
#pragma HLS array_reshape variable=guarded_rows_block type=cyclic factor=8 dim=2
#pragma HLS bind_storage variable=guarded_rows_block type=ram_2p impl=uram latency=3

  guarded_rows_tasks::f_give(f);
  guarded_rows_tasks::in(f, guarded_rows_block);
  guarded_rows_tasks::out(guarded_rows_block, g);
  guarded_rows_tasks::g_take(g);
}

// The call through which a native run enters 'guarded_rows'.
#include "guarded_rows.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int guarded_rows_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    const st::BlockNames block_names({"guarded_rows_block"});
    guarded_rows();
  });
}

// Design 'halves': a dataflow region of 4 leaf tasks.
#include "halves.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace halves_tasks {

using halves_block_block_t = float[1024][64];

// compute: 16384 iterations, II 1
void f_give(hls::stream<hls::vector<float, 4>> &f) {
#pragma HLS inline off
f_give_i0:
  for (int i0 = 0; i0 < 16384; ++i0) {
#pragma HLS pipeline II=1 style=flp
    hls::vector<float, 4> f_token;
    for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
      f_token[u0] = 1.0f;
    }
    f.write(f_token);
  }
}

// convert_in: 16384 iterations, II 1
void in(hls::stream<hls::vector<float, 4>> &f,
        hls::stream_of_blocks<halves_block_block_t, 1> &halves_block) {
#pragma HLS inline off
  float local[1][8];
#pragma HLS array_partition variable=local type=complete dim=2
  hls::vector<float, 8> local_value;
  hls::write_lock<halves_block_block_t> halves_block_block(halves_block);
in_i0:
  for (int i0 = 0; i0 < 1024; ++i0) {
in_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
in_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<float, 4> f_token = f.read();
        for (int u1 = 0; u1 < 4; ++u1) {
#pragma HLS unroll
          local[0][i2 * 4 + u1] = f_token[u1];
        }
        if (i2 * 4 == 4) {
          for (int u1 = 0; u1 < 8; ++u1) {
#pragma HLS unroll
            local_value[u1] = local[0][u1];
          }
        }
        if (i2 * 4 == 4) {
          for (int u1 = 0; u1 < 8; ++u1) {
#pragma HLS unroll
            halves_block_block[i0][i1 * 8 + u1] = local_value[u1];
          }
        }
      }
    }
  }
}

// convert_out: 8192 iterations, II 1
void out(hls::stream_of_blocks<halves_block_block_t, 1> &halves_block,
         hls::stream<hls::vector<float, 8>> &g) {
#pragma HLS inline off
  hls::read_lock<halves_block_block_t> halves_block_block(halves_block);
out_i0:
  for (int i0 = 0; i0 < 1024; ++i0) {
out_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      hls::vector<float, 8> halves_block_block_value;
      for (int u1 = 0; u1 < 8; ++u1) {
#pragma HLS unroll
        halves_block_block_value[u1] = halves_block_block[i0][i1 * 8 + u1];
      }
      g.write(halves_block_block_value);
    }
  }
}

// compute: 8192 iterations, II 1
void g_take(hls::stream<hls::vector<float, 8>> &g) {
#pragma HLS inline off
g_take_i0:
  for (int i0 = 0; i0 < 8192; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 8> g_token = g.read();
  }
}

} // namespace halves_tasks

using namespace halves_tasks;

extern "C" void halves() {
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 4>> f("f");
#pragma HLS stream variable=f depth=2
#pragma HLS bind_storage variable=f type=fifo impl=srl
  hls::stream<hls::vector<float, 8>> g("g");
#pragma HLS stream variable=g depth=2
#pragma HLS bind_storage variable=g type=fifo impl=srl
  hls::stream_of_blocks<halves_block_block_t, 1> halves_block;
#pragma HLS array_reshape variable=halves_block type=cyclic factor=8 dim=2
#pragma HLS bind_storage variable=halves_block type=ram_2p impl=uram latency=3

  halves_tasks::f_give(f);
  halves_tasks::in(f, halves_block);
  halves_tasks::out(halves_block, g);
  halves_tasks::g_take(g);
}

// The call through which a native run enters 'halves'.
#include "halves.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int halves_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    const st::BlockNames block_names({"halves_block"});
    halves();
  });
}
