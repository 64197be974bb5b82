"""Results that are counted first: what fails leaves nothing behind, and is known in time."""

from collections.abc import Callable

from tamale.frontend.request import make_request
from tamale.frontend.stages import Stages

Run = Callable[..., str]

PROGRAM = """
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int left = 100;
static void *test_malloc(size_t size) {{ return left-- > 0 ? malloc(size) : nullptr; }}
#define malloc test_malloc
{kernel}
#undef malloc

int32_t *pos1, *crd1, *pos2, *crd2;
double *vals;

int32_t call(int32_t rows, int32_t columns, const int32_t *crd, const double *values) {{
  const int32_t x_pos[] = {{0, rows}}, y_pos[] = {{0, columns}};
  pos1 = crd1 = pos2 = crd2 = nullptr;
  vals = nullptr;
  return kernel(9, x_pos, crd, values, 9, y_pos, crd, values,  // x, y
                9, 9, &pos1, &crd1, &pos2, &crd2, &vals);
}}

int main() {{
  const int32_t crd[] = {{1, 3, 4}};
  const double values[] = {{1.0, 2.0, 3.0}};
  {main}
}}
"""

FAILING = """
  for (int allowed = 0;; allowed++) {
    left = allowed;
    int32_t status = call(3, 2, crd, values);
    if (status == 0) {
      printf("%d %d %g after %d", pos1[1], pos2[3], vals[5], allowed);
      void *blocks[] = {pos1, crd1, pos2, crd2, vals};
      for (void *block : blocks) kernel_free(block);
      return 0;
    }
    if (status != 1 || pos1 || crd1 || pos2 || crd2 || vals) return 1;
  }
"""


def counting_kernel() -> str:
    """A kernel with two groups of levels; positions alone tell how many entries it makes."""
    formats = {"x": "csf", "y": "csf", "Z": "dcsr"}
    request = make_request("Z(i,j) = x(i) * y(j)", formats, {}, assembly="count")
    return Stages(request).cpp


def test_failure_of_any_allocation(run: Run):
    """Status 1, results untouched, and nothing leaked or freed twice (AddressSanitizer)."""
    assert run(PROGRAM.format(kernel=counting_kernel(), main=FAILING)) == "3 6 6 after 6"


def test_an_overflow_is_known_before_anything_is_written(run: Run):
    """Arrays of 3 elements, but 2^31 entries: counting does not look at coordinates or values."""
    main = 'left = 4; printf("%d %d", call(2, 1 << 30, crd, values), vals == nullptr);'
    assert run(PROGRAM.format(kernel=counting_kernel(), main=main)) == "2 1"


def test_the_most_that_positions_can_count_is_no_overflow(run: Run):
    """One entry less fits the positions: then it is memory that there is not."""
    main = 'left = 4; printf("%d", call(1, INT32_MAX, crd, values));'
    assert run(PROGRAM.format(kernel=counting_kernel(), main=main)) == "1"
