/* The flights of event_flight.h. Eight looks at a step see gaps that have closed, and gaps whose rate changes sign, so
 * that a short dip is not missed; the first event is bracketed and found by Brent's method on the dense output, and the
 * step is then taken again to end there, so that the state at an event has the order of the method. The gap of a
 * contact that has just been struck is the integral of its rate: small bounces are not lost in the rounding of q. */
#include "scheme/rigid/event/event_flight.h"

#include <float.h>
#include <string.h>

#include "model/beads/loads.h"
#include "model/bodies/linkage_places.h"
#include "model/motion.h"
#include "scheme/rigid/event/event_cone.h"
#include "scheme/rigid/event/event_corners.h"
#include "scheme/rigid/event/event_facets.h"
#include "scheme/rigid/event/event_friction.h"
#include "scheme/rigid/event/event_press.h"
#include "scheme/rigid/event/event_step.h"
#include "scheme/stepper.h"
#include "solve/locate.h"
#include "solve/root.h"

enum { LOOKS = 8 };

static struct carom_event_smooth *smooth_of(const struct carom_stepper *stepper)
{
    return &((struct carom_event_work *)stepper->work)->smooth;
}

/* --- looks ------------------------------------------------------------------------------------------------------- */

/* what a held contact does for as long as this is positive */
enum watch { PRESSES, STICKS, SLIPS, BEGINS, STANDS, FACES, WATCHES };

/* what is looked at along the step just made */
struct look {
    struct carom_stepper *stepper;
    double time; /* of the start */
    size_t contact;
    enum watch watch;
    bool fresh;     /* its gap begins at 0 */
    double opening; /* rate at the start, if fresh */
    double sinking; /* what of that is below 0: rest, as what approaches has been struck, and no rate to count */
};

/* the time of part s of the step; the last moment belongs to it, though drives may break there */
static double moment_of(const struct look *l, double s)
{
    const double h = smooth_of(l->stepper)->step.h;
    return fmin(l->time + s * h, carom_loads_within(l->time, l->time + h));
}

static void look_at(const struct look *l, double s)
{
    struct carom_event_smooth *smooth = smooth_of(l->stepper);
    carom_dormand_prince_dense(&smooth->step, s, 0, smooth->ny, smooth->look);
    carom_motion_impose(l->stepper->model, moment_of(l, s), smooth->look, smooth->look + l->stepper->model->nq);
}

static double rate_at(void *own, double s)
{
    const struct look *l = own;
    const struct carom_model *model = l->stepper->model;
    const struct carom_event_smooth *smooth = smooth_of(l->stepper);
    double deform, rate;
    look_at(l, s);
    carom_contacts_deform_some(model, l->contact, l->contact + 1, moment_of(l, s), smooth->look,
                               smooth->look + model->nq, &deform, &rate);
    return -rate - (l->fresh ? l->sinking : 0.0);
}

/* how a contact that has just been struck begins */
static void begin(struct look *l, double rate)
{
    l->opening = fmax(rate, 0.0);
    l->sinking = fmin(rate, 0.0);
}

/* the gap; of a contact that has just been struck, while it is small, the integral of its rate (Gauss, four points) */
static double gap_at(void *own, double s)
{
    static const double node[2] = {0.33998104358485626, 0.86113631159405258},
                        weight[2] = {0.65214515486254614, 0.34785484513745386};
    const struct look *l = own;
    const struct carom_event_work *w = l->stepper->work;
    const double h = w->smooth.step.h;
    double sum = 0.0, deform;
    if (l->fresh && l->opening * s * h < 1e-4 * w->length) {
        for (int i = 0; i < 2; i++)
            sum += weight[i] * (rate_at(own, 0.5 * s * (1.0 - node[i])) + rate_at(own, 0.5 * s * (1.0 + node[i])));
        return 0.5 * s * h * sum;
    }
    look_at(l, s);
    carom_contacts_deform_some(w->model, l->contact, l->contact + 1, moment_of(l, s), w->smooth.look, NULL, &deform,
                               NULL);
    return -deform;
}

