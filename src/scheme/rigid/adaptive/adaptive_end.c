/* Where a step of moreau-adaptive must end: leaps that are accurate enough, judged at their ends by gaps, forces
 * and slips, and the first place where one of these changes sign. Signs are looked at inside of a leap, too, and
 * the gaps of contacts that come down and go up again are looked for by cubics, of bodies that pass others in places
 * near each other; what is over in less than that is not seen. */
#include <string.h>

#include "carom/mechanism.h"
#include "model/motion.h"
#include "scheme/rigid/adaptive/adaptive_cone.h"
#include "scheme/rigid/rigid_tell.h"
#include "solve/control.h"
#include "solve/cubic.h"

enum { ATTEMPTS = 200 }; /* sizes tried for a step */

static void blame(struct carom_adaptive *w, double value, size_t j, enum carom_adaptive_why why, double *worst)
{
    if (!(value < *worst))
        return;
    *worst = value;
    w->which = j;
    w->why = why;
}

void carom_adaptive_end_keep(struct carom_adaptive *w, const double *q)
{
    const struct carom_model *model = w->moreau.rigid.model;
    if (!w->view)
        return;
    carom_linkage_places_keep(w->view, NULL);
    for (size_t j = 0; q && j < model->nc; j++)
        w->facet[j] = w->mode[j] != CAROM_COULOMB_OPEN ? carom_linkage_places_facet(model, j, q) : 0;
    carom_linkage_places_keep(w->view, q ? w->facet : NULL);
}

/* closed contacts: forces, and slips */
static enum carom_status judge_closed(struct carom_stepper *stepper, double t, const double *q, const double *v,
                                      double back, double *worst, struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    const struct carom_coulomb *r = &w->moreau.friction;
    const bool friction = stepper->model->frictional;
    enum carom_status status = carom_adaptive_leap_press(stepper, t, q, v, back, error);
    double size = 0.0;
    for (size_t k = 0; k < w->nclosed; k++)
        size += fabs(w->normal[w->closed[k]]) + carom_adaptive_cone_size(w, w->along, w->closed[k]) +
                w->noise[w->closed[k]] + DBL_MIN;
    for (size_t k = 0; status == CAROM_OK && k < w->nclosed; k++) {
        const size_t j = w->closed[k];
        const double pull = carom_adaptive_cone_size(w, w->along, j);
        if (w->view)
            blame(w, (carom_linkage_places_left(stepper->model, j, w->facet[j], q) + w->near) / w->length, j,
                  CAROM_ADAPTIVE_PASSES, worst);
        if (!w->redundant)
            blame(w, (w->normal[j] + 2.0 * w->noise[j]) / size, j, CAROM_ADAPTIVE_RELEASES, worst);
        if (!friction || !(r->mu_static[j] > 0.0))
            continue;
        if (w->mode[j] != CAROM_COULOMB_STICK)
            blame(w, carom_adaptive_cone_left(w, j) / w->speed, j,
                  w->wide > 1 && w->young[j] ? CAROM_ADAPTIVE_GROWS : CAROM_ADAPTIVE_STOPS, worst);
        else if (!w->redundant)
            blame(w, (r->mu_static[j] * w->normal[j] - pull + w->noise[j]) / size, j, CAROM_ADAPTIVE_BREAKS, worst);
    }
    bool agrees = true;
    if (status == CAROM_OK && w->redundant)
        status = carom_adaptive_turn_agrees(stepper, t, q, v, &agrees, error);
    if (!agrees)
        blame(w, -1.0, stepper->model->nc, CAROM_ADAPTIVE_DIFFERS, worst);
    return status;
}

/* *worst < 0: the leap has gone too far; w->why and w->which say what for. `back` is a tiny step back into the
 * leap. */
static enum carom_status judge(struct carom_stepper *stepper, double t, const double *q, const double *v, double back,
                               double *worst, struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    *worst = HUGE_VAL;
    w->why = CAROM_ADAPTIVE_NOTHING;
    carom_adaptive_turn_look(w, t, q, v);
    for (size_t j = 0; j < stepper->model->nc; j++)
        if (w->mode[j] == CAROM_COULOMB_OPEN) /* one that has just been struck may be a hair's breadth below */
            blame(w, (w->gap[j] + w->below[j] + (w->locating && w->rate[j] < -w->slow ? 0.0 : w->near)) / w->length, j,
                  CAROM_ADAPTIVE_STRIKES, worst);
    if (w->beside != 0.0) {
        const struct carom_mechanism *m = carom_mechanism_of(stepper->model);
        blame(w, w->beside * m->jump(m->own, q), stepper->model->nc, CAROM_ADAPTIVE_PASSES, worst);
    }
    return w->nclosed > 0 ? judge_closed(stepper, t, q, v, back, worst, error) : CAROM_OK;
}

