//===- Connectivity.cpp - Linking a design to a card ----------------------===//

#include "streamtensor/Target/Vitis/Connectivity.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace streamtensor;

static std::string getInstance(llvm::StringRef kernel) { return (kernel + "_1").str(); }

static std::string emitDies(const target::LinkedKernel &kernel, const DeviceModel &device) {
  if (kernel.dies.size() == 1 && device.getDies().size() > 1)
    return llvm::formatv("slr={0}:{1}\n", getInstance(kernel.name), kernel.dies.front());
  if (kernel.dies.size() > 1)
    return llvm::formatv("# On {0}: no 'slr' (UG1393). The Makefile hands {1}_floorplan.tcl to "
                         "Vivado, which places the tasks.\n",
                         llvm::join(kernel.dies, ", "), kernel.name);
  return "";
}

std::string target::emitConnectivity(llvm::StringRef name, llvm::ArrayRef<LinkedKernel> kernels,
                                     llvm::ArrayRef<LinkedStream> streams,
                                     const DeviceModel &device) {
  std::string text =
      llvm::formatv("# Link configuration of '{0}'.\nplatform={1}\n\n[connectivity]\n", name,
                    device.getPlatform());
  for (const LinkedKernel &kernel : kernels)
    text += llvm::formatv("nk={0}:1:{1}\n", kernel.name, getInstance(kernel.name));
  for (const LinkedKernel &kernel : kernels)
    text += emitDies(kernel, device);
  for (const LinkedKernel &kernel : kernels)
    for (const Connection &connection : kernel.connections)
      text +=
          llvm::formatv("sp={0}.m_axi_{1}:{2}\n", getInstance(kernel.name), connection.interface,
                        device.externalMemory().getBanks(connection.first, connection.last));
  for (const LinkedStream &stream : streams)
    text += llvm::formatv("stream_connect={0}.{1}:{2}.{1}:{3}\n", getInstance(stream.writer),
                          stream.name, getInstance(stream.reader), stream.depth);
  return text;
}

std::string target::emitFloorplan(llvm::StringRef kernel, llvm::ArrayRef<PlacedTask> tasks) {
  std::string text = llvm::formatv(
      "# Dies of the tasks of '{0}', for Vivado's placer (UG912, USER_SLR_ASSIGNMENT).\n"
      "# HLS names the instance of a task in a dataflow region after its function: NAME_U0.\n",
      kernel);
  llvm::StringSet<> designs;
  auto getProcedure = [&](llvm::StringRef design) {
    return design == kernel ? std::string("place_task") : ("place_task_of_" + design).str();
  };
  for (const PlacedTask &task : tasks) {
    if (!designs.insert(task.design).second)
      continue;
    // A design that the kernel calls is an instance of its own, grp_NAME_fu_NUMBER.
    std::string region = task.design == kernel ? "" : "grp_" + task.design + "_fu_*/";
    text += llvm::formatv("proc {0} {{task die} {{\n"
                          "  set cells [get_cells -hierarchical -filter \"NAME =~ "
                          "*/{1}_1/inst/{2}${{task}_U0 || NAME "
                          "=~ */{1}_1/inst/{2}{3}_tasks_${{task}_U0\"]\n"
                          "  if {{[llength $cells] == 0} {{ error \"{1}_1 has no task $task\" }\n"
                          "  set_property USER_SLR_ASSIGNMENT $die $cells\n"
                          "}\n",
                          getProcedure(task.design), kernel, region, task.design);
  }
  for (const PlacedTask &task : tasks)
    text += llvm::formatv("{0} {1} {2}\n", getProcedure(task.design), task.task, task.die);
  return text;
}
