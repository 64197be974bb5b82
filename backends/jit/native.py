"""From the text of a request to a function that can be called."""

from collections.abc import Callable, Sequence

from tamale.backends.jit.build import Build, Built, build
from tamale.backends.jit.library import NativeKernel, load
from tamale.backends.jit.memory import shared_memory


def native_kernel(
    key_parts: Sequence[str],
    make: Callable[[], Build],
    name: str,
    parameters: Sequence[str],
    *,
    parallel: bool = False,
) -> NativeKernel:
    """
    The kernel of a request: found in the cache or built, and loaded.

    Args:
        key_parts: as for `build`.
        make: likewise.
        name: of the function, as for `load`.
        parameters: likewise.
        parallel: as for `build`.

    Raises:
        KernelError: there is no compiler, it refuses the source, nothing can be written, or the
            library cannot be loaded.
    """
    return loaded(build(key_parts, make, parallel=parallel), name, parameters)


def loaded(built: Built, name: str, parameters: Sequence[str]) -> NativeKernel:
    """
    A kernel on disk as a function, with the memory that kernels share.

    Raises:
        KernelError: the library cannot be loaded, or that of the memory cannot be built.
    """
    shared_memory()
    return load(built.library, name, parameters)
