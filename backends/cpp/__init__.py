"""C++ text from the last form: `print_cpp`, and the xDSL target `cpp`."""
