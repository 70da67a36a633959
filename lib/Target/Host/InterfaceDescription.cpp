//===- InterfaceDescription.cpp - interface.json --------------------------===//
//
// Format: runtime/README.md.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Target/Host/HostFiles.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::target;
using namespace streamtensor::dataflow;

namespace json = llvm::json;

template <typename Range> static json::Array numbers(const Range &range) {
  json::Array array;
  for (auto value : range)
    array.push_back(static_cast<int64_t>(value));
  return array;
}

static json::Object describePort(KernelModel &kernel, const KernelPort &port) {
  json::Array names, bundles, memories, positions, stripes;
  for (unsigned position : port.arguments) {
    const KernelArgument &argument = kernel.arguments[position];
    names.push_back(argument.name);
    bundles.push_back(argument.bundle);
    memories.push_back(argument.memory());
    stripes.push_back(static_cast<int64_t>(argument.argument->stripe));
    positions.push_back(static_cast<int64_t>(position));
  }
  PortType type = PortOp(port.port).getType();
  return json::Object{{"name", port.name},
                      {"direction", stringifyDirection(port.direction)},
                      {"dtype", dtypeName(type.getElementType())},
                      {"shape", numbers(type.getShape())},
                      {"bits", getStorageBits(port.port)},
                      {"arguments", std::move(names)},
                      {"positions", std::move(positions)},
                      {"stripes", std::move(stripes)},
                      {"bundles", std::move(bundles)},
                      {"memories", std::move(memories)}};
}

static json::Object describeKernel(KernelModel &kernel) {
  json::Array ports, handWritten, scalars, tasks, sources, parts, links;
  for (const KernelPort &port : kernel.ports)
    ports.push_back(describePort(kernel, port));
  for (auto [index, scalar] : llvm::enumerate(kernel.scalars))
    scalars.push_back(
        json::Object{{"name", scalar.label},
                     {"low", scalar.low},
                     {"high", scalar.high},
                     {"position", static_cast<int64_t>(kernel.arguments.size() + index)}});
  for (DesignModel *model : kernel.designs) {
    for (ExternOp declaration : getExterns(model->design))
      handWritten.push_back(declaration.getSymName());
    for (LeafOp leaf : model->leaves)
      tasks.push_back(
          json::Object{{"name", leaf.getName()}, {"function", model->leafNames.lookup(leaf)}});
  }
  for (const KernelPart &part : kernel.parts) {
    json::Object described{{"function", part.name},
                           {"arguments", numbers(part.arguments)},
                           {"scalars", numbers(part.scalars)}};
    if (!part.die.empty())
      described["die"] = part.die;
    parts.push_back(std::move(described));
  }
  for (PartLink &link : kernel.links)
    links.push_back(json::Object{{"name", link.name},
                                 {"from", kernel.parts[link.writer].name},
                                 {"to", kernel.parts[link.reader].name},
                                 {"depth", link.depth}});
  for (const std::string &stem : kernel.getStems())
    sources.push_back("hls/" + stem + ".cpp");
  sources.push_back("hls/" + kernel.name + "_native.cpp");
  return json::Object{
      {"name", kernel.symbol},
      {"hand_written", std::move(handWritten)},
      {"function", kernel.name},
      {"call", kernel.name + "_call"},
      {"argument_count", static_cast<int64_t>(kernel.arguments.size() + kernel.scalars.size())},
      {"scalars", std::move(scalars)},
      {"cleared", kernel.beginsCleared()},
      {"tasks", std::move(tasks)},
      {"kernels", std::move(parts)},
      {"links", std::move(links)},
      {"header", "hls/" + kernel.name + ".h"},
      {"sources", std::move(sources)},
      {"ports", std::move(ports)}};
}

/// A pack or an unpack.
static json::Object describeLayout(const MainStep &step) {
  bool packs = step.kind == MainStep::Pack;
  json::Object layout{{"op", packs ? "pack" : "unpack"},
                      {"input", step.inputs[0]},
                      {"output", step.outputs[0]},
                      {"strides", numbers(ArrayRef<int64_t>(step.strides))},
                      {"lanes", step.lanes}};
  if (packs)
    layout["offset"] = step.offset;
  return layout;
}

/// What a launch has for the scalars of its design.
static json::Array describeScalars(const MainStep &launch) {
  json::Array scalars;
  for (const ScalarOperand &operand : launch.scalars)
    scalars.push_back(operand.scalar ? json::Object{{"scalar", *operand.scalar}}
                                     : json::Object{{"value", operand.value}});
  return scalars;
}

static json::Object describeMain(const MainSchedule &schedule) {
  json::Array values, arguments, scalars, constants, steps, updates;
  for (const MainScalar &scalar : schedule.scalars)
    scalars.push_back(json::Object{
        {"name", scalar.name}, {"low", scalar.low}, {"high", scalar.high}, {"step", scalar.step}});
  for (RankedTensorType type : schedule.types)
    values.push_back(json::Object{{"dtype", dtypeName(type.getElementType())},
                                  {"shape", numbers(type.getShape())}});
  for (auto [index, argument] : llvm::enumerate(schedule.arguments))
    arguments.push_back(json::Object{{"index", static_cast<int64_t>(index)},
                                     {"value", argument.value},
                                     {"name", argument.name},
                                     {"kind", argument.kind},
                                     {"dtype", dtypeName(argument.type.getElementType())},
                                     {"shape", numbers(argument.type.getShape())}});
  for (const MainConstant &constant : schedule.constants)
    constants.push_back(
        json::Object{{"value", constant.value},
                     {"file", constant.file},
                     {"dtype", dtypeName(constant.data.getElementType())},
                     {"shape", numbers(schedule.types[constant.value].getShape())}});
  for (const dataflow::Update &update : schedule.updates)
    updates.push_back(json::Object{{"result", update.result},
                                   {"argument", update.argument},
                                   {"dim", update.dim},
                                   {"scalar", update.scalar},
                                   {"count", update.count}});
  for (const MainStep &step : schedule.steps) {
    if (step.kind == MainStep::Launch)
      steps.push_back(json::Object{{"op", "launch"},
                                   {"design", step.design},
                                   {"inputs", numbers(step.inputs)},
                                   {"outputs", numbers(step.outputs)},
                                   {"scalars", describeScalars(step)}});
    else if (step.kind != MainStep::Reshape)
      steps.push_back(describeLayout(step));
    else
      steps.push_back(
          json::Object{{"op", "reshape"}, {"input", step.inputs[0]}, {"output", step.outputs[0]}});
  }
  json::Object described{{"values", std::move(values)},   {"arguments", std::move(arguments)},
                         {"scalars", std::move(scalars)}, {"constants", std::move(constants)},
                         {"steps", std::move(steps)},     {"results", numbers(schedule.results)},
                         {"updates", std::move(updates)}};
  if (schedule.layers > 0)
    described["layers"] = schedule.layers;
  return described;
}

std::string target::emitInterfaceDescription(MutableArrayRef<KernelModel> kernels,
                                             const MainSchedule &schedule) {
  json::Array designs;
  for (KernelModel &kernel : kernels)
    designs.push_back(describeKernel(kernel));
  json::Object root{
      {"format", 1}, {"designs", std::move(designs)}, {"main", describeMain(schedule)}};
  return llvm::formatv("{0:2}\n", json::Value(std::move(root)));
}
