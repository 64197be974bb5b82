// RUN: tamale-opt %s -p 'unroll-and-jam{elements=8}' | filecheck %s

// Every element of the row sums over the same entries: eight of them side by side, then four; what
// is left is summed one by one, as before. What all share is computed once an entry.
// CHECK-LABEL: @rows(
// CHECK:      %in_halves = arith.subi %n,
// CHECK:      %in_tiles = arith.subi %n,
// CHECK:      scf.for %r_tile = %{{.*}} to %in_tiles step %{{.*}} {
// CHECK-NEXT:   %from = memref.load %pos[%{{.*}}]
// CHECK-NEXT:   scf.for [[S:%\w+]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-NEXT:     %r = arith.addi %r_tile, [[S]]
// CHECK-NEXT:     memref.store %{{.*}}, [[TILE:%\w+]]{{\[}}[[S]]] : memref<8xf64>
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.for %p = %from to %end
// CHECK-NEXT:     %k = memref.load %crd[%p]
// CHECK-NEXT:     %row = arith.muli %k, %n
// CHECK-NEXT:     scf.for [[T:%\w+]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-NEXT:       [[R:%\w+]] = arith.addi %r_tile, [[T]]
// CHECK-NEXT:       [[AT:%\w+]] = arith.addi %row, [[R]]
// CHECK-NEXT:       %b = memref.load %B{{\[}}[[AT]]]
// CHECK-NEXT:       %before = memref.load [[TILE]]{{\[}}[[T]]] : memref<8xf64>
// CHECK-NEXT:       %after = arith.addf %before, %b
// CHECK-NEXT:       memref.store %after, [[TILE]]{{\[}}[[T]]] : memref<8xf64>
// CHECK:        scf.for [[U:%\w+]] =
// CHECK-NEXT:     [[Z:%\w+]] = arith.addi %r_tile, [[U]]
// CHECK-NEXT:     %y = memref.load %Y{{\[}}[[Z]]]
// CHECK-NEXT:     %made = memref.load [[TILE]]{{\[}}[[U]]]
// CHECK-NEXT:     %value = arith.subf %y, %made
// CHECK-NEXT:     memref.store %value, %Z{{\[}}[[Z]]]
// CHECK:      scf.for %r_tile_1 = %in_tiles to %in_halves
// CHECK:        memref<4xf64>
// CHECK:      scf.for %r_{{[0-9]+}} = %in_halves to %n
// CHECK:        memref.alloca() : memref<f64>
// CHECK:        memref.store %{{.*}}, %Z
// CHECK-NOT:  scf.for
func.func @rows(%n: index, %end: index, %pos: memref<?xindex>, %crd: memref<?xindex>, %B: memref<?xf64>, %Y: memref<?xf64>, %Z: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f64
  scf.for %r = %zero to %n step %one {
    %y = memref.load %Y[%r] : memref<?xf64>
    %sum = memref.alloca() : memref<f64>
    memref.store %start, %sum[] : memref<f64>
    %from = memref.load %pos[%zero] : memref<?xindex>
    scf.for %p = %from to %end step %one {
      %k = memref.load %crd[%p] : memref<?xindex>
      %row = arith.muli %k, %n : index
      %at = arith.addi %row, %r : index
      %b = memref.load %B[%at] : memref<?xf64>
      %before = memref.load %sum[] : memref<f64>
      %after = arith.addf %before, %b : f64
      memref.store %after, %sum[] : memref<f64>
    }
    %made = memref.load %sum[] : memref<f64>
    %value = arith.subf %y, %made : f64
    memref.store %value, %Z[%r] : memref<?xf64>
  }
  func.return
}

// Sums of two loops, one in the other, each with a tile; a known length needs no rest.
// CHECK-LABEL: @nested(
// CHECK-DAG:  %outer_tile = memref.alloca() : memref<8xf64>
// CHECK-DAG:  %inner_tile = memref.alloca() : memref<8xf64>
// CHECK:      scf.for %r_tile =
// CHECK:        scf.for %p =
// CHECK-NEXT:     scf.for [[S:%\w+]] =
// CHECK-NEXT:       arith.addi %r_tile, [[S]]
// CHECK-NEXT:       memref.store %{{.*}}, %inner_tile{{\[}}[[S]]]
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.for %q =
// CHECK:            memref.store %{{.*}}, %inner_tile
// CHECK:          scf.for [[T:%\w+]] =
// CHECK:            memref.load %inner_tile{{\[}}[[T]]]
// CHECK:            memref.store %{{.*}}, %outer_tile{{\[}}[[T]]]
// CHECK:        memref.store %{{.*}}, %Z
// CHECK-NOT:  scf.for
func.func @nested(%m: index, %n: index, %B: memref<?xf64>, %Z: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  %start = arith.constant 0.0 : f64
  scf.for %r = %zero to %eight step %one {
    %outer = memref.alloca() : memref<f64>
    memref.store %start, %outer[] : memref<f64>
    scf.for %p = %zero to %m step %one {
      %inner = memref.alloca() : memref<f64>
      memref.store %start, %inner[] : memref<f64>
      scf.for %q = %zero to %n step %one {
        %row = arith.muli %q, %eight : index
        %at = arith.addi %row, %r : index
        %b = memref.load %B[%at] : memref<?xf64>
        %before = memref.load %inner[] : memref<f64>
        %after = arith.addf %before, %b : f64
        memref.store %after, %inner[] : memref<f64>
      }
      %made = memref.load %inner[] : memref<f64>
      %so_far = memref.load %outer[] : memref<f64>
      %more = arith.addf %so_far, %made : f64
      memref.store %more, %outer[] : memref<f64>
    }
    %all = memref.load %outer[] : memref<f64>
    memref.store %all, %Z[%r] : memref<?xf64>
  }
  func.return
}

