// RUN: tamale-opt %s --verify-diagnostics --split-input-file

// expected-error@below {{sparse_tensor: MLIR has no level type 'compresed' (did you mean 'compressed'?)}}
#a = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compresed) }>

// -----

// expected-error@below {{sparse_tensor: MLIR's levels have no property 'unique' (did you mean 'nonunique'?)}}
#a = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed(unique)) }>

// -----

// expected-error@below {{sparse_tensor: 'd1' is no dimension}}
#a = #sparse_tensor.encoding<{ map = (d0) -> (d1 : compressed) }>

// -----

// expected-error@below {{sparse_tensor: dimension 'd0' is named twice}}
#a = #sparse_tensor.encoding<{ map = (d0, d0) -> (d0 : compressed) }>

// -----

// expected-error@below {{sparse_tensor: an encoding has levels}}
#a = #sparse_tensor.encoding<{ map = (d0) -> () }>

// -----

// expected-error@below {{sparse_tensor: an encoding has a 'map'}}
#a = #sparse_tensor.encoding<{ posWidth = 32 }>

// -----

// expected-error@below {{sparse_tensor: a width is one of 0, 8, 16, 32, 64}}
#a = #sparse_tensor.encoding<{ map = (d0) -> (d0 : dense), posWidth = 33 }>

// -----

// expected-error@below {{sparse_tensor: 'explicitVal' of encodings is not supported}}
#a = #sparse_tensor.encoding<{ map = (d0) -> (d0 : dense), explicitVal = 1.0 : f64 }>

// -----

// expected-error@below {{sparse_tensor: symbols in maps are not supported}}
#a = #sparse_tensor.encoding<{ map = [s0](d0) -> (d0 : dense) }>

// -----

// expected-error@below {{sparse_tensor: slices of dimensions are not supported}}
#a = #sparse_tensor.encoding<{ map = (d0 : #sparse_tensor<slice(0, 4, 1)>) -> (d0 : dense) }>

// -----

// expected-error@below {{sparse_tensor: expected a size}}
#a = #sparse_tensor.encoding<{ map = (d0) -> (d0 : structured[n]) }>

// -----

// What no format says is refused where the tensor is used.
#loose = #sparse_tensor.encoding<{ map = (d0) -> (d0 : loose_compressed) }>
func.func @f(%A: tensor<?xf64, #loose>) -> tensor<?xf64> {
  // expected-error@below {{sparse_tensor: no level kind stores 'd0 : loose_compressed' of { map = (d0) -> (d0 : loose_compressed) }}}
  %B = tin.convert %A : tensor<?xf64, #loose> -> tensor<?xf64>
  func.return %B : tensor<?xf64>
}

// -----

#narrow = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed), posWidth = 8 }>
func.func @f(%A: tensor<?xf64, #narrow>) -> tensor<?xf64> {
  // expected-error@below {{sparse_tensor: positions and coordinates of 8 bits are not supported}}
  %B = tin.convert %A : tensor<?xf64, #narrow> -> tensor<?xf64>
  func.return %B : tensor<?xf64>
}

// -----

#first = #sparse_tensor.encoding<{ map = (d0) -> (d0 : singleton) }>
func.func @f(%A: tensor<?xf64, #first>) -> tensor<?xf64> {
  // expected-error@below {{sparse_tensor: { map = (d0) -> (d0 : singleton) } is no format: format: level 1}}
  %B = tin.convert %A : tensor<?xf64, #first> -> tensor<?xf64>
  func.return %B : tensor<?xf64>
}
