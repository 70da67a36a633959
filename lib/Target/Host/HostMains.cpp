//===- HostMains.cpp - The testbench, the XRT host, their Makefiles -------===//

#include "streamtensor/Target/Host/HostFiles.h"

#include "streamtensor/Target/HLSCpp/CppWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::target;

std::string target::emitTestbench(MutableArrayRef<KernelModel> kernels) {
  CppWriter writer;
  writer.line(
      "// Runs the program with the designs compiled for this machine, on raw little-endian");
  writer.line("// files:");
  writer.line("//   testbench DIR   reads DIR/arg<i>.bin, writes DIR/result<i>.bin");
  writer.line("// All that it takes: st_main.h.");
  writer.line("#include \"../host/program.h\"");
  writer.line("#include \"st_main.h\"");
  writer.line("#include \"st_native_device.h\"");
  writer.blank();
  std::string calls;
  for (KernelModel &kernel : kernels) {
    writer.line("extern \"C\" int " + kernel.name + "_call(void *const *, char *, std::size_t);");
    calls += llvm::formatv("{0}{{\"{1}\", {1}_call}", calls.empty() ? "" : ", ", kernel.name);
  }
  writer.blank();
  writer.open("int main(int argc, char **argv)");
  writer.open("return st::host_main(argc, argv, program, false, [](const st::Request &)");
  writer.line("std::map<std::string, st::NativeCall> calls = {" + calls + "};");
  writer.line("return std::make_unique<st::NativeDevice>(calls);");
  writer.close(");");
  writer.close();
  return writer.str();
}

std::string target::emitXrtHost() {
  return R"(// Runs the program on a card through XRT, on raw little-endian files:
//   host --xclbins DIR DATA...   reads DATA/arg<i>.bin, writes DATA/result<i>.bin
//   host --pack IMAGES DATA      writes the parameters of DATA as images of the card's memories
//   host --images IMAGES DATA... loads the parameters from there, once
// All that it takes: st_main.h.
#include "program.h"
#include "st_main.h"
#include "st_xrt_device.h"

int main(int argc, char **argv) {
  return st::host_main(argc, argv, program, true, [](const st::Request &request) {
    return std::make_unique<st::XrtDevice>(request.card, request.xclbins);
  });
}
)";
}

std::string target::emitNativeMakefile(MutableArrayRef<KernelModel> kernels) {
  SmallVector<std::string> names, stems;
  for (KernelModel &kernel : kernels) {
    names.push_back(kernel.name);
    llvm::append_range(stems, kernel.getStems());
  }
  return llvm::formatv(
      R"(# make native && ./testbench DATA   (DATA holds arg<i>.bin; result<i>.bin are written)
#
# RUNTIME is the runtime/ directory of StreamTensor, AP_TYPES the directory of the
# open ap_int headers: python -m streamtensor.headers prints both.
# Recipes take them from the environment: a path may hold spaces and quotes.
# Synthesis: ../vitis/Makefile.
RUNTIME ?= $(shell python3 -m streamtensor.headers --runtime)
AP_TYPES ?= $(shell python3 -m streamtensor.headers --ap-types)
export RUNTIME AP_TYPES
CXX ?= clang++
CXXFLAGS ?= -std=c++17 -O3 -ffp-contract=off -fwrapv -Wno-unknown-pragmas -Wno-unused-label
KERNELS := {0}
DESIGNS := {1}
INCLUDES = -I"$$RUNTIME/native" -I"$$RUNTIME/host" -I"$$RUNTIME/include" -I"$$AP_TYPES"

native: testbench

testbench: testbench.cpp $(DESIGNS:=.cpp) $(KERNELS:=_native.cpp)
	$(CXX) $(CXXFLAGS) $(INCLUDES) $^ -o $@

clean:
	rm -f testbench

.PHONY: native clean
)",
      llvm::join(names, " "), llvm::join(stems, " "));
}

std::string target::emitHostMakefile() {
  return R"(# make   builds the host program with XRT's headers and library.
#
# RUNTIME is the runtime/ directory of StreamTensor: python -m streamtensor.headers --runtime prints it.
# XRT: an installation of AMD's (XILINX_XRT is set by its setup script), or Debian's libxrt-dev.
RUNTIME ?= $(shell python3 -m streamtensor.headers --runtime)
export RUNTIME XILINX_XRT
CXX ?= g++
CXXFLAGS ?= -std=c++17 -O2
ifdef XILINX_XRT
XRT_FLAGS ?= -I"$$XILINX_XRT/include" -L"$$XILINX_XRT/lib" -Wl,-rpath,"$$XILINX_XRT/lib"
else
XRT_FLAGS ?= -I/usr/include/xrt
endif

host: host.cpp program.h
	$(CXX) $(CXXFLAGS) -I"$$RUNTIME/host" $(XRT_FLAGS) $< -o $@ -lxrt_coreutil -pthread

clean:
	rm -f host

.PHONY: clean
)";
}
