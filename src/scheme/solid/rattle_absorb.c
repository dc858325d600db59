/* Absorbing sides under scheme rattle: v' = -rate v in the point where a face acts, and likewise for the cell's angular
 * momentum, half a step at the start of a step as it stands and half at its end implicitly, faces in the other order.
 * Between two drifts that makes the trapezoid with the forces in the middle, of second order and stable for any step.
 * Few cells absorb, so one thread does it. */
#include "base/sum.h"
#include "scheme/solid/rattle.h"
#include "scheme/solid/rattle_cell.h"

static double factor(double rate, double h, bool last)
{
    return last ? 1.0 / (1.0 + 0.5 * h * rate) : 1.0 - 0.5 * h * rate;
}

/* the energy that an impulse takes from a cell */
static double push(const struct carom_solid *s, size_t cell, const double *impulse, double part, double *v)
{
    const struct carom_solid_sort *sort = carom_solid_sort_of(s, cell);
    double lost = 0.0;
    for (size_t l = 0; l < (size_t)s->dimension; l++)
        if (!carom_solid_holds(s, cell, l)) {
            const double change = part * impulse[l] * sort->inverse_mass;
            lost -= 0.5 * sort->mass * change * (2.0 * v[l] + change);
            v[l] += change;
        }
    return lost;
}

static double slow_down(const struct carom_solid *s, const struct carom_solid_absorber *a, double h, bool last,
                        double *v)
{
    const size_t d = (size_t)s->dimension;
    double *own = v + s->fast * a->cell, *inner = v + s->fast * a->inner, impulse[3], normal = 0.0;
    const double across = a->mass * (factor(a->across, h, last) - 1.0);
    const double along = a->mass * (factor(a->along, h, last) - 1.0);
    for (size_t l = 0; l < d; l++) {
        impulse[l] = (1.0 - a->inward) * own[l] + a->inward * inner[l];
        normal += a->normal[l] * impulse[l];
    }
    for (size_t l = 0; l < d; l++)
        impulse[l] = across * impulse[l] + (along - across) * normal * a->normal[l];
    const double lost = push(s, a->cell, impulse, 1.0 - a->inward, own);
    return a->inward > 0.0 ? lost + push(s, a->inner, impulse, a->inward, inner) : lost;
}

static double turning_energy(const struct carom_solid *s, size_t cell, const double *q, const double *momentum)
{
    double spin[3];
    if (s->dimension == 2)
        return 0.5 * momentum[0] * momentum[0] * carom_solid_sort_of(s, cell)->inverse_inertia[2];
    carom_rattle_cell_spin(s, cell, q, momentum, spin);
    return 0.5 * carom_vec_dot(spin, momentum);
}

static double turn_slower(const struct carom_solid *s, const struct carom_solid_absorber *a, double h, bool last,
                          const double *q, double *momentum)
{
    const size_t turns = s->dimension == 3 ? 3 : 1;
    if ((s->dimension == 3 && carom_solid_turns_held(s, a->cell)) || carom_solid_holds(s, a->cell, s->fast - 1))
        return 0.0;
    const double before = turning_energy(s, a->cell, q, momentum);
    for (size_t k = 0; k < turns; k++)
        momentum[k] *= factor(a->turn[turns == 3 ? k : 2], h, last);
    return before - turning_energy(s, a->cell, q, momentum);
}

double carom_rattle_absorb(const struct carom_solid *s, double h, bool last, const double *q, double *v)
{
    struct carom_sum lost = {0.0, 0.0};
    for (size_t i = 0; i < s->nabsorbers; i++) {
        const struct carom_solid_absorber *a = &s->absorber[last ? s->nabsorbers - 1 - i : i];
        carom_sum_add(&lost, slow_down(s, a, h, last, v));
        carom_sum_add(&lost, turn_slower(s, a, h, last, q, v + s->fast * a->cell + s->dimension));
    }
    return carom_sum_value(&lost);
}
