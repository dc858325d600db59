# Four thousand random clusters and the table that they come to, which docs/tolerance.md has.
set -eu
"$BUILD/tests/campaign/clusters" 1 2000 > first.txt &
"$BUILD/tests/campaign/clusters" 2001 2000 > second.txt
wait
"$BUILD/tests/campaign/clusters" table first.txt second.txt
test "$(cat first.txt second.txt | wc -l)" = 4000
