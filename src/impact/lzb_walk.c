/* One impact on the scale of impulses: Nguyen and Brogliato 2011, algorithms 1 to 3, up to their errata, which
 * docs/lzb-impulse.md lists. A step gives the primary contact the impulse dP and the others their shares by the rules
 * (11)-(13), with the factor 1 that (13) is printed with; velocities and energies follow. Where eta = 3/2 there is no
 * pow: E^(3/5) comes from a fifth root that is carried along. Rows are walked only where something happens. */
#include "impact/lzb_walk.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/power.h"

enum { BALANCE = 1024 }; /* steps after which sums begin anew, so that rounding does not grow with the steps */

static const double share = 0.125; /* safe: of the stored energy that a step may move, */
static const double bend = 0.25;   /* and of the largest velocity by which it may change one */

bool carom_lzb_walk_open(struct carom_lzb_walk *w, size_t room, size_t nv)
{
    *w = (struct carom_lzb_walk){.room = room};
    return carom_memory_together(CAROM_ROOM(w->a, room), CAROM_ROOM(w->E, room), CAROM_ROOM(w->F, room),
                                 CAROM_ROOM(w->root, room), CAROM_ROOM(w->K, room), CAROM_ROOM(w->eta, room),
                                 CAROM_ROOM(w->es2, room), CAROM_ROOM(w->worth, room), CAROM_ROOM(w->top, room),
                                 CAROM_ROOM(w->energy, room), CAROM_ROOM(w->part, room), CAROM_ROOM(w->spent, room),
                                 CAROM_ROOM(w->impulse, room), CAROM_ROOM(w->work, room), CAROM_ROOM(w->was, room),
                                 CAROM_ROOM(w->h, room), CAROM_ROOM(w->d, room + 2), CAROM_ROOM(w->link, room + 1),
                                 CAROM_ROOM(w->v, nv), CAROM_ROOM(w->span, room / 2 + 1));
}

void carom_lzb_walk_close(struct carom_lzb_walk *w)
{
    carom_memory_free(w->a);
    *w = (struct carom_lzb_walk){0};
}

/* --- where something happens ------------------------------------------------------------------------------------- */

static bool lives(const struct carom_lzb_walk *w, size_t j)
{
    return w->E[j] > w->manner.threshold || w->a[j] > w->manner.quiet;
}

/* In a row, contacts that live and one more on either side, whose velocities may change; else all. */
static void find_spans(struct carom_lzb_walk *w)
{
    w->nspans = 0;
    memset(w->d, 0, (w->n + 2) * sizeof(double));
    if (!w->frame->chain) {
        w->span[0][0] = 0;
        w->span[0][1] = w->n;
        w->nspans = w->n > 0;
        return;
    }
    for (size_t j = 0; j < w->n; j++) {
        if (!lives(w, j))
            continue;
        const size_t first = j > 0 ? j - 1 : 0, last = j + 2 < w->n ? j + 2 : w->n;
        if (w->nspans > 0 && w->span[w->nspans - 1][1] >= first)
            w->span[w->nspans - 1][1] = last;
        else {
            w->span[w->nspans][0] = first;
            w->span[w->nspans++][1] = last;
        }
    }
}

/* has something begun at the edge of a span? */
static bool outgrown(const struct carom_lzb_walk *w)
{
    for (size_t i = 0; i < w->nspans; i++) {
        const size_t first = w->span[i][0], last = w->span[i][1];
        if ((first > 0 && lives(w, first)) || (last < w->n && lives(w, last - 1)))
            return true;
    }
    return false;
}

/* the primary contact and the extremes of velocity */
static void look(struct carom_lzb_walk *w)
{
    size_t by_energy = 0, by_speed = 0;
    double most = -1.0, fastest = -HUGE_VAL, slowest = 0.0;
    for (size_t i = 0; i < w->nspans; i++)
        for (size_t j = w->span[i][0]; j < w->span[i][1]; j++) {
            if (w->E[j] > most) {
                most = w->E[j];
                by_energy = j;
            }
            if (w->a[j] > fastest) {
                fastest = w->a[j];
                by_speed = j;
            }
            slowest = w->a[j] < slowest && w->E[j] > w->manner.threshold ? w->a[j] : slowest;
        }
    const bool stored = most > w->manner.threshold;
    w->primary = stored ? by_energy : by_speed;
    w->most = stored ? most : 0.0;
    w->fastest = w->nspans > 0 ? fastest : 0.0;
    w->quickest = w->nspans > 0 ? fmax(fastest, -slowest) : 0.0;
    if (stored && w->manner.safe) /* where all stands still for an instant: the velocity that is in storage */
        w->quickest = fmax(w->quickest, sqrt(2.0 * most * w->frame->diagonal[by_energy]));
}