/* of held contact number `contact` of the held ones: its force, how far it is from the edge of the cone, its slip */
static double held_at(void *own, double s)
{
    const struct look *l = own;
    struct carom_event_smooth *smooth = smooth_of(l->stepper);
    const size_t i = l->contact;
    look_at(l, s);
    if (l->watch == STANDS)
        return carom_event_corners_left(l->stepper->work, smooth->held[i], smooth->look);
    if (l->watch == FACES)
        return carom_event_facets_left(l->stepper->work, i, smooth->look);
    carom_event_smooth_rates(l->stepper, moment_of(l, s), smooth->look, smooth->slope);
    if (l->watch == PRESSES)
        return smooth->lambda[i];
    if (l->watch == STICKS)
        return smooth->rub.mu_static[smooth->held[i]] * smooth->lambda[i] - carom_event_friction_pull(smooth, i);
    return l->watch == BEGINS ? carom_event_cone_grown(smooth, i) : carom_event_friction_left(smooth, i);
}

/* Of forces that are not unique: have the modes become impossible? */
static bool differs(void *own, double s)
{
    const struct look *l = own;
    struct carom_event_smooth *smooth = smooth_of(l->stepper);
    look_at(l, s);
    carom_event_smooth_rates(l->stepper, moment_of(l, s), smooth->look, smooth->slope);
    return !carom_event_press_agrees(l->stepper, moment_of(l, s));
}

/* a gap that began at 0 is closed at b: where it came back */
static double root_after_opening(struct look *l, double b)
{
    double a = b;
    while (a > 1e-12 * b && !(gap_at(l, a) > 0.0))
        a *= 0.25;
    return gap_at(l, a) > 0.0 && a < b ? carom_root_near(gap_at, l, a, fmin(4.0 * a, b), 0.0) : a;
}

/* gaps and rates at s of contacts that may close into slot `at` */
static void look_around(const struct look *l, double s, int at)
{
    const struct carom_model *model = l->stepper->model;
    struct carom_event_smooth *smooth = smooth_of(l->stepper);
    look_at(l, s);
    for (size_t i = 0; i < smooth->nnear; i++) {
        const size_t j = smooth->near[i];
        carom_contacts_deform_some(model, j, j + 1, moment_of(l, s), smooth->look, smooth->look + model->nq,
                                   &smooth->gap[at][j], &smooth->rate[at][j]);
        smooth->gap[at][j] = -smooth->gap[at][j];
        smooth->rate[at][j] = -smooth->rate[at][j];
    }
}

/* Which contacts may close within the step: not those that are held, nor those whose bodies are too slow. */
static void look_for_near(const struct look *l, const double *mode)
{
    const double several = 2.0; /* velocities inside a step are much like those at its ends */
    const struct carom_model *model = l->stepper->model;
    struct carom_event_smooth *s = smooth_of(l->stepper);
    s->nnear = 0;
    look_at(l, 0.0);
    for (size_t j = 0; j < model->nc; j++) {
        const double swift = fmax(carom_linkage_places_swift(model, j, s->start + model->nq),
                                  carom_linkage_places_swift(model, j, s->end + model->nq));
        double deform = 0.0;
        if (carom_event_held(mode[j]))
            continue;
        if (mode[j] == CAROM_EVENT_FREE && swift < HUGE_VAL)
            carom_contacts_deform_some(model, j, j + 1, l->time, s->look, NULL, &deform, NULL);
        const double way = several * swift * s->step.h;
        if (!(fabs(deform) > way) && carom_event_corners_may(l->stepper->work, j, s->look, way))
            s->near[s->nnear++] = j;
    }
}

static const double golden = 0.38196601125010515;

enum { EARLY = 4, DEPTH = 12 };
static const double early[EARLY] = {0.02, 0.08, 0.25, 0.6}; /* looks at a gap that has just opened */

/* Is all that looks differ by from a cubic, and all that the gap is beyond 0, rounding? Smaller parts say nothing. */
static bool is_blurred(const struct look *l, double least, double doubt)
{
    const double blur = carom_event_noise(l->stepper->work, smooth_of(l->stepper)->look, l->contact);
    return doubt <= 20.0 * blur && least > -blur;
}

