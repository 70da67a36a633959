//===- LeafSteps.cpp - Loads, stores and tests of a leaf task -------------===//

#include "LeafProcess.h"
#include "OperandAccess.h"

#include "streamtensor/Support/Affine.h"

#include "streamtensor/Dialect/Dataflow/IR/IterationBox.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;

GuardCheck interpreter::getGuardCheck(dataflow::NestOpInterface nest,
                                      std::optional<IntegerSet> guard) {
  GuardCheck check;
  SmallVector<int64_t> trips = nest.getLoopTrips();
  std::optional<dataflow::IterationBox> box = dataflow::getGuardBox(guard, trips);
  for (auto [loop, range] : llvm::enumerate(box->loops))
    if (range.low > 0 || range.high < trips[loop] - 1)
      check.bounds.push_back({static_cast<unsigned>(loop), range.low, range.high});
  return check;
}

namespace {

/// Where an access begins, and where its lanes lie from there.
class Address {
public:
  Address(AffineMap map, ArrayRef<int64_t> shape, Type valueType)
      : first(OperandAccess::create(map, shape)) {
    SmallVector<int64_t> strides = getStrides(shape);
    auto vector = dyn_cast<VectorType>(valueType);
    if (!vector) {
      lanes.push_back(0);
      return;
    }
    forEachIndex(vector.getShape(), [&](ArrayRef<int64_t> index) {
      int64_t lane = 0;
      for (auto [position, stride] : llvm::zip_equal(index, strides))
        lane += position * stride;
      lanes.push_back(lane);
    });
  }
  int64_t getFirst(ArrayRef<int64_t> index) const { return first.getPlace(index); }
  ArrayRef<int64_t> getLanes() const { return lanes; }

private:
  OperandAccess first;
  SmallVector<int64_t> lanes;
};

/// A guarded load keeps its registers outside of the guard: it holds its last value.
struct LoadStep : Step {
  LoadStep(Address address, GuardCheck guard, Registers value, std::shared_ptr<ArrayPtr> memory,
           const SmallVector<int64_t> &index)
      : address(std::move(address)), guard(std::move(guard)), value(value),
        memory(std::move(memory)), index(index) {}
  void run() override {
    if (!guard.holds(index))
      return;
    const Word *first = (*memory)->words.data() + address.getFirst(index);
    ArrayRef<int64_t> lanes = address.getLanes();
    for (size_t lane = 0; lane < lanes.size(); ++lane)
      value.words[lane] = first[lanes[lane]];
  }
  /// Row-major position of the first element.
  virtual int64_t getFirst() const { return address.getFirst(index); }
  Address address;
  GuardCheck guard;
  Registers value;
  std::shared_ptr<ArrayPtr> memory;
  const SmallVector<int64_t> &index;
};

/// A load at a row that the data decide: the nearest one of the memory.
struct RowLoadStep : LoadStep {
  RowLoadStep(LoadStep load, Registers row) : LoadStep(std::move(load)), row(row) {}
  void run() override {
    if (!guard.holds(index))
      return;
    const Word *first = (*memory)->words.data() + getFirst();
    for (auto [lane, offset] : llvm::enumerate(address.getLanes()))
      value.words[lane] = first[offset];
  }
  int64_t getFirst() const override {
    const Array &rows = **memory;
    int64_t last = rows.shape.front() - 1;
    int64_t place = std::clamp<int64_t>(row.words->asInteger(), 0, last);
    int64_t size = llvm::product_of(ArrayRef<int64_t>(rows.shape).drop_front());
    return place * size + address.getFirst(index);
  }
  Registers row;
};

struct StoreStep : LoadStep {
  using LoadStep::LoadStep;
  void run() override {
    if (!guard.holds(index))
      return;
    Word *first = (*memory)->words.data() + address.getFirst(index);
    ArrayRef<int64_t> lanes = address.getLanes();
    for (size_t lane = 0; lane < lanes.size(); ++lane)
      first[lanes[lane]] = value.words[lane];
  }
};

/// A load of a private memory at its stage.
struct TimedLoadStep : LoadStep {
  TimedLoadStep(LoadStep load, PipelineTime &time, TimedMemory &memory, int64_t stage)
      : LoadStep(std::move(load)), time(time), timed(memory), stage(stage) {}
  void run() override {
    if (!guard.holds(index))
      return;
    int64_t first = address.getFirst(index);
    for (auto [lane, offset] : llvm::enumerate(address.getLanes()))
      value.words[lane] = timed.read(first + offset, time.issue + stage);
  }
  PipelineTime &time;
  TimedMemory &timed;
  int64_t stage;
};

/// A store to a private memory; `stage` is the one from which loads see it.
struct TimedStoreStep : TimedLoadStep {
  TimedStoreStep(TimedLoadStep store, Operation *op, Fault &fault)
      : TimedLoadStep(std::move(store)), op(op), fault(fault) {}
  void run() override {
    if (!guard.holds(index))
      return;
    int64_t first = address.getFirst(index);
    for (auto [lane, offset] : llvm::enumerate(address.getLanes()))
      if (!timed.write(first + offset, time.issue + stage, time.issue, value.words[lane]))
        fault.report(op, "overwrites what an earlier iteration has yet to read: the stage or the "
                         "interval of the leaf is wrong");
  }
  Operation *op;
  Fault &fault;
};

/// An access to an `inout` port, which must be ordered against those of other leaves.
struct OrderedStep : Step {
  OrderedStep(std::unique_ptr<LoadStep> step, dataflow::AccessOpInterface op, PortOrder &order,
              Fault &fault)
      : step(std::move(step)), op(op), order(order), fault(fault) {}
  void run() override {
    if (!step->guard.holds(step->index))
      return;
    int64_t first = step->getFirst();
    for (int64_t offset : step->address.getLanes())
      order.access(op, first + offset, fault);
    step->run();
  }
  std::unique_ptr<LoadStep> step;
  dataflow::AccessOpInterface op;
  PortOrder &order;
  Fault &fault;
};

/// A test that compares single indices with constants, as guards do.
struct BoxTestStep : Step {
  BoxTestStep(GuardCheck check, Registers result, const SmallVector<int64_t> &index)
      : check(std::move(check)), result(result), index(index) {}
  void run() override { *result.words = Word::ofBool(check.holds(index)); }
  GuardCheck check;
  Registers result;
  const SmallVector<int64_t> &index;
};

/// Any other test.
struct TestStep : Step {
  TestStep(IntegerSet set, Registers result, const SmallVector<int64_t> &index)
      : set(set), result(result), index(index) {}
  void run() override { *result.words = Word::ofBool(contains(set, index)); }
  IntegerSet set;
  Registers result;
  const SmallVector<int64_t> &index;
};

} // namespace

