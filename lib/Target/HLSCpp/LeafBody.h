//===- LeafBody.h - The body of a nest as C++ -------------------*- C++ -*-===//
//
// A vector operation is one statement inside a nest of unrolled lane loops.
// Broadcasts, slices, transposes and reshapes cost nothing: they only change the indices
// with which their source is read. Statements over the same lanes share a nest. An operation that
// the leaf says what to build of has a variable of its own, to which its pragma binds it.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_TARGET_HLSCPP_LEAFBODY_H
#define STREAMTENSOR_LIB_TARGET_HLSCPP_LEAFBODY_H

#include "PrivateMemories.h"
#include "streamtensor/Target/HLSCpp/CppWriter.h"
#include "streamtensor/Target/HLSCpp/DesignModel.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace streamtensor::target {

/// Is a word of the port a token of the value's elements as it is?
bool isToken(dataflow::AccessOpInterface op, PortArgument &port);

/// Does the operation run on the operator that multiplies two numbers by one, or by two others?
bool isPairedProduct(mlir::Operation *op);
bool isCrossedProduct(mlir::Operation *op);

class LeafBody {
public:
  /// `names` are the identifiers of the function so far (loops, parameters).
  LeafBody(DesignModel &model, dataflow::NestOpInterface nestOp, NameScope &names,
           llvm::ArrayRef<std::string> loopNames,
           llvm::ArrayRef<std::pair<IndexCounter, std::string>> counters);

  /// Prints the statements of one iteration.
  llvm::LogicalResult emit(CppWriter &body);

  /// What must stand at the top of the function: held values and tables.
  const std::vector<TopLine> &declarations() const { return topLines; }
  /// The name by which a memory is indexed in the body.
  std::string &memoryName(mlir::Value memory) { return memoryNames[memory]; }
  /// The trip count of a loop: a number, or an expression of the leaf's scalars.
  std::string countText(unsigned loop) const;

private:
  using Lanes = llvm::ArrayRef<mlir::AffineExpr>;

  /// A named value. A flat one is indexed by its row-major position.
  struct Variable {
    std::string name;
    bool flat;
  };

  /// A read of a memory inside an expression.
  struct MemoryUse {
    mlir::Value memory;
    mlir::AffineMap map;
    bool laneByLane;
    bool operator==(const MemoryUse &other) const {
      return memory == other.memory && map == other.map && laneByLane == other.laneByLane;
    }
  };

  /// What the expression that is being printed touches.
  struct Accesses {
    llvm::SmallVector<MemoryUse> loads;
    /// Named values, and whether each is read at the lane of the statement.
    llvm::SmallVector<std::pair<mlir::Value, bool>> values;
  };

  /// Statements that share a nest of lane loops and are not yet printed.
  struct Nest {
    llvm::SmallVector<int64_t> shape;
    std::vector<std::string> declarations;
    std::vector<std::string> statements;
    llvm::SmallVector<mlir::Value> defined;
    llvm::SmallVector<MemoryUse> loads, stores;
  };

  // Decisions.
  bool isView(mlir::Operation *op);
  bool isInlined(mlir::Operation *op);
  mlir::Operation *statementOf(mlir::Operation *op);
  bool staysValid(dataflow::LoadOp load, mlir::Operation *statement);

  // Expressions.
  /// What `print` gives; `accesses` are then those of it alone.
  template <typename Print> auto noteAccesses(Print print) {
    accesses = {};
    return print();
  }
  llvm::FailureOr<Expression> expression(mlir::Value value, Lanes lanes);
  llvm::FailureOr<Expression> definition(mlir::Operation *op, Lanes lanes);
  llvm::FailureOr<Expression> view(mlir::Operation *op, Lanes lanes);
  llvm::FailureOr<Expression> constant(mlir::arith::ConstantOp op, Lanes lanes);
  Expression variable(mlir::Value value, Lanes lanes);
  llvm::FailureOr<Expression> loadElement(dataflow::LoadOp load, Lanes lanes);
  Expression pin(mlir::Operation *op, const Expression &value);
  void printPins();
  mlir::AffineExpr loopExpression(mlir::BlockArgument index);
  llvm::FailureOr<mlir::AffineExpr> indexExpression(mlir::Value index);
  std::string element(dataflow::AccessOpInterface access, Lanes lanes);
  mlir::AffineExpr inLoops(mlir::AffineExpr expr);
  Expression condition(mlir::IntegerSet set);

