// RUN: tamale-opt %s -p lower-queries,rewrite-queries | filecheck %s

// The derivations of Chou et al., PLDI 2020, sec. 5: what the queries of four conversions become. The
// steps are in tests/unit/passes/algebra/test_queries_rewriting.py.

!coo = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique), j : singleton)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>

// csr to csr: a row's length is told by positions, no nonzero is visited.
// CHECK-LABEL: @csr_csr(
// CHECK-NEXT:    %nir = cin.kernel nir(i) of (A(i,j) = %A) : tensor<?xi64> zeroed {
// CHECK-NEXT:      cin.forall i in A.i {
// CHECK-NEXT:        cin.assign nir(i) = width(A(i,j))
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %nir
func.func @csr_csr(%A: !csr) -> tensor<?xi64> {
  %nir = query.select "select [i] -> count(j) as nir" of %A remapped (i, j) -> (i, j) : !csr -> tensor<?xi64>
  func.return %nir : tensor<?xi64>
}

// csr to ell: the longest row.
// CHECK-LABEL: @csr_ell(
// CHECK-NEXT:    %K = cin.kernel K of (A(i,j) = %A) : tensor<i64> zeroed {
// CHECK-NEXT:      cin.forall i in A.i {
// CHECK-NEXT:        cin.assign K max= width(A(i,j))
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %K
func.func @csr_ell(%A: !csr) -> tensor<i64> {
  %K = query.select "select [] -> max(k) as K" of %A remapped (i, j) -> (k = #i, i, j) : !csr -> tensor<i64>
  func.return %K : tensor<i64>
}

// coo to ell: a histogram of rows, then its maximum.
// CHECK-LABEL: @coo_ell(
// CHECK-NEXT:    %W = cin.kernel W(i) of (A(i,j) = %A) : tensor<?xi64> zeroed {
// CHECK-NEXT:      cin.forall i in A.i {
// CHECK-NEXT:        cin.forall j in A.j {
// CHECK-NEXT:          cin.assign W(i) += map(A(i,j), 1)
// CHECK:         %K = cin.kernel K of (W(i) = %W) : tensor<i64> zeroed {
// CHECK-NEXT:      cin.forall i in W.i {
// CHECK-NEXT:        cin.assign K max= W(i)
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %K
func.func @coo_ell(%A: !coo) -> tensor<i64> {
  %K = query.select "select [] -> max(k) as K" of %A remapped (i, j) -> (k = #i, i, j) : !coo -> tensor<i64>
  func.return %K : tensor<i64>
}

// csr to csc: a histogram of columns, without marks in between.
// CHECK-LABEL: @csr_csc(
// CHECK-NEXT:    %nir = cin.kernel nir(j) of (A(i,j) = %A) : tensor<?xi64> zeroed {
// CHECK-NEXT:      cin.forall i in A.i {
// CHECK-NEXT:        cin.forall j in A.j {
// CHECK-NEXT:          cin.assign nir(j) += map(A(i,j), 1)
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %nir
func.func @csr_csc(%A: !csr) -> tensor<?xi64> {
  %nir = query.select "select [j] -> count(i) as nir" of %A remapped (i, j) -> (j, i) : !csr -> tensor<?xi64>
  func.return %nir : tensor<?xi64>
}
