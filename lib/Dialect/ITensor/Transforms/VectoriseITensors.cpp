//===- VectoriseITensors.cpp - Choose the lanes of every itensor ----------===//
//
// Elements flow in vectors along a token's last dimension. Ops that pass elements on
// in stream order (element-wise tasks, forks, chunks, ...) have the same lanes on all
// sides; such values form a class. A contraction asks for the lanes of the input that
// it streams; otherwise the fastest element-wise task decides; a class without
// computation is as wide as a memory port, or as the drain of partial sums has to be. A bridge to a
// FIFO states the lanes of its class, and before all others a task does whose `dataflow.tiling`
// states a vector.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Analysis/Accumulation.h"
#include "streamtensor/Analysis/TaskNest.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"
#include "streamtensor/Dialect/ITensor/IR/ConverterPlan.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/EquivalenceClasses.h"

#include <numeric>

namespace streamtensor {
#define GEN_PASS_DEF_VECTORISEITENSORS
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;
using itensor::ITensorType;

namespace {

class LaneSolver {
public:
  explicit LaneSolver(const DeviceModel &device) : device(device) {}

  LogicalResult visit(Operation *op);
  /// Lanes of the class of `value`. Fails, with an error, if what its tasks state is impossible.
  FailureOr<int64_t> getLanes(Value value);

private:
  struct Wishes {
    int64_t divides = 0;   ///< Common divisor of all rows.
    int64_t exact = 0;     ///< Common divisor of what contractions ask for; 0: nobody asks.
    int64_t leaving = 0;   ///< Common divisor of what contractions give; 0: none gives any so.
    int64_t drained = 0;   ///< Most lanes that drains of partial sums ask for; 0: no such drain.
    int64_t preferred = 0; ///< Most lanes an element-wise task asks for; 0: no such task.
    int64_t stated = 0;    ///< Common divisor of what bridges to FIFOs state; 0: no bridge.
    int64_t widest = 8;    ///< Bits of the widest element.
    Value chooser;         ///< The result of a task that states its vector; null: no such task.
  };

  LogicalResult visitTask(dataflow::TaskOp task);
  LogicalResult visitResultsOfSum(dataflow::TaskOp task, const TaskNest &nest,
                                  const PointPlan &plan);
  FailureOr<Wishes> collectWishes(Value value);
  FailureOr<int64_t> getChosenLanes(const Wishes &wishes);
  void add(Value value) { classes.insert(value.getAsOpaquePointer()); }
  void unite(Value lhs, Value rhs) {
    classes.unionSets(lhs.getAsOpaquePointer(), rhs.getAsOpaquePointer());
  }

