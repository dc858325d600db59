/* Friction of a step in space: two tangents a contact, and cones that the solver of src/solve/contact/friction.h knows.
 * It is asked for more than the tolerance, which is what it must reach: its answers of a few contacts are then good to
 * rounding. */
#include <string.h>

#include "scheme/rigid/coulomb.h"
#include "solve/dense.h"

static const double wanted = 1e-14; /* residual: about what rounding leaves */
/* And of contacts that hold each other, where the solver would hunt in vain for it, after so many iterations. */
static const double enough = 1e-12;
enum { SOON = 600 };
static const double edge = 1e-9;  /* of the cone: so near it a contact slips, if it does */
static const double equal = 1e-9; /* of the largest acceleration: what rounding makes of it, and more */

static double length_of(const double x[2])
{
    return sqrt(x[0] * x[0] + x[1] * x[1]);
}

/* what impulses and rates say of the modes; rates up to `none` are none */
static void tell_modes(struct carom_coulomb *c, size_t n, double none)
{
    for (size_t i = 0; i < n; i++) {
        const double *r = c->r + 3 * i, *u = c->u + 3 * i, cone = c->now[i] * r[0];
        if (!(r[0] > 0.0))
            c->mode[i] = CAROM_COULOMB_OPEN;
        else if (c->now[i] > 0.0 && (length_of(r + 1) < (1.0 - edge) * cone || length_of(u + 1) <= none))
            c->mode[i] = CAROM_COULOMB_STICK;
        else
            c->mode[i] = CAROM_COULOMB_SLIP;
    }
}

/* with the coefficients of now, from the guess in c->r */
static enum carom_status solve(struct carom_coulomb *c, struct carom_stepper *stepper, const struct carom_frame *frame,
                               double t, struct carom_error *error)
{
    const struct carom_friction_problem problem = {
        .n = frame->n, .dim = 3, .matrix = frame->both, .b = c->b, .mu = c->now};
    struct carom_friction_report report = {.residual = HUGE_VAL};
    double largest = 0.0;
    for (size_t k = 0; k < 3 * frame->n; k++)
        largest = fmax(largest, fabs(c->b[k]));
    for (int turn = 0; turn < 2 && !(report.residual <= fmin(c->tolerance, turn ? enough : wanted)); turn++) {
        carom_friction_solve(&problem, CAROM_FRICTION_AUTO, fmin(c->tolerance, wanted), turn ? 0 : SOON, c->room, c->r,
                             c->u, &report);
        stepper->counts.iterations += report.iterations;
    }
    if (!(report.residual <= c->tolerance))
        return carom_coulomb_tell_unsolved(c, stepper, frame, t, &report, error);
    stepper->worst_residual = fmax(stepper->worst_residual, report.residual);
    tell_modes(c, frame->n, 4.0 * report.residual * largest);
    return CAROM_OK;
}

/* which contacts break away from mu_static, and slip with mu; true if any does */
static bool break_away(struct carom_coulomb *c, const struct carom_frame *frame)
{
    bool changed = false;
    for (size_t i = 0; i < frame->n; i++) {
        const size_t j = frame->contact[i];
        if (!(c->now[i] > c->mu[j]) || c->mode[i] != CAROM_COULOMB_SLIP)
            continue;
        c->now[i] = c->mu[j];
        changed = true;
    }
    return changed;
}

/* Contact i slipped and was pressed, and the answer has turned its slip: no force lets it go on. */
static enum carom_status find_paradox(const struct carom_coulomb *c, const struct carom_frame *frame, double t,
                                      const bool *lasting, struct carom_error *error)
{
    for (size_t i = 0; i < frame->n; i++) {
        const double *before = c->before + 2 * i, *u = c->u + 3 * i, speed = length_of(before);
        if (!lasting[i] || speed == 0.0 || c->mode[i] == CAROM_COULOMB_OPEN || !frame->slips[i] ||
            u[1] * before[0] + u[2] * before[1] >= 0.5 * speed * speed)
            continue;
        return carom_coulomb_tell_paradox(c, frame, t, i, error);
    }
    return CAROM_OK;
}

enum carom_status carom_coulomb_space_solve(struct carom_coulomb *c, struct carom_stepper *stepper,
                                            const struct carom_frame *frame, double t, const double *b,
                                            const bool *lasting, double *impulse, struct carom_error *error)
{
    const size_t n = frame->n;
    for (size_t i = 0; i < n; i++) {
        const size_t j = frame->contact[i];
        c->b[3 * i] = b[i];
        memcpy(c->b + 3 * i + 1, c->freely + 2 * i, 2 * sizeof *c->b);
        c->now[i] = !frame->slips[i] ? 0.0 : c->stuck[i] ? c->mu_static[j] : c->mu[j];
    }
    for (size_t turn = 0; turn < n + 1; turn++) {
        for (size_t i = 0; i < n; i++) {
            c->r[3 * i] = impulse[i];
            memcpy(c->r + 3 * i + 1, c->impulse + 2 * i, 2 * sizeof *c->r);
        }
        const enum carom_status status = solve(c, stepper, frame, t, error);
        if (status != CAROM_OK)
            return status;
        if (!break_away(c, frame))
            break;
    }
    for (size_t i = 0; i < n; i++) {
        impulse[i] = c->r[3 * i];
        memcpy(c->impulse + 2 * i, c->r + 3 * i + 1, 2 * sizeof *c->impulse);
    }
    return lasting ? find_paradox(c, frame, t, lasting, error) : CAROM_OK;
}

