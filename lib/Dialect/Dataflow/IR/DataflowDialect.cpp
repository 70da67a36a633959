//===- DataflowDialect.cpp - Registration and types of the dialect --------===//

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

#include "DeviceInterfaces.h"
#include "KnownDistances.h"
#include "streamtensor/Dialect/Program/IR/Program.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/FoldUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace streamtensor::dataflow;

#include "streamtensor/Dialect/Dataflow/IR/DataflowDialect.cpp.inc"
#include "streamtensor/Dialect/Dataflow/IR/DataflowEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "streamtensor/Dialect/Dataflow/IR/DataflowAttributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "streamtensor/Dialect/Dataflow/IR/DataflowTypes.cpp.inc"

namespace {
/// Constants that folding finds in a leaf stay in it: a design holds none.
struct LeafFolder : DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;
  bool shouldMaterializeInto(Region *region) const override {
    return isa<LeafOp, NestOp>(region->getParentOp());
  }
};
} // namespace

void DataflowDialect::initialize() {
  addDeviceInterfaces(*this);
  addKnownDistances(*this);
  addInterfaces<LeafFolder>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "streamtensor/Dialect/Dataflow/IR/DataflowAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "streamtensor/Dialect/Dataflow/IR/DataflowTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Memory types: `<16x64xf32>`
//===----------------------------------------------------------------------===//

template <typename MemoryType> static Type parseMemoryType(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  llvm::SMLoc location = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false, /*withTrailingX=*/true) ||
      parser.parseType(elementType) || parser.parseGreater())
    return {};
  return MemoryType::getChecked([&] { return parser.emitError(location); }, parser.getContext(),
                                ArrayRef<int64_t>(shape), elementType);
}

template <typename MemoryType> static void printMemoryType(MemoryType type, AsmPrinter &printer) {
  printer << '<';
  for (int64_t extent : type.getShape())
    printer << extent << 'x';
  printer << type.getElementType() << '>';
}

Type BufferType::parse(AsmParser &parser) { return parseMemoryType<BufferType>(parser); }
void BufferType::print(AsmPrinter &printer) const { printMemoryType(*this, printer); }
Type PortType::parse(AsmParser &parser) { return parseMemoryType<PortType>(parser); }
void PortType::print(AsmPrinter &printer) const { printMemoryType(*this, printer); }
Type PrivateType::parse(AsmParser &parser) { return parseMemoryType<PrivateType>(parser); }
void PrivateType::print(AsmPrinter &printer) const { printMemoryType(*this, printer); }

//===----------------------------------------------------------------------===//
// Laws of the types
//===----------------------------------------------------------------------===//

using EmitError = function_ref<InFlightDiagnostic()>;

/// An integer, a float or an index; i0 is nothing that could be sent or stored.
static bool isScalar(Type type) {
  return isa<IntegerType, FloatType, IndexType>(type) && !type.isInteger(0);
}

/// A scalar, or the lanes of a vector.
static bool isScalarOrLine(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return isScalar(type) || (vector && vector.getRank() == 1 && !vector.isScalable() &&
                            isScalar(vector.getElementType()));
}

LogicalResult StreamType::verify(EmitError emitError, Type elementType, int64_t depth) {
  auto tuple = dyn_cast<TupleType>(elementType);
  bool isToken = tuple ? tuple.size() > 0 && llvm::all_of(tuple.getTypes(), isScalarOrLine)
                       : isScalarOrLine(elementType);
  if (!isToken)
    return emitError() << "[dataflow.stream] a token is a scalar, a one-dimensional vector or a "
                          "tuple of these, not "
                       << elementType;
  if (depth < 0)
    return emitError() << "[dataflow.stream] the depth is " << depth
                       << ", it must be a number of slots, or 0 for a FIFO not yet sized";
  return success();
}

static LogicalResult verifyMemory(EmitError emitError, ArrayRef<int64_t> shape, Type elementType) {
  auto vector = dyn_cast<VectorType>(elementType);
  if (!isScalar(vector ? vector.getElementType() : elementType))
    return emitError() << "[dataflow.memory] elements are scalars or vectors, not " << elementType;
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (extent < 1)
      return emitError() << "[dataflow.memory] extent " << dim << " is " << extent
                         << ", it must be at least 1";
  return success();
}

LogicalResult BufferType::verify(EmitError emitError, ArrayRef<int64_t> shape, Type elementType) {
  return verifyMemory(emitError, shape, elementType);
}
LogicalResult PortType::verify(EmitError emitError, ArrayRef<int64_t> shape, Type elementType) {
  return verifyMemory(emitError, shape, elementType);
}
LogicalResult PrivateType::verify(EmitError emitError, ArrayRef<int64_t> shape, Type elementType) {
  return verifyMemory(emitError, shape, elementType);
}
