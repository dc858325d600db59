# Closed forms of the eight tests of Chung and Ooi 2011 come out, within the distances the rows allow.
exec "$CAROM" verify chung2011 --papers "$SOURCE/papers"
