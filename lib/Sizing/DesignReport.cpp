//===- DesignReport.cpp - A sized design simulated and counted ------------===//

#include "streamtensor/Sizing/DesignReport.h"

#include "PlacementReport.h"
#include "RooflineReport.h"
#include "streamtensor/Device/VitisCores.h"
#include "streamtensor/Dialect/Dataflow/IR/DesignKernels.h"
#include "streamtensor/Schedule/Lanes.h"
#include "streamtensor/Schedule/LeafSchedule.h"
#include "streamtensor/Schedule/Memories.h"
#include "streamtensor/Support/BitWidth.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace llvm;
using namespace streamtensor::dataflow;
using namespace streamtensor::schedule;

namespace streamtensor::sizing {

static Resources countBuffer(BufferOp buffer, const DeviceModel &device) {
  return countBanks(getBanks(buffer), buffer.getMemoryKind(), device);
}

Resources countTasksAndBuffers(const sim::DesignMachine &built, const DeviceModel &device) {
  Resources used;
  for (LeafOp leaf : built.leaves)
    used += countLeaf(leaf, device);
  for (BufferOp buffer : built.buffers)
    used += countBuffer(buffer, device);
  return used;
}

static SmallVector<Banks> getBanks(const sim::DesignMachine &built, ArrayRef<int64_t> depths) {
  SmallVector<Banks> fifos;
  for (auto [fifo, depth] : zip_equal(built.machine.fifos, depths))
    fifos.push_back({1, depth, fifo.bits});
  return fifos;
}

SmallVector<MemoryKind> chooseFifoKinds(const sim::DesignMachine &built, ArrayRef<int64_t> depths,
                                        const DeviceModel &device) {
  return schedule::chooseFifoKinds(getBanks(built, depths), countTasksAndBuffers(built, device),
                                   device);
}

SmallVector<MemoryKind> chooseKindsOfSized(const sim::DesignMachine &built,
                                           ArrayRef<int64_t> depths, const DeviceModel &device) {
  SmallVector<Banks> fifos = getBanks(built, depths);
  Resources others = countTasksAndBuffers(built, device);
  SmallVector<MemoryKind> kinds = schedule::chooseFifoKinds(fifos, others, device);
  spareLogic(fifos, others, device, kinds);
  return kinds;
}

Resources countFifos(const sim::DesignMachine &built, ArrayRef<int64_t> depths,
                     const DeviceModel &device) {
  Resources used;
  SmallVector<MemoryKind> kinds = chooseFifoKinds(built, depths, device);
  for (auto [fifo, depth, kind] : zip_equal(built.machine.fifos, depths, kinds))
    used += countFifo(fifo.bits, depth, kind, device);
  return used;
}

Resources countDesign(const sim::DesignMachine &built, const DeviceModel &device) {
  Resources used = countTasksAndBuffers(built, device);
  for (auto [stream, fifo] : zip_equal(built.streams, built.machine.fifos))
    used += countFifo(stream, fifo.bits, fifo.depth, device);
  return used;
}

static int64_t countBytes(PrivateType type) {
  return type.getNumElements() * getBitWidth(type.getElementType()) / 8;
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
    for (mlir::Value memory : leaf.getPrivates())
      bytes.privates += countBytes(cast<PrivateType>(memory.getType()));
  return bytes;
}

json::Object reportResources(const Resources &used, const DeviceModel &device) {
  const Resources &all = device.getTotals();
  Resources placeable = device.getPlaceable();
  json::Object report;
  auto add = [&](StringRef name, double count, double Resources::*field) {
    report[name] = json::Object{{"used", std::ceil(count * 2) / 2},
                                {"placeable", std::floor(placeable.*field)},
                                {"available", all.*field}};
  };
  add("lut", std::ceil(used.lut), &Resources::lut);
  add("ff", std::ceil(used.ff), &Resources::ff);
  add("dsp", std::ceil(used.dsp), &Resources::dsp);
  add("bram", used.bram36, &Resources::bram36);
  add("uram", used.uram, &Resources::uram);
  return report;
}

/// Adds where what the memory holds comes from: FIFOs and ports that nests read which write it, and
/// those of the memories that these nests read.
static void addSources(mlir::Value memory, SmallSetVector<StringRef, 4> &sources,
                       SmallDenseSet<mlir::Value> &seen) {
  if (!seen.insert(memory).second)
    return;
  for (mlir::Operation *user : memory.getUsers()) {
    if (!isa<StoreOp>(user))
      continue;
    for (AccessOpInterface access : getAccesses(getNest(user))) {
      if (access.isWrite())
        continue;
      mlir::Operation *channel = access.getChannel().getDefiningOp();
      if (auto named = dyn_cast_or_null<StreamOp>(channel))
        sources.insert(named.getName());
      else if (auto port = dyn_cast_or_null<PortOp>(channel))
        sources.insert(port.getName());
      else if (auto buffer = dyn_cast_or_null<BufferOp>(channel))
        sources.insert(buffer.getName());
      else
        addSources(access.getChannel(), sources, seen);
    }
  }
}

static json::Array reportSources(mlir::Value memory) {
  SmallSetVector<StringRef, 4> sources;
  SmallDenseSet<mlir::Value> seen;
  addSources(memory, sources, seen);
  return json::Array(sources.getArrayRef());
}

static json::Array reportPrivates(LeafOp leaf) {
  json::Array privates;
  for (mlir::Value memory : leaf.getPrivates()) {
    StorageAttr storage = leaf.getStorageOf(memory);
    auto type = cast<PrivateType>(memory.getType());
    privates.push_back(json::Object{{"shape", json::Array(type.getShape())},
                                    {"bytes", countBytes(type)},
                                    {"filled_from", reportSources(memory)},
                                    {"partition", json::Array(storage.getPartition())},
                                    {"word", storage.getWord()},
                                    {"memory", stringifyMemoryKind(storage.getKind())}});
  }
  return privates;
}

/// The operations of a leaf that are bound to an implementation and a latency: how many of each.
static json::Array reportBound(LeafOp leaf) {
  std::map<std::tuple<std::string, StringRef, int64_t>, int64_t> counts;
  for (Pipeline &pipeline : leaf.getPipelines())
    for (mlir::Operation *op : pipeline.getOperations())
      if (TimingAttr timing = getTiming(op); timing && timing.getCore())
        ++counts[{getVitisOperation(op), timing.getCore(), timing.getLatency()}];
  json::Array bound;
  for (const auto &[key, count] : counts)
    bound.push_back(json::Object{{"operation", std::get<0>(key)},
                                 {"impl", std::get<1>(key)},
                                 {"latency", std::get<2>(key)},
                                 {"count", count}});
  return bound;
}

/// The module's path and the line of the user's source, as far as the location knows them.
static void addOrigin(json::Object &entry, mlir::Location location) {
  if (auto name = location->findInstanceOf<mlir::NameLoc>())
    entry["module"] = name.getName().getValue();
  if (auto line = location->findInstanceOf<mlir::FileLineColLoc>())
    entry["line"] = formatv("{0}:{1}", line.getFilename().getValue(), line.getLine()).str();
}

/// Of the phases of a task.
static int64_t getLargest(const sim::Task &task, int64_t sim::Phase::*field) {
  int64_t largest = 0;
  for (const sim::Phase &phase : task.phases)
    largest = std::max(largest, phase.*field);
  return largest;
}

/// The nests of a leaf that has several.
static json::Array reportNests(LeafOp leaf) {
  json::Array nests;
  for (Pipeline &pipeline : leaf.getPipelines())
    for (NestOpInterface nest : pipeline.nests) {
      json::Object entry{{"name", cast<NestOp>(*nest).getName()},
                         {"loops", json::Array(cast<NestOp>(*nest).getTrips())},
                         {"ii", pipeline.getInterval()},
                         {"depth", pipeline.getDepth()}};
      if (!pipeline.getLimit().empty())
        entry["ii_limit"] = pipeline.getLimit();
      nests.push_back(std::move(entry));
    }
  return nests;
}

/// The cycles that a task waits in each part of the run, by what it waits for.
static json::Object reportActivity(const sim::TaskActivity &activity) {
  json::Object stalls;
  for (auto [name, cycles] :
       {std::pair("input_stall", &activity.input), std::pair("output_stall", &activity.output),
        std::pair("memory_stall", &activity.memory)})
    if (!cycles->empty())
      stalls[name] = json::Array(*cycles);
  return stalls;
}

static json::Array reportTasks(const sim::DesignMachine &built, const sim::SimResult &result,
                               ArrayRef<int64_t> multiplyAdds, const DeviceModel &device) {
  json::Array tasks;
  for (auto [index, task] : enumerate(built.machine.tasks)) {
    const sim::TaskResult &times = result.tasks[index];
    LeafOp leaf = built.leaves[index];
    json::Object entry{{"name", task.name},
                       {"role", stringifyRole(leaf.getRole())},
                       {"ii", getLargest(task, &sim::Phase::ii)},
                       {"depth", getLargest(task, &sim::Phase::depth)},
                       {"style", stringifyPipelineStyle(leaf.getStyle())},
                       {"loops", json::Array(leaf.getTrips())},
                       {"serial_trips", task.trips},
                       {"multiply_add_lanes", countMultiplyAddLanes(leaf)},
                       {"multiply_adds", multiplyAdds[index]},
                       {"private_memories", reportPrivates(leaf)},
                       {"operators", reportBound(leaf)},
                       {"iterations", times.iterations},
                       {"start", times.start},
                       {"end", times.end},
                       {"busy", times.busy},
                       {"input_stall", times.inputStall},
                       {"start_stall", times.startStall},
                       {"output_stall", times.outputStall},
                       {"memory_stall", times.memoryStall},
                       {"resources", reportShare(countLeaf(leaf, device))}};
    addOrigin(entry, leaf.getLoc());
    if (leaf.getDie())
      entry["die"] = *leaf.getDie();
    if (leaf.hasNests()) {
      entry["nests"] = reportNests(leaf);
      entry["nests_together"] = leaf.getTogether();
    }
    if (!result.activity.empty())
      entry["activity"] = reportActivity(result.activity[index]);
    if (leaf.getLimit())
      entry["ii_limit"] = *leaf.getLimit();
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
        {"link", isLink(stream)},
        {"tokens", result.fifos[index].tokens},
        {"high_water", result.fifos[index].highWater},
        {"critical", llvm::is_contained(result.criticalFifos, static_cast<int32_t>(index))},
        {"resources", reportShare(countFifo(stream, fifo.bits, fifo.depth, device))}};
    addOrigin(entry, stream.getLoc());
    if (std::optional<FifoSizingAttr> sizing = stream.getSizing()) {
      entry["unbounded_high_water"] = sizing->getHighWater();
      if (sizing->getLp())
        entry["lp_depth"] = *sizing->getLp();
      if (sizing->getLeast())
        entry["least_depth"] = *sizing->getLeast();
    }
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
        {"partition", json::Array(buffer.getPartition())},
        {"word", schedule::getLayout(buffer).word},
        {"memory", stringifyMemoryKind(buffer.getMemoryKind())},
        {"bytes", ends.blocks * type.getNumElements() * getBitWidth(type.getElementType()) / 8},
        {"bram", used.bram36},
        {"uram", used.uram},
        {"resources", reportShare(used)}};
    addOrigin(entry, buffer.getLoc());
    buffers.push_back(std::move(entry));
  }
  return buffers;
}

