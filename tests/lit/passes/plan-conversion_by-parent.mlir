// RUN: tamale-opt -p plan-conversion %s | filecheck %s

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!csc = tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : compressed)>>
!coo = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique), j : singleton)>>
!ucoo = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique, nonordered), j : singleton(nonordered))>>
!ell = tensor<?x?xf64, #format.spec<(i, j) -> (#i : sliced, i : dense, j : singleton)>>
!many = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed(nonordered, nonunique))>>
!bcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j / 2 : compressed, i % 2 : dense, j % 2 : dense)>>
!loose = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j / 2 : compressed(nonordered), i % 2 : dense, j % 2 : dense)>>
!large = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, i / 2 * 4 + j / 2 : compressed, i % 2 : dense, j % 2 : dense)>>
!halves = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j / 2 : compressed(nonunique), j % 2 : dense)>>
!pairs = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j / 2 : compressed(nonunique), j : singleton)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>

// Rows of a block row arrive together: stamps find its blocks, first to count, then to insert them.
// Their coordinates are sorted before any entry has a place.
// CHECK-LABEL: @csr_to_bcsr(
// CHECK:         %[[NEW:.*]] = assembly.stamp %B 1(%pB1, %l)
// CHECK:         assembly.append %B 1(%pB1, %k, %l) if %[[NEW]] counting
// CHECK:       assembly.finalize_edges %B 1
// CHECK:         %[[NEW:.*]] = assembly.stamp %B 1(
// CHECK:         assembly.append %B 1({{.*}}) if %[[NEW]] inserting
// CHECK:       assembly.sort_segments %B 1 : tensor
// CHECK:       assembly.init_values
// CHECK:         assembly.rank %B 1(
// CHECK:         assembly.store
func.func @csr_to_bcsr(%A: !csr) -> !bcsr {
  %B = tin.convert %A : !csr -> !bcsr
  func.return %B : !bcsr
}

// Duplicates meet in the same way, and their values are added.
// CHECK-LABEL: @many_to_csr(
// CHECK:       assembly.stamp
// CHECK:       assembly.rank
// CHECK:       assembly.store {{.*}} adding
func.func @many_to_csr(%A: !many) -> !csr {
  %B = tin.convert %A : !many -> !csr
  func.return %B : !csr
}

// Near miss: blocks that ask for no order get none.
// CHECK-LABEL: @csr_to_loose(
// CHECK:       assembly.stamp
// CHECK-NOT:   assembly.sort
// CHECK:       func.return
func.func @csr_to_loose(%A: !csr) -> !loose {
  %B = tin.convert %A : !csr -> !loose
  func.return %B : !loose
}

// Near miss: there could be far more stamps than a mode has coordinates.
// CHECK-LABEL: @csr_to_large(
// CHECK-NOT:   assembly.stamp
// CHECK:       assembly.sort %
// CHECK-NOT:   assembly.stamp
// CHECK:       func.return
func.func @csr_to_large(%A: !csr) -> !large {
  %B = tin.convert %A : !csr -> !large
  func.return %B : !large
}

// Near miss: the entries of a block row do not arrive together.
// CHECK-LABEL: @csc_to_bcsr(
// CHECK-NOT:   assembly.stamp
// CHECK:       assembly.sort %
// CHECK-NOT:   assembly.stamp
// CHECK:       func.return
func.func @csc_to_bcsr(%A: !csc) -> !bcsr {
  %B = tin.convert %A : !csc -> !bcsr
  func.return %B : !bcsr
}

// Near miss: a level without parents that store everything may have few of many coordinates.
// CHECK-LABEL: @csc_to_dcsr(
// CHECK-NOT:   assembly.stamp
// CHECK:       assembly.sort %
// CHECK-NOT:   assembly.stamp
// CHECK:       func.return
func.func @csc_to_dcsr(%A: !csc) -> !dcsr {
  %B = tin.convert %A : !csc -> !dcsr
  func.return %B : !dcsr
}

// Slots of ELL say nothing of the order in a row: each row is sorted with its values. How many
// entries it has takes a look at each, since padding is none.
// CHECK-LABEL: @ell_to_csr(
// CHECK-NOT:   query.select
// CHECK-NOT:   assembly.sort %
// CHECK:       assembly.count_edge %B 1
// CHECK:       assembly.finalize_pos %B 1
// CHECK:       assembly.sort_segments %B 1 with_values
func.func @ell_to_csr(%A: !ell) -> !csr {
  %B = tin.convert %A : !ell -> !csr
  func.return %B : !csr
}

// Levels that share the positions are sorted along.
// CHECK-LABEL: @ucoo_to_pairs(
// CHECK-NOT:   assembly.sort %
// CHECK:       assembly.sort_segments %B 1 with_values
func.func @ucoo_to_pairs(%A: !ucoo) -> !pairs {
  %B = tin.convert %A : !ucoo -> !pairs
  func.return %B : !pairs
}

// Near miss: what is below a level that does not share its positions would have to move, too.
// CHECK-LABEL: @ucoo_to_halves(
// CHECK-NOT:   assembly.sort_segments
// CHECK:       assembly.sort %
// CHECK-NOT:   assembly.sort_segments
// CHECK:       func.return
func.func @ucoo_to_halves(%A: !ucoo) -> !halves {
  %B = tin.convert %A : !ucoo -> !halves
  func.return %B : !halves
}

// Near miss: one segment is a list, and a list is sorted as a whole.
// CHECK-LABEL: @ucoo_to_coo(
// CHECK-NOT:   assembly.sort_segments
// CHECK:       assembly.sort %A
func.func @ucoo_to_coo(%A: !ucoo) -> !coo {
  %B = tin.convert %A : !ucoo -> !coo
  func.return %B : !coo
}
