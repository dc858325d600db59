/* Coulomb's friction of cells of one body that meet. It has no memory, since points in which cells touch have no
 * partners that last. */
#include <string.h>

#include "base/vec.h"
#include "carom/friction.h"
#include "model/solid/solid_self.h"
#include "model/solid/strike/solid_strike.h"

struct rubbing {
    const struct carom_solid *s;
    double *f;
    double h;        /* how long it acts */
    const double *w; /* velocities, spins in space axes */
};

void carom_solid_self_friction_by(struct carom_solid *s, double mu, double slip_speed)
{
    struct carom_solid_self *self = s->self;
    self->mu = mu;
    self->slip_speed = slip_speed;
    for (size_t i = 0; i < s->n; i++) {
        double area = 0.0;
        for (uint32_t f = self->begin[i]; f < self->begin[i + 1]; f++)
            for (uint32_t p = 0; p < self->face[f].count; p++)
                area += self->point[self->face[f].first + p].area;
        /* four times, as in other contacts of cells: one that is pushed beside its middle turns, too. A third of its
         * surface, two faces of a cube: where all of it rubs, a slip may turn round but does not grow. */
        self->ease[i] = 4.0 * area / 3.0 * carom_solid_sort_of(s, i)->inverse_mass;
    }
}

static void velocity_at(const struct rubbing *a, const double at[3], const struct carom_self_cell *cell, double out[3])
{
    const size_t d = (size_t)a->s->dimension;
    const double *w = a->w + a->s->fast * cell->number, flat[3] = {0.0, 0.0, w[2]};
    double arm[3];
    for (int k = 0; k < 3; k++)
        arm[k] = at[k] - cell->at[k];
    carom_vec_cross(d == 3 ? w + 3 : flat, arm, out);
    for (size_t k = 0; k < d; k++)
        out[k] += w[k];
}

static void rub(void *own, const struct carom_self_touch *touch, const struct carom_self_cell *on,
                const struct carom_self_cell *by, double sign)
{
    const struct rubbing *a = own;
    const struct carom_solid_self *self = a->s->self;
    const struct carom_strike_friction law = {&carom_friction_coulomb, {self->mu, 0.0, self->slip_speed}};
    double mine[3], its[3], slip[3], force[3];
    (void)sign;
    velocity_at(a, touch->at, on, mine);
    velocity_at(a, touch->at, by, its);
    for (int k = 0; k < 3; k++)
        slip[k] = mine[k] - its[k];
    carom_solid_strike_friction_point(&law, touch->depth, touch->stiff * touch->depth, touch->normal, slip, a->h,
                                      (self->ease[on->number] + self->ease[by->number]) / touch->area, force);
    carom_solid_self_act(a->s, touch, on, force, a->f);
}

void carom_solid_self_friction(const struct carom_solid *s, double *room, struct carom_threads *threads, double h,
                               const double *q, const double *w, double *f)
{
    struct rubbing rubbing = {.s = s, .f = f, .h = h, .w = w};
    memset(f, 0, s->fast * s->n * sizeof *f);
    carom_solid_self_each(s, room, threads, q, rub, &rubbing);
}
