/* Large parts minimise z.Az/2 + b.z over z >= 0 by conjugate gradients with proportioning and reduced gradient
 * projections (Dostal and Schoeberl 2005): steps of conjugate gradients among the unknowns that are positive, cut where
 * one becomes 0; unknowns at 0 are set free when their gradient outweighs that of the others. Unknowns are scaled to a
 * diagonal of ones. Sums are taken in order: the answer is the same whoever asks. */
#include "solve/contact/lcp_sparse.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"

/* Parts up to SMALL are dense from the first; gradients creep where a part is nearly singular (bodies wedged at flat
 * angles), and up to MIDDLE those are then solved densely too. */
enum { SMALL = 32, MIDDLE = 1000, FRESH = 40, ARRAYS = 9, LISTS = 3 };

void carom_lcp_sparse_close(struct carom_lcp_sparse_room *room)
{
    carom_memory_free_all(room->block, room->index, room->wide);
    carom_lcp_close(&room->dense);
    *room = (struct carom_lcp_sparse_room){0};
}

static bool make_wide(struct carom_lcp_sparse_room *room, size_t n)
{
    if (n <= room->nwide)
        return true;
    double *wide = carom_memory_zeroed(n * n, sizeof *wide);
    if (!wide)
        return false;
    carom_memory_free(room->wide);
    room->wide = wide;
    room->nwide = n;
    return carom_lcp_open(&room->dense, n, true, NULL) == CAROM_OK;
}

enum carom_status carom_lcp_sparse_open(struct carom_lcp_sparse_room *room, size_t n, struct carom_error *error)
{
    if (n <= room->n && room->block)
        return CAROM_OK;
    carom_lcp_sparse_close(room);
    room->block = carom_memory_zeroed(ARRAYS * n, sizeof *room->block);
    room->index = carom_memory_zeroed(LISTS * n, sizeof *room->index);
    if (!room->block || !room->index) {
        carom_lcp_sparse_close(room);
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a problem of %zu contacts", n);
    }
    room->n = n;
    if (make_wide(room, n < SMALL ? n : SMALL))
        return CAROM_OK;
    carom_lcp_sparse_close(room);
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a problem of %zu contacts", n);
}

/* --- one large part ---------------------------------------------------------------------------------------------- */

struct part {
    const struct carom_lcp_sparse *lcp;
    size_t n;
    const size_t *member, *place;                        /* unknowns of the part, and where each stands in it */
    double *z, *g, *p, *ap, *scale, *b, *free, *chopped; /* n; z and b as scaled */
    double *unit;                                        /* 1 / scale: of a rate */
    double most_b;                                       /* largest |b|, a rate */
};

/* out = A x, scaled */
static void apply(const struct part *s, const double *x, double *out)
{
    const struct carom_lcp_sparse *lcp = s->lcp;
    for (size_t i = 0; i < s->n; i++) {
        const size_t row = s->member[i];
        double sum = 0.0;
        for (size_t e = lcp->first[row]; e < lcp->first[row + 1]; e++) {
            const size_t k = s->place[lcp->column[e]];
            sum += lcp->value[e] * s->scale[k] * x[k];
        }
        out[i] = s->scale[i] * sum;
    }
}

/* the gradient afresh, which updates have worn */
static void refresh(struct part *s)
{
    apply(s, s->z, s->g);
    for (size_t i = 0; i < s->n; i++)
        s->g[i] += s->b[i];
}

/* its parts: of what is positive, and of what is 0 and wants to be more; returns the largest |min(z, g)| over what
 * carom_lcp_report measures by */
static double split(struct part *s)
{
    double worst = 0.0, most = 0.0, poison = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        const double z = s->z[i], g = s->g[i], least = z < g ? z : g, size = fabs(least) * s->unit[i];
        s->free[i] = z > 0.0 ? g : 0.0;
        s->chopped[i] = z > 0.0 || g > 0.0 ? 0.0 : g;
        worst = size > worst ? size : worst;
        most = z * s->unit[i] > most ? z * s->unit[i] : most;
        poison += g * 0.0;
    }
    if (poison != 0.0)
        return poison; /* no number */
    return s->most_b > 0.0 ? worst / (s->most_b + sqrt(s->most_b * most)) : 0.0;
}

