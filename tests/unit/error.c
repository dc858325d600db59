/* Error records: text, cutting, prefixes, and text from outside that must not reach a terminal as it is. */
#include "check.h"

static void test_set(void)
{
    struct carom_error error = {0};
    CHECK_STATUS(carom_error_set(&error, CAROM_E_INPUT, "%s: got %d", "count", -2), CAROM_E_INPUT);
    CHECK_TEXT(error.text, "count: got -2");
    CHECK(error.status == CAROM_E_INPUT);
    CHECK_STATUS(carom_error_set(NULL, CAROM_E_FILE, "nobody listens"), CAROM_E_FILE);
    CHECK_STATUS(carom_error_set(&error, CAROM_OK, "fine"), CAROM_OK);
    CHECK_TEXT(error.text, "");
}

static void test_prefix(void)
{
    struct carom_error error = {0};
    CHECK_STATUS(carom_error_prefix(&error, "nothing happened"), CAROM_OK);
    CHECK_TEXT(error.text, "");
    carom_error_set(&error, CAROM_E_NUMERIC, "no convergence");
    CHECK_STATUS(carom_error_prefix(&error, "step %d", 7), CAROM_E_NUMERIC);
    CHECK_TEXT(error.text, "step 7: no convergence");
    carom_error_set(&error, CAROM_E_FILE, "again, %s", error.text);
    CHECK_TEXT(error.text, "again, step 7: no convergence");
    CHECK(carom_error_prefix(NULL, "x") != CAROM_OK);
}

static void test_cut(void)
{
    struct carom_error error = {0};
    char large[2000];
    for (size_t shift = 0; shift < 3; shift++) {
        memset(large, 'a', sizeof large);
        for (size_t i = shift; i + 1 < sizeof large; i += 2)
            memcpy(large + i, "\xc3\xa9", 2);
        large[sizeof large - 1] = '\0';
        carom_error_set(&error, CAROM_E_INPUT, "%s", large);
        const size_t length = strlen(error.text);
        CHECK(length < sizeof error.text && length > sizeof error.text - 8);
        CHECK_TEXT(error.text + length - 3, "...");
        CHECK((unsigned char)error.text[length - 4] != 0xc3); /* no half character */
    }
    for (int i = 0; i < 1000; i++)
        carom_error_prefix(&error, "prefix %d", i);
    CHECK(strlen(error.text) < sizeof error.text);
    CHECK(strncmp(error.text, "prefix 999: ", 12) == 0);
}

static void test_printable(void)
{
    struct carom_error error = {0};
    carom_error_set(&error, CAROM_E_INPUT, "key '%s'", "a\nb\x1b[31m\x7f\xc3\xa9");
    CHECK_TEXT(error.text, "key 'a b?[31m?\xc3\xa9'");
}

static void test_meaning(void)
{
    for (int i = CAROM_OK; i <= CAROM_E_STOPPED; i++)
        for (int j = CAROM_OK; j < i; j++)
            CHECK(strcmp(carom_error_meaning((enum carom_status)i), carom_error_meaning((enum carom_status)j)) != 0);
    CHECK_TEXT(carom_error_meaning(CAROM_E_MEMORY), "out of memory");
    CHECK_TEXT(carom_error_meaning((enum carom_status)99), "unknown status");
}

int main(void)
{
    test_set();
    test_prefix();
    test_cut();
    test_printable();
    test_meaning();
    CHECK_MAIN_END;
}
