// RUN: streamtensor-opt %s -split-input-file -verify-diagnostics

!a = !itensor.itensor<4x2xf32, iter_space: [2, 4] * [4, 2], iter_map: (d0, d1) -> (d0, d1)>
!b = !itensor.itensor<4x2xf32, iter_space: [4, 2] * [2, 4], iter_map: (d0, d1) -> (d1, d0)>
func.func @cast(%a: !a) {
  // expected-error@+1 {{'itensor.cast' op [itensor.cast] the types differ in the order of tokens}}
  %0 = itensor.cast %a : !a to !b
  return
}

// -----

!rows = !itensor.itensor<16x24xf32, iter_space: [24] * [24], iter_map: (d0) -> (0, d0)>
!heads = !itensor.itensor<16x1x16xf32, iter_space: [9, 4] * [1, 16], iter_map: (d0, d1) -> (0, d0, d1)>
func.func @reassociate_cut(%a: !rows) {
  // expected-error@+1 {{[itensor.reassociate] data of shape [16, 576] cannot be regrouped to [16, 9, 64] without cutting a tile or a loop; convert to a tile that fits first}}
  %0 = itensor.reassociate %a [[0], [1, 2]] : !rows to !heads
  return
}

// -----

!rows = !itensor.itensor<16x16xf32, iter_space: [36] * [16], iter_map: (d0) -> (0, d0)>
!heads = !itensor.itensor<16x1x16xf32, iter_space: [4, 9] * [16, 1], iter_map: (d0, d1) -> (0, d1, d0)>
func.func @reassociate_order(%a: !rows) {
  // expected-error@+1 {{[itensor.reassociate] regrouping gives}}
  %0 = itensor.reassociate %a [[0], [1, 2]] : !rows to !heads
  return
}

// -----

!rows = !itensor.itensor<16x16xf32, iter_space: [36] * [16], iter_map: (d0) -> (0, d0)>
func.func @reassociate_form(%a: !rows) {
  // expected-error@+1 {{[itensor.reassociate] the reassociation must list groups of dimensions}}
  %0 = itensor.reassociate %a [0, 1] : !rows to !rows
  return
}

// -----

!a = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
!b = !itensor.itensor<4xf32, iter_space: [3] * [4], iter_map: (d0) -> (d0)>
func.func @converter_data(%a: !a) {
  // expected-error@+1 {{'itensor.converter' op [itensor.data] the result streams [12] of 'f32', but the data is [8] of 'f32'}}
  %0 = itensor.converter %a : !a to !b
  return
}

// -----

!a = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
!b = !itensor.itensor<4xf16, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
func.func @converter_element(%a: !a) {
  // expected-error@+1 {{[itensor.data] the result streams [8] of 'f16', but the data is [8] of 'f32'}}
  %0 = itensor.converter %a : !a to !b
  return
}

// -----

!a = !itensor.itensor<4xf32, iter_space: [2, 2] * [1, 4], iter_map: (d0, d1) -> (d1)>
!b = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
func.func @converter_source(%a: !a) {
  // expected-error@+1 {{[itensor.cover] the source must be an exact cover without revisits: every element of [8] in exactly one tile, sent once}}
  %0 = itensor.converter %a : !a to !b
  return
}

// -----

!a = !itensor.itensor<1xf32, iter_space: [7] * [1], iter_map: (d0) -> (d0)>
!b = !itensor.itensor<1xf32, iter_space: [4] * [2], iter_map: (d0) -> (d0)>
func.func @converter_result(%a: !a) {
  // expected-error@+1 {{[itensor.cover] the result leaves out elements of [7]; a reader that skips elements states its data shape with 'of'}}
  %0 = itensor.converter %a : !a to !b
  return
}

// -----

!a = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
!b = !itensor.itensor<4xf32, iter_space: [1, 2] * [1, 4], iter_map: (d0, d1) -> (d1)>
func.func @fork(%a: !a) {
  // expected-error@+1 {{'itensor.fork' op [itensor.fork] result 1 has type}}
  %0:2 = itensor.fork %a : !a -> !a, !b
  return
}

