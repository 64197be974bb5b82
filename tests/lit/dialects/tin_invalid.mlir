// RUN: tamale-opt %s --verify-diagnostics --split-input-file

func.func @order(%A: tensor<?x?xf64>) {
  // expected-error@below {{tin.kernel: 1 index variables for a result of order 2}}
  %z = tin.kernel %i {
    %a = tin.access %A[%i, %i] : tensor<?x?xf64> -> f64
    tin.yield %a : f64
  } : tensor<?x?xf64>
  func.return
}

// -----

func.func @element(%A: tensor<?xf64>) {
  // expected-error@below {{tin.kernel yields f64, but its result holds f32}}
  %z = tin.kernel %i {
    %a = tin.access %A[%i] : tensor<?xf64> -> f64
    tin.yield %a : f64
  } : tensor<?xf32>
  func.return
}

// -----

// Passes write zeros and ones of the elements' type, and xDSL has none of these.
func.func @numbers(%A: tensor<?xf128>) {
  %z = tin.kernel %i {
    // expected-error@below {{holds f128; no passes can write its numbers}}
    %a = tin.access %A[%i] : tensor<?xf128> -> f128
    tin.yield %a : f128
  } : tensor<?xf128>
  func.return
}

// -----

func.func @parts(%A: tensor<?xcomplex<f80>>) {
  // expected-error@below {{holds f80; no passes can write its numbers}}
  %B = tin.convert %A : tensor<?xcomplex<f80>> -> tensor<?xcomplex<f80>>
  func.return
}

// -----

// Both places are named where two sizes clash.
func.func @sizes(%A: tensor<3xf64>, %B: tensor<4xf64>) {
  // expected-error@below {{tin.kernel: index variable 'i' has size 3 in A and 4 in B}}
  %z = tin.kernel %i {
    %a = tin.access %A[%i] : tensor<3xf64> -> f64
    %b = tin.access %B[%i] : tensor<4xf64> -> f64
    %s = tin.add %a, %b : f64
    tin.yield %s : f64
  } : tensor<?xf64>
  func.return
}

// -----

func.func @size_of_the_result(%A: tensor<3xf64>) {
  // expected-error@below {{tin.kernel: index variable 'i' has size 5 in the result and 3 in A}}
  %z = tin.kernel %i {
    %a = tin.access %A[%i] : tensor<3xf64> -> f64
    tin.yield %a : f64
  } : tensor<5xf64>
  func.return
}

// -----

func.func @result_format(%A: tensor<?xf64>) {
  // expected-error@below {{tin: the result: }}
  %z = tin.kernel %i {
    %a = tin.access %A[%i] : tensor<?xf64> -> f64
    tin.yield %a : f64
  } : tensor<?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
  func.return
}

// -----

func.func @no_yield() {
  // expected-error@below {{tin.kernel: the body must end in tin.yield}}
  %z = tin.kernel {
    "test.termop"() : () -> ()
  } : tensor<f64>
  func.return
}

// -----

func.func @variable_type() {
  // expected-error@below {{tin.kernel: index variables are of type index}}
  %z = "tin.kernel"() ({
  ^bb0(%i: i32):
    %one = tin.literal 1.0 : f64 : f64
    tin.yield %one : f64
  }) : () -> tensor<?xf64>
  func.return
}

// -----

func.func @stray_yield(%v: f64) {
  "test.op"() ({
    // expected-error@below {{tin.yield: only a tin.kernel or a reduction yields a value}}
    tin.yield %v : f64
  }) : () -> ()
  func.return
}

// -----

func.func @access_order(%A: tensor<?x?xf64>) {
  %z = tin.kernel %i {
    // expected-error@below {{tin.access of A: 1 index variables for order 2}}
    %a = tin.access %A[%i] : tensor<?x?xf64> -> f64
    tin.yield %a : f64
  } : tensor<?xf64>
  func.return
}

// -----

func.func @access_format(%A: tensor<?xf64, #format.spec<(i, j) -> (i : dense, j : dense)>>) {
  %z = tin.kernel %i {
    // expected-error@below {{tin: tin.access of A: }}
    %a = tin.access %A[%i] : tensor<?xf64, #format.spec<(i, j) -> (i : dense, j : dense)>> -> f64
    tin.yield %a : f64
  } : tensor<?xf64>
  func.return
}

// -----

func.func @index_from_outside(%A: tensor<?xf64>, %p: index) {
  %z = tin.kernel {
    // expected-error@below {{tin.access of A: 'p' is not bound by an enclosing tin.kernel or reduction}}
    %a = tin.access %A[%p] : tensor<?xf64> -> f64
    tin.yield %a : f64
  } : tensor<f64>
  func.return
}

// -----

func.func @unknown_operator(%A: tensor<?xf64>) {
  %z = tin.kernel %i {
    %a = tin.access %A[%i] : tensor<?xf64> -> f64
    // expected-error@below {{tin.map: operators: 'cube' is not declared; known operators: abs, }}
    %b = tin.map "cube" %a : f64
    tin.yield %b : f64
  } : tensor<?xf64>
  func.return
}

