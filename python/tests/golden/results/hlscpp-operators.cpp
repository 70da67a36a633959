// Design 'operators': a dataflow region of 5 leaf tasks.
#include "operators.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace operators_tasks {

// load: 8 iterations, II 1
void load(const float *xp, const hls::vector<st::half, 4> *hp,
          const hls::vector<std::int8_t, 4> *ip, const hls::vector<double, 4> *dp,
          hls::stream<float> &x, hls::stream<float> &z, hls::stream<hls::vector<st::half, 4>> &h,
          hls::stream<hls::vector<std::int8_t, 4>> &n, hls::stream<hls::vector<double, 4>> &d) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float xp_word = xp[i0];
    const hls::vector<st::half, 4> hp_word = hp[i0];
    const hls::vector<std::int8_t, 4> ip_word = ip[i0];
    const hls::vector<double, 4> dp_word = dp[i0];
    x.write(xp_word);
    z.write(xp_word);
    h.write(hp_word);
    n.write(ip_word);
    d.write(dp_word);
  }
}

// compute: 8 iterations, II 1
void scalars(hls::stream<float> &x, hls::stream<float> &y) {
#pragma HLS inline off
scalars_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float x_token = x.read();
    const float product = x_token * x_token;
#pragma HLS bind_op variable=product op=fmul impl=maxdsp latency=3
    const float sum = product + x_token;
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
    const float difference = sum - x_token;
#pragma HLS bind_op variable=difference op=fsub impl=fulldsp latency=6
    const float quotient = difference / sum;
#pragma HLS bind_op variable=quotient op=fdiv impl=fabric latency=11
    const float exponential = st::exp(quotient);
#pragma HLS bind_op variable=exponential op=fexp impl=fulldsp latency=9
    const float root = st::sqrt(st::log(exponential));
#pragma HLS bind_op variable=root op=fsqrt impl=fabric latency=11
    const float reciprocal_root = st::rsqrt(root);
#pragma HLS bind_op variable=reciprocal_root op=frsqrt impl=fulldsp latency=16
    y.write((i0 == 0) ? product : reciprocal_root);
  }
}

// compute: 8 iterations, II 1
void lanes(hls::stream<hls::vector<st::half, 4>> &h, hls::stream<hls::vector<std::int8_t, 4>> &n,
           hls::stream<hls::vector<double, 4>> &d, hls::stream<hls::vector<st::half, 4>> &s,
           hls::stream<hls::vector<std::int32_t, 4>> &p, hls::stream<hls::vector<double, 4>> &q) {
#pragma HLS inline off
lanes_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<st::half, 4> h_token = h.read();
    const hls::vector<std::int8_t, 4> n_token = n.read();
    const hls::vector<double, 4> d_token = d.read();
    hls::vector<st::half, 4> sum;
    hls::vector<std::int32_t, 4> converted;
    hls::vector<std::int32_t, 4> product;
    hls::vector<double, 4> product_1;
    for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
      const st::half lane_sum = st::half(h_token[u0] + h_token[u0]);
#pragma HLS bind_op variable=lane_sum op=hadd impl=fulldsp latency=4
      sum[u0] = lane_sum;
      converted[u0] = std::int32_t(n_token[u0]);
      const std::int32_t lane_product = converted[u0] * converted[u0];
#pragma HLS bind_op variable=lane_product op=mul impl=dsp latency=3
      product[u0] = lane_product;
      const double lane_product_1 = d_token[u0] * d_token[u0];
#pragma HLS bind_op variable=lane_product_1 op=dmul impl=maxdsp latency=6
      product_1[u0] = lane_product_1;
    }
    s.write(sum);
    p.write(product);
    q.write(product_1);
  }
}

// compute: 8 iterations, II 1
void free(hls::stream<float> &z, hls::stream<float> &w) {
#pragma HLS inline off
free_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float z_token = z.read();
    const std::int32_t bitcast = st::bit_cast<std::int32_t>(z_token);
    w.write(st::fmod(z_token, st::bit_cast<float>(bitcast * bitcast)));
  }
}

