//===- ReferenceDesign.cpp - The machine of a design by enumeration -------===//

#include "ReferenceDesign.h"

#include "ReferenceAffine.h"

#include <cmath>
#include <numeric>
#include <set>

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::sim {
namespace {

using Indices = SmallVector<int64_t>;

/// Where an expression is evaluated: the indices of the loops and the scalars of the leaf.
struct Point {
  ArrayRef<int64_t> indices, scalars;
};

int64_t valueOf(AffineExpr expr, Point at) {
  return reference::valueOf(expr, at.indices, at.scalars);
}

bool isInside(std::optional<IntegerSet> guard, Point at) {
  return !guard || reference::isInside(*guard, at.indices, at.scalars);
}

/// Calls `visit` with every point of a box that starts at 0, the last dimension fastest.
void forEachPoint(ArrayRef<int64_t> box, function_ref<void(ArrayRef<int64_t>)> visit) {
  Indices point(box.size(), 0);
  for (int64_t left = llvm::product_of(box); left > 0; --left) {
    visit(point);
    for (unsigned dim = box.size(); dim-- > 0 && ++point[dim] == box[dim];)
      point[dim] = 0;
  }
}

/// The bursts that one access to external memory starts, element by element: on each stripe alike,
/// or on `stripe`, where it moves a part of a row that lies there.
class Walker {
public:
  Walker(WordsAttr words, PortOp declared, bool writes, AffineMap map,
         std::optional<IntegerSet> guard, Type value, const DeviceModel &device, size_t stripe)
      : writes(writes), interfaces(declared.getInterfaces()), shape(declared.getType().getShape()),
        map(map), guard(guard), box(shape.size(), 1), elementBits(getStorageBits(declared)),
        gap(device.port().burstGap) {
    if (auto vector = dyn_cast<VectorType>(value))
      box.assign(vector.getShape().begin(), vector.getShape().end());
    if (int64_t row = shape.empty() ? 1 : shape.back(); interfaces.size() > 1) {
      shape.back() /= interfaces.size();
      if (box.back() == row)
        box.back() = shape.back();
      else
        own = stripe;
    }
    if (own)
      interfaces = {interfaces[*own]};
    if (words.getUsed() < words.getLanes()) // padding is moved with the data
      box.back() = words.getLanes();
    beats = llvm::product_of(box) / words.getLanes();
    burstBits = std::min(device.port().burstBytes * 8,
                         device.port().burstWords * words.getLanes() * elementBits);
    if (words.getRequest() > 0) {
      isAlone = true;
      burstBits = words.getRequest() * words.getLanes() * elementBits;
    }
  }

  void setSerial(size_t loops) { serial = loops; }

  static bool isZero(int64_t place) { return place == 0; }

  /// Bursts that an iteration starts, after the first.
  int64_t walk(int64_t iteration, Point at) {
    int64_t bursts = 0;
    forEachPoint(box, [&](ArrayRef<int64_t> point) {
      int64_t element = 0;
      for (auto [dim, extent] : llvm::enumerate(shape)) {
        int64_t first = valueOf(map.getResult(dim), at);
        bool isInRow = own && dim + 1 == shape.size();
        element = element * extent + (isInRow ? first % extent : first) + point[dim];
      }
      bool isTrip = serial > 0 && llvm::all_of(at.indices.drop_front(serial), isZero);
      bool begins = (isAlone || isTrip) && llvm::all_of(point, isZero);
      bool jumps = last && (begins || element != *last + 1);
      bool crosses = last && element * elementBits % burstBits == 0;
      bursts += jumps || crosses;
      if (!last || jumps || crosses)
        started.push_back({iteration, 0});
      started.back().second += elementBits;
      last = element;
    });
    return bursts;
  }

  bool moves(Point at) const {
    return isInside(guard, at) &&
           (!own || valueOf(map.getResults().back(), at) / shape.back() == int64_t(*own));
  }
  /// Is there one for each stripe?
  bool isOfStripe() const { return own.has_value(); }
  bool sharesWay(const Walker &other) const {
    return writes == other.writes && llvm::any_of(interfaces, [&](Value interface) {
             return llvm::is_contained(other.interfaces, interface);
           });
  }
  /// The iterations that start bursts, with the bits of each.
  ArrayRef<std::pair<int64_t, int64_t>> getStarted() const { return started; }
  ArrayRef<Value> getInterfaces() const { return interfaces; }
  bool isWriting() const { return writes; }
  int64_t getBeats() const { return beats; }
  int64_t getGap() const { return gap; }

private:
  bool writes;
  SmallVector<Value> interfaces;
  Indices shape;
  AffineMap map;
  std::optional<IntegerSet> guard;
  Indices box;
  int64_t elementBits, gap, burstBits = 0, beats = 1;
  bool isAlone = false; // each iteration begins bursts
  size_t serial = 0;    // so does each trip of these outermost loops
  std::optional<size_t> own;
  std::optional<int64_t> last;
  std::vector<std::pair<int64_t, int64_t>> started;
};

/// The dies of what uses a FIFO.
std::set<std::string> diesOf(Value fifo) {
  std::set<std::string> dies;
  for (Operation *user : fifo.getUsers()) {
    if (auto view = dyn_cast<StreamCastOp>(user))
      dies.merge(diesOf(view.getResult()));
    else
      dies.insert(user->getParentOfType<LeafOp>().getDie()->str());
  }
  return dies;
}

int64_t bitsOf(Type type) {
  if (auto tuple = dyn_cast<TupleType>(type)) {
    int64_t bits = 0;
    for (Type member : tuple.getTypes())
      bits += bitsOf(member);
    return bits;
  }
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.getNumElements() * bitsOf(shaped.getElementType());
  return type.isIndex() ? 32 : type.getIntOrFloatBitWidth();
}

class Enumerator {
public:
  Enumerator(DesignOp design, const DeviceModel &device, ArrayRef<int64_t> values)
      : design(design), device(device) {
    for (auto [scalar, value] : llvm::zip_equal(llvm::to_vector(design.getOps<ScalarOp>()), values))
      scalars[scalar.getResult()] = value;
  }

  ReferenceMachine run() {
    machine.taskEntry = device.control().taskEntry;
    machine.blockSwap = device.control().blockSwap;
    for (auto stream : design.getOps<StreamOp>()) {
      auto type = cast<StreamType>(stream.getResult().getType());
      channels[stream.getResult()] = machine.fifos.size();
      int64_t depth = type.getDepth(), bits = bitsOf(type.getElementType());
      bool isShort = depth <= 2 || depth * bits <= device.fifo().shiftRegisterBits;
      int64_t latency = isShort ? device.fifo().shiftRegisterLatency : device.fifo().ramLatency;
      if (design.getPerDie() && diesOf(stream.getResult()).size() > 1)
        latency = device.fifo().ramLatency + device.link().latency;
      machine.fifos.push_back({depth, bits, latency});
    }
    for (auto buffer : design.getOps<BufferOp>()) {
      channels[buffer.getResult()] = machine.blocks.size();
      machine.blocks.push_back(buffer.getBlocks());
    }
    addMemory();
    for (auto leaf : design.getOps<LeafOp>())
      addLeaf(leaf);
    return std::move(machine);
  }

private:
  /// A straight-line body, and what it does in iterations that are given by all loops.
  struct Nest {
    Block *body;
    Indices trips; // of its own loops
    std::vector<Walker> walkers;
    int64_t ii;
    size_t lag = 0;
  };

  /// Trips of the loops of a leaf or of a nest.
  template <typename Op> Indices tripsOf(Op op) {
    Indices trips(op.getTrips());
    if (op.getCounts())
      for (auto [trip, count] : llvm::zip_equal(trips, op.getCounts()->getResults()))
        trip = valueOf(count, {{}, values});
    return trips;
  }

  void addLeaf(LeafOp leaf) {
    values = llvm::map_to_vector(leaf.getScalars(),
                                 [&](Value scalar) { return scalars.lookup(scalar); });
    ReferenceTask task;
    task.name = leaf.getName().str();
    task.freezesOnEmpty = leaf.getStyle() == PipelineStyle::Stp;
    Indices allLoops = tripsOf(leaf);
    ArrayRef<int64_t> loops = allLoops;
    int64_t serial = std::max<int64_t>(leaf.getSerial(), innermostAcquire(leaf));
    SmallVector<Nest> nests;
    for (auto nest : leaf.getBlock().getOps<NestOp>()) {
      int64_t ii = leaf.getTogether() ? leaf.getIi() : nest.getIi();
      nests.push_back({&nest.getBlock(), tripsOf(nest), getWalkers(nest.getBlock()), ii,
                       static_cast<size_t>(nest.getLag())});
      if (!leaf.getTogether())
        task.phases.push_back(
            {ii, static_cast<int64_t>(nest.getDepth()), llvm::product_of(nests.back().trips)});
    }
    if (nests.empty()) {
      nests.push_back({&leaf.getBlock(), Indices(loops.drop_front(serial)),
                       getWalkers(leaf.getBlock()), static_cast<int64_t>(leaf.getIi())});
      task.phases.push_back(
          {nests[0].ii, static_cast<int64_t>(leaf.getDepth()), llvm::product_of(nests[0].trips)});
    } else if (leaf.getTogether()) {
      task.phases.push_back(
          {static_cast<int64_t>(leaf.getIi()), static_cast<int64_t>(leaf.getDepth()), 0});
    } else {
      serial = loops.size();
    }
    task.trips = llvm::product_of(loops.take_front(serial)) * task.phases.size();
    addAcquires(leaf, loops.take_front(serial), task);
    forEachPoint(loops.take_front(serial), [&](ArrayRef<int64_t> outer) {
      if (!leaf.getTogether()) {
        for (Nest &nest : nests)
          forEachPoint(nest.trips,
                       [&](ArrayRef<int64_t> own) { act(task, {&nest}, {join(outer, own)}); });
        return;
      }
      // A nest takes up a block so many steps after the first.
      SmallVector<Indices> blocks;
      forEachPoint(loops.drop_front(serial),
                   [&](ArrayRef<int64_t> block) { blocks.push_back(join(outer, block)); });
      int64_t before = task.iterations.size();
      for (size_t step = 0; step < blocks.size() + nests.back().lag; ++step) {
        SmallVector<std::pair<Nest *, SmallVector<Indices>>> busy;
        size_t longest = 0;
        for (Nest &nest : nests) {
          if (step < nest.lag || step - nest.lag >= blocks.size())
            continue;
          busy.push_back({&nest, {}});
          forEachPoint(nest.trips, [&](ArrayRef<int64_t> own) {
            busy.back().second.push_back(join(blocks[step - nest.lag], own));
          });
          longest = std::max(longest, busy.back().second.size());
        }
        for (size_t turn = 0; turn < longest; ++turn) {
          SmallVector<Nest *> acting;
          SmallVector<Indices> at;
          for (auto &[nest, points] : busy)
            if (turn < points.size()) {
              acting.push_back(nest);
              at.push_back(points[turn]);
            }
          act(task, acting, at);
        }
      }
      task.phases[0].iterations = task.iterations.size() - before;
    });
    for (Nest &nest : nests)
      for (Walker &walker : nest.walkers)
        addBursts(walker, task);
    for (ReferenceTask::Iteration &iteration : task.iterations)
      llvm::sort(iteration.bursts);
    machine.tasks.push_back(std::move(task));
  }

  /// What an access asks of the channels: whole beats for each burst, on every stripe.
  void addBursts(const Walker &walker, ReferenceTask &task) {
    for (Value interface : walker.getInterfaces()) {
      auto way = ways.find({interface, walker.isWriting()});
      if (way == ways.end())
        continue;
      int64_t beat = device.externalMemory().channelBits;
      for (auto [number, bits] : walker.getStarted()) {
        auto &bursts = task.iterations[number].bursts;
        int64_t bytes = (bits + beat - 1) / beat * beat / 8;
        auto known = llvm::find_if(bursts, [&](auto &each) { return each.first == way->second; });
        if (known == bursts.end())
          bursts.push_back({way->second, bytes});
        else
          known->second += bytes;
      }
    }
  }

  /// A way for reads and one for writes of each master, where accesses of some leaf take it.
  void addMemory() {
    DenseMap<Value, int32_t> numbers;
    double rate = device.externalMemory().sustainedBytesPerSecond;
    int64_t bytes = std::llround(rate / 1000), cycles = std::llround(device.getClockMHz() * 1000);
    int64_t common = std::gcd(bytes, cycles);
    for (auto channel : design.getOps<ChannelOp>()) {
      numbers[channel.getResult()] = machine.channels.size();
      machine.channels.push_back({bytes / common, cycles / common});
    }
    for (auto interface : design.getOps<InterfaceOp>())
      for (bool writes : {false, true}) {
        bool isTaken = false;
        for (Operation *port : interface->getUsers())
          for (Operation *user : port->getUsers())
            isTaken |= writes ? isa<StoreOp>(user) : isa<LoadOp>(user);
        if (!isTaken || !interface.getChannel())
          continue;
        ways[{interface.getResult(), writes}] = machine.channelOfWay.size();
        machine.channelOfWay.push_back(numbers.lookup(interface.getChannel()));
      }
  }

  static Indices join(ArrayRef<int64_t> outer, ArrayRef<int64_t> inner) {
    Indices all(outer);
    llvm::append_range(all, inner);
    return all;
  }

  /// A walker that moves words in an iteration, and the bursts that it starts.
  struct Moved {
    Walker *walker;
    int64_t bursts;
  };

  /// Cycles by which an iteration issues later: on the interface that takes longest, its bursts
  /// less what lies between the words of one iteration and those of the next.
  static int64_t getGap(ArrayRef<Moved> moved, int64_t ii) {
    int64_t longest = 0;
    for (const Moved &own : moved) {
      int64_t gaps = 0, beats = 0;
      for (const Moved &other : moved)
        if (own.walker->sharesWay(*other.walker)) {
          gaps += other.bursts * other.walker->getGap();
          beats += other.walker->getBeats();
        }
      longest = std::max(longest, gaps - (ii - beats));
    }
    return longest;
  }

  /// One iteration in which `nests` act.
  void act(ReferenceTask &task, ArrayRef<Nest *> nests, ArrayRef<Indices> at) {
    ReferenceTask::Iteration iteration;
    SmallVector<Moved> moved;
    for (auto [nest, indices] : llvm::zip_equal(nests, at)) {
      Point point{indices, values};
      addTokens(*nest->body, point, iteration);
      for (Walker &walker : nest->walkers)
        if (walker.moves(point))
          moved.push_back({&walker, walker.walk(task.iterations.size(), point)});
    }
    iteration.gap = getGap(moved, nests.front()->ii);
    llvm::sort(iteration.reads);
    llvm::sort(iteration.writes);
    if (task.iterations.empty()) // its latency is part of the pipeline's depth
      iteration.gap = 0;
    task.iterations.push_back(std::move(iteration));
  }

  static int64_t innermostAcquire(LeafOp leaf) {
    int64_t innermost = 0;
    for (int64_t level : llvm::concat<const int64_t>(leaf.getReadLevels(), leaf.getWriteLevels()))
      innermost = std::max(innermost, level);
    return innermost;
  }

  /// Loops outside the innermost acquire run one trip after the other; an acquire further out
  /// holds its block for all trips of the loops between.
  void addAcquires(LeafOp leaf, ArrayRef<int64_t> serial, ReferenceTask &task) {
    auto tripsOf = [&](int64_t begin) {
      int64_t trips = task.phases.size();
      for (int64_t loop = begin; loop < static_cast<int64_t>(serial.size()); ++loop)
        trips *= serial[loop];
      return trips;
    };
    for (auto [buffer, level] : llvm::zip_equal(leaf.getReads(), leaf.getReadLevels()))
      task.acquires.push_back({channels.lookup(buffer), false, tripsOf(level)});
    for (auto [buffer, level] : llvm::zip_equal(leaf.getWrites(), leaf.getWriteLevels()))
      task.acquires.push_back({channels.lookup(buffer), true, tripsOf(level)});
    llvm::sort(task.acquires);
  }

  std::vector<Walker> getWalkers(Block &body) {
    std::vector<Walker> walkers;
    auto add = [&](auto access, bool writes, Type value) {
      auto port = access.getMemory().template getDefiningOp<PortOp>();
      for (size_t stripe = 0; port && stripe < size_t(port.getNumStripes()); ++stripe) {
        walkers.emplace_back(access.getWordsAttr(), port, writes, access.getMap(),
                             access.getGuard(), value, device, stripe);
        if (auto leaf = dyn_cast<LeafOp>(body.getParentOp()))
          walkers.back().setSerial(leaf.getSerial());
        if (!walkers.back().isOfStripe())
          break;
      }
    };
    for (Operation &op : body)
      if (auto load = dyn_cast<LoadOp>(op))
        add(load, false, load.getResult().getType());
      else if (auto store = dyn_cast<StoreOp>(op))
        add(store, true, store.getValue().getType());
    return walkers;
  }

  void addTokens(Block &body, Point at, ReferenceTask::Iteration &iteration) {
    for (auto read : body.getOps<StreamReadOp>())
      if (isInside(read.getGuard(), at))
        iteration.reads.push_back(channels.lookup(read.getFifo()));
    for (auto write : body.getOps<StreamWriteOp>())
      if (isInside(write.getGuard(), at))
        iteration.writes.push_back({getTiming(write).getStage(), channels.lookup(write.getFifo())});
  }

  DesignOp design;
  const DeviceModel &device;
  ReferenceMachine machine;
  DenseMap<Value, int32_t> channels;
  DenseMap<Value, int64_t> scalars;
  Indices values;                                     // of the scalars of the leaf at hand
  DenseMap<std::pair<Value, unsigned>, int32_t> ways; // by master, and whether it writes
};

} // namespace

ReferenceMachine enumerateDesign(DesignOp design, const DeviceModel &device,
                                 ArrayRef<int64_t> scalars) {
  return Enumerator(design, device, scalars).run();
}

} // namespace streamtensor::sim
