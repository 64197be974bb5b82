"""Whatever is typed: a statement, or a NotationError that can be printed."""

import random

from tamale.dialects.errors import FormatError, NotationError
from tamale.dialects.notation.ast import to_text
from tamale.dialects.notation.parser import parse_notation
from tamale.frontend.notation.check import check_notation
from tamale.frontend.notation.einsum import einsum_to_assignment
from tamale.frontend.notation.formats import parse_format_flag
from tamale.frontend.notation.reductions import explicit_reductions

SEEDS = (
    "y(i) = A(i,j) * x(j)",
    "y[i] += b(i) - A[i,j]*x(j)/-2.5e3",
    "Z(i,j) max= max(A(i,j), abs(B(j,i))) + sum((k,l), T(i,k,l))",
    "a = reduce(min, j, k, B(j,k)) - alpha() * (1j - true)",
)
PIECES = (
    *" ()[],+-*/=|&.;\n\t\0'@{}~ijkAxe0179_",
    *("sum(", "reduce(", "max", "max=", "inf", "1e", "9" * 25, "((", "))", "\ud800", "\u00e9"),
)


def mutated(rng: random.Random) -> str:
    """A seed with a few pieces inserted, deleted or put in place of others; or pieces only."""
    if rng.random() < 0.2:
        return "".join(rng.choices(PIECES, k=rng.randrange(30)))
    text = rng.choice(SEEDS)
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(("", *PIECES)) + text[at + rng.randrange(3) :]
    return text


def test_notation_parses_or_explains():
    rng, accepted, messages = random.Random(20_241), 0, list[str]()
    for _ in range(20_000):
        text = mutated(rng)
        try:
            assignment = parse_notation(text)
            assert parse_notation(to_text(assignment)) == assignment
            explicit_reductions(assignment)
            check_notation(assignment, text)
            accepted += 1
        except NotationError as error:
            messages.append(str(error))
    assert 500 < accepted == 20_000 - len(messages)
    assert all(message.startswith("notation: ") and message.encode() for message in messages)


def test_einsum_and_format_flags_translate_or_explain():
    rng, messages = random.Random(7), list[str]()
    for _ in range(5_000):
        text = "".join(rng.choices("iijkZA ,,->.1\0\ud800", k=rng.randrange(9)))
        orders = [len("".join(p.split())) for p in text.partition("->")[0].split(",")]
        flag = "".join(rng.choices("Adsuqcp:=,01 \0\ud800\n", k=rng.randrange(9)))
        try:
            einsum_to_assignment(text, orders)
        except NotationError as error:
            messages.append(str(error))
        try:
            parse_format_flag("A:" * (len(flag) % 2) + flag)
        except FormatError as error:
            messages.append(str(error))
    assert 1_000 < len(messages) < 9_900
    assert all(message.encode() for message in messages)
