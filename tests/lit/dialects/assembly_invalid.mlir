// RUN: tamale-opt %s --verify-diagnostics --split-input-file

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @orders(%A: !csr) {
  // expected-error@below {{differ in order}}
  %B = assembly.open of %A : !csr -> tensor<?xf64>
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @elements(%A: !csr) {
  // expected-error@below {{differ in element type}}
  %B = assembly.open of %A : !csr -> tensor<?x?xf32>
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @label(%A: !csr, %q: tensor<?xi64>) {
  // expected-error@below {{assembly.open: '2.nir' is no level and label, such as '0.nir'}}
  %B = assembly.open of %A using ("2.nir" = %q : tensor<?xi64>) : !csr -> !csr
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @level(%B: !csr) {
  // expected-error@below {{assembly.init_coords: level 2 of a tensor stored in 2 levels}}
  assembly.init_coords %B 2 : !csr
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @insert_edges(%B: !csr, %p: index) {
  // expected-error@below {{assembly.insert_edges: 0 coordinates for level 1, which needs 1}}
  assembly.insert_edges %B 1(%p) : !csr
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @get_pos(%B: !csr, %p: index) {
  // expected-error@below {{assembly.get_pos: 1 coordinates for level 1, which needs 2}}
  %q = assembly.get_pos %B 1(%p, %p) : !csr
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @insert_coord(%B: !csr, %p: index) {
  // expected-error@below {{assembly.insert_coord: 1 coordinates for level 1, which needs 2}}
  assembly.insert_coord %B 1(%p, %p, %p) : !csr
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @append(%B: !csr, %p: index) {
  // expected-error@below {{assembly.append: 1 coordinates for level 1, which needs 2}}
  %q = assembly.append %B 1(%p, %p) : !csr
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @store(%B: !csr, %p: index, %v: f32) {
  // expected-error@below {{assembly.store: f32 is no element of a tensor of f64}}
  assembly.store %v into %B(%p) : f32, !csr
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @parents(%B: !csr) {
  // expected-error@below {{assembly.for_parents: the body of level 1 takes a position and 1 coordinates}}
  assembly.for_parents %B 1 (%p) : !csr {
    "test.op"() : () -> ()
  }
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @nonzeros(%A: !csr) {
  // expected-error@below {{assembly.for_nonzeros: the body of a target with 2 levels takes 2 coordinates and a value of type f64}}
  assembly.for_nonzeros %A for %A (%i, %v) : !csr, !csr {
    "test.op"() : () -> ()
  }
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @first_outside(%i: index) {
  // expected-error@below {{assembly.first: stands outside of a loop over entries}}
  %n = assembly.first(%i)
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @sort_of_no_list(%A: !csr) {
  // expected-error@below {{assembly.sort: '(i, j) -> (i : dense, j : compressed)' is no list of coordinates}}
  %B = assembly.sort %A : !csr -> !csr
  func.return
}

// -----

!list = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique), j : singleton)>>
!other = tensor<?x?xf64, #format.spec<(i, j) -> (j : compressed(nonunique), i : singleton)>>
func.func @sort_of_other_levels(%A: !list) {
  // expected-error@below {{have other levels}}
  %B = assembly.sort %A : !list -> !other
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @stamp_outside(%B: !csr, %p: index) {
  // expected-error@below {{assembly.stamp: stands outside of a loop over entries}}
  %n = assembly.stamp %B 1(%p, %p) : !csr
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @rank(%B: !csr, %p: index) {
  // expected-error@below {{assembly.rank: 1 coordinates for level 1, which needs 2}}
  %q = assembly.rank %B 1(%p, %p) : !csr
  func.return
}

// -----

!bcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j / 2 : compressed, i % 2 : dense, j % 2 : dense)>>
func.func @values_of_blocks(%B: !bcsr) {
  // expected-error@below {{are not at the positions of level 1}}
  assembly.sort_segments %B 1 with_values : !bcsr
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @no_counts(%n: tensor<?xf64>) {
  // expected-error@below {{assembly.scan: tensor<?xf64> holds no counts}}
  %Z = assembly.scan %n : tensor<?xf64> -> !csr
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @too_deep(%n: tensor<?x?xi64>) {
  // expected-error@below {{has a count for each position of 2 levels, but the result has only 2}}
  %Z = assembly.scan %n : tensor<?x?xi64> -> !csr
  func.return
}

// -----

!rows = tensor<?xi64, #format.spec<(i) -> (i : compressed)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @other_levels(%n: !rows) {
  // expected-error@below {{assembly.scan: level 0 of the counts is 'i : compressed', that of the result 'i : dense'}}
  %Z = assembly.scan %n : !rows -> !csr
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @one_worker(%A: !csr) {
  // expected-error@below {{assembly.for_nonzeros: partitioned into 1, but it takes 2 to share}}
  assembly.for_nonzeros %A for %A (%i, %j, %v) partitioned into 1 : !csr, !csr {
    assembly.count_edge %A 1(%i) : !csr
  }
  func.return
}
