/* Corners before sides, see event_corners.h. */
#include "scheme/rigid/event/event_corners.h"

#include "model/bodies/linkage_places.h"
#include "model/motion.h"

/* of the thinnest body: bodies through the line of a side by more are not parted by it. Inside a step contacts that are
 * held are off by its error. */
static const double shallow = 1e-3;
static const double deep = 1e-5;  /* bodies that overlap by more have been lost sight of */
static const double alike = 1e-6; /* of normals */

double carom_event_corners_slack(const struct carom_event_work *w, size_t j, const double *q)
{
    return w->options->touch * w->length + 4.0 * carom_event_noise(w, q, j);
}

static bool parts(const struct carom_event_work *w, const struct carom_linkage_before *before)
{
    return before->through <= shallow * w->smooth.thin;
}

bool carom_event_corners_count(const struct carom_event_work *w, size_t j, const double *q, const double *v,
                               double late)
{
    struct carom_linkage_before before;
    if (!w->corners || !carom_linkage_places_before(w->model, j, q, v, &before))
        return true;
    const double most = 1e-6 * w->smooth.thin;
    return parts(w, &before) &&
           before.beyond <= fmin(carom_event_corners_slack(w, j, q) * (1.0 + late * fabs(before.rate)), most);
}

bool carom_event_corners_may(const struct carom_event_work *w, size_t j, const double *q, double way)
{
    struct carom_linkage_before before;
    return !w->corners || !carom_linkage_places_before(w->model, j, q, NULL, &before) ||
           fmax(before.beyond, before.through) <= before.pace * way + shallow * w->smooth.thin;
}

double carom_event_corners_left(const struct carom_event_work *w, size_t j, const double *q)
{
    struct carom_linkage_before before;
    if (!w->corners || !carom_linkage_places_before(w->model, j, q, NULL, &before))
        return HUGE_VAL;
    return carom_event_corners_slack(w, j, q) - before.beyond;
}

void carom_event_corners_hide(struct carom_event_work *w, const double *q)
{
    const double far = 0.1 * w->smooth.thin;
    struct carom_linkage_before before;
    for (size_t j = 0; w->corners && j < w->model->nc; j++)
        if (w->gap[j] < far && carom_linkage_places_before(w->model, j, q, NULL, &before) &&
            !(parts(w, &before) && before.beyond <= carom_event_corners_slack(w, j, q)))
            w->gap[j] = HUGE_VAL;
}

/* a contact that counts only here and there, where one place goes over into another */
struct end {
    size_t body[2];
    uint32_t part[2];
    double at[3], normal[3];
};

/* is contact j at such an end? `near`: so far from it, and from others, is rounding */
static bool is_at_end(const struct carom_event_work *w, size_t j, const double *q, double near, struct end *out)
{
    struct carom_linkage_before before;
    return carom_linkage_places_before(w->model, j, q, NULL, &before) && fabs(before.beyond) <= near &&
           carom_linkage_places_two(w->model, j, out->body, out->part) &&
           carom_linkage_places_at(w->model, j, q, out->at, out->normal);
}

static double distance(const double a[3], const double b[3])
{
    double square = 0.0;
    for (int k = 0; k < 3; k++)
        square += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(square);
}

static bool is_same(const struct end *a, const struct end *b, double near)
{
    return a->body[0] == b->body[0] && a->body[1] == b->body[1] && distance(a->at, b->at) <= 4.0 * near;
}

/* Of two parts one place counts; each of the parts of a body bears what lies on it. */
static bool are_same_parts(const struct end *a, const struct end *b)
{
    return a->part[0] == b->part[0] && a->part[1] == b->part[1];
}

/* How far contact j will be beyond its end after a small way: bodies that slide go from one place into another. */
static double beyond_ahead(const struct carom_event_work *w, const struct carom_state *state, size_t j)
{
    const double way = 1e-6 * w->smooth.thin, swift = carom_linkage_places_swift(w->model, j, state->v);
    double step[CAROM_MECHANISM_WIDTH], moved[CAROM_LINKAGE_MOVING * 7];
    struct carom_linkage_before before;
    for (size_t k = 0; k < state->nv; k++)
        step[k] = swift > 0.0 ? way / swift * state->v[k] : 0.0;
    carom_motion_move(w->model, state->q, step, moved);
    carom_linkage_places_before(w->model, j, moved, NULL, &before);
    return before.beyond;
}

/* Does contact i, not j, count where the same two corners meet? Not one that slides off its side: the other goes on.
 * Of those along which bodies come apart alike it is the one that they slide into; into places that share a normal, as
 * the face that the end of a line comes upon and the edge that the line then crosses, they slide together. */
