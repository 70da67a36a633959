//===- Memories.cpp - How memories and FIFOs are built --------------------===//

#include "streamtensor/Schedule/Memories.h"

#include "streamtensor/Dialect/Dataflow/IR/Dependences.h"
#include "streamtensor/Dialect/Dataflow/IR/DesignKernels.h"
#include "streamtensor/Dialect/Dataflow/IR/ReuseDistance.h"
#include "streamtensor/Support/BitWidth.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::schedule {

const MemoryKindModel &getModel(MemoryKind kind, const DeviceModel &device) {
  return device.memory(stringifyMemoryKind(kind));
}

//===----------------------------------------------------------------------===//
// Partition
//===----------------------------------------------------------------------===//

Shape inferPartition(ArrayRef<int64_t> shape, ArrayRef<Shape> boxes) {
  Shape partition(shape.size(), 1);
  for (const Shape &box : boxes)
    for (auto [factor, extent, wanted] : llvm::zip_equal(partition, shape, box))
      factor = std::min(std::lcm(factor, wanted), extent);
  return partition;
}

/// Of a block buffer or a private memory.
static std::pair<ArrayRef<int64_t>, Type> getShapeAndElement(Value memory) {
  if (auto type = dyn_cast<BufferType>(memory.getType()))
    return {type.getShape(), type.getElementType()};
  auto type = cast<PrivateType>(memory.getType());
  return {type.getShape(), type.getElementType()};
}

Shape inferPartition(Value memory) {
  SmallVector<Shape> boxes;
  for (AccessOpInterface access : getUsers<AccessOpInterface>(memory))
    boxes.push_back(access.getBox());
  return inferPartition(getShapeAndElement(memory).first, boxes);
}

Banks getBanks(ArrayRef<int64_t> shape, Type element, const Layout &layout) {
  Banks banks;
  for (auto [extent, factor] : llvm::zip_equal(shape, layout.partition)) {
    banks.count *= factor;
    banks.depth *= llvm::divideCeil(extent, factor);
  }
  banks.count /= layout.word;
  banks.width = getBitWidth(element) * layout.word;
  return banks;
}

/// Ports of a bank that accesses one way take in a cycle, at most. As far as leaves are scheduled.
static int64_t countPorts(Value memory, StorageAttr storage, bool writes) {
  int64_t most = storage.getPortsOf(writes);
  llvm::SmallSetVector<Operation *, 2> leaves;
  for (Operation *user : memory.getUsers())
    if (isa<AccessOpInterface>(user))
      leaves.insert(getLeaf(user));
  auto fits = [&](int64_t ports) {
    auto fewer = StorageAttr::get(
        memory.getContext(), storage.getKind(), storage.getPartition(), ports,
        /*writePorts=*/0, storage.getReadLatency(), storage.getWriteLatency(), storage.getWord());
    for (Operation *leaf : leaves)
      for (Pipeline &pipeline : cast<LeafOp>(leaf).getPipelines()) {
        PortReservations taken(pipeline.getInterval());
        for (AccessOpInterface access : pipeline.getAccesses()) {
          TimingAttr timing = getTiming(access);
          if (access.getChannel() != memory || access.isWrite() != writes || !timing)
            continue;
          int64_t beats = storage.getBeats(access.getNumElements());
          if (std::min(beats, most) > ports || !taken.fits(access, timing.getStage(), fewer))
            return false;
          taken.add(access, timing.getStage(), fewer);
        }
      }
    return true;
  };
  int64_t ports = 1;
  while (ports < most && !fits(ports))
    ++ports;
  return ports;
}

static void setPorts(Banks &banks, Value memory, StorageAttr storage) {
  banks.reads = countPorts(memory, storage, /*writes=*/false);
  banks.writes = countPorts(memory, storage, /*writes=*/true);
}

Layout getLayout(StorageAttr storage) { return {Shape(storage.getPartition()), storage.getWord()}; }

Layout getLayout(BufferOp buffer) {
  return {buffer.getPartition(), buffer.getStorage() ? buffer.getStorage()->getWord() : 1};
}