/* The first closing of the gap between looks at a and b, in (a, b]; `inside` is the gap at a + golden (b - a). Looked
 * for in ever smaller parts where the gap is so near, and so unlike the cubic, that it may close between. */
static double first_closing(struct look *l, double a, double b, const double gap[2], const double rate[2],
                            double inside, int depth)
{
    const struct carom_locate find = {gap_at, rate_at, l, 0.0};
    const double span = (b - a) * smooth_of(l->stepper)->step.h;
    const struct carom_cubic looks = {{gap[0], gap[1]}, {span * rate[0], span * rate[1]}};
    const double doubt = 20.0 * fabs(inside - carom_cubic_at(&looks, golden));
    if (l->fresh && a == 0.0 && gap[1] < 0.0)
        return root_after_opening(l, b);
    for (int i = 0; l->fresh && a == 0.0 && i < EARLY; i++) /* back and gone again: what pressed it has let go */
        if (gap_at(l, early[i] * b) < 0.0)
            return root_after_opening(l, early[i] * b);
    const double least = fmin(fmin(gap[0], gap[1]), inside);
    if (depth == 0 || !(least < doubt) || (depth < DEPTH && is_blurred(l, least, doubt)))
        return carom_locate_first(&find, a, b, &looks, depth == 0 ? HUGE_VAL : doubt);
    const double m = 0.5 * (a + b), middle = gap_at(l, m), turn = rate_at(l, m);
    for (int half = 0; half < 2; half++) {
        const double from = half ? m : a, to = half ? b : m;
        const double g[2] = {half ? middle : gap[0], half ? gap[1] : middle};
        const double r[2] = {half ? turn : rate[0], half ? rate[1] : turn};
        const double at = first_closing(l, from, to, g, r, gap_at(l, from + golden * (to - from)), depth - 1);
        if (at <= 1.0)
            return at;
    }
    return CAROM_LOCATE_NONE;
}

/* What rounding makes of the force of held contact number i: bodies that fly on side by side press with 0, and must
 * not be parted and joined again without end. */
static double noise(const struct carom_event_work *w, size_t i)
{
    const double per_force = w->smooth.frame.diagonal[i];
    return per_force > 0.0 ? carom_event_smooth_noise(w) / per_force : 0.0;
}

/* Is this of held contact i looked at? Forces that are not unique say nothing one by one. */
static bool matters(const struct carom_event_work *w, size_t i, enum watch watch)
{
    const struct carom_event_smooth *s = &w->smooth;
    if (watch == STANDS || watch == FACES)
        return watch == STANDS ? w->corners : s->facet && s->facet[s->held[i]] > 0;
    if (watch == PRESSES)
        return !s->redundant;
    if (!s->rubs || !(s->rub.mu_static[s->held[i]] > 0.0))
        return false;
    const bool sticks = s->rubs[i] == CAROM_COULOMB_STICK;
    return watch == STICKS ? sticks && !s->redundant : !sticks && (watch == SLIPS || s->young[s->held[i]]);
}

/* what of it is rounding */
static double nothing(const struct carom_event_work *w, size_t i, enum watch watch)
{
    const double force = watch == PRESSES || watch == STICKS ? noise(w, i) : 0.0;
    if (watch == SLIPS && w->smooth.frame.tangents < 2)
        return carom_event_slow(w);
    return watch == STICKS ? (1.0 + w->smooth.rub.mu_static[w->smooth.held[i]]) * force : force;
}

/* where in (a, b] what is looked at ends, which has ended at b */
static double parting(struct look *l, double a, double b)
{
    return held_at(l, a) > 0.0 ? carom_root_near(held_at, l, a, b, 0.0) : fmax(a, 1e-6 * b);
}

