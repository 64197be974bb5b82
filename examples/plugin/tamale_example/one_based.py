"""The level kind `onebased`: coordinates that count from 1, as Fortran libraries store them."""

from dataclasses import replace

from tamale.passes.levels.compressed import Compressed


class OneBased(Compressed):
    """`compressed` whose coordinates count from 1."""

    name = "onebased"

    def pos_access(self, level, position):
        return level.emit.sub(super().pos_access(level, position), level.emit.constant(1))

    def append_coord(self, level, position, coordinate):
        super().append_coord(level, position, level.emit.add(coordinate, level.emit.constant(1)))

    def insert_coord(self, level, parent, position, coordinates):
        *above, own = coordinates
        stored = level.emit.add(own, level.emit.constant(1))
        super().insert_coord(level, parent, position, [*above, stored])

    def check(self, level, parents):
        super().check(replace(level, arrays=from_zero(level.arrays)), parents)

    def coordinates(self, level, parents):
        return super().coordinates(replace(level, arrays=from_zero(level.arrays)), parents)


def from_zero(arrays):
    """The arrays of a level, its coordinates counted from 0."""
    return {**arrays, "crd": arrays["crd"] - arrays["crd"].dtype.type(1)}
