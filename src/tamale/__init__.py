"""A sparse tensor compiler: what to compute and how it is stored go in, C++ comes out and runs."""
