"""What fuzzing has found, as the commands see it: each input once ended in a crash, or in something that was not promised."""
import os
import subprocess

import h5py

from checks import check, end

CAROM = os.environ["CAROM"]


def expect(code, said, *arguments):
    done = subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=60)
    check(done.returncode == code and said in done.stderr, arguments, "exit", done.returncode, done.stderr)


def write(name, content):
    with open(name, "wb") as file:
        file.write(content)


BODIES = b"bodies: [{file: %s, material: steel}]\nrun: {until: 1 us, scheme: verlet}\n"


def bodies(name, content, code, said):
    write(name, content)
    write("bodies.yaml", BODIES % name.encode())
    expect(code, said, "check", "bodies.yaml")


# the second array of points was written into the room of the first: beyond its end
VTK = b"# vtk DataFile Version 3.0\nballs\nASCII\nDATASET POLYDATA\n%sPOINTS 2 double\n0 0 0\n3 0 0\n" \
      b"POINT_DATA 2\nSCALARS radius double 1\nLOOKUP_TABLE default\n0.5\n0.5\n"
bodies("once.vtk", VTK % b"", 0, "")
bodies("twice.vtk", VTK % b"POINTS 0 double\n", 3, "there are points in it twice")
bodies("twice-more.vtk", VTK % b"POINTS 1 double\n0 0 0\n", 3, "there are points in it twice")

# numbers that the line does not have were looked at
LAMMPS = b"LAMMPS data\n\n1 atoms\n0 4 xlo xhi\n0 4 ylo yhi\n0 4 zlo zhi\n%s xy xz yz\n\nAtoms # sphere\n\n1 1 1.0 2 1 1 1\n"
bodies("upright.data", LAMMPS % b"0 0 0", 0, "")
bodies("leans.data", LAMMPS % b"0 0 1", 3, "a box that leans")
bodies("nothing.data", LAMMPS % b"", 0, "")

# a file that begins with a zero byte was taken for an empty log and written to
write("row.yaml", b"units: none\nbodies: [chain: {count: 2}]\ncontacts: {law: hertz, k: 1}\nstart: [{body: 1, velocity: 1}]\n"
                  b"run: {until: 1}\n")
write("measured.csv", b"time, v[2]\n0, 0\n0.5, 0.1\n1, 0.3\n")
write("foreign.log", b"\0\0\0somebody's bytes")
expect(6, "is not a log of a fit, so it is not overwritten", "fit", "row.yaml", "--to", "measured.csv", "--free", "contacts.k=0.5:2",
       "--log", "foreign.log", "-o", "fit.h5", "-q")
check(open("foreign.log", "rb").read() == b"\0\0\0somebody's bytes", "left as it was")
# the mean of two neighbours among the smallest numbers is one of them: the search for a middle radius did not end
write("discs.yaml", b"units: none\ngravity: [0, -1]\nbodies:\n  - lattice: {kind: square, count: [2, 2], radius: 0.5, mass: 1, at: [1, 0.5]}\n"
                    b"  - plane: {at: [0, 0], normal: [0, 1]}\ncontacts: {law: hertz, k: 100}\nrun: {until: 0.1, scheme: verlet}\n"
                    b"record: {every: 0.05, probes: [position, v, contacts]}\n")
expect(0, "", "run", "discs.yaml", "-q", "-o", "discs.h5")
with h5py.File("discs.h5", "r+") as file:
    file["particles/bodies/radius"][:] = 5e-324
expect(0, "", "report", "discs.h5", "-q", "-o", "discs.html")
end(least=10)
