# The folders of the tree keep their order and their rules.
exec "$SOURCE/tools/check-layers" "$SOURCE"
