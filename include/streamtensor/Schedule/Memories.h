//===- Memories.h - How memories and FIFOs are built ------------*- C++ -*-===//
//
// Partition factors, memory kinds and whole blocks of on-chip memories. Widths in
// bits, depths in words.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_SCHEDULE_MEMORIES_H
#define STREAMTENSOR_SCHEDULE_MEMORIES_H

#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor::schedule {

using dataflow::MemoryKind;
using Shape = llvm::SmallVector<int64_t>;

/// Banks of `depth` words of `width` bits.
struct Banks {
  int64_t count = 1, depth = 1, width = 1;
  /// Reads and writes of a bank that may be in one cycle.
  int64_t reads = 1, writes = 1;
  int64_t getBits() const { return count * depth * width; }
};

/// How the elements lie that are reached at a time: in banks, a cyclic factor per dimension, or in
/// one word (`word` is their number).
struct Layout {
  Shape partition;
  int64_t word = 1;
};

/// Latencies and ports of a memory kind.
const MemoryKindModel &getModel(MemoryKind kind, const DeviceModel &device);

/// Operations of one kind that use the memory, in program order.
template <typename Op> llvm::SmallVector<Op> getUsers(mlir::Value memory) {
  llvm::SmallVector<Op> users;
  for (mlir::Operation *user : memory.getUsers()) // listed last first
    if (auto access = llvm::dyn_cast<Op>(user))
      users.push_back(access);
  return {users.rbegin(), users.rend()};
}

/// Cyclic factor per dimension with which every box of `boxes` finds its elements
/// in different banks: the least common multiple of the extents where the
/// dimension holds it, else the dimension.
Shape inferPartition(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Shape> boxes);

/// The same for a block buffer or a private memory, by the boxes of its accesses.
Shape inferPartition(mlir::Value memory);

Banks getBanks(llvm::ArrayRef<int64_t> shape, mlir::Type element, const Layout &layout);

/// How a memory is laid out by what is stated; one bank where nothing is.
Layout getLayout(dataflow::StorageAttr storage);
Layout getLayout(dataflow::BufferOp buffer);

/// All blocks of a buffer, as it is built and, where leaves are scheduled, used.
Banks getBanks(dataflow::BufferOp buffer);

/// The same of a private memory.
Banks getBanks(dataflow::LeafOp leaf, mlir::Value memory);

/// Storage of this kind and layout, with the kind's ports and latencies.
dataflow::StorageAttr makeStorage(mlir::MLIRContext *context, MemoryKind kind, const Layout &layout,
                                  const DeviceModel &device);

/// Whole memory blocks, LUTs and flip-flops of `banks` of one kind.
Resources countBanks(const Banks &banks, MemoryKind kind, const DeviceModel &device);

/// The kind that takes the smallest share of the card.
MemoryKind chooseKind(const Banks &banks, const DeviceModel &device);

/// Kinds from the smallest share of the card upwards.
llvm::SmallVector<MemoryKind> rankKinds(const Banks &banks, const DeviceModel &device);

/// Largest share of any resource of the card.
double getShare(const Resources &used, const DeviceModel &device);

/// The part of the blocks of RAM that can be placed, of the scarcer kind.
double getBlockShare(const Resources &used, const DeviceModel &device);

/// What a memory of this partition can be built as.
struct Choice {
  Layout layout;
  Banks banks;
  /// The best first: those that keep pace, the smallest share of the card first, then the others,
  /// the fastest first.
  llvm::SmallVector<MemoryKind> kinds;
};
Choice getChoice(mlir::Value memory, Layout layout, const DeviceModel &device);
/// Choices for a block buffer or a private memory. What is reached at a time lies in one word where
/// every access moves whole words and blocks of RAM are spared by it: a word of an UltraRAM has 72
/// bits, of which a float in a bank of its own uses 32.
Choice chooseLayout(mlir::Value memory, llvm::ArrayRef<int64_t> partition,
                    const DeviceModel &device);
/// The smallest share of the card for which `choice` can be had; logic needs the LUTs too, so
/// memory in LUTs counts twice.
double getPlacementShare(const Choice &choice, const DeviceModel &device);

/// Shift registers up to the device's limit or depth 2, else a RAM.
MemoryKind chooseFifoKind(int64_t bits, int64_t depth, const DeviceModel &device);
/// The same for all FIFOs of a design, as banks with a token a word. Those in blocks take BRAM or
/// URAM, which are equally fast, such that most is left of the scarcer, beside `others`.
llvm::SmallVector<MemoryKind> chooseFifoKinds(llvm::ArrayRef<Banks> fifos, Resources others,
                                              const DeviceModel &device);
/// BRAM or URAM.
bool isBlock(MemoryKind kind);
/// Of FIFOs in blocks, those that URAM spares the most BRAM take it, as many as leave the more of
/// the scarcer of `room`, beside `others`.
void dealBlocks(llvm::ArrayRef<Banks> fifos, Resources others, const Resources &room,
                const DeviceModel &device, llvm::MutableArrayRef<MemoryKind> kinds);
/// Changes kinds of single FIFOs in blocks as long as that leaves less beyond `room`: what was
/// dealt in a row may miss it by less than one of them takes.
void dealBlocksSingly(llvm::ArrayRef<Banks> fifos, Resources others, const Resources &room,
                      const DeviceModel &device, llvm::MutableArrayRef<MemoryKind> kinds);
/// Where logic fills the dies, FIFOs in LUTs go to block RAM or URAM, whichever is less scarce
/// then, those that spare the most LUTs first, as long as both stay less scarce than LUTs; they are
/// as fast there.
void spareLogic(llvm::ArrayRef<Banks> fifos, Resources others, const DeviceModel &device,
                llvm::MutableArrayRef<MemoryKind> kinds);
/// A FIFO of this kind, its control included.
Resources countFifo(int64_t bits, int64_t depth, MemoryKind kind, const DeviceModel &device);
/// Of a FIFO of a sized design, with tokens of so many bits and this depth; a link with the
/// registers at both ends.
Resources countFifo(dataflow::StreamOp stream, int64_t bits, int64_t depth,
                    const DeviceModel &device);

} // namespace streamtensor::schedule

#endif
