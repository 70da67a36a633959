//===- LowerTuples.cpp - Streams of tuples --------------------------------===//
//
// Join: one leaf takes a token of each stream and sends them as one.
//
// Unjoin: where one task alone reads the members, token by token in the order in which they come,
// it takes them out of the tuples' FIFO itself. Else a leaf gives each member a FIFO.
//
//===----------------------------------------------------------------------===//

#include "ComputeTask.h"

using namespace mlir;
using namespace streamtensor;
using dataflow::Role;
using itensor::ITensorType;

static void walkVectors(Nest &nest, ITensorType type, int64_t lanes) {
  SmallVector<AffineExpr> ignored = nest.zeros(type.getDataRank());
  nest.addLoops(type, 0, type.getIterRank(), ignored);
  nest.addPoints(type, lanes, ignored);
}

LogicalResult streamtensor::lowerJoin(DesignBuilder &design, itensor::JoinOp op) {
  std::string name = getValueName(op.getResult());
  DesignBuilder::Edge target = design.createEdge(cast<OpResult>(op.getResult()), name + "_joined");
  if (!target.stream)
    return op.emitError("nobody reads the result of this join");
  Nest nest(op.getContext());
  walkVectors(nest, op.getResult().getType(), target.lanes);
  design.beginLeaf(nest, {name + "_join", op.getLoc(), Role::Join});
  SmallVector<Value> members;
  for (Value source : op.getSources())
    members.push_back(design.read(design.getEdge(source)));
  Value token = dataflow::TupleOp::create(design.builder, op.getLoc(), members);
  design.write(token, target.stream);
  design.endLeaf();
  return success();
}

//===----------------------------------------------------------------------===//
// Unjoin
//===----------------------------------------------------------------------===//

/// The task that alone reads `member`, once; null if there is none.
static dataflow::TaskOp getOnlyReader(Value member) {
  if (!member.hasOneUse())
    return {};
  auto read = dyn_cast<itensor::ReadOp>(*member.user_begin());
  return read ? read->getParentOfType<dataflow::TaskOp>() : dataflow::TaskOp();
}

/// The task that reads every member that is read at all; null if there is no such task.
static dataflow::TaskOp getCommonReader(itensor::UnjoinOp op) {
  dataflow::TaskOp reader;
  for (Value member : op.getResults()) {
    if (member.use_empty())
      continue;
    dataflow::TaskOp task = getOnlyReader(member);
    if (!task || (reader && task != reader))
      return {};
    reader = task;
  }
  return reader;
}

/// Does the core of the task read these inputs in the same iterations?
static bool readsTogether(const TaskNest &nest, const PointPlan &points,
                          ArrayRef<unsigned> inputs) {
  unsigned first = inputs.front();
  return llvm::all_of(inputs, [&](unsigned input) {
    return points.modes[input] != InputMode::Block && points.modes[input] == points.modes[first] &&
           nest.inputs[input].map == nest.inputs[first].map &&
           nest.inputs[input].depth == nest.inputs[first].depth;
  });
}

bool streamtensor::takesMembersApart(const TaskNest &nest, const PointPlan &points,
                                     itensor::UnjoinOp op) {
  SmallVector<unsigned> inputs;
  for (auto [index, input] : llvm::enumerate(nest.inputs))
    if (input.stream.getDefiningOp() == op)
      inputs.push_back(index);
  return readsTogether(nest, points, inputs);
}

void streamtensor::createUnjoin(DesignBuilder &design, itensor::UnjoinOp op) {
  DesignBuilder::Edge source = design.getEdge(op.getSource());
  std::string name = getValueName(op.getSource());
  SmallVector<Value> targets;
  for (OpResult result : op->getResults())
    targets.push_back(design.createEdge(result, name + "_member").stream);
  Nest nest(op.getContext());
  walkVectors(nest, op.getSource().getType(), source.lanes);
  design.beginLeaf(nest, {name + "_unjoin", op.getLoc(), Role::Unjoin});
  Value token = design.read(source);
  for (auto [index, target] : llvm::enumerate(targets))
    if (target)
      design.write(
          design.builder.createOrFold<dataflow::MemberOp>(op.getLoc(), token, int64_t(index)),
          target);
  design.endLeaf();
}

LogicalResult streamtensor::lowerUnjoin(DesignBuilder &design, itensor::UnjoinOp op) {
  if (!getCommonReader(op)) {
    createUnjoin(design, op);
    return success();
  }
  // The plan of the reader decides whether it takes the members apart by itself.
  DesignBuilder::Edge tuples = design.getEdge(op.getSource());
  for (OpResult member : op->getResults())
    design.setEdge(member, {tuples.stream, tuples.lanes, member.getResultNumber()});
  return success();
}
