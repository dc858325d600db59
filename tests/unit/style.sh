# Heads, widths and lengths of the C files.
exec "$SOURCE/tools/check-style" "$SOURCE"
