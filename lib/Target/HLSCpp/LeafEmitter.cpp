//===- LeafEmitter.cpp - One leaf task as a C++ function ------------------===//

#include "LeafEmitter.h"

#include "LeafBody.h"

#include "streamtensor/Dialect/Dataflow/IR/Pipeline.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::target;
using namespace streamtensor::dataflow;

static std::string parameter(DesignModel &model, LeafOp leaf, Value channel) {
  if (isa<StreamType>(channel.getType()))
    return llvm::formatv("hls::stream<{0}> &{1}", cppTokenType(model.tokenTypes[channel]),
                         model.channelNames[channel]);
  if (isa<BufferType>(channel.getType()))
    return llvm::formatv("hls::stream_of_blocks<{0}, {1}> &{2}", model.blockType(channel),
                         channel.getDefiningOp<BufferOp>().getBlocks(),
                         model.channelNames[channel]);
  PortArgument *port = model.argument(channel, leaf);
  return port->cppType() + port->name;
}

static std::string nameOf(NestOpInterface nest) {
  auto own = dyn_cast<NestOp>(*nest);
  return own ? own.getName().str() : "";
}

/// `q_proj: compute, 82944 iterations, II 1` and the module it came from.
static void emitComment(LeafOp leaf, CppWriter &writer) {
  std::string path = sourcePath(leaf.getLoc());
  if (!path.empty())
    writer.line("// " + StringRef(path));
  std::string head = llvm::formatv("// {0}: {1} iterations", stringifyRole(leaf.getRole()),
                                   leaf.getNumIterations());
  std::vector<std::string> intervals;
  for (Pipeline &pipeline : leaf.getPipelines()) {
    std::string interval = "II " + std::to_string(pipeline.getInterval());
    if (leaf.hasNests())
      interval += " in " + llvm::join(llvm::map_range(pipeline.nests, nameOf), ", ");
    intervals.push_back(interval);
  }
  writer.line(head + ", " + llvm::join(intervals, ", then "));
}

namespace {

/// The function of one leaf: locks, loops, and the bodies of its nests.
class LeafEmitter {
public:
  LeafEmitter(DesignModel &model, LeafOp leaf)
      : model(model), leaf(leaf), names(model.names, true) {}

  LogicalResult emit(CppWriter &writer);

private:
  /// A nest with the names of its loops.
  struct NamedNest {
    NestOpInterface nest;
    SmallVector<int64_t> trips;
    SmallVector<std::string> indices;
    std::unique_ptr<LeafBody> body;
  };

  void nameLoops();
  LogicalResult nameMemories();
  void emitLocks(int64_t level, CppWriter &writer);
  void emitPragmas(Pipeline &pipeline, unsigned loops, CppWriter &writer);
  unsigned emitShared(unsigned end, Pipeline *pipeline, CppWriter &writer);
  void emitOwn(NamedNest &nest, Pipeline &pipeline, CppWriter &writer);
  LogicalResult emitInTurn(CppWriter &writer);
  LogicalResult emitTogether(CppWriter &writer);

  DesignModel &model;
  LeafOp leaf;
  NameScope names;
  SmallVector<std::string> shared; // indices
  std::vector<NamedNest> nests;
  DenseMap<Value, std::string> blocks;
  PrivateMemories memories;
};

} // namespace

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

void LeafEmitter::nameLoops() {
  for (unsigned loop = 0; loop < leaf.getNumLoops(); ++loop)
    shared.push_back(names.unique("i" + std::to_string(loop)));
  for (NestOpInterface op : leaf.getNests()) {
    NamedNest &nest = nests.emplace_back();
    nest.nest = op;
    nest.trips = op.getLoopTrips();
    // Nests that run together count the shared loops each by itself.
    for (unsigned loop = 0; loop < nest.trips.size(); ++loop) {
      bool isShared = loop < (leaf.getTogether() ? leaf.getSerialLevel() : leaf.getNumLoops());
      nest.indices.push_back(isShared ? shared[loop]
                                      : names.unique(nameOf(op) + "_i" + std::to_string(loop)));
    }
    nest.body = std::make_unique<LeafBody>(model, op, names, nest.indices);
  }
}

