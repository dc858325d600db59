# The wheel in a clean folder: it holds its own libcarom and program, runs a scene, makes a page and measures a paper without
# anything of the build; built twice it has the same bytes; METADATA lists what must be there.
set -eu
if ! "$PYTHON" -c 'import wheel, numpy' 2>/dev/null || [ ! -e "$BUILD/python/carom/_native.abi3.so" ]; then
    echo "skipped: python3-dev, python3-numpy or python3-wheel is missing"
    exit 77
fi
rm -rf one two site
"$SOURCE/tools/make-wheel" "$BUILD" one "$PYTHON"
"$SOURCE/tools/make-wheel" "$BUILD" two "$PYTHON"
cmp one/*.whl two/*.whl
"$PYTHON" -m zipfile -e one/*.whl site
chmod +x site/carom/bin/carom
grep -q '^Requires-External: libhdf5' site/*.dist-info/METADATA
grep -q '^Requires-External: libfyaml' site/*.dist-info/METADATA
cp "$SOURCE/scenes/two-beads.yaml" .
env -u CAROM PATH=/usr/bin:/bin PYTHONPATH="$PWD/site" "$PYTHON" - <<'PYTHON'
import os
import carom

assert carom.__file__.startswith(os.getcwd() + "/site"), carom.__file__
maps = open("/proc/self/maps").read()
assert "site/carom/libcarom.so" in maps, "another libcarom was loaded"
run = carom.run("two-beads.yaml")
assert run.force.max() > 0
assert "<html" in run.page()[:200]
assert list(carom.verify("james2020", row="eq-9")["verdict"]) == ["PASS"]
PYTHON
