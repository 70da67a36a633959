//===- streamtensor-translate.cpp - Emission driver -----------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/ITensor/IR/ITensor.h"
#include "streamtensor/Target/Output/Output.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
namespace cl = llvm::cl;

static cl::opt<std::string> inputFile(cl::Positional, cl::desc("<stream-level .mlir>"),
                                      cl::init("-"));
static cl::opt<std::string>
    outputDirectory("output-dir", cl::desc("Where hls/, vitis/, params/ and interface.json go"),
                    cl::value_desc("directory"), cl::Required);
static cl::opt<std::string> device("device",
                                   cl::desc("Device file or name, for a module that has none"));

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "StreamTensor: HLS C++ from stream-level IR\n");
  // What a stream-level module may hold.
  DialectRegistry registry;
  registry
      .insert<affine::AffineDialect, arith::ArithDialect, streamtensor::dataflow::DataflowDialect,
              func::FuncDialect, streamtensor::itensor::ITensorDialect, linalg::LinalgDialect,
              math::MathDialect, scf::SCFDialect, tensor::TensorDialect, vector::VectorDialect>();
  MLIRContext context(registry);
  std::string message;
  auto file = openInputFile(inputFile, &message);
  if (!file) {
    llvm::errs() << "error: " << message << "\n";
    return 1;
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  auto module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return 1;
  if (!device.empty() && failed(streamtensor::dataflow::attachDevice(*module, device)))
    return 1;
  return failed(streamtensor::target::emitOutput(*module, outputDirectory));
}