  // Statements.
  llvm::LogicalResult emitOp(mlir::Operation &op);
  llvm::LogicalResult emitRead(dataflow::StreamReadOp op);
  llvm::LogicalResult emitWrite(dataflow::StreamWriteOp op);
  llvm::LogicalResult emitLoad(dataflow::LoadOp op);
  llvm::FailureOr<std::string> rowOffset(dataflow::LoadOp op);
  llvm::FailureOr<std::string> wordAt(dataflow::AccessOpInterface op, PortArgument &port);
  /// `shift` is empty where an element has bytes of its own.
  struct PlaceInWords {
    std::string element, shift;
  };
  PlaceInWords placeInWords(const std::string &name, dataflow::AccessOpInterface op,
                            PortArgument &port, llvm::ArrayRef<int64_t> shape, Lanes lanes);
  void moveWords(const std::string &name, const std::string &at, int64_t count, bool loads);
  llvm::LogicalResult emitWideLoad(dataflow::LoadOp op, PortArgument &port);
  llvm::LogicalResult emitWords(dataflow::LoadOp op, PortArgument &port, const Expression &guard,
                                llvm::ArrayRef<std::string> places);
  llvm::FailureOr<std::vector<std::string>> placesOf(dataflow::AccessOpInterface op,
                                                     PortArgument &port);
  void moveStripes(dataflow::AccessOpInterface op, const std::string &name,
                   llvm::ArrayRef<std::string> places);
  void declareWords(dataflow::AccessOpInterface op, PortArgument &port, const std::string &name,
                    llvm::StringRef initial = "");
  llvm::FailureOr<std::string> gatherWords(dataflow::StoreOp op, PortArgument &port);
  llvm::LogicalResult emitStore(dataflow::StoreOp op);
  llvm::LogicalResult emitWideStore(dataflow::StoreOp op, PortArgument &port);
  llvm::LogicalResult emitInsert(mlir::vector::InsertStridedSliceOp op);
  llvm::LogicalResult emitTuple(dataflow::TupleOp op);
  llvm::LogicalResult emitFromElements(mlir::vector::FromElementsOp op);
  llvm::LogicalResult emitNamed(mlir::Operation *op);
  llvm::LogicalResult emitPairs(mlir::arith::MulIOp product);
  llvm::LogicalResult emitCrosses(mlir::arith::MulIOp product);
  /// The name of an `hls::vector` that holds `value` in row-major order.
  llvm::FailureOr<std::string> token(mlir::Value value, llvm::StringRef wish);

  // Lane nests.
  using Printer = llvm::function_ref<llvm::FailureOr<std::string>(Lanes)>;
  llvm::LogicalResult statement(llvm::ArrayRef<int64_t> shape, Printer print,
                                mlir::Value defines = {}, std::optional<MemoryUse> store = {});
  llvm::LogicalResult emitTogether(mlir::arith::MulIOp product, llvm::ArrayRef<int64_t> shape,
                                   Printer print);
  llvm::SmallVector<mlir::AffineExpr> lanesOf(llvm::ArrayRef<int64_t> shape);
  bool isLaneByLane(Lanes lanes);
  bool fits(llvm::ArrayRef<int64_t> shape, const std::optional<MemoryUse> &store);
  void flush();
  void openGuard(const Expression &guard);
  void closeGuard(const Expression &guard);

  // Declarations.
  std::string declare(mlir::Value value, llvm::StringRef wish, bool held);
  std::vector<std::string> nameVariable(mlir::Value value, llvm::StringRef wish);
  void declareArray(std::vector<std::string> &lines, const std::string &name, mlir::Type type);
  std::string wish(mlir::Operation *op);

  DesignModel &model;
  dataflow::NestOpInterface nestOp;
  dataflow::LeafOp leaf;
  NameScope &names;
  mlir::MLIRContext *context;
  unsigned numLoops;
  AffineNames affine;
  llvm::SmallVector<mlir::AffineExpr> loopExprs;
  llvm::DenseMap<mlir::Value, std::string> memoryNames;
  llvm::DenseMap<mlir::Value, Variable> variables;
  llvm::DenseMap<mlir::Operation *, bool> inlined;
  llvm::DenseMap<mlir::Value, std::string> tables;
  std::vector<TopLine> topLines;
  llvm::SmallVector<int64_t> currentShape;
  Accesses accesses;
  std::optional<Nest> nest;
  /// Variables of operations that are bound, for the statement that is being printed.
  std::vector<std::string> pins;
  CppWriter *out = nullptr;
};

} // namespace streamtensor::target

#endif
