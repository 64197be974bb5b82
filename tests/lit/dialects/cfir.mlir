// RUN: tamale-opt %s | tamale-opt | filecheck %s
// RUN: ROUNDTRIP
// RUN: GENERIC

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!dia = tensor<?x?xf64, #format.spec<(i, j) -> (j - i : squeezed, i : range, j : offset)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>

// Lattices with ordered cases, an empty one included; statements and workspaces as in cin.
// CHECK-LABEL: @lattices(
// CHECK-NEXT:  %z = cfir.kernel z(i) of (a(i) = %a, A(i,j) = %A) : tensor<?xf64, {{.*}}> {
// CHECK-NEXT:    cfir.lattice i over a.i & ~A.i with A.i = i
// CHECK-NEXT:    case a.i & A.i {
// CHECK-NEXT:    }
// CHECK-NEXT:    case a.i {
// CHECK-NEXT:      cfir.where {
// CHECK-NEXT:        cfir.append z(i) = a(i) * t
// CHECK-NEXT:      } producing t {
// CHECK-NEXT:        cfir.lattice j over A.j | U.j
// CHECK-NEXT:        case A.j {
// CHECK-NEXT:          cfir.assign t max= A(i,j)
// CHECK-NEXT:        }
// CHECK-NEXT:        case U.j {
// CHECK-NEXT:          cfir.assign t max= 0
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// GENERIC-LABEL: "lattices"
// GENERIC:       "cfir.lattice"() <{index_var = "i", domain = #cin.set<a.i & ~A.i>, located = [#cin.set<A.i>], guards = [#cin.set<a.i & A.i>, #cin.set<a.i>]}> ({
// GENERIC:         "cfir.where"() <{accessed = #cin.access<t>}> ({
// GENERIC-NEXT:      "cfir.append"() <{statement = #cin.statement<z(i) = a(i) * t>}> : () -> ()
func.func @lattices(%a: !sv, %A: !csr) {
  %z = cfir.kernel z(i) of (a(i) = %a, A(i,j) = %A) : !sv {
    cfir.lattice i over a.i & ~A.i with A.i = i
    case a.i & A.i {}
    case a.i {
      cfir.where {
        cfir.append z(i) = a(i) * t
      } producing t {
        cfir.lattice j over A.j | U.j
        case A.j { cfir.assign t max= A(i,j) }
        case U.j { cfir.assign t max= 0 }
      }
    }
  }
  func.return
}

// Level functions: levels and modes count from 0, positions and coordinates are of type index.
// CHECK-LABEL: @reading(
// CHECK-NEXT:  %n = cfir.dim %A 1 : tensor<?x?xf64, {{.*}}>
// CHECK-NEXT:  %nnz = cfir.count %A 1 : tensor
// CHECK-NEXT:  %p, %found = cfir.locate %A 0(%i, %i) : tensor
// CHECK-NEXT:  %begin, %end = cfir.pos_bounds %A 1(%p) : tensor
// CHECK-NEXT:  %j = cfir.pos_access %A 1(%begin) : tensor
// CHECK-NEXT:  cfir.prefetch "entries" of %A 1(%begin) : tensor
// CHECK-NEXT:  %v = cfir.load %A(%begin) : tensor<?x?xf64, {{.*}}> -> f64
// GENERIC-LABEL: "reading"
// GENERIC:       "cfir.dim"(%A) <{mode = 1 : i64}>
// GENERIC:       %p, %found = "cfir.locate"(%A, %i, %i) <{level = 0 : i64}>
// GENERIC:       "cfir.load"(%A, %begin)
func.func @reading(%A: !csr, %i: index) {
  %n = cfir.dim %A 1 : !csr
  %nnz = cfir.count %A 1 : !csr
  %p, %found = cfir.locate %A 0(%i, %i) : !csr
  %begin, %end = cfir.pos_bounds %A 1(%p) : !csr
  %j = cfir.pos_access %A 1(%begin) : !csr
  cfir.prefetch "entries" of %A 1(%begin) : !csr
  %v = cfir.load %A(%begin) : !csr -> f64
  func.return
}

