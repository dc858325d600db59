/* Contacts with friction in a step of moreau-jean, see moreau_friction.h. The tangents of a contact follow from its
 * normal alone, and what it remembers of its tangential force is a vector, so that nothing depends on how they were
 * chosen. Where mu_static is more than mu, contacts that stuck have its cone; those found on its edge slip after all,
 * and the problem is solved again with mu for them. */
#include "scheme/rigid/moreau/moreau_friction.h"

#include <string.h>

#include "base/memory.h"
#include "scheme/rigid/moreau/moreau_between.h"
#include "scheme/rigid/moreau/moreau_joints.h"
#include "scheme/rigid/moreau/moreau_roll.h"
#include "scheme/rigid/moreau/moreau_struck.h"
#include "scheme/stepper.h"

static const double fine = 1e-13; /* residual that is aimed at beyond solver_tol */
static const double edge = 1e-9;  /* part of the cone that counts as its edge */

/* Contacts that move no faster along their normals than this part of what forces change velocities by in a step, or
 * than so many times solver_tol of the fastest contact, are at rest and do not bounce. The corners of a face would else
 * bounce by what the step before left of its residual, each by its own e, which no motion of the face may give. */
static const double still = 1e-8, unsure = 10.0;

/* Corners of a face lie in one plane, and what their laws ask for together no motion may give to the last digit: steps
 * are solved for solver_tol, and refused only where neither that nor this is reached. */
static const double worst = 1e-8;

enum carom_status carom_moreau_friction_open(struct carom_moreau_graph *w, struct carom_error *error)
{
    w->friction = carom_memory_zeroed(1, sizeof *w->friction);
    return w->friction ? CAROM_OK : carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme moreau-jean");
}

void carom_moreau_friction_close(struct carom_moreau_graph *w)
{
    struct carom_moreau_friction *r = w->friction;
    if (!r)
        return;
    carom_friction_islands_close(&r->islands);
    carom_moreau_struck_free(r->struck);
    carom_memory_free_all(r->pair, r->h, r->response, r->tangent, r->before, r->drift, r->after, r->b, r->mu,
                          r->impulse, r->bare, r->part, r->kept, r);
    w->friction = NULL;
}

enum carom_status carom_moreau_friction_reserve(struct carom_moreau_graph *w, size_t n, struct carom_error *error)
{
    struct carom_moreau_friction *r = w->friction;
    const size_t dim = w->bodies->dimension, rows = 2 * dim * carom_bodies_nv(w->bodies), old = r->room;
    const size_t room = n + n / 2 + 16;
    if (n <= old)
        return CAROM_OK;
    const struct {
        void *at;
        size_t per;
    } all[] = {{&r->h, rows},      {&r->response, rows}, {&r->tangent, 6}, {&r->before, dim},
               {&r->drift, dim},   {&r->after, dim},     {&r->b, dim},     {&r->mu, 1},
               {&r->impulse, dim}, {&r->bare, dim},      {&r->part, 2},    {&r->kept, dim}};
    bool good = carom_memory_widen(&r->pair, 2 * old, 2 * room, sizeof *r->pair);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        good = good && carom_memory_widen(all[i].at, all[i].per * old, all[i].per * room, sizeof(double));
    if (!good)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu contacts", n);
    r->room = room;
    return CAROM_OK;
}

/* --- directions -------------------------------------------------------------------------------------------------- */

/* one tangent in the plane, two in space */
static void choose_tangents(bool plane, const double n[3], double tangent[6])
{
    memset(tangent, 0, 6 * sizeof *tangent);
    if (plane) {
        tangent[0] = -n[1];
        tangent[1] = n[0];
        return;
    }
    carom_vec_across(n, tangent);
}

