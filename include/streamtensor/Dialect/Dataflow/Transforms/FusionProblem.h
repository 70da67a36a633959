//===- FusionProblem.h - Which kernels become one accelerator ---*- C++ -*-===//
//
// The fusion plan as a problem apart from the IR, and its algorithms: the greedy plan of the
// StreamTensor paper (arXiv 2509.13694, section on stream-based kernel fusion) and an integer
// program. Groups run one after the other, each a launch. Bytes throughout.
//
// What a plan costs is time: each group is launched, and each tensor that crosses groups goes
// through external memory, written once and read by each reader outside, as every reader of memory
// has a DMA of its own. Both are counted in bytes of external memory, a launch as the bytes that
// memory could move meanwhile. On-chip memory costs nothing as long as it is there.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_TRANSFORMS_FUSIONPROBLEM_H
#define STREAMTENSOR_DIALECT_DATAFLOW_TRANSFORMS_FUSIONPROBLEM_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace streamtensor::dataflow {

/// The group of each node, counted in the order in which groups run.
using FusionGroups = std::vector<int32_t>;

/// Nodes are numbered in topological order.
struct FusionProblem {
  /// What one node hands to others, each behind it.
  struct Tensor {
    int32_t writer;
    std::vector<int32_t> readers;
    int64_t bytes;
    /// Written to memory in any case.
    bool isResult = false;
  };
  /// Memory on the way from nodes to others, each of which reads a tensor of each writer. A group
  /// has it once, if it holds a writer and a reader.
  struct Converter {
    std::vector<int32_t> writers, readers;
    int64_t bytes;
  };

  /// Memory that each node takes in any group.
  std::vector<int64_t> nodes;
  std::vector<Tensor> tensors;
  std::vector<Converter> converters;
  /// What a group may take. A node that needs more has a group of its own.
  int64_t maxBytes = 0;
  /// What external memory moves while a group is launched.
  int64_t launchBytes = 0;

  /// Nodes that exist, readers behind writers, figures of at least 0.
  llvm::Error check() const;
  /// Is this a plan: does no group read what a later one writes, so that none depends on itself
  /// through another, and does every group fit, or is it one node?
  llvm::Error verify(const FusionGroups &groups) const;

  static int32_t countGroups(const FusionGroups &groups);
  /// On-chip memory of each group.
  std::vector<int64_t> getMemory(const FusionGroups &groups) const;
  /// Bytes over external memory between groups.
  int64_t getExternalBytes(const FusionGroups &groups) const;
  /// Launches and bytes.
  int64_t getCost(const FusionGroups &groups) const;
};

/// The paper's plan: each node joins the last group that holds one of its writers (without any, the
/// last of all) if that still fits, else it opens a new one.
FusionGroups planGreedily(const FusionProblem &problem);

struct FusionSolution {
  FusionGroups groups;
  int64_t cost = 0;
  /// Is there no cheaper plan?
  bool isProven = false;
  /// Nodes of the search that were visited.
  int64_t nodes = 0;
};

/// An integer program, solved by branch and bound until `nodes` were visited: equal problems have
/// equal solutions, however fast the machine is. `known`, a plan, is the first bound; what is found
/// costs no more.
FusionSolution planOptimally(const FusionProblem &problem, const FusionGroups &known,
                             int64_t nodes);

} // namespace streamtensor::dataflow

#endif
