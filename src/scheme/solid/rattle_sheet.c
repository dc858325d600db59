/* Steps of RATTLE on plane boxes of one material: which take this way, and how. rattle_sheet_pass.h has what cells do,
 * here in two lanes. */
#include "scheme/solid/rattle_sheet.h"

#include "scheme/solid/rattle_sheet_pass.h"

const struct carom_rattle_sheet_passes carom_rattle_sheet_narrow = {arrive, leave, move_borders};

const struct carom_rattle_sheet_passes *carom_rattle_sheet_passes(void)
{
    const struct carom_rattle_sheet_passes *wide = carom_rattle_sheet_wide();
    return wide ? wide : &carom_rattle_sheet_narrow;
}

static const struct carom_rattle_sheet_passes *passes_of(const struct carom_rattle_move *m)
{
    return m->passes ? m->passes : carom_rattle_sheet_passes();
}

static bool drives(const struct carom_solid *s)
{
    for (size_t h = 0; h < s->nholds; h++)
        if (s->hold[h].driven)
            return true;
    return false;
}

bool carom_rattle_sheet_fits(const struct carom_solid *s)
{
    return carom_solid_sheet_fits(s) && !drives(s) && !s->self;
}

/* --- the step --------------------------------------------------------------------------------------------------- */

static struct step step_of(const struct carom_rattle_body *body, const struct carom_rattle_move *m)
{
    const struct carom_solid *s = body->solid;
    /* All that move are of one mass and inertia, those of the first sort; cells that are cut in half stand still. */
    const struct carom_solid_sort *sort = &s->sorts[0];
    const double light = 0.5 * m->h * sort->inverse_mass;
    struct step t = {.body = body, .s = s, .q0 = m->q0, .v0 = m->v0, .q1 = m->q1, .v1 = m->v1, .h = m->h};
    t.rate = m->h * sort->inverse_inertia[2];
    t.gain[0] = t.gain[1] = light;
    t.gain[2] = 0.5 * m->h;
    t.blocks = m->blocks;
    t.from = m->from;
    t.to = m->to;
    for (size_t b = 0; b < t.blocks; b++)
        t.fast[b] = t.bad[b] = SIZE_MAX;
    return t;
}

static void sweep_block(void *own, size_t number)
{
    struct step *t = own;
    carom_solid_sheet_sweep(&t->sweep, t->from + number);
}

/* the first cell that turns too fast, in `t` or before */
static size_t first_fast(const struct step *t, size_t fast)
{
    for (size_t b = t->from; b < t->to; b++)
        fast = t->fast[b] < fast ? t->fast[b] : fast;
    return fast;
}

void carom_rattle_sheet_borders(const struct carom_rattle_body *body, struct carom_rattle_move *m)
{
    struct step t = step_of(body, m);
    carom_threads_run(m->threads, passes_of(m)->borders, &t, t.to - t.from);
    m->fast = first_fast(&t, m->fast);
}

size_t carom_rattle_sheet_sweep(const struct carom_rattle_body *body, const struct carom_rattle_move *m)
{
    const struct carom_rattle_sheet_passes *passes = passes_of(m);
    struct step t = step_of(body, m);
    t.sweep = (struct carom_sheet_sweep){.solid = t.s,
                                         .t = m->t1,
                                         .q = m->q1,
                                         .rows = body->work.rows,
                                         .pressure = t.s->nloads > 0 ? body->work.pressure : NULL,
                                         .f = body->force,
                                         .blocks = t.blocks,
                                         .arrive = passes->arrive,
                                         .leave = passes->leave,
                                         .own = &t};
    carom_threads_run(m->threads, sweep_block, &t, t.to - t.from);
    const size_t fast = first_fast(&t, m->fast);
    size_t bad = SIZE_MAX;
    for (size_t b = t.from; b < t.to; b++)
        bad = t.bad[b] < bad ? t.bad[b] : bad;
    return fast != SIZE_MAX ? fast : bad;
}

size_t carom_rattle_sheet_step(const struct carom_rattle_body *body, struct carom_rattle_move *m)
{
    m->blocks = m->to = m->threads ? carom_solid_sheet_blocks(body->solid) : 1;
    if (m->blocks > 1)
        carom_rattle_sheet_borders(body, m);
    return carom_rattle_sheet_sweep(body, m);
}
