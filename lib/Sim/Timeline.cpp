//===- Timeline.cpp - A run as a Chrome trace -----------------------------===//

#include "streamtensor/Sim/Timeline.h"

#include "llvm/Support/JSON.h"

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
  }
  llvm_unreachable("all kinds are handled");
}

void appendTrace(raw_ostream &trace, const Machine &machine, const SimResult &result,
                 int64_t process, int64_t begin, bool &first) {
  auto append = [&](json::Object event) {
    trace << (first ? "\n" : ",\n") << json::Value(std::move(event));
    first = false;
  };
  append(json::Object{{"ph", "M"},
                      {"name", "process_name"},
                      {"pid", process},
                      {"args", json::Object{{"name", machine.name}}}});
  for (size_t task = 0; task < machine.tasks.size(); ++task) {
    append(json::Object{{"ph", "M"},
                        {"name", "thread_name"},
                        {"pid", process},
                        {"tid", static_cast<int64_t>(task)},
                        {"args", json::Object{{"name", machine.tasks[task].name}}}});
    const TaskResult &times = result.tasks[task];
    if (times.start >= 0 && times.end >= 0)
      append(json::Object{{"ph", "X"},
                          {"name", machine.tasks[task].name},
                          {"pid", process},
                          {"tid", static_cast<int64_t>(task)},
                          {"ts", begin + times.start},
                          {"dur", times.end - times.start}});
  }
  for (const Span &span : result.spans)
    append(json::Object{{"ph", "X"},
                        {"name", getName(span.kind)},
                        {"pid", process},
                        {"tid", span.task},
                        {"ts", begin + span.begin},
                        {"dur", span.end - span.begin}});
}

} // namespace streamtensor::sim
