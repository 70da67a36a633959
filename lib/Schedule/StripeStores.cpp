//===- StripeStores.cpp - Several masters for what is stored --------------===//
//
//   %y = dataflow.port out "y" : !dataflow.port<8x180x28xf32>
//   dataflow.leaf "y_store" store [8, 45] { … store %t, %y [d0, d1 * 4, 0] : vector<1x4x28xf32> }
//
// moves 7 words in an iteration and takes 7 cycles for it. What an iteration moves becomes a row,
// and with an interface for each part of a row it takes one:
//
//   %y = dataflow.port out "y" via %gmem_y_s0, … %gmem_y_s6 : !dataflow.port<360x112xf32>
//
// A master reads and writes at the same time: where loads have left none, the stripes of a result
// go out through those over which another tensor comes in, if the channels have time for both.
//
//===----------------------------------------------------------------------===//

#include "PortPlanning.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "streamtensor/Analysis/PortWords.h"
#include "streamtensor/Schedule/Ports.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::schedule {
namespace {
/// A store of several words in an iteration.
struct WideStore {
  StoreOp store;
  PortOp port;
  int64_t words; ///< Of an iteration.
  int64_t iterations;
  int64_t saved; ///< Cycles, with a master for each word.
};
} // namespace

static AccessOpInterface getAccess(StoreOp store) {
  return cast<AccessOpInterface>(store.getOperation());
}

/// Iterations in which the leaf that fills the FIFO of `store` is at work: it gives no more rows.
static int64_t countIterationsOfWriter(LeafOp store) {
  int64_t most = 0;
  for (auto read : store.getBlock().getOps<StreamReadOp>())
    for (AccessOpInterface access : getAccesses(read.getChannel().getDefiningOp<StreamOp>()))
      if (access.isWrite()) {
        LeafOp writer = getLeaf(access);
        bool isOnePipeline = !writer.hasNests() || writer.getTogether();
        most = std::max(most, isOnePipeline ? writer.getNumIterations()
                                            : llvm::product_of(getNest(access).getLoopTrips()));
      }
  return most;
}

static std::optional<WideStore> readWideStore(PortOp port, const DeviceModel &device) {
  const MemoryPortModel &model = device.port();
  if (port.getDirection() != Direction::Out || !port.getInterfaces().empty() || !port->hasOneUse())
    return std::nullopt;
  auto store = dyn_cast<StoreOp>(*port->user_begin());
  LeafOp leaf = store ? getLeaf(store) : LeafOp();
  if (!leaf || leaf.getRole() != Role::Store || leaf.hasNests() || store.getGuard() ||
      !leaf.getScalars().empty())
    return std::nullopt;
  WordsAttr words = planWords(store, model.bits, model.burstBytes, model.burstWords);
  bool areWhole = words.getUsed() == words.getLanes() &&
                  words.getLanes() * getPackedBits(port.getType().getElementType()) == model.bits;
  // Another launch would know the tensor by its shape.
  if (words.getCount() == 1 || !areWhole || !movesRowsOfPort(getAccess(store), port) ||
      llvm::any_of(getResults(port), isLaunchedAgain))
    return std::nullopt;
  int64_t iterations = leaf.getNumIterations();
  int64_t least = std::max(iterations, countIterationsOfWriter(leaf));
  return WideStore{store, port, words.getCount(), iterations,
                   iterations * words.getCount() - least};
}

namespace {
/// The words of `bits` that the busiest of some masters brings.
struct Brought {
  int64_t bits = 0, words = 0;
};
} // namespace

/// Nothing if a result goes out over one of `masters`, one is not as the device has them, or words
/// differ.
static std::optional<Brought> readMasters(ArrayRef<Value> masters, const DeviceModel &device) {
  const MemoryPortModel &model = device.port();
  Brought found;
  for (Value master : masters) {
    if (master.getDefiningOp<InterfaceOp>().getFacts() !=
        getInterfaceFacts(master.getContext(), device))
      return std::nullopt;
    int64_t words = 0;
    for (Operation *user : master.getUsers())
      for (Operation *op : user->getUsers()) {
        auto load = dyn_cast<LoadOp>(op);
        auto port = cast<PortOp>(user);
        if (!load || port.isWritten())
          return std::nullopt;
        WordsAttr moved = planWords(load, model.bits, model.burstBytes, model.burstWords);
        int64_t bits = moved.getLanes() * getPackedBits(port.getType().getElementType());
        if (found.bits != 0 && found.bits != bits)
          return std::nullopt;
        found.bits = bits;
        words += moved.getCount() * llvm::product_of(getNest(op).getLoopTrips());
      }
    found.words = std::max(found.words, words);
  }
  return found;
}

