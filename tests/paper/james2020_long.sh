# Every row comes out, within the distance it allows, but those that only --long measures.
exec "$CAROM" verify james2020 --papers "$SOURCE/papers"
