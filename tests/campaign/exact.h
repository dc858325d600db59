/* Motions of chains to compare runs with, by a way that has nothing in common with scheme dp5: physical variables,
 * Gragg's midpoint rule extrapolated to order 16 in double or quadruple precision, changes of contacts found by
 * stepping again and again to where they are. After each change the time goes like s^2, so that half powers of it are
 * smooth; towards an opening the error control makes the steps as short as they must be.
 * Laws without a memory are k (d^p + gamma d/dt d^b); those with one, as docs/laws.md has them, load and go back along
 * two curves. Include with `real` and its functions defined (real.h). */
#ifndef CAROM_TESTS_CAMPAIGN_EXACT_H
#define CAROM_TESTS_CAMPAIGN_EXACT_H

#include <stdbool.h>
#include <string.h>

#include "campaign/real.h"

enum { EXACT_BEADS = 12, EXACT_CONTACTS = EXACT_BEADS + 1, EXACT_UNKNOWNS = 2 * EXACT_BEADS, EXACT_ROWS = 8 };

enum exact_mode { EXACT_OPEN, EXACT_CLOSED, EXACT_CUT, EXACT_BACK }; /* back: along the second curve */

enum exact_law { EXACT_VISCOUS, EXACT_BISTIFF, EXACT_WALTON_BRAUN };

enum exact_shape { EXACT_NONE, EXACT_CONSTANT, EXACT_STEP, EXACT_RAMP, EXACT_HALF_SINE, EXACT_SINE };

/* as docs/loads.md has them; duration 0 is for ever */
struct exact_signal {
    enum exact_shape shape;
    double amplitude, start, duration, frequency, phase;
};

struct exact_contact {
    enum exact_law law;
    double k, p, gamma, b, gap;
    double back;            /* how many times stiffer the second curve is */
    bool by_force, latches; /* latches: what force has ended stays so until the gap opens */
    real dent;              /* overlap at which the force vanishes */
    int left, right;        /* beads; -1: a wall */
    enum exact_mode mode;
};

struct exact {
    int n, nc;
    double mass[EXACT_BEADS], spring[EXACT_BEADS], damping[EXACT_BEADS];
    double string[EXACT_BEADS], string_gravity, gravity; /* string 0: none */
    bool large;                                          /* angles of strings */
    struct exact_contact contact[EXACT_CONTACTS];
    struct exact_signal force[EXACT_BEADS], wall[2];
    double length, speed; /* scales of errors */
    double pace;          /* of the steps: 1, or less to see whether that makes a difference */
    real origin, s, h;    /* t = origin + s^2; the next step in s */
    real y[EXACT_UNKNOWNS];
    long steps, most; /* it gives up after so many */
};

static real signal_at(const struct exact_signal *f, real t, real *rate)
{
    *rate = 0;
    if (f->shape == EXACT_NONE)
        return 0;
    const real since = t - (real)f->start, pi = 4 * real_atan(1), amplitude = (real)f->amplitude;
    const real omega = 2 * pi * (real)f->frequency;
    if (f->shape == EXACT_CONSTANT)
        return amplitude;
    if (since < 0 || (f->shape != EXACT_RAMP && f->duration > 0 && since > (real)f->duration))
        return 0;
    if (f->shape == EXACT_STEP)
        return amplitude;
    if (f->shape == EXACT_SINE) {
        *rate = amplitude * omega * real_cos(omega * since + (real)f->phase);
        return amplitude * real_sin(omega * since + (real)f->phase);
    }
    const real part = since / (real)f->duration;
    if (f->shape == EXACT_RAMP) {
        *rate = part < 1 ? amplitude / (real)f->duration : 0;
        return part < 1 ? amplitude * part : amplitude;
    }
    *rate = amplitude * pi / (real)f->duration * real_cos(pi * part);
    return amplitude * real_sin(pi * part);
}

/* overlap and its rate */
static real overlap(const struct exact *c, const struct exact_contact *j, real t, const real *y, real *rate)
{
    real left_rate, right_rate;
    const real left = j->left < 0 ? signal_at(&c->wall[0], t, &left_rate) : y[j->left];
    const real right = j->right < 0 ? signal_at(&c->wall[1], t, &right_rate) : y[j->right];
    if (j->left >= 0)
        left_rate = y[c->n + j->left];
    if (j->right >= 0)
        right_rate = y[c->n + j->right];
    *rate = left_rate - right_rate;
    return left - right - (real)j->gap;
}

