# Every row comes out, within the distance it allows.
exec "$CAROM" verify nguyen2011 --papers "$SOURCE/papers"
