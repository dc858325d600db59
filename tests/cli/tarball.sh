# The source tarball: the same commit gives the same bytes, its checksum is right, and it holds what the commit holds.
set -eu
export LEVEL=0 # whether bytes are the same does not hang on how hard xz tries
if ! git -C "$SOURCE" rev-parse HEAD >/dev/null 2>&1; then
    echo "skipped: not a clone"
    exit 0
fi
rm -rf one two
one=$("$SOURCE/tools/make-tarball" one)
two=$("$SOURCE/tools/make-tarball" two)
cmp "$one" "$two"
(cd one && sha256sum --quiet -c SHA256SUMS)
version=$("$CAROM" --version | sed 's/[^0-9.]//g')
[ "$one" = "one/carom-$version.tar.xz" ]
tar -tf "$one" | grep -v '/$' | sed "s|^carom-$version/||" | sort >inside
git -C "$SOURCE" ls-tree -r --name-only HEAD | sort | cmp - inside
echo "$(wc -l <inside) files"
