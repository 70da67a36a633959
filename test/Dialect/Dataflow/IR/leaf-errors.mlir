// RUN: streamtensor-opt %s -split-input-file -verify-diagnostics

dataflow.design @trips {
  // expected-error@+1 {{'dataflow.leaf' op [leaf.nest] loop 1 makes 0 trips, it must make at least one}}
  dataflow.leaf "l" compute [4, 0] {
  ^bb0(%i: index, %j: index):
  }
}

// -----

dataflow.design @arguments {
  // expected-error@+1 {{[leaf.nest] has 2 loops but 1 block arguments}}
  dataflow.leaf "l" compute [4, 4] {
  ^bb0(%i: index):
  }
}

// -----

dataflow.design @index_type {
  // expected-error@+1 {{[leaf.nest] block argument 0 is the index of a loop, its type is 'i32'}}
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: i32):
  }
}

// -----

dataflow.design @private_type {
  // expected-error@+1 {{[leaf.nest] block argument 1 is a private memory, its type is 'index'}}
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index, %j: index):
  }
}

// -----

dataflow.design @schedule {
  // expected-error@+1 {{[leaf.schedule] 'ii' and 'depth' are cycles, they cannot be negative}}
  dataflow.leaf "l" compute [4] attributes {ii = -1 : i64} {
  ^bb0(%i: index):
  }
}

// -----

dataflow.design @level {
  %b = dataflow.buffer "b" blocks 2 : !dataflow.buffer<2xf32>
  // expected-error@+1 {{[leaf.level] 'reads' acquires at level 2 in a nest of 1 loops}}
  dataflow.leaf "l" compute [4] reads(%b at 2 : !dataflow.buffer<2xf32>) {
  ^bb0(%i: index):
  }
}

// -----

dataflow.design @serial {
  // expected-error@+1 {{[leaf.level] runs 2 loops one trip after the other in a nest of 1 loops}}
  dataflow.leaf "l" compute [4] attributes {serial = 2 : i64} {
  ^bb0(%i: index):
  }
}

// -----

dataflow.design @twice {
  %b = dataflow.buffer "b" blocks 2 : !dataflow.buffer<2xf32>
  // expected-error@+1 {{[leaf.level] acquires a buffer twice}}
  dataflow.leaf "l" compute [4] reads(%b at 0 : !dataflow.buffer<2xf32>) writes(%b at 1 : !dataflow.buffer<2xf32>) {
  ^bb0(%i: index):
  }
}

// -----

dataflow.design @body {
  // expected-note@+1 {{in leaf 'l'}}
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    // expected-error@+1 {{'tensor.empty' op [leaf.body] cannot stand in a leaf task}}
    %e = tensor.empty() : tensor<4xf32>
  }
}

// -----

dataflow.design @guard_arity {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  dataflow.leaf "l" compute [4, 4] {
  ^bb0(%i: index, %j: index):
    // expected-error@+1 {{'dataflow.stream_read' op [leaf.guard] the guard must be a set over the 2 loop indices, each constraint comparing one of them with a constant}}
    %v = dataflow.stream_read %s when affine_set<(i) : (i == 0)> : !dataflow.stream<f32> -> f32
  }
}

// -----

dataflow.design @guard_form {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  dataflow.leaf "l" compute [4, 4] {
  ^bb0(%i: index, %j: index):
    // expected-error@+1 {{[leaf.guard] the guard must be a set over the 2 loop indices}}
    %v = dataflow.stream_read %s when affine_set<(i, j) : (i - j == 0)> : !dataflow.stream<f32> -> f32
  }
}

// -----

dataflow.design @guard_never {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    %c = arith.constant 0.0 : f32
    // expected-error@+1 {{'dataflow.stream_write' op [leaf.guard] the guard holds in no iteration; remove the access}}
    dataflow.stream_write %c, %s when affine_set<(i) : (i - 4 >= 0)> : f32, !dataflow.stream<f32>
  }
}

// -----

