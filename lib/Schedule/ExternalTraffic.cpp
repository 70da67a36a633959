//===- ExternalTraffic.cpp - What moves over each interface ---------------===//

#include "PortPlanning.h"

#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Sim/PortAccess.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::schedule {

/// Above so many iterations a leaf is not visited: its bursts count as full.
static constexpr int64_t mostVisits = int64_t(1) << 26;

/// Adds what `leaf` moves if every burst is as long as it may be.
static void addFullBursts(LeafOp leaf, function_ref<void(Value, bool, WayTraffic)> add) {
  for (NestOpInterface nest : leaf.getNests())
    for (AccessOpInterface access : getAccesses(nest)) {
      if (!access.isExternal())
        continue;
      auto port = access.getChannel().getDefiningOp<PortOp>();
      WordsAttr words = access.getWordsAttr();
      int64_t wordBytes = llvm::divideCeil(words.getLanes() * getStorageBits(port), 8);
      int64_t moved = llvm::product_of(nest.getLoopTrips()) * words.getCount();
      WayTraffic way{moved * wordBytes, int64_t(llvm::divideCeil(moved, words.getLongest())),
                     words.getLongest() * wordBytes};
      for (Value interface : port.getInterfaces())
        add(interface, access.isWrite(), way);
    }
}

FailureOr<Traffic> measureTraffic(DesignOp design) {
  FailureOr<BoundDesign> bound = BoundDesign::bind(design, getLargestScalars(design), design);
  if (failed(bound))
    return failure();
  // Interfaces come in the same order in both.
  SmallVector<InterfaceOp> interfaces = llvm::to_vector(design.getOps<InterfaceOp>());
  DenseMap<Operation *, int32_t> numbers;
  for (auto interface : bound->get().getOps<InterfaceOp>())
    numbers.insert({interface, numbers.size()});
  // Counted in bytes of words, whatever beats a channel has that is bound already.
  SmallVector<std::pair<InterfaceOp, Value>> channels;
  for (auto interface : bound->get().getOps<InterfaceOp>()) {
    channels.push_back({interface, interface.getChannel()});
    interface.getChannelMutable().clear();
  }
  auto restore = llvm::make_scope_exit([&] {
    for (auto [interface, channel] : channels)
      if (channel)
        interface.getChannelMutable().assign(channel);
  });
  Traffic traffic;
  for (auto leaf : bound->get().getOps<LeafOp>()) {
    if (leaf.getNumIterations() > mostVisits) {
      addFullBursts(leaf, [&](Value interface, bool writes, WayTraffic moved) {
        WayTraffic &way =
            traffic[{interfaces[numbers.lookup(interface.getDefiningOp())], unsigned(writes)}];
        way.bytes += moved.bytes;
        way.bursts += moved.bursts;
        way.mostBytes = std::max(way.mostBytes, moved.mostBytes);
      });
      continue;
    }
    sim::PortTraffic moved =
        sim::computePortTraffic(leaf, [&](InterfaceOp interface, bool writes) -> int32_t {
          return 2 * numbers.lookup(interface) + writes;
        });
    for (const sim::Burst &burst : moved.bursts) {
      WayTraffic &way = traffic[{interfaces[burst.way / 2], burst.way % 2}];
      way.bytes += burst.bytes;
      ++way.bursts;
      way.mostBytes = std::max(way.mostBytes, burst.bytes);
    }
  }
  return traffic;
}

} // namespace streamtensor::schedule
