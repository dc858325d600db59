#!/bin/bash
# Outputs that are full, closed or limited in size: a sentence and code 6, never 0, no half table, and nothing that is
# printed goes into a run file.
set -u
failed=0
is() { # what, expected, found
    [ "$2" = "$3" ] || { echo "$1: expected $2, found $3" >&2; failed=1; }
}
for words in --help --version "run --help" "list schemes"; do
    "$CAROM" $words > /dev/full 2> said; is "$words to a full output" 6 $?
    is "sentences of $words" 1 "$(grep -c '^carom: ' said)"
    "$CAROM" $words >&- 2> said; is "$words to a closed output" 6 $?
done
scene=$SOURCE/scenes/two-beads.yaml
"$CAROM" run "$scene" -o closed.h5 >&- 2>&-; is "run with closed outputs" 6 $?
"$CAROM" run "$scene" -o open.h5 > /dev/null 2>&1; is "run" 0 $?
"$CAROM" export closed.h5 --csv -o closed.csv -q && "$CAROM" export open.h5 --csv -o open.csv -q
cmp -s closed.csv open.csv; is "the run file of closed outputs" 0 $?

(ulimit -f 1; "$CAROM" export open.h5 --csv -o half.csv -q 2> said); is "export past the limit" 6 $?
(ulimit -f 1; "$CAROM" lamb --csv lamb.csv --samples 100 > /dev/null 2> said); is "lamb past the limit" 6 $?
is "its sentence" 1 "$(grep -c 'lamb.csv: could not be written' said)"
(ulimit -f 8; "$CAROM" run "$scene" -o half.h5 > /dev/null 2> said); is "run past the limit" 6 $?
is "half tables" "" "$(ls half.csv lamb.csv 2> /dev/null)"
# a reader that has seen enough is told nothing, scripts have the code
{ sleep 0.3; "$CAROM" list laws 2> said; echo $? > code; } | true
is "a reader that left" 6 "$(cat code)"
is "what it is told" "" "$(cat said)"
exit $failed
