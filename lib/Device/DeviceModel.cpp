//===- DeviceModel.cpp - Reading what a device's file says ----------------===//

#include "streamtensor/Device/DeviceModel.h"

#include "StrictObject.h"
#include "streamtensor/Device/ScalarOperations.h"
#include "streamtensor/Device/VitisCores.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace llvm;

namespace streamtensor {

Resources &Resources::operator+=(const Resources &other) {
  for (double Resources::*field : fields)
    this->*field += other.*field;
  return *this;
}

Resources &Resources::operator-=(const Resources &other) {
  for (double Resources::*field : fields)
    this->*field -= other.*field;
  return *this;
}

Resources &Resources::operator*=(double factor) {
  for (double Resources::*field : fields)
    this->*field *= factor;
  return *this;
}

double getShare(const Resources &used, const Resources &all) {
  double share = 0;
  for (double Resources::*field : Resources::fields)
    if (used.*field > 0) // of what there is none, no share is needed
      share = std::max(share, used.*field / all.*field);
  return share;
}

int64_t MemoryKindModel::getBlockBits() const {
  int64_t bits = 0;
  for (auto [width, depth] : shapes)
    bits = std::max(bits, width * depth);
  return bits;
}

//===----------------------------------------------------------------------===//
// The card
//===----------------------------------------------------------------------===//

static Resources readResources(StrictObject &object) {
  return {object.number("lut", "LUTs"), object.number("ff", "flip-flops"),
          object.number("dsp", "DSPs"), object.number("bram36", "block RAMs of 36 Kib"),
          object.number("uram", "UltraRAMs")};
}

/// `{"value": x, "source": "..."}`.
static double readValue(StrictObject &root, StringRef key, StringRef unit, double least = 0) {
  StrictObject object = root.object(key);
  double value = object.number("value", unit, least);
  object.source();
  object.finish();
  return value;
}

/// A year and which of its two versions, as platforms spell it: 202320 of "2023.2". Nothing for
/// what is no version, or one that lacks what designs need: array_partition on streams of blocks.
static std::optional<std::string> spellVersion(StringRef version) {
  auto [year, half] = version.split('.');
  int64_t number;
  if (year.size() != 4 || year.getAsInteger(10, number) || (half != "1" && half != "2"))
    return std::nullopt;
  if (number < 2023 || version == "2023.1")
    return std::nullopt;
  return (year + half + "0").str();
}

void DeviceModel::readCard(StrictObject &root) {
  name = root.text("name", "what the device is called");
  card = root.text("card", "what the card is called");
  part = root.text("part", "which part it has");
  StrictObject vitis = root.object("vitis");
  vitisVersion = vitis.text("value", "which version of Vitis is used at least");
  std::optional<std::string> spelt = spellVersion(vitisVersion);
  if (!spelt && !vitisVersion.empty())
    vitis.report("value", "is '" + vitisVersion + "'",
                 "a version from 2023.2 on, such as 2024.1, is expected: those before take no "
                 "array_partition of a stream of blocks");
  vitis.source();
  vitis.finish();
  StrictObject link = root.object("platform");
  platform = link.text("value", "which platform Vitis links for");
  if (size_t place = platform.find('#'); place != std::string::npos)
    platform.replace(place, 1, spelt.value_or(""));
  link.source();
  link.finish();
  clockMHz = readValue(root, "clock_mhz", "MHz", 1);
  constexpr double mostMHz = 10'000; // no card's
  if (clockMHz > mostMHz)
    root.report("clock_mhz", "is no card's clock", "at most 10000 MHz are expected");
  hostLaunchMicroseconds = readValue(root, "host_launch_us", "microseconds");
  StrictObject all = root.object("totals");
  totals = readResources(all);
  all.source();
  all.finish();
  StrictObject placement = root.object("placement");
  placementShare = placement.number("share", "a die's resources, as a share");
  if (placementShare > 1)
    placement.report("share", "is more than all", "a share of at most 1 is expected");
  placement.source();
  placement.finish();
}

void DeviceModel::readDies(StrictObject &root) {
  StrictObject group = root.object("dies");
  Resources inAll;
  for (StrictObject &entry : group.objects("list")) {
    std::string dieName = entry.text("name", "what the die is called");
    dies.push_back({dieName, readResources(entry)});
    inAll += dies.back().resources;
    entry.finish();
  }
  if (llvm::any_of(Resources::fields, [&](auto field) { return inAll.*field > totals.*field; }))
    root.report("totals", "are less than all dies have together",
                "of each resource at least the sum of 'dies' is expected");
  dieCrossingWires = group.number("crossing_wires", "wires between two dies");
  group.source();
  group.finish();
}

//===----------------------------------------------------------------------===//
// Memory beside the chip
//===----------------------------------------------------------------------===//

static std::string nameChannel(StringRef name, StringRef channel) {
  auto [before, after] = name.split('#');
  return llvm::formatv("{0}{1}{2}", before, channel, after);
}

std::string ExternalMemoryModel::getBanks(int64_t first, int64_t last) const {
  if (first == last)
    return nameChannel(bank, std::to_string(first));
  return nameChannel(bank, std::to_string(first) + ":" + std::to_string(last));
}

std::string ExternalMemoryModel::getTag(int64_t channel) const {
  return nameChannel(tag, std::to_string(channel));
}

void DeviceModel::readExternalMemory(StrictObject &root) {
  StrictObject object = root.object("external_memory");
  ExternalMemoryModel &memory = externalMemoryModel;
  memory.kind = object.text("kind", "what memory it is, as the linker names it");
  memory.bank = object.text("bank", "what the linker calls a channel, # for its number");
  memory.tag = object.text("tag", "what the binary calls a channel, # for its number");
  for (auto [key, name] : {std::pair("bank", &memory.bank), std::pair("tag", &memory.tag)})
    if (!StringRef(*name).contains('#'))
      object.report(key, "is '" + *name + "'", "a name with # for the number is expected");
  memory.die = object.text("die", "which die has the memory's ports");
  if (llvm::none_of(dies, [&](const Die &die) { return die.name == memory.die; }))
    object.report("die", "is '" + memory.die + "'", "the name of one of 'dies' is expected");
  memory.gibibytes = object.count("gib", "GiB", 1);
  memory.channels = object.count("channels", "channels", 1);
  memory.channelBits = object.count("channel_bits", "bits", 8);
  memory.channelMHz = object.number("channel_mhz", "MHz", 1);
  constexpr double leastRate = 1e6; // Designs state MB/s.
  memory.peakBytesPerSecond = object.number("peak_bytes_per_s", "bytes per second", leastRate);
  memory.sustainedBytesPerSecond =
      object.number("sustained_bytes_per_s", "bytes per second", leastRate);
  if (memory.sustainedBytesPerSecond > memory.peakBytesPerSecond)
    object.report("sustained_bytes_per_s", "is above the peak rate",
                  "at most 'peak_bytes_per_s' is expected");
  memory.masters = object.count("masters", "ports", 1);
  memory.portsPerChannel = object.count("ports_per_channel", "ports", 1);
  object.source();
  object.finish();
}

void DeviceModel::readPort(StrictObject &root) {
  StrictObject object = root.object("memory_port");
  portModel = {object.count("bits", "bits", 8),
               object.count("read_latency", "cycles"),
               object.count("write_latency", "cycles"),
               object.count("burst_bytes", "bytes", 1),
               object.count("burst_words", "words", 1),
               object.count("burst_gap", "cycles"),
               object.number("lut", "LUTs"),
               object.number("ff", "flip-flops"),
               object.text("word_memory", "which memory holds the words on the way"),
               object.count("control_bits", "bits"),
               object.count("address_bits", "bits", 1)};
  if (!llvm::isPowerOf2_64(portModel.bits))
    object.report("bits", "is " + llvm::Twine(portModel.bits), "a power of two is expected");
  if (!llvm::is_contained({"lutram", "bram", "uram"}, portModel.wordMemory))
    object.report("word_memory", "is '" + portModel.wordMemory + "'",
                  "lutram, bram or uram is expected");
  object.source();
  object.finish();
}

void DeviceModel::readControlPort(StrictObject &root) {
  StrictObject object = root.object("control_port");
  controlPortModel = {object.number("lut", "LUTs"), object.number("ff", "flip-flops"),
                      object.number("lut_per_bit", "LUTs"),
                      object.number("ff_per_bit", "flip-flops")};
  object.source();
  object.finish();
}

//===----------------------------------------------------------------------===//
// On the chip
//===----------------------------------------------------------------------===//

void DeviceModel::readFifo(StrictObject &root) {
  StrictObject object = root.object("fifo");
  fifoModel = {object.count("shift_register_latency", "cycles", 1),
               object.count("ram_latency", "cycles", 1),
               object.count("read_latency", "cycles"),
               object.count("shift_register_bits", "bits"),
               object.count("shift_register_depth", "slots"),
               object.count("minimum_depth", "slots", 1),
               object.count("token_bits", "bits", 1),
               object.number("control_lut", "LUTs"),
               object.number("control_ff", "flip-flops"),
               object.count("handshake_bits", "bits")};
  object.source();
  object.finish();
}

void DeviceModel::readLink(StrictObject &root) {
  StrictObject object = root.object("link");
  linkModel = {object.count("latency", "cycles"), object.count("least_depth", "slots", 1),
               object.count("most_depth", "slots", 1), object.count("word_bits", "bits", 1),
               object.number("ff_per_bit", "flip-flops")};
  for (auto [key, depth] : {std::pair("least_depth", linkModel.leastDepth),
                            std::pair("most_depth", linkModel.mostDepth)})
    if (depth > 0 && !llvm::isPowerOf2_64(depth))
      object.report(key, "is " + Twine(depth), "a power of two is expected");
  object.source();
  object.finish();
}

void DeviceModel::readControl(StrictObject &root) {
  StrictObject object = root.object("control");
  controlModel = {object.count("task_entry", "cycles"),   object.count("block_swap", "cycles"),
                  object.count("serial_trip", "cycles"),  object.number("leaf_lut", "LUTs"),
                  object.number("leaf_ff", "flip-flops"), object.number("loop_lut", "LUTs"),
                  object.number("loop_ff", "flip-flops")};
  object.source();
  object.finish();
}

void DeviceModel::readDsp(StrictObject &root) {
  StrictObject object = root.object("dsp");
  auto widths = [&](StringRef key) -> std::pair<int64_t, int64_t> {
    std::vector<int64_t> bits = object.counts(key, 2, "bits of the narrow and the wide operand");
    if (bits[0] > bits[1])
      object.report(key, "has its wide operand first", "the narrow operand first is expected");
    return {bits[0], bits[1]};
  };
  dspModel = {widths("multiplier_bits"), widths("piece_bits"),
              object.count("piece_cycles", "cycles")};
  object.source();
  object.finish();
}

void DeviceModel::readMemories(StrictObject &root) {
  StrictObject group = root.object("memories");
  for (StringRef kind : {"registers", "srl", "lutram", "bram", "uram"}) {
    StrictObject object = group.object(kind);
    MemoryKindModel memory{object.count("read", "cycles from address to data"),
                           object.count("write", "cycles from a write to its first read"),
                           object.count("ports", "accesses per cycle (0: any number)")};
    if (kind == "registers")
      memory.selectLutPerBit = object.number("select_lut_per_bit", "LUTs per bit");
    else if (kind == "srl")
      memory.bitsPerLut = object.count("bits_per_lut", "bits", 1);
    else
      memory.shapes = object.pairs("shapes", "shapes of a block, width in bits and depth");
    if (kind == "lutram") {
      memory.writePorts = object.count("write_ports", "accesses per cycle that write", 1);
      if (memory.writePorts > memory.ports)
        object.report("write_ports", "is " + llvm::Twine(memory.writePorts),
                      "at most " + llvm::Twine(memory.ports) +
                          " is expected, the ports of a memory");
      memory.groupLuts = object.count("group_luts", "LUTs", 2);
    }
    if (kind == "bram" || kind == "uram") {
      memory.partsPerBlock = object.count("halves", "parts that can be used apart", 1);
      memory.widestAlike = object.count("alike_bits", "bits of each of two ports alike", 1);
    }
    object.source();
    object.finish();
    memories[kind] = memory;
  }
  group.finish();
}

//===----------------------------------------------------------------------===//
// The library of operators
//===----------------------------------------------------------------------===//

/// Vitis must be able to build every operation of the operator in the stated way and latency.
static void checkCore(StrictObject &object, StringRef operatorName, StringRef implementation,
                      ArrayRef<double> cycles) {
  std::vector<std::string> operations = getVitisOperations(operatorName);
  if (operations.empty())
    object.report("impl", "is stated for what pragma bind_op cannot bind",
                  "no such key is expected");
  if (cycles.size() != 1)
    return object.report("cycles", "depends on the width",
                         "one number is expected beside 'impl', the latency of pragma bind_op");
  for (const std::string &operation : operations) {
    std::optional<int64_t> most = getMostCycles(operation, implementation);
    if (!most)
      object.report("impl", "is '" + implementation + "'",
                    "one of " + listImplementations(operation) +
                        " is expected, of which Vitis HLS builds " + operation + " (UG1399)");
    else if (cycles[0] > *most)
      object.report("cycles", llvm::formatv("is {0:f0}", cycles[0]).str(),
                    "at most " + llvm::Twine(*most) + " is expected, what Vitis HLS can give " +
                        operation + " built of " + implementation +
                        " (UG1399, pragma bind_op); name another 'impl', or none to let it choose");
  }
}

/// Several products of one DSP: behind its own cycles, of which Vitis gives so many, are sums.
static void checkPacked(StrictObject &object, StringRef operatorName, ArrayRef<double> cycles) {
  bool isPair = operatorName == pairedProduct;
  if (!isPair && operatorName != crossedProduct)
    return;
  int64_t sums = isPair ? pairedSumCycles : crossedSumCycles, most = *getMostCycles("mul", "dsp");
  if (cycles.size() != 1 || cycles[0] < sums || cycles[0] > sums + most)
    object.report(
        "cycles", "leaves the DSP no latency that pragma bind_op can state",
        llvm::formatv("a number from {0} to {1} is expected, {0} of it for sums behind it", sums,
                      sums + most)
            .str());
}

void DeviceModel::readOperators(StrictObject &root) {
  StrictObject library = root.object("operators");
  for (const std::string &operatorName : library.keys()) {
    StrictObject object = library.object(operatorName);
    if (!isOperatorName(operatorName))
      library.report(operatorName, "computes nothing that a body holds",
                     "a kind of operator with a type, like 'add_f32', is expected");
    Row row{object.polynomial("cycles", "cycles"), object.polynomial("dsp", "DSPs"),
            object.polynomial("ff", "flip-flops"), object.polynomial("lut", "LUTs"), ""};
    if (object.has("impl")) {
      row.implementation = object.text("impl", "what Vitis HLS builds it of");
      checkCore(object, operatorName, row.implementation, row.cycles);
    }
    checkPacked(object, operatorName, row.cycles);
    object.source();
    object.finish();
    rows[operatorName] = row;
  }
  if (!rows.contains("mux"))
    library.report("mux", "is missing", "the operator of multiplexers is expected");
  for (StringRef always : {"wire", "guard", "access", "extern", "add_f32", "mul_f32"})
    library.object(always);
}

/// The latencies that `type` gets must be such that Vitis can build.
void DeviceModel::checkDerived(StrictObject &object, StringRef type) {
  const DerivedType &derived = derivedTypes[type];
  for (const auto &entry : rows) {
    auto [kind, of] = entry.first().rsplit('_');
    std::string operatorName = (kind + "_" + type).str();
    const Row &row = entry.second;
    if (row.implementation.empty() || row.cycles.size() != 1 || of != derived.of ||
        rows.contains(operatorName))
      continue;
    double cycles = std::ceil(row.cycles[0] * derived.cycles);
    for (const std::string &operation : getVitisOperations(operatorName))
      if (std::optional<int64_t> most = getMostCycles(operation, row.implementation);
          most && cycles > *most)
        object.report("cycles", llvm::formatv("makes {0} take {1:f0}", operation, cycles).str(),
                      "at most " + llvm::Twine(*most) +
                          " is expected, what Vitis HLS can give it " + "built of " +
                          row.implementation + " (UG1399, pragma bind_op); or write a row '" +
                          operatorName + "'");
  }
}

void DeviceModel::readDerivedTypes(StrictObject &root) {
  StrictObject group = root.object("derived_types");
  for (const std::string &type : group.keys()) {
    StrictObject object = group.object(type);
    derivedTypes[type] = {object.text("of", "which type has the operators"),
                          object.number("cycles", "times the cycles"),
                          object.number("resources", "times the resources")};
    checkDerived(object, type);
    object.source();
    object.finish();
  }
}

/// What predictions count with (docs/language-models.md); the compiler only checks it. A card that
/// nobody knows it of has none.
static void checkEnergy(StrictObject &root) {
  if (!root.has("energy"))
    return;
  StrictObject object = root.object("energy");
  object.number("static_watts", "watts");
  object.number("byte_pj", "picojoules");
  object.number("dsp_pj", "picojoules");
  object.source();
  object.finish();
}

Expected<DeviceModel> DeviceModel::read(const json::Object &content, StringRef origin) {
  FileFault fault(origin);
  json::Value value(json::Object{content});
  StrictObject root(fault, "", &value);
  DeviceModel device;
  device.readCard(root);
  device.readDies(root);
  device.readExternalMemory(root);
  device.readPort(root);
  device.readControlPort(root);
  device.readFifo(root);
  device.readLink(root);
  device.readControl(root);
  device.readDsp(root);
  device.readMemories(root);
  device.readOperators(root);
  device.readDerivedTypes(root);
  checkEnergy(root);
  root.finish();
  if (fault.isFound())
    return fault.take();
  return device;
}

//===----------------------------------------------------------------------===//
// Figures made of others
//===----------------------------------------------------------------------===//

std::optional<int64_t> LinkModel::getDepth(int64_t depth) const {
  int64_t found = llvm::PowerOf2Ceil(std::max(depth, leastDepth));
  if (found > mostDepth)
    return std::nullopt;
  return found;
}

const MemoryKindModel &DeviceModel::memory(StringRef kind) const {
  auto it = memories.find(kind);
  assert(it != memories.end() && "not a memory kind of the dataflow dialect");
  return it->second;
}

Resources DeviceModel::getPlaceable() const {
  Resources all;
  for (const Die &die : dies)
    all += die.resources;
  all *= placementShare;
  return all;
}

Resources DeviceModel::getPlaceableInAnyDie() const {
  Resources least = getPlaceable();
  for (const Die &die : dies)
    for (double Resources::*field : Resources::fields)
      least.*field = std::min(least.*field, placementShare * die.resources.*field);
  return least;
}

bool DeviceModel::isCutIntoSlices(double dsps) const {
  return dsps > mostOfDie * getPlaceableInAnyDie().dsp && dsps <= getPlaceable().dsp;
}

int64_t DeviceModel::getOnChipBytes() const {
  return (totals.bram36 * memory("bram").getBlockBits() +
          totals.uram * memory("uram").getBlockBits()) /
         8;
}

} // namespace streamtensor
