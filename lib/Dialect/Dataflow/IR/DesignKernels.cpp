//===- DesignKernels.cpp - The kernels that a design becomes --------------===//

#include "streamtensor/Dialect/Dataflow/IR/DesignKernels.h"

#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace streamtensor::dataflow {

SmallVector<StringRef> getDies(DesignOp design) {
  llvm::SmallSetVector<StringRef, 4> dies;
  for (auto leaf : design.getOps<LeafOp>())
    if (std::optional<StringRef> die = leaf.getDie())
      dies.insert(*die);
  return dies.takeVector();
}

std::pair<LeafOp, LeafOp> getEnds(StreamOp stream) {
  std::pair<LeafOp, LeafOp> ends;
  for (AccessOpInterface access : getAccesses(stream))
    (access.isWrite() ? ends.first : ends.second) = getLeaf(access);
  return ends;
}

bool isLink(StreamOp stream) {
  if (!stream->getParentOfType<DesignOp>().getPerDie())
    return false;
  auto [writer, reader] = getEnds(stream);
  return writer && reader && writer.getDie() != reader.getDie();
}

int64_t getFifoLatency(StreamOp stream, const DeviceModel &device) {
  int64_t latency = stream.getMemory() == MemoryKind::ShiftRegister
                        ? device.fifo().shiftRegisterLatency
                        : device.fifo().ramLatency;
  return latency + (isLink(stream) ? device.link().latency : 0);
}

SmallVector<DesignKernel> getKernels(DesignOp design) {
  llvm::MapVector<StringRef, DesignKernel> kernels;
  auto find = [&](LeafOp leaf) -> DesignKernel & {
    StringRef die = design.getPerDie() ? leaf.getDie().value_or("") : "";
    kernels[die].die = die;
    return kernels[die];
  };
  for (auto leaf : design.getOps<LeafOp>())
    find(leaf).leaves.push_back(leaf);
  for (auto stream : design.getOps<StreamOp>())
    if (isLink(stream)) {
      auto [writer, reader] = getEnds(stream);
      find(writer).writes.push_back(stream);
      find(reader).reads.push_back(stream);
    }
  return llvm::map_to_vector(kernels, [](auto &entry) { return std::move(entry.second); });
}

SmallVector<ScalarOp> DesignKernel::getScalars() const {
  llvm::SmallDenseSet<Value> taken;
  for (LeafOp leaf : leaves)
    taken.insert_range(LeafOp(leaf).getScalars());
  auto scalars = LeafOp(leaves.front())->getParentOfType<DesignOp>().getOps<ScalarOp>();
  return llvm::filter_to_vector(
      scalars, [&](ScalarOp scalar) { return taken.contains(scalar.getResult()); });
}

//===----------------------------------------------------------------------===//
// Law
//===----------------------------------------------------------------------===//

static LogicalResult verifyMaster(InterfaceOp interface) {
  llvm::SmallSetVector<StringRef, 2> dies;
  for (Operation *port : interface->getUsers())
    for (Operation *user : port->getUsers())
      if (isa<AccessOpInterface>(user))
        dies.insert(getLeaf(user).getDie().value_or(""));
  if (dies.size() < 2)
    return success();
  return interface.emitOpError("[design.kernels] is a master of the leaves on ")
         << dies[0] << " and on " << dies[1] << ", which are two kernels; a master is of one";
}

static LogicalResult verifyLink(StreamOp stream) {
  auto [writer, reader] = getEnds(stream);
  for (LeafOp end : {writer, reader})
    if (!end.getBlock().getOps<ExternStepOp>().empty())
      return stream.emitOpError("[design.kernels] joins the hand-written kernel '")
             << end.getName() << "' to a leaf on another die; its function takes a FIFO, and no "
             << "stream of the platform: compile into one kernel";
  if (stream.getMemory() == MemoryKind::Unset || !findDevice(stream))
    return success();
  const LinkModel &link = (*getDevice(stream))->link();
  int64_t depth = stream.getType().getDepth();
  if (link.getDepth(depth) == depth)
    return success();
  return stream.emitOpError("[design.kernels] is a link of ")
         << depth << " slots; those of this device have " << link.leastDepth << " to "
         << link.mostDepth << ", a power of two";
}

LogicalResult verifyKernels(DesignOp design) {
  if (!design.getPerDie())
    return success();
  for (auto leaf : design.getOps<LeafOp>())
    if (!leaf.getDie())
      return leaf.emitOpError("[design.kernels] has no die in a design that is a kernel for each");
  if (getDies(design).size() < 2)
    return design.emitOpError("[design.kernels] is a kernel for each die and lies on one: it is "
                              "one kernel");
  for (auto interface : design.getOps<InterfaceOp>())
    if (failed(verifyMaster(interface)))
      return failure();
  for (auto stream : design.getOps<StreamOp>())
    if (failed(verifyFifo(stream)) || (isLink(stream) && failed(verifyLink(stream))))
      return failure();
  return success();
}

} // namespace streamtensor::dataflow
