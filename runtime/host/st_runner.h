//===- st_runner.h - Runs a program on a device -----------------*- C++ -*-===//
//
// Tensors are computed, moved and loaded once: what does not change between runs (parameters,
// constants and what is packed of them) stays in the memory of the device, and a result that the
// next launch reads where it lies is not moved at all.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_RUNTIME_ST_RUNNER_H
#define STREAMTENSOR_RUNTIME_ST_RUNNER_H

#include "st_program.h"

#include <list>
#include <memory>

namespace st {

/// A piece of the device's memory.
class Buffer {
public:
  virtual ~Buffer() = default;
  virtual void write(const Bytes &bytes) = 0;
  virtual void read(Bytes &bytes) = 0;
};

/// What runs designs: a card, or this machine.
class Device {
public:
  virtual ~Device() = default;
  /// Makes a design ready. Buffers that were made for another one are lost afterwards.
  virtual void select(const Design &design) = 0;
  /// Memory of `bytes` for one stripe of a port of the selected design.
  virtual std::unique_ptr<Buffer> allocate(const Port &port, int stripe, long bytes) = 0;
  /// A piece of a buffer, which may go before it.
  virtual std::unique_ptr<Buffer> part(Buffer &whole, long offset, long bytes) = 0;
  /// `arguments`: a buffer for each place among the arguments; scalars follow.
  virtual void launch(const std::vector<Buffer *> &arguments, const std::vector<int> &scalars) = 0;
};

class Runner {
public:
  Runner(const Program &program, Device &device)
      : program(program), device(device), tensors(program.values.size()) {}

  const Program &get_program() const { return program; }
  /// Gives an argument or a constant, by the number of its tensor.
  void set(int value, Bytes bytes) { renew(value).bytes = std::move(bytes); }
  /// A part of a tensor that lies in the memory of the device already.
  void place(int value, const Port &port, std::vector<std::unique_ptr<Buffer>> parts) {
    Tensor &tensor = tensors[value];
    tensor.is_on_host = false;
    tensor.copies.clear();
    tensor.copies.push_back({&port, std::move(parts), ++versions});
    tensor.version = versions;
  }
  /// Computes what is the same in every run.
  void prepare() {
    std::vector<bool> is_static = find_static_values(program);
    for (const Step &step : program.steps)
      if (step.kind != Step::launch && is_static[step.outputs[0]])
        arrange(step);
  }
  void run(const std::vector<int> &scalars) {
    for (const Step &step : program.steps)
      if (step.kind == Step::launch)
        launch(step, scalars);
      else
        arrange(step);
  }
  /// A tensor as the host has it.
  const Bytes &get(int value) {
    Tensor &tensor = tensors.at(value);
    if (tensor.is_on_host)
      return tensor.bytes;
    for (Copy &copy : tensor.copies)
      if (copy.version == tensor.version) {
        download(value, copy);
        return tensor.bytes;
      }
    throw std::runtime_error("tensor " + std::to_string(value) + " has no value yet");
  }
  void select(const Design &design) {
    if (&design == selected)
      return;
    if (selected)
      leave();
    selected = nullptr;
    device.select(design);
    selected = &design;
  }

private:
  /// A tensor in the memory of the device, as a port sees it.
  struct Copy {
    const Port *port;
    std::vector<std::unique_ptr<Buffer>> parts;
    long version;
  };
  struct Tensor {
    Bytes bytes;
    bool is_on_host = false;
    long version = 0;
    std::list<Copy> copies;
  };

  Tensor &renew(int value) {
    Tensor &tensor = tensors.at(value);
    tensor.version = ++versions;
    tensor.is_on_host = true;
    return tensor;
  }

  void download(int value, Copy &copy) {
    std::vector<Bytes> parts;
    for (auto &part : copy.parts) {
      parts.emplace_back(get_part_bytes(*copy.port, program.values[value].bytes));
      part->read(parts.back());
    }
    tensors[value].bytes = collect(parts, *copy.port);
    tensors[value].is_on_host = true;
  }

