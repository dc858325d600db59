/* What moves by itself in models of schemes event and mannshardt: how fast, and where it breaks; and how short a look
 * along the motion must be. See event_smooth.h. */
#include <float.h>

#include "model/bodies/linkage_places.h"
#include "model/motion.h"
#include "scheme/rigid/event/event.h"
#include "scheme/rigid/event/event_smooth.h"

bool carom_event_drives_list(struct carom_event_smooth *s, const struct carom_model *model)
{
    s->thin = carom_linkage_places_thin(model);
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
    if (w->model->offers & CAROM_UNDRIVEN) /* of slips in space steps are as short as these are near to a stop */
        return s->frame.tangents > 1 ? 1e-6 * w->length / w->speed : 0.0;
    return carom_event_drives_probe(w, fmin(1e-4 * w->length / w->speed, 1e-3 * s->longest));
}

double carom_event_drives_probe(const struct carom_event_work *w, double probe)
{
    /* Looks are as long as steps let them be, which know of the motion so far: after an impact bodies may go round each
     * other, in the time in which they pass. Of differences of fourth order a hundredth of it leaves 1e-9. */
    const struct carom_event_smooth *s = &w->smooth;
    const double short_of_passing = fmin(probe, 0.01 * s->thin / w->speed);
    const double now = s->from + 8.0 * DBL_EPSILON * fabs(s->from);
    size_t low = 0, high = s->nbreaks; /* the first that is ahead */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->breaks[middle] > now)
            high = middle;
        else
            low = middle + 1;
    }
    return low < s->nbreaks ? fmin(short_of_passing, 0.125 * (s->breaks[low] - s->from)) : short_of_passing;
}
