/* Corners before sides, see event_corners.h. */
#include "scheme/rigid/event/event_corners.h"

#include "model/bodies/linkage_places.h"

/* of the thinnest body: bodies through the line of a side by more are not parted by it. Inside a step contacts that are
 * held are off by its error. */
static const double shallow = 1e-3;
static const double deep = 1e-5; /* bodies that overlap by more have been lost sight of */

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
           fmax(before.beyond, before.through) <= way + shallow * w->smooth.thin;
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

static bool is_same(const struct carom_linkage_before *a, const struct carom_linkage_before *b)
{
    return a->body[0] == b->body[0] && a->body[1] == b->body[1] && a->corner[0] == b->corner[0] &&
           a->corner[1] == b->corner[1];
}

/* does contact i, not j, count where the same two corners meet? Not one that slides off its side: the other goes on */
static bool wins(const struct carom_event_work *w, const double *mode, size_t i, size_t j)
{
    const double slow = carom_event_slow(w);
    if (w->released[i] || w->gap[i] == HUGE_VAL)
        return false;
    if (fabs(w->rate[i] - w->rate[j]) > slow)
        return w->rate[i] > w->rate[j];
    return carom_event_held(mode[i]) != carom_event_held(mode[j]) ? carom_event_held(mode[i]) : i < j;
}

void carom_event_corners_choose(struct carom_event_work *w, struct carom_state *state)
{
    double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE);
    const double near = 1e-9 * w->smooth.thin;
    struct carom_linkage_before one, other;
    for (size_t j = 0; w->corners && j < w->model->nc; j++) {
        if (mode[j] == CAROM_EVENT_FREE || !carom_linkage_places_before(w->model, j, state->q, NULL, &one) ||
            !(fabs(one.beyond) <= near))
            continue;
        for (size_t i = 0; i < w->model->nc; i++)
            if (i != j && mode[i] != CAROM_EVENT_FREE &&
                carom_linkage_places_before(w->model, i, state->q, NULL, &other) && fabs(other.beyond) <= near &&
                is_same(&one, &other) && wins(w, mode, i, j)) {
                mode[j] = CAROM_EVENT_FREE;
                break;
            }
    }
}

enum carom_status carom_event_corners_check(const struct carom_event_work *w, const struct carom_state *state,
                                            struct carom_error *error)
{
    struct carom_linkage_before before;
    size_t a = SIZE_MAX, b = SIZE_MAX;
    bool parted = true;
    for (size_t j = 0; w->corners && j <= w->model->nc; j++) {
        const bool corner = j < w->model->nc && carom_linkage_places_before(w->model, j, state->q, NULL, &before);
        if (!corner || before.body[0] != a || before.body[1] != b) {
            if (!parted)
                return carom_error_set(error, CAROM_E_NUMERIC,
                                       "bodies %zu and %zu overlap at t = %g; scheme moreau-jean takes them with a "
                                       "step, and another tol may do",
                                       a + 1, b + 1, state->time);
            parted = !corner;
            a = corner ? before.body[0] : SIZE_MAX;
            b = corner ? before.body[1] : SIZE_MAX;
        }
        parted |= corner && before.through <= deep * w->smooth.thin;
    }
    return CAROM_OK;
}
