//===- ScheduleJson.cpp - A schedule as JSON ------------------------------===//
//
// Written by hand rather than by a printer of JSON, so that the fields stand in the order in which
// they are read, and a list of numbers on one line.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Transforms/Tile/Schedule.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace streamtensor;
namespace json = llvm::json;

constexpr int64_t formatVersion = 1;

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static std::string quote(const json::Value &value) { return llvm::formatv("{0}", value); }

template <typename Values> static std::string list(const Values &values) {
  std::string text;
  for (const auto &value : values)
    text += (text.empty() ? "" : ", ") + quote(value);
  return "[" + text + "]";
}

static std::string toJson(const ScheduleEntry &entry) {
  return llvm::formatv(R"(    {{
      "operation": {0},
      "number": {1},
      "kind": {2},
      "loops": {3},
      "computes": {4},
      "lane_loops": {5},
      "tile": {6},
      "order": {7},
      "unroll": {8},
      "vector": {9},
      "engine": {10}
    })",
                       quote(entry.key.operation), entry.key.number, quote(entry.key.kind),
                       list(entry.key.loops), quote(entry.key.computes), list(entry.laneLoops),
                       list(entry.tile), list(entry.order), list(entry.unroll),
                       entry.vector.empty() ? "null" : list(entry.vector),
                       entry.engine.empty() ? "null" : quote(entry.engine))
      .str();
}

std::string streamtensor::toJson(const Schedule &schedule) {
  std::string entries;
  for (const ScheduleEntry &entry : schedule.entries)
    entries += (entries.empty() ? "\n" : ",\n") + ::toJson(entry);
  std::string padding;
  for (auto [name, factor] : {std::pair("odd", schedule.odd.beside),
                              {"odd_rows", schedule.odd.rows},
                              {"token_inputs", schedule.tokenInputs}})
    if (factor > 1)
      padding += llvm::formatv("  \"{0}\": {1},\n", name, factor).str();
  if (!schedule.padded.empty())
    padding += "  \"padded\": " + list(schedule.padded) + ",\n";
  return llvm::formatv(R"({{
  "version": {0},
  "device": {1},
  "program": {2},
{3}  "operations": [{4}
  ]
}
)",
                       formatVersion, quote(schedule.device), quote(schedule.program), padding,
                       entries);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// Reads the fields of one object and notes the first mistake.
class Fields {
public:
  Fields(const json::Object &object, std::string where) : object(object), where(std::move(where)) {}

  std::string text(StringRef name) {
    const json::Value *value = find(name);
    std::optional<StringRef> text = value ? value->getAsString() : std::nullopt;
    if (value && !text)
      fail(name, "a text in quotes");
    return text.value_or("").str();
  }

  int64_t count(StringRef name) {
    int64_t count = number(name);
    if (count < 1)
      fail(name, "a number above 0");
    return count;
  }

  int64_t number(StringRef name) {
    const json::Value *value = find(name);
    std::optional<int64_t> number = value ? value->getAsInteger() : std::nullopt;
    if (value && !number)
      fail(name, "a whole number");
    return number.value_or(0);
  }

  std::vector<int64_t> numbers(StringRef name) {
    std::vector<int64_t> numbers;
    for (const json::Value &value : elements(name, "a list of whole numbers")) {
      std::optional<int64_t> number = value.getAsInteger();
      if (!number)
        fail(name, "a list of whole numbers");
      numbers.push_back(number.value_or(0));
    }
    return numbers;
  }

  std::vector<std::string> texts(StringRef name) {
    std::vector<std::string> texts;
    for (const json::Value &value : elements(name, "a list of texts")) {
      if (!value.getAsString())
        fail(name, "a list of texts");
      texts.push_back(value.getAsString().value_or("").str());
    }
    return texts;
  }

  /// The elements of the list `name`.
  const json::Array &elements(StringRef name, StringRef kind) {
    static const json::Array none;
    const json::Value *value = find(name);
    const json::Array *array = value ? value->getAsArray() : nullptr;
    if (value && !array)
      fail(name, kind);
    return array ? *array : none;
  }

  /// Is the field missing or null?
  bool isNull(StringRef name) {
    know(name);
    const json::Value *value = object.get(name);
    return !value || value->getAsNull();
  }

