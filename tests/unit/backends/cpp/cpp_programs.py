"""Random functions of the last form, as text."""

import random
from collections.abc import Callable, Iterable, Sequence
from contextlib import contextmanager

SIZE = 8
"""The length of every array."""

INTEGERS = ("index", "i64", "i32", "i16", "i8", "i1")
FLOATS = ("f64", "f32")
ARRAYS = {
    "x": "f64",
    "y": "f64",
    "z": "f32",
    "p": "i32",
    "q": "i32",
    "b": "i8",
    "u": "i1",
    "w": "index",
}
"""Arguments; x and p are never written."""
SCALARS = {"n": "index", "k": "i64", "h": "i32", "s": "i8", "c": "i1", "f": "f64", "g": "f32"}
RESULTS = ("index", "i32", "i8", "i1", "f64", "f32")

ARITHMETIC = ("addi", "subi", "muli", "andi", "ori", "xori")
EXTREMA = ("minsi", "maxsi", "minui", "maxui")
DIVISIONS = ("divsi", "remsi", "divui", "remui", "floordivsi", "ceildivsi", "ceildivui")
SHIFTS = ("shli", "shrsi", "shrui")
FLOAT_OPS = (
    *("addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf"),
    *("addf", "subf", "mulf"),
)
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
FLOAT_PREDICATES = (
    *("oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno"),
)