static bool wins(const struct carom_event_work *w, const struct carom_state *state, const double *mode, size_t i,
                 size_t j, bool same)
{
    const double slow = carom_event_slow(w) + fmax(w->faint[i], w->faint[j]);
    if (w->released[i] || w->gap[i] == HUGE_VAL)
        return false;
    if (fabs(w->rate[i] - w->rate[j]) > slow)
        return w->rate[i] > w->rate[j];
    const double one = beyond_ahead(w, state, i), other = beyond_ahead(w, state, j), none = 1e-9 * w->smooth.thin;
    if (same && fmax(one, other) < -none)
        return false;
    if (fabs(one - other) > none)
        return one < other;
    return carom_event_held(mode[i]) != carom_event_held(mode[j]) ? carom_event_held(mode[i]) : i < j;
}

/* A contact that has come to the end of its place, `near` or as near as it was found, goes on in another with the same
 * normal, which turns with what slides: what it has turned by since is no rate of the gap. */
static void hand_on(struct carom_event_work *w, const double *mode, const struct carom_state *state, double near)
{
    struct carom_linkage_before before;
    struct end one, other;
    for (size_t j = 0; j < w->model->nc; j++) {
        if (!w->released[j] || !carom_event_held(w->was[j]) ||
            !carom_linkage_places_before(w->model, j, state->q, NULL, &before))
            continue;
        const double reach = fmax(near, 4.0 * fabs(before.beyond));
        if (!(reach <= alike * w->smooth.thin) || !is_at_end(w, j, state->q, reach, &one))
            continue;
        for (size_t i = 0; i < w->model->nc; i++)
            if (i != j && mode[i] == CAROM_EVENT_TOUCH && is_at_end(w, i, state->q, reach, &other) &&
                is_same(&one, &other, reach) && distance(one.normal, other.normal) <= alike)
                w->faint[i] = fmax(w->faint[i], fmin(fabs(w->rate[i]), alike * w->speed));
    }
}

/* Where a place goes over into another whose surface it touches, as a face into the edge of the next part, the gap of
 * that closes as the square of the way to there. Rounding of it is a way, on which normals turn: beside a contact that
 * is held, with all but the same normal at all but the same point, that is no rate of the gap either. */
static void touch_on(struct carom_event_work *w, const double *mode, const struct carom_state *state)
{
    struct end one, other;
    for (size_t i = 0; i < w->model->nc; i++) {
        const double way = 4.0 * sqrt(carom_event_noise(w, state->q, i) * w->smooth.thin);
        if (mode[i] != CAROM_EVENT_TOUCH || !(w->rate[i] < 0.0) || !is_at_end(w, i, state->q, way, &one))
            continue;
        const double turned = way / w->smooth.thin * carom_linkage_places_swift(w->model, i, state->v);
        for (size_t j = 0; j < w->model->nc && -w->rate[i] <= turned; j++)
            if (carom_event_held(w->was[j]) && is_at_end(w, j, state->q, way, &other) && is_same(&one, &other, way) &&
                distance(one.normal, other.normal) <= alike)
                w->faint[i] = fmax(w->faint[i], -w->rate[i]);
    }
}

void carom_event_corners_choose(struct carom_event_work *w, struct carom_state *state)
{
    double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE);
    const double near = 1e-9 * w->smooth.thin;
    struct end one, other;
    if (w->corners) {
        hand_on(w, mode, state, near);
        touch_on(w, mode, state);
    }
    for (size_t j = 0; w->corners && j < w->model->nc; j++) {
        if (mode[j] == CAROM_EVENT_FREE || !is_at_end(w, j, state->q, near, &one))
            continue;
        for (size_t i = 0; i < w->model->nc; i++)
            if (i != j && mode[i] != CAROM_EVENT_FREE && is_at_end(w, i, state->q, near, &other) &&
                are_same_parts(&one, &other) && is_same(&one, &other, near) &&
                wins(w, state, mode, i, j, distance(one.normal, other.normal) <= alike)) {
                mode[j] = CAROM_EVENT_FREE;
                break;
            }
    }
}

enum carom_status carom_event_corners_check(const struct carom_event_work *w, const struct carom_state *state,
                                            struct carom_error *error)
{
    struct carom_linkage_before before;
    size_t last[2] = {SIZE_MAX, SIZE_MAX}, body[2];
    uint32_t of[2] = {0, 0}, part[2];
    bool parted = true;
    for (size_t j = 0; w->corners && j <= w->model->nc; j++) { /* places of the same two parts stand together */
        const bool corner = j < w->model->nc && carom_linkage_places_two(w->model, j, body, part);
        if (!corner || body[0] != last[0] || body[1] != last[1] || part[0] != of[0] || part[1] != of[1]) {
            if (!parted)
                return carom_error_set(error, CAROM_E_NUMERIC,
                                       "bodies %zu and %zu overlap at t = %g; scheme moreau-jean takes them with a "
                                       "step, and another tol may do",
                                       last[0] + 1, last[1] + 1, state->time);
            parted = !corner;
            for (int s = 0; s < 2; s++) {
                last[s] = corner ? body[s] : SIZE_MAX;
                of[s] = corner ? part[s] : 0;
            }
        }
        parted = parted || (carom_linkage_places_before(w->model, j, state->q, NULL, &before) &&
                            before.through <= deep * w->smooth.thin);
    }
    return CAROM_OK;
}
