// RUN: tamale-opt %s -p lower-queries --verify-diagnostics --split-input-file

!bcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j / 3 : compressed, i % 2 : dense, j % 3 : dense)>>
func.func @numbered_padding(%A: !bcsr) -> tensor<?xi64> {
  // expected-error@below {{lower-queries: 'select [k] -> count(i) as n' numbers the nonzeros of A, which is stored with padding between them}}
  %n = query.select "select [k] -> count(i) as n" of %A remapped (i, j) -> (k = #i, i, j) : !bcsr -> tensor<?xi64>
  func.return %n : tensor<?xi64>
}

// -----

// Modes that the levels do not tell cannot be counted.
!lossy = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j : compressed)>>
func.func @lost(%A: !lossy) -> tensor<?xi64> {
  // expected-error@below {{format: 'i' cannot be computed from the level coordinates}}
  %n = query.select "select [i] -> count(j) as n" of %A remapped (i, j) -> (i, j) : !lossy -> tensor<?xi64>
  func.return %n : tensor<?xi64>
}
