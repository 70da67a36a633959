//===- DesignEmitter.cpp - The C++ files of one design --------------------===//

#include "streamtensor/Target/HLSCpp/DesignEmitter.h"

#include "LeafEmitter.h"
#include "PrivateMemories.h"
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
// Tokens of several members
//===----------------------------------------------------------------------===//

/// Each tuple that is put together is a struct; no others flow.
static llvm::SetVector<TupleType> getTuples(DesignModel &model) {
  llvm::SetVector<TupleType> tuples;
  model.design.walk([&](TupleOp op) { tuples.insert(cast<TupleType>(op.getType())); });
  return tuples;
}

static void emitTupleTypes(DesignModel &model, CppWriter &writer) {
  for (TupleType tuple : getTuples(model)) {
    writer.open("struct " + cppTokenType(tuple));
    for (auto [index, member] : llvm::enumerate(tuple.getTypes()))
      writer.line(cppTokenType(member) + " m" + std::to_string(index) + ";");
    writer.close(";");
    writer.blank();
  }
}

/// The bits of a struct that goes to another kernel, the first member lowest.
static void emitTokenBits(const std::string &scope, TupleType tuple, CppWriter &writer) {
  std::string type = scope + "::" + cppTokenType(tuple);
  size_t count = tuple.getTypes().size();
  auto emitMembers = [&](const char *line) {
    for (size_t member = 0; member < count; ++member)
      writer.line(
          llvm::formatv(line, member, member ? "end" + std::to_string(member - 1) : "0").str());
  };
  writer.open("template <> struct TokenBits<" + type + ">");
  for (auto [index, member] : llvm::enumerate(tuple.getTypes()))
    writer.line(
        llvm::formatv("using Bits{0} = TokenBits<{1}>;", index, cppTokenType(member)).str());
  emitMembers("static constexpr int end{0} = {1} + Bits{0}::width;");
  writer.line(llvm::formatv("static constexpr int width = end{0};", count - 1).str());
  writer.open("static ap_uint<width> get(const " + type + " &token)");
  writer.line("ap_uint<width> bits = 0;");
  emitMembers("bits.range(end{0} - 1, {1}) = Bits{0}::get(token.m{0});");
  writer.line("return bits;");
  writer.close();
  writer.open("static " + type + " make(const ap_uint<width> &bits)");
  writer.line(type + " token;");
  emitMembers("const ap_uint<Bits{0}::width> bits{0} = bits.range(end{0} - 1, {1});");
  emitMembers("token.m{0} = Bits{0}::make(bits{0});");
  writer.line("return token;");
  writer.close();
  writer.close(";");
}

/// Where kernels are joined by them, in front of all.
static void emitTokensOfLinks(DesignModel &model, CppWriter &writer) {
  llvm::SetVector<TupleType> tuples = getTuples(model);
  if (tuples.empty())
    return;
  std::string scope = model.name + "_tasks";
  writer.line("namespace " + scope + " {");
  writer.blank();
  emitTupleTypes(model, writer);
  writer.line("} // namespace " + scope);
  writer.blank();
  writer.line("namespace st {");
  for (TupleType tuple : tuples)
    emitTokenBits(scope, tuple, writer);
  writer.line("} // namespace st");
  writer.blank();
  writer.line("using namespace " + scope + ";");
  writer.blank();
}

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

/// Of one kernel of a design that is several.
static TopParameters getParameters(DesignModel &model, const NamedKernel &kernel) {
  TopParameters parameters;
  for (PortArgument &argument : model.arguments)
    if (kernel.contains(argument.leaf))
      parameters.memory.push_back(
          {&argument, argument.name, argument.bundle, argument.burst, argument.outstanding});
  for (ScalarOp scalar : kernel.getScalars())
    parameters.numbers.push_back(model.scalarNames[scalar]);
  for (StreamOp link : llvm::concat<const StreamOp>(kernel.reads, kernel.writes))
    parameters.links.push_back({model.fifoType(link), model.channelNames[link]});
  return parameters;
}

SmallVector<std::string> TopParameters::declare() const {
  SmallVector<std::string> declared;
  for (const Memory &each : memory)
    declared.push_back(each.argument->cppType() + each.name);
  for (const std::string &number : numbers)
    declared.push_back("int " + number);
  for (const Link &link : links)
    declared.push_back(link.type + " &" + link.name);
  return declared;
}

/// In C all kernels together are a function, with the streams between them.
static SmallVector<std::string> declareTogether(DesignModel &model) {
  SmallVector<std::string> declared = getParameters(model).declare();
  declared.push_back(model.linksType + " &" + model.linksName);
  return declared;
}

