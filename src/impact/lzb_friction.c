/* LZB's impact with friction, see lzb_friction.h. Between changes of what contacts do (press, spring back, part, slip
 * one way or the other, stick) the motion is smooth: classical Runge-Kutta steps, one of h against two of h / 2,
 * extrapolated. A step that passes a change is cut where it happens. For the few contacts of bodies in the plane; W is
 * dense. */
#include "impact/lzb_friction.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "impact/lzb.h"
#include "solve/control.h"
#include "solve/dense.h"
#include "solve/root.h"

enum way { OPEN, IN, OUT };
enum {
    X,
    P,
    Q,
    RUBS,
    LOSES,
    NUMBERS
}; /* of each contact: as in lzb.h; tangential; energy that friction takes, and e */
/* in one impact, seconds; of sharing out who sticks; between two questions whether somebody wants it to stop */
enum { STEPS = 100000, ROUNDS = 60, PAUSE = 256 };

static const double least_e = 1e-3;    /* among several: what springs back faster is in no time, and rings for ever */
static const double blur = 1e-13;      /* of the fastest: speeds below it are rounding, and change nothing */
static const double remains = 1e-2;    /* of tol^2: the part of the energy at the start that may be left over */
static const double first_part = 1e-3; /* of the time of a blow: the first step */

struct carom_lzb_friction {
    const struct carom_lzb_friction_problem *of;
    size_t n;
    double fast;              /* the fastest approach at the start: impulses go with it, however fast contacts slip */
    double quiet, still;      /* speeds of gaps, and slips, below this are none */
    double *y, *trial, *fine; /* NUMBERS n: the state; after one step, after two of half the size */
    double *stage, *slope[4]; /* NUMBERS n */
    double *size, *force;     /* n: largest x of each alone; forces */
    double *away, *slip;      /* n: how fast gaps open, and slips, at the state that was last looked at */
    double *pull;             /* n: Q' */
    double *zero;             /* n: slips count from here: what was left, a rounding, when the contact last stopped */
    double *since, *owed;     /* n, Poisson: P when the contact last turned; the impulse that it has to give back */
    double *deep;             /* n, Poisson: what it stored when it turned back */
    double *matrix, *side;    /* n^2, n */
    size_t *who;              /* n */
    enum way *way;            /* n */
    int *slides;              /* n: 1, -1; 0: sticks */
    bool rubs;                /* some contact has friction: else there is nothing along tangents */
    double step;
};

struct carom_lzb_friction *carom_lzb_friction_create(size_t room)
{
    struct carom_lzb_friction *r = carom_memory_zeroed(1, sizeof *r);
    if (!r)
        return NULL;
    const size_t wide = NUMBERS * room;
    if (carom_memory_together(CAROM_ROOM(r->y, wide), CAROM_ROOM(r->trial, wide), CAROM_ROOM(r->fine, wide),
                              CAROM_ROOM(r->stage, wide), CAROM_ROOM(r->slope[0], wide), CAROM_ROOM(r->slope[1], wide),
                              CAROM_ROOM(r->slope[2], wide), CAROM_ROOM(r->slope[3], wide), CAROM_ROOM(r->size, room),
                              CAROM_ROOM(r->force, room), CAROM_ROOM(r->away, room), CAROM_ROOM(r->slip, room),
                              CAROM_ROOM(r->pull, room), CAROM_ROOM(r->side, room), CAROM_ROOM(r->zero, room),
                              CAROM_ROOM(r->since, room), CAROM_ROOM(r->owed, room), CAROM_ROOM(r->deep, room),
                              CAROM_ROOM(r->who, room), CAROM_ROOM(r->way, room), CAROM_ROOM(r->slides, room),
                              CAROM_ROOM(r->matrix, room * room)))
        return r;
    carom_lzb_friction_free(r);
    return NULL;
}

void carom_lzb_friction_free(struct carom_lzb_friction *r)
{
    if (!r)
        return;
    carom_memory_free_all(r->y, r);
}

/* --- the equations ------------------------------------------------------------------------------------------------ */

static double coupling(const struct carom_lzb_friction *r, size_t i, bool along, size_t j, bool by_rub)
{
    return r->of->w[(2 * i + along) * 2 * r->n + 2 * j + by_rub];
}

static double restitution(const struct carom_lzb_friction *r, size_t i)
{
    return r->n > 1 ? fmax(r->of->e[i], least_e) : r->of->e[i];
}

