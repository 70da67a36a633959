//===- KernelModel.cpp - What a host starts by itself ---------------------===//

#include "streamtensor/Target/HLSCpp/KernelModel.h"

#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::target;
using namespace streamtensor::dataflow;

std::string KernelArgument::memory() const {
  const DeviceModel &device = **getDevice(channel);
  return device.externalMemory().getTag(ChannelOp(channel).getNumber());
}

SmallVector<std::string> KernelModel::getStems() const {
  SmallVector<std::string> stems = {name};
  if (loop)
    for (DesignModel *design : designs)
      stems.push_back(design->name);
  return stems;
}

/// The outermost loops over launches.
static SmallVector<scf::ForOp> getLoops(ModuleOp module) {
  llvm::SmallSetVector<scf::ForOp, 2> loops;
  module.walk([&](LaunchOp launch) {
    if (scf::ForOp loop = getOutermostLoop(launch))
      loops.insert(loop);
  });
  return loops.takeVector();
}

std::string target::getKernelName(const LaunchLoop &loop) {
  scf::ForOp own = loop.getLoop();
  auto module = own->getParentOfType<ModuleOp>();
  NameScope names;
  for (auto design : module.getOps<DesignOp>())
    names.unique(design.getSymName());
  std::string name;
  for (scf::ForOp op : getLoops(module)) {
    name.clear();
    op.walk([&](LaunchOp launch) { name.append(launch.getDesign()).append("_"); });
    name = names.unique(name + "loop");
    if (op == own)
      break;
  }
  return name;
}

//===----------------------------------------------------------------------===//
// A design
//===----------------------------------------------------------------------===//

/// A kernel that is not cut.
static void addWhole(KernelModel &kernel) {
  KernelPart &whole = kernel.parts.emplace_back();
  whole.name = kernel.name;
  llvm::append_range(whole.arguments, llvm::seq<unsigned>(kernel.arguments.size()));
  llvm::append_range(whole.scalars, llvm::seq<unsigned>(kernel.scalars.size()));
}

static void addParts(KernelModel &kernel, DesignModel &model) {
  for (const NamedKernel &named : model.kernels) {
    KernelPart &part = kernel.parts.emplace_back();
    part.name = named.name;
    part.die = named.die;
    for (auto [position, argument] : llvm::enumerate(model.arguments))
      if (named.contains(argument.leaf))
        part.arguments.push_back(position);
    SmallVector<ScalarOp> scalars = named.getScalars();
    for (auto [position, scalar] : llvm::enumerate(model.scalars))
      if (llvm::is_contained(scalars, scalar))
        part.scalars.push_back(position);
  }
  for (auto [writer, from] : llvm::enumerate(model.kernels))
    for (StreamOp link : from.writes) {
      auto *to = llvm::find_if(model.kernels, [&](const NamedKernel &other) {
        return llvm::is_contained(other.reads, link);
      });
      kernel.links.push_back({model.channelNames[link], unsigned(writer),
                              unsigned(to - model.kernels.begin()), link.getType().getDepth()});
    }
}

static KernelModel buildKernel(DesignModel &model) {
  KernelModel kernel;
  kernel.name = model.name;
  kernel.symbol = model.design.getSymName().str();
  kernel.designs = {&model};
  for (PortArgument &argument : model.arguments)
    kernel.arguments.push_back({&argument, argument.name, argument.bundle, argument.channel()});
  for (auto port : model.design.getBody().getOps<PortOp>()) {
    KernelPort &made = kernel.ports.emplace_back();
    made.name = port.getName().str();
    made.direction = port.getDirection();
    made.port = port;
    for (auto [position, argument] : llvm::enumerate(model.arguments))
      if (argument.port == port)
        made.arguments.push_back(position);
  }
  for (ScalarOp scalar : model.scalars)
    kernel.scalars.push_back({model.scalarNames[scalar], scalar.getName().str(),
                              int64_t(scalar.getLow()), int64_t(scalar.getHigh())});
  if (model.kernels.empty())
    addWhole(kernel);
  else
    addParts(kernel, model);
  return kernel;
}

//===----------------------------------------------------------------------===//
// A loop
//===----------------------------------------------------------------------===//

