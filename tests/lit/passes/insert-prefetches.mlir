// RUN: tamale-opt %s -p insert-prefetches | filecheck %s

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>
!dok = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : hashed)>>

// The rows of B that later entries of A lead to: edges far ahead, entries near. Looking ahead stops at A's last position, which
// is found out once, outside of all loops.
// CHECK-LABEL: @gather(
// CHECK:      %A2_count = cfir.count %A 1
// CHECK-NEXT: %A2_last = arith.subi %A2_count, %{{.*}} : index
// CHECK-NEXT: scf.for %i =
// CHECK:        scf.for %p = %begin to %end
// CHECK-NEXT:     %[[FAR:.*]] = arith.addi %p, %{{.*}} : index
// CHECK-NEXT:     %[[CLAMPED:.*]] = arith.minsi %[[FAR]], %A2_last : index
// CHECK-NEXT:     %[[K_FAR:.*]] = cfir.pos_access %A 1(%[[CLAMPED]])
// CHECK-NEXT:     %[[EDGES:.*]], %{{.*}} = cfir.locate %B 0(%zero, %[[K_FAR]])
// CHECK-NEXT:     cfir.prefetch "edges" of %B 1(%[[EDGES]])
// CHECK:          %[[K_NEAR:.*]] = cfir.pos_access %A 1(
// CHECK-NEXT:     %[[PARENT:.*]], %{{.*}} = cfir.locate %B 0(%zero, %[[K_NEAR]])
// CHECK-NEXT:     %[[FIRST:.*]], %{{.*}} = cfir.pos_bounds %B 1(%[[PARENT]])
// CHECK-NEXT:     cfir.prefetch "entries" of %B 1(%[[FIRST]])
// CHECK-NEXT:     %k = cfir.pos_access %A 1(%p)
func.func @gather(%A: !csr, %B: !csr, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %begin, %end = cfir.pos_bounds %A 1(%i) : !csr
    scf.for %p = %begin to %end step %one {
      %k = cfir.pos_access %A 1(%p) : !csr
      %row, %found = cfir.locate %B 0(%zero, %k) : !csr
      %first, %last = cfir.pos_bounds %B 1(%row) : !csr
      scf.for %q = %first to %last step %one {
        "test.op"(%q) : (index) -> ()
      }
    }
  }
  func.return
}

// Near miss: the widths of the rows are asked for, but no loop enters them.
// CHECK-LABEL: @widths(
// CHECK-NOT:   prefetch
func.func @widths(%A: !csr, %B: !csr, %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %p = %begin to %end step %one {
    %k = cfir.pos_access %A 1(%p) : !csr
    %row, %found = cfir.locate %B 0(%zero, %k) : !csr
    %first, %last = cfir.pos_bounds %B 1(%row) : !csr
    %width = arith.subi %last, %first : index
    "test.op"(%width) : (index) -> ()
  }
  func.return
}

// Near miss: to find a row of B means to search for it.
// CHECK-LABEL: @search(
// CHECK-NOT:   prefetch
func.func @search(%A: !csr, %B: !dcsr, %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %p = %begin to %end step %one {
    %k = cfir.pos_access %A 1(%p) : !csr
    %row, %found = cfir.locate %B 0(%zero, %k) : !dcsr
    %first, %last = cfir.pos_bounds %B 1(%row) : !dcsr
    scf.for %q = %first to %last step %one {
      "test.op"(%q) : (index) -> ()
    }
  }
  func.return
}

// Near miss: later places of a hash table may be free, and lead nowhere.
// CHECK-LABEL: @free_places(
// CHECK-NOT:   prefetch
func.func @free_places(%A: !dok, %B: !csr, %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %p = %begin to %end step %one {
    %k = cfir.pos_access %A 1(%p) : !dok
    %row, %found = cfir.locate %B 0(%zero, %k) : !csr
    %first, %last = cfir.pos_bounds %B 1(%row) : !csr
    scf.for %q = %first to %last step %one {
      "test.op"(%q) : (index) -> ()
    }
  }
  func.return
}

// Near miss: what is walked in order is fetched ahead by the processor itself.
// CHECK-LABEL: @in_order(
// CHECK-NOT:   prefetch
func.func @in_order(%B: !csr, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %row, %found = cfir.locate %B 0(%zero, %i) : !csr
    %first, %last = cfir.pos_bounds %B 1(%row) : !csr
    scf.for %q = %first to %last step %one {
      "test.op"(%q) : (index) -> ()
    }
  }
  func.return
}

// A row of a dense matrix is one block. It is asked for where there are many, few of them near one another, and more values
// than the cache holds; this is found out once.
// CHECK-LABEL: @rows(
// CHECK:      %A2_count = cfir.count %A 1
// CHECK:      scf.if %{{.*}} {
// CHECK:        scf.for %s =
// CHECK:          scf.for %d =
// CHECK:            cfir.pos_access %A 1(%p)
// CHECK:      %[[VALUES:.*]] = cfir.count %X 1
// CHECK:      %[[LARGE:.*]] = arith.cmpi sgt, %[[VALUES]], %{{.*}} : index
// CHECK-NEXT: %pays = arith.andi %{{.*}}, %[[LARGE]] : i1
// CHECK-NEXT: scf.for %i =
// CHECK:        scf.for %q = %begin to %end
// CHECK-NEXT:     scf.if %pays {
// CHECK:            %[[J_AHEAD:.*]] = cfir.pos_access %A 1(
// CHECK-NEXT:       %[[ROW:.*]], %{{.*}} = cfir.locate %X 0(%zero, %[[J_AHEAD]])
// CHECK-NEXT:       cfir.prefetch "row" of %X 0(%[[ROW]])
// CHECK-NEXT:     }
// CHECK-NEXT:     %j = cfir.pos_access %A 1(%q)
func.func @rows(%A: !csr, %X: tensor<?x?xf64>, %n: index, %m: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %begin, %end = cfir.pos_bounds %A 1(%i) : !csr
    scf.for %q = %begin to %end step %one {
      %j = cfir.pos_access %A 1(%q) : !csr
      %row, %found = cfir.locate %X 0(%zero, %j) : tensor<?x?xf64>
      scf.for %k = %zero to %m step %one {
        %place, %there = cfir.locate %X 1(%row, %k) : tensor<?x?xf64>
        %value = cfir.load %X(%place) : tensor<?x?xf64> -> f64
        "test.op"(%value) : (f64) -> ()
      }
    }
  }
  func.return
}

// Near miss: one element of the row is all that is read.
// CHECK-LABEL: @one_element(
// CHECK-NOT:   prefetch
func.func @one_element(%A: !csr, %X: tensor<?x?xf64>, %begin: index, %end: index, %k: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %q = %begin to %end step %one {
    %j = cfir.pos_access %A 1(%q) : !csr
    %row, %found = cfir.locate %X 0(%zero, %j) : tensor<?x?xf64>
    %place, %there = cfir.locate %X 1(%row, %k) : tensor<?x?xf64>
    %value = cfir.load %X(%place) : tensor<?x?xf64> -> f64
    "test.op"(%value) : (f64) -> ()
  }
  func.return
}
