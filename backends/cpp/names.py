"""C++ identifiers from name hints."""

import re
from collections.abc import Generator
from contextlib import contextmanager

_KEYWORDS = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t
class compl const const_cast constexpr continue decltype default delete do double dynamic_cast
else enum explicit export extern false float for friend goto if inline int long mutable namespace
new noexcept not not_eq nullptr operator or or_eq private protected public register
reinterpret_cast return short signed sizeof static static_assert static_cast struct switch
template this thread_local throw true try typedef typeid typename union unsigned using virtual
void volatile wchar_t while xor xor_eq concept requires consteval constinit char8_t typeof
"""

_LIBRARY = """
malloc realloc free calloc allocate allocate_zeroed reallocate posix_memalign madvise size_t
ptrdiff_t NULL EOF errno assert
linux unix i386 main fail status div ldiv abs NAN INFINITY HUGE_VAL RAND_MAX MB_CUR_MAX
EXIT_SUCCESS EXIT_FAILURE
acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf exp exp2 expm1 fabs floor
fma fmax fmin log log10 log1p log2 pow round roundeven sin sinh sqrt tan tanh trunc
"""
"""Functions and macros of the headers that generated text may include or call."""

RESERVED = frozenset((_KEYWORDS + _LIBRARY).split())

_RESERVED_PATTERN = re.compile(
    r"u?int(_fast|_least|ptr|max)?\d*_t|(float|double)_t|U?INT.*_(MAX|MIN|C)|(SIZE|PTRDIFF)_MAX"
    r"|(M|FP|MATH|HUGE)_\w+|(\w+_)?(div|unsigned|zeros|minimum|maximum|minnum|maxnum|complex)_[if]\d+"
)
"""Types and macros of the same headers by pattern, and the helpers of `prelude`."""

_ANONYMOUS = "t"


def is_reserved(name: str) -> bool:
    """Whether `name` means something to C++, its headers, or the text around a function."""
    in_library = name in RESERVED or name.removesuffix("f") in RESERVED
    return in_library or _RESERVED_PATTERN.fullmatch(name) is not None


def is_identifier(name: str) -> bool:
    """Whether `name` can be used as it is as the name of a C++ function."""
    return re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII) is not None and not is_reserved(name)


def identifier_from(hint: str | None) -> str:
    """
    An identifier as close to `hint` as C++ lets it be.

    >>> identifier_from("A2_pos"), identifier_from("x.y"), identifier_from("double")
    ('A2_pos', 'x_y', 'double_')
    """
    name = re.sub(r"\W|__+", "_", hint or _ANONYMOUS, flags=re.ASCII).lstrip("_") or _ANONYMOUS
    if name[0].isdigit():
        name = f"{_ANONYMOUS}{name}"
    return f"{name}_" if is_reserved(name) else name


class Scopes:
    """
    The names visible at the point where text is being printed.

    A name may be reused once its scope is closed; hiding a name of an enclosing scope is not
    allowed, because a reader would have to notice.
    """

    def __init__(self) -> None:
        self._open: list[set[str]] = [set()]

    @contextmanager
    def nested(self) -> Generator[None]:
        """A C++ block: names declared inside are free again afterwards."""
        self._open.append(set())
        yield
        self._open.pop()

    def label(self, hint: str) -> str:
        """A name for a place of the function: taken everywhere, from now on."""
        inner, self._open = self._open, [set[str]().union(*self._open)]
        name = self.declare(hint)
        self._open = inner
        self._open[0].add(name)
        return name

    def declare(self, hint: str | None) -> str:
        """Takes the identifier of `hint`, or the first of `hint_2`, `hint_3`, ... that is free."""
        wanted = name = identifier_from(hint)
        count = 1
        while any(name in scope for scope in self._open):
            count += 1
            name = f"{wanted}_{count}"
        self._open[-1].add(name)
        return name
