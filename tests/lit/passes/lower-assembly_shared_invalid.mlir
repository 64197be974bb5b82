// RUN: tamale-opt %s -p lower-assembly --verify-diagnostics --split-input-file

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!blocks = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j / 2 : compressed, i % 2 : dense, j % 2 : dense)>>
func.func @compares(%A: !csr) {
  %B = assembly.open of %A : !csr -> !blocks
  // expected-error@below {{lower-assembly: workers share a loop in which 'assembly.stamp' compares an entry with all those before it}}
  assembly.for_nonzeros %A for %B (%i, %j, %k, %l, %v) partitioned into 2 : !csr, !blocks {
    %new = assembly.stamp %B 1(%i, %j) : !blocks
  }
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>
func.func @compares_sums(%A: !csr) {
  %B = assembly.open of %A : !csr -> !dcsr
  // expected-error@below {{lower-assembly: workers share a loop that compares something else than coordinates with the entry before}}
  assembly.for_nonzeros %A for %B (%i, %j, %v) partitioned into 2 : !csr, !dcsr {
    %sum = arith.addi %i, %j : index
    %new = assembly.first(%sum)
  }
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>
func.func @appends_some(%A: !csr) {
  %B = assembly.open of %A : !csr -> !dcsr
  %root = arith.constant 0 : index
  // expected-error@below {{lower-assembly: workers share a loop that appends entries which are no first ones}}
  assembly.for_nonzeros %A for %B (%i, %j, %v) partitioned into 2 : !csr, !dcsr {
    %some = arith.cmpi slt, %i, %j : index
    %p = assembly.append %B 0(%root, %i) if %some counting : !dcsr
  }
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!slots = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, #i : compressed, j : singleton)>>
func.func @appends_and_counts(%A: !csr) {
  %B = assembly.open of %A : !csr -> !slots
  // expected-error@below {{lower-assembly: workers share a loop that appends, and counts or hands out positions besides}}
  assembly.for_nonzeros %A for %B (%i, %k, %j, %v) partitioned into 2 : !csr, !slots {
    %new = assembly.first(%i)
  }
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @selects(%A: !csr) {
  %B = assembly.open of %A : !csr -> !csr
  // expected-error@below {{lower-assembly: workers cannot share a loop over selected entries}}
  assembly.for_nonzeros %A for %B (%i, %j, %v) where "i < j" partitioned into 2 : !csr, !csr {
    assembly.count_edge %B 1(%i) : !csr
  }
  func.return
}

// -----

!scalar = tensor<f64, #format.spec<() -> ()>>
func.func @has_one(%A: !scalar) {
  %B = assembly.open of %A : !scalar -> !scalar
  // expected-error@below {{lower-assembly: workers cannot share a loop over a tensor without levels}}
  assembly.for_nonzeros %A for %B (%v) partitioned into 2 : !scalar, !scalar {
    %root = arith.constant 0 : index
  }
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!csc = tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : compressed)>>
func.func @hands_out(%A: !csr) {
  %B = assembly.open of %A : !csr -> !csc
  // expected-error@below {{lower-assembly: workers share a loop that hands out positions of level 1, but none that they share has counted them before}}
  assembly.for_nonzeros %A for %B (%j, %i, %v) partitioned into 2 : !csr, !csc {
    %p = assembly.yield_pos %B 1(%j) : !csc
  }
  func.return
}

// -----

!csc = tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : compressed)>>
!slots = tensor<?x?xf64, #format.spec<(i, j) -> (#i : sliced, i : dense, j : compressed)>>
func.func @counts_below_counters(%A: !csc) {
  %B = assembly.open of %A : !csc -> !slots
  // expected-error@below {{lower-assembly: workers count the edges of level 2 below parents that are counted themselves}}
  assembly.for_nonzeros %A for %B (%k, %i, %j, %v) partitioned into 2 : !csc, !slots {
    assembly.count_edge %B 2(%k) : !slots
  }
  func.return
}
