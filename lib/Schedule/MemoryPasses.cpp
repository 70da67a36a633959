//===- MemoryPasses.cpp - Partition and memory kinds ----------------------===//
//
//   dataflow.buffer "k" blocks 2 : !dataflow.buffer<16x64xf32>
//
// written as 16x1 boxes and read as 1x4 boxes becomes
//
//   dataflow.buffer "k" blocks 2
//       {storage = #dataflow.storage<lutram partition [16, 4] ports 4 write_ports 1
//                                    read 1 write 1>} : ...
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/DesignKernels.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Schedule/Memories.h"
#include "streamtensor/Schedule/Passes.h"
#include "streamtensor/Support/BitWidth.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::schedule {
#define GEN_PASS_DEF_PARTITIONBUFFERS
#define GEN_PASS_DEF_ASSIGNMEMORIES
#include "streamtensor/Schedule/Passes.h.inc"

//===----------------------------------------------------------------------===//
// Partition
//===----------------------------------------------------------------------===//

namespace {
struct PartitionBuffersPass : impl::PartitionBuffersBase<PartitionBuffersPass> {
  void runOnOperation() override {
    getOperation().walk([](BufferOp buffer) {
      if (!buffer.getStorage())
        buffer.setStorageAttr(StorageAttr::get(buffer.getContext(), MemoryKind::Unset,
                                               inferPartition(buffer.getResult()), 0, 0, 0, 0, 1));
    });
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Memory kinds
//===----------------------------------------------------------------------===//

namespace {
/// A buffer or a private memory that has no kind yet.
struct Unassigned {
  std::string name;
  Location loc;
  Choice choice;
  std::function<void(StorageAttr)> assign;
};
} // namespace

/// The best kind that still has room; nothing if none has.
static std::optional<MemoryKind> findRoom(const Unassigned &memory, const Resources &used,
                                          const DeviceModel &device) {
  for (MemoryKind kind : memory.choice.kinds) {
    Resources sum = used;
    sum += countBanks(memory.choice.banks, kind, device);
    if (getShare(sum, device.getPlaceable()) <= 1)
      return kind;
  }
  return std::nullopt;
}

static InFlightDiagnostic reportTooLarge(const Unassigned &memory, const Resources &used,
                                         const DeviceModel &device) {
  auto count = [&](StringRef name, MemoryKind kind, double Resources::*field) {
    double left = device.getPlaceable().*field - used.*field;
    return llvm::formatv("{0} {1} blocks where {2} can be used",
                         std::llround(countBanks(memory.choice.banks, kind, device).*field), name,
                         std::max(0LL, std::llround(std::floor(left))))
        .str();
  };
  return mlir::emitError(memory.loc)
         << memory.name << " of " << memory.choice.banks.getBits() / 8 << " bytes does not fit on "
         << device.getCard() << " beside the larger buffers of the design: it takes "
         << count("BRAM", MemoryKind::BRAM, &Resources::bram36) << ", or "
         << count("URAM", MemoryKind::URAM, &Resources::uram);
}

/// Adds the buffers of the design; what those take that have a kind is counted in `used`.
static void addBuffers(DesignOp design, const DeviceModel &device,
                       std::vector<Unassigned> &memories, Resources &used) {
  for (auto buffer : design.getOps<BufferOp>()) {
    if (buffer.getMemoryKind() != MemoryKind::Unset) {
      used += countBanks(getBanks(buffer), buffer.getMemoryKind(), device);
      continue;
    }
    memories.push_back({("buffer '" + buffer.getName() + "'").str(), buffer.getLoc(),
                        chooseLayout(buffer.getResult(), buffer.getPartition(), device),
                        [buffer](StorageAttr storage) mutable { buffer.setStorageAttr(storage); }});
  }
}

/// The same for the private memories of a leaf; `storages` takes what is decided.
static void addPrivates(LeafOp leaf, const DeviceModel &device, std::vector<Unassigned> &memories,
                        Resources &used, SmallVector<Attribute> &storages) {
  storages.resize(leaf.getPrivates().size());
  for (auto [number, memory] : llvm::enumerate(leaf.getPrivates())) {
    StorageAttr storage = leaf.getStorageOf(memory);
    if (storage && storage.getKind() != MemoryKind::Unset) {
      used += countBanks(getBanks(leaf, memory), storage.getKind(), device);
      storages[number] = storage;
      continue;
    }
    Shape partition = storage && !storage.getPartition().empty() ? Shape(storage.getPartition())
                                                                 : inferPartition(memory);
    memories.push_back({("private memory " + Twine(number) + " of '" + leaf.getName() + "'").str(),
                        leaf.getLoc(), chooseLayout(memory, partition, device),
                        [&storages, number](StorageAttr storage) { storages[number] = storage; }});
  }
}

/// The largest memory chooses first.
static LogicalResult assignMemories(DesignOp design, const DeviceModel &device) {
  Resources used;
  std::vector<Unassigned> memories;
  llvm::MapVector<LeafOp, SmallVector<Attribute>> storages;
  addBuffers(design, device, memories, used);
  for (auto leaf : design.getOps<LeafOp>())
    if (!leaf.getPrivates().empty())
      storages[leaf];
  for (auto &[leaf, found] : storages)
    addPrivates(leaf, device, memories, used, found);
  llvm::stable_sort(memories, [](const Unassigned &a, const Unassigned &b) {
    return a.choice.banks.getBits() > b.choice.banks.getBits();
  });
  for (Unassigned &memory : memories) {
    std::optional<MemoryKind> kind = findRoom(memory, used, device);
    if (!kind)
      return reportTooLarge(memory, used, device);
    used += countBanks(memory.choice.banks, *kind, device);
    memory.assign(makeStorage(design.getContext(), *kind, memory.choice.layout, device));
  }
  for (auto &[leaf, found] : storages)
    LeafOp(leaf).setStoragesAttr(ArrayAttr::get(design.getContext(), found));
  return success();
}

/// FIFOs whose depth is stated, by hand; the others are sized later.
static void assignFifos(DesignOp design, const DeviceModel &device) {
  for (auto stream : design.getOps<StreamOp>()) {
    StreamType type = stream.getType();
    if (type.getDepth() == 0 || stream.getMemory() != MemoryKind::Unset)
      continue;
    stream.setMemory(chooseFifoKind(getBitWidth(type.getElementType()), type.getDepth(), device));
    stream.setLatency(getFifoLatency(stream, device));
  }
}

namespace {
struct AssignMemoriesPass : impl::AssignMemoriesBase<AssignMemoriesPass> {
  using AssignMemoriesBase::AssignMemoriesBase;

  void runOnOperation() override {
    FailureOr<const DeviceModel *> model = getDevice(getOperation());
    if (failed(model))
      return signalPassFailure();
    for (auto design : getOperation().getOps<DesignOp>()) {
      for (auto leaf : design.getOps<LeafOp>())
        for (NestOpInterface nest : leaf.getNests())
          if (failed((*model)->verifyOperators(nest.getOperations())))
            return signalPassFailure();
      if (failed(assignMemories(design, **model)))
        return signalPassFailure();
      assignFifos(design, **model);
    }
  }
};
} // namespace

} // namespace streamtensor::schedule
