/* What time-stepping schemes for rigid contacts share. Nothing here knows a scheme's formulas. */
#include "scheme/rigid/rigid_step.h"

#include "base/memory.h"

void carom_rigid_step_close(struct carom_rigid_step *c)
{
    carom_lcp_close(&c->room);
    carom_memory_free(c->contact);
    *c = (struct carom_rigid_step){0};
}

enum carom_status carom_rigid_step_accept(const struct carom_model *model, int solver, struct carom_error *error)
{
    if (solver == CAROM_LCP_TRIDIAGONAL && !(model->offers & CAROM_CHAIN))
        return carom_error_set(error, CAROM_E_REFUSED,
                               "solver tridiagonal is for a row of beads; auto, lemke, "
                               "gauss-seidel and newton solve any contact problem");
    return CAROM_OK;
}

enum carom_status carom_rigid_step_open(struct carom_rigid_step *c, const struct carom_model *model, int solver,
                                        double tolerance, struct carom_error *error)
{
    const size_t nc = model->nc;
    *c = (struct carom_rigid_step){.model = model, .solver = (enum carom_lcp_solver)solver, .tolerance = tolerance};
    if (!carom_memory_together(CAROM_ROOM(c->contact, nc), CAROM_ROOM(c->e, nc), CAROM_ROOM(c->b, nc),
                               CAROM_ROOM(c->impulse, nc), CAROM_ROOM(c->diagonal, nc), CAROM_ROOM(c->beside, nc),
                               CAROM_ROOM(c->event, 2 * nc)))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu rigid contacts", nc);
    for (size_t i = 0; i < model->ngroups; i++)
        for (size_t j = 0; j < model->group[i].count; j++)
            c->e[model->group[i].first + j] = model->group[i].param[0][j];
    const bool dense = !(model->offers & CAROM_CHAIN) || solver == CAROM_LCP_LEMKE || solver == CAROM_LCP_NEWTON;
    return carom_lcp_open(&c->room, nc, dense, error);
}

enum carom_status carom_rigid_step_check(const struct carom_stepper *stepper, const struct carom_state *state,
                                         double *room, struct carom_error *error)
{
    const struct carom_model *model = stepper->model;
    const double slack = 1e-12; /* of the numbers a gap is the difference of */
    double size = stepper->scales.length;
    for (size_t i = 0; i < model->nq; i++)
        size = fabs(state->q[i]) > size ? fabs(state->q[i]) : size;
    carom_contacts_deform(model, state->time, state->q, state->v, room, room + model->nc);
    for (size_t j = 0; j < model->nc; j++) {
        if (!isfinite(room[j]) || !isfinite(room[model->nc + j])) {
            carom_frame_explain(model, state->time, state->q, state->v, error);
            return carom_error_prefix(error, "contact %zu", carom_frame_number(model, j));
        }
        if (room[j] > slack * (size + fabs(model->gap[j])))
            return carom_error_set(error, CAROM_E_INPUT,
                                   "contact %zu: the bodies overlap by %g at the start, rigid bodies cannot; move them "
                                   "apart or take theory: compliant",
                                   carom_frame_number(model, j), room[j]);
    }
    return CAROM_OK;
}

enum carom_status carom_rigid_step_solve(struct carom_rigid_step *c, struct carom_stepper *stepper, double t,
                                         const double *matrix, struct carom_error *error)
{
    if (c->n == 1 && c->solver == CAROM_LCP_AUTO && isfinite(c->b[0])) { /* a ball should not wait for more */
        const double z = -c->b[0] / (matrix ? matrix[0] : c->diagonal[0]);
        c->impulse[0] = z > 0.0 ? z : 0.0;
        stepper->counts.iterations++;
        return CAROM_OK;
    }
    const struct carom_lcp lcp = {.n = c->n,
                                  .matrix = matrix,
                                  .diagonal = matrix ? NULL : c->diagonal,
                                  .beside = matrix ? NULL : c->beside,
                                  .b = c->b};
    struct carom_lcp_report report;
    carom_lcp_solve(&lcp, c->solver, c->tolerance, 0, &c->room, c->impulse, &report);
    stepper->counts.iterations += report.iterations;
    if (report.residual > stepper->worst_residual)
        stepper->worst_residual = report.residual;
    if (report.solved)
        return CAROM_OK;
    for (size_t k = 0; k < c->n; k++)
        if (!isfinite(c->b[k]))
            return carom_error_set(error, CAROM_E_NUMERIC, "contact %zu: its gap rate is not finite at t = %g",
                                   carom_frame_number(c->model, c->contact[k]), t);
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "%s: the contact problem at t = %g (%zu contacts, contact %zu the first) was solved to %.1e "
                           "only after %zu iterations, solver_tol is %.1e; the step is refused, solver: auto tries all "
                           "solvers",
                           stepper->scheme->kind.name, t, c->n, carom_frame_number(c->model, c->contact[0]),
                           report.residual, report.iterations, c->tolerance);
}
