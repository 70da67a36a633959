//===- ShareInterfaces.cpp - Leaves that load through one master ----------===//
//
//   dataflow.leaf "weight_load" load [2, 64] { load %weight, stream_write %a }
//   dataflow.leaf "bias_load" load [2, 64] { load %bias, stream_write %b }
//
// become one leaf that loads them in turn, each in bursts of its own:
//
//   dataflow.leaf "weight_load_and_1" load [2] {
//     dataflow.nest "weight_load" [64] { load %weight, stream_write %a }
//     dataflow.nest "bias_load" [64] { load %bias, stream_write %b }
//   }
//
// A master has one process that reads, and bursts for one array at a time (UG1399, "Preconditions
// and Limitations of Burst Transfer"), so two arrays in one loop would have none. A tensor joins of
// itself if a FIFO that holds its part of a round costs less than a master, and as long as all that
// the merged leaf loads takes at most `loss` of the slowest leaf's time. If the design then has
// more masters than the device, or than leave those that wide loads wish for, the leaves that load
// least are merged until it has not. All words that move over a master have one width. Where wide
// loads run side by side, narrower ones are made wider for that (WidenWords.cpp), and results go
// out through masters of loads.
//
//===----------------------------------------------------------------------===//

#include "PortPlanning.h"

#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Analysis/PortWords.h"
#include "streamtensor/Schedule/Memories.h"
#include "streamtensor/Schedule/Ports.h"
#include "streamtensor/Support/BitWidth.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::schedule {
LoadOp getOnlyLoad(LeafOp leaf) {
  if (leaf.getRole() != Role::Load || leaf.hasNests() || !leaf.getReads().empty() ||
      !leaf.getWrites().empty() || !leaf.getPrivates().empty())
    return {};
  auto loads = llvm::to_vector(leaf.getBlock().getOps<LoadOp>());
  bool isGuarded = llvm::any_of(leaf.getBlock().getOps<StreamWriteOp>(),
                                [](StreamWriteOp write) { return write.getGuard().has_value(); });
  bool isOnly = loads.size() == 1 && !loads[0].getGuard() && !loads[0].getRow() && !isGuarded;
  return isOnly ? loads[0] : LoadOp();
}

int64_t countMasters(DesignOp design) {
  int64_t count = llvm::range_size(design.getOps<InterfaceOp>());
  for (auto port : design.getOps<PortOp>())
    count += port.getInterfaces().empty();
  return count;
}

namespace {

/// A leaf that does nothing but load a tensor into a FIFO.
struct Load {
  LeafOp leaf;
  WordsAttr words;
  int64_t wordBits, tokenBits;
  int64_t tokensOfWord = 1; ///< More than one if a leaf behind it is to cut its words.
  bool isLone = false;      ///< Does it load a tensor of one element, which the host can lay out?

  ArrayRef<int64_t> getTrips() const { return LeafOp(leaf).getTrips(); }
  PortOp getPort() const { return getOnlyLoad(leaf).getMemory().getDefiningOp<PortOp>(); }
  /// Words that it loads inside the first `shared` loops, in one of their iterations.
  int64_t getWordsInside(unsigned shared) const {
    return llvm::product_of(getTrips().drop_front(shared)) * words.getCount() / tokensOfWord;
  }
};

/// Loads that are one leaf, or are to be.
using Loads = SmallVector<Load>;

/// A tensor that one leaf writes.
struct Result {
  PortOp port;
  int64_t wordBits;
};

/// A tensor that one leaf reads and another writes, word by word.
struct Updated {
  PortOp port;
  LeafOp reader, writer;
  int64_t wordBits;
};

class InterfaceSharing {
public:
  InterfaceSharing(DesignOp design, const DeviceModel &device, const PlanPortsOptions &options,
                   const StripePlan &plan);
  bool run();

private:
  std::optional<Load> readLoad(LeafOp leaf) const;
  std::optional<Result> readResult(PortOp port) const;
  unsigned getNumShared(const Loads &loads) const;
  std::optional<Loads> join(const Loads &first, const Loads &second) const;
  std::optional<Loads> joinWidened(Loads first, Loads second) const;
  int64_t getCycles(const Loads &loads) const;
  bool isSmall(const Load &load, unsigned shared) const;
  bool joinsOfItself(const Loads &loads) const;
  void joinSmall();
  bool joinCheapest(ArrayRef<size_t> among, int64_t mostCycles);
  bool joinCheapest(int64_t mostCycles = std::numeric_limits<int64_t>::max());
  DenseMap<size_t, PortOp> pairResults() const;
  int64_t countLeft() const;
  int64_t getMostCycles() const;
  bool makeRoom();
  SmallVector<size_t> findCrowded() const;
  void makeRoomInChannels();
  std::optional<Updated> readUpdated(PortOp port) const;
  bool canJoin(const Updated &first, const Updated &second) const;
  bool joinUpdated();
  int64_t getCyclesBefore(const Load &load, const Loads &loads) const;
  bool joinLone(int64_t mostCycles);
  void makeRoomForCaches();
  void applyUpdated();
  void addInterface(LeafOp leaf, PortOp result);
  void addInterface(ArrayRef<PortOp> ports);
  void apply();