dataflow.design @test_arity {
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    // expected-error@+1 {{'dataflow.test' op [leaf.guard] the set must take the 1 loop indices of the leaf}}
    %t = dataflow.test affine_set<(i, j) : (i == 0)>
  }
}

// -----

dataflow.design @token {
  %s = dataflow.stream "s" : !dataflow.stream<vector<4xf32>>
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.element] the FIFO carries 'vector<4xf32>', the value has type 'vector<2xf32>'}}
    %v = dataflow.stream_read %s : !dataflow.stream<vector<4xf32>> -> vector<2xf32>
  }
}

// -----

dataflow.design @order_attribute {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    // expected-error@+1 {{[design.order] 'dataflow.order' must be an itensor type, on an access to a FIFO}}
    %v = dataflow.stream_read %s {dataflow.order = 4 : i64} : !dataflow.stream<f32> -> f32
  }
}

// -----

// Two tokens of one FIFO in an iteration.
dataflow.design @once {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    // expected-note@+1 {{the other access}}
    %v = dataflow.stream_read %s when affine_set<(i) : (-i + 2 >= 0)> : !dataflow.stream<f32> -> f32
    // expected-error@+1 {{[leaf.once] reads a second token in an iteration; the guards of two accesses to one FIFO must exclude each other}}
    %w = dataflow.stream_read %s when affine_set<(i) : (-i + 3 >= 0)> : !dataflow.stream<f32> -> f32
  }
}

// -----

// The first iterations would use a value that was never read.
dataflow.design @first {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  %t = dataflow.stream "t" : !dataflow.stream<f32>
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    // expected-error@+1 {{'dataflow.stream_read' op [leaf.first] the guard does not hold in the first iteration, and the value is used where nothing was read yet}}
    %v = dataflow.stream_read %s when affine_set<(i) : (i - 1 >= 0)> : !dataflow.stream<f32> -> f32
    %n = arith.negf %v : f32
    // expected-note@+1 {{used here in iterations outside the guard}}
    dataflow.stream_write %n, %t : f32, !dataflow.stream<f32>
  }
}

// -----

// The select takes the value where it was not read.
dataflow.design @first_select {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  %t = dataflow.stream "t" : !dataflow.stream<f32>
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    %zero = arith.constant 0.0 : f32
    // expected-error@+1 {{[leaf.first]}}
    %v = dataflow.stream_read %s when affine_set<(i) : (i - 1 >= 0)> : !dataflow.stream<f32> -> f32
    %first = dataflow.test affine_set<(i) : (i == 0)>
    %n = arith.select %first, %v, %zero : f32
    // expected-note@+1 {{used here in iterations outside the guard}}
    dataflow.stream_write %n, %t : f32, !dataflow.stream<f32>
  }
}

// -----

dataflow.design @map_arity {
  %x = dataflow.port in "x" : !dataflow.port<4x4xf32>
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    // expected-error@+1 {{'dataflow.load' op [leaf.access] the map must take the 1 loop indices of the leaf to the 2 indices of the memory}}
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4x4xf32> -> f32
  }
}

// -----

dataflow.design @element {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.element] the memory holds 'f32', the value has type 'f16'}}
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f16
  }
}

// -----

dataflow.design @box_rank {
  %x = dataflow.port in "x" : !dataflow.port<4x4xf32>
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.element] the value 'vector<4xf32>' names a box of rank 1, the memory has rank 2}}
    %v = dataflow.load %x affine_map<(i) -> (i, 0)> : !dataflow.port<4x4xf32> -> vector<4xf32>
  }
}

// -----

dataflow.design @bounds {
  %x = dataflow.port in "x" : !dataflow.port<16xf32>
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.bounds] dimension 0 of the memory has extent 16, the access reaches indices 1 to 16}}
    %v = dataflow.load %x affine_map<(i) -> (i * 4 + 1)> : !dataflow.port<16xf32> -> vector<4xf32>
  }
}

// -----

