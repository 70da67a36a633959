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
// the memory is as busy as with one tensor, and each task gets all of its rate in its turn. So are
// those that an engine takes in its turns, however often in each. Any other load has masters of its
// own, and so have those whose tasks are at work side by side, if there is one for each word.
// Masters left go to whoever has most to move with each of its own.
//
// One sequence has as many masters as an iteration of its widest load moves words. Where loads come
// round and round (the layers of a model) and other masters are left, they are dealt to several
// sequences side by side: what a sequence of fewer masters loads is on the way while the tasks of
// the others are at work, and waits in a FIFO for its own, as far as the memory holds that.
//
// A stripe is a part of each row. Where rows are cut by the stripes that an iteration's words could
// have, all that the iteration moves becomes a row, if that is how it lies in memory:
//
//   %w = dataflow.port in "w" via %gmem_0, … %gmem_4 : !dataflow.port<3000x80xf32>
//
// has 5 words of what was <20x15x10x16xf32>.
//
// A channel sustains less than a master moves. A load that keeps everyone waiting for that has its
// words in halves, over twice as many masters.
//
//===----------------------------------------------------------------------===//

#include "PortPlanning.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Analysis/PortWords.h"
#include "streamtensor/Dialect/Dataflow/IR/DesignGraph.h"
#include "streamtensor/Dialect/ITensor/IR/ITensor.h"
#include "streamtensor/Schedule/Memories.h"
#include "streamtensor/Schedule/Ports.h"
#include "streamtensor/Schedule/SequenceProblem.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::schedule {
namespace {

/// A load that moves several words in an iteration, or one that is slower than all that takes it.
struct WideLoad {
  LeafOp leaf;
  PortOp port;
  SequencedLoad moved;
  /// Is it done when it has given all to a task, once or as often as an engine wants it in a turn?
  bool isOnce;
  /// Would it wait for memory with a master for each word?
  bool waitsForMemory;
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
  /// That one of its loads can use.
  int64_t getMostStripes(int64_t masters) const;
  /// The next number of masters with which it takes fewer cycles, or 0.
  int64_t getNextStripes(int64_t most) const;
};

} // namespace

int64_t Sequence::countCycles(int64_t masters) const {
  int64_t cycles = 0;
  for (const WideLoad &load : loads)
    cycles += load.moved.countCycles(masters);
  return cycles;
}

int64_t Sequence::getMostStripes(int64_t masters) const {
  int64_t most = 1;
  for (const WideLoad &load : loads)
    most = std::max(most, load.moved.getStripes(masters));
  return most;
}

int64_t Sequence::getNextStripes(int64_t most) const {
  int64_t now = countCycles(stripes);
  for (int64_t next = stripes + 1; next <= most; ++next)
    if (countCycles(next) < now)
      return next;
  return 0;
}

/// What a load gives in an iteration of its counted loops.
static int64_t countTokensOfRound(LeafOp leaf) {
  return llvm::product_of(leaf.getTrips().drop_front(getNumCountedLoops(leaf)));
}

/// The part of the device's memory that holds that, as so many words a token.
static double getShareOfRound(LeafOp leaf, int64_t words, const DeviceModel &device) {
  int64_t tokens = countTokensOfRound(leaf);
  int64_t bits = words * device.port().bits;
  return getShare(countFifo(bits, tokens, chooseFifoKind(bits, tokens, device), device), device);
}

double getCyclesOfWord(const DeviceModel &device) {
  return device.port().bits / 8.0 / device.getBytesOfCycle();
}

/// Can the tensor have rows of what an iteration moves? The host must know it by no other shape.
static bool canLayInRows(LeafOp leaf, LoadOp load, PortOp port) {
  bool isOfHost =
      llvm::all_of(getInputs(port), [](OpOperand *input) { return isExternal(input->get()); });
  return isOfHost && getNumCountedLoops(leaf) == 0 && leaf.getScalars().empty() &&
         movesRowsOfPort(cast<AccessOpInterface>(load.getOperation()), port);
}

