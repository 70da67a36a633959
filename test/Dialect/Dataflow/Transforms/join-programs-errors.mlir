// RUN: rm -rf %t && split-file --leading-lines %s %t
// RUN: streamtensor-opt %t/copy.mlir %u55c --streamtensor-schedule-phase -o %t/sized.mlir
// RUN: sed '/host_launch_us/s/value = [0-9]*/value = 5/' %t/sized.mlir > %t/other.mlir
// RUN: streamtensor-opt %t/main.mlir %u55c --dataflow-join-programs --split-input-file --verify-diagnostics

//--- copy.mlir
dataflow.design @accelerator {
  %x = dataflow.port in "x" : !dataflow.port<4xi32>
  %y = dataflow.port out "y" : !dataflow.port<4xi32>
  dataflow.leaf "copy" compute [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4xi32> -> i32
    dataflow.store %v, %y affine_map<(i) -> (i)> : i32, !dataflow.port<4xi32>
  }
}
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %y = dataflow.launch @accelerator(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}

//--- named.mlir
func.func private @copy(tensor<4xi32>) -> tensor<4xi32> attributes {streamtensor.program = "sized.mlir"}
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %y = func.call @copy(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}

//--- main.mlir
// expected-error @below {{[program.join] 'absent.mlir' is not there}}
func.func private @copy(tensor<4xi32>) -> tensor<4xi32> attributes {streamtensor.program = "absent.mlir"}

// -----

// expected-error @below {{[program.join] 'sized.mlir' has another type there: '(tensor<4xi32>) -> tensor<4xi32>'}}
func.func private @copy(tensor<5xi32>) -> tensor<5xi32> attributes {streamtensor.program = "sized.mlir"}

// -----

// expected-error @below {{[program.join] 'other.mlir' was compiled for another device than this module's}}
func.func private @copy(tensor<4xi32>) -> tensor<4xi32> attributes {streamtensor.program = "other.mlir"}

// -----

// expected-error @below {{[program.join] 'copy.mlir' was not sized for a device}}
func.func private @copy(tensor<4xi32>) -> tensor<4xi32> attributes {streamtensor.program = "copy.mlir"}

// -----

// expected-error @below {{[program.join] 'named.mlir' has functions beside @main, which is to be the whole program}}
func.func private @copy(tensor<4xi32>) -> tensor<4xi32> attributes {streamtensor.program = "named.mlir"}

// -----

func.func private @other(tensor<4xi32>) -> tensor<4xi32>
// expected-error @below {{[program.attribute] 'streamtensor.program' names the file of a program, at a function without a body}}
func.func @copy(%x: tensor<4xi32>) -> tensor<4xi32> attributes {streamtensor.program = "sized.mlir"} {
  return %x : tensor<4xi32>
}
