// tile-size=4 unroll=1 sizing=search converter-rule=minimal group-bytes=0
#id = affine_map<(i) -> (i)>
func.func @main(%arg0: tensor<4xi1>, %arg1: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %e = tensor.empty() : tensor<4xi1>
  %r:15 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id, #id, #id, #id, #id, #id, #id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xi1>, tensor<4xi1>) outs(%e, %e, %e, %e, %e, %e, %e, %e, %e, %e, %e, %e, %e, %e, %e : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  ^bb0(%a: i1, %b: i1, %o0: i1, %o1: i1, %o2: i1, %o3: i1, %o4: i1, %o5: i1, %o6: i1, %o7: i1, %o8: i1, %o9: i1, %o10: i1, %o11: i1, %o12: i1, %o13: i1, %o14: i1):
    %addi = arith.addi %a, %b : i1
    %subi = arith.subi %a, %b : i1
    %muli = arith.muli %a, %b : i1
    %maxsi = arith.maxsi %a, %b : i1
    %minsi = arith.minsi %a, %b : i1
    %maxui = arith.maxui %a, %b : i1
    %minui = arith.minui %a, %b : i1
    %slt = arith.cmpi slt, %a, %b : i1
    %sle = arith.cmpi sle, %a, %b : i1
    %sgt = arith.cmpi sgt, %a, %b : i1
    %sge = arith.cmpi sge, %a, %b : i1
    %ult = arith.cmpi ult, %a, %b : i1
    %ule = arith.cmpi ule, %a, %b : i1
    %ugt = arith.cmpi ugt, %a, %b : i1
    %uge = arith.cmpi uge, %a, %b : i1
    linalg.yield %addi, %subi, %muli, %maxsi, %minsi, %maxui, %minui, %slt, %sle, %sgt, %sge, %ult, %ule, %ugt, %uge : i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1
  } -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>)
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11, %r#12, %r#13, %r#14 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}
