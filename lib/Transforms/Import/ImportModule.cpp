//===- ImportModule.cpp - Accept a module of Linalg on tensors ------------===//

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Dialect/Program/IR/Program.h"
#include "streamtensor/Transforms/GenericUtils.h"
#include "streamtensor/Transforms/GreedyRewrite.h"
#include "streamtensor/Transforms/Import/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace streamtensor;

namespace streamtensor {
#define GEN_PASS_DEF_IMPORTMODULE
#include "streamtensor/Transforms/Import/Passes.h.inc"
} // namespace streamtensor

namespace {

FailureOr<func::FuncOp> findEntry(ModuleOp module) {
  SmallVector<func::FuncOp> entries;
  for (auto func : module.getOps<func::FuncOp>())
    if (func.isPublic() && !func.isDeclaration())
      entries.push_back(func);
  if (entries.size() == 1)
    return entries.front();
  if (entries.empty())
    return module.emitError("the module has no public func.func with a body; export the PyTorch "
                            "module with torch-mlir, output type linalg-on-tensors");
  InFlightDiagnostic error = module.emitError("the module has ")
                             << entries.size()
                             << " public functions, but a design is made from one; "
                                "keep the function to compile and make the others private";
  for (func::FuncOp func : entries)
    error.attachNote(func.getLoc()) << "@" << func.getSymName() << " is public";
  return failure();
}

bool isSupportedElement(Type type) {
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64() || type.isIndex() ||
         type.isInteger();
}

/// What is wrong with `type` as the type of an argument or result; the empty
/// string if nothing is.
std::string explainBadType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (isa<BaseMemRefType>(type))
    return "is memory; give the program as it is on tensors, before bufferization";
  if (isa<UnrankedTensorType>(type))
    return "is not a ranked tensor; export with example inputs of the shapes to compile";
  if (!tensor)
    return "is not a ranked tensor; pass a scalar as a tensor of rank 0, which operations take as "
           "an input with the map (d0, …) -> ()";
  if (!tensor.hasStaticShape())
    return "has a dimension of unknown size; export without dynamic_shapes, a design is made for "
           "fixed shapes";
  if (llvm::is_contained(tensor.getShape(), 0))
    return "has a dimension of size 0; a stream needs at least one element";
  if (!isSupportedElement(tensor.getElementType()))
    return "has an element type that hardware streams do not carry; use a float, an integer or a "
           "boolean tensor";
  return "";
}

LogicalResult checkSignature(func::FuncOp func) {
  for (BlockArgument arg : func.getArguments())
    if (std::string why = explainBadType(arg.getType()); !why.empty())
      return emitError(arg.getLoc()) << "argument " << arg.getArgNumber() << " of @"
                                     << func.getSymName() << ", " << arg.getType() << ", " << why;
  for (auto [index, type] : llvm::enumerate(func.getResultTypes()))
    if (std::string why = explainBadType(type); !why.empty())
      return func.emitError("result ")
             << index << " of @" << func.getSymName() << ", " << type << ", " << why;
  if (!func.getBody().hasOneBlock())
    return func.emitError("@") << func.getSymName()
                               << " has control flow; a design is one straight line of tensor "
                                  "operations: export the module without data-dependent branches";
  return success();
}

LogicalResult setArgumentAttributes(func::FuncOp func) {
  Builder builder(func.getContext());
  llvm::StringSet<> names;
  for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i) {
    if (!func.getArgAttr(i, program::nameAttrName))
      func.setArgAttr(i, program::nameAttrName, builder.getStringAttr("arg" + Twine(i)));
    if (!func.getArgAttr(i, program::kindAttrName))
      func.setArgAttr(i, program::kindAttrName, builder.getStringAttr(program::inputKind));
    auto name = func.getArgAttrOfType<StringAttr>(i, program::nameAttrName);
    if (!names.insert(name).second)
      return func.emitError("two arguments are named \"")
             << name.getValue() << "\"; give each its own " << program::nameAttrName;
  }
  return success();
}

/// Does the assertion say that a position at which the body beside it reads lies in the table? A
/// design takes the nearest position instead ([leaf.row]).
bool checksPosition(cf::AssertOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op->getParentOp());
  auto compare = op.getArg().getDefiningOp<arith::CmpIOp>();
  if (!generic || !compare)
    return false;
  auto isSide = [&](Value value) {
    auto cast = value.getDefiningOp<arith::IndexCastOp>();
    return llvm::is_contained(compare.getOperands(), value) ||
           (cast && llvm::is_contained(compare.getOperands(), cast.getIn()));
  };
  return llvm::any_of(generic.getBody()->getOps<tensor::ExtractOp>(), [&](tensor::ExtractOp read) {
    return llvm::any_of(read.getIndices(), isSide);
  });
}

/// Erases assertions that hold. One that fails, or that depends on data, is an
/// error: hardware cannot raise an exception.
LogicalResult dropAsserts(func::FuncOp func) {
  SmallVector<cf::AssertOp> asserts;
  func.walk([&](cf::AssertOp op) { asserts.push_back(op); });
  for (cf::AssertOp op : asserts) {
    if (checksPosition(op)) {
      op.erase();
      continue;
    }
    APInt condition;
    if (!matchPattern(op.getArg(), m_ConstantInt(&condition)))
      return op.emitOpError("checks data at run time (\"")
             << op.getMsg() << "\"), which a design cannot do; "
             << "compute indices and masks on the host, or export without the check";
    if (condition.isZero())
      return op.emitOpError("always fails: ") << op.getMsg();
    op.erase();
  }
  return success();
}

