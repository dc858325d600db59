/* Contacts that last: those at rest that press, 0 <= force _|_ y'' >= 0. Flights stay parabolas as long as such
 * contacts keep their normals: along flat walls, and between bodies that do not move past each other. What else lasts,
 * a disc that slides around another, is refused. A contact whose impacts die out under pressure, each flight shorter
 * than the last, is held as soon as the flights no longer matter, as in rows (event_sets.c). */
#include <string.h>

#include "scheme/rigid/event/event_bodies.h"
#include "solve/dense.h"

static const double low_bounce = 1e-4; /* of tol U: a bounce lower than this may be left out */
static const double equal = 1e-9;      /* of the largest acceleration: nothing */
static const double still = 1e-12;     /* of V: bodies that move past each other no faster do not */
enum { IN_A_ROW = 3, SWEEPS = 40 };

/* --- forces ------------------------------------------------------------------------------------------------------ */

static void bends(struct carom_event_bodies *w)
{
    struct carom_event_cluster *c = &w->cluster;
    double v[3], a[3];
    for (size_t i = 0; i < c->n; i++) {
        struct carom_event_touch *t = &c->touch[i];
        carom_event_cluster_between(w, t, c->v, v);
        carom_event_cluster_between(w, t, c->a, a);
        t->bend = carom_event_meet_bend(w, &t->key, &t->meeting, v, a);
    }
}

static void fall_freely(struct carom_event_bodies *w)
{
    struct carom_event_cluster *c = &w->cluster;
    for (size_t s = 0; s < c->nbodies; s++)
        memcpy(c->a + 3 * s, w->freely + 3 * c->body[s], 3 * sizeof(double));
    for (size_t i = 0; i < c->n; i++) {
        c->touch[i].held = false;
        c->touch[i].force = 0.0;
    }
    bends(w);
}

/* the contacts at rest, in c->set; false: none of them presses */
static bool find_resting(struct carom_event_bodies *w, size_t *n, double *size)
{
    struct carom_event_cluster *c = &w->cluster;
    bool presses = false;
    *n = 0;
    *size = 0.0;
    for (size_t s = 0; s < 3 * c->nbodies; s++)
        *size = fmax(*size, fabs(c->a[s]));
    for (size_t i = 0; i < c->n; i++)
        if (c->touch[i].rests || fabs(c->touch[i].rate) <= carom_event_bodies_slow(w)) {
            c->set[(*n)++] = i;
            *size = fmax(*size, fabs(c->touch[i].bend));
        }
    for (size_t k = 0; k < *n; k++)
        presses |= c->touch[c->set[k]].bend < -equal * *size;
    return presses;
}

/* forces of the contacts at rest, and the accelerations with them */
static enum carom_status press(struct carom_stepper *stepper, size_t n, double size, struct carom_error *error)
{
    struct carom_event_bodies *w = stepper->work;
    struct carom_event_cluster *c = &w->cluster;
    double *b = c->of_set, *force = b + c->room;
    carom_event_cluster_link(w, c->set, n);
    for (size_t k = 0; k < n; k++) {
        b[k] = c->touch[c->set[k]].bend;
        force[k] = b[k] < 0.0 ? -b[k] / c->frame.diagonal[k] : 0.0;
    }
    const struct carom_lcp lcp = {.n = n, .matrix = c->frame.matrix, .b = b};
    struct carom_lcp_report report;
    carom_lcp_solve(&lcp, (enum carom_lcp_solver)w->options->solver, w->options->solver_tol, 0, &c->lcp, force,
                    &report);
    stepper->counts.iterations += report.iterations;
    stepper->worst_residual = fmax(stepper->worst_residual, report.residual);
    if (!report.solved)
        return carom_error_set(error, CAROM_E_NUMERIC,
                               "no forces keep bodies %zu to %zu from overlapping at t = %g (residual %.1e, solver_tol "
                               "%.1e)",
                               (size_t)c->body[0] + 1, (size_t)c->body[c->nbodies - 1] + 1, carom_event_bodies_time(w),
                               report.residual, w->options->solver_tol);
    carom_frame_push(&c->frame, force, c->a);
    for (size_t k = 0; k < n; k++) {
        struct carom_event_touch *t = &c->touch[c->set[k]];
        t->held = force[k] * c->frame.diagonal[k] > equal * size;
        t->force = t->held ? force[k] : 0.0;
    }
    bends(w);
    return CAROM_OK;
}

