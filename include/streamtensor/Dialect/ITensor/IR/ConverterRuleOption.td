//===- ConverterRuleOption.td - How converters are built ---*- tablegen -*-===//
//
// The option of every pass that plans converters or weighs them.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_ITENSOR_IR_CONVERTERRULEOPTION_TD
#define STREAMTENSOR_DIALECT_ITENSOR_IR_CONVERTERRULEOPTION_TD

include "mlir/Pass/PassBase.td"

def ConverterRuleOption
    : Option<"converterRule", "converter-rule", "::streamtensor::itensor::ConverterRule",
             "::streamtensor::itensor::ConverterRule::Minimal", "how converters are built", [{
        ::llvm::cl::values(
            clEnumValN(::streamtensor::itensor::ConverterRule::Minimal, "minimal",
                       "the smallest form that can be built"),
            clEnumValN(::streamtensor::itensor::ConverterRule::Paper, "paper",
                       "two blocks under the shared loops, always"))}]>;

#endif
