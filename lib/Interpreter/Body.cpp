//===- Body.cpp - A straight-line body, compiled to steps -----------------===//

#include "Body.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "streamtensor/Support/Affine.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;

LogicalResult streamtensor::interpreter::rejectUnknown(Operation *op) {
  return op->emitError("the interpreter does not know '")
         << op->getName()
         << "' on these types; it executes Linalg on tensors, itensors and designs, with bodies of "
            "arith and math";
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// The words of a value: how many, and what each of them is.
static std::pair<int64_t, Type> getWords(Type type) {
  // An integer of more than 64 bits, a packed token, lies in pieces.
  if (auto wide = dyn_cast<IntegerType>(type); wide && wide.getWidth() > 64)
    return {llvm::divideCeil(wide.getWidth(), 64), IntegerType::get(type.getContext(), 64)};
  auto shaped = dyn_cast<ShapedType>(type);
  return {shaped ? shaped.getNumElements() : 1, getElementTypeOrSelf(type)};
}

Registers Body::allocate(Type type) {
  // The members of a tuple stand one after the other.
  auto tuple = dyn_cast<TupleType>(type);
  SmallVector<Type> members = tuple ? llvm::to_vector(tuple.getTypes()) : SmallVector<Type>{type};
  int64_t lanes = 0;
  for (Type member : members)
    lanes += getWords(member).first;
  Registers place{memory.Allocate(lanes), lanes};
  Word *next = place.words;
  for (Type member : members) {
    auto [count, word] = getWords(member);
    next = std::fill_n(next, count, getPoison(word));
  }
  return place;
}

Registers Body::bindShared(Value value) {
  auto [it, isNew] = registers.try_emplace(value);
  if (isNew)
    it->second = allocate(value.getType());
  return it->second;
}

Registers Body::bind(Value value) {
  if (width == 1 || registers.contains(value))
    return bindShared(value);
  return registers[value] = {memory.Allocate(width), width};
}

/// Gives a constant registers that already hold it.
bool Body::bindConstant(Value value) {
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return false;
  if (auto elements = dyn_cast<ElementsAttr>(attribute)) {
    ArrayPtr array = makeArray(elements);
    if (!array)
      return false;
    llvm::copy(array->words, bindShared(value).words);
    return true;
  }
  if (!isa<FloatAttr, IntegerAttr>(attribute))
    return false;
  *bindShared(value).words = getWord(attribute);
  return true;
}

Registers Body::use(Value value) {
  auto it = registers.find(value);
  if (it != registers.end())
    return it->second;
  if (bindConstant(value))
    return registers.lookup(value);
  Registers place = bindShared(value);
  captures.push_back({value, place});
  return place;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

namespace {

/// The word of an operand in a lane; shared operands have one word.
Word &getLane(const Registers &registers, int64_t lane) {
  return registers.words[registers.lanes == 1 ? 0 : lane];
}

struct AffineStep : Step {
  AffineStep(AffineMap map, Registers result, ArrayRef<Registers> operands)
      : map(map), result(result), operands(operands), values(operands.size()) {}
  void run() override {
    ArrayRef<int64_t> all(values);
    for (int64_t lane = 0; lane < result.lanes; ++lane) {
      for (auto [value, operand] : llvm::zip_equal(values, operands))
        value = getLane(operand, lane).asInteger();
      result.words[lane] = Word::of(evaluate(map.getResult(0), all.take_front(map.getNumDims()),
                                             all.drop_front(map.getNumDims())));
    }
  }
  AffineMap map;
  Registers result;
  SmallVector<Registers> operands;
  SmallVector<int64_t> values;
};

/// One element of a tensor from outside the body; the nearest one where the program leaves open
/// what lies outside, as [leaf.row] has it.
struct ExtractStep : Step {
  ExtractStep(std::shared_ptr<ArrayPtr> tensor, Registers result, ArrayRef<Registers> indices)
      : tensor(std::move(tensor)), result(result), indices(indices) {}
  void run() override {
    for (int64_t lane = 0; lane < result.lanes; ++lane) {
      int64_t place = 0;
      for (auto [index, extent] : llvm::zip_equal(indices, (*tensor)->shape)) {
        int64_t position = std::clamp<int64_t>(getLane(index, lane).asInteger(), 0, extent - 1);
        place = place * extent + position;
      }
      result.words[lane] = (*tensor)->words[place];
    }
  }
  std::shared_ptr<ArrayPtr> tensor;
  Registers result;
  SmallVector<Registers> indices;
};

} // namespace

LogicalResult Body::addExtract(Operation *op) {
  auto extract = cast<tensor::ExtractOp>(op);
  auto cell = std::make_shared<ArrayPtr>();
  tensors.push_back({extract.getTensor(), cell});
  SmallVector<Registers> indices;
  for (Value index : extract.getIndices())
    indices.push_back(use(index));
  append(std::make_unique<ExtractStep>(cell, bind(extract.getResult()), indices));
  return success();
}

LogicalResult Body::add(Operation *op) {
  if (op->getNumResults() == 1 && bindConstant(op->getResult(0)))
    return success();
  if (isa<tensor::ExtractOp>(op))
    return addExtract(op);
  if (isa<cf::AssertOp>(op))
    return success(); // About the row of a lookup, which is clamped.
  bool isKnown = op->getNumRegions() == 0 && op->getNumResults() == 1 &&
                 getWordWidth(getElementTypeOrSelf(op->getResult(0).getType())) != 0;
  SmallVector<Registers> operands;
  if (isKnown)
    for (Value operand : op->getOperands())
      operands.push_back(use(operand));
  StepPtr step;
  if (isKnown) {
    Registers result = bind(op->getResult(0));
    if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
      step = std::make_unique<AffineStep>(apply.getAffineMap(), result, operands);
    else if (isa<vector::VectorDialect>(op->getDialect()))
      step = makeLaneMove(op, result, operands);
    else
      step = makeArithmetic(op, result, operands, fault);
  }
  if (!step)
    return rejectUnknown(op);
  append(std::move(step));
  return success();
}