/// Weights that are not numbers make every result that they reach one. (Infinities are masks; a
/// scalar is a literal of the source, which selects it where it means it.)
LogicalResult checkConstants(func::FuncOp func) {
  WalkResult result = func.walk([](arith::ConstantOp op) {
    auto values = dyn_cast<DenseFPElementsAttr>(op.getValue());
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!values || !type || type.getRank() == 0)
      return WalkResult::advance();
    int64_t bad = values.isSplat()
                      ? (values.getSplatValue<APFloat>().isNaN() ? values.getNumElements() : 0)
                      : llvm::count_if(values.getValues<APFloat>(),
                                       [](const APFloat &value) { return value.isNaN(); });
    if (bad == 0)
      return WalkResult::advance();
    mlir::emitError(op.getLoc()) << "a constant of type " << op.getType() << " holds " << bad
                                 << " NaN: every result that it reaches would be NaN; repair the "
                                    "weights, or pass them as an argument";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// A pad by negative amounts -> a slice, padded by the others. Upstream's folder takes a pad that
/// shifts a tensor (one row less before, one more after) for a copy: this runs before any folder.
void cropNegativePads(func::FuncOp func) {
  IRRewriter rewriter(func.getContext());
  func.walk([&](tensor::PadOp op) {
    RankedTensorType type = op.getSourceType();
    bool isCropped = llvm::any_of(op.getStaticLow(), [](int64_t n) { return n < 0; }) ||
                     llvm::any_of(op.getStaticHigh(), [](int64_t n) { return n < 0; });
    if (!isCropped || !op.getLow().empty() || !op.getHigh().empty() || !type.hasStaticShape())
      return;
    SmallVector<int64_t> offsets, sizes, low, high;
    for (auto [extent, before, after] :
         llvm::zip_equal(type.getShape(), op.getStaticLow(), op.getStaticHigh())) {
      offsets.push_back(std::max<int64_t>(-before, 0));
      sizes.push_back(extent - offsets.back() - std::max<int64_t>(-after, 0));
      low.push_back(std::max<int64_t>(before, 0));
      high.push_back(std::max<int64_t>(after, 0));
    }
    rewriter.setInsertionPoint(op);
    MLIRContext *context = func.getContext();
    SmallVector<OpFoldResult> strides(type.getRank(), rewriter.getIndexAttr(1));
    Value slice = tensor::ExtractSliceOp::create(rewriter, op.getLoc(), op.getSource(),
                                                 getAsIndexOpFoldResult(context, offsets),
                                                 getAsIndexOpFoldResult(context, sizes), strides);
    rewriter.modifyOpInPlace(op, [&] {
      op.getSourceMutable().assign(slice);
      op.setStaticLow(low);
      op.setStaticHigh(high);
    });
  });
}

LogicalResult dropUnusedSymbols(ModuleOp module, func::FuncOp entry) {
  for (Operation &op : llvm::make_early_inc_range(module.getOps())) {
    if (&op == entry)
      continue;
    if (SymbolTable::symbolKnownUseEmpty(&op, module) &&
        isa<func::FuncOp, ml_program::GlobalOp, dataflow::ExternOp>(op))
      op.erase();
    else if (!isa<dataflow::ExternOp>(op))
      return op.emitOpError("stands beside the function to compile and is used by it; inline "
                            "calls, and pass global state as an argument");
  }
  return success();
}

/// The directory of the file that declares the kernel; the working directory if none does.
std::string getDirectory(dataflow::ExternOp op) {
  auto file = op.getLoc()->findInstanceOf<FileLineColLoc>();
  return file ? llvm::sys::path::parent_path(file.getFilename()).str() : "";
}

/// Names the header by its full path.
LogicalResult findHeader(dataflow::ExternOp op, StringRef sourceDirectory) {
  SmallString<128> path(op.getSource());
  if (!llvm::sys::path::is_absolute(path)) {
    path = sourceDirectory.empty() ? StringRef(getDirectory(op)) : sourceDirectory;
    llvm::sys::path::append(path, op.getSource());
    llvm::sys::fs::make_absolute(path);
  }
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  if (!llvm::sys::fs::is_regular_file(path))
    return op.emitOpError("[extern.source] there is no file '")
           << path << "' with the kernel @" << op.getSymName()
           << "; a header is named by its full path or relative to the program's file";
  op.setSource(path);
  return success();
}

LogicalResult findHeaders(ModuleOp module, StringRef sourceDirectory) {
  for (auto op : module.getOps<dataflow::ExternOp>())
    if (failed(findHeader(op, sourceDirectory)))
      return failure();
  return success();
}

struct ImportModulePass : streamtensor::impl::ImportModuleBase<ImportModulePass> {
  using ImportModuleBase::ImportModuleBase;

  void runOnOperation() override {
    FailureOr<func::FuncOp> entry = findEntry(getOperation());
    if (failed(entry) || failed(checkSignature(*entry)))
      return signalPassFailure();
    cropNegativePads(*entry);
    // Folding alone: it resolves tensor.dim and the assertions about shapes.
    if (failed(rewriteToFixpoint(*entry, RewritePatternSet(&getContext()))))
      return signalPassFailure();
    if (failed(dropAsserts(*entry)) || failed(checkConstants(*entry)) ||
        failed(dropUnusedSymbols(getOperation(), *entry)) ||
        failed(findHeaders(getOperation(), sourceDir)) || failed(setArgumentAttributes(*entry)))
      return signalPassFailure();
    entry->setSymName("main");
  }
};

} // namespace
