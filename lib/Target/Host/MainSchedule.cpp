//===- MainSchedule.cpp - The launches of @main ---------------------------===//

#include "streamtensor/Target/Host/MainSchedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Dialect/Program/IR/Program.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::target;
using namespace streamtensor::dataflow;

namespace {

class ScheduleReader {
public:
  explicit ScheduleReader(func::FuncOp main) : main(main) {}

  FailureOr<MainSchedule> read() {
    for (const ScalarArgument &scalar : getScalarArguments(main)) {
      scalars[main.getArgument(scalar.argument)] = {unsigned(schedule.scalars.size())};
      schedule.scalars.push_back({scalar.name, scalar.low, scalar.high, scalar.step});
    }
    for (BlockArgument argument : main.getArguments())
      if (!scalars.contains(argument) && failed(readArgument(argument)))
        return failure();
    for (Operation &op : main.getBody().front())
      if (failed(readOp(op)))
        return failure();
    for (Update update : getUpdates(main)) {
      // Scalars are no arguments of the schedule.
      update.argument -= llvm::count_if(main.getArguments().take_front(update.argument),
                                        [&](Value other) { return scalars.contains(other); });
      schedule.updates.push_back(std::move(update));
    }
    schedule.layers = program::getLoopedLayers(main).value_or(0);
    return std::move(schedule);
  }

private:
  FailureOr<unsigned> define(Value value, Operation *op) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !type.hasStaticShape() || dtypeName(type.getElementType()).empty())
      return op->emitError() << "the host cannot hold a value of type " << value.getType();
    unsigned id = schedule.types.size();
    schedule.types.push_back(type);
    ids[value] = id;
    return id;
  }

  LogicalResult readArgument(BlockArgument argument) {
    if (argument.getType().isIndex())
      return main.emitOpError("[launch.scalars] argument ")
             << argument.getArgNumber()
             << " is a number that no launch takes and no loop counts by: remove it";
    auto id = define(argument, main);
    if (failed(id))
      return failure();
    unsigned index = argument.getArgNumber();
    auto text = [&](StringRef attribute, const Twine &otherwise) {
      auto value = main.getArgAttrOfType<StringAttr>(index, attribute);
      return value ? value.str() : otherwise.str();
    };
    schedule.arguments.push_back({*id, text(program::nameAttrName, "arg" + Twine(index)),
                                  text(program::kindAttrName, program::inputKind),
                                  schedule.types[*id]});
    return success();
  }

  LogicalResult readOp(Operation &op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
        .Case([&](arith::ConstantOp constant) { return readConstant(constant); })
        .Case([&](LaunchOp launch) { return readLaunch(launch); })
        .Case([&](scf::ForOp loop) { return readLoop(loop); })
        .Case([&](tensor::EmptyOp empty) { return readEmpty(empty); })
        .Case([&](tensor::ExpandShapeOp reshape) { return readReshape(reshape, reshape.getSrc()); })
        .Case(
            [&](tensor::CollapseShapeOp reshape) { return readReshape(reshape, reshape.getSrc()); })
        .Case([&](itensor::PackOp pack) {
          return readLayout(pack, MainStep::Pack, int64_t(pack.getOffset()));
        })
        .Case([&](itensor::UnpackOp unpack) { return readLayout(unpack, MainStep::Unpack, 0); })
        .Case([&](func::ReturnOp result) {
          for (Value value : result.getOperands())
            schedule.results.push_back(ids.at(value));
          return success();
        })
        .Default([&](Operation *other) {
          return other->emitOpError(
              "cannot be run by the host; @main may hold launches, loops over "
              "them, constants, packs, unpacks and reshapes");
        });
  }

  /// A loop may begin with nothing.
  LogicalResult readEmpty(tensor::EmptyOp op) {
    for (Operation *user : op->getUsers())
      if (!isa<scf::ForOp>(user))
        return op.emitOpError("cannot be run by the host: it holds nothing that ")
               << user->getName()
               << " could take; only a loop over launches may begin with one, as zeros";
    return success();
  }

  LogicalResult readConstant(arith::ConstantOp op) {
    if (op.getType().isIndex()) {
      scalars[op] = {std::nullopt, cast<IntegerAttr>(op.getValue()).getInt()};
      return success();
    }
    auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue());
    if (resource && !resource.getRawHandle().getBlob())
      return op.emitOpError("names a resource whose data the file does not hold");
    if (!isa<DenseElementsAttr>(op.getValue()) && !resource)
      return op.emitOpError("must be a dense tensor to become a parameter file");
    auto id = define(op, op);
    if (failed(id))
      return failure();
    if (!llvm::all_of(op->getUsers(), llvm::IsaPred<itensor::PackOp>))
      addConstant(*id, op, std::nullopt);
    return success();
  }

  void addConstant(unsigned id, arith::ConstantOp op, const std::optional<MainStep> &packing) {
    std::string file = "params/constant" + std::to_string(schedule.constants.size()) + ".bin";
    schedule.constants.push_back({id, file, cast<ElementsAttr>(op.getValue()), packing});
  }

  LogicalResult readLaunch(LaunchOp op) {
    MainStep step{MainStep::Launch, op.getDesign().str(), {}, {}};
    for (Value input : op.getInputs())
      step.inputs.push_back(ids.at(input));
    for (Value result : op.getResults()) {
      auto id = define(result, op);
      if (failed(id))
        return failure();
      step.outputs.push_back(*id);
    }
    for (Value scalar : op.getScalars())
      step.scalars.push_back(scalars.at(scalar));
    schedule.steps.push_back(step);
    return success();
  }

  /// A loop is one step: the launch of its kernel.
  LogicalResult readLoop(scf::ForOp op) {
    FailureOr<LaunchLoop> loop = LaunchLoop::read(op);
    if (failed(loop))
      return failure();
    MainStep step{MainStep::Launch, getKernelName(*loop), {}, {}};
    for (const LaunchLoop::Tensor &tensor : loop->getTensors()) {
      if (tensor.given)
        step.inputs.push_back(ids.at(tensor.given));
      if (!tensor.left)
        continue;
      auto id = define(tensor.left, op);
      if (failed(id))
        return failure();
      step.outputs.push_back(*id);
    }
    for (BlockArgument argument : loop->getNumbers())
      step.scalars.push_back(scalars.at(argument));
    schedule.steps.push_back(step);
    return success();
  }

  LogicalResult readReshape(Operation *op, Value source) {
    auto id = define(op->getResult(0), op);
    if (failed(id))
      return failure();
    schedule.steps.push_back({MainStep::Reshape, "", {ids.at(source)}, {*id}});
    return success();
  }

  template <typename LayoutOp>
  LogicalResult readLayout(LayoutOp op, MainStep::Kind kind, int64_t offset) {
    auto id = define(op.getResult(), op);
    if (failed(id))
      return failure();
    MainStep step{kind,
                  "",
                  {ids.at(op.getSource())},
                  {*id},
                  llvm::to_vector(op.getStrides()),
                  offset,
                  int64_t(op.getLanes().value_or(0))};
    // What is known now is packed now.
    auto constant = op.getSource().template getDefiningOp<arith::ConstantOp>();
    if (constant && kind == MainStep::Pack)
      addConstant(*id, constant, step);
    else
      schedule.steps.push_back(step);
    return success();
  }

  func::FuncOp main;
  MainSchedule schedule;
  llvm::DenseMap<Value, unsigned> ids;
  llvm::DenseMap<Value, ScalarOperand> scalars;
};

} // namespace