/* leaps from `from` by h and judges the end */
static enum carom_status try(struct carom_stepper *stepper, const struct carom_state *from, double h, double *worst,
                             struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    const double tiny = 1e-4 * from->memory[CAROM_ADAPTIVE_SMOOTH], back = h < tiny ? tiny : -tiny;
    const enum carom_status status = carom_adaptive_leap(stepper, from, h, error);
    if (status != CAROM_OK)
        return status;
    return judge(stepper, carom_adaptive_before(w, from->time, h), w->end, w->end + stepper->model->nq, back, worst,
                 error);
}

/* When the first gap closes, each a parabola by place and rate at the start (y0, r0) and its place x later; HUGE_VAL:
 * never. */
static double first_closing(const struct carom_adaptive *w, double x)
{
    const double *y0 = w->start, *r0 = w->start + w->moreau.rigid.model->nc;
    double first = HUGE_VAL;
    for (size_t j = 0; j < w->moreau.rigid.model->nc; j++) {
        if (w->mode[j] != CAROM_COULOMB_OPEN)
            continue;
        const double y = fmax(y0[j], 0.0), bend = (w->gap[j] - y - r0[j] * x) / (x * x);
        const double square = r0[j] * r0[j] - 4.0 * bend * y;
        const double under = square > 0.0 ? sqrt(square) - r0[j] : 0.0;
        const double root = bend < 0.0 && r0[j] > 0.0 ? (r0[j] + sqrt(square)) / (-2.0 * bend)
                            : under > 0.0 && y > 0.0  ? 2.0 * y / under
                                                      : HUGE_VAL;
        first = root < first ? root : first;
    }
    return first;
}

/* Where to look next for the root between two places: where the first gap is thought to close, else on the secant; a
 * little beyond it, so that the root is soon between two near places. */
static double guess(const struct carom_adaptive *w, const double at[2], const double value[2], double x, double last,
                    double exact)
{
    double next = w->why == CAROM_ADAPTIVE_STRIKES ? first_closing(w, x) : HUGE_VAL;
    next += last < 0.0 ? -0.5 * exact : 0.5 * exact;
    if (!(next > at[0] && next < at[1]))
        next = at[0] + (at[1] - at[0]) * value[0] / (value[0] - value[1]);
    return fmin(fmax(next, at[0] + 0.5 * exact), at[1] - 0.5 * exact);
}

/* The first place in (0, h] where something changes, h being beyond it by `after` < 0; it becomes h, and w->end is
 * there. */
static enum carom_status locate(struct carom_stepper *stepper, const struct carom_state *from, double *h, double after,
                                struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    const double exact = fmax(w->exact, 4.0 * DBL_EPSILON * fabs(from->time));
    carom_contacts_deform(stepper->model, from->time, from->q, from->v, w->start, w->start + stepper->model->nc);
    for (size_t k = 0; k < 2 * stepper->model->nc; k++)
        w->start[k] = -w->start[k];
    double at[2] = {0.0, *h}, value[2] = {fabs(after), after}, x = *h, last = after, tried = 0.0, width = *h;
    w->locating = true;
    for (int i = 0; at[1] - at[0] > exact && i < ATTEMPTS; i++) {
        const bool slow = i % 4 == 3 && at[1] - at[0] > 0.25 * width; /* halves where others get stuck */
        width = i % 4 == 3 ? at[1] - at[0] : width;
        x = slow ? 0.5 * (at[0] + at[1]) : guess(w, at, value, x, last, exact);
        const enum carom_status status = try(stepper, from, x, &last, error);
        if (status != CAROM_OK)
            return status;
        tried = x;
        at[last < 0.0] = x;
        value[last < 0.0] = last;
    }
    *h = at[1];
    return tried == at[1] ? CAROM_OK : try(stepper, from, at[1], &last, error);
}

