/* Friction beside an implicit step, added explicitly: normal forces, which are stiff and damped, are solved for,
 * friction is given in two kicks as verlet gives it,
 *
 *     v' = v0 + h/2 T0/m,   the step from v' to v1',   v1 = v1' + (I - h/2 T0)/m,
 *
 * T0 the tangential forces at the start, I what the friction law makes of how far contacts slid, along the tangents of
 * the end. Kicks act at one point of both bodies, so that momentum and angular momentum are kept to rounding. Springs
 * turn with their contact: in the plane by themselves, in space they are carried along. Two-stage forms step velocities
 * of their own, which differ from the physical ones by what only places tell (gl-reg; irk to its order): they get the
 * same kicks. */
#include <string.h>

#include "base/sum.h"
#include "base/threads.h"
#include "carom/friction.h"
#include "scheme/crystal/crystal.h"
#include "scheme/turning.h"

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
static void slip_of(const struct carom_crystal *w, const struct carom_contacts *c, size_t j,
                    const struct carom_meeting *m, const double *v, double slip[3], double *rate)
{
    double vector[3];
    *rate = -carom_meet_slip(w->bodies, &c->key[j], m, v, vector);
    carom_meet_tangential(w->dim == 2, m, vector, slip);
}

/* contact j gives b an impulse along its plane and one along its normal, and both the torque of it */
static void give(const struct carom_crystal *w, size_t j, const struct carom_meeting *m, const double *aside,
                 double along)
{
    double impulse[3];
    const double plane[3] = {-aside[0] * m->normal[1], aside[0] * m->normal[0], 0.0};
    for (int k = 0; k < 3; k++)
        impulse[k] = along * m->normal[k] + (w->dim == 2 ? plane[k] : aside[k]);
    memcpy(w->impulse[j], impulse, sizeof impulse);
    carom_vec_cross(impulse, m->arm[0], w->spin[j][0]);
    carom_vec_cross(m->arm[1], impulse, w->spin[j][1]);
}

static void give_nothing(const struct carom_crystal *w, size_t j)
{
    memset(w->impulse[j], 0, sizeof *w->impulse);
    memset(w->spin[j], 0, sizeof *w->spin);
}

/* --- the first kick ---------------------------------------------------------------------------------------------- */

/* numbers of a run by coordinates */
typedef double columns[3][BLOCK];

