//===- RooflineReport.h - A design below the limits of its card -*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_SIZING_ROOFLINEREPORT_H
#define STREAMTENSOR_LIB_SIZING_ROOFLINEREPORT_H

#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Sim/BuildMachine.h"
#include "streamtensor/Sim/Simulator.h"
#include "llvm/Support/JSON.h"

namespace streamtensor::sizing {

/// Multiply-adds of each task in one launch, with the scalars that the machine was made for.
std::vector<int64_t> countMultiplyAdds(const sim::DesignMachine &built);

/// Where a launch stands below the roofs of computing and of memory:
/// - `multiply_adds`, `external_bytes` (whole beats of the channels): of the launch;
/// - `lanes`: multiply-adds that the design's units start in a cycle;
/// - `dsps_per_lane`: DSPs of the tasks that have such units, for one of them, weighted by the
///   multiply-adds that they carry out;
/// - `placeable_lanes`: units of that size in the DSPs that can be placed; left out where they take
///   no DSP;
/// - `bytes_per_second`, `used_bytes_per_second`: sustained, of all channels of the card and of
///   those that the design uses.
llvm::json::Object reportRoofline(const sim::DesignMachine &built, const sim::SimResult &result,
                                  llvm::ArrayRef<int64_t> multiplyAdds, const DeviceModel &device);

} // namespace streamtensor::sizing

#endif
