"""Operands that may repeat entries: which loops can visit their duplicates one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tamale.dialects.cin.sets import leaves
from tamale.dialects.errors import ScheduleError
from tamale.dialects.format.spec import Format
from tamale.dialects.notation.ast import Access, Assignment, to_text
from tamale.passes.algebra.linearity import is_linear, reads
from tamale.passes.algebra.nest_building import Let, Loop, Nest, Where
from tamale.passes.algebra.terms import accesses_in
