/* Impact `moreau`: all touching contacts at once. Find impulses p with
 *     0 <= p _|_ (rate after + e rate before) >= 0,   rate after = rate before + W p,
 * a linear complementarity problem with the matrix W of the frame (Moreau 1988; Acary 2009, equation (6)). A touching
 * contact that opens before the impact may be made to approach by others, never faster than e times its opening:
 * energy then never grows if all e are equal, and who calls repeats the impact. With unequal e at coupled contacts it
 * can grow; `lost` is negative then. */
#include <string.h>

#include "base/memory.h"
#include "carom/impact.h"
#include "model/frame.h"
#include "solve/contact/lcp.h"

struct options {
    double solver_tol;
    int solver;
};

static const struct carom_param params[] = {
    {"solver_tol", CAROM_REAL, offsetof(struct options, solver_tol), 1e-10, CAROM_POSITIVE, 1e-3, "1",
     "largest residual of a contact problem, relative to its speeds", NULL},
    {"solver", CAROM_CHOICE, offsetof(struct options, solver), 0, 0, 4, "1", "of contact problems", carom_lcp_solvers},
    CAROM_PARAM_END,
};

struct work {
    struct carom_lcp_room room;
    double *b, *before, *after; /* room each */
};

static void close(struct carom_striker *striker)
{
    struct work *w = striker->work;
    carom_lcp_close(&w->room);
    carom_memory_free_all(w->b, w->before, w->after, w);
    striker->work = NULL;
}

static struct options options_of(const struct carom_striker *striker)
{
    struct options o;
    if (striker->options)
        return *(const struct options *)striker->options;
    carom_param_defaults(&carom_impact_moreau.kind, &o);
    return o;
}

static enum carom_status open(struct carom_striker *striker, struct carom_error *error)
{
    struct work *w = striker->work = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for impact moreau");
    w->b = carom_memory_zeroed(striker->room, sizeof(double));
    w->before = carom_memory_zeroed(striker->room, sizeof(double));
    w->after = carom_memory_zeroed(striker->room, sizeof(double));
    if (!w->b || !w->before || !w->after)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for impact moreau");
    const int solver = options_of(striker).solver;
    const bool dense =
        !(striker->model->offers & CAROM_CHAIN) || solver == CAROM_LCP_LEMKE || solver == CAROM_LCP_NEWTON;
    return carom_lcp_open(&w->room, striker->room, dense, error);
}

static enum carom_status solve(struct carom_striker *striker, struct carom_collision *c, struct carom_error *error)
{
    struct work *w = striker->work;
    const struct carom_frame *frame = c->frame;
    const struct options o = options_of(striker);
    const size_t n = frame->n;
    carom_frame_rates(frame, c->v, w->before);
    for (size_t i = 0; i < n; i++) {
        w->b[i] = (1.0 + c->e[i]) * w->before[i];
        c->impulse[i] = w->b[i] < 0.0 ? -w->b[i] / frame->diagonal[i] : 0.0;
    }
    const struct carom_lcp lcp = {.n = n,
                                  .matrix = frame->matrix,
                                  .diagonal = frame->chain ? frame->diagonal : NULL,
                                  .beside = frame->beside,
                                  .b = w->b};
    struct carom_lcp_report report;
    carom_lcp_solve(&lcp, (enum carom_lcp_solver)o.solver, o.solver_tol, 0, &w->room, c->impulse, &report);
    c->residual = report.residual;
    c->estimate = c->duration = 0.0;
    c->iterations = report.iterations;
    if (!report.solved)
        return carom_error_set(error, CAROM_E_NUMERIC,
                               "impact moreau at %zu contacts, contact %zu the first: the contact problem was solved "
                               "to %.1e only, solver_tol is %.1e; the bodies may have nowhere to go",
                               n, carom_frame_number(frame->model, frame->contact[0]), report.residual, o.solver_tol);
    memmove(c->after, c->v, frame->model->nv * sizeof(double));
    carom_frame_push(frame, c->impulse, c->after);
    carom_frame_rates(frame, c->after, w->after);
    for (size_t i = 0; i < n; i++)
        c->lost[i] = -0.5 * c->impulse[i] * (w->before[i] + w->after[i]);
    return CAROM_OK;
}

const struct carom_impact carom_impact_moreau = {
    .kind = {"moreau", "all touching contacts at once: 0 <= impulse _|_ rate after + e rate before >= 0", params,
             sizeof(struct options)},
    .open = open,
    .solve = solve,
    .close = close,
};
