// RUN: tamale-opt %s -p lower-queries | filecheck %s

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>

// Marks which coordinates there are, then counts the marks: entries are not counted twice.
// CHECK-LABEL: @count(
// CHECK-NEXT:    %W = cin.kernel W(i,j) of (A(i,j) = %A) : tensor<?x?xi64> zeroed {
// CHECK-NEXT:      cin.forall i in A.i {
// CHECK-NEXT:        cin.forall j in A.j {
// CHECK-NEXT:          cin.assign W(i,j) |= map(A(i,j), 1)
// CHECK:         %nir = cin.kernel nir(i) of (W(i,j) = %W) : tensor<?xi64> zeroed {
// CHECK-NEXT:      cin.forall i in W.i {
// CHECK-NEXT:        cin.forall j in W.j {
// CHECK-NEXT:          cin.assign nir(i) += map(W(i,j), 1)
// CHECK:         func.return %nir
func.func @count(%A: !csr) -> tensor<?xi64> {
  %nir = query.select "select [i] -> count(j) as nir" of %A remapped (i, j) -> (i, j) : !csr -> tensor<?xi64>
  func.return %nir : tensor<?xi64>
}

// Entries as such need no marks.
// CHECK-LABEL: @entries(
// CHECK-NEXT:    %n = cin.kernel n(i) of (A(i,j) = %A) : tensor<?xi64> zeroed {
// CHECK-NEXT:      cin.forall i in A.i {
// CHECK-NEXT:        cin.forall j in A.j {
// CHECK-NEXT:          cin.assign n(i) += map(A(i,j), 1)
func.func @entries(%A: !csr) -> tensor<?xi64> {
  %n = query.select "select [i] -> count(*) as n" of %A remapped (i, j) -> (i, j) : !csr -> tensor<?xi64>
  func.return %n : tensor<?xi64>
}

// CHECK-LABEL: @id(
// CHECK:         cin.assign nz(j) |= map(A(i,j), 1)
func.func @id(%A: !csr) -> tensor<?xi64> {
  %nz = query.select "select [j] -> id() as nz" of %A remapped (i, j) -> (i, j) : !csr -> tensor<?xi64>
  func.return %nz : tensor<?xi64>
}

// A maximum is stored plus 1, so that 0 is none; a minimum as the distance from the largest. Each
// aggregation is a kernel.
// CHECK-LABEL: @ends(
// CHECK:         %first = cin.kernel first(i) of
// CHECK:           cin.let j_left = dim_j - j - 1 below dim_j {
// CHECK-NEXT:        cin.assign first(i) max= map(A(i,j), j_left + 1)
// CHECK:         %last = cin.kernel last(i) of
// CHECK-NEXT:      cin.forall i in A.i {
// CHECK-NEXT:        cin.forall j in A.j {
// CHECK-NEXT:          cin.assign last(i) max= map(A(i,j), j + 1)
// CHECK:         func.return %first, %last
func.func @ends(%A: !csr) -> (tensor<?xi64>, tensor<?xi64>) {
  %a, %b = query.select "select [i] -> min(j) as first, max(j) as last" of %A remapped (i, j) -> (i, j)
      : !csr -> tensor<?xi64>, tensor<?xi64>
  func.return %a, %b : tensor<?xi64>, tensor<?xi64>
}

// Nothing is called like something else, or like an operator.
// CHECK-LABEL: @names(
// CHECK-NEXT:    %W = cin.kernel W(max,W_) of (A(max,W_) = %A)
// CHECK:         %max_ = cin.kernel max_(max) of (W(max,W_) = %W)
func.func @names(%A: !csr) -> tensor<?xi64> {
  %n = query.select "select [max] -> count(W_) as max" of %A remapped (max, W_) -> (max, W_) : !csr -> tensor<?xi64>
  func.return %n : tensor<?xi64>
}
