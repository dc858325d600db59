/* Contacts that are struck together, see moreau_struck.h. */
#include "scheme/rigid/moreau/moreau_struck.h"

#include <string.h>

#include "base/memory.h"
#include "carom/impact.h"
#include "carom/law.h"
#include "impact/blow_path.h"
#include "scheme/rigid/moreau/moreau_blow.h"
#include "scheme/rigid/moreau/moreau_friction.h"
#include "scheme/rigid/moreau/moreau_joints.h"
#include "scheme/stepper.h"

enum { LARGEST = 8000 }; /* blocks of W of an island: a path through more takes a second */

enum { E, K, P, MU, ARRAYS };

struct carom_moreau_struck {
    size_t room;
    struct carom_blow_path path;
    double *of[ARRAYS]; /* n: of the contacts of an island */
    double *u, *given;  /* n dim, island by island: rates along the path, and its impulses */
    double *b, *rest;   /* n dim: rates after the path, and what contacts without e add to it */
    bool *followed;     /* n: belongs to an island whose path was followed */
    bool *again;        /* n: what it takes after the path is to be found once more */
    double *taken;      /* n: energy that its normal impulse took along it */
};

void carom_moreau_struck_free(struct carom_moreau_struck *struck)
{
    if (!struck)
        return;
    for (size_t k = 0; k < ARRAYS; k++)
        carom_memory_free(struck->of[k]);
    carom_blow_path_close(&struck->path);
    carom_memory_free_all(struck->u, struck->given, struck->b, struck->rest, struck->followed, struck->again,
                          struck->taken, struck);
}

static enum carom_status reserve(struct carom_moreau_friction *r, size_t n, size_t dim, struct carom_error *error)
{
    if (!r->struck)
        r->struck = carom_memory_zeroed(1, sizeof *r->struck);
    struct carom_moreau_struck *x = r->struck;
    const size_t old = x ? x->room : 0, room = n + n / 2 + 16;
    if (x && n <= old)
        return CAROM_OK;
    bool good = x && carom_blow_path_reserve(&x->path, room) &&
                carom_memory_widen(&x->followed, old, room, sizeof *x->followed) &&
                carom_memory_widen(&x->again, old, room, sizeof *x->again) &&
                carom_memory_widen(&x->taken, old, room, sizeof *x->taken);
    for (size_t k = 0; k < ARRAYS; k++)
        good = good && carom_memory_widen(&x->of[k], old, room, sizeof(double));
    for (size_t k = 0; k < 4 && good; k++)
        good = carom_memory_widen(((double **[]){&x->u, &x->given, &x->b, &x->rest})[k], dim * old, dim * room,
                                  sizeof(double));
    if (!good)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu contacts", n);
    x->room = room;
    return CAROM_OK;
}

/* --- what a contact is ------------------------------------------------------------------------------------------- */

static const struct carom_moreau_bond *limit_of(const struct carom_moreau_graph *w, size_t i)
{
    return i < w->n ? NULL : &w->joints->limit[i - w->n];
}

/* its rate before the step, along direction k */
static double before(const struct carom_moreau_graph *w, size_t i, size_t k)
{
    const struct carom_moreau_bond *limit = limit_of(w, i);
    return !limit ? w->friction->before[w->bodies->dimension * i + k] : k == 0 ? limit->before : 0.0;
}

/* and in the middle of what forces do in it */
static double middle(const struct carom_moreau_graph *w, size_t i, size_t k)
{
    return 0.5 * (before(w, i, k) + w->friction->bare[w->bodies->dimension * i + k]);
}

static bool is_struck(const struct carom_moreau_graph *w, size_t i)
{
    return before(w, i, 0) < -w->friction->still && middle(w, i, 0) < 0.0;
}

/* Its e; where impacts must not create energy that which is being tried, and none of a contact that only rests. */
static double restitution(const struct carom_moreau_graph *w, size_t i)
{
    const struct carom_moreau_friction *r = w->friction;
    const struct carom_moreau_bond *limit = limit_of(w, i);
    const size_t at = w->bodies->dimension * i;
    if (limit)
        return w->bodies->joint[limit->joint].e;
    if (!(r->part[2 * i + 1] <= 1.0))
        return w->touch[i].e[0];
    return is_struck(w, i) ? (r->b[at] - r->bare[at]) / before(w, i, 0) : 0.0;
}

static double spring(const struct carom_moreau_graph *w, size_t i, size_t which, double usual)
{
    const double given = i < w->n ? carom_list_param(w->bodies, &w->touch[i].key, which) : 0.0;
    return given > 0.0 ? given : usual;
}

/* --- islands ----------------------------------------------------------------------------------------------------- */

/* One contact of the plane alone: straight pieces. False: none of them ends. */
static bool strike_alone(const struct carom_moreau_graph *w, const struct carom_blow_path_problem *of, double *taken)
{
    if (of->n != 1 || of->dim != 2 ||
        !carom_moreau_blow((enum carom_moreau_law)w->options->blow, of->block, of->u, of->mu[0], of->e[0], of->impulse,
                           taken))
        return false;
    for (size_t k = 0; k < 2; k++)
        of->u[k] += of->block[2 * k] * of->impulse[0] + of->block[2 * k + 1] * of->impulse[1];
    return true;
}

