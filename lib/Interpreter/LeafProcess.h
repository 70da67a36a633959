//===- LeafProcess.h - A leaf task as a process -----------------*- C++ -*-===//
//
// A leaf task runs its iterations one after the other. An iteration fires when every FIFO that
// it reads has a token; its writes of one stage fire together, when each FIFO has a slot. What
// is missing stops the process until the other end of that channel has moved. Nests that run
// together act in one iteration, in their order.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_INTERPRETER_LEAFPROCESS_H
#define STREAMTENSOR_LIB_INTERPRETER_LEAFPROCESS_H

#include "Body.h"
#include "Channel.h"
#include "PortOrder.h"
#include "TimedMemory.h"

#include "streamtensor/Dialect/Dataflow/IR/LeafWalk.h"

#include <map>

namespace streamtensor::interpreter {

/// The iterations of a guard: bounds of single loops.
struct GuardCheck {
  struct Bound {
    unsigned loop;
    int64_t low, high;
  };
  llvm::SmallVector<Bound> bounds;

  bool holds(llvm::ArrayRef<int64_t> index) const {
    return llvm::all_of(bounds, [&](const Bound &bound) {
      return index[bound.loop] >= bound.low && index[bound.loop] <= bound.high;
    });
  }
};

/// What a hand-written kernel gives in one activation, output by output.
using ExternTokens = llvm::SmallVector<std::vector<Word>>;

/// What a design's channels and memories are, by the value that stands for them.
struct DesignMemories {
  llvm::MapVector<mlir::Value, std::unique_ptr<Fifo>> fifos;
  llvm::MapVector<mlir::Value, std::unique_ptr<BlockBuffer>> buffers;
  llvm::MapVector<mlir::Value, ArrayPtr> ports;
  std::map<mlir::Operation *, PortOrder> orders;          ///< By `inout` port.
  std::map<mlir::Operation *, ExternTokens> externTokens; ///< By leaf.
};

class LeafProcess {
public:
  virtual ~LeafProcess() = default;
  static mlir::FailureOr<std::unique_ptr<LeafProcess>>
  create(dataflow::LeafOp leaf, DesignMemories &memories, bool overlaps);

  /// Runs until the end or until a channel stops it. `wake` is called with each process that a
  /// channel's change may have set free.
  virtual void run(llvm::function_ref<void(LeafProcess *)> wake);

  bool isDone() const { return state == State::Done; }
  dataflow::LeafOp getLeaf() const { return leaf; }
  /// The fault of one of its bodies; null if there is none.
  Fault *getFault();
  /// The channel that stops the process; null if none does.
  Channel *getBlockingChannel() const { return blocking; }
  /// Does it wait for a token or block (not for a free slot)?
  bool waitsForInput() const { return isWaitingForInput; }

protected:
  explicit LeafProcess(dataflow::LeafOp leaf) : leaf(leaf), walk(leaf) {}
  bool stopAt(Channel *channel, bool isInput);
  void leaveChannel() { blocking = nullptr; }
  void finish() { state = State::Done; }
  Fault fault; ///< Of the process itself.

private:
  enum class State { Acquire, Read, Write, Release, Done };
  struct TokenAccess {
    Fifo *fifo;
    GuardCheck guard;
    Registers value;
    unsigned nest;
    uint64_t stage = 0;
    mlir::Type token = {}, fifoToken = {}; ///< They differ behind a cast.
  };
  /// A straight-line body and the indices of its iteration, which steps read in place.
  struct NestRun {
    dataflow::NestOpInterface nest;
    Body body;
    llvm::SmallVector<int64_t> index;
    llvm::SmallVector<Registers> indexRegisters;
  };
  void pop(TokenAccess &access);
  void push(TokenAccess &access);
  struct BlockAccess {
    BlockBuffer *buffer;
    mlir::Value value;
    int64_t period; ///< Serial trips from one acquire to the next.
    bool isWrite;
    std::shared_ptr<ArrayPtr> memory;
    bool isHeld = false;
  };

  mlir::LogicalResult compile(DesignMemories &memories);
  mlir::LogicalResult addNest(dataflow::NestOpInterface nest, DesignMemories &memories);
  mlir::LogicalResult addOp(mlir::Operation &op, DesignMemories &memories);
  void addBlocks(DesignMemories &memories);
  std::shared_ptr<ArrayPtr> getMemory(mlir::Value value, DesignMemories &memories);

  bool happens(const TokenAccess &access) const {
    return walk.isActive(access.nest) && access.guard.holds(nests[access.nest]->index);
  }
  void setIndices();
  void issue();
  bool advance(llvm::function_ref<void(LeafProcess *)> wake);
  bool acquire(llvm::function_ref<void(LeafProcess *)> wake);
  bool read(llvm::function_ref<void(LeafProcess *)> wake);
  bool write(llvm::function_ref<void(LeafProcess *)> wake);
  void release(llvm::function_ref<void(LeafProcess *)> wake);

  dataflow::LeafOp leaf;
  /// Where iterations overlap; null if one runs after the other.
  std::unique_ptr<PipelineTime> time;
  llvm::SmallVector<std::pair<int64_t, int64_t>> schedules; ///< Interval and depth of pipelines.
  dataflow::LeafWalk walk;
  std::vector<std::unique_ptr<NestRun>> nests;
  llvm::SmallVector<TokenAccess> reads, writes; ///< Writes in order of their stages.
  llvm::SmallVector<BlockAccess> blocks;
  llvm::DenseMap<mlir::Value, std::shared_ptr<ArrayPtr>> held; ///< Memories of this leaf.
  State state = State::Acquire;
  size_t nextWrite = 0;
  Channel *blocking = nullptr;
  bool isWaitingForInput = false;
};

/// A load or store of a memory of this leaf, a test of its indices, a tuple or a member of one;
/// null for other operations. Accesses to private memories happen at their `time`, if there is one;
/// those to an `inout` port are watched by its `order`.
StepPtr makeLeafStep(mlir::Operation *op, Body &body, const llvm::SmallVector<int64_t> &index,
                     std::shared_ptr<ArrayPtr> memory, PipelineTime *time, PortOrder *order);

GuardCheck getGuardCheck(dataflow::NestOpInterface nest, std::optional<mlir::IntegerSet> guard);

} // namespace streamtensor::interpreter

#endif
