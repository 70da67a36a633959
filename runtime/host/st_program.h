//===- st_program.h - What a host does around the designs -------*- C++ -*-===//
//
// A program is a list of steps over numbered tensors: launches of designs, and packs, unpacks and
// reshapes between them. `host/program.h` of an output directory holds one; st_runner.h runs it.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_RUNTIME_ST_PROGRAM_H
#define STREAMTENSOR_RUNTIME_ST_PROGRAM_H

#include "st_layout.h"

namespace st {

enum class Direction { in, inout, out };

/// A place among the arguments of the design's top function, and the stripe that it reaches.
struct Argument {
  int position, stripe;
};

/// A tensor as a design reads or writes it.
struct Port {
  const char *name;
  Direction direction;
  /// Bits of an element in the memory of the card, if several share a byte; else 0.
  int shared_bits;
  /// Bytes of a stripe's part of a row.
  long stripe_bytes;
  /// The memory of each stripe, as the card names it: "HBM[3]".
  std::vector<std::string> memories;
  std::vector<Argument> arguments;
};

/// A number that the program, or a design, takes for a launch.
struct ScalarRange {
  const char *name;
  int low, high;
};

/// A kernel of a binary: which arguments and scalars of the design it takes, in order.
struct Kernel {
  const char *name;
  std::vector<int> arguments, scalars;
};

struct Design {
  const char *name;
  std::vector<Port> ports;
  /// Behind the tensors among the arguments.
  std::vector<ScalarRange> scalars;
  /// What runs at once to run the design: one, or one for each die.
  std::vector<Kernel> kernels;
  /// Are tensors that it only writes zeros before a launch?
  bool is_cleared = false;
};

/// One of the program's scalars by its number, or a constant where that is below 0.
struct ScalarOperand {
  int scalar, value;
};

struct Step {
  enum Kind { launch, reshape, pack, unpack } kind;
  /// Tensors by number: those of the ports that are read, in order, and of those that are written.
  std::vector<int> inputs, outputs;
  int design = -1;
  std::vector<ScalarOperand> scalars = {};
  Layout layout = {};
};

/// A tensor as the host has it.
struct TensorType {
  long bytes;
  const char *dtype; ///< as numpy names it, "float32"
};

struct NamedTensor {
  int value;
  const char *name;
  bool is_parameter;
};

/// Packed and written by the compilation.
struct Constant {
  int value;
  const char *file; ///< below the output directory
};

struct Program {
  std::vector<TensorType> values;
  std::vector<NamedTensor> arguments;
  std::vector<ScalarRange> scalars;
  std::vector<Constant> constants;
  std::vector<Design> designs;
  std::vector<Step> steps;
  std::vector<int> results;
};

/// The values that come from parameters and constants alone: the same in every run.
inline std::vector<bool> find_static_values(const Program &program) {
  std::vector<bool> known(program.values.size(), false);
  for (const NamedTensor &argument : program.arguments)
    known[argument.value] = argument.is_parameter;
  for (const Constant &constant : program.constants)
    known[constant.value] = true;
  for (const Step &step : program.steps)
    if (step.kind != Step::launch)
      known[step.outputs[0]] = known[step.inputs[0]];
  return known;
}

/// The tensor of each port of a launch; of an `inout` port its result.
inline std::vector<int> get_values_of_ports(const Design &design, const Step &step) {
  std::vector<int> values;
  std::size_t input = 0, output = 0;
  for (const Port &port : design.ports) {
    int read = port.direction != Direction::out ? step.inputs.at(input++) : -1;
    values.push_back(port.direction != Direction::in ? step.outputs.at(output++) : read);
  }
  return values;
}

/// The parts of a tensor as the memory of the card has them, one per stripe.
inline std::vector<Bytes> lay_out(const Bytes &tensor, const Port &port) {
  Bytes lying = port.shared_bits ? share_bytes(tensor, port.shared_bits) : tensor;
  if (port.memories.size() == 1)
    return {std::move(lying)};
  return split(lying, static_cast<long>(port.memories.size()), port.stripe_bytes);
}

/// The inverse.
inline Bytes collect(const std::vector<Bytes> &parts, const Port &port) {
  Bytes lying;
  if (parts.size() == 1) {
    lying = parts[0];
  } else {
    lying.resize(parts.size() * parts[0].size());
    merge(lying, parts, port.stripe_bytes);
  }
  return port.shared_bits ? own_bytes(lying, port.shared_bits) : lying;
}

/// Bytes of one stripe of a port whose tensor has `bytes` on the host.
inline long get_part_bytes(const Port &port, long bytes) {
  long lying = port.shared_bits ? bytes * port.shared_bits / 8 : bytes;
  return lying / static_cast<long>(port.memories.size());
}

/// Do two ports see a tensor in the same memories under the same layout?
inline bool lies_alike(const Port &left, const Port &right) {
  return left.shared_bits == right.shared_bits && left.memories == right.memories &&
         (left.memories.size() == 1 || left.stripe_bytes == right.stripe_bytes);
}

} // namespace st

#endif
