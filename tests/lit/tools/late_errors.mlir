// RUN: tamale-opt %s -p compute --verify-diagnostics --split-input-file

// A late pass refuses: the error is on the line of the statement, though a temporary, a conversion
// and the kernels of three dialects have taken its place by then.

#csr = #format.spec<(i, j) -> (i : dense, j : compressed)>
#csc = #format.spec<(i, j) -> (j : dense, i : compressed)>
func.func @second_statement(%A: tensor<?x?xf64, #csr>, %B: tensor<?x?xf64, #csc>) -> tensor<?x?xf64> {
  %C = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : tensor<?x?xf64, #csr> -> f64
    tin.yield %a : f64
  } : tensor<?x?xf64>

  // expected-error@below {{lower-lattices: 'xor' has no meaning on f64}}
  %D = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : tensor<?x?xf64, #csr> -> f64
    %b = tin.access %B[%i, %j] : tensor<?x?xf64, #csc> -> f64
    %x = tin.map "xor" %a, %b : f64
    tin.yield %x : f64
  } : tensor<?x?xf64>
  func.return %D : tensor<?x?xf64>
}
