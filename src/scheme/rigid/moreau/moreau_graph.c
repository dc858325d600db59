/* The contacts of a step of moreau-jean on bodies, see moreau_graph.h. */
#include "scheme/rigid/moreau/moreau_graph.h"

#include <string.h>

#include "base/memory.h"
#include "carom/law.h"
#include "scheme/rigid/moreau/moreau_friction.h"
#include "scheme/rigid/moreau/moreau_sleep.h"
#include "scheme/rigid/moreau/moreau_struck.h"

bool carom_moreau_graph_note(struct carom_moreau_graph *w, double time, uint64_t pair, enum carom_event_kind kind,
                             double impulse, double before, double after)
{
    if (!carom_memory_room(&w->event, w->nevents, &w->event_room, 64, sizeof *w->event))
        return false;
    w->event[w->nevents++] =
        (struct carom_event){time, pair, kind, impulse, before, after, carom_event_taken(impulse, before, after)};
    return true;
}

bool carom_moreau_graph_took(struct carom_moreau_graph *w, size_t i)
{
    struct carom_event *event = &w->event[w->nevents - 1];
    event->lost = carom_moreau_struck_taken(w, i, event->lost);
    return true;
}

static enum carom_status make_room(struct carom_moreau_graph *w, size_t n, struct carom_error *error)
{
    if (n <= w->room)
        return CAROM_OK;
    const size_t room = n + n / 2 + 16;
    if (!carom_memory_widen(&w->touch, w->room, room, sizeof *w->touch) ||
        !carom_memory_widen(&w->first, w->room, room + 1, sizeof *w->first) ||
        !carom_memory_widen(&w->b, w->room, room, sizeof *w->b) ||
        !carom_memory_widen(&w->impulse, w->room, room, sizeof *w->impulse) ||
        !carom_memory_widen(&w->sides, 2 * w->room, 2 * room, sizeof *w->sides))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu contacts", n);
    w->room = room;
    return w->friction ? carom_moreau_friction_reserve(w, room, error) : carom_lcp_sparse_open(&w->lcp, room, error);
}

