// RUN: tamale-opt %s --verify-diagnostics --split-input-file

// expected-error@+1 {{linalg.generic: a trait is a dictionary}}
linalg.generic [1] { ^bb0: }

// -----

// expected-error@+1 {{linalg.generic: a trait has 'indexing_maps' and 'iterator_types'}}
linalg.generic {indexing_maps = []} { ^bb0: }

// -----

// expected-error@+1 {{linalg.generic: "sequential" is none of ['parallel', 'reduction', 'window']}}
linalg.generic {indexing_maps = [], iterator_types = ["sequential"]} { ^bb0: }
