//===- DeviceModel.h - Figures of one card ----------------------*- C++ -*-===//
//
// The data file of a device (devices/*.json): what operators, memories, FIFOs
// and memory ports cost, and what the card has. Every figure comes from the file,
// where its source stands too: a missing key, an unknown one or a value of
// another type is an error. Latencies are in cycles of the design's clock.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DEVICE_DEVICEMODEL_H
#define STREAMTENSOR_DEVICE_DEVICEMODEL_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace streamtensor {

class StrictObject;

/// Resources of a card, a die, or a piece of a design; memories in whole blocks.
struct Resources {
  double lut = 0, ff = 0, dsp = 0, bram36 = 0, uram = 0;
  /// All of them, to go through.
  static constexpr double Resources::*fields[] = {&Resources::lut, &Resources::ff, &Resources::dsp,
                                                  &Resources::bram36, &Resources::uram};
  Resources &operator+=(const Resources &other);
  Resources &operator-=(const Resources &other);
  Resources &operator*=(double factor);
};

/// Largest share of any resource of `all`; infinite where there is none.
double getShare(const Resources &used, const Resources &all);

/// What an operation of a leaf's body is built of: an operator of the device's library, pipelined
/// so that it starts a new computation in every cycle. Latency of one lane (cycles; 0 merges with
/// the next operation), resources of all lanes.
struct Operator {
  std::string name;
  int64_t latency = 0;
  double dsp = 0, ff = 0, lut = 0;
  /// What Vitis HLS is told to build it of, with that latency: `fulldsp`. Empty where it chooses.
  std::string implementation;

  Resources getResources() const { return {lut, ff, dsp, 0, 0}; }
};

/// One on-chip memory kind. Latencies: address to data, write to visible.
struct MemoryKindModel {
  int64_t readLatency, writeLatency;
  /// Accesses per cycle; 0 is unlimited. How many of them may write, where not all may.
  int64_t ports, writePorts = 0;
  /// Width in bits by depth of one block, widest first, and the parts of a block that can be used
  /// apart; of LUTs, the shapes of a whole group.
  std::vector<std::pair<int64_t, int64_t>> shapes = {};
  int64_t partsPerBlock = 1;
  /// The widest of them where both ports read, or both write.
  int64_t widestAlike = 0;
  /// Shift registers: bits that a LUT holds.
  int64_t bitsPerLut = 0;
  /// Memories of LUTs: how many are a group, of which one has the address of the write.
  int64_t groupLuts = 0;
  /// Registers: LUTs that select among words, per bit held.
  double selectLutPerBit = 0;

  /// Bits of one block.
  int64_t getBlockBits() const;
};

/// The memory beside the chip. Rates and widths are those of one channel.
struct ExternalMemoryModel {
  std::string kind;
  /// What the linker, and what the binary that it makes calls a channel, with '#' for its number:
  /// `DDR[#]` and `bank#`.
  std::string bank, tag;
  /// The die that has the memory's ports.
  std::string die;
  int64_t gibibytes, channels, channelBits;
  double channelMHz;
  double peakBytesPerSecond, sustainedBytesPerSecond;
  /// AXI masters in all, and ports of kernels on one channel.
  int64_t masters, portsPerChannel;

  /// `HBM[3]` or `HBM[3:13]`, for the link configuration.
  std::string getBanks(int64_t first, int64_t last) const;
  /// One channel in the binary, for the host.
  std::string getTag(int64_t channel) const;
};

struct MemoryPortModel {
  int64_t bits;
  int64_t readLatency, writeLatency;
  /// A burst has at most `burstWords` words and ends at multiples of `burstBytes`; each further
  /// burst costs `burstGap` cycles.
  int64_t burstBytes, burstWords, burstGap;
  double lut, ff;
  /// The kind of memory that holds the words on the way.
  std::string wordMemory;
  /// Wires of a master beside those of its words, one way.
  int64_t controlBits;
  /// Bits of the address of a byte.
  int64_t addressBits;

  /// Elements in a word, at least one.
  int64_t getElements(int64_t elementBits) const {
    return std::max<int64_t>(bits / elementBits, 1);
  }
};

/// The port over which the host starts a design and writes its arguments, each a register.
struct ControlPortModel {
  double lut, ff;
  double lutPerBit, ffPerBit;
};

