#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d2, d0, d1, d4)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d4)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> (d4, d0, d3)>
#map16 = affine_map<(d0, d1, d2, d3, d4) -> (d2, d0, d1, d3)>
module {
  func.func @main(%arg0: tensor<32x32xf32> {streamtensor.kind = "input", streamtensor.name = "arg0"}, %arg1: tensor<16x32xf32> {streamtensor.kind = "input", streamtensor.name = "arg1"}, %arg2: tensor<16x32xf32> {streamtensor.kind = "input", streamtensor.name = "arg2"}, %arg3: tensor<32x32xf32> {streamtensor.kind = "input", streamtensor.name = "arg3"}, %arg4: tensor<48x32xf32> {streamtensor.kind = "input", streamtensor.name = "arg4"}, %arg5: tensor<48x32xf32> {streamtensor.kind = "input", streamtensor.name = "arg5"}, %arg6: tensor<32x48xf32> {streamtensor.kind = "input", streamtensor.name = "arg6"}, %arg7: tensor<32xf32> {streamtensor.kind = "input", streamtensor.name = "arg7"}, %arg8: tensor<32xf32> {streamtensor.kind = "input", streamtensor.name = "arg8"}, %arg9: tensor<1x8x32xf32> {streamtensor.kind = "input", streamtensor.name = "arg9"}, %arg10: tensor<1x1x8x8xf32> {streamtensor.kind = "input", streamtensor.name = "arg10"}, %arg11: tensor<1x8x8xf32> {streamtensor.kind = "input", streamtensor.name = "arg11"}, %arg12: tensor<1x8x8xf32> {streamtensor.kind = "input", streamtensor.name = "arg12"}) -> tensor<1x8x32xf32> {
    %collapsed = tensor.collapse_shape %arg9 [[0, 1], [2]] : tensor<1x8x32xf32> into tensor<8x32xf32>
    %0 = tensor.empty() : tensor<8x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<8x32xf32>) outs(%0 : tensor<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = arith.mulf %in, %in : f32
      linalg.yield %71 : f32
    } -> tensor<8x32xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %2 = tensor.empty() : tensor<8xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<8xf32>) -> tensor<8xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x32xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = arith.addf %in, %out : f32
      linalg.yield %71 : f32
    } -> tensor<8xf32>
    %5 = tensor.empty() : tensor<8xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%4 : tensor<8xf32>) outs(%5 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_24 = arith.constant 9.99999997E-7 : f32
      %cst_25 = arith.constant 3.200000e+01 : f32
      %71 = arith.divf %in, %cst_25 : f32
      %72 = arith.addf %71, %cst_24 : f32
      %73 = math.rsqrt %72 : f32
      linalg.yield %73 : f32
    } -> tensor<8xf32>
    %7 = tensor.empty() : tensor<8x32xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg7, %collapsed, %6 : tensor<32xf32>, tensor<8x32xf32>, tensor<8xf32>) outs(%7 : tensor<8x32xf32>) {
    ^bb0(%in: f32, %in_24: f32, %in_25: f32, %out: f32):
      %71 = arith.mulf %in_24, %in_25 : f32
      %72 = arith.mulf %in, %71 : f32
      linalg.yield %72 : f32
    } -> tensor<8x32xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %9 = tensor.empty() : tensor<8x32xf32>
    %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %11 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8, %arg0 : tensor<8x32xf32>, tensor<32x32xf32>) outs(%10 : tensor<8x32xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %71 = arith.mulf %in, %in_24 : f32
      %72 = arith.addf %out, %71 : f32
      linalg.yield %72 : f32
    } -> tensor<8x32xf32>
    %expanded = tensor.expand_shape %11 [[0], [1, 2]] output_shape [8, 4, 8] : tensor<8x32xf32> into tensor<8x4x8xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %12 = tensor.empty() : tensor<8x16xf32>
    %13 = linalg.fill ins(%cst_1 : f32) outs(%12 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8, %arg1 : tensor<8x32xf32>, tensor<16x32xf32>) outs(%13 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %71 = arith.mulf %in, %in_24 : f32
      %72 = arith.addf %out, %71 : f32
      linalg.yield %72 : f32
    } -> tensor<8x16xf32>
    %expanded_2 = tensor.expand_shape %14 [[0], [1, 2]] output_shape [8, 2, 8] : tensor<8x16xf32> into tensor<8x2x8xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %15 = tensor.empty() : tensor<8x16xf32>
    %16 = linalg.fill ins(%cst_3 : f32) outs(%15 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %17 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8, %arg2 : tensor<8x32xf32>, tensor<16x32xf32>) outs(%16 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %71 = arith.mulf %in, %in_24 : f32
      %72 = arith.addf %out, %71 : f32
      linalg.yield %72 : f32
    } -> tensor<8x16xf32>
    %expanded_4 = tensor.expand_shape %17 [[0], [1, 2]] output_shape [8, 2, 8] : tensor<8x16xf32> into tensor<8x2x8xf32>
    %collapsed_5 = tensor.collapse_shape %arg11 [[0, 1], [2]] : tensor<1x8x8xf32> into tensor<8x8xf32>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0] [8, 4, 4] [1, 1, 1] : tensor<8x4x8xf32> to tensor<8x4x4xf32>
    %extracted_slice_6 = tensor.extract_slice %expanded[0, 0, 4] [8, 4, 4] [1, 1, 1] : tensor<8x4x8xf32> to tensor<8x4x4xf32>
    %18 = tensor.empty() : tensor<8x4x4xf32>
    %19 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_6 : tensor<8x4x4xf32>) outs(%18 : tensor<8x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = arith.negf %in : f32
      linalg.yield %71 : f32
    } -> tensor<8x4x4xf32>
    %concat = tensor.concat dim(2) %19, %extracted_slice : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x8xf32>
    %collapsed_7 = tensor.collapse_shape %arg12 [[0, 1], [2]] : tensor<1x8x8xf32> into tensor<8x8xf32>
    %20 = tensor.empty() : tensor<8x4x8xf32>
    %21 = linalg.generic {indexing_maps = [#map7, #map4, #map7, #map4, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %collapsed_5, %concat, %collapsed_7 : tensor<8x4x8xf32>, tensor<8x8xf32>, tensor<8x4x8xf32>, tensor<8x8xf32>) outs(%20 : tensor<8x4x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %in_25: f32, %in_26: f32, %out: f32):
      %71 = arith.mulf %in_25, %in_26 : f32
      %72 = arith.mulf %in, %in_24 : f32
      %73 = arith.addf %72, %71 : f32
      linalg.yield %73 : f32
    } -> tensor<8x4x8xf32>
    %extracted_slice_8 = tensor.extract_slice %expanded_2[0, 0, 0] [8, 2, 4] [1, 1, 1] : tensor<8x2x8xf32> to tensor<8x2x4xf32>
    %extracted_slice_9 = tensor.extract_slice %expanded_2[0, 0, 4] [8, 2, 4] [1, 1, 1] : tensor<8x2x8xf32> to tensor<8x2x4xf32>
    %22 = tensor.empty() : tensor<8x2x4xf32>
    %23 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_9 : tensor<8x2x4xf32>) outs(%22 : tensor<8x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = arith.negf %in : f32
      linalg.yield %71 : f32
    } -> tensor<8x2x4xf32>
    %concat_10 = tensor.concat dim(2) %23, %extracted_slice_8 : (tensor<8x2x4xf32>, tensor<8x2x4xf32>) -> tensor<8x2x8xf32>
    %24 = tensor.empty() : tensor<8x2x8xf32>
    %25 = linalg.generic {indexing_maps = [#map7, #map4, #map7, #map4, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_2, %collapsed_5, %concat_10, %collapsed_7 : tensor<8x2x8xf32>, tensor<8x8xf32>, tensor<8x2x8xf32>, tensor<8x8xf32>) outs(%24 : tensor<8x2x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %in_25: f32, %in_26: f32, %out: f32):
      %71 = arith.mulf %in_25, %in_26 : f32
      %72 = arith.mulf %in, %in_24 : f32
      %73 = arith.addf %72, %71 : f32
      linalg.yield %73 : f32
    } -> tensor<8x2x8xf32>
    %expanded_11 = tensor.expand_shape %21 [[0], [1, 2], [3]] output_shape [8, 2, 2, 8] : tensor<8x4x8xf32> into tensor<8x2x2x8xf32>
    %cst_12 = arith.constant 0.000000e+00 : f32
    %26 = tensor.empty() : tensor<2x2x8x8xf32>
    %27 = linalg.fill ins(%cst_12 : f32) outs(%26 : tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %28 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded_11, %25 : tensor<8x2x2x8xf32>, tensor<8x2x8xf32>) outs(%27 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %71 = arith.mulf %in, %in_24 : f32
      %72 = arith.addf %out, %71 : f32
      linalg.yield %72 : f32
    } -> tensor<2x2x8x8xf32>
    %collapsed_13 = tensor.collapse_shape %arg10 [[0, 1, 2], [3]] : tensor<1x1x8x8xf32> into tensor<8x8xf32>
    %29 = tensor.empty() : tensor<2x2x8x8xf32>
    %30 = linalg.generic {indexing_maps = [#map11, #map12, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %collapsed_13 : tensor<2x2x8x8xf32>, tensor<8x8xf32>) outs(%29 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %cst_25 = arith.constant 0.353553385 : f32
      %71 = arith.mulf %in, %cst_25 : f32
      %72 = arith.addf %71, %in_24 : f32
      linalg.yield %72 : f32
    } -> tensor<2x2x8x8xf32>
    %cst_14 = arith.constant 0xFF800000 : f32
    %31 = tensor.empty() : tensor<2x2x8xf32>
    %32 = linalg.fill ins(%cst_14 : f32) outs(%31 : tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
    %33 = linalg.generic {indexing_maps = [#map11, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%30 : tensor<2x2x8x8xf32>) outs(%32 : tensor<2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = arith.maximumf %in, %out : f32
      linalg.yield %71 : f32
    } -> tensor<2x2x8xf32>
    %34 = tensor.empty() : tensor<2x2x8x8xf32>
    %35 = linalg.generic {indexing_maps = [#map11, #map13, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %33 : tensor<2x2x8x8xf32>, tensor<2x2x8xf32>) outs(%34 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %71 = arith.subf %in, %in_24 : f32
      %72 = math.exp %71 : f32
      linalg.yield %72 : f32
    } -> tensor<2x2x8x8xf32>
    %cst_15 = arith.constant 0.000000e+00 : f32
    %36 = tensor.empty() : tensor<2x2x8xf32>
    %37 = linalg.fill ins(%cst_15 : f32) outs(%36 : tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
    %38 = linalg.generic {indexing_maps = [#map11, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%35 : tensor<2x2x8x8xf32>) outs(%37 : tensor<2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = arith.addf %in, %out : f32
      linalg.yield %71 : f32
    } -> tensor<2x2x8xf32>
    %39 = tensor.empty() : tensor<2x2x8x8xf32>
    %40 = linalg.generic {indexing_maps = [#map11, #map13, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %38 : tensor<2x2x8x8xf32>, tensor<2x2x8xf32>) outs(%39 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %71 = arith.divf %in, %in_24 : f32
      linalg.yield %71 : f32
    } -> tensor<2x2x8x8xf32>
    %cst_16 = arith.constant 0.000000e+00 : f32
    %41 = tensor.empty() : tensor<8x2x2x8xf32>
    %42 = linalg.fill ins(%cst_16 : f32) outs(%41 : tensor<8x2x2x8xf32>) -> tensor<8x2x2x8xf32>
    %43 = linalg.generic {indexing_maps = [#map14, #map15, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%40, %expanded_4 : tensor<2x2x8x8xf32>, tensor<8x2x8xf32>) outs(%42 : tensor<8x2x2x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %71 = arith.mulf %in, %in_24 : f32
      %72 = arith.addf %out, %71 : f32
      linalg.yield %72 : f32
    } -> tensor<8x2x2x8xf32>
    %collapsed_17 = tensor.collapse_shape %43 [[0], [1, 2, 3]] : tensor<8x2x2x8xf32> into tensor<8x32xf32>
    %cst_18 = arith.constant 0.000000e+00 : f32
    %44 = tensor.empty() : tensor<8x32xf32>
    %45 = linalg.fill ins(%cst_18 : f32) outs(%44 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %46 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%collapsed_17, %arg3 : tensor<8x32xf32>, tensor<32x32xf32>) outs(%45 : tensor<8x32xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %71 = arith.mulf %in, %in_24 : f32
      %72 = arith.addf %out, %71 : f32
      linalg.yield %72 : f32
    } -> tensor<8x32xf32>
    %47 = tensor.empty() : tensor<8x32xf32>
    %48 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed, %46 : tensor<8x32xf32>, tensor<8x32xf32>) outs(%47 : tensor<8x32xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %71 = arith.addf %in, %in_24 : f32
      linalg.yield %71 : f32
    } -> tensor<8x32xf32>
    %49 = tensor.empty() : tensor<8x32xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%48 : tensor<8x32xf32>) outs(%49 : tensor<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = arith.mulf %in, %in : f32
      linalg.yield %71 : f32
    } -> tensor<8x32xf32>
    %cst_19 = arith.constant 0.000000e+00 : f32
    %51 = tensor.empty() : tensor<8xf32>
    %52 = linalg.fill ins(%cst_19 : f32) outs(%51 : tensor<8xf32>) -> tensor<8xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%50 : tensor<8x32xf32>) outs(%52 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = arith.addf %in, %out : f32
      linalg.yield %71 : f32
    } -> tensor<8xf32>
    %54 = tensor.empty() : tensor<8xf32>
    %55 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%53 : tensor<8xf32>) outs(%54 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_24 = arith.constant 9.99999997E-7 : f32
      %cst_25 = arith.constant 3.200000e+01 : f32
      %71 = arith.divf %in, %cst_25 : f32
      %72 = arith.addf %71, %cst_24 : f32
      %73 = math.rsqrt %72 : f32
      linalg.yield %73 : f32
    } -> tensor<8xf32>
    %56 = tensor.empty() : tensor<8x32xf32>
    %57 = linalg.generic {indexing_maps = [#map3, #map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg8, %48, %55 : tensor<32xf32>, tensor<8x32xf32>, tensor<8xf32>) outs(%56 : tensor<8x32xf32>) {
    ^bb0(%in: f32, %in_24: f32, %in_25: f32, %out: f32):
      %71 = arith.mulf %in_24, %in_25 : f32
      %72 = arith.mulf %in, %71 : f32
      linalg.yield %72 : f32
    } -> tensor<8x32xf32>
    %cst_20 = arith.constant 0.000000e+00 : f32
    %58 = tensor.empty() : tensor<8x48xf32>
    %59 = linalg.fill ins(%cst_20 : f32) outs(%58 : tensor<8x48xf32>) -> tensor<8x48xf32>
    %60 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%57, %arg4 : tensor<8x32xf32>, tensor<48x32xf32>) outs(%59 : tensor<8x48xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %71 = arith.mulf %in, %in_24 : f32
      %72 = arith.addf %out, %71 : f32
      linalg.yield %72 : f32
    } -> tensor<8x48xf32>
    %cst_21 = arith.constant 0.000000e+00 : f32
    %61 = tensor.empty() : tensor<8x48xf32>
    %62 = linalg.fill ins(%cst_21 : f32) outs(%61 : tensor<8x48xf32>) -> tensor<8x48xf32>
    %63 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%57, %arg5 : tensor<8x32xf32>, tensor<48x32xf32>) outs(%62 : tensor<8x48xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %71 = arith.mulf %in, %in_24 : f32
      %72 = arith.addf %out, %71 : f32
      linalg.yield %72 : f32
    } -> tensor<8x48xf32>
    %64 = tensor.empty() : tensor<8x48xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%60, %63 : tensor<8x48xf32>, tensor<8x48xf32>) outs(%64 : tensor<8x48xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %cst_25 = arith.constant 1.000000e+00 : f32
      %71 = arith.negf %in : f32
      %72 = math.exp %71 : f32
      %73 = arith.addf %72, %cst_25 : f32
      %74 = arith.divf %cst_25, %73 : f32
      %75 = arith.mulf %in, %74 : f32
      %76 = arith.mulf %75, %in_24 : f32
      linalg.yield %76 : f32
    } -> tensor<8x48xf32>
    %cst_22 = arith.constant 0.000000e+00 : f32
    %66 = tensor.empty() : tensor<8x32xf32>
    %67 = linalg.fill ins(%cst_22 : f32) outs(%66 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %68 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%65, %arg6 : tensor<8x48xf32>, tensor<32x48xf32>) outs(%67 : tensor<8x32xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %71 = arith.mulf %in, %in_24 : f32
      %72 = arith.addf %out, %71 : f32
      linalg.yield %72 : f32
    } -> tensor<8x32xf32>
    %69 = tensor.empty() : tensor<8x32xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%48, %68 : tensor<8x32xf32>, tensor<8x32xf32>) outs(%69 : tensor<8x32xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %71 = arith.addf %in, %in_24 : f32
      linalg.yield %71 : f32
    } -> tensor<8x32xf32>
    %expanded_23 = tensor.expand_shape %70 [[0, 1], [2]] output_shape [1, 8, 32] : tensor<8x32xf32> into tensor<1x8x32xf32>
    return %expanded_23 : tensor<1x8x32xf32>
  }
}