// Kinds that look at the levels above are told their coordinates.
// CHECK-LABEL: @below_ancestors(
// CHECK-NEXT:  %low, %high = cfir.coord_bounds %A 1(%p) at(%d) : tensor
// CHECK-NEXT:  %q, %found = cfir.locate %A 1(%p, %low) at(%d) : tensor
// CHECK-NEXT:  %begin, %end = cfir.pos_bounds %A 2(%q) at(%d, %low) : tensor
// CHECK-NEXT:  %j = cfir.pos_access %A 2(%begin) at(%d, %low) : tensor
// CHECK-NEXT:  %here = cfir.pos_found %A 2(%begin) : tensor
// GENERIC-LABEL: "below_ancestors"
// GENERIC:       "cfir.locate"(%A, %p, %low, %d) <{level = 1 : i64}>
func.func @below_ancestors(%A: !dia, %p: index, %d: index) {
  %low, %high = cfir.coord_bounds %A 1(%p) at(%d) : !dia
  %q, %found = cfir.locate %A 1(%p, %low) at(%d) : !dia
  %begin, %end = cfir.pos_bounds %A 2(%q) at(%d, %low) : !dia
  %j = cfir.pos_access %A 2(%begin) at(%d, %low) : !dia
  %here = cfir.pos_found %A 2(%begin) : !dia
  func.return
}

// CHECK-LABEL: @assembling(
// CHECK-NEXT:  %y = cfir.assemble fill %v : f64 : tensor<?xf64>
// CHECK-NEXT:  cfir.store %v into %y(%n) : f64, tensor<?xf64>
// CHECK-NEXT:  %Z = cfir.assemble room(%n) counted : tensor
// CHECK-NEXT:  %W = cfir.assemble room(%n, %n) : tensor
// CHECK-NEXT:  %p = cfir.position %Z 1 : tensor
// CHECK-NEXT:  cfir.reserve %Z 1(%n) : tensor
// CHECK-NEXT:  cfir.append_coord %Z 1(%p, %n) : tensor
// CHECK-NEXT:  cfir.advance %Z 1 : tensor
// CHECK-NEXT:  cfir.append_edges %Z 1(%n, %p, %p) : tensor
// CHECK-NEXT:  %done = cfir.finish %Z : tensor
// GENERIC-LABEL: "assembling"
// GENERIC:       "cfir.assemble"(%v) <{operandSegmentSizes = array<i32: 1, 0, 0>}>
// GENERIC:       "cfir.assemble"(%n) <{counted, operandSegmentSizes = array<i32: 0, 0, 1>}>
func.func @assembling(%n: index, %v: f64) {
  %y = cfir.assemble fill %v : f64 : tensor<?xf64>
  cfir.store %v into %y(%n) : f64, tensor<?xf64>
  %Z = cfir.assemble room(%n) counted : !csr
  %W = cfir.assemble room(%n, %n) : !csr
  %p = cfir.position %Z 1 : !csr
  cfir.reserve %Z 1(%n) : !csr
  cfir.append_coord %Z 1(%p, %n) : !csr
  cfir.advance %Z 1 : !csr
  cfir.append_edges %Z 1(%n, %p, %p) : !csr
  %done = cfir.finish %Z : !csr
  func.return
}

// A result in parts: one per worker, which are joined.
// CHECK-LABEL: @in_parts(
// CHECK-NEXT:  %Z = cfir.parts 4 : tensor
// CHECK-NEXT:  %W = cfir.parts 2 dims(%n, %n) : tensor
// CHECK-NEXT:  %part = cfir.open_part %Z parents(%n) room(%n) counted : tensor
// CHECK-NEXT:  %other = cfir.open_part %W room(%n) : tensor
// CHECK-NEXT:  cfir.close_part %part as %Z(%w) : tensor
// CHECK-NEXT:  %closed = cfir.part %Z(%w) : tensor
// CHECK-NEXT:  %joined = cfir.join %Z room(%n) : tensor
// CHECK-NEXT:  cfir.free_parts %Z : tensor
// GENERIC-LABEL: "in_parts"
// GENERIC:       "cfir.parts"() <{count = 4 : i64}>
// GENERIC:       "cfir.open_part"(%Z, %n, %n) <{counted, operandSegmentSizes = array<i32: 1, 1, 1>}>
func.func @in_parts(%n: index, %w: index) {
  %Z = cfir.parts 4 : !csr
  %W = cfir.parts 2 dims(%n, %n) : !csr
  %part = cfir.open_part %Z parents(%n) room(%n) counted : !csr -> !csr
  %other = cfir.open_part %W room(%n) : !csr -> !csr
  cfir.close_part %part as %Z(%w) : !csr, !csr
  %closed = cfir.part %Z(%w) : !csr -> !csr
  %joined = cfir.join %Z room(%n) : !csr -> !csr
  cfir.free_parts %Z : !csr
  func.return
}