static void set_rows(struct carom_moreau_graph *w, size_t i, const struct carom_meeting *m)
{
    struct carom_moreau_friction *r = w->friction;
    const struct carom_bodies *b = w->bodies;
    const size_t dim = b->dimension, nv = carom_bodies_nv(b);
    const uint32_t body[2] = {w->touch[i].key.a, w->touch[i].key.b};
    choose_tangents(dim == 2, m->normal, r->tangent + 6 * i);
    w->touch[i].mobility = 0.0;
    for (size_t s = 0; s < 2; s++) {
        const struct carom_body *of = &b->body[body[s]];
        r->pair[2 * i + s] = of->fixed ? b->n : body[s];
        for (size_t k = 0; k < dim; k++) {
            double *h = r->h + ((2 * i + s) * dim + k) * nv, *response = r->response + ((2 * i + s) * dim + k) * nv;
            carom_meet_row(dim == 2, s ? 1.0 : -1.0, k == 0 ? m->normal : r->tangent + 6 * i + 3 * (k - 1), m->arm[s],
                           h);
            carom_bodies_respond(b, body[s], w->place, h, response);
            for (size_t l = 0; k == 0 && l < nv; l++)
                w->touch[i].mobility += h[l] * response[l];
        }
    }
}

void carom_moreau_friction_rates(const struct carom_moreau_graph *w, size_t i, const double *v, const double *led,
                                 double *out)
{
    const struct carom_moreau_friction *r = w->friction;
    const size_t dim = w->bodies->dimension, nv = carom_bodies_nv(w->bodies);
    const uint32_t body[2] = {w->touch[i].key.a, w->touch[i].key.b};
    for (size_t k = 0; k < dim; k++) {
        out[k] = 0.0;
        for (size_t s = 0; s < 2; s++) {
            const double *of = w->bodies->body[body[s]].fixed ? led : v, *h = r->h + ((2 * i + s) * dim + k) * nv;
            for (size_t l = 0; of && l < nv; l++)
                out[k] += h[l] * of[body[s] * nv + l];
        }
    }
}

/* --- the problem ------------------------------------------------------------------------------------------------- */

/* what the contact carried before, along the tangents of now */
static void guess_impulse(struct carom_moreau_graph *w, size_t i, const struct carom_state *from, double h)
{
    const struct carom_columns columns = carom_list_columns(w->bodies);
    const size_t dim = w->bodies->dimension, was = carom_moreau_graph_find(from->contacts, &w->touch[i].key);
    double *impulse = w->friction->impulse + dim * i;
    impulse[0] = w->impulse[i];
    for (size_t k = 1; k < dim; k++) {
        const double *tangent = w->friction->tangent + 6 * i + 3 * (k - 1);
        impulse[k] = 0.0;
        if (was == from->contacts->n || columns.width[CAROM_SLIDES] == 0)
            continue;
        for (size_t l = 0; l < columns.width[CAROM_SLIDES]; l++)
            impulse[k] +=
                h * (dim == 2 ? 1.0 : tangent[l]) * from->contacts->column[columns.spring[CAROM_SLIDES] + l][was];
    }
}

void carom_moreau_friction_bounce(struct carom_moreau_graph *w, size_t i, double e)
{
    struct carom_moreau_friction *r = w->friction;
    const double before = w->touch[i].before;
    const size_t at = w->bodies->dimension * i;
    r->b[at] = r->bare[at] + (fabs(before) > r->still ? e * before : 0.0);
}

