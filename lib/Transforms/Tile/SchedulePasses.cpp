//===- SchedulePasses.cpp - Choices to a file and back --------------------===//

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Transforms/Tile/DimensionClasses.h"
#include "streamtensor/Transforms/Tile/Passes.h"
#include "streamtensor/Transforms/Tile/Schedule.h"
#include "streamtensor/Transforms/Tile/TilingLaws.h"

#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

namespace streamtensor {
#define GEN_PASS_DEF_WRITESCHEDULE
#define GEN_PASS_DEF_READSCHEDULE
#include "streamtensor/Transforms/Tile/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;

static InFlightDiagnostic emitFileError(MLIRContext *context, StringRef file, unsigned line = 1) {
  return mlir::emitError(FileLineColLoc::get(context, file, line, 1));
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static FailureOr<ScheduleEntry> describe(linalg::GenericOp op, OperationKey key) {
  FailureOr<dataflow::TilingAttr> tiling = dataflow::requireTiling(op);
  if (failed(tiling))
    return failure();
  dataflow::TilingNumbers numbers = dataflow::getNumbers(*tiling);
  return ScheduleEntry{std::move(key),
                       getLaneLoops(op),
                       numbers.tile,
                       numbers.order,
                       numbers.unroll,
                       numbers.vector,
                       tiling->getEngine() ? tiling->getEngine().str() : ""};
}

namespace {
struct WriteSchedulePass : streamtensor::impl::WriteScheduleBase<WriteSchedulePass> {
  using WriteScheduleBase::WriteScheduleBase;

  void runOnOperation() override {
    FailureOr<const DeviceModel *> device = dataflow::getDevice(getOperation());
    if (failed(device))
      return signalPassFailure();
    Schedule schedule;
    schedule.device = (*device)->getName();
    schedule.program = getProgramDigest(getOperation());
    schedule.odd = dataflow::getOdd(getOperation());
    if (DenseI64ArrayAttr padded = dataflow::getPadded(getOperation()))
      schedule.padded = padded.asArrayRef().vec();
    schedule.tokenInputs = dataflow::getTokenInputs(getOperation());
    for (auto &[op, key] : nameOperations(getOperation())) {
      FailureOr<ScheduleEntry> entry = describe(op, key);
      if (failed(entry))
        return signalPassFailure();
      schedule.entries.push_back(std::move(*entry));
    }
    std::string error;
    std::unique_ptr<llvm::ToolOutputFile> output = openOutputFile(file, &error);
    if (!output) {
      emitFileError(&getContext(), file) << error;
      return signalPassFailure();
    }
    output->os() << toJson(schedule);
    output->os().flush();
    if (output->os().has_error()) {
      emitFileError(&getContext(), file)
          << "cannot write " << file << ": " << output->os().error().message();
      output->os().clear_error();
      return signalPassFailure();
    }
    output->keep();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

FailureOr<Schedule> streamtensor::readSchedule(MLIRContext *context, StringRef file) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(file, &error);
  if (!input)
    return emitFileError(context, file) << "the schedule cannot be read: " << error;
  llvm::Expected<Schedule> schedule = parseSchedule(input->getBuffer());
  if (!schedule)
    return emitFileError(context, file)
           << "the schedule cannot be read: " << llvm::toString(schedule.takeError());
  return std::move(*schedule);
}

namespace {
/// Puts the choices of a schedule on the operations that they are for.
class ScheduleReader {
public:
  ScheduleReader(func::FuncOp function, StringRef file)
      : function(function), context(function.getContext()), file(file),
        operations(nameOperations(function)) {}

  LogicalResult apply(const Schedule &schedule, StringRef device);

private:
  LogicalResult checkOrigin(const Schedule &schedule, StringRef device);
  LogicalResult apply(const ScheduleEntry &entry);
  InFlightDiagnostic emitError(const ScheduleEntry &entry) {
    auto error = emitFileError(context, file, entry.line);
    error << "the schedule's entry for operation '" << entry.key.operation << "', number "
          << entry.key.number << ", cannot be applied: ";
    return error;
  }

  func::FuncOp function;
  MLIRContext *context;
  StringRef file;
  std::vector<std::pair<linalg::GenericOp, OperationKey>> operations;
  DenseSet<Operation *> done;
};
} // namespace

LogicalResult ScheduleReader::checkOrigin(const Schedule &schedule, StringRef device) {
  if (schedule.device != device)
    return emitFileError(context, file)
           << "the schedule was made for the device '" << schedule.device
           << "', this compilation is for '" << device << "'; compile for that device, or put \""
           << device << "\" into the field 'device' to take its choices over";
  std::string program = getProgramDigest(function);
  if (schedule.program != program)
    return emitFileError(context, file) << "this is the schedule of another program (digest "
                                        << schedule.program << ", this one has " << program
                                        << "), or of this one padded otherwise; give the --padding "
                                           "that it was made with, or compile "
                                           "without a schedule and edit what that writes";
  return success();
}

LogicalResult ScheduleReader::apply(const ScheduleEntry &entry) {
  const OperationKey &key = entry.key;
  auto it = llvm::find_if(operations, [&](auto &known) {
    return known.second.operation == key.operation && known.second.number == key.number;
  });
  if (it == operations.end()) {
    SmallVector<std::string> names;
    for (auto &[op, known] : operations)
      if (known.operation == key.operation || known.number == 0)
        names.push_back(llvm::formatv("'{0}' {1}", known.operation, known.number));
    return emitError(entry) << "the program has no such operation; it has "
                            << llvm::join(names, ", ");
  }
  auto &[op, known] = *it;
  if (!done.insert(op).second)
    return emitError(entry) << "an earlier entry is for the same operation; remove one";
  if (known != key)
    return emitError(entry) << "it describes a " << key.kind << " over ["
                            << llvm::join(key.loops, ", ") << "] of " << key.computes
                            << ", but the operation is a " << known.kind << " over ["
                            << llvm::join(known.loops, ", ") << "] of " << known.computes
                            << "; these fields only say what an entry is for";
  if (!entry.engine.empty() && !isContraction(op))
    return emitError(entry) << "[tiling.engine] is '" << entry.engine
                            << "', but only contractions have products that an engine makes; it "
                               "can be null";
  dataflow::TilingNumbers numbers{entry.tile, entry.order, entry.unroll, entry.vector};
  if (std::optional<dataflow::TilingFault> fault = findTilingFault(numbers, op))
    return emitError(entry) << toString(*fault);
  auto array = [&](ArrayRef<int64_t> values) { return DenseI64ArrayAttr::get(context, values); };
  dataflow::setTiling(
      op, dataflow::TilingAttr::get(
              context, array(entry.tile), array(entry.order), array(entry.unroll),
              entry.vector.empty() ? nullptr : array(entry.vector),
              entry.engine.empty() ? StringAttr() : StringAttr::get(context, entry.engine)));
  return success();
}

LogicalResult ScheduleReader::apply(const Schedule &schedule, StringRef device) {
  if (failed(checkOrigin(schedule, device)))
    return failure();
  for (const ScheduleEntry &entry : schedule.entries)
    if (failed(apply(entry)))
      return failure();
  for (auto &[op, key] : operations)
    if (!done.contains(op))
      return emitFileError(context, file)
             << "the schedule has no entry for operation '" << key.operation << "', number "
             << key.number << "; compile without a schedule to see one";
  return success();
}

namespace {
struct ReadSchedulePass : streamtensor::impl::ReadScheduleBase<ReadSchedulePass> {
  using ReadScheduleBase::ReadScheduleBase;

  void runOnOperation() override {
    FailureOr<Schedule> schedule = readSchedule(&getContext(), file);
    if (failed(schedule))
      return signalPassFailure();
    FailureOr<const DeviceModel *> device = dataflow::getDevice(getOperation());
    if (failed(device) ||
        failed(ScheduleReader(getOperation(), file).apply(*schedule, (*device)->getName())))
      return signalPassFailure();
    // Which dimensions are connected does not depend on the tiles.
    stateLeast(getOperation(), DimensionClasses(getOperation(), /*tileSize=*/1));
  }
};
} // namespace
