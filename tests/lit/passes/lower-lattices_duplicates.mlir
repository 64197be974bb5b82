// RUN: tamale-opt %s -p lower-lattices | filecheck %s

!vec = tensor<?xf64>
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!coo = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique), j : singleton)>>
!multi = tensor<?xf64, #format.spec<(i) -> (i : compressed(nonunique))>>

// Each entry of coo adds its share: duplicates of a row are no different from other rows.
// CHECK-LABEL: @adds_up(
// CHECK:      scf.for %pA1 =
// CHECK-NOT:  scf.while
// CHECK:      cfir.store
func.func @adds_up(%A: !coo) -> !vec {
  %y = cfir.kernel y(i) of (A(i,j) = %A) : !vec {
    cfir.lattice i over A.i
    case A.i {
      cfir.lattice j over A.j
      case A.j {
        cfir.assign y(i) += A(i,j)
      }
    }
  }
  func.return %y : !vec
}

// A row is assigned once: its entries are gathered first, and the singleton below is walked from the
// first to the last of them.
// CHECK-LABEL: @gathers(
// CHECK:      scf.while
// CHECK:        %pA1_next = memref.alloca() : memref<index>
// CHECK:        scf.if %at_A {
// CHECK:          scf.while
// CHECK:        cfir.pos_bounds %A 1(%{{.*}})
// CHECK:        %[[LAST:.*]] = arith.subi %{{.*}}, %{{.*}} : index
// CHECK-NEXT:   %{{.*}}, %pA2_end = cfir.pos_bounds %A 1(%[[LAST]])
// CHECK-NEXT:   scf.for %pA2 = %pA2_begin to %pA2_end
func.func @gathers(%A: !coo) -> !vec {
  %y = cfir.kernel y(i) of (A(i,j) = %A) : !vec {
    cfir.lattice i over A.i
    case A.i {
      cfir.where {
        cfir.assign y(i) = t
      } producing t {
        cfir.lattice j over A.j
        case A.j {
          cfir.assign t max= A(i,j)
        }
      }
    }
  }
  func.return %y : !vec
}