// -----

!a = !itensor.itensor<4xf32, iter_space: [4] * [4], iter_map: (d0) -> (d0)>
!b = !itensor.itensor<4xf32, iter_space: [] * [], iter_map: () -> (0)>
func.func @chunk_sum(%a: !a) {
  // expected-error@+1 {{[itensor.chunk] the parts add up to 8 along data dimension 0, the whole has 16}}
  %0:2 = itensor.chunk %a dim 0 : !a -> !b, !b
  return
}

// -----

!a = !itensor.itensor<4xf32, iter_space: [3] * [4], iter_map: (d0) -> (d0)>
!b = !itensor.itensor<2xf32, iter_space: [3] * [2], iter_map: (d0) -> (d0)>
func.func @chunk_cut(%a: !a) {
  // expected-error@+1 {{[itensor.chunk] part 0, [0, 6) of data dimension 0, cuts a tile or the loops of}}
  %0:2 = itensor.chunk %a dim 0 : !a -> !b, !b
  return
}

// -----

!a = !itensor.itensor<4xf32, iter_space: [4] * [4], iter_map: (d0) -> (d0)>
!b = !itensor.itensor<2xf32, iter_space: [4] * [2], iter_map: (d0) -> (d0)>
func.func @chunk_order(%a: !a) {
  // expected-error@+1 {{[itensor.chunk] part 0 must have the order of}}
  %0:2 = itensor.chunk %a dim 0 : !a -> !b, !b
  return
}

// -----

!a = !itensor.itensor<4xf32, iter_space: [4] * [4], iter_map: (d0) -> (d0)>
func.func @chunk_dim(%a: !a) {
  // expected-error@+1 {{[itensor.chunk] dim 1 is no data dimension of}}
  %0 = itensor.chunk %a dim 1 : !a -> !a
  return
}

// -----

!a = !itensor.itensor<4x4xf32, iter_space: [2, 2] * [4, 4], iter_map: (d0, d1) -> (d0, d1)>
!b = !itensor.itensor<4x4xf32, iter_space: [4, 2] * [4, 4], iter_map: (d0, d1) -> (d1, d0)>
func.func @concat(%a: !a) {
  // expected-error@+1 {{'itensor.concat' op [itensor.concat] part 0 must have the order of}}
  %0 = itensor.concat %a, %a dim 1 : !a, !a -> !b
  return
}

// -----

!a = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
!b = !itensor.itensor<4xf32, iter_space: [3] * [4], iter_map: (d0) -> (d0)>
func.func @pad_tile(%a: !a) {
  // expected-error@+1 {{[itensor.pad] padding of 2 before and 2 after data dimension 0 is no multiple of the tile's extent 4}}
  %0 = itensor.pad %a low [2] high [2] value 0.0 : f32 : !a to !b
  return
}

// -----

!a = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
!b = !itensor.itensor<4xf32, iter_space: [3] * [4], iter_map: (d0) -> (d0)>
func.func @pad_size(%a: !a) {
  // expected-error@+1 {{[itensor.data] the result streams [12] of 'f32', but the data is [16] of 'f32'}}
  %0 = itensor.pad %a low [4] high [4] value 0.0 : f32 : !a to !b
  return
}

// -----

!a = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
!b = !itensor.itensor<4xf32, iter_space: [3] * [4], iter_map: (d0) -> (d0)>
func.func @pad_value(%a: !a) {
  // expected-error@+1 {{[itensor.pad] the value has type 'i32', the elements have type 'f32'}}
  %0 = itensor.pad %a low [0] high [4] value 0 : i32 : !a to !b
  return
}

// -----

