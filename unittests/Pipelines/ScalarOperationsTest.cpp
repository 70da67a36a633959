//===- ScalarOperationsTest.cpp - Each row of the table, at every level ---===//
//
// What the table of scalar operations names is computed by the interpreter, scheduled with the
// device's library and printed as C++ with functions that the headers have.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Device/ScalarOperations.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Interpreter/Interpreter.h"
#include "streamtensor/Pipelines/Phases.h"
#include "streamtensor/Pipelines/Registration.h"
#include "streamtensor/Target/HLSCpp/DesignEmitter.h"
#include "streamtensor/Target/HLSCpp/DesignModel.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace streamtensor;

namespace {

/// Lines that make %r of %f, a float, and %i, an integer from 1 on, by the operation {0}.
struct Form {
  StringRef result, lines;
  std::vector<StringRef> operations;
};

const Form forms[] = {
    {"f32",
     "%r = {0} %f : f32",
     {"arith.negf", "math.absf",      "math.exp",   "math.exp2", "math.expm1", "math.log",
      "math.log2",  "math.log10",     "math.log1p", "math.sin",  "math.cos",   "math.atan",
      "math.floor", "math.ceil",      "math.round", "math.sqrt", "math.rsqrt", "math.tanh",
      "math.erf",   "math.roundeven", "math.trunc"}},
    {"f32",
     "%r = {0} %f, %f : f32",
     {"arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.remf", "arith.maximumf",
      "arith.minimumf", "arith.maxnumf", "arith.minnumf", "math.powf", "math.atan2",
      "math.copysign"}},
    {"f32", "%r = {0} %f, %f, %f : f32", {"math.fma"}},
    {"f32", "%r = {0} %f, %i : f32, i32", {"math.fpowi"}},
    {"f32", "%r = {0} 1.0 : f32", {"arith.constant"}},
    {"i32", "%r = {0} %i : i32", {"math.absi"}},
    {"i32",
     "%r = {0} %i, %i : i32",
     {"arith.addi",  "arith.subi",  "arith.muli",      "arith.divsi",      "arith.divui",
      "arith.remsi", "arith.remui", "arith.ceildivsi", "arith.floordivsi", "arith.maxsi",
      "arith.maxui", "arith.minsi", "arith.minui",     "arith.andi",       "arith.ori",
      "arith.xori",  "arith.shli",  "arith.shrsi",     "arith.shrui",      "math.ipowi"}},
    {"i1", "%r = {0} olt, %f, %f : f32", {"arith.cmpf"}},
    {"i1", "%r = {0} slt, %i, %i : i32", {"arith.cmpi"}},
    {"f32", "%c = arith.cmpi slt, %i, %i : i32\n%r = {0} %c, %f, %f : f32", {"arith.select"}},
    {"f32", "%r = {0} %i : i32 to f32", {"arith.sitofp", "arith.uitofp"}},
    {"i32", "%r = {0} %f : f32 to i32", {"arith.fptosi", "arith.fptoui", "arith.bitcast"}},
    {"f64", "%r = {0} %f : f32 to f64", {"arith.extf"}},
    {"f16", "%r = {0} %f : f32 to f16", {"arith.truncf"}},
    {"i64", "%r = {0} %i : i32 to i64", {"arith.extsi", "arith.extui"}},
    {"i8", "%r = {0} %i : i32 to i8", {"arith.trunci"}},
    {"i32",
     "%x = {0} %i : i32 to index\n%r = {0} %x : index to i32",
     {"arith.index_cast", "arith.index_castui"}},
    {"f32",
     "%v = vector.broadcast %f : f32 to vector<4xf32>\n"
     "%r = vector.extract %v[0] : f32 from vector<4xf32>",
     {"vector.broadcast", "vector.extract"}},
    {"f32",
     "%v = vector.broadcast %f : f32 to vector<4xf32>\n"
     "%s = {0} %v : vector<4xf32> to vector<2x2xf32>\n"
     "%r = vector.extract %s[0, 0] : f32 from vector<2x2xf32>",
     {"vector.shape_cast"}},
    {"f32",
     "%v = vector.broadcast %f : f32 to vector<4x2xf32>\n"
     "%s = {0} %v, [1, 0] : vector<4x2xf32> to vector<2x4xf32>\n"
     "%r = vector.extract %s[0, 0] : f32 from vector<2x4xf32>",
     {"vector.transpose"}},
    {"f32",
     "%v = vector.broadcast %f : f32 to vector<4xf32>\n"
     "%s = {0} %v {{offsets = [1], sizes = [2], strides = [1]} : "
     "vector<4xf32> to vector<2xf32>\n"
     "%r = vector.extract %s[0] : f32 from vector<2xf32>",
     {"vector.extract_strided_slice"}},
    {"f32",
     "%v = vector.broadcast %f : f32 to vector<2xf32>\n"
     "%z = arith.constant dense<0.0> : vector<4xf32>\n"
     "%s = {0} %v, %z {{offsets = [1], strides = [1]} : vector<2xf32> into vector<4xf32>\n"
     "%r = vector.extract %s[1] : f32 from vector<4xf32>",
     {"vector.insert_strided_slice"}},
    {"f32",
     "%s = {0} %f, %f : vector<2xf32>\n"
     "%r = vector.extract %s[1] : f32 from vector<2xf32>",
     {"vector.from_elements"}},
    {"i32",
     "%s = {0} : vector<4xindex>\n"
     "%x = vector.extract %s[1] : index from vector<4xindex>\n"
     "%r = arith.index_cast %x : index to i32",
     {"vector.step"}},
    {"f32",
     "%t = dataflow.tuple %f, %i : f32, i32 -> tuple<f32, i32>\n"
     "%r = dataflow.member %t[0] : tuple<f32, i32> -> f32",
     {"dataflow.tuple", "dataflow.member"}},
    {"f32",
     "%c = {0} affine_set<(n) : (n == 0)>\n%r = arith.select %c, %f, %f : f32",
     {"dataflow.test"}},
    {"f32",
     "%r = arith.negf %f : f32",
     {"dataflow.stream_read", "dataflow.stream_write", "dataflow.load", "dataflow.store"}},
};

/// One leaf loads, another computes and stores.
constexpr StringLiteral program = R"(
dataflow.design @d {{
  %fs = dataflow.port in "fs" : !dataflow.port<8xf32>
  %is = dataflow.port in "is" : !dataflow.port<8xi32>
  %rs = dataflow.port out "rs" : !dataflow.port<8x{0}>
  %floats = dataflow.stream "floats" : !dataflow.stream<f32>
  %integers = dataflow.stream "integers" : !dataflow.stream<i32>
  dataflow.leaf "load_floats" load [8] {{
  ^bb0(%n: index):
    %f = dataflow.load %fs affine_map<(n) -> (n)> : !dataflow.port<8xf32> -> f32
    dataflow.stream_write %f, %floats : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "load_integers" load [8] {{
  ^bb0(%n: index):
    %i = dataflow.load %is affine_map<(n) -> (n)> : !dataflow.port<8xi32> -> i32
    dataflow.stream_write %i, %integers : i32, !dataflow.stream<i32>
  }
  dataflow.leaf "compute" compute [8] {{
  ^bb0(%n: index):
    %f = dataflow.stream_read %floats : !dataflow.stream<f32> -> f32
    %i = dataflow.stream_read %integers : !dataflow.stream<i32> -> i32
    {1}
    dataflow.store %r, %rs affine_map<(n) -> (n)> : {0}, !dataflow.port<8x{0}>
  }
}
func.func @main(%fs: tensor<8xf32>, %is: tensor<8xi32>) -> tensor<8x{0}> {{
  %rs = dataflow.launch @d(%fs, %is) : (tensor<8xf32>, tensor<8xi32>) -> tensor<8x{0}>
  return %rs : tensor<8x{0}>
}
)";

/// The headers with the functions of the C++.
std::string readHeaders() {
  std::string text;
  for (StringRef name : {"st_math.h", "st_types.h"})
    text += llvm::cantFail(
                llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(RUNTIME "/" + name.str())))
                ->getBuffer();
  return text;
}

class ScalarOperations : public ::testing::Test {
protected:
  ScalarOperations() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  OwningOpRef<ModuleOp> parse(const Form &form, StringRef operation) {
    std::string lines = llvm::formatv(form.lines.str().c_str(), operation);
    return parseSourceString<ModuleOp>(llvm::formatv(program.data(), form.result, lines).str(),
                                       &context);
  }

  SmallVector<interpreter::Array> getArguments() {
    Builder builder(&context);
    SmallVector<interpreter::Array> arguments = {
        *interpreter::makeArray({8}, builder.getF32Type()),
        *interpreter::makeArray({8}, builder.getI32Type())};
    for (int64_t number = 0; number < 8; ++number) {
      arguments[0].words[number] = interpreter::getWord(
          APFloat(0.25f * (number + 1)).bitcastToAPInt(), arguments[0].elementType);
      arguments[1].words[number] =
          interpreter::getWord(APInt(32, number + 1), arguments[1].elementType);
    }
    return arguments;
  }

  LogicalResult size(ModuleOp module) {
    if (failed(dataflow::attachDevice(module, DEVICES "/u55c.json")))
      return failure();
    PassManager passes(&context);
    buildSizePhase(passes, SizePhaseOptions());
    return passes.run(module);
  }

  FailureOr<std::string> print(ModuleOp module) {
    FailureOr<target::DesignModel> model =
        target::buildModel(*module.getOps<dataflow::DesignOp>().begin());
    return failed(model) ? FailureOr<std::string>(failure())
                         : target::emitSource(*model, /*isKernel=*/true);
  }

  MLIRContext context;
};

const Form *findForm(StringRef operation) {
  const Form *form = llvm::find_if(
      forms, [&](const Form &form) { return llvm::is_contained(form.operations, operation); });
  return form == std::end(forms) ? nullptr : form;
}

/// The functions of the headers that the C++ calls: `st::exp(`, `st::floor_div<std::int32_t>(`.
SmallVector<StringRef> getCalledFunctions(StringRef text) {
  llvm::Regex call("st::([a-z_0-9]+)(<[^()]*>)?\\(");
  SmallVector<StringRef> functions, matches;
  for (; call.match(text, &matches); text = text.drop_front(matches[0].end() - text.begin()))
    if (!llvm::is_contained({"half", "bfloat16"}, matches[1]))
      functions.push_back(matches[1]);
  return functions;
}

TEST_F(ScalarOperations, AreKnownAtEveryLevel) {
  std::string headers = readHeaders();
  for (auto [operation, kind] : getScalarOperations()) {
    SCOPED_TRACE(operation.str());
    if (kind == "extern") // the user's own function
      continue;
    const Form *form = findForm(operation);
    ASSERT_TRUE(form) << "a new row of the table has no form here";
    OwningOpRef<ModuleOp> module = parse(*form, operation);
    ASSERT_TRUE(module);
    auto computed = interpreter::interpret(*module, getArguments());
    EXPECT_TRUE(succeeded(computed));
    if (failed(size(*module))) {
      ADD_FAILURE() << "not scheduled";
      continue;
    }
    auto sized = interpreter::interpret(*module, getArguments(), /*overlaps=*/true);
    if (succeeded(computed) && succeeded(sized))
      EXPECT_EQ(computed->front().words, sized->front().words);
    FailureOr<std::string> text = print(*module);
    if (failed(text)) {
      ADD_FAILURE() << "not printed";
      continue;
    }
    for (StringRef function : getCalledFunctions(*text))
      EXPECT_TRUE(llvm::Regex("[ (]" + function.str() + "[()]").match(headers))
          << "no header has st::" << function.str();
  }
}

} // namespace
