// RUN: tamale-opt %s -p export-formats --verify-diagnostics --split-input-file

// expected-error@below {{export-formats: sparse_tensor: '(i, j) -> (j - i : squeezed, i : range, j : offset)' has no encoding: MLIR does not find the modes again, for level 1 ('j - i : squeezed')}}
func.func private @dia(tensor<?x?xf64, #format.spec<(i, j) -> (j - i : squeezed, i : range, j : offset)>>)

// -----

// expected-error@below {{has no encoding: MLIR has no level type like 'hashed', for level 2 ('j : hashed')}}
func.func private @hashed(tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : hashed)>>)

// -----

// expected-error@below {{has no encoding: MLIR has singleton levels only below compressed ones, for level 2 ('j : singleton')}}
func.func private @single(tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : singleton)>>)

// -----

// The quotient comes first, and by the same number.
// expected-error@below {{MLIR does not find the modes again, for level 1 ('i % 2 : dense')}}
func.func private @remainder(tensor<?xf64, #format.spec<(i) -> (i % 2 : dense, i / 2 : dense)>>)

// -----

// expected-error@below {{MLIR does not find the modes again, for level 2 ('i % 6 : dense')}}
func.func private @two_sizes(tensor<?xf64, #format.spec<(i) -> (i / 3 : dense, i % 6 : dense)>>)

// -----

// expected-error@below {{export-formats: sparse_tensor: '(i) -> (i / 2 : dense)' has no encoding: MLIR does not find mode 'i' again}}
func.func private @lost(tensor<?xf64, #format.spec<(i) -> (i / 2 : dense)>>)
