//===- DesignReport.cpp - A sized design simulated and counted ------------===//

#include "streamtensor/Sizing/DesignReport.h"

#include "streamtensor/Schedule/LeafSchedule.h"
#include "streamtensor/Schedule/Memories.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace llvm;
using namespace streamtensor::dataflow;

namespace streamtensor::sizing {

static Resources countBuffer(BufferOp buffer, const DeviceModel &device) {
  Banks banks = getBanks(buffer);
  MemoryKind kind = buffer.getMemory();
  return countBanks(banks, kind == MemoryKind::Unset ? chooseKind(banks, device) : kind, device);
}

Resources countDesign(const sim::DesignMachine &built, const DeviceModel &device) {
  Resources used;
  for (LeafOp leaf : built.leaves)
    used += countLeaf(leaf, device);
  for (const sim::Fifo &fifo : built.machine.fifos)
    used += countFifo(fifo.bits, std::max<int64_t>(fifo.depth, 2), device);
  for (BufferOp buffer : built.buffers)
    used += countBuffer(buffer, device);
  return used;
}

MemoryBytes countBytes(const sim::DesignMachine &built) {
  MemoryBytes bytes;
  for (BufferOp buffer : built.buffers) {
    BufferType type = buffer.getResult().getType();
    bytes.buffers +=
        buffer.getBlocks() * type.getNumElements() * getBitWidth(type.getElementType()) / 8;
  }
  for (const sim::Fifo &fifo : built.machine.fifos)
    bytes.fifos += fifo.depth * fifo.bits / 8;
  for (LeafOp leaf : built.leaves)
    for (mlir::Value memory : leaf.getPrivates()) {
      auto type = cast<PrivateType>(memory.getType());
      bytes.privates += type.getNumElements() * getBitWidth(type.getElementType()) / 8;
    }
  return bytes;
}

json::Object reportResources(const Resources &used, const DeviceModel &device) {
  const Resources &all = device.getTotals();
  json::Object report;
  auto add = [&](StringRef name, double count, double available) {
    report[name] = json::Object{{"used", std::ceil(count * 2) / 2}, {"available", available}};
  };
  add("lut", std::ceil(used.lut), all.lut);
  add("ff", std::ceil(used.ff), all.ff);
  add("dsp", std::ceil(used.dsp), all.dsp);
  add("bram", used.bram36, all.bram36);
  add("uram", used.uram, all.uram);
  return report;
}

/// Private memories as the size phase wrote them down.
static json::Array reportPrivates(LeafOp leaf) {
  json::Array privates;
  auto kinds = leaf->getAttrOfType<mlir::ArrayAttr>("private_memories");
  auto partitions = leaf->getAttrOfType<mlir::ArrayAttr>("private_partitions");
  if (!kinds || !partitions)
    return privates;
  for (auto [memory, kind, partition] : zip_equal(leaf.getPrivates(), kinds, partitions)) {
    auto factors = cast<mlir::DenseI64ArrayAttr>(partition).asArrayRef();
    privates.push_back(
        json::Object{{"shape", json::Array(cast<PrivateType>(memory.getType()).getShape())},
                     {"partition", json::Array(factors)},
                     {"memory", stringifyMemoryKind(cast<MemoryKindAttr>(kind).getValue())}});
  }
  return privates;
}

static json::Object reportShare(const Resources &used) {
  return json::Object{{"lut", std::ceil(used.lut)},
                      {"ff", std::ceil(used.ff)},
                      {"dsp", std::ceil(used.dsp * 2) / 2},
                      {"bram", used.bram36},
                      {"uram", used.uram}};
}

/// The module's path and the line of the user's source, as far as the location knows them.
static void addOrigin(json::Object &entry, mlir::Location location) {
  if (auto name = location->findInstanceOf<mlir::NameLoc>())
    entry["module"] = name.getName().getValue();
  if (auto line = location->findInstanceOf<mlir::FileLineColLoc>())
    entry["line"] = formatv("{0}:{1}", line.getFilename().getValue(), line.getLine()).str();
}

static json::Array reportTasks(const sim::DesignMachine &built, const sim::SimResult &result,
                               const DeviceModel &device) {
  json::Array tasks;
  for (auto [index, task] : enumerate(built.machine.tasks)) {
    const sim::TaskResult &times = result.tasks[index];
    LeafOp leaf = built.leaves[index];
    json::Object entry{{"name", task.name},
                       {"role", stringifyRole(leaf.getRole())},
                       {"ii", task.ii},
                       {"depth", task.depth},
                       {"style", stringifyPipelineStyle(leaf.getStyle())},
                       {"loops", json::Array(leaf.getTrips())},
                       {"serial_trips", task.trips},
                       {"private_memories", reportPrivates(leaf)},
                       {"iterations", times.iterations},
                       {"start", times.start},
                       {"end", times.end},
                       {"busy", times.busy},
                       {"input_stall", times.inputStall},
                       {"output_stall", times.outputStall},
                       {"resources", reportShare(countLeaf(leaf, device))}};
    addOrigin(entry, leaf.getLoc());
    if (auto limit = leaf->getAttrOfType<mlir::StringAttr>("ii_limit"))
      entry["ii_limit"] = limit.getValue();
    tasks.push_back(std::move(entry));
  }
  return tasks;
}

static json::Array reportFifos(const sim::DesignMachine &built, const sim::SimResult &result,
                               const DeviceModel &device) {
  json::Array fifos;
  const std::vector<sim::Task> &tasks = built.machine.tasks;
  for (auto [index, fifo] : enumerate(built.machine.fifos)) {
    StreamOp stream = built.streams[index];
    json::Object entry{
        {"name", fifo.name},
        {"writer", tasks[fifo.writer].name},
        {"reader", tasks[fifo.reader].name},
        {"bits", fifo.bits},
        {"depth", fifo.depth},
        {"memory", stringifyMemoryKind(stream.getMemory())},
        {"tokens", result.fifos[index].tokens},
        {"high_water", result.fifos[index].highWater},
        {"critical", llvm::is_contained(result.criticalFifos, static_cast<int32_t>(index))},
        {"resources", reportShare(countFifo(fifo.bits, std::max<int64_t>(fifo.depth, 2), device))}};
    addOrigin(entry, stream.getLoc());
    if (auto sizing = stream->getAttrOfType<mlir::DictionaryAttr>("sizing"))
      for (auto [fact, key] : {std::pair("lp", "lp_depth"),
                               {"least", "least_depth"},
                               {"high_water", "unbounded_high_water"}})
        if (auto value = sizing.getAs<mlir::IntegerAttr>(fact))
          entry[key] = value.getInt();
    fifos.push_back(std::move(entry));
  }
  return fifos;
}

static json::Array reportBuffers(const sim::DesignMachine &built, const DeviceModel &device) {
  json::Array buffers;
  for (auto [index, ends] : enumerate(built.machine.buffers)) {
    BufferOp buffer = built.buffers[index];
    BufferType type = buffer.getResult().getType();
    Resources used = countBuffer(buffer, device);
    json::Object entry{
        {"name", ends.name},
        {"writer", built.machine.tasks[ends.writer].name},
        {"reader", built.machine.tasks[ends.reader].name},
        {"blocks", ends.blocks},
        {"shape", json::Array(type.getShape())},
        {"partition", json::Array(buffer.getPartition().value_or(ArrayRef<int64_t>()))},
        {"memory", stringifyMemoryKind(buffer.getMemory())},
        {"bytes", ends.blocks * type.getNumElements() * getBitWidth(type.getElementType()) / 8},
        {"bram", used.bram36},
        {"uram", used.uram},
        {"resources", reportShare(used)}};
    addOrigin(entry, buffer.getLoc());
    buffers.push_back(std::move(entry));
  }
  return buffers;
}

json::Object reportDesign(const sim::DesignMachine &built, const sim::SimResult &result,
                          const DeviceModel &device) {
  MemoryBytes bytes = countBytes(built);
  json::Object report{{"name", built.machine.name},
                      {"cycles", result.cycles},
                      {"seconds", result.cycles / (device.getClockMHz() * 1e6)},
                      {"tasks", reportTasks(built, result, device)},
                      {"fifos", reportFifos(built, result, device)},
                      {"buffers", reportBuffers(built, device)},
                      {"resources", reportResources(countDesign(built, device), device)},
                      {"memory", json::Object{{"buffer_bytes", bytes.buffers},
                                              {"fifo_bytes", bytes.fifos},
                                              {"private_bytes", bytes.privates}}}};
  mlir::Operation *design = built.leaves.empty() ? nullptr : built.leaves.front()->getParentOp();
  if (auto sizing = design ? design->getAttrOfType<mlir::DictionaryAttr>("sizing") : nullptr) {
    json::Object facts;
    for (mlir::NamedAttribute fact : sizing) {
      if (auto value = dyn_cast<mlir::IntegerAttr>(fact.getValue()))
        facts[fact.getName().getValue()] = value.getInt();
      else if (auto text = dyn_cast<mlir::StringAttr>(fact.getValue()))
        facts[fact.getName().getValue()] = text.getValue();
    }
    report["sizing"] = std::move(facts);
  }
  return report;
}

} // namespace streamtensor::sizing