Banks getBanks(BufferOp buffer) {
  BufferType type = buffer.getResult().getType();
  Banks banks = getBanks(type.getShape(), type.getElementType(), getLayout(buffer));
  banks.count *= buffer.getBlocks();
  if (StorageAttr storage = buffer.getStorageAttr())
    setPorts(banks, buffer.getResult(), storage);
  return banks;
}

Banks getBanks(LeafOp leaf, Value memory) {
  auto type = cast<PrivateType>(memory.getType());
  StorageAttr storage = leaf.getStorageOf(memory);
  Banks banks = getBanks(type.getShape(), type.getElementType(), getLayout(storage));
  setPorts(banks, memory, storage);
  return banks;
}

StorageAttr makeStorage(MLIRContext *context, MemoryKind kind, const Layout &layout,
                        const DeviceModel &device) {
  const MemoryKindModel &model = getModel(kind, device);
  return StorageAttr::get(context, kind, layout.partition, model.ports, model.writePorts,
                          model.readLatency, model.writeLatency, layout.word);
}

//===----------------------------------------------------------------------===//
// Kinds and blocks
//===----------------------------------------------------------------------===//

/// Blocks for one bank; the narrower shapes can be had of a part of a block.
static double countBlocks(const Banks &banks, const MemoryKindModel &model) {
  int64_t parts = model.partsPerBlock;
  bool portsAlike = std::max(banks.reads, banks.writes) > 1;
  int64_t widest = portsAlike ? model.widestAlike : model.shapes.front().first;
  double fewest = std::numeric_limits<double>::max();
  for (auto [blockWidth, blockDepth] : model.shapes) {
    if (blockWidth > widest)
      continue;
    double across = llvm::divideCeil(banks.width, blockWidth);
    double blocks = across * llvm::divideCeil(banks.depth, blockDepth);
    if (blockWidth <= widest / parts)
      blocks =
          across * llvm::divideCeil(banks.depth, std::max<int64_t>(1, blockDepth / parts)) / parts;
    fewest = std::min(fewest, blocks);
  }
  return fewest;
}

/// LUTs that hold words of `width` bits, as many as groups of this shape are deep.
static double countLuts(int64_t width, std::pair<int64_t, int64_t> shape, int64_t groupLuts) {
  double luts = width / shape.first * groupLuts;
  if (int64_t rest = width % shape.first) {
    int64_t holding = llvm::divideCeil(rest * (groupLuts - 1), shape.first);
    luts += std::min<int64_t>(llvm::PowerOf2Ceil(holding + 1), groupLuts);
  }
  return luts;
}

/// LUTs for one bank: rows of the deepest groups, and what is left in the shallowest that hold it.
/// A multiplexer chooses among rows. Each read has the words for itself.
static double countLuts(const Banks &banks, const MemoryKindModel &model,
                        const DeviceModel &device) {
  auto isShallower = [](auto left, auto right) { return left.second < right.second; };
  auto deepest = *llvm::max_element(model.shapes, isShallower);
  int64_t rows = banks.depth / deepest.second;
  double luts = rows * countLuts(banks.width, deepest, model.groupLuts);
  if (int64_t rest = banks.depth % deepest.second) {
    auto shape = deepest;
    for (auto other : model.shapes)
      if (other.second >= rest && isShallower(other, shape))
        shape = other;
    luts += countLuts(banks.width, shape, model.groupLuts);
    ++rows;
  }
  if (rows > 1)
    luts += device.getSelectLut(rows * banks.width);
  return luts * banks.reads;
}

Resources countBanks(const Banks &banks, MemoryKind kind, const DeviceModel &device) {
  Resources used;
  if (kind == MemoryKind::Unset)
    return used;
  const MemoryKindModel &model = getModel(kind, device);
  switch (kind) {
  case MemoryKind::Unset:
    llvm_unreachable("nothing is known of it");
  case MemoryKind::Registers:
    used.ff = banks.getBits();
    used.lut = banks.depth > 1 ? banks.getBits() * model.selectLutPerBit : 0;
    break;
  case MemoryKind::ShiftRegister:
    used.lut = banks.count * banks.width * llvm::divideCeil(banks.depth, model.bitsPerLut);
    break;
  case MemoryKind::LUTRAM:
    used.lut = banks.count * countLuts(banks, model, device);
    break;
  case MemoryKind::BRAM:
    used.bram36 = banks.count * countBlocks(banks, model);
    break;
  case MemoryKind::URAM:
    used.uram = banks.count * countBlocks(banks, model);
    break;
  }
  return used;
}