/// Masters of tensors that come in for so many stripes of whole words, or twice as many where these
/// come in halves: those with which the store ends first, if it does so earlier than over one of
/// its own. Load and store have the channel's rate together.
static SmallVector<Value> findMastersOfLoads(const WideStore &wide, int64_t stripes,
                                             DesignOp design, const DeviceModel &device) {
  SmallVector<Value> best;
  double least = wide.iterations * wide.words;
  for (auto port : design.getOps<PortOp>())
    for (int64_t parts : {1, 2}) {
      auto interfaces = port.getInterfaces();
      if (int64_t(interfaces.size()) < parts * stripes)
        continue;
      SmallVector<Value> values(interfaces.take_front(parts * stripes));
      std::optional<Brought> brought = readMasters(values, device);
      if (!brought || brought->bits * parts != device.port().bits)
        continue;
      int64_t words = brought->words + wide.iterations * wide.words / stripes;
      double cycles = words * std::max(1.0, getCyclesOfWord(device) / parts);
      if (cycles < least) {
        best = values;
        least = cycles;
      }
    }
  return best;
}

/// The masters for the most stripes that what an iteration moves can have.
static SmallVector<Value> chooseMasters(const WideStore &wide, DesignOp design,
                                        const DeviceModel &device) {
  const ExternalMemoryModel &memory = device.externalMemory();
  int64_t left = memory.masters - countMasters(design) + 1; // with its own
  for (int64_t stripes = std::min(wide.words, memory.channels); stripes > 1; --stripes) {
    if (wide.words % stripes != 0)
      continue;
    if (stripes <= left)
      return createMasters(design, PortOp(wide.port).getLoc(),
                           "gmem_" + PortOp(wide.port).getName(), stripes, device);
    SmallVector<Value> masters = findMastersOfLoads(wide, stripes, design, device);
    if (!masters.empty())
      return masters;
  }
  return {};
}

/// Gives the tensor rows of what an iteration moves.
static void layInRows(StoreOp store, PortOp port) {
  AccessOpInterface access = getAccess(store);
  int64_t row = access.getNumElements();
  AffineMap place = getPlaceInRows(access);
  setResultShape(port, {port.getType().getNumElements() / row, row});
  Type element = port.getType().getElementType();
  OpBuilder builder(store);
  auto before = store.getValue().getDefiningOp<vector::ShapeCastOp>();
  Value value =
      vector::ShapeCastOp::create(builder, store.getLoc(), VectorType::get({1, row}, element),
                                  before ? before.getSource() : store.getValue());
  StoreOp::create(builder, store.getLoc(), value, store.getMemory(), place, nullptr, nullptr);
  store.erase();
  if (before && before->use_empty())
    before.erase();
}

void stripeStores(DesignOp design, const DeviceModel &device) {
  // Of the least that a launch takes: fewer cycles are not worth the logic and the wires.
  constexpr int64_t partOfTime = 32;
  int64_t slowest = 0;
  for (auto leaf : design.getOps<LeafOp>())
    slowest = std::max(slowest, leaf.getNumIterations());
  int64_t leastCycles = slowest + device.port().readLatency;
  std::vector<WideStore> stores;
  for (auto port : design.getOps<PortOp>())
    if (std::optional<WideStore> store = readWideStore(port, device);
        store && store->saved * partOfTime > leastCycles)
      stores.push_back(*store);
  llvm::stable_sort(stores, [](const WideStore &store, const WideStore &other) {
    return store.saved > other.saved;
  });
  for (WideStore &wide : stores) {
    SmallVector<Value> masters = chooseMasters(wide, design, device);
    if (masters.empty())
      continue;
    layInRows(wide.store, wide.port);
    wide.port.getInterfacesMutable().assign(masters);
  }
}

} // namespace streamtensor::schedule
