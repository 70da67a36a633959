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
// go out through those over which another tensor comes in.
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
  int64_t saved; ///< Cycles, with a master for each of them.
};
} // namespace

static AccessOpInterface getAccess(StoreOp store) {
  return cast<AccessOpInterface>(store.getOperation());
}

/// Where the first element lies that the store moves, of all that the tensor has.
static AffineExpr getPlace(StoreOp store) {
  ArrayRef<int64_t> shape = cast<PortType>(store.getMemory().getType()).getShape();
  AffineMap map = store.getMap();
  return simplifyAffineExpr(linearize(store.getContext(), map.getResults(), computeStrides(shape)),
                            map.getNumDims(), map.getNumSymbols());
}

/// Can the tensor have rows of what an iteration moves? Another launch would know it by its shape.
static bool canLayInRows(StoreOp store, PortOp port) {
  int64_t moved = getAccess(store).getNumElements();
  return llvm::none_of(getResults(port), isLaunchedAgain) &&
         isContiguousBox(getAccess(store).getBox(), port.getType().getShape()) &&
         getPlace(store).isMultipleOf(moved);
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
  if (words.getCount() == 1 || !areWhole || !canLayInRows(store, port))
    return std::nullopt;
  return WideStore{store, port, words.getCount(), leaf.getNumIterations() * (words.getCount() - 1)};
}

/// Masters of a tensor that comes in over so many and more, if nothing goes out through them.
static SmallVector<Value> findMastersOfLoad(DesignOp design, int64_t stripes) {
  for (auto port : design.getOps<PortOp>()) {
    bool areFree = int64_t(port.getInterfaces().size()) >= std::max<int64_t>(stripes, 2) &&
                   llvm::all_of(port.getInterfaces(), [](Value interface) {
                     return llvm::none_of(interface.getUsers(), [](Operation *user) {
                       return cast<PortOp>(user).isWritten();
                     });
                   });
    if (areFree)
      return llvm::to_vector(port.getInterfaces().take_front(stripes));
  }
  return {};
}

static SmallVector<Value> createMasters(PortOp port, int64_t stripes, const DeviceModel &device) {
  OpBuilder builder = OpBuilder::atBlockBegin(port->getBlock());
  SmallVector<Value> interfaces;
  for (int64_t stripe = 0; stripe < stripes; ++stripe)
    interfaces.push_back(
        InterfaceOp::create(builder, port.getLoc(), builder.getType<InterfaceType>(),
                            ("gmem_" + port.getName() + "_s" + Twine(stripe)).str(),
                            getInterfaceFacts(port.getContext(), device), Value()));
  return interfaces;
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
      return createMasters(wide.port, stripes, device);
    if (SmallVector<Value> masters = findMastersOfLoad(design, stripes); !masters.empty())
      return masters;
  }
  return {};
}

/// Gives the tensor rows of what an iteration moves.
static void layInRows(StoreOp store, PortOp port) {
  int64_t row = getAccess(store).getNumElements();
  SmallVector<int64_t> shape = {port.getType().getNumElements() / row, row};
  AffineMap map = store.getMap();
  AffineExpr number =
      simplifyAffineExpr(getPlace(store).floorDiv(row), map.getNumDims(), map.getNumSymbols());
  setResultShape(port, shape);
  Type element = port.getType().getElementType();
  OpBuilder builder(store);
  auto before = store.getValue().getDefiningOp<vector::ShapeCastOp>();
  Value value =
      vector::ShapeCastOp::create(builder, store.getLoc(), VectorType::get({1, row}, element),
                                  before ? before.getSource() : store.getValue());
  auto place = AffineMap::get(map.getNumDims(), map.getNumSymbols(),
                              {number, builder.getAffineConstantExpr(0)}, builder.getContext());
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
  int64_t least = slowest + device.port().readLatency;
  std::vector<WideStore> stores;
  for (auto port : design.getOps<PortOp>())
    if (std::optional<WideStore> store = readWideStore(port, device);
        store && store->saved * partOfTime > least)
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
