# Tables, waves and defects of Nguyen and Brogliato 2011 come out, within the distances the rows allow.
exec "$CAROM" verify nguyen2011 --papers "$SOURCE/papers"