  const DeviceModel &device;
  llvm::EquivalenceClasses<void *> classes;
  DenseMap<Value, int64_t> exact, leaving, drained, preferred, stated;
  DenseMap<Value, int64_t> chosen; ///< Of results whose `dataflow.tiling` states a vector.
};

} // namespace

/// A converter with memory may change the lanes for nothing.
static bool hasMemory(Operation *op) {
  auto converter = dyn_cast<itensor::ConverterOp>(op);
  std::optional<itensor::BufferAttr> buffer = converter ? converter.getBuffer() : std::nullopt;
  return converter && !(buffer && buffer->getKind() == itensor::ConverterKind::Fifo);
}

static int64_t getStatedLanes(Value stream) {
  auto token = dyn_cast<VectorType>(cast<dataflow::StreamType>(stream.getType()).getElementType());
  return token ? token.getNumElements() : 1;
}

LogicalResult LaneSolver::visit(Operation *op) {
  if (auto task = dyn_cast<dataflow::TaskOp>(op))
    return visitTask(task);
  if (isa<itensor::InstanceOp>(op))
    return success();
  if (auto bridge = dyn_cast<dataflow::ITensorToStreamOp>(op))
    stated[bridge.getSource()] = getStatedLanes(bridge.getResult());
  if (auto bridge = dyn_cast<dataflow::StreamToITensorOp>(op))
    stated[bridge.getResult()] = getStatedLanes(bridge.getSource());
  SmallVector<Value> streams;
  for (Value value : llvm::concat<Value>(llvm::to_vector(op->getOperands()),
                                         llvm::to_vector_of<Value>(op->getResults())))
    if (isa<ITensorType>(value.getType()))
      streams.push_back(value);
  for (Value stream : streams)
    add(stream);
  if (!hasMemory(op) && !streams.empty())
    for (Value stream : llvm::drop_begin(streams))
      unite(streams.front(), stream);
  return success();
}

/// The loop of the generic along which a result's lanes run.
static std::optional<unsigned> getLaneDimOf(const TaskNest &nest, unsigned result) {
  linalg::GenericOp generic = nest.generic;
  AffineMap map = generic.getIndexingMapMatchingResult(generic->getResult(result));
  if (std::optional<unsigned> dim = getLaneDim(nest.results[result]))
    if (auto loop = dyn_cast<AffineDimExpr>(map.getResult(*dim)))
      return loop.getPosition();
  return std::nullopt;
}

/// May a launch have a part of each row only? Then rows come element by element.
static bool mayEndInRow(linalg::GenericOp generic, AffineMap map) {
  return map.getNumResults() > 0 &&
         llvm::any_of(llvm::seq(generic.getNumLoops()), [&](unsigned dim) {
           return map.getResults().back().isFunctionOfDim(dim) &&
                  dataflow::isFilledInPart(generic, dim);
         });
}

/// Does a task add up floats along rows? A vector of its sums takes a tree of adders over partial
/// sums for each.
static bool isSumOfFloats(Value stream) {
  auto task = stream.getDefiningOp<dataflow::TaskOp>();
  bool isSum = false;
  if (task)
    task.walk([&](linalg::GenericOp generic) {
      isSum = generic.getNumReductionLoops() > 0 && generic.getInputs().size() == 1 &&
              !generic.getBody()->getOps<arith::AddFOp>().empty();
    });
  return isSum;
}

LogicalResult LaneSolver::visitTask(dataflow::TaskOp task) {
  FailureOr<TaskNest> nest = TaskNest::read(task);
  if (failed(nest))
    return failure();
  for (Value result : task.getResults())
    add(result);
  FailureOr<dataflow::TilingAttr> tiling = dataflow::requireTiling(nest->generic);
  if (failed(tiling))
    return failure();
  if (DenseI64ArrayAttr vector = tiling->getVector())
    for (auto [result, lanes] : llvm::zip_equal(task.getResults(), vector.asArrayRef()))
      chosen[result] = lanes;
  PointPlan plan = planPoints(*nest, tiling->getUnroll().asArrayRef());
  std::optional<Value> row;
  auto joinRow = [&](Value value) {
    preferred[value] = std::max(preferred[value], plan.laneDim ? plan.unroll[*plan.laneDim] : 1);
    if (row)
      unite(*row, value);
    row = value;
  };
  for (auto [index, input] : llvm::enumerate(nest->inputs)) {
    add(input.stream);
    if (mayEndInRow(nest->generic, input.map))
      exact[input.stream] = 1;
    if (plan.modes[index] == InputMode::Block) {
      // What is held for many iterations may come one by one.
      int64_t bits = getLaneExtent(input.type) * input.type.getElementBitWidth();
      bool isHeld = input.depth < nest->loops.size();
      if (isHeld && bits >= device.port().bits && isSumOfFloats(input.stream))
        preferred[input.stream] = std::max<int64_t>(preferred[input.stream], 1);
      continue;
    }
    bool fillsRow = plan.isFlexible && plan.modes[index] == InputMode::Stream && plan.laneDim &&
                    input.map.isFunctionOfDim(*plan.laneDim);
    if (fillsRow) {
      joinRow(input.stream);
    } else {
      int64_t &wish = exact[input.stream];
      wish = std::gcd(wish, plan.lanes[index]);
    }
  }
  if (nest->reduces() && failed(visitResultsOfSum(task, *nest, plan)))
    return failure();
  if (!nest->reduces())
    for (auto [index, result] : llvm::enumerate(task.getResults()))
      joinRow(result);
  return success();
}

/// A contraction whose sums lie in banks adds up those of all lanes that leave in an iteration, in
/// a tree of adders for each. So few lanes leave that this takes a 32nd of its time, a 48th where a
/// tree is small beside the contraction's own adders.
static FailureOr<int64_t> getLanesOfDrain(const TaskNest &nest, const PointPlan &plan,
                                          const DeviceModel &device) {
  constexpr int64_t partOfTime = 32, partWithSmallTrees = 48, smallTree = 10;
  linalg::GenericOp generic = nest.generic;
  FailureOr<SmallVector<ReductionLoop>> loops =
      planBanks(nest, plan, findCombiners(generic), device);
  if (failed(loops))
    return failure();
  int64_t banks = 1;
  for (const ReductionLoop &loop : *loops)
    banks *= loop.banks;
  if (banks == 1 || nest.inputs.size() < 2)
    return 0;
  int64_t iterations = countPointIterations(generic.getStaticLoopRanges(), plan.unroll);
  int64_t elements = 1;
  auto iterators = generic.getIteratorTypesArray();
  for (auto [extent, kind] : llvm::zip_equal(generic.getStaticLoopRanges(), iterators))
    elements *= kind == utils::IteratorType::parallel ? extent : 1;
  for (const TaskNest::Loop &loop : nest.loops) {
    iterations *= loop.trips;
    elements *= loop.isReduction ? 1 : loop.trips;
  }
  bool isSmall = smallTree * (banks - 1) <= llvm::product_of(plan.unroll);
  return llvm::divideCeil((isSmall ? partWithSmallTrees : partOfTime) * elements, iterations);
}

LogicalResult LaneSolver::visitResultsOfSum(dataflow::TaskOp task, const TaskNest &nest,
                                            const PointPlan &plan) {
  FailureOr<int64_t> lanes = getLanesOfDrain(nest, plan, device);
  if (failed(lanes))
    return failure();
  for (auto [index, result] : llvm::enumerate(task.getResults())) {
    // Results that leave one by one, inside the reduction, need no block if the FIFO has their
    // lanes. But those who take rows may have fewer.
    std::optional<unsigned> dim = getLaneDimOf(nest, index);
    if (*lanes > 0)
      drained[result] = *lanes;
    else if (dim && nest.carriesTiles())
      leaving[result] = std::gcd(leaving[result], plan.unroll[*dim]);
  }
  return success();
}

/// What the members of a class ask for; two tasks may not state unequal vectors.
FailureOr<LaneSolver::Wishes> LaneSolver::collectWishes(Value value) {
  Wishes wishes;
  for (auto it = classes.findLeader(value.getAsOpaquePointer()); it != classes.member_end(); ++it) {
    Value member = Value::getFromOpaquePointer(*it);
    auto type = cast<ITensorType>(member.getType());
    wishes.widest = std::max<int64_t>(wishes.widest, type.getElementBitWidth());
    wishes.divides = std::gcd(wishes.divides, getLaneExtent(type));
    wishes.exact = std::gcd(wishes.exact, exact.lookup(member));
    wishes.leaving = std::gcd(wishes.leaving, leaving.lookup(member));
    wishes.drained = std::max(wishes.drained, drained.lookup(member));
    wishes.preferred = std::max(wishes.preferred, preferred.lookup(member));
    wishes.stated = std::gcd(wishes.stated, stated.lookup(member));
    int64_t lanes = chosen.lookup(member);
    if (lanes > 0 && wishes.chooser && chosen[wishes.chooser] != lanes) {
      InFlightDiagnostic error = member.getDefiningOp()->emitError("[tiling.vector] 'vector' is ");
      error << lanes
            << ", but the FIFOs of this result share their lanes with another operation's, "
            << "whose 'vector' is " << chosen[wishes.chooser] << "; state one number for both";
      error.attachNote(wishes.chooser.getLoc()) << "the other operation";
      return error;
    }
    if (lanes > 0)
      wishes.chooser = member;
  }
  return wishes;
}

FailureOr<int64_t> LaneSolver::getChosenLanes(const Wishes &wishes) {
  int64_t lanes = chosen[wishes.chooser];
  if (wishes.divides % lanes == 0)
    return lanes;
  return wishes.chooser.getDefiningOp()->emitError("[tiling.vector] 'vector' is ")
         << lanes << ", but FIFOs that share these lanes have rows of " << wishes.divides
         << " elements; it can be " << dataflow::listDivisors(wishes.divides);
}

FailureOr<int64_t> LaneSolver::getLanes(Value value) {
  FailureOr<Wishes> collected = collectWishes(value);
  if (failed(collected))
    return failure();
  const Wishes &wishes = *collected;
  if (wishes.chooser)
    return getChosenLanes(wishes);
  // What a bridge states holds for all who can follow; the lowering regroups for the others.
  if (wishes.stated > 0 && wishes.divides % wishes.stated == 0 && wishes.exact % wishes.stated == 0)
    return wishes.stated;
  if (wishes.exact > 0)
    return std::gcd(wishes.exact, wishes.divides);
  if (wishes.leaving > 0 && wishes.preferred == 0)
    return std::gcd(wishes.leaving, wishes.divides);
  int64_t limit = device.port().getElements(wishes.widest);
  if (wishes.preferred > 0) {
    limit = wishes.preferred;
  } else if (wishes.drained > 0) {
    int64_t enough = std::min(wishes.drained, wishes.divides);
    while (wishes.divides % enough != 0)
      ++enough;
    limit = std::min(limit, enough);
  }
  int64_t lanes = std::min(limit, wishes.divides);
  while (wishes.divides % lanes != 0)
    --lanes;
  return lanes;
}

namespace {
struct VectoriseITensorsPass : streamtensor::impl::VectoriseITensorsBase<VectoriseITensorsPass> {
  using VectoriseITensorsBase::VectoriseITensorsBase;

  void runOnOperation() override {
    FailureOr<const DeviceModel *> device = dataflow::getDevice(getOperation());
    if (failed(device))
      return signalPassFailure();
    LaneSolver solver(**device);
    SmallVector<Operation *> ops;
    for (auto kernel : getOperation().getOps<dataflow::KernelOp>())
      for (Operation &op : kernel.getBody().front())
        ops.push_back(&op);
    for (Operation *op : ops)
      if (failed(solver.visit(op)))
        return signalPassFailure();
    for (Operation *op : ops) {
      if (isa<itensor::InstanceOp>(op))
        continue;
      SmallVector<int64_t> lanes;
      for (Value result : op->getResults())
        if (isa<ITensorType>(result.getType())) {
          FailureOr<int64_t> count = solver.getLanes(result);
          if (failed(count))
            return signalPassFailure();
          lanes.push_back(*count);
        }
      if (!lanes.empty())
        dataflow::setLanes(op, lanes);
    }
  }
};
} // namespace
