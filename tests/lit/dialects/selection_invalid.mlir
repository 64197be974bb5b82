// RUN: tamale-opt %s --verify-diagnostics --split-input-file | filecheck %s
#csr = #format.spec<(i, j) -> (i : dense, j : compressed)>

// CHECK: tin.convert: selection: 'k' in 'k < 2' is no mode; modes: i, j
func.func @stranger(%A: tensor<?x?xf64, #csr>) {
  %B = tin.convert %A where "k < 2" : tensor<?x?xf64, #csr> -> tensor<?x?xf64>
  func.return
}

// -----

#csr = #format.spec<(i, j) -> (i : dense, j : compressed)>

// CHECK: tin.convert: format: expected one comparison, such as '#i < 3', got 0 in '#i'
func.func @no_comparison(%A: tensor<?x?xf64, #csr>) {
  %B = tin.convert %A where "#i" : tensor<?x?xf64, #csr> -> tensor<?x?xf64>
  func.return
}

// -----

#csr = #format.spec<(i, j) -> (i : dense, j : compressed)>

// CHECK: assembly.for_nonzeros: selection: 'i / j' in 'i / j < 2' needs a constant on the right
func.func @division(%A: tensor<?x?xf64, #csr>, %B: tensor<?x?xf64, #csr>) {
  assembly.for_nonzeros %A for %B (%i, %j, %v) where "i / j < 2" : tensor<?x?xf64, #csr>, tensor<?x?xf64, #csr> {
    "test.op"() : () -> ()
  }
  func.return
}
