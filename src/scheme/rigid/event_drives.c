/* What moves by itself in models of schemes event and mannshardt: how fast, and where it breaks. See event_smooth.h. */
#include <float.h>
#include <stdlib.h>

#include "base/memory.h"
#include "carom/mechanism.h"
#include "scheme/rigid/event_smooth.h"

static double shorter(double time, const struct carom_signal *signal)
{
    double value, rate;
    carom_signal_largest(signal, &value, &rate);
    return rate * time > value ? value / rate : time;
}

/* the time in which the fastest driven bead, wall or floor goes from 0 to its largest displacement */
static double fastest_drive(const struct carom_model *model)
{
    double longest = HUGE_VAL;
    for (size_t i = 0; i < model->nparts && !(model->offers & CAROM_UNDRIVEN); i++) {
        const struct carom_beads *beads = model->member[i].own;
        const struct carom_mechanism *mechanism = model->member[i].own;
        for (size_t k = 0; model->member[i].part == &carom_part_beads && k < beads->ndrives; k++)
            longest = shorter(longest, &beads->drive[k].place);
        if (model->member[i].part == &carom_part_mechanism && mechanism->signal && !mechanism->still)
            longest = shorter(longest, mechanism->signal);
    }
    return longest;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bool carom_event_drives_list(struct carom_event_smooth *s, const struct carom_model *model)
{
    size_t count = 0;
    s->longest = fastest_drive(model);
    for (int fill = 0; fill < 2 && !(model->offers & CAROM_UNDRIVEN); fill++) {
        if (fill && !(s->breaks = carom_memory_zeroed(count, sizeof(double))))
            return false;
        s->nbreaks = count;
        count = 0;
        for (size_t i = 0; i < model->nparts; i++) {
            const struct carom_member *m = &model->member[i];
            if (m->part->breaks)
                count += m->part->breaks(m->own, fill ? s->breaks + count : NULL, fill ? s->nbreaks - count : 0);
        }
    }
    if (s->nbreaks > 1)
        qsort(s->breaks, s->nbreaks, sizeof *s->breaks, compare);
    return true;
}

double carom_event_drives_probe(const struct carom_event_smooth *s, double probe)
{
    const double now = s->from + 8.0 * DBL_EPSILON * fabs(s->from);
    size_t low = 0, high = s->nbreaks; /* the first that is ahead */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->breaks[middle] > now)
            high = middle;
        else
            low = middle + 1;
    }
    return low < s->nbreaks ? fmin(probe, 0.125 * (s->breaks[low] - s->from)) : probe;
}
