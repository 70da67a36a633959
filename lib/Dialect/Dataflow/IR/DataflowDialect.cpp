//===- DataflowDialect.cpp - Registration and types of the dialect --------===//

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace streamtensor::dataflow;

#include "streamtensor/Dialect/Dataflow/IR/DataflowDialect.cpp.inc"
#include "streamtensor/Dialect/Dataflow/IR/DataflowEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "streamtensor/Dialect/Dataflow/IR/DataflowAttributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "streamtensor/Dialect/Dataflow/IR/DataflowTypes.cpp.inc"

void DataflowDialect::initialize() {
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

template <typename MemoryType>
static Type parseMemoryType(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false, /*withTrailingX=*/true) ||
      parser.parseType(elementType) || parser.parseGreater())
    return {};
  return MemoryType::get(parser.getContext(), shape, elementType);
}

template <typename MemoryType>
static void printMemoryType(MemoryType type, AsmPrinter &printer) {
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
