# Published numbers of the paper come out, within the distances its rows allow. Where dissipation is best (figures 10 and
# 11) takes many runs, and figure 2 and the crystal in space take seconds: james2020_long.
. "$SOURCE/tests/paper.sh"
carom_rows james2020 eq- fig-3 fig-4 fig-5 fig-6 fig-9 table-1 a-1 crystal-plane