double getShare(const Resources &used, const DeviceModel &device) {
  return getShare(used, device.getTotals());
}

/// Logic needs the LUTs too: memory in LUTs counts twice.
static double getPlacementShare(const Banks &banks, MemoryKind kind, const DeviceModel &device) {
  double share = getShare(countBanks(banks, kind, device), device);
  return kind == MemoryKind::LUTRAM ? 2 * share : share;
}

SmallVector<MemoryKind> rankKinds(const Banks &banks, const DeviceModel &device) {
  if (banks.depth <= 1)
    return {MemoryKind::Registers};
  SmallVector<MemoryKind> kinds = {MemoryKind::LUTRAM, MemoryKind::BRAM, MemoryKind::URAM};
  llvm::stable_sort(kinds, [&](MemoryKind a, MemoryKind b) {
    return getPlacementShare(banks, a, device) < getPlacementShare(banks, b, device);
  });
  return kinds;
}

MemoryKind chooseKind(const Banks &banks, const DeviceModel &device) {
  return rankKinds(banks, device).front();
}

/// Cycles of the operations on the longest way from `load` to `store`; nothing if there is none.
static std::optional<int64_t> getCyclesBetween(LoadOp load, StoreOp store,
                                               const DeviceModel &device) {
  DenseMap<Operation *, int64_t> ends = {{load, 0}}; // Of what depends on the load.
  for (Operation *op = load->getNextNode(); op; op = op->getNextNode()) {
    std::optional<int64_t> start;
    for (Value operand : op->getOperands())
      if (auto it = ends.find(operand.getDefiningOp()); it != ends.end())
        start = std::max(start, std::optional(it->second));
    if (op == store)
      return start;
    if (start)
      ends[op] = *start + device.operatorOf(op)->latency;
  }
  return std::nullopt;
}

/// Would a read of the memory, of this kind, meet a write of what it read before in time, with a
/// new iteration every cycle?
static bool keepsPace(Value memory, MemoryKind kind, const DeviceModel &device) {
  const MemoryKindModel &model = getModel(kind, device);
  for (LoadOp load : getUsers<LoadOp>(memory))
    for (StoreOp store : getUsers<StoreOp>(memory)) {
      if (getNest(load) != getNest(store))
        continue;
      std::optional<int64_t> between = getCyclesBetween(load, store, device);
      int64_t cycles = model.readLatency + between.value_or(0) + model.writeLatency +
                       getRecurrenceSlack(cast<PrivateType>(memory.getType()).getElementType());
      if (between && getReuseDistance(store, load, cycles))
        return false;
    }
  return true;
}

/// Do the writes of an iteration find ports in banks of this kind, with a new one every cycle?
static bool takesWrites(Value memory, const Layout &layout, MemoryKind kind,
                        const DeviceModel &device) {
  StorageAttr storage = makeStorage(memory.getContext(), kind, layout, device);
  DenseMap<Block *, PortReservations> nests;
  for (StoreOp store : getUsers<StoreOp>(memory)) {
    auto access = cast<AccessOpInterface>(store.getOperation());
    PortReservations &taken = nests.try_emplace(store->getBlock(), 1).first->second;
    if (!taken.fits(access, 0, storage))
      return false;
    taken.add(access, 0, storage);
  }
  return true;
}

static void rankPrivateKinds(Choice &choice, Value memory, const DeviceModel &device) {
  auto middle =
      std::stable_partition(choice.kinds.begin(), choice.kinds.end(), [&](MemoryKind kind) {
        return keepsPace(memory, kind, device) && takesWrites(memory, choice.layout, kind, device);
      });
  // Where none does, the interval grows with the latency.
  std::stable_sort(middle, choice.kinds.end(), [&](MemoryKind a, MemoryKind b) {
    return getModel(a, device).readLatency < getModel(b, device).readLatency;
  });
}

