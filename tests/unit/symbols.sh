# The names in the library follow the files they stand in, and no variable lives between calls.
exec "$SOURCE/tools/check-symbols" "$BUILD/libcarom.a"