!a = !itensor.itensor<1x1xf32, iter_space: [2, 2] * [1, 1], iter_map: (d0, d1) -> (d0, d1)>
!b = !itensor.itensor<1x1xf32, iter_space: [3, 2] * [1, 1], iter_map: (d0, d1) -> (d1, d0)>
func.func @pad_order(%a: !a) {
  // expected-error@+1 {{[itensor.pad] the result, without the padding, must have the source's order of tokens}}
  %0 = itensor.pad %a low [0, 0] high [0, 1] value 0.0 : f32 : !a to !b
  return
}

// -----

!b = !itensor.itensor<4xf32, iter_space: [3] * [4], iter_map: (d0) -> (d0)>
func.func @from_tensor(%a: tensor<16xf32>) {
  // expected-error@+1 {{'itensor.from_tensor' op [itensor.data] the result streams [12] of 'f32', but the data is [16] of 'f32'}}
  %0 = itensor.from_tensor %a : tensor<16xf32> -> !b
  return
}

// -----

!b = !itensor.itensor<4xf32, iter_space: [3] * [2], iter_map: (d0) -> (d0)>
func.func @to_tensor(%a: !b) {
  // expected-error@+1 {{'itensor.to_tensor' op [itensor.cover] the source must be an exact cover}}
  %0 = itensor.to_tensor %a : !b -> tensor<8xf32>
  return
}

// -----

!a = !itensor.itensor<4x2xf32, iter_space: [2, 4] * [4, 2], iter_map: (d0, d1) -> (d0, d1)>
func.func @read_token(%a: !a, %i: index) {
  // expected-error@+1 {{'itensor.read' op [itensor.token] the token has type 'tensor<4x4xf32>', the itensor carries 'tensor<4x2xf32>'}}
  %0 = itensor.read %a[%i, %i] : !a -> tensor<4x4xf32>
  return
}

// -----

!a = !itensor.itensor<4x2xf32, iter_space: [2, 4] * [4, 2], iter_map: (d0, d1) -> (d0, d1)>
func.func @read_rank(%a: !a, %i: index) {
  // expected-error@+1 {{[itensor.index] has 1 indices for 2 iteration dimensions}}
  %0 = itensor.read %a[%i] : !a -> tensor<4x2xf32>
  return
}

// -----

!a = !itensor.itensor<4x2xf32, iter_space: [4] * [2], iter_map: (d0) -> (0, d0)>
func.func @read_no_loop(%a: !a, %i: index) {
  // expected-error@+1 {{[itensor.index] index 0 is not the induction variable of an enclosing scf.for in nest order}}
  %0 = itensor.read %a[%i] : !a -> tensor<4x2xf32>
  return
}

// -----

!a = !itensor.itensor<4x2xf32, iter_space: [2, 4] * [4, 2], iter_map: (d0, d1) -> (d0, d1)>
func.func @read_order(%a: !a) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    scf.for %n = %c0 to %c2 step %c1 {
      // expected-error@+1 {{[itensor.index] the enclosing loop over 4 trips is not index 0, so tokens would be visited again or in another order}}
      %0 = itensor.read %a[%n, %k] : !a -> tensor<4x2xf32>
    }
  }
  return
}

// -----

!a = !itensor.itensor<4x2xf32, iter_space: [4] * [2], iter_map: (d0) -> (0, d0)>
func.func @read_trips(%a: !a) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.for %k = %c0 to %c5 step %c1 {
    // expected-error@+1 {{[itensor.index] the loop of index 0 makes 5 trips, iteration dimension d0 of the type has 4}}
    %0 = itensor.read %a[%k] : !a -> tensor<4x2xf32>
  }
  return
}

// -----

!a = !itensor.itensor<4x2xf32, iter_space: [4] * [2], iter_map: (d0) -> (0, d0)>
func.func @read_bounds(%a: !a, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    // expected-error@+1 {{[itensor.index] the loop of index 0 must run from 0 to a constant bound by a constant step}}
    %0 = itensor.read %a[%k] : !a -> tensor<4x2xf32>
  }
  return
}

// -----

