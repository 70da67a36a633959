//===- LeafEmitter.cpp - One leaf task as a C++ function ------------------===//

#include "LeafEmitter.h"

#include "LeafBody.h"
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

/// `q_proj: compute, 82944 iterations, II 1` and the module it came from.
static void emitComment(LeafOp leaf, CppWriter &writer) {
  std::string path = sourcePath(leaf.getLoc());
  if (!path.empty())
    writer.line("// " + StringRef(path));
  writer.line(llvm::formatv("// {0}: {1} iterations, II {2}", stringifyRole(leaf.getRole()),
                            leaf.getNumIterations(), leaf.getIi())
                  .str());
}

/// Acquires the blocks of level `level`.
static void emitLocks(DesignModel &model, LeafOp leaf, LeafBody &body, int64_t level,
                      CppWriter &writer) {
  auto emit = [&](StringRef kind, OperandRange buffers, ArrayRef<int64_t> levels) {
    for (auto [buffer, acquired] : llvm::zip_equal(buffers, levels))
      if (acquired == level)
        writer.line(llvm::formatv("hls::{0}<{1}> {2}({3});", kind, model.blockType(buffer),
                                  body.memoryName(buffer), model.channelNames[buffer])
                        .str());
  };
  emit("read_lock", leaf.getReads(), leaf.getReadLevels());
  emit("write_lock", leaf.getWrites(), leaf.getWriteLevels());
}

/// Loops with more than one trip at or inside `from`.
static int64_t realLoops(LeafOp leaf, int64_t from) {
  return llvm::count_if(leaf.getTrips().drop_front(from), [](int64_t trip) { return trip > 1; });
}

/// `names`: the loop's index, label and trip count; the pipeline's pragmas stand in the innermost
/// loop.
static void emitLoop(DesignModel &model, LeafOp leaf, const std::string &index, int64_t loop,
                     CppWriter &writer) {
  int64_t trip = leaf.getTrips()[loop];
  writer.label(model.leafNames[leaf] + "_" + index);
  writer.open(llvm::formatv("for (int {0} = 0; {0} < {1}; ++{0})", index, trip).str());
  bool innermost = realLoops(leaf, loop + 1) == 0;
  if (!innermost || loop < leaf.getSerialLevel())
    return;
  if (realLoops(leaf, leaf.getSerialLevel()) > 1)
    writer.pragma("loop_flatten");
  writer.pragma(llvm::formatv("pipeline II={0} style={1}", leaf.getIi(),
                              stringifyPipelineStyle(leaf.getStyle())));
}

LogicalResult target::emitLeaf(DesignModel &model, LeafOp leaf, CppWriter &writer) {
  NameScope names(model.names, true);
  SmallVector<std::string> indices;
  for (unsigned loop = 0; loop < leaf.getNumLoops(); ++loop)
    indices.push_back(names.unique("i" + std::to_string(loop)));
  LeafBody body(model, leaf, names, indices);
  for (Value channel : channelsOf(leaf))
    if (isa<BufferType>(channel.getType()))
      body.memoryName(channel) = names.unique(model.channelNames[channel] + "_block");

  // The body is printed first: it finds out what must be declared above the loops.
  CppWriter nest;
  nest.indent();
  unsigned opened = 0;
  emitLocks(model, leaf, body, 0, nest);
  for (unsigned loop = 0; loop < leaf.getNumLoops(); ++loop) {
    if (leaf.getTrips()[loop] > 1) {
      emitLoop(model, leaf, indices[loop], loop, nest);
      ++opened;
    }
    emitLocks(model, leaf, body, loop + 1, nest);
  }
  if (failed(body.emit(nest)))
    return failure();
  while (opened-- > 0)
    nest.close();

  emitComment(leaf, writer);
  SmallVector<std::string> parameters = llvm::map_to_vector(
      channelsOf(leaf), [&](Value channel) { return parameter(model, leaf, channel); });
  writer.openFunction("void " + model.leafNames[leaf], parameters);
  writer.pragma("inline off");
  for (const std::string &line : body.declarations()) {
    if (StringRef(line).starts_with("#"))
      writer.raw(line + "\n");
    else
      writer.line(line);
  }
  writer.raw(nest.str());
  writer.close();
  return success();
}
