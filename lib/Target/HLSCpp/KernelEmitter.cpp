//===- KernelEmitter.cpp - Kernels around designs -------------------------===//

#include "streamtensor/Target/HLSCpp/KernelEmitter.h"

#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Dialect/Dataflow/IR/IterationBox.h"
#include "streamtensor/Target/HLSCpp/CppWriter.h"
#include "streamtensor/Target/HLSCpp/DesignEmitter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::target;
using namespace streamtensor::dataflow;

//===----------------------------------------------------------------------===//
// Designs in turn
//===----------------------------------------------------------------------===//

/// What is read through one master has the longest burst and the most bursts on the way that any
/// design asks for; so has what is written.
static TopParameters getParameters(KernelModel &kernel) {
  std::map<std::pair<std::string, bool>, std::pair<int64_t, int64_t>> most; // by master and way
  for (KernelArgument &argument : kernel.arguments) {
    auto &[burst, outstanding] = most[{argument.bundle, argument.argument->writes}];
    burst = std::max(burst, argument.argument->burst);
    outstanding = std::max(outstanding, argument.argument->outstanding);
  }
  TopParameters parameters;
  for (KernelArgument &argument : kernel.arguments) {
    auto [burst, outstanding] = most[{argument.bundle, argument.argument->writes}];
    parameters.memory.push_back(
        {argument.argument, argument.name, argument.bundle, burst, outstanding});
  }
  for (const KernelScalar &scalar : kernel.scalars)
    parameters.numbers.push_back(scalar.name);
  return parameters;
}

std::string target::emitLoopHeader(KernelModel &kernel) {
  CppWriter writer;
  std::string guard = StringRef(kernel.name).upper() + "_H";
  writer.line("// Interface of the kernel '" + kernel.symbol + "'.");
  writer.line("#ifndef " + guard);
  writer.line("#define " + guard);
  writer.blank();
  for (DesignModel *design : kernel.designs)
    writer.line("#include \"" + design->name + ".h\"");
  writer.blank();
  writer.list("extern \"C\" void " + kernel.name, getParameters(kernel).declare(), ";");
  writer.blank();
  writer.line("#endif");
  return writer.str();
}

/// A number of the program: `position + turn`.
static std::string spell(KernelModel &kernel, Value value) {
  ProgramNumber number = *getProgramNumber(value);
  SmallVector<StringRef, 2> terms;
  for (BlockArgument term : {number.argument, number.turn})
    if (term)
      terms.push_back(kernel.numbers.at(term));
  return terms.empty() ? std::to_string(number.value) : llvm::join(terms, " + ");
}

static void emitLaunch(KernelModel &kernel, LaunchOp launch, CppWriter &writer) {
  DesignModel *model = *llvm::find_if(kernel.designs, [&](DesignModel *each) {
    return each->design.getSymName() == launch.getDesign();
  });
  SmallVector<std::string> operands;
  for (PortArgument &argument : model->arguments)
    operands.push_back(llvm::find_if(kernel.arguments, [&](KernelArgument &each) {
                         return each.argument == &argument;
                       })->name);
  for (Value scalar : launch.getScalars())
    operands.push_back(spell(kernel, scalar));
  writer.list(model->name, operands, ";");
}

static void emitTurns(KernelModel &kernel, scf::ForOp loop, CppWriter &writer);

static void emitStep(KernelModel &kernel, Operation *op, CppWriter &writer) {
  if (auto launch = dyn_cast<LaunchOp>(op))
    emitLaunch(kernel, launch, writer);
  else
    emitTurns(kernel, cast<scf::ForOp>(op), writer);
}

