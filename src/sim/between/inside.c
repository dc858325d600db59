/* Tops inside of steps, see inside.h. */
#include "sim/between/inside.h"

#include <math.h>

#include "solve/locate.h"

enum { MOST = 1000 }; /* coordinates: those that sleep are interpolated, too */

bool carom_inside_helps(const struct carom_sim *sim)
{
    const struct carom_param *params = sim->stepper->scheme->kind.params;
    return sim->model->nv <= MOST && sim->stepper->scheme->dense_order > 4 && carom_param_find(params, "tol") &&
           !carom_param_find(params, "step");
}

double carom_inside_time(const struct carom_sim *sim)
{
    const struct carom_state *before = sim->stepper->before;
    return before->time + 0.5 * (sim->state->time - before->time);
}

void carom_inside_ends(const struct carom_peak_force *p, size_t j, double *overlap)
{
    for (size_t i = 1; i < 3; i++) {
        const struct carom_look *look = &p->look[i];
        *overlap = fmax(*overlap, look->deform[j]);
        if (look->force[j] > p->largest[j])
            p->largest[j] = look->force[j], p->when[j] = look->times[j];
    }
}

/* By the parabola through the three looks, with half as much room again on either side. */
static bool rises(const struct carom_peak_force *p, size_t j)
{
    const struct carom_look *a = &p->look[0], *b = &p->look[1], *c = &p->look[2];
    const double h0 = b->times[j] - a->times[j], h1 = c->times[j] - b->times[j];
    const double r0 = (b->force[j] - a->force[j]) / h0, r1 = (c->force[j] - b->force[j]) / h1;
    const double bend = (r1 - r0) / (h0 + h1), room = 0.5 * fabs(bend) * h1, rise = r1 - bend * h1;
    return rise > -room && r1 + bend * h1 < room && fmax(b->force[j], c->force[j]) + 2.0 * room * h1 > p->largest[j];
}

bool carom_inside_promises(const struct carom_peak_force *p, size_t j, double overlap, bool anew)
{
    const struct carom_look *a = &p->look[0], *b = &p->look[1], *c = &p->look[2];
    const double h = c->times[j] - b->times[j];
    const bool begins =
        anew || p->seen < 3 || !(a->deform[j] > 0.0) || !(b->deform[j] > 0.0) || !(b->times[j] > a->times[j]);
    const bool turns = b->rate[j] > 0.0 && c->rate[j] < 0.0 && b->deform[j] + h * b->rate[j] > overlap;
    return h > 0.0 && (begins || turns || rises(p, j));
}

/* Where contact j, open at the start of the step, closes; 0: it was closed. Its force may begin with a jump. */
static double closing(const struct carom_peak_force *p, size_t j)
{
    const struct carom_look *b = &p->look[1], *c = &p->look[2];
    const double h = c->times[j] - b->times[j];
    const struct carom_cubic deform = {{b->deform[j], c->deform[j]}, {h * b->rate[j], h * c->rate[j]}};
    return b->deform[j] > 0.0 ? 0.0 : 1e-12 + (1.0 - 1e-12) * carom_locate_on_cubic(&deform, 1.0);
}

void carom_inside_climb(const struct carom_peak_force *p, size_t j, const struct carom_course_past *middle,
                        double *overlap)
{
    const struct carom_course course = carom_course_inside(p, j, middle);
    const double top = carom_course_top(&course, 0.0);
    double at[3];
    if (top <= 1.0) {
        carom_course_at(&course, top, at);
        *overlap = fmax(*overlap, at[0]);
    }
    carom_course_climb(&course, p, closing(p, j));
}
