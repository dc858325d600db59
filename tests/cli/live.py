"""carom run --live by raw sockets: the page and the state, pause, resume and stop; other hosts, wrong tokens, path tricks,
foreign pages and oversized requests are refused; nothing a browser does changes a bit of the run."""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import h5py
import numpy

from checks import check, end

CAROM = os.environ["CAROM"]
shutil.rmtree("pages", ignore_errors=True)
for left in os.listdir("."):
    os.remove(left)
os.mkdir("pages")
PAGES = os.path.abspath("pages")  # of runs of this test alone
PATIENCE = 100  # seconds: a busy machine is slow, not wrong
SCENE = ("title: live\nunits: none\nbodies: [chain: {count: 60}]\nstart: [{body: 1, velocity: 1}]\n"
         "run: {until: %g, scheme: verlet, step: 0.002, threads: 1}\nrecord: {every: %g, probes: [v]}\n")


def start(name, until, every):
    with open(name + ".yaml", "w") as file:
        file.write(SCENE % (until, every))
    run = subprocess.Popen([CAROM, "run", name + ".yaml", "--live", "-o", name + ".h5", "-q"], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True, env=dict(os.environ, TMPDIR=PAGES))
    line = run.stdout.readline()
    if not line.startswith("live "):
        said = run.communicate()[1]
        if "without libmicrohttpd" in said:
            check(run.returncode == 4 and said.count("\n") == 1, "a build without the server says so", said)
            end(more="; built without libmicrohttpd")
        sys.exit("no address: " + line + said)
    address = line.split()[1]
    port, token = int(address.split(":")[2].split("/")[0]), address.split("/")[3]
    return run, port, token


def talk(port, text, seconds=PATIENCE):
    """Sends bytes as they are and returns (code, body)."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as line:
        answer = b""
        try:
            line.sendall(text if isinstance(text, bytes) else text.encode())
            while True:
                part = line.recv(1 << 16)
                if not part:
                    break
                answer += part
        except (ConnectionError, socket.timeout):
            pass
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]) if head else 0, body


def ask(port, path, method="GET", host=None, more=""):
    return talk(port, "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%s\r\n" % (method, path, host or "127.0.0.1:%d" % port, more))


def state(port, token):
    code, body = ask(port, "/%s/state" % token)
    check(code == 200, "state", code)
    return json.loads(body)


def wait(port, token, until):
    """Until the state is as it should be. A server that has gone, because nobody asked it for long, has ended its run."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            now = state(port, token)
        except ConnectionRefusedError:
            now = {"ended": True, "paused": False, "time": -1, "serial": 0}
        if until(now):
            return now
        time.sleep(0.05)
    check(False, "waited in vain", now)
    return now


