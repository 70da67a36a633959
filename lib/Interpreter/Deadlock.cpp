//===- Deadlock.cpp - Why a design stands still ---------------------------===//
//
// A process waits for one channel, hence for the process at its other end. Following these from
// any process that waits leads into a cycle, or to a process that has ended.
//
//===----------------------------------------------------------------------===//

#include "Deadlock.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;

static LeafProcess *getAwaited(LeafProcess *process) {
  Channel *channel = process->getBlockingChannel();
  return process->waitsForInput() ? channel->writer : channel->reader;
}

static std::string describe(LeafProcess *process) {
  Channel *channel = process->getBlockingChannel();
  auto stream = dyn_cast<dataflow::StreamOp>(channel->op);
  StringRef name = stream ? stream.getName() : cast<dataflow::BufferOp>(channel->op).getName();
  StringRef unit = stream ? "token" : "block";
  if (process->waitsForInput())
    return llvm::formatv("'{0}' waits for a {1} of '{2}'", process->getLeaf().getName(), unit,
                         name);
  return llvm::formatv("'{0}' waits for a free {1} of '{2}', which is full with {3}",
                       process->getLeaf().getName(), stream ? "slot" : "block", name,
                       channel->capacity);
}

LogicalResult interpreter::reportDeadlock(dataflow::DesignOp design,
                                          ArrayRef<std::unique_ptr<LeafProcess>> processes) {
  SmallVector<LeafProcess *> path;
  for (const auto &process : processes)
    if (!process->isDone()) {
      path.push_back(process.get());
      break;
    }
  SmallVector<LeafProcess *>::iterator begin;
  while (true) {
    LeafProcess *next = getAwaited(path.back());
    if (!next || next->isDone())
      return path.back()->getLeaf().emitOpError("waits for ever: ")
             << describe(path.back()) << ", and the task at the other end has ended";
    begin = llvm::find(path, next);
    if (begin != path.end())
      break;
    path.push_back(next);
  }
  path.erase(path.begin(), begin);
  InFlightDiagnostic error = design.emitError("deadlock: ")
                             << path.size() << " tasks of design '" << design.getSymName()
                             << "' wait for each other; give the FIFOs that are full more slots";
  for (LeafProcess *process : path)
    error.attachNote(process->getLeaf().getLoc()) << describe(process);
  return error;
}
