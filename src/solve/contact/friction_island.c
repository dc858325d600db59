/* One island: which solvers try what, see friction_islands.h. */
#include "solve/contact/friction_islands.h"

#include <math.h>
#include <string.h>

#include "solve/contact/friction_parts.h"

enum { NEWTON = 20, POLISH = 3, MOST = 300, MORE = 4000, SOFT = 300, PIVOTED = 300, PIVOTED_AT_ONCE = 150 };
enum { REST = 100 };                    /* iterations to an answer at rest */
enum { HEAP = 1000, HEAP_MORE = 3000 }; /* iterations of heaps, sweeps among them; more where it is refused else */

/* From r on; what it comes to counts only if it is better than what `best` holds */
static void try_again(const struct carom_friction_problem *p, enum carom_friction_solver solver, double tol,
                      size_t most, struct carom_friction_room *room, double *r, double *best, double *u,
                      struct carom_friction_report *report)
{
    const size_t bytes = p->n * p->dim * sizeof *r;
    struct carom_friction_report again;
    carom_friction_solve(p, solver, tol, most, room, r, u, &again);
    again.iterations += report->iterations;
    if (again.residual < report->residual) {
        again.solved = again.solved || report->solved;
        *report = again;
        memcpy(best, r, bytes);
    } else {
        report->iterations = again.iterations;
        memcpy(r, best, bytes);
    }
}

/* adds `by` times the weight of a contact to the diagonal of its own block, or takes it off again */
static void soften(struct carom_friction_islands *islands, const struct carom_friction_problem *p, bool wide, double by,
                   bool off)
{
    const size_t dim = p->dim, width = p->n * dim, offset = (size_t)(p->block - islands->block);
    for (size_t i = 0; i < p->n; i++) {
        size_t l = p->first[i];
        while (p->column[l] != i)
            l++;
        double *own = islands->block + offset + l * dim * dim, *kept = islands->firm + i * dim, most = 0.0;
        for (size_t k = 0; k < dim && !off; k++) {
            kept[k] = own[k * dim + k];
            most = fmax(most, kept[k]);
        }
        for (size_t k = 0; k < dim; k++) {
            own[k * dim + k] = off ? kept[k] : kept[k] + by * most;
            if (wide)
                islands->wide[(i * dim + k) * (width + 1)] = own[k * dim + k];
        }
    }
}

/* Redundant contacts whose laws ask for what no motion gives, but for a part of 1e-8 or so, leave iterations nowhere to
 * go: exact answers are there, with impulses that turn on the last digits. Contacts that give way a little have one
 * answer, which is nearly one of the problem as given; its residual there is what counts. */
static void solve_softened(struct carom_friction_islands *islands, const struct carom_friction_problem *p, bool wide,
                           double tol, struct carom_friction_room *room, double *r, double *best,
                           struct carom_friction_report *report)
{
    static const double give[] = {1e-9, 1e-8, 1e-7, 1e-6, 1e-5};
    for (size_t k = 0; k < sizeof give / sizeof *give && report->residual > 10.0 * give[k]; k++) {
        struct carom_friction_report soft;
        soften(islands, p, wide, give[k], false);
        carom_friction_solve(p, CAROM_FRICTION_AUTO, tol, SOFT, room, r, islands->u, &soft);
        soften(islands, p, wide, give[k], true);
        const double residual = carom_friction_residual(p, r, islands->u);
        report->iterations += soft.iterations;
        if (residual < report->residual) {
            report->residual = residual;
            memcpy(best, r, p->n * p->dim * sizeof *r);
        }
        if (soft.solved)
            break;
    }
    memcpy(r, best, p->n * p->dim * sizeof *r);
    report->solved = report->solved || report->residual <= tol;
}

/* Mixed sweeps as far as they go: they gain a digit every few or none. All else where that is not enough, and once more
 * where the step would be refused. */
static void solve_heap(const struct carom_friction_problem *p, const struct carom_friction_aims *aims,
                       struct carom_friction_room *room, double *r, double *u, struct carom_friction_report *report)
{
    const struct {
        enum carom_friction_solver solver;
        double tol, enough;
        size_t most;
    } turn[] = {{CAROM_FRICTION_MIXED, aims->fine, aims->tol, HEAP},
                {CAROM_FRICTION_AUTO, aims->tol, aims->enough, HEAP},
                {CAROM_FRICTION_AUTO, aims->tol, aims->enough, HEAP_MORE}};
    size_t iterations = 0;
    for (size_t k = 0; k < sizeof turn / sizeof *turn; k++) {
        carom_friction_solve(p, turn[k].solver, turn[k].tol, turn[k].most, room, r, u, report);
        iterations += report->iterations;
        if (report->residual <= turn[k].enough)
            break;
    }
    report->iterations = iterations;
    report->solved = report->solved || report->residual <= aims->tol;
}

