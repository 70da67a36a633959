#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d0, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2)>
module {
  func.func @main(%arg0: tensor<16xf32> {streamtensor.kind = "input", streamtensor.name = "arg0"}, %arg1: tensor<16xf32> {streamtensor.kind = "input", streamtensor.name = "arg1"}, %arg2: tensor<16x48xf32> {streamtensor.kind = "input", streamtensor.name = "arg2"}, %arg3: tensor<48xf32> {streamtensor.kind = "input", streamtensor.name = "arg3"}, %arg4: tensor<16x16xf32> {streamtensor.kind = "input", streamtensor.name = "arg4"}, %arg5: tensor<16xf32> {streamtensor.kind = "input", streamtensor.name = "arg5"}, %arg6: tensor<16xf32> {streamtensor.kind = "input", streamtensor.name = "arg6"}, %arg7: tensor<16xf32> {streamtensor.kind = "input", streamtensor.name = "arg7"}, %arg8: tensor<16x64xf32> {streamtensor.kind = "input", streamtensor.name = "arg8"}, %arg9: tensor<64xf32> {streamtensor.kind = "input", streamtensor.name = "arg9"}, %arg10: tensor<64x16xf32> {streamtensor.kind = "input", streamtensor.name = "arg10"}, %arg11: tensor<16xf32> {streamtensor.kind = "input", streamtensor.name = "arg11"}, %arg12: tensor<1x8x16xf32> {streamtensor.kind = "input", streamtensor.name = "arg12"}, %arg13: tensor<1x1x8x8xf32> {streamtensor.kind = "input", streamtensor.name = "arg13"}) -> tensor<1x8x16xf32> {
    %collapsed = tensor.collapse_shape %arg12 [[0, 1], [2]] : tensor<1x8x16xf32> into tensor<8x16xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<8xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%collapsed : tensor<8x16xf32>) outs(%1 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.addf %in, %out : f32
      linalg.yield %80 : f32
    } -> tensor<8xf32>
    %3 = tensor.empty() : tensor<8xf32>
    %4 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%2 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_23 = arith.constant 1.600000e+01 : f32
      %80 = arith.divf %in, %cst_23 : f32
      linalg.yield %80 : f32
    } -> tensor<8xf32>
    %5 = tensor.empty() : tensor<8x16xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed, %4 : tensor<8x16xf32>, tensor<8xf32>) outs(%5 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %80 = arith.subf %in, %in_23 : f32
      linalg.yield %80 : f32
    } -> tensor<8x16xf32>
    %7 = tensor.empty() : tensor<8x16xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<8x16xf32>) outs(%7 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.mulf %in, %in : f32
      linalg.yield %80 : f32
    } -> tensor<8x16xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %9 = tensor.empty() : tensor<8xf32>
    %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<8xf32>) -> tensor<8xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<8x16xf32>) outs(%10 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.addf %in, %out : f32
      linalg.yield %80 : f32
    } -> tensor<8xf32>
    %12 = tensor.empty() : tensor<8xf32>
    %13 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%11 : tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_23 = arith.constant 9.99999974E-6 : f32
      %cst_24 = arith.constant 1.600000e+01 : f32
      %80 = arith.divf %in, %cst_24 : f32
      %81 = arith.addf %80, %cst_23 : f32
      %82 = math.rsqrt %81 : f32
      linalg.yield %82 : f32
    } -> tensor<8xf32>
    %14 = tensor.empty() : tensor<8x16xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1, #map3, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %13, %arg0, %arg1 : tensor<8x16xf32>, tensor<8xf32>, tensor<16xf32>, tensor<16xf32>) outs(%14 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %in_24: f32, %in_25: f32, %out: f32):
      %80 = arith.mulf %in, %in_23 : f32
      %81 = arith.mulf %80, %in_24 : f32
      %82 = arith.addf %81, %in_25 : f32
      linalg.yield %82 : f32
    } -> tensor<8x16xf32>
    %extracted_slice = tensor.extract_slice %arg2[0, 0] [16, 16] [1, 1] : tensor<16x48xf32> to tensor<16x16xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %16 = tensor.empty() : tensor<8x16xf32>
    %17 = linalg.fill ins(%cst_1 : f32) outs(%16 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %18 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%15, %extracted_slice : tensor<8x16xf32>, tensor<16x16xf32>) outs(%17 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %80 = arith.mulf %in, %in_23 : f32
      %81 = arith.addf %out, %80 : f32
      linalg.yield %81 : f32
    } -> tensor<8x16xf32>
    %extracted_slice_2 = tensor.extract_slice %arg2[0, 16] [16, 16] [1, 1] : tensor<16x48xf32> to tensor<16x16xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %19 = tensor.empty() : tensor<8x16xf32>
    %20 = linalg.fill ins(%cst_3 : f32) outs(%19 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %21 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%15, %extracted_slice_2 : tensor<8x16xf32>, tensor<16x16xf32>) outs(%20 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %80 = arith.mulf %in, %in_23 : f32
      %81 = arith.addf %out, %80 : f32
      linalg.yield %81 : f32
    } -> tensor<8x16xf32>
    %extracted_slice_4 = tensor.extract_slice %arg2[0, 32] [16, 16] [1, 1] : tensor<16x48xf32> to tensor<16x16xf32>
    %cst_5 = arith.constant 0.000000e+00 : f32
    %22 = tensor.empty() : tensor<8x16xf32>
    %23 = linalg.fill ins(%cst_5 : f32) outs(%22 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %24 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%15, %extracted_slice_4 : tensor<8x16xf32>, tensor<16x16xf32>) outs(%23 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %80 = arith.mulf %in, %in_23 : f32
      %81 = arith.addf %out, %80 : f32
      linalg.yield %81 : f32
    } -> tensor<8x16xf32>
    %extracted_slice_6 = tensor.extract_slice %arg3[0] [16] [1] : tensor<48xf32> to tensor<16xf32>
    %25 = tensor.empty() : tensor<8x16xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%18, %extracted_slice_6 : tensor<8x16xf32>, tensor<16xf32>) outs(%25 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %80 = arith.addf %in, %in_23 : f32
      linalg.yield %80 : f32
    } -> tensor<8x16xf32>
    %extracted_slice_7 = tensor.extract_slice %arg3[16] [16] [1] : tensor<48xf32> to tensor<16xf32>
    %27 = tensor.empty() : tensor<8x16xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%21, %extracted_slice_7 : tensor<8x16xf32>, tensor<16xf32>) outs(%27 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %80 = arith.addf %in, %in_23 : f32
      linalg.yield %80 : f32
    } -> tensor<8x16xf32>
    %extracted_slice_8 = tensor.extract_slice %arg3[32] [16] [1] : tensor<48xf32> to tensor<16xf32>
    %29 = tensor.empty() : tensor<8x16xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%24, %extracted_slice_8 : tensor<8x16xf32>, tensor<16xf32>) outs(%29 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %80 = arith.addf %in, %in_23 : f32
      linalg.yield %80 : f32
    } -> tensor<8x16xf32>
    %expanded = tensor.expand_shape %30 [[0], [1, 2]] output_shape [8, 2, 8] : tensor<8x16xf32> into tensor<8x2x8xf32>
    %expanded_9 = tensor.expand_shape %26 [[0], [1, 2]] output_shape [8, 2, 8] : tensor<8x16xf32> into tensor<8x2x8xf32>
    %expanded_10 = tensor.expand_shape %28 [[0], [1, 2]] output_shape [8, 2, 8] : tensor<8x16xf32> into tensor<8x2x8xf32>
    %cst_11 = arith.constant 0.000000e+00 : f32
    %31 = tensor.empty() : tensor<2x8x8xf32>
    %32 = linalg.fill ins(%cst_11 : f32) outs(%31 : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
    %33 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_9, %expanded_10 : tensor<8x2x8xf32>, tensor<8x2x8xf32>) outs(%32 : tensor<2x8x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %80 = arith.mulf %in, %in_23 : f32
      %81 = arith.addf %out, %80 : f32
      linalg.yield %81 : f32
    } -> tensor<2x8x8xf32>
    %collapsed_12 = tensor.collapse_shape %arg13 [[0, 1, 2], [3]] : tensor<1x1x8x8xf32> into tensor<8x8xf32>
    %34 = tensor.empty() : tensor<2x8x8xf32>
    %35 = linalg.generic {indexing_maps = [#map10, #map11, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33, %collapsed_12 : tensor<2x8x8xf32>, tensor<8x8xf32>) outs(%34 : tensor<2x8x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %cst_24 = arith.constant 0.353553385 : f32
      %80 = arith.mulf %in, %cst_24 : f32
      %81 = arith.addf %80, %in_23 : f32
      linalg.yield %81 : f32
    } -> tensor<2x8x8xf32>
    %cst_13 = arith.constant 0xFF800000 : f32
    %36 = tensor.empty() : tensor<2x8xf32>
    %37 = linalg.fill ins(%cst_13 : f32) outs(%36 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %38 = linalg.generic {indexing_maps = [#map10, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%35 : tensor<2x8x8xf32>) outs(%37 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.maximumf %in, %out : f32
      linalg.yield %80 : f32
    } -> tensor<2x8xf32>
    %39 = tensor.empty() : tensor<2x8x8xf32>
    %40 = linalg.generic {indexing_maps = [#map10, #map6, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35, %38 : tensor<2x8x8xf32>, tensor<2x8xf32>) outs(%39 : tensor<2x8x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %80 = arith.subf %in, %in_23 : f32
      %81 = math.exp %80 : f32
      linalg.yield %81 : f32
    } -> tensor<2x8x8xf32>
    %cst_14 = arith.constant 0.000000e+00 : f32
    %41 = tensor.empty() : tensor<2x8xf32>
    %42 = linalg.fill ins(%cst_14 : f32) outs(%41 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %43 = linalg.generic {indexing_maps = [#map10, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%40 : tensor<2x8x8xf32>) outs(%42 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.addf %in, %out : f32
      linalg.yield %80 : f32
    } -> tensor<2x8xf32>
    %44 = tensor.empty() : tensor<2x8x8xf32>
    %45 = linalg.generic {indexing_maps = [#map10, #map6, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40, %43 : tensor<2x8x8xf32>, tensor<2x8xf32>) outs(%44 : tensor<2x8x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %80 = arith.divf %in, %in_23 : f32
      linalg.yield %80 : f32
    } -> tensor<2x8x8xf32>
    %cst_15 = arith.constant 0.000000e+00 : f32
    %46 = tensor.empty() : tensor<8x2x8xf32>
    %47 = linalg.fill ins(%cst_15 : f32) outs(%46 : tensor<8x2x8xf32>) -> tensor<8x2x8xf32>
    %48 = linalg.generic {indexing_maps = [#map12, #map13, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%45, %expanded : tensor<2x8x8xf32>, tensor<8x2x8xf32>) outs(%47 : tensor<8x2x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %80 = arith.mulf %in, %in_23 : f32
      %81 = arith.addf %out, %80 : f32
      linalg.yield %81 : f32
    } -> tensor<8x2x8xf32>
    %collapsed_16 = tensor.collapse_shape %48 [[0], [1, 2]] : tensor<8x2x8xf32> into tensor<8x16xf32>
    %cst_17 = arith.constant 0.000000e+00 : f32
    %49 = tensor.empty() : tensor<8x16xf32>
    %50 = linalg.fill ins(%cst_17 : f32) outs(%49 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %51 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%collapsed_16, %arg4 : tensor<8x16xf32>, tensor<16x16xf32>) outs(%50 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %80 = arith.mulf %in, %in_23 : f32
      %81 = arith.addf %out, %80 : f32
      linalg.yield %81 : f32
    } -> tensor<8x16xf32>
    %52 = tensor.empty() : tensor<8x16xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map3, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%51, %arg5, %collapsed : tensor<8x16xf32>, tensor<16xf32>, tensor<8x16xf32>) outs(%52 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %in_24: f32, %out: f32):
      %80 = arith.addf %in, %in_23 : f32
      %81 = arith.addf %80, %in_24 : f32
      linalg.yield %81 : f32
    } -> tensor<8x16xf32>
    %cst_18 = arith.constant 0.000000e+00 : f32
    %54 = tensor.empty() : tensor<8xf32>
    %55 = linalg.fill ins(%cst_18 : f32) outs(%54 : tensor<8xf32>) -> tensor<8xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%53 : tensor<8x16xf32>) outs(%55 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.addf %in, %out : f32
      linalg.yield %80 : f32
    } -> tensor<8xf32>
    %57 = tensor.empty() : tensor<8xf32>
    %58 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%56 : tensor<8xf32>) outs(%57 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_23 = arith.constant 1.600000e+01 : f32
      %80 = arith.divf %in, %cst_23 : f32
      linalg.yield %80 : f32
    } -> tensor<8xf32>
    %59 = tensor.empty() : tensor<8x16xf32>
    %60 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%53, %58 : tensor<8x16xf32>, tensor<8xf32>) outs(%59 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %80 = arith.subf %in, %in_23 : f32
      linalg.yield %80 : f32
    } -> tensor<8x16xf32>
    %61 = tensor.empty() : tensor<8x16xf32>
    %62 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%60 : tensor<8x16xf32>) outs(%61 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.mulf %in, %in : f32
      linalg.yield %80 : f32
    } -> tensor<8x16xf32>
    %cst_19 = arith.constant 0.000000e+00 : f32
    %63 = tensor.empty() : tensor<8xf32>
    %64 = linalg.fill ins(%cst_19 : f32) outs(%63 : tensor<8xf32>) -> tensor<8xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%62 : tensor<8x16xf32>) outs(%64 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.addf %in, %out : f32
      linalg.yield %80 : f32
    } -> tensor<8xf32>
    %66 = tensor.empty() : tensor<8xf32>
    %67 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%65 : tensor<8xf32>) outs(%66 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_23 = arith.constant 9.99999974E-6 : f32
      %cst_24 = arith.constant 1.600000e+01 : f32
      %80 = arith.divf %in, %cst_24 : f32
      %81 = arith.addf %80, %cst_23 : f32
      %82 = math.rsqrt %81 : f32
      linalg.yield %82 : f32
    } -> tensor<8xf32>
    %68 = tensor.empty() : tensor<8x16xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map1, #map3, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%60, %67, %arg6, %arg7 : tensor<8x16xf32>, tensor<8xf32>, tensor<16xf32>, tensor<16xf32>) outs(%68 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %in_24: f32, %in_25: f32, %out: f32):
      %80 = arith.mulf %in, %in_23 : f32
      %81 = arith.mulf %80, %in_24 : f32
      %82 = arith.addf %81, %in_25 : f32
      linalg.yield %82 : f32
    } -> tensor<8x16xf32>
    %cst_20 = arith.constant 0.000000e+00 : f32
    %70 = tensor.empty() : tensor<8x64xf32>
    %71 = linalg.fill ins(%cst_20 : f32) outs(%70 : tensor<8x64xf32>) -> tensor<8x64xf32>
    %72 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%69, %arg8 : tensor<8x16xf32>, tensor<16x64xf32>) outs(%71 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %80 = arith.mulf %in, %in_23 : f32
      %81 = arith.addf %out, %80 : f32
      linalg.yield %81 : f32
    } -> tensor<8x64xf32>
    %73 = tensor.empty() : tensor<8x64xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%72, %arg9 : tensor<8x64xf32>, tensor<64xf32>) outs(%73 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %cst_24 = arith.constant 5.000000e-01 : f32
      %cst_25 = arith.constant 1.000000e+00 : f32
      %cst_26 = arith.constant 0.797884583 : f32
      %cst_27 = arith.constant 4.471500e-02 : f32
      %80 = arith.addf %in, %in_23 : f32
      %81 = arith.mulf %80, %80 : f32
      %82 = arith.mulf %81, %80 : f32
      %83 = arith.mulf %82, %cst_27 : f32
      %84 = arith.addf %80, %83 : f32
      %85 = arith.mulf %84, %cst_26 : f32
      %86 = math.tanh %85 : f32
      %87 = arith.addf %86, %cst_25 : f32
      %88 = arith.mulf %80, %cst_24 : f32
      %89 = arith.mulf %88, %87 : f32
      linalg.yield %89 : f32
    } -> tensor<8x64xf32>
    %cst_21 = arith.constant 0.000000e+00 : f32
    %75 = tensor.empty() : tensor<8x16xf32>
    %76 = linalg.fill ins(%cst_21 : f32) outs(%75 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %77 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%74, %arg10 : tensor<8x64xf32>, tensor<64x16xf32>) outs(%76 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %80 = arith.mulf %in, %in_23 : f32
      %81 = arith.addf %out, %80 : f32
      linalg.yield %81 : f32
    } -> tensor<8x16xf32>
    %78 = tensor.empty() : tensor<8x16xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%53, %77, %arg11 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<16xf32>) outs(%78 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %in_24: f32, %out: f32):
      %80 = arith.addf %in_23, %in_24 : f32
      %81 = arith.addf %in, %80 : f32
      linalg.yield %81 : f32
    } -> tensor<8x16xf32>
    %expanded_22 = tensor.expand_shape %79 [[0, 1], [2]] output_shape [1, 8, 16] : tensor<8x16xf32> into tensor<1x8x16xf32>
    return %expanded_22 : tensor<1x8x16xf32>
  }
}