  /// To be called when all fields are read.
  llvm::Error finish() {
    for (const auto &[name, value] : object)
      if (mistake.empty() && !llvm::is_contained(known, StringRef(name)))
        mistake = llvm::formatv("{0} has no field '{1}'; the fields are {2}", where,
                                StringRef(name), llvm::join(known, ", "));
    return mistake.empty() ? llvm::Error::success() : llvm::createStringError(mistake);
  }

private:
  void know(StringRef name) {
    if (!llvm::is_contained(known, name))
      known.push_back(name);
  }

  const json::Value *find(StringRef name) {
    know(name);
    const json::Value *value = object.get(name);
    if (!value && mistake.empty())
      mistake = llvm::formatv("{0} lacks the field '{1}'", where, name);
    return value;
  }

  void fail(StringRef name, StringRef kind) {
    if (mistake.empty())
      mistake =
          llvm::formatv("{0}: '{1}' is {2}; it must be {3}", where, name, *object.get(name), kind);
  }

  const json::Object &object;
  std::string where, mistake;
  SmallVector<StringRef> known;
};
} // namespace

/// The line of each entry: that of its key "operation".
static std::vector<unsigned> findLines(StringRef text) {
  std::vector<unsigned> lines;
  unsigned line = 0;
  for (StringRef rest = text; !rest.empty();) {
    auto [first, others] = rest.split('\n');
    rest = others;
    ++line;
    for (size_t copies = first.count("\"operation\""); copies > 0; --copies)
      lines.push_back(line);
  }
  return lines;
}

static llvm::Expected<ScheduleEntry> parseEntry(const json::Value &value, size_t position) {
  const json::Object *object = value.getAsObject();
  std::string where = llvm::formatv("entry {0} of 'operations'", position);
  if (!object)
    return llvm::createStringError(where + " is no object with fields");
  if (auto name = object->getString("operation"))
    where += llvm::formatv(", '{0}'", *name);
  Fields fields(*object, where);
  ScheduleEntry entry;
  entry.key = {fields.text("operation"), fields.number("number"), fields.text("kind"),
               fields.texts("loops"), fields.text("computes")};
  if (!fields.isNull("lane_loops"))
    entry.laneLoops = fields.numbers("lane_loops");
  entry.tile = fields.numbers("tile");
  entry.order = fields.numbers("order");
  entry.unroll = fields.numbers("unroll");
  if (!fields.isNull("vector"))
    entry.vector = fields.numbers("vector");
  if (!fields.isNull("engine"))
    entry.engine = fields.text("engine");
  if (llvm::Error mistake = fields.finish())
    return mistake;
  return entry;
}

llvm::Expected<Schedule> streamtensor::parseSchedule(StringRef text) {
  llvm::Expected<json::Value> root = json::parse(text);
  if (!root)
    return llvm::createStringError("this is no JSON: " + llvm::toString(root.takeError()));
  const json::Object *object = root->getAsObject();
  if (!object)
    return llvm::createStringError("a schedule is an object with fields");
  Fields fields(*object, "the schedule");
  if (int64_t version = fields.number("version"); version != 0 && version != formatVersion)
    return llvm::createStringError(
        "the schedule has version %lld, this compiler reads version %lld; compile without it and "
        "edit what that writes",
        static_cast<long long>(version), static_cast<long long>(formatVersion));
  Schedule schedule;
  schedule.device = fields.text("device");
  schedule.program = fields.text("program");
  if (!fields.isNull("odd"))
    schedule.odd.beside = fields.number("odd");
  if (!fields.isNull("odd_rows"))
    schedule.odd.rows = fields.number("odd_rows");
  if (!fields.isNull("token_inputs"))
    schedule.tokenInputs = fields.count("token_inputs");
  if (!fields.isNull("padded"))
    schedule.padded = fields.numbers("padded");
  const json::Array &entries = fields.elements("operations", "a list of entries");
  if (llvm::Error mistake = fields.finish())
    return mistake;
  std::vector<unsigned> lines = findLines(text);
  for (auto [position, value] : llvm::enumerate(entries)) {
    llvm::Expected<ScheduleEntry> entry = parseEntry(value, position);
    if (!entry)
      return entry.takeError();
    entry->line = position < lines.size() ? lines[position] : 1;
    schedule.entries.push_back(std::move(*entry));
  }
  return schedule;
}
