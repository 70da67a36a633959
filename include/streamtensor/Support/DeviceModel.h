//===- DeviceModel.h - Figures of one card ----------------------*- C++ -*-===//
//
// The data file of a device (devices/*.json): what operations, memories, FIFOs
// and memory ports cost, and what the card has. Every figure's source stands in
// the data file. Latencies are in cycles of the design's clock.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_SUPPORT_DEVICEMODEL_H
#define STREAMTENSOR_SUPPORT_DEVICEMODEL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace llvm::json {
class Object;
} // namespace llvm::json

namespace streamtensor {

/// Latency (cycles; 0 merges with the next operation) and resources of one
/// pipelined operator that starts a new computation in every cycle.
struct OpCost {
  int64_t cycles = 0;
  double dsp = 0, ff = 0, lut = 0;
};

/// Resources of a card, a die, or a piece of a design; memories in whole blocks.
struct Resources {
  double lut = 0, ff = 0, dsp = 0, bram36 = 0, uram = 0;
  Resources &operator+=(const Resources &other);
};

/// One on-chip memory kind. Latencies: address to data, write to visible.
struct MemoryKindModel {
  int64_t readLatency = 0, writeLatency = 0;
  /// Width in bits by depth of one block, widest first; empty without blocks.
  std::vector<std::pair<int64_t, int64_t>> shapes;
  int64_t bitsPerLut = 0;
  /// Accesses per cycle; 0 is unlimited.
  int64_t ports = 0;
};

struct MemoryPortModel {
  int64_t bits = 512;
  int64_t readLatency = 0, writeLatency = 0;
  /// Bursts end at multiples of `burstBytes`; each burst costs `burstGap` cycles more.
  int64_t burstBytes = 4096, burstGap = 0;
  double lut = 0, ff = 0;
};

struct FifoModel {
  /// Cycles from the write of a token to the first cycle in which it can be read.
  int64_t shiftRegisterLatency = 1, ramLatency = 2;
  /// Stages from the read of a token to its first use.
  int64_t readLatency = 1;
  /// Largest FIFO, in bits, built from shift registers.
  int64_t shiftRegisterBits = 1024;
  /// Widest token, in bits; Vitis HLS builds no wider element of a stream (UG1399).
  int64_t tokenBits = 4096;
  double controlLut = 0, controlFf = 0;
};

struct ControlModel {
  /// Cycles to enter a task, and for one trip's acquire and release of blocks.
  int64_t taskEntry = 0, blockSwap = 0;
  double leafLut = 0, leafFf = 0, loopLut = 0, loopFf = 0;
};

/// One row of the cost table.
struct CostRow {
  OpCost fixed;
  double cyclesPerBit = 0, lutPerBit = 0, ffPerBit = 0, lutPerBit2 = 0, ffPerBit2 = 0;
  std::string source;
};

class DeviceModel {
public:
  /// Reads a device by file (`devices/u55c.json`) or by name (`u55c`). The error
  /// of an unknown device lists the known ones.
  static llvm::Expected<DeviceModel> load(llvm::StringRef path);
  /// The same for a pass on `op`: reports there why the device cannot be read.
  static mlir::FailureOr<DeviceModel> loadFor(mlir::Operation *op, llvm::StringRef path);

  /// Cost of an arith, math or vector operation on scalars or vectors: latency of
  /// one lane, resources of all lanes. Operations without hardware (constants,
  /// reshapes) cost nothing. Nothing for an operation that the table cannot price.
  std::optional<OpCost> lookUp(mlir::Operation *op) const;

  /// As `lookUp`, an operation outside the table costing nothing.
  OpCost costOf(mlir::Operation *op) const { return lookUp(op).value_or(OpCost()); }

  /// A memory kind by the dialect's name: registers, srl, lutram, bram or uram.
  const MemoryKindModel &memory(llvm::StringRef kind) const;

  llvm::StringRef getName() const { return name; }
  llvm::StringRef getCard() const { return card; }
  double getClockMHz() const { return clockMHz; }
  void setClockMHz(double value) { clockMHz = value; }
  const Resources &getTotals() const { return totals; }
  const std::vector<Resources> &getDies() const { return dies; }
  const MemoryPortModel &port() const { return portModel; }
  const FifoModel &fifo() const { return fifoModel; }
  const ControlModel &control() const { return controlModel; }
  double getDieCrossingWires() const { return dieCrossingWires; }
  double getSustainedBytesPerSecond() const { return sustainedBytesPerSecond; }
  double getHostLaunchMicroseconds() const { return hostLaunchMicroseconds; }

  /// External memory left out: ports answer like block RAM, without bursts.
  void setOnChipIO();

private:
  struct Fallback {
    std::string of;
    double cycles = 1, resources = 1;
  };

  llvm::Error readFields(const llvm::json::Object &root);
  llvm::Error readCosts(const llvm::json::Object &root);
  const CostRow *findRow(llvm::StringRef op, llvm::StringRef type) const;
  std::optional<OpCost> price(llvm::StringRef op, llvm::StringRef type, int64_t bits) const;
  std::optional<OpCost> priceScalar(mlir::Operation *op) const;
  std::optional<OpCost> priceIntegerProduct(mlir::Operation *op) const;

  std::string name, card;
  double clockMHz = 0, dieCrossingWires = 0, sustainedBytesPerSecond = 0;
  double hostLaunchMicroseconds = 0;
  Resources totals;
  std::vector<Resources> dies;
  MemoryPortModel portModel;
  FifoModel fifoModel;
  ControlModel controlModel;
  llvm::StringMap<MemoryKindModel> memories;
  std::map<std::pair<std::string, std::string>, CostRow> rows;
  llvm::StringMap<Fallback> fallbacks;
};

} // namespace streamtensor

#endif