/// Calls in one trip of a loop could overlap: HLS does not know that one reads what another writes.
static void emitTurns(KernelModel &kernel, scf::ForOp loop, CppWriter &writer) {
  std::string turn = kernel.numbers.at(loop.getInductionVar());
  SmallVector<Operation *> steps;
  for (Operation &op : loop.getBody()->without_terminator())
    if (isa<LaunchOp, scf::ForOp>(op))
      steps.push_back(&op);
  writer.open(llvm::formatv("for (int {0} = 0; {0} < {1}; ++{0})", turn,
                            spell(kernel, loop.getUpperBound()))
                  .str());
  writer.pragma("pipeline off");
  writer.pragma(
      llvm::formatv("loop_tripcount max={0}", std::max<int64_t>(1, getTurns(loop)->second)));
  if (steps.size() == 1) {
    emitStep(kernel, steps.front(), writer);
    return writer.close();
  }
  std::string step = kernel.steps.at(loop.getInductionVar());
  writer.open(llvm::formatv("for (int {0} = 0; {0} < {1}; ++{0})", step, steps.size()).str());
  writer.pragma("pipeline off");
  for (auto [number, op] : llvm::enumerate(steps)) {
    writer.open(llvm::formatv("{0}if ({1} == {2})", number ? "else " : "", step, number).str());
    emitStep(kernel, op, writer);
    writer.close();
  }
  writer.close();
  writer.close();
}

std::string target::emitLoopSource(KernelModel &kernel) {
  CppWriter writer;
  writer.line("// Kernel '" + kernel.symbol + "': one start for " +
              std::to_string(kernel.designs.size()) + " designs in turn. There is one call in a");
  writer.line("// trip of a loop, so that none begins before another has ended.");
  writer.line("#include \"" + kernel.name + ".h\"");
  writer.blank();
  TopParameters parameters = getParameters(kernel);
  writer.openFunction("extern \"C\" void " + kernel.name, parameters.declare());
  emitInterface(parameters, writer);
  emitTurns(kernel, kernel.loop->getLoop(), writer);
  writer.close();
  return writer.str();
}

//===----------------------------------------------------------------------===//
// Native runs
//===----------------------------------------------------------------------===//

/// `{0, 8}`
static std::string braced(ArrayRef<int64_t> numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "{" + text + "}";
}

/// When a port of a hand-written kernel moves its tokens.
static std::string watchedPort(DesignModel &model, LeafOp leaf, Value fifo, bool gives,
                               std::optional<IntegerSet> guard) {
  SmallVector<int64_t> low, trips;
  for (IndexRange range : getGuardBox(guard, leaf.getTrips())->loops) {
    low.push_back(range.low);
    trips.push_back(range.getSize());
  }
  return llvm::formatv("{{\"{0}\", {1}, {2}, {3}}", model.channelNames[fifo],
                       gives ? "true" : "false", braced(low), braced(trips));
}

/// What watches that a hand-written kernel moves tokens as it declares.
static void emitWatch(DesignModel &model, LeafOp leaf, CppWriter &writer) {
  std::string ports;
  auto add = [&](const std::string &port) { ports += (ports.empty() ? "" : ", ") + port; };
  for (auto read : leaf.getBody().getOps<StreamReadOp>())
    add(watchedPort(model, leaf, read.getFifo(), false, read.getGuard()));
  for (auto write : leaf.getBody().getOps<StreamWriteOp>())
    add(watchedPort(model, leaf, write.getFifo(), true, write.getGuard()));
  writer.line(llvm::formatv("const st::KernelWatch {0}_watch(\"{1}\", {2}, {{{3}});",
                            model.leafNames[leaf], getExtern(leaf).getSymName(),
                            braced(leaf.getTrips()), ports)
                  .str());
}

/// The names of block buffers, which their declarations cannot give.
static void emitBlockNames(KernelModel &kernel, CppWriter &writer) {
  SmallVector<std::string> names;
  for (DesignModel *model : kernel.designs)
    for (auto buffer : model->design.getBody().getOps<BufferOp>())
      names.push_back("\"" + model->channelNames[buffer] + "\"");
  if (!names.empty())
    writer.list("const st::BlockNames block_names", {"{" + llvm::join(names, ", ") + "}"}, ";");
}

/// Where only one part writes what an argument reaches.
static bool isAlone(KernelModel &kernel, const KernelPart &part, unsigned position) {
  PortArgument &own = *kernel.arguments[position].argument;
  return own.writes && llvm::none_of(llvm::enumerate(kernel.arguments), [&](auto each) {
           PortArgument &other = *each.value().argument;
           return other.writes && other.port == own.port && other.stripe == own.stripe &&
                  !llvm::is_contained(part.arguments, each.index());
         });
}