static void restart(struct part *s)
{
    split(s);
    memcpy(s->p, s->free, s->n * sizeof *s->p);
}

/* a bound of the largest eigenvalue: the largest sum of a row */
static double largest(const struct part *s)
{
    const struct carom_lcp_sparse *lcp = s->lcp;
    double most = 1.0;
    for (size_t i = 0; i < s->n; i++) {
        double sum = 0.0;
        for (size_t e = lcp->first[s->member[i]]; e < lcp->first[s->member[i] + 1]; e++)
            sum += fabs(lcp->value[e]) * s->scale[s->place[lcp->column[e]]];
        most = fmax(most, s->scale[i] * sum);
    }
    return most;
}

/* along p among what is positive; `bound`: of a step of the gradient where one becomes 0 */
static void go_along(struct part *s, double bound)
{
    double feasible = HUGE_VAL;
    apply(s, s->p, s->ap);
    const double curve = carom_vec_product(s->n, s->p, s->ap), whole = carom_vec_product(s->n, s->g, s->p) / curve;
    for (size_t i = 0; i < s->n; i++)
        if (s->p[i] > 0.0)
            feasible = fmin(feasible, s->z[i] / s->p[i]);
    const bool inside = curve > 0.0 && whole <= feasible;
    const double by = inside ? whole : feasible < HUGE_VAL ? feasible : 0.0;
    for (size_t i = 0; i < s->n; i++) {
        s->z[i] = fmax(s->z[i] - by * s->p[i], 0.0);
        s->g[i] -= by * s->ap[i];
    }
    split(s);
    if (inside) {
        const double turn = carom_vec_product(s->n, s->free, s->ap) / curve;
        for (size_t i = 0; i < s->n; i++)
            s->p[i] = s->z[i] > 0.0 ? s->free[i] - turn * s->p[i] : 0.0;
        return;
    }
    for (size_t i = 0; i < s->n; i++)
        s->z[i] = fmax(s->z[i] - bound * s->free[i], 0.0);
    refresh(s);
    restart(s);
}

/* sets free what is 0 and wants to be more */
static void let_go(struct part *s)
{
    apply(s, s->chopped, s->ap);
    const double by = carom_vec_product(s->n, s->g, s->chopped) / carom_vec_product(s->n, s->chopped, s->ap);
    for (size_t i = 0; i < s->n; i++) {
        s->z[i] -= by * s->chopped[i];
        s->g[i] -= by * s->ap[i];
    }
    restart(s);
}

static void solve_large(struct part *s, double tolerance, struct carom_lcp_report *report)
{
    const double bound = 1.9 / largest(s);
    const size_t most = 2000 + 100 * s->n;
    double best = HUGE_VAL;
    size_t since = 0, i = 0;
    refresh(s);
    restart(s);
    for (; i < most; i++) {
        if (i % FRESH == FRESH - 1)
            refresh(s);
        double worst = split(s);
        if (!(worst > tolerance)) { /* as updated: what it is in truth decides */
            refresh(s);
            worst = split(s);
            if (!(worst > tolerance))
                break;
            memcpy(s->p, s->free, s->n * sizeof *s->p);
        }
        since = worst < 0.5 * best ? 0 : since + 1;
        best = fmin(best, worst);
        if (since > 20 * FRESH + s->n)
            break; /* it gets no better */
        if (carom_vec_product(s->n, s->chopped, s->chopped) <= carom_vec_product(s->n, s->free, s->free))
            go_along(s, bound);
        else
            let_go(s);
    }
    refresh(s);
    const double residual = split(s);
    report->residual = residual;
    report->iterations = i;
}

