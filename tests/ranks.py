"""What the tests with ranks share: mpirun, and what is in files. Without MPI a test that imports this is skipped."""
import os
import shutil
import subprocess
import sys

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
    out, err = process.communicate(timeout=100)
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