// A value that the result has already may be read where the new one is stored.
// CHECK-LABEL: @added(
// CHECK:      memref<8xf64>
func.func @added(%m: index, %n: index, %B: memref<?xf64>, %Z: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f64
  scf.for %r = %zero to %n step %one {
    %sum = memref.alloca() : memref<f64>
    memref.store %start, %sum[] : memref<f64>
    scf.for %p = %zero to %m step %one {
      %row = arith.muli %p, %n : index
      %at = arith.addi %row, %r : index
      %b = memref.load %B[%at] : memref<?xf64>
      %before = memref.load %sum[] : memref<f64>
      %after = arith.addf %before, %b : f64
      memref.store %after, %sum[] : memref<f64>
    }
    %made = memref.load %sum[] : memref<f64>
    %old = memref.load %Z[%r] : memref<?xf64>
    %value = arith.addf %old, %made : f64
    memref.store %value, %Z[%r] : memref<?xf64>
  }
  func.return
}

// Near miss: a column of B, whose elements lie one after the other, is summed where it lies.
// CHECK-LABEL: @columns(
// CHECK-NOT:  memref<8xf64>
// CHECK:      return
func.func @columns(%m: index, %n: index, %B: memref<?xf64>, %Z: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f64
  scf.for %r = %zero to %n step %one {
    %sum = memref.alloca() : memref<f64>
    memref.store %start, %sum[] : memref<f64>
    scf.for %p = %zero to %m step %one {
      %column = arith.muli %r, %m : index
      %at = arith.addi %column, %p : index
      %b = memref.load %B[%at] : memref<?xf64>
      %before = memref.load %sum[] : memref<f64>
      %after = arith.addf %before, %b : f64
      memref.store %after, %sum[] : memref<f64>
    }
    %made = memref.load %sum[] : memref<f64>
    memref.store %made, %Z[%r] : memref<?xf64>
  }
  func.return
}

// Near miss: how much is summed depends on the element.
// CHECK-LABEL: @triangle(
// CHECK-NOT:  memref<8xf64>
// CHECK:      return
func.func @triangle(%n: index, %B: memref<?xf64>, %Z: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f64
  scf.for %r = %zero to %n step %one {
    %sum = memref.alloca() : memref<f64>
    memref.store %start, %sum[] : memref<f64>
    scf.for %p = %zero to %r step %one {
      %row = arith.muli %p, %n : index
      %at = arith.addi %row, %r : index
      %b = memref.load %B[%at] : memref<?xf64>
      %before = memref.load %sum[] : memref<f64>
      %after = arith.addf %before, %b : f64
      memref.store %after, %sum[] : memref<f64>
    }
    %made = memref.load %sum[] : memref<f64>
    memref.store %made, %Z[%r] : memref<?xf64>
  }
  func.return
}

// Near miss: later elements read what earlier ones have stored.
// CHECK-LABEL: @substitution(
// CHECK-NOT:  memref<8xf64>
// CHECK:      return
func.func @substitution(%m: index, %n: index, %B: memref<?xf64>, %Z: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f64
  scf.for %r = %zero to %n step %one {
    %sum = memref.alloca() : memref<f64>
    memref.store %start, %sum[] : memref<f64>
    scf.for %p = %zero to %m step %one {
      %row = arith.muli %p, %n : index
      %at = arith.addi %row, %r : index
      %b = memref.load %B[%at] : memref<?xf64>
      %z = memref.load %Z[%p] : memref<?xf64>
      %product = arith.mulf %b, %z : f64
      %before = memref.load %sum[] : memref<f64>
      %after = arith.addf %before, %product : f64
      memref.store %after, %sum[] : memref<f64>
    }
    %made = memref.load %sum[] : memref<f64>
    memref.store %made, %Z[%r] : memref<?xf64>
  }
  func.return
}

// Near miss: all elements are stored in the same place; only the last one counts.
// CHECK-LABEL: @last(
// CHECK-NOT:  memref<8xf64>
// CHECK:      return
func.func @last(%m: index, %n: index, %B: memref<?xf64>, %Z: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f64
  scf.for %r = %zero to %n step %one {
    %sum = memref.alloca() : memref<f64>
    memref.store %start, %sum[] : memref<f64>
    scf.for %p = %zero to %m step %one {
      %row = arith.muli %p, %n : index
      %at = arith.addi %row, %r : index
      %b = memref.load %B[%at] : memref<?xf64>
      %before = memref.load %sum[] : memref<f64>
      %after = arith.addf %before, %b : f64
      memref.store %after, %sum[] : memref<f64>
    }
    %made = memref.load %sum[] : memref<f64>
    memref.store %made, %Z[%zero] : memref<?xf64>
  }
  func.return
}

