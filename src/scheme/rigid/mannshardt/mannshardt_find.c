/* Events in flights of scheme mannshardt. Gaps that close, and dips of gaps, are seen by eight looks at a polynomial
 * through the ends of the flight; a dip that the polynomial cannot be trusted with is looked at on the motion itself.
 * The moment is then found on the motion, flown again with other lengths: Newton's method, dichotomy as safeguard. It
 * need not be found exactly: a flight that ends a bracket's length before it is good enough, and the bracket is laid
 * around the moment (Acary 2009, equation (27)). */
#include <float.h>
#include <string.h>

#include "model/beads/loads.h"
#include "scheme/rigid/mannshardt/mannshardt.h"

enum { LOOKS = 8, TURNS = 80 };

/* a flight being searched */
struct search {
    struct carom_stepper *stepper;
    struct carom_mannshardt *m;
    const double *mode;
    double time, h;
    size_t contact;
    const double *fine; /* nc: gaps of small bounces, kept by themselves; -1: as q says */
    double allowed;     /* what a step may err */
    bool whole;         /* s->end is still the end of the flight of length h */
};

/* the time `after` the start; the last moment of the flight belongs to it, though drives may break there */
static double moment_of(const struct search *f, double after)
{
    return fmin(f->time + after, carom_loads_within(f->time, f->time + f->h));
}

static double rate_of(const struct search *f, double after, const double *y, size_t j, double *deform)
{
    const struct carom_model *model = f->stepper->model;
    double closing;
    carom_contacts_deform_some(model, j, j + 1, moment_of(f, after), y, y + model->nq, deform, &closing);
    return -closing;
}

/* Is contact j so soon after its impact that its gap is better told by its rate than by q, where it is lost in
 * rounding? */
static bool small(const struct search *f, double after, size_t j)
{
    return f->fine[j] >= 0.0 && f->whole && after * f->m->event.speed < 1e-3 * f->m->event.length;
}

/* gap and rate of one contact in y at `after` the start */
static double gap_of(const struct search *f, double after, const double *y, size_t j, double *rate)
{
    double deform;
    *rate = rate_of(f, after, y, j, &deform);
    if (!small(f, after, j))
        return -deform - f->m->zero[j];
    carom_mannshardt_move_between(f->stepper, f->h, 0.5 * after / f->h, false);
    const double middle = rate_of(f, 0.5 * after, f->m->event.smooth.look, j, &deform);
    return f->fine[j] + after / 6.0 * (f->m->begin[j] + 4.0 * middle + *rate) - f->m->zero[j]; /* Simpson */
}

/* on the polynomial, at part s of the flight */
static double gap_near(const struct search *f, double s, double *rate)
{
    carom_mannshardt_move_between(f->stepper, f->h, s, false);
    return gap_of(f, s * f->h, f->m->event.smooth.look, f->contact, rate);
}

/* on the motion: the flight is flown again, into y */
static double gap_true(const struct search *f, double after, double *y, double *rate)
{
    carom_mannshardt_move_fly(f->stepper, f->m->order, after, y, false);
    return gap_of(f, after, y, f->contact, rate);
}

/* what rounding makes of the gap at `after` */
static double noise_of(const struct search *f, double after, size_t j)
{
    return (small(f, after, j) ? CAROM_MANNSHARDT_FINER : 1.0) *
           carom_event_noise(&f->m->event, f->m->event.smooth.start, j);
}

/* --- on the polynomial ------------------------------------------------------------------------------------------- */

/* where the rate (or, if `gap`, the gap) goes through 0 between a and b, where it has different signs */
static double root(const struct search *f, double a, double b, bool gap)
{
    double rate, value = gap_near(f, a, &rate);
    const bool positive = gap ? value > 0.0 : rate > 0.0;
    for (int i = 0; i < TURNS && b - a > 1e-13 * b; i++) {
        double middle = 0.5 * (a + b);
        if (gap && rate < 0.0 && a - value / (rate * f->h) > a && a - value / (rate * f->h) < b)
            middle = fmin(a - value / (rate * f->h) * (1.0 + 1e-9), 0.5 * (middle + b)); /* Newton's, a little beyond */
        double turn;
        const double there = gap_near(f, middle, &turn);
        if ((gap ? there > 0.0 : turn > 0.0) == positive) {
            a = middle;
            value = there;
            rate = turn;
        } else {
            b = middle;
        }
    }
    return b;
}

