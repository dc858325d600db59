/* What it takes to move cells as drives want it. */
#include "scheme/solid/rattle.h"
#include "scheme/solid/rattle_cell.h"

/* half the work of torques on cells that turn */
static double turn_work(const struct carom_rattle_body *body, const struct carom_solid_hold *hold, double t0, double t1)
{
    const struct carom_solid *s = body->solid;
    const double turn =
        hold->angle != 0.0
            ? hold->angle * (carom_signal_value(&hold->signal, t1) - carom_signal_value(&hold->signal, t0))
            : 0.0;
    double work = 0.0;
    for (size_t i = 0; turn != 0.0 && i < hold->count; i++) {
        const double *torque = body->force + s->fast * hold->cell[i] + s->dimension;
        work -= 0.5 * turn * (s->dimension == 2 ? torque[0] : carom_vec_dot(torque, hold->axis));
    }
    return work;
}

double carom_rattle_drive_work(const struct carom_rattle_body *body, const struct carom_state *from,
                               const struct carom_state *to, double t1)
{
    const struct carom_solid *s = body->solid;
    const double *q0 = from->q + body->member->q0, *q1 = to->q + body->member->q0;
    double work = 0.0;
    for (size_t h = 0; h < s->nholds; h++)
        for (size_t i = 0; s->hold[h].driven && i < s->hold[h].count; i++)
            for (unsigned k = 0; k < (unsigned)s->dimension; k++) {
                const size_t cell = s->hold[h].cell[i], at = s->wide * cell + k;
                if (s->hold[h].mask >> k & 1U)
                    work -= 0.5 * body->force[s->fast * cell + k] * (q1[at] - q0[at]);
            }
    for (size_t h = 0; h < s->nholds; h++)
        work += turn_work(body, &s->hold[h], from->time, t1);
    return work;
}

/* the kinetic energy of a cell's turning */
static double turn_energy(const struct carom_solid *s, size_t cell, const double *q, const double *v)
{
    return 0.5 * carom_rattle_cell_turning(s, cell, q, v + s->fast * cell + s->dimension);
}

double carom_rattle_drive_gain(const struct carom_rattle_body *body, const struct carom_state *from,
                               const struct carom_state *to)
{
    const struct carom_solid *s = body->solid;
    const double *v0 = from->v + body->member->v0, *v1 = to->v + body->member->v0;
    const double *q0 = from->q + body->member->q0, *q1 = to->q + body->member->q0;
    double work = 0.0;
    for (size_t h = 0; h < s->nholds; h++)
        for (size_t i = 0; s->hold[h].driven && i < s->hold[h].count; i++)
            for (unsigned k = 0; k < (unsigned)s->dimension; k++) {
                const size_t cell = s->hold[h].cell[i], at = s->fast * cell + k;
                if (s->hold[h].mask >> k & 1U)
                    work += 0.5 * carom_solid_sort_of(s, cell)->mass * (v1[at] * v1[at] - v0[at] * v0[at]);
            }
    for (size_t h = 0; h < s->nholds; h++)
        for (size_t i = 0; s->hold[h].angle != 0.0 && i < s->hold[h].count; i++)
            work += turn_energy(s, s->hold[h].cell[i], q1, v1) - turn_energy(s, s->hold[h].cell[i], q0, v0);
    return work;
}
