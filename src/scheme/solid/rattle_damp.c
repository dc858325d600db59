/* Damping under scheme rattle, at a frozen configuration: that by mass shrinks all free velocities, which is exact,
 * and drives supply what it takes from theirs; that by stiffness, v' = -b M^-1 K' v, goes by the midpoint rule. Sums
 * are taken block by block, so threads change no bit. */
#include <string.h>

#include "base/power.h"
#include "base/sum.h"
#include "kernel/still.h"
#include "model/solid/solid_rates.h"
#include "model/solid/solid_self.h"
#include "model/solid/solid_turns.h"
#include "scheme/solid/rattle.h"
#include "scheme/solid/rattle_cell.h"

struct damping {
    const struct carom_rattle_body *body;
    const double *q, *from; /* velocities to begin with */
    double *v;
    double factor; /* by which velocities shrink, or of the drag */
};

/* --- by mass --------------------------------------------------------------------------------------------------- */

double carom_rattle_damp_shrink(const struct carom_solid *s, size_t cell, double factor, const double *q, double *all,
                                double *given)
{
    const struct carom_solid_sort *sort = carom_solid_sort_of(s, cell);
    double axes[4] = {0.0, 0.0, 0.0, 0.0};
    if (s->dimension == 3)
        carom_solid_turns_axes(s, cell, q, axes);
    return carom_damp_shrink(s->dimension, s->held ? s->held[cell] : 0U, sort->mass, sort->inverse_inertia, axes,
                             factor, all + s->fast * cell, given);
}

static void shrink(void *own, size_t block)
{
    const struct damping *d = own;
    const struct carom_solid *s = d->body->solid;
    struct carom_sum sum = {0.0, 0.0}, driven = {0.0, 0.0};
    for (size_t i = block * CAROM_RATTLE_BLOCK; i < carom_rattle_block_end(s, block); i++) {
        double given;
        carom_sum_add(&sum, carom_rattle_damp_shrink(s, i, d->factor, d->q, d->v, &given));
        carom_sum_add(&driven, given);
    }
    d->body->loss[2 * block] = carom_sum_value(&sum);
    d->body->loss[2 * block + 1] = carom_sum_value(&driven);
}

double carom_rattle_damp_factor(const struct carom_solid *s, double h)
{
    return carom_power_exp(-s->damping_mass * h);
}

double carom_rattle_damp_lost(const struct carom_solid *s, double h, double free, double given, double *work)
{
    const double supplied = s->damping_mass * h * given;
    *work += supplied;
    return supplied - 0.5 * carom_power_expm1(-2.0 * s->damping_mass * h) * free;
}

static double damp_mass(struct damping *d, struct carom_threads *threads, double h, double *work)
{
    const struct carom_solid *s = d->body->solid;
    struct carom_sum sum = {0.0, 0.0}, driven = {0.0, 0.0};
    d->factor = carom_rattle_damp_factor(s, h);
    carom_threads_run(threads, shrink, d, carom_rattle_blocks(s));
    for (size_t b = 0; b < carom_rattle_blocks(s); b++) {
        carom_sum_add(&sum, d->body->loss[2 * b]);
        carom_sum_add(&driven, d->body->loss[2 * b + 1]);
    }
    return carom_rattle_damp_lost(s, h, carom_sum_value(&sum), carom_sum_value(&driven), work);
}

/* --- by stiffness ---------------------------------------------------------------------------------------------- */

void carom_rattle_damp_spin(const struct carom_rattle_body *body, size_t first, size_t last, const double *q,
                            const double *all)
{
    const struct carom_solid *s = body->solid;
    for (size_t i = first; i < last; i++) {
        const double *v = all + s->fast * i;
        double *w = body->spin + s->fast * i;
        if (s->dimension == 2) {
            memcpy(w, v, 2 * sizeof *w);
            w[2] = v[2] * carom_solid_sort_of(s, i)->inverse_inertia[2];
        } else {
            memcpy(w, v, 3 * sizeof *w);
            carom_rattle_cell_spin(s, i, q, v + 3, w + 3);
        }
    }
}

void carom_rattle_damp_push(const struct carom_rattle_body *body, size_t first, size_t last, double factor,
                            const double *q, const double *from, double *v)
{
    const struct carom_solid *s = body->solid;
    for (size_t i = first; i < last; i++) {
        const size_t at = s->fast * i;
        if (s->dimension == 3)
            carom_rattle_cell_push(s, 3, i, factor, body->drag + at, from + at, v + at);
        if (carom_solid_turns_held(s, i))
            carom_solid_turns_balance(s, i, q, v + at + 3);
        if (s->dimension == 2)
            carom_rattle_cell_push(s, 2, i, factor, body->drag + at, from + at, v + at);
        for (size_t k = 0; k < s->fast; k++) /* drags go from cell to cell as well, twice in each half of a step */
            v[at + k] = carom_still(v[at + k], body->still[k >= (size_t)s->dimension]);
    }
}

