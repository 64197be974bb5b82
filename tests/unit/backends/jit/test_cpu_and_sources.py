"""The two machine-dependent parts of a kernel's key: the processor and tamale itself."""

from pathlib import Path

from tamale.backends.jit.cpu import cpu_identity, lasting_facts
from tamale.backends.jit.sources import digest_of, tamale_identity

CPUINFO = """\
processor\t: 0
model name\t: Some CPU
cpu MHz\t\t: 2000.000
flags\t\t: fpu sse avx2

processor\t: 1
model name\t: Another CPU
"""


def facts(text: str) -> list[str]:
    return lasting_facts(text.splitlines(keepends=True))


def test_only_lasting_facts_of_the_first_processor_count():
    assert facts(CPUINFO) == ["model name\t: Some CPU", "flags\t\t: fpu sse avx2"]


def test_another_instruction_set_is_another_processor():
    assert facts(CPUINFO) != facts(CPUINFO.replace("avx2", "avx512f"))


def test_the_clock_rate_does_not_matter():
    assert facts(CPUINFO) == facts(CPUINFO.replace("2000", "3500"))


def test_this_processor_has_an_identity():
    assert len(cpu_identity().splitlines()) >= 3


def test_digest_follows_names_and_texts_through_links(tmp_path: Path):
    package, linked = tmp_path / "package", tmp_path / "linked"
    package.mkdir()
    linked.mkdir()
    (package / "passes").symlink_to(linked)
    seen = {digest_of(package)}
    (linked / "a.py").write_text("x = 1\n")
    seen.add(digest_of(package))
    (linked / "a.py").write_text("x = 2\n")
    seen.add(digest_of(package))
    (linked / "a.py").rename(linked / "b.py")
    seen.add(digest_of(package))
    assert len(seen) == 4
    (linked / "notes.txt").write_text("not a module\n")
    assert digest_of(package) in seen


def test_tamale_identity_covers_this_package():
    import tamale

    assert tamale.__file__ is not None
    assert tamale_identity() == digest_of(Path(tamale.__file__).parent)
