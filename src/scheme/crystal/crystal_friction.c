/* Friction beside an energy-momentum step, added explicitly: normal forces, which are stiff and damped, are solved for,
 * friction is given in two kicks as verlet gives it,
 *
 *     v' = v0 + h/2 T0/m,   the step from v' to v1',   v1 = v1' + (I - h/2 T0)/m,
 *
 * T0 the tangential forces at the start, I what the friction law makes of how far contacts slid, along the tangents of
 * the end. Kicks act at one point of both bodies, so that momentum and angular momentum are kept to rounding. Discs in
 * the plane only, where a spring turns with its contact by itself. */
#include <string.h>

#include "base/sum.h"
#include "base/threads.h"
#include "scheme/crystal/crystal.h"

enum { BLOCK = CAROM_CRYSTAL_CONTACTS };

/* a sweep over contacts or bodies */
struct rubbing {
    struct carom_crystal *w;
    const struct carom_state *from;
    struct carom_state *to; /* NULL: the first kick */
    double h, step;
};

/* contacts of one pairing, at most a block of them */
struct run {
    size_t first, n;
    const struct carom_friction *friction;
    const double *param[CAROM_FRICTION_PARAMS], *mobility;
};

/* the next run of contacts from `first` on, before `last` */
static struct run next_run(const struct carom_crystal *w, const struct carom_contacts *c, size_t first, size_t last)
{
    const size_t p = c->key[first].pairing, to = c->first[p + 1] < last ? c->first[p + 1] : last;
    struct run run = {.first = first, .n = to - first, .friction = w->bodies->pairing[p].friction};
    for (size_t i = 0; i < w->bodies->nrub[CAROM_SLIDES]; i++)
        run.param[i] = c->column[w->columns.rub[CAROM_SLIDES] + i] + first;
    run.mobility = c->column[w->columns.mobility[CAROM_SLIDES]] + first;
    return run;
}

/* how fast the bodies of contact j slide and close, meeting like m, with velocities v */
static double slip_of(const struct carom_crystal *w, const struct carom_contacts *c, size_t j,
                      const struct carom_meeting *m, const double *v, double *rate)
{
    double vector[3], slip;
    *rate = -carom_meet_slip(w->bodies, &c->key[j], m, v, vector);
    carom_meet_tangential(true, m, vector, &slip);
    return slip;
}

/* contact j gives b an impulse along the tangent, and both the torque of it; and one along the normal */
static void give(const struct carom_crystal *w, size_t j, const struct carom_meeting *m, double aside, double along)
{
    const double x = along * m->normal[0] - aside * m->normal[1], y = along * m->normal[1] + aside * m->normal[0];
    w->impulse[j][0] = x;
    w->impulse[j][1] = y;
    w->impulse[j][2] = 0.0;
    w->spin[j][0] = -(m->arm[0][0] * y - m->arm[0][1] * x);
    w->spin[j][1] = m->arm[1][0] * y - m->arm[1][1] * x;
}

static void give_nothing(const struct carom_crystal *w, size_t j)
{
    memset(w->impulse[j], 0, sizeof *w->impulse);
    w->spin[j][0] = w->spin[j][1] = 0.0;
}

/* --- the first kick ---------------------------------------------------------------------------------------------- */

/* tangential forces of a run at the start, kept */
static void begin_run(const struct rubbing *r, const struct run *run)
{
    struct carom_crystal *w = r->w;
    const struct carom_contacts *c = r->from->contacts;
    const struct carom_crystal_end *end = &w->end[0];
    double slip[BLOCK], force[BLOCK], push[BLOCK];
    struct carom_meeting meeting[BLOCK];
    for (size_t i = 0; i < run->n; i++) {
        const size_t j = run->first + i;
        slip[i] = w->closing[j] = w->pressed[j] = 0.0;
        if (!(end->deform[j] > 0.0))
            continue;
        carom_crystal_contacts_meet(w, c, j, r->from->q, &meeting[i]);
        slip[i] = slip_of(w, c, j, &meeting[i], r->from->v, &w->closing[j]);
        w->pressed[j] = end->elastic[j] + end->drag[j] * w->closing[j];
    }
    const double *slips = slip, *spring = c->column[w->columns.spring[CAROM_SLIDES]] + run->first;
    double *forces = force;
    run->friction->moment(&(struct carom_friction_moment){.n = run->n,
                                                          .width = 1,
                                                          .param = run->param,
                                                          .deform = end->deform + run->first,
                                                          .rate = w->closing + run->first,
                                                          .normal = w->pressed + run->first,
                                                          .slip = &slips,
                                                          .spring = &spring,
                                                          .step = r->step,
                                                          .mobility = run->mobility,
                                                          .force = &forces,
                                                          .push = push});
    for (size_t i = 0; i < run->n; i++) {
        const size_t j = run->first + i;
        if (!(end->deform[j] > 0.0))
            continue;
        w->rub[j] = force[i];
        give(w, j, &meeting[i], 0.5 * r->h * force[i], 0.5 * r->h * push[i]);
    }
}