/// C simulation calls a design that is several kernels as a whole, then each kernel by itself: with
/// what it takes from the others, and the memory that it writes as it was.
static void emitParts(KernelModel &kernel, ArrayRef<std::string> operands, CppWriter &writer) {
  DesignModel &model = *kernel.designs.front();
  auto kept = [](unsigned position) { return "before" + std::to_string(position); };
  for (const KernelPart &part : kernel.parts)
    for (unsigned position : part.arguments)
      if (isAlone(kernel, part, position)) {
        PortArgument &argument = *kernel.arguments[position].argument;
        writer.line(llvm::formatv("const st::Kept {0}(st_ports[{1}], {2} * sizeof({3}));",
                                  kept(position), position, argument.words(), argument.wordType())
                        .str());
      }
  std::string links = model.linksName;
  writer.line(model.linksType + " " + links + ";");
  SmallVector<std::string> all(operands);
  all.push_back(links);
  writer.list(model.togetherName, all, ";");
  for (auto [number, part] : llvm::enumerate(kernel.parts)) {
    writer.line("{");
    writer.indent();
    for (unsigned position : part.arguments)
      if (isAlone(kernel, part, position))
        writer.line(kept(position) + ".restore();");
    SmallVector<std::string> own;
    for (unsigned position : part.arguments)
      own.push_back(operands[position]);
    for (unsigned scalar : part.scalars)
      own.push_back(operands[kernel.arguments.size() + scalar]);
    const NamedKernel &named = model.kernels[number];
    for (StreamOp link : named.reads)
      own.push_back(links + "." + model.channelNames[link] + ".taken");
    for (StreamOp link : named.writes) {
      std::string name = model.channelNames[link];
      writer.line(llvm::formatv("{0} {1}(\"{1}\");", model.fifoType(link), name).str());
      own.push_back(name);
    }
    writer.list(part.name, own, ";");
    for (StreamOp link : named.writes)
      writer.line(llvm::formatv("{0}.{1}.compare({1});", links, model.channelNames[link]).str());
    writer.close();
  }
}

std::string target::emitNativeCall(KernelModel &kernel) {
  CppWriter writer;
  writer.line("// The call through which a native run enters '" + kernel.symbol + "'.");
  writer.line("#include \"" + kernel.name + ".h\"");
  writer.line("#include \"st_native.h\"");
  writer.blank();
  writer.line(
      "// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.");
  writer.open("extern \"C\" int " + kernel.name +
              "_call(void *const *st_ports, char *st_message, std::size_t st_capacity)");
  writer.open("return st::native_call(st_message, st_capacity, [&]");
  for (DesignModel *model : kernel.designs)
    for (LeafOp leaf : model->leaves)
      if (getExtern(leaf))
        emitWatch(*model, leaf, writer);
  emitBlockNames(kernel, writer);
  SmallVector<std::string> operands;
  for (auto [position, argument] : llvm::enumerate(kernel.arguments)) {
    std::string type = argument.argument->cppType();
    while (type.back() == ' ')
      type.pop_back();
    operands.push_back(llvm::formatv("static_cast<{0}>(st_ports[{1}])", type, position));
  }
  for (auto [index, scalar] : llvm::enumerate(kernel.scalars))
    operands.push_back(llvm::formatv("st::scalar(\"{0}\", st_ports[{1}], {2}, {3})", scalar.label,
                                     kernel.arguments.size() + index, scalar.low, scalar.high));
  if (kernel.parts.size() == 1) {
    writer.list(kernel.name, operands, ";");
  } else {
    writer.raw("#ifdef ST_VITIS\n");
    emitParts(kernel, operands, writer);
    writer.raw("#else\n");
    writer.list(kernel.name, operands, ";");
    writer.raw("#endif\n");
  }
  writer.close(");");
  writer.close();
  return writer.str();
}
