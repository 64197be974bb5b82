// RUN: tamale-opt %s -p lower-levels --verify-diagnostics --split-input-file

func.func @not_computed(%A: tensor<?xf64>) -> tensor<?xf64> {
  // expected-error@below {{lower-levels: a function may only return tensors that its own kernels computed}}
  func.return %A : tensor<?xf64>
}

// -----

func.func @reads_a_stranger(%p: index) {
  %other = "test.op"() : () -> tensor<?xf64>
  // expected-error@below {{lower-levels: tensor 'other' is neither an argument of this function nor computed by its kernels}}
  %v = cfir.load %other(%p) : tensor<?xf64> -> f64
  func.return
}

// -----

func.func @advance_operand(%A: tensor<?xf64, #format.spec<(i) -> (i : compressed)>>) {
  // expected-error@below {{lower-levels: cfir.advance of a tensor that is not appended to}}
  cfir.advance %A 0 : tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
  func.return
}

// -----

// Each kind can do what its row in the table of level kinds says.
func.func @locate(%A: tensor<?xf64, #format.spec<(i) -> (i : compressed)>>, %p: index) {
  // expected-error@below {{lower-levels: compressed: coordinates cannot be located}}
  %q, %found = cfir.locate %A 0(%p, %p) : tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
  func.return
}

// -----

func.func @walk(%A: tensor<?xf64>, %p: index) {
  // expected-error@below {{lower-levels: dense: positions cannot be walked}}
  %begin, %end = cfir.pos_bounds %A 0(%p) : tensor<?xf64>
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @no_workspace(%a: !sv) {
  // expected-error@below {{lower-levels: tensor 'a' is no workspace}}
  cfir.clear %a : !sv
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @unsorted(%n: index) {
  %w = cfir.workspace "hash"(%n) : !sv
  // expected-error@below {{lower-levels: workspace 'w' was not opened as sorted}}
  cfir.sort %w : !sv
  func.return
}

// -----

// Level functions of assembly come in an order.
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @no_coordinates(%A: tensor<?xf64>, %p: index) -> !sv {
  %B = assembly.open of %A : tensor<?xf64> -> !sv
  // expected-error@below {{lower-levels: 'crd' is needed here, which no level function before has made}}
  assembly.insert_coord %B 0(%p, %p, %p) : !sv
  %C = assembly.finish %B : !sv
  func.return %C : !sv
}

// -----

func.func @no_ranks(%A: tensor<?x?xf64>) {
  %B = assembly.open of %A : tensor<?x?xf64> -> tensor<?x?xf64, #format.spec<(i, j) -> (j - i : squeezed, i : range, j : offset)>>
  // expected-error@below {{lower-levels: 'rperm' is needed here, which no level function before has made}}
  assembly.finalize_pos %B 0 : tensor<?x?xf64, #format.spec<(i, j) -> (j - i : squeezed, i : range, j : offset)>>
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @no_values(%A: tensor<?xf64>, %p: index, %v: f64) -> !sv {
  %B = assembly.open of %A : tensor<?xf64> -> !sv
  // expected-error@below {{lower-levels: the values are needed here, which no assembly.init_values before has made}}
  assembly.store %v into %B(%p) : f64, !sv
  %C = assembly.finish %B : !sv
  func.return %C : !sv
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @values_of_parts(%n: index) {
  %Z = cfir.parts 4 dims(%n) : !sv
  // expected-error@below {{lower-levels: a result in parts has no values before they are joined}}
  %v = cfir.load %Z(%n) : !sv -> f64
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @part_of_an_operand(%a: !sv, %n: index) {
  // expected-error@below {{lower-levels: 'a' is no result in parts}}
  %part = cfir.part %a(%n) : !sv -> !sv
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @closing_an_operand(%a: !sv, %n: index) {
  %Z = cfir.parts 4 dims(%n) : !sv
  // expected-error@below {{lower-levels: 'a' is not appended to}}
  cfir.close_part %a as %Z(%n) : !sv, !sv
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @end_of_an_operand(%A: !sv, %n: index) {
  // expected-error@below {{lower-levels: workspace 'w' is to be the end of a tensor that is not appended to}}
  %w = cfir.workspace "dense"(%n) : !sv in %A : !sv
  func.return
}
