/* The modes of contacts: what a change costs and where in a step it is, what is lost by it. A contact turns where its a
 * is 0, opens where its x is, and with es = 0 is held where it would expand, with the force that keeps a at 0 (W F = 0
 * there) as long as that is no pull and does not grow: what it stores beyond that force is lost at once. */
#include "impact/lzb_modes.h"

#include <math.h>

#include "base/power.h"
#include "impact/lzb.h"
#include "impact/lzb_step.h"
#include "solve/locate.h"
#include "solve/root.h"

/* of the tolerance in x: what passing a change of mode may cost */
static const double pass = 0.02;

/* of a step: what is as good as its beginning */
static const double at_once = 1e-9;

/* of the tolerance: a contact that has been pressed and let go, again and again perhaps, without being faster than this
 * is held from then on: it changes nothing more, but could go on doing so for ever, under a pressure that balances */
static const double settled = 0.05;

/* of a contact's own part in its deceleration: less is rounding */
static const double faintly = 1e-9;

/* of a contact's largest x: as good as 0 on the way out */
static const double shut = 1e-13;

/* --- changes --------------------------------------------------------------------------------------------- */

static bool lossless(const struct carom_lzb *w, size_t i)
{
    return w->e[i] == 1.0;
}

/* es too small to be told from 0: it holds where others expand, es times the speed is its error */
static bool plastic(const struct carom_lzb *w, size_t i)
{
    return w->e[i] < CAROM_LZB_SMALL && w->options.stiffness == CAROM_LZB_BI;
}

static double rate_out(const struct carom_lzb *w, size_t i)
{
    return w->options.stiffness == CAROM_LZB_MONO ? 1.0 : 1.0 / (w->e[i] * w->e[i]);
}

/* mono: the energy at which the rest is discarded */
static double discard_at(const struct carom_lzb *w, size_t i)
{
    return (1.0 - w->e[i] * w->e[i]) * (w->spent[i] + w->peak[i]);
}

static void become(struct carom_lzb *w, size_t i, enum carom_lzb_mode mode, double r)
{
    w->held += mode == CAROM_LZB_HELD;
    w->held -= w->mode[i] == CAROM_LZB_HELD;
    w->mode[i] = (unsigned char)mode;
    w->active[i] = mode == CAROM_LZB_HELD ? 0.0 : w->k[i];
    w->r[i] = r;
    w->changed = true;
}

/* see `settled`; in rows whose steps are mended for turns these cost little, and need not end */
static bool calm(const struct carom_lzb *w, size_t i)
{
    const bool mended = w->frame->chain && w->options.stiffness == CAROM_LZB_BI && w->e[i] >= CAROM_LZB_STIFF;
    return !mended && w->pace[i] < settled * w->options.impact_tol * w->speed;
}

static void turn_out(struct carom_lzb *w, size_t i)
{
    w->peak[i] = carom_lzb_energy(w, i, w->x[i]);
    if (plastic(w, i) || calm(w, i))
        become(w, i, CAROM_LZB_HELD, 0.0);
    else
        become(w, i, CAROM_LZB_OUT, rate_out(w, i));
    w->pace[i] = 0.0;
}

/* books what has been lost since the last turn */
static void book(struct carom_lzb *w, size_t i)
{
    const double given = w->peak[i] - carom_lzb_energy(w, i, w->x[i]);
    if (w->mode[i] == CAROM_LZB_HELD)
        w->lost[i] += given;
    else if (w->mode[i] == CAROM_LZB_OUT && w->options.stiffness == CAROM_LZB_MONO)
        w->spent[i] += given;
    else if (w->mode[i] == CAROM_LZB_OUT)
        w->lost[i] += (1.0 - w->e[i] * w->e[i]) * given;
}

static void turn_in(struct carom_lzb *w, size_t i)
{
    book(w, i);
    become(w, i, CAROM_LZB_IN, 1.0);
}

