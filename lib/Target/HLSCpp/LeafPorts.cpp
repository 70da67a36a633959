//===- LeafPorts.cpp - Words between a leaf task and its ports ------------===//
//
// A port moves whole words, as its accesses state. A word that is a token is one assignment; else
// elements are taken out of words, or put into them, lane by lane.
//
//===----------------------------------------------------------------------===//

#include "LeafBody.h"

#include "streamtensor/Dialect/Dataflow/IR/Stripes.h"
#include "streamtensor/Support/BitWidth.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::target;
using namespace streamtensor::dataflow;

bool target::isToken(AccessOpInterface op, PortArgument &port) {
  WordsAttr words = op.getWordsAttr();
  return words.getCount() == 1 && words.getUsed() == words.getLanes() &&
         countMovedStripes(op) == 1 && port.storageBits() >= 8 &&
         getBitWidth(port.elementType()) == port.storageBits();
}

/// The words before the row that the data decide, as a summand; empty if they do not.
FailureOr<std::string> LeafBody::rowOffset(LoadOp op) {
  if (!op.getRow())
    return std::string();
  flush();
  auto row = expression(op.getRow(), {});
  if (failed(row))
    return failure();
  PortArgument *port = model.argument(op);
  ArrayRef<int64_t> shape = port->port.getStripeType().getShape();
  int64_t words = llvm::product_of(shape.drop_front()) / port->lanes;
  std::string factor = words == 1 ? "" : " * " + std::to_string(words);
  return llvm::formatv("st::clamp_row({0}, {1}){2} + ", row->text, shape.front(), factor).str();
}

/// `x[3 * i0 + i1`: the first word of the access.
FailureOr<std::string> LeafBody::wordAt(AccessOpInterface op, PortArgument &port) {
  auto load = dyn_cast<LoadOp>(op.getOperation());
  FailureOr<std::string> row = load ? rowOffset(load) : std::string();
  if (failed(row))
    return failure();
  SmallVector<AffineExpr> indices = llvm::map_to_vector(getStripePlace(op).getResults(),
                                                        [&](AffineExpr e) { return inLoops(e); });
  AffineExpr position = linearise(indices, port.port.getStripeType().getShape(), context);
  return port.name + "[" + *row + cppAffine(position.floorDiv(port.lanes), affine);
}

