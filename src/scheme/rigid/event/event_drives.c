/* What moves by itself in models of schemes event and mannshardt: how fast, and where it breaks. See event_smooth.h. */
#include <float.h>

#include "model/motion.h"
#include "scheme/rigid/event/event.h"
#include "scheme/rigid/event/event_smooth.h"

bool carom_event_drives_list(struct carom_event_smooth *s, const struct carom_model *model)
{
    s->longest = fmin(carom_motion_pace(model, CAROM_ACTS_BODY | CAROM_ACTS_PORT, NULL),
                      0.5 * carom_motion_swing(model)); /* what holds may let go and take hold again inside a step */
    if (model->frictional) /* what sticks at rest has no error, whatever is done to it: loads must be seen, too */
        s->longest = fmin(s->longest, 0.5 * carom_motion_pace(model, ~0U, NULL));
    if (model->offers & CAROM_UNDRIVEN)
        return true;
    s->breaks = carom_motion_breaks(model, &s->nbreaks);
    return s->breaks != NULL;
}

double carom_event_drives_least(const struct carom_event_work *w)
{
    const struct carom_event_smooth *s = &w->smooth;
    if (w->model->offers & CAROM_UNDRIVEN)
        return 0.0;
    return carom_event_drives_probe(s, fmin(1e-4 * w->length / w->speed, 1e-3 * s->longest));
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
