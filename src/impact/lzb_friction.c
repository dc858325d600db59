/* LZB's impact with friction, see lzb_friction.h. Between changes of what contacts do (press, spring back, part, slip
 * one way or the other, stick) the motion is smooth: classical Runge-Kutta steps, one of h against two of h / 2,
 * extrapolated. A step that passes a change is cut where it happens. For the few contacts of bodies; W is dense. In
 * space lzb_cone.h has the friction of one contact, and lzb_several.h that of several and steps of its own. */
#include "impact/lzb_friction.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "impact/lzb.h"
#include "impact/lzb_cone.h"
#include "impact/lzb_several.h"
#include "solve/control.h"
#include "solve/root.h"

/* in one impact, seconds; between two questions whether somebody wants it to stop; in a row so short that it stands */
enum { STEPS = 100000, PAUSE = 256, STALLS = 1000 };

static const char plane_way_out[] =
    "bodies that have no way out ring on, with e = 1 for ever and with e near 0, or a light one between heavy ones, "
    "for long; another e or impact moreau (blow newton of moreau-adaptive) may do";
static const char space_way_out[] = "friction in space may stop and start slips without end; impact moreau, or "
                                    "moreau-jean with blow stronge or poisson, does without the path";

static const double least_e = 1e-3; /* among several: what springs back faster is in no time, and rings for ever */
static const double blur = 1e-13;   /* of the fastest: speeds below it are rounding, and change nothing */
static const double remains = 1e-2; /* of tol^2: the part of the energy at the start that may be left over */
static const double ended = 1e-2,
                    begun = 0.1;       /* of tol, and of its root: slips in space that have ended, or just begun */
static const double spent = 1e-12;     /* of its largest x: one of several springs in space that has sprung back */
static const double found = 4e-15;     /* of the fastest: slips of several in space */
static const double amplified = 400.0; /* by extrapolation: errors of what is found */
static const double balanced = 1e-11;  /* of the largest force: what friction leaves of others where it holds them */
static const double first_part = 1e-3; /* of the time of a blow: the first step */

struct carom_lzb_friction *carom_lzb_friction_create(size_t room)
{
    struct carom_lzb_friction *r = carom_memory_zeroed(1, sizeof *r);
    if (!r)
        return NULL;
    const size_t wide = NUMBERS * room;
    if (carom_memory_together(CAROM_ROOM(r->y, wide), CAROM_ROOM(r->trial, wide), CAROM_ROOM(r->fine, wide),
                              CAROM_ROOM(r->stage, wide), CAROM_ROOM(r->slope[0], wide), CAROM_ROOM(r->slope[1], wide),
                              CAROM_ROOM(r->slope[2], wide), CAROM_ROOM(r->slope[3], wide), CAROM_ROOM(r->size, wide),
                              CAROM_ROOM(r->force, wide), CAROM_ROOM(r->away, wide), CAROM_ROOM(r->slip, wide),
                              CAROM_ROOM(r->pull, wide), CAROM_ROOM(r->side, 10 * room), CAROM_ROOM(r->zero, wide),
                              CAROM_ROOM(r->since, wide), CAROM_ROOM(r->owed, wide), CAROM_ROOM(r->deep, wide),
                              CAROM_ROOM(r->who, room), CAROM_ROOM(r->way, room), CAROM_ROOM(r->slides, room),
                              CAROM_ROOM(r->matrix, 9 * room * room), CAROM_ROOM(r->from, 5 * room),
                              CAROM_ROOM(r->row, wide), CAROM_ROOM(r->starts, room), CAROM_ROOM(r->last, 2 * room)) &&
        (r->discs = carom_discs_create(room)))
        return r;
    carom_lzb_friction_free(r);
    return NULL;
}

void carom_lzb_friction_free(struct carom_lzb_friction *r)
{
    if (!r)
        return;
    carom_discs_free(r->discs);
    carom_memory_free_all(r->y, r);
}

/* --- the equations ------------------------------------------------------------------------------------------------ */

static double restitution(const struct carom_lzb_friction *r, size_t i)
{
    return r->n > 1 ? fmax(r->of->e[i], least_e) : r->of->e[i];
}

