//===- st_testbench.h - Files of a generated testbench ----------*- C++ -*-===//

#ifndef STREAMTENSOR_RUNTIME_ST_TESTBENCH_H
#define STREAMTENSOR_RUNTIME_ST_TESTBENCH_H

#include "st_channel.h"

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace st {

using Bytes = std::vector<char>;

/// Raw tensors in files of one directory.
class Directory {
public:
  explicit Directory(std::string path) : path(std::move(path)) {}

  Bytes read(const std::string &file, std::size_t size) const {
    std::ifstream stream(path + "/" + file, std::ios::binary);
    Bytes bytes(size);
    if (!stream.read(bytes.data(), static_cast<std::streamsize>(size)))
      throw std::runtime_error("cannot read " + std::to_string(size) + " bytes of " + path + "/" +
                               file);
    return bytes;
  }
  void write(const std::string &file, const Bytes &bytes) const {
    std::ofstream stream(path + "/" + file, std::ios::binary);
    if (!stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size())))
      throw std::runtime_error("cannot write " + path + "/" + file);
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

/// A number that the program takes for its launches.
struct ScalarRange {
  const char *name;
  int low, high;
};

/// The values of `scalars`: from `settings` (NAME=VALUE), else the largest.
inline std::vector<int> read_scalars(const std::vector<ScalarRange> &scalars,
                                     const std::vector<std::string> &settings) {
  std::vector<int> values;
  for (const ScalarRange &scalar : scalars)
    values.push_back(scalar.high);
  std::vector<bool> given(scalars.size(), false);
  for (const std::string &setting : settings) {
    std::size_t end = setting.find('='), place = 0;
    while (place < scalars.size() && setting.substr(0, end) != scalars[place].name)
      ++place;
    if (end == std::string::npos || place == scalars.size())
      throw std::invalid_argument("'" + setting + "' gives no scalar of the program a value");
    long value = std::stol(setting.substr(end + 1));
    if (value < scalars[place].low || value > scalars[place].high)
      throw std::out_of_range("scalar '" + setting + "' must lie between " +
                              std::to_string(scalars[place].low) + " and " +
                              std::to_string(scalars[place].high));
    values[place] = static_cast<int>(value);
    given[place] = true;
  }
  for (std::size_t place = 0; place < scalars.size(); ++place)
    if (!given[place])
      std::fprintf(stderr, "%s = %d (the largest)\n", scalars[place].name, values[place]);
  return values;
}

template <typename Schedule>
int testbench_main(int argc, char **argv, const std::vector<ScalarRange> &scalars,
                   Schedule &&schedule) {
  if (argc < 2 || (argc > 2 && scalars.empty())) {
    std::fprintf(stderr, "usage: %s DIRECTORY%s\n", argv[0],
                 scalars.empty() ? "" : " [SCALAR=VALUE...]");
    return 2;
  }
  try {
    schedule(Directory(argv[1]), read_scalars(scalars, {argv + 2, argv + argc}));
    if (!leftover_report().empty())
      throw ChannelError(leftover_report());
  } catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
  return 0;
}

} // namespace st

#endif
