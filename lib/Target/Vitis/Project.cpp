//===- Project.cpp - A project for v++ and vitis-run ----------------------===//

#include "streamtensor/Target/Vitis/Project.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace streamtensor;

std::string target::emitHlsConfig(llvm::StringRef top, const BinaryFiles &binary,
                                  llvm::ArrayRef<BinaryFiles> binaries, const DeviceModel &device) {
  std::string text = llvm::formatv(
      R"(# HLS of '{0}', for Vitis {3} and later; the Makefile fills in the paths.
part={1}

[hls]
flow_target=vitis
clock={2}MHz
syn.top={0}
)",
      top, device.getPart(), std::llround(device.getClockMHz()), device.getVitisVersion());
  for (const std::string &stem : binary.stems)
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
                        top);
  auto addTestbench = [&](llvm::StringRef file) {
    text +=
        llvm::formatv("tb.file=@OUT@/hls/{0}\ntb.file_cflags=@OUT@/hls/{0},-std=c++17 -DST_VITIS "
                      "-ffp-contract=off -fwrapv -I@RUNTIME@/host -I@RUNTIME@/include\n",
                      file);
  };
  addTestbench("testbench.cpp");
  for (const BinaryFiles &other : binaries) {
    if (other.name != binary.name)
      for (const std::string &stem : other.stems)
        addTestbench(stem + ".cpp");
    addTestbench(other.name + "_native.cpp");
  }
  return text;
}

static constexpr llvm::StringRef makefileText =
    R"make(# For Vitis of the version below and later, after its settings64.sh and XRT's setup.sh:
#
#   make csim DATA=DIR     C simulation; DIR holds arg<i>.bin and result<i>.bin (../hls/testbench DIR writes the latter)
#   make csynth            synthesis of each kernel; `streamtensor csynth` compares its report with the model
#   make cosim DATA=DIR    RTL simulation
#   make xclbin            link (hours); TARGET=hw_emu links for emulation
#   make run DATA=DIR      the program on a card
#
# v++ takes no paths with spaces.
RUNTIME ?= $(shell python3 -m streamtensor.headers --runtime)
OUT := $(abspath ..)
VITIS := @VERSION@
BUILD ?= build
TARGET ?= hw
PLATFORM ?= @PLATFORM@
# The clock that cycles were counted at; empty for the platform's own.
CLOCK_MHZ ?= @CLOCK@
# Floats of the RTL may differ from those of C by this share of the largest.
TOLERANCE ?= 1e-5
DESIGNS := @DESIGNS@
@KERNELS@XCLBINS := $(DESIGNS:%=$(BUILD)/$(TARGET)/%.xclbin)
KERNELS := $(foreach design,$(DESIGNS),$(KERNELS_$(design)))
LINK_CLOCK = $(if $(CLOCK_MHZ),--kernel_frequency $(CLOCK_MHZ))
# Where a kernel is on several dies: its tasks are placed before all else.
FLOORPLAN = $(if $(wildcard $*_floorplan.tcl),--vivado.prop run.impl_1.STEPS.PLACE_DESIGN.TCL.PRE=$(abspath $*_floorplan.tcl))

csynth: $(KERNELS:%=$(BUILD)/%.stamp)
csim: $(KERNELS:%=csim-%)
cosim: $(KERNELS:%=cosim-%)
xclbin: $(XCLBINS)

$(BUILD)/%-hls.cfg: %-hls.cfg FORCE
	@mkdir -p $(@D)
	@sed -e 's|@OUT@|$(OUT)|g; s|@RUNTIME@|$(RUNTIME)|g' \
	  -e 's|@DATA@|$(abspath $(DATA))|g; s|@TOLERANCE@|$(TOLERANCE)|g' $< >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

tools:
	@found=$$(v++ --version | sed -n 's/.*v++ v\([0-9.]*\).*/\1/p'); \
	  test "$$(printf '%s\n' $(VITIS) $$found | sort -V | head -n 1)" = $(VITIS) || \
	  { echo "error: v++ is of Vitis $$found, and this design is for $(VITIS) and later" >&2; exit 1; }

data:
	@test -n "$(DATA)" || { echo "error: name the directory of the tensors: DATA=DIR" >&2; exit 1; }

csim-%: $(BUILD)/%-hls.cfg data | tools
	vitis-run --mode hls --csim --config $< --work_dir $(BUILD)/$*

$(BUILD)/%.stamp: $(BUILD)/%-hls.cfg $(wildcard ../hls/*) | tools
	v++ -c --mode hls --config $< --work_dir $(BUILD)/$*
	@touch $@

cosim-%: $(BUILD)/%.stamp data
	vitis-run --mode hls --cosim --config $(BUILD)/$*-hls.cfg --work_dir $(BUILD)/$*

.SECONDEXPANSION:
$(BUILD)/$(TARGET)/%.xclbin: $$(addsuffix .stamp,$$(addprefix $(BUILD)/,$$(KERNELS_$$*))) %.cfg | tools
	@mkdir -p $(@D)
	v++ -l -t $(TARGET) --platform $(PLATFORM) $(LINK_CLOCK) $(FLOORPLAN) --config $*.cfg \
	  --temp_dir $(BUILD)/$(TARGET)/temp-$* -o $@ $(foreach kernel,$(KERNELS_$*),$(BUILD)/$(kernel)/$(kernel).xo)

host:
	$(MAKE) -C ../host RUNTIME="$(RUNTIME)"

run: $(XCLBINS) host data
	../host/host --xclbins $(BUILD)/$(TARGET) --root $(OUT) $(DATA)

clean:
	rm -rf $(BUILD)

FORCE:
.PRECIOUS: $(BUILD)/%-hls.cfg $(BUILD)/%.stamp
.PHONY: csynth csim cosim xclbin tools data host run clean FORCE
)make";

std::string target::emitVitisMakefile(llvm::ArrayRef<BinaryFiles> binaries,
                                      const DeviceModel &device) {
  std::string text = makefileText.str();
  auto replace = [&](llvm::StringRef key, const std::string &value) {
    text.replace(text.find(key.str()), key.size(), value);
  };
  replace("@VERSION@", device.getVitisVersion().str());
  replace("@PLATFORM@", device.getPlatform().str());
  replace("@CLOCK@", std::to_string(std::llround(device.getClockMHz())));
  llvm::SmallVector<std::string> names;
  std::string kernels;
  for (const BinaryFiles &binary : binaries) {
    names.push_back(binary.name);
    kernels += llvm::formatv("KERNELS_{0} := {1}\n", binary.name, llvm::join(binary.tops, " "));
  }
  replace("@DESIGNS@", llvm::join(names, " "));
  replace("@KERNELS@", kernels);
  return text;
}
