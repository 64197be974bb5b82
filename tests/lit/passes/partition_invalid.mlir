// RUN: tamale-opt %s -p 'partition{threads=8}' --verify-diagnostics --split-input-file

func.func @not_optimised(%a: tensor<?xf64>) {
  // expected-error@below {{partition: the kernel of y is not optimised; run iterate-locate first}}
  %y = cin.kernel y(i) of (a(i) = %a) : tensor<?xf64> {
    cin.forall i in a.i { cin.assign y(i) = a(i) }
  }
  func.return
}