namespace {
/// The designs of a loop become one kernel.
class LoopKernel {
public:
  LoopKernel(LaunchLoop loop, MutableArrayRef<DesignModel> models) : models(models) {
    for (DesignModel &model : models)
      names.unique(model.name);
    kernel.symbol = getKernelName(loop);
    kernel.loop = std::move(loop);
    kernel.name = names.unique(kernel.symbol);
  }

  FailureOr<KernelModel> build() {
    for (const LaunchLoop::Tensor &tensor : kernel.loop->getTensors()) {
      KernelPort &port = kernel.ports.emplace_back();
      port.direction = !tensor.left   ? Direction::In
                       : tensor.given ? Direction::InOut
                                      : Direction::Out;
    }
    for (LaunchOp launch : kernel.loop->getLaunches())
      if (failed(addLaunch(launch)))
        return failure();
    addNumbers();
    if (failed(checkMasters()))
      return failure();
    addWhole(kernel);
    return std::move(kernel);
  }

private:
  LogicalResult addLaunch(LaunchOp launch) {
    DesignModel *model = llvm::find_if(
        models, [&](DesignModel &each) { return each.design.getSymName() == launch.getDesign(); });
    if (llvm::is_contained(kernel.designs, model))
      return launch.emitOpError("[launch.loop] launches '")
             << launch.getDesign() << "' a second time in a turn: the kernel would hold it twice";
    if (!getExterns(model->design).empty())
      return launch.emitOpError("[launch.loop] design '")
             << launch.getDesign()
             << "' has a kernel written by hand, which is checked in a launch of its own: launch "
                "it outside of a loop";
    if (model->design.getPerDie())
      return launch.emitOpError("[launch.loop] design '")
             << launch.getDesign()
             << "' is a kernel for each die, and the loop over its launches is one kernel: compile "
                "with kernels=one, or launch it outside of a loop";
    kernel.designs.push_back(model);
    size_t input = 0, output = 0;
    for (auto port : model->design.getBody().getOps<PortOp>()) {
      Value value;
      if (port.isRead())
        value = launch.getInputs()[input++];
      if (port.isWritten())
        value = launch->getResult(output++);
      if (failed(addPort(kernel.ports[kernel.loop->getTensor(value)], port, *model, launch)))
        return failure();
    }
    return success();
  }

  /// All arguments of a design for one of its ports, which is a tensor of the kernel.
  LogicalResult addPort(KernelPort &made, PortOp port, DesignModel &model, LaunchOp launch) {
    if (!made.port) {
      made.port = port;
      made.name = labels.unique(port.getName());
    } else if (!liesAlike(made.port, port)) {
      return launch.emitOpError("[launch.loop] port '")
             << port.getName() << "' of design '" << launch.getDesign()
             << "' has other stripes or bits than port '" << made.port.getName() << "' of design '"
             << made.port->getParentOfType<DesignOp>().getSymName()
             << "', and the tensor lies in memory in one way";
    }
    for (PortArgument &argument : model.arguments) {
      if (argument.port != port)
        continue;
      made.arguments.push_back(kernel.arguments.size());
      ChannelOp channel = argument.channel();
      for (unsigned other : ArrayRef(made.arguments).drop_back())
        if (kernel.arguments[other].argument->stripe == argument.stripe)
          channel = kernel.arguments[other].channel;
      kernel.arguments.push_back({&argument, names.unique(model.name + "_" + argument.name),
                                  getMaster(model, argument).str(), channel});
    }
    return success();
  }

  /// The master of a design's interface. Designs run in turn: one that another has on the same
  /// channel serves both, if its words are as wide.
  StringRef getMaster(DesignModel &model, PortArgument &argument) {
    int64_t channel = argument.channel().getNumber(), bits = getWordBits(argument);
    InterfaceAttr interface = argument.interface().getFacts();
    Master *shared = nullptr;
    for (Master &master : masters) {
      StringRef own = master.bundles.lookup(&model);
      if (own == argument.bundle)
        return master.name;
      if (own.empty() && master.channel == channel && master.wordBits == bits &&
          master.interface == interface && !shared)
        shared = &master;
    }
    if (!shared) {
      shared = &masters.emplace_back();
      shared->name = bundleNames.unique(argument.bundle);
      shared->channel = channel;
      shared->wordBits = bits;
      shared->interface = interface;
    }
    shared->bundles[&model] = argument.bundle;
    return shared->name;
  }

