//===- PrivateMemories.h - Declarations of private memories -----*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_TARGET_HLSCPP_PRIVATEMEMORIES_H
#define STREAMTENSOR_LIB_TARGET_HLSCPP_PRIVATEMEMORIES_H

#include "streamtensor/Target/HLSCpp/CppText.h"

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Schedule/Memories.h"

namespace streamtensor::target {

/// `[4][16]`
std::string dimensions(llvm::ArrayRef<int64_t> shape);

/// A line at the top of a function: a value that is held, a memory, a table, or a pragma. `state`
/// is the name of what keeps its value from one iteration to the next.
struct TopLine {
  TopLine(std::string text, std::string state = "")
      : text(std::move(text)), state(std::move(state)) {}
  std::string text, state;
};

/// The private memories of a leaf: their names, and what stands at the top of its function.
struct PrivateMemories {
  llvm::DenseMap<mlir::Value, std::string> names;
  std::vector<TopLine> lines;
};

/// The pragmas that lay an array out in banks, or in words.
std::vector<std::string> layOut(llvm::StringRef name, const schedule::Layout &layout,
                                llvm::ArrayRef<int64_t> shape);

/// The pragma that binds an array to a memory with the ports that its accesses take; empty for
/// registers.
std::string bindStorage(llvm::StringRef name, dataflow::StorageAttr storage,
                        const schedule::Banks &banks);

/// Fails, with a diagnostic, on an element type without a C++ counterpart.
llvm::FailureOr<PrivateMemories> declarePrivates(dataflow::LeafOp leaf, NameScope &names);

} // namespace streamtensor::target

#endif
