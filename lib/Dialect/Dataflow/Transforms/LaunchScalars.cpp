//===- LaunchScalars.cpp - Arguments that give scalars to launches --------===//

#include "LaunchScalars.h"

#include "streamtensor/Dialect/Program/IR/Program.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

Value streamtensor::dataflow::addScalar(DesignOp design, StringRef name, int64_t low,
                                        int64_t high) {
  Operation *last = nullptr;
  for (Operation &op : design.getBody().front()) {
    if (auto scalar = dyn_cast<ScalarOp>(op); scalar && scalar.getName() == name)
      return scalar.getResult();
    if (isa<ChannelOp, InterfaceOp, PortOp, ScalarOp>(op))
      last = &op;
  }
  OpBuilder builder(design.getContext());
  builder.setInsertionPointAfter(last);
  return ScalarOp::create(builder, design.getLoc(), builder.getIndexType(), name, low, high);
}

void streamtensor::dataflow::addScalarArguments(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  llvm::StringMap<Value> arguments;
  for (BlockArgument argument : function.getArguments())
    if (auto name =
            function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), program::nameAttrName);
        name && argument.getType().isIndex())
      arguments[name] = argument;
  function.walk([&](LaunchOp launch) {
    auto design = SymbolTable::lookupNearestSymbolFrom<DesignOp>(launch, launch.getDesignAttr());
    unsigned given = launch.getScalars().size();
    for (ScalarOp scalar :
         llvm::drop_begin(llvm::to_vector(design.getBody().getOps<ScalarOp>()), given)) {
      Value &argument = arguments[scalar.getName()];
      if (!argument) {
        unsigned index = function.getNumArguments();
        auto attributes = DictionaryAttr::get(
            context, NamedAttribute(program::nameAttrName, scalar.getNameAttr()));
        (void)function.insertArgument(index, IndexType::get(context), attributes,
                                      function.getLoc());
        argument = function.getArgument(index);
      }
      launch.getScalarsMutable().append(argument);
    }
  });
}
