/* The table of events, see export.h. */
#include "export.h"

#include "base/memory.h"
#include "episodes.h"
#include "record/export/csv.h"

enum { BLOCK = 4096 };

static const char *word(enum carom_event_kind kind)
{
    static const char *const words[] = {
        [CAROM_EVENT_OPEN] = "open",   [CAROM_EVENT_CLOSE] = "close", [CAROM_EVENT_IMPACT] = "impact",
        [CAROM_EVENT_STICK] = "stick", [CAROM_EVENT_SLIP] = "slip",   [CAROM_EVENT_ZERO] = "zero_force"};
    return (size_t)kind < sizeof words / sizeof *words ? words[kind] : "unknown";
}

size_t cli_export_events_columns(const struct carom_run_file *run)
{
    return run->listed ? 7 : 6;
}

enum carom_status cli_export_events(FILE *out, const struct carom_run_file *run, struct carom_error *error)
{
    struct carom_event *event = carom_memory_zeroed(BLOCK, sizeof *event);
    enum carom_status status = event ? CAROM_OK : carom_memory_error(error);
    fprintf(out, CLI_EVENTS_HEADING ",%s,before,after,impulse\n", run->listed ? "first,second" : "contact");
    for (uint64_t first = 0; first < run->events && status == CAROM_OK; first += BLOCK) {
        const uint64_t left = run->events - first, n = left < BLOCK ? left : BLOCK;
        status = carom_run_file_events(run, first, n, event, error);
        for (uint64_t i = 0; i < n && status == CAROM_OK; i++) {
            carom_csv_number(out, event[i].time);
            fprintf(out, ",%s,", word(event[i].kind));
            cli_episodes_place(out, run, event[i].contact);
            carom_csv_numbers(out, (double[]){event[i].before, event[i].after, event[i].impulse}, 3);
            putc('\n', out);
        }
        if (status == CAROM_OK && ferror(out))
            status = carom_error_set(error, CAROM_E_FILE, "the table could not be written");
    }
    carom_memory_free(event);
    return status;
}