/* the path of island k, whose blocks begin with number `used` */
static void follow(struct carom_moreau_graph *w, size_t k, size_t used)
{
    struct carom_moreau_friction *r = w->friction;
    struct carom_moreau_struck *x = r->struck;
    const size_t dim = w->bodies->dimension, at = r->islands.begin[k], n = r->islands.begin[k + 1] - at;
    for (size_t l = 0; l < n; l++) {
        const size_t i = r->islands.contact[at + l];
        x->of[E][l] = restitution(w, i);
        x->of[K][l] = spring(w, i, CAROM_RIGID_K, 1.0); /* where no k is given all are alike */
        x->of[P][l] = spring(w, i, CAROM_RIGID_P, 1.5);
        x->of[MU][l] = r->mu[i];
        for (size_t d = 0; d < dim; d++)
            x->u[dim * l + d] = middle(w, i, d);
    }
    const struct carom_blow_path_problem problem = {
        .n = n,
        .dim = dim,
        .first = r->islands.first + at + k,
        .column = r->islands.column + used,
        .block = r->islands.block + used * dim * dim,
        .e = x->of[E],
        .k = x->of[K],
        .p = x->of[P],
        .mu = x->of[MU],
        .law = w->options->blow == CAROM_MOREAU_POISSON ? CAROM_LZB_FRICTION_POISSON : CAROM_LZB_FRICTION_STRONGE,
        .u = x->u,
        .impulse = x->given};
    if (!strike_alone(w, &problem, x->path.taken) && !carom_blow_path_follow(&x->path, &problem)) {
        r->cut.blows++;
        r->cut.energy += x->path.left;
    }
    for (size_t l = 0; l < n; l++) {
        const size_t i = r->islands.contact[at + l];
        x->followed[i] = true;
        x->taken[i] = x->path.taken[l];
        for (size_t d = 0; d < dim; d++) {
            r->impulse[dim * i + d] = x->given[dim * l + d];
            x->b[dim * i + d] = x->u[dim * l + d] + 0.5 * (r->bare[dim * i + d] - before(w, i, d));
        }
    }
}

/* Is somebody no longer willing to wait? */
static bool is_stopped(const struct carom_stepper *stepper, struct carom_error *error)
{
    const struct carom_collision collision = {.patience = stepper->patience};
    return stepper->patience && carom_striker_stopped(&collision, error);
}

/* all islands in which something is struck; the others ask for nothing more */
static enum carom_status strike(struct carom_stepper *stepper, size_t n, bool *any, struct carom_error *error)
{
    struct carom_moreau_graph *w = stepper->work;
    struct carom_moreau_friction *r = w->friction;
    const size_t dim = w->bodies->dimension;
    size_t used = 0;
    memset(r->struck->b, 0, n * dim * sizeof *r->struck->b);
    memset(r->struck->rest, 0, n * dim * sizeof *r->struck->rest);
    for (size_t i = 0; i < n; i++) {
        r->struck->followed[i] = false;
        r->struck->b[dim * i] = 1.0;
    }
    for (size_t k = 0; k < r->islands.nislands; k++) {
        const size_t at = r->islands.begin[k], end = r->islands.begin[k + 1];
        const size_t blocks = r->islands.first[at + k + (end - at)];
        bool struck = false;
        for (size_t p = at; p < end; p++)
            struck |= is_struck(w, r->islands.contact[p]);
        if (struck && is_stopped(stepper, error))
            return CAROM_E_STOPPED;
        if (struck && blocks <= LARGEST)
            follow(w, k, used);
        *any |= struck && blocks <= LARGEST;
        r->newtonian |= struck && blocks > LARGEST;
        used += blocks;
    }
    return CAROM_OK;
}

/* e of contacts whose path was followed is not 0, whatever the problem before it came to */
static bool is_deadened(const struct carom_moreau_graph *w)
{
    const struct carom_moreau_friction *r = w->friction;
    const size_t dim = w->bodies->dimension;
    bool any = false;
    for (size_t i = 0; i < w->n; i++)
        any |=
            !r->struck->followed[i] && is_struck(w, i) && w->touch[i].e[0] > 0.0 && r->b[dim * i] == r->bare[dim * i];
    return any;
}

/* --- what forces ask for after the path --------------------------------------------------------------------------- */

/* its rate after the path if there were no forces */
static double rebound(const struct carom_moreau_graph *w, size_t i, size_t k)
{
    const size_t a = w->bodies->dimension * i + k;
    return w->friction->struck->b[a] - w->friction->bare[a] + before(w, i, k);
}

/* Have the impulses of island k, whose blocks begin with number `used`, created energy? Those of its path have not, but
 * those that then held what forces brought back may. */
