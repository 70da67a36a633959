// RUN: streamtensor-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{[itensor.element] extent 1 of the tile is 0, it must be at least 1}}
func.func private @empty_tile(!itensor.itensor<4x0xf32, iter_space: [] * [], iter_map: () -> (0, 0)>)

// -----

// expected-error@+1 {{[itensor.element] the element type must be a scalar, a vector or a tuple of these, not 'tensor<2xf32>'}}
func.func private @element(!itensor.itensor<4xtensor<2xf32>, iter_space: [] * [], iter_map: () -> (0)>)

// -----

// expected-error@+1 {{[itensor.space] the iteration space has 2 trip counts but 1 steps}}
func.func private @steps(!itensor.itensor<4xf32, iter_space: [2, 2] * [4], iter_map: (d0, d1) -> (d0 + d1)>)

// -----

// expected-error@+1 {{[itensor.space] iteration dimension d0 has trip count 0 and step 4, both must be at least 1}}
func.func private @trips(!itensor.itensor<4xf32, iter_space: [0] * [4], iter_map: (d0) -> (d0)>)

// -----

// expected-error@+1 {{[itensor.space] iteration dimension d0 has trip count 2 and step 0, both must be at least 1}}
func.func private @no_step(!itensor.itensor<4xf32, iter_space: [2] * [0], iter_map: (d0) -> (d0)>)

// -----

// expected-error@+1 {{[itensor.space] tokens or elements do not fit into 62 bits}}
func.func private @huge(!itensor.itensor<1x1xf32, iter_space: [4000000000, 4000000000] * [1, 1], iter_map: (d0, d1) -> (d0, d1)>)

// -----

// expected-error@+1 {{[itensor.map] the iteration map must take the 1 iteration dimensions to 2 offsets}}
func.func private @arity(!itensor.itensor<4x4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>)

// -----

// expected-error@+1 {{[itensor.map] offset 0 is d0 * 4, it must be a sum of distinct iteration dimensions or the constant 0; a factor belongs into the step}}
func.func private @factor(!itensor.itensor<4xf32, iter_space: [2] * [1], iter_map: (d0) -> (d0 * 4)>)

// -----

// expected-error@+1 {{[itensor.map] offset 0 is d0 + 1}}
func.func private @constant(!itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0 + 1)>)

// -----

// expected-error@+1 {{[itensor.map] offset 0 is 4}}
func.func private @constant_offset(!itensor.itensor<4xf32, iter_space: [] * [], iter_map: () -> (4)>)

// -----

// expected-error@+1 {{[itensor.map] iteration dimension d0 is used 2 times, it may feed one data dimension once}}
func.func private @diagonal(!itensor.itensor<1x1xf32, iter_space: [4] * [1], iter_map: (d0) -> (d0, d0)>)

// -----

// expected-error@+1 {{[itensor.revisit] iteration dimension d0 is used by no offset: a revisit has step 1, not 2}}
func.func private @revisit(!itensor.itensor<4xf32, iter_space: [2, 2] * [2, 4], iter_map: (d0, d1) -> (d1)>)

// -----

// expected-error@+1 {{[itensor.of] the stated data shape has rank 2, the tile has rank 1}}
func.func private @stated_rank(!itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0), of: [8, 8]>)

// -----

// expected-error@+1 {{[itensor.of] the tiles reach 8 elements along data dimension 0, the stated data shape has only 7}}
func.func private @stated(!itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0), of: [7]>)

// -----

// expected-error@+1 {{[itensor.element] the element type must be a scalar, a vector or a tuple of these, not 'tensor<2xf32>'}}
func.func private @tuple_member(!itensor.itensor<4xtuple<i8, tensor<2xf32>>, iter_space: [2] * [4], iter_map: (d0) -> (d0)>)

// -----

// expected-error@+1 {{[itensor.element] elements of type 'i0' have no bits}}
func.func private @no_bits(!itensor.itensor<4xi0, iter_space: [2] * [4], iter_map: (d0) -> (d0)>)

// -----

// expected-error@+1 {{[itensor.element] elements of type 'tuple<>' have no bits}}
func.func private @no_members(!itensor.itensor<4xtuple<>, iter_space: [2] * [4], iter_map: (d0) -> (d0)>)

// -----

// expected-error@+1 {{[itensor.element] elements of type 'i0' have no bits}}
func.func private @member_without_bits(!itensor.itensor<4xtuple<f32, i0>, iter_space: [2] * [4], iter_map: (d0) -> (d0)>)
