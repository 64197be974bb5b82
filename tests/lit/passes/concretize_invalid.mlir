// RUN: tamale-opt %s -p concretize --verify-diagnostics --split-input-file | filecheck %s

// Storage forces opposite orders: every tensor, its order and format, then the cycle.
// CHECK:      concretize_invalid.mlir:[[# @LINE + 9]]:3: error: concretize: no loop order fits
// CHECK-SAME:   every operand of  Z(i,j) = A(i,j) + B(i,j)
// CHECK-NEXT:   Z is stored i before j: (i, j) -> (i : dense, j : compressed)
// CHECK-NEXT:   A is stored i before j: (i, j) -> (i : dense, j : compressed)
// CHECK-NEXT:   B is stored j before i: (i, j) -> (j : dense, i : compressed)
// CHECK-NEXT:   cycle: i -> j (Z), j -> i (B)
// CHECK-NEXT:   help: store one of the tensors in the other order
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @discordant(%A: !csr, %B: tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : compressed)>>) {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csr -> f64
    %b = tin.access %B[%i, %j] : tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : compressed)>> -> f64
    %s = tin.add %a, %b : f64
    tin.yield %s : f64
  } : !csr
  func.return
}

// -----

// A sum that storage puts outside of the result's loop; a result that appends cannot be added to later.
// CHECK:      concretize: no loop order fits every operand of  y(i) = b(i) + sum(j, A(i,j))
// CHECK-NEXT:   A is stored j before i: (i, j) -> (j : dense, i : compressed)
// CHECK-NEXT:   cycle: i -> j (sum), j -> i (A)
!csc = tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : compressed)>>
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @sum_outside(%A: !csc, %b: !sv) {
  %y = tin.kernel %i {
    %v = tin.access %b[%i] : !sv -> f64
    %s = tin.sum %j {
      %a = tin.access %A[%i, %j] : !csc -> f64
      tin.yield %a : f64
    } : f64
    %e = tin.add %v, %s : f64
    tin.yield %e : f64
  } : !sv
  func.return
}

// -----

// Results are written in loop order; levels that store expressions are made by conversion.
// CHECK:      concretize: the result Z would be stored as (i, j) -> (j - i : squeezed, i : range, j : offset), whose
// CHECK-SAME:   levels are not plain modes, in  Z(i,j) = A(i,j)
// CHECK-NEXT:   help: compute into csr, csf or dense, and convert afterwards
!dia = tensor<?x?xf64, #format.spec<(i, j) -> (j - i : squeezed, i : range, j : offset)>>
func.func @result_in_diagonals(%A: tensor<?x?xf64>) {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : tensor<?x?xf64> -> f64
    tin.yield %a : f64
  } : !dia
  func.return
}

// -----

// Diagonal by diagonal is no order to append rows in.
// CHECK:      concretize: A is stored as (i, j) -> (j - i : squeezed, i : range, j : offset), whose levels do not come in
// CHECK-SAME:   the order in which Z ((i, j) -> (i : dense, j : compressed)) is appended to, in  Z(i,j) = A(i,j)
// CHECK-NEXT:   help: convert A to csr first, or compute into a dense result
!dia = tensor<?x?xf64, #format.spec<(i, j) -> (j - i : squeezed, i : range, j : offset)>>
func.func @appended_by_diagonals(%A: !dia) {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !dia -> f64
    tin.yield %a : f64
  } : tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
  func.return
}

// -----

// What is stored by a slot number cannot be merged; the minimum is no sum that could be split.
// CHECK:      concretize: Z(i,j) = min(A(i,j), B(i,j))  needs more coordinates than those of A, which is stored by
// CHECK-SAME:   '#i' and cannot be merged with what is stored otherwise
// CHECK-NEXT:   A is stored as (i, j) -> (#i : sliced, i : dense, j : singleton)
// CHECK-NEXT:   help: convert A to csr first
!ell = tensor<?x?xf64, #format.spec<(i, j) -> (#i : sliced, i : dense, j : singleton)>>
func.func @slots(%A: !ell, %B: !ell) {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !ell -> f64
    %b = tin.access %B[%i, %j] : !ell -> f64
    %m = tin.map "min" %a, %b : f64
    tin.yield %m : f64
  } : tensor<?x?xf64>
  func.return
}

// -----

// A row index that blocks tell can be looked up in a dense operand only.
// CHECK:      concretize: A tells 'j' only as j_div_3 * 3 + j_mod_3, so that x cannot be walked by it in the same loops, in
// CHECK-NEXT:   A is stored as (i, j) -> (i / 2 : dense, j / 3 : compressed, i % 2 : dense, j % 3 : dense)
// CHECK-NEXT:   x is stored as (i) -> (i : compressed)
// CHECK-NEXT:   help: convert A to csr first
!bcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j / 3 : compressed, i % 2 : dense, j % 3 : dense)>>
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @blocks_by_a_sparse_vector(%A: !bcsr, %x: !sv) {
  %y = tin.kernel %i {
    %s = tin.sum %j {
      %a = tin.access %A[%i, %j] : !bcsr -> f64
      %b = tin.access %x[%j] : !sv -> f64
      %m = tin.mul %a, %b : f64
      tin.yield %m : f64
    } : f64
    tin.yield %s : f64
  } : tensor<?xf64>
  func.return
}

