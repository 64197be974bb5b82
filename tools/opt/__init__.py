"""The parts of `tamale-opt`."""
