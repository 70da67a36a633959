//===- AssembleWords.cpp - Blocks written in the words that are read ------===//
//
//   dataflow.leaf "in" convert_in [64, 4, 16] writes(%keys at 0 : …) {
//     %v = stream_read %fifo -> f32
//     store %v, %keys [d0, d1 * 16 + d2]
//   }
//
// and a reader that loads 16 elements at a time ask for 16 banks of 32 bits, half of each word of
// an UltraRAM. As
//
//   dataflow.leaf "in" convert_in [64, 4, 16] writes(%keys at 0 : …) {
//     %v = stream_read %fifo -> f32
//     store %v, %held [d2]
//     %w = load %held [0] when d2 == 15 -> vector<16xf32>
//     store %w, %keys [d0, d1 * 16] when d2 == 15
//   }
//
// the block is one memory of wide words, where fewer blocks of RAM hold it.
//
//===----------------------------------------------------------------------===//

#include "PortPlanning.h"

#include "streamtensor/Dialect/Dataflow/IR/Dependences.h"
#include "streamtensor/Dialect/Dataflow/IR/DesignKernels.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Schedule/Memories.h"
#include "streamtensor/Support/Affine.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::schedule {
#define GEN_PASS_DEF_ASSEMBLEWORDS
#include "streamtensor/Schedule/Passes.h.inc"

namespace {
/// A store of parts of words.
struct Parts {
  StoreOp store;
  Shape word;                    ///< Its extents.
  unsigned dim = 0;              ///< In which its parts lie one behind the other.
  SmallVector<AffineExpr> first; ///< Where the word begins.
  AffineExpr offset;             ///< From there to the part of an iteration.
};
} // namespace

/// The elements that every load of the buffer takes; nothing if they differ, or lie in two words.
static std::optional<Shape> getLoadedWord(BufferOp buffer) {
  std::optional<Shape> word;
  for (LoadOp load : getUsers<LoadOp>(buffer.getResult())) {
    auto access = cast<AccessOpInterface>(load.getOperation());
    if (word && access.getBox() != *word)
      return std::nullopt;
    word = access.getBox();
    if (!movesWholeWords(access, *word))
      return std::nullopt;
  }
  return word;
}

/// The only store to the buffer; null if there are several, or its leaf does more than move tokens.
static StoreOp getPlainStore(BufferOp buffer) {
  SmallVector<StoreOp> stores = getUsers<StoreOp>(buffer.getResult());
  if (stores.size() != 1)
    return {};
  LeafOp leaf = getLeaf(stores.front());
  return leaf.hasNests() || !leaf.getPrivates().empty() ? StoreOp() : stores.front();
}

/// Loops outside of one block of the buffer that the store writes.
static int64_t getLevel(StoreOp store) {
  LeafOp leaf = getLeaf(store);
  size_t number = llvm::find(leaf.getWrites(), store.getMemory()) - leaf.getWrites().begin();
  return leaf.getWriteLevels()[number];
}

/// Do the innermost loops of the leaf fill a word, part behind part, before the next is begun?
static std::optional<Parts> findParts(StoreOp store, const Shape &word) {
  LeafOp leaf = getLeaf(store);
  MLIRContext *context = store.getContext();
  AffineExpr zero = getAffineConstantExpr(0, context);
  AffineMap place = store.getMap();
  Parts parts{store, word, 0, llvm::to_vector(place.getResults()), zero};
  Shape box = cast<AccessOpInterface>(store.getOperation()).getBox();
  unsigned differing = 0;
  for (auto [dim, part, whole] : llvm::enumerate(box, word))
    if (part != whole) {
      parts.dim = dim;
      ++differing;
    }
  if (differing != 1)
    return std::nullopt;
  int64_t reached = box[parts.dim];
  unsigned outer = leaf.getNumLoops(); // loops outside of those that go through a word
  unsigned least = std::max<unsigned>(getNumCountedLoops(leaf), getLevel(store));
  while (reached < word[parts.dim] && outer > least) {
    AffineExpr index = getAffineDimExpr(--outer, context);
    for (auto [dim, expr] : llvm::enumerate(parts.first)) {
      int64_t step = dim == parts.dim ? reached : 0;
      AffineExpr rest = expr.replace(index, zero);
      if (simplifyAffineExpr(expr - rest - index * step, place.getNumDims(),
                             place.getNumSymbols()) != zero)
        return std::nullopt;
      expr = rest;
    }
    parts.offset = parts.offset + index * reached;
    reached *= leaf.getTrips()[outer];
  }
  bool isAligned = llvm::all_of(llvm::zip_equal(parts.first, word), [](auto each) {
    auto [expr, extent] = each;
    return AffineExpr(expr).isMultipleOf(extent);
  });
  bool isGuarded =
      store.getGuard() && llvm::any_of(llvm::seq(outer, leaf.getNumLoops()), [&](unsigned loop) {
        return llvm::any_of(store.getGuard()->getConstraints(),
                            [&](AffineExpr expr) { return expr.isFunctionOfDim(loop); });
      });
  if (reached != word[parts.dim] || !isAligned || isGuarded)
    return std::nullopt;
  return parts;
}

