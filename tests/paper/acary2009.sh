# Orders and closed forms of Acary 2009 come out, within the distances the rows allow.
exec "$CAROM" verify acary2009 --papers "$SOURCE/papers"