/* where the first corner slides off its side; b: none does before */
static double first_leaving(struct look *l, double a, double b)
{
    double first = b;
    l->watch = STANDS;
    for (l->contact = 0; l->contact < smooth_of(l->stepper)->nheld; l->contact++)
        if (held_at(l, b) < 0.0)
            first = fmin(first, parting(l, a, b));
    return first;
}

/* Has what is looked at ended at *to, which is b, by more than rounding? Where two corners slide onto each other forces
 * grow without bound, and beyond it have the other signs: those before a corner leaves its side, at `leaves`, tell. */
static bool has_ended(struct look *l, double a, double leaves, double *to)
{
    const double limit = -nothing(l->stepper->work, l->contact, l->watch), b = *to;
    if (!(leaves < b) || l->watch == STANDS || l->watch == SLIPS)
        return held_at(l, b) < limit;
    for (double part = 0.5; part > 1e-4; part *= 0.1)
        if (held_at(l, *to = leaves - part * (leaves - a)) < limit)
            return true;
    return false;
}

/* held contacts that no longer do what they did, before `best` */
static double first_parting(struct look *l, double a, double b, double best, struct carom_event_next *next)
{
    struct carom_event_smooth *s = smooth_of(l->stepper);
    const double leaves = ((struct carom_event_work *)l->stepper->work)->corners ? first_leaving(l, a, b) : b;
    for (size_t k = 0; k < s->nheld * WATCHES; k++) {
        const size_t i = l->contact = k / WATCHES;
        double to = b;
        l->watch = (enum watch)(k % WATCHES);
        if (!matters(l->stepper->work, i, l->watch) || !has_ended(l, a, leaves, &to))
            continue;
        const double at = parting(l, a, to);
        if (at < best) {
            best = at;
            *next = (struct carom_event_next){
                0.0, l->watch == FACES || l->watch == BEGINS ? l->stepper->model->nc : s->held[i],
                l->watch == PRESSES || l->watch == STANDS, l->watch == STICKS || l->watch == SLIPS};
        }
    }
    const double end = fmin(best, b); /* a contact that closes there may have others break away before */
    if (s->nheld > 0 && s->redundant && differs(l, end)) {
        best = carom_root_switch(differs, l, a, end, 0.0, 50);
        *next = (struct carom_event_next){0.0, l->stepper->model->nc, false, true};
    }
    return best;
}

/* Does the gap that closes at s count? When it closes is known the less the slower it does, but not of one that was
 * closed where the step began: a corner that has slid off the end of a side is off it. Gaps of edges apart may jump. */
static bool closes_at(struct look *l, double s)
{
    const struct carom_event_work *w = l->stepper->work;
    if (!w->corners || !(fabs(gap_at(l, s)) < 1e-6 * w->smooth.thin))
        return !w->corners;
    const bool open = !l->fresh && gap_at(l, 0.0) > 4.0 * carom_event_noise(w, w->smooth.look, l->contact);
    const double rate = rate_at(l, s), late = !open ? 0.0 : rate < 0.0 ? -1.0 / rate : DBL_MAX;
    return carom_event_corners_count(w, l->contact, w->smooth.look, w->smooth.look + w->model->nq, late);
}

/* The first closing that counts in (a, b] of a gap that is below 0 at a, or closes there and does not count: corners
 * pass the line of a side beyond its end, come back before it, and only then upon it. */
static double closing_again(struct look *l, double a, double b)
{
    enum { PARTS = 8 };
    double last = a;
    bool open = false;
    for (int i = 1; i <= PARTS; i++) {
        const double s = i < PARTS ? a + (b - a) * i / PARTS : b;
        const bool above = gap_at(l, s) > 0.0;
        if (open && !above) {
            const double at = carom_root_near(gap_at, l, last, s, 0.0);
            if (closes_at(l, at))
                return at;
        }
        open = above;
        last = s;
    }
    return CAROM_LOCATE_NONE;
}

