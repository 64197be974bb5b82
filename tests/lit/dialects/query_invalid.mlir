// RUN: tamale-opt %s --verify-diagnostics --split-input-file

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @unknown_function(%A: !csr) {
  // expected-error@below {{query: 'cout' is no aggregation (did you mean 'count'?)}}
  %n = query.select "select [i] -> cout(j) as n" of %A remapped (i, j) -> (i, j) : !csr -> tensor<?xi64>
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @no_remapping(%A: !csr) {
  // expected-error@below {{expected 'remapped' and a remapping, as in (i, j) -> (k = j - i, j)}}
  %n = query.select "select [i] -> count(j) as n" of %A : !csr -> tensor<?xi64>
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @unnamed(%A: !csr) {
  // expected-error@below {{format: a coordinate that is no plain mode needs a name, such as 'k = j - i'}}
  %n = query.select "select [i] -> count(j) as n" of %A remapped (i, j) -> (#i, i, j) : !csr -> tensor<?xi64>
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @unknown_coordinate(%A: !csr) {
  // expected-error@below {{query.select: 'rows' is no coordinate of '(i, j) -> (row = i, j)' (did you mean 'row'?)}}
  %n = query.select "select [rows] -> count(j) as n" of %A remapped (i, j) -> (row = i, j) : !csr -> tensor<?xi64>
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @order(%A: !csr) {
  // expected-error@below {{query.select: '(i) -> (i)' remaps a tensor of order 1, not one of order 2}}
  %n = query.select "select [i] -> count(*) as n" of %A remapped (i) -> (i) : !csr -> tensor<?xi64>
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @rank(%A: !csr) {
  // expected-error@below {{query.select: 'count(j) as n' is a tensor<?xi64>, not a tensor<i64>}}
  %n = query.select "select [i] -> count(j) as n" of %A remapped (i, j) -> (i, j) : !csr -> tensor<i64>
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @results(%A: !csr) {
  // expected-error@below {{query.select: 1 results for 2 aggregations}}
  %n = query.select "select [i] -> count(j) as n, id() as m" of %A remapped (i, j) -> (i, j) : !csr -> tensor<?xi64>
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @smallest_counter(%A: !csr) {
  // expected-error@below {{query.select: 'min(k)': '#i' counts from 0 in every group}}
  %n = query.select "select [] -> min(k) as n" of %A remapped (i, j) -> (k = #i, i, j) : !csr -> tensor<i64>
  func.return
}

// -----

// Any number of entries may be at one coordinate: only run time tells how large an array must be.
!multi = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed(nonunique))>>
func.func @unbounded_group(%A: !multi) {
  // expected-error@below {{query.select: nothing bounds the coordinate 'k', which is '#i', in a tensor with duplicates: it can be aggregated by max only}}
  %n = query.select "select [k] -> count(*) as n" of %A remapped (i, j) -> (k = #i, i, j) : !multi -> tensor<?xi64>
  func.return
}

// -----

!multi = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed(nonunique))>>
func.func @unbounded_count(%A: !multi) {
  // expected-error@below {{query.select: nothing bounds the coordinate 'k', which is '#i'}}
  %n = query.select "select [i] -> count(k) as n" of %A remapped (i, j) -> (k = #i, i, j) : !multi -> tensor<?xi64>
  func.return
}

// -----

// Near miss: a maximum needs no bound.
!multi = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed(nonunique))>>
func.func @largest_counter(%A: !multi) {
  %n = query.select "select [] -> max(k) as n" of %A remapped (i, j) -> (k = #i, i, j) : !multi -> tensor<i64>
  func.return
}

// -----

// expected-error@below {{query: 'max()': max is of one coordinate}}
"test.op"() {query = #query.select<select [i] -> max() as n>} : () -> ()

// -----

// expected-error@below {{query: 'i' is a mode and cannot name 'j'}}
"test.op"() {remapping = #query.remapping<(i, j) -> (i = j)>} : () -> ()
