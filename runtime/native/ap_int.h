//===- ap_int.h - The open ap_int, quick in native runs ---------*- C++ -*-===//
//
// The open headers cut a number to its width in a member function of a volatile
// object. Each store then goes through memory, lane by lane, and no loop over
// lanes of small integers becomes vector code: native runs of int4 weights took
// three times as long. Here the same function works on the object as it is, which
// no generated code declares volatile.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_RUNTIME_AP_INT_H
#define STREAMTENSOR_RUNTIME_AP_INT_H

// As in Vitis' own; the open headers take any width.
#ifndef AP_INT_MAX_W
#define AP_INT_MAX_W 1024
#endif
#include_next "ap_int.h"

#include <cstdint>
#include <type_traits>

#define ST_CUT_TO_WIDTH(W, S)                                                                      \
  template <>                                                                                      \
  inline __attribute__((always_inline)) void ap_private<W, S, true>::clearUnusedBits() volatile {  \
    auto &value = const_cast<ap_private<W, S, true> *>(this)->VAL;                                 \
    using Wide = std::conditional_t<S, std::int64_t, std::uint64_t>;                               \
    value = static_cast<ValType>(static_cast<Wide>(static_cast<Wide>(value) << (64 - (W))) >>      \
                                 (64 - (W)));                                                      \
  }
#define ST_CUT_BOTH(W) ST_CUT_TO_WIDTH(W, true) ST_CUT_TO_WIDTH(W, false)
#define ST_CUT_EIGHT(W)                                                                            \
  ST_CUT_BOTH(W)                                                                                   \
  ST_CUT_BOTH(W + 1)                                                                               \
  ST_CUT_BOTH(W + 2)                                                                               \
  ST_CUT_BOTH(W + 3)                                                                               \
  ST_CUT_BOTH(W + 4)                                                                               \
  ST_CUT_BOTH(W + 5)                                                                               \
  ST_CUT_BOTH(W + 6)                                                                               \
  ST_CUT_BOTH(W + 7)
ST_CUT_EIGHT(1)
ST_CUT_EIGHT(9)
ST_CUT_EIGHT(17)
ST_CUT_EIGHT(25)
ST_CUT_EIGHT(33)
ST_CUT_EIGHT(41)
ST_CUT_EIGHT(49)
ST_CUT_EIGHT(57)
#undef ST_CUT_EIGHT
#undef ST_CUT_BOTH
#undef ST_CUT_TO_WIDTH

#endif
