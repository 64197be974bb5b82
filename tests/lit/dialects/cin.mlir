// RUN: tamale-opt %s | tamale-opt | filecheck %s
// RUN: ROUNDTRIP
// RUN: GENERIC

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>

// Names in a kernel mean accesses; one tensor may have several.
// CHECK-LABEL: @spmv(
// CHECK-NEXT:  %y = cin.kernel y(i) of (A(i,j) = %A, x(j) = %x, A2(j,i) = %A) : tensor<?xf64> {
// CHECK-NEXT:    cin.forall i in A.i & U.i {
// CHECK-NEXT:      cin.forall j in A.j & x.j {
// CHECK-NEXT:        cin.assign y(i) += A(i,j) * x(j)
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    cin.forall j in empty {
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// GENERIC-LABEL: "spmv"
// GENERIC:       "cin.kernel"(%A, %x, %A) <{target = #cin.access<y(i)>,
// GENERIC-SAME:    accesses = [#cin.access<A(i,j)>, #cin.access<x(j)>, #cin.access<A2(j,i)>]
// GENERIC-NEXT:    "cin.forall"() <{index_var = "i", domain = #cin.set<A.i & U.i>, located = []}>
// GENERIC-NEXT:      "cin.forall"() <{index_var = "j", domain = #cin.set<A.j & x.j>, located = []}>
// GENERIC-NEXT:        "cin.assign"() <{statement = #cin.statement<y(i) += A(i,j) * x(j)>}>
func.func @spmv(%A: !csr, %x: tensor<?xf64>) {
  %y = cin.kernel y(i) of (A(i,j) = %A, x(j) = %x, A2(j,i) = %A) : tensor<?xf64> {
    cin.forall i in A.i & U.i {  // broadcast of x
      cin.forall j in A.j & x.j { cin.assign y(i) += A(i,j) * x(j) }
    }
    cin.forall j in empty {}
  }
  func.return
}

// What is sought is said by `seeking`, before what is located.
// CHECK-LABEL: @seeking(
// CHECK:         cin.forall j in A.j & s.j & r.j seeking s.j, r.j with x.j = j {
// GENERIC-LABEL: "seeking"
// GENERIC:       located = [#cin.set<x.j>], sought = [#cin.set<s.j>, #cin.set<r.j>]}>
func.func @seeking(%A: !csr, %s: !sv, %r: !sv, %x: tensor<?xf64>) {
  %y = cin.kernel y(i) of (A(i,j) = %A, s(j) = %s, r(j) = %r, x(j) = %x) : tensor<?xf64> optimised {
    cin.forall i in U.i with A.i = i {
      cin.forall j in A.j & s.j & r.j seeking s.j, r.j with x.j = j {
        cin.assign y(i) += A(i,j) * s(j) * r(j) * x(j)
      }
    }
  }
  func.return
}

// Optimised: what is located is said by `with`.
// CHECK-LABEL: @optimised(
// CHECK:       : tensor<?xf64> optimised {
// CHECK-NEXT:    cin.forall i in U.i with A.i = i, b.i = i {
// CHECK-NEXT:      cin.where {
// CHECK-NEXT:        cin.assign y(i) = b(i) - t
// CHECK-NEXT:      } producing t {
// CHECK-NEXT:        cin.forall j in A.j with x.j = j {
// CHECK-NEXT:          cin.assign t += A(i,j) * x(j)
// GENERIC-LABEL: "optimised"
// GENERIC:       optimised
// GENERIC:       located = [#cin.set<A.i>, #cin.set<b.i>]
// GENERIC-NEXT:  "cin.where"() <{accessed = #cin.access<t>}>
func.func @optimised(%A: !csr, %x: tensor<?xf64>, %b: tensor<?xf64>) {
  %y = cin.kernel y(i) of (A(i,j) = %A, x(j) = %x, b(i) = %b) : tensor<?xf64> optimised {
    cin.forall i in U.i with A.i = i, b.i = i {
      cin.where {
        cin.assign y(i) = b(i) - t
      } producing t {
        cin.forall j in A.j with x.j = j {
          cin.assign t += A(i,j) * x(j)
        }
      }
    }
  }
  func.return
}

// A workspace that is a vector: how its entries are found again, and whether they are sorted.
// CHECK-LABEL: @lists(
// CHECK:       cin.where {
// CHECK-NEXT:    cin.forall j in w.j {
// CHECK-NEXT:      cin.assign Z(i,j) = w(j)
// CHECK-NEXT:    }
// CHECK-NEXT:  } producing w(j) : dense sorted {
// CHECK-NEXT:    cin.forall k in A.k {
// CHECK-NEXT:      cin.forall j in B.j {
// CHECK-NEXT:        cin.assign w(j) += A(i,k) * B(k,j)
// CHECK:       } producing v(j) : hash {
// GENERIC-LABEL: "lists"
// GENERIC:       "cin.where"() <{accessed = #cin.access<w(j)>, search = "dense", ordered}>
// GENERIC:       "cin.where"() <{accessed = #cin.access<v(j)>, search = "hash"}>
func.func @lists(%A: !csr, %B: !csr) {
  %Z = cin.kernel Z(i,j) of (A(i,k) = %A, B(k,j) = %B) : !csr {
    cin.forall i in A.i {
      cin.where {
        cin.forall j in w.j { cin.assign Z(i,j) = w(j) }
      } producing w(j): dense sorted {
        cin.forall k in A.k { cin.forall j in B.j { cin.assign w(j) += A(i,k) * B(k,j) } }
      }
    }
    cin.forall i in A.i {
      cin.where {
        cin.forall j in v.j { cin.assign Z(i,j) = v(j) }
      } producing v(j) : hash {
        cin.forall k in A.k { cin.forall j in B.j { cin.assign v(j) += A(i,k) * B(k,j) } }
      }
    }
  }
  func.return
}

// Set expressions are printed with the fewest parentheses; ~ binds tightest, then &, then |.
// CHECK-LABEL: @sets(
// CHECK:       cin.forall i in A.i | B.i & ~C.i {
// CHECK:       cin.forall i in (A.i | B.i) & ~(A.i & B.i) {
// CHECK:       cin.forall i in A.i & ~~B.i | U.i {
// CHECK-NEXT:    cin.forall j in C.j & ~(A.j | B.i) {
// CHECK-NEXT:      cin.assign Z(i,j) = unless(C(i,j), A(i,j) + B(i))
func.func @sets(%A: !dcsr, %b: tensor<?xf64, #format.spec<(i) -> (i : compressed)>>) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A, B(i) = %b, C(i,j) = %A) : !dcsr {
    cin.forall i in A.i | (B.i & (~C.i)) {}
    cin.forall i in (A.i|B.i)&~(A.i&B.i) {}
    cin.forall i in (A.i & ~(~B.i)) | U.i {
      cin.forall j in C.j & ~(A.j | B.i) {
        cin.assign Z(i,j) = unless(C(i,j), (A(i,j) + B(i)))
      }
    }
  }
  func.return
}

