// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json start-after=fuse stop-after=stream" --verify-roundtrip | FileCheck %s

// Every level computes the same, to the bit, and the FIFOs are as wide as both members.
// RUN: rm -rf %t && mkdir %t
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json start-after=fuse dump-dir=%t" -o %t/sized.mlir
// RUN: streamtensor-run %s %t/07-pack.mlir %t/08-materialise.mlir %t/09-optimise.mlir %t/10-stream.mlir %t/11-size.mlir --seed 7 | FileCheck %s --check-prefix=LEVELS
// RUN: streamtensor-sim %t/sized.mlir --json | FileCheck %s --check-prefix=SIM

// LEVELS: tuples.mlir: level itensor, digest [[digest:[0-9a-f]+]]
// LEVELS: 10-stream.mlir: level stream, digest [[digest]]
// LEVELS: 11-size.mlir: level stream, digest [[digest]]
// SIM: "bits": 264

!rows = !itensor.itensor<4x8xf32, iter_space: [2, 2] * [4, 8], iter_map: (d0, d1) -> (d0, d1)>
!flags = !itensor.itensor<4x8xi1, iter_space: [2, 2] * [4, 8], iter_map: (d0, d1) -> (d0, d1)>
!pairs = !itensor.itensor<4x8xtuple<f32, i1>, iter_space: [2, 2] * [4, 8], iter_map: (d0, d1) -> (d0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>

// A task that reads both members in one order takes them out of the tuple itself.

// CHECK-LABEL: dataflow.design @masked
// CHECK: %[[pairs:[a-z0-9_]+]] = dataflow.stream "t_joined_fifo" : <tuple<vector<8xf32>, vector<8xi1>>>
// CHECK: dataflow.leaf "t_join" join [2, 2, 4]
// CHECK: %[[x:[a-z0-9_]+]] = dataflow.stream_read
// CHECK: %[[m:[a-z0-9_]+]] = dataflow.stream_read
// CHECK: %[[t:[a-z0-9_]+]] = dataflow.tuple %[[x]], %[[m]]
// CHECK: dataflow.stream_write %[[t]], %[[pairs]]
// CHECK-NOT: unjoin
// CHECK: dataflow.leaf "mask" compute [2, 2, 4]
// CHECK: %[[token:[a-z0-9_]+]] = dataflow.stream_read %[[pairs]]
// CHECK-NOT: dataflow.stream_read
// CHECK: dataflow.member %[[token]][0]
// CHECK: dataflow.member %[[token]][1]
// CHECK: arith.select
func.func @main(%x: tensor<8x16xf32>, %m: tensor<8x16xi1>) -> (tensor<8x16xf32>, tensor<8x16xi1>, tensor<8x16xf32>) {
  %k = dataflow.kernel "masked"(%x, %m) : (tensor<8x16xf32>, tensor<8x16xi1>) -> tensor<8x16xf32> {
  ^bb0(%a: tensor<8x16xf32>, %b: tensor<8x16xi1>):
    %as = itensor.from_tensor %a : tensor<8x16xf32> -> !rows
    %bs = itensor.from_tensor %b : tensor<8x16xi1> -> !flags
    %z = itensor.join %as, %bs : !rows, !flags -> !pairs
    %u, %v = itensor.unjoin %z : !pairs -> !rows, !flags
    %d = itensor.instance : !rows
    %y = dataflow.task "mask" outs(%d : !rows) -> !rows {
    ^bb0(%out: !rows):
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %o = scf.for %i = %c0 to %c8 step %c4 iter_args(%p = %out) -> !rows {
        %q = scf.for %j = %c0 to %c16 step %c8 iter_args(%s = %p) -> !rows {
          %xt = itensor.read %u[%i, %j] : !rows -> tensor<4x8xf32>
          %mt = itensor.read %v[%i, %j] : !flags -> tensor<4x8xi1>
          %e = tensor.empty() : tensor<4x8xf32>
          %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
              ins(%xt, %mt : tensor<4x8xf32>, tensor<4x8xi1>) outs(%e : tensor<4x8xf32>)
              attrs = {dataflow.tiling = #dataflow.tiling<tile = [4, 8], order = [0, 1], unroll = [1, 8]>} {
          ^bb0(%in: f32, %flag: i1, %init: f32):
            %n = arith.negf %in : f32
            %w = arith.select %flag, %in, %n : f32
            linalg.yield %w : f32
          } -> tensor<4x8xf32>
          %w = itensor.write %r into %s[%i, %j] : tensor<4x8xf32>, !rows
          scf.yield %w : !rows
        }
        scf.yield %q : !rows
      }
      dataflow.yield %o : !rows
    }
    %t = itensor.to_tensor %y : !rows -> tensor<8x16xf32>
    dataflow.yield %t : tensor<8x16xf32>
  }

// Members that go different ways get FIFOs of their own; a fork passes tuples on.

// CHECK-LABEL: dataflow.design @apart
// CHECK: dataflow.leaf "t_fork" fork
// CHECK: %[[f:[a-z0-9_]+]] = dataflow.stream_read
// CHECK: dataflow.stream_write %[[f]], {{.*}} : tuple<
// CHECK: dataflow.stream_write %[[f]], {{.*}} : tuple<
// CHECK: dataflow.leaf "t_unjoin" unjoin
// CHECK: %[[g:[a-z0-9_]+]] = dataflow.stream_read
// CHECK: dataflow.member %[[g]][1]
// CHECK: dataflow.leaf "t_unjoin_1" unjoin
// CHECK: dataflow.member %{{.*}}[0]
  %l:2 = dataflow.kernel "apart"(%k, %m) : (tensor<8x16xf32>, tensor<8x16xi1>) -> (tensor<8x16xi1>, tensor<8x16xf32>) {
  ^bb0(%a: tensor<8x16xf32>, %b: tensor<8x16xi1>):
    %as = itensor.from_tensor %a : tensor<8x16xf32> -> !rows
    %bs = itensor.from_tensor %b : tensor<8x16xi1> -> !flags
    %z = itensor.join %as, %bs : !rows, !flags -> !pairs
    %u, %v = itensor.unjoin %z : !pairs -> !rows, !flags
    %u1, %v1 = itensor.unjoin %z : !pairs -> !rows, !flags
    %t = itensor.to_tensor %v : !flags -> tensor<8x16xi1>
    %s = itensor.to_tensor %u1 : !rows -> tensor<8x16xf32>
    dataflow.yield %t, %s : tensor<8x16xi1>, tensor<8x16xf32>
  }
  return %k, %l#0, %l#1 : tensor<8x16xf32>, tensor<8x16xi1>, tensor<8x16xf32>
}
