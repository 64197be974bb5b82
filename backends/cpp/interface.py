"""
How a kernel is called from C and C++: declarations, what they mean, an example that compiles.

`print_c_header` is for a shared library, `print_header_only` holds the kernel itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from tamale.backends.cpp.flags import REQUIRED_FLAGS
from tamale.backends.cpp.lines import filled
from tamale.backends.cpp.printer import print_parts
from tamale.backends.cpp.status import STATUS_MESSAGES


@dataclass(frozen=True)
class Parameter:
    """One parameter of a kernel, and what an example passes for it."""

    ctype: str
    """Such as `int64_t`, `const double *` or `int32_t **`."""
    name: str
    meaning: str
    example: tuple[str, ...]
    """The number, or the elements of the array; of a result that the kernel allocates, nothing."""

    @property
    def declaration(self) -> str:
        """`const double *A_vals`."""
        return f"{self.ctype}{'' if self.ctype.endswith('*') else ' '}{self.name}"

    @property
    def allocated(self) -> bool:
        """Whether the kernel allocates what the parameter points to."""
        return self.ctype.endswith("**")

    @property
    def element(self) -> str:
        """What an array holds."""
        return self.ctype.removesuffix("**").removesuffix("*").strip()


@dataclass(frozen=True)
class Interface:
    """A kernel as callers see it."""

    name: str
    source: str
    """The statement."""
    formats: tuple[str, ...]
    """How each tensor is stored, a line each."""
    parameters: tuple[Parameter, ...]

    @property
    def allocates(self) -> bool:
        """Whether there is a result to be freed."""
        return any(parameter.allocated for parameter in self.parameters)

    @property
    def example_macro(self) -> str:
        """The macro that turns the example on."""
        return f"{self.name.upper()}_EXAMPLE"


def print_c_header(interface: Interface) -> str:
    """The header of a shared library, for C and C++."""
    macro = f"{interface.name.upper()}_H"
    declarations = [_prototype(interface)]
    if interface.allocates:
        declarations.append(f"void {interface.name}_free(void *buffer);")
    return "\n".join(
        [
            f"#ifndef {macro}",
            f"#define {macro}",
            "",
            *_comment(interface),
            "",
            "#include <stdint.h>",
            "",
            "#ifdef __cplusplus",
            'extern "C" {',
            "#endif",
            "",
            *declarations,
            "",
            "#ifdef __cplusplus",
            "}",
            "#endif",
            "",
            *_example(interface),
            "",
            f"#endif  // {macro}",
            "",
        ]
    )


def print_header_only(interface: Interface, module: ModuleOp) -> str:
    """The kernel itself as a C++ header; several can be included in one program."""
    (includes, *helpers), functions = print_parts(module, linkage='extern "C" inline')
    space = f"tamale_{interface.name}"
    names = [interface.name, *([f"{interface.name}_free"] if interface.allocates else [])]
    return "\n".join(
        [
            "#pragma once",
            "",
            *_comment(interface),
            f"// Compile with {' '.join(REQUIRED_FLAGS)}, by g++ or clang++.",
            "",
            includes,
            "",
            f"namespace {space} {{",
            "",
            "\n\n".join([*helpers, *functions]),
            "",
            f"}}  // namespace {space}",
            "",
            *(f"using {space}::{name};" for name in names),
            "",
            *_example(interface),
            "",
        ]
    )


def _prototype(interface: Interface) -> str:
    parameters = [parameter.declaration for parameter in interface.parameters]
    return "\n".join(filled(f"int32_t {interface.name}(", parameters, ");"))


def _comment(interface: Interface) -> list[str]:
    """What the kernel computes, what its parameters are, who owns what, what it returns."""
    lines = [f"{interface.source}", "", *interface.formats, "", "Parameters, in this order:"]
    width = max(len(parameter.declaration) for parameter in interface.parameters)
    lines += [f"  {p.declaration.ljust(width)}  {p.meaning}" for p in interface.parameters]
    if interface.allocates:
        lines += [
            "",
            "The kernel allocates its result. Each block is the caller's, and is freed on its own",
            f"with {interface.name}_free.",
        ]
    codes = (f"{code} {message}" for code, message in STATUS_MESSAGES.items())
    lines += ["", "Returns a status; if it is not 0, there is no result:", f"  {', '.join(codes)}."]
    lines += ["", "There is no global state: calls may run at the same time."]
    return [f"// {line}".rstrip() for line in lines]


def _example(interface: Interface) -> list[str]:
    """A program that calls the kernel, if its macro is defined."""
    names = [f"&{p.name}" if p.allocated else p.name for p in interface.parameters]
    call = filled(f"  const int32_t status = {interface.name}(", names, ");")
    frees = [
        f"  {interface.name}_free({p.name});" for p in interface.parameters if p.allocated
    ]
    return [
        f"#ifdef {interface.example_macro}",
        "int main(void) {",
        *(f"  {_definition(parameter)}" for parameter in interface.parameters),
        *call,
        "  if (status != 0) return status;  // nothing to free",
        *frees,
        "  return 0;",
        "}",
        "#endif",
    ]


def _definition(parameter: Parameter) -> str:
    """The variable that an example passes for a parameter."""
    if parameter.allocated:
        return f"{parameter.element} *{parameter.name};"
    if "*" not in parameter.ctype:
        return f"const {parameter.ctype} {parameter.name} = {parameter.example[0]};"
    elements: Sequence[str] = parameter.example or ("0",)
    return f"{parameter.element} {parameter.name}[] = {{{', '.join(elements)}}};"
