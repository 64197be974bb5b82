"""What stands above the functions: includes, and small helpers where an operator is not enough."""

from tamale.backends.cpp.types import CType

_HELPERS: dict[str, str] = {
    "floor_div": """
static inline {T} floor_div_{t}({T} a, {T} b) {{
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}}
""",
    "ceil_div": """
static inline {T} ceil_div_{t}({T} a, {T} b) {{
  return a / b + (a % b != 0 && (a < 0) == (b < 0));
}}
""",
    "ceil_div_unsigned": """
static inline {T} ceil_div_unsigned_{t}(u{T} a, u{T} b) {{
  return a / b + (a % b != 0);
}}
""",
    "leading_zeros": """
static inline {T} leading_zeros_{t}(u{T} a) {{
  return a == 0 ? {bits} : __builtin_clzll(a) - (64 - {bits});
}}
""",
    "trailing_zeros": """
static inline {T} trailing_zeros_{t}(u{T} a) {{
  return a == 0 ? {bits} : __builtin_ctzll(a);
}}
""",
    "minimum": """
// NaN if either is NaN; -0.0 is below 0.0.
static inline {T} minimum_{t}({T} a, {T} b) {{
  if (a == b) return __builtin_signbit(a) ? a : b;
  return a < b || a != a ? a : b;
}}
""",
    "maximum": """
// NaN if either is NaN; -0.0 is below 0.0.
static inline {T} maximum_{t}({T} a, {T} b) {{
  if (a == b) return __builtin_signbit(a) ? b : a;
  return a > b || a != a ? a : b;
}}
""",
    "minnum": """
// The other one if either is NaN.
static inline {T} minnum_{t}({T} a, {T} b) {{
  return a < b || b != b ? a : b;
}}
""",
    "maxnum": """
// The other one if either is NaN.
static inline {T} maxnum_{t}({T} a, {T} b) {{
  return a > b || b != b ? a : b;
}}
""",
    "complex": """
static inline {T} _Complex complex_{t}({T} re, {T} im) {{
  {T} _Complex z;
  __real__ z = re;
  __imag__ z = im;
  return z;
}}
""",
}

_HUGE_PAGES = """
// Asks for huge pages where the system has them: the first touch of fresh memory is what a large
// result costs most.
static void *on_huge_pages(void *block, size_t bytes) {
#ifdef __linux__
  const size_t huge_page = (size_t)1 << 21, page = (size_t)1 << 12;
  if (block && bytes >= 2 * huge_page) {
    const size_t rest = (page - ((uintptr_t)block & (page - 1))) & (page - 1);
    madvise((char *)block + rest, bytes - rest, MADV_HUGEPAGE);
  }
#endif
  return block;
}
"""

# `gnu::__malloc__`, spelt as no macro is: no two blocks overlap, and none holds pointers. Else a
# store to one would make the compiler load again from all others.
_ALLOCATOR = """
[[gnu::__malloc__]] static void *allocate(size_t bytes) {
  return on_huge_pages(malloc(bytes), bytes);
}
"""

_ZEROED_ALLOCATOR = """
// A large block is fresh from the system, which gives pages of zeros: nothing is written.
[[gnu::__malloc__]] static void *allocate_zeroed(size_t bytes) {
  return on_huge_pages(calloc(bytes, 1), bytes);
}
"""


_REALLOCATOR = """
[[gnu::__malloc__]] static void *reallocate(void *block, size_t bytes) {
  return on_huge_pages(realloc(block, bytes), bytes);
}
"""

_ALLOCATORS = {
    "allocate": _ALLOCATOR,
    "allocate_zeroed": _ZEROED_ALLOCATOR,
    "reallocate": _REALLOCATOR,
}


class Prelude:
    """Collects what the printed functions turned out to need."""

    def __init__(self) -> None:
        self._includes = {"stdint.h"}
        self._helpers: dict[str, str] = {}
        self._allocators: dict[str, str] = {}

    def include(self, header: str) -> None:
        """Asks for a header of the C library."""
        self._includes.add(header)

    def helper(self, purpose: str, ctype: CType) -> str:
        """The name of the helper function for `purpose` on `ctype`, which will be printed."""
        short = f"{'f' if ctype.name in ('float', 'double') else 'i'}{ctype.bits}"
        text = _HELPERS[purpose].format(T=ctype.name, t=short, bits=ctype.bits)
        name = f"{purpose}_{short}"
        self._helpers[name] = text.strip()
        return name

    def allocator(self, *, zeroed: bool = False) -> str:
        """The name of the function that allocates blocks of a size known at run time only."""
        self.include("stdlib.h")
        return self._allocator("allocate_zeroed" if zeroed else "allocate")

    def reallocator(self) -> str:
        """The name of the function that gives a block another size."""
        return self._allocator("reallocate")

    def _allocator(self, name: str) -> str:
        self.include("stdlib.h")
        self._allocators |= {"": _HUGE_PAGES.strip(), name: _ALLOCATORS[name].strip()}
        return name

    def sections(self) -> list[str]:
        """The text above the functions, in an order that does not depend on the functions'."""
        includes = "\n".join(f"#include <{header}>" for header in sorted(self._includes))
        if self._allocators:
            includes += "\n#ifdef __linux__\n#include <sys/mman.h>\n#endif"
        helpers = (*sorted(self._allocators.items()), *sorted(self._helpers.items()))
        return [includes, *(text for _, text in helpers)]