/* the largest velocity of a contact, of u or of b */
static double fastest(const struct carom_friction_problem *p, const double *u)
{
    double most = 0.0;
    for (size_t k = 0; k < p->n * p->dim; k++)
        most = fmax(most, fabs(u[k]));
    return most;
}

/* Coulomb's law may have answers in motion beside those at rest; what stood still and may do so does. */
static void prefer_rest(const struct carom_friction_problem *p, const struct carom_friction_aims *aims,
                        struct carom_friction_room *room, double *r, double *best, double *u,
                        struct carom_friction_report *report)
{
    const double still = 10.0 * fmax(aims->tol, report->residual) * fastest(p, p->b);
    struct carom_friction_report again;
    carom_friction_residual(p, r, u);
    if (!report->solved || fastest(p, u) <= still)
        return;
    memcpy(best, r, p->n * p->dim * sizeof *r);
    memset(r, 0, p->n * p->dim * sizeof *r);
    carom_friction_solve(p, CAROM_FRICTION_REST, aims->tol, REST, room, r, u, &again);
    report->iterations += again.iterations;
    if (again.solved && fastest(p, u) <= still) {
        again.iterations = report->iterations;
        *report = again;
    } else
        memcpy(r, best, p->n * p->dim * sizeof *r);
}

/* Iterations first; where they come to a stop contacts are softened, and in the plane there is pivoting, with Newton
 * from there. A solved island is solved on to `fine`. */
void carom_friction_island_solve(struct carom_friction_islands *islands, struct carom_friction_problem *p, bool wide,
                                 enum carom_friction_solver solver, const struct carom_friction_aims *aims,
                                 struct carom_friction_room *room, double *r, double *best,
                                 struct carom_friction_report *report)
{
    const bool pivots = solver == CAROM_FRICTION_AUTO && p->dim == 2 && p->n <= PIVOTED;
    const double tol = aims->tol, dear = p->n <= PIVOTED_AT_ONCE ? tol : aims->enough;
    double *u = islands->u;
    p->matrix = wide ? islands->wide : NULL;
    const bool automatic = solver == CAROM_FRICTION_AUTO, heap = automatic && room->bodies.n > 0;
    if (heap)
        solve_heap(p, aims, room, r, u, report);
    else
        carom_friction_solve(p, solver, tol, automatic ? MOST : 0, room, r, u, report);
    memcpy(best, r, p->n * p->dim * sizeof *r);
    for (size_t k = 0; k < CAROM_FRICTION_LEMKE_ATTEMPTS && pivots && !report->solved && report->residual > dear; k++) {
        p->matrix = NULL;
        if (!carom_friction_lemke_solve(&islands->lemke, p, k, r, &report->iterations))
            break;
        p->matrix = wide ? islands->wide : NULL;
        try_again(p, CAROM_FRICTION_NEWTON, tol, NEWTON, room, r, best, u, report);
    }
    if (automatic && !report->solved && (!heap || report->residual > aims->enough))
        solve_softened(islands, p, wide, tol, room, r, best, report);
    /* half of tol: what Marquardt leaves need not be made better to be within it after r is put into its cones */
    if (automatic && !report->solved && p->n <= CAROM_FRICTION_MARQUARDT_MOST &&
        carom_friction_marquardt_solve(&islands->marquardt, p, 0.5 * tol, r, &report->iterations))
        try_again(p, CAROM_FRICTION_NEWTON, tol, POLISH, room, r, best, u, report);
    if (automatic && !report->solved && !heap) { /* thousands of iterations of few contacts are cheap */
        memset(r, 0, p->n * p->dim * sizeof *r);
        try_again(p, CAROM_FRICTION_AUTO, tol, MORE, room, r, best, u, report);
    }
    if (report->solved && report->residual > aims->fine && solver != CAROM_FRICTION_GAUSS_SEIDEL &&
        report->solver != CAROM_FRICTION_MIXED)
        try_again(p, CAROM_FRICTION_NEWTON, aims->fine, POLISH, room, r, best, u, report);
    if (automatic && aims->rests)
        prefer_rest(p, aims, room, r, best, u, report);
}
