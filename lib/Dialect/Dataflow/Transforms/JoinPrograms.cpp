//===- JoinPrograms.cpp - Programs of files in the place of calls ---------===//
//
//   func.func private @layers(tensor<4xi32>, index) -> tensor<4xi32>
//       attributes {streamtensor.program = "layers/ir/sized.mlir"}
//   func.func @main(…) { … %found = func.call @layers(%before, %at) …
//
// becomes what the program of that file does, and the module gets its designs:
//
//   dataflow.design @layers { … }
//   func.func @main(…) { … %found = dataflow.launch @layers(%before) scalars(%at) …
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h"
#include "streamtensor/Dialect/Program/IR/Program.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace streamtensor {
#define GEN_PASS_DEF_JOINPROGRAMS
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

/// What differs between a card and what others leave of it.
static bool isAmount(NamedAttribute entry) {
  return llvm::is_contained({"totals", "dies"}, entry.getName().getValue());
}

/// Is all that a schedule rests on alike?
static bool areOneMachine(DeviceAttr left, DeviceAttr right) {
  auto isUnlike = [](DictionaryAttr all, DictionaryAttr other) {
    return llvm::any_of(all, [&](NamedAttribute entry) {
      return !isAmount(entry) && other.get(entry.getName()) != entry.getValue();
    });
  };
  return !isUnlike(left.getContent(), right.getContent()) &&
         !isUnlike(right.getContent(), left.getContent());
}

namespace {
/// One program of a file.
class Joined {
public:
  Joined(func::FuncOp declaration, StringAttr path)
      : declaration(declaration), module(declaration->getParentOfType<ModuleOp>()), path(path) {}

  LogicalResult read() {
    std::string file = getFile();
    if (!llvm::sys::fs::exists(file))
      return fail("is not there");
    part = parseSourceFile<ModuleOp>(file, declaration.getContext());
    if (!part)
      return fail("cannot be read");
    main = part->lookupSymbol<func::FuncOp>("main");
    if (!main || main.isDeclaration())
      return fail("holds no @main");
    if (main.getFunctionType() != declaration.getFunctionType())
      return fail("has another type there: ") << main.getFunctionType();
    if (llvm::any_of(part->getOps<func::FuncOp>(), [&](func::FuncOp each) { return each != main; }))
      return fail("has functions beside @main, which is to be the whole program");
    DeviceAttr own = findDevice(*part);
    if (!own)
      return fail("was not sized for a device");
    if (!areOneMachine(own, findDevice(module)))
      return fail("was compiled for another device than this module's");
    return moveDesigns();
  }

  void replaceCalls() {
    SmallVector<func::CallOp> calls;
    module.walk([&](func::CallOp call) {
      if (call.getCallee() == declaration.getSymName())
        calls.push_back(call);
    });
    for (func::CallOp call : calls) {
      OpBuilder builder(call);
      IRMapping mapping;
      mapping.map(main.getArguments(), call.getOperands());
      for (Operation &op : main.getBody().front().without_terminator())
        builder.clone(op, mapping);
      for (auto [result, value] : llvm::zip_equal(
               call.getResults(), main.getBody().front().getTerminator()->getOperands()))
        result.replaceAllUsesWith(mapping.lookupOrDefault(value));
      call.erase();
    }
    declaration.erase();
  }

private:
  /// A path that is not absolute begins where the file lies that names it.
  std::string getFile() {
    SmallString<128> file(path.getValue());
    if (auto place = dyn_cast<FileLineColLoc>(declaration.getLoc()))
      llvm::sys::path::make_absolute(llvm::sys::path::parent_path(place.getFilename()), file);
    return file.str().str();
  }

  InFlightDiagnostic fail(const Twine &why) {
    return declaration.emitOpError("[program.join] '") << path.getValue() << "' " << why;
  }

  /// A design is called as the program is; of several each has its own name behind that.
  LogicalResult moveDesigns() {
    SmallVector<DesignOp> designs(part->getOps<DesignOp>());
    if (!part->getOps<ExternOp>().empty())
      return fail("has a kernel written by hand, which is checked in a program of its own");
    for (DesignOp design : designs) {
      std::string name = declaration.getSymName().str();
      if (designs.size() > 1)
        name += "_" + design.getSymName().str();
      auto symbol = StringAttr::get(module.getContext(), name);
      Operation *other = module.lookupSymbol(symbol);
      if ((other && other != declaration) || (!other && part->lookupSymbol(symbol)))
        return fail("has a design for which the name '" + Twine(name) + "' is taken");
      if (failed(SymbolTable::replaceAllSymbolUses(design, symbol, *part)))
        return fail("has uses of a design that are not known");
      design.setSymNameAttr(symbol);
      design->moveBefore(declaration);
    }
    return success();
  }

  func::FuncOp declaration, main;
  ModuleOp module;
  StringAttr path;
  OwningOpRef<ModuleOp> part;
};

struct JoinProgramsPass : streamtensor::impl::JoinProgramsBase<JoinProgramsPass> {
  void runOnOperation() override {
    if (failed(getDevice(getOperation())))
      return signalPassFailure();
    SmallVector<std::pair<func::FuncOp, StringAttr>> declared;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (auto path = function->getAttrOfType<StringAttr>(program::programAttrName))
        declared.push_back({function, path});
    for (auto [function, path] : declared) {
      Joined joined(function, path);
      if (failed(joined.read()))
        return signalPassFailure();
      joined.replaceCalls();
    }
  }
};
} // namespace
