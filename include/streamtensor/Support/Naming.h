//===- Naming.h - Names that come from the user's program -------*- C++ -*-===//

#ifndef STREAMTENSOR_SUPPORT_NAMING_H
#define STREAMTENSOR_SUPPORT_NAMING_H

#include "mlir/IR/Location.h"

#include <string>

namespace streamtensor {

/// The innermost name that `loc` carries (the module path that the front end wrote), or "".
llvm::StringRef getModulePath(mlir::Location loc);

/// An identifier made of `path`: its last two parts, everything that is not a letter
/// or digit becomes '_'. "layers.0.self_attn.q_proj" gives "self_attn_q_proj".
std::string getIdentifier(llvm::StringRef path);

/// Hands out names that have not been used yet: "x", "x_1", "x_2", ...
class UniqueNames {
public:
  std::string get(llvm::StringRef base);

private:
  llvm::StringMap<unsigned> used;
};

} // namespace streamtensor

#endif