def refusals(port, token):
    good, before = "127.0.0.1:%d" % port, state(port, token)
    page = "/%s/" % token
    for host in ("evil.example", "evil.example:%d" % port, "127.0.0.1", "127.0.0.1:%d" % (port ^ 1), good + ".evil.example", ""):
        code = talk(port, "GET %sstate HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % (page, host))[0]
        check(code in (400, 403), "host", host, code)
    check(talk(port, "GET %s HTTP/1.1\r\nConnection: close\r\n\r\n" % page)[0] in (400, 403), "no host")
    check(talk(port, "GET %s HTTP/1.0\r\n\r\n" % page)[0] in (400, 403), "no host, HTTP/1.0")
    wrong = ("0" if token[0] != "0" else "1") + token[1:]
    for path in ("/", "/state", "/%s/" % wrong, "/%s/state" % wrong, "/%s" % token, "/%s" % token[:-1], "/%s/state" % token[:-1],
                 "/%s0/state" % token, "/%s/state" % token.upper() if token.upper() != token else "/x", page + "page.html", page + "../state",
                 page + "%2e%2e/state", page + "../../etc/passwd", page + "%2e%2e%2f%2e%2e%2fetc/passwd", "/../../../../etc/passwd",
                 "//" + token + "/state", page + "/state", page + "state/", page + "state%00", page + "pause", "/favicon.ico"):
        code, body = ask(port, path)
        check(code in (400, 404) and b"root:" not in body and token.encode() not in body, "path", path, code)
    for method, code in (("PUT", 405), ("DELETE", 405), ("OPTIONS", 405), ("POST", 404)):
        check(ask(port, page, method, more="Content-Length: 0\r\n")[0] == code, method, "is refused")
    for origin in ("http://evil.example", "null", "https://127.0.0.1:%d" % port, "http://127.0.0.1:%d" % (port ^ 1)):
        check(ask(port, page + "stop", "POST", more="Content-Length: 0\r\nOrigin: %s\r\n" % origin)[0] == 403, "origin", origin)
    check(ask(port, page + "stop", "POST", more="Content-Length: 5\r\n")[0] == 413, "a body is refused")
    check(ask(port, page + "stop", "POST", more="Content-Length: 99999999999999\r\n")[0] in (400, 413), "a large body is refused")
    check(ask(port, page + "stop", "POST", more="Transfer-Encoding: chunked\r\n")[0] in (400, 413), "pieces are refused")
    code = ask(port, page + "state", more="X: %s\r\n" % ("a" * 100000))[0]
    check(code == 0 or 400 <= code < 500, "a large head is refused", code)
    code = ask(port, page + "a" * 100000)[0]
    check(code == 0 or 400 <= code < 500, "a long path is refused", code)
    for noise in (b"\x00\xff\x16\x03\x01" * 50, b"GET\r\n\r\n", b"\r\n" * 100, b"GET / HTTP/9.9\r\n\r\n"):
        code = talk(port, noise, 2)[0]
        check(code == 0 or 400 <= code < 600, "noise", noise[:10], code)
    now = state(port, token)
    check(now["paused"] and not now["ended"] and now["time"] == before["time"], "nothing of that disturbed the run", before, now)


def elsewhere(port):
    """The server listens on the loopback address only."""
    with open("/proc/net/tcp") as file:
        found = [row.split()[1] for row in file.readlines()[1:] if row.split()[3] == "0A" and row.split()[1].endswith(":%04X" % port)]
    check(found == ["0100007F:%04X" % port], "listens on", found)


def whole():
    run, port, token = start("plain", 4000, 0.5)
    ask(port, "/%s/pause" % token, "POST", more="Content-Length: 0\r\n")  # before it can come to its end
    wait(port, token, lambda s: s["paused"])
    check(len(token) == 32 and all(c in "0123456789abcdef" for c in token), "token", token)
    elsewhere(port)
    wait(port, token, lambda s: s["serial"] > 0)
    code, body = ask(port, "/%s/" % token)
    check(code == 200 and body.startswith(b"<!doctype html>") and b"connect-src 'self'" in body, "page", code, len(body))
    check(ask(port, "/%s/state" % token, host="localhost:%d" % port)[0] == 200, "by the name localhost")
    refusals(port, token)
    # browsers that go away in the middle, and many that say nothing
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(("GET /%s/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % (token, port)).encode())
            line.recv(1000)
    idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(150)]
    for line in idle[::2]:
        try:
            line.sendall(b"GET /")
        except ConnectionError:  # it was among the oldest
            pass
    asked = time.monotonic()
    check(ask(port, "/%s/state" % token)[0] == 200, "idle connections keep nobody out")
    check(time.monotonic() - asked < 7, "nor make anybody wait for their end", time.monotonic() - asked)
    for line in idle:
        line.close()
    first = state(port, token)
    time.sleep(0.5)
    then = state(port, token)
    check(first["time"] == then["time"] and then["paused"] and not then["ended"], "pausing holds the run", first, then)
    ask(port, "/%s/resume" % token, "POST", more="Content-Length: 0\r\n")
    wait(port, token, lambda s: s["ended"] or s["time"] > first["time"])
    wait(port, token, lambda s: s["ended"])
    said = run.communicate(timeout=PATIENCE)
    check(run.returncode == 0, "the run ends well, and the server when nobody looks any more", run.returncode, said)
    done = subprocess.run([CAROM, "run", "plain.yaml", "-o", "alone.h5", "-q"], timeout=PATIENCE)
    check(done.returncode == 0, "the same run alone")
    with h5py.File("plain.h5", "r") as a, h5py.File("alone.h5", "r") as b:
        for path in ("particles/beads/velocity/value", "particles/beads/velocity/time", "observables/ledger/residual/value", "events/time"):
            check(numpy.array_equal(a[path][()], b[path][()]), path, "is the same to the bit")


def stopped():
    run, port, token = start("long", 4e6, 20)
    wait(port, token, lambda s: s["time"] > 0)
    code = ask(port, "/%s/stop" % token, "POST", more="Content-Length: 0\r\n")[0]
    check(code == 200, "stop", code)
    wait(port, token, lambda s: s["ended"])
    said = run.communicate(timeout=PATIENCE)[1]
    check(run.returncode == 8 and "carom resume long.h5" in said, "stopped", run.returncode, said)
    check(subprocess.run([CAROM, "show", "long.h5", "-q"]).returncode == 0, "the file is whole")


def broken_off():
    run, port, token = start("break", 4e6, 20)
    wait(port, token, lambda s: s["time"] > 0)
    run.send_signal(signal.SIGINT)  # one is enough: nobody is made to wait for a browser
    said = run.communicate(timeout=PATIENCE)[1]
    check(run.returncode == 8, "Ctrl-C ends run and server", run.returncode, said)


def wrong_calls():
    for arguments in (["--port", "80000", "--live"], ["--port", "8000"], ["--port", "x", "--live"]):
        done = subprocess.run([CAROM, "run", "long.yaml", *arguments], capture_output=True, text=True)
        check(done.returncode == 2 and "--port" in done.stderr, arguments, done.stderr)


# servers wait some seconds for browsers that may come back: three at once wait for one another
finished = []
others = [threading.Thread(target=lambda work=work: (work(), finished.append(work))) for work in (stopped, broken_off)]
for other in others:
    other.start()
whole()
for other in others:
    other.join()
check(len(finished) == 2, "stopping and breaking off came to their ends")
check(os.listdir(PAGES) == [], "no folder is left", os.listdir(PAGES))
wrong_calls()
end()
