# Four thousand random rigid discs and spheres, four thousand racks, and the tables that they come to: all are within
# three times what they state.
set -eu
"$BUILD/tests/campaign/balls" 1 4000 > balls.txt 2> balls.err &
"$BUILD/tests/campaign/balls" 1000001 4000 > racks.txt 2> racks.err
wait
"$BUILD/tests/campaign/balls" table balls.txt
"$BUILD/tests/campaign/balls" table racks.txt
test "$(cat balls.txt racks.txt | wc -l)" = 8000
test -z "$(cat balls.txt racks.txt | grep broken)"