/* How long ago contact i opened, whose x has gone on below 0 with its rate since. */
static double since_opening(const struct carom_lzb *w, size_t i)
{
    const double rate = w->r[i] * w->a[i];
    return w->x[i] < 0.0 && rate < 0.0 ? fmin(w->x[i] / rate, w->taken) : 0.0;
}

/* what is still stored is lost */
void carom_lzb_modes_open(struct carom_lzb *w, size_t i)
{
    book(w, i);
    w->ended = fmax(w->ended, w->time - since_opening(w, i));
    w->lost[i] += carom_lzb_energy(w, i, w->x[i]);
    become(w, i, CAROM_LZB_OPEN, 0.0);
    w->x[i] = w->peak[i] = w->spent[i] = 0.0;
}

/* What it costs, as a length of x, that contact i keeps its mode with a beyond 0. */
static double cost_of(const struct carom_lzb *w, size_t i, double speed, double time)
{
    if (w->mode[i] == CAROM_LZB_IN && plastic(w, i))
        return speed / w->speed * w->size[i]; /* of a velocity: what is left of a when it is held stays */
    const bool one = w->mode[i] == CAROM_LZB_OPEN || w->options.stiffness == CAROM_LZB_MONO;
    return 0.5 * (one ? 1.0 : rate_out(w, i) - 1.0) * speed * time;
}

/* How far a of contact i goes to the side of 0 that ends its mode (up: +1, down: -1): what that costs, and where in the
 * step it gets there. */
static double strays(const struct carom_lzb *w, size_t i, double h, double side, double *part)
{
    const struct carom_cubic up = carom_lzb_step_speed(w, i, h);
    const struct carom_cubic a = {{side * up.value[0], side * up.value[1]}, {side * up.slope[0], side * up.slope[1]}};
    const double a0 = a.value[0], s0 = a.slope[0], least = pass * w->tol * w->size[i];
    double top = 1.0, most = a.value[1];
    if (!(most > 0.0)) {
        top = s0 > 0.0 && a.slope[1] < 0.0 ? carom_cubic_highest(&a) : 0.0;
        most = carom_cubic_at(&a, top);
        if (!(top > 0.0 && most > 0.0))
            return 0.0;
    }
    bool above = a0 >= 0.0 && (s0 >= 0.0 || cost_of(w, i, a0, -a0 / s0 * h) > least);
    if (w->mode[i] != CAROM_LZB_OPEN && a0 >= 0.0 && cost_of(w, i, a0, 0.01 * h) <= least)
        above = carom_cubic_at(&a, 0.01) > a0; /* there by rounding, or because a turn was missed a bit */
    *part = above ? 0.0 : carom_locate_on_cubic(&a, top);
    return cost_of(w, i, most, (a.value[1] > 0.0 ? 1.0 - *part : 2.0 * (top - *part)) * h);
}

/* Does contact i pass a change of mode in the trial step by more than it may? Then *part is where it is, 0: its mode
 * ought to have changed at the beginning. */
static bool passes(struct carom_lzb *w, size_t i, double h, double *part)
{
    const bool in = w->mode[i] == CAROM_LZB_IN;
    if (w->mode[i] == CAROM_LZB_HELD || (in && lossless(w, i)))
        return false;
    return strays(w, i, h, in ? -1.0 : 1.0, part) > pass * w->tol * w->size[i] &&
           !(*part > 0.0 && !(in && (plastic(w, i) || calm(w, i))) && carom_lzb_pass_turn(w, i, h, part));
}

/* a contact along the trial step */
struct course {
    const struct carom_lzb *w;
    size_t i;
    double h;
    struct carom_cubic a;
};

static double x_at(void *own, double s)
{
    const struct course *c = own;
    return carom_lzb_step_between(c->w, c->i, c->h, s);
}

static double a_at(void *own, double s)
{
    return carom_cubic_at(&((struct course *)own)->a, s);
}

/* Does contact i open in the trial step, and must that be where a step ends? Its force has a corner there, and if it
 * closes again it does so from 0. */