  /// Keeps what lies in the memory of the device alone.
  void leave() {
    for (std::size_t value = 0; value < tensors.size(); ++value) {
      if (tensors[value].version && !tensors[value].is_on_host)
        get(static_cast<int>(value));
      tensors[value].copies.clear();
    }
  }

  /// The copy that a port sees; `isFilled`: with the tensor's value.
  Copy &get_copy(int value, const Port &port, bool isFilled) {
    Tensor &tensor = tensors[value];
    auto found = std::find_if(tensor.copies.begin(), tensor.copies.end(),
                              [&](const Copy &copy) { return lies_alike(*copy.port, port); });
    if (found == tensor.copies.end()) {
      Copy copy{&port, {}, 0};
      for (std::size_t stripe = 0; stripe < port.memories.size(); ++stripe)
        copy.parts.push_back(device.allocate(port, static_cast<int>(stripe),
                                             get_part_bytes(port, program.values[value].bytes)));
      found = tensor.copies.insert(tensor.copies.end(), std::move(copy));
    }
    if (isFilled && found->version != tensor.version) {
      std::vector<Bytes> parts = lay_out(get(value), port);
      for (std::size_t stripe = 0; stripe < parts.size(); ++stripe)
        found->parts[stripe]->write(parts[stripe]);
      found->version = tensor.version;
    }
    return *found;
  }

  /// A pack, an unpack or a reshape; nothing to do if its input is as it was, or if only what is
  /// made of it was given.
  void arrange(const Step &step) {
    int from = step.inputs[0], to = step.outputs[0];
    Tensor &made = tensors[to];
    if (made.version > tensors[from].version || !tensors[from].version)
      return;
    const Bytes &source = get(from);
    Bytes bytes(program.values[to].bytes);
    if (step.kind == Step::reshape)
      bytes = source;
    else if (step.kind == Step::pack)
      pack(bytes, source, step.layout);
    else
      unpack(bytes, source, step.layout);
    set(to, std::move(bytes));
  }

  void launch(const Step &step, const std::vector<int> &given) {
    const Design &design = program.designs[step.design];
    select(design);
    std::vector<int> values = get_values_of_ports(design, step), scalars;
    for (const ScalarOperand &operand : step.scalars)
      scalars.push_back(operand.scalar < 0 ? operand.value : given.at(operand.scalar));
    std::vector<Buffer *> arguments;
    std::vector<std::pair<int, Copy *>> written;
    std::size_t input = 0;
    for (std::size_t index = 0; index < design.ports.size(); ++index) {
      const Port &port = design.ports[index];
      int read = port.direction != Direction::out ? step.inputs[input++] : -1;
      Copy &copy = begin(values[index], read, port, design.is_cleared);
      if (port.direction != Direction::in)
        written.push_back({values[index], &copy});
      for (const Argument &argument : port.arguments) {
        if (arguments.size() <= static_cast<std::size_t>(argument.position))
          arguments.resize(argument.position + 1);
        arguments[argument.position] = copy.parts[argument.stripe].get();
      }
    }
    device.launch(arguments, scalars);
    for (auto [value, copy] : written) {
      tensors[value].version = copy->version = ++versions;
      tensors[value].is_on_host = false;
    }
  }

  /// What a port finds before a launch: its tensor; in place, a copy of what it reads; zeros where
  /// a design may not write all.
  Copy &begin(int value, int read, const Port &port, bool isCleared) {
    if (port.direction == Direction::in)
      return get_copy(value, port, true);
    if (port.direction == Direction::inout)
      set(value, get(read));
    else if (isCleared)
      set(value, Bytes(program.values[value].bytes));
    return get_copy(value, port, port.direction == Direction::inout || isCleared);
  }

  const Program &program;
  Device &device;
  std::vector<Tensor> tensors;
  const Design *selected = nullptr;
  long versions = 0;
};

} // namespace st

#endif
