//===- Device.cpp - The device of a module --------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/Device.h"

#include "DeviceInterfaces.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <mutex>

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;
namespace json = llvm::json;

static DataflowDialect &getDialect(Operation *op) {
  return *op->getContext()->getOrLoadDialect<DataflowDialect>();
}

//===----------------------------------------------------------------------===//
// Attributes from JSON and back
//===----------------------------------------------------------------------===//

static Attribute toAttribute(const json::Value &value, Builder &builder);

static DictionaryAttr toDictionary(const json::Object &object, Builder &builder) {
  SmallVector<NamedAttribute> entries;
  for (const auto &[key, member] : object)
    entries.push_back(builder.getNamedAttr(key.str(), toAttribute(member, builder)));
  return builder.getDictionaryAttr(entries);
}

/// Whole numbers are integers, however they are written.
static Attribute toAttribute(const json::Value &value, Builder &builder) {
  if (const json::Object *object = value.getAsObject())
    return toDictionary(*object, builder);
  if (const json::Array *list = value.getAsArray())
    return builder.getArrayAttr(llvm::map_to_vector(
        *list, [&](const json::Value &member) { return toAttribute(member, builder); }));
  if (std::optional<StringRef> text = value.getAsString())
    return builder.getStringAttr(*text);
  if (std::optional<bool> flag = value.getAsBoolean())
    return builder.getBoolAttr(*flag);
  if (std::optional<int64_t> whole = value.getAsInteger())
    return builder.getI64IntegerAttr(*whole);
  if (std::optional<double> number = value.getAsNumber())
    return builder.getF64FloatAttr(*number);
  return builder.getUnitAttr();
}

static json::Value toJson(Attribute attribute) {
  return llvm::TypeSwitch<Attribute, json::Value>(attribute)
      .Case([](DictionaryAttr dictionary) {
        json::Object object;
        for (NamedAttribute entry : dictionary)
          object[entry.getName().getValue()] = toJson(entry.getValue());
        return json::Value(std::move(object));
      })
      .Case([](ArrayAttr list) {
        json::Array array;
        for (Attribute member : list)
          array.push_back(toJson(member));
        return json::Value(std::move(array));
      })
      .Case([](StringAttr text) { return json::Value(text.getValue()); })
      .Case([](BoolAttr flag) { return json::Value(flag.getValue()); })
      .Case([](IntegerAttr whole) { return json::Value(whole.getInt()); })
      .Case([](FloatAttr number) { return json::Value(number.getValueAsDouble()); })
      .Default([](Attribute) { return json::Value(nullptr); });
}

static llvm::Expected<DeviceModel> readModel(StringAttr name, DictionaryAttr content) {
  json::Value value = toJson(content);
  json::Object &object = *value.getAsObject();
  object["name"] = name.getValue();
  return DeviceModel::read(object, ("device '" + name.getValue() + "' of the module").str());
}

static DeviceAttr toDevice(json::Object content, MLIRContext *context) {
  Builder builder(context);
  StringAttr name = builder.getStringAttr(*content.getString("name"));
  content.erase("name");
  return DeviceAttr::get(context, name, toDictionary(content, builder));
}

//===----------------------------------------------------------------------===//
// The attribute
//===----------------------------------------------------------------------===//

LogicalResult DeviceAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringAttr name,
                                 DictionaryAttr content) {
  llvm::Expected<DeviceModel> model = readModel(name, content);
  if (!model)
    return emitError() << "[module.device] " << llvm::toString(model.takeError());
  return success();
}

ParseResult dataflow::parseDeviceContent(AsmParser &parser, DictionaryAttr &content) {
  return parser.parseAttribute(content);
}

void dataflow::printDeviceContent(AsmPrinter &printer, DictionaryAttr content) {
  raw_ostream &out = printer.getStream();
  out << "{";
  llvm::interleave(
      content, out,
      [&](NamedAttribute entry) {
        out << "\n  ";
        printer.printKeywordOrString(entry.getName().getValue());
        out << " = ";
        printer.printAttribute(entry.getValue());
      },
      ",");
  out << "}";
}

//===----------------------------------------------------------------------===//
// Models and names
//===----------------------------------------------------------------------===//

