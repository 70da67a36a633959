//===- Connectivity.cpp - Linking a design to a card ----------------------===//

#include "streamtensor/Target/Vitis/Connectivity.h"

#include "llvm/Support/FormatVariadic.h"

using namespace streamtensor;

std::string target::emitConnectivity(llvm::StringRef design, llvm::ArrayRef<Connection> connections,
                                     const DeviceModel &device) {
  std::string instance = (design + "_1").str();
  std::string text =
      llvm::formatv("# Link configuration of '{0}'.\nplatform={1}\n\n[connectivity]\n"
                    "nk={0}:1:{2}\nslr={2}:{3}\n",
                    design, device.getPlatform(), instance, device.externalMemory().die);
  for (const Connection &connection : connections)
    text += llvm::formatv("sp={0}.m_axi_{1}:{2}[{3}]\n", instance, connection.interface,
                          connection.memory, connection.channel);
  return text;
}
