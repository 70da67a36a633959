//===- StripeLoads.cpp - Several masters for one tensor -------------------===//
//
//   %w = dataflow.port in "w" : !dataflow.port<64x64x16x16xf32>
//   dataflow.leaf "w_load" load [64, 64] { load %w … -> vector<1x1x16x16xf32> … }
//
// moves 16 words in an iteration and takes 16 cycles for it. With an interface for each part of a
// row it takes one:
//
//   %w = dataflow.port in "w" via %gmem_0, %gmem_1, … : !dataflow.port<64x64x16x16xf32>
//
// Masters are few. Tensors that a launch passes once (the weights of one token) are needed one
// after the other, so their loads become nests of one leaf, in program order, on the same masters:
// the memory is as busy as with one tensor, and each task gets all of its rate in its turn. Any
// other load has masters of its own; those left go to whoever has most to move with each of its
// own.
//
//===----------------------------------------------------------------------===//

#include "PortPlanning.h"

#include "streamtensor/Analysis/PortWords.h"
#include "streamtensor/Dialect/Dataflow/IR/DesignGraph.h"
#include "streamtensor/Schedule/Memories.h"
#include "streamtensor/Schedule/Ports.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::schedule {
namespace {

/// A load that moves several words in an iteration.
struct WideLoad {
  LeafOp leaf;
  PortOp port;
  int64_t words; ///< In an iteration.
  int64_t iterations;
  bool isOnce; ///< Does it load each element once?
};

/// Loads on the same masters, one after the other.
struct Sequence {
  SmallVector<WideLoad> loads;
  int64_t stripes = 1;

  /// Loops whose counts the launch gives (the layers of a model): in each of their iterations the
  /// loads take turns.
  unsigned getNumShared() const { return getNumCountedLoops(loads.front().leaf); }
  bool takes(const WideLoad &load) const {
    return getNumCountedLoops(load.leaf) == getNumShared() &&
           haveSameCounts(load.leaf, loads.front().leaf, getNumShared());
  }

  int64_t countCycles(int64_t masters) const;
  /// The next number of masters with which it takes fewer cycles, or 0.
  int64_t getNextStripes(int64_t most) const;
};

} // namespace

/// The most stripes of `load` that are at most `masters`: each holds the same part of a row and of
/// the words.
static int64_t getStripes(const WideLoad &load, int64_t masters) {
  int64_t row = PortOp(load.port).getType().getShape().back();
  for (int64_t stripes = std::min(load.words, masters); stripes > 1; --stripes)
    if (load.words % stripes == 0 && row % stripes == 0)
      return stripes;
  return 1;
}

int64_t Sequence::countCycles(int64_t masters) const {
  int64_t cycles = 0;
  for (const WideLoad &load : loads)
    cycles += load.iterations * (load.words / getStripes(load, masters));
  return cycles;
}

int64_t Sequence::getNextStripes(int64_t most) const {
  int64_t now = countCycles(stripes);
  for (int64_t next = stripes + 1; next <= most; ++next)
    if (countCycles(next) < now)
      return next;
  return 0;
}

static std::optional<WideLoad> readWideLoad(LeafOp leaf, const MemoryPortModel &model) {
  LoadOp load = getOnlyLoad(leaf);
  auto port =
      load && !leaf.getTrips().empty() ? load.getMemory().getDefiningOp<PortOp>() : PortOp();
  if (!port || port.getDirection() != Direction::In || !port.getInterfaces().empty() ||
      !llvm::hasSingleElement(port->getUsers()))
    return std::nullopt;
  WordsAttr words = planWords(load, model.bits, model.burstBytes, model.burstWords);
  if (words.getCount() == 1)
    return std::nullopt;
  bool movesRows = cast<AccessOpInterface>(load.getOperation()).getBox().back() ==
                   port.getType().getShape().back();
  // Words of the whole width only: parts of them would be narrower.
  if (!movesRows || words.getUsed() != words.getLanes() ||
      words.getLanes() * getPackedBits(port.getType().getElementType()) != model.bits)
    return std::nullopt;
  int64_t iterations = leaf.getNumIterations();
  bool isOnce = iterations * words.getCount() * words.getLanes() == port.getType().getNumElements();
  return WideLoad{leaf, port, words.getCount(), iterations, isOnce};
}

/// Those who read what `leaf` gives.
static SmallVector<LeafOp> getReaders(LeafOp leaf, ArrayRef<DesignEdge> edges) {
  SmallVector<LeafOp> readers;
  for (const DesignEdge &edge : edges)
    if (edge.writer == leaf)
      readers.push_back(edge.reader);
  return readers;
}

/// Does one of `from` hand on to one of `to`, or is it one of them?
static bool handsOn(ArrayRef<LeafOp> from, ArrayRef<LeafOp> to, ArrayRef<DesignEdge> edges) {
  auto isIn = [&](LeafOp leaf) { return llvm::is_contained(to, leaf); };
  return llvm::any_of(
      from, [&](LeafOp leaf) { return isIn(leaf) || llvm::any_of(getReaders(leaf, edges), isIn); });
}