static void begin_block(void *own, size_t block)
{
    const struct rubbing *r = own;
    const struct carom_contacts *c = r->from->contacts;
    const size_t last = carom_crystal_last(block, CAROM_CRYSTAL_CONTACTS, c->n);
    for (size_t at = block * CAROM_CRYSTAL_CONTACTS; at < last;) {
        const struct run run = next_run(r->w, c, at, last);
        for (size_t j = at; j < at + run.n; j++) {
            give_nothing(r->w, j);
            r->w->rub[j] = 0.0;
        }
        if (run.friction)
            begin_run(r, &run);
        at += run.n;
    }
}

/* what contacts gave, added to velocities; the first kick goes to w->kicked */
static void kick_block(void *own, size_t block)
{
    const struct rubbing *r = own;
    struct carom_crystal *w = r->w;
    const size_t last = carom_crystal_last(block, CAROM_CRYSTAL_BODIES, w->n);
    for (size_t i = block * CAROM_CRYSTAL_BODIES; i < last; i++) {
        double *v = (r->to ? r->to->v : w->kicked) + 3 * i, sum[3], turn = 0.0;
        if (!r->to)
            memcpy(v, r->from->v + 3 * i, 3 * sizeof *v);
        if (w->ease[i] == 0.0)
            continue;
        carom_crystal_matrix_gather(w, (const double(*)[3])w->impulse, i, sum);
        for (size_t at = w->search.first[i]; at < w->search.first[i + 1]; at++)
            turn += w->spin[w->search.side[at] / 2][w->search.side[at] & 1];
        v[0] += w->ease[i] * sum[0];
        v[1] += w->ease[i] * sum[1];
        if (w->bodies->body[i].inertia > 0.0)
            v[2] += turn / w->bodies->body[i].inertia;
    }
}

/* what leads put in by what contacts have given last, moving with v */
static double work_of_leads(const struct carom_crystal *w, const struct carom_contacts *c, const double *v)
{
    struct carom_sum sum = {0.0, 0.0};
    for (size_t j = 0; w->bodies->nleads > 0 && j < c->n; j++)
        for (int side = 0; side < 2; side++) {
            const size_t i = side == 0 ? c->key[j].a : c->key[j].b;
            const double sign = side == 0 ? 1.0 : -1.0;
            if (w->bodies->body[i].lead >= 0)
                carom_sum_add(&sum, sign * (w->impulse[j][0] * v[3 * i] + w->impulse[j][1] * v[3 * i + 1]) -
                                        w->spin[j][side] * v[3 * i + 2]);
        }
    return carom_sum_value(&sum);
}

static void run_kick(struct carom_crystal *w, struct rubbing *r, void (*contacts)(void *, size_t))
{
    carom_threads_run(w->threads, contacts, r, carom_crystal_blocks(r->from->contacts->n, CAROM_CRYSTAL_CONTACTS));
    carom_threads_run(w->threads, kick_block, r, carom_crystal_blocks(w->n, CAROM_CRYSTAL_BODIES));
}

void carom_crystal_friction_begin(struct carom_stepper *stepper, const struct carom_state *from, double h)
{
    struct carom_crystal *w = stepper->work;
    struct rubbing r = {
        .w = w, .from = from, .h = h, .step = ((const struct carom_stepper_options *)stepper->options)->step};
    run_kick(w, &r, begin_block);
    w->early_work = work_of_leads(w, from->contacts, from->v);
}

/* --- the second kick --------------------------------------------------------------------------------------------- */