static double cone(const struct carom_lzb_friction *r, size_t i)
{
    return fmax(r->of->mu[i], r->of->mu_static[i]);
}

/* what impulses do to the speeds of contact i */
static void add_impulses(struct carom_lzb_friction *r, const double *y, size_t i)
{
    const double *across = r->of->w + 2 * i * 2 * r->n, *along = across + 2 * r->n;
    double away = r->of->rate[i], slip = r->of->slip[i] - r->zero[i];
    for (size_t j = 0; j < r->n && !r->rubs; j++)
        away += across[2 * j] * y[NUMBERS * j + P];
    for (size_t j = 0; j < r->n && r->rubs; j++) {
        const double push = y[NUMBERS * j + P], rub = y[NUMBERS * j + Q];
        away += across[2 * j] * push + across[2 * j + 1] * rub;
        slip += along[2 * j] * push + along[2 * j + 1] * rub;
    }
    r->away[i] = away;
    r->slip[i] = slip;
}

/* speeds and forces at y */
static void look(struct carom_lzb_friction *r, const double *y)
{
    for (size_t i = 0; i < r->n; i++) {
        const double x = y[NUMBERS * i + X];
        r->force[i] = r->way[i] != OPEN && x > 0.0 ? r->of->k[i] * carom_lzb_power(x, r->of->p[i]) : 0.0;
        add_impulses(r, y, i);
    }
}

/* Q' of those that stick: what keeps their slips */
static void stick(struct carom_lzb_friction *r)
{
    size_t m = 0;
    for (size_t i = 0; i < r->n && r->rubs; i++)
        if (r->slides[i] == 0 && r->force[i] > 0.0 && cone(r, i) > 0.0)
            r->who[m++] = i;
    for (size_t a = 0; a < m; a++) {
        const size_t i = r->who[a];
        r->side[a] = 0.0;
        for (size_t j = 0; j < r->n; j++)
            r->side[a] -= coupling(r, i, true, j, false) * r->force[j] + coupling(r, i, true, j, true) * r->pull[j];
        for (size_t b = 0; b < m; b++)
            r->matrix[a * m + b] = coupling(r, i, true, r->who[b], true);
    }
    carom_dense_semidefinite(m, r->matrix, 1e-12); /* contacts that stick may say the same: two corners of a side */
    carom_dense_semidefinite_solve(m, r->matrix, r->side);
    for (size_t a = 0; a < m; a++)
        r->pull[r->who[a]] = r->side[a];
}

/* How x of a contact that springs back changes. Poisson: the force falls with the impulse that has been given back, s
 * of what is owed, as that of an elastic spring does: what is stored goes with 1 - s^2, and x is 0 when all is paid. */
static double back(const struct carom_lzb_friction *r, size_t i, const double *y)
{
    const double e = restitution(r, i);
    if (r->of->law == CAROM_LZB_FRICTION_STRONGE)
        return -r->away[i] / (e * e);
    return -2.0 * r->deep[i] * (y[NUMBERS * i + P] - r->since[i]) / (r->owed[i] * r->owed[i]);
}

static void rates(struct carom_lzb_friction *r, const double *y, double *dy)
{
    look(r, y);
    for (size_t i = 0; i < r->n; i++)
        r->pull[i] = -r->slides[i] * r->of->mu[i] * r->force[i];
    stick(r);
    for (size_t i = 0; i < r->n; i++) {
        double *of = dy + NUMBERS * i;
        of[X] = r->way[i] == OPEN ? 0.0 : r->way[i] == IN ? -r->away[i] : back(r, i, y);
        of[P] = r->force[i];
        of[Q] = r->pull[i];
        of[RUBS] = -r->pull[i] * r->slip[i];
        of[LOSES] = -r->force[i] * r->away[i];
    }
}

static void move(struct carom_lzb_friction *r, const double *from, double h, double *to)
{
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    const size_t wide = NUMBERS * r->n;
    for (int s = 0; s < 4; s++) {
        for (size_t k = 0; k < wide; k++)
            r->stage[k] = from[k] + (s > 0 ? at[s] * h * r->slope[s - 1][k] : 0.0);
        rates(r, r->stage, r->slope[s]);
    }
    for (size_t k = 0; k < wide; k++) {
        double sum = 0.0;
        for (int s = 0; s < 4; s++)
            sum += weight[s] * r->slope[s][k];
        to[k] = from[k] + h * sum;
    }
}