/* a gap that began at 0 is closed at b: the last place before it came back where it was open; 0: nowhere */
static double opened(const struct search *f, double b, double rate)
{
    double turn;
    if (rate > 0.0) { /* up and down again: its top */
        gap_near(f, b, &turn);
        const double top = turn < 0.0 ? root(f, 0.0, b, false) : b;
        if (gap_near(f, top, &turn) > 0.0)
            return top;
    }
    for (double a = 0.5 * b; a > 1e-9 * b; a *= 0.5)
        if (gap_near(f, a, &turn) > noise_of(f, a * f->h, f->contact))
            return a;
    return 0.0;
}

/* is the gap below 0 somewhere near part s, where the polynomial has its dip? Looked at on the motion */
static bool dips(const struct search *f, double a, double b, double *s)
{
    double rate;
    for (int i = 0; i < 3; i++) {
        const double gap = gap_true(f, *s * f->h, f->m->other, &rate);
        if (gap < -noise_of(f, *s * f->h, f->contact))
            return true;
        double early, late;
        gap_near(f, a, &early);
        gap_near(f, b, &late);
        const double bend = (late - early) / (b - a), next = bend > 0.0 ? *s - rate / bend : *s;
        if (!(next > a && next < b) || fabs(next - *s) < 1e-4 * (b - a))
            break;
        *s = next;
    }
    return false;
}

/* the closing between looks a and b, whose gaps and rates are given; 2: none. `low` is a place before it where the gap
 * is open */
static double closing(const struct search *f, double a, double b, const double gap[2], const double rate[2],
                      double *low)
{
    const double noise = noise_of(f, b * f->h, f->contact);
    *low = a;
    if (gap[1] < -noise) {
        if (!(gap[0] > 0.0)) {
            *low = a == 0.0 ? opened(f, b, rate[0]) : a;
            if (!(*low > a) && rate[0] < -carom_event_slow(&f->m->event))
                return a;
            if (!(*low > a)) /* at rest, pressed from now on: it closes where that shows, so that time goes on */
                f->m->zero[f->contact] -= 2.0 * noise;
        }
        return *low < b ? root(f, *low, b, true) : b;
    }
    if (!(rate[0] < 0.0 && rate[1] > 0.0) || !(fmin(gap[0], gap[1]) > 0.0))
        return 2.0;
    double turn, lowest = root(f, a, b, false);
    const double deep = gap_near(f, lowest, &turn);
    if (deep < -noise && deep < -f->m->doubt[f->contact])
        return root(f, a, lowest, true);
    if (deep > f->m->doubt[f->contact] || !dips(f, a, b, &lowest))
        return 2.0;
    return lowest;
}

/* The same of a gap that has just opened and is open at b: it may have come back and gone again, where what pressed it
 * has let go. */
static double closing_early(const struct search *f, double b, double gap, double rate, double *low)
{
    static const double early[] = {0.02, 0.08, 0.25, 0.6};
    for (size_t i = 0; i < sizeof early / sizeof *early; i++) {
        double turn;
        const double s = early[i] * b, there = gap_near(f, s, &turn);
        if (there < -noise_of(f, s * f->h, f->contact))
            return closing(f, 0.0, s, (double[]){gap, there}, (double[]){rate, turn}, low);
    }
    return 2.0;
}

/* how far the polynomial may be off, from one of lower degree */
static void doubt_all(const struct search *f)
{
    struct carom_mannshardt *m = f->m;
    const size_t nc = f->stepper->model->nc;
    double *better = m->event.smooth.gap[2];
    for (int coarse = 0; coarse < 2; coarse++) {
        carom_mannshardt_move_between(f->stepper, f->h, 0.5, coarse == 1);
        carom_contacts_deform(f->stepper->model, f->time + 0.5 * f->h, m->event.smooth.look, NULL,
                              coarse ? m->doubt : better, NULL);
    }
    for (size_t j = 0; j < nc; j++) {
        m->doubt[j] = (m->flat ? 0.1 : 1.0) * fabs(m->doubt[j] - better[j]);
        m->doubt[j] = m->doubt[j] > 2.0 * noise_of(f, f->h, j) ? m->doubt[j] : 0.0;
    }
}