/// Is what the card has left greater with whole words, the registers that hold one counted?
static bool paysOff(BufferOp buffer, const Shape &word, const DeviceModel &device) {
  Choice apart = chooseLayout(buffer.getResult(), inferPartition(buffer.getResult()), device);
  Choice together = getChoice(buffer.getResult(), {word, llvm::product_of(word)}, device);
  Banks registers = getBanks(word, buffer.getResult().getType().getElementType(), {word});
  return isBlock(together.kinds.front()) &&
         getPlacementShare(together, device) +
                 getShare(countBanks(registers, MemoryKind::Registers, device), device) <
             getPlacementShare(apart, device);
}

/// Where the last part of a word is stored.
static IntegerSetAttr getGuardOfLast(const Parts &parts) {
  StoreOp store = parts.store;
  int64_t part = cast<AccessOpInterface>(store.getOperation()).getBox()[parts.dim];
  AffineMap map = store.getMap();
  return IntegerSetAttr::get(addEquality(store.getGuard(),
                                         parts.offset - (parts.word[parts.dim] - part),
                                         map.getNumDims(), map.getNumSymbols()));
}

static void assemble(const Parts &parts, const DeviceModel &device) {
  StoreOp store = parts.store;
  LeafOp leaf = getLeaf(store);
  OpBuilder builder(store);
  Location loc = store.getLoc();
  Type element = getElementTypeOrSelf(store.getValue().getType());
  Value held = leaf.getBlock().addArgument(
      PrivateType::get(builder.getContext(), parts.word, element), leaf.getLoc());
  AffineMap map = store.getMap();
  auto getMap = [&](ArrayRef<AffineExpr> place) {
    return AffineMap::get(map.getNumDims(), map.getNumSymbols(), place, builder.getContext());
  };
  SmallVector<AffineExpr> start(parts.word.size(), builder.getAffineConstantExpr(0));
  SmallVector<AffineExpr> place = start;
  place[parts.dim] = parts.offset;
  StoreOp::create(builder, loc, store.getValue(), held, getMap(place), nullptr, nullptr);
  IntegerSetAttr isLast = getGuardOfLast(parts);
  Value word = LoadOp::create(builder, loc, VectorType::get(parts.word, element), held, Value(),
                              getMap(start), isLast, nullptr, nullptr);
  StoreOp::create(builder, loc, word, store.getMemory(), getMap(parts.first), isLast, nullptr);
  store.erase();
  holdInRegisters(leaf, device);
}

namespace {
struct AssembleWordsPass : impl::AssembleWordsBase<AssembleWordsPass> {
  void runOnOperation() override {
    FailureOr<const DeviceModel *> device = getDevice(getOperation());
    if (failed(device))
      return signalPassFailure();
    getOperation().walk([&](BufferOp buffer) {
      StoreOp store = buffer.getStorage() ? StoreOp() : getPlainStore(buffer);
      std::optional<Shape> word = store ? getLoadedWord(buffer) : std::nullopt;
      std::optional<Parts> parts = word ? findParts(store, *word) : std::nullopt;
      if (parts && paysOff(buffer, *word, **device))
        assemble(*parts, **device);
    });
  }
};
} // namespace

} // namespace streamtensor::schedule
