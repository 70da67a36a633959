//===- NumpyFile.cpp - Tensors as .npy files ------------------------------===//

#include "streamtensor/Interpreter/NumpyFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;

constexpr StringLiteral magic("\x93NUMPY");
/// Magic, version (2 bytes) and length of the header (2 bytes).
constexpr size_t prologueBytes = 10, alignment = 64;

static unsigned getBytes(Type type) {
  return std::max<unsigned>(1, llvm::PowerOf2Ceil(llvm::divideCeil(getWordWidth(type), 8)));
}

std::string interpreter::getNumpyType(Type type) {
  if (type.isInteger(1))
    return "|b1";
  unsigned bytes = getBytes(type);
  char kind = type.isBF16() || type.isUnsignedInteger() ? 'u' : isa<FloatType>(type) ? 'f' : 'i';
  return llvm::formatv("{0}{1}{2}", bytes == 1 ? '|' : '<', kind, bytes);
}

static std::string getHeader(const Array &array) {
  std::string shape;
  for (int64_t extent : array.shape)
    shape += std::to_string(extent) + ", ";
  return "{'descr': '" + getNumpyType(array.elementType) + "', 'fortran_order': False, 'shape': (" +
         shape + "), }";
}

/// The value of a key in the header, a literal of a Python dictionary.
static StringRef findEntry(StringRef header, StringRef key, char begin, char end) {
  StringRef rest = header.split(("'" + key + "':").str()).second.ltrim();
  return rest.consume_front(StringRef(&begin, 1))
             ? rest.take_until([&](char c) { return c == end; })
             : StringRef();
}

static FailureOr<SmallVector<int64_t>> parseShape(StringRef header) {
  SmallVector<StringRef> entries;
  findEntry(header, "shape", '(', ')').split(entries, ',', -1, /*KeepEmpty=*/false);
  SmallVector<int64_t> shape;
  for (StringRef entry : entries) {
    if (entry.trim().empty())
      continue;
    if (entry.trim().getAsInteger(10, shape.emplace_back()))
      return failure();
  }
  return shape;
}

/// May a file of `actual` stand for an element type whose own name is `expected`? The sign of
/// an integer is the program's matter.
static bool isTypeCompatible(StringRef actual, StringRef expected) {
  auto isWhole = [](StringRef name) { return name[1] == 'i' || name[1] == 'u'; };
  return actual == expected ||
         (actual.size() == 3 && isWhole(actual) && isWhole(expected) && actual[2] == expected[2]);
}

static llvm::Error checkHeader(StringRef path, StringRef header, RankedTensorType type) {
  StringRef actual = findEntry(header, "descr", '\'', '\'');
  std::string expected = getNumpyType(type.getElementType());
  if (!isTypeCompatible(actual, expected))
    return llvm::createStringError(path + ": holds elements of type '" + actual +
                                   "', the program " + "takes '" + expected + "'");
  if (header.contains("'fortran_order': True"))
    return llvm::createStringError(path + ": is in Fortran order; save it in C order");
  FailureOr<SmallVector<int64_t>> shape = parseShape(header);
  if (failed(shape) || ArrayRef<int64_t>(*shape) != type.getShape()) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return llvm::createStringError(path + ": has the shape (" +
                                   findEntry(header, "shape", '(', ')') + "), the program takes " +
                                   text);
  }
  return llvm::Error::success();
}

llvm::Expected<Array> interpreter::readNumpyFile(StringRef path, RankedTensorType type) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*NullTerminated=*/false);
  if (!file)
    return llvm::createStringError(path + ": " + file.getError().message());
  StringRef text = (*file)->getBuffer();
  if (text.size() < prologueBytes || !text.starts_with(magic) || text[6] != 1)
    return llvm::createStringError(path +
                                   ": is no .npy file of version 1; write it with numpy.save");
  size_t headerBytes = llvm::support::endian::read16le(text.data() + 8);
  StringRef header = text.substr(prologueBytes, headerBytes);
  StringRef data = text.substr(prologueBytes + headerBytes);
  if (llvm::Error error = checkHeader(path, header, type))
    return error;
  unsigned bytes = getBytes(type.getElementType());
  if (data.size() != bytes * static_cast<size_t>(type.getNumElements()))
    return llvm::createStringError(path + ": ends before its last element");
  Array array = *makeArray(type.getShape(), type.getElementType());
  unsigned width = getWordWidth(type.getElementType());
  for (Word &word : array.words) {
    uint64_t bits = 0;
    std::memcpy(&bits, data.data(), bytes);
    word = getWord(llvm::APInt(64, bits).trunc(width), type.getElementType());
    data = data.drop_front(bytes);
  }
  return array;
}

llvm::Error interpreter::writeNumpyFile(StringRef path, const Array &array) {
  std::error_code code;
  llvm::raw_fd_ostream file(path, code);
  if (code)
    return llvm::createStringError(path + ": " + code.message());
  std::string header = getHeader(array);
  header.append(alignment - 1 - (prologueBytes + header.size()) % alignment, ' ');
  header += '\n';
  char length[2];
  llvm::support::endian::write16le(length, static_cast<uint16_t>(header.size()));
  file << magic << '\x01' << '\x00' << StringRef(length, 2) << header;
  unsigned bytes = getBytes(array.elementType);
  for (Word word : array.words) {
    uint64_t bits = array.elementType.isInteger(1) ? word.isTrue() : word.bits;
    file.write(reinterpret_cast<const char *>(&bits), bytes);
  }
  file.close();
  if (!file.has_error())
    return llvm::Error::success();
  code = file.error();
  file.clear_error();
  return llvm::createStringError(path + ": " + code.message());
}