/* the force of a contact in touch; a little beyond touch its mirror image, which dashpots need to be smooth */
static real force_of(const struct exact_contact *j, real d, real rate)
{
    const real past = d - (j->law == EXACT_BISTIFF || j->mode == EXACT_BACK ? j->dent : 0);
    const real size = past < 0 ? -past : past, steeper = j->mode == EXACT_BACK ? (real)j->back : 1;
    const real elastic = real_power(j->law == EXACT_BISTIFF ? steeper * size : size, j->p);
    if (j->law != EXACT_VISCOUS)
        return (real)j->k * (past < 0 ? -elastic : elastic) * (j->law == EXACT_WALTON_BRAUN ? steeper : 1);
    const real drag = j->gamma > 0.0 ? (real)j->gamma * (real)j->b * real_power(size, j->b - 1.0) : 0;
    return (real)j->k * ((d < 0 ? -elastic : elastic) + drag * rate);
}

/* dy/ds */
static void exact_rates(const struct exact *c, real s, const real *y, real *out)
{
    const real t = c->origin + s * s;
    real rate;
    for (int i = 0; i < c->n; i++) {
        real f = signal_at(&c->force[i], t, &rate) - (real)c->spring[i] * y[i] - (real)c->damping[i] * y[c->n + i];
        if (c->string[i] > 0.0)
            f -= (real)c->mass[i] * (real)c->string_gravity *
                 (c->large ? real_sin(y[i] / (real)c->string[i]) : y[i] / (real)c->string[i]);
        out[i] = y[c->n + i];
        out[c->n + i] = f + (real)c->mass[i] * (real)c->gravity;
    }
    for (int k = 0; k < c->nc; k++) {
        const struct exact_contact *j = &c->contact[k];
        if (j->mode != EXACT_CLOSED && j->mode != EXACT_BACK)
            continue;
        const real d = overlap(c, j, t, y, &rate), f = force_of(j, d, rate);
        if (j->left >= 0)
            out[c->n + j->left] -= f;
        if (j->right >= 0)
            out[c->n + j->right] += f;
    }
    for (int i = 0; i < c->n; i++) {
        out[i] *= 2 * s;
        out[c->n + i] *= 2 * s / (real)c->mass[i];
    }
}

static void exact_midpoint(const struct exact *c, real h, const real *first, int parts, real *rise)
{
    real before[EXACT_UNKNOWNS] = {0}, now[EXACT_UNKNOWNS], state[EXACT_UNKNOWNS], rate[EXACT_UNKNOWNS];
    const real part = h / parts;
    const int size = 2 * c->n;
    for (int i = 0; i < size; i++)
        now[i] = part * first[i];
    for (int k = 1;; k++) {
        for (int i = 0; i < size; i++)
            state[i] = c->y[i] + now[i];
        exact_rates(c, c->s + k * part, state, rate);
        if (k == parts)
            break;
        for (int i = 0; i < size; i++) {
            const real next = before[i] + 2 * part * rate[i];
            before[i] = now[i];
            now[i] = next;
        }
    }
    for (int i = 0; i < size; i++)
        rise[i] = (before[i] + now[i] + part * rate[i]) / 2;
}

/* A step of h in s; returns its error over what is allowed. */
static real exact_try(const struct exact *c, real h, real *after)
{
    real table[EXACT_ROWS][EXACT_UNKNOWNS], first[EXACT_UNKNOWNS], last[EXACT_UNKNOWNS], worst = 0;
    exact_rates(c, c->s, c->y, first);
    for (int row = 0; row < EXACT_ROWS; row++) {
        exact_midpoint(c, h, first, 2 * (row + 1), table[row]);
        memcpy(last, table[0], sizeof last);
        for (int k = row - 1; k >= 0; k--) {
            const real ratio = (real)(row + 1) / (k + 1), weight = 1 / (ratio * ratio - 1);
            for (int i = 0; i < 2 * c->n; i++)
                table[k][i] = table[k + 1][i] + (table[k + 1][i] - table[k][i]) * weight;
        }
    }
    for (int i = 0; i < 2 * c->n; i++) {
        const real error =
            real_size(table[0][i] - last[i]) / (REAL_ALLOWED * (real)(c->pace * (i < c->n ? c->length : c->speed)));
        if (!(error <= worst))
            worst = error;
        after[i] = c->y[i] + table[0][i];
    }
    return worst;
}

static real now(const struct exact *c)
{
    return c->origin + c->s * c->s;
}

/* --- changes of contacts ------------------------------------------------------------------------------------- */

/* what must not be below 0 as long as a contact is in its mode: overlap beyond touch, or its reverse; force, or its
 * reverse; rate, or its reverse; overlap short of where it yields; overlap beyond the gap */
