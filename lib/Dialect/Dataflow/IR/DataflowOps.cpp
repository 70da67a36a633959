//===- DataflowOps.cpp - Verifiers of the structural operations -----------===//
//
// Each law has a label, in brackets, that the pages of docs/rationale and the tests
// repeat.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

/// Maps are printed in place: after an operand an alias (`%b #map`) would read as a
/// result number.
static ParseResult parseAccessMap(OpAsmParser &parser, AffineMapAttr &map) {
  return parser.parseAttribute(map);
}

static void printAccessMap(OpAsmPrinter &printer, Operation *, AffineMapAttr map) {
  printer << "affine_map<";
  map.getValue().print(printer.getStream());
  printer << '>';
}

/// `["x" when #rows : !order as !token, ...]`
static ParseResult parseExternPorts(OpAsmParser &parser, ArrayAttr &ports) {
  SmallVector<Attribute> parsed;
  auto parsePort = [&]() -> ParseResult {
    std::string name;
    IntegerSetAttr guard;
    itensor::ITensorType order;
    StreamType token;
    llvm::SMLoc location = parser.getCurrentLocation();
    if (parser.parseString(&name) ||
        (succeeded(parser.parseOptionalKeyword("when")) && parser.parseAttribute(guard)) ||
        parser.parseColonType(order) || parser.parseKeyword("as") || parser.parseType(token))
      return failure();
    auto port =
        ExternPortAttr::getChecked([&] { return parser.emitError(location); }, parser.getContext(),
                                   parser.getBuilder().getStringAttr(name), order, token, guard);
    if (!port)
      return failure();
    parsed.push_back(port);
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, parsePort))
    return failure();
  ports = parser.getBuilder().getArrayAttr(parsed);
  return success();
}

static void printExternPorts(OpAsmPrinter &printer, Operation *, ArrayAttr ports) {
  printer << '[';
  llvm::interleaveComma(ports.getAsRange<ExternPortAttr>(), printer, [&](ExternPortAttr port) {
    printer << port.getName();
    if (port.getGuard())
      printer << " when " << port.getGuard();
    printer << " : " << port.getOrder() << " as " << port.getToken();
  });
  printer << ']';
}

static ParseResult parseTrips(OpAsmParser &parser, DenseI64ArrayAttr &trips) {
  SmallVector<int64_t> counts;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
        return parser.parseInteger(counts.emplace_back());
      }))
    return failure();
  trips = parser.getBuilder().getDenseI64ArrayAttr(counts);
  return success();
}

static void printTrips(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr trips) {
  printer << '[';
  llvm::interleaveComma(trips.asArrayRef(), printer);
  printer << ']';
}

#define GET_OP_CLASSES
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.cpp.inc"

//===----------------------------------------------------------------------===//
// Kernels and tasks
//===----------------------------------------------------------------------===//

/// Compares two lists of types one by one.
static LogicalResult verifySameTypes(Operation *op, StringRef label, TypeRange actual,
                                     TypeRange expected, StringRef what, StringRef reference) {
  if (actual.size() != expected.size())
    return op->emitOpError() << label << " has " << actual.size() << ' ' << what << " for "
                             << expected.size() << ' ' << reference;
  for (auto [index, type] : llvm::enumerate(actual))
    if (type != expected[index])
      return op->emitOpError() << label << ' ' << what << ' ' << index << " have type " << type
                               << ", the " << reference << " have type " << expected[index];
  return success();
}

static FailureOr<YieldOp> getYield(Operation *op, StringRef label) {
  Block &block = op->getRegion(0).front();
  if (auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back()))
    return yield;
  return op->emitOpError() << label << " the body must end with dataflow.yield";
}

LogicalResult KernelOp::verify() {
  constexpr StringRef label = "[kernel.types]";
  FailureOr<YieldOp> yield = getYield(*this, label);
  if (failed(yield) || failed(verifySameTypes(*this, label, getBody().front().getArgumentTypes(),
                                              getInputs().getTypes(), "block arguments", "inputs")))
    return failure();
  return verifySameTypes(*this, label, yield->getOperandTypes(), getResultTypes(), "yielded values",
                         "results");
}

LogicalResult TaskOp::verify() {
  constexpr StringRef label = "[task.types]";
  FailureOr<YieldOp> yield = getYield(*this, label);
  if (failed(yield) ||
      failed(verifySameTypes(*this, label, getBody().front().getArgumentTypes(),
                             getOuts().getTypes(), "block arguments", "outs")) ||
      failed(
          verifySameTypes(*this, label, getResultTypes(), getOuts().getTypes(), "results", "outs")))
    return failure();
  return verifySameTypes(*this, label, yield->getOperandTypes(), getResultTypes(), "yielded values",
                         "results");
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

static LogicalResult verifyPortTypes(LaunchOp launch, ArrayRef<PortOp> ports, TypeRange tensors,
                                     StringRef what) {
  if (ports.size() != tensors.size())
    return launch.emitOpError("[launch.ports] has ")
           << tensors.size() << ' ' << what << "s, design '" << launch.getDesign() << "' has "
           << ports.size() << " such ports";
  for (auto [index, type] : llvm::enumerate(tensors)) {
    auto tensor = cast<RankedTensorType>(type);
    PortType port = PortOp(ports[index]).getType();
    if (tensor.getShape() != port.getShape() || tensor.getElementType() != port.getElementType())
      return launch.emitOpError("[launch.ports] ")
             << what << ' ' << index << " has type " << tensor << ", port '"
             << PortOp(ports[index]).getName() << "' has type " << port;
  }
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto design = symbols.lookupNearestSymbolFrom<DesignOp>(*this, getDesignAttr());
  if (!design)
    return emitOpError("[launch.design] '") << getDesign() << "' is no dataflow.design";
  SmallVector<PortOp> inputs, outputs;
  for (PortOp port : design.getBody().getOps<PortOp>()) {
    if (port.isRead())
      inputs.push_back(port);
    if (port.isWritten())
      outputs.push_back(port);
  }
  if (failed(verifyPortTypes(*this, inputs, getInputs().getTypes(), "operand")))
    return failure();
  size_t scalars = llvm::range_size(design.getBody().getOps<ScalarOp>());
  if (getScalars().size() != scalars)
    return emitOpError("[launch.scalars] gives ")
           << getScalars().size() << " scalars, design '" << getDesign() << "' has " << scalars;
  return verifyPortTypes(*this, outputs, getResultTypes(), "result");
}