  DesignOp design;
  const DeviceModel &device;
  const PlanPortsOptions &options;
  const StripePlan &plan;
  std::vector<Loads> groups;
  std::vector<Result> results;
  std::vector<SmallVector<Updated>> updated; ///< Each on a master.
  bool padsLone = false;                     ///< Can tensors of one element have words like others?
  int64_t mastersBefore = 0;
  int64_t mostWords = 1; ///< That a load moves in an iteration.
  double mostCycles;
};

} // namespace

InterfaceSharing::InterfaceSharing(DesignOp design, const DeviceModel &device,
                                   const PlanPortsOptions &options, const StripePlan &plan)
    : design(design), device(device), options(options), plan(plan) {
  int64_t slowest = 0;
  for (auto leaf : design.getOps<LeafOp>())
    if (LoadOp load = getOnlyLoad(leaf); load && load.getMemory().getDefiningOp<PortOp>())
      mostWords = std::max(mostWords, planWords(load, device.port().bits, device.port().burstBytes,
                                                device.port().burstWords)
                                          .getCount());
  for (auto leaf : design.getOps<LeafOp>()) {
    slowest = std::max(slowest, leaf.getNumIterations());
    if (std::optional<Load> load = readLoad(leaf))
      groups.push_back({*load});
  }
  for (auto port : design.getOps<PortOp>())
    if (std::optional<Result> result = readResult(port); result && plan.isDealt())
      results.push_back(*result);
  mostCycles = options.loss * slowest;
  mastersBefore = countMasters(design);
}

//===----------------------------------------------------------------------===//
// What can be merged
//===----------------------------------------------------------------------===//

std::optional<Load> InterfaceSharing::readLoad(LeafOp leaf) const {
  LoadOp load = getOnlyLoad(leaf);
  if (!load)
    return std::nullopt;
  auto writes = leaf.getBlock().getOps<StreamWriteOp>();
  if (!llvm::hasSingleElement(writes))
    return std::nullopt;
  auto port = load.getMemory().getDefiningOp<PortOp>();
  auto fifo = getFifo((*writes.begin()).getStream()).getDefiningOp<StreamOp>();
  if (!port || port.getDirection() != Direction::In || !port.getInterfaces().empty() ||
      fifo.getBack() || fifo.getOrders())
    return std::nullopt;
  const MemoryPortModel &model = device.port();
  WordsAttr words = planWords(load, model.bits, model.burstBytes, model.burstWords);
  Load found{leaf, words, words.getLanes() * planStorageBits(port, model.bits),
             getBitWidth(fifo.getType().getElementType())};
  found.isLone = port.getType().getNumElements() == 1 &&
                 llvm::none_of(getInputs(port),
                               [](OpOperand *input) { return mustStayRowMajor(input->get()); });
  // What moves several words in an iteration can use masters of its own, unless it is small, or far
  // narrower than the loads that are to have them.
  bool isAside = plan.isDealt() && isNarrow(words.getCount(), mostWords);
  if (words.getCount() > 1 && !isAside && !isSmall(found, getNumShared({found})))
    return std::nullopt;
  return found;
}