class Generator:
    """Writes one random function; every value it uses is visible and initialised."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.scopes: list[list[tuple[str, str]]] = [[(f"%{n}", t) for n, t in SCALARS.items()]]
        self.variables: list[tuple[str, str]] = []
        self.unused: set[str] = set()
        self.count = 0

    def function(self, name: str) -> str:
        arrays = [f"%{array}: memref<?x{type_}>" for array, type_ in ARRAYS.items()]
        scalars = [f"%{scalar}: {type_}" for scalar, type_ in SCALARS.items()]
        self.emit("%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index")
        self.variables = [self.variable() for _ in range(3)]
        self.statements(14, depth=0)
        self.use_up()
        results = [self.pick(type_) for type_ in RESULTS]
        types = ", ".join(RESULTS)
        self.emit(f"func.return {', '.join(results)} : {types}")
        body = "\n".join(self.lines)
        return f"func.func @{name}({', '.join([*arrays, *scalars])}) -> ({types}) {{\n{body}\n}}\n"

    def emit(self, *lines: str) -> None:
        self.lines += lines

    def name(self) -> str:
        self.count += 1
        return f"%{self.random.choice('abiptv')}{self.random.randrange(3)}x_{self.count}"

    def define(self, type_: str, text: str) -> str:
        name = self.name()
        self.emit(f"{name} = {text}")
        self.add([(name, type_)])
        return name

    def add(self, values: Iterable[tuple[str, str]]) -> None:
        """Makes `values` usable from here to the end of the region."""
        for name, type_ in values:
            self.scopes[-1].append((name, type_))
            self.unused.add(name)

    def constant(self, type_: str) -> str:
        if type_ == "i1":
            return self.define(type_, f"arith.constant {self.random.choice(('true', 'false'))}")
        if type_ in FLOATS:
            value = self.random.choice(("0.0", "-1.5", "1.0", "0.1", "-0.0", "1.0e+20"))
        else:
            value = str(self.random.choice((0, 1, -1, 2, 3, 7, 100, -128)))
        return self.define(type_, f"arith.constant {value} : {type_}")

    def pick(self, type_: str) -> str:
        """A value of `type_`: preferably one that nobody used yet, or a recent one."""
        found = [name for scope in self.scopes for name, t in scope if t == type_]
        if not found or self.random.random() < 0.1:
            found = [self.constant(type_)]
        unused = [name for name in found if name in self.unused]
        if unused and self.random.random() < 0.6:
            found = unused
        name = self.random.choice(found[-4:] if self.random.random() < 0.7 else found)
        self.unused.discard(name)
        return name

    def use_up(self) -> None:
        """Stores most of the values of the innermost scope that nobody used."""
        for name, type_ in self.scopes[-1]:
            if name in self.unused and self.random.random() < 0.8:
                self.unused.discard(name)
                places = [f"{v}[]: memref<{t}>" for v, t in self.variables if t == type_]
                for array in "yzqbuw":
                    if ARRAYS[array] == type_:
                        places.append(f"%{array}[{self.position()}] : memref<?x{type_}>")
                if places:
                    self.emit(f"memref.store {name}, {self.random.choice(places)}")

    def position(self) -> str:
        if self.random.random() < 0.6:
            return self.random.choice(("%c0", "%c1"))
        mask = self.define("index", f"arith.constant {SIZE - 1} : index")
        return self.define("index", f"arith.andi {self.pick('index')}, {mask} : index")

    def variable(self) -> tuple[str, str]:
        type_ = self.random.choice(("index", "i32", "i8", "f64", "f32"))
        name = self.name()
        self.emit(f"{name} = memref.alloca() : memref<{type_}>")
        self.emit(f"memref.store {self.pick(type_)}, {name}[] : memref<{type_}>")
        return name, type_

    @contextmanager
    def region(self):
        self.scopes.append([])
        variables = list(self.variables)
        yield
        self.variables = variables
        self.scopes.pop()

    def statements(self, count: int, depth: int) -> None:
        kinds: list[Callable[[int], None]] = [self.compute, self.load, self.store, self.update]
        weights = [8, 4, 3, 3]
        if depth < 3:
            kinds += [self.branch, self.loop, self.while_loop, self.local]
            weights += [2, 1.5, 1, 1]
        for _ in range(count):
            self.random.choices(kinds, weights)[0](depth)

    def compute(self, depth: int) -> None:
        type_ = self.random.choice((*INTEGERS, *FLOATS, *("index", "f64", "i32") * 4))
        choices = (self.arithmetic, self.arithmetic, self.arithmetic, self.select, self.convert)
        if type_ == "i1":
            choices = (self.compare, self.compare, self.arithmetic)
        self.random.choice(choices)(type_)

    def arithmetic(self, type_: str) -> None:
        lhs, rhs = self.pick(type_), self.pick(type_)
        if type_ in FLOATS:
            self.define(type_, f"arith.{self.random.choice(FLOAT_OPS)} {lhs}, {rhs} : {type_}")
            return
        op = self.random.choice((*ARITHMETIC, *ARITHMETIC, *EXTREMA, "division", "shift"))
        if type_ == "i1" and op in ("division", "shift"):
            op = "xori"
        if op == "division":
            op = self.random.choice(DIVISIONS)
            divisor = self.random.choice((1, 2, 3, 5, 100))
            rhs = self.define(type_, f"arith.constant {divisor} : {type_}")
        if op == "shift":
            op = self.random.choice(SHIFTS)
            rhs = self.define(type_, f"arith.constant {self.random.randrange(8)} : {type_}")
        self.define(type_, f"arith.{op} {lhs}, {rhs} : {type_}")

    def select(self, type_: str) -> None:
        operands = f"{self.pick('i1')}, {self.pick(type_)}, {self.pick(type_)}"
        self.define(type_, f"arith.select {operands} : {type_}")

    def compare(self, _: str) -> None:
        type_ = self.random.choice(("index", "i32", "i64", "i8", "i1", "f64", "f32"))
        is_float = type_ in FLOATS
        predicate = self.random.choice(FLOAT_PREDICATES if is_float else PREDICATES)
        op = "cmpf" if is_float else "cmpi"
        lhs, rhs = self.pick(type_), self.pick(type_)
        self.define("i1", f"arith.{op} {predicate}, {lhs}, {rhs} : {type_}")

    def convert(self, _: str) -> None:
        source, target, op = self.random.choice(
            (
                *(("i32", "index", "index_cast"), ("index", "i32", "index_cast")) * 3,
                *(("i64", "index", "index_cast"), ("i8", "index", "index_cast")),
                *(("i32", "i64", "extsi"), ("i1", "i32", "extui"), ("i32", "i64", "extui")),
                *(("i1", "index", "index_cast"), ("i1", "i8", "extsi"), ("i8", "i16", "extui")),
                *(("i64", "i32", "trunci"), ("i32", "i8", "trunci"), ("i16", "i8", "trunci")),
                *(("i32", "i1", "trunci"), ("i32", "f64", "sitofp"), ("i8", "f32", "uitofp")),
                *(("i1", "f64", "uitofp"), ("f32", "f64", "extf"), ("f64", "f32", "truncf")),
            )
        )
        self.define(target, f"arith.{op} {self.pick(source)} : {source} to {target}")

    def load(self, depth: int) -> None:
        if self.random.random() < 0.4:
            name, type_ = self.random.choice(self.variables)
            self.define(type_, f"memref.load {name}[] : memref<{type_}>")
            return
        array = self.random.choice(list(ARRAYS))
        type_, position = ARRAYS[array], self.position()
        self.define(type_, f"memref.load %{array}[{position}] : memref<?x{type_}>")

    def store(self, depth: int) -> None:
        if self.random.random() < 0.5:
            name, type_ = self.random.choice(self.variables)
            self.emit(f"memref.store {self.pick(type_)}, {name}[] : memref<{type_}>")
            return
        array = self.random.choice("yyzqqbuw")
        type_, position = ARRAYS[array], self.position()
        self.emit(f"memref.store {self.pick(type_)}, %{array}[{position}] : memref<?x{type_}>")

    def update(self, depth: int) -> None:
        """`v = v + x` or `y[i] = x * y[i]`, perhaps with other statements in between."""
        if self.random.random() < 0.5:
            name, type_ = self.random.choice(self.variables)
            place = f"{name}[] : memref<{type_}>"
        else:
            array = self.random.choice("yyzqqbw")
            type_ = ARRAYS[array]
            place = f"%{array}[{self.position()}] : memref<?x{type_}>"
        old = self.define(type_, f"memref.load {place}")
        sides = [old, self.pick(type_)]
        if self.random.random() < 0.3:
            self.random.shuffle(sides)
        ops = ("addf", "subf", "mulf", "divf") if type_ in FLOATS else ARITHMETIC
        op = self.random.choice(ops)
        new = self.define(type_, f"arith.{op} {', '.join(sides)} : {type_}")
        if self.random.random() < 0.3:
            self.store(depth)
        self.emit(f"memref.store {new}, {place}")

    def local(self, depth: int) -> None:
        self.variables.append(self.variable())

    def branch(self, depth: int) -> None:
        condition = self.pick("i1")
        types = [self.random.choice(("index", "f64", "i32", "i1"))] * self.random.randrange(3)
        results = [self.name() for _ in types]
        head = f"{', '.join(results)} = " if results else ""
        arrow = f" -> ({', '.join(types)})" if types else ""
        self.emit(f"{head}scf.if {condition}{arrow} {{")
        self.block(types, depth)
        if types or self.random.random() < 0.5:
            self.emit("} else {")
            self.block(types, depth)
        self.emit("}")
        self.add(zip(results, types, strict=True))

    def block(self, types: Sequence[str], depth: int) -> None:
        with self.region():
            self.statements(self.random.randrange(4), depth + 1)
            self.finish(types)

    def finish(self, types: Sequence[str]) -> None:
        """Ends a region, sometimes with values that were not used on the way."""
        if self.random.random() < 0.5:
            self.use_up()
        values = [self.pick(type_) for type_ in types]
        self.emit(f"scf.yield {', '.join(values)} : {', '.join(types)}" if types else "scf.yield")

    def loop(self, depth: int) -> None:
        mask = self.define("index", "arith.constant 3 : index")
        upper = self.define("index", f"arith.andi {self.pick('index')}, {mask} : index")
        step = self.random.choice(("%c1", self.define("index", "arith.constant 2 : index")))
        types = [self.random.choice(("index", "f64", "i32"))] * self.random.randrange(3)
        inits = [self.pick(type_) for type_ in types]
        results, arguments = [self.name() for _ in types], [self.name() for _ in types]
        head = f"{', '.join(results)} = " if results else ""
        pairs = ", ".join(f"{a} = {i}" for a, i in zip(arguments, inits, strict=True))
        carried = f" iter_args({pairs}) -> ({', '.join(types)})" if types else ""
        counter = self.name()
        self.emit(f"{head}scf.for {counter} = %c0 to {upper} step {step}{carried} {{")
        with self.region():
            self.add([(counter, "index"), *zip(arguments, types, strict=True)])
            self.statements(self.random.randrange(1, 5), depth + 1)
            self.finish(types)
        self.emit("}")
        self.add(zip(results, types, strict=True))

    def while_loop(self, depth: int) -> None:
        """A counted loop; what it carries and what it passes on may differ."""
        limit = self.define("index", f"arith.constant {self.random.randrange(4)} : index")
        type_ = self.random.choice(("f64", "i32"))
        counter, carried, inner, passed = (self.name() for _ in range(4))
        results = [self.name(), self.name()]
        init = self.pick(type_)
        self.emit(
            f"{', '.join(results)} = scf.while ({counter} = %c0, {carried} = {init})"
            f" : (index, {type_}) -> (index, {type_}) {{"
        )
        with self.region():
            self.add([(counter, "index"), (carried, type_)])
            if self.random.random() < 0.5:
                self.statements(self.random.randrange(3), 3)
            condition = self.define("i1", f"arith.cmpi slt, {counter}, {limit} : index")
            forwarded = self.random.choice((carried, self.pick(type_)))
            self.emit(f"scf.condition({condition}) {counter}, {forwarded} : index, {type_}")
        self.emit("} do {", f"^bb0({inner}: index, {passed}: {type_}):")
        with self.region():
            self.add([(inner, "index"), (passed, type_)])
            self.statements(self.random.randrange(1, 4), depth + 1)
            self.use_up()
            following = self.define("index", f"arith.addi {inner}, %c1 : index")
            self.emit(f"scf.yield {following}, {self.pick(type_)} : index, {type_}", "}")
        self.add(zip(results, ("index", type_), strict=True))