/* what impulses at y make of `speed`, whose row of W is given */
static double with_impulses(const struct carom_lzb_friction *r, const double *row, const double *y, double speed)
{
    const size_t each = 1 + r->ways;
    for (size_t j = 0; j < r->n; j++, row += each, y += NUMBERS) {
        if (!r->rubs)
            speed += row[0] * y[P];
        else if (r->ways == 1)
            speed += row[0] * y[P] + row[1] * y[Q];
        else
            speed += row[0] * y[P] + row[1] * y[Q] + row[2] * y[Q + 1];
    }
    return speed;
}

/* what impulses do to the speeds of contact i */
static void add_impulses(struct carom_lzb_friction *r, const double *y, size_t i)
{
    const size_t each = 1 + r->ways, wide = each * r->n;
    const double *row = r->w + each * i * wide;
    r->away[i] = with_impulses(r, row, y, r->of->rate[i]);
    for (size_t k = r->ways * i, a = 1; a <= r->ways; k++, a++) {
        const double slip = r->of->slip[k] - r->zero[k];
        r->slip[k] = r->rubs ? with_impulses(r, row + a * wide, y, slip) : slip;
    }
}

void carom_lzb_friction_look(struct carom_lzb_friction *r, const double *y)
{
    for (size_t i = 0; i < r->n; i++) {
        const double x = y[NUMBERS * i + X];
        r->force[i] = r->way[i] != OPEN && x > 0.0 ? r->of->k[i] * carom_lzb_power(x, r->of->p[i]) : 0.0;
        add_impulses(r, y, i);
    }
}

/* How x of a contact that springs back changes. Poisson: the force falls with the impulse that has been given back, s
 * of what is owed, as that of an elastic spring does: what is stored goes with 1 - s^2, and x is 0 when all is paid. */
static double back(const struct carom_lzb_friction *r, size_t i, double p)
{
    const double e = restitution(r, i);
    if (r->of->law == CAROM_LZB_FRICTION_STRONGE)
        return -r->away[i] / (e * e);
    return -2.0 * r->deep[i] * (p - r->since[i]) / (r->owed[i] * r->owed[i]);
}

double carom_lzb_friction_presses(const struct carom_lzb_friction *r, size_t i, double p)
{
    return r->way[i] == OPEN ? 0.0 : r->way[i] == IN ? -r->away[i] : back(r, i, p);
}

static void find_rates(struct carom_lzb_friction *r, const double *y, double *dy)
{
    carom_lzb_friction_look(r, y);
    if (r->several)
        carom_lzb_several_hold(r);
    else if (r->ways == 2)
        carom_lzb_cone_pull(r);
    else
        carom_lzb_line_pull(r);
    for (size_t i = 0; i < r->n; i++) {
        double *of = dy + NUMBERS * i;
        of[X] = carom_lzb_friction_presses(r, i, y[NUMBERS * i + P]);
        of[P] = r->force[i];
        of[RUBS] = 0.0;
        of[LOSES] = -r->force[i] * r->away[i];
        for (size_t a = 0, k = r->ways * i; a < r->ways; a++, k++) {
            of[Q + a] = r->pull[k];
            of[RUBS] -= r->pull[k] * r->slip[k];
        }
    }
}

static void move(struct carom_lzb_friction *r, const double *from, double h, double *to)
{
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    const size_t wide = NUMBERS * r->n;
    for (int s = 0; s < 4; s++) {
        for (size_t k = 0; k < wide; k++)
            r->stage[k] = from[k] + (s > 0 ? at[s] * h * r->slope[s - 1][k] : 0.0);
        find_rates(r, r->stage, r->slope[s]);
    }
    for (size_t k = 0; k < wide; k++) {
        double sum = 0.0;
        for (int s = 0; s < 4; s++)
            sum += weight[s] * r->slope[s][k];
        to[k] = from[k] + h * sum;
    }
}

/* What errors of a number of contact i count by; energies follow, and slips in space are looked at all together. Of
 * several there a step may pass the end of one, and miss nothing but what friction takes. */
static double scale_of(const struct carom_lzb_friction *r, size_t i, size_t what)
{
    return what == X                    ? r->size[i]
           : what == P                  ? r->fast / carom_lzb_cone_coupling(r, i, 0, i, 0)
           : what == RUBS && r->several ? r->fast * r->fastest / carom_lzb_cone_coupling(r, i, 0, i, 0)
           : what == Q && r->ways == 1  ? r->fast / carom_lzb_cone_coupling(r, i, 1, i, 1)
                                        : HUGE_VAL;
}

/* Errors of impulses as those of slips, of `fast`: where slips begin, who of several holds how much is hardly
 * determined, and slips are. */
