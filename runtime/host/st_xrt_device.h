//===- st_xrt_device.h - Designs on a card, through XRT ---------*- C++ -*-===//
//
// Written against XRT 2.13 (the C++ API of xrt::device, xrt::kernel, xrt::bo and xrt::run, which
// later releases keep). Each design is a file DESIGN.xclbin with one kernel of its name.
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
    xrt::xclbin::kernel found = binary.get_kernel(design.name);
    if (!found)
      throw std::runtime_error("'" + file + "' holds no kernel '" + design.name + "'");
    for (const Port &port : design.ports)
      check_memories(port, found, file);
    kernel = xrt::kernel(device, device.load_xclbin(binary), design.name);
    selected = &design;
  }
  std::unique_ptr<Buffer> allocate(const Port &port, int stripe, long bytes) override {
    int position = get_position(port, stripe);
    return std::make_unique<XrtBuffer>(
        xrt::bo(device, bytes, xrt::bo::flags::normal, kernel.group_id(position)));
  }
  std::unique_ptr<Buffer> part(Buffer &whole, long offset, long bytes) override {
    return std::make_unique<XrtBuffer>(
        xrt::bo(static_cast<XrtBuffer &>(whole).object, bytes, offset));
  }
  void launch(const std::vector<Buffer *> &arguments, const std::vector<int> &scalars) override {
    xrt::run run(kernel);
    int position = 0;
    for (Buffer *buffer : arguments)
      run.set_arg(position++, static_cast<XrtBuffer *>(buffer)->object);
    for (int scalar : scalars)
      run.set_arg(position++, scalar);
    run.start();
    ert_cmd_state state = run.wait();
    if (state != ERT_CMD_STATE_COMPLETED)
      throw std::runtime_error("design '" + std::string(selected->name) +
                               "' did not complete on card " + std::to_string(card) + ": state " +
                               std::to_string(state) + " of XRT");
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
  /// Was the kernel linked to the memories that the program counts on?
  static void check_memories(const Port &port, const xrt::xclbin::kernel &kernel,
                             const std::string &file) {
    for (const Argument &argument : port.arguments) {
      const std::string &wanted = port.memories[argument.stripe];
      std::string found;
      for (const xrt::xclbin::mem &memory : kernel.get_arg(argument.position).get_mems()) {
        if (memory.get_tag() == wanted)
          found = wanted;
        else if (found.empty())
          found = memory.get_tag();
      }
      if (found != wanted)
        throw std::runtime_error("argument " + std::to_string(argument.position) + " ('" +
                                 port.name + "') of '" + file + "' is linked to " +
                                 (found.empty() ? "no memory" : found) +
                                 ", and the design has it in " + wanted + ": link with vitis/" +
                                 kernel.get_name() + ".cfg of this design");
    }
  }

  unsigned card;
  Directory directory;
  xrt::device device;
  xrt::kernel kernel;
  const Design *selected = nullptr;
};

} // namespace st

#endif
