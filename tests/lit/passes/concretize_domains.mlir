// RUN: tamale-opt %s -p concretize | filecheck %s

// Domains follow from the operators' properties and the values where nothing is stored.

!scalar = tensor<f64>
!vec = tensor<?xf64>
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>

// z(i) = -a(i)
// A function that maps 0 to 0 keeps the coordinates of its operand.
// CHECK-LABEL: @negate(
// CHECK:      cin.forall i in a.i {
// CHECK-NEXT:   cin.assign z(i) = -a(i)
func.func @negate(%a: !sv) {
  %z = tin.kernel %i {
    %v = tin.access %a[%i] : !sv -> f64
    %e = tin.neg %v : f64
    tin.yield %e : f64
  } : !sv
  func.return
}

// z(i) = sqrt(a(i))
// The square root too, which no rule names.
// CHECK-LABEL: @square_root(
// CHECK:      cin.forall i in a.i {
// CHECK-NEXT:   cin.assign z(i) = sqrt(a(i))
func.func @square_root(%a: !sv) {
  %z = tin.kernel %i {
    %v = tin.access %a[%i] : !sv -> f64
    %e = tin.map "sqrt" %v : f64
    tin.yield %e : f64
  } : !sv
  func.return
}

// z(i) = exp(a(i))
// exp(0) is 1: every coordinate gets a value, and a's entries select the case.
// CHECK-LABEL: @exponential(
// CHECK:      cin.forall i in a.i | U.i {
// CHECK-NEXT:   cin.assign z(i) = exp(a(i))
func.func @exponential(%a: !sv) {
  %z = tin.kernel %i {
    %v = tin.access %a[%i] : !sv -> f64
    %e = tin.map "exp" %v : f64
    tin.yield %e : f64
  } : !vec
  func.return
}

// z(i) = exp(a(i)) * b(i)
// Multiplied by b, which is 0 almost everywhere, only b's coordinates matter.
// CHECK-LABEL: @exponential_times(
// CHECK:      cin.forall i in (a.i | U.i) & b.i {
// CHECK-NEXT:   cin.assign z(i) = exp(a(i)) * b(i)
func.func @exponential_times(%a: !sv, %b: !sv) {
  %z = tin.kernel %i {
    %v = tin.access %a[%i] : !sv -> f64
    %e = tin.map "exp" %v : f64
    %v2 = tin.access %b[%i] : !sv -> f64
    %e2 = tin.mul %e, %v2 : f64
    tin.yield %e2 : f64
  } : !sv
  func.return
}

// z(i) = a(i) / b(i)
// An absent dividend decides; an absent divisor is a zero.
// CHECK-LABEL: @divide(
// CHECK:      cin.forall i in a.i & (b.i | U.i) {
// CHECK-NEXT:   cin.assign z(i) = a(i) / b(i)
func.func @divide(%a: !sv, %b: !sv) {
  %z = tin.kernel %i {
    %v = tin.access %a[%i] : !sv -> f64
    %v2 = tin.access %b[%i] : !sv -> f64
    %e = tin.div %v, %v2 : f64
    tin.yield %e : f64
  } : !sv
  func.return
}

// z(i) = 2 * a(i)
// A number is there at every coordinate.
// CHECK-LABEL: @scale(
// CHECK:      cin.forall i in U.i & a.i {
// CHECK-NEXT:   cin.assign z(i) = 2.0 * a(i)
func.func @scale(%a: !sv) {
  %z = tin.kernel %i {
    %c = tin.literal 2.0 : f64 : f64
    %v = tin.access %a[%i] : !sv -> f64
    %e = tin.mul %c, %v : f64
    tin.yield %e : f64
  } : !sv
  func.return
}

// z(i) = c * a(i)
// A scalar tensor too.
// CHECK-LABEL: @scale_by_tensor(
// CHECK:      cin.forall i in U.i & a.i {
// CHECK-NEXT:   cin.assign z(i) = c * a(i)
func.func @scale_by_tensor(%c: !scalar, %a: !sv) {
  %z = tin.kernel %i {
    %v = tin.access %c[] : !scalar -> f64
    %v2 = tin.access %a[%i] : !sv -> f64
    %e = tin.mul %v, %v2 : f64
    tin.yield %e : f64
  } : !sv
  func.return
}

