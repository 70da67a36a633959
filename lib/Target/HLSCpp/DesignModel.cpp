//===- DesignModel.cpp - What the printers know about a design ------------===//

#include "streamtensor/Target/HLSCpp/DesignModel.h"

#include "streamtensor/Analysis/PortWords.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Support/BitWidth.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::target;
using namespace streamtensor::dataflow;

//===----------------------------------------------------------------------===//
// Small helpers
//===----------------------------------------------------------------------===//

std::string PortArgument::wordType() {
  Type element = elementType();
  MLIRContext *context = element.getContext();
  if (storageBits() < 8)
    return cppTokenType(VectorType::get({lanes * storageBits() / 8},
                                        IntegerType::get(context, 8, IntegerType::Unsigned)));
  if (lanes == 1)
    return cppTokenType(element);
  if (getBitWidth(element) != storageBits())
    element = IntegerType::get(context, storageBits());
  return cppTokenType(VectorType::get({lanes}, element));
}

std::string PortArgument::cppType() { return (writes ? "" : "const ") + wordType() + " *"; }

PortArgument *DesignModel::argument(AccessOpInterface access) {
  for (PortArgument &candidate : arguments)
    if (candidate.port.getResult() == access.getChannel() && candidate.leaf == getLeaf(access) &&
        candidate.writes == access.isWrite())
      return &candidate;
  return nullptr;
}

SmallVector<PortArgument *> DesignModel::argumentsOf(Value port, LeafOp leaf) {
  SmallVector<PortArgument *> found;
  for (PortArgument &candidate : arguments)
    if (candidate.port.getResult() == port && candidate.leaf == leaf)
      found.push_back(&candidate);
  return found;
}

std::string DesignModel::wordType(Value stream) {
  std::string token = cppTokenType(tokenTypes[stream]);
  return links.contains(stream) ? "st::Link<" + token + ">" : token;
}

std::string DesignModel::fifoType(Value stream) { return "hls::stream<" + wordType(stream) + ">"; }