/// Nests of the leaf that takes what `load` gives, if one leaf does.
static llvm::SmallSetVector<Operation *, 2> getReadingNests(const WideLoad &load) {
  llvm::SmallSetVector<Operation *, 2> nests;
  for (auto write : LeafOp(load.leaf).getBlock().getOps<StreamWriteOp>())
    for (AccessOpInterface access : getAccesses(write.getFifo().getDefiningOp<StreamOp>()))
      if (!access.isWrite())
        nests.insert(getNest(access));
  return nests;
}

/// Do the same leaves, the slices of an engine, take what both give, one nest after the other?
static bool areTakenInTurn(const WideLoad &load, const WideLoad &other) {
  auto nests = getReadingNests(load), others = getReadingNests(other);
  auto hasNestOf = [](const auto &nests, LeafOp leaf) {
    return llvm::any_of(
        nests, [&](Operation *nest) { return cast<NestOpInterface>(nest).getLeaf() == leaf; });
  };
  return nests.size() == others.size() && llvm::all_of(nests, [&](Operation *nest) {
           LeafOp leaf = cast<NestOpInterface>(nest).getLeaf();
           return !leaf.getTogether() && !others.contains(nest) && hasNestOf(others, leaf);
         });
}

/// Is what `load` gives needed along with what one of `loads` gives, as the reader of one hands on
/// to the reader of the other? In turn, the one task would wait until the other has ended.
static bool isNeededAlong(WideLoad load, ArrayRef<WideLoad> loads, ArrayRef<DesignEdge> edges) {
  SmallVector<LeafOp> readers = getReaders(load.leaf, edges);
  return llvm::any_of(loads, [&](WideLoad other) {
    SmallVector<LeafOp> others = getReaders(other.leaf, edges);
    return !areTakenInTurn(load, other) &&
           (handsOn(readers, others, edges) || handsOn(others, readers, edges));
  });
}

/// Does what one of `from` gives come to one of `to`?
static bool reaches(SmallVector<LeafOp> from, ArrayRef<LeafOp> to, ArrayRef<DesignEdge> edges) {
  DenseSet<Operation *> seen;
  while (!from.empty()) {
    LeafOp leaf = from.pop_back_val();
    if (llvm::is_contained(to, leaf))
      return true;
    if (seen.insert(leaf).second)
      for (const DesignEdge &edge : edges)
        if (edge.writer == leaf && !edge.isBack())
          from.push_back(edge.reader);
  }
  return false;
}

/// The part of the device's memory that holds what `load` gives in an iteration of its counted
/// loops.
static double getShareOfRound(const WideLoad &load, const DeviceModel &device) {
  LeafOp leaf = load.leaf;
  int64_t tokens = llvm::product_of(leaf.getTrips().drop_front(getNumCountedLoops(leaf)));
  int64_t bits = load.words * device.port().bits;
  return getShare(countFifo(bits, tokens, chooseFifoKind(bits, tokens, device), device), device);
}

/// Are readers of `load` at work side by side with those of one of `loads` that gives a large
/// tensor? In turn, all of that would stand in a FIFO until the other comes.
static bool makesLargeWait(WideLoad load, ArrayRef<WideLoad> loads, ArrayRef<DesignEdge> edges,
                           const DeviceModel &device) {
  constexpr double large = 1.0 / 6;
  SmallVector<LeafOp> readers = getReaders(load.leaf, edges);
  return llvm::any_of(loads, [&](WideLoad other) {
    SmallVector<LeafOp> others = getReaders(other.leaf, edges);
    return getShareOfRound(other, device) > large && !reaches(readers, others, edges) &&
           !reaches(others, readers, edges);
  });
}

/// Would most masters of the others be idle in its turn?
static bool isNarrow(const WideLoad &load, ArrayRef<WideLoad> loads) {
  constexpr int64_t part = 4;
  return llvm::any_of(
      loads, [&](const WideLoad &other) { return load.words * part < other.words; });
}

static std::vector<Sequence> collectSequences(DesignOp design, const DeviceModel &device) {
  std::vector<Sequence> sequences;
  SmallVector<DesignEdge> edges = getEdges(design);
  Sequence once;
  for (auto leaf : design.getOps<LeafOp>())
    if (std::optional<WideLoad> load = readWideLoad(leaf, device.port())) {
      if (load->isOnce &&
          (once.loads.empty() || (once.takes(*load) && !isNarrow(*load, once.loads) &&
                                  !isNeededAlong(*load, once.loads, edges) &&
                                  !makesLargeWait(*load, once.loads, edges, device))))
        once.loads.push_back(*load);
      else
        sequences.push_back({{*load}});
    }
  if (!once.loads.empty())
    sequences.push_back(std::move(once));
  return sequences;
}

/// Masters of all that is not in `sequences`.
static int64_t countOtherMasters(DesignOp design, ArrayRef<Sequence> sequences) {
  int64_t count = countMasters(design);
  for (const Sequence &sequence : sequences)
    count -= sequence.loads.size();
  return count;
}

