/* Absorbing sides under scheme rattle: v' = -rate v along the axes of each absorber, and likewise for its angular
 * momentum, half a step at the start of a step as it stands and half at its end implicitly. Between two drifts that
 * makes the trapezoid with the forces in the middle, of second order and stable for any step. Few cells absorb, so one
 * thread does it. */
#include "base/sum.h"
#include "scheme/solid/rattle.h"
#include "scheme/solid/rattle_cell.h"

static double factor(double rate, double h, bool last)
{
    return last ? 1.0 / (1.0 + 0.5 * h * rate) : 1.0 - 0.5 * h * rate;
}

/* the energy that this takes */
static double slow_down(const struct carom_solid *s, const struct carom_solid_absorber *a, double h, bool last,
                        double *v)
{
    const size_t d = (size_t)s->dimension;
    double change[3] = {0.0, 0.0, 0.0}, lost = 0.0;
    for (size_t k = 0; k < 3; k++) {
        double along = 0.0;
        for (size_t l = 0; l < d; l++)
            along += a->axis[k][l] * v[l];
        for (size_t l = 0; l < d; l++)
            change[l] += (factor(a->rate[k], h, last) - 1.0) * along * a->axis[k][l];
    }
    for (size_t l = 0; l < d; l++)
        if (!carom_solid_holds(s, a->cell, l)) {
            lost -= 0.5 * carom_solid_sort_of(s, a->cell)->mass * change[l] * (2.0 * v[l] + change[l]);
            v[l] += change[l];
        }
    return lost;
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
        double *own = v + s->fast * s->absorber[i].cell;
        carom_sum_add(&lost, slow_down(s, &s->absorber[i], h, last, own));
        carom_sum_add(&lost, turn_slower(s, &s->absorber[i], h, last, q, own + s->dimension));
    }
    return carom_sum_value(&lost);
}
