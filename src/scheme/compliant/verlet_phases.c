/* The phases of a step of verlet over rows of beads: beads move, contacts are pressed, beads are kicked, in blocks.
 * Plain rows of viscoelastic spheres go through the passes of verlet_spheres.h, all but their ends. */
#include "scheme/compliant/verlet_phases.h"

#include <string.h>

#include "base/threads.h"
#include "model/contact_force.h"
#include "model/latch.h"

/* driven beads of a block have their place, and then their speed, at the end of the step */
static void lead(const struct carom_verlet_advance *a, size_t first, size_t last, bool speed)
{
    const struct carom_beads *b = a->work->chain.beads;
    for (size_t k = 0; k < b->ndrives; k++) {
        const size_t i = (size_t)b->drive[k].which;
        if (b->drive[k].which < 0 || i < first || i >= last)
            continue;
        const struct carom_motion motion = carom_loads_motion(&b->drive[k], a->late.time);
        *(speed ? &a->to->v[i] : &a->to->q[i]) = speed ? motion.rate : motion.place;
    }
}

/* the force of damped contacts [first, last) as it acts at the beginning of the step */
static void read_damped(const struct carom_verlet_advance *a, size_t first, size_t last, double *force)
{
    const struct carom_verlet *w = a->work;
    if (!w->plain) {
        carom_contact_force_read(a->stepper->model, a->from, first, last, NULL, NULL, force);
        return;
    }
    const struct carom_verlet_squeezed held = carom_verlet_squeezed_from(&w->held, first);
    carom_chain_rate(&w->chain, first, last, a->from->v, force);
    for (size_t k = 0; k < last - first; k++) {
        const double acting = held.elastic[k] + held.drag[k] * force[k];
        force[k] = held.deform[k] > 0.0 ? acting : 0.0;
    }
}

/* beads [first, last) of a block: v0 + h/2 a0, and x1 = x0 + h times that */
static void move_some(const struct carom_verlet_advance *a, size_t first, size_t last)
{
    const struct carom_chain *chain = &a->work->chain;
    const struct carom_beads *beads = chain->beads;
    double force[CAROM_VERLET_BLOCK + 1], push[CAROM_VERLET_BLOCK];
    if (a->stepper->model->damped) {
        size_t from, to;
        carom_chain_beside(chain, first, last, &from, &to);
        read_damped(a, from, to, force);
        carom_chain_push(chain, first, last, force, from, push);
    } else {
        carom_chain_push(chain, first, last, a->work->elastic, 0, push);
    }
    const double *x = a->from->q, *v = a->from->v;
    const double half = 0.5 * a->h;
    for (size_t i = first; beads->spring && !beads->loaded && i < last; i++)
        push[i - first] -= beads->spring[i] * x[i];
    for (size_t i = first; beads->loaded && i < last; i++)
        push[i - first] +=
            carom_loads_local(beads, i, x[i]) + a->work->load[0][i] - carom_loads_damper(beads, i) * v[i];
    for (size_t i = first; i < last; i++) {
        a->to->v[i] = v[i] + push[i - first] * (half * beads->inverse_mass[i]);
        a->to->q[i] = x[i] + a->h * a->to->v[i];
    }
    if (beads->driven)
        lead(a, first, last, false);
}

/* of [first, last) what two beads or contacts are the ends of at most: from where to where passes may go */
struct inner {
    size_t from, to;
};

static struct inner inner_of(size_t first, size_t last, bool left, bool right, size_t n)
{
    const size_t from = left && first == 0 ? 1 : first, to = right && last == n ? n - 1 : last;
    return (struct inner){from < last ? from : last, to};
}

static void move_beads(void *own, size_t block)
{
    const struct carom_verlet_advance *a = own;
    const size_t n = a->work->chain.n, last = carom_verlet_row_end(block, n);
    size_t first = block * CAROM_VERLET_BLOCK;
    if (a->work->passes) {
        const struct inner inner = inner_of(first, last, true, true, n);
        move_some(a, first, inner.from);
        first = a->work->passes->move(&a->row, inner.from, inner.to);
    }
    move_some(a, first, last);
}

/* contacts of a block at one end of the step */
struct squeezed_block {
    double deform[CAROM_VERLET_BLOCK], elastic[CAROM_VERLET_BLOCK], viscous[CAROM_VERLET_BLOCK],
        drag[CAROM_VERLET_BLOCK];
};

static struct carom_verlet_squeezed of_block(struct squeezed_block *b)
{
    return (struct carom_verlet_squeezed){b->deform, b->elastic, b->viscous, b->drag};
}