static void solve_part(const struct carom_lcp_sparse *lcp, const size_t *member, const size_t *place, size_t n,
                       double tolerance, struct carom_lcp_sparse_room *room, double *z, struct carom_lcp_report *report)
{
    double *block = room->block;
    struct part s = {.lcp = lcp, .n = n, .member = member, .place = place};
    double **const arrays[] = {&s.z, &s.g, &s.p, &s.ap, &s.scale, &s.b, &s.free, &s.chopped, &s.unit};
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
        *arrays[a] = block + a * room->n;
    for (size_t i = 0; i < n; i++) {
        double diagonal = 0.0;
        for (size_t e = lcp->first[member[i]]; e < lcp->first[member[i] + 1]; e++)
            diagonal += lcp->column[e] == member[i] ? lcp->value[e] : 0.0;
        s.unit[i] = sqrt(diagonal);
        s.scale[i] = 1.0 / s.unit[i];
        s.most_b = fmax(s.most_b, fabs(lcp->b[member[i]]));
        s.b[i] = s.scale[i] * lcp->b[member[i]];
        s.z[i] = fmax(z[member[i]], 0.0) / s.scale[i];
    }
    solve_large(&s, 0.1 * tolerance, report);
    for (size_t i = 0; i < n; i++)
        z[member[i]] = s.z[i] * s.scale[i];
    report->solved = report->residual <= tolerance;
}

/* --- dense parts -------------------------------------------------------------------------------------------------  */

/* by a dense solver; `room` has a matrix for n unknowns */
static void solve_dense(const struct carom_lcp_sparse *lcp, const size_t *member, const size_t *place, size_t n,
                        enum carom_lcp_solver solver, double tolerance, struct carom_lcp_sparse_room *room, double *z,
                        struct carom_lcp_report *report)
{
    double *matrix = room->wide, *b = room->block, *own = b + n;
    memset(matrix, 0, n * n * sizeof *matrix);
    for (size_t i = 0; i < n; i++) {
        for (size_t e = lcp->first[member[i]]; e < lcp->first[member[i] + 1]; e++)
            matrix[i * n + place[lcp->column[e]]] += lcp->value[e];
        b[i] = lcp->b[member[i]];
        own[i] = z[member[i]];
    }
    const struct carom_lcp dense = {.n = n, .matrix = matrix, .b = b};
    carom_lcp_solve(&dense, solver, tolerance, 0, &room->dense, own, report);
    for (size_t i = 0; i < n; i++)
        z[member[i]] = own[i];
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

/* unknowns joined to `from`, in order of their numbers by whoever calls: breadth first, marked in `place` */
static size_t collect(const struct carom_lcp_sparse *lcp, size_t from, size_t *member, size_t *place, size_t *seen)
{
    size_t n = 0;
    member[n++] = from;
    seen[from] = 1;
    for (size_t done = 0; done < n; done++)
        for (size_t e = lcp->first[member[done]]; e < lcp->first[member[done] + 1]; e++)
            if (!seen[lcp->column[e]]) {
                seen[lcp->column[e]] = 1;
                member[n++] = lcp->column[e];
            }
    for (size_t i = 0; i < n; i++)
        place[member[i]] = i;
    return n;
}

void carom_lcp_sparse_solve(const struct carom_lcp_sparse *lcp, enum carom_lcp_solver solver, double tolerance,
                            struct carom_lcp_sparse_room *room, double *z, struct carom_lcp_report *report)
{
    size_t *member = room->index, *place = member + room->n, *seen = place + room->n;
    *report = (struct carom_lcp_report){.solved = true, .by = solver};
    memset(seen, 0, lcp->n * sizeof *seen);
    for (size_t i = 0; i < lcp->n; i++) {
        if (seen[i])
            continue;
        const size_t n = collect(lcp, i, member, place, seen);
        struct carom_lcp_report part = {.solved = false};
        if (n > SMALL)
            solve_part(lcp, member, place, n, tolerance, room, z, &part);
        if (!part.solved && n <= MIDDLE && make_wide(room, n))
            solve_dense(lcp, member, place, n, n > SMALL && solver == CAROM_LCP_AUTO ? CAROM_LCP_LEMKE : solver,
                        tolerance, room, z, &part);
        report->iterations += part.iterations;
        report->solved = report->solved && part.solved;
        if (part.residual > report->residual || isnan(part.residual))
            report->residual = part.residual;
    }
}
