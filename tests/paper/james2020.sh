# Every published number of the paper comes out, within the distances its rows allow.
exec "$CAROM" verify james2020 --papers "$SOURCE/papers"
