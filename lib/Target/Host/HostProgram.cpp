//===- HostProgram.cpp - The schedule of @main as a table -----------------===//
//
// host/program.h, which the testbench and the XRT host share; what its entries mean:
// runtime/host/st_program.h.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Target/Host/HostFiles.h"

#include "streamtensor/Target/HLSCpp/CppWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::target;
using namespace streamtensor::dataflow;

static std::string quoted(StringRef text) {
  std::string literal = "\"";
  for (char character : text) {
    if (character == '"' || character == '\\')
      literal += '\\';
    literal += character;
  }
  return literal + "\"";
}

template <typename Range> static std::string braced(const Range &entries) {
  return "{" + llvm::join(entries, ", ") + "}";
}

template <typename Range> static std::string numbers(const Range &range) {
  SmallVector<std::string> texts;
  for (auto number : range)
    texts.push_back(std::to_string(number));
  return braced(texts);
}

template <typename Range> static std::string scalarRanges(const Range &scalars) {
  SmallVector<std::string> texts;
  for (const auto &[name, low, high] : scalars)
    texts.push_back(llvm::formatv("{{{0}, {1}, {2}}", quoted(name), low, high));
  return braced(texts);
}

/// Bytes of a stripe's part of a row.
static int64_t getStripeBytes(PortOp port) {
  ArrayRef<int64_t> shape = port.getStripeType().getShape();
  int64_t elements = shape.empty() ? 1 : shape.back(), bits = getStorageBits(port);
  return bits < 8 ? elements * bits / 8 : elements * hostBytes(port.getType().getElementType());
}

static std::string describePort(KernelModel &kernel, const KernelPort &port) {
  PortOp lying = port.port;
  SmallVector<std::string> memories(lying.getNumStripes()), arguments;
  for (unsigned position : port.arguments) {
    const KernelArgument &argument = kernel.arguments[position];
    memories[argument.argument->stripe] = quoted(argument.memory());
    arguments.push_back(llvm::formatv("{{{0}, {1}}", position, argument.argument->stripe));
  }
  int64_t bits = getStorageBits(lying);
  return llvm::formatv("{{{0}, st::Direction::{1}, {2}, {3}, {4}, {5}}", quoted(port.name),
                       stringifyDirection(port.direction), bits < 8 ? bits : 0,
                       getStripeBytes(lying), braced(memories), braced(arguments));
}

static void describeKernel(KernelModel &kernel, CppWriter &writer) {
  writer.line("{" + quoted(kernel.name) + ",");
  writer.indent();
  SmallVector<std::string> ports;
  for (const KernelPort &port : kernel.ports)
    ports.push_back(describePort(kernel, port));
  writer.line("{" + llvm::join(ports, ",\n" + std::string(2 * writer.level() + 1, ' ')) + "},");
  SmallVector<std::tuple<std::string, int64_t, int64_t>> scalars;
  for (const KernelScalar &scalar : kernel.scalars)
    scalars.push_back({scalar.label, scalar.low, scalar.high});
  SmallVector<std::string> parts;
  for (const KernelPart &part : kernel.parts)
    parts.push_back(llvm::formatv("{{{0}, {1}, {2}}", quoted(part.name), numbers(part.arguments),
                                  numbers(part.scalars)));
  writer.line(scalarRanges(scalars) + ",");
  writer.line(braced(parts) + (kernel.beginsCleared() ? ", true}," : "},"));
  writer.outdent();
}

static std::string describeLayout(const MainStep &step, const MainSchedule &schedule) {
  RankedTensorType type =
      schedule.types[step.kind == MainStep::Pack ? step.outputs[0] : step.inputs[0]];
  return llvm::formatv("{{{0}, {1}, {2}, {3}, {4}}", numbers(type.getShape()),
                       numbers(step.strides), step.offset, step.lanes,
                       hostBytes(type.getElementType()));
}