Choice getChoice(Value memory, Layout layout, const DeviceModel &device) {
  auto [shape, element] = getShapeAndElement(memory);
  Choice choice{std::move(layout), {}, {}};
  choice.banks = getBanks(shape, element, choice.layout);
  auto buffer = memory.getDefiningOp<BufferOp>();
  if (buffer)
    choice.banks.count *= buffer.getBlocks();
  choice.kinds = rankKinds(choice.banks, device);
  if (!buffer)
    rankPrivateKinds(choice, memory, device);
  return choice;
}

double getPlacementShare(const Choice &choice, const DeviceModel &device) {
  return getPlacementShare(choice.banks, choice.kinds.front(), device);
}

Choice chooseLayout(Value memory, ArrayRef<int64_t> partition, const DeviceModel &device) {
  Choice apart = getChoice(memory, {Shape(partition), /*word=*/1}, device);
  int64_t lanes = llvm::product_of(partition);
  auto isWhole = [&](AccessOpInterface access) { return movesWholeWords(access, partition); };
  auto isDivided = [](auto extentAndFactor) {
    auto [extent, factor] = extentAndFactor;
    return extent % factor == 0;
  };
  if (lanes == 1 || !llvm::all_of(getUsers<AccessOpInterface>(memory), isWhole) ||
      !llvm::all_of(llvm::zip_equal(getShapeAndElement(memory).first, partition), isDivided))
    return apart;
  Choice together = getChoice(memory, {Shape(partition), lanes}, device);
  bool spares = isBlock(together.kinds.front()) &&
                getPlacementShare(together, device) < getPlacementShare(apart, device);
  return spares ? together : apart;
}

//===----------------------------------------------------------------------===//
// FIFOs
//===----------------------------------------------------------------------===//

MemoryKind chooseFifoKind(int64_t bits, int64_t depth, const DeviceModel &device) {
  if (device.fifo().isShiftRegister(bits, depth))
    return MemoryKind::ShiftRegister;
  return chooseKind({1, depth, bits}, device);
}

static double getBlockShare(const Resources &used, const Resources &room) {
  Resources blocks;
  blocks.bram36 = used.bram36;
  blocks.uram = used.uram;
  return getShare(blocks, room);
}

double getBlockShare(const Resources &used, const DeviceModel &device) {
  return getBlockShare(used, device.getPlaceable());
}

bool isBlock(MemoryKind kind) { return kind == MemoryKind::BRAM || kind == MemoryKind::URAM; }

void dealBlocks(ArrayRef<Banks> fifos, Resources others, const Resources &room,
                const DeviceModel &device, MutableArrayRef<MemoryKind> kinds) {
  SmallVector<size_t> inBlocks;
  for (auto [number, kind] : llvm::enumerate(kinds))
    if (isBlock(kind))
      inBlocks.push_back(number);
  auto count = [&](size_t number, MemoryKind kind) {
    return countBanks(fifos[number], kind, device);
  };
  llvm::stable_sort(inBlocks, [&](size_t a, size_t b) {
    return count(a, MemoryKind::BRAM).bram36 * count(b, MemoryKind::URAM).uram >
           count(b, MemoryKind::BRAM).bram36 * count(a, MemoryKind::URAM).uram;
  });
  // A FIFO lies in one die, beside others.
  Resources most = device.getPlaceableInAnyDie();
  for (size_t number : inBlocks)
    others += count(number, MemoryKind::BRAM);
  size_t inUram = 0;
  double least = getBlockShare(others, room);
  for (auto [index, number] : llvm::enumerate(inBlocks)) {
    Resources bram = count(number, MemoryKind::BRAM), uram = count(number, MemoryKind::URAM);
    others -= bram;
    others += uram;
    double share = getBlockShare(others, room);
    bool mustMove = 2 * bram.bram36 > most.bram36 && 2 * uram.uram <= most.uram;
    if (share < least || mustMove) {
      least = share;
      inUram = index + 1;
    }
  }
  for (auto [index, number] : llvm::enumerate(inBlocks))
    kinds[number] = index < inUram ? MemoryKind::URAM : MemoryKind::BRAM;
}

