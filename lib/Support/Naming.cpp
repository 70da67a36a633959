//===- Naming.cpp - Names that come from the user's program ---------------===//

#include "streamtensor/Support/Naming.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

StringRef streamtensor::getModulePath(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc)) {
    return name.getName().getValue();
  }
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    StringRef callee = getModulePath(call.getCallee());
    return callee.empty() ? getModulePath(call.getCaller()) : callee;
  }
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : llvm::reverse(fused.getLocations()))
      if (StringRef path = getModulePath(part); !path.empty())
        return path;
  return {};
}

std::string streamtensor::getIdentifier(StringRef path) {
  SmallVector<StringRef> parts;
  path.split(parts, '.', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  if (parts.size() > 2)
    parts.erase(parts.begin(), parts.end() - 2);
  // A position in a container ("layers.0") says little without a name after it.
  if (parts.size() == 2 && llvm::all_of(parts[0], llvm::isDigit))
    parts.erase(parts.begin());
  std::string result = llvm::join(parts, "_");
  for (char &c : result)
    if (!llvm::isAlnum(c))
      c = '_';
  if (!result.empty() && llvm::isDigit(result.front()))
    result.insert(0, "m");
  return result;
}

std::string streamtensor::UniqueNames::get(StringRef base) {
  unsigned count = used.lookup(base);
  std::string name = base.str();
  while (used.contains(name))
    name = (base + "_" + Twine(++count)).str();
  used[base] = count;
  used.try_emplace(name, 0);
  return name;
}
