// RUN: tamale-opt %s -p 'tile-accumulators{elements=4 longest=64}' | filecheck %s

// The row of Z stays the same while %p runs over entries: four of its elements at a time are
// loaded, added to, and stored. Then two at a time; what is left is added to in memory, as before.
// CHECK-LABEL: @rows(
// CHECK:      %in_halves = arith.select
// CHECK:      %in_tiles = arith.select
// CHECK:      scf.for %i =
// CHECK-NEXT:   scf.for %r_tile = %{{.*}} to %in_tiles step %{{.*}} {
// CHECK-NEXT:     scf.for [[T:%\w+]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-NEXT:       [[R:%\w+]] = arith.addi %r_tile, [[T]]
// CHECK-NEXT:       %row = arith.muli %i, %n
// CHECK-NEXT:       %place = arith.addi %row, [[R]]
// CHECK-NEXT:       [[Z:%\w+]] = memref.load %Z[%place]
// CHECK-NEXT:       memref.store [[Z]], [[TILE:%\w+]]{{\[}}[[T]]] : memref<4xf64>
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.for %p = %begin to %end
// CHECK-NEXT:       %k = memref.load %crd[%p]
// CHECK-NEXT:       scf.for [[U:%\w+]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-NEXT:         %r = arith.addi %r_tile, [[U]]
// CHECK:              memref.load %B
// CHECK:              [[BEFORE:%\w+]] = memref.load [[TILE]]{{\[}}[[U]]] : memref<4xf64>
// CHECK-NEXT:         [[AFTER:%\w+]] = arith.addf [[BEFORE]],
// CHECK-NEXT:         memref.store [[AFTER]], [[TILE]]{{\[}}[[U]]] : memref<4xf64>
// CHECK:          scf.for [[V:%\w+]] =
// CHECK-NEXT:       [[SUM:%\w+]] = memref.load [[TILE]]{{\[}}[[V]]] : memref<4xf64>
// CHECK:            memref.store [[SUM]], %Z[
// CHECK:        scf.for %r_tile_1 = %in_tiles to %in_halves
// CHECK:          memref<2xf64>
// CHECK:        [[LEFT:%\w+]] = arith.cmpi slt, %in_halves, %n
// CHECK-NEXT:   scf.if [[LEFT]] {
// CHECK-NEXT:     scf.for %p
// CHECK:            scf.for %{{.*}} = %in_halves to %n
// CHECK:              memref.store %{{.*}}, %Z[
func.func @rows(%m: index, %n: index, %begin: index, %end: index, %crd: memref<?xindex>, %B: memref<?xf64>, %Z: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %m step %one {
    scf.for %p = %begin to %end step %one {
      %k = memref.load %crd[%p] : memref<?xindex>
      scf.for %r = %zero to %n step %one {
        %from = arith.muli %k, %n : index
        %at = arith.addi %from, %r : index
        %b = memref.load %B[%at] : memref<?xf64>
        %row = arith.muli %i, %n : index
        %place = arith.addi %row, %r : index
        %before = memref.load %Z[%place] : memref<?xf64>
        %after = arith.addf %before, %b : f64
        memref.store %after, %Z[%place] : memref<?xf64>
      }
    }
  }
  func.return
}

// A row that has just been cleared need not be loaded, nor cleared where tiles begin anew.
// CHECK-LABEL: @cleared(
// CHECK:      scf.for %c = %in_halves to %n
// CHECK-NEXT:   memref.store %{{.*}}, %Z[%c]
// CHECK:      scf.for %r_tile =
// CHECK-NEXT:   scf.for [[T:%\w+]] =
// CHECK-NEXT:     memref.store %start, %{{.*}}{{\[}}[[T]]] : memref<4xf64>
// CHECK-NEXT:   }
func.func @cleared(%n: index, %m: index, %start: f64, %B: memref<?xf64>, %Z: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %c = %zero to %n step %one {
    memref.store %start, %Z[%c] : memref<?xf64>
  }
  scf.for %k = %zero to %m step %one {
    scf.for %r = %zero to %n step %one {
      %b = memref.load %B[%r] : memref<?xf64>
      %before = memref.load %Z[%r] : memref<?xf64>
      %after = arith.addf %before, %b : f64
      memref.store %after, %Z[%r] : memref<?xf64>
    }
  }
  func.return
}

// Near miss: something else is written in the row in between.
// CHECK-LABEL: @cleared_and_written(
// CHECK:      scf.for %c = %zero to %n
// CHECK:      scf.for %r_tile =
// CHECK-NEXT:   scf.for [[T:%\w+]] =
// CHECK-NEXT:     [[R:%\w+]] = arith.addi %r_tile, [[T]]
// CHECK-NEXT:     memref.load %Z{{\[}}[[R]]]
func.func @cleared_and_written(%n: index, %m: index, %start: f64, %B: memref<?xf64>, %Z: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %c = %zero to %n step %one {
    memref.store %start, %Z[%c] : memref<?xf64>
  }
  %b0 = memref.load %B[%zero] : memref<?xf64>
  memref.store %b0, %Z[%zero] : memref<?xf64>
  scf.for %k = %zero to %m step %one {
    scf.for %r = %zero to %n step %one {
      %b = memref.load %B[%r] : memref<?xf64>
      %before = memref.load %Z[%r] : memref<?xf64>
      %after = arith.addf %before, %b : f64
      memref.store %after, %Z[%r] : memref<?xf64>
    }
  }
  func.return
}

