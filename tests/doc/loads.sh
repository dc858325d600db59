# The page on loads is true: its scenes are accepted and run, and every key of loads, signals and strings is on it.
set -u
page=$SOURCE/docs/loads.md
failures=0

fail() {
    echo "$*"
    failures=$((failures + 1))
}

rm -f loads-*.yaml
awk '/^```yaml$/ { inside = 1; n++; file = sprintf("loads-%02d.yaml", n); next }
     /^```$/ { inside = 0 }
     inside { print > file }' "$page"
scenes=0
for block in loads-*.yaml; do
    scenes=$((scenes + 1))
    "$CAROM" run --quiet "$block" -o loads-run.h5 || fail "$page: a scene does not run: $(cat "$block")"
    rm -f loads-run.h5
done
[ "$scenes" -ge 6 ] || fail "$page: only $scenes scenes"
for key in gravity precompression loads strings damping string wall body bodies force displacement shape amplitude start \
    duration frequency frequency_end phase points file angle constant step ramp half-sine sine chirp ricker table; do
    grep -q "\b$key\b" "$page" || fail "$page: does not explain $key"
done
echo "$scenes scenes, $failures failures"
[ "$failures" -eq 0 ]
