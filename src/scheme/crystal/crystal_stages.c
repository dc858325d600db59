/* Steps of the two-stage forms, with forces p = sum of F n / m, velocities v, tangential ones v_t of b past a.
 *
 * gl-reg: Gauss' method on the regularised w = v - sum of V n / m, V being what a contact's damper has given since
 * touch: x' = w + sum of V n / m, w' = sum of (F n - V v_t/L) / m. Any damper; angular momentum to rounding. The last
 * term lags behind in Newton's method, which so has no matrix of it.
 *
 * irk: the tailored tableau with C11 = gamma/(2h) on x' = V, V' = p, which damps the turning of normals as well; what
 * is too much, z = gamma sum of F v_t/L / m, is taken back with weights of its own, since those of the tableau would
 * cost an order. v = V + s p + (s^2/2) Dp V, s = gamma/2, with the whole of Dp. One gamma for all contacts.
 *
 * Newton's matrix has two stages with one stiffness K: in the eigenvectors of the tableau that is one complex symmetric
 * system, (M + h^2 al^2 K + h al D) y = r, al an eigenvalue and D the stiffness of the dampers. */
#include <string.h>

#include "base/threads.h"
#include "scheme/crystal/crystal.h"
#include "scheme/tableau.h"

enum { SWEEPS = 2 };

#define FORCING 1e-5
#define FARTHEST 0.5

struct number {
    double re, im;
};

/* a step under way */
struct stages {
    struct carom_crystal *w;
    const struct carom_state *from;
    struct carom_state *to;
    const double *own; /* velocities of the scheme at the start */
    double h, a[2][2], b[2], c[2];
    double square[2][2];             /* A^2 */
    struct number left[2], right[2]; /* eigenvectors of A, and below h al and h^2 al^2 */
    struct number once, twice;
    int stage; /* that threads work on */
};