// z(i) = max(a(i), b(i))
// The larger of two absent values is absent.
// CHECK-LABEL: @maximum(
// CHECK:      cin.forall i in a.i | b.i {
// CHECK-NEXT:   cin.assign z(i) = max(a(i), b(i))
func.func @maximum(%a: !sv, %b: !sv) {
  %z = tin.kernel %i {
    %v = tin.access %a[%i] : !sv -> f64
    %v2 = tin.access %b[%i] : !sv -> f64
    %e = tin.map "max" %v, %v2 : f64
    tin.yield %e : f64
  } : !sv
  func.return
}

// y(i) = reduce(max, j, A(i,j))
// What is absent counts in a maximum (of negative numbers): all of j is walked.
// CHECK-LABEL: @reduce_max(
// CHECK:      cin.forall i in A.i {
// CHECK-NEXT:   cin.forall j in A.j | U.j {
// CHECK-NEXT:     cin.assign y(i) max= A(i,j)
func.func @reduce_max(%A: !dcsr) {
  %y = tin.kernel %i {
    %s = tin.reduce "max" %j {
      %v = tin.access %A[%i, %j] : !dcsr -> f64
      tin.yield %v : f64
    } : f64
    tin.yield %s : f64
  } : !vec
  func.return
}

// y(i) = sum(j, A(i,j))
// Near miss: it does not count in a sum.
// CHECK-LABEL: @reduce_sum(
// CHECK:      cin.forall i in A.i {
// CHECK-NEXT:   cin.forall j in A.j {
// CHECK-NEXT:     cin.assign y(i) += A(i,j)
func.func @reduce_sum(%A: !dcsr) {
  %y = tin.kernel %i {
    %s = tin.sum %j {
      %v = tin.access %A[%i, %j] : !dcsr -> f64
      tin.yield %v : f64
    } : f64
    tin.yield %s : f64
  } : !vec
  func.return
}

// z(i) = unless(a(i), m(i))
// An operator with a domain of its own: a, where m stores nothing.
// CHECK-LABEL: @mask(
// CHECK:      cin.forall i in a.i & ~m.i {
// CHECK-NEXT:   cin.assign z(i) = unless(a(i), m(i))
func.func @mask(%a: !sv, %m: !sv) {
  %z = tin.kernel %i {
    %v = tin.access %a[%i] : !sv -> f64
    %v2 = tin.access %m[%i] : !sv -> f64
    %e = tin.map "unless" %v, %v2 : f64
    tin.yield %e : f64
  } : !sv
  func.return
}

// Z(i,j) = unless(A(i,j), m(i))
// A mask that is already resolved is all or nothing in the loops inside.
// CHECK-LABEL: @row_mask(
// CHECK:      cin.forall i in A.i & ~m.i {
// CHECK-NEXT:   cin.forall j in A.j & ~m.i {
// CHECK-NEXT:     cin.assign Z(i,j) = unless(A(i,j), m(i))
func.func @row_mask(%A: !dcsr, %m: !sv) {
  %Z = tin.kernel %i, %j {
    %v = tin.access %A[%i, %j] : !dcsr -> f64
    %v2 = tin.access %m[%i] : !sv -> f64
    %e = tin.map "unless" %v, %v2 : f64
    tin.yield %e : f64
  } : !dcsr
  func.return
}

// Z(i,j) = unless(A(i,j), m(j))
// Near miss: one that is resolved further inside excludes nothing yet.
// CHECK-LABEL: @column_mask(
// CHECK:      cin.forall i in A.i & U.i {
// CHECK-NEXT:   cin.forall j in A.j & ~m.j {
// CHECK-NEXT:     cin.assign Z(i,j) = unless(A(i,j), m(j))
func.func @column_mask(%A: !dcsr, %m: !sv) {
  %Z = tin.kernel %i, %j {
    %v = tin.access %A[%i, %j] : !dcsr -> f64
    %v2 = tin.access %m[%j] : !sv -> f64
    %e = tin.map "unless" %v, %v2 : f64
    tin.yield %e : f64
  } : !dcsr
  func.return
}
