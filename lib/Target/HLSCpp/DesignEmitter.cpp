//===- DesignEmitter.cpp - The C++ files of one design --------------------===//

#include "streamtensor/Target/HLSCpp/DesignEmitter.h"

#include "LeafEmitter.h"
#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"
#include "streamtensor/Target/HLSCpp/CppWriter.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::target;
using namespace streamtensor::dataflow;

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

static bool needsApInt(DesignModel &model) {
  auto result = model.design.walk([](Operation *op) {
    bool uses = llvm::any_of(op->getResultTypes(), [](Type type) {
      if (auto stream = dyn_cast<StreamType>(type))
        type = stream.getElementType();
      else if (auto buffer = dyn_cast<BufferType>(type))
        type = buffer.getElementType();
      else if (auto port = dyn_cast<PortType>(type))
        type = port.getElementType();
      return usesArbitraryPrecision(type);
    });
    return uses ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

static TopParameters getParameters(DesignModel &model) {
  TopParameters parameters;
  for (PortArgument &argument : model.arguments)
    parameters.memory.push_back(
        {&argument, argument.name, argument.bundle, argument.burst, argument.outstanding});
  for (ScalarOp scalar : model.scalars)
    parameters.numbers.push_back(model.scalarNames[scalar]);
  return parameters;
}

SmallVector<std::string> TopParameters::declare() const {
  SmallVector<std::string> declared;
  for (const Memory &each : memory)
    declared.push_back(each.argument->cppType() + each.name);
  for (const std::string &number : numbers)
    declared.push_back("int " + number);
  return declared;
}

std::string target::emitHeader(DesignModel &model) {
  CppWriter writer;
  std::string guard = StringRef(model.name).upper() + "_H";
  writer.line("// Interface of the design '" + model.design.getSymName() + "'.");
  writer.line("#ifndef " + guard);
  writer.line("#define " + guard);
  writer.blank();
  if (needsApInt(model))
    writer.line("#include \"ap_int.h\"");
  writer.line("#include \"hls_vector.h\"");
  writer.line("#include \"st_types.h\"");
  writer.blank();
  writer.line("#include <cstdint>");
  writer.blank();
  writer.list("extern \"C\" void " + model.name, getParameters(model).declare(), ";");
  writer.blank();
  writer.line("#endif");
  return writer.str();
}

//===----------------------------------------------------------------------===//
// Dataflow region
//===----------------------------------------------------------------------===//

static StringRef fifoImplementation(MemoryKind kind) {
  switch (kind) {
  case MemoryKind::Registers:
  case MemoryKind::ShiftRegister:
    return "srl";
  case MemoryKind::LUTRAM:
    return "lutram";
  case MemoryKind::BRAM:
    return "bram";
  case MemoryKind::URAM:
    return "uram";
  case MemoryKind::Unset:
    break;
  }
  llvm_unreachable("what is printed has a memory");
}

void target::emitInterface(const TopParameters &parameters, CppWriter &writer) {
  for (const auto &[argument, name, bundle, burst, outstanding] : parameters.memory)
    writer.pragma(llvm::formatv(
        "interface mode=m_axi port={0} bundle={1} offset=slave depth={2} max_{3}_burst_length={4} "
        "num_{3}_outstanding={5}",
        name, bundle, argument->words(), argument->writes ? "write" : "read", burst, outstanding));
  auto control = [&](const std::string &port) {
    writer.pragma("interface mode=s_axilite port=" + port + " bundle=control");
  };
  for (const TopParameters::Memory &each : parameters.memory)
    control(each.name);
  llvm::for_each(parameters.numbers, control);
  control("return");
}

static void emitStream(DesignModel &model, StreamOp op, CppWriter &writer) {
  std::string name = model.channelNames[op];
  writer.line(
      llvm::formatv("hls::stream<{0}> {1}(\"{1}\");", cppTokenType(model.tokenTypes[op]), name)
          .str());
  writer.pragma(llvm::formatv("stream variable={0} depth={1}", name, op.getType().getDepth()));
  writer.pragma(llvm::formatv("bind_storage variable={0} type=fifo impl={1}", name,
                              fifoImplementation(op.getMemory())));
}

static void emitBuffer(DesignModel &model, BufferOp op, CppWriter &writer) {
  std::string name = model.channelNames[op];
  writer.line(llvm::formatv("hls::stream_of_blocks<{0}, {1}> {2};", model.blockType(op),
                            op.getBlocks(), name)
                  .str());
  if (op.getMemoryKind() == MemoryKind::Registers) {
    writer.pragma("array_partition variable=" + name + " type=complete dim=0");
    return;
  }
  ArrayRef<int64_t> shape = op.getType().getShape();
  for (auto [dim, banks] : llvm::enumerate(op.getPartition())) {
    if (banks <= 1)
      continue;
    writer.pragma(llvm::formatv("array_partition variable={0} {1} dim={2}", name,
                                banks >= shape[dim] ? std::string("type=complete")
                                                    : "type=cyclic factor=" + std::to_string(banks),
                                dim + 1));
  }
  writer.pragma(llvm::formatv("bind_storage variable={0} type=ram_2p impl={1}", name,
                              fifoImplementation(op.getMemoryKind())));
}

/// A call of the leaf: of all of it, or in `trip` of a cycle of its turn.
static void emitCall(DesignModel &model, LeafTurn turn, const std::string &trip,
                     CppWriter &writer) {
  LeafOp leaf = turn.leaf;
  SmallVector<std::string> operands;
  for (Value channel : channelsOf(leaf)) {
    if (!isa<PortType>(channel.getType()))
      operands.push_back(model.channelNames[channel]);
    for (PortArgument *port : model.argumentsOf(channel, leaf))
      operands.push_back(port->name);
  }
  for (Value scalar : leaf.getScalars())
    operands.push_back(model.scalarNames[scalar]);
  if (!trip.empty()) {
    operands.push_back(trip);
    if (turn.nest)
      operands.push_back(std::to_string(*turn.nest));
    operands.push_back(model.leafNames[leaf] + "_kept");
  }
  ExternOp declaration = getExtern(leaf);
  writer.list(declaration ? "::" + declaration.getFunctionName().str()
                          : model.name + "_tasks::" + model.leafNames[leaf],
              operands, ";");
}

/// The leaves of a cycle take turns, a trip of their outermost loops each, or a nest of a trip.
static void emitCycle(DesignModel &model, const LeafGroup &group, CppWriter &writer) {
  for (LeafOp leaf : group.leaves)
    writer.line(model.name + "_tasks::" + model.leafNames[leaf] + "_state " +
                model.leafNames[leaf] + "_kept;");
  LeafOp first = group.leaves.front();
  AffineNames names;
  for (auto [scalar, range] : llvm::zip_equal(first.getScalars(), getScalarRanges(first))) {
    names.symbols.push_back(model.scalarNames[scalar]);
    names.symbolRanges.push_back({range.low, range.high});
  }
  std::string trip = NameScope(model.names, true).unique("trip");
  writer.open(llvm::formatv("for (int {0} = 0; {0} < {1}; ++{0})", trip,
                            cppAffine(getCounts(first)[0], names))
                  .str());
  writer.pragma(llvm::formatv("loop_tripcount max={0}", first.getTrips()[0]));
  for (const LeafTurn &turn : group.turns)
    emitCall(model, turn, trip, writer);
  writer.close();
}

static void emitTop(DesignModel &model, bool isKernel, CppWriter &writer) {
  TopParameters parameters = getParameters(model);
  writer.openFunction("extern \"C\" void " + model.name, parameters.declare());
  if (isKernel)
    emitInterface(parameters, writer);
  else
    writer.pragma("inline off");
  if (model.resumable.empty())
    writer.pragma("dataflow");
  else
    writer.line("// Leaf tasks of a cycle take turns, a trip of their outermost loops each.");
  for (Operation &op : model.design.getBody().front()) {
    if (auto stream = dyn_cast<StreamOp>(op))
      emitStream(model, stream, writer);
    else if (auto buffer = dyn_cast<BufferOp>(op))
      emitBuffer(model, buffer, writer);
  }
  writer.blank();
  for (const LeafGroup &group : model.groups) {
    if (model.resumable.contains(group.leaves.front()))
      emitCycle(model, group, writer);
    else
      for (LeafOp leaf : group.leaves)
        emitCall(model, {leaf}, "", writer);
  }
  writer.close();
}

//===----------------------------------------------------------------------===//
// Source
//===----------------------------------------------------------------------===//

/// Each tuple that is put together is a struct; no others flow.
static bool emitTupleTypes(DesignModel &model, CppWriter &writer) {
  llvm::SetVector<TupleType> tuples;
  model.design.walk([&](TupleOp op) { tuples.insert(cast<TupleType>(op.getType())); });
  for (TupleType tuple : tuples) {
    writer.open("struct " + cppTokenType(tuple));
    for (auto [index, member] : llvm::enumerate(tuple.getTypes()))
      writer.line(cppTokenType(member) + " m" + std::to_string(index) + ";");
    writer.close(";");
    writer.blank();
  }
  return !tuples.empty();
}

static void emitBlockTypes(DesignModel &model, CppWriter &writer) {
  bool any = false;
  for (auto buffer : model.design.getBody().getOps<BufferOp>()) {
    std::string extents;
    for (int64_t extent : buffer.getType().getShape())
      extents += "[" + std::to_string(extent) + "]";
    writer.line("using " + model.blockType(buffer) + " = " +
                cppScalarType(buffer.getType().getElementType()) + extents + ";");
    any = true;
  }
  if (any)
    writer.blank();
}

/// Is a FIFO reached under another type than it has?
static bool castsTokens(DesignModel &model) {
  return !model.design.getBody().getOps<StreamCastOp>().empty();
}

/// The headers of hand-written kernels.
static void emitHandWritten(DesignModel &model, CppWriter &writer) {
  llvm::SmallSetVector<StringRef, 4> headers;
  for (ExternOp declaration : getExterns(model.design))
    headers.insert(llvm::sys::path::filename(declaration.getSource()));
  if (headers.empty())
    return;
  writer.blank();
  writer.line("// Written by hand.");
  for (StringRef header : headers)
    writer.line("#include \"" + header.str() + "\"");
}

/// The leaf tasks and the top function.
static LogicalResult emitTasks(DesignModel &model, bool isKernel, CppWriter &writer) {
  writer.line("namespace " + model.name + "_tasks {");
  writer.blank();
  bool hasTuples = emitTupleTypes(model, writer);
  emitBlockTypes(model, writer);
  for (LeafOp leaf : model.leaves) {
    if (getExtern(leaf))
      continue;
    if (failed(emitLeaf(model, leaf, writer)))
      return failure();
    writer.blank();
  }
  writer.line("} // namespace " + model.name + "_tasks");
  writer.blank();
  if (hasTuples || !model.design.getBody().getOps<BufferOp>().empty()) {
    writer.line("using namespace " + model.name + "_tasks;");
    writer.blank();
  }
  emitTop(model, isKernel, writer);
  return success();
}

FailureOr<std::string> target::emitSource(DesignModel &model, bool isKernel) {
  CppWriter writer;
  writer.line("// Design '" + model.design.getSymName() + "': a dataflow region of " +
              std::to_string(model.leaves.size()) + " leaf tasks.");
  writer.line("#include \"" + model.name + ".h\"");
  writer.blank();
  writer.line("#include \"hls_stream.h\"");
  writer.line("#include \"hls_streamofblocks.h\"");
  writer.line("#include \"st_math.h\"");
  if (castsTokens(model))
    writer.line("#include \"st_tokens.h\"");
  emitHandWritten(model, writer);
  writer.blank();
  if (model.resumable.empty()) {
    if (failed(emitTasks(model, isKernel, writer)))
      return failure();
    return writer.str();
  }
  // Channels of C simulation hold any number of tokens, but calls end before the next begins.
  writer.raw("#ifdef __SYNTHESIS__\n// Values return to earlier leaf tasks: in hardware all run at "
             "once.\n");
  llvm::DenseSet<Operation *> resumable;
  std::swap(resumable, model.resumable);
  LogicalResult concurrent = emitTasks(model, isKernel, writer);
  std::swap(resumable, model.resumable);
  writer.raw("#else\n// The same, called one after the other.\n");
  if (failed(concurrent) || failed(emitTasks(model, isKernel, writer)))
    return failure();
  writer.raw("#endif\n");
  return writer.str();
}
