/* Any bytes as the log of a fit that goes on: its first line is right, or it is refused. */
#include "study/fit/fit_log.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct carom_fit_log log = {0};
    struct carom_error error = {CAROM_OK, ""};
    const double x[2] = {1.0, 2.0}, y[3] = {4.0, 5.0, 6.0};
    const char *path = fuzz_file(data, size);
    const enum carom_status status = carom_fit_log_open(&log, path, 7, 2, 3, &error);
    fuzz_error(status, &error);
    if (status == CAROM_OK) {
        fuzz_error(carom_fit_log_add(&log, 'p', x, y, 3, &error), &error);
        fuzz_need(carom_fit_log_find(&log, 'p', x) != NULL, "a line that was added is not found");
    }
    const size_t count = log.count;
    carom_fit_log_close(&log);
    if (status == CAROM_OK) { /* what was taken is taken again */
        fuzz_need(carom_fit_log_open(&log, path, 7, 2, 3, &error) == CAROM_OK, "its own log is refused");
        fuzz_need(log.count == count, "another number of lines");
        carom_fit_log_close(&log);
    }
    return 0;
}