void dealBlocksSingly(ArrayRef<Banks> fifos, Resources others, const Resources &room,
                      const DeviceModel &device, MutableArrayRef<MemoryKind> kinds) {
  Resources used = others;
  for (auto [fifo, kind] : llvm::zip_equal(fifos, kinds))
    used += countBanks(fifo, kind, device);
  auto getOther = [](MemoryKind kind) {
    return kind == MemoryKind::BRAM ? MemoryKind::URAM : MemoryKind::BRAM;
  };
  auto getExcess = [&](const Resources &blocks) {
    return std::max(0.0, blocks.bram36 - room.bram36) + std::max(0.0, blocks.uram - room.uram);
  };
  auto withOther = [&](size_t fifo) {
    Resources changed = used;
    changed -= countBanks(fifos[fifo], kinds[fifo], device);
    changed += countBanks(fifos[fifo], getOther(kinds[fifo]), device);
    return changed;
  };
  while (true) {
    double excess = getExcess(used);
    std::pair<double, size_t> best = {excess, fifos.size()};
    for (size_t fifo = 0; fifo < fifos.size(); ++fifo)
      if (isBlock(kinds[fifo]))
        best = std::min(best, {getExcess(withOther(fifo)), fifo});
    if (best.first >= excess) // As much with the other kind: it would change for ever.
      return;
    used = withOther(best.second);
    kinds[best.second] = getOther(kinds[best.second]);
  }
}

SmallVector<MemoryKind> chooseFifoKinds(ArrayRef<Banks> fifos, Resources others,
                                        const DeviceModel &device) {
  SmallVector<MemoryKind> kinds;
  for (const Banks &fifo : fifos)
    kinds.push_back(chooseFifoKind(fifo.width, fifo.depth, device));
  dealBlocks(fifos, others, device.getPlaceable(), device, kinds);
  return kinds;
}

void spareLogic(ArrayRef<Banks> fifos, Resources others, const DeviceModel &device,
                MutableArrayRef<MemoryKind> kinds) {
  constexpr double crowded = 0.75;
  SmallVector<std::pair<double, size_t>> inLuts; // What a block spares.
  for (auto [number, kind] : llvm::enumerate(kinds)) {
    Resources used = countFifo(fifos[number].width, fifos[number].depth, kind, device);
    others += used;
    if (kind == MemoryKind::LUTRAM)
      inLuts.push_back(
          {used.lut / countBanks(fifos[number], MemoryKind::BRAM, device).bram36, number});
  }
  llvm::stable_sort(inLuts, [](auto &a, auto &b) { return a.first > b.first; });
  double placeable = device.getPlaceable().lut;
  Resources most = device.getPlaceableInAnyDie();
  for (auto [spared, number] : inLuts) {
    double least = others.lut / placeable;
    if (least <= crowded)
      break;
    Resources before = others;
    for (MemoryKind kind : {MemoryKind::BRAM, MemoryKind::URAM}) {
      Resources blocks = countBanks(fifos[number], kind, device), then = before;
      then += blocks;
      double share = getBlockShare(then, device);
      if (2 * blocks.bram36 > most.bram36 || 2 * blocks.uram > most.uram || share >= least)
        continue;
      least = share;
      then.lut -= countBanks(fifos[number], MemoryKind::LUTRAM, device).lut;
      others = then;
      kinds[number] = kind;
    }
  }
}

Resources countFifo(int64_t bits, int64_t depth, MemoryKind kind, const DeviceModel &device) {
  Resources used = countBanks({1, depth, bits}, kind, device);
  used.lut += device.fifo().controlLut;
  used.ff += device.fifo().controlFf;
  return used;
}

Resources countFifo(StreamOp stream, int64_t bits, int64_t depth, const DeviceModel &device) {
  if (!isLink(stream))
    return countFifo(bits, depth, stream.getMemory(), device);
  bits = device.link().getWordBits(bits);
  Resources used = countFifo(bits, depth, stream.getMemory(), device);
  used.ff += 2 * device.link().ffPerBit * bits;
  return used;
}

} // namespace streamtensor::schedule
