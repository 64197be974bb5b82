"""All forms in one table."""

from collections.abc import Callable
from typing import Any

from xdsl.ir import Operation

from tamale.backends.cpp.expressions import Expression
from tamale.backends.cpp.forms.comparisons import COMPARISON_FORMS
from tamale.backends.cpp.forms.complexes import COMPLEX_FORMS
from tamale.backends.cpp.forms.constants import CONSTANT_FORMS
from tamale.backends.cpp.forms.conversions import CONVERSION_FORMS
from tamale.backends.cpp.forms.floats import FLOAT_FORMS
from tamale.backends.cpp.forms.integers import INTEGER_FORMS
from tamale.backends.cpp.values import Values

FORMS: dict[type[Operation], Callable[[Any, Values], Expression]] = {
    **CONSTANT_FORMS,
    **INTEGER_FORMS,
    **COMPARISON_FORMS,
    **CONVERSION_FORMS,
    **FLOAT_FORMS,
    **COMPLEX_FORMS,
}
"""By op class: the function that prints its value; each takes an op of that class."""
