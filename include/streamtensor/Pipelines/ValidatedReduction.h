//===- ValidatedReduction.h - Small programs for wrong passes ---*- C++ -*-===//

#ifndef STREAMTENSOR_PIPELINES_VALIDATEDREDUCTION_H
#define STREAMTENSOR_PIPELINES_VALIDATEDREDUCTION_H

#include "streamtensor/Pipelines/Validation.h"

namespace streamtensor {

/// The text of the smallest program found in `seconds` that the same pass miscompiles.
std::string reduceFailingProgram(const ValidationFailure &failure, uint64_t seed, unsigned seconds);

} // namespace streamtensor

#endif