/* --- beginning --------------------------------------------------------------------------------------------------- */

static void find_rates(struct carom_lzb_walk *w)
{
    carom_frame_rates(w->frame, w->v, w->a);
    for (size_t j = 0; j < w->n; j++)
        w->a[j] = -w->a[j];
}

void carom_lzb_walk_begin(struct carom_lzb_walk *w, const struct carom_frame *frame, const double *v, const double *K,
                          const double *eta, const double *es, const struct carom_lzb_walk_manner *manner)
{
    const size_t n = frame->n;
    w->frame = frame;
    w->manner = *manner;
    w->n = n;
    w->hertz = true;
    w->P = w->t = 0.0;
    w->steps = w->balanced = 0;
    memcpy(w->v, v, frame->model->nv * sizeof(double));
    find_rates(w);
    double *const empty[] = {w->E, w->F, w->root, w->top, w->part, w->spent, w->impulse, w->work, w->was};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
        memset(empty[i], 0, n * sizeof(double));
    for (size_t j = 0; j < n; j++) {
        w->K[j] = K != NULL ? K[j] : 1.0;
        w->eta[j] = eta != NULL ? eta[j] : 1.5;
        w->hertz &= w->eta[j] == 1.5;
        w->es2[j] = es[j] * es[j];
        w->worth[j] = manner->mono ? 1.0 : 1.0 / w->es2[j];
    }
    for (size_t j = 0; frame->chain && j <= n; j++)
        w->link[j] = j > 0 && j < n ? frame->beside[j - 1] : 0.0;
    find_spans(w);
    look(w);
}

bool carom_lzb_walk_goes_on(const struct carom_lzb_walk *w)
{
    if (!(w->most > 0.0) && !(w->fastest > w->manner.quiet))
        return false;
    return !w->manner.safe || w->most > w->manner.rest || w->fastest > w->manner.calm;
}

/* --- the shares of a step: (11), (12), (13) ---------------------------------------------------------------------- */

/* Impulse of a contact without energy in a step of time dt, by (12) or (13): K a^eta dt^(1 + eta) (1 + eta)^eta. */
static double fresh(const struct carom_lzb_walk *w, size_t j, double dt)
{
    const double a = w->a[j], eta = w->eta[j];
    if (eta == 1.5)
        return w->K[j] * (2.5 * sqrt(2.5)) * (a * dt) * sqrt(a * dt) * dt;
    return w->K[j] * carom_power((1.0 + eta) * a * dt, eta) * dt;
}

/* the time in which the primary contact gets dP, as the force at the beginning or, without one, (12) has it */
static double time_of(const struct carom_lzb_walk *w, double dP)
{
    const size_t i = w->primary;
    const double eta = w->eta[i];
    if (w->most > 0.0)
        return dP / w->F[i];
    return carom_power(dP / (w->K[i] * carom_power((1.0 + eta) * w->a[i], eta)), 1.0 / (1.0 + eta));
}

static void share_out(struct carom_lzb_walk *w, double dP)
{
    const double dt = time_of(w, dP), threshold = w->manner.threshold, quiet = w->manner.quiet;
    const bool stored = w->most > 0.0;
    double *d = w->d + 1;
    for (size_t i = 0; i < w->nspans; i++)
        for (size_t j = w->span[i][0]; j < w->span[i][1]; j++) {
            if (stored && w->E[j] > threshold)
                d[j] = w->F[j] * dt;
            else
                d[j] = w->a[j] > quiet ? fresh(w, j, dt) : 0.0;
        }
    d[w->primary] = dP;
}

/* h = H d */
static void spread(struct carom_lzb_walk *w)
{
    const double *d = w->d + 1, *diagonal = w->frame->diagonal, *link = w->link;
    if (!w->frame->chain) {
        memset(w->h, 0, w->n * sizeof(double));
        for (size_t k = 0; k < w->n; k++)
            for (size_t j = 0; d[k] > 0.0 && j < w->n; j++)
                w->h[j] += w->frame->matrix[k * w->n + j] * d[k];
        return;
    }
    for (size_t i = 0; i < w->nspans; i++)
        for (size_t j = w->span[i][0]; j < w->span[i][1]; j++)
            w->h[j] = link[j] * w->d[j] + diagonal[j] * d[j] + link[j + 1] * d[j + 1];
}