namespace {

/// The models of a context's devices.
class DeviceModels : public DialectInterface::Base<DeviceModels> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DeviceModels)
  explicit DeviceModels(Dialect *dialect) : Base(dialect) {}

  const DeviceModel &get(DeviceAttr device) const {
    std::lock_guard<std::mutex> guard(lock);
    std::unique_ptr<DeviceModel> &model = models[device];
    if (!model)
      model = std::make_unique<DeviceModel>(
          llvm::cantFail(readModel(device.getName(), device.getContent()), "verified"));
    return *model;
  }

private:
  mutable std::mutex lock;
  mutable DenseMap<Attribute, std::unique_ptr<DeviceModel>> models;
};

/// Devices are long: they stand before the module, under their name.
struct DeviceAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &out) const override {
    auto device = dyn_cast<DeviceAttr>(attribute);
    if (!device)
      return AliasResult::NoAlias;
    out << "device_" << device.getName().getValue();
    return AliasResult::FinalAlias;
  }
};

} // namespace

void dataflow::addDeviceInterfaces(DataflowDialect &dialect) {
  dialect.addInterface(std::make_unique<DeviceModels>(&dialect));
  dialect.addInterface(std::make_unique<DeviceAliases>(&dialect));
}

LogicalResult dataflow::verifyDeviceAttribute(Operation *op, Attribute device) {
  if (isa<ModuleOp>(op) && isa<DeviceAttr>(device))
    return success();
  return op->emitOpError("[module.device] 'dataflow.device' is a #dataflow.device at a module");
}

//===----------------------------------------------------------------------===//
// The device of a module
//===----------------------------------------------------------------------===//

DeviceAttr dataflow::findDevice(Operation *op) {
  if (!op)
    return {};
  DeviceAttr device = getDialect(op).getDeviceAttrHelper().getAttr(op);
  return device ? device : findDevice(op->getParentOp());
}

void dataflow::dropDevice(ModuleOp module) {
  module->removeAttr(DataflowDialect::DeviceAttrHelper::getNameStr());
}

FailureOr<const DeviceModel *> dataflow::getDevice(Operation *op) {
  DeviceAttr device = findDevice(op);
  if (!device)
    return mlir::emitError(op->getLoc())
           << "[module.device] the module has no device; name one: `device=` of the pipeline, "
              "`--dataflow-attach-device=device=` before single passes, `--device` of the "
              "other tools";
  return &getDialect(op).getRegisteredInterface<DeviceModels>()->get(device);
}

/// Path of the first key in which both differ, with what stands there.
static std::string findDifference(DictionaryAttr a, DictionaryAttr b, const Twine &path) {
  for (NamedAttribute entry : a) {
    Attribute other = b.get(entry.getName());
    if (other == entry.getValue())
      continue;
    std::string key = (path + entry.getName().getValue()).str();
    auto inner = dyn_cast<DictionaryAttr>(entry.getValue());
    if (auto otherInner = dyn_cast_or_null<DictionaryAttr>(other); inner && otherInner)
      return findDifference(inner, otherInner, key + ".");
    std::string text;
    llvm::raw_string_ostream(text)
        << "'" << key << "' is " << json::Value(toJson(entry.getValue())) << " there, "
        << (other ? llvm::formatv("{0}", toJson(other)).str() : "missing") << " here";
    return text;
  }
  return "'" + (path + "…").str() + "' has other keys";
}

LogicalResult dataflow::attachDevice(ModuleOp module, StringRef device) {
  llvm::Expected<json::Object> content = readDeviceFile(device);
  if (!content)
    return mlir::emitError(module.getLoc()) << llvm::toString(content.takeError());
  DataflowDialect &dialect = getDialect(module);
  DeviceAttr named = toDevice(std::move(*content), module.getContext());
  DeviceAttr own = findDevice(module);
  if (!own) {
    dialect.getDeviceAttrHelper().setAttr(module, named);
    return success();
  }
  if (own == named)
    return success();
  return mlir::emitError(module.getLoc())
         << "[module.device] the module was compiled for device '" << own.getName().getValue()
         << "', and that holds; '" << device << "' is another: "
         << (own.getName() == named.getName()
                 ? findDifference(own.getContent(), named.getContent(), "")
                 : ("it describes '" + named.getName().getValue() + "'").str())
         << "; name no device, or compile for that one from the phase import";
}
