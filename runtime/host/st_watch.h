//===- st_watch.h - Kernels written by hand, watched ------------*- C++ -*-===//
//
// A declaration says in which iteration of its nest a kernel moves each token, and FIFOs are sized
// for that. A kernel that takes a token before it gives one of an earlier iteration would still
// compute the right thing here, where FIFOs have no bound, and could deadlock on a card. So a
// native run watches the order in which the kernel moves its tokens.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_RUNTIME_ST_WATCH_H
#define STREAMTENSOR_RUNTIME_ST_WATCH_H

#include <cstring>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

namespace st {

/// A task took from a channel what no task had put there, left something in it, or moved tokens
/// in another order than it declares.
struct ChannelError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class KernelWatch;

/// One FIFO of a kernel: its tokens move in a box of the nest's iterations, in order.
class WatchedPort {
public:
  WatchedPort(KernelWatch &kernel, const char *fifo, bool gives, std::vector<long> low,
              std::vector<long> trips)
      : kernel(kernel), fifo(fifo), gives(gives), low(std::move(low)), trips(std::move(trips)),
        at(this->low.size(), 0) {}

  /// The port at the reading (or writing) end of `fifo` in this thread's run; null if that end is
  /// no kernel written by hand.
  static WatchedPort *find(const char *fifo, bool gives);

  /// A token moves.
  void note();

private:
  friend class KernelWatch;
  std::string describe(const char *verb) const {
    return std::string(verb) + " token " + std::to_string(count - 1) + " of '" + fifo + "'";
  }
  /// The iteration of the next token; then goes on to the one after it.
  long advance();

  KernelWatch &kernel;
  const char *fifo;
  bool gives;
  std::vector<long> low, trips, at;
  long count = 0;
  bool isDone = false;
};

/// The ports of one kernel, found by the FIFOs that are made while it lives.
class KernelWatch {
public:
  struct Port {
    const char *fifo;
    bool gives;
    std::vector<long> low, trips;
  };
  KernelWatch(const char *name, std::vector<long> nest, std::vector<Port> declared)
      : name(name), nest(std::move(nest)) {
    for (Port &port : declared) {
      ports.emplace_back(*this, port.fifo, port.gives, std::move(port.low), std::move(port.trips));
      all().push_back(&ports.back());
    }
  }
  KernelWatch(const KernelWatch &) = delete;
  KernelWatch &operator=(const KernelWatch &) = delete;
  ~KernelWatch() { all().resize(all().size() - ports.size()); }

private:
  friend class WatchedPort;
  static std::vector<WatchedPort *> &all() {
    thread_local std::vector<WatchedPort *> watched;
    return watched;
  }

  const char *name;
  std::vector<long> nest;
  std::deque<WatchedPort> ports;
  long iteration = 0;
  WatchedPort *latest = nullptr;
};

inline WatchedPort *WatchedPort::find(const char *fifo, bool gives) {
  for (WatchedPort *port : KernelWatch::all())
    if (port->gives == gives && std::strcmp(port->fifo, fifo) == 0)
      return port;
  return nullptr;
}

inline long WatchedPort::advance() {
  long iteration = 0;
  for (std::size_t loop = 0; loop < at.size(); ++loop)
    iteration = iteration * kernel.nest[loop] + low[loop] + at[loop];
  isDone = true;
  for (std::size_t loop = at.size(); isDone && loop-- > 0;) {
    isDone = ++at[loop] == trips[loop];
    if (isDone)
      at[loop] = 0;
  }
  return iteration;
}

inline void WatchedPort::note() {
  if (isDone) // More than there are: the FIFO says so.
    return;
  long iteration = advance();
  ++count;
  if (iteration < kernel.iteration)
    throw ChannelError(std::string("kernel '") + kernel.name + "' " +
                       describe(gives ? "gives" : "takes") + " after it " +
                       kernel.latest->describe(kernel.latest->gives ? "gave" : "took") +
                       ", which its declaration has in a later iteration of the nest");
  kernel.iteration = iteration;
  kernel.latest = this;
}

} // namespace st

#endif