/* what is kept of contacts [first, last) becomes what they are at x1 */
static bool impulse_some(const struct carom_verlet_advance *a, size_t first, size_t last)
{
    struct carom_verlet *w = a->work;
    struct squeezed_block block;
    const struct carom_verlet_squeezed before = carom_verlet_squeezed_from(&w->held, first), after = of_block(&block);
    const size_t size = (last - first) * sizeof *after.deform;
    carom_verlet_squeezed_at(a->stepper->model, &a->late, first, last, a->to->q, &after);
    const bool switched = carom_verlet_squeezed_switch(last - first, before.deform, after.deform);
    carom_verlet_squeezed_give(last - first, a->h, &before, &after, a->from->lost + first, a->to->lost + first,
                               w->both + first);
    memcpy(before.deform, after.deform, size);
    memcpy(before.elastic, after.elastic, size);
    memcpy(before.viscous, after.viscous, size);
    memcpy(before.drag, after.drag, size);
    return switched;
}

static bool impulse_plain(const struct carom_verlet_advance *a, size_t first, size_t last)
{
    const struct carom_verlet *w = a->work;
    const struct carom_chain *c = &w->chain;
    bool switched = false;
    if (w->passes) {
        const struct inner inner = inner_of(first, last, c->left_wall, c->right_wall, c->nc);
        switched = impulse_some(a, first, inner.from);
        first = w->passes->squeeze(&a->row, inner.from, inner.to, &switched);
    }
    return impulse_some(a, first, last) || switched;
}

static void impulse_damped(const struct carom_verlet_advance *a, size_t first, size_t last, bool *switched)
{
    struct carom_verlet *w = a->work;
    const struct carom_model *model = a->stepper->model;
    struct squeezed_block before, after;
    const struct carom_verlet_squeezed x0 = of_block(&before), x1 = of_block(&after);
    carom_verlet_squeezed_at(model, &a->early, first, last, a->from->q, &x0);
    carom_verlet_squeezed_at(model, &a->late, first, last, a->to->q, &x1);
    size_t g = 0;
    carom_latch_carry(model, a->from, a->to, first, last);
    for (size_t j = first; j < last; j++) {
        const size_t k = j - first;
        while (j >= model->group[g].first + model->group[g].count)
            g++;
        if (carom_latch_holds(model, a->from->history, j)) {
            w->both[j] = 0.0;
            a->to->lost[j] = a->from->lost[j];
            a->to->clipped[j] = a->from->clipped[j];
        } else if (model->clipped && model->group[g].ending != CAROM_END_GAP) {
            const double old[4] = {before.elastic[k], before.viscous[k], before.drag[k], before.deform[k]};
            const double new[4] = {after.elastic[k], after.viscous[k], after.drag[k], after.deform[k]};
            a->to->clipped[j] = a->from->clipped[j];
            w->both[j] = carom_verlet_clip(a->from, a->to, &a->early, a->h, j, old, new) / (0.5 * a->h);
        } else {
            const double damper = after.viscous[k] - before.viscous[k];
            w->both[j] = before.elastic[k] + after.elastic[k] + damper / (0.5 * a->h);
            a->to->lost[j] = a->from->lost[j] + (after.deform[k] - before.deform[k]) / a->h * damper;
            if (model->clipped)
                a->to->clipped[j] = a->from->clipped[j];
        }
        *switched |= (before.deform[k] > 0.0) != (after.deform[k] > 0.0);
    }
}

/* contacts of a block: evaluated at x1, their impulse over the step, their losses */
static void squeeze_contacts(void *own, size_t block)
{
    const struct carom_verlet_advance *a = own;
    struct carom_verlet *w = a->work;
    const size_t first = block * CAROM_VERLET_BLOCK, last = carom_verlet_row_end(block, w->chain.nc);
    bool switched = false;
    if (a->stepper->model->damped && w->plain) {
        switched = impulse_plain(a, first, last);
    } else if (a->stepper->model->damped) {
        impulse_damped(a, first, last, &switched);
    } else {
        double deform[CAROM_VERLET_BLOCK], elastic[CAROM_VERLET_BLOCK];
        const struct carom_verlet_squeezed after = {.deform = deform, .elastic = elastic};
        carom_verlet_squeezed_at(a->stepper->model, &a->late, first, last, a->to->q, &after);
        switched = carom_verlet_squeezed_switch(last - first, w->elastic + first, elastic);
        memcpy(w->elastic + first, elastic, (last - first) * sizeof *elastic);
    }
    w->switched[block] = switched;
}

/* What local forces and loads add to the velocities, as a mean force times two; where nothing else is damped, half of
 * it has been given by move_beads. */
