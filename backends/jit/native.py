"""From the text of a request to a function that can be called."""

from collections.abc import Callable, Sequence

from tamale.backends.jit.build import Build, build
from tamale.backends.jit.library import NativeKernel, load
from tamale.backends.jit.memory import shared_memory


def native_kernel(
    key_parts: Sequence[str],
    make: Callable[[], Build],
    name: str,
    parameters: Sequence[str],
    *,
    shared: bool = False,
) -> NativeKernel:
    """
    The kernel of a request: found in the cache or built, and loaded.

    Args:
        key_parts: as for `build`.
        make: likewise.
        name: of the function, as for `load`.
        parameters: likewise.
        shared: as for `build`.

    Raises:
        KernelError: there is no compiler, it refuses the source, nothing can be written, or the
            library cannot be loaded.
    """
    shared_memory()
    return load(build(key_parts, make, shared=shared).library, name, parameters)