/* tangential forces of a run at the start, kept */
static void begin_run(const struct rubbing *r, const struct run *run)
{
    struct carom_crystal *w = r->w;
    const struct carom_contacts *c = r->from->contacts;
    const struct carom_crystal_end *end = &w->end[0];
    const size_t width = w->columns.width[CAROM_SLIDES];
    columns slip, force;
    double push[BLOCK], aside[3] = {0.0, 0.0, 0.0};
    struct carom_meeting meeting[BLOCK];
    const double *slips[3], *spring[3];
    double *forces[3];
    for (size_t i = 0; i < run->n; i++) {
        const size_t j = run->first + i;
        double of[3] = {0.0, 0.0, 0.0};
        w->closing[j] = w->pressed[j] = 0.0;
        if (end->deform[j] > 0.0) {
            carom_crystal_contacts_meet(w, c, j, r->from->q, &meeting[i]);
            slip_of(w, c, j, &meeting[i], r->from->v, of, &w->closing[j]);
            w->pressed[j] = end->elastic[j] + end->drag[j] * w->closing[j];
        }
        for (size_t k = 0; k < width; k++)
            slip[k][i] = of[k];
    }
    for (size_t k = 0; k < width; k++) {
        slips[k] = slip[k];
        spring[k] = c->column[w->columns.spring[CAROM_SLIDES] + k] + run->first;
        forces[k] = force[k];
    }
    run->friction->moment(&(struct carom_friction_moment){.n = run->n,
                                                          .width = width,
                                                          .param = run->param,
                                                          .deform = end->deform + run->first,
                                                          .rate = w->closing + run->first,
                                                          .normal = w->pressed + run->first,
                                                          .slip = slips,
                                                          .spring = spring,
                                                          .step = r->step,
                                                          .mobility = run->mobility,
                                                          .force = forces,
                                                          .push = push});
    for (size_t i = 0; i < run->n; i++) {
        const size_t j = run->first + i;
        if (!(end->deform[j] > 0.0))
            continue;
        for (size_t k = 0; k < width; k++) {
            w->rub[j][k] = force[k][i];
            aside[k] = 0.5 * r->h * force[k][i];
        }
        give(w, j, &meeting[i], aside, 0.5 * r->h * push[i]);
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
            memset(r->w->rub[j], 0, sizeof *r->w->rub);
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
    const size_t dim = w->dim, nv = carom_bodies_nv(w->bodies),
                 last = carom_crystal_last(block, CAROM_CRYSTAL_BODIES, w->n);
    const bool two = carom_crystal_complex(w);
    for (size_t i = block * CAROM_CRYSTAL_BODIES; i < last; i++) {
        double *v = (r->to ? r->to->v : w->kicked) + nv * i, sum[3], turn[3] = {0.0, 0.0, 0.0}, kick[6];
        double *stepped = two ? (r->to ? carom_crystal_own(r->to) : w->kicked_own) + nv * i : NULL;
        if (!r->to)
            memcpy(v, r->from->v + nv * i, nv * sizeof *v);
        if (!r->to && stepped)
            memcpy(stepped, carom_crystal_own(r->from) + nv * i, nv * sizeof *stepped);
        if (w->ease[i] == 0.0)
            continue;
        carom_crystal_matrix_gather(w, (const double(*)[3])w->impulse, i, sum);
        for (size_t at = w->search.first[i]; at < w->search.first[i + 1]; at++)
            for (int k = 0; k < 3; k++)
                turn[k] += w->spin[w->search.side[at] / 2][w->search.side[at] & 1][k];
        for (size_t k = 0; k < dim; k++)
            kick[k] = w->ease[i] * sum[k];
        for (size_t k = dim; k < nv; k++)
            kick[k] = w->bodies->body[i].inertia > 0.0 ? turn[dim == 2 ? 2 : k - 3] / w->bodies->body[i].inertia : 0.0;
        for (size_t k = 0; k < nv; k++)
            v[k] += kick[k];
        for (size_t k = 0; k < nv && stepped; k++)
            stepped[k] += kick[k];
    }
}

/* the work on body i of what contact j has given it last, moving with v */
static double work_on(const struct carom_crystal *w, size_t j, size_t i, int side, const double *v)
{
    const size_t dim = w->dim, nv = carom_bodies_nv(w->bodies);
    double sum = 0.0;
    for (size_t k = 0; k < dim; k++)
        sum += (side == 1 ? 1.0 : -1.0) * w->impulse[j][k] * v[nv * i + k];
    for (size_t k = dim; k < nv; k++)
        sum += w->spin[j][side][dim == 2 ? 2 : k - 3] * v[nv * i + k];
    return sum;
}

/* what leads put in against it */
static double work_of_leads(const struct carom_crystal *w, const struct carom_contacts *c, const double *v)
{
    struct carom_sum sum = {0.0, 0.0};
    for (size_t j = 0; w->bodies->nleads > 0 && j < c->n; j++)
        for (int side = 0; side < 2; side++) {
            const size_t i = side == 0 ? c->key[j].a : c->key[j].b;
            if (w->bodies->body[i].lead >= 0)
                carom_sum_add(&sum, -work_on(w, j, i, side, v));
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

/* how contacts of a run slid, with springs and forces of the start as the end sees them */
struct slides {
    columns slid, spring, force;
    double normal[BLOCK]; /* force at the end */
    struct carom_meeting meeting[BLOCK];
};

/* contact i of a run, as far as its bodies touched */
static void slide(const struct rubbing *r, size_t j, size_t i, struct slides *s)
{
    const struct carom_crystal *w = r->w;
    const struct carom_contacts *c = r->to->contacts;
    const size_t width = w->columns.width[CAROM_SLIDES];
    const double d0 = w->end[0].deform[j], d1 = w->end[1].deform[j], mean = (d1 - d0) / r->h;
    const double part = d0 > 0.0 ? d1 > 0.0 ? 1.0 : d0 / (d0 - d1) : d1 / (d1 - d0);
    const double rate = d0 > 0.0 ? 2.0 * mean - w->closing[j] : mean;
    struct carom_meeting start;
    struct carom_turning turning;
    double early[3], late[3], spring[3], force[3], aside;
    carom_crystal_contacts_meet(w, c, j, r->from->q, &start);
    carom_crystal_contacts_meet(w, c, j, r->to->q, &s->meeting[i]);
    slip_of(w, c, j, &start, w->turn, early, &aside);
    slip_of(w, c, j, &s->meeting[i], w->turn, late, &aside);
    for (size_t k = 0; k < width; k++) {
        early[k] = 0.5 * r->h * part * (early[k] + late[k]);
        spring[k] = c->column[w->columns.spring[CAROM_SLIDES] + k][j];
        force[k] = w->rub[j][k];
    }
    if (width == 3) { /* into the plane of the end */
        carom_meet_tangential(false, &s->meeting[i], early, late);
        memcpy(early, late, sizeof early);
        carom_turning_of(w->bodies, &c->key[j], w->turn, start.normal, s->meeting[i].normal, r->h, &turning);
        carom_turning_carry(&turning, spring);
        carom_turning_carry(&turning, force);
    }
    for (size_t k = 0; k < width; k++) {
        s->slid[k][i] = early[k];
        s->spring[k][i] = spring[k];
        s->force[k][i] = force[k];
    }
    s->normal[i] = d1 > 0.0 ? w->end[1].elastic[j] + w->end[1].drag[j] * rate : 0.0;
}

/* what the law makes of a run */
struct answer {
    columns spring, force, impulse;
    double push[BLOCK], lost[BLOCK], change[BLOCK];
};

static void ask(const struct rubbing *r, const struct run *run, const struct slides *s, struct answer *a)
{
    const struct carom_crystal *w = r->w;
    const size_t width = w->columns.width[CAROM_SLIDES];
    const double *slid[3], *spring0[3], *force0[3];
    double *spring1[3], *force1[3], *impulse[3];
    for (size_t k = 0; k < width; k++) {
        slid[k] = s->slid[k];
        spring0[k] = s->spring[k];
        force0[k] = s->force[k];
        spring1[k] = a->spring[k];
        force1[k] = a->force[k];
        impulse[k] = a->impulse[k];
    }
    run->friction->step(&(struct carom_friction_step){.n = run->n,
                                                      .width = width,
                                                      .h = r->h,
                                                      .step = r->step,
                                                      .mobility = run->mobility,
                                                      .param = run->param,
                                                      .deform0 = w->end[0].deform + run->first,
                                                      .deform1 = w->end[1].deform + run->first,
                                                      .normal0 = w->pressed + run->first,
                                                      .normal1 = s->normal,
                                                      .slide = slid,
                                                      .spring0 = spring0,
                                                      .force0 = force0,
                                                      .spring1 = spring1,
                                                      .force1 = force1,
                                                      .impulse = impulse,
                                                      .push1 = a->push,
                                                      .lost = a->lost,
                                                      .change = a->change});
}

static void end_run(const struct rubbing *r, const struct run *run)
{
    struct carom_crystal *w = r->w;
    const struct carom_contacts *c = r->to->contacts;
    const size_t width = w->columns.width[CAROM_SLIDES];
    struct slides slides;
    struct answer answer;
    for (size_t i = 0; i < run->n; i++) {
        const size_t j = run->first + i;
        for (size_t k = 0; k < width; k++)
            slides.slid[k][i] = slides.spring[k][i] = slides.force[k][i] = 0.0;
        slides.normal[i] = 0.0;
        if (w->end[0].deform[j] > 0.0 || w->end[1].deform[j] > 0.0)
            slide(r, j, i, &slides);
    }
    ask(r, run, &slides, &answer);
    for (size_t i = 0; i < run->n; i++) {
        const size_t j = run->first + i;
        double aside[3] = {0.0, 0.0, 0.0};
        for (size_t k = 0; k < width; k++) {
            c->column[w->columns.spring[CAROM_SLIDES] + k][j] = answer.spring[k][i];
            aside[k] = answer.impulse[k][i] - 0.5 * r->h * slides.force[k][i]; /* less what the first kick has given */
        }
        if (!(w->end[0].deform[j] > 0.0) && !(w->end[1].deform[j] > 0.0))
            continue;
        c->column[w->columns.lost + CAROM_RETIRED_FRICTION][j] += answer.lost[i];
        c->column[w->columns.lost + CAROM_RETIRED_CHANGE][j] += answer.change[i];
        give(w, j, &slides.meeting[i], aside, 0.5 * r->h * answer.push[i]);
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
