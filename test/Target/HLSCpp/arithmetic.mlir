// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-size-phase | streamtensor-translate --output-dir=%t
// RUN: FileCheck %s --check-prefix=BITS1 <%t/hls/bits1.cpp
// RUN: FileCheck %s --check-prefix=BITS8 <%t/hls/bits8.cpp
// RUN: FileCheck %s --check-prefix=BITS12 <%t/hls/bits12.cpp
// RUN: FileCheck %s --check-prefix=BITS32 <%t/hls/bits32.cpp
// RUN: FileCheck %s --check-prefix=TO-I1 <%t/hls/to_i1.cpp
// RUN: FileCheck %s --check-prefix=TO-I8 <%t/hls/to_i8.cpp

// All arithmetic, on types that C++ has, that it computes with as ints, and that are none of its own; golden results keep
// every line. As a signed number one bit is 0 or -1, so that 1 is less than 0.

// BITS1: const bool sum = x_value != z_value;
// BITS1: const bool product = x_value & z_value;
// BITS1: const bool largest = x_value & z_value;
// BITS1: const bool largest_1 = x_value | z_value;
// BITS1: const bool chosen_2 = (z_value < x_value) ? x_value : z_value;
// BITS1: const bool chosen_4 = (bool(x_value) > bool(z_value)) ? x_value : z_value;

// What C++ divides as ints is divided by a function that knows its width; ap_int does so itself.

// BITS8: const std::int8_t quotient = st::divide<std::int8_t>(x_word, z_word);
// BITS8: const std::int8_t quotient_1 = std::int8_t(st::divide<std::uint8_t>(std::uint8_t(x_word), std::uint8_t(z_word)));
// BITS8: const std::int8_t remsi = st::remainder<std::int8_t>(x_word, z_word);
// BITS8: const std::int8_t floordivsi = st::floor_div<std::int8_t>(x_word, z_word);
// BITS8: const std::int8_t largest = std::int8_t(x_word > z_word ? x_word : z_word);
// BITS8: const std::int8_t smallest = std::int8_t(x_word < z_word ? x_word : z_word);
// BITS8: const std::int8_t largest_1 = std::int8_t(std::uint8_t(x_word) > std::uint8_t(z_word) ? x_word : z_word);
// BITS8: const std::int8_t smallest_1 = std::int8_t(std::uint8_t(x_word) < std::uint8_t(z_word) ? x_word : z_word);
// BITS12: const ap_int<12> quotient = ap_int<12>(x_value / z_value);
// BITS12: const ap_int<12> quotient_1 = ap_int<12>(ap_uint<12>(x_value) / ap_uint<12>(z_value));
// BITS32: const std::int32_t quotient = x_word / z_word;
// BITS32: const std::int32_t quotient_1 = std::int32_t(std::uint32_t(x_word) / std::uint32_t(z_word));

// Floats lose their fraction before their upper bits.

// TO-I1: const bool fptosi = bool(std::int32_t(f32_x_word));
// TO-I1: const bool fptoui = bool(std::uint32_t(f32_x_word));
// TO-I8: const std::int8_t converted = std::int8_t(-int(i1_x_value));
// TO-I8: const std::int8_t fptosi = std::int8_t(std::int32_t(f32_x_word));

