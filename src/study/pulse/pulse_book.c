/* Episodes of contacts as waves, see pulse.h. */
#include "study/pulse/pulse.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/sorted.h"

enum { SAMPLES = 6 }; /* a wave needs so many samples while its contact is closed */

void carom_pulse_book_close(struct carom_pulse_book *book)
{
    carom_memory_free_all(book->first, book->row);
    *book = (struct carom_pulse_book){0};
}

struct walk {
    struct carom_pulse_book *book;
    double from, until;
    size_t *count; /* of each contact */
};

/* counts the rows of each contact or, where there is room for them, puts them there */
static void take(void *own, const struct carom_episode *row)
{
    const struct walk *w = own;
    struct carom_pulse_book *book = w->book;
    const size_t j = (size_t)row->contact;
    if (!(row->contact < book->nc && row->peak_force > 0.0 && row->peak_time >= w->from && row->peak_time <= w->until))
        return;
    if (book->row != NULL)
        book->row[book->first[j] + w->count[j]] = *row;
    w->count[j]++;
}

static int in_time(const void *a, const void *b)
{
    const double x = ((const struct carom_episode *)a)->closed, y = ((const struct carom_episode *)b)->closed;
    return (x > y) - (x < y);
}

enum carom_status carom_pulse_book_open(struct carom_pulse_book *book, const struct carom_run_file *run, double from,
                                        double until, struct carom_error *error)
{
    *book = (struct carom_pulse_book){.nc = run->nc};
    if (!run->episodes.there || run->listed)
        return CAROM_OK;
    size_t *count = carom_memory_zeroed(run->nc + 1, sizeof *count);
    struct walk walk = {book, from, until, count};
    book->first = carom_memory_zeroed(run->nc + 1, sizeof *book->first);
    enum carom_status status = count != NULL && book->first != NULL
                                   ? carom_run_episodes_each(&run->episodes, run->file, take, &walk, error)
                                   : carom_error_set(error, CAROM_E_MEMORY, "out of memory for the book of impacts");
    for (size_t j = 0; j < run->nc && status == CAROM_OK; j++) {
        book->first[j + 1] = book->first[j] + count[j];
        count[j] = 0;
    }
    if (status == CAROM_OK && !(book->row = carom_memory_zeroed(book->first[run->nc] + 1, sizeof *book->row)))
        status = carom_error_set(error, CAROM_E_MEMORY, "out of memory for the book of impacts");
    if (status == CAROM_OK)
        status = carom_run_episodes_each(&run->episodes, run->file, take, &walk, error);
    for (size_t j = 0; j < run->nc && status == CAROM_OK; j++)
        qsort(book->row + book->first[j], book->first[j + 1] - book->first[j], sizeof *book->row, in_time);
    carom_memory_free(count);
    return status;
}

/* --- one contact ----------------------------------------------------------------------------------------------- */

static double largest(const struct carom_pulse_book *book, size_t contact)
{
    double most = 0.0;
    for (size_t i = book->first[contact]; i < book->first[contact + 1]; i++)
        most = fmax(most, book->row[i].peak_force);
    return most;
}

/* the first sample after t */
static size_t after(const struct carom_pulse_series *series, double t)
{
    size_t low = 0;
    CAROM_SORTED_FIRST(low, series->n, !(series->time[middle] > t));
    return low;
}

bool carom_pulse_book_coarse(const struct carom_pulse_book *book, size_t contact,
                             const struct carom_pulse_series *series, double least)
{
    if (book->first == NULL)
        return false;
    const double most = largest(book, contact);
    for (size_t i = book->first[contact]; i < book->first[contact + 1]; i++) {
        const struct carom_episode *row = &book->row[i];
        const size_t end = after(series, row->opened);
        if (row->closed < series->time[0] || row->opened > series->time[series->n - 1])
            continue; /* beyond the samples: that it has few says nothing of how fine they are */
        if (row->peak_force >= least * most && end - after(series, row->closed) < SAMPLES)
            return true;
    }
    return false;
}

bool carom_pulse_book_around(const struct carom_episode *episode, const struct carom_pulse_series *series,
                             struct carom_pulse_series *around)
{
    const size_t first = after(series, episode->closed), last = after(series, episode->opened);
    const size_t begin = first > 0 ? first - 1 : 0, end = last < series->n ? last + 1 : last;
    *around = (struct carom_pulse_series){end - begin, series->time + begin, series->force + begin};
    return last - first >= SAMPLES;
}

const struct carom_episode *carom_pulse_book_wave(const struct carom_pulse_book *book, size_t contact, size_t n,
                                                  double least, double rest, struct carom_pulse *pulse)
{
    const double most = largest(book, contact), unknown = nan("");
    for (size_t i = book->first[contact]; i < book->first[contact + 1]; i++) {
        const struct carom_episode *row = &book->row[i];
        if (row->peak_force < least * most || n-- > 0)
            continue;
        *pulse = (struct carom_pulse){.rest = rest,
                                      .peak = row->peak_force - rest,
                                      .time = row->peak_time,
                                      .foot = unknown, /* a contact may close long before its force rises */
                                      .width = unknown,
                                      .misfit = unknown,
                                      .half = unknown,
                                      .front = unknown,
                                      .tail = unknown,
                                      .closed = row->closed,
                                      .opened = row->opened};
        return row;
    }
    return NULL;
}

bool carom_pulse_book_top(const struct carom_pulse_book *book, size_t contact, const struct carom_pulse_series *series,
                          const struct carom_pulse_wave *wave, struct carom_pulse_top *top)
{
    /* Two samples to either side: where even samples fall next to those that follow a contact, one may be next to the
     * highest. */
    const size_t low = wave->peak >= wave->before + 2 ? wave->peak - 2 : wave->before;
    const size_t high = wave->peak + 2 <= wave->after ? wave->peak + 2 : wave->after;
    for (size_t i = book->first[contact]; i < book->first[contact + 1]; i++) {
        const struct carom_episode *row = &book->row[i];
        const bool last = high + 1 == series->n && row->closed <= series->time[high]; /* it may peak after them */
        if (row->peak_time >= series->time[low] && (row->peak_time <= series->time[high] || last) &&
            row->peak_force >= series->force[wave->peak]) {
            *top = (struct carom_pulse_top){row->peak_time, row->peak_force, row->closed, row->opened};
            return true;
        }
    }
    return false;
}