/// A load, or a store, of a block or a port.
static StepPtr makeAccess(std::unique_ptr<LoadStep> step, dataflow::AccessOpInterface op,
                          PortOrder *order, Body &body) {
  if (!order)
    return step;
  return std::make_unique<OrderedStep>(std::move(step), op, *order, body.getFault());
}

StepPtr interpreter::makeLeafStep(Operation *op, Body &body, const SmallVector<int64_t> &index,
                                  std::shared_ptr<ArrayPtr> memory, PipelineTime *time,
                                  PortOrder *order) {
  dataflow::NestOpInterface nest = dataflow::getNest(op);
  if (auto test = dyn_cast<dataflow::TestOp>(op)) {
    if (dataflow::getGuardBox(test.getSet(), nest.getLoopTrips()))
      return std::make_unique<BoxTestStep>(getGuardCheck(nest, test.getSet()),
                                           body.bind(test.getResult()), index);
    return std::make_unique<TestStep>(test.getSet(), body.bind(test.getResult()), index);
  }
  if (isa<dataflow::TupleOp, dataflow::MemberOp>(op)) {
    SmallVector<Registers> operands =
        llvm::map_to_vector(op->getOperands(), [&](Value operand) { return body.use(operand); });
    return makeLaneMove(op, body.bind(op->getResult(0)), operands);
  }
  if (auto load = dyn_cast<dataflow::LoadOp>(op)) {
    LoadStep step(Address(load.getMap(), (*memory)->shape, load.getResult().getType()),
                  getGuardCheck(nest, load.getGuard()), body.bind(load.getResult()), memory, index);
    if (load.getRow())
      return makeAccess(std::make_unique<RowLoadStep>(std::move(step), body.use(load.getRow())),
                        load, order, body);
    if (time && isa<dataflow::PrivateType>(load.getMemory().getType()))
      return std::make_unique<TimedLoadStep>(std::move(step), *time,
                                             time->getMemory(load.getMemory(), **memory),
                                             dataflow::getTiming(load).getStage());
    return makeAccess(std::make_unique<LoadStep>(std::move(step)), load, order, body);
  }
  if (auto store = dyn_cast<dataflow::StoreOp>(op)) {
    StoreStep step(Address(store.getMap(), (*memory)->shape, store.getValue().getType()),
                   getGuardCheck(nest, store.getGuard()), body.use(store.getValue()), memory,
                   index);
    if (!time || !isa<dataflow::PrivateType>(store.getMemory().getType()))
      return makeAccess(std::make_unique<StoreStep>(std::move(step)), store, order, body);
    int64_t visible = dataflow::getTiming(store).getEnd();
    return std::make_unique<TimedStoreStep>(
        TimedLoadStep(std::move(step), *time, time->getMemory(store.getMemory(), **memory),
                      visible),
        store, body.getFault());
  }
  return nullptr;
}
