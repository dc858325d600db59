/* Holds that leave a cell one or two axes to turn about, see kernel/hinge.h; where those are not principal axes of the
 * cell, its angular momentum about held ones is not 0. */
#include "model/solid/solid_turns.h"

#include <string.h>

#include "kernel/hinge.h"

struct turning {
    const struct carom_solid *s;
    const double *q, *x;
    double *out;
};

static void to_space(void *own, size_t first, size_t last)
{
    const struct turning *c = own;
    const size_t fast = c->s->fast;
    memcpy(c->out + fast * first, c->x + fast * first, fast * (last - first) * sizeof *c->x);
    for (size_t i = first; c->s->dimension == 3 && i < last; i++) {
        double turn[4];
        carom_solid_turns_axes(c->s, i, c->q, turn);
        carom_quat_turn(turn, c->x + 6 * i + 3, c->out + 6 * i + 3);
    }
}

void carom_solid_turns_to_space(const struct carom_solid *s, struct carom_threads *threads, const double *q,
                                const double *x, double *out)
{
    carom_threads_share(threads, to_space, &(struct turning){s, q, x, out}, s->n);
}

static void to_axes(void *own, size_t first, size_t last)
{
    const struct turning *c = own;
    for (size_t i = first; i < last; i++) {
        double turn[4];
        carom_solid_turns_axes(c->s, i, c->q, turn);
        carom_quat_turn_back(turn, c->out + 6 * i + 3, c->out + 6 * i + 3);
    }
}

void carom_solid_turns_to_axes(const struct carom_solid *s, struct carom_threads *threads, const double *q, double *x)
{
    carom_threads_share(threads, to_axes, &(struct turning){s, q, NULL, x}, s->dimension == 3 ? s->n : 0);
}

void carom_solid_turns_balance(const struct carom_solid *s, size_t cell, const double *q, double momentum[3])
{
    double axes[4];
    carom_solid_turns_axes(s, cell, q, axes);
    carom_hinge_balance(carom_solid_turns_held(s, cell), carom_solid_sort_of(s, cell)->inverse_inertia, axes, momentum);
}

void carom_solid_turns_still(const struct carom_solid *s, const double *q, double *v)
{
    for (size_t i = 0; s->held && i < s->n; i++) {
        const unsigned held = carom_solid_turns_held(s, i);
        double turn[4], spin[3];
        if (held == 0U)
            continue;
        carom_solid_turns_axes(s, i, q, turn);
        carom_quat_turn(turn, v + 6 * i + 3, spin);
        for (int k = 0; k < 3; k++)
            if (held >> k & 1U)
                spin[k] = 0.0;
        carom_quat_turn_back(turn, spin, v + 6 * i + 3);
    }
}
