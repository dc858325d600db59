# The page on scenes is true: its whole scenes are accepted, it explains every key the program knows, and every scene in
# scenes/ says what it shows and is accepted. (determinism.scenes runs them.)
set -u
page=$SOURCE/docs/scenes.md
failures=0

fail() {
    echo "$*"
    failures=$((failures + 1))
}

rm -f block-*.yaml
awk '/^```yaml$/ { inside = 1; n++; file = sprintf("block-%02d.yaml", n); next }
     /^```$/ { inside = 0 }
     inside { print > file }' "$page"
whole=0
for block in block-*.yaml; do
    grep -q '^bodies:' "$block" && grep -q '^run:' "$block" || continue
    whole=$((whole + 1))
    "$CAROM" check "$block" >/dev/null || fail "$page: a scene is refused: $(cat "$block")"
done
[ "$whole" -ge 10 ] || fail "$page: only $whole whole scenes"

keys=$("$CAROM" list keys | awk '/^    [a-z_]+ / { print $1 }' | grep -v '^any$' | sort -u)
[ "$(echo "$keys" | wc -w)" -ge 30 ] || fail "the list of keys is too short: $keys"
for key in $keys; do
    grep -q "\b$key\b" "$SOURCE"/docs/*.md || fail "docs/: no page mentions $key"
done

scenes=0
for scene in "$SOURCE"/scenes/*.yaml "$SOURCE"/scenes/*/*.yaml; do
    [ -e "$scene" ] || continue
    scenes=$((scenes + 1))
    head -1 "$scene" | grep -q '^# ' || fail "$scene: does not open with what it shows"
    grep -q '^# Look at: ' "$scene" || fail "$scene: does not say what to look at"
    grep -q '^title: ' "$scene" || fail "$scene: has no title"
    "$CAROM" check --quiet "$scene" || fail "$scene: refused"
done
[ "$scenes" -ge 12 ] || fail "only $scenes scenes"
echo "$whole scenes of the page, $scenes scenes of scenes/, $failures failures"
[ "$failures" -eq 0 ]
