//===- Dependences.cpp - Orders that accesses must keep -------------------===//

#include "streamtensor/Dialect/Dataflow/IR/Dependences.h"

#include "streamtensor/Dialect/Dataflow/IR/ReuseDistance.h"
#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"

using namespace mlir;
using namespace streamtensor::dataflow;

std::optional<int64_t> streamtensor::dataflow::getStatedLatency(AccessOpInterface access) {
  if (access.isToken())
    return std::nullopt;
  if (auto port = access.getChannel().getDefiningOp<PortOp>()) {
    WordsAttr words = access.getWordsAttr();
    if (!port.getInterface() || !words)
      return std::nullopt;
    return (access.isWrite() ? port.getInterface()->getWrite() : port.getInterface()->getRead()) +
           words.getCount() - 1;
  }
  StorageAttr storage = getLeaf(access).getStorageOf(access.getChannel());
  if (!storage || storage.getKind() == MemoryKind::Unset)
    return std::nullopt;
  return access.isWrite() ? storage.getWriteLatency() : storage.getReadLatency();
}

//===----------------------------------------------------------------------===//
// Recurrences
//===----------------------------------------------------------------------===//

int64_t streamtensor::dataflow::getRecurrenceSlack(Type type) {
  constexpr int64_t floatSlack = 2;
  return isa<FloatType>(getElementTypeOrSelf(type)) ? floatSlack : 0;
}

/// Is what `write` stores computed from what `read` loads, in one iteration?
static bool isComputedFrom(AccessOpInterface write, AccessOpInterface read) {
  SmallVector<Operation *> work = {write};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    if (op == read)
      return true;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && producer->getBlock() == write->getBlock() && seen.insert(producer).second)
        work.push_back(producer);
  }
  return false;
}

int64_t Dependence::getCycles(int64_t latency) {
  if (!isReadAfterWrite())
    return isWriteAfterRead() ? 0 : 1;
  int64_t slack =
      getRecurrenceSlack(cast<PrivateType>(first.getChannel().getType()).getElementType());
  return latency + (slack > 0 && isComputedFrom(first, second) ? slack : 0);
}

//===----------------------------------------------------------------------===//
// Pairs of accesses
//===----------------------------------------------------------------------===//

bool streamtensor::dataflow::canMeet(AccessOpInterface first, AccessOpInterface second) {
  if (getNest(first) == getNest(second)) {
    LeafBoxes boxes(getNest(first));
    return !boxes.exclude(*boxes.getBox(first.getGuardSet()), *boxes.getBox(second.getGuardSet()));
  }
  Pipeline pipeline = getPipeline(first);
  int64_t apart = pipeline.getLag(getNest(first)) - pipeline.getLag(getNest(second));
  return std::abs(apart) < pipeline.getNumBlocks();
}

bool streamtensor::dataflow::isOrderedInOneIteration(AccessOpInterface first,
                                                     AccessOpInterface second) {
  if (getNest(first) == getNest(second))
    return first != second && first->isBeforeInBlock(second) && canMeet(first, second);
  return getNest(first)->isBeforeInBlock(getNest(second)) && meetInOneIteration(first, second);
}

SmallVector<Dependence> streamtensor::dataflow::findDependences(Pipeline pipeline, int64_t limit) {
  SmallVector<Dependence> found;
  SmallVector<AccessOpInterface> accesses = pipeline.getAccesses();
  llvm::erase_if(accesses, [](AccessOpInterface access) {
    return !isa<PrivateType>(access.getChannel().getType());
  });
  for (AccessOpInterface first : accesses)
    for (AccessOpInterface second : accesses) {
      if (first.getChannel() != second.getChannel() || (!first.isWrite() && !second.isWrite()))
        continue;
      if (isOrderedInOneIteration(first, second))
        found.push_back({first, second, 0});
      if (std::optional<int64_t> distance = getReuseDistance(first, second, limit))
        found.push_back({first, second, *distance});
    }
  return found;
}