static void look_around(const struct search *f, double s, double *gap, double *rate)
{
    const struct carom_model *model = f->stepper->model;
    const double *y = f->m->event.smooth.start;
    if (s > 0.0) {
        carom_mannshardt_move_between(f->stepper, f->h, s, false);
        y = f->m->event.smooth.look;
    }
    carom_contacts_deform(model, moment_of(f, s * f->h), y, y + model->nq, gap, rate);
    for (size_t j = 0; j < model->nc; j++) {
        gap[j] = -gap[j] - (s > 0.0 ? f->m->zero[j] : 0.0);
        rate[j] = -rate[j];
        gap[j] = !(s > 0.0) && f->fine[j] >= 0.0 ? f->fine[j] : gap[j];
    }
    for (size_t j = 0; s > 0.0 && j < model->nc; j++) /* between is looked at anew for each of them */
        if (small(f, s * f->h, j)) {
            carom_mannshardt_move_between(f->stepper, f->h, s, false);
            gap[j] = gap_of(f, s * f->h, f->m->event.smooth.look, j, &rate[j]);
        }
}

/* gaps at the start, and where they count from; of contact `but` a little lower, so that it does not close there */
static void begin_gaps(const struct search *f, size_t but, double lower)
{
    struct carom_mannshardt *m = f->m;
    struct carom_event_smooth *s = &m->event.smooth;
    look_around(f, 0.0, s->gap[0], s->rate[0]);
    memcpy(m->begin, s->rate[0], f->stepper->model->nc * sizeof(double));
    for (size_t j = 0; j < f->stepper->model->nc; j++) {
        m->zero[j] = (s->gap[0][j] < 0.0 ? s->gap[0][j] : 0.0) - (j == but ? lower : 0.0);
        s->gap[0][j] -= m->zero[j];
    }
}

/* the first closing seen on the polynomial, at part s; 2: none. Gaps at the start are in slot 0 */
static double first_closing(struct search *f, size_t *contact, double *low)
{
    struct carom_mannshardt *m = f->m;
    struct carom_event_smooth *s = &m->event.smooth;
    const size_t nc = f->stepper->model->nc;
    double best = 2.0, *gap[2] = {s->gap[0], s->gap[1]}, *rate[2] = {s->rate[0], s->rate[1]};
    doubt_all(f);
    for (int look = 1; look <= LOOKS && best > 1.0; look++) {
        const double a = (look - 1.0) / LOOKS, b = (double)look / LOOKS;
        look_around(f, b, gap[1], rate[1]);
        for (size_t j = 0; j < nc; j++) {
            const bool may = gap[1][j] < 0.0 || (rate[0][j] < 0.0 && rate[1][j] > 0.0);
            const bool fresh = look == 1 && f->mode[j] == CAROM_EVENT_TOUCH;
            if (f->mode[j] == CAROM_EVENT_HELD || !(may || fresh))
                continue;
            const double g[2] = {gap[0][j], gap[1][j]}, r[2] = {rate[0][j], rate[1][j]};
            double from = a;
            f->contact = j;
            const double at = may ? closing(f, a, b, g, r, &from) : closing_early(f, b, g[0], r[0], &from);
            if (at < best) {
                best = at;
                *contact = j;
                *low = from;
            }
        }
        for (int i = 0; i < 2; i++) {
            double **pair = i ? rate : gap, *const hold = pair[0];
            pair[0] = pair[1];
            pair[1] = hold;
        }
    }
    return best;
}

/* --- on the motion ----------------------------------------------------------------------------------------------- */

/* the second derivative of the gap at part s, by the polynomial */
static double bend_near(const struct search *f, double s)
{
    const double d = 0.01, from = s > d ? s - d : 0.0, to = from + 2.0 * d < 1.0 ? from + 2.0 * d : 1.0;
    double early, late;
    gap_near(f, from, &early);
    gap_near(f, to, &late);
    return (late - early) / ((to - from) * f->h);
}

/* how long until a gap with this rate and bend is 0, negative if it has been; HUGE_VAL: it does not close */
static double time_to(double gap, double rate, double bend)
{
    const double square = rate * rate - 2.0 * bend * gap;
    return rate < 0.0 && square > 0.0 ? 2.0 * gap / (sqrt(square) - rate) : rate < 0.0 ? gap / -rate : HUGE_VAL;
}

/* How far before the moment a flight may end and be moved on by its last acceleration alone, for next to nothing of
 * what a step may err; 0: not at all. The stages of the last flight tell how fast accelerations change. */
