//===- Testbench.cpp - testbench.cpp and Makefile -------------------------===//

#include "streamtensor/Target/HLSCpp/CppWriter.h"
#include "streamtensor/Target/Host/HostFiles.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::target;
using namespace streamtensor::dataflow;

static std::string bufferName(unsigned value) { return "v" + std::to_string(value); }

static int64_t byteSize(RankedTensorType type) {
  return type.getNumElements() * hostBytes(type.getElementType());
}

/// The value that each port of a launch is bound to. An `inout` port works on its result, which
/// begins as a copy of its operand.
static llvm::DenseMap<Operation *, unsigned> getValuesOfPorts(DesignModel &model,
                                                              const MainStep &step) {
  llvm::DenseMap<Operation *, unsigned> values;
  unsigned input = 0, output = 0;
  for (auto port : model.design.getBody().getOps<PortOp>()) {
    if (port.isRead())
      values[port] = step.inputs[input++];
    if (port.isWritten())
      values[port] = step.outputs[output++];
  }
  return values;
}

/// A tensor as the memory of the card has it, where that is not how the host has it: elements that
/// share bytes, then parts for stripes.
static std::string sharedName(unsigned value) { return bufferName(value) + "_shared"; }
static std::string stripesName(unsigned value, PortOp port) {
  return bufferName(value) + "_by" + std::to_string(port.getNumStripes());
}

/// The buffer of the whole tensor of a port that a launch binds to `value`.
static std::string tensorName(unsigned value, PortOp port) {
  return getStorageBits(port) < 8 ? sharedName(value) : bufferName(value);
}

static void emitStripes(PortOp port, unsigned value, bool split, CppWriter &writer) {
  int64_t elements = port.getStripeType().getShape().back(), bits = getStorageBits(port);
  int64_t bytes =
      bits < 8 ? elements * bits / 8 : elements * hostBytes(port.getType().getElementType());
  std::string buffer = tensorName(value, port), stripes = stripesName(value, port);
  writer.line(split ? llvm::formatv("std::vector<st::Bytes> {0} = st::split({1}, {2}, {3});",
                                    stripes, buffer, port.getNumStripes(), bytes)
                          .str()
                    : llvm::formatv("st::merge({0}, {1}, {2});", buffer, stripes, bytes).str());
}

static void emitLaunch(DesignModel &model, const MainStep &step, CppWriter &writer) {
  llvm::DenseMap<Operation *, unsigned> valueOfPort = getValuesOfPorts(model, step);
  std::map<std::string, PortOp> shared, striped; // a tensor may come in by several ports
  unsigned input = 0, output = 0;
  for (auto port : model.design.getBody().getOps<PortOp>()) {
    unsigned value = valueOfPort[port];
    if (port.getDirection() == Direction::InOut)
      writer.line(bufferName(step.outputs[output]) + " = " + bufferName(step.inputs[input]) + ";");
    input += port.isRead();
    output += port.isWritten();
    if (getStorageBits(port) < 8)
      shared.insert({sharedName(value), port});
    if (port.getNumStripes() > 1)
      striped.insert({stripesName(value, port), port});
  }
  bool hasBlock = !shared.empty() || !striped.empty();
  if (hasBlock) {
    writer.line("{");
    writer.indent();
  }
  for (auto &[name, port] : shared)
    writer.line(llvm::formatv("st::Bytes {0} = st::share_bytes({1}, {2});", name,
                              bufferName(valueOfPort[port]), getStorageBits(port))
                    .str());
  for (auto &[name, port] : striped)
    emitStripes(port, valueOfPort[port], /*split=*/true, writer);
  SmallVector<std::string> operands;
  for (PortArgument &argument : model.arguments) {
    std::string type = argument.cppType();
    unsigned value = valueOfPort[argument.port];
    std::string buffer =
        argument.port.getNumStripes() > 1
            ? stripesName(value, argument.port) + "[" + std::to_string(argument.stripe) + "]"
            : tensorName(value, argument.port);
    operands.push_back(
        llvm::formatv("reinterpret_cast<{0}>({1}.data())", StringRef(type).rtrim(), buffer));
  }
  for (const ScalarOperand &operand : step.scalars)
    operands.push_back(operand.scalar ? "scalars[" + std::to_string(*operand.scalar) + "]"
                                      : std::to_string(operand.value));
  writer.list(model.name, operands, ";");
  for (auto &[name, port] : striped)
    if (port.isWritten())
      emitStripes(port, valueOfPort[port], /*split=*/false, writer);
  for (auto &[name, port] : shared)
    if (port.isWritten())
      writer.line(llvm::formatv("{0} = st::own_bytes({1}, {2});", bufferName(valueOfPort[port]),
                                name, getStorageBits(port))
                      .str());
  if (hasBlock)
    writer.close();
}

static std::string joinNumbers(ArrayRef<int64_t> numbers) {
  return llvm::join(llvm::map_range(numbers, [](int64_t n) { return std::to_string(n); }), ", ");
}

/// A pack or an unpack.
static void emitLayout(const MainStep &step, const MainSchedule &schedule, CppWriter &writer) {
  bool packs = step.kind == MainStep::Pack;
  RankedTensorType type = schedule.types[packs ? step.outputs[0] : step.inputs[0]];
  writer.line(llvm::formatv("st::{0}({1}, {2}, {{{{{3}}, {{{4}}, {5}, {6}, {7}});",
                            packs ? "pack" : "unpack", bufferName(step.outputs[0]),
                            bufferName(step.inputs[0]), joinNumbers(type.getShape()),
                            joinNumbers(step.strides), step.offset, step.lanes,
                            hostBytes(type.getElementType()))
                  .str());
}

