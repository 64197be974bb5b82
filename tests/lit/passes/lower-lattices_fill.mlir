// RUN: tamale-opt %s -p lower-lattices | filecheck %s

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>
!coo = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique), j : singleton)>>

// The row says where its entries go: nothing is carried from one row to the next, no room is asked for, no edge written.
// CHECK-LABEL: @rows(
// CHECK-NOT:  cfir.assemble
// CHECK:      scf.for %i
// CHECK:        %pZ1, %{{.*}} = cfir.locate %Z 0(%{{.*}}, %i)
// CHECK-NEXT:   %Z2_begin = assembly.first_pos %Z 1(%pZ1)
// CHECK-NEXT:   %pZ2 = memref.alloca() : memref<index>
// CHECK-NEXT:   memref.store %Z2_begin, %pZ2[]
// CHECK:        scf.for %pA2
// CHECK:          %[[AT:.*]] = memref.load %pZ2[]
// CHECK-NEXT:     assembly.insert_coord %Z 1(%pZ1, %[[AT]], %i, %j)
// CHECK-NEXT:     assembly.store %{{.*}} into %Z(%[[AT]])
// CHECK:          memref.store %{{.*}}, %pZ2[]
// CHECK-NOT:  cfir.reserve
// CHECK-NOT:  cfir.append_edges
// CHECK:      assembly.finish %Z
func.func @rows(%A: !csr, %Z0: !csr) -> !csr {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A) : !csr into %Z0 {
    cfir.lattice i over U.i with A.i = i
    case U.i {
      cfir.lattice j over A.j
      case A.j { cfir.append Z(i,j) = 2 * A(i,j) }
    }
  }
  func.return %Z : !csr
}

// Below sparse rows the entries of one row begin where those of the row before end; the position of the rows moves on if
// the row got entries. Coordinates of rows are there already.
// CHECK-LABEL: @sparse_rows(
// CHECK:      %Z1_begin = assembly.first_pos %Z 0(%[[ROOT:.*]])
// CHECK:      memref.store %Z1_begin, %pZ1[]
// CHECK-NEXT: %Z2_begin = assembly.first_pos %Z 1(%Z1_begin)
// CHECK:      memref.store %Z2_begin, %pZ2[]
// CHECK:      scf.for %pA1
// CHECK:        %[[PARENT:.*]] = memref.load %pZ1[]
// CHECK-NEXT:   %[[BEGIN:.*]] = memref.load %pZ2[]
// CHECK-NOT:    insert_coord %Z 0
// CHECK:          assembly.insert_coord %Z 1(%[[PARENT]], %{{.*}}, %i, %j)
// CHECK:        %[[ANY:.*]] = arith.cmpi sgt, %{{.*}}, %[[BEGIN]]
// CHECK-NEXT:   scf.if %[[ANY]] {
// CHECK:          memref.store %{{.*}}, %pZ1[]
func.func @sparse_rows(%A: !dcsr, %B: !csr, %Z0: !dcsr) -> !dcsr {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B) : !dcsr into %Z0 {
    cfir.lattice i over A.i with B.i = i
    case A.i {
      cfir.lattice j over A.j & B.j
      case A.j & B.j { cfir.append Z(i,j) = A(i,j) * B(i,j) }
    }
  }
  func.return %Z : !dcsr
}

// Levels that share positions get a coordinate each, below the one root.
// CHECK-LABEL: @list(
// CHECK:      %[[AT:.*]] = memref.load %pZ2[]
// CHECK-NEXT: assembly.insert_coord %Z 0(%{{.*}}, %[[AT]], %i)
// CHECK-NEXT: assembly.insert_coord %Z 1(%[[AT]], %[[AT]], %i, %j)
func.func @list(%A: !csr, %Z0: !coo) -> !coo {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A) : !coo into %Z0 {
    cfir.lattice i over U.i with A.i = i
    case U.i {
      cfir.lattice j over A.j
      case A.j { cfir.append Z(i,j) = A(i,j) }
    }
  }
  func.return %Z : !coo
}

// What a scalar's mark decides in the loops that count: an entry is inserted into the list if there is one, and a count
// that is 0 is none.
// CHECK-LABEL: @counts(
// CHECK:      %c_filled = memref.alloca() : memref<i1>
// CHECK:      %[[WIDTH:.*]] = arith.subi %{{.*}}, %{{.*}} : index
// CHECK:      %[[ONE:.*]] = arith.select
// CHECK-NEXT: %[[SOME:.*]] = arith.cmpi ne, %[[ONE]]
// CHECK-NEXT: %[[BEFORE:.*]] = memref.load %c_filled[]
// CHECK-NEXT: %[[NOW:.*]] = arith.ori %[[BEFORE]], %[[SOME]] : i1
// CHECK-NEXT: memref.store %[[NOW]], %c_filled[]
// CHECK:      %[[FILLED:.*]] = memref.load %c_filled[]
// CHECK-NEXT: scf.if %[[FILLED]] {
// CHECK:        assembly.insert_coord %n 0
!counts = tensor<?xi64, #format.spec<(i) -> (i : compressed)>>
func.func @counts(%A: !csr, %n0: !counts) -> !counts {
  %n = cfir.kernel n(i) of (A(i,j) = %A) : !counts into %n0 {
    cfir.lattice i over U.i with A.i = i
    case U.i {
      cfir.where {
        cfir.append n(i) = c
      } producing c {
        cfir.assign c += width(A(i,j))
      }
    }
  }
  func.return %n : !counts
}