// -----

func.func @arity(%A: tensor<?xf64>) {
  %z = tin.kernel %i {
    %a = tin.access %A[%i] : tensor<?xf64> -> f64
    // expected-error@below {{tin.map: 'max' takes 2 arguments, got 1}}
    %b = tin.map "max" %a : f64
    tin.yield %b : f64
  } : tensor<?xf64>
  func.return
}

// -----

func.func @broadcast(%A: tensor<?xf64>) {
  %z = tin.kernel %i {
    %a = tin.access %A[%i] : tensor<?xf64> -> f64
    // expected-error@below {{tin.broadcast over 'i': the operand already depends on it}}
    %b = tin.broadcast %a over %i : f64
    tin.yield %b : f64
  } : tensor<?xf64>
  func.return
}

// -----

func.func @reduced_type(%A: tensor<?xf64>) {
  %z = tin.kernel {
    // expected-error@below {{tin.sum yields f64, not f32}}
    %s = tin.sum %j {
      %a = tin.access %A[%j] : tensor<?xf64> -> f64
      tin.yield %a : f64
    } : f32
    tin.yield %s : f32
  } : tensor<f32>
  func.return
}

// -----

// A sum of a constant would need the dimension size, which nothing here tells.
func.func @independent() {
  %z = tin.kernel {
    // expected-error@below {{tin.sum: the body does not depend on index variable 'j'}}
    %s = tin.sum %j {
      %one = tin.literal 1.0 : f64 : f64
      tin.yield %one : f64
    } : f64
    tin.yield %s : f64
  } : tensor<f64>
  func.return
}

// -----

func.func @unknown_reduction(%A: tensor<?xf64>) {
  %z = tin.kernel {
    // expected-error@below {{tin.reduce: operators: 'cube' is not declared}}
    %s = tin.reduce "cube" %j {
      %a = tin.access %A[%j] : tensor<?xf64> -> f64
      tin.yield %a : f64
    } : f64
    tin.yield %s : f64
  } : tensor<f64>
  func.return
}

// -----

func.func @no_reduction(%A: tensor<?xf64>) {
  %z = tin.kernel {
    // expected-error@below {{tin.reduce: 'sub' cannot reduce; a reduction needs a commutative, associative operator with an identity}}
    %s = tin.reduce "sub" %j {
      %a = tin.access %A[%j] : tensor<?xf64> -> f64
      tin.yield %a : f64
    } : f64
    tin.yield %s : f64
  } : tensor<f64>
  func.return
}

// -----

func.func @too_few_modes(%b: tensor<?xf64>) {
  // expected-error@below {{tin.kernel: 2 index variables for a result of order 3}}
  %z = tin.kernel %i at (%i, %i) {
    %v = tin.access %b[%i] : tensor<?xf64> -> f64
    tin.yield %v : f64
  } : tensor<?x?x?xf64>
  func.return
}

// -----

func.func @unused_variable(%B: tensor<?x?xf64>) {
  // expected-error@below {{tin.kernel: the modes of the result are the variables [0, 0] of 2; each variable has to be along one}}
  %z = tin.kernel %i, %j at (%i, %i) {
    %v = tin.access %B[%i, %j] : tensor<?x?xf64> -> f64
    tin.yield %v : f64
  } : tensor<?x?xf64>
  func.return
}

// -----

func.func @sizes_of_one_variable(%b: tensor<?xf64>) {
  // expected-error@below {{tin.kernel: index variable 'i' has size 3 in the result and 4 in the result}}
  %z = tin.kernel %i at (%i, %i) {
    %v = tin.access %b[%i] : tensor<?xf64> -> f64
    tin.yield %v : f64
  } : tensor<3x4xf64>
  func.return
}

// -----

func.func @stranger(%b: tensor<?xf64>) {
  // expected-error@below {{tin.kernel binds no '%k'}}
  %z = tin.kernel %i at (%i, %k) {
    %v = tin.access %b[%i] : tensor<?xf64> -> f64
    tin.yield %v : f64
  } : tensor<?x?xf64>
  func.return
}

// -----

func.func @loop_asked_for_twice(%A: tensor<?x?xf64>) {
  // expected-error@below {{tin.kernel: the order i, j, i names the loop 'i' twice}}
  %z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : tensor<?x?xf64> -> f64
    tin.yield %a : f64
  } : tensor<?x?xf64> order(i, j, i)
  func.return
}

// -----

func.func @no_search(%A: tensor<?x?xf64>) {
  // expected-error@below {{tin.kernel: entries of a list are found by 'dense' or 'hash', not by 'tree'}}
  %z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : tensor<?x?xf64> -> f64
    tin.yield %a : f64
  } : tensor<?x?xf64> search(tree)
  func.return
}

// -----

func.func @sizes_of_another_order(%A: tensor<?x?xf64>) {
  // expected-error@below {{tin.kernel: 3 sizes are given for a result of order 2}}
  %z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : tensor<?x?xf64> -> f64
    tin.yield %a : f64
  } : tensor<?x?xf64> about(#format.statistics<sizes [4, 4, 4]>)
  func.return
}
