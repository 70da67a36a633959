//===- DeclaredExtents.cpp - From arguments of the program to ports -------===//
//
//   func.func @main(%k: tensor<1x2x64x8xf32> {streamtensor.extents = ["", "", "context", ""]}) …
//
// says that of dimension 2 a launch has as many elements as its scalar `context`, 64 at most. What
// stands between an argument and a launch keeps the row-major order or cuts it into tiles, so the
// dimension is an interval of strides: from that of one element to the one at which it ends.
//
//===----------------------------------------------------------------------===//

#include "CountClass.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "streamtensor/Dialect/Program/IR/Program.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

namespace {
/// Follows one dimension of one argument; `end` is the row-major stride at which it ends.
class ExtentWalk {
public:
  ExtentWalk(DesignOp design, CountClass &found, int64_t end)
      : design(design), ports(design.getBody().getOps<PortOp>()), found(found), end(end) {}

  void visit(Value value, ArrayRef<int64_t> strides);
  void visit(Value value);

private:
  void visitLaunch(LaunchOp launch, Value value, ArrayRef<int64_t> strides);
  void fail(Operation *op);

  DesignOp design;
  SmallVector<PortOp> ports;
  CountClass &found;
  int64_t end;
};
} // namespace

void ExtentWalk::fail(Operation *op) {
  if (found.reason.empty())
    found.reason = ("'" + op->getName().getStringRef() + "' reads it outside of the design").str();
}

static SmallVector<int64_t> getRowMajorStrides(Value value) {
  SmallVector<int64_t> strides;
  int64_t stride = 1;
  for (int64_t size : llvm::reverse(cast<RankedTensorType>(value.getType()).getShape())) {
    strides.push_back(stride);
    stride *= size;
  }
  return {strides.rbegin(), strides.rend()};
}

void ExtentWalk::visit(Value value) { visit(value, getRowMajorStrides(value)); }

void ExtentWalk::visit(Value value, ArrayRef<int64_t> strides) {
  for (Operation *user : value.getUsers()) {
    bool isRowMajor = strides == ArrayRef<int64_t>(getRowMajorStrides(value));
    if (isRowMajor && isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user))
      visit(user->getResult(0));
    else if (auto pack = dyn_cast<itensor::PackOp>(user); pack && isRowMajor)
      visit(pack.getResult(), pack.getStrides());
    else if (auto launch = dyn_cast<LaunchOp>(user))
      visitLaunch(launch, value, strides);
    else
      fail(user);
  }
}

void ExtentWalk::visitLaunch(LaunchOp launch, Value value, ArrayRef<int64_t> strides) {
  if (launch.getDesign() != design.getSymName())
    return;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  for (auto [number, input] : llvm::enumerate(launch.getInputs())) {
    if (input != value)
      continue;
    for (auto [dim, stride, size] : llvm::enumerate(strides, shape))
      if (size > 1 && stride < end && stride * size >= end) {
        if (end % stride)
          return fail(launch);
        found.add({ports[number].getResult(), int(dim), end / stride});
      }
  }
}

/// The name of each dimension's extent, empty where it is fixed.
static SmallVector<StringRef> getNames(func::FuncOp function, unsigned argument) {
  auto names = function.getArgAttrOfType<ArrayAttr>(argument, program::extentsAttrName);
  return names ? llvm::to_vector(names.getAsValueRange<StringAttr>()) : SmallVector<StringRef>();
}

FailureOr<std::vector<CountClass>> streamtensor::dataflow::findDeclaredExtents(ModuleOp module,
                                                                               DesignOp design) {
  std::vector<CountClass> classes;
  for (auto function : module.getOps<func::FuncOp>())
    for (BlockArgument argument : function.getArguments()) {
      for (auto [dim, name] : llvm::enumerate(getNames(function, argument.getArgNumber()))) {
        if (name.empty())
          continue;
        int64_t extent = cast<RankedTensorType>(argument.getType()).getShape()[dim];
        auto known = llvm::find_if(classes, [&](auto &other) { return other.name == name; });
        if (known == classes.end())
          known = classes.insert(classes.end(), CountClass(name, extent));
        if (known->extent != extent)
          return LogicalResult(function.emitOpError("[counts.extents] argument ")
                               << argument.getArgNumber() << " has up to " << extent
                               << " elements by '" << name << "', an earlier one "
                               << known->extent);
        int64_t end = getRowMajorStrides(argument)[dim] * extent;
        ExtentWalk(design, *known, end).visit(argument);
      }
    }
  return classes;
}
