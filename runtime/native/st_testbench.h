//===- st_testbench.h - Files of a generated testbench ----------*- C++ -*-===//

#ifndef STREAMTENSOR_RUNTIME_ST_TESTBENCH_H
#define STREAMTENSOR_RUNTIME_ST_TESTBENCH_H

#include "st_channel.h"

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
