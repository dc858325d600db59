/* Samples times numbers against what is free: a run that would fail after hours is refused before it begins. Events and
 * episodes, which nobody knows in advance, are not counted. */
#include "record/room.h"

#include "base/machine.h"

enum carom_status carom_room_check(const struct carom_recorder *recorder, const char *path, double from, double until,
                                   struct carom_error *error)
{
    size_t numbers;
    const double samples = carom_recorder_samples(recorder, from, until, &numbers);
    const double bytes = samples * (double)numbers * sizeof(double), there = carom_machine_disk(path);
    if (there < 0.0 || bytes <= there)
        return CAROM_OK;
    return carom_error_set(
        error, CAROM_E_FILE,
        "%s: %.15g samples of %zu numbers are %.3g GB, and %.3g GB are free there: record less often "
        "(record: every), or less of it (probes)",
        path, samples, numbers, bytes * 1e-9, there * 1e-9);
}