/* --- accelerations ---------------------------------------------------------------------------------------------- */

/* the largest acceleration of the frame's contacts */
static double largest(size_t n, const double *b, const double *drag)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fmax(fabs(b[i]), length_of(drag + 2 * i)));
    return most > 0.0 ? most : 1.0;
}

/* Friction pushes against the slips that are found: those of contacts that slip along c->before are given what forces
 * have turned them by, so that it pushes against that. False: there are none. */
static bool straighten(struct carom_coulomb *c, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        const bool slips = length_of(c->before + 2 * i) > 0.0;
        for (size_t k = 0; k < 2 && slips; k++)
            c->freely[2 * i + k] -= c->u[3 * i + 1 + k] - c->before[2 * i + k];
        any |= slips;
    }
    return any;
}

enum carom_status carom_coulomb_space_press(struct carom_coulomb *c, struct carom_stepper *stepper,
                                            const struct carom_frame *frame, double t, const double *b,
                                            const double *drag, const bool *lasting, double *force, double *none,
                                            struct carom_error *error)
{
    enum { TURNS = 3 }; /* each leaves about 1e-4, of a slip that is there, of what the one before did */
    const double most = largest(frame->n, b, drag), slip = carom_coulomb_there(c, frame) * most;
    const double worst = stepper->worst_residual;
    double size = *none / equal, scale = most;
    for (size_t k = 0; k < 2 * frame->n; k++) {
        scale = c->before[k] != 0.0 ? slip : scale;
        c->before[k] *= slip;
        c->freely[k] = c->before[k] + drag[k];
        c->impulse[k] = force[k / 2] = 0.0;
    }
    enum carom_status status = CAROM_OK;
    for (int turn = 0; turn < TURNS && status == CAROM_OK && (turn == 0 || straighten(c, frame->n)); turn++) {
        stepper->worst_residual = 0.0;
        status = carom_coulomb_solve(c, stepper, frame, t, b, lasting, force, error);
    }
    for (size_t i = 0; i < frame->n; i++)
        size = fmax(size, fmax(fabs(b[i]), frame->diagonal[i] * force[i]));
    *none = fmax(equal * size, 4.0 * stepper->worst_residual * scale);
    stepper->worst_residual = fmax(stepper->worst_residual, worst);
    return status;
}

bool carom_coulomb_space_begins(const struct carom_coulomb *c, const struct carom_frame *frame, size_t i, bool breaks,
                                double none, double way[2])
{
    const double *u = c->u + 3 * i + 1, *r = c->impulse + 2 * i, speed = length_of(u), pull = length_of(r);
    const bool slips = speed > none || !(c->mu_static[frame->contact[i]] > 0.0);
    for (int k = 0; k < 2; k++)
        way[k] = speed > none ? u[k] / speed : breaks && pull > 0.0 ? -r[k] / pull : 0.0;
    return slips || (breaks && pull > 0.0);
}

/* --- impacts that are not unique --------------------------------------------------------------------------------- */

enum { DRAWS = 6 };                            /* directions that are tried, and their opposites */
static const double shaky = 1e-9, some = 1e-6; /* of the largest pivot; of impulses and of slips */

/* What is struck, in c->row: how many. What does not slip on sticks, though it be held by all that mu allows. */
static size_t list_struck(struct carom_coulomb *c, const struct carom_frame *frame)
{
    double most = 0.0, fast = 0.0;
    size_t count = 0;
    for (size_t k = 0; k < 3 * frame->n; k++) {
        most = fmax(most, fabs(c->r[k]));
        fast = fmax(fast, fabs(c->b[k]));
    }
    for (size_t i = 0; i < frame->n; i++) {
        const bool stops = length_of(c->u + 3 * i + 1) <= 1e-10 * fast;
        c->trial[i] = !(c->r[3 * i] > 1e-12 * most) ? CAROM_COULOMB_OPEN
                      : stops                       ? CAROM_COULOMB_STICK
                                                    : CAROM_COULOMB_SLIP;
        if (c->trial[i] != CAROM_COULOMB_OPEN)
            c->row[count++] = i;
    }
    return count;
}

/* What must be 0 for impulses to change by those in direction k of struck contact i alone, of its row `a`: rates,
 * slips of what sticks; friction of what slips on, which turns as the slip does, less what the law has of it. */
