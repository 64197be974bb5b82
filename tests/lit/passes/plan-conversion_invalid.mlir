// RUN: tamale-opt %s -p plan-conversion --verify-diagnostics --split-input-file

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!bad = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : singleton)>>
func.func @crowded(%A: !csr) -> !bad {
  // expected-error@below {{convert: '(i, j) -> (i : dense, j : singleton)' has one place for all entries that agree in the levels above level 2 ('j : singleton')}}
  %B = tin.convert %A : !csr -> !bad
  func.return %B : !bad
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!bad = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j : dense)>>
func.func @forgetful(%A: !csr) -> !bad {
  // expected-error@below {{format: 'i' cannot be computed from the level coordinates of '(i, j) -> (i / 2 : dense, j : dense)'}}
  %B = tin.convert %A : !csr -> !bad
  func.return %B : !bad
}

// -----

!csf = tensor<?x?x?xf64, #format.spec<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>>
!bad = tensor<?x?x?xf64, #format.spec<(i, j, k) -> (i : compressed, j : compressed, k : ragged)>>
func.func @large_query(%A: !csf) -> !bad {
  // expected-error@below {{would need 'select [l0, l1] -> max(l2) as max_crd', whose result could be far larger than the tensor}}
  %B = tin.convert %A : !csf -> !bad
  func.return %B : !bad
}
