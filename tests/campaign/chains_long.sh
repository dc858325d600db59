# Twenty thousand random chains and the table that they come to; docs/tolerance.md has one of more.
set -eu
"$BUILD/tests/campaign/chains" 1 10000 > first.txt &
"$BUILD/tests/campaign/chains" 10001 10000 > second.txt
wait
"$BUILD/tests/campaign/chains" table first.txt second.txt
test "$(cat first.txt second.txt | wc -l)" = 20000
! grep -E " (broken|failed) " first.txt second.txt
