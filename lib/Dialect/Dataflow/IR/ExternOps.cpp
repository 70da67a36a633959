//===- ExternOps.cpp - Kernels that the user wrote by hand ----------------===//
//
// The declaration, its use on tensors and on FIFOs, and its leaf task. Each law has a label,
// in brackets, that docs/rationale/dataflow.md and the tests repeat.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

#include "streamtensor/Dialect/Dataflow/IR/IterationBox.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

/// Is it `name` or, with namespaces, `space::name`?
static bool isCppName(StringRef text, bool allowsNamespaces) {
  SmallVector<StringRef> parts;
  text.split(parts, "::");
  if (parts.size() > 1 && !allowsNamespaces)
    return false;
  return llvm::all_of(parts, [](StringRef part) {
    return !part.empty() && !llvm::isDigit(part.front()) &&
           llvm::all_of(part, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  });
}

//===----------------------------------------------------------------------===//
// Ports
//===----------------------------------------------------------------------===//

LogicalResult ExternPortAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringAttr name,
                                     itensor::ITensorType order, StreamType token, IntegerSetAttr) {
  if (!isCppName(name.getValue(), /*allowsNamespaces=*/false))
    return emitError() << "[extern.ports] '" << name.getValue() << "' is no name of a port";
  if (token.getDepth() != 0)
    return emitError() << "[extern.ports] port '" << name.getValue()
                       << "': the size phase chooses depths, leave it out of the stream type";
  if (failed(getTokenLanes(token.getElementType(), order)))
    return emitError() << "[extern.token] port '" << name.getValue() << "': a token of "
                       << token.getElementType()
                       << " does not hold a whole part of each row of a tile of "
                       << order.getTokenType()
                       << "; take a vector of lanes that divide the row, or an integer of as many "
                          "bits";
  return success();
}

int64_t ExternPortAttr::getLanes() const {
  return *getTokenLanes(getToken().getElementType(), getOrder());
}

int64_t ExternPortAttr::getNumTokens() const {
  return getOrder().getNumTokens() * (getOrder().getTokenElements() / getLanes());
}

SmallVector<ExternPortAttr> ExternOp::getInputPorts() {
  return llvm::to_vector(getInputs().getAsRange<ExternPortAttr>());
}

SmallVector<ExternPortAttr> ExternOp::getOutputPorts() {
  return llvm::to_vector(getOutputs().getAsRange<ExternPortAttr>());
}

double ExternOp::getResource(StringRef kind) {
  auto count = getResources() ? getResources()->getAs<IntegerAttr>(kind) : IntegerAttr();
  return count ? static_cast<double>(count.getInt()) : 0;
}

//===----------------------------------------------------------------------===//
// Declaration
//===----------------------------------------------------------------------===//

static std::optional<IntegerSet> getGuard(ExternPortAttr port) {
  return port.getGuard() ? std::optional(port.getGuard().getValue()) : std::nullopt;
}

/// The guard is a box of the nest with an iteration for each token.
static LogicalResult verifyTokens(ExternOp op, ExternPortAttr port) {
  std::optional<IterationBox> box = getGuardBox(getGuard(port), op.getNest());
  if (!box)
    return op.emitOpError("[extern.nest] port '")
           << port.getName().getValue() << "': the guard must be a set over the "
           << op.getNest().size()
           << " indices of the nest, each constraint comparing one of them with a constant";
  int64_t iterations = box->getNumIterations();
  if (iterations == port.getNumTokens())
    return success();
  return op.emitOpError("[extern.nest] port '")
         << port.getName().getValue() << "' moves " << port.getNumTokens()
         << " tokens, but a token in " << iterations << " iterations of the nest; change the nest "
         << "or the port's 'when'";
}

