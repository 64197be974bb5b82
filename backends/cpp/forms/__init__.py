"""The C++ form of every op that only computes a value."""
