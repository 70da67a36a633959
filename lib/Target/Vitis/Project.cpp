//===- Project.cpp - A project for v++ and vitis-run ----------------------===//

#include "streamtensor/Target/Vitis/Project.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace streamtensor;

std::string target::emitHlsConfig(const KernelFiles &kernel, llvm::ArrayRef<KernelFiles> kernels,
                                  const DeviceModel &device) {
  std::string text =
      llvm::formatv(R"(# HLS of '{0}', for Vitis 2023.2 and later; the Makefile fills in the paths.
part={1}

[hls]
flow_target=vitis
clock={2}MHz
syn.top={0}
)",
                    kernel.name, device.getPart(), std::llround(device.getClockMHz()));
  for (const std::string &stem : kernel.stems)
    text +=
        llvm::formatv("syn.file=@OUT@/hls/{0}.cpp\nsyn.file_cflags=@OUT@/hls/{0}.cpp,-std=c++17 "
                      "-DST_VITIS -I@RUNTIME@/include\n",
                      stem);
  text += llvm::formatv(R"(package.output.format=xo
package.output.file={0}.xo
package.output.syn=true
csim.argv=--root @OUT@ --check @DATA@
cosim.argv=--root @OUT@ --check --tolerance @TOLERANCE@ @DATA@
)",
                        kernel.name);
  auto addTestbench = [&](llvm::StringRef file) {
    text +=
        llvm::formatv("tb.file=@OUT@/hls/{0}\ntb.file_cflags=@OUT@/hls/{0},-std=c++17 -DST_VITIS "
                      "-ffp-contract=off -fwrapv -I@RUNTIME@/host -I@RUNTIME@/include\n",
                      file);
  };
  addTestbench("testbench.cpp");
  for (const KernelFiles &other : kernels) {
    if (other.name != kernel.name)
      for (const std::string &stem : other.stems)
        addTestbench(stem + ".cpp");
    addTestbench(other.name + "_native.cpp");
  }
  return text;
}

static constexpr llvm::StringRef makefileText =
    R"make(# For Vitis @VERSION@ and later, after its settings64.sh and XRT's setup.sh:
#
#   make csim DATA=DIR     C simulation; DIR holds arg<i>.bin and result<i>.bin (../hls/testbench DIR writes the latter)
#   make csynth            synthesis of each design; `streamtensor csynth` compares its report with the model
#   make cosim DATA=DIR    RTL simulation
#   make xclbin            link (hours); TARGET=hw_emu links for emulation
#   make run DATA=DIR      the program on a card
#
# v++ takes no paths with spaces.
RUNTIME ?= $(shell python3 -m streamtensor.headers --runtime)
OUT := $(abspath ..)
BUILD ?= build
TARGET ?= hw
PLATFORM ?= @PLATFORM@
# The clock that cycles were counted at; empty for the platform's own.
CLOCK_MHZ ?= @CLOCK@
# Floats of the RTL may differ from those of C by this share of the largest.
TOLERANCE ?= 1e-5
DESIGNS := @DESIGNS@
XCLBINS := $(DESIGNS:%=$(BUILD)/$(TARGET)/%.xclbin)
LINK_CLOCK = $(if $(CLOCK_MHZ),--kernel_frequency $(CLOCK_MHZ))
# Where a design is on several dies: its tasks are placed before all else.
FLOORPLAN = $(if $(wildcard $*_floorplan.tcl),--vivado.prop run.impl_1.STEPS.PLACE_DESIGN.TCL.PRE=$(abspath $*_floorplan.tcl))

csynth: $(DESIGNS:%=$(BUILD)/%.stamp)
csim: $(DESIGNS:%=csim-%)
cosim: $(DESIGNS:%=cosim-%)
xclbin: $(XCLBINS)

$(BUILD)/%-hls.cfg: %-hls.cfg FORCE
	@mkdir -p $(@D)
	@sed -e 's|@OUT@|$(OUT)|g; s|@RUNTIME@|$(RUNTIME)|g' \
	  -e 's|@DATA@|$(abspath $(DATA))|g; s|@TOLERANCE@|$(TOLERANCE)|g' $< >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

data:
	@test -n "$(DATA)" || { echo "error: name the directory of the tensors: DATA=DIR" >&2; exit 1; }

csim-%: $(BUILD)/%-hls.cfg data
	vitis-run --mode hls --csim --config $< --work_dir $(BUILD)/$*

$(BUILD)/%.stamp: $(BUILD)/%-hls.cfg $(wildcard ../hls/*)
	v++ -c --mode hls --config $< --work_dir $(BUILD)/$*
	@touch $@

cosim-%: $(BUILD)/%.stamp data
	vitis-run --mode hls --cosim --config $(BUILD)/$*-hls.cfg --work_dir $(BUILD)/$*

$(BUILD)/$(TARGET)/%.xclbin: $(BUILD)/%.stamp %.cfg
	@mkdir -p $(@D)
	v++ -l -t $(TARGET) --platform $(PLATFORM) $(LINK_CLOCK) $(FLOORPLAN) --config $*.cfg \
	  --temp_dir $(BUILD)/$(TARGET)/temp-$* -o $@ $(BUILD)/$*/$*.xo

host:
	$(MAKE) -C ../host RUNTIME="$(RUNTIME)"

run: $(XCLBINS) host data
	../host/host --xclbins $(BUILD)/$(TARGET) --root $(OUT) $(DATA)

clean:
	rm -rf $(BUILD)

FORCE:
.PRECIOUS: $(BUILD)/%-hls.cfg $(BUILD)/%.stamp
.PHONY: csynth csim cosim xclbin data host run clean FORCE
)make";

std::string target::emitVitisMakefile(llvm::ArrayRef<KernelFiles> kernels,
                                      const DeviceModel &device) {
  std::string text = makefileText.str();
  auto replace = [&](llvm::StringRef key, const std::string &value) {
    text.replace(text.find(key.str()), key.size(), value);
  };
  replace("@VERSION@", "2023.2");
  replace("@PLATFORM@", device.getPlatform().str());
  replace("@CLOCK@", std::to_string(std::llround(device.getClockMHz())));
  auto names = llvm::map_range(
      kernels, [](const KernelFiles &kernel) -> const std::string & { return kernel.name; });
  replace("@DESIGNS@", llvm::join(names, " "));
  return text;
}
