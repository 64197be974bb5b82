"""The processor in a kernel's key."""

from tamale.backends.jit.cpu import cpu_identity, lasting_facts

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
