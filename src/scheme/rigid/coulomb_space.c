/* Friction of a step in space: two tangents a contact, and cones that the solver of src/solve/contact/friction.h knows.
 * It is asked for more than the tolerance, which is what it must reach: its answers of a few contacts are then good to
 * rounding. */
#include <string.h>

#include "scheme/rigid/coulomb.h"

static const double wanted = 1e-14; /* residual: about what rounding leaves */
static const double edge = 1e-9;    /* of the cone: so near it a contact slips, if it does */

static double length_of(const double x[2])
{
    return sqrt(x[0] * x[0] + x[1] * x[1]);
}

/* what impulses and rates say of the modes; rates up to `none` are none */
static void tell_modes(struct carom_coulomb *rub, size_t n, double none)
{
    for (size_t i = 0; i < n; i++) {
        const double *r = rub->r + 3 * i, *u = rub->u + 3 * i, cone = rub->now[i] * r[0];
        if (!(r[0] > 0.0))
            rub->mode[i] = CAROM_COULOMB_OPEN;
        else if (rub->now[i] > 0.0 && (length_of(r + 1) < (1.0 - edge) * cone || length_of(u + 1) <= none))
            rub->mode[i] = CAROM_COULOMB_STICK;
        else
            rub->mode[i] = CAROM_COULOMB_SLIP;
    }
}

/* with the coefficients of now, from the guess in rub->r */
static enum carom_status solve(struct carom_coulomb *rub, struct carom_stepper *stepper,
                               const struct carom_frame *frame, double t, struct carom_error *error)
{
    const struct carom_friction_problem problem = {
        .n = frame->n, .dim = 3, .matrix = frame->both, .b = rub->b, .mu = rub->now};
    struct carom_friction_report report = {.residual = HUGE_VAL};
    double largest = 0.0;
    for (size_t k = 0; k < 3 * frame->n; k++)
        largest = fmax(largest, fabs(rub->b[k]));
    carom_friction_solve(&problem, CAROM_FRICTION_AUTO, fmin(rub->tolerance, wanted), 0, rub->room, rub->r, rub->u,
                         &report);
    stepper->counts.iterations += report.iterations;
    if (!(report.residual <= rub->tolerance))
        return carom_coulomb_tell_unsolved(rub, stepper, frame, t, &report, error);
    stepper->worst_residual = fmax(stepper->worst_residual, report.residual);
    tell_modes(rub, frame->n, 4.0 * report.residual * largest);
    return CAROM_OK;
}

/* which contacts break away from mu_static, and slip with mu; true if any does */
static bool break_away(struct carom_coulomb *rub, const struct carom_frame *frame)
{
    bool changed = false;
    for (size_t i = 0; i < frame->n; i++) {
        const size_t j = frame->contact[i];
        if (!(rub->now[i] > rub->mu[j]) || rub->mode[i] != CAROM_COULOMB_SLIP)
            continue;
        rub->now[i] = rub->mu[j];
        changed = true;
    }
    return changed;
}

/* Contact i slipped and was pressed, and the answer has turned its slip: no force lets it go on. */
static enum carom_status find_paradox(const struct carom_coulomb *rub, const struct carom_frame *frame, double t,
                                      const bool *lasting, struct carom_error *error)
{
    for (size_t i = 0; i < frame->n; i++) {
        const double *before = rub->before + 2 * i, *u = rub->u + 3 * i, speed = length_of(before);
        if (!lasting[i] || speed == 0.0 || rub->mode[i] == CAROM_COULOMB_OPEN || !frame->slips[i] ||
            u[1] * before[0] + u[2] * before[1] >= 0.5 * speed * speed)
            continue;
        return carom_coulomb_tell_paradox(rub, frame, t, i, error);
    }
    return CAROM_OK;
}

enum carom_status carom_coulomb_space_solve(struct carom_coulomb *rub, struct carom_stepper *stepper,
                                            const struct carom_frame *frame, double t, const double *b,
                                            const bool *lasting, double *impulse, struct carom_error *error)
{
    const size_t n = frame->n;
    for (size_t i = 0; i < n; i++) {
        const size_t j = frame->contact[i];
        rub->b[3 * i] = b[i];
        memcpy(rub->b + 3 * i + 1, rub->freely + 2 * i, 2 * sizeof *rub->b);
        rub->now[i] = !frame->slips[i] ? 0.0 : rub->stuck[i] ? rub->mu_static[j] : rub->mu[j];
    }
    for (size_t turn = 0; turn < n + 1; turn++) {
        for (size_t i = 0; i < n; i++) {
            rub->r[3 * i] = impulse[i];
            memcpy(rub->r + 3 * i + 1, rub->impulse + 2 * i, 2 * sizeof *rub->r);
        }
        const enum carom_status status = solve(rub, stepper, frame, t, error);
        if (status != CAROM_OK)
            return status;
        if (!break_away(rub, frame))
            break;
    }
    for (size_t i = 0; i < n; i++) {
        impulse[i] = rub->r[3 * i];
        memcpy(rub->impulse + 2 * i, rub->r + 3 * i + 1, 2 * sizeof *rub->impulse);
    }
    return lasting ? find_paradox(rub, frame, t, lasting, error) : CAROM_OK;
}
