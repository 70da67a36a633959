//===- LaunchLoop.cpp - Launches that one kernel makes in turn ------------===//

#include "streamtensor/Analysis/LaunchLoop.h"

#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor {

/// Walks a turn in order and keeps track of the value that lies in each place now.
class LaunchLoopReader {
public:
  explicit LaunchLoopReader(scf::ForOp loop) { found.loop = loop; }

  FailureOr<LaunchLoop> read() {
    collectReadOnly();
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
    return std::move(found);
  }

private:
  unsigned add(LaunchLoop::Tensor tensor) {
    found.tensors.push_back(tensor);
    current.emplace_back();
    return found.tensors.size() - 1;
  }
  /// `value` lies in `place` from now on.
  void put(Value value, unsigned place) {
    found.places[value] = place;
    current[place] = value;
  }

  /// Tensors from outside that no turn changes.
  void collectReadOnly() {
    found.loop.walk([&](LaunchOp launch) {
      for (Value input : launch.getInputs())
        if (!found.loop.getBodyRegion().isAncestor(input.getParentRegion()) &&
            !found.places.contains(input))
          put(input, add({input, Value()}));
    });
  }

  /// Law [launch.loop]: `value` is what lies in its place, or is refused at `op`.
  FailureOr<unsigned> getPlace(Value value, Operation *op) {
    auto it = found.places.find(value);
    if (it == found.places.end())
      return op->emitOpError("[launch.loop] reads a tensor that neither a launch of the loop gives "
                             "nor lies in memory before it");
    if (current[it->second] != value)
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
    for (auto [yielded, argument] :
         llvm::zip_equal(yield->getOperands(), loop.getRegionIterArgs())) {
      FailureOr<unsigned> place = getPlace(yielded, yield);
      if (failed(place))
        return failure();
      if (*place != found.places.lookup(argument))
        return yield->emitOpError("[launch.loop] hands a tensor on in the place of another: "
                                  "operand ")
               << cast<BlockArgument>(argument).getArgNumber() - 1 << " lies elsewhere";
    }
    return success();
  }

  LogicalResult readOp(Operation *op) {
    if (auto launch = dyn_cast<LaunchOp>(op))
      return readLaunch(launch);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return readInner(loop);
    if (isReshape(op)) {
      FailureOr<unsigned> place = getPlace(op->getOperand(0), op);
      if (succeeded(place))
        put(op->getResult(0), *place);
      return place;
    }
    if (isa<arith::AddIOp, arith::ConstantIndexOp>(op))
      return success();
    return op->emitOpError("[launch.loop] cannot stand in a loop of a program, which holds "
                           "launches, reshapes and loops around them");
  }

  LogicalResult readInner(scf::ForOp loop) {
    for (auto [init, argument] : llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs())) {
      FailureOr<unsigned> place = getPlace(init, loop);
      if (failed(place))
        return failure();
      put(argument, *place);
    }
    if (failed(readTurn(loop)))
      return failure();
    for (auto [argument, result] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults()))
      put(result, found.places.lookup(argument));
    return success();
  }

  LogicalResult readLaunch(LaunchOp launch) {
    auto design = SymbolTable::lookupNearestSymbolFrom<DesignOp>(launch, launch.getDesignAttr());
    llvm::SmallDenseSet<unsigned> read;
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
      if (!port.isWritten())
        continue;
      OpResult result = launch->getResult(output++);
      if (!place)
        place = findPlace(result);
      if (!place || !found.tensors[*place].left)
        return launch.emitOpError("[launch.loop] port '")
               << port.getName() << "' writes a tensor that no turn hands on: make it one of the "
               << "values that the loop carries";
      if (!port.isRead())
        found.overwritten[result] = current[*place];
      written.push_back({result, *place});
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
  SmallVector<Value> current; // by place
};

FailureOr<LaunchLoop> LaunchLoop::read(scf::ForOp loop) { return LaunchLoopReader(loop).read(); }

SmallVector<BlockArgument> LaunchLoop::getNumbers() const {
  scf::ForOp op = loop;
  auto entry = op->getParentOfType<FunctionOpInterface>();
  SmallVector<BlockArgument> numbers;
  for (BlockArgument argument : entry.getArguments())
    if (argument.getType().isIndex() &&
        llvm::any_of(argument.getUsers(), [&](Operation *user) { return op->isAncestor(user); }))
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