struct FifoModel {
  /// Cycles from the write of a token to the first cycle in which it can be read.
  int64_t shiftRegisterLatency, ramLatency;
  /// Stages from the read of a token to its first use.
  int64_t readLatency;
  /// Largest FIFO, in bits, built from shift registers; up to this depth all are.
  int64_t shiftRegisterBits, shiftRegisterDepth;
  /// Fewest slots that a FIFO can have.
  int64_t minimumDepth;
  /// Widest token, in bits.
  int64_t tokenBits;
  double controlLut, controlFf;
  /// Wires beside those of a token.
  int64_t handshakeBits;

  bool isShiftRegister(int64_t bits, int64_t depth) const {
    return depth <= shiftRegisterDepth || bits * depth <= shiftRegisterBits;
  }
};

/// A FIFO between two kernels: a stream of the platform, of which the link configuration states the
/// depth.
struct LinkModel {
  /// Cycles that a token takes beyond those of a FIFO in a kernel.
  int64_t latency;
  /// Depths are powers of two in this range.
  int64_t leastDepth, mostDepth;
  /// Words are a multiple of so many bits wide.
  int64_t wordBits;
  /// Of the registers at each end.
  double ffPerBit;

  int64_t getWordBits(int64_t tokenBits) const {
    return (tokenBits + wordBits - 1) / wordBits * wordBits;
  }
  /// The least depth of at least `depth` that there is; nothing if that is too deep.
  std::optional<int64_t> getDepth(int64_t depth) const;
};

struct ControlModel {
  /// Cycles to enter a task, and for one trip's acquire and release of blocks.
  int64_t taskEntry, blockSwap;
  /// Cycles that planning counts for one trip outside a flat pipeline.
  int64_t serialTrip;
  double leafLut, leafFf, loopLut, loopFf;
};

/// How a DSP multiplies: operands up to `multiplierBits` in one, wider products in pieces. Bits of
/// the narrow and of the wide operand.
struct DspModel {
  std::pair<int64_t, int64_t> multiplierBits, pieceBits;
  /// Cycles that each further piece costs.
  int64_t pieceCycles;
};

struct Die {
  std::string name;
  Resources resources;
};

/// Operands of a product that neighbours among its lanes share.
enum class SharedLanes { OfNone, OfOne, OfBoth };

class DeviceModel {
public:
  /// Reads a device by file (`devices/u55c.json`) or by name (`u55c`). Errors: a device that no
  /// file describes (the known ones are listed); a file that is not as it must be (the key and what
  /// is expected there are named).
  static llvm::Expected<DeviceModel> load(llvm::StringRef path);

  /// The device that `content` describes; `origin` begins the messages of errors.
  static llvm::Expected<DeviceModel> read(const llvm::json::Object &content,
                                          llvm::StringRef origin);

  /// The operator of an operation of a leaf's body, or of a Linalg body that becomes one. Nothing
  /// if the library has none. Lanes of a product may share operands by pairs: in the body of a leaf
  /// that is seen, elsewhere `shared` says so.
  std::optional<Operator> operatorOf(mlir::Operation *op,
                                     SharedLanes shared = SharedLanes::OfNone) const;
  /// The operator that a leaf states for `op`, by its name there.
  std::optional<Operator> operatorOf(mlir::Operation *op, llvm::StringRef name) const;
  /// The same; an operation without an operator is reported there.
  mlir::FailureOr<Operator> getOperator(mlir::Operation *op) const;
  /// LUTs of multiplexers that choose among so many bits.
  double getSelectLut(int64_t bits) const;
  /// Is there an operator of this name?
  bool hasOperator(llvm::StringRef name) const;
  /// Are there operators for all operations of `block`? Reports the first without.
  llvm::LogicalResult verifyOperators(mlir::Block &block) const;

  /// A memory kind by the dialect's name: registers, srl, lutram, bram or uram.
  const MemoryKindModel &memory(llvm::StringRef kind) const;

