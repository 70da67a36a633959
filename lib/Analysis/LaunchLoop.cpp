//===- LaunchLoop.cpp - Launches that one kernel makes in turn ------------===//

#include "streamtensor/Analysis/LaunchLoop.h"

#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor {

/// Walks a turn in order and keeps track of what lies in each place now.
class LaunchLoopReader {
public:
  explicit LaunchLoopReader(scf::ForOp loop) { found.loop = loop; }

  FailureOr<LaunchLoop> read() {
    if (failed(checkCarried(found.loop)) || failed(collectReadOnly()))
      return failure();
    for (bool isEmpty : {false, true})
      for (auto [init, argument, result] : llvm::zip_equal(
               found.loop.getInitArgs(), found.loop.getRegionIterArgs(), found.loop.getResults())) {
        if (bool(init.getDefiningOp<tensor::EmptyOp>()) != isEmpty)
          continue;
        put(argument, add({isEmpty ? Value() : init, result}));
        found.places[result] = found.places[argument];
      }
    if (failed(readTurn(found.loop)))
      return failure();
    if (found.launches.empty())
      return found.loop.emitOpError("[launch.loop] holds no launch; a loop of a program is a "
                                    "kernel that launches designs in turn");
    for (auto [number, argument] : llvm::enumerate(found.loop.getRegionIterArgs()))
      if (!touched.contains(found.places.at(argument)))
        return found.loop.emitOpError("[launch.loop] carries a tensor that none of its launches "
                                      "reads or writes, as operand ")
               << number << ": leave it out of the loop";
    return std::move(found);
  }

private:
  /// What lies in a place; a reshape is the same again.
  struct Content {
    Value value;
    unsigned version;
  };

  unsigned add(LaunchLoop::Tensor tensor) {
    found.tensors.push_back(tensor);
    current.emplace_back();
    return found.tensors.size() - 1;
  }
  /// `value` lies in `place` from now on.
  void put(Value value, unsigned place) {
    found.places[value] = place;
    versions[value] = ++lastVersion;
    current[place] = {value, lastVersion};
  }
  /// `value` is what `source` is, in another shape or under another name.
  void putSame(Value value, Value source) {
    unsigned place = found.places.at(source), version = versions.at(source);
    found.places[value] = place;
    versions[value] = version;
    if (current[place].version == version)
      current[place].value = value;
  }

  /// Law [launch.loop]: tensors are what turns hand on.
  static LogicalResult checkCarried(scf::ForOp loop) {
    for (auto [number, argument] : llvm::enumerate(loop.getRegionIterArgs()))
      if (!isa<RankedTensorType>(argument.getType()))
        return loop.emitOpError("[launch.loop] hands a value of type ")
               << argument.getType() << " from turn to turn, as operand " << number
               << "; only tensors lie in memory between launches: numbers of a launch are "
                  "constants, arguments of the program and turns";
    return success();
  }

  bool isInside(Value value) {
    return found.loop.getBodyRegion().isAncestor(value.getParentRegion());
  }
  /// What inner loops and reshapes make `value` of, if that comes from outside, else null.
  Value getCaptured(Value value) {
    while (isInside(value)) {
      Operation *op = value.getDefiningOp();
      auto argument = dyn_cast<BlockArgument>(value);
      auto loop = dyn_cast<scf::ForOp>(op ? op : argument.getOwner()->getParentOp());
      if (op && isReshape(op))
        value = op->getOperand(0);
      else if (loop && loop != found.loop && op)
        value = loop.getInitArgs()[cast<OpResult>(value).getResultNumber()];
      else if (loop && loop != found.loop && argument != loop.getInductionVar())
        value = loop.getTiedLoopInit(argument)->get();
      else
        return {};
    }
    return value;
  }

