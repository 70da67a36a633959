// RUN: streamtensor-opt %s -split-input-file -verify-diagnostics

dataflow.design @body {
  // expected-error@+1 {{'arith.constant' op [design.body] cannot stand in a design}}
  %c = arith.constant 0 : index
}

// -----

dataflow.design @ports_order {
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  // expected-error@+1 {{'dataflow.port' op [design.ports] ports are declared first, 'in' before 'inout' before 'out'}}
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
}

// -----

dataflow.design @ports_late {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  // expected-error@+1 {{[design.ports] channels, interfaces and ports are declared first}}
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
}

// -----

dataflow.design @ports_name {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  // expected-error@+1 {{[design.ports] a second port is named 'x'}}
  %y = dataflow.port in "x" : !dataflow.port<4xf32>
}

// -----

dataflow.design @port_unwritten {
  // expected-error@+1 {{[design.ends] port 'y' is written by 0 leaf tasks, it must be exactly one; several writers would race}}
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
}

// -----

dataflow.design @buffer_blocks {
  // expected-error@+1 {{'dataflow.buffer' op [design.buffer] has 0 blocks, it must have at least one}}
  %b = dataflow.buffer "b" blocks 0 : !dataflow.buffer<4xf32>
}

// -----

dataflow.design @buffer_partition_rank {
  // expected-error@+1 {{[design.storage] the partition has 2 factors for a memory of rank 1}}
  %b = dataflow.buffer "b" blocks 1 {storage = #dataflow.storage<unset partition [1, 2]>} : !dataflow.buffer<4xf32>
}

// -----

dataflow.design @buffer_partition {
  // expected-error@+1 {{[design.storage] partition factor 8 of dimension 0 must lie between 1 and its extent 4}}
  %b = dataflow.buffer "b" blocks 1 {storage = #dataflow.storage<unset partition [8]>} : !dataflow.buffer<4xf32>
}

// -----

dataflow.design @buffer_words {
  // expected-error@+1 {{[design.storage] words of 4 elements do not make up the 6 of dimension 0}}
  %b = dataflow.buffer "b" blocks 1 {storage = #dataflow.storage<unset partition [4] word 4>} : !dataflow.buffer<6xf32>
}

// -----

// A fork that was removed: two readers of one FIFO.
dataflow.design @fork_removed {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  %z = dataflow.port out "z" : !dataflow.port<4xf32>
  // expected-error@+1 {{'dataflow.stream' op [design.ends] FIFO 's' is read by 2 leaf tasks, it must be exactly one; several readers need a fork}}
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  dataflow.leaf "load" load [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
    dataflow.stream_write %v, %s : f32, !dataflow.stream<f32>
  }
  // expected-note@+1 {{read by leaf 'store_y'}}
  dataflow.leaf "store_y" store [4] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %s : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }
  // expected-note@+1 {{read by leaf 'store_z'}}
  dataflow.leaf "store_z" store [4] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %s : !dataflow.stream<f32> -> f32
    dataflow.store %v, %z affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }
}

// -----

dataflow.design @no_writer {
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  // expected-error@+1 {{[design.ends] FIFO 's' is written by 0 leaf tasks}}
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  dataflow.leaf "store_y" store [4] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %s : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }
}

// -----

// A converter that was removed: the reader wants the row three times.
dataflow.design @converter_removed {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  %y = dataflow.port out "y" : !dataflow.port<3x4xf32>
  // expected-error@+1 {{'dataflow.stream' op [design.tokens] 4 tokens are written to FIFO 's' and 12 are read from it in one activation}}
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  // expected-note@+1 {{leaf 'load' writes 4}}
  dataflow.leaf "load" load [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
    dataflow.stream_write %v, %s : f32, !dataflow.stream<f32>
  }
  // expected-note@+1 {{leaf 'store' reads 12}}
  dataflow.leaf "store" store [3, 4] {
  ^bb0(%r: index, %i: index):
    %v = dataflow.stream_read %s : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(r, i) -> (r, i)> : f32, !dataflow.port<3x4xf32>
  }
}

// -----

// A converter that was removed where only the order differs: rows written, columns read.
dataflow.design @transpose_removed {
  %x = dataflow.port in "x" : !dataflow.port<4x4xf32>
  %y = dataflow.port out "y" : !dataflow.port<4x4xf32>
  // expected-error@+1 {{'dataflow.stream' op [design.order] FIFO 's' is written in the order of}}
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  dataflow.leaf "load" load [4, 4] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %x affine_map<(i, j) -> (i, j)> : !dataflow.port<4x4xf32> -> f32
    // expected-note@+1 {{written here}}
    dataflow.stream_write %v, %s {dataflow.order = !itensor.itensor<1x1xf32, iter_space: [4, 4] * [1, 1], iter_map: (d0, d1) -> (d0, d1)>} : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "store" store [4, 4] {
  ^bb0(%i: index, %j: index):
    // expected-note@+1 {{read here}}
    %v = dataflow.stream_read %s {dataflow.order = !itensor.itensor<1x1xf32, iter_space: [4, 4] * [1, 1], iter_map: (d0, d1) -> (d1, d0)>} : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(i, j) -> (j, i)> : f32, !dataflow.port<4x4xf32>
  }
}

// -----

// Guards are counted: the reader takes three of four.
dataflow.design @guard_count {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  // expected-error@+1 {{[design.tokens] 4 tokens are written to FIFO 's' and 3 are read from it}}
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  // expected-note@+1 {{leaf 'load' writes 4}}
  dataflow.leaf "load" load [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
    dataflow.stream_write %v, %s : f32, !dataflow.stream<f32>
  }
  // expected-note@+1 {{leaf 'store' reads 3}}
  dataflow.leaf "store" store [4] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %s when affine_set<(i) : (-i + 2 >= 0)> : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }
}

// -----

dataflow.design @blocks {
  %x = dataflow.port in "x" : !dataflow.port<4x2xf32>
  %y = dataflow.port out "y" : !dataflow.port<4x2xf32>
  // expected-error@+1 {{'dataflow.buffer' op [design.blocks] 4 blocks of buffer 'b' are written and 1 are read in one activation}}
  %b = dataflow.buffer "b" blocks 2 : !dataflow.buffer<2xf32>
  dataflow.leaf "load" load [4, 2] writes(%b at 1 : !dataflow.buffer<2xf32>) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %x affine_map<(i, j) -> (i, j)> : !dataflow.port<4x2xf32> -> f32
    dataflow.store %v, %b affine_map<(i, j) -> (j)> : f32, !dataflow.buffer<2xf32>
  }
  dataflow.leaf "store" store [4, 2] reads(%b at 0 : !dataflow.buffer<2xf32>) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %b affine_map<(i, j) -> (j)> : !dataflow.buffer<2xf32> -> f32
    dataflow.store %v, %y affine_map<(i, j) -> (i, j)> : f32, !dataflow.port<4x2xf32>
  }
}

// -----

dataflow.design @buffer_unread {
  // expected-error@+1 {{[design.ends] buffer 'b' is read by 0 leaf tasks}}
  %b = dataflow.buffer "b" blocks 2 : !dataflow.buffer<2xf32>
  dataflow.leaf "fill" fill [2] writes(%b at 0 : !dataflow.buffer<2xf32>) {
  ^bb0(%i: index):
    %zero = arith.constant 0.0 : f32
    dataflow.store %zero, %b affine_map<(i) -> (i)> : f32, !dataflow.buffer<2xf32>
  }
}