// store: 8 iterations, II 1
void store(hls::stream<float> &y, hls::stream<float> &w, hls::stream<hls::vector<st::half, 4>> &s,
           hls::stream<hls::vector<std::int32_t, 4>> &p, hls::stream<hls::vector<double, 4>> &q,
           float *yp, float *wp, hls::vector<st::half, 4> *sp, hls::vector<std::int32_t, 4> *pp,
           hls::vector<double, 4> *qp) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float y_token = y.read();
    const float w_token = w.read();
    const hls::vector<st::half, 4> s_token = s.read();
    const hls::vector<std::int32_t, 4> p_token = p.read();
    const hls::vector<double, 4> q_token = q.read();
    yp[i0] = y_token;
    wp[i0] = w_token;
    sp[i0] = s_token;
    pp[i0] = p_token;
    qp[i0] = q_token;
  }
}

} // namespace operators_tasks

extern "C" void operators(const float *xp, const hls::vector<st::half, 4> *hp,
                          const hls::vector<std::int8_t, 4> *ip, const hls::vector<double, 4> *dp,
                          float *yp, float *wp, hls::vector<st::half, 4> *sp,
                          hls::vector<std::int32_t, 4> *pp, hls::vector<double, 4> *qp) {
#pragma HLS interface mode=m_axi port=xp bundle=gmem_xp offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=hp bundle=gmem_hp offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=ip bundle=gmem_ip offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=dp bundle=gmem_dp offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=yp bundle=gmem_yp offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=wp bundle=gmem_wp offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=sp bundle=gmem_sp offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=pp bundle=gmem_pp offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=qp bundle=gmem_qp offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=xp bundle=control
#pragma HLS interface mode=s_axilite port=hp bundle=control
#pragma HLS interface mode=s_axilite port=ip bundle=control
#pragma HLS interface mode=s_axilite port=dp bundle=control
#pragma HLS interface mode=s_axilite port=yp bundle=control
#pragma HLS interface mode=s_axilite port=wp bundle=control
#pragma HLS interface mode=s_axilite port=sp bundle=control
#pragma HLS interface mode=s_axilite port=pp bundle=control
#pragma HLS interface mode=s_axilite port=qp bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> x("x");
#pragma HLS stream variable=x depth=2
#pragma HLS bind_storage variable=x type=fifo impl=srl
  hls::stream<float> z("z");
#pragma HLS stream variable=z depth=2
#pragma HLS bind_storage variable=z type=fifo impl=srl
  hls::stream<float> y("y");
#pragma HLS stream variable=y depth=2
#pragma HLS bind_storage variable=y type=fifo impl=srl
  hls::stream<float> w("w");
#pragma HLS stream variable=w depth=8
#pragma HLS bind_storage variable=w type=fifo impl=srl
  hls::stream<hls::vector<st::half, 4>> h("h");
#pragma HLS stream variable=h depth=2
#pragma HLS bind_storage variable=h type=fifo impl=srl
  hls::stream<hls::vector<std::int8_t, 4>> n("n");
#pragma HLS stream variable=n depth=2
#pragma HLS bind_storage variable=n type=fifo impl=srl
  hls::stream<hls::vector<double, 4>> d("d");
#pragma HLS stream variable=d depth=2
#pragma HLS bind_storage variable=d type=fifo impl=srl
  hls::stream<hls::vector<st::half, 4>> s("s");
#pragma HLS stream variable=s depth=4
#pragma HLS bind_storage variable=s type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 4>> p("p");
#pragma HLS stream variable=p depth=5
#pragma HLS bind_storage variable=p type=fifo impl=srl
  hls::stream<hls::vector<double, 4>> q("q");
#pragma HLS stream variable=q depth=2
#pragma HLS bind_storage variable=q type=fifo impl=srl

  operators_tasks::load(xp, hp, ip, dp, x, z, h, n, d);
  operators_tasks::scalars(x, y);
  operators_tasks::lanes(h, n, d, s, p, q);
  operators_tasks::free(z, w);
  operators_tasks::store(y, w, s, p, q, yp, wp, sp, pp, qp);
}

// The call through which a native run enters 'operators'.
#include "operators.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int operators_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    operators(static_cast<const float *>(st_ports[0]),
              static_cast<const hls::vector<st::half, 4> *>(st_ports[1]),
              static_cast<const hls::vector<std::int8_t, 4> *>(st_ports[2]),
              static_cast<const hls::vector<double, 4> *>(st_ports[3]),
              static_cast<float *>(st_ports[4]), static_cast<float *>(st_ports[5]),
              static_cast<hls::vector<st::half, 4> *>(st_ports[6]),
              static_cast<hls::vector<std::int32_t, 4> *>(st_ports[7]),
              static_cast<hls::vector<double, 4> *>(st_ports[8]));
  });
}
