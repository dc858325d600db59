# Orders and closed forms of Acary 2009 come out, within the distances the rows allow: those of the bouncing ball here, and
# when it rests by all schemes; orders of any-order schemes, and the other examples, in acary2009_long.
. "$SOURCE/tests/paper.sh"
carom_rows acary2009 B-moreau B-schatzman B-rest -event B-adaptive
