//===- MemoryPasses.cpp - Partition and memory kinds ----------------------===//
//
//   dataflow.buffer "k" blocks 2 : !dataflow.buffer<16x64xf32>
//
// written as 16x1 boxes and read as 1x4 boxes becomes
//
//   dataflow.buffer "k" blocks 2
//       {storage = #dataflow.storage<lutram partition [16, 4] ports 4 read 1 write 1>} : ...
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Schedule/Memories.h"
#include "streamtensor/Schedule/Passes.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::sizing {
#define GEN_PASS_DEF_PARTITIONBUFFERS
#define GEN_PASS_DEF_ASSIGNMEMORIES
#include "streamtensor/Schedule/Passes.h.inc"

//===----------------------------------------------------------------------===//
// Partition
//===----------------------------------------------------------------------===//

static Shape inferPartition(BufferOp buffer) {
  SmallVector<Shape> boxes;
  for (Operation *user : buffer.getResult().getUsers())
    if (auto leaf = dyn_cast<LeafOp>(user))
      llvm::append_range(boxes, getAccessBoxes(leaf, buffer.getResult()));
  return inferPartition(buffer.getResult().getType().getShape(), boxes);
}

namespace {
struct PartitionBuffersPass : impl::PartitionBuffersBase<PartitionBuffersPass> {
  void runOnOperation() override {
    getOperation().walk([](BufferOp buffer) {
      if (!buffer.getStorage())
        buffer.setStorageAttr(StorageAttr::get(buffer.getContext(), MemoryKind::Unset,
                                               inferPartition(buffer), 0, 0, 0));
    });
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Memory kinds
//===----------------------------------------------------------------------===//

/// The best kind that still has room; nothing if none has.
static std::optional<MemoryKind> findRoom(const Banks &banks, const Resources &used,
                                          const DeviceModel &device) {
  for (MemoryKind kind : rankKinds(banks, device)) {
    Resources sum = used;
    sum += countBanks(banks, kind, device);
    if (getShare(sum, device) <= device.getMemoryShare())
      return kind;
  }
  return std::nullopt;
}

static InFlightDiagnostic reportTooLarge(BufferOp buffer, const Banks &banks, const Resources &used,
                                         const DeviceModel &device) {
  auto count = [&](StringRef name, MemoryKind kind, double Resources::*field) {
    double left = device.getMemoryShare() * device.getTotals().*field - used.*field;
    return llvm::formatv("{0} {1} blocks where {2} can be used",
                         std::llround(countBanks(banks, kind, device).*field), name,
                         std::max(0LL, std::llround(std::floor(left))))
        .str();
  };
  return mlir::emitError(buffer.getLoc())
         << "buffer '" << buffer.getName() << "' of " << banks.getBits() / 8
         << " bytes does not fit on " << device.getCard()
         << " beside the larger buffers of the design: it takes "
         << count("BRAM", MemoryKind::BRAM, &Resources::bram36) << ", or "
         << count("URAM", MemoryKind::URAM, &Resources::uram);
}

static LogicalResult assignBuffers(DesignOp design, const DeviceModel &device) {
  SmallVector<BufferOp> buffers(design.getOps<BufferOp>());
  llvm::stable_sort(buffers, [](BufferOp a, BufferOp b) {
    return getBanks(a).getBits() > getBanks(b).getBits();
  });
  Resources used;
  for (BufferOp buffer : buffers) {
    Banks banks = getBanks(buffer);
    if (buffer.getMemoryKind() == MemoryKind::Unset) {
      std::optional<MemoryKind> kind = findRoom(banks, used, device);
      if (!kind)
        return reportTooLarge(buffer, banks, used, device);
      buffer.setStorageAttr(makeStorage(buffer.getContext(), *kind, buffer.getPartition(), device));
    }
    used += countBanks(banks, buffer.getMemoryKind(), device);
  }
  return success();
}

/// FIFOs whose depth is stated, by hand; the others are sized later.
static void assignFifos(DesignOp design, const DeviceModel &device) {
  for (auto stream : design.getOps<StreamOp>()) {
    StreamType type = stream.getType();
    if (type.getDepth() == 0 || stream.getMemory() != MemoryKind::Unset)
      continue;
    MemoryKind kind = chooseFifoKind(getTokenBits(type.getElementType()), type.getDepth(), device);
    stream.setMemory(kind);
    stream.setLatency(getFifoLatency(kind, device));
  }
}

static void assignPrivates(LeafOp leaf, const DeviceModel &device) {
  if (leaf.getStorages() || leaf.getPrivates().empty())
    return;
  SmallVector<StorageAttr> plans = planPrivates(leaf, device);
  SmallVector<Attribute> storages(plans.begin(), plans.end());
  leaf.setStoragesAttr(ArrayAttr::get(leaf.getContext(), storages));
}

namespace {
struct AssignMemoriesPass : impl::AssignMemoriesBase<AssignMemoriesPass> {
  using AssignMemoriesBase::AssignMemoriesBase;

  void runOnOperation() override {
    FailureOr<const DeviceModel *> model = getDevice(getOperation());
    if (failed(model))
      return signalPassFailure();
    for (auto design : getOperation().getOps<DesignOp>()) {
      if (failed(assignBuffers(design, **model)))
        return signalPassFailure();
      assignFifos(design, **model);
      for (auto leaf : design.getOps<LeafOp>()) {
        for (NestOpInterface nest : leaf.getNests())
          if (failed((*model)->verifyOperators(nest.getOperations())))
            return signalPassFailure();
        assignPrivates(leaf, **model);
      }
    }
  }
};
} // namespace

} // namespace streamtensor::sizing
