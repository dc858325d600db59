/* Inflate: what deflate makes smaller comes back, streams of zlib too; what is
 * cut off or garbled is refused, or at least fills no more than it may. */
#include "base/inflate.h"

#include <string.h>

#include "base/deflate.h"
#include "base/memory.h"
#include "check.h"

static unsigned seed = 1;

static unsigned draw(unsigned n)
{
    seed = seed * 1103515245U + 12345U;
    return (seed >> 16) % n;
}

enum { MOST = 70000 };
static unsigned char text[MOST], out[MOST + 1];

/* `letters` of them, in runs: few repeat far, 1 all the time */
static void check_back(size_t n, unsigned letters)
{
    size_t length, used;
    for (size_t i = 0; i < n; i++)
        text[i] = (unsigned char)(i > 300 && draw(3) > 0 ? text[i - 1 - draw(300)] : draw(letters));
    unsigned char *stream = carom_deflate(text, n, &length);
    CHECK_OR_STOP(stream != NULL);
    CHECK(carom_inflate(stream, length, n, out, &used) && used == length && memcmp(text, out, n) == 0);
    CHECK(!carom_inflate(stream, length, n + 1, out, NULL));
    CHECK(n == 0 || !carom_inflate(stream, length, n - 1, out, NULL));
    CHECK(!carom_inflate(stream, length - 1, n, out, NULL));
    for (int round = 0; round < 200; round++) { /* a canary stands behind what may be written */
        const size_t at = draw((unsigned)length);
        const unsigned char was = stream[at];
        stream[at] ^= (unsigned char)(1U << draw(8));
        out[n] = 77;
        carom_inflate(stream, length, n, out, NULL);
        CHECK(out[n] == 77);
        stream[at] = was;
    }
    carom_memory_free(stream);
}

/* zlib's own: stored, and with the common codes */
static void check_zlib(void)
{
    static const unsigned char stored[] = {120, 1, 1, 3, 0, 252, 255, 97, 98, 99, 2, 77, 1, 39},
                               fixed[] = {120, 218, 75, 76, 74, 78, 76, 4, 98, 108, 8, 0, 155, 93, 10, 184};
    CHECK(carom_inflate_zlib(stored, sizeof stored, 3, out) && memcmp(out, "abc", 3) == 0);
    CHECK(carom_inflate_zlib(fixed, sizeof fixed, 28, out) && memcmp(out, "abcaabcabcabcabcabcabcabcabc", 28) == 0);
    for (size_t i = 0; i < sizeof stored; i++) {
        unsigned char bad[sizeof stored];
        memcpy(bad, stored, sizeof bad);
        bad[i] ^= 4;
        CHECK(!carom_inflate_zlib(bad, sizeof bad, 3, out));
        CHECK(!carom_inflate_zlib(stored, i, 3, out));
    }
}

int main(void)
{
    check_back(0, 1);
    check_back(1, 1);
    check_back(3000, 1);
    check_back(5000, 4);
    check_back(MOST, 256);
    check_zlib();
    return check_end();
}