/// A tensor that goes out in words of one width.
std::optional<Result> InterfaceSharing::readResult(PortOp port) const {
  if (port.getDirection() != Direction::Out || !port.getInterfaces().empty())
    return std::nullopt;
  const MemoryPortModel &model = device.port();
  int64_t wordBits = 0;
  for (Operation *user : port->getUsers()) {
    auto store = dyn_cast<StoreOp>(user);
    if (!store)
      return std::nullopt;
    WordsAttr words = planWords(store, model.bits, model.burstBytes, model.burstWords);
    int64_t bits = words.getLanes() * planStorageBits(port, model.bits);
    if (wordBits && wordBits != bits)
      return std::nullopt;
    wordBits = bits;
  }
  return wordBits ? std::optional(Result{port, wordBits}) : std::nullopt;
}

/// Loops that all can share: the first ones that are alike, as long as each load inside is a burst
/// or the launch gives their count (the layers of a model), so that bursts end with them.
unsigned InterfaceSharing::getNumShared(const Loads &loads) const {
  ArrayRef<int64_t> trips = loads.front().getTrips();
  unsigned shared = 0;
  auto canShare = [&](const Load &load) {
    bool isWhole = padsLone && load.isLone; // its nest has no loops
    return shared + !isWhole < load.getTrips().size() && load.getTrips()[shared] == trips[shared] &&
           haveSameCounts(load.leaf, loads.front().leaf, shared + 1) &&
           (shared < getNumCountedLoops(load.leaf) ||
            load.getWordsInside(shared + 1) * load.tokensOfWord >= load.words.getBurst());
  };
  while (llvm::all_of(loads, canShare))
    ++shared;
  return shared;
}

/// Cycles of the leaf that they make: each nest drains before the next.
int64_t InterfaceSharing::getCycles(const Loads &loads) const {
  unsigned shared = getNumShared(loads);
  int64_t cycles = 0;
  for (const Load &load : loads)
    cycles += load.getWordsInside(shared) + device.port().readLatency + device.control().serialTrip;
  return cycles * llvm::product_of(loads.front().getTrips().take_front(shared));
}

/// Does a FIFO for one round of the shared loops cost less than a master?
bool InterfaceSharing::isSmall(const Load &load, unsigned shared) const {
  const MemoryPortModel &port = device.port();
  int64_t tokens = load.getWordsInside(shared) / load.words.getCount();
  MemoryKind kind = chooseFifoKind(load.tokenBits, tokens, device);
  Resources master = countWordsOnTheWay(
      withBursts(load.words, load.words.getBurst(),
                 countOutstanding(load.words.getBurst(), port.readLatency, port.burstGap)),
      load.wordBits, device);
  master.lut += port.lut;
  master.ff += port.ff;
  return getShare(countFifo(load.tokenBits, tokens, kind, device), device) <
         getShare(master, device);
}

bool InterfaceSharing::joinsOfItself(const Loads &loads) const {
  unsigned shared = getNumShared(loads);
  return getCycles(loads) <= mostCycles &&
         llvm::all_of(loads, [&](const Load &load) { return isSmall(load, shared); });
}

/// All accesses over a master have words of one width. Loops whose counts the launch gives are
/// shared: what one tensor has in one of their iterations is needed along with what the others
/// have.
std::optional<Loads> InterfaceSharing::join(const Loads &first, const Loads &second) const {
  if (first.front().wordBits != second.front().wordBits)
    return std::nullopt;
  Loads both = first;
  both.append(second);
  unsigned shared = getNumShared(both);
  bool sharesCounts = llvm::all_of(both, [&](const Load &load) {
    return getNumCountedLoops(load.leaf) <= shared &&
           haveSameCounts(load.leaf, first.front().leaf, shared);
  });
  return sharesCounts ? std::optional(std::move(both)) : std::nullopt;
}

/// With words that hold several tokens, so that they are `bits` wide.
static std::optional<Load> widen(Load load, int64_t bits) {
  if (load.wordBits == bits)
    return load;
  if (load.isLone) { // has words of zeros behind it
    load.wordBits = bits;
    return load;
  }
  int64_t times = bits / load.wordBits * load.tokensOfWord;
  bool fills = load.wordBits == load.tokenBits * load.tokensOfWord; // no padding
  if (bits % load.wordBits != 0 || !fills || !canWidenWords(load.leaf, times))
    return std::nullopt;
  load.wordBits = bits;
  load.tokensOfWord = times;
  return load;
}

