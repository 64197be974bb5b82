"""
Running IR: what each op means on values, one file per dialect.

Every stage of the compiler can be run, and stages may be mixed in one module. Tensors are real
storage (`stored.py`), except for tin, which knows values at coordinates only. The meanings share
nothing with the passes, but for assembly: there a level function is what its kind emits, run at
once (`immediate.py`). `running.py` runs a function of a module of any stage on tensors.
"""
