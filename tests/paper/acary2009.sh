# Orders and closed forms of Acary 2009 come out, within the distances the rows allow; those of the bouncing ball here,
# at the lowest and the highest order, with all of the schemes with a tolerance; those of the other examples and orders in
# acary2009_long.
. "$SOURCE/tests/paper.sh"
carom_rows acary2009 B-rest-closed B-moreau B-schatzman B-any-order-2 B-any-order-5 -event adaptive