// -----

// Blocks of two sizes tell the same index variables in two ways.
// CHECK:      concretize: A and B tell 'i' in different ways, as i_div_2 * 2 + i_mod_2 and as i_div_3 * 3 + i_mod_3, in
// CHECK-NEXT:   A is stored as (i, j) -> (i / 2 : dense, j : compressed, i % 2 : dense)
// CHECK-NEXT:   B is stored as (i, j) -> (i / 3 : dense, j : compressed, i % 3 : dense)
!two = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j : compressed, i % 2 : dense)>>
!three = tensor<?x?xf64, #format.spec<(i, j) -> (i / 3 : dense, j : compressed, i % 3 : dense)>>
func.func @blocks_of_two_sizes(%A: !two, %B: !three) {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !two -> f64
    %b = tin.access %B[%i, %j] : !three -> f64
    %m = tin.mul %a, %b : f64
    tin.yield %m : f64
  } : tensor<?x?xf64>
  func.return
}

// -----

// The levels of this one do not tell i.
// CHECK:      format: 'i' cannot be computed from the level coordinates of '(i, j) -> (i / 2 : dense, j : compressed)'
!half = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j : compressed)>>
func.func @lost(%A: !half) {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !half -> f64
    tin.yield %a : f64
  } : tensor<?x?xf64>
  func.return
}

// -----

// Storage forces a reduction's loop around the rest, and the product cannot be split.
// CHECK:      concretize: no loop order fits every operand of  y(i) = b(i) * sum(j, A(i,j))
// CHECK-NEXT:   A is stored j_sub_i before i before j: (i, j) -> (j - i : squeezed, i : range, j : offset)
// CHECK-NEXT:   cycle:
// CHECK-NEXT:   help: convert A to csr first
!dia = tensor<?x?xf64, #format.spec<(i, j) -> (j - i : squeezed, i : range, j : offset)>>
func.func @diagonals_inside(%A: !dia, %b: tensor<?xf64>) {
  %y = tin.kernel %i {
    %v = tin.access %b[%i] : tensor<?xf64> -> f64
    %s = tin.sum %j {
      %a = tin.access %A[%i, %j] : !dia -> f64
      tin.yield %a : f64
    } : f64
    %m = tin.mul %v, %s : f64
    tin.yield %m : f64
  } : tensor<?xf64>
  func.return
}

// -----

// Merging needs order. The sum of the two would have been split.
// CHECK:      concretize: A ((i, j) -> (i : hashed, j : hashed)) is not ordered at level 1, but the loop of 'i' over
// CHECK-SAME:   A.i & B.i needs its coordinates in ascending order, in  Z(i,j) = A(i,j) * B(i,j)
// CHECK-NEXT:   help: sort it, or convert A to csr first
!dok = tensor<?x?xf64, #format.spec<(i, j) -> (i : hashed, j : hashed)>>
func.func @tables(%A: !dok, %B: !dok) {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !dok -> f64
    %b = tin.access %B[%i, %j] : !dok -> f64
    %m = tin.mul %a, %b : f64
    tin.yield %m : f64
  } : tensor<?x?xf64>
  func.return
}

// -----

// CHECK: concretize_invalid.mlir:[[# @LINE + 4]]:5: error: concretize: a kernel may only yield expressions of tin, found 'arith.negf'
func.func @foreign_op(%A: tensor<?xf64>) {
  %z = tin.kernel %i {
    %a = tin.access %A[%i] : tensor<?xf64> -> f64
    %n = arith.negf %a : f64
    tin.yield %n : f64
  } : tensor<?xf64>
  func.return
}

// -----

// CHECK: concretize_invalid.mlir:[[# @LINE + 2]]:3: error: concretize: a kernel may only yield expressions of tin, found %v
func.func @foreign_value(%v: f64) {
  %z = tin.kernel {
    tin.yield %v : f64
  } : tensor<f64>
  func.return
}

// -----

// CHECK:      error: concretize: the order i, k was asked for, but the loops of  Z(i,j) = A(i,j)  are i, j
// CHECK-NEXT:   help: name each of them once, outermost first
func.func @other_loops(%A: tensor<?x?xf64>) {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : tensor<?x?xf64> -> f64
    tin.yield %a : f64
  } : tensor<?x?xf64> order(i, k)
  func.return
}

// -----

// CHECK:      cycle: i -> j (A), j -> i (order)
// CHECK-NEXT: help: ask for another order of the loops, or for none
func.func @against_the_operand(%A: tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>) {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>> -> f64
    tin.yield %a : f64
  } : tensor<?x?xf64> order(j, i)
  func.return
}

// -----

// Padding in a mask, which `insert-conversions` would have taken out.
// CHECK:      concretize: unless(A(i,j), B(i,j)) depends on where B has entries
// CHECK-NEXT:   B is stored as skyline: nothing tells its padding from entries that are 0
// CHECK-NEXT:   help: store it without padding, as csr or csf
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!skyline = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : banded)>>
func.func @mask(%A: !csr, %B: !skyline) -> !csr {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csr -> f64
    %b = tin.access %B[%i, %j] : !skyline -> f64
    %u = tin.map "unless" %a, %b : f64
    tin.yield %u : f64
  } : !csr
  func.return %Z : !csr
}
