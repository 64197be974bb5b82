// RUN: tamale-opt %s | filecheck %s --check-prefix=TIN
// RUN: tamale-opt %s -p concretize | filecheck %s --check-prefix=CIN
// RUN: tamale-opt %s -p concretize,simplify-domains,insert-workspaces,iterate-locate | filecheck %s --check-prefix=OCIN
// RUN: tamale-opt %s -p concretize,simplify-domains,insert-workspaces,iterate-locate,build-lattices | filecheck %s --check-prefix=CFIR
// RUN: tamale-opt %s -p concretize,simplify-domains,insert-workspaces,iterate-locate,build-lattices,lower-lattices | filecheck %s --check-prefix=LOOPS
// RUN: tamale-opt %s -p compute | filecheck %s --check-prefix=LAST
// RUN: tamale-opt %s -p compute -t cpp | filecheck %s --check-prefix=CPP

// The running example, Z(i,j) = A(i,j) + B(i,j) with all three in dcsr, at every stage.

#dcsr = #format.spec<(i, j) -> (i : compressed, j : compressed)>
func.func @add(%A: tensor<?x?xf64, #dcsr>, %B: tensor<?x?xf64, #dcsr>) -> tensor<?x?xf64, #dcsr> {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : tensor<?x?xf64, #dcsr> -> f64
    %b = tin.access %B[%i, %j] : tensor<?x?xf64, #dcsr> -> f64
    %s = tin.add %a, %b : f64
    tin.yield %s : f64
  } : tensor<?x?xf64, #dcsr>
  func.return %Z : tensor<?x?xf64, #dcsr>
}

// What: one value per coordinate.
// TIN:      %Z = tin.kernel %i, %j {
// TIN:        %s = tin.add %a, %b : f64
// TIN-NEXT:   tin.yield %s : f64

// In which loops, over which coordinates.
// CIN:      %Z = cin.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B)
// CIN-NEXT:   cin.forall i in A.i | B.i {
// CIN-NEXT:     cin.forall j in A.j | B.j {
// CIN-NEXT:       cin.assign Z(i,j) = A(i,j) + B(i,j)

// Optimised: there is nothing to locate, and no scalar to sum up in.
// OCIN:      optimised {
// OCIN-NEXT:   cin.forall i in A.i | B.i {
// OCIN-NEXT:     cin.forall j in A.j | B.j {

// In which cases: where A has no row, B alone is walked.
// CFIR:      cfir.lattice i over A.i | B.i
// CFIR-NEXT: case A.i & B.i {
// CFIR-NEXT:   cfir.lattice j over A.j | B.j
// CFIR:      case B.i {
// CFIR-NEXT:   cfir.lattice j over B.j
// CFIR-NEXT:   case B.j {
// CFIR-NEXT:     cfir.append Z(i,j) = B(i,j)

// By which loops: rows are merged while both last; levels are still asked by functions.
// LOOPS:      cfir.assemble room(
// LOOPS:      scf.while
// LOOPS:        %iA = cfir.pos_access %A 0(
// LOOPS:        %i = arith.minsi %iA, %iB : index
// LOOPS:        scf.if
// LOOPS:          scf.while
// LOOPS:            %j = arith.minsi %jA, %jB : index
// LOOPS:        cfir.append_edges %Z 1(
// LOOPS:      scf.for
// LOOPS:      cfir.finish %Z

// On which arrays: no tensor is left.
// LAST:      func.func @add(%A_dim1: index, %A_dim2: index, %A1_pos: memref<?xi32>, %A1_crd: memref<?xi32>,
// LAST-SAME:   %A2_pos: memref<?xi32>, %A2_crd: memref<?xi32>, %A_vals: memref<?xf64>,
// LAST-NOT:  cfir.
// LAST:      memref.load %A1_crd
// LAST:      memref.realloc
// LAST:      func.return

// In C++: a row that got nothing is not stored.
// CPP:      extern "C" int32_t add(
// CPP:      while (pA1 < {{.*}} && pB1 < {{.*}}) {
// CPP:        int64_t iA = A1_crd[pA1];
// CPP:        int64_t iB = B1_crd[pB1];
// CPP:        int64_t i = {{.*}};
// CPP:        while (pA2 < {{.*}} && pB2 < {{.*}}) {
// CPP:          Z_vals[pZ2] = A_vals[pA2] + B_vals[pB2];
// CPP:          pA1 = pA1_next;
// CPP:        if (pZ2 > Z2_begin) {
// CPP-NEXT:     Z1_crd[pZ1] =
// CPP:      return 0;