/* r->trial: a step of size h, extrapolated from one and two; returns its error over what is allowed */
static double leap(struct carom_lzb_friction *r, double h)
{
    double worst = 0.0;
    move(r, r->y, 0.5 * h, r->trial);
    move(r, r->trial, 0.5 * h, r->fine);
    move(r, r->y, h, r->trial);
    for (size_t k = 0; k < NUMBERS * r->n; k++) {
        const size_t i = k / NUMBERS, what = k % NUMBERS;
        const double off = (r->fine[k] - r->trial[k]) / 15.0;
        const double scale = what == X   ? r->size[i]
                             : what == P ? r->fast / coupling(r, i, false, i, false)
                             : what == Q ? r->fast / coupling(r, i, true, i, true)
                                         : HUGE_VAL; /* energies follow */
        worst = fabs(off) / scale <= worst ? worst : fabs(off) < HUGE_VAL ? fabs(off) / scale : HUGE_VAL;
        r->trial[k] = r->fine[k] + off;
    }
    return worst / (0.01 * r->of->tol); /* a hundred steps and more a blow */
}

/* --- changes ------------------------------------------------------------------------------------------------------ */

/* By how much is contact i, as it was last looked at, beyond what it does? As a speed; not above 0: it is not. */
static double turns_by(const struct carom_lzb_friction *r, size_t i, const double *y)
{
    const double in = -r->away[i];
    return r->way[i] == OPEN ? in - r->quiet
           : r->way[i] == IN ? -in - r->quiet
                             : fmax(in - r->quiet, -y[NUMBERS * i + X] / r->size[i] * r->fast);
}

/* the same of its slip; pulls are those of r->pull */
static double slips_by(const struct carom_lzb_friction *r, size_t i)
{
    const double most = cone(r, i) * r->force[i];
    if (!(most > 0.0))
        return -r->fast;
    return r->slides[i] != 0 ? -r->slides[i] * r->slip[i] - r->still
                             : (fabs(r->pull[i]) / most - (1.0 + 1e-12)) * r->fast;
}

/* the most of all, at y; continuous along a step */
static double beyond(struct carom_lzb_friction *r, const double *y)
{
    double most = -r->fast;
    rates(r, y, r->stage);
    for (size_t i = 0; i < r->n; i++)
        most = fmax(most, fmax(turns_by(r, i, y), slips_by(r, i)));
    return most;
}

/* After a step of size h. What is beyond by no more than rounding has just changed: to halve what rounding leaves
 * would take dozens of steps, at each of the changes of contacts that ring. */
static double beyond_after(void *own, double h)
{
    struct carom_lzb_friction *r = own;
    if (h > 0.0)
        leap(r, h);
    const double by = beyond(r, h > 0.0 ? r->trial : r->y);
    return by > 0.0 && by <= fmin(r->quiet, r->still) ? 0.0 : by;
}

static bool is_beyond_after(void *own, double h)
{
    struct carom_lzb_friction *r = own;
    leap(r, h);
    return beyond(r, r->trial) > 0.0;
}

/* r->trial: the step of size h, after which something has changed, to just after that */
static void cut(struct carom_lzb_friction *r, double h)
{
    double at = beyond(r, r->y) > 0.0 ? carom_root_switch(is_beyond_after, r, 0.0, h, 0.0, 60)
                                      : carom_root_near(beyond_after, r, 0.0, h, 0.0);
    for (double more = 4.0 * DBL_EPSILON * h; !is_beyond_after(r, at) && at < h; more *= 4.0)
        at = fmin(at + more, h);
}

/* Poisson: contact i turns from pressing to springing back, or the other way */
static void reckon(struct carom_lzb_friction *r, size_t i, enum way from)
{
    const double *y = r->y + NUMBERS * i, given = y[P] - r->since[i];
    r->owed[i] = from == OPEN ? 0.0 : from == IN ? r->owed[i] + restitution(r, i) * given : r->owed[i] - given;
    r->since[i] = y[P];
    r->deep[i] = y[X] * r->force[i] / (1.0 + r->of->p[i]);
}

/* contacts that press, turn back, part; e = 0 gives nothing back */
static void turn(struct carom_lzb_friction *r)
{
    look(r, r->y);
    for (size_t i = 0; i < r->n; i++) {
        double *x = &r->y[NUMBERS * i + X];
        const enum way from = r->way[i];
        if (!(turns_by(r, i, r->y) > 0.0))
            continue;
        r->way[i] = r->way[i] == OPEN || (r->way[i] == OUT && *x >= 0.0) ? IN
                    : r->way[i] == IN && restitution(r, i) > 0.0         ? OUT
                                                                         : OPEN;
        *x = r->way[i] == OPEN ? 0.0 : fmax(*x, 0.0);
        reckon(r, i, from);
    }
}