static double off_slips(const struct carom_lzb_friction *r, const double *off)
{
    const size_t each = 1 + r->ways, wide = each * r->n;
    double worst = 0.0;
    for (size_t k = 0; k < wide; k++)
        worst = k % each == 0 ? worst : fmax(worst, fabs(with_impulses(r, r->w + k * wide, off, 0.0)));
    return worst / r->fast;
}

/* r->trial: a step of size h, extrapolated from one and two; r->stage: its error */
static void leap_by_halves(struct carom_lzb_friction *r, double h)
{
    move(r, r->y, 0.5 * h, r->trial);
    move(r, r->trial, 0.5 * h, r->fine);
    move(r, r->y, h, r->trial);
    for (size_t k = 0; k < NUMBERS * r->n; k++) {
        const double off = (r->fine[k] - r->trial[k]) / 15.0;
        r->trial[k] = r->fine[k] + off;
        r->stage[k] = off;
    }
}

double carom_lzb_friction_error(const struct carom_lzb_friction *r, const double *off)
{
    double worst = 0.0;
    for (size_t k = 0; k < NUMBERS * r->n; k++) {
        const double part = fabs(off[k]) / scale_of(r, k / NUMBERS, k % NUMBERS);
        worst = part <= worst ? worst : part < HUGE_VAL ? part : HUGE_VAL;
    }
    return r->ways == 2 && worst < HUGE_VAL ? fmax(worst, off_slips(r, off)) : worst;
}

/* r->trial: a step of size h; returns its error over what is allowed */
static double leap(struct carom_lzb_friction *r, double h)
{
    const double allowed = 0.01 * r->of->tol;         /* a hundred steps and more a blow */
    if (r->ways == 2 && r->of->collision && !r->told) /* looks for a change may take seconds there */
        r->told = carom_striker_stopped(r->of->collision, r->error);
    if (r->told)
        return 0.0;
    if (r->several)
        return carom_lzb_several_leap(r, h) / (allowed + amplified * r->exact / r->fast);
    leap_by_halves(r, h);
    return carom_lzb_friction_error(r, r->stage) / allowed;
}

/* --- changes ------------------------------------------------------------------------------------------------------ */

/* x up to which contact i has sprung back. Of several in space what is left is nothing, as a step towards 0 might
 * be. */
static double end_of(const struct carom_lzb_friction *r, size_t i)
{
    return r->several ? spent * r->size[i] : 0.0;
}

/* By how much is contact i, as it was last looked at, beyond what it does? As a speed; not above 0: it is not. */
static double turns_by(const struct carom_lzb_friction *r, size_t i, const double *y)
{
    const double in = -r->away[i], ends = (end_of(r, i) - y[NUMBERS * i + X]) / r->size[i] * r->fast;
    if (r->several && r->way[i] == IN && in < 0.0) /* so slowly that it would never turn, but its spring ends */
        return fmax(-in - r->quiet, ends);
    return r->way[i] == OPEN ? in - r->quiet : r->way[i] == IN ? -in - r->quiet : fmax(in - r->quiet, ends);
}

static double slides_by(const struct carom_lzb_friction *r, size_t i)
{
    return r->several     ? carom_lzb_several_beyond(r, i)
           : r->ways == 2 ? carom_lzb_cone_beyond(r, i)
                          : carom_lzb_line_beyond(r, i);
}