FailureOr<MainSchedule> target::readSchedule(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main)
    return MainSchedule();
  return ScheduleReader(main).read();
}

static std::vector<char> getRowMajorBytes(ElementsAttr elements) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements)) {
    ArrayRef<char> data = resource.getRawHandle().getBlob()->getData();
    return std::vector<char>(data.begin(), data.end());
  }
  auto data = cast<DenseElementsAttr>(elements);
  int64_t size = hostBytes(data.getElementType());
  std::vector<char> bytes;
  bytes.reserve(data.getNumElements() * size);
  auto append = [&](const APInt &bits) {
    APInt wide = bits.getBitWidth() == 1 ? bits.zext(8 * size) : bits.sextOrTrunc(8 * size);
    for (int64_t byte = 0; byte < size; ++byte)
      bytes.push_back(static_cast<char>(wide.extractBitsAsZExtValue(8, 8 * byte)));
  };
  if (isa<FloatType>(data.getElementType()))
    for (APFloat value : data.getValues<APFloat>())
      append(value.bitcastToAPInt());
  else
    for (APInt value : data.getValues<APInt>())
      append(value);
  return bytes;
}

/// The packed bytes of `data`, padding as zeros.
static std::vector<char> packBytes(ArrayRef<char> data, RankedTensorType type,
                                   const MainStep &packing) {
  int64_t size = hostBytes(type.getElementType());
  std::vector<char> packed(type.getNumElements() * size, 0);
  SmallVector<int64_t> suffixes = computeSuffixProduct(type.getShape());
  for (int64_t place = 0, end = type.getNumElements(); place < end; ++place) {
    SmallVector<int64_t> index = delinearize(place, suffixes);
    if (packing.lanes > 0 && index.back() >= packing.lanes)
      continue;
    int64_t element = packing.offset;
    for (auto [i, stride] : llvm::zip_equal(index, packing.strides))
      element += i * stride;
    std::copy_n(data.begin() + element * size, size, packed.begin() + place * size);
  }
  return packed;
}

std::vector<char> target::constantBytes(const MainConstant &constant, RankedTensorType type) {
  std::vector<char> bytes = getRowMajorBytes(constant.data);
  return constant.packing ? packBytes(bytes, type, *constant.packing) : bytes;
}
