"""Statements and conversions whose last form LLVM's tools are given."""

KERNELS: tuple[tuple[str, dict[str, str]], ...] = (
    ("y(i) = A(i,j) * x(j)", {"A": "csr"}),
    ("y(i) = A(i,j) * x(j)", {"A": "csc"}),
    ("y(i) = A(i,j) * x(j)", {"A": "coo"}),
    ("y(i) = A(i,j) * x(j)", {"A": "dia"}),
    ("y(i) = A(i,j) * x(j)", {"A": "ell"}),
    ("y(i) = A(i,j) * x(j)", {"A": "bcsr(2, 2)"}),
    ("y(i) = A(i,j) * x(j)", {"A": "dok"}),
    ("y(i) = A(i,j) * x(j)", {"A": "csr", "x": "csf", "y": "csf"}),
    ("Z(i,j) = A(i,j) + B(i,j)", dict.fromkeys("ABZ", "dcsr")),
    ("Z(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "csc", "Z": "csr"}),
    ("Z(i,j) = A(i,j) + B(i,j) + C(i,j)", dict.fromkeys("ABCZ", "csr")),
    ("Z(i,j) = A(i,j) * B(i,j)", {"A": "csr", "B": "coo", "Z": "csr"}),
    ("Z(i,j) = A(i,k) * B(k,j)", dict.fromkeys("ABZ", "csr")),
    ("Z(i,k) = A(i,j) * X(j,k)", {"A": "csr"}),
    ("Z(i,j) = A(i,j) * X(i,k) * Y(k,j)", {"A": "csr", "Z": "csr"}),
    ("A(i,j) = B(i,k,l) * D(l,j) * C(k,j)", {"B": "csf"}),
    ("z(i) = a(i) + b(i) * c(i)", dict.fromkeys("abcz", "csf")),
    ("z(i) = unless(a(i), b(i))", dict.fromkeys("abz", "csf")),
    ("y(i) = max(A(i,j), x(j))", {"A": "csr"}),
    ("y(i) max= A(i,j)", {"A": "csr"}),
    ("z = sqrt(a(i) * b(i))", {"a": "csf", "b": "csf"}),
)
"""Statements with the formats of what is not dense."""

CONVERSIONS = (
    "coo csr",
    "csr csc",
    "csr coo",
    "csr ell",
    "csr dia",
    "csr bcsr(2, 2)",
    "csc dcsr",
    "dia coo",
    "csr dok",
    "coo sell(2)",
)
"""Pairs of formats of matrices."""
