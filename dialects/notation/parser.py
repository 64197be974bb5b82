from tamale.frontend.notation.parser import parse_notation
