#!/bin/sh
# Random scenes against another way, and the tables of docs/tolerance.md. Goes on where it was stopped, and may be split
# by giving each part a folder of its own and reading their lines together (chains table FILE ..., rigid table FILE ...).
#
#     sh tests/campaign/run.sh BUILD FOLDER [CHAINS [REMEMBERING [RIGID]]]
#
# makes so many chains, chains whose laws have a memory, and rigid rows in all (100000, 10000, 20000).
set -eu
build=$1/tests/campaign folder=$2
mkdir -p "$folder"

# the seeds from $2 on that $3 has no line of, up to $4 of them, by $1
go_on() {
    touch "$3"
    done=$(wc -l < "$3")
    if [ "$done" -lt "$4" ]; then "$build/$1" $(($2 + done)) $(($4 - done)) >> "$3"; fi
}

go_on chains 1 "$folder/chains.txt" "${3:-100000}"
go_on chains 1000001 "$folder/remembering.txt" "${4:-10000}"
go_on rigid 1 "$folder/rigid.txt" "${5:-20000}"
"$build/chains" table "$folder/chains.txt" "$folder/remembering.txt"
"$build/rigid" table "$folder/rigid.txt"
