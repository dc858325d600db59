# The page on laws is true: its scenes run, and it explains every law and every parameter the program knows.
set -u
page=$SOURCE/docs/laws.md
failures=0

fail() {
    echo "$*"
    failures=$((failures + 1))
}

rm -f block-*.yaml
awk '/^```yaml$/ { inside = 1; n++; file = sprintf("block-%02d.yaml", n); next }
     /^```$/ { inside = 0 }
     inside { print > file }' "$page"
whole=0
for block in block-*.yaml; do
    whole=$((whole + 1))
    rm -f run.h5
    "$CAROM" run --quiet "$block" -o run.h5 || fail "$page: a scene does not run: $(cat "$block")"
    grep -q 'law: dmt' "$block" || "$CAROM" restitution --quiet "$block" || fail "$page: no restitution: $(cat "$block")"
done
[ "$whole" -ge 9 ] || fail "$page: only $whole scenes"

laws=$("$CAROM" list laws | awk '/^[a-z]/ { print $1 }')
for law in $laws; do
    grep -q "^| \`$law\` |" "$page" || fail "$page: does not have the law $law in its table"
    for parameter in $("$CAROM" list laws | awk -v law="$law" '/^[a-z]/ { on = $1 == law } on && /^    / { print $1 }'); do
        grep "^| \`$law\` |" "$page" | grep -q "\b$parameter\b" || fail "$page: $law: does not mention $parameter"
    done
done
echo "$whole scenes, $(echo "$laws" | wc -w) laws, $failures failures"
[ "$failures" -eq 0 ]