/// The same, if all words of both can have the width of the wider. For loads in turn that is not
/// worth the leaves that cut the words.
std::optional<Loads> InterfaceSharing::joinWidened(Loads first, Loads second) const {
  if (!plan.isDealt())
    return join(first, second);
  int64_t bits = std::max(first.front().wordBits, second.front().wordBits);
  for (Loads *loads : {&first, &second})
    for (Load &load : *loads) {
      if (load.isLone && !padsLone)
        return join(first, second);
      std::optional<Load> wider = widen(load, bits);
      if (!wider)
        return std::nullopt;
      load = *wider;
    }
  return join(first, second);
}

/// Cycles that leaves take which cut words behind the loads.
static int64_t countCuts(const Loads &loads) {
  int64_t cycles = 0;
  for (const Load &load : loads)
    if (load.tokensOfWord > 1)
      cycles += llvm::product_of(load.getTrips());
  return cycles;
}

//===----------------------------------------------------------------------===//
// What is merged
//===----------------------------------------------------------------------===//

/// Each small tensor joins the first group that has time for it.
void InterfaceSharing::joinSmall() {
  std::vector<Loads> joined;
  for (Loads &loads : groups) {
    bool isIn = false;
    for (Loads &group : joined)
      if (std::optional<Loads> both = join(group, loads); !isIn && both && joinsOfItself(*both)) {
        group = std::move(*both);
        isIn = true;
      }
    if (!isIn)
      joined.push_back(loads);
  }
  groups = std::move(joined);
}

/// Merges the two groups `among` some that then take the fewest cycles, with those that cutting
/// words takes; false if no two take at most `mostCycles`.
bool InterfaceSharing::joinCheapest(ArrayRef<size_t> among, int64_t mostCycles) {
  int64_t least = std::numeric_limits<int64_t>::max();
  std::pair<size_t, size_t> cheapest;
  std::optional<Loads> joined;
  for (auto [place, first] : llvm::enumerate(among))
    for (size_t second : among.drop_front(place + 1))
      if (std::optional<Loads> both = joinWidened(groups[first], groups[second])) {
        int64_t cycles = getCycles(*both), cost = cycles + countCuts(*both);
        if (cycles >= mostCycles || cost >= least)
          continue;
        least = cost;
        cheapest = {first, second};
        joined = std::move(both);
      }
  if (!joined)
    return false;
  groups[cheapest.first] = std::move(*joined);
  groups.erase(groups.begin() + cheapest.second);
  return true;
}

bool InterfaceSharing::joinCheapest(int64_t mostCycles) {
  return joinCheapest(llvm::to_vector(llvm::seq<size_t>(0, groups.size())), mostCycles);
}

/// The result that can go out through the master of each group: a master reads and writes at the
/// same time, words of one width. Groups that load least come first.
DenseMap<size_t, PortOp> InterfaceSharing::pairResults() const {
  DenseMap<size_t, PortOp> paired;
  for (const Result &result : results) {
    std::optional<size_t> least;
    for (auto [number, loads] : llvm::enumerate(groups))
      if (loads.front().wordBits == result.wordBits && !paired.contains(number) &&
          (!least || getCycles(loads) < getCycles(groups[*least])))
        least = number;
    if (least)
      paired[*least] = result.port;
  }
  return paired;
}

/// Masters of the design, if each leaf that loads has one and results go out through these.
int64_t InterfaceSharing::countLeft() const {
  int64_t left = mastersBefore - int64_t(pairResults().size());
  for (const Loads &loads : groups)
    left -= loads.size() - 1;
  for (const SmallVector<Updated> &ports : updated)
    left -= ports.size() - 1;
  return left;
}

/// Tensors in turn on one master wait for each other: half of what others take at most, unless a
/// FIFO has them from the round before. Then they may take a little longer than these, if it is
/// they that more masters hang on.
int64_t InterfaceSharing::getMostCycles() const {
  constexpr int64_t partOfWide = 2, partMore = 8;
  return plan.isDealt() ? plan.cycles + plan.cycles / partMore : plan.cycles / partOfWide;
}

/// Merges until the masters of the plan are left; false if that would take too long.
bool InterfaceSharing::makeRoom() {
  while (countLeft() + plan.masters > device.externalMemory().masters)
    if (!joinCheapest(getMostCycles()))
      return false;
  return true;
}

