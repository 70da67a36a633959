// Design 'multiplexers': a dataflow region of 7 leaf tasks.
#include "multiplexers.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace multiplexers_tasks {

// load: 16 iterations, II 1
void load(const float *x, hls::stream<float> &a, hls::stream<float> &b) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float x_word = x[i0];
    a.write(x_word);
    b.write(x_word);
  }
}

// compute: 32 iterations, II 1 in first, then II 1 in second
void operands(hls::stream<float> &a, hls::stream<float> &b, hls::stream<float> &c,
              hls::stream<float> &d) {
#pragma HLS inline off
operands_first_i0:
  for (int first_i0 = 0; first_i0 < 16; ++first_i0) {
#pragma HLS pipeline II=1 style=flp
    const float a_token = a.read();
    const float product_1 = a_token * a_token;
#pragma HLS bind_op variable=product_1 op=fmul impl=maxdsp latency=3
    c.write(product_1);
  }
operands_second_i0:
  for (int second_i0 = 0; second_i0 < 16; ++second_i0) {
#pragma HLS pipeline II=1 style=flp
    const float b_token = b.read();
    const float product_2 = b_token * b_token;
#pragma HLS bind_op variable=product_2 op=fmul impl=maxdsp latency=3
    d.write(product_2);
  }
}

// compute: 32 iterations, II 1 in first, then II 1 in second
void join(hls::stream<float> &c, hls::stream<float> &d, hls::stream<float> &e) {
#pragma HLS inline off
join_first_i0:
  for (int first_i0 = 0; first_i0 < 16; ++first_i0) {
#pragma HLS pipeline II=1 style=flp
    const float c_token = c.read();
    e.write(c_token);
  }
join_second_i0:
  for (int second_i0 = 0; second_i0 < 16; ++second_i0) {
#pragma HLS pipeline II=1 style=flp
    const float d_token = d.read();
    e.write(d_token);
  }
}

// compute: 32 iterations, II 1 in first, then II 1 in second
void product(hls::stream<float> &e, hls::stream<float> &f) {
#pragma HLS inline off
product_first_i0:
  for (int first_i0 = 0; first_i0 < 16; ++first_i0) {
#pragma HLS pipeline II=1 style=flp
    const float e_token = e.read();
    const float product_1 = e_token * e_token;
#pragma HLS bind_op variable=product_1 op=fmul impl=maxdsp latency=3
    f.write(product_1);
  }
product_second_i0:
  for (int second_i0 = 0; second_i0 < 16; ++second_i0) {
#pragma HLS pipeline II=1 style=flp
    const float e_token_1 = e.read();
    const float product_2 = e_token_1 * e_token_1;
#pragma HLS bind_op variable=product_2 op=fmul impl=maxdsp latency=3
    f.write(product_2);
  }
}

// compute: 32 iterations, II 1 in first, then II 1 in second
void written(hls::stream<float> &f, hls::stream<float> &g) {
#pragma HLS inline off
written_first_i0:
  for (int first_i0 = 0; first_i0 < 16; ++first_i0) {
#pragma HLS pipeline II=1 style=flp
    const float f_token = f.read();
    const float product_1 = f_token * f_token;
#pragma HLS bind_op variable=product_1 op=fmul impl=maxdsp latency=3
    g.write(product_1);
  }
written_second_i0:
  for (int second_i0 = 0; second_i0 < 16; ++second_i0) {
#pragma HLS pipeline II=1 style=flp
    const float f_token_1 = f.read();
    const float product_2 = f_token_1 * f_token_1;
#pragma HLS bind_op variable=product_2 op=fmul impl=maxdsp latency=3
    g.write(f_token_1);
  }
}

// compute: 32 iterations, II 1 in first, then II 1 in second
void logic(hls::stream<float> &g, hls::stream<std::int32_t> &h) {
#pragma HLS inline off
logic_first_i0:
  for (int first_i0 = 0; first_i0 < 16; ++first_i0) {
#pragma HLS pipeline II=1 style=flp
    const float g_token = g.read();
    h.write(st::bit_cast<std::int32_t>(g_token) & 3);
  }
logic_second_i0:
  for (int second_i0 = 0; second_i0 < 16; ++second_i0) {
#pragma HLS pipeline II=1 style=flp
    const float g_token_1 = g.read();
    h.write(std::int32_t(second_i0) & 5);
  }
}

// store: 32 iterations, II 1
void store(hls::stream<std::int32_t> &h, std::int32_t *y) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 32; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const std::int32_t h_token = h.read();
    y[i0] = h_token;
  }
}

} // namespace multiplexers_tasks

extern "C" void multiplexers(const float *x, std::int32_t *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=32 max_read_burst_length=16 num_read_outstanding=5
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=32 max_write_burst_length=32 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> a("a");
#pragma HLS stream variable=a depth=2
#pragma HLS bind_storage variable=a type=fifo impl=srl
  hls::stream<float> b("b");
#pragma HLS stream variable=b depth=16
#pragma HLS bind_storage variable=b type=fifo impl=srl
  hls::stream<float> c("c");
#pragma HLS stream variable=c depth=2
#pragma HLS bind_storage variable=c type=fifo impl=srl
  hls::stream<float> d("d");
#pragma HLS stream variable=d depth=2
#pragma HLS bind_storage variable=d type=fifo impl=srl
  hls::stream<float> e("e");
#pragma HLS stream variable=e depth=2
#pragma HLS bind_storage variable=e type=fifo impl=srl
  hls::stream<float> f("f");
#pragma HLS stream variable=f depth=2
#pragma HLS bind_storage variable=f type=fifo impl=srl
  hls::stream<float> g("g");
#pragma HLS stream variable=g depth=2
#pragma HLS bind_storage variable=g type=fifo impl=srl
  hls::stream<std::int32_t> h("h");
#pragma HLS stream variable=h depth=2
#pragma HLS bind_storage variable=h type=fifo impl=srl

  multiplexers_tasks::load(x, a, b);
  multiplexers_tasks::operands(a, b, c, d);
  multiplexers_tasks::join(c, d, e);
  multiplexers_tasks::product(e, f);
  multiplexers_tasks::written(f, g);
  multiplexers_tasks::logic(g, h);
  multiplexers_tasks::store(h, y);
}

// The call through which a native run enters 'multiplexers'.
#include "multiplexers.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int multiplexers_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    multiplexers(static_cast<const float *>(st_ports[0]), static_cast<std::int32_t *>(st_ports[1]));
  });
}
