// RUN: tamale-opt %s -p lower-lattices | filecheck %s

!vec = tensor<?xf64>
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>

// The universe alone is counted, one operand alone is walked, and what is located is computed.
// CHECK-LABEL: @spmv(
// CHECK:      %y = cfir.assemble : tensor<?xf64>
// CHECK-NEXT: %A_dim1 = cfir.dim %A 0
// CHECK-NEXT: scf.for %i = %{{.*}} to %A_dim1 step
// CHECK-NEXT:   %pA1, %{{.*}} = cfir.locate %A 0(%{{.*}}, %i)
// CHECK-NEXT:   %t = memref.alloca() : memref<f64>
// CHECK:        %pA2_begin, %pA2_end = cfir.pos_bounds %A 1(%pA1)
// CHECK-NEXT:   scf.for %pA2 = %pA2_begin to %pA2_end step
// CHECK-NEXT:     %j = cfir.pos_access %A 1(%pA2)
// CHECK-NEXT:     %px1, %{{.*}} = cfir.locate %x 0(%{{.*}}, %j)
// CHECK-NEXT:     cfir.load %A(%pA2)
// CHECK-NEXT:     cfir.load %x(%px1)
// CHECK-NOT:  scf.while
// CHECK:      cfir.finish %y
func.func @spmv(%A: !csr, %x: !vec) -> !vec {
  %y = cfir.kernel y(i) of (A(i,j) = %A, x(j) = %x) : !vec {
    cfir.lattice i over U.i with A.i = i
    case U.i {
      cfir.where {
        cfir.assign y(i) = t
      } producing t {
        cfir.lattice j over A.j with x.j = j
        case A.j {
          cfir.assign t += A(i,j) * x(j)
        }
      }
    }
  }
  func.return %y : !vec
}

// Two operands are merged while both last, at the smaller coordinate; each moves on if it was there.
// CHECK-LABEL: @multiply(
// CHECK:      scf.while
// CHECK:        %[[IN_A:.*]] = arith.cmpi slt, %{{.*}}, %pa1_end : index
// CHECK:        %[[IN_B:.*]] = arith.cmpi slt, %{{.*}}, %pb1_end : index
// CHECK-NEXT:   %[[BOTH:.*]] = arith.andi %[[IN_A]], %[[IN_B]] : i1
// CHECK-NEXT:   scf.condition(%[[BOTH]])
// CHECK:        %i = arith.minsi %ia, %ib : index
// CHECK-NEXT:   %at_a = arith.cmpi eq, %ia, %i : index
// CHECK-NEXT:   %at_b = arith.cmpi eq, %ib, %i : index
// CHECK-NEXT:   %[[HERE:.*]] = arith.andi %at_a, %at_b : i1
// CHECK-NEXT:   scf.if %[[HERE]] {
// CHECK:          arith.mulf
// CHECK:          %[[NEXT_A:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK-NEXT:     memref.store %[[NEXT_A]], %pa1[]
// CHECK-NEXT:     %[[NEXT_B:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK-NEXT:     memref.store %[[NEXT_B]], %pb1[]
// CHECK-NEXT:   } else {
// CHECK-NEXT:     scf.if %at_a {
// CHECK-NEXT:       arith.addi
// CHECK-NEXT:       memref.store %{{.*}}, %pa1[]
// CHECK-NEXT:     } else {
// CHECK-NEXT:       arith.addi
// CHECK-NEXT:       memref.store %{{.*}}, %pb1[]
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.yield
// CHECK-NOT:  scf.while
// CHECK-NOT:  scf.for
// CHECK:      func.return
func.func @multiply(%a: !sv, %b: !sv) -> !vec {
  %z = cfir.kernel z(i) of (a(i) = %a, b(i) = %b) : !vec {
    cfir.lattice i over a.i & b.i
    case a.i & b.i {
      cfir.assign z(i) = a(i) * b(i)
    }
  }
  func.return %z : !vec
}

