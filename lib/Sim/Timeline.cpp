//===- Timeline.cpp - A run as a Chrome trace -----------------------------===//

#include "streamtensor/Sim/Timeline.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace llvm;

namespace streamtensor::sim {

static StringRef getName(Span::Kind kind) {
  switch (kind) {
  case Span::Kind::Trip:
    return "run";
  case Span::Kind::InputStall:
    return "waits for input";
  case Span::Kind::OutputStall:
    return "waits for output";
  case Span::Kind::MemoryStall:
    return "waits for memory";
  }
  llvm_unreachable("all kinds are handled");
}

namespace {

/// Writes events of the Chrome trace format. Its times are microseconds, with fractions.
class Trace {
public:
  Trace(raw_ostream &stream, double clockMHz, int64_t process, int64_t begin, bool &first)
      : stream(stream), clockMHz(clockMHz), process(process), begin(begin), first(first) {}

  void nameProcess(StringRef name) {
    append(json::Object{
        {"ph", "M"}, {"name", "process_name"}, {"args", json::Object{{"name", name}}}});
  }
  void nameTask(int64_t task, StringRef name) {
    append(json::Object{{"ph", "M"},
                        {"name", "thread_name"},
                        {"tid", task},
                        {"args", json::Object{{"name", name}}}});
  }
  /// The cycles from `start` to `end` of `task`. Both ends are rounded, not the length, so that
  /// spans that meet in cycles meet in the trace.
  void addSpan(int64_t task, StringRef name, int64_t start, int64_t end) {
    int64_t from = nanoseconds(start), to = nanoseconds(end);
    append(json::Object{{"ph", "X"}, {"name", name}, {"tid", task}},
           formatv(R"("ts":{0},"dur":{1})", microseconds(from), microseconds(to - from)));
  }

private:
  int64_t nanoseconds(int64_t cycle) const {
    return std::llround((begin + cycle) * 1000.0 / clockMHz);
  }
  /// Three decimals; a double would be printed as 0.0040000000000000001.
  static std::string microseconds(int64_t nanoseconds) {
    return formatv("{0}.{1,0+3}", nanoseconds / 1000, nanoseconds % 1000);
  }
  void append(json::Object event, const std::string &times = "") {
    event["pid"] = process;
    stream << (first ? "\n" : ",\n");
    first = false;
    std::string text = formatv("{0}", json::Value(std::move(event)));
    stream << (times.empty() ? text : text.substr(0, text.size() - 1) + "," + times + "}");
  }

  raw_ostream &stream;
  double clockMHz;
  int64_t process, begin;
  bool &first;
};

} // namespace

void appendTrace(raw_ostream &stream, const Machine &machine, const SimResult &result,
                 double clockMHz, int64_t process, int64_t begin, bool &first) {
  Trace trace(stream, clockMHz, process, begin, first);
  trace.nameProcess(machine.name);
  for (auto [task, times] : enumerate(result.tasks)) {
    StringRef name = machine.tasks[task].name;
    trace.nameTask(task, name);
    if (times.start >= 0 && times.end >= 0)
      trace.addSpan(task, name, times.start, times.end);
  }
  for (const Span &span : result.spans)
    trace.addSpan(span.task, getName(span.kind), span.begin, span.end);
}

} // namespace streamtensor::sim