static struct number times(struct number a, struct number b)
{
    return (struct number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static void set_tableau(struct stages *s, const struct carom_tableau *t)
{
    const double h = s->h, a[2][2] = {{t->a11, t->a12}, {t->a21, t->a22}};
    const double half = 0.5 * (t->a11 + t->a22), turn = sqrt(t->a11 * t->a22 - t->a12 * t->a21 - half * half);
    const struct number al = {half, turn}, aside = {half - t->a11, turn}, square = times(aside, aside);
    const struct number sum = {t->a12 * t->a21 + square.re, square.im};
    const double size = sum.re * sum.re + sum.im * sum.im;
    const struct number inverse = {sum.re / size, -sum.im / size};
    memcpy(s->a, a, sizeof a);
    s->b[0] = t->b1;
    s->b[1] = 1.0 - t->b1;
    for (int i = 0; i < 2; i++) {
        s->c[i] = a[i][0] + a[i][1];
        for (int j = 0; j < 2; j++)
            s->square[i][j] = a[i][0] * a[0][j] + a[i][1] * a[1][j];
    }
    s->left[0] = times(inverse, (struct number){t->a21, 0.0});
    s->left[1] = times(inverse, aside);
    s->right[0] = (struct number){t->a12, 0.0};
    s->right[1] = aside;
    s->once = (struct number){h * al.re, h * al.im};
    s->twice = times(s->once, s->once);
}

/* --- contacts ----------------------------------------------------------------------------------------------------- */

/* velocity of b past a, along the normal and across it */
static double pass(const struct carom_crystal *w, size_t j, const double *n, const double *v, double across[3])
{
    const struct carom_contact_key *key = &w->list->key[j];
    double along = 0.0;
    across[0] = across[1] = across[2] = 0.0;
    for (size_t k = 0; k < w->dim; k++) {
        across[k] = v[key->b * w->dim + k] - v[key->a * w->dim + k];
        along += n[k] * across[k];
    }
    for (size_t k = 0; k < w->dim; k++)
        across[k] -= along * n[k];
    return along;
}

/* 1/L: how fast a normal turns with the velocity across it; walls are flat here */
static double turning(const struct carom_crystal *w, size_t j, double deform)
{
    return carom_crystal_has_wall(w, j) ? 0.0 : 1.0 / (w->balls[j].radius[0] + w->balls[j].radius[1] - deform);
}

/* what contacts of a block push at a stage, w->impulse, and have given by their dampers, w->aside */
static void share_block(void *own, size_t block)
{
    const struct stages *s = own;
    struct carom_crystal *w = s->w;
    const struct carom_crystal_end *end = &w->end[1 + s->stage];
    const size_t last = carom_crystal_last(block, CAROM_CRYSTAL_CONTACTS, w->list->n);
    const bool lags = w->form == CAROM_CRYSTAL_GL_REG;
    for (size_t j = block * CAROM_CRYSTAL_CONTACTS; j < last; j++) {
        const double *n = end->normal[j];
        double across[3] = {0.0, 0.0, 0.0}, less = 0.0;
        if (!(end->deform[j] > 0.0)) {
            memset(w->impulse[j], 0, sizeof *w->impulse);
            memset(w->aside[j], 0, sizeof *w->aside);
            continue;
        }
        if (lags && end->viscous[j] != 0.0) {
            pass(w, j, n, w->speed[s->stage], across);
            less = end->viscous[j] * turning(w, j, end->deform[j]);
        }
        for (int k = 0; k < 3; k++) {
            w->impulse[j][k] = end->elastic[j] * n[k] - less * across[k];
            w->aside[j][k] = lags ? end->viscous[j] * n[k] : 0.0;
        }
    }
}

/* both over masses, for bodies of a block */
static void gather_block(void *own, size_t block)
{
    const struct stages *s = own;
    struct carom_crystal *w = s->w;
    const size_t last = carom_crystal_last(block, CAROM_CRYSTAL_BODIES, w->n);
    double push[3], damp[3];
    for (size_t i = block * CAROM_CRYSTAL_BODIES; i < last; i++) {
        carom_crystal_matrix_gather(w, (const double(*)[3])w->impulse, i, push);
        carom_crystal_matrix_gather(w, (const double(*)[3])w->aside, i, damp);
        for (size_t k = 0; k < w->dim; k++) {
            const size_t at = i * w->dim + k;
            w->push[s->stage][at] = w->ease[i] * (push[k] + w->load[(size_t)s->stage * w->n * w->dim + at]);
            w->damp[s->stage][at] = w->ease[i] * damp[k];
        }
    }
}

/* velocities of the stages */
static void set_speeds(const struct stages *s)
{
    struct carom_crystal *w = s->w;
    const size_t nv = carom_bodies_nv(w->bodies);
    for (size_t i = 0; i < w->n; i++)
        for (size_t k = 0; k < w->dim; k++) {
            const size_t at = i * w->dim + k;
            for (int e = 0; e < 2; e++)
                w->speed[e][at] = w->ease[i] == 0.0
                                      ? w->over[e][i * nv + k]
                                      : s->own[i * nv + k] + w->damp[e][at] +
                                            s->h * (s->a[e][0] * w->push[0][at] + s->a[e][1] * w->push[1][at]);
        }
}

/* pushes at both stages; what lags is brought up twice */
static void push_stages(struct stages *s)
{
    struct carom_crystal *w = s->w;
    const size_t contacts = carom_crystal_blocks(w->list->n, CAROM_CRYSTAL_CONTACTS),
                 bodies = carom_crystal_blocks(w->n, CAROM_CRYSTAL_BODIES);
    for (int sweep = 0; sweep < (w->form == CAROM_CRYSTAL_GL_REG ? SWEEPS : 1); sweep++) {
        for (s->stage = 0; s->stage < 2; s->stage++) {
            carom_threads_run(w->threads, share_block, s, contacts);
            carom_threads_run(w->threads, gather_block, s, bodies);
        }
        set_speeds(s);
    }
}

/* --- the matrix --------------------------------------------------------------------------------------------------- */

/* one stiffness for both stages, along one normal, which stands in w->impulse */
static void stiffen(const struct stages *s)
{
    struct carom_crystal *w = s->w;
    const struct carom_crystal_end *one = &w->end[1], *two = &w->end[2];
    const bool gl = w->form == CAROM_CRYSTAL_GL_REG;
    for (size_t j = 0; j < w->list->n; j++) {
        const double spring = 0.5 * (one->slope[j] + two->slope[j]),
                     drag = gl ? 0.5 * (one->drag[j] + two->drag[j]) : 0.0;
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            w->impulse[j][k] = one->normal[j][k] + two->normal[j][k];
            square += w->impulse[j][k] * w->impulse[j][k];
        }
        for (int k = 0; k < 3; k++)
            w->impulse[j][k] /= sqrt(square);
        w->stiff[0][j] = s->twice.re * spring + s->once.re * drag;
        w->stiff[1][j] = s->twice.im * spring + s->once.im * drag;
    }
    w->along = (const double(*)[3])w->impulse;
}

/* --- Newton ------------------------------------------------------------------------------------------------------- */

/* bodies at a stage, in to->q; false if someone has gone too far */
static enum carom_crystal_outcome put(const struct stages *s, int stage)
{
    const struct carom_crystal *w = s->w;
    const size_t nq = carom_bodies_nq(w->bodies);
    for (size_t i = 0; i < w->n; i++) {
        double square = 0.0;
        for (size_t k = 0; k < w->dim; k++) {
            const double way = w->stage[stage][i * w->dim + k];
            s->to->q[i * nq + k] = s->from->q[i * nq + k] + way;
            square += way * way;
        }
        const double reach = FARTHEST * (w->bodies->body[i].radius + w->smallest);
        if (w->ease[i] > 0.0 && !(square <= reach * reach))
            return CAROM_CRYSTAL_FAILED;
    }
    if (carom_search_holds(&w->search, s->to->q))
        return CAROM_CRYSTAL_SOLVED;
    memcpy(w->shift, w->stage[stage], w->n * w->dim * sizeof *w->shift); /* how far the new list must see */
    return CAROM_CRYSTAL_ESCAPED;
}

/* what the shift of a body should be at a stage */
static double aim(const struct stages *s, size_t i, size_t k, int e)
{
    const struct carom_crystal *w = s->w;
    const size_t at = i * w->dim + k;
    const double own = s->own[i * carom_bodies_nv(w->bodies) + k];
    double sum = s->c[e] * own;
    for (int j = 0; j < 2; j++)
        sum += s->a[e][j] * w->damp[j][at] + s->h * s->square[e][j] * w->push[j][at];
    return s->h * sum;
}

/* the residual in the eigenvectors of the tableau, into w->rest; how large it is, and what rounding makes of it */
static double miss(const struct carom_stepper *stepper, const struct stages *s, double *noise)
{
    struct carom_crystal *w = s->w;
    const size_t dim = w->dim, half = w->n * dim, nq = carom_bodies_nq(w->bodies);
    double worst = 0.0, longest = 0.0, farthest = 0.0, stiffest = 0.0;
    for (size_t i = 0; i < w->n; i++) {
        if (w->ease[i] == 0.0)
            continue;
        stiffest = fmax(stiffest, carom_crystal_matrix_note(w, i) * w->ease[i]);
        for (size_t k = 0; k < dim; k++) {
            const size_t at = i * dim + k;
            w->rest[at] = w->rest[half + at] = 0.0;
            for (int e = 0; e < 2; e++) {
                const double target = aim(s, i, k, e), less = target - w->stage[e][at];
                w->rest[at] += w->bodies->body[i].mass * s->left[e].re * less;
                w->rest[half + at] += w->bodies->body[i].mass * s->left[e].im * less;
                worst = less == less ? fmax(worst, fabs(less)) : HUGE_VAL;
                longest = fmax(longest, fabs(target));
            }
            farthest = fmax(farthest, fabs(s->from->q[i * nq + k]));
        }
    }
    *noise = carom_stepper_noise(stepper, longest, stiffest * farthest);
    return worst;
}

static enum carom_crystal_outcome assemble(struct carom_stepper *stepper, void *own, double *worst, double *noise)
{
    struct stages *s = own;
    struct carom_crystal *w = s->w;
    *worst = HUGE_VAL;
    for (int e = 0; e < 2; e++) {
        const enum carom_crystal_outcome outcome = put(s, e);
        if (outcome != CAROM_CRYSTAL_SOLVED)
            return outcome;
        if (!carom_crystal_contacts_place(w, w->list, s->to->q, &w->end[1 + e]))
            return CAROM_CRYSTAL_FAILED;
        stepper->counts.evaluations++;
    }
    push_stages(s);
    stiffen(s);
    *worst = miss(stepper, s, noise);
    return *worst < HUGE_VAL ? CAROM_CRYSTAL_SOLVED : CAROM_CRYSTAL_FAILED;
}

/* stages += part of the update, which is that of one eigenvector; the other's is its conjugate */
static void move(const void *own, double part)
{
    const struct stages *s = own;
    const struct carom_crystal *w = s->w;
    const size_t half = w->n * w->dim;
    const double *y = w->taken;
    for (size_t at = 0; at < half; at++)
        for (int e = 0; e < 2; e++)
            w->stage[e][at] += 2.0 * part * (s->right[e].re * y[at] - s->right[e].im * y[half + at]);
}

/* --- the end of the step ------------------------------------------------------------------------------------------ */

/* the turning of normals that the tableau damps and the law does not: into w->given */
static void turn_back(struct stages *s, double part)
{
    struct carom_crystal *w = s->w;
    double sum[3], across[3];
    const double spread = 0.5 * w->viscous_time;
    memset(w->given, 0, w->n * w->dim * sizeof *w->given);
    for (int e = 0; e < 2 && !w->paper && spread > 0.0; e++) {
        const struct carom_crystal_end *end = &w->end[1 + e];
        for (size_t at = 0; at < w->n * w->dim; at++)
            w->speed[e][at] += spread * w->push[e][at];
        for (size_t j = 0; j < w->list->n; j++) {
            pass(w, j, end->normal[j], w->speed[e], across);
            const double force =
                end->deform[j] > 0.0 ? w->viscous_time * end->elastic[j] * turning(w, j, end->deform[j]) : 0.0;
            for (int k = 0; k < 3; k++)
                w->impulse[j][k] = force == 0.0 ? 0.0 : force * across[k];
        }
        for (size_t i = 0; i < w->n; i++) {
            carom_crystal_matrix_gather(w, (const double(*)[3])w->impulse, i, sum);
            for (size_t k = 0; k < w->dim; k++)
                w->given[i * w->dim + k] += (e == 0 ? part : 1.0 - part) * w->ease[i] * sum[k];
        }
    }
}

/* shift and velocities of the scheme at the end */
static void land(const struct stages *s)
{
    struct carom_crystal *w = s->w;
    const double h = s->h,
                 late[2] = {s->b[0] * s->a[0][0] + s->b[1] * s->a[1][0], s->b[0] * s->a[0][1] + s->b[1] * s->a[1][1]};
    const size_t nv = carom_bodies_nv(w->bodies), nq = carom_bodies_nq(w->bodies);
    double *own = carom_crystal_own(s->to);
    memcpy(own, s->own, w->n * nv * sizeof *own); /* spins are as they were */
    for (size_t i = 0; i < w->n; i++)
        for (size_t k = 0; k < w->dim; k++) {
            const size_t at = i * w->dim + k;
            const double *p = w->push[0], *p2 = w->push[1];
            if (w->ease[i] == 0.0)
                continue;
            const double gain = s->b[0] * p[at] + s->b[1] * p2[at], z = w->given[at];
            own[i * nv + k] = s->own[i * nv + k] + h * (gain - z);
            w->shift[at] = h * (s->own[i * nv + k] + s->b[0] * w->damp[0][at] + s->b[1] * w->damp[1][at]) +
                           h * h * (late[0] * p[at] + late[1] * p2[at] - 0.5 * z);
            s->to->q[i * nq + k] = s->from->q[i * nq + k] + w->shift[at];
        }
}

/* what loads put in */
static double work_of_loads(const struct stages *s)
{
    const struct carom_crystal *w = s->w;
    const struct carom_bodies *b = w->bodies;
    double work = 0.0;
    for (size_t j = 0; j < b->nloads; j++)
        for (int e = 0; e < 2; e++) {
            const struct carom_body_load *load = &b->load[j];
            const double value = carom_signal_value(&load->signal, s->from->time + s->from->time_low + s->c[e] * s->h);
            for (size_t k = 0; k < w->dim && w->ease[load->body] > 0.0; k++)
                work += s->h * s->b[e] * value * load->force[k] * w->speed[e][load->body * w->dim + k];
        }
    return work;
}

/* What dampers take, the integral of the rate r over the impulse V: by parts, r being linear through both stages. V
 * starts with a kink only where r V' starts with a root, which the weights alone would miss. Without the part of the
 * end, r1 V1, whose r1 is left in w->aside; and what leads put in through contacts, in w->mean. */
static void lose(const struct stages *s)
{
    struct carom_crystal *w = s->w;
    double across[3];
    for (size_t j = 0; j < w->list->n; j++) {
        const struct carom_contact_key *key = &w->list->key[j];
        const bool led[2] = {w->bodies->body[key->a].lead >= 0, w->bodies->body[key->b].lead >= 0};
        double rate[2], given = 0.0;
        w->mean[j] = 0.0;
        for (int e = 0; e < 2; e++) {
            const struct carom_crystal_end *end = &w->end[1 + e];
            const double *n = end->normal[j];
            rate[e] = -pass(w, j, n, w->speed[e], across);
            given += s->b[e] * end->viscous[j];
            const double force = end->elastic[j] + end->drag[j] * rate[e];
            for (size_t k = 0; k < w->dim && (led[0] || led[1]); k++)
                w->mean[j] += s->h * s->b[e] * force * n[k] *
                              ((led[0] ? w->speed[e][key->a * w->dim + k] : 0.0) -
                               (led[1] ? w->speed[e][key->b * w->dim + k] : 0.0));
        }
        const double slope = (rate[1] - rate[0]) / (s->c[1] - s->c[0]), early = rate[0] - s->c[0] * slope;
        w->spent[j] = -early * w->end[0].viscous[j] - slope * given;
        w->aside[j][0] = early + slope;
    }
}

void carom_crystal_stages_turn(struct carom_crystal *w, const struct carom_contacts *c,
                               const struct carom_crystal_end *end, double sign, const double *v, double *out)
{
    const size_t nv = carom_bodies_nv(w->bodies), dim = w->dim;
    const double s = 0.5 * w->viscous_time;
    double sum[3], across[3];
    w->list = c;
    for (size_t i = 0; i < w->n; i++)
        memcpy(w->target + i * dim, v + i * nv, dim * sizeof(double));
    for (size_t j = 0; j < c->n; j++) {
        const double *n = end->normal[j], rate = -pass(w, j, n, w->target, across);
        const double turn = end->elastic[j] * turning(w, j, end->deform[j]);
        for (int k = 0; k < 3; k++) {
            if (!(end->deform[j] > 0.0))
                w->impulse[j][k] = 0.0;
            else if (w->form == CAROM_CRYSTAL_GL_REG)
                w->impulse[j][k] = end->viscous[j] * n[k];
            else
                w->impulse[j][k] =
                    s * end->elastic[j] * n[k] + 0.5 * s * s * (end->slope[j] * rate * n[k] + turn * across[k]);
        }
    }
    memcpy(out, v, w->n * nv * sizeof *out);
    for (size_t i = 0; i < w->n; i++) {
        carom_crystal_matrix_gather(w, (const double(*)[3])w->impulse, i, sum);
        const double weight = w->form == CAROM_CRYSTAL_IRK ? s : 0.0; /* gravity acts at all times */
        for (size_t k = 0; k < dim && w->ease[i] > 0.0; k++)
            out[i * nv + k] += sign * (w->ease[i] * sum[k] + weight * w->bodies->gravity[k]);
    }
}

/* led bodies, and loads, at the times of the stages */
static void lead(struct carom_stepper *stepper, struct stages *s)
{
    struct carom_crystal *w = s->w;
    const struct carom_member *m = &stepper->model->member[0];
    const size_t dim = w->dim, nv = carom_bodies_nv(w->bodies), nq = carom_bodies_nq(w->bodies);
    const double t = s->from->time + s->from->time_low;
    for (int e = 0; e < 2; e++) {
        double *load = w->load + (size_t)e * w->n * dim;
        m->part->force(m->own, t + s->c[e] * s->h, s->from->q, s->from->v, NULL, w->turn);
        for (size_t i = 0; i < w->n; i++)
            memcpy(load + i * dim, w->turn + i * nv, dim * sizeof(double));
        memcpy(w->middle, s->from->q, s->to->nq * sizeof(double));
        carom_bodies_impose(w->bodies, t + s->c[e] * s->h, w->middle, w->over[e]);
        for (size_t i = 0; i < w->n; i++)
            for (size_t k = 0; k < dim; k++) {
                const size_t at = i * dim + k;
                w->stage[e][at] = w->ease[i] > 0.0 ? s->c[e] * s->h * w->begin[i * nv + k]
                                                   : w->middle[i * nq + k] - s->from->q[i * nq + k];
                w->speed[e][at] = w->ease[i] > 0.0 ? w->begin[i * nv + k] : w->over[e][i * nv + k];
            }
    }
}

enum carom_crystal_outcome carom_crystal_stages(struct carom_stepper *stepper, const struct carom_state *from,
                                                struct carom_state *to, double h, double end)
{
    struct carom_crystal *w = stepper->work;
    const double c11 = w->form == CAROM_CRYSTAL_IRK ? 0.5 * w->viscous_time / h : 0.0;
    const struct carom_tableau tableau = carom_tableau_tailored(c11);
    struct stages s = {.w = w, .from = from, .to = to, .h = h};
    s.own = w->bodies->frictional ? w->kicked_own : carom_crystal_own(from);
    w->list = to->contacts;
    set_tableau(&s, &tableau);
    lead(stepper, &s);
    enum carom_crystal_outcome outcome =
        carom_crystal_newton_solve(stepper, &(struct carom_crystal_system){assemble, move, 2, FORCING}, &s);
    if (outcome != CAROM_CRYSTAL_SOLVED)
        return outcome;
    lose(&s);
    to->work[0] += work_of_loads(&s);
    turn_back(&s, 0.5 + sqrt(3.0) * (1.0 + sqrt(2.0)) * c11);
    land(&s);
    carom_bodies_impose(w->bodies, end, to->q, to->v);
    if (!carom_search_holds(&w->search, to->q))
        return CAROM_CRYSTAL_ESCAPED;
    if (!carom_crystal_contacts_place(w, w->list, to->q, &w->end[1]))
        return CAROM_CRYSTAL_FAILED;
    for (size_t j = 0; j < w->list->n; j++)
        w->spent[j] += w->aside[j][0] * w->end[1].viscous[j];
    carom_crystal_stages_turn(w, w->list, &w->end[1], 1.0, carom_crystal_own(to), to->v);
    carom_bodies_impose(w->bodies, end, to->q, to->v);
    return outcome;
}