enum exact_watched { EXACT_NOTHING, EXACT_TOUCH, EXACT_FORCE, EXACT_RATE, EXACT_YIELD, EXACT_GAP };

static bool ends_by_force(const struct exact_contact *k)
{
    return k->by_force && k->gamma > 0.0;
}

/* the two things to watch of a contact in its mode */
static void watches(const struct exact_contact *k, enum exact_watched what[2])
{
    const bool open = k->mode == EXACT_OPEN, back = k->mode == EXACT_BACK;
    const bool latched = k->mode == EXACT_CUT && k->latches;
    what[0] = !open && !latched && ends_by_force(k) ? EXACT_FORCE : EXACT_TOUCH;
    what[1] = EXACT_NOTHING;
    if (k->law == EXACT_BISTIFF && !open)
        what[1] = EXACT_RATE;
    if (k->law == EXACT_WALTON_BRAUN)
        what[1] = k->mode == EXACT_CLOSED ? EXACT_RATE : back ? EXACT_YIELD : k->dent > 0 ? EXACT_GAP : EXACT_NOTHING;
}

static real watched(const struct exact *c, int j, enum exact_watched what, real s, const real *y)
{
    const struct exact_contact *k = &c->contact[j];
    real rate;
    const real d = overlap(c, k, c->origin + s * s, y, &rate);
    const real past = k->law == EXACT_WALTON_BRAUN && k->mode == EXACT_CLOSED ? d : d - k->dent;
    switch (what) {
    case EXACT_TOUCH:
        return k->mode == EXACT_OPEN ? -past : past;
    case EXACT_FORCE:
        return k->mode == EXACT_CUT ? -force_of(k, d, rate) : force_of(k, d, rate);
    case EXACT_RATE:
        return k->mode == EXACT_BACK ? -rate : rate;
    case EXACT_YIELD:
        return k->dent - (1 - 1 / (real)k->back) * d;
    case EXACT_GAP:
        return d;
    default:
        return 1;
    }
}

/* below this an overlap is rounding */
static real noise_of(const struct exact *c, const struct exact_contact *j, const real *y)
{
    const real left = j->left < 0 ? 0 : real_size(y[j->left]), right = j->right < 0 ? 0 : real_size(y[j->right]);
    return 8 * REAL_EPSILON * (left + right + (real)j->gap + (real)c->length);
}

/* the same of what is watched */
static real noise_in(const struct exact *c, const struct exact_contact *j, enum exact_watched what, const real *y)
{
    const real noise = noise_of(c, j, y);
    return what == EXACT_FORCE  ? real_size(force_of(j, noise, 0))
           : what == EXACT_RATE ? noise * (real)(c->speed / c->length)
                                : noise;
}

/* Has contact j left its mode after a step to y, at s? And which number tells where? */
static bool has_changed(const struct exact *c, int j, real s, const real *y, enum exact_watched *what)
{
    const struct exact_contact *k = &c->contact[j];
    enum exact_watched both[2];
    real rate;
    if (k->mode == EXACT_CUT && (k->latches || !(overlap(c, k, c->origin + s * s, y, &rate) > noise_of(c, k, y))))
        return false; /* it is open soon */
    watches(k, both);
    for (int i = 0; i < 2; i++) {
        *what = both[i];
        if (watched(c, j, both[i], s, y) < -noise_in(c, k, both[i], y))
            return true;
    }
    return false;
}

/* May an open contact have been closed between the ends of a step, or a closed one open? By the tangents at them. */
static bool may_graze(const struct exact *c, int j, real h, const real *after)
{
    const struct exact_contact *k = &c->contact[j];
    const real s1 = c->s + h, sign = k->mode == EXACT_OPEN ? 1 : -1;
    real rate0, rate1;
    if (k->mode != EXACT_OPEN && (k->mode != EXACT_CLOSED || ends_by_force(k) || k->law != EXACT_VISCOUS))
        return false; /* see may_turn */
    const real d0 = sign * (overlap(c, k, c->origin + c->s * c->s, c->y, &rate0) - k->dent);
    const real d1 = sign * (overlap(c, k, c->origin + s1 * s1, after, &rate1) - k->dent);
    const real t = s1 * s1 - c->s * c->s;
    return sign * rate0 > 0 && sign * rate1 < 0 && d0 + sign * rate0 * t / 2 > 0 && d1 - sign * rate1 * t / 2 > 0 &&
           t * sign * (rate0 - rate1) > 1000 * noise_of(c, k, after);
}

/* May what is watched of a contact have been below 0 between the ends of a step, or two of them at its end? By the
 * parabola through the ends and the middle. */
