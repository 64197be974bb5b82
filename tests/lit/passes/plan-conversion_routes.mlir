// RUN: tamale-opt -p plan-conversion %s | filecheck %s

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!csc = tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : compressed)>>
!ell = tensor<?x?xf64, #format.spec<(i, j) -> (#i : sliced, i : dense, j : singleton)>>
!coded = tensor<?x?xf64, #format.spec<(i, j) -> (j & 1 ^ (i >> 1 & 7) ^ (i >> 3 & 7) ^ (i >> 5 & 7) ^ (j >> 1 & 7) ^ (j >> 3 & 7) ^ (j >> 5 & 7) ^ (i >> 7 & 7) : dense, i : compressed(nonunique, nonordered), j : compressed(nonunique, nonordered))>>
!diagonals = tensor<?x?xf64, #format.spec<(i, j) -> (j - i : dense, i : compressed(nonunique, nonordered), j : compressed(nonunique, nonordered))>>
!dok = tensor<?x?xf64, #format.spec<(i, j) -> (i : hashed, j : hashed)>>
!ucoo = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique, nonordered), j : singleton(nonordered))>>
!any = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique, nonordered), j : singleton(nonunique, nonordered))>>
!loose = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed(nonordered))>>

// Columns in order give every row its entries in order: nothing is sorted.
// CHECK-LABEL: @csc_to_csr(
// CHECK-NOT:   assembly.sort
// CHECK:       assembly.yield_pos
// CHECK:       func.return
func.func @csc_to_csr(%A: !csc) -> !csr {
  %B = tin.convert %A : !csc -> !csr
  func.return %B : !csr
}

// No order at all does not: the entries are dealt out to the rows, and each row is sorted.
// CHECK-LABEL: @ucoo_to_csr(
// CHECK-NOT:   assembly.sort %A
// CHECK:       assembly.for_nonzeros %A
// CHECK:       assembly.sort_segments %B 1 with_values
func.func @ucoo_to_csr(%A: !ucoo) -> !csr {
  %B = tin.convert %A : !ucoo -> !csr
  func.return %B : !csr
}

// Near miss: a target that asks for no order gets none.
// CHECK-LABEL: @ucoo_to_loose(
// CHECK-NOT:   assembly.sort
// CHECK:       assembly.store %{{[^ ]*}} into %B(%{{[^ ]*}}) :
// CHECK:       func.return
func.func @ucoo_to_loose(%A: !ucoo) -> !loose {
  %B = tin.convert %A : !ucoo -> !loose
  func.return %B : !loose
}

// Duplicates must meet before they are counted: a list without them comes first.
// CHECK-LABEL: @any_to_ell(
// CHECK:       %[[S:.*]] = assembly.sort %A
// CHECK:       %[[NEW:.*]] = assembly.first(
// CHECK:       assembly.append {{.*}} if %[[NEW]]
// CHECK:       assembly.store {{.*}} adding
// CHECK:       %[[SUM:.*]] = assembly.finish
// CHECK:       query.select "select [] -> max(k) as max_crd" of %[[SUM]]
func.func @any_to_ell(%A: !any) -> !ell {
  %B = tin.convert %A : !any -> !ell
  func.return %B : !ell
}

// So must they where different coordinates are counted, or each would need a mark.
// CHECK-LABEL: @any_to_dok(
// CHECK:       assembly.sort %A
// CHECK:       %[[SUM:.*]] = assembly.finish
// CHECK:       query.select "select [i] -> count(j) as nir" of %[[SUM]]
func.func @any_to_dok(%A: !any) -> !dok {
  %B = tin.convert %A : !any -> !dok
  func.return %B : !dok
}

// Near miss: a list without duplicates is counted as it is, in any order.
// CHECK-LABEL: @ucoo_to_ell(
// CHECK-NOT:   assembly.sort
// CHECK:       query.select "select [] -> max(k) as max_crd" of %A
// CHECK-NOT:   assembly.sort
// CHECK:       func.return
func.func @ucoo_to_ell(%A: !ucoo) -> !ell {
  %B = tin.convert %A : !ucoo -> !ell
  func.return %B : !ell
}

// A code that takes long to compute is kept in a list, and not computed in each pass.
// CHECK-LABEL: @coded(
// CHECK:       assembly.for_nonzeros %A
// CHECK:       %[[LIST:.*]] = assembly.finish
// CHECK-NOT:   assembly.for_nonzeros %A
// CHECK:       assembly.for_nonzeros %[[LIST]]
// CHECK:       func.return
func.func @coded(%A: !csr) -> !coded {
  %B = tin.convert %A : !csr -> !coded
  func.return %B : !coded
}

// Near miss: a short one is computed again.
// CHECK-LABEL: @diagonals(
// CHECK-COUNT-3: assembly.for_nonzeros %A
// CHECK-NOT:   assembly.for_nonzeros
// CHECK:       func.return
func.func @diagonals(%A: !csr) -> !diagonals {
  %B = tin.convert %A : !csr -> !diagonals
  func.return %B : !diagonals
}