static std::string describeStep(const MainStep &step, MutableArrayRef<KernelModel> kernels,
                                const MainSchedule &schedule) {
  static constexpr StringRef kinds[] = {"launch", "reshape", "pack", "unpack"};
  std::string text = llvm::formatv("{{st::Step::{0}, {1}, {2}", kinds[step.kind],
                                   numbers(step.inputs), numbers(step.outputs));
  if (step.kind == MainStep::Launch) {
    auto *kernel =
        llvm::find_if(kernels, [&](KernelModel &own) { return own.symbol == step.design; });
    SmallVector<std::string> scalars;
    for (const ScalarOperand &operand : step.scalars)
      scalars.push_back(llvm::formatv("{{{0}, {1}}", operand.scalar ? int64_t(*operand.scalar) : -1,
                                      operand.value));
    text += llvm::formatv(", {0}, {1}", kernel - kernels.begin(), braced(scalars));
  } else if (step.kind != MainStep::Reshape) {
    text += ", -1, {}, " + describeLayout(step, schedule);
  }
  return text + "},";
}

/// A list of entries, one a line, under a comment.
static void list(StringRef comment, ArrayRef<std::string> entries, CppWriter &writer) {
  writer.line("// " + comment);
  writer.line("{");
  writer.indent();
  for (const std::string &entry : entries)
    writer.line(entry);
  writer.close(",");
}

std::string target::emitHostProgram(MutableArrayRef<KernelModel> kernels,
                                    const MainSchedule &schedule) {
  CppWriter writer;
  writer.line("// What a host does around the designs; st_program.h says what the entries mean.");
  writer.line("#ifndef STREAMTENSOR_PROGRAM_H");
  writer.line("#define STREAMTENSOR_PROGRAM_H");
  writer.blank();
  writer.line("#include \"st_program.h\"");
  writer.blank();
  writer.open("inline const st::Program program =");
  SmallVector<std::string> entries;
  for (RankedTensorType type : schedule.types)
    entries.push_back(llvm::formatv("{{{0}, {1}},",
                                    type.getNumElements() * hostBytes(type.getElementType()),
                                    quoted(dtypeName(type.getElementType()))));
  list("Tensors: bytes as the host has them, type.", entries, writer);
  entries.clear();
  for (const MainArgument &argument : schedule.arguments)
    entries.push_back(llvm::formatv("{{{0}, {1}, {2}},", argument.value, quoted(argument.name),
                                    argument.kind == "parameter"));
  list("Arguments: tensor, name, is it a parameter?", entries, writer);
  SmallVector<std::tuple<std::string, int64_t, int64_t>> scalars;
  for (const MainScalar &scalar : schedule.scalars)
    scalars.push_back({scalar.name, scalar.low, scalar.high});
  writer.line("// Scalars: name, least and largest value.");
  writer.line(scalarRanges(scalars) + ",");
  entries.clear();
  for (const MainConstant &constant : schedule.constants)
    entries.push_back(llvm::formatv("{{{0}, {1}},", constant.value, quoted(constant.file)));
  list("Constants: tensor, file.", entries, writer);
  writer.line(
      "// Designs: name, ports, scalars, kernels, zeros where they only write? Ports: name, "
      "direction, bits of");
  writer.line("// elements that share a byte, bytes of a stripe's part of a row, memory of each "
              "stripe, arguments");
  writer.line("// (position, stripe). Kernels: name, which arguments and scalars of the design.");
  writer.line("{");
  writer.indent();
  for (KernelModel &kernel : kernels)
    describeKernel(kernel, writer);
  writer.close(",");
  entries.clear();
  for (const MainStep &step : schedule.steps)
    entries.push_back(describeStep(step, kernels, schedule));
  list("Steps: inputs, outputs; design, scalars (number, or -1 and a value); layout.", entries,
       writer);
  writer.line("// Results.");
  writer.line(numbers(schedule.results) + ",");
  writer.close(";");
  writer.blank();
  writer.line("#endif");
  return writer.str();
}