/// Gives masters one by one to the sequence that takes most cycles.
static void dealMasters(MutableArrayRef<Sequence> sequences, int64_t masters, int64_t channels) {
  int64_t left = masters - int64_t(sequences.size());
  while (true) {
    Sequence *slowest = nullptr;
    for (Sequence &sequence : sequences) {
      int64_t next = sequence.getNextStripes(std::min(channels, sequence.stripes + left));
      if (next && (!slowest ||
                   sequence.countCycles(sequence.stripes) > slowest->countCycles(slowest->stripes)))
        slowest = &sequence;
    }
    if (!slowest)
      return;
    int64_t next = slowest->getNextStripes(std::min(channels, slowest->stripes + left));
    left -= next - slowest->stripes;
    slowest->stripes = next;
  }
}

/// The leaf that takes from `fifo`, and the number of its last nest that does.
static std::pair<LeafOp, size_t> getReader(StreamOp fifo) {
  std::pair<LeafOp, size_t> last;
  for (AccessOpInterface access : getAccesses(fifo))
    if (!access.isWrite()) {
      LeafOp leaf = getLeaf(access);
      auto nests = leaf.getNests();
      size_t nest = llvm::find(nests, getNest(access)) - nests.begin();
      last = {leaf, std::max(last.second, nest)};
    }
  return last;
}

/// The FIFOs of a nest, if an engine takes what they hold behind what those of the nest before
/// hold, and they are alike: then one FIFO holds both, one after the other.
static bool followOn(ArrayRef<StreamOp> fifos, ArrayRef<StreamOp> before) {
  if (fifos.size() != before.size())
    return false;
  return llvm::all_of(llvm::zip_equal(fifos, before), [](auto pair) {
    auto [fifo, first] = pair;
    auto [leaf, nest] = getReader(fifo);
    auto [leafBefore, nestBefore] = getReader(first);
    return StreamOp(fifo).getType() == StreamOp(first).getType() && leaf == leafBefore &&
           leaf.hasNests() && !leaf.getTogether() && nestBefore < nest;
  });
}

/// A FIFO that is as wide as an engine takes much memory however short it is, so what an engine
/// takes in turn comes through the same ones.
static void joinFifos(LeafOp loads) {
  SmallVector<StreamOp> before;
  for (NestOp nest : loads.getBlock().getOps<NestOp>()) {
    SmallVector<StreamOp> fifos;
    for (auto write : nest.getBlock().getOps<StreamWriteOp>())
      fifos.push_back(write.getFifo().getDefiningOp<StreamOp>());
    if (before.empty() || !followOn(fifos, before)) {
      before = std::move(fifos);
      continue;
    }
    for (auto [fifo, first] : llvm::zip_equal(fifos, before)) {
      // Each of the tensors has an order of its own.
      for (StreamOp each : {fifo, first})
        for (AccessOpInterface access : getAccesses(each))
          setOrder(access, {});
      fifo.getResult().replaceAllUsesWith(first.getResult());
      fifo.erase();
    }
  }
}

/// Declares the sequence's masters and makes its loads one leaf.
static void apply(Sequence &sequence, DesignOp design, const DeviceModel &device) {
  if (sequence.stripes == 1 && sequence.loads.size() == 1)
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(&design.getBody().front());
  PortOp first = sequence.loads.front().port;
  SmallVector<Value> interfaces;
  for (int64_t stripe = 0; stripe < sequence.stripes; ++stripe) {
    std::string name = "gmem_" + first.getName().str();
    if (sequence.loads.size() > 1)
      name += "_and_" + std::to_string(sequence.loads.size() - 1);
    if (sequence.stripes > 1)
      name += "_s" + std::to_string(stripe);
    interfaces.push_back(
        InterfaceOp::create(builder, first.getLoc(), builder.getType<InterfaceType>(), name,
                            getInterfaceFacts(design.getContext(), device), Value()));
  }
  for (WideLoad &load : sequence.loads)
    load.port.getInterfacesMutable().assign(
        ArrayRef<Value>(interfaces).take_front(getStripes(load, sequence.stripes)));
  if (sequence.loads.size() > 1)
    joinFifos(
        mergeLoads(llvm::map_to_vector(sequence.loads, [](WideLoad &load) { return load.leaf; }),
                   sequence.getNumShared()));
}

StripeWishes getStripeWishes(DesignOp design, const DeviceModel &device) {
  StripeWishes wishes;
  int64_t channels = device.externalMemory().channels;
  for (const Sequence &sequence : collectSequences(design, device)) {
    int64_t most = 1;
    for (const WideLoad &load : sequence.loads)
      most = std::max(most, getStripes(load, channels));
    wishes.masters += most - int64_t(sequence.loads.size());
    wishes.cycles = std::max(wishes.cycles, sequence.countCycles(most));
  }
  return wishes;
}

void stripeLoads(DesignOp design, const DeviceModel &device) {
  std::vector<Sequence> sequences = collectSequences(design, device);
  int64_t others = countOtherMasters(design, sequences);
  dealMasters(sequences, device.externalMemory().masters - others,
              device.externalMemory().channels);
  for (Sequence &sequence : sequences)
    apply(sequence, design, device);
}

} // namespace streamtensor::schedule
