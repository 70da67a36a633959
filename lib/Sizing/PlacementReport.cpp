//===- PlacementReport.cpp - Dies and masters of a design -----------------===//

#include "PlacementReport.h"

#include "streamtensor/Placement/DesignDies.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace llvm;
using namespace streamtensor::dataflow;

namespace streamtensor::sizing {

json::Object reportShare(const Resources &used) {
  return json::Object{{"lut", std::ceil(used.lut)},
                      {"ff", std::ceil(used.ff)},
                      {"dsp", std::ceil(used.dsp * 2) / 2},
                      {"bram", used.bram36},
                      {"uram", used.uram}};
}

/// What may be placed, in whole pieces.
static json::Object reportBudget(const Resources &budget) {
  return json::Object{{"lut", std::floor(budget.lut)},
                      {"ff", std::floor(budget.ff)},
                      {"dsp", std::floor(budget.dsp)},
                      {"bram", std::floor(budget.bram36)},
                      {"uram", std::floor(budget.uram)}};
}

void reportDies(DesignOp design, const DeviceModel &device, json::Object &report) {
  placement::DesignDies described = placement::describeDies(design, device);
  std::optional<placement::Dies> dies = described.getStated(device);
  if (!dies)
    return;
  json::Array entries, crossings;
  for (auto [number, used] : enumerate(described.problem.getUse(*dies)))
    entries.push_back(json::Object{{"name", device.getDies()[number].name},
                                   {"used", reportShare(used)},
                                   {"placeable", reportBudget(described.problem.budgets[number])}});
  for (auto [boundary, bits] : enumerate(described.problem.getCrossings(*dies)))
    crossings.push_back(json::Object{{"between", json::Array{device.getDies()[boundary].name,
                                                             device.getDies()[boundary + 1].name}},
                                     {"bits", bits},
                                     {"wires", described.problem.wires}});
  report["dies"] = std::move(entries);
  report["crossings"] = std::move(crossings);
  if (std::optional<PlacementAttr> found = design.getPlacement())
    report["placement"] = json::Object{
        {"bits", found->getBits()}, {"bound", found->getBound()}, {"nodes", found->getNodes()}};
}

namespace {
/// One way of a master.
struct WayReport {
  int64_t bits = 0, burst = 0, outstanding = 0;
  SetVector<StringRef> tensors;
  StringRef leaf;
};
} // namespace

/// The ways of all masters, in the order of the ports.
static MapVector<std::pair<mlir::Value, unsigned>, WayReport> collectWays(DesignOp design) {
  MapVector<std::pair<mlir::Value, unsigned>, WayReport> ways;
  for (auto port : design.getOps<PortOp>())
    for (mlir::Operation *user : port.getResult().getUsers()) {
      auto access = dyn_cast<AccessOpInterface>(user);
      WordsAttr words = access ? access.getWordsAttr() : WordsAttr();
      if (!words)
        continue;
      for (mlir::Value interface : port.getInterfaces()) {
        WayReport &way = ways[{interface, access.isWrite()}];
        // Alike in all accesses: [design.interface].
        way.bits = words.getLanes() * getStorageBits(port);
        way.burst = words.getBurst();
        way.outstanding = words.getOutstanding();
        way.tensors.insert(port.getName());
        way.leaf = getLeaf(access).getName();
      }
    }
  return ways;
}

/// Bytes over `way`, of what its channel could move in `cycles`.
static double getUtilisation(const sim::Machine &machine, size_t way, int64_t bytes,
                             int64_t cycles) {
  const sim::MemoryChannel &channel = machine.channels[machine.ways[way].channel];
  return static_cast<double>(bytes) * channel.cycles / channel.bytes / std::max<int64_t>(1, cycles);
}

json::Array reportPorts(const sim::DesignMachine &built, const sim::SimResult &result) {
  json::Array ports;
  DesignOp design = built.design;
  std::vector<int64_t> moved(built.machine.ways.size(), 0);
  for (const sim::Task &task : built.machine.tasks)
    for (const sim::Burst &burst : task.bursts)
      moved[burst.way] += burst.bytes;
  // The ways of the machine come by interface, reads before writes.
  size_t next = 0;
  MapVector<std::pair<mlir::Value, unsigned>, WayReport> ways = collectWays(design);
  for (auto interface : design.getOps<InterfaceOp>())
    for (unsigned writes : {0u, 1u}) {
      auto found = ways.find({interface.getResult(), writes});
      if (found == ways.end())
        continue;
      WayReport &way = found->second;
      json::Array tensors(way.tensors.getArrayRef());
      json::Object entry{{"interface", interface.getName()},
                         {"way", writes ? "write" : "read"},
                         {"task", way.leaf},
                         {"tensors", std::move(tensors)},
                         {"bits", way.bits},
                         {"burst", way.burst},
                         {"outstanding", way.outstanding}};
      if (interface.getChannel()) {
        auto channel = interface.getChannel().getDefiningOp<ChannelOp>();
        entry["channel"] = formatv("{0}[{1}]", channel.getMemory(), channel.getNumber()).str();
        entry["bytes"] = moved[next];
        entry["utilisation"] = getUtilisation(built.machine, next, moved[next], result.cycles);
        ++next;
      }
      ports.push_back(std::move(entry));
    }
  return ports;
}

} // namespace streamtensor::sizing
