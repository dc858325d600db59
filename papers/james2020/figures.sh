#!/usr/bin/env bash
# The curves behind figures 2, 3, 6, 9, 10 and 11 of James, Vorotnikov and Brogliato 2020, as CSV and HDF5 files.
# Usage: papers/james2020/figures.sh CAROM FOLDER
set -euo pipefail
carom=$(realpath "${1:?usage: figures.sh CAROM FOLDER}")
scenes=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "${2:?usage: figures.sh CAROM FOLDER}"
cd "$2"

for scheme in cn cn-reg gl gl-reg; do
    echo "figure 2, $scheme"
    "$carom" converge "$scenes/trimer.yaml" --scheme $scheme --steps 0.5:1e-4:120 --envelope 12 \
        --csv fig2-$scheme.csv | grep '^least'
    echo "figure 3, $scheme"
    "$carom" converge "$scenes/trimer-loaded.yaml" --scheme $scheme --steps 0.3:1e-3:40 --csv fig3-$scheme.csv | grep '^least'
done
for scheme in theta irk; do
    echo "figure 6, $scheme, no contact opens"
    "$carom" converge "$scenes/trimer-loaded.yaml" --scheme $scheme --steps 0.1:1e-3:40 --gamma-follows-step 1 \
        --csv fig6-loaded-$scheme.csv | grep '^least'
    echo "figure 6, $scheme, impact"
    "$carom" converge "$scenes/trimer.yaml" --scheme $scheme --steps 0.1:1e-4:60 --envelope 8 --gamma-follows-step 1 \
        --csv fig6-impact-$scheme.csv | grep '^least'
done

ratio=bodies.1.chain.pattern.2.mass=0.05:1:96
"$carom" sweep "$scenes/dimer.yaml" --over $ratio --set run.until=60 --outputs v_last -o fig9-reference.h5
for run in theta:0.1 irk:0.1 irk:1; do
    "$carom" sweep "$scenes/dimer.yaml" --over $ratio --outputs v_last -o "fig9-${run%:*}-h${run#*:}.h5" \
        --set "run={until: 60, scheme: ${run%:*}, step: ${run#*:}}"
done

map() { # figure, step, schemes, range of gamma
    "$carom" sweep "$scenes/dimer.yaml" --set run.tol=null --set "run.step=$2" --over "run.scheme=$3" \
        --over "contacts.gamma=$4" --outputs error_u,error_v -o "$1-h$2.h5"
}
map fig10 0.5 irk,gl,gl-reg 0:0.1:101
map fig10 0.05 irk,gl,gl-reg 0:0.1:101
map fig11 0.25 theta,cn,cn-reg 0:0.2:101
map fig11 0.01 theta,cn,cn-reg 0:0.2:101