// Near miss: what is stored at the end is the sum as it was before the loop.
// CHECK-LABEL: @before(
// CHECK-NOT:  memref<8xf64>
// CHECK:      return
func.func @before(%m: index, %n: index, %B: memref<?xf64>, %Z: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %r = %zero to %n step %one {
    %own = memref.alloca() : memref<f64>
    %first = memref.load %B[%r] : memref<?xf64>
    memref.store %first, %own[] : memref<f64>
    %old = memref.load %own[] : memref<f64>
    scf.for %p = %zero to %m step %one {
      %row = arith.muli %p, %n : index
      %at = arith.addi %row, %r : index
      %b = memref.load %B[%at] : memref<?xf64>
      %before = memref.load %own[] : memref<f64>
      %after = arith.addf %before, %b : f64
      memref.store %after, %own[] : memref<f64>
    }
    memref.store %old, %Z[%r] : memref<?xf64>
  }
  func.return
}

// Near miss: one sum goes on from element to element.
// CHECK-LABEL: @running(
// CHECK-NOT:  memref<8xf64>
// CHECK:      return
func.func @running(%m: index, %n: index, %B: memref<?xf64>, %Z: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %sum = memref.alloca() : memref<f64>
  scf.for %r = %zero to %n step %one {
    scf.for %p = %zero to %m step %one {
      %row = arith.muli %p, %n : index
      %at = arith.addi %row, %r : index
      %b = memref.load %B[%at] : memref<?xf64>
      %before = memref.load %sum[] : memref<f64>
      %after = arith.addf %before, %b : f64
      memref.store %after, %sum[] : memref<f64>
    }
    %made = memref.load %sum[] : memref<f64>
    memref.store %made, %Z[%r] : memref<?xf64>
  }
  func.return
}

// Near miss: registers hold no several complex numbers.
// CHECK-LABEL: @complex(
// CHECK-NOT:  memref<8xcomplex
// CHECK:      return
func.func @complex(%m: index, %n: index, %B: memref<?xcomplex<f64>>, %Z: memref<?xcomplex<f64>>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %r = %zero to %n step %one {
    %sum = memref.alloca() : memref<complex<f64>>
    %first = memref.load %Z[%r] : memref<?xcomplex<f64>>
    memref.store %first, %sum[] : memref<complex<f64>>
    scf.for %p = %zero to %m step %one {
      %row = arith.muli %p, %n : index
      %at = arith.addi %row, %r : index
      %b = memref.load %B[%at] : memref<?xcomplex<f64>>
      %before = memref.load %sum[] : memref<complex<f64>>
      %after = complex.add %before, %b : complex<f64>
      memref.store %after, %sum[] : memref<complex<f64>>
    }
    %made = memref.load %sum[] : memref<complex<f64>>
    memref.store %made, %Z[%r] : memref<?xcomplex<f64>>
  }
  func.return
}

// Each worker has a tile of its own.
// CHECK-LABEL: @workers(
// CHECK-NOT:  memref.alloca
// CHECK:      "scf.parallel"
// CHECK-NEXT: ^{{.*}}(%w: index):
// CHECK-NEXT:   %sum_tile = memref.alloca() : memref<4xf64>
// CHECK-NEXT:   %sum_tile_1 = memref.alloca() : memref<8xf64>
func.func @workers(%n: index, %m: index, %B: memref<?xf64>, %Z: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f64
  "scf.parallel"(%zero, %m, %one) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%w: index):
    scf.for %r = %zero to %n step %one {
      %sum = memref.alloca() : memref<f64>
      memref.store %start, %sum[] : memref<f64>
      scf.for %p = %zero to %w step %one {
        %b = memref.load %B[%r] : memref<?xf64>
        %before = memref.load %sum[] : memref<f64>
        %after = arith.addf %before, %b : f64
        memref.store %after, %sum[] : memref<f64>
      }
      %made = memref.load %sum[] : memref<f64>
      %row = arith.muli %w, %n : index
      %place = arith.addi %row, %r : index
      memref.store %made, %Z[%place] : memref<?xf64>
    }
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}

// Near miss: every other element.
// CHECK-LABEL: @apart(
// CHECK-NOT:  memref<8xf64>
// CHECK:      return
func.func @apart(%m: index, %n: index, %B: memref<?xf64>, %Z: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f64
  scf.for %r = %zero to %n step %one {
    %sum = memref.alloca() : memref<f64>
    memref.store %start, %sum[] : memref<f64>
    scf.for %p = %zero to %m step %one {
      %at = arith.addi %r, %r : index
      %b = memref.load %B[%at] : memref<?xf64>
      %before = memref.load %sum[] : memref<f64>
      %after = arith.addf %before, %b : f64
      memref.store %after, %sum[] : memref<f64>
    }
    %made = memref.load %sum[] : memref<f64>
    memref.store %made, %Z[%r] : memref<?xf64>
  }
  func.return
}