/* first_closing, of contacts that count only here and there the first that does */
static double first_counting(struct look *l, double a, double b, const double gap[2], const double rate[2],
                             double inside)
{
    const struct carom_event_work *w = l->stepper->work;
    const bool corner = w->corners && carom_event_corners_left(w, l->contact, w->smooth.look) < HUGE_VAL;
    if (corner && !l->fresh && !(gap[0] > 0.0))
        return rate[0] > 0.0 && rate[1] < 0.0 ? closing_again(l, a, b) : CAROM_LOCATE_NONE;
    const double at = first_closing(l, a, b, gap, rate, inside, l->fresh && a == 0.0 ? 0 : DEPTH);
    if (!corner || at > 1.0 || closes_at(l, at))
        return at;
    return rate_at(l, b) < 0.0 ? closing_again(l, at, b) : CAROM_LOCATE_NONE;
}

/* contacts that close between looks a and b, whose gaps and rates are in slots 0 and 1, in slot 2 between */
static double first_of_all(struct look *l, const double *mode, double a, double b, struct carom_event_next *next)
{
    const struct carom_event_work *w = l->stepper->work;
    const struct carom_event_smooth *s = &w->smooth;
    double best = CAROM_LOCATE_NONE;
    for (size_t i = 0; i < s->nnear; i++) {
        const size_t j = l->contact = s->near[i];
        double gap[2] = {s->gap[0][j], s->gap[1][j]}, rate[2] = {s->rate[0][j], s->rate[1][j]}, inside = s->gap[2][j];
        l->fresh = mode[j] == CAROM_EVENT_TOUCH;
        /* later in the step only where coordinates do not tell that it has opened */
        if (l->fresh && a > 0.0)
            l->fresh = !(fmin(gap[0], fmin(gap[1], inside)) > 4.0 * carom_event_noise(w, s->look, j));
        if (l->fresh) {
            l->sinking = 0.0;
            begin(l, a == 0.0 ? rate[0] : rate_at(l, 0.0));
            rate[0] = a == 0.0 ? l->opening : rate[0];
            gap[0] = a == 0.0 ? 0.0 : gap_at(l, a);
            gap[1] = gap_at(l, b);
            inside = gap_at(l, a + golden * (b - a));
        }
        /* the beginning of an opening gap is always near */
        const double at = first_counting(l, a, b, gap, rate, inside);
        if (at < best) {
            best = at;
            *next = (struct carom_event_next){.contact = j};
        }
    }
    return best;
}

static void swap(double **x, double **y)
{
    double *const hold = *x;
    *x = *y;
    *y = hold;
}

/* the first event in the step, at s in (0, 1]; 2: none */
static double first_event(struct carom_stepper *stepper, const struct carom_state *state, struct carom_event_next *next)
{
    struct carom_event_work *w = stepper->work;
    struct carom_event_smooth *s = &w->smooth;
    const double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE);
    struct look l = {.stepper = stepper, .time = state->time + state->time_low};
    double best = CAROM_LOCATE_NONE;
    look_for_near(&l, mode);
    look_around(&l, 0.0, 0);
    for (int k = 1; k <= LOOKS && best > 1.0; k++) {
        const double a = (k - 1.0) / LOOKS, b = (double)k / LOOKS;
        look_around(&l, a + golden * (b - a), 2);
        look_around(&l, b, 1);
        best = first_of_all(&l, mode, a, b, next);
        if (k % 2 == 0 || best <= 1.0) /* every second look, and before what has just been found */
            best = first_parting(&l, k % 2 == 0 ? a - 1.0 / LOOKS : a, b, best, next);
        swap(&s->gap[0], &s->gap[1]);
        swap(&s->rate[0], &s->rate[1]);
    }
    return best;
}

/* The slip of a contact that comes to a stop, at the end of the step just made; *rate: how fast it does. */
static double last_slip(struct look *l, size_t contact, double h, double *rate)
{
    const struct carom_event_smooth *s = smooth_of(l->stepper);
    const double little = 1e-3;
    l->watch = SLIPS;
    for (l->contact = 0; s->held[l->contact] != contact;)
        l->contact++;
    const double before = held_at(l, 1.0 - little), slip = held_at(l, 1.0);
    *rate = (slip - before) / (little * h);
    return slip;
}

