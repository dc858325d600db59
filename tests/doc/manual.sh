# The manual is true: its whole scenes are accepted, its program in C compiles and runs, its links lead somewhere, no line
# is longer than 160 characters, and every scene in scenes/ that shows a kind of chain can be found from the index.
set -u
failures=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}

whole=0
for page in recipes first-steps materials any-order; do
    rm -f "$page"-*.yaml
    awk -v page="$page" '/^```yaml$/ { inside = 1; n++; file = sprintf("%s-%02d.yaml", page, n); next }
         /^```$/ { inside = 0 }
         inside { print > file }' "$SOURCE/docs/$page.md"
    awk '/^```csv$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$SOURCE/docs/$page.md" >push.csv
    for block in "$page"-*.yaml; do
        grep -q '^bodies:' "$block" && grep -q '^run:' "$block" || continue
        whole=$((whole + 1))
        "$CAROM" check --quiet "$block" || fail "docs/$page.md: a scene is refused: $(cat "$block")"
        timeout 30 "$CAROM" run --quiet "$block" -o run.h5 || fail "docs/$page.md: a scene does not run: $(cat "$block")"
        rm -f run.h5
    done
done
[ "$whole" -ge 10 ] || fail "only $whole whole scenes"

awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$SOURCE/docs/c-api.md" >api.c
cp "$SOURCE/scenes/steel-chain.yaml" chain.yaml
flags=$(sed -n 's/^CMAKE_C_FLAGS:[A-Z]*=//p' "$BUILD/CMakeCache.txt")
# shellcheck disable=SC2046,SC2086
if "$CC" $flags -std=c17 -Wall -Wextra -Werror -I"$SOURCE/include" api.c "$BUILD/libcarom.a" \
    $(sed -n 's/^Libs: -L[^ ]* -lcarom//p' "$BUILD/carom.pc") $(pkg-config --libs libfyaml hdf5-serial) -o api; then
    [ "$(./api | wc -l)" -gt 100 ] || fail "docs/c-api.md: the program prints no rows"
else
    fail "docs/c-api.md: the program does not compile"
fi

"$PYTHON" - "$SOURCE" <<'PYTHON' || fail "links"
import glob, os, re, sys
source, bad = sys.argv[1], 0
def anchors(path):
    return {re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower()).replace(" ", "-")
            for line in open(path, encoding="utf-8") if line.startswith("#")}
pages = [os.path.join(source, "README.md")] + [os.path.join(source, "docs", name) for name in
         sorted(os.listdir(os.path.join(source, "docs"))) if name.endswith(".md")]
for page in pages + glob.glob(os.path.join(source, "docs", "reference", "*.md")) + [os.path.join(source, name) for name in ("CHANGELOG.md", "CONTRIBUTING.md")]:
    for number, line in enumerate(open(page, encoding="utf-8").read().splitlines(), 1):
        if len(line) > 160:
            bad += 1
            print(f"{page}:{number}: {len(line)} characters")
for page in pages:
    for link in re.findall(r"\]\(([^)\s]+)\)", open(page, encoding="utf-8").read()):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(page), target)) if target else page
        if not os.path.exists(path):
            bad += 1
            print(f"{page}: {link} leads nowhere")
        elif anchor and anchor not in anchors(path):
            bad += 1
            print(f"{page}: {link}: there is no such heading")
sys.exit(bad > 0)
PYTHON
echo "$whole scenes, $failures failures"
[ "$failures" -eq 0 ]