/* --- impacts that die out ---------------------------------------------------------------------------------------- */

static bool is_low(const struct carom_event_bodies *w, const struct carom_event_touch *t)
{
    return t->bend < 0.0 && 0.5 * t->rate * t->rate / -t->bend <= low_bounce * w->options->tol * w->length;
}

/* what the last low bounce left, if this impact ends it; else NULL */
static const struct carom_event_bond *last_bounce(const struct carom_event_bodies *w, const struct carom_event_touch *t)
{
    const struct carom_event_bond *bond = carom_event_bonds_find(&w->bonds, &t->key);
    const bool recent =
        bond && bond->keeps[CAROM_RIGID_PARTED] > 0.0 && carom_event_bodies_time(w) <= bond->keeps[CAROM_RIGID_DUE];
    return recent && t->rate <= 0.5 * (1.0 + t->e) * bond->keeps[CAROM_RIGID_PARTED] ? bond : NULL;
}

static bool dies_out(const struct carom_event_bodies *w, const struct carom_event_touch *t)
{
    if (!t->struck || t->rests || !(t->e < 1.0) || !(t->bend < 0.0) || !(t->rate > carom_event_bodies_slow(w)))
        return false;
    if (0.5 * t->rate * t->rate / -t->bend <= carom_event_bodies_near(w))
        return true;
    const struct carom_event_bond *last = last_bounce(w, t);
    return is_low(w, t) && last && last->keeps[CAROM_RIGID_COUNT] + 1.0 >= IN_A_ROW;
}

/* the flights that follow take 2 r / |y''| (1 + ratio + ratio^2 + ...) */
static double rest_time(const struct carom_event_bodies *w, const struct carom_event_touch *t)
{
    const struct carom_event_bond *last = last_bounce(w, t);
    double ratio = last ? t->rate / last->keeps[CAROM_RIGID_PARTED] : t->e;
    if (!(ratio < 1.0) || fabs(ratio - t->e) < 1e-3 * (1.0 - t->e))
        ratio = t->e;
    return carom_event_bodies_time(w) + 2.0 * t->rate / (-t->bend * (1.0 - ratio));
}

static bool die_out(struct carom_event_bodies *w)
{
    bool any = false;
    for (size_t i = 0; i < w->cluster.n; i++) {
        struct carom_event_touch *t = &w->cluster.touch[i];
        if (t->held || !dies_out(w, t))
            continue;
        t->rest = rest_time(w, t);
        any = t->rests = true;
    }
    return any;
}

void carom_event_hold_remember(struct carom_event_bodies *w, const struct carom_event_touch *t,
                               struct carom_event_bond *bond)
{
    const struct carom_event_bond *was = carom_event_bonds_find(&w->bonds, &t->key);
    if (t->held) {
        bond->mode = CAROM_EVENT_HELD;
        bond->keeps[CAROM_RIGID_FORCE] = t->force;
        bond->keeps[CAROM_RIGID_REST] = t->rests ? t->rest : t->was && was ? was->keeps[CAROM_RIGID_REST] : 0.0;
        if (bond->keeps[CAROM_RIGID_REST] > 0.0)
            w->next_rest = fmin(w->next_rest, bond->keeps[CAROM_RIGID_REST]);
        return;
    }
    if (!t->struck || !is_low(w, t) || !(t->rate > 0.0))
        return;
    const struct carom_event_bond *last = last_bounce(w, t);
    bond->keeps[CAROM_RIGID_PARTED] = t->rate;
    bond->keeps[CAROM_RIGID_COUNT] = last ? last->keeps[CAROM_RIGID_COUNT] + 1.0 : 0.0;
    bond->keeps[CAROM_RIGID_DUE] = carom_event_bodies_time(w) + 3.0 * t->rate / -t->bend;
}

/* --- together ---------------------------------------------------------------------------------------------------- */

