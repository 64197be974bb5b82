"""What is imported before it is needed; each of these costs every user of the command line."""

import subprocess
import sys

import pytest

HEAVY = ("numpy", "scipy", "cffi")


@pytest.mark.parametrize(
    ("code", "forbidden"),
    [
        ("import tamale, tamale.dialects, tamale.passes, tamale.backends", (*HEAVY, "xdsl")),
        ("import tamale", (*HEAVY, "xdsl", "importlib.metadata", "inspect", "tamale.frontend")),
        ("from tamale.tools.tamale_opt import main; main(['--version'])", (*HEAVY, "xdsl")),
        (
            "import sys, io; sys.stdin = io.TextIOWrapper(io.BytesIO(b'builtin.module {}'));"
            "from tamale.tools.tamale_opt import main; main([])",
            HEAVY,
        ),
    ],
)
def test_imports(code: str, forbidden: tuple[str, ...]):
    report = f"import sys; print('loaded', sorted(set({forbidden!r}) & set(sys.modules)))"
    out = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True
    )
    assert out.stdout.splitlines()[-1] == "loaded []"
