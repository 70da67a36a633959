//===- LeafEmitter.cpp - One leaf task as a C++ function ------------------===//

#include "LeafEmitter.h"

#include "LeafBody.h"

#include "streamtensor/Analysis/IndexCounters.h"
#include "streamtensor/Dialect/Dataflow/IR/Pipeline.h"
#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::target;
using namespace streamtensor::dataflow;

static std::string parameter(DesignModel &model, Value channel) {
  if (isa<StreamType>(channel.getType()))
    return model.fifoType(channel) + " &" + model.channelNames[channel];
  return llvm::formatv("hls::stream_of_blocks<{0}, {1}> &{2}", model.blockType(channel),
                       channel.getDefiningOp<BufferOp>().getBlocks(), model.channelNames[channel]);
}

static SmallVector<std::string> portsAndChannels(DesignModel &model, LeafOp leaf) {
  SmallVector<std::string> texts;
  for (Value channel : channelsOf(leaf)) {
    if (!isa<PortType>(channel.getType()))
      texts.push_back(parameter(model, channel));
    for (PortArgument *port : model.argumentsOf(channel, leaf))
      texts.push_back(port->cppType() + port->name);
  }
  return texts;
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
  std::string head = llvm::formatv("// {0}: {1}{2} iterations", stringifyRole(leaf.getRole()),
                                   leaf.getCounts() ? "at most " : "", leaf.getNumIterations());
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
      : model(model), leaf(leaf), isResumable(model.resumable.contains(leaf)),
        isEngine(isResumable && model.engines.contains(leaf)), names(model.names, true) {}

  LogicalResult emit(CppWriter &writer);

private:
  using NamedCounter = std::pair<IndexCounter, std::string>;
  /// A nest with the names of its loops, and of what is counted beside their indices.
  struct NamedNest {
    NestOpInterface nest;
    SmallVector<int64_t> trips; // the largest
    SmallVector<std::string> indices, counts;
    std::vector<NamedCounter> counters;
    std::unique_ptr<LeafBody> body;
  };

  /// The loops from this one on are one flat pipeline.
  unsigned getFlatLevel() { return std::max<unsigned>(leaf.getSerialLevel(), isResumable ? 1 : 0); }
  std::vector<TopLine> getDeclarations() const;
  void emitState(CppWriter &writer);
  void nameLoops();
  bool isShared(unsigned loop) {
    return loop < (leaf.getTogether() ? leaf.getSerialLevel() : leaf.getNumLoops());
  }
  void nameCounters(NamedNest &nest);
  LogicalResult nameMemories();
  void emitLocks(int64_t level, CppWriter &writer);
  void emitPragmas(Pipeline &pipeline, unsigned loops, CppWriter &writer);
  /// Does the count of the loop depend on scalars?
  static bool isCounted(const NamedNest &nest, unsigned loop) {
    return !isa<AffineConstantExpr>(getCounts(nest.nest)[loop]);
  }
  void nameCount(NamedNest &nest, unsigned loop, CppWriter &writer);
  void openLoop(NamedNest &nest, unsigned loop, CppWriter &writer);
  static void declareCounters(const NamedNest &nest, unsigned loop, CppWriter &writer);
  static void resetCounters(const NamedNest &nest, unsigned loop, CppWriter &writer);
  static void advanceCounters(const NamedNest &nest, unsigned loop, CppWriter &writer);
  static void emitAdvance(const NamedNest &nest, ArrayRef<unsigned> loops, CppWriter &writer);
  SmallVector<unsigned> getCountedLoops(const NamedNest &nest);
  void openCounted(NamedNest &nest, Pipeline &pipeline, ArrayRef<unsigned> loops,
                   CppWriter &writer);
  LogicalResult emitCounted(NamedNest &nest, Pipeline &pipeline, ArrayRef<unsigned> loops,
                            CppWriter &writer);
  SmallVector<unsigned> emitShared(unsigned end, Pipeline *pipeline, CppWriter &writer);
  void closeLoops(const NamedNest &nest, ArrayRef<unsigned> opened, CppWriter &writer);
  LogicalResult emitOwn(NamedNest &nest, Pipeline &pipeline, CppWriter &writer);
  LogicalResult emitInTurn(CppWriter &writer);
  std::string emitLength(unsigned number, CppWriter &writer);
  LogicalResult emitTogether(CppWriter &writer);

  DesignModel &model;
  LeafOp leaf;
  bool isResumable; // on a cycle: a call makes one trip of the outermost loop
  bool isEngine;    // a call makes one nest of it
  std::string turn; // the number of that nest
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
    for (unsigned loop : llvm::seq<unsigned>(nest.trips.size())) {
      nest.indices.push_back(
          isShared(loop) ? shared[loop] : names.unique(nameOf(op) + "_i" + std::to_string(loop)));
    }
    nameCounters(nest);
    nest.body = std::make_unique<LeafBody>(model, op, names, nest.indices, nest.counters);
    for (unsigned loop : llvm::seq<unsigned>(nest.trips.size()))
      nest.counts.push_back(nest.body->countText(loop));
  }
}