/* w->there: coordinates after a part of a leap of size h, by cubics, and velocities by their rates; gaps and gap rates
 * there, turned round, into w->moreau.after and w->moreau.freely. */
static void look_inside(struct carom_stepper *stepper, const struct carom_state *from, double h, double part)
{
    struct carom_adaptive *w = stepper->work;
    const struct carom_model *model = stepper->model;
    const double t = from->time + part * h;
    double *v = w->there + model->nq, *rate0 = w->flow, *rate1 = rate0 + model->nq, *rate = rate1 + model->nq;
    carom_motion_flow(model, from->q, from->v, rate0);
    carom_motion_flow(model, w->end, w->end + model->nq, rate1);
    for (size_t k = 0; k < model->nq; k++) {
        const struct carom_cubic q = {{from->q[k], w->end[k]}, {h * rate0[k], h * rate1[k]}};
        w->there[k] = carom_cubic_at(&q, part);
        rate[k] = carom_cubic_slope(&q, part) / h;
    }
    carom_motion_unflow(model, w->there, rate, rate + model->nq, v);
    carom_motion_impose(model, t, w->there, v);
    carom_contacts_deform(model, t, w->there, v, w->moreau.after, w->moreau.freely);
}

/* Walls that shake may come up and go down again between the ends of a leap of size h, soonest where a contact has just
 * been struck: the first of a few places where one is below, with coordinates by cubics; else h. */
static double first_below(struct carom_stepper *stepper, const struct carom_state *from, double h)
{
    static const double looks[] = {0.003, 0.012, 0.04, 0.09, 0.15, 0.25, 0.4, 0.55, 0.7, 0.85};
    struct carom_adaptive *w = stepper->work;
    const struct carom_model *model = stepper->model;
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        look_inside(stepper, from, h, looks[i]);
        for (size_t j = 0; j < model->nc; j++)
            if (w->mode[j] == CAROM_COULOMB_OPEN && w->moreau.after[j] > w->near)
                return looks[i] * h;
    }
    return h;
}

/* Bodies may go through each other between the ends of a leap of size h, as a box through a peg: the first of places no
 * farther apart than a quarter of the thinnest, as in moreau_pass.c, where a contact is below, or was since the one
 * before by the cubic between the two; else h. Both move, so that a way counts twice. */
static double first_passed(struct carom_stepper *stepper, const struct carom_state *from, double h)
{
    const double most = 20000.0; /* looks; a leap that needs more is looked at no closer than so */
    struct carom_adaptive *w = stepper->work;
    const struct carom_model *model = stepper->model;
    const double thin = carom_linkage_places_thin(model), *v1 = w->end + model->nq;
    const double fastest = fmax(carom_linkage_places_fastest(model, from->v), carom_linkage_places_fastest(model, v1));
    const double looks = fmin(ceil(2.0 * fastest * h / (0.25 * thin)), most);
    double *gap = w->start, *rate = w->start + model->nc;
    if (!(looks > 1.0))
        return h;
    look_inside(stepper, from, h, 0.0);
    for (double i = 1.0; i < looks; i++) {
        memcpy(gap, w->moreau.after, model->nc * sizeof *gap);
        memcpy(rate, w->moreau.freely, model->nc * sizeof *rate);
        look_inside(stepper, from, h, i / looks);
        for (size_t j = 0; j < model->nc; j++) {
            const double span = h / looks;
            const struct carom_cubic y = {{-gap[j], -w->moreau.after[j]},
                                          {-span * rate[j], -span * w->moreau.freely[j]}};
            if (w->mode[j] != CAROM_COULOMB_OPEN)
                continue;
            if (y.value[1] < -w->near)
                return i / looks * h;
            const double s = y.slope[0] < 0.0 && y.slope[1] > 0.0 ? carom_cubic_lowest(&y) : 0.0;
            if (s > 0.0 && carom_cubic_at(&y, s) < -w->near)
                return (i - 1.0 + s) / looks * h;
        }
    }
    return h;
}

