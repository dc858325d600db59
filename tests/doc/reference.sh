# The reference pages are what the program would write now.
exec "$SOURCE/tools/make-reference" --check "$CAROM"