  /// Tensors from outside that no turn changes.
  LogicalResult collectReadOnly() {
    WalkResult result = found.loop.walk([&](LaunchOp launch) {
      for (Value input : launch.getInputs()) {
        Value captured = getCaptured(input);
        if (!captured || found.places.contains(captured))
          continue;
        if (captured.getDefiningOp<tensor::EmptyOp>())
          return WalkResult(
              launch.emitOpError("[launch.loop] reads a tensor.empty from outside of the loop, "
                                 "which holds nothing: make it one of the values that the loop "
                                 "carries, which begin as zeros"));
        put(captured, add({captured, Value()}));
      }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  /// Law [launch.loop]: `value` is what lies in its place, or is refused at `op`.
  FailureOr<unsigned> getPlace(Value value, Operation *op) {
    auto it = found.places.find(value);
    if (it == found.places.end())
      return op->emitOpError("[launch.loop] takes a tensor from outside of the loop that no launch "
                             "of it reads: only what the loop carries or launches give is handed "
                             "on");
    if (current[it->second].version != versions.at(value))
      return op->emitOpError("[launch.loop] reads a tensor after a launch has overwritten it: what "
                             "a turn hands to the next lies in one place");
    return it->second;
  }

  LogicalResult readTurn(scf::ForOp loop) {
    if (!getTurns(loop))
      return emitTurns(loop);
    for (Operation &op : loop.getBody()->without_terminator())
      if (failed(readOp(&op)))
        return failure();
    Operation *yield = loop.getBody()->getTerminator();
    for (auto [number, yielded, argument] :
         llvm::enumerate(yield->getOperands(), loop.getRegionIterArgs())) {
      FailureOr<unsigned> place = getPlace(yielded, yield);
      if (failed(place))
        return failure();
      if (*place != found.places.at(argument))
        return yield->emitOpError("[launch.loop] hands a tensor on in the place of another: "
                                  "operand ")
               << number << " lies elsewhere";
    }
    return success();
  }

  LogicalResult readOp(Operation *op) {
    if (auto launch = dyn_cast<LaunchOp>(op))
      return readLaunch(launch);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return readInner(loop);
    if (isReshape(op)) {
      // Of a tensor without a place no launch reads what is made.
      if (found.places.contains(op->getOperand(0)))
        putSame(op->getResult(0), op->getOperand(0));
      return success();
    }
    if (isa<arith::AddIOp, arith::ConstantIndexOp>(op))
      return success();
    return op->emitOpError("[launch.loop] cannot stand in a loop of a program, which holds "
                           "launches, reshapes and loops around them");
  }

  LogicalResult readInner(scf::ForOp loop) {
    if (failed(checkCarried(loop)))
      return failure();
    llvm::SmallDenseSet<unsigned> carried;
    for (Value init : loop.getInitArgs()) {
      FailureOr<unsigned> place = getPlace(init, loop);
      if (failed(place))
        return failure();
      if (!carried.insert(*place).second)
        return loop.emitOpError("[launch.loop] carries one tensor twice, in one place: carry it "
                                "once, and read it as it was by a launch before");
    }
    for (auto [init, argument] : llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs()))
      carry(argument, init);
    SmallVector<Content> before = current;
    if (failed(readTurn(loop)))
      return failure();
    // The next turn finds what this one leaves.
    for (auto [place, content] : llvm::enumerate(current))
      if (content.version != before[place].version && !carried.contains(place))
        return content.value.getDefiningOp()->emitOpError(
            "[launch.loop] overwrites a tensor that the loop around it does not hand on, so that "
            "the next turn would not find it as it was: make it one of the values that this loop "
            "carries");
    for (auto [argument, result] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults()))
      carry(result, argument);
    return success();
  }

  /// `value` lies where `from` does; a turn may have overwritten that, unless it is only read.
  void carry(Value value, Value from) {
    unsigned place = found.places.at(from);
    if (found.tensors[place].left)
      put(value, place);
    else
      putSame(value, from);
  }

  LogicalResult readLaunch(LaunchOp launch) {
    if (failed(checkScalars(launch)))
      return failure();
    auto design = SymbolTable::lookupNearestSymbolFrom<DesignOp>(launch, launch.getDesignAttr());
    llvm::SmallDenseSet<unsigned> read, taken;
    SmallVector<std::pair<Value, unsigned>> written;
    size_t input = 0, output = 0;
    for (auto port : design.getBody().getOps<PortOp>()) {
      std::optional<unsigned> place;
      if (port.isRead()) {
        FailureOr<unsigned> own = getPlace(launch.getInputs()[input++], launch);
        if (failed(own))
          return failure();
        place = *own;
      }
      if (port.getDirection() == Direction::In)
        read.insert(*place);
      if (port.isWritten()) {
        OpResult result = launch->getResult(output++);
        if (!place)
          place = findPlace(result);
        if (!place || !found.tensors[*place].left)
          return launch.emitOpError("[launch.loop] port '")
                 << port.getName() << "' writes a tensor that no turn hands on: make it one of the "
                 << "values that the loop carries";
        if (!taken.insert(*place).second)
          return launch.emitOpError("[launch.loop] port '")
                 << port.getName() << "' writes where another port of the launch writes, too: give "
                 << "each result a place of its own among the values that the loop carries";
        if (!port.isRead())
          found.overwritten[result] = current[*place].value;
        written.push_back({result, *place});
      }
      touched.insert(*place);
    }
    for (auto [result, place] : written) {
      if (read.contains(place))
        return launch.emitOpError("[launch.loop] reads a tensor where it writes another, in one "
                                  "launch");
      put(result, place);
    }
    found.launches.push_back(launch);
    return success();
  }

  /// Where a result lies: where the loops hand it on.
  std::optional<unsigned> findPlace(Value value) {
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (isa<scf::YieldOp>(user)) {
        auto loop = cast<scf::ForOp>(user->getParentOp());
        auto it = found.places.find(loop.getRegionIterArgs()[use.getOperandNumber()]);
        if (it != found.places.end())
          return it->second;
      } else if (isReshape(user)) {
        if (std::optional<unsigned> place = findPlace(user->getResult(0)))
          return place;
      } else if (auto inner = dyn_cast<scf::ForOp>(user)) {
        if (std::optional<unsigned> place = findPlace(inner.getTiedLoopResult(&use)))
          return place;
      } else if (auto launch = dyn_cast<LaunchOp>(user)) {
        if (Value result = getResultInPlace(launch, use.getOperandNumber()))
          if (std::optional<unsigned> place = findPlace(result))
            return place;
      }
    }
    return std::nullopt;
  }

