// RUN: tamale-opt %s --verify-diagnostics --split-input-file

// The place is that of the statement, not of the kernel.
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @unknown_leaf(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    // expected-error@below {{cin.forall: 'q.i' names no access of the kernel}}
    cin.forall i in a.i & q.i {
      cin.assign z(i) = a(i)
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @unknown_mode(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    cin.forall i in a.i {
      // expected-error@below {{cin.forall: b(i) has no level of 'j'}}
      cin.forall j in b.j {
        cin.assign z(i) = a(i)
      }
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @result_in_a_domain(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    // expected-error@below {{cin.forall: 'z.i' is the result's, which is written, not walked}}
    cin.forall i in a.i | z.i {
      cin.assign z(i) = a(i)
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @foreign_variable(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(j) = %b) : !sv {
    // expected-error@below {{cin.forall: the domain of 'i' also names 'b.j'. A domain may only constrain its own index variable}}
    cin.forall i in a.i & b.j {
      cin.assign z(i) = a(i)
    }
  }
  func.return
}

// -----

// Near miss: below a complement, a variable of a loop outside is all or nothing.
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @resolved_mask(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(j) = %b) : !sv {
    cin.forall j in b.j {
      cin.forall i in a.i & ~b.j {
        cin.assign z(i) = a(i)
      }
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @unresolved_mask(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(j) = %b) : !sv {
    // expected-error@below {{cin.forall: the domain of 'i' also names 'b.j'.}}
    cin.forall i in a.i & ~b.j {
      cin.assign z(i) = a(i)
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @foreign_universe(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    // expected-error@below {{cin.forall: the domain of 'i' also names 'U.j'.}}
    cin.forall i in a.i & U.j {
      cin.assign z(i) = a(i)
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @same_loop_twice(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    cin.forall i in a.i {
      // expected-error@below {{cin.forall: 'i' is already bound}}
      cin.forall i in b.i {
        cin.assign z(i) = a(i)
      }
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @located_unknown(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    // expected-error@below {{cin.forall: 'q.i' names no access of the kernel}}
    cin.forall i in a.i with q.i = i {
      cin.assign z(i) = a(i)
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @located_too_early(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(j) = %b) : !sv {
    // expected-error@below {{cin.forall: 'b.j' is located outside the loop of 'j'}}
    cin.forall i in a.i with b.j = j {
      cin.assign z(i) = a(i)
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @located_a_set(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    // expected-error@below {{cin.forall: only a stored level can be located}}
    "cin.forall"() <{index_var = "i", domain = #cin.set<a.i>, located = [#cin.set<U.i>]}> ({
      cin.assign z(i) = a(i)
    }) : () -> ()
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @sought_in_a_union(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    // expected-error@below {{cin.forall: 'b.i' can be sought only in an intersection of levels that has it, not in 'a.i | b.i'}}
    cin.forall i in a.i | b.i seeking b.i {
      cin.assign z(i) = a(i) + b(i)
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @sought_beside_a_union(%a: !sv, %b: !sv, %c: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b, c(i) = %c) : !sv {
    // expected-error@below {{cin.forall: 'b.i' can be sought only in an intersection of levels that has it, not in '(a.i | c.i) & b.i'}}
    cin.forall i in (a.i | c.i) & b.i seeking b.i {
      cin.assign z(i) = (a(i) + c(i)) * b(i)
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @sought_a_set(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    // expected-error@below {{expected a level to seek, such as 'B.i', got '~b.i'}}
    cin.forall i in a.i & b.i seeking ~b.i {
      cin.assign z(i) = a(i) * b(i)
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @not_located(%a: !sv, %x: tensor<?xf64>) {
  %z = cin.kernel z(i) of (a(i) = %a, x(i) = %x) : !sv optimised {
    // expected-error@below {{cin.forall: x.i is full and has to be located in an optimised kernel; run iterate-locate}}
    cin.forall i in a.i & x.i {
      cin.assign z(i) = a(i)
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @undeclared(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    cin.forall i in a.i {
      // expected-error@below {{cin.assign: 'c(i)' names no access of the kernel}}
      cin.assign z(i) = a(i) + c(i)
    }
  }
  func.return
}

// -----

// A name is one access; another use of the tensor is another name.
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @declared_otherwise(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    cin.forall i in a.i {
      // expected-error@below {{cin.assign: 'a' is declared as a(i)}}
      cin.assign z(i) = a
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @outside_its_loop(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    // expected-error@below {{cin.assign: 'z(i)' lies outside the loop of 'i'}}
    cin.assign z(i) = 1.0
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @operand_written(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    cin.forall i in a.i {
      // expected-error@below {{cin.assign: 'b(i)' is an operand, which is read, not written}}
      cin.assign b(i) = a(i)
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @result_read(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    cin.forall i in a.i {
      // expected-error@below {{cin.assign: 'z(i)' is the result, which is written, not read}}
      cin.assign z(i) = z(i) + a(i)
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @workspace_name(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    cin.forall i in a.i {
      // expected-error@below {{cin.where: the workspace 'b' is called like something else}}
      cin.where {
        cin.assign z(i) = b
      } producing b {
        cin.assign b = a(i)
      }
    }
  }
  func.return
}

// -----

// A workspace is known inside its where only.
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @workspace_outside(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    cin.forall i in a.i {
      cin.where {
        cin.assign z(i) = t
      } producing t {
        cin.assign t = a(i)
      }
      // expected-error@below {{cin.assign: 't' names no access of the kernel}}
      cin.assign z(i) = t
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @no_statement(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    // expected-error@below {{test.op: is no statement of cin}}
    "test.op"() : () -> ()
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @same_name(%a: !sv, %b: !sv) {
  // expected-error@below {{cin.kernel: two accesses are called 'a'}}
  %z = cin.kernel z(i) of (a(i) = %a, a(i) = %b) : !sv {
    cin.forall i in a.i {
      cin.assign z(i) = a(i)
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @order(%a: !sv, %b: !sv) {
  // expected-error@below {{cin.kernel: a(i,j) does not fit a tensor of order 1}}
  %z = cin.kernel z(i) of (a(i,j) = %a) : !sv {
    cin.forall i in a.i {
      cin.assign z(i) = a(i)
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @count(%a: !sv, %b: !sv) {
  // expected-error@below {{cin.kernel: 1 accesses of 2 tensors}}
  %z = "cin.kernel"(%a, %b) <{accesses = [#cin.access<a(i)>], target = #cin.access<z(i)>}> ({
    cin.forall i in a.i {
      cin.assign z(i) = a(i)
    }
  }) : (!sv, !sv) -> !sv
  func.return
}

// -----

// Parsing: the message of the notation, at the place of the text.
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @bad_set(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    // expected-error@below {{set expression 'a.i &': expected a set such as A.i or U.i at 'the end'}}
    cin.forall i in a.i & {
      cin.assign z(i) = a(i)
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @bad_clause(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    // expected-error@below {{expected a clause such as 'B.i = i', got 'b.i = j'}}
    cin.forall i in a.i with b.i = j {
      cin.assign z(i) = a(i)
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @bad_statement(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    cin.forall i in a.i {
      // expected-error@below {{expected}}
      cin.assign z(i) = a(i) +
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @undefined(%a: !sv, %b: !sv) {
  // expected-error@below {{'%c' is not defined above}}
  %z = cin.kernel z(i) of (a(i) = %c) : !sv {
    cin.forall i in a.i {
      cin.assign z(i) = a(i)
    }
  }
  func.return
}

// -----

// A let reads what is bound around it, and sizes of dimensions.
func.func @let_of_a_stranger(%A: tensor<?xf64>) {
  %y = cin.kernel y(i) of (A(i) = %A) : tensor<?xf64> {
    cin.forall i in A.i {
      // expected-error@below {{cin.let: 'j' in 'i + j' is neither bound by a loop or let around it nor the size of a dimension}}
      cin.let k = i + j {
        cin.assign y(i) = A(i)
      }
    }
  }
  func.return
}

// -----

func.func @let_of_a_strange_dimension(%A: tensor<?xf64>) {
  %y = cin.kernel y(i) of (A(i) = %A) : tensor<?xf64> {
    cin.forall i in A.i {
      // expected-error@below {{cin.let: 'dim_j' in 'i' is neither bound}}
      cin.let k = i within dim_j {
        cin.assign y(i) = A(i)
      }
    }
  }
  func.return
}

// -----

func.func @let_of_a_loop(%A: tensor<?xf64>) {
  %y = cin.kernel y(i) of (A(i) = %A) : tensor<?xf64> {
    cin.forall i in A.i {
      // expected-error@below {{cin.let: 'i' is already bound}}
      cin.let i = i + 1 {
        cin.assign y(i) = A(i)
      }
    }
  }
  func.return
}

// -----

func.func @let_locates_too_early(%A: tensor<?xf64>, %x: tensor<?xf64>) {
  %y = cin.kernel y(i) of (A(i) = %A, x(j) = %x) : tensor<?xf64> {
    cin.forall i in A.i {
      // expected-error@below {{cin.let: 'x.j' is located outside the loop of 'j'}}
      cin.let k = i + 1 with x.j = j {
        cin.assign y(i) = A(i)
      }
    }
  }
  func.return
}

// -----

func.func @let_without_a_value(%A: tensor<?xf64>) {
  %y = cin.kernel y(i) of (A(i) = %A) : tensor<?xf64> {
    cin.forall i in A.i {
      // expected-error@below {{expected an operator between '2' and what follows}}
      cin.let k = i + 2i { cin.assign y(i) = A(i) }
    }
  }
  func.return
}

// -----

// Loops are over levels: BCSR has none over i.
!bcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j / 3 : compressed, i % 2 : dense, j % 3 : dense)>>
func.func @no_level(%A: !bcsr) {
  %y = cin.kernel y(i) of (A(i,j) = %A) : tensor<?xf64> {
    // expected-error@below {{cin.forall: A(i,j) has no level of 'i'}}
    cin.forall i in A.i {
      cin.assign y(i) += A(i,j)
    }
  }
  func.return
}

// -----

!bcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j / 3 : compressed, i % 2 : dense, j % 3 : dense)>>
func.func @too_few_levels(%A: !bcsr) {
  %y = cin.kernel y of (A(i,j) = %A) : tensor<f64> {
    cin.forall i_div_2 in A.i_div_2 {
      // expected-error@below {{cin.assign: 'A(i,j)' lies outside the loop of 'j_div_3'}}
      cin.assign y += A(i,j)
    }
  }
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @two_modes(%A: !csr) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A) : !csr {
    cin.forall i in A.i {
      // expected-error@below {{cin.where: the workspace w(i,j) has more than one mode}}
      cin.where {
        cin.forall j in A.j { cin.assign Z(i,j) = A(i,j) }
      } producing w(i,j) : dense {
        cin.forall j in A.j { cin.assign w(i,j) += A(i,j) }
      }
    }
  }
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @twice(%A: !csr) {
  %s = cin.kernel s of (A(i,j) = %A) : tensor<f64> {
    cin.where {
      cin.assign s = t
    } producing t {
      cin.forall i in A.i {
        // expected-error@below {{cin.where: the workspace t is inside of another one of its name}}
        cin.where {
          cin.assign t += t
        } producing t {
          cin.forall j in A.j { cin.assign t += A(i,j) }
        }
      }
    }
  }
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @found_scalar(%A: !csr) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A) : !csr {
    cin.forall i in A.i {
      // expected-error@below {{cin.where: the scalar t has no entries to find}}
      cin.where {
        cin.forall j in A.j { cin.assign Z(i,j) = A(i,j) }
      } producing t : dense sorted {
        cin.forall j in A.j { cin.assign t += A(i,j) }
      }
    }
  }
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @unknown_search(%A: !csr) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A) : !csr {
    cin.forall i in A.i {
      // expected-error@below {{cin.where: entries of w(j) have to be found by 'dense' or 'hash', not by 'tree'}}
      cin.where {
        cin.forall j in A.j { cin.assign Z(i,j) = A(i,j) }
      } producing w(j) : tree {
        cin.forall j in A.j { cin.assign w(j) += A(i,j) }
      }
    }
  }
  func.return
}

// -----

// A list has to say how its entries are found.
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @no_search(%A: !csr) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A) : !csr {
    cin.forall i in A.i {
      // expected-error@below {{cin.where: entries of w(j) have to be found by 'dense' or 'hash'}}
      cin.where {
        cin.forall j in A.j { cin.assign Z(i,j) = A(i,j) }
      } producing w(j) {
        cin.forall j in A.j { cin.assign w(j) += A(i,j) }
      }
    }
  }
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @operand_as_list(%A: !csr) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A) : !csr {
    cin.forall i in A.i {
      // expected-error@below {{cin.where: the workspace 'A' is called like something else}}
      cin.where {
        cin.forall j in A.j { cin.assign Z(i,j) = 1.0 }
      } producing A(j) : dense {
        cin.forall j in A.j { cin.assign A(j) += 1.0 }
      }
    }
  }
  func.return
}

// -----

// Entries are read inside of the where that they belong to.
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @list_outside(%A: !csr) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A) : !csr {
    cin.forall i in A.i {
      cin.where {
        cin.forall j in w.j { cin.assign Z(i,j) = w(j) }
      } producing w(j) : dense {
        cin.forall j in A.j { cin.assign w(j) += A(i,j) }
      }
      // expected-error@below {{cin.forall: 'w.j' names no access of the kernel}}
      cin.forall j in w.j { cin.assign Z(i,j) = A(i,j) }
    }
  }
  func.return
}

// -----

// One name is one workspace, wherever it is filled.
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @two_lists(%A: !csr) {
  // expected-error@below {{cin.kernel: two different workspaces are called 'w'}}
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A) : !csr {
    cin.forall i in A.i {
      cin.where {
        cin.forall j in w.j { cin.assign Z(i,j) = w(j) }
      } producing w(j) : dense {
        cin.forall j in A.j { cin.assign w(j) += A(i,j) }
      }
      cin.where {
        cin.forall j in w.j { cin.assign Z(i,j) = w(j) }
      } producing w(j) : hash {
        cin.forall j in A.j { cin.assign w(j) += A(i,j) }
      }
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @no_parts(%a: !sv) {
  // expected-error@below {{cin.kernel: partitioned into 0 parts}}
  %y = cin.kernel y(i) of (a(i) = %a) : tensor<?xf64> partitioned into 0 over i in a.i {
    cin.forall i in a.i { cin.assign y(i) = a(i) }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @no_loop(%a: !sv) {
  // expected-error@below {{cin.kernel: 'k' is no loop that can be cut here}}
  %y = cin.kernel y(i) of (a(i) = %a) : tensor<?xf64> partitioned into 2 over i in a.i, k in U.k {
    cin.forall i in a.i { cin.assign y(i) = a(i) }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @no_operand(%a: !sv) {
  // expected-error@below {{cin.kernel: 'b.i' is no level of an operand}}
  %y = cin.kernel y(i) of (a(i) = %a) : tensor<?xf64> partitioned into 2 over i in b.i {
    cin.forall i in a.i { cin.assign y(i) = a(i) }
  }
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @not_along(%A: !csr) {
  // expected-error@below {{cin.kernel: what 'A.j' has before a coordinate of 'j' cannot be counted along the loops j}}
  %y = cin.kernel y(i,j) of (A(i,j) = %A) : tensor<?x?xf64> optimised partitioned into 2 over j in A.j {
    cin.forall i in U.i with A.i = i {
      cin.forall j in A.j { cin.assign y(i,j) = A(i,j) }
    }
  }
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @no_rows(%A: !csr, %B: !csr) {
  // expected-error@below {{cin.kernel: the visits of 'k' in 'B.k' cannot be counted for each coordinate of one loop, along the loops i, j}}
  %y = cin.kernel y(i) of (A(i,j) = %A, B(j,k) = %B) : tensor<?xf64> optimised partitioned into 2 over i in U.i, j in A.j counting k in B.k {
    cin.forall i in U.i with A.i = i {
      cin.forall j in A.j with B.j = j {
        cin.forall k in B.k { cin.assign y(i) += A(i,j) * B(j,k) }
      }
    }
  }
  func.return
}

// -----

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @other_rows(%A: !csr, %B: !csr) {
  // expected-error@below {{cin.kernel: the visits of 'k' in 'B.k' cannot be counted for each coordinate of one loop, along the loops i}}
  %y = cin.kernel y(i) of (A(i,j) = %A, B(j,k) = %B) : tensor<?xf64> optimised partitioned into 2 over i in U.i counting k in B.k {
    cin.forall i in U.i with A.i = i {
      cin.forall j in A.j with B.j = j {
        cin.forall k in B.k { cin.assign y(i) += A(i,j) * B(j,k) }
      }
    }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @unreadable(%a: !sv) {
  // expected-error@below {{expected 'into 8 over i in A.i', got 'in two'}}
  %y = cin.kernel y(i) of (a(i) = %a) : tensor<?xf64> partitioned in two {
    cin.forall i in a.i { cin.assign y(i) = a(i) }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @unreadable_loop(%a: !sv) {
  // expected-error@below {{expected a loop such as 'i in A.i', got 'i = a.i'}}
  %y = cin.kernel y(i) of (a(i) = %a) : tensor<?xf64> partitioned into 2 over i = a.i {
    cin.forall i in a.i { cin.assign y(i) = a(i) }
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @no_reduction(%a: !sv) {
  // expected-error@below {{cin.kernel: partial results cannot be combined by 'sub'}}
  %y = cin.kernel y of (a(i) = %a) : tensor<f64> partitioned into 2 over i in a.i combined by sub {
    cin.forall i in a.i { cin.assign y += a(i) }
  }
  func.return
}

// -----

// What a statement's names are is written at the kernel around it.
func.func @no_kernel() {
  // expected-error@below {{cin.assign: the statement is in no kernel, which would say what its names are}}
  cin.assign z(i) = a(i)
  func.return
}

// -----

func.func @no_kernel_around_a_loop() {
  // expected-error@below {{cin.forall: the statement is in no kernel}}
  cin.forall i in a.i {
    cin.assign z(i) = a(i)
  }
  func.return
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @met_along_a_stranger(%a: !sv) {
  // expected-error@below {{cin.kernel: 'b' is no operand whose outermost level the loop of i walks, so that nothing is met along it}}
  %y = cin.kernel y(i) of (a(i) = %a) : tensor<?xf64> partitioned into 2 over i in a.i met along b {
    cin.forall i in a.i { cin.assign y(i) = a(i) }
  }
  func.return
}
