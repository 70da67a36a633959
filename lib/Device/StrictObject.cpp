//===- StrictObject.cpp - One object of a device file ---------------------===//

#include "StrictObject.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace llvm;

namespace streamtensor {

void FileFault::report(const Twine &key, const Twine &what, const Twine &expected) {
  if (message.empty())
    message = (origin + ": '" + key + "' " + what + "; " + expected).str();
}

/// What stands at a key, short enough for a message.
static std::string show(const json::Value &value) {
  std::string text = formatv("{0}", value);
  return text.size() > 40 ? text.substr(0, 40) + "..." : text;
}

StrictObject::StrictObject(FileFault &fault, std::string path, const json::Value *value)
    : fault(&fault), path(std::move(path)) {
  if (!value)
    return;
  known = value->getAsObject();
  if (!known)
    fault.report(this->path, "is " + show(*value), "an object is expected");
}

std::string StrictObject::pathOf(StringRef key) const {
  return path.empty() ? key.str() : path + "." + key.str();
}

void StrictObject::report(StringRef key, const Twine &what, const Twine &expected) {
  fault->report(pathOf(key), what, expected);
}

const json::Value *StrictObject::get(StringRef key, const Twine &expected) {
  asked.push_back(key.str());
  const json::Value *value = known ? known->get(key) : nullptr;
  if (known && !value)
    report(key, "is missing", expected + " is expected");
  return value;
}

double StrictObject::number(StringRef key, StringRef unit, double least) {
  std::string expected = formatv("a number of {0}, at least {1},", unit, least);
  const json::Value *value = get(key, expected);
  std::optional<double> found = value ? value->getAsNumber() : std::nullopt;
  if (found && std::isfinite(*found) && *found >= least)
    return *found;
  if (value)
    report(key, "is " + show(*value), expected + " is expected");
  return least;
}

int64_t StrictObject::count(StringRef key, StringRef unit, int64_t least) {
  std::string expected = formatv("a whole number of {0}, at least {1},", unit, least);
  const json::Value *value = get(key, expected);
  std::optional<int64_t> found = value ? value->getAsInteger() : std::nullopt;
  if (found && *found >= least)
    return *found;
  if (value)
    report(key, "is " + show(*value), expected + " is expected");
  return least;
}

std::string StrictObject::text(StringRef key, StringRef what) {
  std::string expected = ("text that says " + what).str();
  const json::Value *value = get(key, expected);
  std::optional<StringRef> found = value ? value->getAsString() : std::nullopt;
  if (found && !found->trim().empty())
    return found->str();
  if (value)
    report(key, "is " + show(*value), expected + " is expected");
  return {};
}

StrictObject StrictObject::object(StringRef key) {
  return StrictObject(*fault, pathOf(key), get(key, "an object"));
}

std::vector<StrictObject> StrictObject::objects(StringRef key) {
  std::vector<StrictObject> members;
  const json::Value *value = get(key, "a list of objects");
  const json::Array *list = value ? value->getAsArray() : nullptr;
  if (value && (!list || list->empty()))
    report(key, "is " + show(*value), "a list of objects is expected");
  if (list)
    for (auto [index, member] : enumerate(*list))
      members.emplace_back(*fault, formatv("{0}[{1}]", pathOf(key), index).str(), &member);
  return members;
}

/// `size` whole numbers of at least 1.
static std::optional<std::vector<int64_t>> readCounts(const json::Value &value, size_t size) {
  const json::Array *list = value.getAsArray();
  if (!list || list->size() != size)
    return std::nullopt;
  std::vector<int64_t> counts;
  for (const json::Value &member : *list) {
    std::optional<int64_t> count = member.getAsInteger();
    if (!count || *count < 1)
      return std::nullopt;
    counts.push_back(*count);
  }
  return counts;
}

std::vector<int64_t> StrictObject::counts(StringRef key, size_t size, StringRef what) {
  std::string expected = formatv("{0}, {1} whole numbers of at least 1,", what, size);
  const json::Value *value = get(key, expected);
  if (!value)
    return std::vector<int64_t>(size, 1);
  if (std::optional<std::vector<int64_t>> found = readCounts(*value, size))
    return *found;
  report(key, "is " + show(*value), expected + " is expected");
  return std::vector<int64_t>(size, 1);
}

std::vector<std::pair<int64_t, int64_t>> StrictObject::pairs(StringRef key, StringRef what) {
  std::vector<std::pair<int64_t, int64_t>> found;
  std::string expected = formatv("a list of {0}, pairs of whole numbers of at least 1,", what);
  const json::Value *value = get(key, expected);
  const json::Array *list = value ? value->getAsArray() : nullptr;
  bool isRight = list && !list->empty();
  for (size_t index = 0; isRight && index < list->size(); ++index)
    if (std::optional<std::vector<int64_t>> pair = readCounts((*list)[index], 2))
      found.emplace_back((*pair)[0], (*pair)[1]);
    else
      isRight = false;
  if (value && !isRight)
    report(key, "is " + show(*value), expected + " is expected");
  return isRight ? found : std::vector<std::pair<int64_t, int64_t>>{{1, 1}};
}

std::vector<double> StrictObject::polynomial(StringRef key, StringRef what) {
  std::string expected = formatv(
      "{0}, a number of at least 0 or up to three coefficients of powers of the width,", what);
  const json::Value *value = get(key, expected);
  if (!value)
    return {0};
  std::vector<double> coefficients;
  auto append = [&](const json::Value &member) {
    std::optional<double> number = member.getAsNumber();
    bool isRight = number && std::isfinite(*number) && *number >= 0;
    if (isRight)
      coefficients.push_back(*number);
    return isRight;
  };
  const json::Array *list = value->getAsArray();
  bool isRight =
      list ? !list->empty() && list->size() <= 3 && all_of(*list, append) : append(*value);
  if (isRight)
    return coefficients;
  report(key, "is " + show(*value), expected + " is expected");
  return {0};
}

std::vector<std::string> StrictObject::keys() const {
  std::vector<std::string> names;
  if (known)
    for (const auto &member : *known)
      names.push_back(member.first.str());
  sort(names);
  return names;
}

void StrictObject::finish() {
  for (const std::string &key : keys())
    if (!is_contained(asked, key))
      report(key, "is unknown",
             "the keys of " + (path.empty() ? "a device file" : "'" + path + "'") + " are " +
                 join(asked, ", "));
}

} // namespace streamtensor
