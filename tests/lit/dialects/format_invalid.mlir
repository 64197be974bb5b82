// RUN: tamale-opt %s --split-input-file --verify-diagnostics

// expected-error@below {{level 2 ('j : compresed') has an unknown kind 'compresed' (did you mean 'compressed'?)}}
"test.op"() {t = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compresed)>>} : () -> ()

// -----

// The error stands on the line of the level.
#f = #format.spec<(i, j) -> (i : dense,
  // expected-error@below {{level 2 ('j : dense(nonunique)') has option 'nonunique', but 'dense' takes no options}}
  j : dense(nonunique))>

// -----

// expected-error@below {{mode 'j' is not stored by any level}}
#f = #format.spec<(i, j) -> (i : dense)>

// -----

// expected-error@below {{level 2 ('i : compressed') stores 'i' again; level 1 has it already}}
#f = #format.spec<(i) -> (i : dense, i : compressed)>

// -----

// expected-error@below {{mode 'i' is listed twice}}
#f = #format.spec<(i, i) -> (i : dense)>

// -----

// expected-error@below {{level 1 ('k : dense') uses 'k', which is no mode of this format (modes: i)}}
#f = #format.spec<(i) -> (k : dense, i : dense)>

// -----

// expected-error@below {{level 1 ('i : singleton') shares the positions of its parent level, but has none}}
#f = #format.spec<(i) -> (i : singleton)>

// -----

// expected-error@below {{level 1 ('i / 0 : dense') divides by zero in 'i / 0'}}
#f = #format.spec<(i) -> (i / 0 : dense)>

// -----

// expected-error@below {{expected ':' and a level kind after the expression of level 1 ('i')}}
#f = #format.spec<(i) -> (i)>

// -----

// expected-error@below {{expected an index width, i32 or i64, got 'i8'}}
#f = #format.spec<(i) -> (i : dense), pos = i8>

// -----

// expected-error@below {{this '(' is never closed}}
#f = #format.spec<(i) -> (i : dense>

// -----

// expected-error@below {{a format line starts with the modes in parentheses}}
#f = #format.spec<csr>

// -----

// expected-error@below {{statistics: expected 'sizes [n, ..]' and perhaps ', stored [n, ..]', got 'entries 4'}}
#s = #format.statistics<entries 4>

// -----

// expected-error@below {{statistics: expected numbers or '?', got '4, x'}}
#s = #format.statistics<sizes [4, x]>
