//===- st_native_device.h - Designs compiled for this machine ---*- C++ -*-===//

#ifndef STREAMTENSOR_RUNTIME_ST_NATIVE_DEVICE_H
#define STREAMTENSOR_RUNTIME_ST_NATIVE_DEVICE_H

#include "st_runner.h"

#include <map>

namespace st {

/// The entry of a native design: an address for each argument, a place for the reason of a failure.
using NativeCall = int (*)(void *const *, char *, std::size_t);

class NativeBuffer : public Buffer {
public:
  NativeBuffer(std::shared_ptr<Bytes> memory, long offset, long bytes)
      : memory(std::move(memory)), offset(offset), bytes(bytes) {}
  char *data() { return memory->data() + offset; }
  void write(const Bytes &from) override { std::copy_n(from.begin(), bytes, data()); }
  void read(Bytes &into) override { std::copy_n(data(), bytes, into.begin()); }
  std::unique_ptr<Buffer> part(long begin, long count) {
    return std::make_unique<NativeBuffer>(memory, offset + begin, count);
  }

private:
  std::shared_ptr<Bytes> memory;
  long offset, bytes;
};

class NativeDevice : public Device {
public:
  explicit NativeDevice(std::map<std::string, NativeCall> calls) : calls(std::move(calls)) {}

  void select(const Design &design) override { selected = &design; }
  std::unique_ptr<Buffer> allocate(const Port &, int, long bytes) override {
    return std::make_unique<NativeBuffer>(std::make_shared<Bytes>(bytes), 0, bytes);
  }
  std::unique_ptr<Buffer> part(Buffer &whole, long offset, long bytes) override {
    return static_cast<NativeBuffer &>(whole).part(offset, bytes);
  }
  void launch(const std::vector<Buffer *> &arguments, const std::vector<int> &scalars) override {
    std::vector<void *> addresses;
    for (Buffer *buffer : arguments)
      addresses.push_back(static_cast<NativeBuffer *>(buffer)->data());
    std::vector<int> values = scalars;
    for (int &value : values)
      addresses.push_back(&value);
    char reason[4096];
    if (calls.at(selected->name)(addresses.data(), reason, sizeof(reason)))
      throw std::runtime_error("design '" + std::string(selected->name) +
                               "' stopped before its end: " + reason);
  }

private:
  std::map<std::string, NativeCall> calls;
  const Design *selected = nullptr;
};

} // namespace st

#endif
