"""The version of the installed package; pyproject.toml is the one place that says it."""

from importlib.metadata import version

VERSION = version("tamale")