// A revisit that the type does not have.
!a = !itensor.itensor<4x2xf32, iter_space: [4] * [2], iter_map: (d0) -> (0, d0)>
func.func @read_again(%a: !a) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.for %n = %c0 to %c3 step %c1 {
    scf.for %k = %c0 to %c4 step %c1 {
      // expected-error@+1 {{[itensor.index] the enclosing loop over 3 trips is not index 0}}
      %0 = itensor.read %a[%k] : !a -> tensor<4x2xf32>
    }
  }
  return
}

// -----

// A write inside a loop that it does not name would write each token thrice.
!a = !itensor.itensor<4x2xf32, iter_space: [4] * [2], iter_map: (d0) -> (0, d0)>
func.func @write_again(%t: tensor<4x2xf32>, %a: !a) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    scf.for %n = %c0 to %c3 step %c1 {
      // expected-error@+1 {{'itensor.write' op [itensor.index] the enclosing loop over 3 trips is not index 1}}
      %0 = itensor.write %t into %a[%k] : tensor<4x2xf32>, !a
    }
  }
  return
}

// -----

!a = !itensor.itensor<4x2xf32, iter_space: [3, 4] * [1, 2], iter_map: (d0, d1) -> (0, d1)>
func.func @write_revisit(%t: tensor<4x2xf32>, %a: !a, %i: index) {
  // expected-error@+1 {{[itensor.cover] what a task writes must be an exact cover without revisits}}
  %0 = itensor.write %t into %a[%i, %i] : tensor<4x2xf32>, !a
  return
}

// -----

!a = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
!p = !itensor.itensor<4xtuple<f32, f32>, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
func.func @join_arity(%a: !a) {
  // expected-error@+1 {{'itensor.join' op [itensor.join] of 1 streams has elements of type 'tuple<f32, f32>', it must be a tuple with one member for each stream}}
  %0 = itensor.join %a : !a -> !p
  return
}

// -----

!a = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
!p = !itensor.itensor<4xtuple<f32, i8>, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
func.func @join_member(%a: !a, %b: !a) {
  // expected-error@+1 {{[itensor.join] stream 1 has elements of 'f32', the tuple holds 'i8'}}
  %0 = itensor.join %a, %b : !a, !a -> !p
  return
}

// -----

!a = !itensor.itensor<4x2xf32, iter_space: [2, 4] * [4, 2], iter_map: (d0, d1) -> (d0, d1)>
!b = !itensor.itensor<4x2xf32, iter_space: [4, 2] * [2, 4], iter_map: (d0, d1) -> (d1, d0)>
!p = !itensor.itensor<4x2xtuple<f32, f32>, iter_space: [2, 4] * [4, 2], iter_map: (d0, d1) -> (d0, d1)>
func.func @join_order(%a: !a, %b: !b) {
  // expected-error@+1 {{[itensor.join] stream 1 has another order of tokens than the tuples}}
  %0 = itensor.join %a, %b : !a, !b -> !p
  return
}

// -----

func.func @pack_rank(%x: tensor<8x8xf32>) {
  // expected-error@+1 {{'itensor.pack' op [itensor.pack] keeps the element type and takes one stride per dimension of the packed tensor}}
  %0 = itensor.pack %x strides [8, 1] offset 0 : tensor<8x8xf32> -> tensor<2x2x4x4xf32>
  return
}

// -----

func.func @pack_outside(%x: tensor<8x8xf32>) {
  // expected-error@+1 {{[itensor.pack] reads outside its source}}
  %0 = itensor.pack %x strides [8, 1] offset 1 : tensor<8x8xf32> -> tensor<8x8xf32>
  return
}

// -----

!a = !itensor.itensor<4x2xf32, iter_space: [2, 4] * [4, 2], iter_map: (d0, d1) -> (d0, d1)>
!b = !itensor.itensor<4x2xf32, iter_space: [4, 2] * [2, 4], iter_map: (d0, d1) -> (d1, d0)>
func.func @buffer_box(%a: !a) {
  // expected-error@+1 {{'itensor.converter' op [itensor.buffer] the box of a block has one extent per data dimension, 2, not 1}}
  %0 = itensor.converter %a through <ping_pong shared 0 box [8] blocks 1> : !a to !b
  return
}