/* the most of all, at y; continuous along a step */
static double beyond(struct carom_lzb_friction *r, const double *y)
{
    double most = -r->fast;
    find_rates(r, y, r->stage);
    for (size_t i = 0; i < r->n; i++)
        most = fmax(most, fmax(turns_by(r, i, y), slides_by(r, i)));
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
static void reckon(struct carom_lzb_friction *r, size_t i, enum carom_lzb_cone_way from)
{
    const double *y = r->y + NUMBERS * i, given = y[P] - r->since[i];
    r->owed[i] = from == OPEN ? 0.0 : from == IN ? r->owed[i] + restitution(r, i) * given : r->owed[i] - given;
    r->since[i] = y[P];
    r->deep[i] = y[X] * r->force[i] / (1.0 + r->of->p[i]);
}

/* Poisson: of several, what no speed would show: rounding of all of P loses what is given of it, and it never ends. */
static bool owes_nothing(const struct carom_lzb_friction *r, size_t i)
{
    const double felt = r->n > 1 ? r->quiet / carom_lzb_cone_coupling(r, i, 0, i, 0) : 0.0;
    return r->of->law == CAROM_LZB_FRICTION_POISSON && !(r->owed[i] > felt);
}

/* contacts that press, turn back, part; e = 0 gives nothing back */
static void turn(struct carom_lzb_friction *r)
{
    carom_lzb_friction_look(r, r->y);
    for (size_t i = 0; i < r->n; i++) {
        double *x = &r->y[NUMBERS * i + X];
        const enum carom_lzb_cone_way from = r->way[i];
        if (!(turns_by(r, i, r->y) > 0.0))
            continue;
        const bool gives = restitution(r, i) > 0.0 && !(r->several && *x <= end_of(r, i));
        r->way[i] = r->way[i] == OPEN || (r->way[i] == OUT && *x >= end_of(r, i)) ? IN
                    : r->way[i] == IN && gives                                    ? OUT
                                                                                  : OPEN;
        *x = r->way[i] == OPEN ? 0.0 : fmax(*x, 0.0);
        reckon(r, i, from);
        r->way[i] = r->way[i] == OUT && owes_nothing(r, i) ? OPEN : r->way[i];
        *x = r->way[i] == OPEN ? 0.0 : *x;
    }
}

/* who sticks and who slips from here on */
static void share(struct carom_lzb_friction *r)
{
    carom_lzb_friction_look(r, r->y);
    if (r->several) {
        carom_lzb_several_hold(r);
        carom_lzb_several_share(r);
    } else if (r->ways == 2)
        carom_lzb_cone_share(r);
    else
        carom_lzb_line_share(r);
}

/* --- the path ----------------------------------------------------------------------------------------------------- */

static double energy_of(const struct carom_lzb_friction *r, size_t i)
{
    const double x = r->y[NUMBERS * i + X], in = r->away[i];
    const double stored = x > 0.0 ? x * r->force[i] / (1.0 + r->of->p[i]) : 0.0;
    return stored + 0.5 * in * in / carom_lzb_cone_coupling(r, i, 0, i, 0);
}

/* What is pressed, or approaches, as energy. */
static double left(struct carom_lzb_friction *r)
{
    double sum = 0.0;
    carom_lzb_friction_look(r, r->y);
    for (size_t i = 0; i < r->n; i++)
        sum += r->way[i] != OPEN ? energy_of(r, i) : 0.0;
    return sum;
}

/* Do contacts neither press on nor part? */
static bool rests(const struct carom_lzb_friction *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->way[i] != OPEN && fabs(r->away[i]) > fmax(r->quiet, r->still))
            return false;
    return true;
}

/* Does friction hold all that is pressed, for ever? A body in a guide so flat that the cone holds it stays where it has
 * come to rest, its spring with it; nothing gives back what that stores, and the impact is over. */
static bool is_jammed(struct carom_lzb_friction *r)
{
    const size_t each = 1 + r->ways, wide = each * r->n;
    double most = 0.0;
    if (!r->rubs || !rests(r))
        return false;
    find_rates(r, r->y, r->stage);
    for (size_t i = 0; i < r->n; i++)
        most = fmax(most, r->force[i] * carom_lzb_cone_coupling(r, i, 0, i, 0));
    for (size_t k = 0; k < wide; k++)
        if (fabs(with_impulses(r, r->w + k * wide, r->stage, 0.0)) > balanced * most)
            return false;
    return true;
}

