//===- Output.cpp - All files of a compilation ----------------------------===//

#include "streamtensor/Target/Output/Output.h"

#include "mlir/IR/BuiltinOps.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Target/HLSCpp/DesignEmitter.h"
#include "streamtensor/Target/HLSCpp/HandWritten.h"
#include "streamtensor/Target/HLSCpp/KernelEmitter.h"
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

/// The channels of each master: that which its design states, and in a loop those of tensors that
/// it shares with other designs.
static SmallVector<Connection> getConnections(KernelModel &kernel, const KernelPart &part) {
  llvm::MapVector<StringRef, Connection> connections; // by bundle
  for (unsigned position : part.arguments) {
    KernelArgument &argument = kernel.arguments[position];
    int64_t own = argument.argument->channel().getNumber();
    Connection &connection =
        connections.insert({argument.bundle, {argument.bundle, own, own}}).first->second;
    connection.first = std::min<int64_t>(connection.first, argument.channel.getNumber());
    connection.last = std::max<int64_t>(connection.last, argument.channel.getNumber());
  }
  return llvm::map_to_vector(connections, [](auto &entry) { return entry.second; });
}

/// The leaf tasks that are placed.
static SmallVector<PlacedTask> getPlacedTasks(KernelModel &kernel) {
  SmallVector<PlacedTask> tasks;
  for (DesignModel *model : kernel.designs)
    for (dataflow::LeafOp leaf : model->leaves)
      if (std::optional<StringRef> die = leaf.getDie())
        tasks.push_back({model->leafNames[leaf], model->name, *die});
  return tasks;
}

static SmallVector<StringRef> getDies(ArrayRef<PlacedTask> tasks) {
  llvm::SmallSetVector<StringRef, 4> dies;
  for (const PlacedTask &task : tasks)
    dies.insert(task.die);
  return dies.takeVector();
}

static LogicalResult writeDesign(DesignModel &model, bool isKernel, OutputDirectory &output) {
  FailureOr<std::string> source = emitSource(model, isKernel);
  if (failed(source))
    return failure();
  std::string stem = "hls/" + model.name;
  return success(succeeded(output.write(stem + ".h", emitHeader(model))) &&
                 succeeded(output.write(stem + ".cpp", *source)));
}

static LogicalResult writeKernel(KernelModel &kernel, OutputDirectory &output) {
  for (DesignModel *model : kernel.designs)
    if (failed(writeDesign(*model, !kernel.loop, output)))
      return failure();
  std::string stem = "hls/" + kernel.name;
  if (kernel.loop && (failed(output.write(stem + ".h", emitLoopHeader(kernel))) ||
                      failed(output.write(stem + ".cpp", emitLoopSource(kernel)))))
    return failure();
  return output.write(stem + "_native.cpp", emitNativeCall(kernel));
}

static LogicalResult writeHost(ModuleOp module, MutableArrayRef<KernelModel> kernels,
                               OutputDirectory &output) {
  FailureOr<MainSchedule> schedule = readSchedule(module);
  if (failed(schedule))
    return failure();
  for (const MainConstant &constant : schedule->constants) {
    std::vector<char> bytes = constantBytes(constant, schedule->types[constant.value]);
    if (failed(output.write(constant.file, StringRef(bytes.data(), bytes.size()))))
      return failure();
  }
  if (failed(output.write("interface.json", emitInterfaceDescription(kernels, *schedule))))
    return failure();
  if (schedule->types.empty()) // designs without a program
    return success();
  return success(succeeded(output.write("hls/testbench.cpp", emitTestbench(kernels))) &&
                 succeeded(output.write("hls/Makefile", emitNativeMakefile(kernels))) &&
                 succeeded(output.write("host/program.h", emitHostProgram(kernels, *schedule))) &&
                 succeeded(output.write("host/host.cpp", emitXrtHost())) &&
                 succeeded(output.write("host/Makefile", emitHostMakefile())));
}

static LinkedKernel linkPart(KernelModel &kernel, const KernelPart &part,
                             ArrayRef<PlacedTask> tasks) {
  LinkedKernel linked{part.name, {part.die}, getConnections(kernel, part)};
  if (part.die.empty())
    linked.dies = getDies(tasks);
  return linked;
}

static SmallVector<LinkedStream> getStreams(KernelModel &kernel) {
  return llvm::map_to_vector(kernel.links, [&](PartLink &link) {
    return LinkedStream{link.name, kernel.parts[link.writer].name, kernel.parts[link.reader].name,
                        link.depth};
  });
}

/// What v++ and vitis-run are given for one binary.
static LogicalResult writeBinary(KernelModel &kernel, const BinaryFiles &own,
                                 ArrayRef<BinaryFiles> files, const DeviceModel &device,
                                 OutputDirectory &output) {
  SmallVector<PlacedTask> tasks = getPlacedTasks(kernel);
  SmallVector<LinkedKernel> linked;
  for (const KernelPart &part : kernel.parts) {
    linked.push_back(linkPart(kernel, part, tasks));
    if (failed(output.write("vitis/" + part.name + "-hls.cfg",
                            emitHlsConfig(part.name, own, files, device))))
      return failure();
  }
  std::string stem = "vitis/" + kernel.name;
  if (failed(output.write(stem + ".cfg",
                          emitConnectivity(kernel.name, linked, getStreams(kernel), device))))
    return failure();
  // Tasks of one kernel on several dies are placed one by one.
  if (linked.size() > 1 || linked.front().dies.size() < 2)
    return success();
  return output.write(stem + "_floorplan.tcl", emitFloorplan(kernel.name, tasks));
}

static LogicalResult writeVitis(MutableArrayRef<KernelModel> kernels, const DeviceModel &device,
                                OutputDirectory &output) {
  SmallVector<BinaryFiles> files = llvm::map_to_vector(kernels, [](KernelModel &kernel) {
    auto tops = llvm::map_to_vector(kernel.parts, [](KernelPart &part) { return part.name; });
    return BinaryFiles{kernel.name, kernel.getStems(), {tops.begin(), tops.end()}};
  });
  for (auto [kernel, own] : llvm::zip_equal(kernels, files))
    if (failed(writeBinary(kernel, own, files, device, output)))
      return failure();
  return files.empty() ? success()
                       : output.write("vitis/Makefile", emitVitisMakefile(files, device));
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
  FailureOr<std::vector<KernelModel>> kernels = buildKernels(module, models);
  if (failed(kernels))
    return failure();
  OutputDirectory output(module, outputDirectory);
  for (KernelModel &kernel : *kernels)
    if (failed(writeKernel(kernel, output)))
      return failure();
  FailureOr<SmallVector<HandWrittenFile>> files = collectHandWritten(module, models);
  if (failed(files))
    return failure();
  for (const HandWrittenFile &file : *files)
    if (failed(output.write("hls/" + file.name, file.content)))
      return failure();
  if (failed(writeHost(module, *kernels, output)) || failed(writeVitis(*kernels, **device, output)))
    return failure();
  return output.commit();
}
