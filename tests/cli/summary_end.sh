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

# Counted from a start near 0, as a ball that falls, parts are told of the largest energy of the run, none above it.
cat > "$place/falls.yaml" <<'SCENE'
gravity: [0, -9.81]
bodies:
  - disc: {radius: 10 mm, material: steel, at: [0, 0.2]}
  - plane: {at: [0, 0], normal: [0, 1], material: steel}
contacts: {law: hertz}
run: {until: 0.3, scheme: verlet}
SCENE
"$CAROM" run "$place/falls.yaml" -o "$place/falls.h5" > "$place/falls"
grep -q '^energy ledger at t = 0.3 s; parts of the largest energy of the run, ' "$place/falls"
awk '$NF == "%" && ($(NF - 1) > 100.001 || $(NF - 1) < -100.001) { exit 1 }' "$place/falls"

# A column at rest: what stands in its ledger is rounding, which is said, and rounding creates nothing.
"$CAROM" run "$SOURCE/scenes/rigid/column-at-rest.yaml" -o "$place/rest.h5" > "$place/rest"
grep -q 'nothing moves, what stands here is rounding' "$place/rest"
grep -q 'note       nothing moves: all bodies rest under gravity' "$place/rest"
if grep -E '%|CREATED' "$place/rest"; then exit 1; fi

# A box that falls flat: impacts take all, friction is rounding; the one is told, the other is not.
cat > "$place/box.yaml" <<'SCENE'
units: none
theory: nonsmooth
gravity: [0, -10]
bodies:
  - box: {at: [0, 1.5], size: [2, 1], mass: 1}
  - plane: {at: [0, 0], normal: [0, 1]}
contacts: {law: rigid, e: 0.5, mu: 0.3}
run: {until: 3, scheme: moreau-jean, step: 1e-3, blow: newton}
SCENE
"$CAROM" run "$place/box.yaml" -o "$place/box.h5" > "$place/box"
grep -qE '^    impact +1.0000' "$place/box"
if grep '^    friction' "$place/box"; then exit 1; fi
