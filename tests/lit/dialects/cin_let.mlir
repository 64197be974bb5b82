// RUN: tamale-opt %s | tamale-opt | filecheck %s
// RUN: ROUNDTRIP
// RUN: GENERIC

!bcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j / 3 : compressed, i % 2 : dense, j % 3 : dense)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>

// Loops over level variables; lets give the modes back, skip padding, and locate.
// CHECK-LABEL: @blocks(
// CHECK:       cin.forall i_mod_2 in A.i_mod_2 {
// CHECK-NEXT:    cin.let i = i_div_2 * 2 + i_mod_2 within dim_i {
// CHECK-NEXT:      cin.forall j_mod_3 in A.j_mod_3 {
// CHECK-NEXT:        cin.let j = j_div_3 * 3 + j_mod_3 below dim_j with x.j = j {
// CHECK-NEXT:          cin.assign y(i) += A(i,j) * x(j)
// GENERIC-LABEL: "blocks"
// GENERIC:       "cin.let"() <{index_var = "i", value = #cin.expression<(i_div_2 * 2 + i_mod_2)>, located = [],
// GENERIC-SAME:    within = #cin.expression<(dim_i)>}>
// GENERIC:       "cin.let"() <{index_var = "j", value = #cin.expression<(j_div_3 * 3 + j_mod_3)>,
// GENERIC-SAME:    located = [#cin.set<x.j>], below = #cin.expression<(dim_j)>}>
func.func @blocks(%A: !bcsr, %x: tensor<?xf64>) {
  %y = cin.kernel y(i) of (A(i,j) = %A, x(j) = %x) : tensor<?xf64> {
    cin.forall i_div_2 in A.i_div_2 {
      cin.forall j_div_3 in A.j_div_3 {
        cin.forall i_mod_2 in A.i_mod_2 {
          cin.let i = i_div_2 * 2 + i_mod_2 within dim_i {
            cin.forall j_mod_3 in A.j_mod_3 {
              cin.let j = j_div_3*3 + j_mod_3 below dim_j with x.j = j {  // a comment
                cin.assign y(i) += A(i,j) * x(j)
              }
            }
          }
        }
      }
    }
  }
  func.return
}

// Counters, shifts with their `>`, and coordinates as numbers; a result that starts from 0.
// CHECK-LABEL: @counters(
// CHECK:       : tensor<?xf64> zeroed {
// CHECK:       cin.let n = #i {
// CHECK-NEXT:    cin.let m = #i j {
// CHECK-NEXT:      cin.let all = # {
// CHECK-NEXT:        cin.let k = i >> 1 & n - (j - dim_j) below dim_i + dim_j {
// CHECK-NEXT:          cin.assign q(k) max= n + m * all
// GENERIC-LABEL: "counters"
// GENERIC:         zeroed}>
// GENERIC:         value = #cin.expression<(i >> 1 & n - (j - dim_j))>
func.func @counters(%A: !csr) {
  %q = cin.kernel q(k) of (A(i,j) = %A) : tensor<?xf64> zeroed {
    cin.forall i in A.i {
      cin.forall j in A.j {
        cin.let n = #i {
          cin.let m = #{i, j} {
            cin.let all = # {
              cin.let k = (i >> 1) & (n - (j - dim_j)) below dim_i + dim_j {
                cin.assign q(k) max= n + m * all
              }
            }
          }
        }
      }
    }
  }
  func.return
}
