# The version stands in include/carom/carom.h, and nowhere else is it another: program, shared library, citation, page and docs
# say the same.
set -u
failures=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}

version=$(sed -n 's/^#define CAROM_VERSION "\(.*\)"/\1/p' "$SOURCE/include/carom/carom.h")
minor=${version%.*}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "carom.h says $version"
"$CAROM" --help | head -n 1 | grep -q "^carom $version:" || fail "the program says another version"
grep -qx "version: $version" "$SOURCE/CITATION.cff" || fail "CITATION.cff says another version"
grep -q "\"version\": \"$version\"" "$SOURCE/viewer/package.json" || fail "viewer/package.json says another version"
grep -q "find_package(carom $minor REQUIRED)" "$SOURCE/docs/c-api.md" || fail "docs/c-api.md asks for another version"
grep -m 2 '^## ' "$SOURCE/CHANGELOG.md" | grep -q "$version" || fail "CHANGELOG.md does not begin with $version"
if [ -e "$BUILD/libcarom.so.$version" ]; then
    objdump -p "$BUILD/libcarom.so.$version" | grep -q "SONAME *libcarom.so.${version%%.*}\$" || fail "another soname"
    objdump -T "$BUILD/libcarom.so.$version" | grep -q "CAROM_$minor *carom_sim_create" || fail "another version of names"
fi
exit $((failures > 0))
