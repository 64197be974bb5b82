"""Statements over parts of tensors: the cut, the parts, and results that stay in parts."""
