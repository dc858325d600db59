"""tests/unit/null_objects.c leaves out no function of include/carom that can fail, or that frees."""
import os
import re

from checks import check, end

SOURCE = os.environ["SOURCE"]
FOLDER = os.path.join(SOURCE, "include", "carom")
# these take no object, or are what the test itself is made with
OTHERS = {"carom_error_set", "carom_error_prefix", "carom_error_missing"}

test = open(os.path.join(SOURCE, "tests", "unit", "null_objects.c"), encoding="utf-8").read()
seen = 0
for name in sorted(os.listdir(FOLDER)):
    text = re.sub(r"/\*.*?\*/", " ", open(os.path.join(FOLDER, name), encoding="utf-8").read(), flags=re.S)
    for found in re.finditer(r"^[a-z][^;{}()]*?\b(carom_\w+)\(([^;{}]*)\)[^;{}]*;", text, re.M):
        function, arguments = found[1], found[2]
        if function in OTHERS or not ("struct carom_error *error" in arguments or function.endswith(("_free", "_close"))):
            continue
        seen += 1
        check(re.search(rf"\b{function}\(", test), name, function, "is not called with NULL in tests/unit/null_objects.c")
end(least=90)