void carom_moreau_friction_set(struct carom_moreau_graph *w, const struct carom_state *from, const double *freely,
                               double h, bool guess)
{
    struct carom_moreau_friction *r = w->friction;
    const size_t dim = w->bodies->dimension;
    double fastest = 0.0;
    for (size_t i = 0; i < w->n; i++) {
        struct carom_moreau_touch *t = &w->touch[i];
        struct carom_meeting m;
        carom_meet(w->bodies, &t->key, w->place, &m);
        memcpy(t->normal, m.normal, sizeof t->normal);
        set_rows(w, i, &m);
        carom_moreau_friction_rates(w, i, from->v, w->mean, r->before + dim * i);
        carom_moreau_friction_rates(w, i, freely, w->mean, r->b + dim * i);
        carom_moreau_friction_rates(w, i, NULL, w->mean, r->drift + dim * i);
        t->before = r->before[dim * i];
        t->drift = r->drift[dim * i];
        memcpy(r->bare + dim * i, r->b + dim * i, dim * sizeof *r->b);
        r->part[2 * i] = 0.0;
        r->part[2 * i + 1] = 2.0; /* nothing is known to be too much */
        if (guess)
            guess_impulse(w, i, from, h);
        for (size_t k = 0; k < dim; k++)
            fastest = fmax(fastest, fabs(r->before[dim * i + k]));
    }
    r->deadened = false;
    r->still = fmax(still * w->rigid.kick, unsure * w->options->solver_tol * fastest);
    for (size_t i = 0; i < w->n; i++) { /* what comes to touch without slipping sticks */
        struct carom_moreau_touch *t = &w->touch[i];
        double slip = 0.0;
        carom_moreau_friction_bounce(w, i, t->e[t->before > 0.0]);
        for (size_t k = 1; k < dim; k++)
            slip = fmax(slip, fabs(r->before[dim * i + k]));
        const bool back = carom_moreau_sent_back(t->e, t->before, r->still, slip, t->stuck);
        for (size_t k = 1; k < dim && back; k++)
            r->b[dim * i + k] += t->e[1] * r->before[dim * i + k];
        const bool fresh = t->status == CAROM_RIGID_STEP_OPEN && slip <= 16.0 * DBL_EPSILON * fastest;
        r->mu[i] = t->mu[(t->stuck || fresh) && t->mu[1] > t->mu[0]];
    }
}

static double slide_of(const struct carom_moreau_graph *w, size_t i)
{
    const double *p = w->friction->impulse + w->bodies->dimension * i;
    return w->bodies->dimension == 2 ? fabs(p[1]) : sqrt(p[1] * p[1] + p[2] * p[2]);
}

bool carom_moreau_friction_sticks(const struct carom_moreau_graph *w, size_t i)
{
    return slide_of(w, i) < (1.0 - edge) * w->friction->mu[i] * w->impulse[i];
}

/* contacts on the edge of the cone of mu_static slip: that of mu is theirs. True if there are any. */
static bool let_slip(struct carom_moreau_graph *w)
{
    bool any = false;
    for (size_t i = 0; i < w->n; i++)
        if (w->friction->mu[i] != w->touch[i].mu[0] && w->impulse[i] > 0.0 && !carom_moreau_friction_sticks(w, i)) {
            w->friction->mu[i] = w->touch[i].mu[0];
            any = true;
        }
    return any;
}

static enum carom_status refuse(const struct carom_moreau_graph *w, double t,
                                const struct carom_friction_islands_report *report, struct carom_error *error)
{
    if (report->contact >= w->n)
        return carom_moreau_held_refuse(w, report->contact - w->n, t, report->residual, error);
    const struct carom_contact_key *key = &w->touch[report->contact].key;
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "moreau-jean: the contact problem at t = %g of bodies %u and %u and of the %zu contacts "
                           "joined to theirs was solved to %.1e only after %zu iterations, %.1e is allowed: %s",
                           t, (unsigned)key->a + 1, (unsigned)key->b + 1, report->count - 1, report->residual,
                           report->iterations, fmax(worst, w->options->solver_tol), report->reason);
}

/* No contact of the island of contact `of` asks any longer for more than to come to rest: those that approach if
 * `bounces`, else those that open. False if none did. */
static bool calm(struct carom_moreau_graph *w, size_t of, bool bounces)
{
    struct carom_moreau_friction *r = w->friction;
    const size_t dim = w->bodies->dimension, n = w->n + (w->joints ? w->joints->nlimits : 0);
    bool any = false;
    for (size_t i = 0; i < n && of < n; i++) {
        double *b = r->b + dim * i, *bare = r->bare + dim * i;
        if (r->islands.island[i] != r->islands.island[of] || !(bounces ? *b < *bare : *b > *bare))
            continue;
        memcpy(b, bare, dim * sizeof *b);
        memset(r->impulse + dim * i, 0, dim * sizeof *b);
        any = true;
    }
    return any;
}

