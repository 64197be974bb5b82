// RUN: tamale-opt %s -t cpp --split-input-file --verify-diagnostics

// expected-error@+1 {{cpp: no C++ form for 'memref.dim'}}
func.func @size(%x: memref<?xf64>) -> index {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  func.return %n : index
}

// -----

// expected-error@+1 {{cpp: no C++ type for 'memref<?x?xf64>'}}
func.func @matrix(%x: memref<?x?xf64>) {
  func.return
}

// -----

// expected-error@+1 {{cpp: a function cannot be called 'double' in C++}}
func.func @double() {
  func.return
}

// -----

// expected-error@+1 {{cpp: 'scf.parallel' has a C++ form with one variable and without reductions}}
func.func @two_variables(%n: index, %y: memref<?xf64>, %v: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  "scf.parallel"(%c0, %c0, %n, %n, %c1, %c1) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
  ^bb0(%w: index, %u: index):
    memref.store %v, %y[%w] : memref<?xf64>
    scf.reduce
  }) : (index, index, index, index, index, index) -> ()
  func.return
}
