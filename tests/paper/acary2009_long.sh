# Every row comes out, within the distance it allows, but those that only --long measures.
exec "$CAROM" verify acary2009 --papers "$SOURCE/papers"
