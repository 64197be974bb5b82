"""Operands in any mix of formats: kernels convert what does not fit, or say so if they may not."""

import numpy as np
import pytest
from operand_formats import every_case, run, sample

import tamale as tm
from tamale.frontend.request import make_request
from tamale.frontend.stages import Stages

COUNT = 28
OPPOSITE = {"A": "csr", "B": "csc", "Z": "csr"}


@pytest.mark.parametrize("seed", [1, 2])
def test_random_pairs_agree_with_numpy(seed: int):
    wrong = run(sample(COUNT // 2, seed), seed)
    assert not wrong, "\n".join(wrong)


def test_cases_are_told_apart():
    cases = [str(case) for case in every_case()]
    assert len(cases) == len(set(cases)) > 2000


def test_refused_if_not_allowed():
    help_ = "drop --no-conversions: B would be converted to csr"
    with pytest.raises(tm.ScheduleError, match=help_):
        tm.compile("Z(i,j) = A(i,j) * B(i,j)", conversions=False, A="csr", B="csc", Z="csr")


def test_the_cache_tells_them_apart():
    statement = "y(i) = A(i,j) * x(j)"
    free, strict = (
        make_request(statement, {"A": "csr"}, {}, conversions=allowed) for allowed in (True, False)
    )
    assert free.key_parts != strict.key_parts
    assert Stages(free).cpp == Stages(strict).cpp


@pytest.mark.parametrize(
    ("statement", "formats", "converted"),
    [
        ("y(i) = A(i,j) * x(j)", {"A": "csr"}, ""),
        ("y(i) = A(i,j) * x(j)", {"A": "ucoo"}, ""),
        ("y(i) = A(i,j) * x(j)", {"A": "dia"}, ""),
        ("Z(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "csc"}, ""),
        ("Z(i,j) = A(i,j) * B(i,j)", OPPOSITE, "B_csr"),
        ("Z(i,j) = A(i,j) + A(j,i)", {"A": "csr", "Z": "csr"}, "A_csc"),
        ("Z(i,j) = A(i,j) + A(j,i)", {"A": "ell", "Z": "csr"}, "A_csr A_csc"),
        ("Z(i,j) = A(i,j)", {"A": "csr", "Z": "dia"}, "Z"),
        ("Z(i,j) = A(i,j)", {"A": "csc", "Z": "dia"}, "Z"),
        ("Z(i,j,k) = A(i,j,k)", {"A": "csf", "Z": "csf(2,1,0)"}, "A_csf210"),
        ("z(i) = sum(j, A(i,j)) * b(i)", {"A": "ucoo"}, "A_csr"),
    ],
)
def test_what_is_converted(statement: str, formats: dict[str, str], converted: str):
    module = Stages(make_request(statement, formats, {})).converted()
    ops = [op for op in module.walk() if op.name == "tin.convert"]
    assert " ".join(op.results[0].name_hint or "" for op in ops) == converted


def test_an_unsorted_list_that_comes_back_to_a_row():
    rows, columns = np.array([2, 0, 2]), np.array([1, 3, 0])
    levels = [{"pos": np.array([0, 3], np.int32), "crd": rows.astype(np.int32)}]
    levels.append({"crd": columns.astype(np.int32)})
    format = make_request("Z(i,j) = A(i,j)", {"A": "ucoo"}, {}).formats["A"]
    A = tm.Tensor(format, (3, 4), levels, np.array([1.0, 2.0, 5.0])).check()
    z = tm.evaluate("z(i) = sum(j, A(i,j)) * b(i)", A=A, b=np.array([1.0, 1.0, 10.0]))
    assert z.tolist() == [2.0, 0.0, 60.0]
