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

/// Element (i0, i1, ...) of `target` becomes element offset + i0 * strides[0] + ... of `source`.
inline void pack(Bytes &target, const Bytes &source, const std::vector<long> &shape,
                 const std::vector<long> &strides, long offset, std::size_t element_bytes) {
  std::vector<long> index(shape.size(), 0);
  for (std::size_t at = 0; at < target.size(); at += element_bytes) {
    long element = offset;
    for (std::size_t dim = 0; dim < shape.size(); ++dim)
      element += index[dim] * strides[dim];
    std::copy_n(source.begin() + element * static_cast<long>(element_bytes), element_bytes,
                target.begin() + static_cast<long>(at));
    for (std::size_t dim = shape.size(); dim-- > 0 && ++index[dim] == shape[dim];)
      index[dim] = 0;
  }
}

template <typename Schedule> int testbench_main(int argc, char **argv, Schedule &&schedule) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
    return 2;
  }
  try {
    schedule(Directory(argv[1]));
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