/// Where the element at `lanes` of an access lies in the local words `name`: in its stripe, in its
/// word there, in its own place or some bits up in a byte.
LeafBody::PlaceInWords LeafBody::placeInWords(const std::string &name, AccessOpInterface op,
                                              PortArgument &port, ArrayRef<int64_t> shape,
                                              Lanes lanes) {
  WordsAttr words = op.getWordsAttr();
  SmallVector<int64_t> part(shape);
  SmallVector<AffineExpr> inPart(lanes);
  std::string text = name;
  if (int64_t stripes = countMovedStripes(op); stripes > 1) {
    part.back() /= stripes;
    inPart.back() = lanes.back() % part.back();
    text += "[" + cppAffine(lanes.back().floorDiv(part.back()), affine) + "]";
  }
  AffineExpr position = linearise(inPart, part, context);
  if (words.getCount() > 1)
    text += "[" + cppAffine(position.floorDiv(words.getUsed()), affine) + "]";
  AffineExpr lane = position % words.getUsed();
  int64_t bits = port.storageBits();
  if (bits < 8)
    return {text + "[" + cppAffine(lane.floorDiv(8 / bits), affine) + "]",
            cppAffine((lane % (8 / bits)) * bits, affine)};
  return {words.getLanes() > 1 ? text + "[" + cppAffine(lane, affine) + "]" : text, ""};
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

/// The first word of an access on every stripe, as `wordAt` gives it.
FailureOr<std::vector<std::string>> LeafBody::placesOf(AccessOpInterface op, PortArgument &port) {
  std::vector<std::string> places;
  for (int64_t stripe = 0; stripe < port.port.getNumStripes(); ++stripe) {
    // Arguments of stripes stand side by side.
    FailureOr<std::string> at = wordAt(op, *(&port + stripe));
    if (failed(at))
      return failure();
    places.push_back(*at);
  }
  return places;
}

/// Moves the words of an access on every stripe, or on the one that it moves.
void LeafBody::moveStripes(AccessOpInterface op, const std::string &name,
                           ArrayRef<std::string> places) {
  AffineExpr moved = getMovedStripe(op);
  for (auto [stripe, at] : llvm::enumerate(places)) {
    std::string words =
        moved || places.size() == 1 ? name : name + "[" + std::to_string(stripe) + "]";
    if (moved)
      out->open(llvm::formatv("{0}if ({1} == {2})", stripe > 0 ? "else " : "",
                              cppAffine(inLoops(moved), affine), stripe)
                    .str());
    moveWords(words, at, op.getWordsAttr().getCount(), /*loads=*/!op.isWrite());
    if (moved)
      out->close();
  }
}

/// `[4][2]`: stripes and words of an access, where there are several.
static std::string wordDimensions(AccessOpInterface op) {
  std::string text;
  for (int64_t extent : {countMovedStripes(op), op.getWordsAttr().getCount()})
    if (extent > 1)
      text += dimensions(extent);
  return text;
}

/// Declares the words of an access. Several are registers: a memory would hand out two in a cycle.
void LeafBody::declareWords(AccessOpInterface op, PortArgument &port, const std::string &name,
                            StringRef initial) {
  std::string extents = wordDimensions(op);
  out->line(port.wordType() + " " + name + extents + initial.str() + ";");
  if (!extents.empty())
    out->pragma("array_partition variable=" + name + " type=complete dim=0");
}

LogicalResult LeafBody::emitWideLoad(LoadOp op, PortArgument &port) {
  Expression guard = op.getGuard() ? condition(*op.getGuard()) : Expression{"true"};
  FailureOr<std::vector<std::string>> places = placesOf(op, port);
  if (failed(places))
    return failure();
  if (!isToken(op, port))
    return emitWords(op, port, guard, *places);
  const std::string &at = places->front();
  std::string type = port.wordType(), name = names.unique(wish(op));
  variables[op.getResult()] = {name, /*flat=*/true};
  if (guard.text == "true") {
    out->line("const " + type + " " + name + " = " + at + "];");
    return success();
  }
  topLines.push_back({type + " " + name + ";", name});
  out->open("if (" + guard.text + ")");
  out->line(name + " = " + at + "];");
  out->close();
  return success();
}

/// Reads the words of a load and takes the elements out of them.
LogicalResult LeafBody::emitWords(LoadOp op, PortArgument &port, const Expression &guard,
                                  ArrayRef<std::string> places) {
  ArrayRef<int64_t> shape = laneShape(op.getType());
  std::string name = names.unique(port.name + "_word");
  if (guard.text != "true") {
    declare(op.getResult(), wish(op), /*held=*/true);
    openGuard(guard);
  }
  flush();
  if (wordDimensions(op).empty()) {
    out->line("const " + port.wordType() + " " + name + " = " + places.front() + "];");
  } else {
    declareWords(op, port, name);
    moveStripes(op, name, places);
  }
  bool fillsBytes = getBitWidth(port.elementType()) == port.storageBits();
  std::string type = cppScalarType(port.elementType());
  LogicalResult taken = statement(
      shape,
      [&](Lanes lanes) -> FailureOr<std::string> {
        auto [element, shift] = placeInWords(name, op, port, shape, lanes);
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
  FailureOr<std::string> word =
      isToken(op, port) ? token(op.getValue(), port.name + "_word") : gatherWords(op, port);
  flush();
  FailureOr<std::vector<std::string>> places = placesOf(op, port);
  if (failed(word) || failed(places))
    return failure();
  moveStripes(op, *word, *places);
  closeGuard(guard);
  return success();
}

/// The words of a store, with zeros as padding.
FailureOr<std::string> LeafBody::gatherWords(StoreOp op, PortArgument &port) {
  ArrayRef<int64_t> shape = laneShape(op.getValue().getType());
  std::string name = names.unique(port.name + "_word");
  flush();
  declareWords(op, port, name, "{}");
  LogicalResult put = statement(shape, [&](Lanes lanes) -> FailureOr<std::string> {
    auto value = expression(op.getValue(), lanes);
    if (failed(value))
      return failure();
    auto [element, shift] = placeInWords(name, op, port, shape, lanes);
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