static double slope(const struct carom_coulomb *c, const struct carom_frame *frame, size_t i, size_t a, size_t k)
{
    const size_t wide = 3 * frame->n;
    const double *w = frame->both, *u = c->u + 3 * i + 1, own = w[(3 * i + 1) * (wide + 1)];
    if (a == 0 || (frame->slips[i] && c->trial[i] == CAROM_COULOMB_STICK))
        return w[(3 * i + a) * wide + k];
    double by = k == 3 * i + a ? own : 0.0;
    if (!frame->slips[i] || !(c->now[i] > 0.0))
        return by;
    const double speed = length_of(u),
                 along = (u[0] * w[(3 * i + 1) * wide + k] + u[1] * w[(3 * i + 2) * wide + k]) / speed;
    by += k == 3 * i ? own * c->now[i] * u[a - 1] / speed : 0.0;
    return by + own * c->now[i] * c->r[3 * i] / speed * (w[(3 * i + a) * wide + k] - along * u[a - 1] / speed);
}

static void build(struct carom_coulomb *c, const struct carom_frame *frame, size_t count, double more)
{
    const size_t m = 3 * count;
    for (size_t k = 0; k < m; k++)
        for (size_t l = 0; l < m; l++) {
            const size_t i = c->row[k / 3], j = c->row[l / 3];
            c->matrix[k * m + l] = slope(c, frame, i, k % 3, 3 * j + l % 3) +
                                   (k == l ? more * frame->both[(3 * i + k % 3) * (3 * frame->n + 1)] : 0.0);
        }
}

/* A change of impulses into c->keep, the largest 1, that the law allows but for cones; false: the draw has none. */
static bool draw_leeway(struct carom_coulomb *c, const struct carom_frame *frame, size_t count, int draw)
{
    const size_t m = 3 * count, wide = 3 * frame->n;
    double largest = 0.0;
    build(c, frame, count, 1e-8); /* all but singular: the answer is along what is left open */
    for (size_t k = 0; k < m; k++)
        c->x[k] = (double)((k * k + 3 * k + (size_t)draw * (2 * k + 5)) % 11) - 5.0;
    carom_dense_solve(m, c->matrix, c->x, c->order, 1e-15);
    memset(c->keep, 0, wide * sizeof *c->keep);
    for (size_t k = 0; k < m; k++)
        largest = fmax(largest, fabs(c->x[k]));
    for (size_t k = 0; k < m && largest > 0.0; k++)
        c->keep[3 * c->row[k / 3] + k % 3] = c->x[k] / largest;
    build(c, frame, count, 0.0);
    for (size_t k = 0; k < m; k++) {
        double off = 0.0, size = 0.0;
        for (size_t l = 0; l < m; l++) {
            off += c->matrix[k * m + l] * c->x[l] / largest;
            size = fmax(size, fabs(c->matrix[k * m + l]));
        }
        if (!(fabs(off) <= some * size))
            return false;
    }
    return true;
}

/* May impulses change along c->keep, times `sign`, without leaving a cone? */
static bool may_change(const struct carom_coulomb *c, const struct carom_frame *frame, double sign)
{
    for (size_t i = 0; i < frame->n; i++) {
        const double *r = c->r + 3 * i, *z = c->keep + 3 * i, most = c->now[i] * r[0], held = length_of(r + 1);
        if (c->trial[i] == CAROM_COULOMB_STICK && held > 0.0 && most - held <= some * most &&
            sign * (c->now[i] * z[0] - (r[1] * z[1] + r[2] * z[2]) / held) < -some)
            return false;
    }
    return true;
}

/* a contact that slips on, and otherwise along c->keep; n: none */
static size_t slips_otherwise(const struct carom_coulomb *c, const struct carom_frame *frame)
{
    const size_t wide = 3 * frame->n;
    for (size_t i = 0; i < frame->n; i++) {
        double change[2] = {0.0};
        for (size_t k = 0; k < 2 * wide; k++)
            change[k / wide] += frame->both[(3 * i + 1 + k / wide) * wide + k % wide] * c->keep[k % wide];
        if (c->trial[i] == CAROM_COULOMB_SLIP && c->now[i] > 0.0 &&
            length_of(change) > some * frame->both[(3 * i + 1) * (wide + 1)])
            return i;
    }
    return frame->n;
}

void carom_coulomb_space_leeway(struct carom_coulomb *c, struct carom_stepper *stepper, const struct carom_frame *frame,
                                double t)
{
    const size_t count = stepper->split.seen ? 0 : list_struck(c, frame);
    if (count < 2)
        return;
    build(c, frame, count, 0.0);
    memset(c->x, 0, 3 * count * sizeof *c->x);
    if (carom_dense_solve(3 * count, c->matrix, c->x, c->order, shaky) == 3 * count)
        return;
    for (int draw = 0; draw < DRAWS && !stepper->split.seen; draw++) {
        if (!draw_leeway(c, frame, count, draw) || !(may_change(c, frame, 1.0) || may_change(c, frame, -1.0)))
            continue;
        const size_t i = slips_otherwise(c, frame);
        if (i < frame->n)
            stepper->split = (struct carom_split){true, t, 0.0, frame->contact[i], frame->contact[i], -1.0};
    }
}
