/* Absorbing sides under scheme rattle, face by face (kernel/damp.h), at the end of a step in the other order. Between
 * two drifts that makes the trapezoid with the forces in the middle, of second order and stable for any step. Few cells
 * absorb, so one thread does it; losses are added up batch by batch. */
#include "base/sum.h"
#include "kernel/damp.h"
#include "scheme/solid/rattle.h"
#include "scheme/solid/rattle_cell.h"

static unsigned held_of(const struct carom_solid *s, size_t cell)
{
    return s->held ? s->held[cell] : 0U;
}

static double push(const struct carom_solid *s, size_t cell, const double *impulse, double part, double *v)
{
    const struct carom_solid_sort *sort = carom_solid_sort_of(s, cell);
    return carom_damp_push(s->dimension, held_of(s, cell), sort->mass, sort->inverse_mass, impulse, part, v);
}

static double slow_down(const struct carom_solid *s, const struct carom_solid_absorber *a, double h, bool last,
                        double *v)
{
    double *own = v + s->fast * a->cell, *inner = v + s->fast * a->inner, impulse[3];
    carom_damp_face(s->dimension, a->mass, a->inward, a->normal, carom_damp_factor(a->across, h, last),
                    carom_damp_factor(a->along, h, last), own, inner, impulse);
    const double lost = push(s, a->cell, impulse, 1.0 - a->inward, own);
    return a->inward > 0.0 ? lost + push(s, a->inner, impulse, a->inward, inner) : lost;
}

static double turn_slower(const struct carom_solid *s, const struct carom_solid_absorber *a, double h, bool last,
                          const double *q, double *momentum)
{
    const size_t turns = s->dimension == 3 ? 3 : 1;
    if (!carom_damp_turns(s->dimension, held_of(s, a->cell)))
        return 0.0;
    const double before = 0.5 * carom_rattle_cell_turning(s, a->cell, q, momentum);
    for (size_t k = 0; k < turns; k++)
        momentum[k] *= carom_damp_factor(a->turn[turns == 3 ? k : 2], h, last);
    return before - 0.5 * carom_rattle_cell_turning(s, a->cell, q, momentum);
}

double carom_rattle_absorb(const struct carom_solid *s, double h, bool last, const double *q, double *v)
{
    struct carom_sum lost = {0.0, 0.0}, batch = {0.0, 0.0};
    for (size_t i = 0; i < s->nabsorbers; i++) {
        const struct carom_solid_absorber *a = &s->absorber[last ? s->nabsorbers - 1 - i : i];
        carom_sum_add(&batch, slow_down(s, a, h, last, v));
        carom_sum_add(&batch, turn_slower(s, a, h, last, q, v + s->fast * a->cell + s->dimension));
        if ((i + 1) % CAROM_RATTLE_BLOCK != 0 && i + 1 != s->nabsorbers)
            continue;
        carom_sum_add(&lost, carom_sum_value(&batch));
        batch = (struct carom_sum){0.0, 0.0};
    }
    return carom_sum_value(&lost);
}
