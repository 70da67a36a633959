//===- PassActivity.cpp - Which passes of a run did something -------------===//

#include "streamtensor/Pipelines/PassActivity.h"

#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace streamtensor;

namespace {
struct Counts {
  int64_t runs = 0, changes = 0, failures = 0;
};
} // namespace

/// One run of a pipeline on one module.
struct PassActivity::Module {
  std::map<std::string, Counts> passes;
  std::set<std::string> operations;
  /// Of the operations that passes work on; nested pipelines work on several at a time.
  DenseMap<Operation *, OperationFingerPrint> before;

  void noteOperations(Operation *root) {
    root->walk([&](Operation *op) { operations.insert(op->getName().getStringRef().str()); });
  }
};

namespace {

/// Is this the pass that runs a pipeline on the operations inside?
bool isAdaptor(Pass *pass) { return pass->getArgument().empty(); }

/// The pass manager calls an instrumentation from one thread at a time.
template <typename Module> struct ActivityWatcher : PassInstrumentation {
  explicit ActivityWatcher(std::shared_ptr<Module> module) : module(std::move(module)) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    if (isAdaptor(pass))
      return;
    if (module->passes.empty())
      module->noteOperations(op);
    module->before.insert_or_assign(op, OperationFingerPrint(op));
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    auto entry = module->before.find(op);
    if (isAdaptor(pass) || entry == module->before.end())
      return;
    Counts &counts = module->passes[pass->getArgument().str()];
    ++counts.runs;
    if (entry->second != OperationFingerPrint(op)) {
      ++counts.changes;
      module->noteOperations(op);
    }
    module->before.erase(entry);
  }

  void runAfterPassFailed(Pass *pass, Operation *op) override {
    if (isAdaptor(pass))
      return;
    Counts &counts = module->passes[pass->getArgument().str()];
    ++counts.runs;
    ++counts.failures;
    module->before.erase(op);
  }

  std::shared_ptr<Module> module;
};

} // namespace

void PassActivity::attach(PassManager &pm) {
  auto module = modules.emplace_back(std::make_shared<Module>());
  pm.addInstrumentation(std::make_unique<ActivityWatcher<Module>>(module));
}

LogicalResult PassActivity::write(StringRef path, std::string &message) const {
  llvm::json::Array listed;
  for (const auto &module : modules) {
    llvm::json::Object passes;
    for (const auto &[name, counts] : module->passes)
      passes[name] = llvm::json::Object{
          {"runs", counts.runs}, {"changes", counts.changes}, {"failures", counts.failures}};
    listed.push_back(llvm::json::Object{{"passes", std::move(passes)},
                                        {"operations", llvm::json::Array(module->operations)}});
  }
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &message);
  if (!file)
    return failure();
  llvm::json::Object report{{"modules", std::move(listed)}};
  file->os() << llvm::formatv("{0:2}", llvm::json::Value(std::move(report))) << "\n";
  file->keep();
  return success();
}