static void emitSteps(MutableArrayRef<DesignModel> models, const MainSchedule &schedule,
                      CppWriter &writer) {
  for (const MainStep &step : schedule.steps) {
    for (unsigned output : step.outputs)
      writer.line(
          llvm::formatv("st::Bytes {0}({1});", bufferName(output), byteSize(schedule.types[output]))
              .str());
    if (step.kind == MainStep::Reshape) {
      writer.line(bufferName(step.outputs[0]) + " = " + bufferName(step.inputs[0]) + ";");
      continue;
    }
    if (step.kind != MainStep::Launch) {
      emitLayout(step, schedule, writer);
      continue;
    }
    for (DesignModel &model : models)
      if (model.design.getSymName() == step.design)
        emitLaunch(model, step, writer);
  }
}

std::string target::emitTestbench(MutableArrayRef<DesignModel> models,
                                  const MainSchedule &schedule) {
  CppWriter writer;
  writer.line("// Runs the schedule of the designs on raw little-endian files:");
  writer.line("//   testbench DIR   reads DIR/arg<i>.bin, writes DIR/result<i>.bin");
  writer.line("// Constants are read from ../params.");
  if (!schedule.scalars.empty())
    writer.line(
        "// Further arguments give scalars, NAME=VALUE; the others have their largest values.");
  for (DesignModel &model : models)
    writer.line("#include \"" + model.name + ".h\"");
  writer.line("#include \"st_testbench.h\"");
  writer.blank();
  writer.open("int main(int argc, char **argv)");
  std::string known;
  for (const MainScalar &scalar : schedule.scalars)
    known += llvm::formatv("{0}{{\"{1}\", {2}, {3}}", known.empty() ? "" : ", ", scalar.name,
                           scalar.low, scalar.high);
  writer.open("return st::testbench_main(argc, argv, {" + known +
              "}, [](const st::Directory &data, " + "const std::vector<int> &" +
              (known.empty() ? "" : "scalars") + ")");
  for (auto [index, argument] : llvm::enumerate(schedule.arguments))
    writer.line(llvm::formatv("st::Bytes {0} = data.read(\"arg{1}.bin\", {2}); // {3}",
                              bufferName(argument.value), index, byteSize(argument.type),
                              argument.name)
                    .str());
  for (const MainConstant &constant : schedule.constants)
    writer.line(llvm::formatv("st::Bytes {0} = st::Directory(\"..\").read(\"{1}\", {2});",
                              bufferName(constant.value), constant.file,
                              byteSize(schedule.types[constant.value]))
                    .str());
  emitSteps(models, schedule, writer);
  for (auto [index, value] : llvm::enumerate(schedule.results))
    writer.line(
        llvm::formatv("data.write(\"result{0}.bin\", {1});", index, bufferName(value)).str());
  writer.close(");");
  writer.close();
  return writer.str();
}

static constexpr StringRef makefileText =
    R"(# Native run:  make native && ./testbench DATA   (DATA holds arg<i>.bin; result<i>.bin are written)
# Synthesis:   make vitis                        (needs v++ on the PATH)
#
# RUNTIME is the runtime/ directory of StreamTensor, AP_TYPES the directory of the
# open ap_int headers: python -m streamtensor.headers prints both.
# Recipes take them from the environment: a path may hold spaces and quotes.
RUNTIME ?= $(shell python3 -m streamtensor.headers --runtime)
AP_TYPES ?= $(shell python3 -m streamtensor.headers --ap-types)
export RUNTIME AP_TYPES
CXX ?= clang++
CXXFLAGS ?= -std=c++17 -O3 -ffp-contract=off -fwrapv -Wno-unknown-pragmas -Wno-unused-label
PLATFORM ?= @PLATFORM@
# The clock that cycles were counted at; empty for the platform's own.
CLOCK_MHZ ?= @CLOCK@
TARGET ?= hw
DESIGNS := @DESIGNS@
VITIS_CLOCK = $(if $(CLOCK_MHZ),--kernel_frequency $(CLOCK_MHZ))

native: testbench

testbench: testbench.cpp $(DESIGNS:=.cpp)
	$(CXX) $(CXXFLAGS) -I"$$RUNTIME/native" -I"$$RUNTIME/include" -I"$$AP_TYPES" $^ -o $@

vitis: $(DESIGNS:=.xclbin)

%.xo: %.cpp
	v++ -c -t $(TARGET) --platform $(PLATFORM) $(VITIS_CLOCK) -k $* -I"$$RUNTIME/include" $< -o $@

%.xclbin: %.xo
	v++ -l -t $(TARGET) --platform $(PLATFORM) $(VITIS_CLOCK) --config ../vitis/$*.cfg $< -o $@

clean:
	rm -f testbench *.xo *.xclbin

.PHONY: native vitis clean
)";

std::string target::emitMakefile(MutableArrayRef<DesignModel> models, const DeviceModel &device) {
  SmallVector<std::string> names =
      llvm::map_to_vector(models, [](DesignModel &model) { return model.name; });
  std::string text = makefileText.str();
  auto replace = [&](StringRef key, const std::string &value) {
    text.replace(text.find(key), key.size(), value);
  };
  replace("@PLATFORM@", device.getPlatform().str());
  replace("@CLOCK@", std::to_string(std::llround(device.getClockMHz())));
  replace("@DESIGNS@", llvm::join(names, " "));
  return text;
}
