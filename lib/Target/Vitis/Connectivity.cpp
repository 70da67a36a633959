//===- Connectivity.cpp - Linking a design to a card ----------------------===//

#include "streamtensor/Target/Vitis/Connectivity.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace streamtensor;

std::string target::emitConnectivity(llvm::StringRef design, llvm::ArrayRef<Connection> connections,
                                     llvm::ArrayRef<llvm::StringRef> dies,
                                     const DeviceModel &device) {
  std::string instance = (design + "_1").str();
  std::string text =
      llvm::formatv("# Link configuration of '{0}'.\nplatform={1}\n\n[connectivity]\n"
                    "nk={0}:1:{2}\n",
                    design, device.getPlatform(), instance);
  if (dies.size() == 1 && device.getDies().size() > 1)
    text += llvm::formatv("slr={0}:{1}\n", instance, dies.front());
  if (dies.size() > 1)
    text += llvm::formatv("# On {0}: no 'slr' (UG1393). The Makefile hands {1}_floorplan.tcl to "
                          "Vivado, which places the tasks.\n",
                          llvm::join(dies, ", "), design);
  for (const Connection &connection : connections)
    text += llvm::formatv("sp={0}.m_axi_{1}:{2}\n", instance, connection.interface,
                          device.externalMemory().getBank(connection.channel));
  return text;
}

std::string target::emitFloorplan(llvm::StringRef design,
                                  llvm::ArrayRef<std::pair<std::string, llvm::StringRef>> leaves) {
  std::string text = llvm::formatv(
      "# Dies of the tasks of '{0}', for Vivado's placer (UG912, USER_SLR_ASSIGNMENT).\n"
      "# HLS names the instance of a task in a dataflow region after its function: NAME_U0.\n"
      "proc place_task {{task die} {{\n"
      "  set cells [get_cells -hierarchical -filter \"NAME =~ */{0}_1/inst/${{task}_U0 || NAME =~ "
      "*/{0}_1/inst/{0}_tasks_${{task}_U0\"]\n"
      "  if {{[llength $cells] == 0} {{ error \"{0}_1 has no task $task\" }\n"
      "  set_property USER_SLR_ASSIGNMENT $die $cells\n"
      "}\n",
      design);
  for (const auto &[leaf, die] : leaves)
    text += llvm::formatv("place_task {0} {1}\n", leaf, die);
  return text;
}