// A kernel of scalars has no loops; it may even have no operands.
// CHECK-LABEL: @scalars(
// CHECK-NEXT:  %z = cin.kernel z of (a = %a) : tensor<f64> {
// CHECK-NEXT:    cin.assign z max= a
// CHECK-NEXT:  }
// CHECK-NEXT:  %one = cin.kernel one of () : tensor<f64> {
func.func @scalars(%a: tensor<f64>) {
  %z = cin.kernel z of (a = %a) : tensor<f64> {
    cin.assign z max= a
  }
  %one = cin.kernel one of () : tensor<f64> {
    cin.assign one = 1.0
  }
  func.return
}

// The attributes by themselves.
// CHECK-LABEL: "attributes"
// CHECK-SAME:    access = #cin.access<A(i,j)>, scalar = #cin.access<s>
// CHECK-SAME:    set = #cin.set<A.i & ~B.i>, statement = #cin.statement<y(i) = a(i) * b(i)>
"test.op"() {name = "attributes", access = #cin.access<A(i, j)>, scalar = #cin.access<s>,
  set = #cin.set<A.i&~B.i>, statement = #cin.statement<y(i) = a(i) * b(i)>} : () -> ()

// Partitioned: how many workers share which loops.
// CHECK-LABEL: @partitioned(
// CHECK:       : tensor<?xf64> optimised partitioned into 8 over i in U.i, j in A.j combined by add {
// GENERIC-LABEL: "partitioned"
// GENERIC:       partition = #cin.partition<into 8 over i in U.i, j in A.j combined by add>
func.func @partitioned(%A: !csr) {
  %y = cin.kernel y(i) of (A(i,j) = %A) : tensor<?xf64> optimised partitioned into 8 over i in U.i, j in A.j combined by add {
    cin.forall i in U.i with A.i = i {
      cin.forall j in A.j { cin.assign y(i) += A(i,j) }
    }
  }
  func.return
}

// Work is only where operands meet.
// CHECK-LABEL: @met(
// CHECK:       optimised partitioned into 8 over i in A.i & B.i weighed by j in B.j met along A {
// GENERIC-LABEL: "met"
// GENERIC:       partition = #cin.partition<into 8 over i in A.i & B.i weighed by j in B.j met along A>
func.func @met(%A: !sv, %B: !dcsr) {
  %y = cin.kernel y(i) of (A(i) = %A, B(i,j) = %B) : tensor<?xf64> optimised partitioned into 8 over i in A.i & B.i weighed by j in B.j met along A {
    cin.forall i in A.i & B.i {
      cin.forall j in B.j { cin.assign y(i) += A(i) * B(i,j) }
    }
  }
  func.return
}

// Loops inside that stay whole can be work, too.
// CHECK-LABEL: @weighed(
// CHECK:       optimised partitioned into 8 over i in U.i weighed by j in A.j {
// GENERIC-LABEL: "weighed"
// GENERIC:       partition = #cin.partition<into 8 over i in U.i weighed by j in A.j>
func.func @weighed(%A: !csr) {
  %y = cin.kernel y(i) of (A(i,j) = %A) : tensor<?xf64> optimised partitioned into 8 over i in U.i weighed by j in A.j {
    cin.forall i in U.i with A.i = i {
      cin.forall j in A.j { cin.assign y(i) += A(i,j) }
    }
  }
  func.return
}

// Rows that entries lead to are work, too, counted before.
// CHECK-LABEL: @counted(
// CHECK:       optimised partitioned into 8 over i in U.i weighed by j in A.j counting k in B.k {
// GENERIC-LABEL: "counted"
// GENERIC:       partition = #cin.partition<into 8 over i in U.i weighed by j in A.j counting k in B.k>
func.func @counted(%A: !csr, %B: !csr) {
  %y = cin.kernel y(i) of (A(i,j) = %A, B(j,k) = %B) : tensor<?xf64> optimised partitioned into 8 over i in U.i weighed by j in A.j counting k in B.k {
    cin.forall i in U.i with A.i = i {
      cin.forall j in A.j with B.j = j {
        cin.forall k in B.k { cin.assign y(i) += A(i,j) * B(j,k) }
      }
    }
  }
  func.return
}