std::string target::sourcePath(Location location) {
  std::string path;
  location->walk([&](Location part) {
    if (auto name = dyn_cast<NameLoc>(part)) {
      path = name.getName().str();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return path;
}

AffineExpr target::linearise(ArrayRef<AffineExpr> indices, ArrayRef<int64_t> shape,
                             MLIRContext *context) {
  AffineExpr position = getAffineConstantExpr(0, context);
  for (auto [index, extent] : llvm::zip_equal(indices, shape))
    position = position * extent + index;
  return position;
}

SmallVector<Value> target::channelsOf(LeafOp leaf) {
  llvm::SmallSetVector<Value, 8> reads, writes;
  for (AccessOpInterface access : getAccesses(leaf))
    if (!isa<PrivateType, BufferType>(access.getChannel().getType()))
      (access.isWrite() ? writes : reads).insert(access.getChannel());
  reads.insert_range(leaf.getReads());
  writes.insert_range(leaf.getWrites());
  SmallVector<Value> channels = reads.takeVector();
  for (Value channel : writes)
    if (!llvm::is_contained(channels, channel))
      channels.push_back(channel);
  return channels;
}

//===----------------------------------------------------------------------===//
// Hand-written kernels
//===----------------------------------------------------------------------===//

ExternOp target::getExtern(LeafOp leaf) {
  for (auto step : leaf.getBlock().getOps<ExternStepOp>())
    return SymbolTable::lookupNearestSymbolFrom<ExternOp>(step, step.getCalleeAttr());
  return {};
}

SmallVector<ExternOp> target::getExterns(DesignOp design) {
  llvm::SmallSetVector<ExternOp, 4> found;
  for (auto leaf : design.getBody().getOps<LeafOp>())
    if (ExternOp declaration = getExtern(leaf))
      found.insert(declaration);
  return found.takeVector();
}

static Type getTokenType(Value stream) {
  return cast<StreamType>(stream.getType()).getElementType();
}

/// A FIFO has the C++ type of its hand-written end.
static LogicalResult chooseTokenTypes(DesignModel &model) {
  for (auto stream : model.design.getBody().getOps<StreamOp>())
    model.tokenTypes[stream] = getTokenType(stream);
  llvm::DenseMap<Value, Type> stated;
  auto state = [&](Operation *access, Value fifo, Type token) -> LogicalResult {
    Type &known = stated.try_emplace(fifo, token).first->second;
    if (known != token)
      return access->emitError() << "FIFO '" << fifo.getDefiningOp<StreamOp>().getName()
                                 << "' joins two hand-written kernels that take its tokens as "
                                 << known << " and " << token
                                 << "; put a leaf task between them that casts";
    model.tokenTypes[fifo] = token;
    return success();
  };
  for (auto leaf : model.design.getBody().getOps<LeafOp>()) {
    if (!getExtern(leaf))
      continue;
    for (auto read : leaf.getBody().getOps<StreamReadOp>())
      if (failed(state(read, read.getFifo(), read.getType())))
        return failure();
    for (auto write : leaf.getBody().getOps<StreamWriteOp>())
      if (failed(state(write, write.getFifo(), write.getValue().getType())))
        return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Order of the leaf tasks
//===----------------------------------------------------------------------===//

static LogicalResult sortLeaves(DesignModel &model) {
  SmallVector<LeafOp> waiting;
  std::optional<SmallVector<LeafGroup>> order = getCallOrder(model.design, waiting);
  if (!order)
    return verifyCycles(model.design);
  model.groups = std::move(*order);
  for (const LeafGroup &group : model.groups) {
    for (LeafOp leaf : group.leaves) {
      model.leaves.push_back(leaf);
      if (group.isCycle())
        model.resumable.insert(leaf);
    }
    for (const LeafTurn &turn : group.turns)
      if (turn.nest)
        model.engines.insert(turn.leaf);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Ports
//===----------------------------------------------------------------------===//

/// The arguments of one leaf for one port and one way: a stripe each.
static void addArguments(DesignModel &model, PortOp port, LeafOp leaf, bool writes) {
  auto accesses = getAccesses(leaf);
  auto *access = llvm::find_if(accesses, [&](AccessOpInterface access) {
    return access.getChannel() == port.getResult() && access.isWrite() == writes;
  });
  if (access == accesses.end())
    return;
  WordsAttr words = (*access).getWordsAttr();
  std::string name = port.getName().str();
  if (port.getDirection() == Direction::InOut)
    name += writes ? "_written" : "_read";
  for (auto [stripe, value] : llvm::enumerate(port.getInterfaces())) {
    std::string suffix = port.getNumStripes() > 1 ? "_s" + std::to_string(stripe) : "";
    model.arguments.push_back({port, leaf, writes, static_cast<unsigned>(stripe),
                               model.names.unique(name + suffix), model.bundleNames[value],
                               words.getLanes(), words.getBurst(), words.getOutstanding()});
  }
}

/// The C++ has no longer bursts than the design was simulated with.
static LogicalResult checkRequests(PortOp port) {
  for (Operation *user : port.getResult().getUsers()) {
    auto access = dyn_cast<AccessOpInterface>(user);
    if (!access)
      continue;
    WordsAttr words = access.getWordsAttr();
    int64_t request = countRequestWords(access, words.getCount(), words.getLanes());
    if (request > 0 && (words.getRequest() == 0 || words.getRequest() > request))
      return access->emitOpError("states bursts of ")
             << words.getLongest() << " words, but Vitis infers none over iterations from its C++ "
             << "(UG1399, Preconditions and Limitations of Burst Transfer): an iteration asks for "
             << request << " at most; state 'request = " << request << "' in 'words'";
  }
  return success();
}

static LogicalResult addArguments(DesignModel &model, PortOp port) {
  if (failed(checkRequests(port)))
    return failure();
  size_t before = model.arguments.size();
  for (LeafOp leaf : model.leaves)
    for (bool writes : {false, true})
      addArguments(model, port, leaf, writes);
  if (model.arguments.size() == before)
    return port.emitError() << "port '" << port.getName() << "' is used by no leaf task";
  return success();
}

//===----------------------------------------------------------------------===//
// Model
//===----------------------------------------------------------------------===//

static LogicalResult checkElementType(Operation *op, Type type, StringRef what) {
  if (!cppTokenType(type).empty())
    return success();
  return op->emitError() << what << " type " << type
                         << " has no C++ counterpart; use floats of 16, 32 or 64 bits, bf16, or "
                            "integers";
}

static LogicalResult checkChannel(Operation &op, const FifoModel &fifo) {
  if (auto stream = dyn_cast<StreamOp>(op)) {
    Type element = stream.getType().getElementType();
    if (failed(checkElementType(&op, element, "element")))
      return failure();
    int64_t bits = getBitWidth(element);
    int64_t widest = fifo.tokenBits;
    if (bits > widest)
      return op.emitError() << "[stream.width] FIFO '" << stream.getName() << "' carries " << bits
                            << " bits per token, more than the " << widest
                            << " of a stream element; use fewer lanes on this edge";
  }
  if (auto buffer = dyn_cast<BufferOp>(op))
    return checkElementType(&op, buffer.getType().getElementType(), "element");
  if (auto port = dyn_cast<PortOp>(op))
    return checkElementType(&op, port.getType().getElementType(), "element");
  return success();
}

/// Everything that is printed has been decided.
static LogicalResult checkSized(DesignOp design) {
  for (auto stream : design.getBody().getOps<StreamOp>())
    if (stream.getMemory() == MemoryKind::Unset)
      return stream.emitError() << "FIFO '" << stream.getName()
                                << "' has no depth and memory; run the size phase first";
  for (auto buffer : design.getBody().getOps<BufferOp>())
    if (buffer.getMemoryKind() == MemoryKind::Unset)
      return buffer.emitError() << "buffer '" << buffer.getName()
                                << "' has no memory; run the size phase first";
  for (auto port : design.getBody().getOps<PortOp>())
    if (port.getInterfaces().empty())
      return port.emitError() << "port '" << port.getName()
                              << "' names no interface; run the size phase first";
  for (auto interface : design.getBody().getOps<InterfaceOp>())
    if (!interface.getChannel())
      return interface.emitError() << "interface '" << interface.getName()
                                   << "' is bound to no channel; run the size phase first";
  for (auto leaf : design.getBody().getOps<LeafOp>())
    if (!leaf.isScheduled())
      return leaf.emitError() << "leaf task '" << leaf.getName()
                              << "' is not scheduled; run the size phase first";
  return success();
}

/// What C simulation takes and synthesis does not.
static void warnOfNestedLocks(LeafOp leaf) {
  size_t held = getAcquires(leaf).size();
  if (held > 1)
    leaf.emitWarning()
        << "leaf task '" << leaf.getName() << "' holds " << held
        << " blocks at once; Vitis HLS takes no nested locks (UG1399), so its C++ is "
           "for simulation: fill, use and drain private memories in nests of one leaf";
}

static void addKernels(DesignModel &model) {
  model.linksType = model.names.unique(model.name + "_links");
  model.linksName = model.names.unique("links");
  model.togetherName = model.names.unique(model.name + "_together");
  for (DesignKernel &kernel : getKernels(model.design)) {
    model.links.insert_range(kernel.reads);
    std::string name = model.names.unique((model.name + "_" + kernel.die).str());
    model.kernels.push_back({std::move(kernel), name});
  }
}

FailureOr<DesignModel> target::buildModel(DesignOp design) {
  FailureOr<const DeviceModel *> device = getDevice(design);
  if (failed(device) || failed(checkSized(design)))
    return failure();
  DesignModel model;
  model.design = design;
  for (ExternOp declaration : getExterns(design))
    model.names.unique(declaration.getFunctionName());
  model.name = model.names.unique(design.getSymName());
  for (Operation &op : design.getBody().front())
    if (failed(checkChannel(op, (*device)->fifo())))
      return failure();
  if (failed(sortLeaves(model)))
    return failure();
  llvm::for_each(model.leaves, warnOfNestedLocks);
  NameScope bundles;
  for (auto interface : design.getBody().getOps<InterfaceOp>())
    model.bundleNames[interface] = bundles.unique(interface.getName());
  for (auto port : design.getBody().getOps<PortOp>())
    if (failed(addArguments(model, port)))
      return failure();
  for (auto scalar : design.getBody().getOps<ScalarOp>()) {
    model.scalars.push_back(scalar);
    model.scalarNames[scalar] = model.names.unique(scalar.getName());
  }
  for (Operation &op : design.getBody().front()) {
    if (auto stream = dyn_cast<StreamOp>(op))
      model.channelNames[stream] = model.names.unique(stream.getName());
    if (auto buffer = dyn_cast<BufferOp>(op))
      model.channelNames[buffer] = model.names.unique(buffer.getName());
  }
  if (failed(chooseTokenTypes(model)))
    return failure();
  for (LeafOp leaf : model.leaves)
    model.leafNames[leaf] = model.names.unique(leaf.getName());
  if (design.getPerDie())
    addKernels(model);
  return model;
}
