// y[i][j] = x[i][j] * gain[i]: rows of 64, eight elements at a time.
#ifndef SCALE_ROWS_H
#define SCALE_ROWS_H

#include "hls_stream.h"
#include "hls_vector.h"

inline void scale_rows(hls::stream<hls::vector<float, 8>> &x, hls::stream<float> &gain,
                       hls::stream<hls::vector<float, 8>> &y) {
  float factor = 0;
scale_rows_row:
  for (int row = 0; row < 32; ++row) {
  scale_rows_column:
    for (int column = 0; column < 8; ++column) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      if (column == 0)
        factor = gain.read();
      const hls::vector<float, 8> token = x.read();
      hls::vector<float, 8> scaled;
      for (int u0 = 0; u0 < 8; ++u0) {
#pragma HLS unroll
        scaled[u0] = token[u0] * factor;
      }
      y.write(scaled);
    }
  }
}

#endif