/* Who sticks: all whose slip is none, but for those that would need more than their cone, the neediest first. A slip
 * that begins goes against what the contact cannot give. */
static void share(struct carom_lzb_friction *r)
{
    look(r, r->y);
    for (size_t i = 0; i < r->n; i++) {
        r->slides[i] = fabs(r->slip[i]) <= 2.0 * r->still ? 0 : r->slip[i] > 0.0 ? 1 : -1;
        r->zero[i] += r->slides[i] == 0 ? r->slip[i] : 0.0;
    }
    for (int round = 0; round < ROUNDS; round++) {
        size_t neediest = r->n;
        double most = 1.0; /* below what slips_by allows, so that who is over it slips */
        rates(r, r->y, r->stage);
        for (size_t i = 0; i < r->n; i++) {
            const double need = r->slides[i] == 0 && r->force[i] > 0.0 && cone(r, i) > 0.0
                                    ? fabs(r->pull[i]) / (cone(r, i) * r->force[i])
                                    : 0.0;
            neediest = need > most ? i : neediest;
            most = need > most ? need : most;
        }
        if (neediest == r->n)
            return;
        r->slides[neediest] = r->pull[neediest] > 0.0 ? -1 : 1;
    }
}

/* --- the path ----------------------------------------------------------------------------------------------------- */

static double energy_of(const struct carom_lzb_friction *r, size_t i)
{
    const double x = r->y[NUMBERS * i + X], in = r->away[i];
    const double stored = x > 0.0 ? x * r->force[i] / (1.0 + r->of->p[i]) : 0.0;
    return stored + 0.5 * in * in / coupling(r, i, false, i, false);
}

/* What is pressed, or approaches, as energy. */
static double left(struct carom_lzb_friction *r)
{
    double sum = 0.0;
    look(r, r->y);
    for (size_t i = 0; i < r->n; i++)
        sum += r->way[i] != OPEN ? energy_of(r, i) : 0.0;
    return sum;
}

static void begin(struct carom_lzb_friction *r, const struct carom_lzb_friction_problem *of)
{
    r->of = of;
    r->n = of->n;
    double slip = r->fast = 0.0;
    r->step = HUGE_VAL;
    r->rubs = false;
    memset(r->y, 0, NUMBERS * r->n * sizeof *r->y);
    for (size_t i = 0; i < r->n; i++) {
        r->way[i] = OPEN;
        r->slides[i] = 0;
        r->zero[i] = 0.0;
        r->fast = fmax(r->fast, -of->rate[i]);
        slip = fmax(slip, fabs(of->slip[i]));
        r->rubs |= cone(r, i) > 0.0;
    }
    r->quiet = blur * r->fast;
    r->still = blur * fmax(r->fast, slip);
    for (size_t i = 0; i < r->n; i++) {
        /* as deep as it is pressed alone by the fastest: k x^(1+p) / (1+p) = 1/2 v^2 / W */
        const double energy = 0.5 * r->fast * r->fast / coupling(r, i, false, i, false);
        r->size[i] = carom_power((1.0 + of->p[i]) * energy / of->k[i], 1.0 / (1.0 + of->p[i]));
        r->step = fmin(r->step, first_part * r->size[i] / r->fast);
    }
    turn(r);
    share(r);
}

/* one step, to where something changes at the latest */
static bool go_on(struct carom_lzb_friction *r)
{
    static const struct carom_control control = {.safety = 0.9, .power = 0.2, .least = 0.2, .most = 4.0};
    double h = r->step, error = leap(r, h);
    for (int tries = 0; !(error <= 1.0) && tries < 60; tries++) {
        h *= error < HUGE_VAL ? carom_control_factor(&control, 1.0 / error) : 0.1;
        error = leap(r, h);
    }
    if (!(error <= 1.0))
        return false;
    r->step = h * carom_control_factor(&control, 1.0 / fmax(error, 1e-10));
    const bool change = beyond(r, r->trial) > 0.0;
    if (change)
        cut(r, h);
    memcpy(r->y, r->trial, NUMBERS * r->n * sizeof *r->y);
    if (change) {
        turn(r);
        share(r);
        r->step = h;
    }
    return true;
}

