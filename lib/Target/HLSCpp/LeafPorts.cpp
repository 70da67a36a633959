//===- LeafPorts.cpp - Words between a leaf task and its ports ------------===//
//
// A port moves whole words, as its accesses state. A word that is a token is one assignment; else
// elements are taken out of words, or put into them, lane by lane.
//
//===----------------------------------------------------------------------===//

#include "LeafBody.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::target;
using namespace streamtensor::dataflow;

bool target::isToken(WordsAttr words, PortArgument &port) {
  return words.getCount() == 1 && words.getUsed() == words.getLanes() && port.storageBits() >= 8 &&
         bitWidth(port.elementType()) == port.storageBits();
}

/// The words before the row that the data decide, as a summand; empty if they do not.
FailureOr<std::string> LeafBody::rowOffset(LoadOp op, int64_t lanes) {
  if (!op.getRow())
    return std::string();
  flush();
  auto row = expression(op.getRow(), {});
  if (failed(row))
    return failure();
  ArrayRef<int64_t> shape = cast<PortType>(op.getMemory().getType()).getShape();
  int64_t words = llvm::product_of(shape.drop_front()) / lanes;
  std::string factor = words == 1 ? "" : " * " + std::to_string(words);
  return llvm::formatv("st::clamp_row({0}, {1}){2} + ", row->text, shape.front(), factor).str();
}

/// `x[3 * i0 + i1]`: the first word of the access at `map`.
FailureOr<std::string> LeafBody::wordAt(Operation *op, AffineMap map, PortArgument &port) {
  auto load = dyn_cast<LoadOp>(op);
  FailureOr<std::string> row = load ? rowOffset(load, port.lanes) : std::string();
  if (failed(row))
    return failure();
  SmallVector<AffineExpr> indices =
      llvm::map_to_vector(map.getResults(), [&](AffineExpr e) { return inLoops(e); });
  AffineExpr position = linearise(indices, port.port.getType().getShape(), context);
  return port.name + "[" + *row + cppAffine(position.floorDiv(port.lanes), affine);
}

/// Where the element at `lanes` of an access lies in the local words `name`: in its own place, or
/// some bits up in a byte.
LeafBody::PlaceInWords LeafBody::placeInWords(const std::string &name, WordsAttr words,
                                              ArrayRef<int64_t> shape, Lanes lanes,
                                              PortArgument &port) {
  AffineExpr position = linearise(lanes, shape, context);
  std::string word = words.getCount() == 1
                         ? ""
                         : "[" + cppAffine(position.floorDiv(words.getUsed()), affine) + "]";
  AffineExpr lane = position % words.getUsed();
  int64_t bits = port.storageBits();
  if (bits >= 8)
    return {name + word + "[" + cppAffine(lane, affine) + "]", ""};
  return {name + word + "[" + cppAffine(lane.floorDiv(8 / bits), affine) + "]",
          cppAffine((lane % (8 / bits)) * bits, affine)};
}

/// Moves the words of an access between the port and the local `name`.
void LeafBody::moveWords(const std::string &name, const std::string &at, int64_t count,
                         bool loads) {
  std::string local = name, port = at + "]", index;
  if (count > 1) {
    index = names.unique("word");
    local += "[" + index + "]";
    port = at + " + " + index + "]";
    out->open(llvm::formatv("for (int {0} = 0; {0} < {1}; ++{0})", index, count).str());
    out->pragma("unroll");
  }
  out->line(loads ? local + " = " + port + ";" : port + " = " + local + ";");
  if (count > 1)
    out->close();
}

LogicalResult LeafBody::emitWideLoad(LoadOp op, PortArgument &port) {
  Expression guard = op.getGuard() ? condition(*op.getGuard()) : Expression{"true"};
  FailureOr<std::string> at = wordAt(op, op.getMap(), port);
  if (failed(at))
    return failure();
  WordsAttr words = getWords(op);
  if (!isToken(words, port))
    return emitWords(op, port, guard, *at);
  std::string type = port.wordType(), name = names.unique(wish(op));
  variables[op.getResult()] = {name, /*flat=*/true};
  if (guard.text == "true") {
    out->line("const " + type + " " + name + " = " + *at + "];");
    return success();
  }
  topLines.push_back({type + " " + name + ";", name});
  out->open("if (" + guard.text + ")");
  out->line(name + " = " + *at + "];");
  out->close();
  return success();
}

/// Reads the words of a load and takes the elements out of them.
LogicalResult LeafBody::emitWords(LoadOp op, PortArgument &port, const Expression &guard,
                                  const std::string &at) {
  WordsAttr words = getWords(op);
  ArrayRef<int64_t> shape = laneShape(op.getType());
  std::string name = names.unique(port.name + "_word");
  if (guard.text != "true") {
    declare(op.getResult(), wish(op), /*held=*/true);
    openGuard(guard);
  }
  flush();
  if (words.getCount() == 1) {
    out->line("const " + port.wordType() + " " + name + " = " + at + "];");
  } else {
    out->line(port.wordType() + " " + name + dimensions(words.getCount()) + ";");
    moveWords(name, at, words.getCount(), /*loads=*/true);
  }
  bool fillsBytes = bitWidth(port.elementType()) == port.storageBits();
  std::string type = cppScalarType(port.elementType());
  LogicalResult taken = statement(
      shape,
      [&](Lanes lanes) -> FailureOr<std::string> {
        auto [element, shift] = placeInWords(name, words, shape, lanes, port);
        if (!shift.empty())
          return type + "(" + element + " >> (" + shift + "))";
        return fillsBytes ? element : type + "(" + element + ")";
      },
      op.getResult());
  if (guard.text != "true")
    closeGuard(guard);
  return taken;
}

LogicalResult LeafBody::emitWideStore(StoreOp op, PortArgument &port) {
  Expression guard = op.getGuard() ? condition(*op.getGuard()) : Expression{"true"};
  if (guard.text == "false")
    return success();
  openGuard(guard);
  WordsAttr words = getWords(op);
  FailureOr<std::string> word =
      isToken(words, port) ? token(op.getValue(), port.name + "_word") : gatherWords(op, port);
  flush();
  FailureOr<std::string> at = wordAt(op, op.getMap(), port);
  if (failed(word) || failed(at))
    return failure();
  moveWords(*word, *at, words.getCount(), /*loads=*/false);
  closeGuard(guard);
  return success();
}

/// The words of a store, with zeros as padding.
FailureOr<std::string> LeafBody::gatherWords(StoreOp op, PortArgument &port) {
  WordsAttr words = getWords(op);
  ArrayRef<int64_t> shape = laneShape(op.getValue().getType());
  std::string name = names.unique(port.name + "_word");
  flush();
  out->line(port.wordType() + " " + name +
            (words.getCount() == 1 ? "" : dimensions(words.getCount())) + "{};");
  LogicalResult put = statement(shape, [&](Lanes lanes) -> FailureOr<std::string> {
    auto value = expression(op.getValue(), lanes);
    if (failed(value))
      return failure();
    auto [element, shift] = placeInWords(name, words, shape, lanes, port);
    if (shift.empty())
      return element + " = " + value->text;
    return llvm::formatv("{0} |= std::uint8_t(ap_uint<{1}>({2})) << ({3})", element,
                         port.storageBits(), value->text, shift)
        .str();
  });
  if (failed(put))
    return failure();
  return name;
}