/* --- energies ---------------------------------------------------------------------------------------------------- */

/* Lines 74-78 without safeguards: the phase is that of the mean velocity, and what falls below 0 is cut off. */
static void store_two(struct carom_lzb_walk *w, size_t first, size_t last)
{
    const double *d = w->d + 1;
    for (size_t j = first; j < last; j++) {
        const double next = w->a[j] - w->h[j], work = 0.5 * (w->a[j] + next) * d[j];
        const double E = w->E[j] + (work < 0.0 ? work * w->worth[j] : work);
        w->E[j] = E > 0.0 ? E : 0.0;
        w->a[j] = next;
        w->part[j] += d[j];
        w->spent[j] += work;
    }
}

/* Lines 64-72: one stiffness, the rest discarded once es^2 of the compression's work is given back. */
static void store_one(struct carom_lzb_walk *w, size_t first, size_t last)
{
    const double *d = w->d + 1;
    for (size_t j = first; j < last; j++) {
        const double a = w->a[j], next = a - w->h[j], work = 0.5 * (a + next) * d[j], E = w->E[j] + work;
        if (next >= 0.0)
            w->top[j] = E;
        else if (a >= 0.0)
            w->top[j] = w->E[j] + 0.5 * a * a / w->h[j] * d[j];
        w->E[j] = (next < 0.0 && E <= (1.0 - w->es2[j]) * w->top[j]) || E < 0.0 ? 0.0 : E;
        w->a[j] = next;
        w->part[j] += d[j];
        w->spent[j] += work;
    }
}

/* --- safeguards -------------------------------------------------------------------------------------------------- */

/* Energy of contact j at the end of the step, the step split where its velocity changes sign; *over: it has given back
 * all it can before. */
static double settle_energy(struct carom_lzb_walk *w, size_t j, bool *over)
{
    const double d = w->d[j + 1], a = w->a[j], h = w->h[j], next = a - h, worth = w->worth[j];
    double E = w->E[j], floor = 0.0, top = w->top[j];
    if (a >= 0.0 && next < 0.0) {
        top = E + 0.5 * a * a / h * d;
        E = top - 0.5 * next * next / h * d * worth;
    } else if (a < 0.0 && next >= 0.0) {
        E += (0.5 * next * next - 0.5 * a * a * worth) / -h * d;
    } else {
        const double work = 0.5 * (a + next) * d;
        E += work < 0.0 ? work * worth : work;
    }
    if (w->manner.mono)
        floor = (1.0 - w->es2[j]) * top;
    *over = (a < 0.0 || next < 0.0) && d > 0.0 && !(E > floor);
    return E;
}

/* The part of the step after which contact j has given back all it can; more than 1: it has not. */
static double end_of(const struct carom_lzb_walk *w, size_t j)
{
    const double d = w->d[j + 1], a = w->a[j], h = w->h[j];
    if (a >= 0.0) { /* turns first, at a / h */
        const double top = w->E[j] + 0.5 * a * a / h * d;
        return a / h + sqrt(2.0 * w->es2[j] * top / (d * h));
    }
    const double left = w->manner.mono ? w->E[j] - (1.0 - w->es2[j]) * w->top[j] : w->es2[j] * w->E[j];
    const double inside = a * a + 2.0 * h * left / d;
    if (!(left > 0.0))
        return 0.0;
    return inside >= 0.0 ? 2.0 * left / d / (-a + sqrt(inside)) : HUGE_VAL;
}

/* The part of the step that can be taken: up to the first end of a contact, and no velocity may change by much. */
static double find_part(struct carom_lzb_walk *w, size_t *ending)
{
    double part = 1.0;
    *ending = w->n;
    for (size_t i = 0; i < w->nspans; i++)
        for (size_t j = w->span[i][0]; j < w->span[i][1]; j++) {
            bool over;
            if (fabs(w->h[j]) * part > bend * w->manner.stride * w->quickest) {
                part = bend * w->manner.stride * w->quickest / fabs(w->h[j]);
                *ending = w->n;
            }
            w->energy[j] = settle_energy(w, j, &over);
            const double end = over ? end_of(w, j) : HUGE_VAL;
            if (end < part) {
                part = end;
                *ending = j;
            }
        }
    return part;
}

