/* Blocks are zeroed, aligned, grow without losing what they held, and impossible sizes are refused. */
#include "base/memory.h"
#include "check.h"

static bool all_zero(const unsigned char *bytes, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static void test_zeroed(void)
{
    for (size_t n = 0; n < 300; n += 7) {
        unsigned char *block = carom_memory_zeroed(n, 3);
        CHECK_OR_STOP(block != NULL);
        CHECK((uintptr_t)block % 64 == 0);
        CHECK(all_zero(block, 0, 3 * n));
        memset(block, 0xa5, 3 * n); /* what the next block must not see */
        carom_memory_free(block);
    }
    void *none = carom_memory_zeroed(5, 0);
    CHECK(none != NULL);
    carom_memory_free(none);
    carom_memory_free(NULL);
}

static void test_arrays(void)
{
    double *a, *none, *b;
    unsigned char *byte;
    void *block = carom_memory_together(CAROM_ROOM(a, 3), CAROM_ROOM(none, 0), CAROM_ROOM(byte, 65), CAROM_ROOM(b, 9));
    CHECK(block && a == block && byte >= (unsigned char *)(a + 3) && (unsigned char *)b >= byte + 65 && none);
    CHECK((uintptr_t)a % 64 == 0 && (uintptr_t)b % 64 == 0 && all_zero(byte, 0, 65));
    for (int i = 0; i < 9; i++)
        CHECK(b[i] == 0.0);
    for (int i = 0; i < 3; i++)
        a[i] = b[i + 6] = i;
    CHECK(a[2] == 2.0 && b[8] == 2.0);
    carom_memory_free(block);
}

static void test_overflow(void)
{
    CHECK(carom_memory_zeroed(SIZE_MAX / 2 + 1, 2) == NULL);
    CHECK(carom_memory_zeroed(SIZE_MAX, SIZE_MAX) == NULL);
    CHECK(carom_memory_zeroed(SIZE_MAX / 8 + 2, 8) == NULL); /* wraps to 8 bytes */
    double *a, *b;
    CHECK(!carom_memory_together(CAROM_ROOM(a, SIZE_MAX - 1), CAROM_ROOM(b, 3)));
    CHECK(!carom_memory_together(CAROM_ROOM(a, SIZE_MAX / 2 - 16), CAROM_ROOM(b, SIZE_MAX / 2)));
    CHECK(!carom_memory_together(CAROM_ROOM(a, SIZE_MAX / 32), CAROM_ROOM(b, SIZE_MAX / 32)));
    CHECK(carom_memory_text_of("x", SIZE_MAX) == NULL);
}

static void test_grow(void)
{
    unsigned char *block = NULL;
    CHECK_OR_STOP(carom_memory_widen(&block, 0, 10, 2));
    CHECK(all_zero(block, 0, 20));
    for (size_t i = 0; i < 20; i++)
        block[i] = (unsigned char)(i + 1);
    unsigned char *const before = block;
    CHECK(!carom_memory_widen(&block, 10, SIZE_MAX, 2) && block == before);
    CHECK_OR_STOP(carom_memory_widen(&block, 10, 1000, 2));
    CHECK((uintptr_t)block % 64 == 0);
    for (size_t i = 0; i < 20; i++)
        CHECK(block[i] == i + 1);
    CHECK(all_zero(block, 20, 2000));
    CHECK_OR_STOP(carom_memory_widen(&block, 1000, 4, 2));
    CHECK(block[7] == 8);
    carom_memory_free(block);
}

static void test_text(void)
{
    char *whole = carom_memory_text("granular"), *part = carom_memory_text_of("granular", 4);
    char *empty = carom_memory_text("");
    CHECK_TEXT(whole, "granular");
    CHECK_TEXT(part, "gran");
    CHECK_TEXT(empty, "");
    carom_memory_free(whole);
    carom_memory_free(part);
    carom_memory_free(empty);
}

int main(void)
{
    test_zeroed();
    test_arrays();
    test_overflow();
    test_grow();
    test_text();
    CHECK_MAIN_END;
}