/* the rates of held contacts become 0; what that loses is booked */
static enum carom_status unite(struct carom_event_bodies *w, struct carom_error *error)
{
    struct carom_event_cluster *c = &w->cluster;
    double *x = c->of_set, *before = x + c->room, *rest = before + c->room, largest = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++)
        if (c->touch[i].held)
            c->set[n++] = i;
    carom_event_cluster_link(w, c->set, n);
    const double *m = c->frame.matrix;
    carom_frame_rates(&c->frame, c->v, before);
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, c->frame.diagonal[i]);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k <= i; k++) /* redundant contacts make W singular */
            c->matrix[i * n + k] = m[i * n + k] + (i == k ? 1e-12 * largest : 0.0);
        x[i] = -before[i];
    }
    if (carom_dense_cholesky(n, c->matrix, 0.0) != 0)
        return carom_error_set(error, CAROM_E_NUMERIC, "contacts of bodies %zu to %zu cannot be held at t = %g",
                               (size_t)c->body[0] + 1, (size_t)c->body[c->nbodies - 1] + 1, carom_event_bodies_time(w));
    carom_dense_cholesky_solve(n, c->matrix, x);
    carom_frame_push(&c->frame, x, c->v);
    carom_frame_rates(&c->frame, c->v, rest);
    for (size_t i = 0; i < n; i++)
        carom_list_book(w->state->contacts, CAROM_RETIRED_VISCOUS, -0.5 * x[i] * (before[i] + rest[i]));
    return CAROM_OK;
}

/* bodies that are held at each other without moving past each other are one; `group`: the first body of each's */
static void find_groups(struct carom_event_bodies *w, size_t *group)
{
    struct carom_event_cluster *c = &w->cluster;
    for (size_t s = 0; s < c->nbodies; s++)
        group[s] = s;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < c->n; i++) {
            const struct carom_event_touch *t = &c->touch[i];
            if (!t->held || w->bodies->body[t->key.a].fixed || w->bodies->body[t->key.b].fixed)
                continue;
            size_t *a = &group[c->slot[t->key.a] - 1], *b = &group[c->slot[t->key.b] - 1];
            more |= *a != *b;
            *a = *b = *a < *b ? *a : *b;
        }
    }
}

/* Does the contact last in a way that keeps its normal? */
static enum carom_status check_lasting(const struct carom_event_bodies *w, const struct carom_event_touch *t,
                                       double size, struct carom_error *error)
{
    const struct carom_event_cluster *c = &w->cluster;
    double v[3], a[3];
    carom_event_cluster_between(w, t, c->v, v);
    carom_event_cluster_between(w, t, c->a, a);
    if (carom_event_meet_is_flat(w, &t->key) ||
        (carom_vec_norm(v) <= still * w->speed && carom_vec_norm(a) <= equal * size))
        return CAROM_OK;
    return carom_error_set(
        error, CAROM_E_REFUSED,
        "bodies %u and %u stay in contact from t = %g on and slide around each other, which scheme event does not "
        "follow (only along planes and inside boxes); moreau-adaptive does where up to ten bodies move, five in space, "
        "moreau-jean where any do",
        (unsigned)t->key.a + 1, (unsigned)t->key.b + 1, carom_event_bodies_time(w));
}

/* x (v or a) of a group without what points into flat walls it is held at; nothing at all where it is held at others */
static void project(const struct carom_event_bodies *w, const size_t *group, size_t of, double *x)
{
    const struct carom_event_cluster *c = &w->cluster;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (size_t i = 0; i < c->n; i++) {
            const struct carom_event_touch *t = &c->touch[i];
            const bool a = !w->bodies->body[t->key.a].fixed, b = !w->bodies->body[t->key.b].fixed;
            if (!t->held || (a && b) || group[c->slot[a ? t->key.a : t->key.b] - 1] != of)
                continue;
            const bool flat = carom_event_meet_is_flat(w, &t->key);
            const double along = carom_vec_dot(t->meeting.normal, x);
            for (int k = 0; k < 3; k++)
                x[k] = flat ? x[k] - along * t->meeting.normal[k] : 0.0;
        }
}

