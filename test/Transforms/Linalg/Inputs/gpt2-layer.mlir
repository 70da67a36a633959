// A GPT-2 block: width 16, 2 heads, 8 tokens, as torch-mlir prints it.
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16x48xf32>, %arg3: tensor<48xf32>, %arg4: tensor<16x16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<16xf32>, %arg7: tensor<16xf32>, %arg8: tensor<16x64xf32>, %arg9: tensor<64xf32>, %arg10: tensor<64x16xf32>, %arg11: tensor<16xf32>, %arg12: tensor<1x8x16xf32>, %arg13: tensor<1x1x8x8xf32>) -> tensor<1x8x16xf32> {
    %c3_i64 = arith.constant 3 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.79788456080286541 : f64
    %cst_2 = arith.constant 4.471500e-02 : f64
    %cst_3 = arith.constant 0.35355339059327379 : f64
    %cst_4 = arith.constant 1.000000e-05 : f64
    %cst_5 = arith.constant 1.600000e+01 : f32
    %cst_6 = arith.constant 5.000000e-01 : f32
    %cst_7 = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x8x1xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x8x1xf32>) -> tensor<1x8x1xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg12 : tensor<1x8x16xf32>) outs(%1 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.addf %in, %out : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x1xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<1x8x1xf32>) outs(%0 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.divf %in, %cst_5 : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x1xf32>
    %4 = tensor.empty() : tensor<1x8x16xf32>
    %collapsed = tensor.collapse_shape %3 [[0], [1, 2]] : tensor<1x8x1xf32> into tensor<1x8xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed : tensor<1x8xf32>) outs(%4 : tensor<1x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x16xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12, %5 : tensor<1x8x16xf32>, tensor<1x8x16xf32>) outs(%4 : tensor<1x8x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.subf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x16xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<1x8x16xf32>, tensor<1x8x16xf32>) outs(%4 : tensor<1x8x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.mulf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x16xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<1x8x16xf32>) outs(%1 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.addf %in, %out : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<1x8x1xf32>) outs(%0 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.divf %in, %cst_5 : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x8x1xf32>) outs(%0 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.truncf %cst_4 : f64 to f32
      %78 = arith.addf %in, %77 : f32
      linalg.yield %78 : f32
    } -> tensor<1x8x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x8x1xf32>) outs(%0 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = math.rsqrt %in : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x1xf32>
    %collapsed_8 = tensor.collapse_shape %11 [[0], [1, 2]] : tensor<1x8x1xf32> into tensor<1x8xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_8 : tensor<1x8xf32>) outs(%4 : tensor<1x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x16xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %12 : tensor<1x8x16xf32>, tensor<1x8x16xf32>) outs(%4 : tensor<1x8x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.mulf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x16xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %arg0 : tensor<1x8x16xf32>, tensor<16xf32>) outs(%4 : tensor<1x8x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.mulf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x16xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %arg1 : tensor<1x8x16xf32>, tensor<16xf32>) outs(%4 : tensor<1x8x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.addf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x16xf32>
    %collapsed_9 = tensor.collapse_shape %15 [[0, 1], [2]] : tensor<1x8x16xf32> into tensor<8x16xf32>
    %16 = tensor.empty() : tensor<8x48xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<8x48xf32>) -> tensor<8x48xf32>
    %18 = linalg.matmul ins(%collapsed_9, %arg2 : tensor<8x16xf32>, tensor<16x48xf32>) outs(%17 : tensor<8x48xf32>) -> tensor<8x48xf32>
    %19 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<48xf32>) outs(%16 : tensor<8x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x48xf32>
    %20 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%18, %19 : tensor<8x48xf32>, tensor<8x48xf32>) outs(%16 : tensor<8x48xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.addf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<8x48xf32>
    %expanded = tensor.expand_shape %20 [[0, 1], [2]] output_shape [1, 8, 48] : tensor<8x48xf32> into tensor<1x8x48xf32>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0] [1, 8, 16] [1, 1, 1] : tensor<1x8x48xf32> to tensor<1x8x16xf32>
    %extracted_slice_10 = tensor.extract_slice %expanded[0, 0, 16] [1, 8, 16] [1, 1, 1] : tensor<1x8x48xf32> to tensor<1x8x16xf32>
    %extracted_slice_11 = tensor.extract_slice %expanded[0, 0, 32] [1, 8, 16] [1, 1, 1] : tensor<1x8x48xf32> to tensor<1x8x16xf32>
    %expanded_12 = tensor.expand_shape %extracted_slice_10 [[0], [1], [2, 3]] output_shape [1, 8, 2, 8] : tensor<1x8x16xf32> into tensor<1x8x2x8xf32>
    %expanded_13 = tensor.expand_shape %extracted_slice_11 [[0], [1], [2, 3]] output_shape [1, 8, 2, 8] : tensor<1x8x16xf32> into tensor<1x8x2x8xf32>
    %21 = tensor.empty() : tensor<1x2x8x8xf32>
    %transposed = linalg.transpose ins(%expanded_13 : tensor<1x8x2x8xf32>) outs(%21 : tensor<1x2x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_14 = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [1, 8, 2, 8] : tensor<1x8x16xf32> into tensor<1x8x2x8xf32>
    %transposed_15 = linalg.transpose ins(%expanded_14 : tensor<1x8x2x8xf32>) outs(%21 : tensor<1x2x8x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_16 = linalg.transpose ins(%expanded_12 : tensor<1x8x2x8xf32>) outs(%21 : tensor<1x2x8x8xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_17 = tensor.collapse_shape %transposed_15 [[0, 1], [2], [3]] : tensor<1x2x8x8xf32> into tensor<2x8x8xf32>
    %collapsed_18 = tensor.collapse_shape %transposed_16 [[0, 1], [2], [3]] : tensor<1x2x8x8xf32> into tensor<2x8x8xf32>
    %22 = tensor.empty() : tensor<2x8x8xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
    %24 = linalg.batch_matmul ins(%collapsed_17, %collapsed_18 : tensor<2x8x8xf32>, tensor<2x8x8xf32>) outs(%23 : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
    %expanded_19 = tensor.expand_shape %24 [[0, 1], [2], [3]] output_shape [1, 2, 8, 8] : tensor<2x8x8xf32> into tensor<1x2x8x8xf32>
    %25 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19 : tensor<1x2x8x8xf32>) outs(%21 : tensor<1x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.truncf %cst_3 : f64 to f32
      %78 = arith.mulf %in, %77 : f32
      linalg.yield %78 : f32
    } -> tensor<1x2x8x8xf32>
    %26 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %arg13 : tensor<1x2x8x8xf32>, tensor<1x1x8x8xf32>) outs(%21 : tensor<1x2x8x8xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.addf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x8x8xf32>
    %27 = tensor.empty() : tensor<1x2x8xi64>
    %28 = linalg.fill ins(%c0_i64 : i64) outs(%27 : tensor<1x2x8xi64>) -> tensor<1x2x8xi64>
    %29 = tensor.empty() : tensor<1x2x8xf32>
    %30 = linalg.fill ins(%cst_0 : f32) outs(%29 : tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
    %31:2 = linalg.generic {indexing_maps = [#map6, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%26 : tensor<1x2x8x8xf32>) outs(%30, %28 : tensor<1x2x8xf32>, tensor<1x2x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_33: i64):
      %77 = linalg.index 3 : index
      %78 = arith.index_cast %77 : index to i64
      %79 = arith.maximumf %in, %out : f32
      %80 = arith.cmpf ogt, %in, %out : f32
      %81 = arith.select %80, %78, %out_33 : i64
      linalg.yield %79, %81 : f32, i64
    } -> (tensor<1x2x8xf32>, tensor<1x2x8xi64>)
    %expanded_20 = tensor.expand_shape %31#0 [[0], [1], [2, 3]] output_shape [1, 2, 8, 1] : tensor<1x2x8xf32> into tensor<1x2x8x1xf32>
    %32 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %expanded_20 : tensor<1x2x8x8xf32>, tensor<1x2x8x1xf32>) outs(%21 : tensor<1x2x8x8xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.subf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x8x8xf32>
    %33 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x2x8x8xf32>) outs(%21 : tensor<1x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = math.exp %in : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x8x8xf32>
    %34 = tensor.empty() : tensor<1x2x8x1xf32>
    %35 = linalg.fill ins(%cst : f32) outs(%34 : tensor<1x2x8x1xf32>) -> tensor<1x2x8x1xf32>
    %36 = linalg.generic {indexing_maps = [#map6, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%33 : tensor<1x2x8x8xf32>) outs(%35 : tensor<1x2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.addf %in, %out : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x8x1xf32>
    %37 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %36 : tensor<1x2x8x8xf32>, tensor<1x2x8x1xf32>) outs(%21 : tensor<1x2x8x8xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.divf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x8x8xf32>
    %collapsed_21 = tensor.collapse_shape %37 [[0, 1], [2], [3]] : tensor<1x2x8x8xf32> into tensor<2x8x8xf32>
    %collapsed_22 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x2x8x8xf32> into tensor<2x8x8xf32>
    %38 = linalg.batch_matmul ins(%collapsed_21, %collapsed_22 : tensor<2x8x8xf32>, tensor<2x8x8xf32>) outs(%23 : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
    %expanded_23 = tensor.expand_shape %38 [[0, 1], [2], [3]] output_shape [1, 2, 8, 8] : tensor<2x8x8xf32> into tensor<1x2x8x8xf32>
    %39 = tensor.empty() : tensor<1x8x2x8xf32>
    %transposed_24 = linalg.transpose ins(%expanded_23 : tensor<1x2x8x8xf32>) outs(%39 : tensor<1x8x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_25 = tensor.collapse_shape %transposed_24 [[0, 1], [2, 3]] : tensor<1x8x2x8xf32> into tensor<8x16xf32>
    %40 = tensor.empty() : tensor<8x16xf32>
    %41 = linalg.fill ins(%cst : f32) outs(%40 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %42 = linalg.matmul ins(%collapsed_25, %arg4 : tensor<8x16xf32>, tensor<16x16xf32>) outs(%41 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %43 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<16xf32>) outs(%40 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16xf32>
    %44 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%42, %43 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%40 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.addf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<8x16xf32>
    %expanded_26 = tensor.expand_shape %44 [[0, 1], [2]] output_shape [1, 8, 16] : tensor<8x16xf32> into tensor<1x8x16xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_26, %arg12 : tensor<1x8x16xf32>, tensor<1x8x16xf32>) outs(%4 : tensor<1x8x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.addf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x16xf32>
    %46 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%45 : tensor<1x8x16xf32>) outs(%1 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.addf %in, %out : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x1xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46 : tensor<1x8x1xf32>) outs(%0 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.divf %in, %cst_5 : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x1xf32>
    %collapsed_27 = tensor.collapse_shape %47 [[0], [1, 2]] : tensor<1x8x1xf32> into tensor<1x8xf32>
    %48 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_27 : tensor<1x8xf32>) outs(%4 : tensor<1x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x16xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45, %48 : tensor<1x8x16xf32>, tensor<1x8x16xf32>) outs(%4 : tensor<1x8x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.subf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x16xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%49, %49 : tensor<1x8x16xf32>, tensor<1x8x16xf32>) outs(%4 : tensor<1x8x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.mulf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x16xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%50 : tensor<1x8x16xf32>) outs(%1 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.addf %in, %out : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x1xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51 : tensor<1x8x1xf32>) outs(%0 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.divf %in, %cst_5 : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x1xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52 : tensor<1x8x1xf32>) outs(%0 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.truncf %cst_4 : f64 to f32
      %78 = arith.addf %in, %77 : f32
      linalg.yield %78 : f32
    } -> tensor<1x8x1xf32>
    %54 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53 : tensor<1x8x1xf32>) outs(%0 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = math.rsqrt %in : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x1xf32>
    %collapsed_28 = tensor.collapse_shape %54 [[0], [1, 2]] : tensor<1x8x1xf32> into tensor<1x8xf32>
    %55 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_28 : tensor<1x8xf32>) outs(%4 : tensor<1x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x16xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%49, %55 : tensor<1x8x16xf32>, tensor<1x8x16xf32>) outs(%4 : tensor<1x8x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.mulf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x16xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56, %arg6 : tensor<1x8x16xf32>, tensor<16xf32>) outs(%4 : tensor<1x8x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.mulf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x16xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57, %arg7 : tensor<1x8x16xf32>, tensor<16xf32>) outs(%4 : tensor<1x8x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.addf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x16xf32>
    %collapsed_29 = tensor.collapse_shape %58 [[0, 1], [2]] : tensor<1x8x16xf32> into tensor<8x16xf32>
    %59 = tensor.empty() : tensor<8x64xf32>
    %60 = linalg.fill ins(%cst : f32) outs(%59 : tensor<8x64xf32>) -> tensor<8x64xf32>
    %61 = linalg.matmul ins(%collapsed_29, %arg8 : tensor<8x16xf32>, tensor<16x64xf32>) outs(%60 : tensor<8x64xf32>) -> tensor<8x64xf32>
    %62 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg9 : tensor<64xf32>) outs(%59 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x64xf32>
    %63 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%61, %62 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%59 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.addf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<8x64xf32>
    %expanded_30 = tensor.expand_shape %63 [[0, 1], [2]] output_shape [1, 8, 64] : tensor<8x64xf32> into tensor<1x8x64xf32>
    %64 = tensor.empty() : tensor<1x8x64xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_30 : tensor<1x8x64xf32>) outs(%64 : tensor<1x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.mulf %in, %cst_6 : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x64xf32>
    %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_30 : tensor<1x8x64xf32>) outs(%64 : tensor<1x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %77 : f32
    } -> tensor<1x8x64xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66 : tensor<1x8x64xf32>) outs(%64 : tensor<1x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.truncf %cst_2 : f64 to f32
      %78 = arith.mulf %in, %77 : f32
      linalg.yield %78 : f32
    } -> tensor<1x8x64xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_30, %67 : tensor<1x8x64xf32>, tensor<1x8x64xf32>) outs(%64 : tensor<1x8x64xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.addf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x64xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68 : tensor<1x8x64xf32>) outs(%64 : tensor<1x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.truncf %cst_1 : f64 to f32
      %78 = arith.mulf %in, %77 : f32
      linalg.yield %78 : f32
    } -> tensor<1x8x64xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<1x8x64xf32>) outs(%64 : tensor<1x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = math.tanh %in : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x64xf32>
    %71 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<1x8x64xf32>) outs(%64 : tensor<1x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.addf %in, %cst_7 : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x64xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65, %71 : tensor<1x8x64xf32>, tensor<1x8x64xf32>) outs(%64 : tensor<1x8x64xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.mulf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x64xf32>
    %collapsed_31 = tensor.collapse_shape %72 [[0, 1], [2]] : tensor<1x8x64xf32> into tensor<8x64xf32>
    %73 = linalg.matmul ins(%collapsed_31, %arg10 : tensor<8x64xf32>, tensor<64x16xf32>) outs(%41 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %74 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg11 : tensor<16xf32>) outs(%40 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16xf32>
    %75 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%73, %74 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%40 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.addf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<8x16xf32>
    %expanded_32 = tensor.expand_shape %75 [[0, 1], [2]] output_shape [1, 8, 16] : tensor<8x16xf32> into tensor<1x8x16xf32>
    %76 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45, %expanded_32 : tensor<1x8x16xf32>, tensor<1x8x16xf32>) outs(%4 : tensor<1x8x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.addf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<1x8x16xf32>
    return %76 : tensor<1x8x16xf32>
  }
}
