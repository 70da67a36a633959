//===- TimedMemory.cpp - A private memory of overlapping iterations -------===//

#include "TimedMemory.h"

using namespace streamtensor::interpreter;

/// Before all accesses.
static constexpr int64_t never = std::numeric_limits<int64_t>::min();

TimedMemory::TimedMemory(const Array &array) {
  for (const Word &word : array.words)
    places.push_back({{{never, word}}, never});
}

const Word &TimedMemory::read(int64_t place, int64_t time) {
  Place &here = places[place];
  here.lastRead = std::max(here.lastRead, time);
  size_t last = here.values.size() - 1;
  while (last > 0 && here.values[last].first > time)
    --last;
  return here.values[last].second;
}

bool TimedMemory::write(int64_t place, int64_t time, int64_t now, const Word &value) {
  Place &here = places[place];
  while (here.values.size() > 1 && here.values[1].first <= now)
    here.values.erase(here.values.begin());
  auto *later = llvm::find_if(here.values, [&](const auto &entry) { return entry.first > time; });
  here.values.insert(later, {time, value});
  return here.lastRead < time;
}
