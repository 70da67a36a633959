//===- FusionProblem.cpp - Laws and costs of fusion plans -----------------===//

#include "streamtensor/Dialect/Dataflow/Transforms/FusionProblem.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace streamtensor::dataflow {

//===----------------------------------------------------------------------===//
// Laws
//===----------------------------------------------------------------------===//

Error FusionProblem::check() const {
  auto isOrdered = [&](int32_t writer, int32_t reader) {
    return 0 <= writer && writer < reader && reader < static_cast<int32_t>(nodes.size());
  };
  for (const Tensor &tensor : tensors)
    if (tensor.bytes < 0 ||
        !llvm::all_of(
            tensor.readers, [&](int32_t reader) { return isOrdered(tensor.writer, reader); }))
      return createStringError("a tensor of node " + Twine(tensor.writer) +
                               " has a reader that does not come behind it, or less than 0 bytes");
  auto isRead = [&](int32_t writer, int32_t reader) {
    return llvm::any_of(tensors, [&](const Tensor &tensor) {
      return tensor.writer == writer && is_contained(tensor.readers, reader);
    });
  };
  for (const Converter &converter : converters) {
    if (converter.bytes < 0)
      return createStringError("a converter has less than 0 bytes");
    for (int32_t writer : converter.writers)
      for (int32_t reader : converter.readers)
        if (!isRead(writer, reader))
          return createStringError("node " + Twine(reader) + " behind a converter of node " +
                                   Twine(writer) + " reads no tensor of its writer");
  }
  if (maxBytes < 0 || launchBytes < 0 || llvm::any_of(nodes, [](int64_t own) { return own < 0; }))
    return createStringError("memory and launches are at least 0 bytes");
  return Error::success();
}

Error FusionProblem::verify(const FusionGroups &groups) const {
  if (groups.size() != nodes.size())
    return createStringError("a plan has a group for each node");
  for (const Tensor &tensor : tensors)
    for (int32_t reader : tensor.readers)
      if (groups[tensor.writer] > groups[reader])
        return createStringError("node " + Twine(reader) + " of group " + Twine(groups[reader]) +
                                 " reads what node " + Twine(tensor.writer) +
                                 " of a later group writes");
  for (auto [group, bytes] : enumerate(getMemory(groups))) {
    size_t members = llvm::count(groups, static_cast<int32_t>(group));
    if (members == 0)
      return createStringError("group " + Twine(group) + " is empty");
    if (bytes > maxBytes && members > 1)
      return createStringError("group " + Twine(group) + " takes " + Twine(bytes) + " bytes of " +
                               Twine(maxBytes));
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

int32_t FusionProblem::countGroups(const FusionGroups &groups) {
  return groups.empty() ? 0 : *llvm::max_element(groups) + 1;
}

std::vector<int64_t> FusionProblem::getMemory(const FusionGroups &groups) const {
  std::vector<int64_t> memory(countGroups(groups), 0);
  for (auto [own, group] : zip_equal(nodes, groups))
    memory[group] += own;
  for (const Converter &converter : converters) {
    SmallVector<int32_t> holders;
    for (int32_t writer : converter.writers)
      for (int32_t reader : converter.readers)
        if (groups[writer] == groups[reader] && !is_contained(holders, groups[writer]))
          holders.push_back(groups[writer]);
    for (int32_t holder : holders)
      memory[holder] += converter.bytes;
  }
  return memory;
}

int64_t FusionProblem::getExternalBytes(const FusionGroups &groups) const {
  int64_t bytes = 0;
  for (const Tensor &tensor : tensors) {
    int64_t outside = llvm::count_if(
        tensor.readers, [&](int32_t reader) { return groups[reader] != groups[tensor.writer]; });
    bytes += tensor.bytes * (outside + (outside > 0 && !tensor.isResult));
  }
  return bytes;
}

int64_t FusionProblem::getCost(const FusionGroups &groups) const {
  return countGroups(groups) * launchBytes + getExternalBytes(groups);
}

//===----------------------------------------------------------------------===//
// The greedy plan
//===----------------------------------------------------------------------===//

FusionGroups planGreedily(const FusionProblem &problem) {
  size_t count = problem.nodes.size();
  std::vector<std::vector<int32_t>> writersOf(count);
  for (const FusionProblem::Tensor &tensor : problem.tensors)
    for (int32_t reader : tensor.readers)
      writersOf[reader].push_back(tensor.writer);
  // Nodes that are not placed yet have a group each, behind all others.
  FusionGroups groups(count);
  int32_t opened = 0;
  for (size_t node = 0; node < count; ++node) {
    for (size_t later = node; later < count; ++later)
      groups[later] = opened + (later - node);
    int32_t candidate = writersOf[node].empty() ? opened - 1 : -1;
    for (int32_t writer : writersOf[node])
      candidate = std::max(candidate, groups[writer]);
    if (candidate >= 0) {
      groups[node] = candidate;
      if (problem.getMemory(groups)[candidate] <= problem.maxBytes)
        continue;
    }
    groups[node] = opened++;
  }
  return groups;
}

} // namespace streamtensor::dataflow
