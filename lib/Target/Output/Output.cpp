//===- Output.cpp - All files of a compilation ----------------------------===//

#include "streamtensor/Target/Output/Output.h"

#include "mlir/IR/BuiltinOps.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Target/HLSCpp/DesignEmitter.h"
#include "streamtensor/Target/HLSCpp/HandWritten.h"
#include "streamtensor/Target/Host/HostFiles.h"
#include "streamtensor/Target/Vitis/Connectivity.h"
#include "streamtensor/Target/Vitis/Project.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::target;

namespace {

/// Files in the making: written beside the output directory, moved into place at the end.
class OutputDirectory {
public:
  OutputDirectory(ModuleOp module, StringRef directory)
      : module(module), directory(directory.rtrim('/')),
        staging(this->directory + ".partial-" +
                std::to_string(llvm::sys::Process::getProcessId())) {}
  ~OutputDirectory() { llvm::sys::fs::remove_directories(staging); }

  LogicalResult write(StringRef file, StringRef content) {
    SmallString<128> path(staging);
    llvm::sys::path::append(path, file);
    if (auto error = llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path)))
      return fail(path, error);
    std::error_code error;
    llvm::raw_fd_ostream stream(path, error);
    if (error)
      return fail(path, error);
    stream << content;
    stream.close();
    if (stream.has_error()) {
      error = stream.error();
      stream.clear_error();
      return fail(path, error);
    }
    return success();
  }

  /// Replaces what earlier runs wrote, entry by entry; other files of the directory stay.
  LogicalResult commit() {
    if (auto error = llvm::sys::fs::create_directories(directory))
      return fail(directory, error);
    std::error_code error;
    for (llvm::sys::fs::directory_iterator entry(staging, error), end; entry != end && !error;
         entry.increment(error)) {
      SmallString<128> target(directory);
      llvm::sys::path::append(target, llvm::sys::path::filename(entry->path()));
      if (llvm::sys::fs::is_directory(target))
        llvm::sys::fs::remove_directories(target);
      if (auto failed = llvm::sys::fs::rename(entry->path(), target))
        return fail(target, failed);
    }
    return error ? fail(staging, error) : success();
  }

private:
  LogicalResult fail(StringRef path, std::error_code error) {
    return module.emitError() << "cannot write '" << path << "': " << error.message();
  }

  ModuleOp module;
  std::string directory, staging;
};

} // namespace

/// The channel of each master, as the design states it.
static SmallVector<Connection> getConnections(DesignModel &model) {
  llvm::MapVector<StringRef, Connection> connections; // by bundle
  for (PortArgument &argument : model.arguments) {
    auto channel = argument.interface().getChannel().getDefiningOp<dataflow::ChannelOp>();
    connections.insert(
        {argument.bundle, {argument.bundle, static_cast<int64_t>(channel.getNumber())}});
  }
  return llvm::map_to_vector(connections, [](auto &entry) { return entry.second; });
}

/// The dies that the leaf tasks are placed on.
static SmallVector<StringRef> getDies(DesignModel &model) {
  llvm::SmallSetVector<StringRef, 4> dies;
  for (dataflow::LeafOp leaf : model.leaves)
    if (std::optional<StringRef> die = leaf.getDie())
      dies.insert(*die);
  return dies.takeVector();
}

/// Writes where the leaf tasks are placed, if they are on several dies.
static LogicalResult writeFloorplan(DesignModel &model, OutputDirectory &output) {
  if (getDies(model).size() < 2)
    return success();
  SmallVector<std::pair<std::string, StringRef>> leaves;
  for (dataflow::LeafOp leaf : model.leaves)
    if (std::optional<StringRef> die = leaf.getDie())
      leaves.push_back({model.leafNames[leaf], *die});
  return output.write("vitis/" + model.name + "_floorplan.tcl", emitFloorplan(model.name, leaves));
}

static LogicalResult writeDesign(DesignModel &model, OutputDirectory &output) {
  FailureOr<std::string> source = emitSource(model);
  if (failed(source))
    return failure();
  std::string stem = "hls/" + model.name;
  return success(succeeded(output.write(stem + ".h", emitHeader(model))) &&
                 succeeded(output.write(stem + ".cpp", *source)) &&
                 succeeded(output.write(stem + "_native.cpp", emitNativeCall(model))));
}

static LogicalResult writeHost(ModuleOp module, MutableArrayRef<DesignModel> models,
                               OutputDirectory &output) {
  FailureOr<MainSchedule> schedule = readSchedule(module);
  if (failed(schedule))
    return failure();
  for (const MainConstant &constant : schedule->constants) {
    std::vector<char> bytes = constantBytes(constant, schedule->types[constant.value]);
    if (failed(output.write(constant.file, StringRef(bytes.data(), bytes.size()))))
      return failure();
  }
  if (failed(output.write("interface.json", emitInterfaceDescription(models, *schedule))))
    return failure();
  if (schedule->types.empty()) // designs without a program
    return success();
  return success(succeeded(output.write("hls/testbench.cpp", emitTestbench(models))) &&
                 succeeded(output.write("hls/Makefile", emitNativeMakefile(models))) &&
                 succeeded(output.write("host/program.h", emitHostProgram(models, *schedule))) &&
                 succeeded(output.write("host/host.cpp", emitXrtHost())) &&
                 succeeded(output.write("host/Makefile", emitHostMakefile())));
}

/// What v++ and vitis-run are given.
static LogicalResult writeVitis(MutableArrayRef<DesignModel> models, const DeviceModel &device,
                                OutputDirectory &output) {
  SmallVector<std::string> names =
      llvm::map_to_vector(models, [](DesignModel &model) { return model.name; });
  for (DesignModel &model : models) {
    std::string stem = "vitis/" + model.name;
    if (failed(output.write(stem + "-hls.cfg", emitHlsConfig(model.name, names, device))) ||
        failed(output.write(stem + ".cfg", emitConnectivity(model.name, getConnections(model),
                                                            getDies(model), device))) ||
        failed(writeFloorplan(model, output)))
      return failure();
  }
  return names.empty() ? success()
                       : output.write("vitis/Makefile", emitVitisMakefile(names, device));
}

LogicalResult target::emitOutput(ModuleOp module, StringRef outputDirectory) {
  FailureOr<const DeviceModel *> device = dataflow::getDevice(module);
  if (failed(device))
    return failure();
  std::vector<DesignModel> models;
  for (auto design : module.getOps<dataflow::DesignOp>()) {
    FailureOr<DesignModel> model = buildModel(design);
    if (failed(model))
      return failure();
    models.push_back(std::move(*model));
  }
  if (models.empty() && !returnsOnlyExternal(module))
    return module.emitError(
        "holds no dataflow.design; HLS C++ is emitted from the IR of the phases "
        "stream and size");
  OutputDirectory output(module, outputDirectory);
  for (DesignModel &model : models)
    if (failed(writeDesign(model, output)))
      return failure();
  FailureOr<SmallVector<HandWrittenFile>> files = collectHandWritten(module, models);
  if (failed(files))
    return failure();
  for (const HandWrittenFile &file : *files)
    if (failed(output.write("hls/" + file.name, file.content)))
      return failure();
  if (failed(writeHost(module, models, output)) || failed(writeVitis(models, **device, output)))
    return failure();
  return output.commit();
}