static bool may_turn(const struct exact *c, int j, real h, const real *after, const real *middle)
{
    const struct exact_contact *k = &c->contact[j];
    enum exact_watched both[2];
    int left = 0;
    watches(k, both);
    for (int i = 0; i < 2; i++) {
        const real f0 = watched(c, j, both[i], c->s, c->y), f1 = watched(c, j, both[i], c->s + h / 2, middle),
                   f2 = watched(c, j, both[i], c->s + h, after), noise = noise_in(c, k, both[i], after);
        const real bend = 2 * (f0 - 2 * f1 + f2), rise = 4 * f1 - 3 * f0 - f2;
        left += f2 < -noise ? 1 : 0;
        if (f0 > 0 && f2 > 0 && bend > 0 && rise < 0 && -rise < 2 * bend && f0 + f2 > 1000 * noise &&
            f0 - rise * rise / (4 * bend) < (f0 < f2 ? f0 : f2) / 2)
            return true;
    }
    return left == 2;
}

/* may any contact be passed over by a step? */
static bool may_pass(const struct exact *c, real h, const real *after)
{
    real middle[EXACT_UNKNOWNS];
    bool found = false, turns[EXACT_CONTACTS], any = false;
    for (int j = 0; j < c->nc; j++) {
        const struct exact_contact *k = &c->contact[j];
        found = found || may_graze(c, j, h, after);
        turns[j] = k->mode == EXACT_OPEN ? k->dent > 0 : ends_by_force(k) || k->law != EXACT_VISCOUS;
        any = any || turns[j];
    }
    if (found || !any)
        return found;
    exact_try(c, h / 2, middle);
    for (int j = 0; j < c->nc && !found; j++)
        found = turns[j] && may_turn(c, j, h, after, middle);
    return found;
}

/* the step between 0 and h after which what is watched is 0, by false position with the Illinois weights; 0 if it
 * goes off right at the start, below 0 if it has turned back in between */
static real exact_locate(const struct exact *c, int j, enum exact_watched what, real h)
{
    real after[EXACT_UNKNOWNS], low = 0, high = h, at = h;
    exact_try(c, high, after);
    real f_low = watched(c, j, what, c->s, c->y), f_high = watched(c, j, what, c->s + h, after);
    if ((f_low > 0) == (f_high > 0)) {
        const struct exact_contact *k = &c->contact[j];
        real rate;
        overlap(c, k, now(c), c->y, &rate);
        return what == EXACT_RATE || (what == EXACT_TOUCH && (rate > 0) == (k->mode == EXACT_OPEN)) ? 0 : -1;
    }
    for (int i = 0; i < 100 && high - low > 4 * REAL_EPSILON * (c->s + h); i++) {
        at = (low * f_high - high * f_low) / (f_high - f_low);
        exact_try(c, at, after);
        const real f = watched(c, j, what, c->s + at, after);
        if (f == 0)
            break;
        if ((f > 0) == (f_high > 0)) {
            high = at;
            f_high = f;
            f_low /= 2;
        } else {
            low = at;
            f_low = f;
            f_high /= 2;
        }
    }
    return at;
}

static void restart(struct exact *c)
{
    c->origin += c->s * c->s;
    c->s = 0;
    c->h = real_root((real)(0.01 * c->pace * c->length / c->speed));
}

/* one with a memory; d is its overlap */
static void change_curve(struct exact_contact *k, enum exact_watched what, real d)
{
    const bool bistiff = k->law == EXACT_BISTIFF;
    const real back = (real)k->back;
    if (what == EXACT_GAP) {
        k->dent = 0;
    } else if (what == EXACT_TOUCH) {
        k->mode = k->mode != EXACT_OPEN ? EXACT_OPEN : !bistiff && k->dent > 0 ? EXACT_BACK : EXACT_CLOSED;
    } else if (k->mode == EXACT_CLOSED) {
        k->dent = bistiff ? d - (d - k->dent) / back : (1 - 1 / back) * (d > 0 ? d : 0);
        k->mode = EXACT_BACK;
    } else {
        const real centre = d - back * (d - k->dent);
        k->dent = bistiff ? centre > 0 ? centre : 0 : k->dent;
        k->mode = EXACT_CLOSED;
    }
}

static void change(struct exact *c, int j, enum exact_watched what)
{
    struct exact_contact *k = &c->contact[j];
    real rate;
    if (k->law != EXACT_VISCOUS)
        change_curve(k, what, overlap(c, k, now(c), c->y, &rate));
    else if (what == EXACT_TOUCH)
        k->mode = k->mode == EXACT_OPEN ? EXACT_CLOSED : EXACT_OPEN;
    else
        k->mode = k->mode == EXACT_CUT ? EXACT_CLOSED : EXACT_CUT;
}

