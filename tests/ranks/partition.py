"""Scotch in the module for mpirun: the parts of a graph are alike in weight and cut few of its links. Skipped without it."""
import ctypes
import os

from checks import check, end
import ranks

module = ctypes.CDLL(os.path.join(ranks.BUILD, "carom_mpi.so"), mode=ctypes.RTLD_GLOBAL)
if not hasattr(module, "carom_scotch"):
    print("skipped: carom_mpi.so was built without Scotch (libscotch-dev)", flush=True)
    os._exit(77)

SIDE = 24  # a cube of so many points, in four parts: layers cut 3 SIDE^2 links, the best parts two thirds of that


class Graph(ctypes.Structure):
    _fields_ = [("n", ctypes.c_int)] + [(name, ctypes.POINTER(ctypes.c_int)) for name in ("begin", "other", "apart", "weight")]


def integers(values):
    return (ctypes.c_int * len(values))(*values)


points = [(x, y, z) for z in range(SIDE) for y in range(SIDE) for x in range(SIDE)]
number = {point: i for i, point in enumerate(points)}
begin, other = [0], []
for x, y, z in points:
    around = [(x + 1, y, z), (x - 1, y, z), (x, y + 1, z), (x, y - 1, z), (x, y, z + 1), (x, y, z - 1)]
    other += [number[point] for point in around if point in number]
    begin.append(len(other))
graph = Graph(len(points), integers(begin), integers(other), integers([1] * len(other)), integers([1] * len(points)))
part = (ctypes.c_int * len(points))()
check(module.carom_scotch(ctypes.byref(graph), 4, part), "Scotch says no")
sizes = [list(part).count(k) for k in range(4)]
check(min(sizes) > 0.95 * len(points) / 4 and max(sizes) < 1.05 * len(points) / 4, sizes)
cut = sum(part[i] != part[j] for i in range(len(points)) for j in other[begin[i]:begin[i + 1]]) // 2
check(cut < 0.85 * 3 * SIDE * SIDE, cut)
end(3)
