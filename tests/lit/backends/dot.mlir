// RUN: tamale-opt %s -t dot | filecheck %s --check-prefix GRAPH
// RUN: tamale-opt %s -p concretize,simplify-domains,iterate-locate -t dot | filecheck %s --check-prefix LOOP
// RUN: tamale-opt %s -p concretize,simplify-domains,iterate-locate,build-lattices -t dot | filecheck %s --check-prefix CASE

// The guide's figures: index graphs of tin, iteration lattices of cin and cfir.

!dense = tensor<?x?xf64>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>

// Z(i,j) = A(i,j) + B(i,j)
// Both operands put i before j; the dense result adds nothing.
// GRAPH:      // index graph of  Z(i,j) = A(i,j) + B(i,j)
// GRAPH-NEXT: digraph {
// GRAPH-NEXT:     rankdir=LR;
// GRAPH-NEXT:     node [shape=circle fixedsize=true width=0.35 color="#555"
// GRAPH-NEXT:           fontname="Helvetica" fontsize=10];
// GRAPH-NEXT:     edge [fontname="Helvetica" fontsize=9 color="#555" fontcolor="#555" arrowsize=0.7];
// GRAPH-NEXT:     i -> j [label="A, B"];
// GRAPH-NEXT: }

// The lattice of a union of two compressed levels.
// LOOP:      // the loop of i over A.i | B.i
// LOOP-NEXT: digraph {
// LOOP-NEXT:     rankdir=TB;
// LOOP-NEXT:     node [shape=box style=filled fillcolor="#f7f7f7" color="#555"
// LOOP-NEXT:           fontname="Helvetica" fontsize=10 margin="0.16,0.08"];
// LOOP-NEXT:     edge [color="#555" arrowsize=0.7];
// LOOP-NEXT:     AB [label="i_A ∪ i_B"];
// LOOP-NEXT:     A [label="i_A"];
// LOOP-NEXT:     B [label="i_B"];
// LOOP-NEXT:     BOT [label="∅"];
// LOOP-NEXT:     AB -> A;
// LOOP-NEXT:     AB -> B;
// LOOP-NEXT:     A -> BOT;
// LOOP-NEXT:     B -> BOT;
// LOOP-NEXT: }
// LOOP:      // the loop of j over A.j | B.j
// LOOP:          AB [label="j_A ∪ j_B"];

// In cfir, each case has what its operands leave.
// CASE:      // the loop of i over A.i | B.i
// CASE:      // the loop of j over A.j | B.j, in the case A.i & B.i
// CASE:          AB [label="j_A ∪ j_B"];
// CASE:      // the loop of j over A.j, in the case A.i
// CASE:          A [label="j_A"];
// CASE-NEXT:     BOT [label="∅"];
// CASE-NEXT:     A -> BOT;
// CASE-NEXT: }
// CASE:      // the loop of j over B.j, in the case B.i
func.func @add(%A: !dcsr, %B: !dcsr) {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !dcsr -> f64
    %b = tin.access %B[%i, %j] : !dcsr -> f64
    %s = tin.add %a, %b : f64
    tin.yield %s : f64
  } : !dense
  func.return
}

// Z(i,j) = A(i,j) * B(i,j)
// A product only has the point with both operands.
// GRAPH:      // index graph of  Z(i,j) = A(i,j) * B(i,j)
// LOOP:      // the loop of i over A.i & B.i
// LOOP:          AB [label="i_A ∩ i_B"];
// LOOP-NEXT:     BOT [label="∅"];
// LOOP-NEXT:     AB -> BOT;
// LOOP-NEXT: }
// CASE:      // the loop of j over A.j & B.j, in the case A.i & B.i
func.func @multiply(%A: !dcsr, %B: !dcsr) {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !dcsr -> f64
    %b = tin.access %B[%i, %j] : !dcsr -> f64
    %s = tin.mul %a, %b : f64
    tin.yield %s : f64
  } : !dense
  func.return
}

// Z(k,l) = sum((i,j), P(i,k) * A(i,j) * P(j,l))
// The Galerkin product; the dense result would like k before l, but does not insist.
// GRAPH:      // index graph of  Z(k,l) = sum((i,j), P(i,k) * A(i,j) * P2(j,l))
// GRAPH:          i -> j [label="A"];
// GRAPH-NEXT:     i -> k [label="P"];
// GRAPH-NEXT:     j -> l [label="P"];
// GRAPH-NEXT:     k -> l [label="Z" style=dashed];
// GRAPH-NEXT: }
// LOOP:      // the loop of i over U.i
// LOOP:          U [label="U_i"];
// LOOP-NEXT:     BOT [label="∅"];
// LOOP-NEXT:     U -> BOT;
// CASE:      // the loop of l over P2.l, in the case U.i, A.j, P.k
func.func @galerkin(%P: !csr, %A: !csr) {
  %Z = tin.kernel %k, %l {
    %s = tin.sum %i, %j {
      %p = tin.access %P[%i, %k] : !csr -> f64
      %a = tin.access %A[%i, %j] : !csr -> f64
      %q = tin.access %P[%j, %l] : !csr -> f64
      %m = tin.mul %p, %a : f64
      %n = tin.mul %m, %q : f64
      tin.yield %n : f64
    } : f64
    tin.yield %s : f64
  } : !dense
  func.return
}
