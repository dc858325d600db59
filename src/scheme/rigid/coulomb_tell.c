/* What is said where contact problems with friction have no solution, or none was found. */
#include "scheme/rigid/coulomb.h"

static const char *name_of(const struct carom_frame *frame, size_t i, char text[CAROM_FRAME_TOLD])
{
    return carom_frame_tell(frame->model, frame->contact[i], text);
}

enum carom_status carom_coulomb_tell_unsolved(const struct carom_coulomb *c, const struct carom_stepper *stepper,
                                              const struct carom_frame *frame, double t,
                                              const struct carom_friction_report *report, struct carom_error *error)
{
    const size_t each = 1 + c->ways;
    char text[CAROM_FRAME_TOLD];
    for (size_t k = 0; k < each * frame->n; k++)
        if (!isfinite(c->b[k]))
            return carom_error_set(error, CAROM_E_NUMERIC, "%s: its gap or slip rate is not finite at t = %g",
                                   name_of(frame, k / each, text), t);
    const char *name = stepper->scheme->kind.name;
    const char *first = name_of(frame, 0, text);
    if (frame->n <= CAROM_COULOMB_FEW && c->ways == 1)
        return carom_error_set(
            error, CAROM_E_NUMERIC,
            "%s: the contact problem with friction at t = %g (%zu contacts, %s the first) "
            "seems to have no solution: contacts jam, and no choice of which are open, stick or slip "
            "solves it; a smaller mu or e may have one, and so may impact: poisson of scheme event",
            name, t, frame->n, first);
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "%s: the contact problem with friction at t = %g (%zu contacts, %s the first) was "
                           "solved to %.1e only after %zu iterations, solver_tol is %.1e (%s); the step is refused",
                           name, t, frame->n, first, report->residual, report->iterations, c->tolerance,
                           report->reason);
}

enum carom_status carom_coulomb_tell_paradox(const struct carom_coulomb *c, const struct carom_frame *frame, double t,
                                             size_t i, struct carom_error *error)
{
    char text[CAROM_FRAME_TOLD];
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "%s at t = %g: Coulomb's law has no solution here (Painleve's paradox): the "
                           "contact slips, pressing on it makes friction press it harder, and no force keeps the "
                           "bodies apart; a smaller mu (now %g) has one",
                           name_of(frame, i, text), t, c->now[i]);
}