static void store_safely(struct carom_lzb_walk *w, double *dP)
{
    size_t ending;
    const double part = find_part(w, &ending);
    double *d = w->d + 1;
    for (size_t i = 0; i < w->nspans; i++)
        for (size_t j = w->span[i][0]; j < w->span[i][1]; j++) {
            bool over = false;
            if (part < 1.0) {
                d[j] *= part;
                w->h[j] *= part;
                w->energy[j] = settle_energy(w, j, &over);
            }
            const double a = w->a[j], next = a - w->h[j];
            if (next >= 0.0)
                w->top[j] = w->energy[j];
            else if (a >= 0.0)
                w->top[j] = w->E[j] + 0.5 * a * a / w->h[j] * d[j];
            w->E[j] = over || j == ending || !(w->energy[j] > 0.0) ? 0.0 : w->energy[j];
            w->part[j] += d[j];
            w->spent[j] += 0.5 * (a + next) * d[j];
            w->a[j] = next;
        }
    *dP *= part;
}

/* The primary contact must outlast the step, and what begins must not be thrown over. */
static double safe_impulse(const struct carom_lzb_walk *w)
{
    const double part = share * w->manner.stride;
    const double most =
        w->most > 0.0 ? part * w->most / w->quickest : part * w->a[w->primary] / w->frame->diagonal[w->primary];
    return most < w->manner.dP ? most : w->manner.dP;
}

/* --- forces ------------------------------------------------------------------------------------------------------ */

/* (17) with eta = 3/2: F = K s^3, s^5 = 5/2 E / K. The old s is corrected by the series of (1 + r)^(1/5), or begun anew
 * where the energy has changed much. */
static void bear_hertz(struct carom_lzb_walk *w, size_t first, size_t last)
{
    for (size_t j = first; j < last; j++) {
        const double y = 2.5 * w->E[j] / w->K[j];
        double s = w->root[j];
        const double s5 = s * s * (s * s) * s, r = (y - s5) / s5;
        if (fabs(r) < 1.0 / 512.0)
            s += s * (r * (0.2 + r * (-0.08 + r * (0.048 + r * (-0.0336 + r * 0.025536)))));
        else
            s = y > 0.0 ? carom_power(y, 0.2) : 0.0;
        w->root[j] = s;
        w->F[j] = w->K[j] * s * s * s;
    }
}

static void bear(struct carom_lzb_walk *w, size_t first, size_t last)
{
    if (w->hertz) {
        bear_hertz(w, first, last);
        return;
    }
    for (size_t j = first; j < last; j++) {
        const double eta = w->eta[j];
        w->F[j] = eta == 1.0 ? sqrt(2.0 * w->K[j] * w->E[j])
                             : w->K[j] * carom_power((1.0 + eta) * w->E[j] / w->K[j], eta / (1.0 + eta));
    }
}

/* --- a step ------------------------------------------------------------------------------------------------------ */

void carom_lzb_walk_balance(struct carom_lzb_walk *w)
{
    carom_frame_push(w->frame, w->part, w->v);
    for (size_t j = 0; j < w->n; j++) {
        w->impulse[j] += w->part[j];
        w->work[j] += w->spent[j];
        w->part[j] = w->spent[j] = 0.0;
    }
    w->balanced = w->steps;
    find_rates(w);
    find_spans(w);
    look(w);
}

double carom_lzb_walk_step(struct carom_lzb_walk *w)
{
    const size_t primary = w->primary;
    const bool began = !(w->most > 0.0);
    const double before = began ? 0.0 : w->F[primary];
    double dP = w->manner.safe ? safe_impulse(w) : w->manner.dP;
    share_out(w, dP);
    spread(w);
    if (w->manner.safe)
        store_safely(w, &dP);
    for (size_t i = 0; i < w->nspans; i++) {
        const size_t first = w->span[i][0], last = w->span[i][1];
        if (!w->manner.safe)
            (w->manner.mono ? store_one : store_two)(w, first, last);
        if (w->listens)
            memcpy(w->was + first, w->F + first, (last - first) * sizeof(double));
        bear(w, first, last);
    }
    const double after = w->F[primary];
    /* lines 84 and 91: the mean force, or that of a beginning, which rises as time to the power eta */
    double dt = began ? (1.0 + w->eta[primary]) * dP / after : 2.0 * dP / (before + after);
    dt = dt < HUGE_VAL ? dt : 0.0;
    w->P += dP;
    w->t += dt;
    w->steps++;
    if (outgrown(w))
        find_spans(w);
    look(w);
    if (w->steps - w->balanced >= BALANCE)
        carom_lzb_walk_balance(w);
    return dt;
}
