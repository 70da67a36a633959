//===- Jit.cpp - Linalg through MLIR's own lowering -----------------------===//

#include "streamtensor/Interpreter/Jit.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/AllInterfaces.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/TensorInferTypeOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/Passes.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Interpreter/Interpreter.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

static void registerDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, linalg::LinalgDialect, LLVM::LLVMDialect, math::MathDialect,
                  ml_program::MLProgramDialect, scf::SCFDialect, tensor::TensorDialect>();
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(registry);
  cf::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerAllDialectInterfaceImplementations(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerInferTypeOpInterfaceExternalModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

namespace {
/// Copies become Linalg operations, hence loops: MLIR's own lowering calls a library.
struct LowerCopies : PassWrapper<LowerCopies, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerCopies)
  void runOnOperation() override {
    getOperation().walk([](memref::CopyOp op) {
      OpBuilder builder(op);
      linalg::CopyOp::create(builder, op.getLoc(), op.getSource(), op.getTarget());
      op.erase();
    });
  }
};
} // namespace

static void buildLowering(PassManager &pm) {
  // Arithmetic on tensors, and concatenations, have no buffers of their own.
  pm.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  pm.addNestedPass<func::FuncOp>(std::make_unique<LowerCopies>());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  // bf16 is computed in f32 and rounded after each operation.
  math::MathExtendToSupportedTypesOptions mathTypes;
  mathTypes.extraTypeStrs = {"f32"};
  pm.addPass(math::createMathExtendToSupportedTypes(mathTypes));
  arith::ArithEmulateUnsupportedFloatsOptions floats;
  floats.sourceTypeStrs = {"bf16", "f16"};
  floats.targetTypeStr = "f32";
  pm.addPass(arith::createArithEmulateUnsupportedFloats(floats));
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

/// Constants in resources become plain ones, which every lowering knows.
static void inlineResources(ModuleOp module) {
  module.walk([](arith::ConstantOp op) {
    auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue());
    ArrayPtr array = resource ? makeArray(ElementsAttr(resource)) : nullptr;
    if (!array)
      return;
    SmallVector<Attribute> elements;
    for (Word word : array->words) {
      APInt bits = getBits(word, array->elementType);
      if (auto floatType = dyn_cast<FloatType>(array->elementType))
        elements.push_back(FloatAttr::get(floatType, APFloat(floatType.getFloatSemantics(), bits)));
      else
        elements.push_back(IntegerAttr::get(array->elementType, bits));
    }
    op.setValueAttr(DenseElementsAttr::get(array->getType(), elements));
  });
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

namespace {

/// A tensor in memory as compiled code sees it: whole bytes per element, lowest first, and the
/// descriptor that MLIR passes around: two pointers, offset, extents, distances.
class Buffer {
public:
  explicit Buffer(const Array &array) {
    bytes = getBytes(array.elementType);
    data.resize(std::max<size_t>(1, bytes * array.words.size()));
    char *next = data.data();
    for (Word word : array.words) {
      uint64_t bits = array.elementType.isInteger(1) ? word.isTrue() : word.bits;
      std::memcpy(next, &bits, bytes);
      next += bytes;
    }
    auto address = reinterpret_cast<int64_t>(data.data());
    descriptor = {address, address, 0};
    llvm::append_range(descriptor, array.shape);
    llvm::append_range(descriptor, getStrides(array.shape));
  }
  int64_t *getDescriptor() { return descriptor.data(); }

  /// The elements behind a descriptor.
  static Array read(const int64_t *descriptor, RankedTensorType type) {
    Array array = *makeArray(type.getShape(), type.getElementType());
    unsigned bytes = getBytes(array.elementType), width = getWordWidth(array.elementType);
    const char *first = reinterpret_cast<const char *>(descriptor[1]);
    const int64_t *strides = descriptor + 3 + type.getRank();
    size_t next = 0;
    forEachIndex(type.getShape(), [&](ArrayRef<int64_t> index) {
      int64_t place = descriptor[2];
      for (size_t dim = 0; dim < index.size(); ++dim)
        place += index[dim] * strides[dim];
      uint64_t bits = 0;
      std::memcpy(&bits, first + place * bytes, bytes);
      array.words[next++] = getWord(APInt(64, bits).trunc(width), array.elementType);
    });
    return array;
  }
  static size_t getDescriptorWords(RankedTensorType type) { return 3 + 2 * type.getRank(); }

private:
  static unsigned getBytes(Type type) {
    return std::max<unsigned>(1, llvm::PowerOf2Ceil(llvm::divideCeil(getWordWidth(type), 8)));
  }
  unsigned bytes;
  std::vector<char> data;
  SmallVector<int64_t> descriptor;
};

} // namespace

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// The result types, which must be tensors of words.
static FailureOr<SmallVector<RankedTensorType>> getResultTypes(FunctionOpInterface entry) {
  SmallVector<RankedTensorType> types;
  for (Type type : entry.getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape() || !getWordWidth(tensor.getElementType()))
      return entry.emitOpError("returns ")
             << type << "; MLIR's own lowering is run on tensors of fixed shape only";
    types.push_back(tensor);
  }
  return types;
}

