//===- Miscompile.h - Passes that are wrong on purpose ----------*- C++ -*-===//

#ifndef STREAMTENSOR_TEST_LIB_MISCOMPILE_H
#define STREAMTENSOR_TEST_LIB_MISCOMPILE_H

namespace streamtensor::test {

void registerMiscompilations();

} // namespace streamtensor::test

#endif