/* Does an open contact dip below and come up again in a leap of size h? Then where the cubic of its gap is lowest. */
static double lowest(struct carom_stepper *stepper, const struct carom_state *from, double h)
{
    struct carom_adaptive *w = stepper->work;
    const struct carom_model *model = stepper->model;
    double first = model->offers & CAROM_UNDRIVEN ? h : first_below(stepper, from, h);
    first = fmin(first, first_passed(stepper, from, h));
    carom_contacts_deform(model, from->time, from->q, from->v, w->moreau.after, w->moreau.freely);
    for (size_t j = 0; j < model->nc; j++) {
        const struct carom_cubic gap = {{-w->moreau.after[j], w->gap[j]}, {-h * w->moreau.freely[j], h * w->rate[j]}};
        if (w->mode[j] != CAROM_COULOMB_OPEN || !(gap.slope[0] < 0.0) || !(gap.slope[1] > 0.0))
            continue;
        const double s = carom_cubic_lowest(&gap);
        if (carom_cubic_at(&gap, s) < 0.0 && s * h < first)
            first = s * h;
    }
    return first;
}

/* An open contact that comes down and goes up again in a leap of size h, to a place so low that the cubic of its gap
 * may be wrong about whether it touches: it errs by a tenth of the gap where a leap is two radians of an oscillation.
 * nc: there is none. *gap is its cubic. */
static size_t lowers(struct carom_stepper *stepper, const struct carom_state *from, double h, struct carom_cubic *gap)
{
    struct carom_adaptive *w = stepper->work;
    const size_t nc = stepper->model->nc;
    size_t which = nc;
    double lowest_part = 0.25;
    carom_contacts_deform(stepper->model, from->time, from->q, from->v, w->moreau.after, w->moreau.freely);
    for (size_t j = 0; j < nc; j++) {
        const struct carom_cubic y = {{-w->moreau.after[j], w->gap[j]}, {-h * w->moreau.freely[j], h * w->rate[j]}};
        if (w->mode[j] != CAROM_COULOMB_OPEN || !(y.slope[0] < 0.0) || !(y.slope[1] > 0.0))
            continue;
        const double part = carom_cubic_at(&y, carom_cubic_lowest(&y)) / fmax(y.value[0], y.value[1]);
        if (part < lowest_part) {
            lowest_part = part;
            *gap = y;
            which = j;
        }
    }
    return which;
}

/* Leaps to ever nearer the lowest place of such a gap, h being a leap over it, until it is below 0 there, in which case
 * the leap to there becomes *h and *value < 0, or is known to stay above. */
static enum carom_status graze(struct carom_stepper *stepper, const struct carom_state *from, double *h, double *value,
                               struct carom_error *error)
{
    enum { LOOKS = 8 };
    struct carom_adaptive *w = stepper->work;
    struct carom_cubic gap;
    const size_t j = lowers(stepper, from, *h, &gap);
    double at[2] = {0.0, *h};
    for (int look = 0; j < stepper->model->nc && look < LOOKS; look++) {
        const double s = carom_cubic_lowest(&gap), wide = at[1] - at[0], x = at[0] + s * wide;
        const double thought = carom_cubic_at(&gap, s);
        if (!(x > at[0] && x < at[1]))
            return CAROM_OK;
        const enum carom_status status = try(stepper, from, x, value, error);
        if (status != CAROM_OK || *value < 0.0) {
            *h = x;
            return status;
        }
        const int end = w->rate[j] < 0.0 ? 0 : 1, other = 1 - end;
        const double change = (end == 1 ? x - at[0] : at[1] - x) / wide;
        if (fabs(w->gap[j] - thought) <= 0.1 * w->gap[j])
            return CAROM_OK;
        gap.value[end] = w->gap[j];
        gap.slope[other] *= change;
        at[end] = x;
        gap.slope[end] = (at[1] - at[0]) * w->rate[j];
    }
    return CAROM_OK;
}

/* a leap is six steps (adaptive_leap.c): one taken again should be short enough at once */
static const struct carom_control again = {.safety = 0.9, .power = 0.2, .least = 0.1, .most = 0.7};