static bool opens(struct carom_lzb *w, size_t i, double h, double *part)
{
    const bool ends = !(w->new_x[i] > 0.0), turns = w->new_a[i] > 0.0;
    const bool dips = turns && w->a[i] < 0.0; /* a contact that ends may begin at its turn, with a a bit above 0 */
    if (w->r[i] == 0.0 || !(w->x[i] > 0.0) || (!ends && !dips))
        return false;
    const bool small = ends && !turns && carom_power(-w->new_x[i] / w->size[i], 1.0 + w->p[i]) < pass * w->tol;
    if (small && !w->mends)
        return false;
    struct course course = {w, i, h, carom_lzb_step_speed(w, i, h)};
    const struct carom_locate find = {x_at, a_at, &course, 1e-17};
    const struct carom_cubic x = {{w->x[i], w->new_x[i]}, {h * w->r[i] * w->a[i], h * w->r[i] * w->new_a[i]}};
    *part = carom_locate_first(&find, 0.0, 1.0, &x, HUGE_VAL);
    return *part < 1.0 - at_once && !(*part > at_once && carom_lzb_pass_opening(w, i, h, part)) && !small;
}

static bool has_discarded(void *own, double s)
{
    const struct course *c = own;
    return !(carom_lzb_energy(c->w, c->i, x_at(own, s)) > discard_at(c->w, c->i));
}

/* mono: contact i falls below the energy at which the rest is discarded */
static bool discards(const struct carom_lzb *w, size_t i, double h, double *part)
{
    if (w->options.stiffness != CAROM_LZB_MONO || w->mode[i] != CAROM_LZB_OUT || lossless(w, i) ||
        !(carom_lzb_energy(w, i, w->new_x[i]) < discard_at(w, i)))
        return false;
    struct course course = {.w = w, .i = i, .h = h};
    *part = carom_root_switch(has_discarded, &course, 0.0, 1.0, 0.0, 48);
    return *part < 1.0 - at_once;
}

/* d force / dt of all contacts at the beginning or the end of a step; held ones follow the others */
static void find_slopes(struct carom_lzb *w, const double *x, const double *a, const double *force)
{
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++)
            w->slope[i] = w->r[i] > 0.0 && x[i] > 0.0 ? w->p[i] * force[i] / x[i] * w->r[i] * a[i] : 0.0;
    carom_lzb_step_hold(w, w->slope);
}

/* held: the force that holds would pull at the end of the trial step */
static bool lets_go(const struct carom_lzb *w, size_t i, double *part)
{
    const double f0 = w->force[0][i], f1 = w->force[CAROM_LZB_STAGES - 1][i];
    if (w->mode[i] != CAROM_LZB_HELD || !(f1 < -pass * w->tol * w->k[i] * carom_lzb_power(w->size[i], w->p[i])))
        return false;
    *part = f0 > 0.0 ? f0 / (f0 - f1) : 0.0;
    return *part < 1.0 - at_once;
}

/* held: the force that holds, which must not grow, grows again; `rate` has its slope at the beginning */
static bool tightens(const struct carom_lzb *w, size_t i, double h, double *part)
{
    if (w->mode[i] != CAROM_LZB_HELD || !(w->slope[i] > 0.0))
        return false;
    const double before = w->rate[i], after = w->slope[i];
    const double rest = before < -1e-4 * after ? after / (after - before) : 1.0; /* nearly flat: at once */
    *part = 1.0 - rest;
    return 0.5 * after * rest * h > pass * w->tol * w->k[i] * carom_lzb_power(w->size[i], w->p[i]);
}

/* Held contacts store no more than the force that holds them needs. Those whose force would have to be a pull, or more
 * than they store, or grow, are held no longer. */
