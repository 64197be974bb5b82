// RUN: tamale-opt %s | tamale-opt | filecheck %s

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>

// Coordinates are called as the remapping calls them; a result has a mode for each of the group.
// CHECK-LABEL: @rows(
// CHECK-NEXT:  %nir = query.select "select [i] -> count(j) as nir" of %A remapped (i, j) -> (i, j) : tensor<?x?xf64, {{.*}}> -> tensor<?xi64>
func.func @rows(%A: !csr) -> tensor<?xi64> {
  %nir = query.select "select [i] -> count(j) as nir" of %A remapped (i, j) -> (i, j)
      : !csr -> tensor<?xi64>
  func.return %nir : tensor<?xi64>
}

// One result per aggregation, in order.
// CHECK-LABEL: @bands(
// CHECK-NEXT:  %lb, %ub = query.select "select [] -> min(k) as lb, max(k) as ub" of %A remapped (i, j) -> (k = j - i, i, j) : {{.*}} -> tensor<i64>, tensor<i64>
func.func @bands(%A: !csr) -> (tensor<i64>, tensor<i64>) {
  %lb, %ub = query.select "select [] -> min(k) as lb, max(k) as ub" of %A
      remapped (i, j) -> (k = j - i, i, j) : !csr -> tensor<i64>, tensor<i64>
  func.return %lb, %ub : tensor<i64>, tensor<i64>
}

// Near miss: a counter may be grouped by where every nonzero has coordinates of its own.
// CHECK-LABEL: @slots(
// CHECK-NEXT:  query.select "select [k] -> count(*) as n" of %A remapped (i, j) -> (k = #i)
func.func @slots(%A: !csr) -> tensor<?xi64> {
  %n = query.select "select [k] -> count(*) as n" of %A remapped (i, j) -> (k = #i)
      : !csr -> tensor<?xi64>
  func.return %n : tensor<?xi64>
}

// The values as attributes.
// CHECK: "test.op"() {query = #query.select<select [i] -> count(j) as nir>, remapping = #query.remapping<(i, j) -> (k = i >> 2, j)>} : () -> ()
"test.op"() {query = #query.select<select [i] -> count(j) as nir>, remapping = #query.remapping<(i, j) -> (k = i >> 2, j)>} : () -> ()