/* where a key stands in a list, or n */
size_t carom_moreau_graph_find(const struct carom_contacts *list, const struct carom_contact_key *key)
{
    size_t low = 0, high = list->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (carom_list_order(&list->key[middle], key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->n && carom_list_order(&list->key[low], key) == 0 ? low : list->n;
}

/* of b past a; bodies that are led move as in `led` */
double carom_moreau_graph_rate(const struct carom_moreau_graph *w, const struct carom_contact_key *key,
                               const struct carom_meeting *m, const double *v, const double *led)
{
    const size_t nv = carom_bodies_nv(w->bodies);
    const double *a = (w->bodies->body[key->a].fixed ? led : v) + key->a * nv;
    const double *b = (w->bodies->body[key->b].fixed ? led : v) + key->b * nv;
    double slip[3];
    return carom_meet_pass(w->bodies->dimension == 2, a, b, m, slip);
}

/* the pairs that may touch within the step must be among those that are near */
static enum carom_status look_around(struct carom_moreau_graph *w, const struct carom_state *from, double h,
                                     struct carom_error *error)
{
    double fastest = 0.0;
    const size_t nv = carom_bodies_nv(w->bodies);
    for (size_t i = 0; i < w->bodies->n; i++) {
        double square = 0.0, spin = 0.0;
        for (size_t k = 0; k < w->bodies->dimension; k++)
            square += from->v[i * nv + k] * from->v[i * nv + k];
        for (size_t k = w->bodies->dimension; k < nv; k++)
            spin += from->v[i * nv + k] * from->v[i * nv + k];
        const bool tumbles = carom_bodies_tumbles(&w->bodies->body[i]);
        fastest = fmax(fastest, sqrt(square) + (tumbles ? sqrt(spin) * carom_bodies_reach(&w->bodies->body[i]) : 0.0));
    }
    const double reach = 2.0 * h * (fastest + w->rigid.kick);
    if (w->search.skin >= 0.0 && 2.0 * carom_search_way(&w->search, from->q) + reach <= w->search.skin)
        return CAROM_OK;
    return carom_search_renew(&w->search, from->q, reach, &w->near, 1, error);
}

/* Did contact j stick? Then its tangential force stood inside the cone of mu, or beyond it in that of mu_static. */
static bool was_sticking(const struct carom_contacts *list, const struct carom_columns *columns, size_t j, double mu)
{
    double square = 0.0;
    for (size_t k = 0; k < columns->width[CAROM_SLIDES]; k++) {
        const double along = list->column[columns->spring[CAROM_SLIDES] + k][j];
        square += along * along;
    }
    const double cone = mu * list->column[columns->history + CAROM_RIGID_FORCE][j];
    return columns->width[CAROM_SLIDES] > 0 && fabs(sqrt(square) - cone) > 1e-9 * cone;
}

/* Does the gap close within `ahead`? Where bodies turn little the straight way tells, which is what the scheme says.
 * Corners of those that spin go round: at 1e7 radians a second every corner of a body is about to fly off through any
 * wall along its tangent, and none does. Their gap is taken where they would be then. */
static bool closes(struct carom_moreau_graph *w, const struct carom_contact_key *key, const struct carom_state *from,
                   double gap, double rate, double ahead, double near)
{
    static const double little = 0.1; /* radians: a corner is off its tangent by a twentieth of its way */
    const struct carom_bodies *b = w->bodies;
    const size_t nv = carom_bodies_nv(b);
    double turn = 0.0;
    if (gap <= near || gap + ahead * rate > near)
        return gap + ahead * rate <= near;
    for (int s = 0; s < 2; s++) {
        const size_t i = s ? key->b : key->a;
        double square = 0.0;
        for (size_t k = b->dimension; k < nv; k++)
            square += from->v[i * nv + k] * from->v[i * nv + k];
        turn = carom_bodies_tumbles(&b->body[i]) ? fmax(turn, ahead * sqrt(square)) : turn;
        for (size_t k = i * nv; k < (i + 1) * nv; k++)
            w->part[k] = ahead * from->v[k];
        carom_bodies_move(b, i, i + 1, from->q, w->part, w->between);
    }
    struct carom_meeting m;
    return turn <= little || !carom_meet(b, key, w->between, &m) || m.gap <= near;
}

static enum carom_status too_deep(const struct carom_contact_key *key, double t, struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "bodies %u and %u have run into each other at t = %g; take a smaller step",
                           (unsigned)key->a + 1, (unsigned)key->b + 1, t);
}

/* takes contact `key`, of pair j of those near each other, into the set if it is closed now or after gamma steps */
static enum carom_status consider(struct carom_stepper *stepper, const struct carom_state *from, double h, size_t j,
                                  const struct carom_contact_key *key, struct carom_error *error)
{
    struct carom_moreau_graph *w = stepper->work;
    const struct carom_bodies *b = w->bodies;
    const struct carom_columns columns = carom_list_columns(b);
    struct carom_meeting m;
    if (!carom_meet(b, key, from->q, &m))
        return too_deep(key, from->time, error);
    const size_t was = carom_moreau_graph_find(from->contacts, key);
    const bool known = was < from->contacts->n;
    const double force = known ? from->contacts->column[columns.history + CAROM_RIGID_FORCE][was] : 0.0;
    stepper->worst_gap = fmin(stepper->worst_gap, m.gap);
    const double rate = carom_moreau_graph_rate(w, key, &m, from->v, from->v), ahead = h * w->options->gamma;
    const double near = carom_moreau_near(w->options, h * w->rigid.kick, b->edge + b->far, force > 0.0);
    if (!closes(w, key, from, m.gap, rate, ahead, near))
        return CAROM_OK;
    const enum carom_status status = make_room(w, w->n + 1, error);
    if (status != CAROM_OK)
        return status;
    const double e = w->near->column[CAROM_RIGID_E][j];
    struct carom_moreau_touch *t = &w->touch[w->n];
    *t = (struct carom_moreau_touch){.key = *key,
                                     .e = {e, carom_moreau_lift(e, w->options->theta, w->options->printed)}};
    t->status = known ? from->contacts->column[columns.phase][was] : CAROM_RIGID_STEP_OPEN;
    t->inverse[0] = b->body[key->a].fixed ? 0.0 : 1.0 / b->body[key->a].mass;
    t->inverse[1] = b->body[key->b].fixed ? 0.0 : 1.0 / b->body[key->b].mass;
    t->mobility = t->inverse[0] + t->inverse[1];
    for (size_t k = 0; k < 2 && columns.width[CAROM_SLIDES] > 0; k++)
        t->mu[k] = w->near->column[columns.rub[CAROM_SLIDES] + k][j];
    for (int k = 0; k < 2; k++)
        if (columns.width[CAROM_ROLLS + k] > 0)
            t->resists[k] = w->near->column[columns.rub[CAROM_ROLLS + k]][j];
    t->stuck = known && was_sticking(from->contacts, &columns, was, t->mu[0]);
    t->bore = h * force;
    w->impulse[w->n++] = t->bore;
    return CAROM_OK;
}

size_t carom_moreau_graph_places(const struct carom_bodies *b, const struct carom_contact_key *pair, const double *q,
                                 uint32_t feature[CAROM_SHAPES_MOST])
{
    if (carom_shapes_both(b, pair->a, pair->b))
        return carom_shapes_places(b, pair, q, feature);
    feature[0] = pair->feature;
    return 1;
}

/* Contacts of which the state tells something have been stepped: steps let them sink a little. */
static enum carom_status check_gap(const struct carom_moreau_graph *w, const struct carom_state *state,
                                   const struct carom_contact_key *key, bool deep, struct carom_error *error)
{
    /* bodies with corners may stand on each other as people write it, in some digits */
    const bool corners = carom_shapes_both(w->bodies, key->a, key->b);
    const double slack = (corners ? 1e-7 : 1e-12) * (w->bodies->edge + w->bodies->far);
    const bool known = carom_moreau_graph_find(state->contacts, key) < state->contacts->n;
    struct carom_meeting m = {.gap = 0.0};
    if (!deep && carom_meet(w->bodies, key, state->q, &m) && (known || m.gap >= -slack))
        return CAROM_OK;
    if (deep)
        return carom_error_set(error, CAROM_E_INPUT,
                               "bodies %u and %u overlap deeply at the start, rigid bodies cannot; move them apart",
                               (unsigned)key->a + 1, (unsigned)key->b + 1);
    return carom_error_set(
        error, CAROM_E_INPUT, "bodies %u and %u overlap by %g at the start, rigid bodies cannot; move them apart%s",
        (unsigned)key->a + 1, (unsigned)key->b + 1, -m.gap, corners ? "" : " or take theory: compliant");
}

enum carom_status carom_moreau_graph_start(struct carom_stepper *stepper, const struct carom_state *state,
                                           struct carom_error *error)
{
    struct carom_moreau_graph *w = stepper->work;
    enum carom_status status = carom_search_renew(&w->search, state->q, 0.0, &w->near, 1, error);
    for (size_t j = 0; status == CAROM_OK && !stepper->renews && j < w->near->n; j++) {
        struct carom_contact_key key = w->near->key[j];
        uint32_t feature[CAROM_SHAPES_MOST];
        const size_t places = carom_moreau_graph_places(w->bodies, &key, state->q, feature);
        if (places == SIZE_MAX)
            return check_gap(w, state, &key, true, error);
        for (size_t k = 0; k < places && status == CAROM_OK; k++) {
            key.feature = feature[k];
            status = check_gap(w, state, &key, false, error);
        }
    }
    return status;
}

/* takes the contacts of pair j into the set that may carry an impulse */
static enum carom_status consider_pair(struct carom_stepper *stepper, const struct carom_state *from, double h,
                                       size_t j, struct carom_error *error)
{
    struct carom_moreau_graph *w = stepper->work;
    struct carom_contact_key key = w->near->key[j];
    uint32_t feature[CAROM_SHAPES_MOST];
    const size_t places = carom_moreau_graph_places(w->bodies, &key, from->q, feature);
    enum carom_status status = places == SIZE_MAX ? too_deep(&key, from->time, error) : CAROM_OK;
    for (size_t k = 0; status == CAROM_OK && k < places; k++) {
        key.feature = feature[k];
        status = consider(stepper, from, h, j, &key, error);
    }
    return status;
}

/* whoever is touched wakes, and all that those touch; `any`: somebody did */
static enum carom_status wake(struct carom_stepper *stepper, const struct carom_state *from, double h, bool *any,
                              struct carom_error *error)
{
    struct carom_moreau_graph *w = stepper->work;
    enum carom_status status = CAROM_OK;
    *any = false;
    for (size_t j = 0; status == CAROM_OK && j < w->near->n; j++) {
        w->n = 0;
        if (!carom_moreau_sleep_mixed(w, &w->near->key[j]))
            continue;
        status = consider_pair(stepper, from, h, j, error);
        if (w->n == 0)
            continue;
        carom_moreau_sleep_wake(w, &w->near->key[j]);
        *any = true;
    }
    return status;
}

/* which contacts may carry an impulse: closed now, or after gamma steps */
enum carom_status carom_moreau_graph_choose(struct carom_stepper *stepper, const struct carom_state *from, double h,
                                            struct carom_error *error)
{
    struct carom_moreau_graph *w = stepper->work;
    enum carom_status status = look_around(w, from, h, error);
    carom_moreau_sleep_check(w, from);
    for (bool any = true; status == CAROM_OK && any;)
        status = wake(stepper, from, h, &any, error);
    w->n = 0;
    for (size_t j = 0; status == CAROM_OK && j < w->near->n; j++)
        if (!carom_moreau_sleep_is(w, w->near->key[j].a) && !carom_moreau_sleep_is(w, w->near->key[j].b))
            status = consider_pair(stepper, from, h, j, error);
    return status;
}

/* contacts of each body */
static void index_sides(struct carom_moreau_graph *w)
{
    const size_t n = w->bodies->n;
    memset(w->of_body, 0, (n + 1) * sizeof *w->of_body);
    for (size_t i = 0; i < w->n; i++) {
        w->of_body[w->touch[i].key.a + 1]++;
        w->of_body[w->touch[i].key.b + 1]++;
    }
    for (size_t i = 0; i < n; i++)
        w->of_body[i + 1] += w->of_body[i];
    for (size_t i = 0; i < w->n; i++) {
        w->sides[w->of_body[w->touch[i].key.a]++] = 2 * i;
        w->sides[w->of_body[w->touch[i].key.b]++] = 2 * i + 1;
    }
    memmove(w->of_body + 1, w->of_body, n * sizeof *w->of_body);
    w->of_body[0] = 0;
}

/* rows of W: contacts that share a body which moves */
enum carom_status carom_moreau_graph_rows(struct carom_moreau_graph *w, struct carom_error *error)
{
    size_t count = 0;
    index_sides(w);
    for (size_t i = 0; i < w->n; i++) {
        const uint32_t body[2] = {w->touch[i].key.a, w->touch[i].key.b};
        for (int s = 0; s < 2; s++)
            count += w->touch[i].inverse[s] > 0.0 ? w->of_body[body[s] + 1] - w->of_body[body[s]] : 0;
    }
    if (count > w->entry_room) {
        const size_t room = count + count / 2;
        if (!carom_memory_widen(&w->column, w->entry_room, room, sizeof *w->column) ||
            !carom_memory_widen(&w->value, w->entry_room, room, sizeof *w->value))
            return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu contacts", w->n);
        w->entry_room = room;
    }
    w->entries = 0;
    for (size_t i = 0; i < w->n; i++) {
        const struct carom_moreau_touch *t = &w->touch[i];
        const uint32_t body[2] = {t->key.a, t->key.b};
        w->first[i] = w->entries;
        for (size_t s = 0; s < 2; s++)
            for (size_t k = w->of_body[body[s]]; t->inverse[s] > 0.0 && k < w->of_body[body[s] + 1]; k++) {
                const size_t other = w->sides[k] / 2;
                const double sign = w->sides[k] % 2 == s ? 1.0 : -1.0;
                w->column[w->entries] = other;
                w->value[w->entries++] = sign * t->inverse[s] * carom_vec_dot(t->normal, w->touch[other].normal);
            }
    }
    w->first[w->n] = w->entries;
    return CAROM_OK;
}
