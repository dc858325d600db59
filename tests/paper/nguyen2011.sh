# Tables, waves and defects of Nguyen and Brogliato 2011 come out, within the distances the rows allow: some of each, all in
# nguyen2011_long.
. "$SOURCE/tests/paper.sh"
carom_rows nguyen2011 T1-26-bead-9 T2- T4- low-threshold-order safe- defect-ledger S4-momentum S5-peak-1 S6-ratio-0.98 S7-secondary-26
