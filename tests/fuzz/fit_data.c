/* Any bytes as the measured data of a fit. */
#include "study/fit/fit_data.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct carom_fit_data found = {0};
    struct carom_error error = {CAROM_OK, ""};
    char *text = fuzz_text(data, size);
    fuzz_error(carom_fit_data_parse(&found, "fuzz", text, size, size % 2 == 0, &error), &error);
    carom_fit_data_free(&found);
    free(text);
    return 0;
}
