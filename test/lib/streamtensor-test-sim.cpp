//===- streamtensor-test-sim.cpp - Designs against literal stepping -------===//
//
// Builds the machine of each sized design twice, by lib/Sim and by visiting every iteration,
// and runs both: the machines, their cycles, the ends of their tasks and the uses of their
// FIFOs must be the same. Prints the cycles; ends with 1 and a message where something differs.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "Sim/ReferenceDesign.h"
#include "Sim/ReferenceSimulator.h"
#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Sim/BuildMachine.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace streamtensor;

namespace cl = llvm::cl;

static cl::opt<std::string> inputFile(cl::Positional, cl::desc("SIZED.mlir"), cl::init("-"));
static cl::opt<std::string> deviceFile("device",
                                       cl::desc("device file or name, for a module that has none"));

static cl::list<std::string> scalarSettings("scalar", cl::desc("value of a scalar, else its largest"),
                                            cl::value_desc("name=value"));

/// Most slots in use at once, from the cycles of writes and reads.
static int64_t countHighWater(ArrayRef<int64_t> writes, ArrayRef<int64_t> reads) {
  int64_t highest = 0;
  for (auto [token, cycle] : llvm::enumerate(writes))
    highest = std::max<int64_t>(highest, token + 1 - (llvm::lower_bound(reads, cycle) - reads.begin()));
  return highest;
}

static std::string describeDifference(const sim::Machine &machine, const sim::SimResult &actual,
                                      const sim::ReferenceResult &expected) {
  if (actual.completed() != expected.completed)
    return actual.completed() ? "stepping deadlocks" : "the simulator deadlocks";
  if (actual.cycles != expected.cycles)
    return llvm::formatv("{0} cycles, {1} by stepping", actual.cycles, expected.cycles);
  for (auto [task, result, times] : llvm::zip_equal(machine.tasks, actual.tasks, expected.tasks))
    if (result.end != times.end)
      return llvm::formatv("task '{0}' ends at {1}, at {2} by stepping", task.name, result.end,
                           times.end);
  for (auto [index, fifo] : llvm::enumerate(machine.fifos)) {
    int64_t used = countHighWater(expected.writes[index], expected.reads[index]);
    if (actual.completed() && actual.fifos[index].highWater != used)
      return llvm::formatv("FIFO '{0}' uses {1} slots, {2} by stepping", fifo.name,
                           actual.fifos[index].highWater, used);
  }
  return "";
}

static LogicalResult check(dataflow::DesignOp design, const DeviceModel &device,
                           const dataflow::ScalarValues &scalars) {
  SmallVector<int64_t> values = dataflow::getScalars(design, scalars);
  FailureOr<sim::DesignMachine> built = sim::buildMachine(design, values);
  if (failed(built))
    return failure();
  sim::ReferenceMachine reference = sim::enumerateDesign(design, device, values);
  auto differs = [&](StringRef what, const std::string &difference) {
    return mlir::emitError(design.getLoc())
           << "design '" << design.getSymName() << "': " << what << " differ: " << difference;
  };
  std::string difference = sim::describeDifference(sim::unroll(built->machine), reference);
  if (!difference.empty())
    return differs("the machine and its enumeration", difference);
  sim::SimResult result = sim::simulate(built->machine);
  difference = describeDifference(built->machine, result, sim::simulateByCycle(reference));
  if (!difference.empty())
    return differs("the simulator and literal stepping", difference);
  llvm::outs() << llvm::formatv("{0}: {1} cycles{2}\n", design.getSymName(), result.cycles,
                                result.completed() ? "" : ", a deadlock");
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "Sized designs against literal stepping\n");
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, dataflow::DataflowDialect, func::FuncDialect,
                  linalg::LinalgDialect, math::MathDialect, tensor::TensorDialect,
                  vector::VectorDialect>();
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(inputFile, sources, &context);
  if (!module)
    return 1;
  if (!deviceFile.empty() && failed(dataflow::attachDevice(*module, deviceFile)))
    return 1;
  FailureOr<const DeviceModel *> device = dataflow::getDevice(*module);
  if (failed(device))
    return 1;
  llvm::Expected<dataflow::ScalarValues> scalars = dataflow::parseScalarValues(scalarSettings);
  if (!scalars) {
    llvm::errs() << llvm::toString(scalars.takeError()) << "\n";
    return 1;
  }
  for (auto design : module->getOps<dataflow::DesignOp>())
    if (failed(check(design, **device, *scalars)))
      return 1;
  return 0;
}
