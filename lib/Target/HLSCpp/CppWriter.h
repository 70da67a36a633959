//===- CppWriter.h - Indented C++ text --------------------------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_TARGET_HLSCPP_CPPWRITER_H
#define STREAMTENSOR_LIB_TARGET_HLSCPP_CPPWRITER_H

#include "llvm/ADT/Twine.h"

#include <string>

namespace streamtensor::target {

/// Collects lines of C++; blocks indent by two spaces, pragmas and labels stand where
/// HLS users look for them.
class CppWriter {
public:
  void line(const llvm::Twine &text) {
    out.append(2 * depth, ' ');
    out += text.str();
    out += '\n';
  }
  void blank() { out += '\n'; }
  void indent() { ++depth; }
  void raw(const llvm::Twine &text) { out += text.str(); }
  /// `text {`
  void open(const llvm::Twine &text) {
    line(text + " {");
    ++depth;
  }
  /// `}` and what follows it.
  void close(const llvm::Twine &after = "") {
    --depth;
    line("}" + after);
  }
  void pragma(const llvm::Twine &text) { out += ("#pragma HLS " + text + "\n").str(); }
  void label(const llvm::Twine &name) { out += (name + ":\n").str(); }
  const std::string &str() const { return out; }

private:
  std::string out;
  unsigned depth = 0;
};

} // namespace streamtensor::target

#endif