  llvm::StringRef getName() const { return name; }
  llvm::StringRef getCard() const { return card; }
  llvm::StringRef getPart() const { return part; }
  /// The least version of Vitis that designs are made for, such as 2023.2.
  llvm::StringRef getVitisVersion() const { return vitisVersion; }
  /// The platform that this version links for.
  llvm::StringRef getPlatform() const { return platform; }
  double getClockMHz() const { return clockMHz; }
  /// Bytes that a channel of external memory sustains in a cycle.
  double getBytesOfCycle() const {
    return externalMemoryModel.sustainedBytesPerSecond / (clockMHz * 1e6);
  }
  void setClockMHz(double value) { clockMHz = value; }
  const Resources &getTotals() const { return totals; }
  const std::vector<Die> &getDies() const { return dies; }
  const ExternalMemoryModel &externalMemory() const { return externalMemoryModel; }
  const MemoryPortModel &port() const { return portModel; }
  const ControlPortModel &controlPort() const { return controlPortModel; }
  const FifoModel &fifo() const { return fifoModel; }
  const LinkModel &link() const { return linkModel; }
  const ControlModel &control() const { return controlModel; }
  const DspModel &dsp() const { return dspModel; }
  double getDieCrossingWires() const { return dieCrossingWires; }
  double getHostLaunchMicroseconds() const { return hostLaunchMicroseconds; }
  /// Part of a die's resources that can be placed.
  double getPlacementShare() const { return placementShare; }
  /// That part of all dies together.
  Resources getPlaceable() const;
  /// What can be placed in any of them: of each resource, that of the die that has least.
  Resources getPlaceableInAnyDie() const;
  /// Bytes of all memory blocks.
  int64_t getOnChipBytes() const;
  /// DSPs of a multiply-add of 32-bit floats.
  double getDspsPerFloatMac() const;
  /// Is an engine of so many DSPs cut into slices for several dies? Where a die holds it beside
  /// other leaves, it is not; nor if it has more than the card, to see what would be.
  bool isCutIntoSlices(double dsps) const;
  /// So much of a die's DSPs does an engine, or a slice of one, take at most: other leaves lie
  /// beside it.
  static constexpr double mostOfDie = 0.6;

private:
  /// A row of the library. Coefficients of powers of the operands' width in bits.
  struct Row {
    std::vector<double> cycles, dsp, ff, lut;
    std::string implementation;
  };
  /// Operators of a type that has no row of its own.
  struct DerivedType {
    std::string of;
    double cycles, resources;
  };

  void readCard(StrictObject &root);
  void readDies(StrictObject &root);
  void readExternalMemory(StrictObject &root);
  void readPort(StrictObject &root);
  void readControlPort(StrictObject &root);
  void readFifo(StrictObject &root);
  void readLink(StrictObject &root);
  void readControl(StrictObject &root);
  void readDsp(StrictObject &root);
  void readMemories(StrictObject &root);
  void readOperators(StrictObject &root);
  void readDerivedTypes(StrictObject &root);
  void checkDerived(StrictObject &object, llvm::StringRef type);

  std::optional<Operator> price(const llvm::Twine &name, int64_t bits) const;
  std::optional<Operator> priceTyped(llvm::StringRef name, int64_t bits) const;
  std::optional<Operator> priceProduct(mlir::Operation *op, llvm::StringRef name) const;
  std::optional<Operator> priceLane(mlir::Operation *op, llvm::StringRef name) const;
  bool isPair(mlir::Operation *op, SharedLanes shared) const;
  bool isCrossed(mlir::Operation *op, SharedLanes shared) const;
  std::string chooseOperator(mlir::Operation *op, llvm::StringRef kind, SharedLanes shared) const;

  std::string name, card, part, vitisVersion, platform;
  double clockMHz = 0, dieCrossingWires = 0, hostLaunchMicroseconds = 0, placementShare = 0;
  Resources totals;
  std::vector<Die> dies;
  ExternalMemoryModel externalMemoryModel;
  MemoryPortModel portModel;
  ControlPortModel controlPortModel;
  FifoModel fifoModel;
  LinkModel linkModel;
  ControlModel controlModel;
  DspModel dspModel;
  llvm::StringMap<MemoryKindModel> memories;
  llvm::StringMap<Row> rows;
  llvm::StringMap<DerivedType> derivedTypes;
};

/// The content of a device's file, by file or by name, found to be as it must be.
llvm::Expected<llvm::json::Object> readDeviceFile(llvm::StringRef path);

} // namespace streamtensor

#endif