// -----

!a = !itensor.itensor<4x2xf32, iter_space: [2, 4] * [4, 2], iter_map: (d0, d1) -> (d0, d1)>
!b = !itensor.itensor<4x2xf32, iter_space: [4, 2] * [2, 4], iter_map: (d0, d1) -> (d1, d0)>
func.func @buffer_shared(%a: !a) {
  // expected-error@+1 {{[itensor.buffer] the first 1 loops of both types are not the same}}
  %0 = itensor.converter %a through <ping_pong shared 1 box [4, 8] blocks 2> : !a to !b
  return
}

// -----

!a = !itensor.itensor<4x2xf32, iter_space: [2, 4] * [4, 2], iter_map: (d0, d1) -> (d0, d1)>
!b = !itensor.itensor<4x2xf32, iter_space: [4, 2] * [2, 4], iter_map: (d0, d1) -> (d1, d0)>
func.func @buffer_lines(%a: !a) {
  // expected-error@+1 {{[itensor.buffer] a line buffer needs slabs and windows that go along one data dimension outermost, and fewer lines than the data has}}
  %0 = itensor.converter %a through <line_buffer shared 0 box [4, 8] blocks 1> : !a to !b
  return
}

// -----

func.func @pack_lanes(%x: tensor<8x8xf32>) {
  // expected-error@+1 {{[itensor.pack] 'lanes' are at least 1 and at most the last extent}}
  %0 = itensor.pack %x strides [8, 1] offset 0 lanes 9 : tensor<8x8xf32> -> tensor<8x8xf32>
  return
}

// -----

func.func @unpack_rank(%x: tensor<2x2x4x4xf32>) {
  // expected-error@+1 {{'itensor.unpack' op [itensor.unpack] keeps the element type and takes one stride per dimension of the packed tensor}}
  %0 = itensor.unpack %x strides [8, 1] : tensor<2x2x4x4xf32> -> tensor<8x8xf32>
  return
}

// -----

func.func @unpack_twice(%x: tensor<2x2x4x4xf32>) {
  // expected-error@+1 {{[itensor.unpack] the source must hold each element of the result once}}
  %0 = itensor.unpack %x strides [32, 2, 8, 1] : tensor<2x2x4x4xf32> -> tensor<8x8xf32>
  return
}

// -----

func.func @unpack_part(%x: tensor<2x4xf32>) {
  // expected-error@+1 {{[itensor.unpack] the source must hold each element of the result once}}
  %0 = itensor.unpack %x strides [3, 1] lanes 3 : tensor<2x4xf32> -> tensor<8xf32>
  return
}

// -----

!a = !itensor.itensor<4x6xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0, 0)>
func.func @lanes_not_packed(%x: tensor<8x6xf32>) {
  // expected-error@+1 {{'itensor.from_tensor' op [itensor.data] 'order' and 'lanes' say how a packed tensor lies; write 'packed' before them}}
  %0 = itensor.from_tensor %x lanes 3 : tensor<8x6xf32> -> !a
  return
}

// -----

!a = !itensor.itensor<4x6xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0, 0)>
func.func @lanes_cut_row(%x: tensor<2x4x1x4xf32>) {
  // expected-error@+1 {{[itensor.data] 'lanes' divide the token's last extent above 1}}
  %0 = itensor.from_tensor %x packed lanes 4 : tensor<2x4x1x4xf32> -> !a
  return
}

// -----

!a = !itensor.itensor<4x6xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0, 0)>
func.func @order_of_other_loops(%x: !a) {
  // expected-error@+1 {{'itensor.to_tensor' op [itensor.data] 'order' names each loop that moves once}}
  %0 = itensor.to_tensor %x packed order [1] : !a -> tensor<2x4x6xf32>
  return
}

