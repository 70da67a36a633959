//===- DeviceFile.cpp - Finding and reading a device's file ---------------===//

#include "streamtensor/Device/DeviceModel.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace streamtensor {

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

/// A path is that file and no other; a name is looked for.
static std::string findDeviceFile(StringRef path) {
  if (path.ends_with(".json") || sys::path::has_parent_path(path))
    return sys::fs::exists(path) && !sys::fs::is_directory(path) ? path.str() : "";
  std::string file = path.str() + ".json";
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

/// Adds the groups that the file takes from another one beside it. `files` lead here.
static Error addBase(json::Object &object, StringRef file, SmallVectorImpl<std::string> &files);

static Expected<json::Object> parseFile(StringRef file, SmallVectorImpl<std::string> &files) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(file);
  if (!buffer)
    return createStringError("cannot read device file '" + file +
                             "': " + buffer.getError().message());
  Expected<json::Value> root = json::parse((*buffer)->getBuffer());
  if (!root)
    return createStringError("device file '" + file +
                             "' is not JSON: " + toString(root.takeError()));
  json::Object *object = root->getAsObject();
  if (!object)
    return createStringError("device file '" + file + "' is not a JSON object");
  if (Error error = addBase(*object, file, files))
    return std::move(error);
  return std::move(*object);
}

static Error addBase(json::Object &object, StringRef file, SmallVectorImpl<std::string> &files) {
  json::Value *named = object.get("based_on");
  if (!named)
    return Error::success();
  std::optional<StringRef> name = named->getAsString();
  if (!name)
    return createStringError("device file '" + file + "': 'based_on' is not the name of a file");
  SmallString<256> base(sys::path::parent_path(file));
  sys::path::append(base, *name);
  files.push_back(file.str());
  if (is_contained(files, base.str()))
    return createStringError("device file '" + file + "': 'based_on' leads back to '" + base + "'");
  Expected<json::Object> groups = parseFile(base, files);
  if (!groups)
    return groups.takeError();
  object.erase("based_on");
  for (auto &[key, group] : *groups)
    object.try_emplace(key, std::move(group));
  return Error::success();
}

Expected<json::Object> readDeviceFile(StringRef path) {
  if (path.empty())
    return createStringError("no device is named; known devices: " + knownDevices());
  std::string file = findDeviceFile(path);
  if (file.empty())
    return createStringError("unknown device '" + path + "'; known devices: " + knownDevices());
  SmallVector<std::string> files;
  Expected<json::Object> content = parseFile(file, files);
  if (!content)
    return content.takeError();
  Expected<DeviceModel> device = DeviceModel::read(*content, "device file '" + file + "'");
  if (!device)
    return device.takeError();
  return content;
}

Expected<DeviceModel> DeviceModel::load(StringRef path) {
  Expected<json::Object> content = readDeviceFile(path);
  if (!content)
    return content.takeError();
  return read(*content, path);
}

} // namespace streamtensor
