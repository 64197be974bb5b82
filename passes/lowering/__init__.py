"""How kernels become loops: the work behind the passes `lower-lattices` and `lower-levels`."""