/* what the impulses take, all together */
static double taken(const struct carom_lzb_friction *r)
{
    double sum = 0.0;
    for (size_t i = 0; i < r->n; i++) {
        const double *y = r->y + NUMBERS * i;
        sum -= 0.5 * y[P] * (r->of->rate[i] + r->away[i]) + 0.5 * y[Q] * (r->of->slip[i] + r->slip[i] + r->zero[i]);
    }
    return sum;
}

/* Contacts that lose next to nothing must not gain by the errors of steps: the impulses, all made smaller or larger by
 * the same little, then take what contacts and friction say. */
static void fit_impulses(struct carom_lzb_friction *r, double wanted)
{
    for (int turn = 0; turn < 3; turn++) {
        double slope = 0.0;
        for (size_t i = 0; i < r->n; i++)
            slope += r->y[NUMBERS * i + P] * r->away[i] + r->y[NUMBERS * i + Q] * (r->slip[i] + r->zero[i]);
        const double less = slope > 0.0 ? (wanted - taken(r)) / slope : 1.0;
        if (!(fabs(less) < 10.0 * r->of->tol))
            return;
        for (size_t i = 0; i < r->n; i++) {
            r->y[NUMBERS * i + P] *= 1.0 - less;
            r->y[NUMBERS * i + Q] *= 1.0 - less;
        }
        look(r, r->y);
    }
}

/* Energies so that those of e and of friction together are what the velocities lose, to rounding. By e of works no
 * contact loses less than nothing; by that of impulses one may. */
static void answer(struct carom_lzb_friction *r)
{
    const struct carom_lzb_friction_problem *of = r->of;
    double lost = 0.0, friction_loss = 0.0;
    look(r, r->y);
    for (size_t i = 0; i < r->n; i++) {
        const double *y = r->y + NUMBERS * i;
        of->friction_loss[i] = y[RUBS];
        of->lost[i] = of->law == CAROM_LZB_FRICTION_STRONGE ? fmax(y[LOSES], 0.0) : y[LOSES];
        lost += of->lost[i];
        friction_loss += y[RUBS];
    }
    if (of->law == CAROM_LZB_FRICTION_STRONGE && !(fabs(taken(r) - friction_loss - lost) <= 0.1 * lost))
        fit_impulses(r, lost + friction_loss);
    const double off = taken(r) - friction_loss - lost;
    for (size_t i = 0; i < r->n; i++) {
        of->impulse[i] = r->y[NUMBERS * i + P];
        of->rub[i] = r->y[NUMBERS * i + Q];
        of->lost[i] +=
            of->law == CAROM_LZB_FRICTION_STRONGE && lost > 0.0 ? off * of->lost[i] / lost : off / (double)r->n;
    }
}

/* One contact without friction: both laws say that it leaves with e times its approach, there is no path to follow. */
static bool is_plain(const struct carom_lzb_friction_problem *of)
{
    return of->n == 1 && !(fmax(of->mu[0], of->mu_static[0]) > 0.0);
}

static void answer_plain(const struct carom_lzb_friction_problem *of)
{
    const double in = fmax(-of->rate[0], 0.0);
    of->impulse[0] = (1.0 + of->e[0]) * in / of->w[0];
    of->lost[0] = 0.5 * of->impulse[0] * (1.0 - of->e[0]) * in;
    of->rub[0] = of->friction_loss[0] = 0.0;
}

enum carom_status carom_lzb_friction_solve(struct carom_lzb_friction *r, const struct carom_lzb_friction_problem *of,
                                           struct carom_error *error)
{
    if (is_plain(of)) {
        answer_plain(of);
        return CAROM_OK;
    }
    begin(r, of);
    const double all = left(r), enough = remains * of->tol * of->tol * all;
    for (int steps = 0; left(r) > enough; steps++) {
        if (steps % PAUSE == PAUSE - 1 && of->collision && carom_striker_stopped(of->collision, error))
            return CAROM_E_STOPPED;
        if (steps == STEPS || !go_on(r))
            return carom_error_set(
                error, CAROM_E_NUMERIC,
                "an impact of %zu contacts along its path did not end after %d steps: bodies that "
                "have no way out ring on, with e = 1 for ever and with e near 0, or a light one between "
                "heavy ones, for long; another e "
                "or impact moreau (blow newton of moreau-adaptive) may do",
                of->n, steps);
    }
    answer(r);
    return CAROM_OK;
}
