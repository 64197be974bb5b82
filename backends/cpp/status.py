"""
What a generated function returns: 0, or the code of what went wrong.

Importable without xDSL, so that callers of compiled kernels can turn a code into a message.
"""

OK = 0
OUT_OF_MEMORY = 1
UNKNOWN_FAILURE = 99

STATUS_MESSAGES: dict[int, str] = {
    OK: "ok",
    OUT_OF_MEMORY: "out of memory",
    2: "position overflow",
    3: "size overflow",
    4: "bad argument",
    5: "format cannot hold an entry",
    UNKNOWN_FAILURE: "unknown failure",
}

_CODES = {message: code for code, message in STATUS_MESSAGES.items()}


def status_of(message: str) -> int:
    """
    The status code that a failed `cf.assert` with `message` returns.

    >>> status_of("position overflow")
    2
    >>> status_of("the moon is full")
    99
    """
    return _CODES.get(message, UNKNOWN_FAILURE)
