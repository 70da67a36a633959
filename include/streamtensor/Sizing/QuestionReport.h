//===- QuestionReport.h - Answers of the simulator as JSON ------*- C++ -*-===//

#ifndef STREAMTENSOR_SIZING_QUESTIONREPORT_H
#define STREAMTENSOR_SIZING_QUESTIONREPORT_H

#include "streamtensor/Sizing/Advice.h"
#include "llvm/Support/JSON.h"

namespace streamtensor::sizing {

/// Adds a note if the card has fewer masters than the design with its further ones.
void checkMasters(const sim::DesignMachine &built, sim::EditedMachine &edited,
                  const DeviceModel &device);

/// Cycles before (null: it deadlocked) and after, the change in percent, FIFOs whose lack of slots
/// is then critical, the tasks that are then at work longest, notes.
llvm::json::Object reportWhatIf(llvm::ArrayRef<sim::WhatIf> questions,
                                std::optional<int64_t> before, int64_t cycles,
                                llvm::ArrayRef<SimulatedDesign> designs,
                                llvm::ArrayRef<std::string> notes);

/// The trials, the best first, each with its questions, cycles, gain in percent and cost.
llvm::json::Object reportAdvice(const Advised &advised, int64_t cycles);

} // namespace streamtensor::sizing

#endif
