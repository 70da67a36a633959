//===- WhatIf.h - Questions to a design, by the names of its parts -*- C++ -*-===//
//
// "fifo NAME depth=512", "port NAME bits=1024", "task NAME lanes=x2", "task NAME ii=1": what would
// the cycles be? Each is an edit of the machine (EditMachine.h).
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_SIM_WHATIF_H
#define STREAMTENSOR_SIM_WHATIF_H

#include "streamtensor/Sim/BuildMachine.h"
#include "streamtensor/Sim/Simulator.h"

#include "llvm/ADT/STLExtras.h"

namespace streamtensor::sim {

struct WhatIf {
  enum class Property { Depth, Bits, Lanes, Interval };
  Property property;
  std::string design; // empty: the one that has such a part
  std::string name;
  int64_t value;
  bool isFactor; // "x2"
  std::string text;
};

/// Error: the text is no question; it says what one is.
llvm::Expected<WhatIf> parseWhatIf(llvm::StringRef text);

/// Each question with the design whose part it names. Errors: a part that none of the designs has,
/// with the names that are near; one that several have; a property that is asked for twice.
llvm::Expected<std::vector<WhatIf>> resolveWhatIfs(llvm::ArrayRef<WhatIf> questions,
                                                   llvm::ArrayRef<const DesignMachine *> designs);

/// The ways of the tensor or interface `name`; none if it is bound to no channel. The words of all
/// its interfaces together have `bits`, and those may have `most`.
struct PortWays {
  std::vector<int32_t> ways;
  int64_t bits = 0, most = 0, interfaces = 0;

  /// How many times as wide words become.
  int64_t getFactor(const WhatIf &question) const {
    return question.isFactor ? question.value : question.value / bits;
  }
  /// What each interface becomes if words get `factor` times as wide.
  int64_t getParts(int64_t factor) const;
};
PortWays findPortWays(const DesignMachine &built, llvm::StringRef name);

/// The number of the part that has the name.
template <typename Part> int32_t findNamed(const std::vector<Part> &parts, llvm::StringRef name) {
  return llvm::find_if(parts, [&](const Part &part) { return part.name == name; }) - parts.begin();
}

/// A machine as questions make it.
struct EditedMachine {
  Machine machine;
  /// Depths up to which a run may enlarge FIFOs that would deadlock, as a compilation would: set
  /// where lanes, intervals or ports change. A depth that was asked for stays.
  std::vector<int64_t> ceilings;
  /// What a compilation would object to, though it can be simulated.
  std::vector<std::string> notes;
  int64_t masters = 0;          // further ones
  std::vector<int32_t> widened; // ways of the design
};

/// `machine` is that of the design, with rules for FIFOs. Questions about other designs are left
/// out. Intervals come first, then lanes, ports and FIFOs, in whatever order they are asked.
llvm::Expected<EditedMachine> applyWhatIfs(const DesignMachine &built,
                                           llvm::ArrayRef<WhatIf> questions);

/// Runs it; FIFOs that a run enlarges have that depth in the next one, until none is.
SimResult simulateEdited(EditedMachine &edited, SimOptions options);

} // namespace streamtensor::sim

#endif