/// The groups that read tensors of one channel, if they are more than it has ports. A tensor lies
/// in one place, with all tensors that share a master with it.
SmallVector<size_t> InterfaceSharing::findCrowded() const {
  llvm::EquivalenceClasses<const void *> places;
  for (const Loads &loads : groups)
    for (const Load &load : loads)
      for (OpOperand *input : getInputs(load.getPort()))
        places.unionSets(&loads, input->get().getAsOpaquePointer());
  llvm::MapVector<const void *, SmallVector<size_t>> readers;
  for (auto [number, loads] : llvm::enumerate(groups))
    readers[places.getOrInsertLeaderValue(&loads)].push_back(number);
  for (auto &[place, numbers] : readers)
    if (int64_t(numbers.size()) > device.externalMemory().portsPerChannel)
      return numbers;
  return {};
}

/// Merges who reads a tensor more often than its channel has ports (the weights of a network that
/// goes over a sequence, step by step).
void InterfaceSharing::makeRoomInChannels() {
  for (SmallVector<size_t> crowded = findCrowded(); !crowded.empty(); crowded = findCrowded())
    if (!joinCheapest(crowded, std::numeric_limits<int64_t>::max()))
      return; // Channels say what finds no place.
}

//===----------------------------------------------------------------------===//
// Room for caches
//===----------------------------------------------------------------------===//

std::optional<Updated> InterfaceSharing::readUpdated(PortOp port) const {
  if (port.getDirection() != Direction::InOut || !port.getInterfaces().empty())
    return std::nullopt;
  const MemoryPortModel &model = device.port();
  Updated found{port, {}, {}, 0};
  for (Operation *user : port->getUsers()) {
    auto access = dyn_cast<AccessOpInterface>(user);
    if (!access)
      continue;
    LeafOp leaf = getLeaf(access), &mine = access.isWrite() ? found.writer : found.reader;
    WordsAttr words = planWords(access, model.bits, model.burstBytes, model.burstWords);
    int64_t bits = words.getLanes() * planStorageBits(port, model.bits);
    if (mine || words.getCount() > 1 || leaf.hasNests() || !leaf.getReads().empty() ||
        !leaf.getWrites().empty() || leaf.getTrips().empty() ||
        (found.wordBits && found.wordBits != bits))
      return std::nullopt;
    mine = leaf;
    found.wordBits = bits;
  }
  bool isRead = found.reader && found.reader.getRole() == Role::Load;
  bool isWritten = found.writer && found.writer.getBlock().getOps<StreamWriteOp>().empty();
  return isRead && isWritten ? std::optional(found) : std::nullopt;
}

/// Can the readers of both be one leaf, and the writers another? In each round they have one tensor
/// after the other.
bool InterfaceSharing::canJoin(const Updated &first, const Updated &second) const {
  auto haveSameRounds = [](LeafOp leaf, LeafOp other) {
    return leaf != other && leaf.getTrips().front() == other.getTrips().front() &&
           haveSameCounts(leaf, other, 1);
  };
  return first.wordBits == second.wordBits && haveSameRounds(first.reader, second.reader) &&
         haveSameRounds(first.writer, second.writer);
}

/// Puts two tensors that are read and written word by word on one master; false if there are none.
bool InterfaceSharing::joinUpdated() {
  for (size_t first = 0; first < updated.size(); ++first)
    for (size_t second = first + 1; second < updated.size(); ++second)
      if (canJoin(updated[first].front(), updated[second].front())) {
        updated[first].append(updated[second]);
        updated.erase(updated.begin() + second);
        return true;
      }
  return false;
}

/// Cycles of the loads that come before `load` in a round.
int64_t InterfaceSharing::getCyclesBefore(const Load &load, const Loads &loads) const {
  int64_t cycles = 0;
  for (const Load &other : loads)
    if (LeafOp(other.leaf)->isBeforeInBlock(load.leaf))
      cycles += getCycles({other});
  return cycles;
}

/// Puts a tensor of one element onto the master where it has least to wait for, as long as all
/// there takes less than `mostCycles`; false if there is none.
bool InterfaceSharing::joinLone(int64_t mostCycles) {
  for (auto [number, lone] : llvm::enumerate(groups)) {
    if (lone.size() > 1 || !lone.front().isLone)
      continue;
    std::optional<Loads> joined;
    int64_t least = std::numeric_limits<int64_t>::max();
    size_t with = 0;
    for (auto [other, loads] : llvm::enumerate(groups)) {
      std::optional<Loads> both = other == number ? std::nullopt : joinWidened(loads, lone);
      int64_t before = getCyclesBefore(lone.front(), loads);
      if (!both || getCycles(*both) >= mostCycles || before >= least)
        continue;
      least = before;
      with = other;
      joined = std::move(both);
    }
    if (!joined)
      continue;
    groups[with] = std::move(*joined);
    groups.erase(groups.begin() + number);
    return true;
  }
  return false;
}