/* takes the step again so that it ends at the event; returns its size */
static double shorten(struct carom_stepper *stepper, const struct carom_state *state,
                      const struct carom_event_next *next, double h, double limit)
{
    struct carom_event_work *w = stepper->work;
    const double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE);
    struct look l = {.stepper = stepper, .time = state->time + state->time_low, .contact = next->contact};
    const bool closes = !next->part && !next->slides && next->contact < w->model->nc;
    const bool stops = next->slides && next->contact < w->model->nc && mode[next->contact] != CAROM_EVENT_HELD;
    l.fresh = closes && mode[next->contact] == CAROM_EVENT_TOUCH;
    carom_event_step_stages(stepper, l.time, h);
    if (l.fresh)
        begin(&l, rate_at(&l, 0.0));
    for (int turn = 0; turn < 4 && (closes || stops); turn++) {
        double rate;
        const double gap = stops ? last_slip(&l, next->contact, h, &rate) : gap_at(&l, 1.0);
        rate = stops ? rate : rate_at(&l, 1.0);
        const double change = rate < 0.0 ? -gap / rate : 0.0;
        if (!(fabs(change) > 4.0 * DBL_EPSILON * h) || !(fabs(change) < 0.01 * h) || h + change > limit)
            break;
        h += change;
        carom_event_step_stages(stepper, l.time, h);
    }
    return h;
}

enum carom_status carom_event_flight_next(struct carom_stepper *stepper, struct carom_state *state, double limit,
                                          struct carom_event_next *next, struct carom_error *error)
{
    struct carom_event_work *w = stepper->work;
    const struct carom_model *model = w->model;
    const double t = state->time + state->time_low;
    double *size = &state->memory[CAROM_EVENT_NEXT_STEP];
    *next = (struct carom_event_next){.time = limit, .contact = model->nc};
    carom_event_step_begin(stepper, state);
    if (!(*size > 0.0))
        *size = 0.01 * w->length / w->speed;
    const bool tells = t + limit > t;
    const bool whole = stepper->finer && !(w->half > 0.0);
    const double h =
        tells ? carom_event_step_on(stepper, state, limit, size) : carom_event_step_sliver(stepper, t, limit);
    if (tells && !(h > 0.0))
        return carom_event_step_refuse(stepper, state, error);
    const double at = tells ? first_event(stepper, state, next) : 2.0;
    next->time = at <= 1.0 ? shorten(stepper, state, next, fmax(at, 1e-12) * h, limit) : h;
    if (tells && whole)
        carom_event_step_halve(stepper, t, at <= 1.0, next);
    return CAROM_OK;
}

/* --- ends and middles -------------------------------------------------------------------------------------------- */

void carom_event_flight_move(struct carom_stepper *stepper, double t, struct carom_state *state)
{
    struct carom_event_smooth *s = smooth_of(stepper);
    memcpy(s->look, s->end, s->ny * sizeof(double));
    /* held contacts still move as they did: where drives break is for the instant that follows */
    carom_event_smooth_project(stepper, carom_loads_within(s->from, t), s->look);
    carom_motion_impose(stepper->model, t, s->look, s->look + stepper->model->nq);
    carom_event_step_write(stepper, s->look, state);
}

void carom_event_flight_dense(struct carom_stepper *stepper, const struct carom_state *from, double t,
                              struct carom_state *view)
{
    struct carom_event_smooth *s = smooth_of(stepper);
    const struct look l = {.stepper = stepper, .time = from->time + from->time_low};
    s->to = s->from + s->step.h;
    if (!(stepper->model->offers & CAROM_UNDRIVEN))
        s->probe = fmin(s->probe, fmax(0.1 * s->step.h, carom_event_drives_least(stepper->work)));
    look_at(&l, carom_state_until(from, t) / s->step.h);
    carom_event_smooth_project(stepper, t, s->look);
    carom_event_step_write(stepper, s->look, view);
    if (s->nheld > 0)
        carom_event_smooth_rates(stepper, t, s->look, s->slope);
    carom_event_smooth_tell(s, view);
}
