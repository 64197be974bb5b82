from tamale.frontend.notation.ast import *
from tamale.frontend.notation.ast import Access, Assignment, Call, Expr, Literal, Reduce, to_text, walk