void carom_lzb_modes_review(struct carom_lzb *w)
{
    find_slopes(w, w->x, w->a, w->force[0]);
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++) {
            const double most = carom_lzb_force(w, i, w->x[i]), force = w->force[0][i];
            w->rate[i] = w->slope[i];
            if (w->mode[i] != CAROM_LZB_HELD)
                continue;
            if (!(force > 1e-14 * most)) {
                carom_lzb_modes_open(w, i);
                return; /* which changes the forces of others */
            }
            if (force > most * (1.0 + 1e-9)) {
                turn_in(w, i);
                return;
            }
            w->x[i] = fmin(w->x[i], carom_power(force / w->k[i], 1.0 / w->p[i]));
            if (w->slope[i] * w->size[i] > 1e-9 * force * w->speed) {
                turn_in(w, i);
                return;
            }
        }
}

/* the next mode of a contact whose mode ends */
void carom_lzb_modes_turn(struct carom_lzb *w, size_t i)
{
    if (w->mode[i] == CAROM_LZB_IN && !(w->x[i] > shut * w->size[i]))
        carom_lzb_modes_open(w, i);
    else if (w->mode[i] == CAROM_LZB_IN)
        turn_out(w, i);
    else
        turn_in(w, i);
}

/* The first change that is passed; 1: none. Contacts whose mode ought to have changed at the beginning change now: then
 * the answer is 0. */
double carom_lzb_modes_first(struct carom_lzb *w, double h)
{
    double first = 1.0, soon = at_once;
    bool changed = false;
    for (int k = 0; k < w->creep && k < 6; k++)
        soon *= 10.0; /* changes that crowd are not told apart for ever */
    w->corners = 0;
    if (w->held > 0)
        find_slopes(w, w->new_x, w->new_a, w->force[CAROM_LZB_STAGES - 1]);
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++) {
            double turns = 1.0, ends = 1.0, part = 1.0;
            if (passes(w, i, h, &part))
                turns = part;
            if (opens(w, i, h, &part) || discards(w, i, h, &part) || lets_go(w, i, &part))
                ends = part;
            if (tightens(w, i, h, &part))
                turns = part;
            if (fmin(turns, ends) > soon) {
                first = fmin(first, fmin(turns, ends));
                continue;
            }
            changed = true;
            if (ends < turns)
                carom_lzb_modes_open(w, i);
            else
                carom_lzb_modes_turn(w, i);
        }
    return changed ? 0.0 : first;
}

/* Is a of contact i as good as 0 on its way through it? A step that was cut short for that may have missed it a bit. */
static bool turns(const struct carom_lzb *w, size_t i)
{
    const double a = fabs(w->a[i]), bend = fabs(w->turned[0][i]);
    if (!(a < 0.01 * w->taken * bend))
        return false;
    if (plastic(w, i))
        return a <= pass * w->tol * w->speed;
    return 0.5 * rate_out(w, i) * a * a <= pass * w->tol * w->size[i] * bend;
}

/* the mode of contact i after a step was taken */
static void change_one(struct carom_lzb *w, size_t i)
{
    const double a = w->a[i];
    switch (w->mode[i]) {
    case CAROM_LZB_OPEN:
        if (a > 0.0 && 0.5 * a * a > w->asleep * w->frame->diagonal[i])
            turn_in(w, i);
        break;
    case CAROM_LZB_IN:
        if (w->x[i] <= shut * w->size[i] && a <= 0.0)
            carom_lzb_modes_open(w, i);
        else if (!lossless(w, i) && (a <= 0.0 || turns(w, i)) &&
                 w->turned[0][i] > faintly * w->frame->diagonal[i] * w->force[0][i])
            turn_out(w, i);
        break;
    case CAROM_LZB_OUT:
        if (w->x[i] <= shut * w->size[i] || (w->options.stiffness == CAROM_LZB_MONO &&
                                             carom_lzb_energy(w, i, w->x[i]) <= discard_at(w, i) * (1.0 + 1e-12)))
            carom_lzb_modes_open(w, i);
        else if ((a >= 0.0 || turns(w, i)) && w->turned[0][i] < 0.0)
            turn_in(w, i);
        break;
    default:
        w->changed = true; /* to be reviewed */
    }
}

void carom_lzb_modes_change(struct carom_lzb *w)
{
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++) {
            w->pace[i] = fmax(w->pace[i], fabs(w->a[i]));
            change_one(w, i);
        }
}