static void begin(struct carom_lzb_friction *r, const struct carom_lzb_friction_problem *of)
{
    r->of = of;
    r->w = of->w;
    r->n = of->n;
    r->ways = of->space ? 2 : 1;
    double slip = r->fast = 0.0;
    r->step = HUGE_VAL;
    r->stalls = 0;
    r->rubs = r->told = false;
    memset(r->y, 0, NUMBERS * r->n * sizeof *r->y);
    for (size_t i = 0; i < r->n; i++) {
        r->way[i] = OPEN;
        r->slides[i] = of->space ? CAROM_LZB_CONE_SLIPS : 0;
        r->fast = fmax(r->fast, -of->rate[i]);
        r->rubs |= carom_lzb_line_cone(r, i) > 0.0;
    }
    for (size_t k = 0; k < r->ways * r->n; k++) {
        r->zero[k] = 0.0;
        slip = fmax(slip, fabs(of->slip[k]));
    }
    r->several = of->space && r->n > 1 && r->rubs;
    r->quiet = blur * r->fast;
    r->fastest = fmax(r->fast, slip);
    r->still = blur * r->fastest;
    r->exact = found * r->fastest;
    if (r->several) {
        r->quiet = fmax(r->quiet, amplified * r->exact);
        r->still = fmax(2.0 * amplified * r->exact, 0.2 * ended * of->tol * r->fast);
    } else if (
        of->space) /* a slip may turn all the way to its end: it has stopped where nothing is left that is felt */
        r->still = fmax(r->still, ended * of->tol * r->fast);
    r->young = fmax(begun * sqrt(of->tol) * r->fast, 10.0 * r->still);
    for (size_t i = 0; i < r->n; i++) {
        /* as deep as it is pressed alone by the fastest: k x^(1+p) / (1+p) = 1/2 v^2 / W */
        const double energy = 0.5 * r->fast * r->fast / carom_lzb_cone_coupling(r, i, 0, i, 0);
        r->size[i] = carom_power((1.0 + of->p[i]) * energy / of->k[i], 1.0 / (1.0 + of->p[i]));
        r->step = fmin(r->step, first_part * r->size[i] / r->fast);
    }
    if (r->several)
        carom_lzb_several_begin(r);
    turn(r);
    share(r);
}

/* By what a step changes for an error this part of what it was. */
static double factor(const struct carom_lzb_friction *r, double part)
{
    const double power = !r->several ? 0.2 : r->bent ? 0.5 : 1.0 / CAROM_LZB_SEVERAL_ROWS;
    return carom_control_factor(&(struct carom_control){.safety = 0.9, .power = power, .least = 0.2, .most = 4.0},
                                part);
}

/* the longest step that friction in space has use for */
static double reach(struct carom_lzb_friction *r)
{
    if (r->ways == 1)
        return HUGE_VAL;
    carom_lzb_friction_look(r, r->y);
    if (!r->several)
        return carom_lzb_cone_reach(r);
    carom_lzb_several_hold(r);
    return carom_lzb_several_reach(r);
}

/* one step, to where something changes at the latest */
static bool go_on(struct carom_lzb_friction *r)
{
    double h = fmin(r->step, reach(r));
    double error = leap(r, h);
    for (int tries = 0; !(error <= 1.0) && tries < 60; tries++) {
        h *= error < HUGE_VAL ? factor(r, 1.0 / error) : 0.1;
        error = leap(r, h);
    }
    r->stalls = h < DBL_EPSILON * r->size[0] / r->fast ? r->stalls + 1 : 0;
    if (!(error <= 1.0) || r->stalls > STALLS)
        return false;
    r->step = h * factor(r, 1.0 / fmax(error, 1e-10));
    const bool change = beyond(r, r->trial) > 0.0;
    if (change)
        cut(r, h);
    memcpy(r->y, r->trial, NUMBERS * r->n * sizeof *r->y);
    if (change) {
        turn(r);
        r->step = h;
    }
    if (change || r->several)
        share(r);
    return true;
}

static bool is_plain(const struct carom_lzb_friction_problem *of)
{
    return of->n == 1 && !(fmax(of->mu[0], of->mu_static[0]) > 0.0);
}

enum carom_status carom_lzb_friction_solve(struct carom_lzb_friction *r, const struct carom_lzb_friction_problem *of,
                                           struct carom_error *error)
{
    if (is_plain(of)) {
        r->rubs = false;
        carom_lzb_answer_plain(of);
        return CAROM_OK;
    }
    begin(r, of);
    r->error = error;
    const double all = left(r), enough = remains * of->tol * of->tol * all;
    for (int steps = 0; left(r) > enough && !is_jammed(r); steps++) {
        if (steps % PAUSE == PAUSE - 1 && of->collision && carom_striker_stopped(of->collision, error))
            return CAROM_E_STOPPED;
        const bool good = steps < STEPS && go_on(r);
        if (r->told)
            return CAROM_E_STOPPED;
        if (!good)
            return carom_error_set(error, CAROM_E_NUMERIC,
                                   "an impact of %zu contacts along its path %s after %d steps: %s", of->n,
                                   r->several && r->unsolved ? "finds no friction that keeps the law" : "did not end",
                                   steps, of->space ? space_way_out : plane_way_out);
    }
    carom_lzb_answer(r);
    return CAROM_OK;
}
