// RUN: streamtensor-opt %s -split-input-file -verify-diagnostics

func.func @no_yield(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dataflow.kernel' op [kernel.types] the body must end with dataflow.yield}}
  "dataflow.kernel"(%x) <{name = "k"}> ({
  ^bb0(%a: tensor<4xf32>):
    %e = itensor.empty : !itensor.itensor<4xf32, iter_space: [] * [], iter_map: () -> (0)>
  }) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @argument(%x: tensor<4xf32>) {
  // expected-error@+1 {{[kernel.types] block arguments 0 have type 'tensor<8xf32>', the inputs have type 'tensor<4xf32>'}}
  dataflow.kernel "k" (%x) : (tensor<4xf32>) -> () {
  ^bb0(%a: tensor<8xf32>):
    dataflow.yield
  }
  return
}

// -----

func.func @result(%x: tensor<4xf32>) {
  // expected-error@+1 {{[kernel.types] has 0 yielded values for 1 results}}
  %y = dataflow.kernel "k" (%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    dataflow.yield
  }
  return
}

// -----

!a = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
!b = !itensor.itensor<4xf32, iter_space: [] * [], iter_map: () -> (0)>
func.func @task_results(%a: !a, %b: !b) {
  // expected-error@+1 {{'dataflow.task' op [task.types] results 0 have type}}
  %0 = dataflow.task "t" outs(%a : !a) -> !b {
  ^bb0(%o: !a):
    dataflow.yield %b : !b
  }
  return
}

// -----

// Without its converter a task reads tokens that are never sent: its nest visits
// the row three times, the producer sends it once.
!once = !itensor.itensor<4x4xf32, iter_space: [2] * [4], iter_map: (d0) -> (0, d0)>
!thrice = !itensor.itensor<4x4xf32, iter_space: [3, 2] * [1, 4], iter_map: (d0, d1) -> (0, d1)>
!out = !itensor.itensor<4x4xf32, iter_space: [3] * [4], iter_map: (d0) -> (d0, 0)>
func.func @converter_removed(%x: !once) {
  %e = itensor.empty : !out
  %0 = dataflow.task "t" outs(%e : !out) -> !out {
  ^bb0(%o: !out):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    scf.for %n = %c0 to %c3 step %c1 {
      scf.for %k = %c0 to %c2 step %c1 {
        // expected-error@+1 {{'itensor.read' op [itensor.index] has 2 indices for 1 iteration dimensions}}
        %t = itensor.read %x[%n, %k] : !once -> tensor<4x4xf32>
      }
    }
    dataflow.yield %o : !out
  }
  return
}

// -----

func.func @launch_nothing(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dataflow.launch' op [launch.design] 'missing' is no dataflow.design}}
  dataflow.launch @missing(%x) : (tensor<4xf32>) -> ()
  return
}

// -----

dataflow.design @d {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
}
func.func @launch_count() {
  // expected-error@+1 {{[launch.ports] has 0 operands, design 'd' has 1 such ports}}
  dataflow.launch @d() : () -> ()
  return
}

// -----

dataflow.design @d {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
}
func.func @launch_type(%x: tensor<5xf32>) {
  // expected-error@+1 {{[launch.ports] operand 0 has type 'tensor<5xf32>', port 'x' has type '!dataflow.port<4xf32>'}}
  dataflow.launch @d(%x) : (tensor<5xf32>) -> ()
  return
}