static void emitKernelHeader(DesignModel &model, CppWriter &writer) {
  emitTokensOfLinks(model, writer);
  for (const NamedKernel &kernel : model.kernels)
    writer.list("extern \"C\" void " + kernel.name, getParameters(model, kernel).declare(), ";");
  writer.blank();
  writer.raw("#ifndef __SYNTHESIS__\n");
  writer.open("struct " + model.linksType);
  for (auto stream : model.design.getBody().getOps<StreamOp>())
    if (model.links.contains(stream)) {
      std::string name = model.channelNames[stream];
      writer.line(
          llvm::formatv("st::LinkInC<{0}> {1}{{\"{1}\"};", model.wordType(stream), name).str());
    }
  writer.close(";");
  writer.list("void " + model.togetherName, declareTogether(model), ";");
  writer.raw("#endif\n");
  writer.blank();
}

/// Is a FIFO reached under another type than it has?
static bool castsTokens(DesignModel &model) {
  return !model.design.getBody().getOps<StreamCastOp>().empty();
}

std::string target::emitHeader(DesignModel &model) {
  CppWriter writer;
  std::string guard = StringRef(model.name).upper() + "_H";
  writer.line("// Interface of the design '" + model.design.getSymName() + "'.");
  writer.line("#ifndef " + guard);
  writer.line("#define " + guard);
  writer.blank();
  // Where tokens become numbers, what says how wide these may be stands before ap_int.h.
  if (castsTokens(model))
    writer.line("#include \"st_tokens.h\"");
  if (!model.kernels.empty())
    writer.line("#include \"st_links.h\"");
  if (needsApInt(model))
    writer.line("#include \"ap_int.h\"");
  writer.line("#include \"hls_vector.h\"");
  writer.line("#include \"st_types.h\"");
  writer.blank();
  writer.line("#include <cstdint>");
  writer.blank();
  if (!model.kernels.empty())
    emitKernelHeader(model, writer);
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

SmallVector<std::string> TopParameters::getNames() const {
  SmallVector<std::string> names;
  for (const Memory &each : memory)
    names.push_back(each.name);
  names.append(numbers.begin(), numbers.end());
  for (const Link &link : links)
    names.push_back(link.name);
  return names;
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
  for (const TopParameters::Link &link : parameters.links)
    writer.pragma("interface mode=axis port=" + link.name);
  control("return");
}

static void emitStream(DesignModel &model, StreamOp op, CppWriter &writer) {
  std::string name = model.channelNames[op];
  writer.line(llvm::formatv("{0} {1}(\"{1}\");", model.fifoType(op), name).str());
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
  for (const std::string &pragma : layOut(name, schedule::getLayout(op), op.getType().getShape()))
    writer.pragma(pragma);
  writer.pragma(bindStorage(name, *op.getStorage(), schedule::getBanks(op)));
}

namespace {
/// What calls leaf tasks: all of a design, or a kernel of it.
struct CallRegion {
  const NamedKernel *kernel = nullptr;
  /// Do links lie inside, which C alone can do?
  bool together = false;

  bool holds(LeafOp leaf) const { return !kernel || kernel->contains(leaf); }
};
} // namespace

/// A call of the leaf: of all of it, or in `trip` of a cycle of its turn.
static void emitCall(DesignModel &model, const CallRegion &region, LeafTurn turn,
                     const std::string &trip, CppWriter &writer) {
  LeafOp leaf = turn.leaf;
  SmallVector<std::string> operands, written;
  for (Value channel : channelsOf(leaf)) {
    std::string name = model.channelNames[channel];
    if (region.together && model.links.contains(channel)) {
      bool writes = llvm::any_of(getAccesses(leaf), [&](AccessOpInterface access) {
        return access.getChannel() == channel && access.isWrite();
      });
      name = model.linksName + "." + name;
      if (writes)
        written.push_back(name);
      name += writes ? ".written" : ".read";
    }
    if (!isa<PortType>(channel.getType()))
      operands.push_back(name);
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
  for (const std::string &link : written)
    writer.line(link + ".pass();");
}

/// The leaves of a cycle take turns, a trip of their outermost loops each, or a nest of a trip.
static void emitCycle(DesignModel &model, const CallRegion &region, const LeafGroup &group,
                      CppWriter &writer) {
  auto holds = [&](LeafOp leaf) { return region.holds(leaf); };
  if (llvm::none_of(group.leaves, holds))
    return;
  for (LeafOp leaf : llvm::make_filter_range(group.leaves, holds))
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
    if (holds(turn.leaf))
      emitCall(model, region, turn, trip, writer);
  writer.close();
}

/// Does a FIFO or a buffer lie in the region?
static bool isInside(Operation &channel, const CallRegion &region) {
  if (auto stream = dyn_cast<StreamOp>(channel))
    return llvm::all_of(getAccesses(stream),
                        [&](AccessOpInterface access) { return region.holds(getLeaf(access)); });
  return llvm::all_of(channel.getUsers(), [&](Operation *user) {
    auto leaf = dyn_cast<LeafOp>(user);
    return region.holds(leaf ? leaf : getLeaf(user));
  });
}

static void emitRegion(DesignModel &model, const CallRegion &region, CppWriter &writer) {
  if (!model.resumable.empty())
    writer.line("// Leaf tasks of a cycle take turns, a trip of their outermost loops each.");
  else if (!region.together)
    writer.pragma("dataflow");
  for (Operation &op : model.design.getBody().front()) {
    auto stream = dyn_cast<StreamOp>(op);
    if (stream && !model.links.contains(stream) && isInside(op, region))
      emitStream(model, stream, writer);
    if (auto buffer = dyn_cast<BufferOp>(op); buffer && isInside(op, region))
      emitBuffer(model, buffer, writer);
  }
  writer.blank();
  for (const LeafGroup &group : model.groups) {
    if (model.resumable.contains(group.leaves.front()))
      emitCycle(model, region, group, writer);
    else
      for (LeafOp leaf : group.leaves)
        if (region.holds(leaf))
          emitCall(model, region, {leaf}, "", writer);
  }
}

static void emitTop(DesignModel &model, bool isKernel, CppWriter &writer) {
  TopParameters parameters = getParameters(model);
  writer.openFunction("extern \"C\" void " + model.name, parameters.declare());
  if (isKernel)
    emitInterface(parameters, writer);
  else
    writer.pragma("inline off");
  emitRegion(model, {}, writer);
  writer.close();
}

static void emitKernel(DesignModel &model, const NamedKernel &kernel, CppWriter &writer) {
  TopParameters parameters = getParameters(model, kernel);
  writer.line("// The kernel on " + kernel.die.str() + ".");
  writer.openFunction("extern \"C\" void " + kernel.name, parameters.declare());
  emitInterface(parameters, writer);
  emitRegion(model, {&kernel}, writer);
  writer.close();
  writer.blank();
}

/// All kernels in C. They wait for each other, and a call ends before the next begins: so their
/// leaf tasks are called, in the order of the design.
static void emitTogether(DesignModel &model, CppWriter &writer) {
  writer.line("// All kernels together, in C.");
  writer.openFunction("void " + model.togetherName, declareTogether(model));
  emitRegion(model, {nullptr, /*together=*/true}, writer);
  writer.close();
  writer.blank();
  TopParameters parameters = getParameters(model);
  writer.openFunction("extern \"C\" void " + model.name, parameters.declare());
  writer.line(model.linksType + " " + model.linksName + ";");
  SmallVector<std::string> operands = parameters.getNames();
  operands.push_back(model.linksName);
  writer.list(model.togetherName, operands, ";");
  writer.close();
}

//===----------------------------------------------------------------------===//
// Source
//===----------------------------------------------------------------------===//

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

static LogicalResult emitLeaves(DesignModel &model, CppWriter &writer) {
  writer.line("namespace " + model.name + "_tasks {");
  writer.blank();
  if (model.kernels.empty()) // else they are in the header
    emitTupleTypes(model, writer);
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
  if (!getTuples(model).empty() || !model.design.getBody().getOps<BufferOp>().empty()) {
    writer.line("using namespace " + model.name + "_tasks;");
    writer.blank();
  }
  return success();
}

/// The leaf tasks and the top function, or that of each kernel.
static LogicalResult emitTasks(DesignModel &model, bool isKernel, CppWriter &writer) {
  if (failed(emitLeaves(model, writer)))
    return failure();
  for (const NamedKernel &kernel : model.kernels)
    emitKernel(model, kernel, writer);
  if (model.kernels.empty())
    emitTop(model, isKernel, writer);
  return success();
}

static LogicalResult emitBody(DesignModel &model, bool isKernel, CppWriter &writer) {
  if (model.resumable.empty()) {
    if (failed(emitTasks(model, isKernel, writer)))
      return failure();
    if (model.kernels.empty())
      return success();
    writer.raw("#ifndef __SYNTHESIS__\n");
    emitTogether(model, writer);
    writer.raw("#endif\n");
    return success();
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
  if (!model.kernels.empty())
    emitTogether(model, writer);
  writer.raw("#endif\n");
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
  emitHandWritten(model, writer);
  writer.blank();
  if (failed(emitBody(model, isKernel, writer)))
    return failure();
  return writer.str();
}
