/* Damping of surfaces that press each other, point by point. A kick gives the change of the damping law's integral, as
 * for balls (rattle_strike.c), along the normal that the point has now; of the value when the step began the component
 * along this normal counts. Where the points of a tie pass each other, its normal turns around and damping goes on. */
#include <math.h>

#include "base/vec.h"
#include "scheme/solid/rattle_faces.h"

/* The same point of meeting m when the step began, SIZE_MAX: it was apart. Pieces that are end 0 rise, first those of
 * the one body, then those of the other. */
size_t carom_rattle_faces_damp_before(const struct carom_rattle_faces *f, size_t m, const struct carom_press *press)
{
    const uint32_t first = f->of->meet[m].body[0];
    size_t low = f->was.n > 0 ? carom_rattle_faces_first(&f->was, m) : 0, high = f->was.n > 0 ? f->was.end[m] : 0;
    const size_t last = high;
    while (low < high) { /* the first that is not before it */
        const size_t middle = (low + high) / 2;
        const struct carom_press_end *was = &f->was.press[middle].end[0], *is = &press->end[0];
        if (was->body == is->body ? was->piece < is->piece : was->body == first)
            low = middle + 1;
        else
            high = middle;
    }
    const struct carom_press *found = &f->was.press[low];
    return low < last && found->end[0].body == press->end[0].body && found->end[0].piece == press->end[0].piece &&
                   found->depth > 0.0
               ? low
               : SIZE_MAX;
}

/* calls `each` with the points of all meetings that are damped */
static void each_damped(struct carom_rattle_faces *f,
                        void (*each)(struct carom_rattle_faces *f, size_t m, size_t i, void *own), void *own)
{
    for (size_t m = 0; f->any && m < f->of->nmeets; m++)
        for (size_t i = carom_rattle_faces_first(&f->now, m); f->damped[m] && i < f->now.end[m]; i++)
            each(f, m, i, own);
}

static void ask(const struct carom_rattle_faces *f, size_t m, size_t i, double *drag)
{
    const size_t j = f->of->meets_first + m;
    const struct carom_response want = {.viscous = &f->now.point[i].viscous, .drag = drag};
    carom_contacts_evaluate(f->model, j, j + 1, &f->now.press[i].depth, NULL, NULL, &want);
}

static void first_kick(struct carom_rattle_faces *f, size_t m, size_t i, void *own)
{
    struct carom_rattle_point *p = &f->now.point[i];
    double drag;
    (void)own;
    ask(f, m, i, &drag);
    p->damp = drag * p->rate;
}

void carom_rattle_faces_damp_begin(struct carom_rattle_faces *f, bool known, const double *q, const double *v)
{
    if (f->any && !known)
        carom_rattle_faces_rates(f, q, v);
    each_damped(f, first_kick, NULL);
}

static void second_kick(struct carom_rattle_faces *f, size_t m, size_t i, void *own)
{
    const double *h = own;
    struct carom_rattle_point *p = &f->now.point[i];
    const size_t was = carom_rattle_faces_damp_before(f, m, &f->now.press[i]);
    ask(f, m, i, NULL);
    p->before = nan("");
    p->change = p->viscous;
    p->damp = 2.0 / *h * p->viscous;
    if (was == SIZE_MAX)
        return;
    const struct carom_rattle_point *from = &f->was.point[was];
    const double along = carom_vec_dot(f->was.press[was].normal, f->now.press[i].normal);
    p->before = along * from->rate;
    p->change = p->viscous - along * from->viscous;
    p->damp = 2.0 / *h * p->change - along * from->damp;
}

void carom_rattle_faces_damp_end(struct carom_rattle_faces *f, double h)
{
    each_damped(f, second_kick, &h);
}

/* The loss of a step is the impulse of the damper times the mean rate; of a point that was apart, the rate it has. */
static void add_lost(struct carom_rattle_faces *f, size_t m, size_t i, void *own)
{
    const struct carom_rattle_point *p = &f->now.point[i];
    double *lost = own;
    lost[f->of->meets_first + m] +=
        0.5 * f->now.press[i].weight * p->change * (p->rate + (isnan(p->before) ? p->rate : p->before));
}

void carom_rattle_faces_damp_settle(struct carom_rattle_faces *f, const double *q, const double *v, double *lost)
{
    if (f->any)
        carom_rattle_faces_rates(f, q, v);
    each_damped(f, add_lost, lost);
}