/// The module as text in a context that knows how to lower it, lowered.
/// MLIR knows no hand-written kernels: each becomes what its reference computes.
static void inlineReferences(ModuleOp module) {
  module.walk([](dataflow::ExternTaskOp task) {
    auto declaration =
        SymbolTable::lookupNearestSymbolFrom<dataflow::ExternOp>(task, task.getCalleeAttr());
    Block &body = declaration.getReference().front();
    OpBuilder builder(task);
    IRMapping mapping;
    mapping.map(body.getArguments(), task.getInputs());
    for (Operation &op : body.without_terminator())
      builder.clone(op, mapping);
    for (auto [result, yielded] :
         llvm::zip_equal(task.getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(mapping.lookupOrDefault(yielded));
    task.erase();
  });
  for (auto declaration : llvm::make_early_inc_range(module.getOps<dataflow::ExternOp>()))
    declaration.erase();
}

static OwningOpRef<ModuleOp> lower(ModuleOp module, FunctionOpInterface entry,
                                   MLIRContext &context) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OwningOpRef<ModuleOp> copy = module.clone();
  dataflow::dropDevice(*copy);
  inlineReferences(*copy);
  inlineResources(*copy);
  for (auto function : copy->getOps<func::FuncOp>())
    if (function.getSymName() == entry.getName())
      function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                        UnitAttr::get(module.getContext()));
  copy->print(stream);
  OwningOpRef<ModuleOp> lowered = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  if (!lowered)
    return nullptr;
  PassManager pm(&context);
  buildLowering(pm);
  if (failed(pm.run(*lowered)))
    return nullptr;
  return lowered;
}

/// Calls the entry's C wrapper: the descriptors of the results come first, as one structure.
static FailureOr<SmallVector<Array>> callCompiled(ExecutionEngine &engine,
                                                  FunctionOpInterface entry,
                                                  ArrayRef<RankedTensorType> types,
                                                  ArrayRef<Array> arguments) {
  size_t resultWords = 0;
  for (RankedTensorType type : types)
    resultWords += Buffer::getDescriptorWords(type);
  std::vector<int64_t> results(resultWords);
  std::vector<Buffer> buffers(arguments.begin(), arguments.end());
  SmallVector<void *> pointers;
  if (!results.empty())
    pointers.push_back(results.data());
  for (Buffer &buffer : buffers)
    pointers.push_back(buffer.getDescriptor());
  SmallVector<void *> packed;
  for (void *&pointer : pointers)
    packed.push_back(&pointer);
  std::string name = ("_mlir_ciface_" + entry.getName()).str();
  if (llvm::Error error = engine.invokePacked(name, packed))
    return entry.emitOpError("cannot be run: ") << llvm::toString(std::move(error));

  SmallVector<Array> arrays;
  const int64_t *descriptor = results.data();
  for (RankedTensorType type : types) {
    arrays.push_back(Buffer::read(descriptor, type));
    descriptor += Buffer::getDescriptorWords(type);
  }
  return arrays;
}

FailureOr<SmallVector<Array>> interpreter::runWithJit(ModuleOp module, ArrayRef<Array> arguments) {
  FailureOr<FunctionOpInterface> entry = getEntry(module);
  if (failed(entry))
    return failure();
  FailureOr<SmallVector<RankedTensorType>> types = getResultTypes(*entry);
  if (failed(types))
    return failure();
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string errors;
  ScopedDiagnosticHandler collect(&context, [&](Diagnostic &diagnostic) {
    if (errors.empty())
      llvm::raw_string_ostream(errors) << diagnostic;
    return success();
  });
  OwningOpRef<ModuleOp> lowered = lower(module, *entry, context);
  if (!lowered)
    return entry->emitOpError("cannot be lowered by MLIR: ") << errors;

  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::Expected<std::unique_ptr<ExecutionEngine>> engine = ExecutionEngine::create(*lowered);
  if (!engine)
    return entry->emitOpError("cannot be compiled by LLVM: ") << llvm::toString(engine.takeError());

  return callCompiled(**engine, *entry, *types, arguments);
}
