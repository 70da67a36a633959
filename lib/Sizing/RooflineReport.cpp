//===- RooflineReport.cpp - A design below the limits of its card ---------===//

#include "RooflineReport.h"

#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Schedule/Lanes.h"
#include "streamtensor/Schedule/LeafSchedule.h"

#include <cmath>

using namespace llvm;
using namespace streamtensor::dataflow;
using namespace streamtensor::schedule;

namespace streamtensor::sizing {

std::vector<int64_t> countMultiplyAdds(const sim::DesignMachine &built) {
  DesignOp design = built.design;
  mlir::FailureOr<BoundDesign> bound = BoundDesign::bind(design, built.scalars, design);
  assert(succeeded(bound) && "the machine was made for these scalars");
  std::vector<int64_t> counts;
  for (LeafOp leaf : bound->get().getOps<LeafOp>())
    counts.push_back(schedule::countMultiplyAdds(leaf));
  return counts;
}

/// See `dsps_per_lane`; 0 without multiply-adds.
static double getDspsPerLane(const sim::DesignMachine &built, ArrayRef<int64_t> multiplyAdds,
                             const DeviceModel &device) {
  double weighted = 0, all = 0;
  for (auto [place, count] : enumerate(multiplyAdds)) {
    LeafOp leaf = built.leaves[place];
    int64_t lanes = countMultiplyAddLanes(leaf);
    if (lanes == 0)
      continue;
    weighted += count * countLeaf(leaf, device).dsp / lanes;
    all += count;
  }
  return all > 0 ? weighted / all : 0;
}

/// Bytes that each channel sustains in a second: all are channels of one card ([design.channel]).
static double getSustainedRate(DesignOp design) {
  for (auto channel : design.getOps<ChannelOp>())
    return channel.getFacts().getSustained() * 1e6;
  return 0;
}

json::Object reportRoofline(const sim::DesignMachine &built, const sim::SimResult &result,
                            ArrayRef<int64_t> multiplyAdds, const DeviceModel &device) {
  int64_t lanes = 0, bytes = 0, used = 0;
  for (LeafOp leaf : built.leaves)
    lanes += countMultiplyAddLanes(leaf);
  for (const sim::ChannelResult &channel : result.channels) {
    bytes += channel.bytes;
    used += channel.bytes > 0;
  }
  const ExternalMemoryModel &memory = device.externalMemory();
  double dspsPerLane = getDspsPerLane(built, multiplyAdds, device);
  json::Object report{{"multiply_adds", sum_of(multiplyAdds, int64_t(0))},
                      {"external_bytes", bytes},
                      {"lanes", lanes},
                      {"dsps_per_lane", dspsPerLane},
                      {"bytes_per_second", memory.channels * memory.sustainedBytesPerSecond},
                      {"used_bytes_per_second", used * getSustainedRate(built.design)}};
  if (dspsPerLane > 0)
    report["placeable_lanes"] =
        static_cast<int64_t>(std::floor(device.getPlaceable().dsp / dspsPerLane));
  return report;
}

} // namespace streamtensor::sizing
