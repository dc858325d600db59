"""What the tests in a browser share: Node.js with the viewer's packages (from the registry, by the lock file), chromium.
Where one of them cannot be had the test says so and is skipped (exit code 77)."""
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys

SOURCE, BUILD, CAROM = os.environ["SOURCE"], os.environ["BUILD"], os.environ["CAROM"]
VIEWER = os.path.join(SOURCE, "viewer")
FOLDER = os.path.join(BUILD, "viewer")


def skip(reason):
    print("skipped:", reason, flush=True)
    os._exit(77) # sys.exit would ask whether the test came to its end


def packages(source=VIEWER, to=FOLDER, folders=("src", "test")):
    """build/viewer with the viewer's sources and node_modules; made once for each lock file. Or another's."""
    if not shutil.which("node") or not shutil.which("npm"):
        skip("Node.js is not installed; tools/setup test installs it")
    os.makedirs(to, exist_ok=True)
    with open(os.path.join(to, "lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for name in ("build.mjs", "package.json", "package-lock.json", "tsconfig.json"):
            shutil.copy(os.path.join(source, name), to)
        for name in folders:
            shutil.rmtree(os.path.join(to, name), ignore_errors=True)
            shutil.copytree(os.path.join(source, name), os.path.join(to, name))
        with open(os.path.join(source, "package-lock.json"), "rb") as file:
            wanted = hashlib.sha256(file.read()).hexdigest()
        stamp = os.path.join(to, "installed")
        if os.path.exists(stamp) and open(stamp).read() == wanted:
            return to
        done = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], cwd=to,
                              capture_output=True, text=True)
        if done.returncode != 0:
            ping = subprocess.run(["npm", "ping", "--fetch-retries=0"], cwd=to, capture_output=True, text=True)
            if ping.returncode != 0:
                skip("the registry of npm cannot be reached")
            sys.exit("npm ci failed:\n" + done.stdout + done.stderr)
        with open(stamp, "w") as file:
            file.write(wanted)
    return to


def every(step):
    """step of a list of which a test takes a part: 1 where it is the long one, which takes all"""
    return 1 if "ALL_LINES" in os.environ else step


def chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return skip("chromium is not installed; tools/setup test installs it")


def run(script, task, seconds=330, folder=None):
    """Runs viewer/test/<script> with a task, which it reads as JSON from a file; its exit code is the test's."""
    folder, browser = folder or packages(), chromium()
    with open("task.json", "w") as file:
        json.dump(dict(task, browser=browser), file)
    done = subprocess.run(["node", os.path.join(folder, "test", script), os.path.abspath("task.json")], timeout=seconds)
    return done.returncode


def carom(*arguments):
    done = subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=110)
    if done.returncode != 0:
        sys.exit("carom %s: %s" % (" ".join(arguments), done.stderr))
    return done