SmallVector<std::pair<AccessOpInterface, StreamWriteOp>>
streamtensor::dataflow::findOrderings(Pipeline pipeline) {
  SmallVector<std::pair<AccessOpInterface, StreamWriteOp>> found;
  SmallVector<AccessOpInterface> accesses = pipeline.getAccesses();
  for (auto write : pipeline.getOps<StreamWriteOp>())
    if (Value port = write.getFifo().getDefiningOp<StreamOp>().getOrders())
      for (AccessOpInterface access : accesses)
        if (access.getChannel() == port)
          found.push_back({access, write});
  return found;
}

bool streamtensor::dataflow::shareBeats(AccessOpInterface first, AccessOpInterface second) {
  if (!first.isExternal() || !second.isExternal() || first.isWrite() != second.isWrite())
    return false;
  if (first.getChannel() == second.getChannel())
    return true;
  auto one = first.getChannel().getDefiningOp<PortOp>().getInterfaces();
  auto other = second.getChannel().getDefiningOp<PortOp>().getInterfaces();
  return llvm::any_of(one, [&](Value interface) { return llvm::is_contained(other, interface); });
}

//===----------------------------------------------------------------------===//
// Ports of banks
//===----------------------------------------------------------------------===//

int64_t StorageAttr::getBeats(int64_t elements) const {
  return llvm::divideCeil(elements, getNumLanes());
}

bool streamtensor::dataflow::movesWholeWords(AccessOpInterface access,
                                             ArrayRef<int64_t> partition) {
  return llvm::all_of(llvm::zip_equal(partition, access.getBox(), access.getPlace().getResults()),
                      [](auto each) {
                        auto [factor, extent, place] = each;
                        return extent == factor && AffineExpr(place).isMultipleOf(factor);
                      });
}

std::string streamtensor::dataflow::describePorts(StorageAttr storage) {
  std::string text = std::to_string(storage.getPorts()) + " ports";
  if (int64_t writing = storage.getWritePorts())
    text += ", of which " + std::to_string(writing) + (writing == 1 ? " writes," : " write,");
  return text;
}

/// Ports of a bank that `uses` keep in a slot. An access of several beats takes all ports of a bank
/// that it can in one cycle and goes on in the next.
int64_t PortReservations::countPorts(ArrayRef<Use> uses, int64_t slot) const {
  std::map<int64_t, SmallVector<std::pair<AccessOpInterface, int64_t>>> byStage;
  for (const Use &use : uses)
    for (int64_t cycle = 0, left = use.beats; left > 0; ++cycle, left -= use.ports)
      if ((use.stage + cycle) % interval == slot)
        byStage[use.stage + cycle].push_back({use.access, std::min(left, use.ports)});
  int64_t count = 0;
  for (auto &[stage, accesses] : byStage) {
    int64_t most = 0; // in an iteration: those that can meet the same one
    for (auto &[access, own] : accesses) {
      int64_t together = 0;
      for (auto &[other, taken] : accesses)
        if (canMeet(access, other))
          together += taken;
      most = std::max(most, together);
    }
    count += most;
  }
  return count;
}

bool PortReservations::fits(AccessOpInterface access, int64_t stage, StorageAttr storage) const {
  int64_t ports = storage.getPorts(), own = storage.getPortsOf(access.isWrite());
  if (ports == 0)
    return true;
  SmallVector<Use> all = uses.lookup(access.getChannel()), alike;
  all.push_back({access, stage, storage.getBeats(access.getNumElements()), own});
  for (Use &use : all)
    if (use.access.isWrite() == access.isWrite())
      alike.push_back(use);
  for (int64_t cycle = 0; cycle * own < all.back().beats; ++cycle) {
    int64_t slot = (stage + cycle) % interval;
    if (countPorts(all, slot) > ports || countPorts(alike, slot) > own)
      return false;
  }
  return true;
}

void PortReservations::add(AccessOpInterface access, int64_t stage, StorageAttr storage) {
  uses[access.getChannel()].push_back({access, stage, storage.getBeats(access.getNumElements()),
                                       storage.getPortsOf(access.isWrite())});
}