/// Gives the tensor rows of what an iteration moves.
static void layInRows(LoadOp load, PortOp port) {
  auto access = cast<AccessOpInterface>(load.getOperation());
  int64_t row = access.getNumElements();
  AffineMap place = getPlaceInRows(access);
  setShape(port, {port.getType().getNumElements() / row, row});
  Type element = port.getType().getElementType();
  OpBuilder builder(load);
  Value value = LoadOp::create(builder, load.getLoc(), VectorType::get({1, row}, element),
                               load.getMemory(), Value(), place, nullptr, nullptr, nullptr);
  for (Operation *user : llvm::make_early_inc_range(load->getUsers()))
    if (auto reshape = dyn_cast<vector::ShapeCastOp>(user))
      reshape.getSourceMutable().assign(value);
  if (!load->use_empty())
    load.getResult().replaceAllUsesWith(
        vector::ShapeCastOp::create(builder, load.getLoc(), load.getType(), value).getResult());
  load->erase();
}

/// `slowest`: iterations of the slowest leaf that loads nothing.
static std::optional<WideLoad> readWideLoad(LeafOp leaf, const DeviceModel &device,
                                            int64_t slowest) {
  const MemoryPortModel &model = device.port();
  LoadOp load = getOnlyLoad(leaf);
  auto port =
      load && !leaf.getTrips().empty() ? load.getMemory().getDefiningOp<PortOp>() : PortOp();
  if (!port || port.getDirection() != Direction::In || !port.getInterfaces().empty() ||
      !llvm::hasSingleElement(port->getUsers()))
    return std::nullopt;
  WordsAttr words = planWords(load, model.bits, model.burstBytes, model.burstWords);
  double cyclesOfWord = getCyclesOfWord(device);
  // More than the first words take anyway.
  bool waitsForMemory =
      cyclesOfWord > 1 && leaf.getNumIterations() * cyclesOfWord > slowest + model.readLatency;
  if (words.getCount() == 1 && !waitsForMemory)
    return std::nullopt;
  bool movesRows = cast<AccessOpInterface>(load.getOperation()).getBox().back() ==
                   port.getType().getShape().back();
  // Words of the whole width only: parts of them would be narrower.
  if (!movesRows || words.getUsed() != words.getLanes() ||
      words.getLanes() * getPackedBits(port.getType().getElementType()) != model.bits)
    return std::nullopt;
  int64_t iterations = leaf.getNumIterations();
  bool isOnce = iterations * words.getCount() * words.getLanes() == port.getType().getNumElements();
  int64_t part = countWordsOfPart(leaf, words.getCount());
  int64_t row = canLayInRows(leaf, load, port)
                    ? cast<AccessOpInterface>(load.getOperation()).getNumElements()
                    : port.getType().getShape().back();
  SequencedLoad moved{
      iterations, words.getCount(),
      row,        getShareOfRound(leaf, words.getCount(), device),
      part,       waitsForMemory && (!isOnce || words.getCount() == 1) ? cyclesOfWord : 0};
  return WideLoad{leaf, port, moved, isOnce, waitsForMemory};
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

/// Are readers of `load` at work side by side with those of one of `loads` that gives a large
/// tensor? In turn, all of that would stand in a FIFO until the other comes.
static bool makesLargeWait(WideLoad load, ArrayRef<WideLoad> loads, ArrayRef<DesignEdge> edges) {
  constexpr double large = 1.0 / 6;
  SmallVector<LeafOp> readers = getReaders(load.leaf, edges);
  return llvm::any_of(loads, [&](WideLoad other) {
    SmallVector<LeafOp> others = getReaders(other.leaf, edges);
    return other.moved.share > large && !reaches(readers, others, edges) &&
           !reaches(others, readers, edges);
  });
}

/// `leaves`, and behind them those that hold nothing: they give each token on as it comes.
static SmallVector<LeafOp> withPassersOn(SmallVector<LeafOp> leaves, ArrayRef<DesignEdge> edges) {
  llvm::SmallSetVector<Operation *, 8> all(leaves.begin(), leaves.end());
  for (size_t place = 0; place < all.size(); ++place)
    for (LeafOp reader : getReaders(cast<LeafOp>(all[place]), edges))
      if (!reader.hasNests() && reader.getPrivates().empty())
        all.insert(reader);
  return llvm::map_to_vector(all, [](Operation *op) { return cast<LeafOp>(op); });
}

/// Are readers of `load` at work side by side with those of one of `loads`, or as soon as one of
/// the others has given something?
static bool isWantedBeside(WideLoad load, ArrayRef<WideLoad> loads, ArrayRef<DesignEdge> edges) {
  SmallVector<LeafOp> readers = getReaders(load.leaf, edges);
  SmallVector<LeafOp> passersOn = withPassersOn(readers, edges);
  return llvm::any_of(loads, [&](WideLoad other) {
    SmallVector<LeafOp> others = getReaders(other.leaf, edges);
    return (!reaches(readers, others, edges) && !reaches(others, readers, edges)) ||
           (!areTakenInTurn(load, other) &&
            (handsOn(passersOn, others, edges) ||
             handsOn(withPassersOn(others, edges), readers, edges)));
  });
}

/// Loads that have masters of their own, and those that take turns.
struct DesignLoads {
  std::vector<Sequence> own;
  Sequence once;
};

static DesignLoads collectLoads(DesignOp design, const DeviceModel &device) {
  SmallVector<WideLoad> all;
  int64_t widest = 1, slowest = 0;
  for (auto leaf : design.getOps<LeafOp>())
    if (leaf.getRole() != Role::Load)
      slowest = std::max(slowest, leaf.getNumIterations());
  for (auto leaf : design.getOps<LeafOp>())
    if (std::optional<WideLoad> load = readWideLoad(leaf, device, slowest))
      all.push_back(*load);
  for (WideLoad &load : all) {
    bool isOfEngine =
        llvm::any_of(all, [&](const WideLoad &other) { return areTakenInTurn(load, other); });
    if (isOfEngine) {
      load.isOnce = true;
      load.moved.cyclesOfWord = 0;
    }
    widest = std::max(widest, load.isOnce ? load.moved.words : 1);
  }
  DesignLoads found;
  Sequence &once = found.once;
  SmallVector<DesignEdge> edges = getEdges(design);
  auto mayTakeTurns = [&](const WideLoad &load) {
    return load.isOnce && load.moved.words > 1 && !isNarrow(load.moved.words, widest);
  };
  // Turns are for masters that are too few. Where there is one for each word, nobody waits. Of
  // loads that come round and round, one runs ahead while the other has its turn.
  int64_t masters = countMasters(design) - int64_t(all.size());
  for (const WideLoad &load : all)
    masters += mayTakeTurns(load) ? load.moved.words : 1;
  bool areMany = masters <= device.externalMemory().masters;
  for (WideLoad &load : all) {
    bool takesTurns =
        mayTakeTurns(load) &&
        (once.loads.empty() || (once.takes(load) && !isNeededAlong(load, once.loads, edges) &&
                                !makesLargeWait(load, once.loads, edges) &&
                                !(areMany && getNumCountedLoops(load.leaf) == 0 &&
                                  isWantedBeside(load, once.loads, edges))));
    if (takesTurns)
      once.loads.push_back(load);
    else
      found.own.push_back({{load}});
  }
  return found;
}

/// All sequences, if those that take turns are one.
static std::vector<Sequence> getSequences(const DesignLoads &loads) {
  std::vector<Sequence> sequences = loads.own;
  if (!loads.once.loads.empty())
    sequences.push_back(loads.once);
  return sequences;
}

//===----------------------------------------------------------------------===//
// Sequences side by side
//===----------------------------------------------------------------------===//

/// Iterations of the slowest leaf that is none of the loads, in the largest launch: FIFOs get their
/// depths for that. Where a task takes longer there (several tokens in a pass), other launches wait
/// for their weights, but the FIFOs do not hold what would run ahead.
static int64_t countOtherIterations(DesignOp design, const DesignLoads &loads) {
  int64_t most = 0;
  for (auto leaf : design.getOps<LeafOp>())
    if (llvm::none_of(loads.once.loads, [&](const WideLoad &load) { return load.leaf == leaf; }))
      most = std::max(most, leaf.getNumIterations());
  return most;
}

/// How the loads that take turns could go side by side; none if they come only once, when nothing
/// can run ahead of the first task.
static std::optional<SequenceProblem> describeOnce(DesignOp design, const DesignLoads &loads,
                                                   const DeviceModel &device) {
  if (loads.once.loads.size() < 2 || loads.once.getNumShared() == 0)
    return std::nullopt;
  // What is left holds what the tasks themselves let wait.
  constexpr double mostHeld = 1.0 / 6;
  SequenceProblem problem;
  for (const WideLoad &load : loads.once.loads)
    problem.loads.push_back(load.moved);
  problem.mostStripes = device.externalMemory().channels;
  problem.leastCycles = countOtherIterations(design, loads);
  problem.mostHeld = mostHeld;
  return problem;
}

/// Replaces the sequence of all loads that take turns, the last one, by those of `choice`.
static void splitOnce(std::vector<Sequence> &sequences, const SequenceChoice &choice) {
  Sequence once = sequences.back();
  sequences.pop_back();
  for (auto [number, masters] : llvm::enumerate(choice.masters)) {
    Sequence part;
    part.stripes = masters;
    for (auto [load, sequence] : llvm::zip_equal(once.loads, choice.sequenceOf))
      if (sequence == number)
        part.loads.push_back(load);
    sequences.push_back(std::move(part));
  }
}

//===----------------------------------------------------------------------===//
// Masters
//===----------------------------------------------------------------------===//

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

/// Brings the words of loads that are passed once in halves where masters are `left` when each word
/// has one: no plan makes room for that, and who takes turns, or comes round and round, has masters
/// that others need.
static void giveHalves(MutableArrayRef<Sequence> sequences, int64_t left, int64_t channels,
                       double cyclesOfWord) {
  for (const Sequence &sequence : sequences)
    left -= sequence.stripes;
  for (Sequence &sequence : sequences) {
    WideLoad &load = sequence.loads.front();
    int64_t words = load.moved.words;
    if (sequence.loads.size() > 1 || sequence.getNumShared() > 0 || !load.isOnce ||
        !load.waitsForMemory || sequence.stripes != words || left < words)
      continue;
    SequencedLoad inHalves = load.moved;
    inHalves.cyclesOfWord = cyclesOfWord;
    if (inHalves.getStripes(std::min(channels, 2 * words)) == words)
      continue;
    load.moved = inHalves;
    sequence.stripes = 2 * words;
    left -= words;
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
    llvm::SmallSetVector<StreamOp, 4> written; // each once, however many guards it has
    for (auto write : nest.getBlock().getOps<StreamWriteOp>())
      written.insert(write.getFifo().getDefiningOp<StreamOp>());
    SmallVector<StreamOp> fifos = written.takeVector();
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
  PortOp first = sequence.loads.front().port;
  std::string stem = "gmem_" + first.getName().str();
  if (sequence.loads.size() > 1)
    stem += "_and_" + std::to_string(sequence.loads.size() - 1);
  SmallVector<Value> interfaces =
      createMasters(design, first.getLoc(), stem, sequence.stripes, device);
  for (WideLoad &load : sequence.loads) {
    int64_t stripes = load.moved.getStripes(sequence.stripes);
    if (load.moved.isDealtInTurn(stripes))
      dealInTurn(load.leaf, stripes / load.moved.part);
    else if (load.port.getType().getShape().back() % stripes != 0)
      layInRows(getOnlyLoad(load.leaf), load.port);
    load.port.getInterfacesMutable().assign(ArrayRef<Value>(interfaces).take_front(stripes));
  }
  if (sequence.loads.size() > 1)
    joinFifos(
        mergeLoads(llvm::map_to_vector(sequence.loads, [](WideLoad &load) { return load.leaf; }),
                   sequence.getNumShared()));
}

/// The masters with which no sequence of the design could be faster, one tensor after the other.
static StripePlan planInTurn(const DesignLoads &loads, int64_t channels) {
  StripePlan plan;
  for (const Sequence &sequence : getSequences(loads)) {
    int64_t most = sequence.getMostStripes(channels);
    plan.masters += most - int64_t(sequence.loads.size());
    plan.cycles = std::max(plan.cycles, sequence.countCycles(most));
  }
  return plan;
}

SmallVector<StripePlan> planStripes(DesignOp design, const DeviceModel &device) {
  const ExternalMemoryModel &memory = device.externalMemory();
  DesignLoads loads = collectLoads(design, device);
  StripePlan inTurn = planInTurn(loads, memory.channels);
  SmallVector<StripePlan> plans;
  if (std::optional<SequenceProblem> problem = describeOnce(design, loads, device)) {
    int64_t most = loads.once.getMostStripes(memory.channels);
    // Loads that fill all masters leave none for other tensors.
    int64_t alone = std::min<int64_t>(most, memory.masters / 2);
    for (int64_t masters = memory.masters; masters > alone;) {
      SequenceChoice choice = chooseSequences(*problem, masters);
      masters = choice.countMasters() - 1;
      plans.push_back(
          {inTurn.masters + choice.countMasters() - most, choice.cycles, std::move(choice)});
    }
  }
  plans.push_back(inTurn);
  return plans;
}

bool stripeLoads(DesignOp design, const DeviceModel &device, const StripePlan &plan) {
  DesignLoads loads = collectLoads(design, device);
  if (plan.isDealt() && plan.beside.sequenceOf.size() != loads.once.loads.size())
    return false;
  std::vector<Sequence> sequences = getSequences(loads);
  int64_t masters = device.externalMemory().masters - countOtherMasters(design, sequences);
  if (plan.isDealt()) {
    splitOnce(sequences, plan.beside);
    for (size_t number = 0; number < plan.beside.masters.size(); ++number)
      masters -= plan.beside.masters[number];
    dealMasters(MutableArrayRef(sequences).take_front(loads.own.size()), masters,
                device.externalMemory().channels);
  } else {
    dealMasters(sequences, masters, device.externalMemory().channels);
    giveHalves(sequences, masters, device.externalMemory().channels, getCyclesOfWord(device));
  }
  for (Sequence &sequence : sequences)
    apply(sequence, design, device);
  return true;
}

llvm::StringMap<int64_t> planDepths(DesignOp design, const StripePlan &plan,
                                    const DeviceModel &device) {
  // Of the device's memory.
  constexpr double forWeights = 0.5;
  Sequence once = collectLoads(design, device).once;
  int64_t inTurn = std::min(device.externalMemory().channels, plan.beside.countMasters());
  auto runsAhead = [&](size_t number) {
    const SequencedLoad &load = once.loads[number].moved;
    return plan.isDealt() && load.getStripes(plan.beside.masters[plan.beside.sequenceOf[number]]) <
                                 load.getStripes(inTurn);
  };
  double ahead = 0, others = 0;
  for (auto [number, load] : llvm::enumerate(once.loads))
    (runsAhead(number) ? ahead : others) += load.moved.share;
  double part = std::min(1.0, (forWeights - ahead) / others);
  llvm::StringMap<int64_t> depths;
  for (auto [number, load] : llvm::enumerate(once.loads)) {
    int64_t round = countTokensOfRound(load.leaf);
    for (auto write : load.leaf.getBlock().getOps<StreamWriteOp>())
      depths[getFifo(write.getStream()).getDefiningOp<StreamOp>().getName()] =
          runsAhead(number) ? round : std::max<int64_t>(1, part * round);
  }
  return depths;
}

} // namespace streamtensor::schedule
