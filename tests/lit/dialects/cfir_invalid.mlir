// RUN: tamale-opt %s --verify-diagnostics --split-input-file

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @unknown_leaf(%a: !sv, %b: !sv) {
  %z = cfir.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    // expected-error@below {{cfir.lattice: 'q.i' names no access of the kernel}}
    cfir.lattice i over a.i | q.i
    case a.i {
      cfir.append z(i) = a(i)
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @foreign_variable(%a: !sv, %b: !sv) {
  %z = cfir.kernel z(i) of (a(i) = %a, b(j) = %b) : !sv {
    // expected-error@below {{cfir.lattice: the domain of 'i' also names 'b.j'.}}
    cfir.lattice i over a.i | b.j
    case a.i {
      cfir.append z(i) = a(i)
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @located_unknown(%a: !sv, %b: !sv) {
  %z = cfir.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    // expected-error@below {{cfir.lattice: 'q.i' names no access of the kernel}}
    cfir.lattice i over a.i with q.i = i
    case a.i {
      cfir.append z(i) = a(i)
    }
  }
  func.return
}

// -----

// A case can only ask for what the loop walks.
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @foreign_case(%a: !sv, %b: !sv) {
  %z = cfir.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    // expected-error@below {{cfir.lattice over 'i': case a.i & b.i tests 'b.i', which the domain a.i lacks}}
    cfir.lattice i over a.i
    case a.i & b.i {
      cfir.append z(i) = a(i)
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @same_loop_twice(%a: !sv, %b: !sv) {
  %z = cfir.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    cfir.lattice i over a.i
    case a.i {
      // expected-error@below {{cfir.lattice: 'i' is already bound}}
      cfir.lattice i over b.i
      case b.i {
        cfir.append z(i) = a(i)
      }
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @guards(%a: !sv, %b: !sv) {
  %z = cfir.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    // expected-error@below {{cfir.lattice: one guard per case expected}}
    "cfir.lattice"() <{index_var = "i", domain = #cin.set<a.i>, located = [], guards = []}> ({
      cfir.append z(i) = a(i)
    }) : () -> ()
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @undeclared(%a: !sv, %b: !sv) {
  %z = cfir.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    cfir.lattice i over a.i
    case a.i {
      // expected-error@below {{cfir.append: 'c(i)' names no access of the kernel}}
      cfir.append z(i) = c(i)
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @assigned_sparse(%a: !sv, %b: !sv) {
  %z = cfir.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    cfir.lattice i over a.i
    case a.i {
      // expected-error@below {{cfir.assign: z(i) is sparse: its entries are appended}}
      cfir.assign z(i) = a(i)
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @appended_dense(%a: !sv, %b: !sv) {
  %z = cfir.kernel z(i) of (a(i) = %a) : tensor<?xf64> {
    cfir.lattice i over a.i
    case a.i {
      // expected-error@below {{cfir.append: z(i) exists in full: it is assigned}}
      cfir.append z(i) = a(i)
    }
  }
  func.return
}

// -----

!rows = tensor<?x?xf64, #format.spec<(i, r) -> (i : compressed, r : dense)>>
func.func @appended_tail(%A: !rows) {
  %Z = cfir.kernel Z(i,r) of (A(i,r) = %A) : !rows {
    cfir.lattice i over A.i
    case A.i {
      cfir.lattice r over U.r with A.r = r
      case U.r {
        // expected-error@below {{cfir.append: Z(i,r) exists in full below its entry: it is assigned}}
        cfir.append Z(i,r) = A(i,r)
      }
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @appended_workspace(%a: !sv, %b: !sv) {
  %z = cfir.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    cfir.lattice i over a.i
    case a.i {
      cfir.where {
        cfir.append z(i) = t
      } producing t {
        // expected-error@below {{cfir.append: t exists in full: it is assigned}}
        cfir.append t = a(i)
      }
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @workspace_name(%a: !sv, %b: !sv) {
  %z = cfir.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    cfir.lattice i over a.i
    case a.i {
      // expected-error@below {{cfir.where: the workspace 'a' is called like something else}}
      cfir.where {
        cfir.append z(i) = a
      } producing a {
        cfir.assign a = b(i)
      }
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @no_statement(%a: !sv, %b: !sv) {
  %z = cfir.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    // expected-error@below {{cin.assign: is no statement of cfir}}
    cin.assign z(i) = 1.0
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @bad_guard(%a: !sv, %b: !sv) {
  %z = cfir.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    cfir.lattice i over a.i
    // expected-error@below {{set expression 'a.i |': expected a set such as A.i or U.i}}
    case a.i | {
      cfir.append z(i) = a(i)
    }
  }
  func.return
}

// -----

func.func @level(%a: tensor<?xf64, #format.spec<(i) -> (i : compressed)>>, %p: index) {
  // expected-error@below {{cfir.pos_access: level 1 of a tensor stored in 1 levels}}
  %i = cfir.pos_access %a 1(%p) : tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
  func.return
}

// -----

func.func @mode(%a: tensor<?xf64>) {
  // expected-error@below {{cfir.dim: mode 1 of a tensor of order 1}}
  %n = cfir.dim %a 1 : tensor<?xf64>
  func.return
}

// -----

func.func @load(%a: tensor<?xf64>, %p: index) {
  // expected-error@below {{cfir.load: f32 is no element of a tensor of f64}}
  %v = cfir.load %a(%p) : tensor<?xf64> -> f32
  func.return
}

// -----

func.func @store(%a: tensor<?xf64>, %p: index, %v: i32) {
  // expected-error@below {{cfir.store: i32 is no element of a tensor of f64}}
  cfir.store %v into %a(%p) : i32, tensor<?xf64>
  func.return
}

// -----

func.func @finish(%a: tensor<?xf64>) {
  // expected-error@below {{attribute tensor<?xf64> expected from variable 'T', but got tensor<?xf32>}}
  %b = "cfir.finish"(%a) : (tensor<?xf64>) -> tensor<?xf32>
  func.return
}

// -----

func.func @let_of_a_stranger(%A: tensor<?xf64>) {
  %y = cfir.kernel y(i) of (A(i) = %A) : tensor<?xf64> {
    cfir.lattice i over U.i
    case U.i {
      // expected-error@below {{cfir.let: 'j' in 'i + j' is neither bound by a loop or let around it}}
      cfir.let k = i + j {
        cfir.assign y(i) = A(i)
      }
    }
  }
  func.return
}

// -----

func.func @search(%n: index) {
  // expected-error@below {{cfir.workspace: entries have to be found by 'dense' or 'hash', not by 'tree'}}
  %w = cfir.workspace "tree"(%n) : tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
  func.return
}

// -----

func.func @no_list(%n: index) {
  // expected-error@below {{cfir.workspace: (i) -> (i : dense) is no list of entries of a vector}}
  %w = cfir.workspace "dense"(%n) : tensor<?xf64>
  func.return
}

// -----

func.func @insert(%n: index, %x: f32) {
  %w = cfir.workspace "dense"(%n) : tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
  // expected-error@below {{cfir.insert: f32 is no element of a tensor of f64}}
  cfir.insert %x into %w(%n, %n) : f32, tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
  func.return
}

// -----

// A list is verified like the rest of a kernel's names.
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @list_outside(%A: !csr) {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A) : !csr {
    cfir.lattice i over A.i
    case A.i {
      // expected-error@below {{cfir.lattice: 'w.j' names no access of the kernel}}
      cfir.lattice j over w.j
      case w.j {
        cfir.append Z(i,j) = A(i,j)
      }
      cfir.where {
      } producing w(j) : dense {
      }
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @located_a_set(%a: !sv, %b: !sv) {
  %z = cfir.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    // expected-error@below {{cfir.lattice: 'U.i' is located, but only a stored level can be}}
    "cfir.lattice"() <{index_var = "i", domain = #cin.set<a.i>, located = [#cin.set<U.i>], guards = [#cin.set<a.i>]}> ({
      cfir.append z(i) = a(i)
    }) : () -> ()
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @sought_elsewhere(%a: !sv, %b: !sv, %c: !sv) {
  %z = cfir.kernel z(i) of (a(i) = %a, b(i) = %b, c(i) = %c) : !sv {
    // expected-error@below {{cfir.lattice: 'c.i' can be sought only in an intersection of levels that has it, not in 'a.i & b.i'}}
    cfir.lattice i over a.i & b.i seeking c.i
    case a.i & b.i { cfir.append z(i) = a(i) * b(i) }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!other = tensor<?xf32, #format.spec<(i) -> (i : compressed)>>
func.func @room(%a: !sv, %room: !other) {
  // expected-error@below {{has no room for a result of tensor<?xf64}}
  %z = cfir.kernel z(i) of (a(i) = %a) : !sv into %room {
    cfir.lattice i over a.i
    case a.i { cfir.append z(i) = a(i) }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @prefetched(%a: !sv, %p: index) {
  // expected-error@below {{cfir.prefetch: 'edges' or 'entries' or 'row' expected, not 'values'}}
  cfir.prefetch "values" of %a 0(%p) : !sv
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @prefetched_row(%a: !csr, %p: index) {
  // expected-error@below {{cfir.prefetch: a row is a block of values, below level 0 is none}}
  cfir.prefetch "row" of %a 0(%p) : !csr
  func.return
}

// -----

func.func @no_parts() {
  // expected-error@below {{cfir.parts: a result in 0 parts}}
  %Z = cfir.parts 0 : tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @prefetched_level(%a: !sv, %p: index) {
  // expected-error@below {{cfir.prefetch: level 1 of a tensor stored in 1 levels}}
  cfir.prefetch "edges" of %a 1(%p) : !sv
  func.return
}

// -----

func.func @dense_parts() {
  // expected-error@below {{cfir.parts: a dense result is written where it is}}
  %Z = cfir.parts 4 : tensor<?xf64>
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @table_of_a_result(%n: index, %z: !sv) {
  // expected-error@below {{cfir.workspace: entries of a result are found by 'dense', not by 'hash'}}
  %w = cfir.workspace "hash"(%n) : !sv in %z : !sv
  func.return
}

// -----

func.func @no_kernel() {
  // expected-error@below {{cfir.lattice: the statement is in no kernel, which would say what its names are}}
  cfir.lattice i over a.i
  case a.i {
    cfir.append z(i) = a(i)
  }
  func.return
}
