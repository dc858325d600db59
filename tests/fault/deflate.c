/* Each allocation of packing bytes fails once: nothing is given then, and under UndefinedBehaviorSanitizer no bits are
 * shifted beyond what is held of them. */
#include "base/deflate.h"
#include "base/memory.h"
#include "check.h"

int main(void)
{
    static unsigned char bytes[50000];
    uint32_t at = 26;
    for (size_t i = 0; i < sizeof bytes; i++) {
        at = at * 1664525u + 1013904223u;
        bytes[i] = (unsigned char)(at >> (i % 5000 < 2500 ? 24 : 29)); /* of all values, of few */
    }
    size_t length = 0, again = 0;
    unsigned char *whole = carom_deflate(bytes, sizeof bytes, &length);
    CHECK_OR_STOP(whole != NULL && length > sizeof bytes / 2 && length < sizeof bytes);
    unsigned long nth = 1;
    for (;; nth++) {
        carom_memory_fail(nth);
        unsigned char *out = carom_deflate(bytes, sizeof bytes, &again);
        carom_memory_fail(0);
        if (out != NULL) {
            CHECK(again == length && memcmp(out, whole, length) == 0);
            carom_memory_free(out);
            break;
        }
    }
    CHECK(nth > 6); /* the room is doubled from 1 kB on */
    carom_memory_free(whole);
    return check_end();
}