/* Contacts that open are sent back and their neighbours are not, which no motion of a face may give. And Newton's e of
 * contacts that share a corner, or wedge a body in, may ask for what friction cannot give: with mu = 1 a corner that
 * strikes two walls at once can leave neither. Without both all may come to rest, and a solution is there wherever
 * walls do not press from both sides (Klarbring and Pang 1998): contacts of the island of contact `of` do without in
 * this step, first those that open. False if none asked for anything. */
static bool deaden(struct carom_moreau_graph *w, size_t of)
{
    const bool opens = calm(w, of, false), bounces = !opens && calm(w, of, true);
    w->friction->deadened |= bounces;
    return opens || bounces;
}

static enum carom_friction_solver solver_of(const struct carom_moreau_graph *w)
{
    static const enum carom_friction_solver solvers[] = {[CAROM_LCP_AUTO] = CAROM_FRICTION_AUTO,
                                                         [CAROM_LCP_LEMKE] = CAROM_FRICTION_AUTO,
                                                         [CAROM_LCP_GAUSS_SEIDEL] = CAROM_FRICTION_GAUSS_SEIDEL,
                                                         [CAROM_LCP_NEWTON] = CAROM_FRICTION_NEWTON};
    return solvers[w->options->solver];
}

static struct carom_friction_aims aims_of(const struct carom_moreau_graph *w)
{
    const double tol = w->options->solver_tol;
    return (struct carom_friction_aims){.tol = tol, .fine = fmin(tol, fine), .enough = fmax(worst, tol)};
}

static enum carom_status make_system(struct carom_moreau_graph *w, const double *b,
                                     struct carom_friction_system *system, struct carom_error *error)
{
    const struct carom_moreau_friction *r = w->friction;
    *system = (struct carom_friction_system){.n = w->n,
                                             .dim = w->bodies->dimension,
                                             .bodies = w->bodies->n,
                                             .dof = carom_bodies_nv(w->bodies),
                                             .pair = r->pair,
                                             .h = r->h,
                                             .response = r->response,
                                             .b = b,
                                             .mu = r->mu};
    return w->joints ? carom_moreau_held_system(w, system, error) : CAROM_OK;
}

enum carom_status carom_moreau_friction_rest(struct carom_stepper *stepper, double t, const double *b, double *impulse,
                                             struct carom_error *error)
{
    struct carom_moreau_graph *w = stepper->work;
    const struct carom_friction_aims aims = aims_of(w);
    struct carom_friction_system system;
    struct carom_friction_islands_report report;
    if (make_system(w, b, &system, error) != CAROM_OK ||
        carom_friction_islands_solve(&w->friction->islands, &system, solver_of(w), &aims, impulse, &report, error) !=
            CAROM_OK)
        return error->status;
    stepper->counts.iterations += report.iterations;
    w->residual = fmax(w->residual, report.residual);
    return report.solved || report.residual <= aims.enough ? CAROM_OK : refuse(w, t, &report, error);
}

/* did nothing move before at any contact? */
static bool stood(const struct carom_moreau_graph *w)
{
    for (size_t k = 0; k < w->n * w->bodies->dimension; k++)
        if (w->friction->before[k] != 0.0)
            return false;
    return true;
}

enum carom_status carom_moreau_friction_solve(struct carom_stepper *stepper, double t, struct carom_error *error)
{
    struct carom_moreau_graph *w = stepper->work;
    struct carom_moreau_friction *r = w->friction;
    const size_t dim = w->bodies->dimension;
    struct carom_friction_aims aims = aims_of(w);
    aims.rests = stood(w) && !w->roll;
    struct carom_friction_system system;
    if (make_system(w, r->b, &system, error) != CAROM_OK)
        return error->status;
    bool again;
    do {
        struct carom_friction_islands_report report;
        const enum carom_friction_solver solver = solver_of(w);
        const enum carom_status status =
            w->roll ? carom_moreau_roll_solve(w, &system, solver, &aims, r->impulse, &report, error)
                    : carom_friction_islands_solve(&r->islands, &system, solver, &aims, r->impulse, &report, error);
        if (status != CAROM_OK)
            return status;
        stepper->counts.iterations += report.iterations;
        w->residual = report.residual;
        again = false;
        if (!report.solved && !(report.residual <= aims.enough)) {
            if (!deaden(w, report.contact))
                return refuse(w, t, &report, error);
            again = true;
            continue;
        }
        for (size_t i = 0; i < w->n; i++)
            w->impulse[i] = r->impulse[dim * i];
    } while (again || let_slip(w));
    return CAROM_OK;
}