// Three operands: where several of them may or may not be present, each moves by its own comparison.
// CHECK-LABEL: @multiply_three(
// CHECK:          arith.mulf
// CHECK:        } else {
// CHECK-NEXT:     %[[STEP:.*]] = arith.extui %at_a : i1 to i64
// CHECK-NEXT:     %[[BY:.*]] = arith.index_cast %[[STEP]] : i64 to index
// CHECK-NEXT:     %[[NEXT:.*]] = arith.addi %{{.*}}, %[[BY]] : index
// CHECK-NEXT:     memref.store %[[NEXT]], %pa1[]
// CHECK-NEXT:     arith.extui %at_b : i1 to i64
// CHECK:          memref.store %{{.*}}, %pb1[]
// CHECK-NEXT:     arith.extui %at_c : i1 to i64
// CHECK:          memref.store %{{.*}}, %pc1[]
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.yield
func.func @multiply_three(%a: !sv, %b: !sv, %c: !sv) -> !vec {
  %z = cfir.kernel z(i) of (a(i) = %a, b(i) = %b, c(i) = %c) : !vec {
    cfir.lattice i over a.i & b.i & c.i
    case a.i & b.i & c.i {
      cfir.assign z(i) = a(i) * b(i) * c(i)
    }
  }
  func.return %z : !vec
}

// A union goes on with what is left; of its cases the last needs no test, and moves only b.
// CHECK-LABEL: @add(
// CHECK:      scf.while
// CHECK:        scf.if %{{.*}} {
// CHECK:          arith.addf
// CHECK:        } else {
// CHECK-NEXT:     scf.if %at_a {
// CHECK:          } else {
// CHECK-NOT:        scf.if
// CHECK-NOT:        memref.store %{{.*}}, %pa1[]
// CHECK:            memref.store %{{.*}}, %pb1[]
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.yield
// CHECK:      scf.for %{{.*}} = %{{.*}} to %pa1_end
// CHECK:      scf.for %{{.*}} = %{{.*}} to %pb1_end
func.func @add(%a: !sv, %b: !sv) -> !vec {
  %z = cfir.kernel z(i) of (a(i) = %a, b(i) = %b) : !vec {
    cfir.lattice i over a.i | b.i
    case a.i & b.i {
      cfir.assign z(i) = a(i) + b(i)
    }
    case a.i {
      cfir.assign z(i) = a(i)
    }
    case b.i {
      cfir.assign z(i) = b(i)
    }
  }
  func.return %z : !vec
}

// A mask: the empty case only skips, and nothing is left to do once a has run out.
// CHECK-LABEL: @mask(
// CHECK:      scf.if %{{.*}} {
// CHECK-NOT:    cfir.store
// CHECK:        memref.store %{{.*}}, %pm1[]
// CHECK-NEXT: } else {
// CHECK-NEXT:   scf.if %at_a {
// CHECK:      scf.for %{{.*}} = %{{.*}} to %pa1_end
// CHECK-NOT:  scf.for
// CHECK-NOT:  scf.while
// CHECK:      func.return
func.func @mask(%a: !sv, %m: !sv) -> !vec {
  %z = cfir.kernel z(i) of (a(i) = %a, m(i) = %m) : !vec {
    cfir.lattice i over a.i & ~m.i
    case a.i & m.i {
    }
    case a.i {
      cfir.assign z(i) = a(i)
    }
  }
  func.return %z : !vec
}

// Where the universe drives, a counter gives the coordinates, and the operand only its cases.
// CHECK-LABEL: @select(
// CHECK:      %i = memref.alloca() : memref<index>
// CHECK:      scf.condition
// CHECK:        %[[I:.*]] = memref.load %i[]
// CHECK-NEXT:   %at_a = arith.cmpi eq, %ia, %[[I]] : index
// CHECK-NEXT:   scf.if %at_a {
// CHECK:          math.exp
// CHECK:          memref.store %{{.*}}, %pa1[]
// CHECK-NEXT:   } else {
// CHECK-NOT:      memref.store %{{.*}}, %pa1[]
// CHECK:        memref.store %{{.*}}, %i[]
// CHECK:      scf.for %{{.*}} = %{{.*}} to %{{.*}} step
// CHECK-NOT:    cfir.load
// CHECK:      func.return
func.func @select(%a: !sv) -> !vec {
  %z = cfir.kernel z(i) of (a(i) = %a) : !vec {
    cfir.lattice i over a.i | U.i
    case a.i {
      cfir.assign z(i) = exp(a(i))
    }
    case U.i {
      cfir.assign z(i) = 1
    }
  }
  func.return %z : !vec
}