static LogicalResult verifyPorts(ExternOp op) {
  llvm::StringSet<> names;
  for (ExternPortAttr port :
       llvm::concat<ExternPortAttr>(op.getInputPorts(), op.getOutputPorts())) {
    if (!names.insert(port.getName().getValue()).second)
      return op.emitOpError("[extern.ports] a second port is named '")
             << port.getName().getValue() << "'";
    if (failed(verifyTokens(op, port)))
      return failure();
  }
  if (op.getOutputs().empty())
    return op.emitOpError("[extern.ports] gives nothing, so nothing would run it");
  for (ExternPortAttr port : op.getOutputPorts())
    if (!itensor::isExactCover(port.getOrder()))
      return op.emitOpError("[extern.ports] output '")
             << port.getName().getValue() << "' must give each element of its data once";
  return success();
}

static LogicalResult verifySchedule(ExternOp op) {
  for (int64_t trips : op.getNest())
    if (trips < 1)
      return op.emitOpError("[extern.nest] a loop makes ")
             << trips << " trips, it must make at least one";
  int64_t ii = op.getIi(), delay = op.getDelay();
  if (ii < 1 || delay < 0)
    return op.emitOpError("[extern.schedule] 'ii' is at least 1 cycle and 'delay' at least 0, not ")
           << ii << " and " << delay;
  for (NamedAttribute resource : op.getResources().value_or(DictionaryAttr::get(op.getContext()))) {
    auto count = dyn_cast<IntegerAttr>(resource.getValue());
    bool isKnown =
        llvm::is_contained({"lut", "ff", "dsp", "bram36", "uram"}, resource.getName().getValue());
    if (!isKnown || !count || count.getInt() < 0)
      return op.emitOpError("[extern.schedule] resource '")
             << resource.getName().getValue()
             << "': resources are counts of lut, ff, dsp, bram36 and uram";
  }
  return success();
}

LogicalResult ExternOp::verify() {
  if (!isCppName(getFunctionName(), /*allowsNamespaces=*/true))
    return emitOpError("[extern.source] '")
           << getFunctionName() << "' is no name of a C++ function";
  if (getSource().empty())
    return emitOpError("[extern.source] names no header");
  Block &block = getReference().front();
  if (block.empty() || !isa<YieldOp>(block.back()))
    return emitOpError("[extern.reference] the reference must end with dataflow.yield");
  if (failed(verifySchedule(*this)))
    return failure();
  return verifyPorts(*this);
}

/// The reference computes on the tensors behind the ports.
static LogicalResult verifyTensors(ExternOp op, TypeRange types, ArrayRef<ExternPortAttr> ports,
                                   StringRef what) {
  if (types.size() != ports.size())
    return op.emitOpError("[extern.reference] the reference has ")
           << types.size() << ' ' << what << "s for " << ports.size() << " ports";
  for (auto [type, port] : llvm::zip_equal(types, ports))
    if (type != port.getOrder().getDataType())
      return op.emitOpError("[extern.reference] port '")
             << port.getName().getValue() << "' carries " << port.getOrder().getDataType()
             << ", the reference's " << what << " has type " << type;
  return success();
}

LogicalResult ExternOp::verifyRegions() {
  Block &block = getReference().front();
  auto yield = cast<YieldOp>(block.back());
  if (failed(verifyTensors(*this, block.getArgumentTypes(), getInputPorts(), "argument")))
    return failure();
  return verifyTensors(*this, yield.getOperandTypes(), getOutputPorts(), "result");
}

//===----------------------------------------------------------------------===//
// Use
//===----------------------------------------------------------------------===//

static FailureOr<ExternOp> getDeclaration(Operation *op, FlatSymbolRefAttr callee,
                                          SymbolTableCollection &symbols) {
  if (auto declaration = symbols.lookupNearestSymbolFrom<ExternOp>(op, callee))
    return declaration;
  return op->emitOpError("[extern.declared] '") << callee.getValue() << "' is no dataflow.extern";
}

/// The ports as the task reaches them: whole tensors or FIFOs.
static LogicalResult verifyTypes(Operation *op, TypeRange types, ArrayRef<ExternPortAttr> ports,
                                 bool onTensors, StringRef what) {
  if (types.size() != ports.size())
    return op->emitOpError("[extern.task] has ")
           << types.size() << ' ' << what << "s, the declaration has " << ports.size();
  for (auto [type, port] : llvm::zip_equal(types, ports)) {
    Type expected = onTensors ? Type(port.getOrder().getDataType()) : Type(port.getToken());
    if (type != expected)
      return op->emitOpError("[extern.task] ")
             << what << " '" << port.getName().getValue() << "' has type " << type
             << ", the declaration says " << expected;
  }
  return success();
}