LogicalResult LeafEmitter::nameMemories() {
  for (Value channel : channelsOf(leaf))
    if (isa<BufferType>(channel.getType()))
      blocks[channel] = names.unique(model.channelNames[channel] + "_block");
  FailureOr<PrivateMemories> privates = declarePrivates(leaf, names);
  if (failed(privates))
    return failure();
  memories = std::move(*privates);
  for (NamedNest &nest : nests)
    for (auto &known : {std::cref(blocks), std::cref(memories.names)})
      for (auto &[memory, name] : known.get())
        nest.body->memoryName(memory) = name;
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Acquires the blocks of level `level`.
void LeafEmitter::emitLocks(int64_t level, CppWriter &writer) {
  auto emit = [&](StringRef kind, OperandRange buffers, ArrayRef<int64_t> levels) {
    for (auto [buffer, acquired] : llvm::zip_equal(buffers, levels))
      if (acquired == level)
        writer.line(llvm::formatv("hls::{0}<{1}> {2}({3});", kind, model.blockType(buffer),
                                  blocks[buffer], model.channelNames[buffer])
                        .str());
  };
  emit("read_lock", leaf.getReads(), leaf.getReadLevels());
  emit("write_lock", leaf.getWrites(), leaf.getWriteLevels());
}

/// In the innermost of `loops` loops that are one pipeline.
void LeafEmitter::emitPragmas(Pipeline &pipeline, unsigned loops, CppWriter &writer) {
  if (loops > 1)
    writer.pragma("loop_flatten");
  writer.pragma(llvm::formatv("pipeline II={0} style={1}", pipeline.getInterval(),
                              stringifyPipelineStyle(leaf.getStyle())));
}

static unsigned countLoops(ArrayRef<int64_t> trips) {
  return llvm::count_if(trips, [](int64_t trip) { return trip > 1; });
}

static void openLoop(StringRef function, StringRef index, int64_t trip, CppWriter &writer) {
  writer.label(function + "_" + index);
  writer.open(llvm::formatv("for (int {0} = 0; {0} < {1}; ++{0})", index, trip).str());
}

/// The first `end` shared loops with the locks between them; those behind the innermost lock are
/// `pipeline`, if they are one. Gives the number of loops that were opened.
unsigned LeafEmitter::emitShared(unsigned end, Pipeline *pipeline, CppWriter &writer) {
  unsigned opened = 0, serial = leaf.getSerialLevel();
  emitLocks(0, writer);
  for (unsigned loop = 0; loop < end; ++loop) {
    if (leaf.getTrips()[loop] > 1) {
      openLoop(model.leafNames[leaf], shared[loop], leaf.getTrips()[loop], writer);
      ++opened;
      bool innermost = countLoops(leaf.getTrips().take_front(end).drop_front(loop + 1)) == 0;
      if (pipeline && innermost && loop >= serial)
        emitPragmas(*pipeline, countLoops(leaf.getTrips().drop_front(serial)), writer);
    }
    emitLocks(loop + 1, writer);
  }
  return opened;
}

/// A straight-line body, or one nest after the other.
LogicalResult LeafEmitter::emitInTurn(CppWriter &writer) {
  std::vector<Pipeline> pipelines = leaf.getPipelines();
  unsigned opened =
      emitShared(leaf.getNumLoops(), leaf.hasNests() ? nullptr : &pipelines.front(), writer);
  for (auto [nest, pipeline] : llvm::zip_equal(nests, pipelines)) {
    unsigned inner = 0;
    ArrayRef<int64_t> own = ArrayRef(nest.trips).drop_front(leaf.getNumLoops());
    for (auto [trip, index] :
         llvm::zip_equal(own, ArrayRef(nest.indices).drop_front(leaf.getNumLoops()))) {
      if (trip == 1)
        continue;
      openLoop(model.leafNames[leaf], index, trip, writer);
      if (++inner == countLoops(own))
        emitPragmas(pipeline, inner, writer);
    }
    if (failed(nest.body->emit(writer)))
      return failure();
    while (inner-- > 0)
      writer.close();
  }
  while (opened-- > 0)
    writer.close();
  return success();
}

static std::string conjunction(StringRef left, StringRef right) {
  return (left.empty() || right.empty() ? left + right : left + " && " + right).str();
}

/// `step >= 1 && step < 9`: has nest `number` work?
static std::string hasWork(Pipeline &pipeline, unsigned number, StringRef step) {
  int64_t lag = pipeline.getLag(number), end = pipeline.getNumBlocks() + lag;
  std::string from = lag > 0 ? llvm::formatv("{0} >= {1}", step, lag).str() : "";
  std::string until =
      end < pipeline.getNumSteps() ? llvm::formatv("{0} < {1}", step, end).str() : "";
  return conjunction(from, until);
}

/// The counters of a nest, innermost last, to its next iteration.
static void emitAdvance(ArrayRef<std::string> counters, ArrayRef<int64_t> trips,
                        CppWriter &writer) {
  unsigned opened = 0;
  for (unsigned loop = counters.size(); loop-- > 0;) {
    if (loop == 0) {
      writer.line("++" + counters[loop] + ";");
      break;
    }
    writer.open(llvm::formatv("if (++{0} == {1})", counters[loop], trips[loop]).str());
    writer.line(counters[loop] + " = 0;");
    ++opened;
  }
  while (opened-- > 0)
    writer.close();
}

/// Nests with lag: one loop over all iterations with explicit counters. `turn` counts the
/// iterations of a step; each nest counts its own.
LogicalResult LeafEmitter::emitTogether(CppWriter &writer) {
  Pipeline pipeline = leaf.getPipelines().front();
  unsigned serial = leaf.getSerialLevel();
  unsigned opened = emitShared(serial, nullptr, writer);
  std::string step = names.unique("step"), turn = names.unique("turn");
  std::string iteration = names.unique("iteration");
  writer.line("int " + step + " = 0, " + turn + " = 0;");
  std::vector<SmallVector<std::string>> counters(nests.size());
  std::vector<SmallVector<int64_t>> ends(nests.size());
  for (auto [number, nest] : llvm::enumerate(nests)) {
    for (unsigned loop = serial; loop < nest.trips.size(); ++loop)
      if (nest.trips[loop] > 1) {
        counters[number].push_back(nest.indices[loop]);
        ends[number].push_back(nest.trips[loop]);
      }
    if (!counters[number].empty())
      writer.line("int " + llvm::join(counters[number], " = 0, ") + " = 0;");
  }
  writer.label(model.leafNames[leaf] + "_steps");
  writer.open(
      llvm::formatv("for (int {0} = 0; {0} < {1}; ++{0})", iteration, pipeline.getNumIterations())
          .str());
  emitPragmas(pipeline, 1, writer);
  std::vector<std::string> further;
  for (auto [number, nest] : llvm::enumerate(nests)) {
    std::string work = hasWork(pipeline, number, step);
    int64_t length = nest.nest.getNumOwnIterations();
    further.push_back(conjunction(work, llvm::formatv("{0} + 1 < {1}", turn, length).str()));
    writer.open("if (" + conjunction(work, llvm::formatv("{0} < {1}", turn, length).str()) + ")");
    if (failed(nest.body->emit(writer)))
      return failure();
    if (!counters[number].empty())
      emitAdvance(counters[number], ends[number], writer);
    writer.close();
  }
  writer.open("if ((" + llvm::join(further, ") || (") + "))");
  writer.line("++" + turn + ";");
  writer.close(" else {");
  writer.indent();
  writer.line(turn + " = 0;");
  writer.line("++" + step + ";");
  writer.close();
  writer.close();
  while (opened-- > 0)
    writer.close();
  return success();
}

LogicalResult LeafEmitter::emit(CppWriter &writer) {
  nameLoops();
  if (failed(nameMemories()))
    return failure();
  // Bodies are printed first: they find out what must be declared above the loops.
  CppWriter loops;
  loops.indent();
  if (failed(leaf.getTogether() ? emitTogether(loops) : emitInTurn(loops)))
    return failure();

  emitComment(leaf, writer);
  SmallVector<std::string> parameters = llvm::map_to_vector(
      channelsOf(leaf), [&](Value channel) { return parameter(model, leaf, channel); });
  writer.openFunction("void " + model.leafNames[leaf], parameters);
  writer.pragma("inline off");
  std::vector<std::string> declarations = memories.lines;
  for (NamedNest &nest : nests)
    llvm::append_range(declarations, nest.body->declarations());
  for (const std::string &line : declarations) {
    if (StringRef(line).starts_with("#"))
      writer.raw(line + "\n");
    else
      writer.line(line);
  }
  writer.raw(loops.str());
  writer.close();
  return success();
}

LogicalResult target::emitLeaf(DesignModel &model, LeafOp leaf, CppWriter &writer) {
  return LeafEmitter(model, leaf).emit(writer);
}
