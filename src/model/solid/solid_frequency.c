/* The largest frequency of small vibrations of a body about a configuration: Lanczos' iteration on M^-1 K, with K
 * from differences of the forces. It finds the edge of the spectrum in a few dozen force evaluations, from below; what
 * is missing is judged by how fast it still rises, and added, so that the answer is not too small. Large bodies get a
 * rougher one, up to three parts in a thousand too large, from fewer and one-sided differences. Coordinates that are
 * held stand still: cells that are cut in half there are light, and would vibrate faster than any that moves. */
#include "base/memory.h"
#include "base/vec.h"
#include "model/solid/solid_turns.h"

enum { MOST = 60, ROUGH = 30, LARGE = 50000 }; /* rounds at most, and usual for large bodies, which have more cells */

struct lanczos {
    const struct carom_solid *s;
    const struct carom_part *part;
    struct carom_solid_work work;
    const double *q;
    double *moved, *step, *force[2];
    double size;   /* of the differences, relative to a cell */
    double *light; /* nsorts x fast: 1 / sqrt(inertia) */
    double *edge;  /* nsorts x fast: what is large; a turn of 1 is as large as a displacement by a cell */
    bool rough;    /* force[0] is that without displacement, once and for all */
    const struct carom_progress *progress;
    bool stopped;
};

static void weigh(struct lanczos *l)
{
    const struct carom_solid *s = l->s;
    const size_t turn = s->dimension == 3 ? 3 : 2;
    for (size_t i = 0; i < s->nsorts; i++)
        for (size_t k = 0; k < s->fast; k++) {
            const struct carom_solid_sort *sort = &s->sorts[i];
            const double inertia = k < turn ? sort->mass : sort->inertia[s->dimension == 3 ? k - 3 : 2];
            l->light[s->fast * i + k] = 1.0 / sqrt(inertia);
            l->edge[s->fast * i + k] = k < turn ? sort->edge[k] : 1.0;
        }
}

/* forces at q moved by `step`, torques in principal axes */
static void push(struct lanczos *l, double *force)
{
    const struct carom_solid *s = l->s;
    l->part->move(s, l->q, l->step, l->moved);
    carom_solid_forces(s, &l->work, NULL, 0.0, l->moved, force);
    carom_solid_turns_to_axes(s, NULL, l->moved, force);
}

/* y = M^(-1/2) K M^(-1/2) x */
static void apply(struct lanczos *l, const double *x, double *y)
{
    const struct carom_solid *s = l->s;
    const size_t nv = s->fast * s->n;
    double most = 0.0;
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->fast; k++) {
            const size_t at = s->fast * i + k, sort = s->fast * s->sort[i] + k;
            y[at] = carom_solid_holds(s, i, k) ? 0.0 : x[at] * l->light[sort];
            most = fmax(most, fabs(y[at]) / l->edge[sort]);
        }
    const double h = most > 0.0 ? l->size / most : 0.0;
    for (int side = l->rough ? 1 : 0; side < 2; side++) {
        for (size_t i = 0; i < nv; i++)
            l->step[i] = (side == 0 ? -h : h) * y[i];
        push(l, l->force[side]);
    }
    const double wide = l->rough ? h : 2.0 * h;
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->fast; k++) {
            const size_t at = s->fast * i + k;
            const bool moves = h > 0.0 && !carom_solid_holds(s, i, k);
            const double pull = moves ? (l->force[0][at] - l->force[1][at]) / wide : 0.0;
            y[at] = pull * l->light[s->fast * s->sort[i] + k];
        }
}

/* how many eigenvalues of the symmetric tridiagonal matrix lie above x */
static int above(const double *alpha, const double *beta, int n, double x)
{
    int count = 0;
    double d = 1.0;
    for (int i = 0; i < n; i++) {
        d = alpha[i] - x - (i > 0 ? beta[i - 1] * beta[i - 1] / d : 0.0);
        if (d == 0.0)
            d = -1e-300;
        count += d > 0.0;
    }
    return count;
}

