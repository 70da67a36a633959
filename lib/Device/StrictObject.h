//===- StrictObject.h - One object of a device file -------------*- C++ -*-===//
//
// Reads the keys of a JSON object by name and type. Nothing is optional unless it is asked for
// as such, and what was never asked for is unknown. The first fault is kept.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_DEVICE_STRICTOBJECT_H
#define STREAMTENSOR_LIB_DEVICE_STRICTOBJECT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace streamtensor {

/// The first fault found in a file.
class FileFault {
public:
  explicit FileFault(llvm::StringRef origin) : origin(origin) {}

  /// `expected`: what should stand at `key`.
  void report(const llvm::Twine &key, const llvm::Twine &what, const llvm::Twine &expected);
  bool isFound() const { return !message.empty(); }
  llvm::Error take() const { return llvm::createStringError(message); }

private:
  std::string origin, message;
};

class StrictObject {
public:
  /// `value` stands at `path`, empty for the whole file.
  StrictObject(FileFault &fault, std::string path, const llvm::json::Value *value);

  /// A finite number of at least `least`; `unit` is for the message.
  double number(llvm::StringRef key, llvm::StringRef unit, double least = 0);
  /// A whole number.
  int64_t count(llvm::StringRef key, llvm::StringRef unit, int64_t least = 0);
  /// Text that is not empty; `what` is for the message.
  std::string text(llvm::StringRef key, llvm::StringRef what);
  StrictObject object(llvm::StringRef key);
  /// The objects of a list that is not empty.
  std::vector<StrictObject> objects(llvm::StringRef key);
  /// Whole numbers of at least 1, `size` of them.
  std::vector<int64_t> counts(llvm::StringRef key, size_t size, llvm::StringRef what);
  /// Pairs of whole numbers of at least 1; at least one pair.
  std::vector<std::pair<int64_t, int64_t>> pairs(llvm::StringRef key, llvm::StringRef what);
  /// A number, or the coefficients of a polynomial up to the square.
  std::vector<double> polynomial(llvm::StringRef key, llvm::StringRef what);

  bool has(llvm::StringRef key) const { return known && known->get(key); }
  /// All keys of an object that names its members itself.
  std::vector<std::string> keys() const;

  /// Every group of figures says where they come from.
  void source() { text("source", "where the figures come from"); }
  /// Are there keys that nobody asked for?
  void finish();

  /// Reports `key` of this object.
  void report(llvm::StringRef key, const llvm::Twine &what, const llvm::Twine &expected);

private:
  const llvm::json::Value *get(llvm::StringRef key, const llvm::Twine &expected);
  std::string pathOf(llvm::StringRef key) const;

  FileFault *fault;
  std::string path;
  const llvm::json::Object *known = nullptr;
  std::vector<std::string> asked;
};

} // namespace streamtensor

#endif