  /// The result that an operand of a launch becomes; null where it is only read.
  static Value getResultInPlace(LaunchOp launch, unsigned operand) {
    auto design = SymbolTable::lookupNearestSymbolFrom<DesignOp>(launch, launch.getDesignAttr());
    unsigned input = 0, output = 0;
    for (auto port : design.getBody().getOps<PortOp>()) {
      if (port.isRead() && input++ == operand)
        return port.isWritten() ? Value(launch->getResult(output)) : Value();
      output += port.isWritten();
    }
    return {};
  }

  LaunchLoop found;
  SmallVector<Content> current; // by place
  DenseMap<Value, unsigned> versions;
  unsigned lastVersion = 0;
  llvm::SmallDenseSet<unsigned> touched; // places that launches read or write
};

FailureOr<LaunchLoop> LaunchLoop::read(scf::ForOp loop) { return LaunchLoopReader(loop).read(); }

SmallVector<BlockArgument> LaunchLoop::getNumbers() const {
  scf::ForOp op = loop;
  llvm::SmallDenseSet<BlockArgument> used;
  auto use = [&](Value value) {
    if (std::optional<ProgramNumber> number = getProgramNumber(value); number && number->argument)
      used.insert(number->argument);
  };
  op.walk([&](Operation *inner) {
    if (auto launch = dyn_cast<LaunchOp>(inner))
      llvm::for_each(launch.getScalars(), use);
    else if (auto each = dyn_cast<scf::ForOp>(inner))
      use(each.getUpperBound());
  });
  SmallVector<BlockArgument> numbers;
  for (BlockArgument argument : op->getParentOfType<FunctionOpInterface>().getArguments())
    if (used.contains(argument))
      numbers.push_back(argument);
  return numbers;
}

scf::ForOp getOutermostLoop(LaunchOp launch) {
  scf::ForOp found;
  for (auto loop = launch->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    found = loop;
  return found;
}

} // namespace streamtensor
