"""Building upstream IR: arithmetic by operand type, loops, conditions and memory."""