static bool has_held(const struct carom_event_bodies *w, const size_t *group, size_t of)
{
    const struct carom_event_cluster *c = &w->cluster;
    for (size_t i = 0; i < c->n; i++) {
        const struct carom_contact_key *key = &c->touch[i].key;
        const size_t moves = w->bodies->body[key->a].fixed ? key->b : key->a;
        if (c->touch[i].held && group[c->slot[moves] - 1] == of)
            return true;
    }
    return false;
}

/* rounding must not pull a group apart: its bodies get the same velocity and acceleration */
static void make_one(struct carom_event_bodies *w, const size_t *group, size_t of, double size)
{
    struct carom_event_cluster *c = &w->cluster;
    double mass = 0.0, v[3] = {0.0}, a[3] = {0.0};
    size_t members = 0;
    for (size_t s = of; s < c->nbodies; s++) {
        if (group[s] != of)
            continue;
        const double m = w->bodies->body[c->body[s]].mass;
        mass += m;
        members++;
        for (size_t k = 0; k < 3; k++) {
            v[k] += m * c->v[3 * s + k];
            a[k] += m * c->a[3 * s + k];
        }
    }
    for (size_t k = 0; k < 3; k++) {
        v[k] = members == 1 ? c->v[3 * of + k] : v[k] / mass;
        a[k] = members == 1 ? c->a[3 * of + k] : a[k] / mass;
    }
    project(w, group, of, v);
    project(w, group, of, a);
    const bool stands = carom_vec_norm(v) <= still * w->speed && carom_vec_norm(a) <= equal * size;
    for (size_t s = of; s < c->nbodies; s++)
        for (size_t k = 0; group[s] == of && k < 3; k++) {
            c->v[3 * s + k] = stands ? 0.0 : v[k];
            c->a[3 * s + k] = stands ? 0.0 : a[k];
        }
}

static enum carom_status settle(struct carom_event_bodies *w, double size, struct carom_error *error)
{
    struct carom_event_cluster *c = &w->cluster;
    size_t *group = c->group;
    enum carom_status status = unite(w, error);
    for (size_t i = 0; i < c->n && status == CAROM_OK; i++)
        if (c->touch[i].held)
            status = check_lasting(w, &c->touch[i], size, error);
    if (status != CAROM_OK)
        return status;
    find_groups(w, group);
    for (size_t s = 0; s < c->nbodies; s++)
        if (group[s] == s && has_held(w, group, s))
            make_one(w, group, s, size);
    return CAROM_OK;
}

static bool any_held(const struct carom_event_cluster *c)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->touch[i].held)
            return true;
    return false;
}

/* holding some contacts may have brought another to rest that presses */
static bool any_presses(const struct carom_event_bodies *w, double size)
{
    for (size_t i = 0; i < w->cluster.n; i++) {
        const struct carom_event_touch *t = &w->cluster.touch[i];
        if (!t->held && fabs(t->rate) <= carom_event_bodies_slow(w) && t->bend < -2.0 * equal * size)
            return true;
    }
    return false;
}

enum carom_status carom_event_hold(struct carom_stepper *stepper, struct carom_error *error)
{
    struct carom_event_bodies *w = stepper->work;
    struct carom_event_cluster *c = &w->cluster;
    double size = 0.0;
    size_t n;
    for (size_t turn = 0; turn <= 2 * c->n + 2; turn++) {
        enum carom_status status = CAROM_OK;
        fall_freely(w);
        if (find_resting(w, &n, &size))
            status = press(stepper, n, size, error);
        if (status == CAROM_OK && die_out(w)) {
            stepper->left_out = fmax(stepper->left_out, low_bounce * w->options->tol);
            continue;
        }
        if (status == CAROM_OK && any_held(c))
            status = settle(w, size, error);
        if (status != CAROM_OK)
            return status;
        carom_event_cluster_rates(w);
        bends(w);
        if (!any_presses(w, size))
            return CAROM_OK;
    }
    return carom_error_set(error, CAROM_E_NUMERIC, "what lasts among bodies %zu to %zu at t = %g cannot be decided",
                           (size_t)c->body[0] + 1, (size_t)c->body[c->nbodies - 1] + 1, carom_event_bodies_time(w));
}
