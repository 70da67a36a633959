// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=512 stop-after=decide" -o %t.decided.mlir
// RUN: FileCheck %s --check-prefix=DECIDE --input-file=%t.decided.mlir
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=512" -o %t.mlir 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=SIZED --input-file=%t.mlir
// RUN: streamtensor-sim %t.mlir --json | FileCheck %s --check-prefix=CYCLES
// RUN: rm -rf %t.d && mkdir %t.d && streamtensor-run %s --output-dir=%t.d
// RUN: streamtensor-run %t.mlir --pipelined --input=%t.d/arg0.npy --input=%t.d/arg1.npy --input=%t.d/arg2.npy --compare=%t.d/result0.npy --compare=%t.d/result1.npy
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=512 stop-after=decide" --write-schedule=%t.json -o /dev/null
// RUN: FileCheck %s --check-prefix=SCHEDULE --input-file=%t.json
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json stop-after=decide" --schedule=%t.json | diff - %t.decided.mlir
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=512 engines=false stop-after=decide" | FileCheck %s --check-prefix=ARRAYS

// One token through two linears, 512 to 1024 features and back. An eighth of the 32 masters is for other tensors: 28 bring
// weights, 28 inputs of 16 outputs in an iteration. 512 inputs are 19 times 28 with 20 zeros, 1024 are 37 times 28 with 12:
// 19 x 64 and 37 x 32 iterations, 2400 cycles. With 27 they would be 19 and 38 times: 2432.
// DECIDE: dataflow.token_inputs = 28
// DECIDE: tensor.pad %{{.*}} low[0] high[20]
// DECIDE: itensor.pack %arg1 strides [512, 1] offset 0 lanes 512 : tensor<1024x512xf32> -> tensor<1024x532xf32>
// DECIDE: tile = [16, 28], order = [1, 0], unroll = [16, 28], engine = "engine"
// The second weights lie with the inputs outside: the host turns them.
// DECIDE: tensor.pad %{{.*}} low[0] high[12]
// DECIDE: itensor.pack %arg2 strides [1, 512] offset 0 lanes 1024 : tensor<1024x512xf32> -> tensor<512x1036xf32>
// DECIDE: tile = [16, 28], order = [1, 0], unroll = [16, 28], engine = "engine"

// 448 products and their sums are 2240 DSPs, more than 60 % of what any die has to place: four slices of four outputs, each
// with a FIFO of its rows. Sums of the second lie where those of the first were.
// SIZED-COUNT-28: dataflow.interface "gmem_arg1_and_1_s{{[0-9]+}}"
// SIZED-NOT: dataflow.interface "gmem_arg1
// SIZED: dataflow.leaf "engine_s0" compute [1]
// SIZED-NEXT: ^bb0(%{{[^,]*}}: index, %{{[^,]*}}: !dataflow.private<64x4xf32>):
// SIZED: dataflow.nest "{{.*}}" [19, 64]
// SIZED: stream_read {{.*}} -> vector<112xf32>
// SIZED: arith.mulf {{.*}} : vector<28x4xf32>
// SIZED: dataflow.nest "{{.*}}" [37, 32]
// SIZED: dataflow.leaf "engine_s3" compute [1]
// SIZED-NOT: engine_s4

// CYCLES: "busy": 2400,
// CYCLES: "name": "engine_s0",

// SCHEDULE: "token_inputs": 28,

// ARRAYS-NOT: token_inputs
// ARRAYS-NOT: tensor.pad
// ARRAYS-NOT: engine

#vector = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>
func.func @main(%x: tensor<512xf32> {streamtensor.kind = "input"}, %up: tensor<1024x512xf32> {streamtensor.kind = "parameter"},
                %down: tensor<1024x512xf32> {streamtensor.kind = "parameter"}) -> (tensor<512xf32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512xf32>
  %y = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]}
      ins(%x : tensor<512xf32>) outs(%e : tensor<512xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %a : f32
    linalg.yield %r : f32
  } -> tensor<512xf32>
  %eh = tensor.empty() : tensor<1024xf32>
  %zh = linalg.fill ins(%zero : f32) outs(%eh : tensor<1024xf32>) -> tensor<1024xf32>
  %h = linalg.matvec ins(%up, %y : tensor<1024x512xf32>, tensor<512xf32>) outs(%zh : tensor<1024xf32>) -> tensor<1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<512xf32>) -> tensor<512xf32>
  %o = linalg.vecmat ins(%h, %down : tensor<1024xf32>, tensor<1024x512xf32>) outs(%z : tensor<512xf32>) -> tensor<512xf32>
  %es = tensor.empty() : tensor<f32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<f32>) -> tensor<f32>
  %s = linalg.dot ins(%y, %o : tensor<512xf32>, tensor<512xf32>) outs(%zs : tensor<f32>) -> tensor<f32>
  return %o, %s : tensor<512xf32>, tensor<f32>
}
