# Every row comes out, within the distance it allows, but those that only --long measures.
exec "$CAROM" verify monasse2012 --papers "$SOURCE/papers"
