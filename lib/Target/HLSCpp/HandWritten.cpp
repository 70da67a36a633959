//===- HandWritten.cpp - Files of hand-written kernels --------------------===//

#include "streamtensor/Target/HLSCpp/HandWritten.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::target;
using namespace streamtensor::dataflow;
namespace path = llvm::sys::path;

namespace {

/// Follows headers through what they include.
class HandWrittenFiles {
public:
  explicit HandWrittenFiles(ArrayRef<DesignModel> models) {
    for (const DesignModel &model : models)
      generated.insert(model.name + ".h");
  }

  LogicalResult add(ExternOp declaration);
  SmallVector<HandWrittenFile> files;

private:
  LogicalResult addFile(ExternOp declaration, StringRef name, StringRef file);
  LogicalResult addIncluded(ExternOp declaration, const HandWrittenFile &file);

  llvm::StringSet<> generated;
  llvm::StringMap<std::string> pathOf;
};

} // namespace

LogicalResult HandWrittenFiles::add(ExternOp declaration) {
  return addFile(declaration, path::filename(declaration.getSource()), declaration.getSource());
}

LogicalResult HandWrittenFiles::addFile(ExternOp declaration, StringRef name, StringRef file) {
  auto [known, isNew] = pathOf.try_emplace(name, file.str());
  if (!isNew && known->second == file)
    return success();
  if (!isNew || generated.contains(name))
    return declaration.emitOpError("[extern.source] two files would be hls/")
           << name << (isNew ? ", one of them generated" : "") << "; rename '" << file << "'";
  auto content = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!content)
    return declaration.emitOpError("[extern.source] '")
           << file << "' cannot be read: " << content.getError().message();
  files.push_back({name.str(), file.str(), (*content)->getBuffer().str()});
  // A copy: following includes adds to `files`.
  HandWrittenFile added = files.back();
  return addIncluded(declaration, added);
}

/// The name in quotes of a line that includes a file by it; empty for other lines.
static StringRef getIncludedName(StringRef line) {
  line = line.ltrim();
  if (!line.consume_front("#"))
    return "";
  line = line.ltrim();
  if (!line.consume_front("include"))
    return "";
  line = line.ltrim();
  return line.consume_front("\"") ? line.take_until([](char c) { return c == '"'; }) : "";
}

/// What lies beside the file comes along; other names are headers of the tools.
LogicalResult HandWrittenFiles::addIncluded(ExternOp declaration, const HandWrittenFile &file) {
  SmallVector<StringRef> lines;
  StringRef(file.content).split(lines, '\n');
  for (StringRef line : lines) {
    StringRef included = getIncludedName(line);
    if (included.empty())
      continue;
    SmallString<128> source(path::parent_path(file.path)), name(path::parent_path(file.name));
    path::append(source, included);
    path::append(name, included);
    if (!llvm::sys::fs::is_regular_file(source))
      continue;
    path::remove_dots(source, /*remove_dot_dot=*/true);
    path::remove_dots(name, /*remove_dot_dot=*/true);
    if (name.starts_with(".."))
      return declaration.emitOpError("[extern.source] '")
             << file.path << "' includes \"" << included
             << "\", which lies outside of the header's folder and would not be copied; move it";
    if (failed(addFile(declaration, name, source)))
      return failure();
  }
  return success();
}

FailureOr<SmallVector<HandWrittenFile>> target::collectHandWritten(ModuleOp module,
                                                                   ArrayRef<DesignModel> models) {
  HandWrittenFiles collector(models);
  for (auto design : module.getOps<DesignOp>())
    for (ExternOp declaration : getExterns(design))
      if (failed(collector.add(declaration)))
        return failure();
  return std::move(collector.files);
}
