/* Any bytes as the values that a study runs over. What is read is a list of texts; those of numbers read back. */
#include <math.h>

#include "fuzz.h"
#include "study/range.h"

/* ranges of millions of values are valid, and slow */
static bool is_short(const char *text)
{
    const char *last = strrchr(text, ':');
    return last == NULL || strtod(last + 1, NULL) < 200.0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    char *text = fuzz_text(data + 1, size - 1);
    struct carom_range range = {0};
    struct carom_error error = {CAROM_OK, ""};
    if (is_short(text)) {
        const enum carom_status status = carom_range_read(text, data[0] % 2 == 1, &range, &error);
        fuzz_error(status, &error);
        fuzz_need(status != CAROM_OK || range.count > 0, "a range of nothing");
        for (size_t i = 0; status == CAROM_OK && i < range.count; i++) {
            fuzz_need(memchr(range.text[i], '\0', sizeof range.text[i]) != NULL, "a value without an end");
            fuzz_need(!range.numeric || strtod(range.text[i], NULL) == range.value[i], "a value is not what it says");
        }
        carom_range_free(&range);
    }
    free(text);
    return 0;
}
