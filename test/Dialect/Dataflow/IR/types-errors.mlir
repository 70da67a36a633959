// RUN: streamtensor-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{[dataflow.stream] a token is a scalar, a one-dimensional vector or a tuple of these, not 'vector<2x2xf32>'}}
func.func private @matrix(!dataflow.stream<vector<2x2xf32>>)

// -----

// expected-error@+1 {{[dataflow.stream] the depth is -1, it must be a number of slots}}
func.func private @depth(!dataflow.stream<f32, -1>)

// -----

// expected-error@+1 {{[dataflow.memory] elements are scalars or vectors, not 'tensor<2xf32>'}}
func.func private @element(!dataflow.buffer<4xtensor<2xf32>>)

// -----

// expected-error@+1 {{[dataflow.memory] extent 1 is 0, it must be at least 1}}
func.func private @extent(!dataflow.private<4x0xf32>)

// -----

// expected-error@+1 {{[dataflow.stream] a token is a scalar, a one-dimensional vector or a tuple of these, not 'tuple<f32, tuple<i1>>'}}
func.func @nested(%s: !dataflow.stream<tuple<f32, tuple<i1>>>)

// -----

// expected-error@+1 {{[dataflow.stream] a token is a scalar, a one-dimensional vector or a tuple of these, not 'i0'}}
func.func @no_bits(%s: !dataflow.stream<i0>)

// -----

// expected-error@+1 {{[dataflow.stream] a token is a scalar, a one-dimensional vector or a tuple of these, not 'vector<4xi0>'}}
func.func @lanes_without_bits(%s: !dataflow.stream<vector<4xi0>>)

// -----

// expected-error@+1 {{[dataflow.memory] elements are scalars or vectors, not 'vector<4xi0>'}}
func.func private @memory_without_bits(!dataflow.buffer<4xvector<4xi0>>)
