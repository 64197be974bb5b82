"""The errors a user can meet. Each is a `ValueError`; the driver prints it without a traceback."""


class TamaleError(ValueError):
    """Base of every error that tamale raises for something a user wrote or loaded."""


class NotationError(TamaleError):
    """An index notation statement that cannot be read; the message points at the column."""


class FormatError(TamaleError):
    """A format line that cannot be read, or storage that breaks its format's promises."""


class CoordinateError(TamaleError, IndexError):
    """Coordinates at which a tensor has no element."""


class ScheduleError(TamaleError):
    """A loop order or schedule that no operand's storage allows."""


class KernelError(TamaleError):
    """A kernel that could not be compiled, called or completed."""
