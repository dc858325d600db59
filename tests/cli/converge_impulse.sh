# carom converge in dP: the report's table 2, first order with safeguards, the CSV, what is refused.
folder=$(mktemp -d) && cd "$folder" || exit 1
trap 'rm -rf "$folder"' EXIT
fail() { echo "$1"; exit 1; }
scene=$SOURCE/papers/nguyen2011/monodisperse.yaml

"$CAROM" converge "$scene" --set run.impact=lzb-impulse --set run.safeguards=off --set run.threshold=2.220446049250313e-16 \
    --dPs 1e-4,1e-5 --csv table.csv > out.txt || fail "the study failed"
grep -q '^ *0.0001 *4621 *9.05e-02 *4.63e-03 *no' out.txt || fail "table 2, first line: $(cat out.txt)"
grep -q '^ *1e-05 *45912 *8.15e-03 *3.11e-04 *yes' out.txt || fail "table 2, second line: $(cat out.txt)"
[ "$(head -1 table.csv)" = dP,steps,max_phi,phi_end,dv_relative ] && [ "$(wc -l < table.csv)" = 3 ] || fail "the CSV"

"$CAROM" converge -q "$scene" --set run.impact=lzb-impulse --dPs "2e-4 N*s:5e-5 N*s:3" > out.txt || fail "units are refused"
grep -q '^least squares *\(0.9[5-9]\|1.0[0-5]\)' out.txt || fail "not of first order: $(cat out.txt)"

# the same chain, its striker a little away: the first impact is the same
"$CAROM" converge -q "$scene" --set run.impact=lzb-impulse --dPs 1e-4 > touching.txt || fail "touching"
"$CAROM" converge -q "$scene" --set run.impact=lzb-impulse --dPs 1e-4 --set bodies.1.striker.gap="1 mm" \
    --set run.until="2 ms" > apart.txt || fail "apart"
[ "$(tail -3 touching.txt | head -1)" = "$(tail -3 apart.txt | head -1)" ] || fail "$(cat touching.txt apart.txt)"

refused() {
    "$CAROM" converge -q "$@" > out.txt 2> error.txt && fail "accepted: $*"
    return 0
}
refused "$scene" --dPs 1e-4
grep -q 'only impact lzb-impulse' error.txt || fail "$(cat error.txt)"
refused "$scene" --set run.impact=lzb-impulse --dPs 0
grep -q 'must be positive' error.txt || fail "$(cat error.txt)"
refused "$scene" --set run.impact=lzb-impulse --dPs '1 J'
grep -q 'expected a momentum' error.txt || fail "$(cat error.txt)"
refused "$scene" --set run.impact=lzb-impulse --dPs 1e-4 --tols 1e-3
grep -q 'not both' error.txt || fail "$(cat error.txt)"
refused "$scene" --set run.impact=lzb-impulse --set bodies.1.striker.gap="1 mm"
grep -q 'nothing strikes before the end' error.txt || fail "$(cat error.txt)"
echo 'something else' > table.csv
refused "$scene" --set run.impact=lzb-impulse --dPs 1e-4 --csv table.csv
[ "$(cat table.csv)" = 'something else' ] || fail "a file of others was overwritten"
