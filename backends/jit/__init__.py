"""Compiles the printed C++, keeps it on disk, loads it and calls it."""