/* how far contact j slid, as far as its bodies touched; its normal force at the end */
static double slid_of(const struct rubbing *r, size_t j, struct carom_meeting *end, double *normal)
{
    const struct carom_crystal *w = r->w;
    const struct carom_contacts *c = r->to->contacts;
    const double d0 = w->end[0].deform[j], d1 = w->end[1].deform[j], mean = (d1 - d0) / r->h;
    const double part = d0 > 0.0 ? d1 > 0.0 ? 1.0 : d0 / (d0 - d1) : d1 / (d1 - d0);
    const double rate = d0 > 0.0 ? 2.0 * mean - w->closing[j] : mean;
    struct carom_meeting start;
    double aside;
    carom_crystal_contacts_meet(w, c, j, r->from->q, &start);
    carom_crystal_contacts_meet(w, c, j, r->to->q, end);
    *normal = d1 > 0.0 ? w->end[1].elastic[j] + w->end[1].drag[j] * rate : 0.0;
    return 0.5 * r->h * part * (slip_of(w, c, j, &start, w->turn, &aside) + slip_of(w, c, j, end, w->turn, &aside));
}

static void end_run(const struct rubbing *r, const struct run *run)
{
    struct carom_crystal *w = r->w;
    const struct carom_contacts *c = r->to->contacts;
    const size_t first = run->first;
    double slid[BLOCK], normal[BLOCK], after[BLOCK], left[BLOCK], impulse[BLOCK], push[BLOCK], lost[BLOCK],
        change[BLOCK];
    struct carom_meeting meeting[BLOCK];
    double *spring = c->column[w->columns.spring[CAROM_SLIDES]] + first;
    for (size_t i = 0; i < run->n; i++) {
        const size_t j = first + i;
        slid[i] = normal[i] = 0.0;
        if (w->end[0].deform[j] > 0.0 || w->end[1].deform[j] > 0.0)
            slid[i] = slid_of(r, j, &meeting[i], &normal[i]);
    }
    const double *slide = slid, *spring0 = spring, *force0 = w->rub + first;
    double *spring1 = after, *force1 = left, *given = impulse;
    run->friction->step(&(struct carom_friction_step){.n = run->n,
                                                      .width = 1,
                                                      .h = r->h,
                                                      .step = r->step,
                                                      .mobility = run->mobility,
                                                      .param = run->param,
                                                      .deform0 = w->end[0].deform + first,
                                                      .deform1 = w->end[1].deform + first,
                                                      .normal0 = w->pressed + first,
                                                      .normal1 = normal,
                                                      .slide = &slide,
                                                      .spring0 = &spring0,
                                                      .force0 = &force0,
                                                      .spring1 = &spring1,
                                                      .force1 = &force1,
                                                      .impulse = &given,
                                                      .push1 = push,
                                                      .lost = lost,
                                                      .change = change});
    for (size_t i = 0; i < run->n; i++) {
        const size_t j = first + i;
        spring[i] = after[i];
        if (!(w->end[0].deform[j] > 0.0) && !(w->end[1].deform[j] > 0.0))
            continue;
        c->column[w->columns.lost + CAROM_RETIRED_FRICTION][j] += lost[i];
        c->column[w->columns.lost + CAROM_RETIRED_CHANGE][j] += change[i];
        give(w, j, &meeting[i], impulse[i] - 0.5 * r->h * w->rub[j], 0.5 * r->h * push[i]);
    }
}

static void end_block(void *own, size_t block)
{
    const struct rubbing *r = own;
    const struct carom_contacts *c = r->to->contacts;
    const size_t last = carom_crystal_last(block, CAROM_CRYSTAL_CONTACTS, c->n);
    for (size_t at = block * CAROM_CRYSTAL_CONTACTS; at < last;) {
        const struct run run = next_run(r->w, c, at, last);
        for (size_t j = at; j < at + run.n; j++)
            give_nothing(r->w, j);
        if (run.friction)
            end_run(r, &run);
        at += run.n;
    }
}

void carom_crystal_friction_end(struct carom_stepper *stepper, const struct carom_state *from, struct carom_state *to,
                                double h)
{
    struct carom_crystal *w = stepper->work;
    struct rubbing r = {
        .w = w, .from = from, .to = to, .h = h, .step = ((const struct carom_stepper_options *)stepper->options)->step};
    for (size_t i = 0; i < to->nv; i++) /* velocities of the step */
        w->turn[i] = 0.5 * (w->kicked[i] + to->v[i]);
    run_kick(w, &r, end_block);
    to->work[0] += w->early_work + work_of_leads(w, to->contacts, w->turn);
}
