//===- st_layout.h - Tensors as memory has them -----------------*- C++ -*-===//
//
// What a host does to a tensor before a design reads it, and the inverse: the order of tiles
// (pack), integers that share bytes, the parts of stripes. Used by every host program alike.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_RUNTIME_ST_LAYOUT_H
#define STREAMTENSOR_RUNTIME_ST_LAYOUT_H

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace st {

/// Memory that begins at a page: what a driver asks for, and wide enough for any word of a port.
template <typename T> struct PageAllocator {
  using value_type = T;
  static constexpr std::size_t pageBytes = 4096;

  PageAllocator() = default;
  template <typename Other> PageAllocator(const PageAllocator<Other> &) {}
  T *allocate(std::size_t count) {
    std::size_t bytes = (count * sizeof(T) + pageBytes - 1) / pageBytes * pageBytes;
    if (void *memory = std::aligned_alloc(pageBytes, std::max(bytes, pageBytes)))
      return static_cast<T *>(memory);
    throw std::bad_alloc();
  }
  void deallocate(T *memory, std::size_t) { std::free(memory); }
  bool operator==(const PageAllocator &) const { return true; }
  bool operator!=(const PageAllocator &) const { return false; }
};

using Bytes = std::vector<char, PageAllocator<char>>;

/// Raw tensors in files of one directory.
class Directory {
public:
  explicit Directory(std::string path) : path(std::move(path)) {}

  std::string of(const std::string &file) const { return path + "/" + file; }
  /// A file of exactly `size` bytes.
  Bytes read(const std::string &file, std::size_t size) const {
    std::ifstream stream(of(file), std::ios::binary | std::ios::ate);
    if (!stream)
      throw std::runtime_error("there is no file '" + of(file) + "'");
    std::size_t found = static_cast<std::size_t>(stream.tellg());
    if (found != size)
      throw std::runtime_error("'" + of(file) + "' holds " + std::to_string(found) +
                               " bytes; the design takes " + std::to_string(size));
    Bytes bytes(size);
    stream.seekg(0);
    if (!stream.read(bytes.data(), static_cast<std::streamsize>(size)))
      throw std::runtime_error("'" + of(file) + "' cannot be read");
    return bytes;
  }
  void write(const std::string &file, const Bytes &bytes) const {
    std::ofstream stream(of(file), std::ios::binary);
    if (!stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush())
      throw std::runtime_error("'" + of(file) + "' cannot be written");
  }

private:
  std::string path;
};

/// How a packed tensor lies: element (i0, i1, ...) is element offset + i0 * strides[0] + ... of the
/// row-major one. Of the last dimension only the first `lanes` elements are data, unless that is 0.
struct Layout {
  std::vector<long> shape, strides;
  long offset, lanes;
  long element_bytes;
};

/// Calls `visit` with the byte positions of each element in the packed and in the row-major tensor.
template <typename Visit> void for_each_element(const Layout &layout, Visit &&visit) {
  std::vector<long> index(layout.shape.size(), 0);
  long count = 1;
  for (long extent : layout.shape)
    count *= extent;
  for (long place = 0; place < count; ++place) {
    long element = layout.offset;
    for (std::size_t dim = 0; dim < index.size(); ++dim)
      element += index[dim] * layout.strides[dim];
    if (layout.lanes == 0 || index.back() < layout.lanes)
      visit(place * layout.element_bytes, element * layout.element_bytes);
    for (std::size_t dim = index.size(); dim-- > 0 && ++index[dim] == layout.shape[dim];)
      index[dim] = 0;
  }
}

inline void pack(Bytes &packed, const Bytes &data, const Layout &layout) {
  for_each_element(layout, [&](long place, long element) {
    std::copy_n(data.begin() + element, layout.element_bytes, packed.begin() + place);
  });
}

inline void unpack(Bytes &data, const Bytes &packed, const Layout &layout) {
  for_each_element(layout, [&](long place, long element) {
    std::copy_n(packed.begin() + place, layout.element_bytes, data.begin() + element);
  });
}

/// Integers of `bits`, one to a byte, as the memory of a card has them: the first in the lowest
/// bits of a byte that they share.
inline Bytes share_bytes(const Bytes &wide, int bits) {
  const int each = 8 / bits;
  Bytes shared(wide.size() / each);
  for (std::size_t place = 0; place < shared.size() * each; ++place)
    shared[place / each] |= (wide[place] & ((1 << bits) - 1)) << bits * (place % each);
  return shared;
}

/// The inverse; elements are extended by their signs.
inline Bytes own_bytes(const Bytes &shared, int bits) {
  const int each = 8 / bits;
  Bytes wide(shared.size() * each);
  for (std::size_t place = 0; place < wide.size(); ++place) {
    const int up = shared[place / each] << (8 - bits - bits * (place % each));
    wide[place] = static_cast<char>(static_cast<signed char>(up) >> (8 - bits));
  }
  return wide;
}

/// The parts of a striped tensor: stripe k holds the k-th `bytes` of each row.
inline std::vector<Bytes> split(const Bytes &data, long stripes, long bytes) {
  std::vector<Bytes> parts(stripes);
  for (std::size_t place = 0; place < data.size(); place += bytes) {
    Bytes &part = parts[place / bytes % stripes];
    part.insert(part.end(), data.begin() + place, data.begin() + place + bytes);
  }
  return parts;
}

inline void merge(Bytes &data, const std::vector<Bytes> &parts, long bytes) {
  for (std::size_t place = 0; place < data.size(); place += bytes) {
    std::size_t row = place / bytes / parts.size();
    std::copy_n(parts[place / bytes % parts.size()].begin() + row * bytes, bytes,
                data.begin() + place);
  }
}

} // namespace st

#endif