static double largest(const double *alpha, const double *beta, int n)
{
    double low = alpha[0], high = alpha[0];
    for (int i = 0; i < n; i++) {
        const double radius = (i > 0 ? fabs(beta[i - 1]) : 0.0) + (i + 1 < n ? fabs(beta[i]) : 0.0);
        high = fmax(high, alpha[i] + radius);
        low = fmax(low, alpha[i]);
    }
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (above(alpha, beta, n, middle) > 0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* a start that has something of every mode, the same on every machine */
static void begin(double *x, size_t n)
{
    uint64_t word = UINT64_C(0x2545f4914f6cdd1d);
    for (size_t i = 0; i < n; i++) {
        word ^= word << 13;
        word ^= word >> 7;
        word ^= word << 17;
        x[i] = (double)(word >> 11) * 0x1p-53 - 0.5;
    }
    const double size = sqrt(carom_vec_product(n, x, x));
    for (size_t i = 0; i < n; i++)
        x[i] /= size;
}

/* What the eigenvalue still lacks after k + 1 rounds: it comes closer like 1 / k^2, so half of k times what a round
 * brings, taken over the last few. */
static double missing(const double *found, int k)
{
    const int back = k < 4 ? k : 4;
    return back > 0 ? 0.5 * k * (found[k] - found[k - back]) / back : HUGE_VAL;
}

static double iterate(struct lanczos *l, double *x[3])
{
    const size_t nv = l->s->fast * l->s->n;
    const double enough = l->rough ? 4e-3 : 1e-7;
    double alpha[MOST], beta[MOST], found[MOST];
    begin(x[1], nv);
    if (l->rough)
        push(l, l->force[0]);
    for (int k = 0; k < MOST; k++) {
        l->stopped = !carom_progress_go_on(l->progress, fmin(1.0, k / (double)(l->rough ? ROUGH : MOST)));
        if (l->stopped)
            return 0.0;
        apply(l, x[1], x[2]);
        alpha[k] = carom_vec_product(nv, x[1], x[2]);
        for (size_t i = 0; i < nv; i++)
            x[2][i] -= alpha[k] * x[1][i] + (k > 0 ? beta[k - 1] * x[0][i] : 0.0);
        beta[k] = sqrt(carom_vec_product(nv, x[2], x[2]));
        found[k] = largest(alpha, beta, k + 1);
        double *first = x[0];
        if (!(beta[k] > 1e-9 * found[k])) /* all that there is */
            return found[k];
        if (k + 1 == MOST || (k > 8 && missing(found, k) < enough * found[k]))
            return found[k] + missing(found, k);
        for (size_t i = 0; i < nv; i++)
            x[2][i] /= beta[k];
        x[0] = x[1];
        x[1] = x[2];
        x[2] = first;
    }
    return found[MOST - 1];
}

/* A large box vibrates at most as fast as its lattice, which a smaller box of the same cells tells to a part in a
 * thousand. */
static enum carom_status by_sample(const struct carom_solid *s, double *omega, struct carom_error *error)
{
    size_t count[3];
    double size[3];
    for (int k = 0; k < 3; k++) {
        const size_t most = s->dimension == 3 ? 16 : 60;
        count[k] = s->grid.count[k] < most ? s->grid.count[k] : most;
        size[k] = s->grid.edge[k] * (double)count[k];
    }
    struct carom_solid *sample =
        carom_solid_box(s->kind, count, size, s->grid.origin, s->depth, &s->material[0], error);
    if (!sample)
        return error ? error->status : CAROM_E_MEMORY;
    const enum carom_status status = carom_solid_frequency(sample, NULL, NULL, omega, error);
    *omega *= 1.003;
    carom_solid_free(sample);
    return status;
}

enum carom_status carom_solid_frequency(const struct carom_solid *s, const double *q,
                                        const struct carom_progress *progress, double *omega, struct carom_error *error)
{
    if (!s)
        return carom_error_missing(error);
    const size_t nv = s->fast * s->n, nq = carom_solid_size(s);
    if (!q && (s->gridded || (s->halved && !s->grid.shell && s->nmaterials == 1)) && s->n > LARGE)
        return by_sample(s, omega, error);
    const size_t table = s->fast * s->nsorts, space = carom_solid_forces_room(s, true);
    double *work = carom_memory_zeroed(space + 6 * nv + 2 * nq + 2 * table, sizeof *work);
    if (!work)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory looking for the largest frequency");
    double *room = work + space, *x[3] = {room, room + nv, room + 2 * nv}, *rest = room + 6 * nv;
    carom_solid_rest(s, rest);
    struct lanczos l = {.s = s,
                        .part = carom_solid_part(s),
                        .work = carom_solid_forces_work(s, true, work),
                        .q = q ? q : rest,
                        .moved = rest + nq,
                        .step = room + 3 * nv,
                        .force = {room + 4 * nv, room + 5 * nv},
                        .size = 1e-5,
                        .light = rest + 2 * nq,
                        .edge = rest + 2 * nq + table,
                        .rough = s->n > LARGE,
                        .progress = progress};
    weigh(&l);
    const double square = iterate(&l, x);
    carom_memory_free(work);
    if (l.stopped)
        return carom_error_set(error, CAROM_E_STOPPED, "stopped while the largest stable step was looked for");
    if (!(square >= 0.0) || !(square < HUGE_VAL))
        return carom_error_set(error, CAROM_E_NUMERIC, "the largest frequency of the body cannot be found");
    *omega = sqrt(square) * (l.rough ? 1.001 : 1.0 + 1e-6);
    return CAROM_OK;
}
