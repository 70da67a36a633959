//===- DeviceModel.cpp - Reading a device file ----------------------------===//

#include "streamtensor/Support/DeviceModel.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace streamtensor {

Resources &Resources::operator+=(const Resources &other) {
  lut += other.lut;
  ff += other.ff;
  dsp += other.dsp;
  bram36 += other.bram36;
  uram += other.uram;
  return *this;
}

//===----------------------------------------------------------------------===//
// Finding the file
//===----------------------------------------------------------------------===//

/// Folders that may hold device files: the environment's choice, the working
/// directory, beside the installed tool, and beside the build tree.
static std::vector<std::string> deviceFolders() {
  std::vector<std::string> folders;
  if (std::optional<std::string> chosen = sys::Process::GetEnv("STREAMTENSOR_DEVICES"))
    folders.push_back(*chosen);
  folders.push_back("devices");
  static int anchor;
  SmallString<256> tool(sys::fs::getMainExecutable(nullptr, &anchor));
  sys::path::remove_filename(tool);
  for (StringRef up : {"../devices", "../../devices"}) {
    SmallString<256> folder(tool);
    sys::path::append(folder, up);
    folders.push_back(std::string(folder));
  }
  return folders;
}

static std::string findDeviceFile(StringRef path) {
  if (sys::fs::exists(path) && !sys::fs::is_directory(path))
    return path.str();
  std::string file = sys::path::stem(path).str() + ".json";
  for (const std::string &folder : deviceFolders()) {
    SmallString<256> candidate(folder);
    sys::path::append(candidate, file);
    if (sys::fs::exists(candidate))
      return std::string(candidate);
  }
  return {};
}

static std::string knownDevices() {
  std::vector<std::string> names;
  for (const std::string &folder : deviceFolders()) {
    std::error_code error;
    for (sys::fs::directory_iterator it(folder, error), end; !error && it != end;
         it.increment(error))
      if (StringRef(it->path()).ends_with(".json"))
        names.push_back(sys::path::stem(it->path()).str());
  }
  llvm::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names.empty() ? "none (set STREAMTENSOR_DEVICES)" : join(names, ", ");
}

//===----------------------------------------------------------------------===//
// Reading the fields
//===----------------------------------------------------------------------===//

static double number(const json::Object &object, StringRef key) {
  return object.getNumber(key).value_or(0);
}

/// `{"value": x, "source": "..."}`.
static double value(const json::Object &root, StringRef key) {
  const json::Object *field = root.getObject(key);
  return field ? number(*field, "value") : 0;
}

static Resources readResources(const json::Object &object) {
  return {number(object, "lut"), number(object, "ff"), number(object, "dsp"),
          number(object, "bram36"), number(object, "uram")};
}

static MemoryKindModel readMemory(const json::Object &object) {
  MemoryKindModel memory;
  memory.readLatency = number(object, "read");
  memory.writeLatency = number(object, "write");
  memory.bitsPerLut = number(object, "bits_per_lut");
  memory.ports = number(object, "ports");
  if (const json::Array *shapes = object.getArray("shapes"))
    for (const json::Value &shape : *shapes)
      if (const json::Array *pair = shape.getAsArray(); pair && pair->size() == 2)
        memory.shapes.emplace_back((*pair)[0].getAsInteger().value_or(1),
                                   (*pair)[1].getAsInteger().value_or(1));
  return memory;
}

static MemoryPortModel readPort(const json::Object &object) {
  MemoryPortModel port;
  port.bits = number(object, "bits");
  port.readLatency = number(object, "read_latency");
  port.writeLatency = number(object, "write_latency");
  port.burstBytes = number(object, "burst_bytes");
  port.burstGap = number(object, "burst_gap");
  port.lut = number(object, "lut");
  port.ff = number(object, "ff");
  return port;
}

static FifoModel readFifo(const json::Object &object) {
  FifoModel fifo;
  fifo.shiftRegisterLatency = number(object, "shift_register_latency");
  fifo.ramLatency = number(object, "ram_latency");
  fifo.readLatency = number(object, "read_latency");
  fifo.shiftRegisterBits = number(object, "shift_register_bits");
  fifo.tokenBits = object.getInteger("token_bits").value_or(fifo.tokenBits);
  fifo.controlLut = number(object, "control_lut");
  fifo.controlFf = number(object, "control_ff");
  return fifo;
}

static ControlModel readControl(const json::Object &object) {
  ControlModel control;
  control.taskEntry = number(object, "task_entry");
  control.blockSwap = number(object, "block_swap");
  control.leafLut = number(object, "leaf_lut");
  control.leafFf = number(object, "leaf_ff");
  control.loopLut = number(object, "loop_lut");
  control.loopFf = number(object, "loop_ff");
  return control;
}