static double nudge_most(const struct search *f, double guess)
{
    const double part = 0.01, share = 0.01; /* of what a step may err; of the flight */
    const struct carom_mannshardt *m = f->m;
    const struct carom_event_smooth *s = &m->event.smooth;
    const size_t nq = f->stepper->model->nq, nv = f->stepper->model->nv;
    double change = 0.0;
    if (m->fixed || !m->flat || m->options->method != CAROM_MANNSHARDT_EXPLICIT)
        return 0.0;
    for (int i = 1; i < carom_mannshardt_move_stages(m, m->order); i++)
        for (size_t c = nq; c < nq + nv; c++)
            change = fmax(change, fabs(m->k[i][c] - m->k[0][c]));
    const double most = part * f->allowed * m->event.speed * (s->to - s->from), square = share * guess * share * guess;
    return most < 2.0 * change * square ? sqrt(most / (2.0 * change)) : share * guess;
}

/* Energies at y, to where it was moved on by dt with its slope `here`, by powers at both ends: forces that are even
 * limit no nudge, but their power changes with the velocity. */
static void mend_energies(const struct search *f, double t, double dt, const double *here, double *y)
{
    struct carom_mannshardt *m = f->m;
    const size_t first = f->stepper->model->nq + f->stepper->model->nv;
    bool any = false;
    for (size_t c = first; c < m->ny; c++)
        any |= here[c] != 0.0;
    if (!any)
        return;
    carom_event_smooth_rates(f->stepper, t, y, m->other);
    for (size_t c = first; c < m->ny; c++)
        y[c] += 0.5 * dt * (m->other[c] - here[c]);
}

/* Moves y, the end of a flight of length x whose slope it takes, on to where the gap is 0, about dt and at most `most`
 * later, by Newton's method. How far that was; 0: there is no such place. */
static double nudge(const struct search *f, double x, double dt, double most, double *y)
{
    enum { NUDGES = 8 };
    struct carom_mannshardt *m = f->m;
    const size_t nq = f->stepper->model->nq, bytes = m->ny * sizeof(double);
    double *slope = m->k[carom_mannshardt_move_stages(m, m->order)], *here = m->event.smooth.slope, rate;
    memcpy(m->other, slope, bytes); /* gaps are looked for on the polynomial of the whole flight */
    carom_mannshardt_move_end(f->stepper, m->order, x, y);
    memcpy(here, slope, bytes);
    memcpy(slope, m->other, bytes);
    memcpy(m->other, y, bytes);
    for (int i = 0; i < NUDGES && dt > 0.0 && dt <= most; i++) {
        for (size_t c = 0; c < m->ny; c++)
            y[c] = m->other[c] + dt * (here[c] + (c < nq ? 0.5 * dt * here[nq + c] : 0.0));
        carom_event_smooth_project(f->stepper, carom_loads_within(f->time, f->time + (x + dt)), y);
        const double gap = gap_of(f, x + dt, y, f->contact, &rate);
        if (!(rate < 0.0))
            break;
        if (fabs(gap) <= noise_of(f, x + dt, f->contact)) {
            memcpy(slope, here, bytes);
            mend_energies(f, carom_loads_within(f->time, f->time + (x + dt)), dt, here, y);
            return dt;
        }
        dt -= gap / rate;
    }
    return 0.0;
}

/* Ends the flight up to a bracket's length before the gap of f->contact closes, in (low, high]. */
static struct carom_mannshardt_meet locate(const struct search *f, double low, double high, double guess)
{
    struct carom_mannshardt *m = f->m;
    double *y = m->moment; /* the polynomial is still needed */
    const double noise = noise_of(f, guess, f->contact), delta = m->delta, fine = 4.0 * DBL_EPSILON * f->time;
    double most = nudge_most(f, guess), half = 0.5 * fmax(delta, most), x = fmax(guess - half, 0.0), rate;
    struct carom_mannshardt_meet meet = {0.0, 0.0, f->contact, false, 0.0};
    const double bend = f->whole ? bend_near(f, guess / f->h) : 0.0;
    for (int i = 0; i < TURNS; i++) {
        const double gap = gap_true(f, x, y, &rate), ahead = time_to(gap, rate, bend);
        meet.at = x;
        meet.ahead = ahead > 0.0 && ahead <= delta ? ahead : 0.0;
        if (rate < 0.0 && (fabs(gap) <= noise || (ahead >= 0.0 && ahead <= delta)))
            return meet;
        if (ahead > 0.0 && ahead <= most && x > 0.0) {
            const double on = nudge(f, x, ahead, most, y);
            if (on > 0.0)
                return (struct carom_mannshardt_meet){x + on, 0.0, f->contact, false, x};
            most = 0.0;
            half = 0.5 * delta;
        }
        if (gap > 0.0)
            low = x;
        else
            high = x;
        const double last = x;
        x = ahead < HUGE_VAL ? x + ahead - half : -1.0;
        /* a root nearer than half a bracket: the flight ends at once */
        x = x < 0.0 && ahead < HUGE_VAL && last + ahead >= low ? 0.0 : x;
        if (!(x >= low - delta && x < high) || x == last)
            x = 0.5 * (low + high);
        if (high - low <= fine)
            break;
    }
    /* the motion jumps over the event where equations change at it: then there is none before the jump */
    meet.at = low;
    meet.ahead = 0.0;
    if (gap_true(f, low, y, &rate) > noise - 2.0 * delta * fmin(rate, 0.0) && low > 0.0)
        meet.contact = f->stepper->model->nc;
    return meet;
}

