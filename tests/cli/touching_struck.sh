#!/bin/bash
# A striker flies onto a touching chain whose dashpots end by force: the contacts at rest, neither open nor closed, must not
# hold up the steps. The run once took 87000 of them in front of the strike; some hundred are enough.
set -eu
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cat > "$place/struck.yaml" <<'SCENE'
units: none
bodies: [striker: {side: left, velocity: 1, gap: 0.1}, chain: {count: 3}]
contacts: {law: hertz-dashpot, k: 100, gamma: 0.005, contact_end: force}
run: {until: 1}
SCENE
timeout 60 "$CAROM" run "$place/struck.yaml" -o "$place/run.h5" > "$place/said"
steps=$(sed -n 's/^steps *\([0-9]*\),.*/\1/p' "$place/said")
test -n "$steps"
test "$steps" -lt 1000
