//===- ScalarOps.cpp - Laws of scalars and of counts that depend on them --===//

#include "streamtensor/Dialect/Dataflow/IR/Pipeline.h"
#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"

#include <limits>

using namespace mlir;
using namespace streamtensor::dataflow;

/// Scalars are `int` in the generated code.
LogicalResult ScalarOp::verify() {
  int64_t low = static_cast<int64_t>(getLow()), high = static_cast<int64_t>(getHigh());
  if (0 <= low && low <= high && high <= std::numeric_limits<int32_t>::max())
    return success();
  return emitOpError("[design.scalars] its values go from ")
         << low << " to " << high << "; they must be a range from 0 to 2147483647";
}

LogicalResult streamtensor::dataflow::verifyScalars(DesignOp design) {
  llvm::StringSet<> names;
  Operation *other = nullptr;
  for (Operation &op : *design.getBody().begin()) {
    if (!isa<ChannelOp, InterfaceOp, PortOp, ScalarOp>(op))
      other = &op;
    auto scalar = dyn_cast<ScalarOp>(op);
    if (!scalar)
      continue;
    if (other)
      return scalar.emitOpError("[design.scalars] scalars are declared behind the ports, before "
                                "FIFOs, buffers and leaf tasks");
    if (!names.insert(scalar.getName()).second)
      return scalar.emitOpError("[design.scalars] a second scalar is named '")
             << scalar.getName() << "'";
  }
  return success();
}

/// The counts of a leaf or of a nest.
template <typename Nest> static LogicalResult verifyMap(Nest op, LeafOp leaf) {
  AffineMap counts = *op.getCounts();
  if (counts.getNumDims() != 0 || counts.getNumSymbols() != leaf.getScalars().size() ||
      counts.getNumResults() != op.getTrips().size())
    return op.emitOpError("[leaf.counts] the map must take the ")
           << leaf.getScalars().size() << " scalars, its symbols, to the counts of the "
           << op.getTrips().size() << " loops";
  if (!llvm::all_of(counts.getResults(), isAffineInScalars))
    return op.emitOpError("[leaf.counts] a count is a sum of scalars times constants, 'mod', "
                          "'floordiv' and 'ceildiv' by positive constants");
  unsigned serial = leaf.getOperation() == op.getOperation() ? leaf.getSerialLevel() : 0;
  bool isConstant =
      serial <= counts.getNumResults() &&
      llvm::all_of(counts.getResults().drop_front(serial), llvm::IsaPred<AffineConstantExpr>);
  if (leaf.getTogether() && !isConstant && leaf.getOperation() == op.getOperation())
    return op.emitOpError("[leaf.counts] loops that nests share and run together have constant "
                          "counts: how many blocks there are decides when each nest has work");
  LeafBoxes boxes(cast<NestOpInterface>(op.getOperation()));
  ArrayRef<ScalarRange> own = ArrayRef(boxes.getWhole()).take_back(op.getTrips().size());
  for (auto [loop, range] : llvm::enumerate(own)) {
    IndexRange last = boxes.getRange(range.high, boxes.getWhole());
    int64_t least = last.low + 1, most = last.high + 1, trips = op.getTrips()[loop];
    if (least < 1)
      return op.emitOpError("[leaf.counts] the count of loop ")
             << loop << " may be " << least << ", it must be at least 1";
    if (most != trips)
      return op.emitOpError("[leaf.counts] the count of loop ")
             << loop << " may be " << most << ", " << (most > trips ? "above" : "below")
             << " its maximum of " << trips << "; trips are the largest counts";
  }
  return success();
}

LogicalResult streamtensor::dataflow::verifyCounts(LeafOp leaf) {
  if (leaf.getScalars().empty() != !leaf.getCounts().has_value())
    return leaf.emitOpError("[leaf.counts] states the scalars of its nest and a map of counts, or "
                            "neither");
  for (Value scalar : leaf.getScalars())
    if (!scalar.getDefiningOp<ScalarOp>())
      return leaf.emitOpError("[leaf.scalars] a nest depends on a dataflow.scalar of the design");
  return leaf.getCounts() ? verifyMap(leaf, leaf) : success();
}

LogicalResult streamtensor::dataflow::verifyCounts(NestOp nest) {
  return nest.getCounts() ? verifyMap(nest, nest.getLeaf()) : success();
}

LogicalResult streamtensor::dataflow::verifyScalarUses(NestOpInterface nest) {
  LeafOp leaf = nest.getLeaf();
  for (Operation &op : nest.getOperations())
    for (Value operand : op.getOperands())
      if (auto scalar = operand.getDefiningOp<ScalarOp>();
          scalar && !llvm::is_contained(leaf.getScalars(), operand))
        return op.emitOpError("[leaf.scalars] uses scalar '")
               << scalar.getName() << "', which leaf '" << leaf.getName()
               << "' does not name; add it behind 'counts'";
  return success();
}