/* a leap that is accurate enough; *h may shrink */
static enum carom_status fit(struct carom_stepper *stepper, const struct carom_state *from, double *h, double *value,
                             struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    for (int i = 0; i < ATTEMPTS; i++) {
        struct carom_error said = {CAROM_OK, ""}; /* a step that is too long is no error yet */
        const enum carom_status status = try(stepper, from, *h, value, &said);
        if (status != CAROM_OK && !w->coarse) {
            if (error)
                *error = said;
            return status;
        }
        if (status == CAROM_OK && w->error <= w->enough)
            return CAROM_OK;
        stepper->counts.rejected++;
        *h *= status == CAROM_OK ? carom_control_factor(&again, w->enough / w->error) : 0.25;
        if (*h < 1e-14 * fmax(w->time, fabs(from->time)))
            break;
    }
    char text[CAROM_RIGID_TELL_ROOM];
    const char *names = carom_rigid_tell(stepper->model, w->closed, w->nclosed, text);
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "moreau-adaptive cannot go on at t = %g%s%s%s: steps of %g are still not accurate; forces "
                           "grow without bound there, or tol = %g is out of reach",
                           from->time, *names ? " (" : "", names, *names ? " in contact)" : "", *h, w->options->tol);
}

/* Where contacts that touch are closed together, others of the same body that have just been struck may be below by as
 * much as counts as touching, and part: they strike no lower than that. */
static void look_below(struct carom_stepper *stepper, const struct carom_state *from)
{
    struct carom_adaptive *w = stepper->work;
    carom_contacts_deform(stepper->model, from->time, from->q, from->v, w->below, w->moreau.freely);
    for (size_t j = 0; j < stepper->model->nc; j++)
        w->below[j] =
            w->mode[j] == CAROM_COULOMB_OPEN && w->below[j] > w->near && w->moreau.freely[j] < 0.0 ? w->below[j] : 0.0;
}

/* Where a mechanism's forces jump in free flight a leap ends: one that went on would err by the jump, unseen where it
 * comes before the middle of its first short step or after that of the last. Feet that close there end leaps by
 * themselves. */
static void look_beside(struct carom_stepper *stepper, const struct carom_state *from)
{
    struct carom_adaptive *w = stepper->work;
    const struct carom_mechanism *m = carom_mechanism_of(stepper->model);
    const double at = m && m->jump && w->nclosed == 0 ? m->jump(m->own, from->q) : 0.0;
    w->beside = fabs(at) <= w->near / w->length ? 0.0 : at > 0.0 ? 1.0 : -1.0;
}

/* the leap that goes on to where something changes, or over all of h */
static enum carom_status leap_on(struct carom_stepper *stepper, const struct carom_state *from, double *h,
                                 struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    double value;
    w->locating = false;
    look_below(stepper, from);
    look_beside(stepper, from);
    enum carom_status status = fit(stepper, from, h, &value, error);
    w->fitted = *h;
    const double whole = *h, early = w->early * whole, dip = status == CAROM_OK ? lowest(stepper, from, whole) : whole;
    const double look = fmin(early, dip);
    if (status != CAROM_OK)
        return status;
    if (look < whole) { /* something may have happened and be over */
        double there;
        status = try(stepper, from, look, &there, error);
        if (status == CAROM_OK && there < 0.0) {
            *h = look;
            return locate(stepper, from, h, there, error);
        }
        if (status == CAROM_OK && !(value < 0.0))
            status = try(stepper, from, whole, &value, error);
    }
    if (status == CAROM_OK && !(value < 0.0) && !stepper->model->frictional) { /* those may have no way there */
        double there = value, low = whole;
        status = graze(stepper, from, &low, &there, error);
        if (status == CAROM_OK && there < 0.0) {
            *h = low;
            return locate(stepper, from, h, there, error);
        }
        if (status == CAROM_OK && there != value)
            status = try(stepper, from, whole, &value, error);
    }
    if (status == CAROM_OK && value < 0.0)
        return locate(stepper, from, h, value, error);
    w->why = CAROM_ADAPTIVE_NOTHING;
    return status;
}

enum carom_status carom_adaptive_end(struct carom_stepper *stepper, const struct carom_state *from, double *h,
                                     struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    const double wanted = *h;
    struct carom_error said = {CAROM_OK, ""};
    enum carom_status status = CAROM_OK;
    double part = 1.0;
    for (int i = 0; i < ATTEMPTS; i++, part *= 0.25) { /* one that cannot be solved where it is cut was too long */
        *h = part * wanted;
        status = leap_on(stepper, from, h, &said);
        if (status == CAROM_OK || !w->coarse || *h < 1e-14 * fmax(w->time, fabs(from->time)))
            break;
    }
    if (status != CAROM_OK && error)
        *error = said;
    return status;
}