void carom_moreau_friction_push(const struct carom_moreau_graph *w, double *v, bool once)
{
    const struct carom_moreau_friction *r = w->friction;
    const size_t dim = w->bodies->dimension, nv = carom_bodies_nv(w->bodies);
    for (size_t i = 0; i < w->n; i++) {
        const double part = once ? w->touch[i].once : 1.0;
        for (size_t s = 0; s < 2 && part > 0.0; s++) {
            double *of = v + (s ? w->touch[i].key.b : w->touch[i].key.a) * nv;
            for (size_t k = 0; r->pair[2 * i + s] < w->bodies->n && k < dim; k++)
                for (size_t l = 0; l < nv; l++)
                    of[l] += part * r->impulse[dim * i + k] * r->response[((2 * i + s) * dim + k) * nv + l];
        }
    }
    if (w->roll)
        carom_moreau_roll_push(w, v, once);
}

/* --- what is kept ------------------------------------------------------------------------------------------------ */

double carom_moreau_friction_book(struct carom_moreau_graph *w, struct carom_state *to)
{
    struct carom_moreau_friction *r = w->friction;
    const size_t dim = w->bodies->dimension;
    for (size_t i = 0; i < w->n; i++) {
        const struct carom_moreau_touch *t = &w->touch[i];
        const double *p = r->impulse + dim * i, *before = r->before + dim * i, *drift = r->drift + dim * i;
        double *after = r->after + dim * i, jump[3] = {0.0};
        carom_moreau_friction_rates(w, i, to->v, NULL, after);
        if (w->rigid.struck)
            carom_moreau_friction_rates(w, i, w->jump, NULL, jump);
        struct carom_moreau_course lost[2] = {{0}};
        for (size_t k = 0; k < dim; k++) {
            after[k] += drift[k];
            const double once = t->once * p[k];
            const struct carom_moreau_push push = {p[k] - once, once, before[k], after[k], jump[k]};
            carom_moreau_between_take(&push, &lost[k > 0]);
            carom_moreau_between_lead(w, &push, drift[k]);
            to->work[0] -= p[k] * drift[k];
        }
        /* an impact that turns the slip: carom_coulomb_took */
        const bool rubs = carom_moreau_between_all(&lost[1]) >= 0.0;
        carom_moreau_between_add(&w->lost[CAROM_MOREAU_IMPACT], &lost[0]);
        carom_moreau_between_add(&w->lost[rubs ? CAROM_MOREAU_FRICTION : CAROM_MOREAU_IMPACT], &lost[1]);
        w->touch[i].after = after[0];
    }
    if (w->roll)
        carom_moreau_roll_book(w, to);
    return carom_moreau_between_book(w, to);
}

void carom_moreau_friction_keep(const struct carom_moreau_graph *w, size_t i, double h, struct carom_contacts *list,
                                size_t j)
{
    const struct carom_columns columns = carom_list_columns(w->bodies);
    const double *p = w->friction->impulse + w->bodies->dimension * i, *tangent = w->friction->tangent + 6 * i;
    for (size_t l = 0; l < columns.width[CAROM_SLIDES]; l++)
        list->column[columns.spring[CAROM_SLIDES] + l][j] =
            columns.width[CAROM_SLIDES] == 1 ? p[1] / h : (p[1] * tangent[l] + p[2] * tangent[3 + l]) / h;
    if (w->roll)
        carom_moreau_roll_keep(w, i, h, list, j);
}