static void push_loads(const struct carom_verlet_advance *a, size_t first, size_t last, double *push)
{
    const struct carom_beads *b = a->work->chain.beads;
    const bool whole = a->stepper->model->damped;
    const double *x0 = a->from->q, *x1 = a->to->q, *v = a->from->v;
    for (size_t i = first; i < last; i++) {
        const double c = carom_loads_damper(b, i);
        push[i - first] += carom_loads_local(b, i, x1[i]) + a->work->load[1][i] - 2.0 * c * (x1[i] - x0[i]) / a->h;
        if (whole)
            push[i - first] += carom_loads_local(b, i, x0[i]) + a->work->load[0][i];
        else
            push[i - first] += c * v[i];
    }
}

/* beads [first, last) of a block: v1 = v0 + impulses / m; where nothing is damped, what move_beads left + h/2 a1. Are
 * all finite? */
static bool kick_some(const struct carom_verlet_advance *a, size_t first, size_t last)
{
    const struct carom_chain *chain = &a->work->chain;
    const struct carom_beads *beads = chain->beads;
    const bool damped = a->stepper->model->damped;
    const double half = 0.5 * a->h, *v = damped ? a->from->v : a->to->v;
    double push[CAROM_VERLET_BLOCK];
    carom_chain_push(chain, first, last, damped ? a->work->both : a->work->elastic, 0, push);
    if (beads->loaded)
        push_loads(a, first, last, push);
    for (size_t i = first; beads->spring && !beads->loaded && i < last; i++)
        push[i - first] -= beads->spring[i] * (damped ? a->from->q[i] + a->to->q[i] : a->to->q[i]);
    for (size_t i = first; i < last; i++)
        a->to->v[i] = v[i] + push[i - first] * (half * beads->inverse_mass[i]);
    const bool finite = carom_verlet_squeezed_finite(last - first, a->to->v + first);
    if (beads->driven)
        lead(a, first, last, true);
    return finite;
}

static void kick_beads(void *own, size_t block)
{
    const struct carom_verlet_advance *a = own;
    const struct carom_chain *c = &a->work->chain;
    const size_t last = carom_verlet_row_end(block, c->n);
    size_t first = block * CAROM_VERLET_BLOCK;
    bool finite = true;
    if (a->work->passes) {
        const struct inner inner = inner_of(first, last, !c->left_wall, !c->right_wall, c->n);
        finite = kick_some(a, first, inner.from);
        first = a->work->passes->kick(&a->row, inner.from, inner.to, &finite);
    }
    finite &= kick_some(a, first, last);
    a->work->broken[block] = !finite;
}

/* the step as passes see it */
static void show_passes(struct carom_verlet_advance *a)
{
    const struct carom_verlet *w = a->work;
    a->row = (struct carom_verlet_spheres){
        .shift = w->chain.shift,
        .h = a->h,
        .k = a->stepper->model->group[0].param[0],
        .gamma = a->stepper->model->group[0].param[1],
        .gap = w->chain.gap,
        .inverse_mass = w->chain.beads->inverse_mass,
        .x0 = a->from->q,
        .v0 = a->from->v,
        .lost0 = a->from->lost,
        .x1 = a->to->q,
        .v1 = a->to->v,
        .lost1 = a->to->lost,
        .held = w->held,
        .both = w->both,
    };
}

/* threads wait for each other between the phases; a single one follows a block behind, while it is in the cache */
void carom_verlet_phases_run(struct carom_verlet_advance *a)
{
    if (a->work->passes)
        show_passes(a);
    const size_t bead_blocks = carom_verlet_row_blocks(a->work->chain.n),
                 contact_blocks = carom_verlet_row_blocks(a->work->chain.nc);
    if (a->stepper->threads) {
        carom_threads_run(a->stepper->threads, move_beads, a, bead_blocks);
        carom_threads_run(a->stepper->threads, squeeze_contacts, a, contact_blocks);
        carom_threads_run(a->stepper->threads, kick_beads, a, bead_blocks);
        return;
    }
    const size_t last = bead_blocks > contact_blocks ? bead_blocks : contact_blocks;
    for (size_t b = 0; b < last + 2; b++) {
        if (b < bead_blocks)
            move_beads(a, b);
        if (b >= 1 && b - 1 < contact_blocks)
            squeeze_contacts(a, b - 1);
        if (b >= 2 && b - 2 < bead_blocks)
            kick_beads(a, b - 2);
    }
}

/* contacts of a block, at the end of the step */
static void latch_contacts(void *own, size_t block)
{
    const struct carom_verlet_advance *a = own;
    carom_latch_see(a->stepper->model, a->to, block * CAROM_VERLET_BLOCK,
                    carom_verlet_row_end(block, a->work->chain.nc));
}

void carom_verlet_phases_latch(struct carom_verlet_advance *a)
{
    if (a->stepper->model->latches)
        carom_threads_run(a->stepper->threads, latch_contacts, a, carom_verlet_row_blocks(a->work->chain.nc));
}