// -----

!a = !itensor.itensor<4x6xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0, 0)>
func.func @packed_shape(%x: !a) {
  // expected-error@+1 {{[itensor.data] a packed tensor has the shape of the loops that move, then of the token, [2, 4, 6]}}
  %0 = itensor.to_tensor %x packed : !a -> tensor<8x6xf32>
  return
}

// -----

!a = !itensor.itensor<4x6xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0, 0)>
func.func @packed_offsets(%x: tensor<2x4x6xf32>) {
  // expected-error@+1 {{[itensor.data] a packed tensor is read whole, without offsets}}
  %0 = itensor.from_tensor %x packed offsets [0, 0] : tensor<2x4x6xf32> -> !a
  return
}

// -----

!a = !itensor.itensor<2xf32, iter_space: [4] * [2], iter_map: (d0) -> (d0)>
!b = !itensor.itensor<2xf32, iter_space: [2, 2] * [2, 4], iter_map: (d0, d1) -> (d0 + d1)>
!p = !itensor.itensor<2xtuple<f32, f32>, iter_space: [4] * [2], iter_map: (d0) -> (d0)>
func.func @unjoin_order(%p: !p) {
  // expected-error@+1 {{'itensor.unjoin' op [itensor.join] stream 1 has another order of tokens than the tuples}}
  %0, %1 = itensor.unjoin %p : !p -> !a, !b
  return
}

// -----

!a = !itensor.itensor<2xtuple<f32>, iter_space: [4] * [2], iter_map: (d0) -> (d0)>
!p = !itensor.itensor<2xtuple<tuple<f32>>, iter_space: [4] * [2], iter_map: (d0) -> (d0)>
func.func @join_of_tuples(%a: !a) {
  // expected-error@+1 {{[itensor.join] stream 0 is one of tuples itself; join its members}}
  %0 = itensor.join %a : !a -> !p
  return
}

// -----

!p = !itensor.itensor<2xtuple<f32, f32>, iter_space: [4] * [2], iter_map: (d0) -> (d0)>
!again = !itensor.itensor<2xtuple<f32, f32>, iter_space: [2, 4] * [1, 2], iter_map: (d0, d1) -> (d1)>
func.func @convert_tuples(%p: !p) {
  // expected-error@+1 {{'itensor.converter' op [itensor.tuple] cannot take or give a stream of tuples, which no tensor holds; take its members apart with itensor.unjoin first}}
  %0 = itensor.converter %p : !p to !again
  return
}

// -----

!p = !itensor.itensor<2xtuple<f32, f32>, iter_space: [4] * [2], iter_map: (d0) -> (d0)>
func.func @collect_tuples(%p: !p) {
  // expected-error@+1 {{'itensor.to_tensor' op [itensor.tuple]}}
  %0 = itensor.to_tensor %p : !p -> tensor<8xf32>
  return
}

// -----

!p = !itensor.itensor<2xtuple<f32, f32>, iter_space: [4] * [2], iter_map: (d0) -> (d0)>
func.func @read_tuples(%p: !p) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-error@+1 {{'itensor.read' op [itensor.tuple] a token of tuples is no tensor; take the members apart with itensor.unjoin}}
    %0 = itensor.read %p[%i] : !p -> tensor<2xf32>
  }
  return
}

// -----

func.func @pack_dynamic(%x: tensor<?x8xf32>) {
  // expected-error@+1 {{[itensor.pack] takes and gives tensors whose extents are known}}
  %0 = itensor.pack %x strides [8, 1] offset 0 : tensor<?x8xf32> -> tensor<2x8xf32>
  return
}

// -----

func.func @unpack_dynamic(%x: tensor<2x8xf32>) {
  // expected-error@+1 {{[itensor.unpack] takes and gives tensors whose extents are known}}
  %0 = itensor.unpack %x strides [8, 1] : tensor<2x8xf32> -> tensor<?xf32>
  return
}
