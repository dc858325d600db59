# Orders and closed forms of Acary 2009 come out, within the distances the rows allow; those of the bouncing ball here,
# with all of the schemes with a tolerance, those of the other examples in acary2009_long.
. "$SOURCE/tests/paper.sh"
carom_rows acary2009 B- -event adaptive