/// `i1_mod_3`, `i1_div_3`. Nests share the counters of the loops that they share. The outermost
/// index of a resumable leaf is an argument, so nothing counts beside it.
void LeafEmitter::nameCounters(NamedNest &nest) {
  for (const IndexCounter &counter : getIndexCounters(nest.nest)) {
    if (isResumable && counter.loop == 0)
      continue;
    NamedNest &first = nests.front();
    auto known = llvm::find_if(first.counters,
                               [&](const NamedCounter &other) { return other.first == counter; });
    if (isShared(counter.loop) && known != first.counters.end()) {
      nest.counters.push_back(*known);
      continue;
    }
    std::string digit = counter.divisor > 1 ? "_div_" + std::to_string(counter.divisor)
                                            : "_mod_" + std::to_string(counter.modulus);
    NamedCounter named = {counter, names.unique(nest.indices[counter.loop] + digit)};
    nest.counters.push_back(named);
    if (isShared(counter.loop) && &nest != &first)
      first.counters.push_back(named);
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
  for (auto [buffer, acquired, isWrite] : getAcquires(leaf))
    if (acquired == level)
      writer.line(llvm::formatv("hls::{0}<{1}> {2}({3});", isWrite ? "write_lock" : "read_lock",
                                model.blockType(buffer), blocks[buffer], model.channelNames[buffer])
                      .str());
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

/// `const int i0_count = st::ceil_div(tokens, 2);`: what scalars decide is computed before the
/// loop.
void LeafEmitter::nameCount(NamedNest &nest, unsigned loop, CppWriter &writer) {
  bool isName =
      llvm::all_of(nest.counts[loop], [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (isName)
    return;
  std::string name = names.unique(nest.indices[loop] + "_count");
  writer.line("const int " + name + " = " + nest.counts[loop] + ";");
  nest.counts[loop] = name;
}

void LeafEmitter::openLoop(NamedNest &nest, unsigned loop, CppWriter &writer) {
  nameCount(nest, loop, writer);
  writer.label(model.leafNames[leaf] + "_" + nest.indices[loop]);
  writer.open(
      llvm::formatv("for (int {0} = 0; {0} < {1}; ++{0})", nest.indices[loop], nest.counts[loop])
          .str());
  if (isCounted(nest, loop))
    writer.pragma(llvm::formatv("loop_tripcount max={0}", nest.trips[loop]));
}

void LeafEmitter::declareCounters(const NamedNest &nest, unsigned loop, CppWriter &writer) {
  for (auto &[counter, name] : nest.counters)
    if (counter.loop == loop)
      writer.line("int " + name + " = 0;");
}

void LeafEmitter::resetCounters(const NamedNest &nest, unsigned loop, CppWriter &writer) {
  for (auto &[counter, name] : nest.counters)
    if (counter.loop == loop)
      writer.line(name + " = 0;");
}

/// To the values of the loop's next index.
void LeafEmitter::advanceCounters(const NamedNest &nest, unsigned loop, CppWriter &writer) {
  auto wrapping = [&](const std::string &name, int64_t modulus) {
    return llvm::formatv("if (++{0} == {1})", name, modulus).str();
  };
  for (auto &[counter, name] : nest.counters) {
    if (counter.loop != loop || counter.divisor > 1)
      continue;
    if (counter.factor != 1) {
      writer.line(
          llvm::formatv("{0} = st::wrap({0} + {1}, {2});", name, counter.factor, counter.modulus));
      continue;
    }
    writer.open(wrapping(name, counter.modulus));
    writer.line(name + " = 0;");
    for (auto &[quotient, digit] : nest.counters) {
      if (quotient.loop != loop || quotient.divisor == 1 || quotient.divisor != counter.modulus)
        continue;
      writer.open(wrapping(digit, quotient.modulus));
      writer.line(digit + " = 0;");
      writer.close();
    }
    writer.close();
  }
}

/// The loops of the nest's pipeline, if they are one loop with counters.
SmallVector<unsigned> LeafEmitter::getCountedLoops(const NamedNest &nest) {
  SmallVector<unsigned> loops;
  unsigned first = leaf.hasNests() ? leaf.getNumLoops() : getFlatLevel();
  for (unsigned loop = first; loop < nest.trips.size(); ++loop)
    if (nest.trips[loop] > 1)
      loops.push_back(loop);
  return isOneLoop(nest.nest, first) ? loops : SmallVector<unsigned>();
}

void LeafEmitter::openCounted(NamedNest &nest, Pipeline &pipeline, ArrayRef<unsigned> loops,
                              CppWriter &writer) {
  int64_t most = 1;
  for (unsigned loop : loops)
    most *= nest.trips[loop];
  bool isLong = !llvm::isInt<32>(most);
  bool isKnown = llvm::none_of(loops, [&](unsigned loop) { return isCounted(nest, loop); });
  std::string all = isLong ? "1LL" : "";
  for (unsigned loop : loops) {
    nameCount(nest, loop, writer);
    all += (all.empty() ? "" : " * ") + nest.counts[loop];
  }
  if (isKnown)
    all = std::to_string(most);
  for (unsigned loop : loops) {
    writer.line("int " + nest.indices[loop] + " = 0;");
    declareCounters(nest, loop, writer);
  }
  std::string iteration = names.unique("iteration");
  writer.label(model.leafNames[leaf] + "_" + iteration);
  writer.open(llvm::formatv("for ({0} {1} = 0; {1} < {2}; ++{1})", isLong ? "long long" : "int",
                            iteration, all)
                  .str());
  if (!isKnown)
    writer.pragma(llvm::formatv("loop_tripcount max={0}", most));
  emitPragmas(pipeline, 1, writer);
}

/// The first `end` shared loops with the locks between them; those behind the innermost lock are
/// `pipeline`, if they are one. Gives the loops that were opened.
SmallVector<unsigned> LeafEmitter::emitShared(unsigned end, Pipeline *pipeline, CppWriter &writer) {
  SmallVector<unsigned> opened;
  unsigned serial = getFlatLevel();
  emitLocks(0, writer);
  for (unsigned loop = 0; loop < end; ++loop) {
    if (leaf.getTrips()[loop] > 1 && !(isResumable && loop == 0)) {
      declareCounters(nests.front(), loop, writer);
      openLoop(nests.front(), loop, writer);
      // A pipeline of its own for each trip of the loops around it.
      if (pipeline && loop == serial && isCounted(nests.front(), loop) && !opened.empty())
        writer.pragma("loop_flatten off");
      opened.push_back(loop);
      bool innermost = countLoops(leaf.getTrips().take_front(end).drop_front(loop + 1)) == 0;
      if (pipeline && innermost && loop >= serial)
        emitPragmas(*pipeline, countLoops(leaf.getTrips().drop_front(serial)), writer);
    }
    emitLocks(loop + 1, writer);
  }
  return opened;
}

void LeafEmitter::closeLoops(const NamedNest &nest, ArrayRef<unsigned> opened, CppWriter &writer) {
  for (unsigned loop : llvm::reverse(opened)) {
    advanceCounters(nest, loop, writer);
    writer.close();
  }
}

/// The counted loops of a nest, innermost last, to its next iteration.
void LeafEmitter::emitAdvance(const NamedNest &nest, ArrayRef<unsigned> loops, CppWriter &writer) {
  unsigned opened = 0;
  for (unsigned loop : llvm::reverse(loops)) {
    advanceCounters(nest, loop, writer);
    if (loop == loops.front()) {
      writer.line("++" + nest.indices[loop] + ";");
      break;
    }
    writer.open(llvm::formatv("if (++{0} == {1})", nest.indices[loop], nest.counts[loop]).str());
    writer.line(nest.indices[loop] + " = 0;");
    resetCounters(nest, loop, writer);
    ++opened;
  }
  while (opened-- > 0)
    writer.close();
}

/// A nest that scalars bound, as one loop.
LogicalResult LeafEmitter::emitCounted(NamedNest &nest, Pipeline &pipeline,
                                       ArrayRef<unsigned> loops, CppWriter &writer) {
  if (leaf.hasNests()) { // its names stay its own
    writer.line("{");
    writer.indent();
  }
  openCounted(nest, pipeline, loops, writer);
  if (failed(nest.body->emit(writer)))
    return failure();
  emitAdvance(nest, loops, writer);
  writer.close();
  if (leaf.hasNests())
    writer.close();
  return success();
}

/// The loops of one nest inside those that are shared.
LogicalResult LeafEmitter::emitOwn(NamedNest &nest, Pipeline &pipeline, CppWriter &writer) {
  if (SmallVector<unsigned> loops = getCountedLoops(nest); !loops.empty())
    return emitCounted(nest, pipeline, loops, writer);
  SmallVector<unsigned> inner;
  ArrayRef<int64_t> own = ArrayRef(nest.trips).drop_front(leaf.getNumLoops());
  for (unsigned loop = leaf.getNumLoops(); loop < nest.trips.size(); ++loop) {
    if (nest.trips[loop] == 1)
      continue;
    declareCounters(nest, loop, writer);
    openLoop(nest, loop, writer);
    inner.push_back(loop);
    if (inner.size() == countLoops(own))
      emitPragmas(pipeline, inner.size(), writer);
  }
  if (failed(nest.body->emit(writer)))
    return failure();
  closeLoops(nest, inner, writer);
  return success();
}

/// A straight-line body, or one nest after the other.
LogicalResult LeafEmitter::emitInTurn(CppWriter &writer) {
  std::vector<Pipeline> pipelines = leaf.getPipelines();
  bool isFlat = !leaf.hasNests() && !getCountedLoops(nests.front()).empty();
  SmallVector<unsigned> opened =
      emitShared(isFlat ? getFlatLevel() : leaf.getNumLoops(),
                 leaf.hasNests() || isFlat ? nullptr : &pipelines.front(), writer);
  for (auto [number, nest] : llvm::enumerate(nests)) {
    if (isEngine)
      writer.open(llvm::formatv("if ({0} == {1})", turn, number).str());
    if (failed(emitOwn(nest, pipelines[number], writer)))
      return failure();
    if (isEngine)
      writer.close();
  }
  closeLoops(nests.front(), opened, writer);
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

/// What counts up to `end`.
static StringRef counterType(int64_t end) { return llvm::isInt<32>(end) ? "int" : "long long"; }

/// `a`, or the larger of `a` and `b`; numbers are compared here.
static std::string largerOf(StringRef a, StringRef b) {
  int64_t left, right;
  if (!a.getAsInteger(10, left) && !b.getAsInteger(10, right))
    return std::to_string(std::max(left, right));
  return llvm::formatv("({0} > {1} ? {0} : {1})", a, b).str();
}

/// The iterations of nest `number` for one block: a number, or a name for what scalars decide.
std::string LeafEmitter::emitLength(unsigned number, CppWriter &writer) {
  NamedNest &nest = nests[number];
  std::string product;
  bool isKnown = true;
  for (unsigned loop = leaf.getNumLoops(); loop < nest.trips.size(); ++loop) {
    if (nest.trips[loop] == 1)
      continue;
    isKnown &= !isCounted(nest, loop);
    product += (product.empty() ? "" : " * ") + nest.counts[loop];
  }
  if (isKnown)
    return std::to_string(nest.nest.getNumOwnIterations());
  std::string name = names.unique(nameOf(nest.nest) + "_turns");
  StringRef type = counterType(nest.nest.getNumOwnIterations());
  writer.line(llvm::formatv("const {0} {1} = {2};", type, name, product).str());
  return name;
}

/// The iterations of all steps: those of the longest nest that has work in each.
static std::string sumSteps(Pipeline &pipeline, ArrayRef<std::string> lengths) {
  if (llvm::all_of(lengths, [](StringRef text) { return llvm::all_of(text, llvm::isDigit); }))
    return std::to_string(pipeline.getNumIterations());
  int64_t steps = pipeline.getNumSteps(), ends = 2 * (pipeline.getLag(lengths.size() - 1) + 1);
  std::string sum;
  for (int64_t step = 0; step < steps;) {
    // Away from both ends all steps are alike.
    int64_t next = step + 1;
    if (step >= ends && steps - ends > step)
      next = steps - ends;
    std::string longest;
    for (auto [number, length] : llvm::enumerate(lengths))
      if (pipeline.isActive(number, step))
        longest = longest.empty() ? length : largerOf(longest, length);
    sum += (sum.empty() ? "" : " + ") + llvm::formatv("{0} * {1}", next - step, longest).str();
    step = next;
  }
  return sum;
}

/// Nests with lag: one loop over all iterations with explicit counters. `turn` counts the
/// iterations of a step; each nest counts its own.
LogicalResult LeafEmitter::emitTogether(CppWriter &writer) {
  Pipeline pipeline = leaf.getPipelines().front();
  unsigned serial = leaf.getSerialLevel();
  SmallVector<unsigned> opened = emitShared(serial, nullptr, writer);
  std::string step = names.unique("step"), turn = names.unique("turn");
  std::string iteration = names.unique("iteration");
  int64_t longest = 0;
  for (NestOpInterface nest : pipeline.nests)
    longest = std::max(longest, nest.getNumOwnIterations());
  StringRef type = counterType(std::max(longest, pipeline.getNumSteps()));
  writer.line(type + " " + step + " = 0, " + turn + " = 0;");
  std::vector<SmallVector<unsigned>> counted(nests.size());
  for (auto [number, nest] : llvm::enumerate(nests)) {
    SmallVector<std::string> indices;
    for (unsigned loop = serial; loop < nest.trips.size(); ++loop)
      if (nest.trips[loop] > 1) {
        counted[number].push_back(loop);
        indices.push_back(nest.indices[loop]);
      }
    if (!indices.empty())
      writer.line("int " + llvm::join(indices, " = 0, ") + " = 0;");
    for (unsigned loop : counted[number])
      declareCounters(nest, loop, writer);
  }
  SmallVector<std::string> lengths;
  for (unsigned number = 0; number < nests.size(); ++number)
    lengths.push_back(emitLength(number, writer));
  std::string all = sumSteps(pipeline, lengths);
  bool isKnown = llvm::all_of(all, llvm::isDigit);
  if (!isKnown) {
    std::string name = names.unique("iterations");
    writer.line(
        llvm::formatv("const {0} {1} = {2};", counterType(pipeline.getNumIterations()), name, all)
            .str());
    all = name;
  }
  writer.label(model.leafNames[leaf] + "_steps");
  writer.open(llvm::formatv("for ({2} {0} = 0; {0} < {1}; ++{0})", iteration, all,
                            counterType(pipeline.getNumIterations()))
                  .str());
  if (!isKnown)
    writer.pragma(llvm::formatv("loop_tripcount max={0}", pipeline.getNumIterations()));
  emitPragmas(pipeline, 1, writer);
  std::vector<std::string> further;
  for (auto [number, nest] : llvm::enumerate(nests)) {
    std::string work = hasWork(pipeline, number, step);
    const std::string &length = lengths[number];
    further.push_back(conjunction(work, llvm::formatv("{0} + 1 < {1}", turn, length).str()));
    writer.open("if (" + conjunction(work, llvm::formatv("{0} < {1}", turn, length).str()) + ")");
    if (failed(nest.body->emit(writer)))
      return failure();
    emitAdvance(nest, counted[number], writer);
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
  closeLoops(nests.front(), opened, writer);
  return success();
}

std::vector<TopLine> LeafEmitter::getDeclarations() const {
  std::vector<TopLine> declarations = memories.lines;
  for (const NamedNest &nest : nests)
    llvm::append_range(declarations, nest.body->declarations());
  return declarations;
}

void LeafEmitter::emitState(CppWriter &writer) {
  writer.line("/// What '" + model.leafNames[leaf] + "' keeps from one trip to the next.");
  writer.open("struct " + model.leafNames[leaf] + "_state");
  for (const TopLine &line : getDeclarations())
    if (!line.state.empty())
      writer.line(line.text);
  writer.close(";");
  writer.blank();
}

LogicalResult LeafEmitter::emit(CppWriter &writer) {
  std::string state = isResumable ? names.unique("state") : "";
  if (isEngine)
    turn = names.unique("turn");
  nameLoops();
  if (failed(nameMemories()))
    return failure();
  // Bodies are printed first: they find out what must be declared above the loops.
  CppWriter loops;
  loops.indent();
  if (failed(leaf.getTogether() ? emitTogether(loops) : emitInTurn(loops)))
    return failure();

  if (isResumable)
    emitState(writer);
  emitComment(leaf, writer);
  SmallVector<std::string> parameters = portsAndChannels(model, leaf);
  for (Value scalar : leaf.getScalars())
    parameters.push_back("int " + model.scalarNames[scalar]);
  if (isResumable) {
    parameters.push_back("int " + shared[0]);
    if (isEngine)
      parameters.push_back("int " + turn);
    parameters.push_back(model.leafNames[leaf] + "_state &" + state);
  }
  writer.openFunction("void " + model.leafNames[leaf], parameters);
  writer.pragma("inline off");
  for (const TopLine &line : getDeclarations()) {
    if (StringRef(line.text).starts_with("#"))
      writer.raw(line.text + "\n");
    else if (isResumable && !line.state.empty())
      writer.line("auto &" + line.state + " = " + state + "." + line.state + ";");
    else
      writer.line(line.text);
  }
  writer.raw(loops.str());
  writer.close();
  return success();
}

LogicalResult target::emitLeaf(DesignModel &model, LeafOp leaf, CppWriter &writer) {
  return LeafEmitter(model, leaf).emit(writer);
}
