#!/bin/bash
# The ledger of the summary is that of the end of the run, also where the end is no sample: the same energies with many
# samples and with the start alone.
set -eu
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cat > "$place/two.yaml" <<'SCENE'
units: none
bodies: [chain: {count: 3, gap: 0.2}]
contacts: {law: kuwabara-kono, gamma: 0.1}
start: [{body: 1, velocity: 1}]
run: {until: 10}
SCENE
energies() {
    "$CAROM" run "$place/two.yaml" -o "$place/$1.h5" --set "record=$2" | grep -E '^  (kinetic|stored|dissipated) '
}
energies many '{every: 0.1}' > "$place/many"
energies start '{times: [0]}' > "$place/start"
test -s "$place/many"
grep -qv 'dissipated *0.000' "$place/many"
diff "$place/many" "$place/start"