/* a contact whose gap has closed by the end of the flight as it now is; nc: none */
static size_t overlooked(const struct search *f, double after, size_t but)
{
    const double *y = f->m->event.smooth.end;
    const size_t nc = f->stepper->model->nc;
    double worst = 0.0, rate;
    size_t which = nc;
    for (size_t j = 0; j < nc; j++) {
        if (f->mode[j] == CAROM_EVENT_HELD || j == but)
            continue;
        const double gap = gap_of(f, after, y, j, &rate), late = rate < 0.0 ? gap / rate : 0.0;
        if (gap < -2.0 * noise_of(f, after, j) && late > f->m->delta + worst) {
            worst = late;
            which = j;
        }
    }
    return which;
}

struct carom_mannshardt_meet carom_mannshardt_find_first(struct carom_stepper *stepper, const struct carom_state *state,
                                                         double h)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_smooth *s = &m->event.smooth;
    const size_t nc = stepper->model->nc;
    struct search f = {.stepper = stepper,
                       .m = m,
                       .mode = carom_event_memory(state, nc, CAROM_EVENT_MODE),
                       .time = s->from,
                       .h = h,
                       .fine = carom_mannshardt_fine(state, stepper->model),
                       .allowed = state->memory[CAROM_EVENT_ALLOWED],
                       .whole = true};
    struct carom_mannshardt_meet meet = {h, 0.0, nc, false, 0.0};
    size_t contact = nc, held = 0;
    double low = 0.0, closes = 2.0, lower = 0.0, rate = 0.0;
    for (int turn = 0; turn < TURNS; turn++) {
        begin_gaps(&f, contact, lower);
        closes = first_closing(&f, &contact, &low);
        if (closes > 0.0)
            break;
        gap_of(&f, 0.0, s->start, contact, &rate);
        if (rate < -carom_event_slow(&m->event))
            break;
        lower = fmax(2.0 * lower, 4.0 * noise_of(&f, f.h, contact)); /* it does not approach: time must go on */
    }
    const double parts = s->nheld > 0 ? carom_mannshardt_part_first(stepper, h, &held) : HUGE_VAL;
    if (closes > 1.0 && !(parts <= h))
        return meet;
    if (closes <= 1.0 && closes * h <= parts) {
        f.contact = contact;
        meet = locate(&f, low * h, h, closes * h);
        memcpy(s->end, m->moment, m->ny * sizeof(double));
    } else {
        meet = (struct carom_mannshardt_meet){parts, 0.0, s->held[held], true, 0.0};
        carom_mannshardt_move_fly(stepper, m->order, parts, s->end, false);
    }
    f.whole = false;
    for (int turn = 0; turn < LOOKS; turn++) {
        const size_t other = overlooked(&f, meet.at, meet.part ? nc : meet.contact);
        if (other == nc)
            break;
        f.contact = other;
        const double gap = gap_of(&f, meet.at, s->end, other, &rate);
        meet = locate(&f, 0.0, meet.at, meet.at - gap / rate);
        memcpy(s->end, m->moment, m->ny * sizeof(double));
    }
    return meet;
}

void carom_mannshardt_find_follow(struct carom_stepper *stepper, struct carom_state *state, double h)
{
    struct carom_mannshardt *m = stepper->work;
    double *fine = carom_mannshardt_fine(state, stepper->model);
    const struct search f = {
        .stepper = stepper, .m = m, .time = m->event.smooth.from, .h = h, .fine = fine, .whole = true};
    for (size_t j = 0; j < stepper->model->nc; j++) {
        double rate, gap = -1.0;
        if (small(&f, h, j))
            gap = gap_of(&f, h, m->event.smooth.end, j, &rate) + m->zero[j];
        fine[j] = gap > 0.0 ? gap : -1.0;
    }
}
