# Impact lzb-impulse from a scene: what it says, the defects without safeguards and their cure, refusals that write nothing.
folder=$(mktemp -d) && cd "$folder" || exit 1
trap 'rm -rf "$folder"' EXIT
fail() { echo "$1"; exit 1; }

cat > chain.yaml <<'SCENE'
title: Section 7 of the report, one striker
theory: lzb
materials:
  bearing: {young: 203 GPa, poisson: 0.3, density: 7780}
bodies:
  - striker: {side: left, radius: 4 mm, material: bearing, velocity: 0.31}
  - chain: {count: 25, radius: 13 mm, material: bearing}
contacts: {law: rigid, e: 0.93}
run: {until: 10 us, impact: lzb-impulse, dP: 1e-6 N*s}
record: {every: 10 us, probes: [v, contact_force]}
SCENE

"$CAROM" check chain.yaml > check.txt || fail "check failed"
grep -q 'impact = lzb-impulse' check.txt || fail "check does not name the impact"
grep -q 'dP = 1e-06' check.txt || fail "check does not show dP"

"$CAROM" run chain.yaml -o safe.h5 > safe.txt || fail "the run failed"
grep -q 'CREATED' safe.txt && fail "energy was created with safeguards on"
grep -q ' -\?[0-9.]*e-1[1-9] %, largest' safe.txt || fail "the ledger does not close: $(grep residual safe.txt)"

"$CAROM" run chain.yaml -o printed.h5 --set run.safeguards=off --set run.threshold=2.220446049250313e-16 > printed.txt ||
    fail "the printed scheme did not run"
grep -q 'CREATED' printed.txt || fail "the printed scheme created no energy"
grep -q ' -\?[0-9.]*e-1[0-9] %, largest' printed.txt || fail "the ledger does not close: $(grep residual printed.txt)"

refused() { # option, sentence
    "$CAROM" run chain.yaml -o wrong.h5 --set "$1" > out.txt 2> error.txt && fail "$1 was accepted"
    grep -q "$2" error.txt || fail "$1: $(cat error.txt)"
    [ ! -e wrong.h5 ] || fail "$1 left a file"
}
refused run.dP=0 'dP: must be positive, got 0'
refused run.dP=-1e-6 'dP: must be positive, got -1e-6'
refused run.dP='1e-6 J' 'expected a momentum'
refused run.threshold=-1 'threshold'
refused run.safeguards=maybe 'safeguards'
refused run.stiffness=tri 'stiffness'
refused contacts.e=1.5 'e:'
refused contacts.k=-1 'k:'
refused run.impact=lzb "impact lzb has no option 'dP'"

"$CAROM" run chain.yaml -o long.h5 --set run.impact_steps=1000 > out.txt 2> error.txt && fail "a limit on steps was not kept"
grep -q 'did not end an impact of 25 contacts' error.txt || fail "the limit: $(cat error.txt)"
