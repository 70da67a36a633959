//===- st_links.h - Streams between kernels ---------------------*- C++ -*-===//
//
// A token on its way from kernel to kernel is a word of an AXI stream, which has whole bytes: the
// bits of the token, and above them zeros. Native runs hand on the token as it is, which is quick.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_RUNTIME_ST_LINKS_H
#define STREAMTENSOR_RUNTIME_ST_LINKS_H

#include "st_tokens.h"

#include "hls_stream.h"

#ifndef __SYNTHESIS__
#include <stdexcept>
#include <string>
#endif

namespace st {

#if defined(__SYNTHESIS__) || defined(ST_VITIS)
template <typename Token> using Link = ap_uint<(TokenBits<Token>::width + 7) / 8 * 8>;
template <typename Token> inline Link<Token> to_link(const Token &token) {
  return TokenBits<Token>::get(token);
}
template <typename Token> inline Token from_link(const Link<Token> &word) {
  const ap_uint<TokenBits<Token>::width> bits = word;
  return TokenBits<Token>::make(bits);
}
#else
template <typename Token> using Link = Token;
template <typename Token> inline const Token &to_link(const Token &token) { return token; }
template <typename Token> inline Token from_link(const Token &word) { return word; }
#endif

#ifndef __SYNTHESIS__
/// A stream between two kernels where all run together, their tasks called one after the other. C
/// simulation notes what passes: afterwards it calls each kernel by itself, with what that took
/// from the others, and compares what it gives.
template <typename Word> class LinkInC {
public:
  LinkInC(const char *name) : written(name), read(name), taken(name), given(name), name(name) {}

  /// The ends.
  hls::stream<Word> written, read;
  /// What the kernel that reads is called with.
  hls::stream<Word> taken;

  /// Hands on what was written.
  void pass() {
    while (!written.empty()) {
      const Word word = written.read();
#ifdef ST_VITIS
      taken.write(word);
      given.write(word);
#endif
      read.write(word);
    }
  }
  /// Throws if a kernel gave something else than all together.
  void compare(hls::stream<Word> &found) {
    for (long count = 0; !given.empty() || !found.empty(); ++count)
      if (given.empty() || found.empty() || given.read() != found.read())
        throw std::runtime_error("token " + std::to_string(count) + " of the stream '" + name +
                                 "' is not what it is where all kernels run together");
  }

private:
  hls::stream<Word> given;
  std::string name;
};
#endif

} // namespace st

#endif