static CostRow readRow(const json::Object &object) {
  CostRow row;
  row.fixed = {static_cast<int64_t>(number(object, "cycles")), number(object, "dsp"),
               number(object, "ff"), number(object, "lut")};
  row.cyclesPerBit = number(object, "cycles_per_bit");
  row.lutPerBit = number(object, "lut_per_bit");
  row.ffPerBit = number(object, "ff_per_bit");
  row.lutPerBit2 = number(object, "lut_per_bit2");
  row.ffPerBit2 = number(object, "ff_per_bit2");
  row.source = object.getString("source").value_or("").str();
  return row;
}

static Error missing(StringRef what) {
  return createStringError("device file: '" + what + "' is missing or is not of its form");
}

Error DeviceModel::readFields(const json::Object &root) {
  for (StringRef key : {"name", "card"})
    if (!root.getString(key))
      return missing(key);
  for (StringRef key : {"clock_mhz", "totals", "memory_port", "fifo", "control", "memories"})
    if (!root.getObject(key))
      return missing(key);
  name = root.getString("name")->str();
  card = root.getString("card")->str();
  clockMHz = value(root, "clock_mhz");
  if (clockMHz <= 0)
    return missing("clock_mhz.value");
  dieCrossingWires = value(root, "die_crossing_wires");
  hostLaunchMicroseconds = value(root, "host_launch_us");
  if (const json::Object *hbm = root.getObject("hbm"))
    sustainedBytesPerSecond = number(*hbm, "sustained_bytes_per_s");
  totals = readResources(*root.getObject("totals"));
  if (const json::Array *list = root.getArray("dies"))
    for (const json::Value &die : *list)
      if (const json::Object *object = die.getAsObject())
        dies.push_back(readResources(*object));

  portModel = readPort(*root.getObject("memory_port"));
  if (portModel.bits < 8 || portModel.burstBytes < 1)
    return missing("memory_port.bits and memory_port.burst_bytes");
  fifoModel = readFifo(*root.getObject("fifo"));
  controlModel = readControl(*root.getObject("control"));
  for (StringRef kind : {"registers", "srl", "lutram", "bram", "uram"}) {
    const json::Object *object = root.getObject("memories")->getObject(kind);
    if (!object)
      return missing("memories." + kind.str());
    memories[kind] = readMemory(*object);
  }
  return Error::success();
}

Error DeviceModel::readCosts(const json::Object &root) {
  const json::Array *table = root.getArray("costs");
  if (!table)
    return missing("costs");
  for (const json::Value &entry : *table) {
    const json::Object *object = entry.getAsObject();
    if (!object || !object->getString("op") || !object->getString("type") ||
        !object->getString("source"))
      return missing("op, type or source of a row of 'costs'");
    rows[{object->getString("op")->str(), object->getString("type")->str()}] = readRow(*object);
  }
  if (const json::Object *list = root.getObject("fallbacks"))
    for (const auto &[type, entry] : *list)
      if (const json::Object *object = entry.getAsObject())
        fallbacks[type.str()] = {object->getString("of").value_or("").str(),
                                 number(*object, "cycles"), number(*object, "resources")};
  return Error::success();
}

Expected<DeviceModel> DeviceModel::load(StringRef path) {
  std::string file = findDeviceFile(path);
  if (file.empty())
    return createStringError("unknown device '" + path + "'; known devices: " + knownDevices());
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(file);
  if (!buffer)
    return createStringError("cannot read device file '" + file +
                             "': " + buffer.getError().message());
  Expected<json::Value> root = json::parse((*buffer)->getBuffer());
  if (!root)
    return createStringError("device file '" + file + "': " + toString(root.takeError()));
  const json::Object *object = root->getAsObject();
  if (!object)
    return createStringError("device file '" + file + "' is not a JSON object");
  DeviceModel device;
  if (Error error = device.readFields(*object))
    return std::move(error);
  if (Error error = device.readCosts(*object))
    return std::move(error);
  return device;
}

mlir::FailureOr<DeviceModel> DeviceModel::loadFor(mlir::Operation *op, StringRef path) {
  Expected<DeviceModel> device = load(path);
  if (!device)
    return mlir::emitError(op->getLoc()) << toString(device.takeError());
  return std::move(*device);
}

const MemoryKindModel &DeviceModel::memory(StringRef kind) const {
  auto it = memories.find(kind);
  assert(it != memories.end() && "not a memory kind of the dataflow dialect");
  return it->second;
}

void DeviceModel::setOnChipIO() {
  portModel.readLatency = memory("bram").readLatency;
  portModel.writeLatency = memory("bram").writeLatency;
  portModel.burstGap = 0;
  portModel.bits = int64_t(1) << 32;
}

} // namespace streamtensor