  static int64_t getWordBits(PortArgument &argument) {
    return argument.lanes * argument.storageBits();
  }

  static bool liesAlike(PortOp left, PortOp right) {
    bool isStriped = left.getNumStripes() > 1;
    return getStorageBits(left) == getStorageBits(right) &&
           left.getNumStripes() == right.getNumStripes() &&
           (!isStriped ||
            left.getStripeType().getShape().back() == right.getStripeType().getShape().back());
  }

  void addNumbers() {
    scf::ForOp loop = kernel.loop->getLoop();
    auto main = loop->getParentOfType<func::FuncOp>();
    SmallVector<BlockArgument> own = kernel.loop->getNumbers();
    for (const ScalarArgument &scalar : getScalarArguments(main)) {
      BlockArgument argument = main.getArgument(scalar.argument);
      if (!llvm::is_contained(own, argument))
        continue;
      std::string name = names.unique(scalar.name);
      kernel.numbers[argument] = name;
      kernel.scalars.push_back({name, scalar.name, scalar.low, scalar.high});
    }
    loop->walk<WalkOrder::PreOrder>([&](scf::ForOp each) {
      std::string turn = kernel.numbers[each.getInductionVar()] = names.unique("turn");
      kernel.steps[each.getInductionVar()] = names.unique(turn + "_step");
    });
  }

  /// Law [launch.loop]: no channel has more masters than the linker joins there. Each design has as
  /// many as the card takes, and one of them runs at a time.
  LogicalResult checkMasters() {
    const DeviceModel &device = **getDevice(kernel.loop->getLoop());
    std::map<int64_t, int64_t> perChannel;
    for (const Master &master : masters)
      ++perChannel[master.channel];
    for (auto [channel, count] : perChannel)
      if (count > device.externalMemory().portsPerChannel)
        return kernel.loop->getLoop().emitOpError("[launch.loop] its designs have ")
               << count << " AXI masters together on " << device.externalMemory().getTag(channel)
               << ", which takes " << device.externalMemory().portsPerChannel;
    return success();
  }

  MutableArrayRef<DesignModel> models;
  KernelModel kernel;
  NameScope names, labels, bundleNames;

  struct Master {
    std::string name;
    int64_t channel, wordBits;
    InterfaceAttr interface;
    llvm::DenseMap<DesignModel *, StringRef> bundles; ///< What each design calls it.
  };
  SmallVector<Master> masters;
};
} // namespace

//===----------------------------------------------------------------------===//
// All kernels
//===----------------------------------------------------------------------===//

FailureOr<std::vector<KernelModel>> target::buildKernels(ModuleOp module,
                                                         MutableArrayRef<DesignModel> models) {
  if (failed(checkScalarArguments(module)))
    return failure();
  std::vector<KernelModel> kernels;
  llvm::DenseSet<DesignModel *> held;
  for (scf::ForOp op : getLoops(module)) {
    FailureOr<LaunchLoop> loop = LaunchLoop::read(op);
    if (failed(loop))
      return failure();
    FailureOr<KernelModel> kernel = LoopKernel(std::move(*loop), models).build();
    if (failed(kernel))
      return failure();
    for (DesignModel *design : kernel->designs)
      if (!held.insert(design).second)
        return op.emitOpError("[launch.loop] launches design '")
               << design->design.getSymName()
               << "', which another loop launches too: two kernels would hold it";
    kernels.push_back(std::move(*kernel));
  }
  WalkResult outside = module.walk([&](LaunchOp launch) {
    bool isHeld = llvm::any_of(held, [&](DesignModel *design) {
      return design->design.getSymName() == launch.getDesign();
    });
    if (!isHeld || getOutermostLoop(launch))
      return WalkResult::advance();
    launch.emitOpError("[launch.loop] launches design '")
        << launch.getDesign() << "', which a loop launches too: two kernels would hold it";
    return WalkResult::interrupt();
  });
  if (outside.wasInterrupted())
    return failure();
  for (DesignModel &model : models)
    if (!held.contains(&model))
      kernels.push_back(buildKernel(model));
  return std::move(kernels);
}
