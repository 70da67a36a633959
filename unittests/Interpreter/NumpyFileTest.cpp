//===- NumpyFileTest.cpp - Files read back what was written ---------------===//

#include "streamtensor/Interpreter/NumpyFile.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

using namespace mlir;
using namespace streamtensor::interpreter;

namespace {
/// A path that is gone at the end.
struct ScratchFile {
  ScratchFile() { llvm::sys::fs::createTemporaryFile("tensor", "npy", path); }
  ~ScratchFile() { llvm::sys::fs::remove(path); }
  SmallString<128> path;
};
} // namespace

RC_GTEST_PROP(NumpyFile, KeepsEveryBit, ()) {
  MLIRContext context;
  Builder builder(&context);
  Type type = *rc::gen::element<Type>(
      builder.getF16Type(), builder.getBF16Type(), builder.getF32Type(), builder.getF64Type(),
      builder.getI1Type(), builder.getIntegerType(4), builder.getI8Type(), builder.getI16Type(),
      builder.getI32Type(), builder.getI64Type(), builder.getIndexType(),
      builder.getIntegerType(12));
  auto shape =
      *rc::gen::resize(3, rc::gen::container<std::vector<int64_t>>(rc::gen::inRange(0, 5)));
  Array array = *makeArray(shape, type);
  for (Word &word : array.words)
    word = getWord(APInt(64, *rc::gen::arbitrary<uint64_t>()).trunc(getWordWidth(type)), type);
  ScratchFile file;
  RC_ASSERT(!writeNumpyFile(file.path, array));
  llvm::Expected<Array> read = readNumpyFile(file.path, array.getType());
  RC_ASSERT(static_cast<bool>(read));
  RC_ASSERT(read->words == array.words);
}

TEST(NumpyFile, RefusesAnotherShape) {
  MLIRContext context;
  Type type = Builder(&context).getF32Type();
  ScratchFile file;
  ASSERT_FALSE(writeNumpyFile(file.path, *makeArray({2, 3}, type)));
  llvm::Expected<Array> read = readNumpyFile(file.path, RankedTensorType::get({3, 2}, type));
  ASSERT_FALSE(static_cast<bool>(read));
  EXPECT_EQ(llvm::toString(read.takeError()),
            (file.path + ": has the shape (2, 3, ), the program takes tensor<3x2xf32>").str());
}
