"""The page that the program carries was made from the sources of the viewer as they are now, and is safe by its head."""
import base64
import hashlib
import os
import re
import sys

viewer = os.path.join(os.environ["SOURCE"], "viewer")
with open(os.path.join(viewer, "dist", "page.html"), "rb") as file:
    page = file.read()

# the same sum as in viewer/build.mjs
names = ["build.mjs", "package-lock.json", "tsconfig.json"]
names += ["src/" + name for name in sorted(os.listdir(os.path.join(viewer, "src")))]
total = hashlib.sha256()
for name in names:
    with open(os.path.join(viewer, name), "rb") as file:
        total.update(name.encode() + b"\0" + file.read() + b"\0")

found = re.search(rb'<meta name="carom-viewer" content="([0-9a-f]{64})">', page)
if not found or found.group(1).decode() != total.hexdigest():
    sys.exit("viewer/dist/page.html is not current: run 'npm ci && npm run build' in viewer/")
if page.count(b"<!--carom:data-->") != 1:
    sys.exit("the page must have one place for the data")

# only this script may run: its sum stands in the policy
scripts = re.findall(rb"<script[^>]*>(.*?)</script>", page, re.S)
if len(scripts) != 1:
    sys.exit("the page must have one script, it has %d" % len(scripts))
wanted = b"script-src 'sha256-" + base64.b64encode(hashlib.sha256(scripts[0]).digest()) + b"'"
policy = re.search(rb'http-equiv="Content-Security-Policy" content="([^"]*)"', page).group(1)
if wanted not in policy or b"default-src 'none'" not in policy:
    sys.exit("the policy of the page does not name its script")
if re.search(rb'<(?:link|img|iframe|object|script)[^>]*(?:src|href)=', page[:page.index(b"<script>")]):
    sys.exit("the page refers to something outside of itself")
print("the page is current,", len(page), "bytes")
