# Two thousand random solids and the table that they come to, which docs/tolerance.md has.
set -eu
"$BUILD/tests/campaign/solids" 1 1000 > first.txt &
"$BUILD/tests/campaign/solids" 1001 1000 > second.txt
wait
"$BUILD/tests/campaign/solids" table first.txt second.txt
test "$(cat first.txt second.txt | wc -l)" = 2000
! grep -E " (broken|failed|unsettled) " first.txt second.txt