static void turn_over(void *own, size_t block)
{
    const struct damping *d = own;
    carom_rattle_damp_spin(d->body, block * CAROM_RATTLE_BLOCK, carom_rattle_block_end(d->body->solid, block), d->q,
                           d->v);
}

static void push(void *own, size_t block)
{
    const struct damping *d = own;
    carom_rattle_damp_push(d->body, block * CAROM_RATTLE_BLOCK, carom_rattle_block_end(d->body->solid, block),
                           d->factor, d->q, d->from, d->v);
}

double carom_rattle_damp_supplied(const struct carom_rattle_body *body, const double *v)
{
    const struct carom_solid *s = body->solid;
    double power = 0.0;
    for (size_t i = 0; s->held && i < s->n; i++)
        for (size_t k = 0; s->held[i] && k < (size_t)s->dimension; k++)
            if (carom_solid_holds(s, i, k))
                power -= body->drag[s->fast * i + k] * v[s->fast * i + k];
    return power;
}

/* the loss is that of the middle, from the links' own powers */
static double damp_stiffness(struct damping *d, struct carom_threads *threads, double h, double *work)
{
    const struct carom_rattle_body *body = d->body;
    const struct carom_solid *s = body->solid;
    double *keep = body->spin + s->fast * s->n, power = 0.0;
    memcpy(keep, d->v, s->fast * s->n * sizeof *keep);
    d->from = keep;
    for (int stage = 0; stage < 2; stage++) {
        carom_threads_run(threads, turn_over, d, carom_rattle_blocks(s));
        power = carom_solid_rates_drag(body->rates, &body->frozen, threads, body->spin, body->drag);
        if (stage == 1)
            *work += h * s->damping_stiffness * carom_rattle_damp_supplied(body, d->v);
        d->factor = (stage == 0 ? 0.5 : 1.0) * h * s->damping_stiffness;
        carom_threads_run(threads, push, d, carom_rattle_blocks(s));
    }
    return h * s->damping_stiffness * power;
}

/* --- by friction of cells that meet ------------------------------------------------------------------------------- */

/* The loss is the impulse times the mean of the velocities before and after, which is what it takes of them exactly. */
static double damp_rubbing(struct damping *d, struct carom_threads *threads, double h, double *work)
{
    const struct carom_rattle_body *body = d->body;
    const struct carom_solid *s = body->solid;
    const size_t count = s->fast * s->n;
    double *before = body->spin + count;
    struct carom_sum lost = {0.0, 0.0};
    carom_threads_run(threads, turn_over, d, carom_rattle_blocks(s));
    memcpy(before, body->spin, count * sizeof *before);
    carom_solid_self_friction(s, body->work.around, threads, h, d->q, before, body->drag);
    *work += h * carom_rattle_damp_supplied(body, d->v);
    d->from = d->v;
    d->factor = h;
    carom_threads_run(threads, push, d, carom_rattle_blocks(s));
    carom_threads_run(threads, turn_over, d, carom_rattle_blocks(s));
    for (size_t i = 0; i < count; i++)
        if (body->drag[i] != 0.0)
            carom_sum_add(&lost, -0.5 * h * body->drag[i] * (before[i] + body->spin[i]));
    return carom_sum_value(&lost);
}

double carom_rattle_damp_rub(const struct carom_rattle_body *body, struct carom_threads *threads, double h,
                             const double *q, double *v, double *work)
{
    struct damping d = {.body = body, .q = q, .v = v};
    return damp_rubbing(&d, threads, h, work);
}

bool carom_rattle_damp_is(const struct carom_solid *s)
{
    return s->damping_mass > 0.0 || s->damping_stiffness > 0.0 || carom_solid_self_is_rough(s);
}

void carom_rattle_damp(const struct carom_rattle_body *body, struct carom_threads *threads, double h, bool last,
                       const double *q, double *v, struct carom_state *to, size_t member)
{
    const double half = 0.5 * h;
    struct damping d = {.body = body, .q = q, .v = v};
    const struct carom_solid *s = body->solid;
    double *losses = carom_solid_losses(s, to->q + body->member->q0);
    if (!last && s->nabsorbers > 0)
        losses[CAROM_SOLID_ABSORBED] += carom_rattle_absorb(s, h, false, q, v);
    for (int turn = 0; turn < 3; turn++) {
        const int kind = last ? 2 - turn : turn;
        if (kind == 0 && s->damping_mass > 0.0)
            to->spent[member] += damp_mass(&d, threads, half, &to->work[member]);
        if (kind == 1 && s->damping_stiffness > 0.0)
            to->spent[member] += damp_stiffness(&d, threads, half, &to->work[member]);
        if (kind == 2 && carom_solid_self_is_rough(s))
            *carom_solid_self_friction_loss(s, to->q + body->member->q0) +=
                damp_rubbing(&d, threads, half, &to->work[member]);
    }
    if (last && s->nabsorbers > 0)
        losses[CAROM_SOLID_ABSORBED] += carom_rattle_absorb(s, h, true, q, v);
}
