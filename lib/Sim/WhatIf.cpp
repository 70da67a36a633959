//===- WhatIf.cpp - Questions to a design, by the names of its parts ------===//

#include "streamtensor/Sim/WhatIf.h"

#include "streamtensor/Sim/EditMachine.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace streamtensor::dataflow;

namespace streamtensor::sim {

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// How a property is asked for.
struct Form {
  WhatIf::Property property;
  StringLiteral part, key;
  bool takesFactor, takesNumber;
};
} // namespace

constexpr Form forms[] = {{WhatIf::Property::Depth, "fifo", "depth", true, true},
                          {WhatIf::Property::Bits, "port", "bits", true, true},
                          {WhatIf::Property::Lanes, "task", "lanes", true, false},
                          {WhatIf::Property::Interval, "task", "ii", false, true}};

/// Slots of a FIFO that a simulation can hold, and a factor beyond which no card goes.
constexpr int64_t mostSlots = int64_t(1) << 22, mostTimes = 1024;

static const Form &formOf(WhatIf::Property property) {
  return *find_if(forms, [&](const Form &form) { return form.property == property; });
}

static Error refuse(StringRef text, const Twine &why) {
  return createStringError("what if \"" + text + "\": " + why);
}

Expected<WhatIf> parseWhatIf(StringRef text) {
  StringRef rest = text.trim();
  auto [part, named] = getToken(rest);
  auto [name, setting] = getToken(named);
  auto [key, value] = setting.trim().split('=');
  const Form *form = find_if(
      forms, [&, part = part, key = key](const Form &f) { return f.part == part && f.key == key; });
  bool isFactor = value.consume_front("x");
  int64_t number;
  if (form == std::end(forms) || name.empty() || value.getAsInteger(10, number) ||
      !(isFactor ? form->takesFactor : form->takesNumber))
    return refuse(text,
                  "ask \"fifo NAME depth=N\", \"port NAME bits=N\", \"task NAME lanes=xN\" or "
                  "\"task NAME ii=N\"; depth and bits may be xN, N times what they are");
  if (isFactor && (number < 2 || number > mostTimes))
    return refuse(text, "the factor is a number from 2 to " + Twine(mostTimes));
  // What a FIFO has at least, the device says.
  bool isTooLow = number < 1 && form->property != WhatIf::Property::Depth;
  if (isTooLow || number > mostSlots)
    return refuse(text, key + " is " + Twine(number) + ": it is at " +
                            (isTooLow ? "least 1" : "most " + Twine(mostSlots)));
  auto [design, part2] = name.contains('/') ? name.split('/') : std::pair(StringRef(), name);
  return WhatIf{form->property, design.str(), part2.str(), number, isFactor, text.str()};
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The names that a question about this property may give.
static SmallVector<StringRef> getNames(const DesignMachine &built, WhatIf::Property property) {
  SetVector<StringRef> names;
  DesignOp design = built.design;
  switch (property) {
  case WhatIf::Property::Depth:
    for (const Fifo &fifo : built.machine.fifos)
      names.insert(fifo.name);
    break;
  case WhatIf::Property::Bits:
    for (auto port : design.getOps<PortOp>())
      names.insert(port.getName());
    for (auto interface : design.getOps<InterfaceOp>())
      names.insert(interface.getName());
    break;
  case WhatIf::Property::Lanes:
  case WhatIf::Property::Interval:
    for (const Task &task : built.machine.tasks)
      names.insert(task.name);
    break;
  }
  return {names.begin(), names.end()};
}

/// Up to three names that are like `name`, the nearest first.
static std::string listNear(StringRef name, ArrayRef<StringRef> names) {
  std::vector<std::pair<unsigned, StringRef>> near;
  for (StringRef other : names) {
    unsigned distance = name.edit_distance_insensitive(other);
    if (distance <= 1 + name.size() / 4 || other.contains_insensitive(name) ||
        name.contains_insensitive(other))
      near.emplace_back(distance, other);
  }
  llvm::sort(near);
  std::string text;
  for (auto [distance, other] : ArrayRef(near).take_front(3))
    text += (text.empty() ? "'" : ", '") + other.str() + "'";
  return text;
}

static Error refuseName(const WhatIf &question, ArrayRef<const DesignMachine *> designs) {
  std::vector<StringRef> names;
  for (const DesignMachine *built : designs)
    append_range(names, getNames(*built, question.property));
  llvm::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string near = listNear(question.name, names);
  std::string where = question.design.empty() ? "" : " in '" + question.design + "'";
  return refuse(question.text,
                formatv("there is no {0} '{1}'{2}; {3}", formOf(question.property).part,
                        question.name, where,
                        near.empty() ? "the simulation lists the names" : "near: " + near));
}

Expected<std::vector<WhatIf>> resolveWhatIfs(ArrayRef<WhatIf> questions,
                                             ArrayRef<const DesignMachine *> designs) {
  std::vector<WhatIf> resolved;
  for (WhatIf question : questions) {
    SetVector<StringRef> owners;
    for (const DesignMachine *built : designs)
      if ((question.design.empty() || question.design == built->machine.name) &&
          is_contained(getNames(*built, question.property), question.name))
        owners.insert(built->machine.name);
    if (owners.empty())
      return refuseName(question, designs);
    if (owners.size() > 1)
      return refuse(question.text,
                    formatv("designs '{0}' have a {1} '{2}': write {3}/{2}",
                            llvm::join(owners, "', '"), formOf(question.property).part,
                            question.name, owners.front()));
    question.design = owners.front();
    for (const WhatIf &other : resolved)
      if (other.property == question.property && other.design == question.design &&
          other.name == question.name)
        return refuse(question.text,
                      "asked for already, by \"" + other.text + "\": leave one of them out");
    resolved.push_back(std::move(question));
  }
  return std::move(resolved);
}

//===----------------------------------------------------------------------===//
// Ports
//===----------------------------------------------------------------------===//

int64_t PortWays::getParts(int64_t factor) const {
  return std::max<int64_t>(1, divideCeil(bits * factor, std::max<int64_t>(1, most)));
}

/// Bits of the widest word that moves over the interface.
static int64_t getWordBits(InterfaceOp interface) {
  int64_t bits = 0;
  for (mlir::Operation *user : interface->getUsers())
    for (mlir::Operation *op : user->getUsers())
      if (auto access = dyn_cast<AccessOpInterface>(op))
        if (WordsAttr words = access.getWordsAttr())
          bits = std::max<int64_t>(bits, words.getLanes() * getStorageBits(cast<PortOp>(user)));
  return bits;
}

PortWays findPortWays(const DesignMachine &built, StringRef name) {
  PortWays found;
  SetVector<mlir::Operation *> interfaces;
  DesignOp design = built.design;
  for (auto port : design.getOps<PortOp>())
    if (port.getName() == name)
      for (mlir::Value value : port.getInterfaces())
        interfaces.insert(value.getDefiningOp());
  for (auto interface : design.getOps<InterfaceOp>())
    if (interface.getName() == name)
      interfaces.insert(interface);
  for (mlir::Operation *op : interfaces) {
    auto interface = cast<InterfaceOp>(op);
    ++found.interfaces;
    found.bits += getWordBits(interface);
    found.most += interface.getFacts().getBits();
    for (auto [number, way] : enumerate(built.machine.ways))
      if (way.name == interface.getName())
        found.ways.push_back(number);
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Edits
//===----------------------------------------------------------------------===//

static Error widenPort(const DesignMachine &built, const WhatIf &question, EditedMachine &edited) {
  PortWays port = findPortWays(built, question.name);
  if (port.ways.empty())
    return createStringError("no channel of external memory moves its words here, as with "
                             "--on-chip-io");
  for (int32_t way : port.ways)
    if (is_contained(edited.widened, way))
      return createStringError("another tensor that shares its interface is widened already");
  append_range(edited.widened, port.ways);
  int64_t factor = port.getFactor(question);
  if (!question.isFactor) {
    if (question.value % port.bits != 0 || question.value == port.bits)
      return createStringError(
          "its words have " + Twine(port.bits) + " bits" +
          (port.interfaces > 1 ? " over " + Twine(port.interfaces) + " interfaces" : Twine("")) +
          ": ask for a multiple, as in bits=" + Twine(2 * port.bits));
    if (factor > mostTimes)
      return createStringError("that is more than " + Twine(mostTimes) + " times as wide");
  }
  int64_t parts = port.getParts(factor);
  edited.masters += (parts - 1) * port.interfaces;
  return widenWays(edited.machine, port.ways, factor, parts);
}

static Error setDepth(const DesignMachine &built, const WhatIf &question, EditedMachine &edited) {
  int32_t number = findNamed(edited.machine.fifos, question.name);
  int64_t known = built.machine.fifos[number].depth;
  if (question.isFactor && known == 0)
    return createStringError("it has no bound");
  int64_t depth = question.isFactor ? known * question.value : question.value;
  if (depth > mostSlots)
    return createStringError(Twine(depth) + " slots are more than " + Twine(mostSlots));
  StreamOp stream = built.streams[number];
  std::optional<FifoSizingAttr> sizing = stream.getSizing();
  if (sizing && sizing->getLeast() && depth < *sizing->getLeast())
    edited.notes.push_back(
        formatv("FIFO '{0}' of depth {1}: a compilation gives it {2} slots at least, so that "
                "no timing lets it deadlock ([fifo.deadlock])",
                question.name, depth, *sizing->getLeast()));
  if (!edited.ceilings.empty())
    edited.ceilings[number] = depth;
  return setDepth(edited.machine, number, depth);
}

static Error apply(const DesignMachine &built, const WhatIf &question, EditedMachine &edited) {
  Machine &machine = edited.machine;
  switch (question.property) {
  case WhatIf::Property::Depth:
    return setDepth(built, question, edited);
  case WhatIf::Property::Bits:
    return widenPort(built, question, edited);
  case WhatIf::Property::Lanes:
    return widenTask(machine, findNamed(machine.tasks, question.name), question.value);
  case WhatIf::Property::Interval:
    return setInterval(machine, findNamed(machine.tasks, question.name), question.value);
  }
  llvm_unreachable("all properties are handled");
}

Expected<EditedMachine> applyWhatIfs(const DesignMachine &built, ArrayRef<WhatIf> questions) {
  EditedMachine edited;
  edited.machine = built.machine;
  for (WhatIf::Property property : {WhatIf::Property::Interval, WhatIf::Property::Lanes,
                                    WhatIf::Property::Bits, WhatIf::Property::Depth})
    for (const WhatIf &question : questions) {
      if (question.design != built.machine.name || question.property != property)
        continue;
      // From here on FIFOs are deep enough for a machine that is no more.
      if (property != WhatIf::Property::Depth && edited.ceilings.empty())
        edited.ceilings.assign(built.machine.fifos.size(), 0);
      if (Error error = apply(built, question, edited))
        return refuse(question.text, toString(std::move(error)));
    }
  for (auto [number, ceiling] : enumerate(edited.ceilings))
    if (ceiling == 0)
      ceiling = edited.machine.countWrites(number);
  return std::move(edited);
}

SimResult simulateEdited(EditedMachine &edited, SimOptions options) {
  std::vector<Fifo> asked = edited.machine.fifos;
  options.ceilings = edited.ceilings;
  SimResult result;
  for (bool isLast = false; !isLast;) {
    result = simulate(edited.machine, options);
    isLast = true;
    for (auto [number, depth] : enumerate(result.depths)) {
      Fifo &fifo = edited.machine.fifos[number];
      // What was enlarged on the way is run at that depth from its beginning.
      isLast &= depth == fifo.depth;
      fifo.latency = edited.machine.getLatency(number, depth);
      fifo.depth = depth;
    }
  }
  for (auto [before, fifo] : zip_equal(asked, edited.machine.fifos))
    if (fifo.depth != before.depth)
      edited.notes.push_back(formatv("FIFO '{0}' has {1} slots in place of {2}, without which it "
                                     "would deadlock",
                                     fifo.name, fifo.depth, before.depth));
  return result;
}

} // namespace streamtensor::sim
