/* Any bytes as a number with a unit. */
#include "scene/text/units.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct carom_quantity quantity;
    struct carom_dimension dimension;
    struct carom_error error = {CAROM_OK, ""};
    const enum carom_status status = carom_units_read(text, &quantity, &error);
    fuzz_error(status, &error);
    fuzz_need(status != CAROM_OK || quantity.value - quantity.value == 0.0, "a number that is not finite");
    if (carom_units_dimension("N/m^(3/2)", NULL, &dimension, &error) == CAROM_OK && status == CAROM_OK)
        fuzz_error(carom_units_check(text, &quantity, "N/m^(3/2)", &dimension, &error), &error);
    fuzz_error(carom_units_dimension(text, NULL, &dimension, &error), &error);
    free(text);
    return 0;
}