/// Merges further loads and small tensors that are read and written, until those that keep the
/// design waiting can have several masters; nothing if that does not do.
void InterfaceSharing::makeRoomForCaches() {
  int64_t wanted = countCacheMasters(design, device, options.cacheStripes);
  if (wanted == 0)
    return;
  std::vector<Loads> groupsBefore = groups;
  for (auto port : design.getOps<PortOp>())
    if (std::optional<Updated> found = readUpdated(port))
      updated.push_back({*found});
  padsLone = true;
  // In launches that wait for caches, and in those that do not, none becomes the slowest.
  constexpr int64_t partMore = 8;
  int64_t most = 0;
  for (const Loads &loads : groups)
    most = std::max(most, getCycles(loads) + getCycles(loads) / partMore);
  while (countLeft() + plan.masters + wanted > device.externalMemory().masters)
    if (!joinLone(most) && !joinUpdated() && !joinCheapest(most)) {
      groups = std::move(groupsBefore);
      updated.clear();
      padsLone = false;
      return;
    }
}

/// One leaf reads the tensors of each master, and one writes them.
void InterfaceSharing::applyUpdated() {
  for (const SmallVector<Updated> &ports : updated) {
    if (ports.size() == 1)
      continue;
    mergeLoads(llvm::map_to_vector(ports, [](const Updated &each) { return each.reader; }), 1);
    mergeStores(llvm::map_to_vector(ports, [](const Updated &each) { return each.writer; }), 1);
    addInterface(llvm::map_to_vector(ports, [](const Updated &each) { return each.port; }));
  }
}

/// One master for all tensors that the leaf loads, and for `result` if that is not null.
void InterfaceSharing::addInterface(LeafOp leaf, PortOp result) {
  SmallVector<PortOp> ports;
  leaf.walk([&](LoadOp load) { ports.push_back(load.getMemory().getDefiningOp<PortOp>()); });
  if (result)
    ports.push_back(result);
  addInterface(ports);
}

/// One master for `ports`.
void InterfaceSharing::addInterface(ArrayRef<PortOp> ports) {
  PortOp first = ports.front();
  OpBuilder builder = OpBuilder::atBlockBegin(&design.getBody().front());
  std::string name = ("gmem_" + first.getName() + "_and_" + Twine(ports.size() - 1)).str();
  auto interface =
      InterfaceOp::create(builder, first.getLoc(), builder.getType<InterfaceType>(), name,
                          getInterfaceFacts(design.getContext(), device), Value());
  for (PortOp port : ports)
    port.getInterfacesMutable().assign(interface.getResult());
}

/// Merges the leaves of each group.
void InterfaceSharing::apply() {
  DenseMap<size_t, PortOp> paired = pairResults();
  for (auto [number, loads] : llvm::enumerate(groups)) {
    PortOp result = paired.lookup(number);
    if (loads.size() == 1 && !result)
      continue;
    unsigned shared = getNumShared(loads);
    for (const Load &load : loads)
      if (load.tokensOfWord > 1)
        widenWords(load.leaf, load.tokensOfWord, device);
      else if (load.isLone && padsLone && loads.size() > 1)
        padElement(load.leaf, load.wordBits);
    LeafOp leaf = loads.front().leaf;
    if (loads.size() > 1)
      leaf = mergeLoads(llvm::map_to_vector(loads, [](const Load &load) { return load.leaf; }),
                        shared);
    addInterface(leaf, result);
  }
}

bool InterfaceSharing::run() {
  joinSmall();
  bool hasRoom = makeRoom();
  while (countLeft() > device.externalMemory().masters && joinCheapest())
    ;
  makeRoomInChannels();
  if (hasRoom && plan.isDealt())
    makeRoomForCaches();
  apply();
  applyUpdated();
  return hasRoom;
}

bool shareInterfaces(DesignOp design, const DeviceModel &device, const PlanPortsOptions &options,
                     const StripePlan &plan) {
  return InterfaceSharing(design, device, options, plan).run();
}

} // namespace streamtensor::schedule
