//===- MixedBlocks.h - BRAM and URAM dealt on each die ----------*- C++ -*-===//

#ifndef STREAMTENSOR_PLACEMENT_MIXEDBLOCKS_H
#define STREAMTENSOR_PLACEMENT_MIXEDBLOCKS_H

#include "streamtensor/Placement/DesignDies.h"

namespace streamtensor::placement {

/// Places a design whose FIFOs in blocks may change between BRAM and URAM, and changes them.
/// By moves alone, with no bound. Nothing, and no change, if it does not fit so either.
std::optional<DieSolution> placeMixedBlocks(dataflow::DesignOp design, const DesignDies &described,
                                            const DeviceModel &device);

} // namespace streamtensor::placement

#endif