dataflow.design @bounds_below {
  %x = dataflow.port in "x" : !dataflow.port<16xf32>
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.bounds] dimension 0 of the memory has extent 16, the access reaches indices -1 to 2}}
    %v = dataflow.load %x affine_map<(i) -> (i - 1)> when affine_set<(i) : (-i + 3 >= 0)> : !dataflow.port<16xf32> -> f32
  }
}

// -----

dataflow.design @load_out {
  %y = dataflow.port out "y" : !dataflow.port<16xf32>
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.direction] port 'y' is declared 'out', it cannot be loaded}}
    %v = dataflow.load %y affine_map<(i) -> (i)> : !dataflow.port<16xf32> -> f32
  }
}

// -----

dataflow.design @store_in {
  %x = dataflow.port in "x" : !dataflow.port<16xf32>
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    %c = arith.constant 0.0 : f32
    // expected-error@+1 {{'dataflow.store' op [leaf.direction] port 'x' is declared 'in', it cannot be stored}}
    dataflow.store %c, %x affine_map<(i) -> (i)> : f32, !dataflow.port<16xf32>
  }
}

// -----

dataflow.design @load_unacquired {
  %b = dataflow.buffer "b" blocks 2 : !dataflow.buffer<4xf32>
  dataflow.leaf "l" compute [4] writes(%b at 0 : !dataflow.buffer<4xf32>) {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.acquire] the leaf does not acquire this buffer for reading; name it in 'reads(…)'}}
    %v = dataflow.load %b affine_map<(i) -> (i)> : !dataflow.buffer<4xf32> -> f32
  }
}

// -----

dataflow.design @store_unacquired {
  %b = dataflow.buffer "b" blocks 2 : !dataflow.buffer<4xf32>
  dataflow.leaf "l" compute [4] reads(%b at 0 : !dataflow.buffer<4xf32>) {
  ^bb0(%i: index):
    %c = arith.constant 0.0 : f32
    // expected-error@+1 {{[leaf.acquire] the leaf does not acquire this buffer for writing; name it in 'writes(…)'}}
    dataflow.store %c, %b affine_map<(i) -> (i)> : f32, !dataflow.buffer<4xf32>
  }
}

// -----

dataflow.design @row_of_a_block {
  %b = dataflow.buffer "b" blocks 1 : !dataflow.buffer<4x16xf32>
  dataflow.leaf "l" compute [4] reads(%b at 0 : !dataflow.buffer<4x16xf32>) {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.row] only a port has rows that the data decide}}
    %v = dataflow.load %b row %i affine_map<(i) -> (0, i)> : !dataflow.buffer<4x16xf32> -> f32
  }
}

// -----

dataflow.design @row_and_map {
  %x = dataflow.port in "x" : !dataflow.port<4x16xf32>
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.row] the access takes one row: the map gives 0 for the first index and the value has extent 1 there}}
    %v = dataflow.load %x row %i affine_map<(i) -> (i, 0)> : !dataflow.port<4x16xf32> -> f32
  }
}

// -----

dataflow.design @tuple_members {
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    %c = arith.constant 0.0 : f32
    // expected-error@+1 {{'dataflow.tuple' op [leaf.member] members of types 'f32', 'f32' give no 'tuple<f32, i1>'}}
    %t = dataflow.tuple %c, %c : f32, f32 -> tuple<f32, i1>
  }
}

// -----

dataflow.design @no_such_member {
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    %c = arith.constant 0.0 : f32
    %t = dataflow.tuple %c, %c : f32, f32 -> tuple<f32, f32>
    // expected-error@+1 {{'dataflow.member' op [leaf.member] 'tuple<f32, f32>' has no member 2}}
    %m = dataflow.member %t[2] : tuple<f32, f32> -> f32
  }
}

// -----

dataflow.design @member_type {
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    %c = arith.constant 0.0 : f32
    %t = dataflow.tuple %c, %c : f32, f32 -> tuple<f32, f32>
    // expected-error@+1 {{[leaf.member] member 1 of 'tuple<f32, f32>' has type 'f32', not 'i1'}}
    %m = dataflow.member %t[1] : tuple<f32, f32> -> i1
  }
}