dataflow.design @bits1 {
  %x = dataflow.port in "x" : !dataflow.port<8xi1>
  %z = dataflow.port in "z" : !dataflow.port<8xi1>
  %y = dataflow.port out "y" : !dataflow.port<8x16xi1>
  dataflow.leaf "each" compute [8] {
  ^bb0(%i: index):
    %a = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<8xi1> -> i1
    %b = dataflow.load %z affine_map<(i) -> (i)> : !dataflow.port<8xi1> -> i1
    %addi = arith.addi %a, %b : i1
    %subi = arith.subi %a, %b : i1
    %muli = arith.muli %a, %b : i1
    %andi = arith.andi %a, %b : i1
    %ori = arith.ori %a, %b : i1
    %xori = arith.xori %a, %b : i1
    %maxsi = arith.maxsi %a, %b : i1
    %minsi = arith.minsi %a, %b : i1
    %maxui = arith.maxui %a, %b : i1
    %minui = arith.minui %a, %b : i1
    %eq_bit = arith.cmpi eq, %a, %b : i1
    %eq = arith.select %eq_bit, %a, %b : i1
    %ne_bit = arith.cmpi ne, %a, %b : i1
    %ne = arith.select %ne_bit, %a, %b : i1
    %slt_bit = arith.cmpi slt, %a, %b : i1
    %slt = arith.select %slt_bit, %a, %b : i1
    %sle_bit = arith.cmpi sle, %a, %b : i1
    %sle = arith.select %sle_bit, %a, %b : i1
    %ugt_bit = arith.cmpi ugt, %a, %b : i1
    %ugt = arith.select %ugt_bit, %a, %b : i1
    %uge_bit = arith.cmpi uge, %a, %b : i1
    %uge = arith.select %uge_bit, %a, %b : i1
    %all = vector.from_elements %addi, %subi, %muli, %andi, %ori, %xori, %maxsi, %minsi, %maxui, %minui, %eq, %ne, %slt, %sle, %ugt, %uge : vector<1x16xi1>
    dataflow.store %all, %y affine_map<(i) -> (i, 0)> : vector<1x16xi1>, !dataflow.port<8x16xi1>
  }
}
dataflow.design @bits8 {
  %x = dataflow.port in "x" : !dataflow.port<8xi8>
  %z = dataflow.port in "z" : !dataflow.port<8xi8>
  %y = dataflow.port out "y" : !dataflow.port<8x26xi8>
  dataflow.leaf "each" compute [8] {
  ^bb0(%i: index):
    %a = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<8xi8> -> i8
    %b = dataflow.load %z affine_map<(i) -> (i)> : !dataflow.port<8xi8> -> i8
    %addi = arith.addi %a, %b : i8
    %subi = arith.subi %a, %b : i8
    %muli = arith.muli %a, %b : i8
    %divsi = arith.divsi %a, %b : i8
    %divui = arith.divui %a, %b : i8
    %remsi = arith.remsi %a, %b : i8
    %remui = arith.remui %a, %b : i8
    %floordivsi = arith.floordivsi %a, %b : i8
    %ceildivsi = arith.ceildivsi %a, %b : i8
    %andi = arith.andi %a, %b : i8
    %ori = arith.ori %a, %b : i8
    %xori = arith.xori %a, %b : i8
    %shli = arith.shli %a, %b : i8
    %shrsi = arith.shrsi %a, %b : i8
    %shrui = arith.shrui %a, %b : i8
    %maxsi = arith.maxsi %a, %b : i8
    %minsi = arith.minsi %a, %b : i8
    %maxui = arith.maxui %a, %b : i8
    %minui = arith.minui %a, %b : i8
    %eq_bit = arith.cmpi eq, %a, %b : i8
    %eq = arith.select %eq_bit, %a, %b : i8
    %ne_bit = arith.cmpi ne, %a, %b : i8
    %ne = arith.select %ne_bit, %a, %b : i8
    %slt_bit = arith.cmpi slt, %a, %b : i8
    %slt = arith.select %slt_bit, %a, %b : i8
    %sle_bit = arith.cmpi sle, %a, %b : i8
    %sle = arith.select %sle_bit, %a, %b : i8
    %ugt_bit = arith.cmpi ugt, %a, %b : i8
    %ugt = arith.select %ugt_bit, %a, %b : i8
    %uge_bit = arith.cmpi uge, %a, %b : i8
    %uge = arith.select %uge_bit, %a, %b : i8
    %absi = math.absi %a : i8
    %all = vector.from_elements %addi, %subi, %muli, %divsi, %divui, %remsi, %remui, %floordivsi, %ceildivsi, %andi, %ori, %xori, %shli, %shrsi, %shrui, %maxsi, %minsi, %maxui, %minui, %eq, %ne, %slt, %sle, %ugt, %uge, %absi : vector<1x26xi8>
    dataflow.store %all, %y affine_map<(i) -> (i, 0)> : vector<1x26xi8>, !dataflow.port<8x26xi8>
  }
}
dataflow.design @bits12 {
  %x = dataflow.port in "x" : !dataflow.port<8xi12>
  %z = dataflow.port in "z" : !dataflow.port<8xi12>
  %y = dataflow.port out "y" : !dataflow.port<8x26xi12>
  dataflow.leaf "each" compute [8] {
  ^bb0(%i: index):
    %a = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<8xi12> -> i12
    %b = dataflow.load %z affine_map<(i) -> (i)> : !dataflow.port<8xi12> -> i12
    %addi = arith.addi %a, %b : i12
    %subi = arith.subi %a, %b : i12
    %muli = arith.muli %a, %b : i12
    %divsi = arith.divsi %a, %b : i12
    %divui = arith.divui %a, %b : i12
    %remsi = arith.remsi %a, %b : i12
    %remui = arith.remui %a, %b : i12
    %floordivsi = arith.floordivsi %a, %b : i12
    %ceildivsi = arith.ceildivsi %a, %b : i12
    %andi = arith.andi %a, %b : i12
    %ori = arith.ori %a, %b : i12
    %xori = arith.xori %a, %b : i12
    %shli = arith.shli %a, %b : i12
    %shrsi = arith.shrsi %a, %b : i12
    %shrui = arith.shrui %a, %b : i12
    %maxsi = arith.maxsi %a, %b : i12
    %minsi = arith.minsi %a, %b : i12
    %maxui = arith.maxui %a, %b : i12
    %minui = arith.minui %a, %b : i12
    %eq_bit = arith.cmpi eq, %a, %b : i12
    %eq = arith.select %eq_bit, %a, %b : i12
    %ne_bit = arith.cmpi ne, %a, %b : i12
    %ne = arith.select %ne_bit, %a, %b : i12
    %slt_bit = arith.cmpi slt, %a, %b : i12
    %slt = arith.select %slt_bit, %a, %b : i12
    %sle_bit = arith.cmpi sle, %a, %b : i12
    %sle = arith.select %sle_bit, %a, %b : i12
    %ugt_bit = arith.cmpi ugt, %a, %b : i12
    %ugt = arith.select %ugt_bit, %a, %b : i12
    %uge_bit = arith.cmpi uge, %a, %b : i12
    %uge = arith.select %uge_bit, %a, %b : i12
    %absi = math.absi %a : i12
    %all = vector.from_elements %addi, %subi, %muli, %divsi, %divui, %remsi, %remui, %floordivsi, %ceildivsi, %andi, %ori, %xori, %shli, %shrsi, %shrui, %maxsi, %minsi, %maxui, %minui, %eq, %ne, %slt, %sle, %ugt, %uge, %absi : vector<1x26xi12>
    dataflow.store %all, %y affine_map<(i) -> (i, 0)> : vector<1x26xi12>, !dataflow.port<8x26xi12>
  }
}
dataflow.design @bits32 {
  %x = dataflow.port in "x" : !dataflow.port<8xi32>
  %z = dataflow.port in "z" : !dataflow.port<8xi32>
  %y = dataflow.port out "y" : !dataflow.port<8x26xi32>
  dataflow.leaf "each" compute [8] {
  ^bb0(%i: index):
    %a = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<8xi32> -> i32
    %b = dataflow.load %z affine_map<(i) -> (i)> : !dataflow.port<8xi32> -> i32
    %addi = arith.addi %a, %b : i32
    %subi = arith.subi %a, %b : i32
    %muli = arith.muli %a, %b : i32
    %divsi = arith.divsi %a, %b : i32
    %divui = arith.divui %a, %b : i32
    %remsi = arith.remsi %a, %b : i32
    %remui = arith.remui %a, %b : i32
    %floordivsi = arith.floordivsi %a, %b : i32
    %ceildivsi = arith.ceildivsi %a, %b : i32
    %andi = arith.andi %a, %b : i32
    %ori = arith.ori %a, %b : i32
    %xori = arith.xori %a, %b : i32
    %shli = arith.shli %a, %b : i32
    %shrsi = arith.shrsi %a, %b : i32
    %shrui = arith.shrui %a, %b : i32
    %maxsi = arith.maxsi %a, %b : i32
    %minsi = arith.minsi %a, %b : i32
    %maxui = arith.maxui %a, %b : i32
    %minui = arith.minui %a, %b : i32
    %eq_bit = arith.cmpi eq, %a, %b : i32
    %eq = arith.select %eq_bit, %a, %b : i32
    %ne_bit = arith.cmpi ne, %a, %b : i32
    %ne = arith.select %ne_bit, %a, %b : i32
    %slt_bit = arith.cmpi slt, %a, %b : i32
    %slt = arith.select %slt_bit, %a, %b : i32
    %sle_bit = arith.cmpi sle, %a, %b : i32
    %sle = arith.select %sle_bit, %a, %b : i32
    %ugt_bit = arith.cmpi ugt, %a, %b : i32
    %ugt = arith.select %ugt_bit, %a, %b : i32
    %uge_bit = arith.cmpi uge, %a, %b : i32
    %uge = arith.select %uge_bit, %a, %b : i32
    %absi = math.absi %a : i32
    %all = vector.from_elements %addi, %subi, %muli, %divsi, %divui, %remsi, %remui, %floordivsi, %ceildivsi, %andi, %ori, %xori, %shli, %shrsi, %shrui, %maxsi, %minsi, %maxui, %minui, %eq, %ne, %slt, %sle, %ugt, %uge, %absi : vector<1x26xi32>
    dataflow.store %all, %y affine_map<(i) -> (i, 0)> : vector<1x26xi32>, !dataflow.port<8x26xi32>
  }
}
dataflow.design @f32 {
  %x = dataflow.port in "x" : !dataflow.port<8xf32>
  %z = dataflow.port in "z" : !dataflow.port<8xf32>
  %y = dataflow.port out "y" : !dataflow.port<8x26xf32>
  dataflow.leaf "each" compute [8] {
  ^bb0(%i: index):
    %a = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<8xf32> -> f32
    %b = dataflow.load %z affine_map<(i) -> (i)> : !dataflow.port<8xf32> -> f32
    %addf = arith.addf %a, %b : f32
    %subf = arith.subf %a, %b : f32
    %mulf = arith.mulf %a, %b : f32
    %divf = arith.divf %a, %b : f32
    %remf = arith.remf %a, %b : f32
    %maximumf = arith.maximumf %a, %b : f32
    %minimumf = arith.minimumf %a, %b : f32
    %maxnumf = arith.maxnumf %a, %b : f32
    %minnumf = arith.minnumf %a, %b : f32
    %negf = arith.negf %a : f32
    %oeq_bit = arith.cmpf oeq, %a, %b : f32
    %oeq = arith.select %oeq_bit, %a, %b : f32
    %one_bit = arith.cmpf one, %a, %b : f32
    %one = arith.select %one_bit, %a, %b : f32
    %olt_bit = arith.cmpf olt, %a, %b : f32
    %olt = arith.select %olt_bit, %a, %b : f32
    %oge_bit = arith.cmpf oge, %a, %b : f32
    %oge = arith.select %oge_bit, %a, %b : f32
    %ueq_bit = arith.cmpf ueq, %a, %b : f32
    %ueq = arith.select %ueq_bit, %a, %b : f32
    %une_bit = arith.cmpf une, %a, %b : f32
    %une = arith.select %une_bit, %a, %b : f32
    %ult_bit = arith.cmpf ult, %a, %b : f32
    %ult = arith.select %ult_bit, %a, %b : f32
    %uge_bit = arith.cmpf uge, %a, %b : f32
    %uge = arith.select %uge_bit, %a, %b : f32
    %ord_bit = arith.cmpf ord, %a, %b : f32
    %ord = arith.select %ord_bit, %a, %b : f32
    %uno_bit = arith.cmpf uno, %a, %b : f32
    %uno = arith.select %uno_bit, %a, %b : f32
    %absf = math.absf %a : f32
    %exp = math.exp %a : f32
    %log = math.log %a : f32
    %sqrt = math.sqrt %a : f32
    %rsqrt = math.rsqrt %a : f32
    %tanh = math.tanh %a : f32
    %all = vector.from_elements %addf, %subf, %mulf, %divf, %remf, %maximumf, %minimumf, %maxnumf, %minnumf, %negf, %oeq, %one, %olt, %oge, %ueq, %une, %ult, %uge, %ord, %uno, %absf, %exp, %log, %sqrt, %rsqrt, %tanh : vector<1x26xf32>
    dataflow.store %all, %y affine_map<(i) -> (i, 0)> : vector<1x26xf32>, !dataflow.port<8x26xf32>
  }
}
dataflow.design @bf16 {
  %x = dataflow.port in "x" : !dataflow.port<8xbf16>
  %z = dataflow.port in "z" : !dataflow.port<8xbf16>
  %y = dataflow.port out "y" : !dataflow.port<8x26xbf16>
  dataflow.leaf "each" compute [8] {
  ^bb0(%i: index):
    %a = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<8xbf16> -> bf16
    %b = dataflow.load %z affine_map<(i) -> (i)> : !dataflow.port<8xbf16> -> bf16
    %addf = arith.addf %a, %b : bf16
    %subf = arith.subf %a, %b : bf16
    %mulf = arith.mulf %a, %b : bf16
    %divf = arith.divf %a, %b : bf16
    %remf = arith.remf %a, %b : bf16
    %maximumf = arith.maximumf %a, %b : bf16
    %minimumf = arith.minimumf %a, %b : bf16
    %maxnumf = arith.maxnumf %a, %b : bf16
    %minnumf = arith.minnumf %a, %b : bf16
    %negf = arith.negf %a : bf16
    %oeq_bit = arith.cmpf oeq, %a, %b : bf16
    %oeq = arith.select %oeq_bit, %a, %b : bf16
    %one_bit = arith.cmpf one, %a, %b : bf16
    %one = arith.select %one_bit, %a, %b : bf16
    %olt_bit = arith.cmpf olt, %a, %b : bf16
    %olt = arith.select %olt_bit, %a, %b : bf16
    %oge_bit = arith.cmpf oge, %a, %b : bf16
    %oge = arith.select %oge_bit, %a, %b : bf16
    %ueq_bit = arith.cmpf ueq, %a, %b : bf16
    %ueq = arith.select %ueq_bit, %a, %b : bf16
    %une_bit = arith.cmpf une, %a, %b : bf16
    %une = arith.select %une_bit, %a, %b : bf16
    %ult_bit = arith.cmpf ult, %a, %b : bf16
    %ult = arith.select %ult_bit, %a, %b : bf16
    %uge_bit = arith.cmpf uge, %a, %b : bf16
    %uge = arith.select %uge_bit, %a, %b : bf16
    %ord_bit = arith.cmpf ord, %a, %b : bf16
    %ord = arith.select %ord_bit, %a, %b : bf16
    %uno_bit = arith.cmpf uno, %a, %b : bf16
    %uno = arith.select %uno_bit, %a, %b : bf16
    %absf = math.absf %a : bf16
    %exp = math.exp %a : bf16
    %log = math.log %a : bf16
    %sqrt = math.sqrt %a : bf16
    %rsqrt = math.rsqrt %a : bf16
    %tanh = math.tanh %a : bf16
    %all = vector.from_elements %addf, %subf, %mulf, %divf, %remf, %maximumf, %minimumf, %maxnumf, %minnumf, %negf, %oeq, %one, %olt, %oge, %ueq, %une, %ult, %uge, %ord, %uno, %absf, %exp, %log, %sqrt, %rsqrt, %tanh : vector<1x26xbf16>
    dataflow.store %all, %y affine_map<(i) -> (i, 0)> : vector<1x26xbf16>, !dataflow.port<8x26xbf16>
  }
}
dataflow.design @to_i1 {
  %i8_x = dataflow.port in "i8_x" : !dataflow.port<8xi8>
  %i12_x = dataflow.port in "i12_x" : !dataflow.port<8xi12>
  %i32_x = dataflow.port in "i32_x" : !dataflow.port<8xi32>
  %i64_x = dataflow.port in "i64_x" : !dataflow.port<8xi64>
  %f32_x = dataflow.port in "f32_x" : !dataflow.port<8xf32>
  %bf16_x = dataflow.port in "bf16_x" : !dataflow.port<8xbf16>
  %y = dataflow.port out "y" : !dataflow.port<8x8xi1>
  dataflow.leaf "each" compute [8] {
  ^bb0(%i: index):
    %i8_v = dataflow.load %i8_x affine_map<(i) -> (i)> : !dataflow.port<8xi8> -> i8
    %i12_v = dataflow.load %i12_x affine_map<(i) -> (i)> : !dataflow.port<8xi12> -> i12
    %i32_v = dataflow.load %i32_x affine_map<(i) -> (i)> : !dataflow.port<8xi32> -> i32
    %i64_v = dataflow.load %i64_x affine_map<(i) -> (i)> : !dataflow.port<8xi64> -> i64
    %f32_v = dataflow.load %f32_x affine_map<(i) -> (i)> : !dataflow.port<8xf32> -> f32
    %bf16_v = dataflow.load %bf16_x affine_map<(i) -> (i)> : !dataflow.port<8xbf16> -> bf16
    %i8_trunci = arith.trunci %i8_v : i8 to i1
    %i12_trunci = arith.trunci %i12_v : i12 to i1
    %i32_trunci = arith.trunci %i32_v : i32 to i1
    %i64_trunci = arith.trunci %i64_v : i64 to i1
    %f32_fptosi = arith.fptosi %f32_v : f32 to i1
    %f32_fptoui = arith.fptoui %f32_v : f32 to i1
    %bf16_fptosi = arith.fptosi %bf16_v : bf16 to i1
    %bf16_fptoui = arith.fptoui %bf16_v : bf16 to i1
    %all = vector.from_elements %i8_trunci, %i12_trunci, %i32_trunci, %i64_trunci, %f32_fptosi, %f32_fptoui, %bf16_fptosi, %bf16_fptoui : vector<1x8xi1>
    dataflow.store %all, %y affine_map<(i) -> (i, 0)> : vector<1x8xi1>, !dataflow.port<8x8xi1>
  }
}
dataflow.design @to_i8 {
  %i1_x = dataflow.port in "i1_x" : !dataflow.port<8xi1>
  %i12_x = dataflow.port in "i12_x" : !dataflow.port<8xi12>
  %i32_x = dataflow.port in "i32_x" : !dataflow.port<8xi32>
  %i64_x = dataflow.port in "i64_x" : !dataflow.port<8xi64>
  %f32_x = dataflow.port in "f32_x" : !dataflow.port<8xf32>
  %bf16_x = dataflow.port in "bf16_x" : !dataflow.port<8xbf16>
  %y = dataflow.port out "y" : !dataflow.port<8x10xi8>
  dataflow.leaf "each" compute [8] {
  ^bb0(%i: index):
    %i1_v = dataflow.load %i1_x affine_map<(i) -> (i)> : !dataflow.port<8xi1> -> i1
    %i12_v = dataflow.load %i12_x affine_map<(i) -> (i)> : !dataflow.port<8xi12> -> i12
    %i32_v = dataflow.load %i32_x affine_map<(i) -> (i)> : !dataflow.port<8xi32> -> i32
    %i64_v = dataflow.load %i64_x affine_map<(i) -> (i)> : !dataflow.port<8xi64> -> i64
    %f32_v = dataflow.load %f32_x affine_map<(i) -> (i)> : !dataflow.port<8xf32> -> f32
    %bf16_v = dataflow.load %bf16_x affine_map<(i) -> (i)> : !dataflow.port<8xbf16> -> bf16
    %i1_extsi = arith.extsi %i1_v : i1 to i8
    %i1_extui = arith.extui %i1_v : i1 to i8
    %i12_trunci = arith.trunci %i12_v : i12 to i8
    %i32_trunci = arith.trunci %i32_v : i32 to i8
    %i64_trunci = arith.trunci %i64_v : i64 to i8
    %f32_fptosi = arith.fptosi %f32_v : f32 to i8
    %f32_fptoui = arith.fptoui %f32_v : f32 to i8
    %bf16_fptosi = arith.fptosi %bf16_v : bf16 to i8
    %bf16_fptoui = arith.fptoui %bf16_v : bf16 to i8
    %index = arith.index_cast %i : index to i8
    %all = vector.from_elements %i1_extsi, %i1_extui, %i12_trunci, %i32_trunci, %i64_trunci, %f32_fptosi, %f32_fptoui, %bf16_fptosi, %bf16_fptoui, %index : vector<1x10xi8>
    dataflow.store %all, %y affine_map<(i) -> (i, 0)> : vector<1x10xi8>, !dataflow.port<8x10xi8>
  }
}
dataflow.design @to_i12 {
  %i1_x = dataflow.port in "i1_x" : !dataflow.port<8xi1>
  %i8_x = dataflow.port in "i8_x" : !dataflow.port<8xi8>
  %i32_x = dataflow.port in "i32_x" : !dataflow.port<8xi32>
  %i64_x = dataflow.port in "i64_x" : !dataflow.port<8xi64>
  %f32_x = dataflow.port in "f32_x" : !dataflow.port<8xf32>
  %bf16_x = dataflow.port in "bf16_x" : !dataflow.port<8xbf16>
  %y = dataflow.port out "y" : !dataflow.port<8x11xi12>
  dataflow.leaf "each" compute [8] {
  ^bb0(%i: index):
    %i1_v = dataflow.load %i1_x affine_map<(i) -> (i)> : !dataflow.port<8xi1> -> i1
    %i8_v = dataflow.load %i8_x affine_map<(i) -> (i)> : !dataflow.port<8xi8> -> i8
    %i32_v = dataflow.load %i32_x affine_map<(i) -> (i)> : !dataflow.port<8xi32> -> i32
    %i64_v = dataflow.load %i64_x affine_map<(i) -> (i)> : !dataflow.port<8xi64> -> i64
    %f32_v = dataflow.load %f32_x affine_map<(i) -> (i)> : !dataflow.port<8xf32> -> f32
    %bf16_v = dataflow.load %bf16_x affine_map<(i) -> (i)> : !dataflow.port<8xbf16> -> bf16
    %i1_extsi = arith.extsi %i1_v : i1 to i12
    %i1_extui = arith.extui %i1_v : i1 to i12
    %i8_extsi = arith.extsi %i8_v : i8 to i12
    %i8_extui = arith.extui %i8_v : i8 to i12
    %i32_trunci = arith.trunci %i32_v : i32 to i12
    %i64_trunci = arith.trunci %i64_v : i64 to i12
    %f32_fptosi = arith.fptosi %f32_v : f32 to i12
    %f32_fptoui = arith.fptoui %f32_v : f32 to i12
    %bf16_fptosi = arith.fptosi %bf16_v : bf16 to i12
    %bf16_fptoui = arith.fptoui %bf16_v : bf16 to i12
    %index = arith.index_cast %i : index to i12
    %all = vector.from_elements %i1_extsi, %i1_extui, %i8_extsi, %i8_extui, %i32_trunci, %i64_trunci, %f32_fptosi, %f32_fptoui, %bf16_fptosi, %bf16_fptoui, %index : vector<1x11xi12>
    dataflow.store %all, %y affine_map<(i) -> (i, 0)> : vector<1x11xi12>, !dataflow.port<8x11xi12>
  }
}
dataflow.design @to_i32 {
  %i1_x = dataflow.port in "i1_x" : !dataflow.port<8xi1>
  %i8_x = dataflow.port in "i8_x" : !dataflow.port<8xi8>
  %i12_x = dataflow.port in "i12_x" : !dataflow.port<8xi12>
  %i64_x = dataflow.port in "i64_x" : !dataflow.port<8xi64>
  %f32_x = dataflow.port in "f32_x" : !dataflow.port<8xf32>
  %bf16_x = dataflow.port in "bf16_x" : !dataflow.port<8xbf16>
  %y = dataflow.port out "y" : !dataflow.port<8x13xi32>
  dataflow.leaf "each" compute [8] {
  ^bb0(%i: index):
    %i1_v = dataflow.load %i1_x affine_map<(i) -> (i)> : !dataflow.port<8xi1> -> i1
    %i8_v = dataflow.load %i8_x affine_map<(i) -> (i)> : !dataflow.port<8xi8> -> i8
    %i12_v = dataflow.load %i12_x affine_map<(i) -> (i)> : !dataflow.port<8xi12> -> i12
    %i64_v = dataflow.load %i64_x affine_map<(i) -> (i)> : !dataflow.port<8xi64> -> i64
    %f32_v = dataflow.load %f32_x affine_map<(i) -> (i)> : !dataflow.port<8xf32> -> f32
    %bf16_v = dataflow.load %bf16_x affine_map<(i) -> (i)> : !dataflow.port<8xbf16> -> bf16
    %i1_extsi = arith.extsi %i1_v : i1 to i32
    %i1_extui = arith.extui %i1_v : i1 to i32
    %i8_extsi = arith.extsi %i8_v : i8 to i32
    %i8_extui = arith.extui %i8_v : i8 to i32
    %i12_extsi = arith.extsi %i12_v : i12 to i32
    %i12_extui = arith.extui %i12_v : i12 to i32
    %i64_trunci = arith.trunci %i64_v : i64 to i32
    %f32_fptosi = arith.fptosi %f32_v : f32 to i32
    %f32_fptoui = arith.fptoui %f32_v : f32 to i32
    %f32_bitcast = arith.bitcast %f32_v : f32 to i32
    %bf16_fptosi = arith.fptosi %bf16_v : bf16 to i32
    %bf16_fptoui = arith.fptoui %bf16_v : bf16 to i32
    %index = arith.index_cast %i : index to i32
    %all = vector.from_elements %i1_extsi, %i1_extui, %i8_extsi, %i8_extui, %i12_extsi, %i12_extui, %i64_trunci, %f32_fptosi, %f32_fptoui, %f32_bitcast, %bf16_fptosi, %bf16_fptoui, %index : vector<1x13xi32>
    dataflow.store %all, %y affine_map<(i) -> (i, 0)> : vector<1x13xi32>, !dataflow.port<8x13xi32>
  }
}
dataflow.design @to_f32 {
  %i1_x = dataflow.port in "i1_x" : !dataflow.port<8xi1>
  %i8_x = dataflow.port in "i8_x" : !dataflow.port<8xi8>
  %i12_x = dataflow.port in "i12_x" : !dataflow.port<8xi12>
  %i32_x = dataflow.port in "i32_x" : !dataflow.port<8xi32>
  %i64_x = dataflow.port in "i64_x" : !dataflow.port<8xi64>
  %bf16_x = dataflow.port in "bf16_x" : !dataflow.port<8xbf16>
  %y = dataflow.port out "y" : !dataflow.port<8x12xf32>
  dataflow.leaf "each" compute [8] {
  ^bb0(%i: index):
    %i1_v = dataflow.load %i1_x affine_map<(i) -> (i)> : !dataflow.port<8xi1> -> i1
    %i8_v = dataflow.load %i8_x affine_map<(i) -> (i)> : !dataflow.port<8xi8> -> i8
    %i12_v = dataflow.load %i12_x affine_map<(i) -> (i)> : !dataflow.port<8xi12> -> i12
    %i32_v = dataflow.load %i32_x affine_map<(i) -> (i)> : !dataflow.port<8xi32> -> i32
    %i64_v = dataflow.load %i64_x affine_map<(i) -> (i)> : !dataflow.port<8xi64> -> i64
    %bf16_v = dataflow.load %bf16_x affine_map<(i) -> (i)> : !dataflow.port<8xbf16> -> bf16
    %i1_sitofp = arith.sitofp %i1_v : i1 to f32
    %i1_uitofp = arith.uitofp %i1_v : i1 to f32
    %i8_sitofp = arith.sitofp %i8_v : i8 to f32
    %i8_uitofp = arith.uitofp %i8_v : i8 to f32
    %i12_sitofp = arith.sitofp %i12_v : i12 to f32
    %i12_uitofp = arith.uitofp %i12_v : i12 to f32
    %i32_sitofp = arith.sitofp %i32_v : i32 to f32
    %i32_uitofp = arith.uitofp %i32_v : i32 to f32
    %i32_bitcast = arith.bitcast %i32_v : i32 to f32
    %i64_sitofp = arith.sitofp %i64_v : i64 to f32
    %i64_uitofp = arith.uitofp %i64_v : i64 to f32
    %bf16_extf = arith.extf %bf16_v : bf16 to f32
    %all = vector.from_elements %i1_sitofp, %i1_uitofp, %i8_sitofp, %i8_uitofp, %i12_sitofp, %i12_uitofp, %i32_sitofp, %i32_uitofp, %i32_bitcast, %i64_sitofp, %i64_uitofp, %bf16_extf : vector<1x12xf32>
    dataflow.store %all, %y affine_map<(i) -> (i, 0)> : vector<1x12xf32>, !dataflow.port<8x12xf32>
  }
}
dataflow.design @to_bf16 {
  %i1_x = dataflow.port in "i1_x" : !dataflow.port<8xi1>
  %i8_x = dataflow.port in "i8_x" : !dataflow.port<8xi8>
  %i12_x = dataflow.port in "i12_x" : !dataflow.port<8xi12>
  %i32_x = dataflow.port in "i32_x" : !dataflow.port<8xi32>
  %i64_x = dataflow.port in "i64_x" : !dataflow.port<8xi64>
  %f32_x = dataflow.port in "f32_x" : !dataflow.port<8xf32>
  %y = dataflow.port out "y" : !dataflow.port<8x11xbf16>
  dataflow.leaf "each" compute [8] {
  ^bb0(%i: index):
    %i1_v = dataflow.load %i1_x affine_map<(i) -> (i)> : !dataflow.port<8xi1> -> i1
    %i8_v = dataflow.load %i8_x affine_map<(i) -> (i)> : !dataflow.port<8xi8> -> i8
    %i12_v = dataflow.load %i12_x affine_map<(i) -> (i)> : !dataflow.port<8xi12> -> i12
    %i32_v = dataflow.load %i32_x affine_map<(i) -> (i)> : !dataflow.port<8xi32> -> i32
    %i64_v = dataflow.load %i64_x affine_map<(i) -> (i)> : !dataflow.port<8xi64> -> i64
    %f32_v = dataflow.load %f32_x affine_map<(i) -> (i)> : !dataflow.port<8xf32> -> f32
    %i1_sitofp = arith.sitofp %i1_v : i1 to bf16
    %i1_uitofp = arith.uitofp %i1_v : i1 to bf16
    %i8_sitofp = arith.sitofp %i8_v : i8 to bf16
    %i8_uitofp = arith.uitofp %i8_v : i8 to bf16
    %i12_sitofp = arith.sitofp %i12_v : i12 to bf16
    %i12_uitofp = arith.uitofp %i12_v : i12 to bf16
    %i32_sitofp = arith.sitofp %i32_v : i32 to bf16
    %i32_uitofp = arith.uitofp %i32_v : i32 to bf16
    %i64_sitofp = arith.sitofp %i64_v : i64 to bf16
    %i64_uitofp = arith.uitofp %i64_v : i64 to bf16
    %f32_truncf = arith.truncf %f32_v : f32 to bf16
    %all = vector.from_elements %i1_sitofp, %i1_uitofp, %i8_sitofp, %i8_uitofp, %i12_sitofp, %i12_uitofp, %i32_sitofp, %i32_uitofp, %i64_sitofp, %i64_uitofp, %f32_truncf : vector<1x11xbf16>
    dataflow.store %all, %y affine_map<(i) -> (i, 0)> : vector<1x11xbf16>, !dataflow.port<8x11xbf16>
  }
}
