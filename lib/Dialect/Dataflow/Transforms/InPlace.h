//===- InPlace.h - A result that becomes rows of an argument ----*- C++ -*-===//
//
// What `dataflow-write-in-place` does with one result: it is planned first, and then applied.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_INPLACE_H
#define STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_INPLACE_H

#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>

namespace streamtensor::dataflow {

/// The extents of a tensor of the program or of a port.
llvm::ArrayRef<int64_t> getExtents(mlir::Value value);

/// A tensor of the program as a port has it: the operations in between, from the program's side,
/// and for each dimension of the port its stride in the program's row-major tensor.
struct PortWay {
  mlir::Value inside; ///< Operand or result of the launch.
  llvm::SmallVector<mlir::Operation *> between;
  llvm::SmallVector<int64_t> strides;
  LaunchOp launch;
  PortOp port;
};

/// One result that goes into one argument.
class InPlace {
public:
  InPlace(mlir::func::FuncOp function, unsigned result, unsigned argument, llvm::StringRef scalar,
          const MemoryPortModel &model)
      : function(function), result(result), argument(argument), scalar(scalar), model(model) {}

  /// Can it be done? `reason` says why not.
  llvm::LogicalResult plan();
  void apply();
  std::string reason;

private:
  llvm::LogicalResult fail(const llvm::Twine &why) {
    reason = why.str();
    return llvm::failure();
  }
  mlir::Value getResult() { return function.getBody().front().getTerminator()->getOperand(result); }
  llvm::LogicalResult findWays();
  llvm::LogicalResult findLeaves();
  /// The loops of the new store are those of the one for the result, to begin with. Gives the
  /// element of the result that this stores.
  mlir::AffineExpr takeLoops();
  llvm::LogicalResult findPlaces();
  llvm::LogicalResult checkTiles();
  llvm::LogicalResult splitPlace(mlir::AffineExpr place, llvm::ArrayRef<int64_t> shape, LeafOp leaf,
                                 llvm::ArrayRef<int64_t> trips,
                                 llvm::SmallVectorImpl<mlir::AffineExpr> &coordinates);
  llvm::SmallVector<mlir::AffineExpr> getTarget(llvm::ArrayRef<mlir::AffineExpr> coordinates);
  bool holdsSeveralRows();
  llvm::LogicalResult findParts();
  llvm::LogicalResult findWords();
  llvm::LogicalResult checkCoverage();
  llvm::LogicalResult checkOrder(llvm::ArrayRef<mlir::AffineExpr> rowsAt);
  PortOp replacePorts();
  mlir::Value addPosition(PortOp port);
  LeafOp createWriter(PortOp port, mlir::TypeRange privates);
  mlir::IntegerSetAttr getGuard(llvm::ArrayRef<mlir::AffineExpr> zeros);
  void orderAfterRead(PortOp port);
  void replaceStore(PortOp port);
  void keepWord(PortOp port);
  mlir::Value takeRow(mlir::OpBuilder &builder, LeafOp leaf);
  mlir::Value putRow(mlir::OpBuilder &builder, LeafOp leaf, mlir::Value before, mlir::Value row);
  void fillWords(PortOp port);
  void replaceLaunch(PortOp port);

  mlir::func::FuncOp function;
  unsigned result, argument;
  llvm::StringRef scalar;
  const MemoryPortModel &model;
  PortWay from, to; ///< The argument, the result.
  unsigned along = 0;
  LeafOp reader, writer;
  LoadOp load;
  StreamReadOp rows;
  StoreOp store;
  int64_t lanes = 1, given = 1; ///< Elements that are stored at once, and of a token of the rows.
  llvm::SmallVector<int64_t> trips;           ///< Of the new store, whose last loop fills a word.
  llvm::SmallVector<mlir::AffineExpr> counts; ///< Of these loops.
  unsigned symbols = 1; ///< Scalars of the new store, the place the last of them.
  llvm::SmallVector<mlir::AffineExpr> target; ///< In the argument's port, over those loops.
  StreamOp order;

  // Where a word holds several rows:
  llvm::SmallVector<unsigned> wordLoops;   ///< Of the reader, from word to word of a row.
  llvm::SmallVector<unsigned> againLoops;  ///< Of the reader, that read the same words again.
  llvm::SmallVector<unsigned> besideLoops; ///< Of the reader, from row to row between words of one.
  llvm::SmallVector<unsigned>
      rowLoops; ///< Of the new store, from row to row of a word or the next.
  llvm::SmallVector<mlir::AffineExpr> words; ///< Where a word begins in the argument.
  mlir::AffineExpr lane;                     ///< Of the row in its word.
};

} // namespace streamtensor::dataflow

#endif
