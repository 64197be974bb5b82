// RUN: tamale-opt %s -t dot --verify-diagnostics

// A module without kernels has no picture.
// expected-error@+1 {{dot: there is nothing to draw}}
func.func @empty() {
  func.return
}