/// Bytes over each channel, in beats of the channel, and the share of its sustained rate that they
/// are.
static json::Array reportChannels(const sim::DesignMachine &built, const sim::SimResult &result) {
  json::Array channels;
  for (auto [index, channel] : enumerate(built.machine.channels)) {
    const sim::ChannelResult &moved = result.channels[index];
    json::Array interfaces;
    for (const sim::Way &way : built.machine.ways)
      if (way.channel == static_cast<int32_t>(index) && !is_contained(interfaces, way.name))
        interfaces.push_back(way.name);
    double cycles = std::max<int64_t>(1, result.cycles);
    channels.push_back(json::Object{{"name", channel.name},
                                    {"interfaces", std::move(interfaces)},
                                    {"bytes", moved.bytes},
                                    {"busy", moved.busy},
                                    {"utilisation", moved.busy / cycles}});
  }
  return channels;
}

json::Object reportDesign(const sim::DesignMachine &built, const sim::SimResult &result,
                          const DeviceModel &device) {
  MemoryBytes bytes = countBytes(built);
  std::vector<int64_t> multiplyAdds = countMultiplyAdds(built);
  json::Object report{{"name", built.machine.name},
                      {"cycles", result.cycles},
                      {"seconds", result.cycles / (device.getClockMHz() * 1e6)},
                      {"tasks", reportTasks(built, result, multiplyAdds, device)},
                      {"fifos", reportFifos(built, result, device)},
                      {"buffers", reportBuffers(built, device)},
                      {"channels", reportChannels(built, result)},
                      {"ports", reportPorts(built, result)},
                      {"roofline", reportRoofline(built, result, multiplyAdds, device)},
                      {"resources", reportResources(countDesign(built, device), device)},
                      {"memory", json::Object{{"buffer_bytes", bytes.buffers},
                                              {"fifo_bytes", bytes.fifos},
                                              {"private_bytes", bytes.privates}}}};
  if (!result.activity.empty())
    report["part_cycles"] = result.partCycles;
  DesignOp design = built.design;
  reportDies(design, device, report);
  if (!built.scalars.empty()) {
    json::Object scalars;
    for (auto [scalar, value] : zip_equal(to_vector(design.getOps<ScalarOp>()), built.scalars))
      scalars[scalar.getName()] = value;
    report["scalars"] = std::move(scalars);
  }
  if (std::optional<DesignSizingAttr> sizing = design.getSizing()) {
    json::Object facts{{"strategy", sizing->getStrategy().getValue()},
                       {"cycles", sizing->getCycles()},
                       {"unbounded_cycles", sizing->getUnbounded()}};
    if (sizing->getLp())
      facts["lp_cycles"] = *sizing->getLp();
    report["sizing"] = std::move(facts);
  }
  return report;
}

} // namespace streamtensor::sizing