LogicalResult ExternTaskOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<ExternOp> declaration = getDeclaration(*this, getCalleeAttr(), symbols);
  if (failed(declaration))
    return failure();
  bool onTensors = !(*this)->getParentOfType<KernelOp>();
  if (failed(verifyTypes(*this, getInputs().getTypes(), declaration->getInputPorts(), onTensors,
                         "input")) ||
      failed(
          verifyTypes(*this, getResultTypes(), declaration->getOutputPorts(), onTensors, "result")))
    return failure();
  for (Value result : getResults())
    if (!onTensors && !result.use_empty() && !result.hasOneUse())
      return emitOpError("[bridge.once] a FIFO has several readers, it can have one; fork the "
                         "itensor behind it");
  return success();
}

/// On tensors it is pure. FIFOs are taken from and made, so equal tasks stay two.
void ExternTaskOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand &input : getInputsMutable())
    if (isa<StreamType>(input.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &input);
  for (OpResult result : getOperation()->getResults())
    if (isa<StreamType>(result.getType()))
      effects.emplace_back(MemoryEffects::Allocate::get(), result);
}

//===----------------------------------------------------------------------===//
// Leaf task
//===----------------------------------------------------------------------===//

static bool hasGuard(std::optional<IntegerSet> guard, ExternPortAttr port) {
  return guard == getGuard(port);
}

/// The leaf of a hand-written kernel says what its declaration says, and nothing else.
static LogicalResult verifyLeaf(ExternStepOp step, ExternOp declaration) {
  auto leaf = cast<LeafOp>(step->getParentOp());
  auto reject = [&](const Twine &what) {
    return step.emitOpError("[leaf.extern] ") << what << " of @" << declaration.getSymName();
  };
  if (leaf.getTrips() != declaration.getNest() || !leaf.getPrivates().empty() ||
      leaf.getNumOperands() != 0)
    return reject("the leaf is not the nest");
  size_t accesses = step.getNumOperands() + step.getNumResults();
  if (leaf.getBlock().getOperations().size() != accesses + 1)
    return reject("the leaf must hold one read per input, the step, and one write per output");
  for (auto [value, port] : llvm::zip_equal(step.getInputs(), declaration.getInputPorts())) {
    auto read = value.getDefiningOp<StreamReadOp>();
    if (!read || !hasGuard(read.getGuard(), port))
      return reject("input '" + port.getName().getValue() + "' is not read as the port");
  }
  for (auto [value, port] : llvm::zip_equal(step.getResults(), declaration.getOutputPorts())) {
    auto write = value.hasOneUse() ? dyn_cast<StreamWriteOp>(*value.user_begin()) : StreamWriteOp();
    if (!write || !hasGuard(write.getGuard(), port))
      return reject("output '" + port.getName().getValue() + "' is not written as the port");
  }
  return success();
}

static LogicalResult verifyTokenTypes(ExternStepOp step, TypeRange types,
                                      ArrayRef<ExternPortAttr> ports, StringRef what) {
  if (types.size() != ports.size())
    return step.emitOpError("[leaf.extern] has ")
           << types.size() << ' ' << what << "s, the declaration has " << ports.size();
  for (auto [type, port] : llvm::zip_equal(types, ports))
    if (type != port.getToken().getElementType())
      return step.emitOpError("[leaf.extern] ")
             << what << " '" << port.getName().getValue() << "' has type " << type
             << ", the declaration says " << port.getToken().getElementType();
  return success();
}

LogicalResult ExternStepOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<ExternOp> declaration = getDeclaration(*this, getCalleeAttr(), symbols);
  if (failed(declaration) ||
      failed(
          verifyTokenTypes(*this, getInputs().getTypes(), declaration->getInputPorts(), "input")) ||
      failed(verifyTokenTypes(*this, getResultTypes(), declaration->getOutputPorts(), "output")))
    return failure();
  return verifyLeaf(*this, *declaration);
}
