//===- EngineTurns.h - In which order an engine has its turns ---*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_ENGINETURNS_H
#define STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_ENGINETURNS_H

#include "EngineSlices.h"

namespace streamtensor::dataflow {

/// Orders the parts of an engine, with their loads: what somebody must have whole before he begins
/// has its turn first. An attention takes queries as they come, once there are keys and values.
void orderTurns(DesignOp design, std::vector<EnginePart> &parts);

} // namespace streamtensor::dataflow

#endif
