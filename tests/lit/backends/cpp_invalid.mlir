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
