# carom_rows PAPER ROWS...: rows of a paper come out, within the distances they allow; words of each are matched with the
# names of rows. A process each, so that rows of one name share what they run.
carom_rows() {
    paper=$1
    shift
    for row in "$@"; do
        "$CAROM" verify "$paper" --papers "$SOURCE/papers" --row "$row" || exit 1
    done
}
