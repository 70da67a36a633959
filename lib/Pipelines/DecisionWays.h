//===- DecisionWays.h - What phase decide is tried with ---------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_PIPELINES_DECISIONWAYS_H
#define STREAMTENSOR_LIB_PIPELINES_DECISIONWAYS_H

#include "streamtensor/Pipelines/Phases.h"
#include "streamtensor/Pipelines/Pipeline.h"

#include <memory>

namespace streamtensor {

/// Appends the decisions of the options alone, without trials.
void buildDecisionByRules(mlir::OpPassManager &pm,
                          const std::shared_ptr<const PipelineOptions> &options);

/// What is tried in the place of that: it first, then other tiles, shares of the lanes, odd factors
/// and engines.
std::vector<DecisionWay> getDecisionWays(const std::shared_ptr<const PipelineOptions> &options);

} // namespace streamtensor

#endif