static bool has_created(const struct carom_moreau_graph *w, size_t k, size_t used)
{
    const struct carom_moreau_friction *r = w->friction;
    const struct carom_moreau_struck *x = r->struck;
    const size_t dim = w->bodies->dimension, at = r->islands.begin[k], n = r->islands.begin[k + 1] - at;
    const size_t *first = r->islands.first + at + k, *contact = r->islands.contact + at;
    double given = 0.0, size = 0.0;
    for (size_t l = 0; l < n; l++)
        for (size_t d = 0; d < dim; d++) {
            const size_t a = dim * contact[l] + d;
            double after = x->b[a];
            for (size_t m = first[l]; m < first[l + 1]; m++)
                for (size_t c = 0; c < dim; c++)
                    after += r->islands.block[((used + m) * dim + d) * dim + c] *
                             x->rest[dim * contact[r->islands.column[used + m]] + c];
            const double p = r->impulse[a] + x->rest[a], from = before(w, contact[l], d);
            given += 0.5 * p * (from + after);
            size += fabs(p) * (fabs(from) + fabs(after));
        }
    return given > 1e-13 * size;
}

/* Island k, in which nothing is struck: as if its path had given nothing, and the rest all that it has */
static void lay_open(struct carom_moreau_graph *w, size_t k)
{
    struct carom_moreau_friction *r = w->friction;
    const size_t dim = w->bodies->dimension, wide = dim * sizeof(double);
    for (size_t p = r->islands.begin[k]; p < r->islands.begin[k + 1]; p++) {
        const size_t a = dim * r->islands.contact[p];
        memcpy(r->struck->b + a, r->bare + a, wide);
        memcpy(r->struck->rest + a, r->impulse + a, wide);
        memset(r->impulse + a, 0, wide);
    }
}

/* Contacts that open, and that forces close again in the same step, are to come to rest, which lifts them and does
 * work: it may be more than the path took. In islands where it is they may come back as fast as they left, as in
 * carom_moreau_lift, and friction opposes the mean slip: what holds them does no work. False: in none. */
static bool send_back(struct carom_moreau_graph *w, size_t n)
{
    struct carom_moreau_friction *r = w->friction;
    struct carom_moreau_struck *x = r->struck;
    const size_t dim = w->bodies->dimension;
    size_t used = 0;
    bool any = false;
    for (size_t k = 0; k < r->islands.nislands; k++) {
        const size_t at = r->islands.begin[k], end = r->islands.begin[k + 1];
        const size_t blocks = r->islands.first[at + k + (end - at)];
        if (blocks <= LARGEST && !x->followed[r->islands.contact[at]])
            lay_open(w, k);
        const bool created = blocks <= LARGEST && has_created(w, k, used);
        for (size_t p = at; p < end; p++) {
            const size_t i = r->islands.contact[p];
            x->again[i] = created;
            for (size_t d = 0; d < dim && created; d++)
                x->b[dim * i + d] += d > 0 ? rebound(w, i, d) : fmax(rebound(w, i, d), 0.0);
        }
        any |= created;
        used += blocks;
    }
    for (size_t i = 0; i < n && any; i++)
        if (!x->again[i]) { /* they have what they need */
            memset(x->b + dim * i, 0, dim * sizeof *x->b);
            x->b[dim * i] = 1.0;
        }
    return any;
}

double carom_moreau_struck_taken(const struct carom_moreau_graph *w, size_t i, double usual)
{
    const struct carom_moreau_struck *x = w->options->blow ? w->friction->struck : NULL;
    return x && x->followed[i] ? x->taken[i] : usual;
}

/* What contacts take after the path, where forces ask for it. */
static enum carom_status take_rest(struct carom_stepper *stepper, double t, size_t n, bool any,
                                   struct carom_error *error)
{
    struct carom_moreau_graph *w = stepper->work;
    struct carom_moreau_struck *x = w->friction->struck;
    const size_t dim = w->bodies->dimension;
    if (any && carom_moreau_friction_rest(stepper, t, x->b, x->rest, error) != CAROM_OK)
        return error->status;
    if (!send_back(w, n))
        return CAROM_OK;
    memcpy(x->u, x->rest, n * dim * sizeof *x->u);
    if (carom_moreau_friction_rest(stepper, t, x->b, x->u, error) != CAROM_OK)
        return error->status;
    for (size_t i = 0; i < dim * n; i++)
        x->rest[i] = x->again[i / dim] ? x->u[i] : x->rest[i];
    return CAROM_OK;
}

enum carom_status carom_moreau_struck(struct carom_stepper *stepper, double t, struct carom_error *error)
{
    struct carom_moreau_graph *w = stepper->work;
    struct carom_moreau_friction *r = w->friction;
    const size_t n = w->n + (w->joints ? w->joints->nlimits : 0), dim = w->bodies->dimension;
    bool any = false;
    r->newtonian = false;
    r->cut = (struct carom_cut_blows){0};
    if (reserve(r, n, dim, error) != CAROM_OK || strike(stepper, n, &any, error) != CAROM_OK)
        return error->status;
    r->deadened = r->deadened && (!any || is_deadened(w));
    if (take_rest(stepper, t, n, any, error) != CAROM_OK)
        return error->status;
    for (size_t i = 0; i < dim * n; i++)
        r->impulse[i] += r->struck->rest[i];
    for (size_t i = 0; i < w->n; i++)
        w->impulse[i] = r->impulse[dim * i];
    return CAROM_OK;
}
