//===- Reducer.cpp - The smallest program that shows a fault --------------===//

#include "streamtensor/Reducer/Reducer.h"

#include "Edits.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace streamtensor;
using Clock = std::chrono::steady_clock;

namespace {

class Reducer {
public:
  Reducer(ModuleOp module, function_ref<bool(ModuleOp)> isInteresting, Clock::time_point deadline)
      : module(module), isInteresting(isInteresting), deadline(deadline) {}

  unsigned run();

private:
  using Count = size_t (*)(func::FuncOp);
  bool sweep(Edit edit, Count count);
  bool sweepForwards(Edit edit, Count count);
  bool attempt(function_ref<bool(func::FuncOp)> edit);
  bool isOver() const { return Clock::now() >= deadline; }

  ModuleOp module;
  function_ref<bool(ModuleOp)> isInteresting;
  Clock::time_point deadline;
  unsigned tried = 0;
};

} // namespace

static func::FuncOp getFunction(ModuleOp module) { return *module.getOps<func::FuncOp>().begin(); }

static size_t countOuterOps(func::FuncOp function) { return getOuterOps(function).size(); }
static size_t countBodyOps(func::FuncOp function) { return getBodyOps(function).size(); }
static size_t countResults(func::FuncOp function) { return function.getNumResults(); }

/// Applies an edit to a copy; keeps it if the copy is valid and still interesting.
bool Reducer::attempt(function_ref<bool(func::FuncOp)> edit) {
  OwningOpRef<ModuleOp> copy = module.clone();
  func::FuncOp function = getFunction(*copy);
  if (!edit(function))
    return false;
  dropUnused(function);
  ++tried;
  {
    ScopedDiagnosticHandler silence(module.getContext(), [](Diagnostic &) { return success(); });
    if (failed(verify(*copy)))
      return false;
  }
  if (!isInteresting(*copy))
    return false;
  module.getBodyRegion().takeBody(copy->getBodyRegion());
  return true;
}

/// Tries the edit at each place from the last to the first, so that what follows it is gone
/// before its producers are tried.
bool Reducer::sweep(Edit edit, Count count) {
  bool isChanged = false;
  for (size_t position = count(getFunction(module)); position-- > 0 && !isOver();) {
    if (position >= count(getFunction(module)))
      continue;
    isChanged |= attempt([&](func::FuncOp function) { return edit(function, position); });
  }
  return isChanged;
}

/// Takes the first place at which the edit is interesting.
bool Reducer::sweepForwards(Edit edit, Count count) {
  for (size_t position = 0; position < count(getFunction(module)) && !isOver(); ++position)
    if (attempt([&](func::FuncOp function) { return edit(function, position); }))
      return true;
  return false;
}

unsigned Reducer::run() {
  bool isChanged = true;
  while (isChanged && !isOver()) {
    isChanged = attempt(dropUnused);
    isChanged |= sweepForwards(returnOnly, countOuterOps);
    isChanged |= sweep(dropResult, countResults);
    isChanged |= sweep(cutToArgument, countOuterOps);
    isChanged |= sweep(bypass, countOuterOps);
    isChanged |= sweep(bypassInBody, countBodyOps);
    isChanged |= attempt(dropUnusedOperands);
  }
  return tried;
}

unsigned streamtensor::reduceProgram(ModuleOp module, function_ref<bool(ModuleOp)> isInteresting,
                                     Clock::time_point deadline) {
  auto functions = module.getOps<func::FuncOp>();
  bool isOneFunction =
      llvm::hasSingleElement(functions) && llvm::hasSingleElement((*functions.begin()).getBody());
  if (!isOneFunction)
    return 0;
  return Reducer(module, isInteresting, deadline).run();
}

std::string streamtensor::printModule(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  stream << '\n';
  return text;
}
