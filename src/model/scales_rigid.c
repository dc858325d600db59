/* Scales where bodies do not yield. V: the largest speed given, or reached in falling through the largest gap with the
 * largest acceleration at the start, sqrt(v^2 + 2 a gap), or that local springs and drives give. U, the length of a
 * flight: the largest gap at the start, beyond rounding, that can be crossed in the time of the run; without one V^2 /
 * (2 a), V / omega of the slowest local spring, the largest coordinate of a mechanism or how far its bodies reach, or
 * V x the time of the run, the first that is not 0; of bodies that turn in space how far they reach to both sides.
 * Rows with nothing below them fall until the end of the run. With friction, speeds of slips count too, and what
 * starts from rest reaches a x the time of the run. */
#include "model/scales_rigid.h"

#include <float.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "model/beads/loads.h"
#include "model/beads/loads_scale.h"
#include "model/bodies/linkage_places.h"
#include "model/motion.h"

static double larger(double a, double b)
{
    return b > a ? b : a; /* a NaN b is left out: the scheme will say what is wrong */
}

/* what springs, loads and drives of a row of beads add: speeds, accelerations, the time of the slowest spring */
static void look_at_beads(const struct carom_beads *b, const double *q, double *speed, double *acceleration,
                          double *slowest)
{
    for (size_t i = 0; i < b->n; i++) {
        const double stiffness = carom_loads_stiffness(b, i, 0.0), w = sqrt(stiffness / b->mass[i]);
        *speed = larger(*speed, w * fabs(q[i]));
        *slowest = w > 0.0 ? larger(*slowest, 1.0 / w) : *slowest;
    }
    for (size_t k = 0; k < b->nloads; k++) {
        double value, rate;
        carom_signal_largest(&b->load[k].force, &value, &rate);
        *acceleration = larger(*acceleration, value / b->mass[b->load[k].bead]);
    }
    for (size_t k = 0; k < b->ndrives; k++) {
        double value, rate;
        carom_signal_largest(&b->drive[k].place, &value, &rate);
        *speed = larger(*speed, rate);
    }
}

/* What rounding makes of the gaps of bodies, of where they stand and how far they reach: up to this they touch. */
static double no_gap(const struct carom_bodies *b)
{
    double size = 0.0;
    for (size_t i = 0; b && i < b->n; i++)
        size = larger(size, carom_vec_norm(b->body[i].at) + carom_bodies_reach(&b->body[i]));
    return 64.0 * DBL_EPSILON * size;
}

/* largest speed of coordinates and gaps, and largest gap not beyond what a run can cross; `room` has 2 nc doubles */
static void look_at_gaps(const struct carom_model *model, const double *q, const double *v, double reach, double *room,
                         double *speed, double *gap)
{
    const bool corners = carom_linkage_places_corners(model);
    const double none = no_gap(carom_linkage_of(model));
    carom_contacts_deform(model, 0.0, q, v, room, room + model->nc);
    for (size_t j = 0; j < model->nc; j++) {
        struct carom_linkage_before before;
        if (corners && carom_linkage_places_before(model, j, q, NULL, &before) &&
            !(before.beyond <= 0.0 && before.through <= 0.0))
            continue; /* a corner that is not before the side */
        *gap = -room[j] > none && -room[j] <= reach ? larger(*gap, -room[j]) : *gap;
        *speed = larger(*speed, fabs(room[model->nc + j]));
    }
    if (model->frictional) { /* belts */
        carom_contacts_slip(model, 0.0, q, v, room);
        for (size_t j = 0; j < model->nc; j++)
            *speed = larger(*speed, fabs(room[j]));
    }
}

enum carom_status carom_scales_rigid_find(const struct carom_model *model, const double *q, const double *v,
                                          double until, struct carom_scales *scales, struct carom_error *error)
{
    double *room = carom_memory_zeroed(model->force_scratch + 2 * (model->nv + model->nc), sizeof *room);
    double speed = 0.0, a = 0.0, gap = 0.0, slowest = 0.0, place = 0.0;
    *scales = (struct carom_scales){0.0, 0.0, 0.0};
    if (!room)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory working out the scales");
    carom_motion_accelerate(model, 0.0, q, v, NULL, room + 2 * model->nv, room, room + model->nv, NULL);
    for (size_t i = 0; i < model->nv; i++) {
        const double lever = carom_motion_lever(model, true, i);
        speed = larger(speed, lever * fabs(v[i]));
        a = larger(a, lever * fabs(room[model->nv + i]));
    }
    for (size_t i = 0; i < model->nparts; i++) {
        const struct carom_member *m = &model->member[i];
        if (m->part == &carom_part_beads)
            look_at_beads(m->own, q + m->q0, &speed, &a, &slowest);
        for (size_t k = 0; m->part != &carom_part_beads && k < m->nq; k++)
            place = larger(place, carom_motion_lever(model, false, m->q0 + k) * fabs(q[m->q0 + k]));
    }
    const struct carom_bodies *linked = carom_linkage_of(model); /* a pendulum that hangs aside falls by its length */
    for (size_t i = 0; linked && i < linked->n; i++)
        place = larger(place, linked->body[i].fixed ? 0.0 : carom_bodies_reach(&linked->body[i]));
    const double reach = until < HUGE_VAL ? 2.0 * until * (speed + 0.5 * a * until) : HUGE_VAL;
    look_at_gaps(model, q, v, reach, room, &speed, &gap);
    carom_memory_free(room);
    if (carom_model_chain(model))
        speed = larger(speed, carom_loads_scale_falls(model, q, until));
    if (model->frictional && speed == 0.0 && gap == 0.0 && place == 0.0 && until < HUGE_VAL)
        speed = a * until; /* at rest on a slope, and perhaps for good */
    double length = gap > 0.0 || (model->offers & CAROM_FLAT) ? gap : place;
    length = length > 0.0 ? length : a > 0.0 ? speed * speed / (2.0 * a) : 0.0;
    length = length > 0.0 ? length : speed * slowest;
    length = length > 0.0 ? length : place;
    length = length > 0.0 || !(until < HUGE_VAL) ? length : speed * until;
    scales->speed = sqrt(speed * speed + 2.0 * a * (gap > 0.0 ? gap : speed > 0.0 ? 0.0 : place));
    scales->length = length;
    return CAROM_OK;
}
