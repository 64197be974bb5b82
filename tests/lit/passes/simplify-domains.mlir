// RUN: tamale-opt %s -p simplify-domains | filecheck %s

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>

// CHECK-LABEL: @identities(
func.func @identities(%a: !sv, %b: !sv, %c: !sv) {
  %y = cin.kernel y(i) of (a(i) = %a, b(i) = %b, c(i) = %c) : tensor<?xf64> {
    // A universe adds nothing to an intersection: only what is stored is visited.
    // CHECK: cin.forall i in a.i {
    cin.forall i in U.i & a.i & U.i {
      cin.assign y(i) = a(i)
    }
    // No coordinate is both in a set and nowhere; the loop stays, and visits nothing.
    // CHECK: cin.forall i in empty {
    cin.forall i in a.i & empty {
      cin.assign y(i) = a(i)
    }
    // CHECK: cin.forall i in a.i {
    cin.forall i in empty | a.i {
      cin.assign y(i) = a(i)
    }
    // CHECK: cin.forall i in U.i {
    cin.forall i in ~empty {
      cin.assign y(i) = a(i)
    }
    // CHECK: cin.forall i in empty {
    cin.forall i in ~U.i {
      cin.assign y(i) = a(i)
    }
    // CHECK: cin.forall i in a.i {
    cin.forall i in ~~a.i {
      cin.assign y(i) = a(i)
    }
    // CHECK: cin.forall i in a.i | b.i & c.i {
    cin.forall i in a.i | b.i & c.i & b.i | a.i {
      cin.assign y(i) = a(i)
    }
    // Nested sets of one kind are one set.
    // CHECK: cin.forall i in a.i & b.i & c.i {
    cin.forall i in a.i & (b.i & (c.i & a.i)) {
      cin.assign y(i) = a(i)
    }
    // Inside out: the universe appears only once the inner set is simple.
    // CHECK: cin.forall i in b.i {
    cin.forall i in b.i & ~(a.i & ~U.i) {
      cin.assign y(i) = b(i)
    }
    // What a set contains anyway goes, if it names nothing new.
    // CHECK: cin.forall i in ~(a.i & b.i) {
    cin.forall i in ~(a.i & b.i) | b.i & ~(a.i & b.i) {
      cin.assign y(i) = b(i)
    }
  }
  func.return
}

// What must stay: these sets denote the same coordinates, but their leaves select cases.
// CHECK-LABEL: @selectors(
func.func @selectors(%a: !sv, %b: !sv, %c: !sv) {
  %y = cin.kernel y(i) of (a(i) = %a, b(i) = %b, c(i) = %c) : tensor<?xf64> {
    // The universe comes last.
    // CHECK: cin.forall i in a.i | U.i {
    cin.forall i in U.i | a.i {
      cin.assign y(i) = a(i)
    }
    // CHECK: cin.forall i in a.i | a.i & b.i {
    cin.forall i in a.i | a.i & b.i {
      cin.assign y(i) = a(i)
    }
    // CHECK: cin.forall i in a.i & (b.i | U.i) {
    cin.forall i in a.i & (b.i | U.i) {
      cin.assign y(i) = a(i)
    }
    // CHECK: cin.forall i in U.i {
    cin.forall i in U.i {
      cin.assign y(i) = a(i)
    }
    // CHECK: cin.forall i in a.i & ~(b.i | c.i) {
    cin.forall i in a.i & ~(b.i | c.i) {
      cin.assign y(i) = a(i)
    }
  }
  func.return
}

// Loops inside loops and workspaces are reached too; a resolved mask keeps its variable.
// CHECK-LABEL: @nested(
// CHECK:      cin.forall i in A.i {
// CHECK-NEXT:   cin.where {
// CHECK-NEXT:     cin.forall j in U.j {
// CHECK:          } producing t {
// CHECK-NEXT:       cin.forall j in A.j & ~m.i {
func.func @nested(%A: !dcsr, %m: !sv) {
  %Y = cin.kernel Y(i,j) of (A(i,j) = %A, m(i) = %m) : tensor<?x?xf64> {
    cin.forall i in A.i & U.i {
      cin.where {
        cin.forall j in U.j & U.j {
          cin.assign Y(i,j) = t
        }
      } producing t {
        cin.forall j in A.j & ~m.i & U.j {
          cin.assign t += A(i,j)
        }
      }
    }
  }
  func.return
}
