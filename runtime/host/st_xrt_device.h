//===- st_xrt_device.h - Designs on a card, through XRT ---------*- C++ -*-===//
//
// Written against XRT 2.13 (the C++ API of xrt::device, xrt::kernel, xrt::bo and xrt::run, which
// later releases keep). Each design is a file DESIGN.xclbin with its kernels, which are started
// together.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_RUNTIME_ST_XRT_DEVICE_H
#define STREAMTENSOR_RUNTIME_ST_XRT_DEVICE_H

#include "st_runner.h"

#include "experimental/xrt_xclbin.h"
#include "xrt/xrt_bo.h"
#include "xrt/xrt_device.h"
#include "xrt/xrt_kernel.h"

namespace st {

class XrtBuffer : public Buffer {
public:
  explicit XrtBuffer(xrt::bo object) : object(std::move(object)) {}
  void write(const Bytes &bytes) override {
    object.write(bytes.data(), bytes.size(), 0);
    object.sync(XCL_BO_SYNC_BO_TO_DEVICE, bytes.size(), 0);
  }
  void read(Bytes &bytes) override {
    object.sync(XCL_BO_SYNC_BO_FROM_DEVICE, bytes.size(), 0);
    object.read(bytes.data(), bytes.size(), 0);
  }

  xrt::bo object;
};

class XrtDevice : public Device {
public:
  XrtDevice(unsigned card, std::string directory)
      : card(card), directory(std::move(directory)), device(open(card)) {}

  void select(const Design &design) override {
    std::string file = directory.of(std::string(design.name) + ".xclbin");
    if (!std::ifstream(file))
      throw std::runtime_error("there is no '" + file +
                               "': link it with `make -C vitis hw`, and say "
                               "with --xclbins where it is");
    xrt::xclbin binary = read_binary(file);
    for (const Kernel &kernel : design.kernels) {
      xrt::xclbin::kernel found = binary.get_kernel(kernel.name);
      if (!found)
        throw std::runtime_error("'" + file + "' holds no kernel '" + kernel.name + "'");
      for (const Port &port : design.ports)
        check_memories(design, port, kernel, found, file);
    }
    kernels.clear();
    xrt::uuid loaded = device.load_xclbin(binary);
    for (const Kernel &kernel : design.kernels)
      kernels.emplace_back(device, loaded, kernel.name);
    selected = &design;
  }
  std::unique_ptr<Buffer> allocate(const Port &port, int stripe, long bytes) override {
    int position = get_position(port, stripe);
    for (std::size_t number = 0; number < kernels.size(); ++number)
      if (int place = find(selected->kernels[number].arguments, position); place >= 0)
        return std::make_unique<XrtBuffer>(
            xrt::bo(device, bytes, xrt::bo::flags::normal, kernels[number].group_id(place)));
    throw std::logic_error("an argument of no kernel");
  }
  std::unique_ptr<Buffer> part(Buffer &whole, long offset, long bytes) override {
    return std::make_unique<XrtBuffer>(
        xrt::bo(static_cast<XrtBuffer &>(whole).object, bytes, offset));
  }
  void launch(const std::vector<Buffer *> &arguments, const std::vector<int> &scalars) override {
    // Kernels of one design wait for each other's tokens: all are started before one is waited for.
    std::vector<xrt::run> runs;
    for (std::size_t number = 0; number < kernels.size(); ++number) {
      const Kernel &own = selected->kernels[number];
      xrt::run &run = runs.emplace_back(kernels[number]);
      int position = 0;
      for (int argument : own.arguments)
        run.set_arg(position++, static_cast<XrtBuffer *>(arguments[argument])->object);
      for (int scalar : own.scalars)
        run.set_arg(position++, scalars[scalar]);
    }
    for (xrt::run &run : runs)
      run.start();
    for (std::size_t number = 0; number < runs.size(); ++number) {
      ert_cmd_state state = runs[number].wait();
      if (state != ERT_CMD_STATE_COMPLETED)
        throw std::runtime_error("kernel '" + std::string(selected->kernels[number].name) +
                                 "' of design '" + selected->name + "' did not complete on card " +
                                 std::to_string(card) + ": state " + std::to_string(state) +
                                 " of XRT");
    }
  }

private:
  static xrt::device open(unsigned card) {
    try {
      return xrt::device(card);
    } catch (const std::exception &error) {
      throw std::runtime_error("card " + std::to_string(card) +
                               " cannot be opened: " + error.what());
    }
  }
  static xrt::xclbin read_binary(const std::string &file) {
    try {
      return xrt::xclbin(file);
    } catch (const std::exception &error) {
      throw std::runtime_error("'" + file + "' is no binary for a card: " + error.what());
    }
  }
  static int get_position(const Port &port, int stripe) {
    for (const Argument &argument : port.arguments)
      if (argument.stripe == stripe)
        return argument.position;
    throw std::logic_error("a stripe without an argument");
  }
  /// The place of `value` in `list`, or -1.
  static int find(const std::vector<int> &list, int value) {
    auto place = std::find(list.begin(), list.end(), value);
    return place == list.end() ? -1 : static_cast<int>(place - list.begin());
  }
  /// Was the kernel linked to the memories that the program counts on?
  static void check_memories(const Design &design, const Port &port, const Kernel &own,
                             const xrt::xclbin::kernel &kernel, const std::string &file) {
    for (const Argument &argument : port.arguments) {
      int place = find(own.arguments, argument.position);
      if (place < 0)
        continue;
      const std::string &wanted = port.memories[argument.stripe];
      std::string found;
      for (const xrt::xclbin::mem &memory : kernel.get_arg(place).get_mems()) {
        if (memory.get_tag() == wanted)
          found = wanted;
        else if (found.empty())
          found = memory.get_tag();
      }
      if (found != wanted)
        throw std::runtime_error("argument " + std::to_string(place) + " ('" + port.name +
                                 "') of kernel '" + own.name + "' in '" + file + "' is linked to " +
                                 (found.empty() ? "no memory" : found) +
                                 ", and the design has it in " + wanted + ": link with vitis/" +
                                 design.name + ".cfg of this design");
    }
  }

  unsigned card;
  Directory directory;
  xrt::device device;
  std::vector<xrt::kernel> kernels; ///< Of the selected design, in its order.
  const Design *selected = nullptr;
};

} // namespace st

#endif