// Workspaces: a list of entries, found by an array or a hash table.
// CHECK-LABEL: @workspaces(
// CHECK-NEXT:  %w = cfir.workspace "dense"(%n) sorted : tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
// CHECK-NEXT:  %v = cfir.workspace "hash"(%n) : tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
// CHECK-NEXT:  cfir.clear %w : tensor
// CHECK-NEXT:  %p, %found, %place = cfir.find %w(%n) : tensor
// CHECK-NEXT:  cfir.insert %x into %w(%n, %place) : f64, tensor
// CHECK-NEXT:  cfir.sort %w : tensor
// GENERIC-LABEL: "workspaces"
// GENERIC:       %w = "cfir.workspace"(%n) <{search = "dense", ordered}>
// GENERIC:       %v = "cfir.workspace"(%n) <{search = "hash"}>
// GENERIC:       %p, %found, %place = "cfir.find"(%w, %n)
// GENERIC-NEXT:  "cfir.insert"(%w, %n, %place, %x)
func.func @workspaces(%n: index, %x: f64) {
  %w = cfir.workspace "dense"(%n) sorted : !sv
  %v = cfir.workspace "hash"(%n) : !sv
  cfir.clear %w : !sv
  %p, %found, %place = cfir.find %w(%n) : !sv
  cfir.insert %x into %w(%n, %place) : f64, !sv
  cfir.sort %w : !sv
  func.return
}

// The entries at the end of a result that are appended after this, found by their coordinates.
// CHECK-LABEL: @end_of_a_result(
// CHECK:       %w = cfir.workspace "dense"(%n) sorted : tensor<?xf64, {{.*}}> in %z : tensor<?xf64, {{.*}}>
// CHECK:       cfir.mark %w(%place) : tensor
// GENERIC-LABEL: "end_of_a_result"
// GENERIC:       %w = "cfir.workspace"(%n, %z) <{search = "dense", ordered}>
// GENERIC:       "cfir.mark"(%w, %place)
func.func @end_of_a_result(%n: index) {
  %z = cfir.assemble room(%n) : !sv
  %w = cfir.workspace "dense"(%n) sorted : !sv in %z : !sv
  cfir.clear %w : !sv
  %p, %found, %place = cfir.find %w(%n) : !sv
  cfir.mark %w(%place) : !sv
  func.return
}

// A kernel that fills in a tensor which has room for its entries.
// CHECK-LABEL: @filling(
// CHECK-NEXT:  %z = cfir.kernel z(i) of (a(i) = %a) : tensor<?xf64, {{.*}}> into %room {
// CHECK-NEXT:    cfir.lattice i over a.i
// GENERIC-LABEL: "filling"
// GENERIC:       %z = "cfir.kernel"(%room, %a) <{{{.*}}operandSegmentSizes = array<i32: 1, 1>
func.func @filling(%a: !sv, %room: !sv) {
  %z = cfir.kernel z(i) of (a(i) = %a) : !sv into %room {
    cfir.lattice i over a.i
    case a.i { cfir.append z(i) = 2 * a(i) }
  }
  func.return
}

// Counting positions: below the first of a level, and before a coordinate.
// CHECK-LABEL: @counting(
// CHECK-NEXT:  %m = cfir.below %A 1(%n) : tensor
// CHECK-NEXT:  %p = cfir.rank %A 1(%n, %n, %m, %n) : tensor
// CHECK-NEXT:  %q = cfir.rank %A 1(%n, %n, %m, %n) at(%n) : tensor
// GENERIC-LABEL: "counting"
// GENERIC:       %m = "cfir.below"(%A, %n) <{level = 1 : i64}>
// GENERIC-NEXT:  %p = "cfir.rank"(%A, %n, %n, %m, %n) <{level = 1 : i64}>
func.func @counting(%A: !csr, %n: index) {
  %m = cfir.below %A 1(%n) : !csr
  %p = cfir.rank %A 1(%n, %n, %m, %n) : !csr
  %q = cfir.rank %A 1(%n, %n, %m, %n) at(%n) : !csr
  func.return
}
