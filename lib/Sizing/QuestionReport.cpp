//===- QuestionReport.cpp - Answers of the simulator as JSON --------------===//

#include "streamtensor/Sizing/QuestionReport.h"

#include "PlacementReport.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace streamtensor::dataflow;

namespace streamtensor::sizing {

void checkMasters(const sim::DesignMachine &built, sim::EditedMachine &edited,
                  const DeviceModel &device) {
  DesignOp design = built.design;
  int64_t masters = range_size(design.getOps<InterfaceOp>()) + edited.masters;
  if (edited.masters > 0 && masters > device.externalMemory().masters)
    edited.notes.push_back(formatv("design '{0}' would have {1} masters; {2} has {3}",
                                   built.machine.name, masters, device.getCard(),
                                   device.externalMemory().masters));
}

/// Cycles `to` instead of `from`, of which every launch takes some, in percent of these.
static double getChange(int64_t from, int64_t to) { return 100.0 * (to - from) / from; }

/// The tasks that work, or wait for memory, for most of a design's cycles, with their share.
static void addBusiest(const SimulatedDesign &design, json::Array &busiest) {
  constexpr size_t most = 3;
  std::vector<std::pair<int64_t, size_t>> order;
  for (auto [number, times] : enumerate(design.result->tasks))
    order.emplace_back(-(times.busy + times.memoryStall), number);
  llvm::sort(order);
  for (auto [cycles, number] : ArrayRef(order).take_front(most))
    busiest.push_back(json::Object{{"design", design.machine->name},
                                   {"name", design.machine->tasks[number].name},
                                   {"share", double(-cycles) / design.result->cycles}});
}

json::Object reportWhatIf(ArrayRef<sim::WhatIf> questions, std::optional<int64_t> before,
                          int64_t cycles, ArrayRef<SimulatedDesign> designs,
                          ArrayRef<std::string> notes) {
  json::Array texts, fifos, busiest;
  for (const sim::WhatIf &question : questions)
    texts.push_back(question.text);
  for (const SimulatedDesign &design : designs) {
    for (int32_t fifo : design.result->criticalFifos)
      fifos.push_back(json::Object{{"design", design.machine->name},
                                   {"name", design.machine->fifos[fifo].name}});
    addBusiest(design, busiest);
  }
  return json::Object{
      {"questions", std::move(texts)},
      {"cycles_before", before ? json::Value(*before) : json::Value(nullptr)},
      {"cycles", cycles},
      {"change_percent", before ? json::Value(getChange(*before, cycles)) : json::Value(nullptr)},
      {"critical_fifos", std::move(fifos)},
      {"busiest_tasks", std::move(busiest)},
      {"notes", json::Array(notes)}};
}

json::Object reportAdvice(const Advised &advised, int64_t cycles) {
  json::Array trials;
  for (const Advice &trial : advised.trials) {
    json::Array texts;
    for (const sim::WhatIf &question : trial.questions)
      texts.push_back(question.text);
    json::Object entry{{"what_if", std::move(texts)},
                       {"cycles", nullptr},
                       {"gain_percent", nullptr},
                       {"resources", reportShare(trial.cost)}};
    if (trial.cycles) {
      entry["cycles"] = *trial.cycles;
      entry["gain_percent"] = getChange(cycles, 2 * cycles - *trial.cycles);
    }
    trials.push_back(std::move(entry));
  }
  return json::Object{{"trials", std::move(trials)},
                      {"untried", static_cast<int64_t>(advised.untried)}};
}

} // namespace streamtensor::sizing
