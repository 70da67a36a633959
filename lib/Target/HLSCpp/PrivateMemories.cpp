//===- PrivateMemories.cpp - Declarations of private memories -------------===//

#include "PrivateMemories.h"

#include "streamtensor/Dialect/Dataflow/IR/Dependences.h"
#include "streamtensor/Target/HLSCpp/CppText.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::target;
using namespace streamtensor::dataflow;

std::string target::dimensions(ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t extent : shape)
    text += "[" + std::to_string(extent) + "]";
  return text;
}

std::vector<std::string> target::layOut(StringRef name, const schedule::Layout &layout,
                                        ArrayRef<int64_t> shape) {
  std::vector<std::string> pragmas;
  for (auto [dim, factor, extent] : llvm::enumerate(layout.partition, shape))
    if (factor > 1)
      pragmas.push_back(llvm::formatv("{0} variable={1} {2} dim={3}",
                                      layout.word > 1 ? "array_reshape" : "array_partition", name,
                                      factor >= extent
                                          ? std::string("type=complete")
                                          : llvm::formatv("type=cyclic factor={0}", factor).str(),
                                      dim + 1));
  return pragmas;
}

std::string target::bindStorage(llvm::StringRef name, StorageAttr storage,
                                const schedule::Banks &banks) {
  MemoryKind kind = storage.getKind();
  if (kind != MemoryKind::LUTRAM && kind != MemoryKind::BRAM && kind != MemoryKind::URAM)
    return "";
  // Block memories have two ports for either; memories of LUTs have a copy for each read.
  StringRef type = banks.writes > 1                                ? "ram_t2p"
                   : kind == MemoryKind::LUTRAM && banks.reads > 1 ? "ram_1wnr"
                                                                   : "ram_2p";
  std::string bound = llvm::formatv("bind_storage variable={0} type={1} impl={2}", name, type,
                                    stringifyMemoryKind(kind));
  // Left alone, blocks are read without the registers at their outputs.
  if (kind != MemoryKind::LUTRAM)
    bound += llvm::formatv(" latency={0}", storage.getReadLatency());
  return bound;
}

/// Fewest iterations between a write of the memory and a read of the same place, as far as the
/// pipeline is deep: what the schedule relies on. None where nothing is written and read.
static std::optional<int64_t> getDistance(Value memory) {
  std::optional<int64_t> nearest;
  bool isWritten = false;
  for (Operation *user : memory.getUsers()) {
    isWritten |= isa<StoreOp>(user);
    auto load = dyn_cast<LoadOp>(user);
    if (!load)
      continue;
    int64_t distance = load.getDistance().value_or(getPipeline(load).getDepth());
    nearest = std::min(nearest.value_or(distance), distance);
  }
  return isWritten ? nearest : std::nullopt;
}

/// Nests that run together take the halves of a memory in turn, which no compiler sees by itself.
static bool isOrderedByNests(Value memory) {
  SmallVector<AccessOpInterface> accesses;
  for (Operation *user : memory.getUsers())
    accesses.push_back(cast<AccessOpInterface>(user));
  bool hasPair = false;
  for (AccessOpInterface first : accesses)
    for (AccessOpInterface second : accesses) {
      if (first == second || (!first.isWrite() && !second.isWrite()))
        continue;
      hasPair |= getNest(first) != getNest(second);
      if (isOrderedInOneIteration(first, second))
        return false;
    }
  return hasPair;
}

FailureOr<PrivateMemories> target::declarePrivates(LeafOp leaf, NameScope &names) {
  PrivateMemories memories;
  std::vector<TopLine> &lines = memories.lines;
  for (auto [number, memory] : llvm::enumerate(leaf.getPrivates())) {
    auto type = cast<PrivateType>(memory.getType());
    std::string scalar = cppScalarType(type.getElementType());
    if (scalar.empty())
      return leaf.emitError() << "private memory of " << type << " has no C++ counterpart";
    std::string name =
        names.unique(leaf.getPrivates().size() == 1 ? "local" : "local_" + std::to_string(number));
    memories.names[memory] = name;
    lines.push_back({scalar + " " + name + dimensions(type.getShape()) + ";", name});
    StorageAttr storage = leaf.getStorageOf(memory);
    for (const std::string &pragma : layOut(name, schedule::getLayout(storage), type.getShape()))
      lines.push_back("#pragma HLS " + pragma);
    if (std::string bound = bindStorage(name, storage, schedule::getBanks(leaf, memory));
        !bound.empty())
      lines.push_back("#pragma HLS " + bound);
    if (std::optional<int64_t> distance = getDistance(memory); distance && *distance > 1)
      lines.push_back(llvm::formatv("#pragma HLS dependence variable={0} type=inter "
                                    "direction=RAW distance={1} dependent=true",
                                    name, *distance)
                          .str());
    if (leaf.getTogether() && isOrderedByNests(memory))
      lines.push_back("#pragma HLS dependence variable=" + name + " type=intra dependent=false");
  }
  return memories;
}