/* A step in s no longer than a part of what signals do: they may move walls to and fro unseen. */
static real exact_limit(const struct exact *c, real h)
{
    real longest = -1;
    for (int i = 0; i < c->n + 2; i++) {
        const struct exact_signal *f = i < c->n ? &c->force[i] : &c->wall[i - c->n];
        const real time = f->shape == EXACT_SINE ? (real)(0.1 / f->frequency) : (real)(0.2 * f->duration);
        if (f->shape >= EXACT_RAMP && (longest < 0 || time < longest))
            longest = time;
    }
    const real most = longest < 0 ? h : real_root(c->s * c->s + longest) - c->s;
    return h < most ? h : most;
}

/* One step, not beyond `end`, to the first change of a contact in it. False if it cannot go on. */
static bool exact_step(struct exact *c, real end)
{
    real after[EXACT_UNKNOWNS];
    const real left = real_root(end - c->origin) - c->s, wish = exact_limit(c, c->h), h = wish < left ? wish : left;
    const real shortest = (real)1e-7 * real_root((real)(c->length / c->speed));
    if (++c->steps > c->most || !(h > 0))
        return false;
    real wrong = exact_try(c, h, after), at = h;
    if (!(wrong <= 1) || (h > shortest && may_pass(c, h, after))) {
        const real factor = wrong <= 1 ? (real)0.5 : real_power(1 / wrong, 1.0 / (2 * EXACT_ROWS - 1)) * 9 / 10;
        c->h = h * (factor > (real)0.1 ? factor < (real)0.5 ? factor : (real)0.5 : (real)0.1);
        return true;
    }
    int first = -1;
    enum exact_watched what, found = EXACT_TOUCH;
    for (int j = 0; j < c->nc; j++)
        if (has_changed(c, j, c->s + h, after, &what)) {
            real place = exact_locate(c, j, what, h);
            if (place < 0 && h > shortest) {
                c->h = h / 2;
                return true;
            }
            place = place < 0 ? 0 : place;
            if (first < 0 || place < at) {
                at = place;
                first = j;
                found = what;
            }
        }
    if (first >= 0)
        exact_try(c, at, after);
    c->s += at;
    memcpy(c->y, after, sizeof after);
    const real grown = real_power(1 / (wrong > (real)1e-15 ? wrong : (real)1e-15), 1.0 / (2 * EXACT_ROWS - 1)) * 9 / 10;
    if (h == wish || grown < 1)
        c->h = h * (grown < 3 ? grown : 3);
    for (int j = 0; j < c->nc; j++) {
        real rate;
        struct exact_contact *k = &c->contact[j];
        if (k->mode == EXACT_CUT && !(overlap(c, k, c->origin + c->s * c->s, c->y, &rate) > 0))
            k->mode = EXACT_OPEN;
    }
    if (first >= 0) {
        change(c, first, found);
        restart(c);
    }
    return true;
}

/* the next moment after t at which a signal breaks, or `end`; less than `tiny` is no time */
static real next_break(const struct exact *c, real t, real tiny, real end)
{
    for (int i = 0; i < c->n + 2; i++) {
        const struct exact_signal *f = i < c->n ? &c->force[i] : &c->wall[i - c->n];
        const real at[2] = {(real)f->start, (real)(f->start + f->duration)};
        for (int k = 0; k < 2 && f->shape > EXACT_CONSTANT; k++)
            if (at[k] > t + tiny && at[k] < end)
                end = at[k];
    }
    return end;
}

/* Contacts at the start: in touch is closed, unless they move apart, or unless force has ended them. */
static void exact_start(struct exact *c)
{
    for (int j = 0; j < c->nc; j++) {
        struct exact_contact *k = &c->contact[j];
        real rate;
        const real d = overlap(c, k, 0, c->y, &rate);
        k->mode = d > 0 || (!(d < 0) && rate >= 0) ? EXACT_CLOSED : EXACT_OPEN;
        if (d > 0 && k->by_force && force_of(k, d, rate) < 0)
            k->mode = EXACT_CUT;
    }
    c->origin = c->s = 0;
    c->steps = 0;
    restart(c);
}

/* On to time t; false if it cannot. */
static bool exact_to(struct exact *c, double t)
{
    const real tiny = 8 * REAL_EPSILON * (real)t;
    while ((real)t - now(c) > tiny) {
        const real end = next_break(c, now(c), tiny, (real)t);
        if (!exact_step(c, end))
            return false;
        if (end < (real)t && end - now(c) <= tiny)
            restart(c);
    }
    return true;
}

#endif
