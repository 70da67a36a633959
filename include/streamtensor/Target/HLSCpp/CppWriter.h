//===- CppWriter.h - Indented C++ text --------------------------*- C++ -*-===//

#ifndef STREAMTENSOR_TARGET_HLSCPP_CPPWRITER_H
#define STREAMTENSOR_TARGET_HLSCPP_CPPWRITER_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <cassert>
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
  void outdent() { --depth; }
  unsigned level() const { return depth; }
  void raw(const llvm::Twine &text) { out += text.str(); }
  /// `text {`
  void open(const llvm::Twine &text) {
    line(text + " {");
    ++depth;
  }
  /// `head(item, item) tail`, broken after commas where a line would pass 100 columns.
  void list(const llvm::Twine &head, llvm::ArrayRef<std::string> items, const llvm::Twine &tail) {
    line(wrapped(head.str() + "(", items, ")" + tail.str()));
  }
  /// A function: a list and a block.
  void openFunction(const llvm::Twine &head, llvm::ArrayRef<std::string> parameters) {
    list(head, parameters, " {");
    ++depth;
  }
  /// `}` and what follows it.
  void close(const llvm::Twine &after = "") {
    assert(depth > 0 && "nothing is open");
    --depth;
    line("}" + after);
  }
  void pragma(const llvm::Twine &text) { out += ("#pragma HLS " + text + "\n").str(); }
  void label(const llvm::Twine &name) { out += (name + ":\n").str(); }
  const std::string &str() const { return out; }

private:
  std::string wrapped(std::string text, llvm::ArrayRef<std::string> items,
                      const std::string &tail) const {
    constexpr size_t columns = 100;
    size_t column = 2 * depth + text.size(), margin = column;
    for (auto [position, item] : llvm::enumerate(items)) {
      bool last = position + 1 == items.size();
      size_t width = item.size() + (last ? tail.size() : 1);
      if (position > 0 && column + 1 + width > columns) {
        text += '\n' + std::string(margin, ' ');
        column = margin;
      } else if (position > 0) {
        text += ' ';
        ++column;
      }
      text += item;
      text += last ? "" : ",";
      column += width;
    }
    return text + tail;
  }

  std::string out;
  unsigned depth = 0;
};

} // namespace streamtensor::target

#endif
