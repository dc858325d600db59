/* The nth allocation fails and no other; what base builds on it gives everything back. */
#include "base/memory.h"

#include "base/threads.h"
#include "check.h"

static void test_nth(void)
{
    for (unsigned long nth = 0; nth <= 5; nth++) {
        void *blocks[5];
        carom_memory_fail(nth);
        for (unsigned long i = 0; i < 5; i++)
            blocks[i] = carom_memory_zeroed(3, 8);
        for (unsigned long i = 0; i < 5; i++) {
            CHECK((blocks[i] == NULL) == (i + 1 == nth));
            carom_memory_free(blocks[i]);
        }
    }
    carom_memory_fail(0);
}

static void test_grow_keeps(void)
{
    char *block = carom_memory_text("kept");
    CHECK_OR_STOP(block != NULL);
    carom_memory_fail(1);
    CHECK(!carom_memory_widen(&block, 5, 500, 1));
    CHECK_TEXT(block, "kept");
    carom_memory_fail(1);
    CHECK(carom_memory_text("x") == NULL);
    CHECK(carom_memory_widen(&block, 5, 500, 1));
    CHECK_TEXT(block, "kept");
    carom_memory_free(block);
}

static void test_threads(void)
{
    unsigned long failures = 0;
    for (unsigned long nth = 1; nth < 10; nth++) {
        carom_memory_fail(nth);
        struct carom_threads *threads = carom_threads_create(3);
        failures += threads == NULL;
        carom_threads_free(threads);
    }
    carom_memory_fail(0);
    CHECK(failures == 2);
}

int main(void)
{
    test_nth();
    test_grow_keeps();
    test_threads();
    return check_end();
}
