# What `make install` brings can be used: the example builds against the installed library by pkg-config and by CMake's
# find_package, and runs; the manual page formats and names every command; the completion completes.
set -u
failures=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}

rm -rf prefix other
cmake --install "$BUILD" --prefix "$PWD/prefix" >install.log 2>&1 || { cat install.log; exit 1; }
lib=$(dirname "$(find "$PWD/prefix" -name libcarom.a)")
[ -x prefix/bin/carom ] || fail "no program"
prefix/bin/carom list papers | grep -q james2020 || fail "the installed program does not find the papers"
prefix/bin/carom check --quiet prefix/share/carom/scenes/two-beads.yaml || fail "no scenes"

# import carom, with the library and the program of the same prefix
module=$(find "$PWD/prefix" -name _native.abi3.so)
package=$(dirname "$(dirname "$module")")
if [ -n "$module" ] && "$PYTHON" -c 'import numpy' 2>/dev/null; then
    env -u CAROM PYTHONPATH="$package" "$PYTHON" -c 'import carom
assert carom.run("prefix/share/carom/scenes/two-beads.yaml").force.max() > 0
assert "/prefix/bin/carom" in carom._program.find() and "/prefix/lib" in open("/proc/self/maps").read()' ||
        fail "the installed package does not work"
fi

# the C compiler of the build may want its sanitizers at link time too
flags=$(sed -n 's/^CMAKE_C_FLAGS:[A-Z]*=//p' "$BUILD/CMakeCache.txt")
export PKG_CONFIG_PATH=$lib/pkgconfig
# shellcheck disable=SC2046,SC2086
"$CC" $flags "$SOURCE/examples/own_law.c" $(pkg-config --cflags --libs carom) -o by-pkg-config || fail "pkg-config"
LD_LIBRARY_PATH=$lib ./by-pkg-config >by-pkg-config.txt || fail "the example built by pkg-config does not run"
ldd by-pkg-config | grep -q libcarom || fail "pkg-config does not name the shared library"

mkdir -p other
cat >other/CMakeLists.txt <<LISTS
cmake_minimum_required(VERSION 3.25)
project(other C)
set(CMAKE_C_STANDARD 17)
find_package(carom 0.2 REQUIRED)
add_executable(own_law $SOURCE/examples/own_law.c)
target_link_libraries(own_law PRIVATE carom::carom)
add_executable(own_law_shared $SOURCE/examples/own_law.c)
target_link_libraries(own_law_shared PRIVATE carom::shared m)
LISTS
if cmake -S other -B other/build -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="$flags" -DCMAKE_PREFIX_PATH="$PWD/prefix" \
    >other.log 2>&1 && cmake --build other/build >>other.log 2>&1; then
    other/build/own_law >by-cmake.txt || fail "the example built by CMake does not run"
    other/build/own_law_shared >by-shared.txt || fail "the example built with the shared library does not run"
    cmp by-pkg-config.txt by-cmake.txt && cmp by-cmake.txt by-shared.txt || fail "the examples differ"
else
    cat other.log
    fail "find_package(carom)"
fi

page=$(find prefix -name carom.1)
for command in $("$CAROM" --help | sed -n 's/^  \([a-z][a-z]*\)  *[^ ].*/\1/p'); do
    grep -q "^\.SS $command\$" "$page" || fail "the manual page does not know $command"
done
if command -v man >/dev/null; then
    MANWIDTH=100 man --warnings -l "$page" >page.txt 2>page.log || fail "the manual page does not format"
    [ ! -s page.log ] || fail "$(cat page.log)"
    grep -q -- '--set KEY=VALUE' page.txt || fail "the options are lost"
fi

cat >complete.sh <<'COMPLETE'
PATH=$PWD/prefix/bin:$PATH
. "$(find prefix -path '*bash-completion*' -name carom)"
ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _carom; echo "${COMPREPLY[@]}"; }
ask carom resu
ask carom run --thr
ask carom list mat
COMPLETE
[ "$(bash complete.sh | tr '\n' ' ')" = "resume --threads materials " ] || fail "completion: $(bash complete.sh)"
echo "$failures failures"
[ "$failures" -eq 0 ]
