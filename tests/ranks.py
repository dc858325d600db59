"""What the tests with ranks share: mpirun, and what is in files. Without MPI a test that imports this is skipped."""
import os
import re
import shutil
import subprocess
import sys
import time

from checks import check

CAROM, SOURCE, BUILD = os.environ["CAROM"], os.environ["SOURCE"], os.environ["BUILD"]
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_mpi_yield_when_idle="1")

if not shutil.which("mpirun") or not os.path.exists(os.path.join(BUILD, "carom_mpi.so")):
    print("skipped: no mpirun (openmpi-bin), or carom_mpi.so was not built (libopenmpi-dev)", flush=True)
    os._exit(77)


def command(count, *words):
    """the command line of so many ranks; 0: without mpirun"""
    return (["mpirun", "--oversubscribe", "-n", str(count)] if count > 0 else []) + [CAROM, *words]


def start(count, *words, **more):
    return subprocess.Popen(command(count, *words), env=ENVIRONMENT, text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, **more)


def run(count, *words):
    """(exit code, what was printed, what was complained of)"""
    process = start(count, *words)
    out, err = process.communicate(timeout=250)
    return process.returncode, out, err


def child(process, rank):
    """the process id of that rank, once it is there; None if mpirun has ended"""
    while process.poll() is None:
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as f:
                    words = f.read().split(b"\0")
                with open(f"/proc/{pid}/stat") as f:
                    name, parent = f.read().rsplit(")", 1)[0], None
                with open(f"/proc/{pid}/status") as f:
                    parent = next(int(line.split()[1]) for line in f if line.startswith("PPid:"))
            except (OSError, StopIteration):
                continue
            if parent == process.pid and f"OMPI_COMM_WORLD_RANK={rank}".encode() in words and name.endswith("(carom"):
                return int(pid)
    return None


def contents(path):
    """all numbers and texts of a file, as bytes"""
    import h5py
    found = {}

    def keep(name, item):
        if isinstance(item, h5py.Dataset):
            value = item[()]
            found[name] = value.tobytes() if hasattr(value, "tobytes") else value

    with h5py.File(path, "r", swmr=True) as f:
        f.visititems(keep)
    return found


def same(case, scene, counts):
    """the run file of a scene is the same to the bit for these numbers of ranks, of which 0, without mpirun, is the first"""
    files = {}
    for count in counts:
        code, out, err = run(count, "run", scene, "-o", f"{case}{count}.h5", "-q")
        if not check(code == 0, case, count, err):
            break
        files[count] = contents(f"{case}{count}.h5")
        different = [key for key in files[0] if files[0][key] != files[count].get(key)]
        check(not different and len(files[0]) == len(files[count]), case, count, "ranks differ in", different)
    check(len(files.get(0, [])) > 20, case, "there is something to compare")


def broken_off(scene, what, count, rank, kind, more, *words):
    """a run of so many ranks, one of which is sent a signal: it ends with a sentence, and its file goes on, by `more`, to the
    same bits with ranks and without"""
    if os.path.exists(f"{what}.h5"):
        os.remove(f"{what}.h5")
    process = start(count, "run", scene, "-o", f"{what}.h5", *words, "-q")
    victim = child(process, rank)
    while not os.path.exists(f"{what}.h5") and process.poll() is None:
        time.sleep(0.01)
    time.sleep(1)
    os.kill(victim, kind)
    out, err = process.communicate(timeout=60)
    check(process.returncode != 0 and f"'carom resume {what}.h5'" in err, what, err)
    check("parameters/scene" in contents(f"{what}.h5"), what, "the file can be read")
    shutil.copy(f"{what}.h5", "alone.h5")
    later = str(float(re.search(r" t = ([0-9.e+-]+)", err).group(1)) + more)
    for count, name in ((2, f"{what}.h5"), (0, "alone.h5")):
        code, out, err = run(count, "resume", name, "--until", later, "-q")
        check(code == 0, what, "goes on", code, err)
    check(contents(f"{what}.h5") == contents("alone.h5"), what, "goes on to the same bits")