// Near miss: another row was cleared.
// CHECK-LABEL: @cleared_elsewhere(
// CHECK:      scf.for %c = %zero to %n
// CHECK:      scf.for %r_tile =
// CHECK-NEXT:   scf.for [[T:%\w+]] =
// CHECK-NEXT:     [[R:%\w+]] = arith.addi %r_tile, [[T]]
// CHECK-NEXT:     memref.load %Z{{\[}}[[R]]]
func.func @cleared_elsewhere(%n: index, %m: index, %start: f64, %B: memref<?xf64>, %Z: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %c = %zero to %n step %one {
    %next = arith.addi %c, %n : index
    memref.store %start, %Z[%next] : memref<?xf64>
  }
  scf.for %k = %zero to %m step %one {
    scf.for %r = %zero to %n step %one {
      %b = memref.load %B[%r] : memref<?xf64>
      %before = memref.load %Z[%r] : memref<?xf64>
      %after = arith.addf %before, %b : f64
      memref.store %after, %Z[%r] : memref<?xf64>
    }
  }
  func.return
}

// What the loops do besides is done once: tiles leave it out, and all that it takes.
// CHECK-LABEL: @counted(
// CHECK:      scf.for %r_tile =
// CHECK-NOT:  %count
// CHECK:      scf.for %r_tile_1 =
// CHECK-NOT:  %count
// CHECK-NOT:  scf.if
// CHECK:      scf.for %p_2 = %zero to %m
// CHECK-NEXT:   %c = memref.load %count[]
// CHECK-NEXT:   %next = arith.addi %c, %one
// CHECK-NEXT:   memref.store %next, %count[]
// CHECK-NEXT:   scf.for %{{.*}} = %in_halves to %n
func.func @counted(%n: index, %m: index, %B: memref<?xf64>, %Z: memref<?xf64>) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %count = memref.alloca() : memref<index>
  memref.store %zero, %count[] : memref<index>
  scf.for %p = %zero to %m step %one {
    %c = memref.load %count[] : memref<index>
    %next = arith.addi %c, %one : index
    memref.store %next, %count[] : memref<index>
    scf.for %r = %zero to %n step %one {
      %b = memref.load %B[%r] : memref<?xf64>
      %before = memref.load %Z[%r] : memref<?xf64>
      %after = arith.addf %before, %b : f64
      memref.store %after, %Z[%r] : memref<?xf64>
    }
  }
  %counted = memref.load %count[] : memref<index>
  func.return %counted : index
}

// Near miss: what is added depends on what the loop has written.
// CHECK-LABEL: @depends(
// CHECK-NOT:  tile
// CHECK:      func.return
func.func @depends(%n: index, %m: index, %B: memref<?xf64>, %Z: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %count = memref.alloca() : memref<index>
  memref.store %zero, %count[] : memref<index>
  scf.for %p = %zero to %m step %one {
    %c = memref.load %count[] : memref<index>
    %next = arith.addi %c, %one : index
    memref.store %next, %count[] : memref<index>
    scf.for %r = %zero to %n step %one {
      %b = memref.load %B[%c] : memref<?xf64>
      %before = memref.load %Z[%r] : memref<?xf64>
      %after = arith.addf %before, %b : f64
      memref.store %after, %Z[%r] : memref<?xf64>
    }
  }
  func.return
}

// Near miss: each step adds to another row.
// CHECK-LABEL: @other_rows(
// CHECK-NOT:  tile
// CHECK:      func.return
func.func @other_rows(%n: index, %m: index, %B: memref<?xf64>, %Z: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %p = %zero to %m step %one {
    scf.for %r = %zero to %n step %one {
      %b = memref.load %B[%r] : memref<?xf64>
      %row = arith.muli %p, %n : index
      %place = arith.addi %row, %r : index
      %before = memref.load %Z[%place] : memref<?xf64>
      %after = arith.addf %before, %b : f64
      memref.store %after, %Z[%place] : memref<?xf64>
    }
  }
  func.return
}

// Near miss: elements are not one after the other.
// CHECK-LABEL: @scattered(
// CHECK-NOT:  tile
// CHECK:      func.return
func.func @scattered(%n: index, %m: index, %crd: memref<?xindex>, %Z: memref<?xf64>, %x: f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %p = %zero to %m step %one {
    scf.for %r = %zero to %n step %one {
      %place = memref.load %crd[%r] : memref<?xindex>
      %before = memref.load %Z[%place] : memref<?xf64>
      %after = arith.addf %before, %x : f64
      memref.store %after, %Z[%place] : memref<?xf64>
    }
  }
  func.return
}

