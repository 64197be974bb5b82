// RUN: tamale-opt %s -p compute -t cpp -o /dev/null --statistics 2>&1 | filecheck %s --check-prefix=STAT
// RUN: tamale-opt %s -p compute -o /dev/null --remarks 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: tamale-opt %s -p compute -o /dev/null --debug-only=domains,lattices 2>&1 | filecheck %s --check-prefix=LOOPS
// RUN: tamale-opt %s -p compute -o /dev/null --debug-only=loop-order,plans,queries 2>&1 | filecheck %s --check-prefix=PLANS

// Each number that a pass changed, before and after.
// STAT:      before     after  what              pass
// STAT:      1         2  conversions       insert-conversions
// STAT:      0         1  merged loops      build-lattices
// STAT:      0         5  lattice points    build-lattices
// STAT:      0  level functions   lower-levels
// STAT:      allocations       lower-levels
// STAT:      bytes             target cpp

// What was decided and why, each at its place in the input.
// REMARK:      observers.mlir:{{.*}}: remark: insert-conversions: tensors are converted, because no loop order fits
// REMARK:      observers.mlir:{{.*}}: remark: plan-conversion: convert csc to csr: directly
// REMARK:      remark: concretize: Z(i,j) is computed by loops over i, j
// REMARK-NEXT: remark: iterate-locate: loop of i: iterates every i; locates A.i and B_csr.i, which store every coordinate
// REMARK-NEXT: remark: iterate-locate: loop of j: merges A.j and B_csr.j
// REMARK:      remark: partition: Z(i,j) is not parallel, because there is one thread; more could share the loop
// REMARK:      remark: lower-lattices: Z: its room is known before the loops, from the entries of A and B_csr

// What passes say under some tags, and nothing under others.
// LOOPS-NOT:  loop-order
// LOOPS:      [domains] iterated: U.i with A.i = i, B_csr.i = i
// LOOPS-NEXT: [domains] iterated: A.j | B_csr.j
// LOOPS:      [lattices] i: U.i
// LOOPS-NEXT: [lattices] j: A.j | B_csr.j  A.j  B_csr.j

// PLANS-NOT:  domains
// PLANS:      [plans] convert csc to csr: directly
// PLANS:      [plans] convert csr to ell: directly
// PLANS:      [loop-order] i: forced
// PLANS-NEXT: [loop-order] j: last
// PLANS:      [queries] SimplifyWidthCount: forall i in A.i, forall j in A.j: W(i) += map(A(i,j), 1)  ->  forall i in A.i: W(i) += width(A(i,j))
#csr = #format.spec<(i, j) -> (i : dense, j : compressed)>
#csc = #format.spec<(i, j) -> (j : dense, i : compressed)>
#ell = #format.spec<(i, j) -> (#i : sliced, i : dense, j : singleton)>
func.func @add(%A: tensor<?x?xf64, #csr>, %B: tensor<?x?xf64, #csc>) -> tensor<?x?xf64, #csr> {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : tensor<?x?xf64, #csr> -> f64
    %b = tin.access %B[%i, %j] : tensor<?x?xf64, #csc> -> f64
    %s = tin.add %a, %b : f64
    tin.yield %s : f64
  } : tensor<?x?xf64, #csr>
  func.return %Z : tensor<?x?xf64, #csr>
}
func.func @convert(%A: tensor<?x?xf64, #csr>) -> tensor<?x?xf64, #ell> {
  %E = tin.convert %A : tensor<?x?xf64, #csr> -> tensor<?x?xf64, #ell>
  func.return %E : tensor<?x?xf64, #ell>
}