// Near miss: the row is read elsewhere in the loops, where all of what was added must be there.
// CHECK-LABEL: @read_again(
// CHECK-NOT:  tile
// CHECK:      func.return
func.func @read_again(%n: index, %m: index, %Z: memref<?xf64>, %x: f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = memref.alloca() : memref<f64>
  scf.for %p = %zero to %m step %one {
    %z = memref.load %Z[%zero] : memref<?xf64>
    memref.store %z, %last[] : memref<f64>
    scf.for %r = %zero to %n step %one {
      %before = memref.load %Z[%r] : memref<?xf64>
      %after = arith.addf %before, %x : f64
      memref.store %after, %Z[%r] : memref<?xf64>
    }
  }
  %read = memref.load %last[] : memref<f64>
  "test.op"(%read) : (f64) -> ()
  func.return
}

// Near misses: three are no tile, and a hundred are too many.
// CHECK-LABEL: @short_and_long(
// CHECK-NOT:  tile
// CHECK:      func.return
func.func @short_and_long(%m: index, %Z: memref<?xf64>, %x: f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %few = arith.constant 1 : index
  %hundred = arith.constant 100 : index
  scf.for %p = %zero to %m step %one {
    scf.for %r = %zero to %few step %one {
      %before = memref.load %Z[%r] : memref<?xf64>
      %after = arith.addf %before, %x : f64
      memref.store %after, %Z[%r] : memref<?xf64>
    }
  }
  scf.for %p = %zero to %m step %one {
    scf.for %r = %zero to %hundred step %one {
      %before = memref.load %Z[%r] : memref<?xf64>
      %after = arith.addf %before, %x : f64
      memref.store %after, %Z[%r] : memref<?xf64>
    }
  }
  func.return
}

// Lines of a row of B that are asked for ahead are those of the tile.
// CHECK-LABEL: @asked_for(
// CHECK:      scf.for %r_tile =
// CHECK:        [[LOW:%line_begin\w*]] = arith.shrsi %r_tile, %{{.*}}
// CHECK:        [[HIGH:%line_end\w*]] = arith.minsi %lines,
// CHECK:        scf.for %p =
// CHECK:          scf.for %line = [[LOW]] to [[HIGH]]
// CHECK:            memref.prefetch
func.func @asked_for(%n: index, %m: index, %lines: index, %pays: i1, %crd: memref<?xindex>, %B: memref<?xf64>, %Z: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  scf.for %p = %zero to %m step %one {
    scf.if %pays {
      %ahead = arith.addi %p, %eight : index
      %k = memref.load %crd[%ahead] : memref<?xindex>
      %from = arith.muli %k, %n : index
      scf.for %line = %zero to %lines step %one {
        %elements = arith.muli %line, %eight : index
        %at = arith.addi %from, %elements : index
        memref.prefetch %B[%at], read, locality<3>, data : memref<?xf64>
      }
    }
    %k2 = memref.load %crd[%p] : memref<?xindex>
    scf.for %r = %zero to %n step %one {
      %from = arith.muli %k2, %n : index
      %at = arith.addi %from, %r : index
      %b = memref.load %B[%at] : memref<?xf64>
      %before = memref.load %Z[%r] : memref<?xf64>
      %after = arith.addf %before, %b : f64
      memref.store %after, %Z[%r] : memref<?xf64>
    }
  }
  func.return
}

// Each worker has a tile of its own.
// CHECK-LABEL: @workers(
// CHECK-NOT:  memref.alloca
// CHECK:      "scf.parallel"
// CHECK-NEXT: ^{{.*}}(%w: index):
// CHECK-NEXT:   %tile = memref.alloca() : memref<2xf64>
// CHECK-NEXT:   %tile_1 = memref.alloca() : memref<4xf64>
func.func @workers(%n: index, %m: index, %B: memref<?xf64>, %Z: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  "scf.parallel"(%zero, %m, %one) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%w: index):
    scf.for %p = %zero to %m step %one {
      scf.for %r = %zero to %n step %one {
        %b = memref.load %B[%r] : memref<?xf64>
        %row = arith.muli %w, %n : index
        %place = arith.addi %row, %r : index
        %before = memref.load %Z[%place] : memref<?xf64>
        %after = arith.addf %before, %b : f64
        memref.store %after, %Z[%place] : memref<?xf64>
      }
    }
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}

// Near miss: every other element is no row.
// CHECK-LABEL: @every_other(
// CHECK-NOT:  memref<4xf64>
// CHECK:      return
func.func @every_other(%m: index, %n: index, %B: memref<?xf64>, %Z: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %p = %zero to %m step %one {
    scf.for %r = %zero to %n step %one {
      %place = arith.addi %r, %r : index
      %b = memref.load %B[%r] : memref<?xf64>
      %before = memref.load %Z[%place] : memref<?xf64>
      %after = arith.addf %before, %b : f64
      memref.store %after, %Z[%place] : memref<?xf64>
    }
  }
  func.return
}
