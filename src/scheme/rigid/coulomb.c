/* Friction of a step. Planar contacts have four modes (open, stick, slip up or down), and with modes given the problem
 * is linear, so a Newton method on modes ends with an answer exact to rounding; where it does not end, the solver of
 * src/solve/contact/friction.h takes over.
 *
 * mu_static: a contact that stuck breaks away at mu_static and slips with mu from then on, in the same step; one whose
 * slip would turn over within a step stops first, and sticks if mu_static can hold it. */
#include "scheme/rigid/coulomb.h"

#include <string.h>

#include "base/memory.h"
#include "model/ports.h"
#include "solve/dense.h"

enum { SLIDING, STATIC, BROKEN }; /* levels: mu; mu_static; mu, for good */

void carom_coulomb_close(struct carom_coulomb *rub)
{
    carom_memory_free(rub->mu);
    carom_friction_close(rub->room);
    *rub = (struct carom_coulomb){0};
}

static void read_friction(struct carom_coulomb *rub)
{
    for (size_t i = 0; i < rub->model->ngroups; i++) {
        const struct carom_group *g = &rub->model->group[i];
        for (size_t j = 0; j < g->count; j++) {
            const double mu = g->param[CAROM_RIGID_MU][j], still = g->param[CAROM_RIGID_MU_STATIC][j];
            rub->mu[g->first + j] = mu;
            rub->mu_static[g->first + j] = still > mu ? still : mu;
        }
    }
}

enum carom_status carom_coulomb_open(struct carom_coulomb *rub, const struct carom_model *model, double tolerance,
                                     struct carom_error *error)
{
    const size_t nc = model->nc, ways = carom_ports_spatial(model) ? 2 : 1, all_ways = ways * nc, wide = nc + all_ways;
    *rub = (struct carom_coulomb){.model = model, .tolerance = tolerance, .ways = ways};
    if (!carom_memory_together(
            CAROM_ROOM(rub->mu, nc), CAROM_ROOM(rub->mu_static, nc), CAROM_ROOM(rub->now, nc),
            CAROM_ROOM(rub->stuck, nc), CAROM_ROOM(rub->mode, nc), CAROM_ROOM(rub->trial, nc),
            CAROM_ROOM(rub->level, nc), CAROM_ROOM(rub->slide0, all_ways), CAROM_ROOM(rub->slide1, all_ways),
            CAROM_ROOM(rub->before, all_ways), CAROM_ROOM(rub->freely, all_ways), CAROM_ROOM(rub->after, all_ways),
            CAROM_ROOM(rub->impulse, all_ways), CAROM_ROOM(rub->against, all_ways), CAROM_ROOM(rub->b, wide),
            CAROM_ROOM(rub->r, wide), CAROM_ROOM(rub->u, wide), CAROM_ROOM(rub->x, wide), CAROM_ROOM(rub->keep, wide),
            CAROM_ROOM(rub->sum, wide), CAROM_ROOM(rub->hint, wide), CAROM_ROOM(rub->order, wide),
            CAROM_ROOM(rub->row, wide), CAROM_ROOM(rub->matrix, wide * wide)))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for friction at %zu contacts", nc);
    read_friction(rub);
    rub->room = carom_friction_open(nc, 1 + ways, 0, error);
    return rub->room ? CAROM_OK : CAROM_E_MEMORY;
}

/* --- modes ------------------------------------------------------------------------------------------------------- */

static double friction_sign(enum carom_coulomb_mode mode)
{
    return mode == CAROM_COULOMB_UP ? 1.0 : mode == CAROM_COULOMB_DOWN ? -1.0 : 0.0;
}

/* the part along tangent k of what friction does at contact i, of its normal impulse */
static double drawn(const struct carom_coulomb *rub, const enum carom_coulomb_mode *mode, size_t i, size_t k)
{
    if (rub->ways == 1)
        return friction_sign(mode[i]) * rub->now[i];
    return mode[i] == CAROM_COULOMB_SLIP ? rub->against[2 * i + k] * rub->now[i] : 0.0;
}

/* W as the unknowns see it, with `extra` of every diagonal entry added, and more where a contact presses less than the
 * others, by the impulses in r */
static void build(struct carom_coulomb *rub, const struct carom_frame *frame, const enum carom_coulomb_mode *mode,
                  size_t count, double extra, const double *r)
{
    const size_t each = 1 + rub->ways, wide = each * frame->n;
    const double *w = frame->both;
    double most = 0.0;
    for (size_t i = 0; i < frame->n; i++)
        most = r[each * i] > most ? r[each * i] : most;
    for (size_t k = 0; k < count; k++) {
        const size_t row = rub->row[k];
        for (size_t l = 0; l < count; l++) {
            const size_t column = rub->row[l], i = column / each;
            double sum = w[row * wide + column];
            for (size_t way = 0; way < rub->ways && column % each == 0; way++)
                sum += drawn(rub, mode, i, way) * w[row * wide + column + 1 + way];
            rub->matrix[k * count + l] = sum;
        }
        const double press = r[row - row % each],
                     factor = row % each && most > 0.0 ? fmin(most / fmax(press, 0.0), 1e4) : 1.0;
        rub->matrix[k * count + k] += extra * factor * w[row * wide + row];
    }
}

/* the answer of the unknowns in rub->x as impulses */
static void spread(const struct carom_coulomb *rub, const struct carom_frame *frame,
                   const enum carom_coulomb_mode *mode, size_t count, double *r)
{
    const size_t each = 1 + rub->ways;
    memset(r, 0, each * frame->n * sizeof *r);
    for (size_t k = 0; k < count; k++)
        r[rub->row[k]] = rub->x[k];
    for (size_t i = 0; i < frame->n; i++)
        for (size_t way = 0; way < rub->ways && (mode[i] == CAROM_COULOMB_UP || mode[i] == CAROM_COULOMB_DOWN); way++)
            r[each * i + 1 + way] = drawn(rub, mode, i, way) * r[each * i];
}

/* Contacts more than enough: of all answers the one in which friction goes with the normal forces, so that it is
 * allowed if any is. A little is added to W, first alike, then by how hard contacts press; a correction takes its
 * effect out. */
static void share(struct carom_coulomb *rub, const struct carom_frame *frame, const enum carom_coulomb_mode *mode,
                  size_t count, double *r)
{
    const double extra = 1e-8;
    const size_t wide = (1 + rub->ways) * frame->n;
    double *sum = rub->sum;
    memset(r, 0, wide * sizeof *r);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < count; k++)
            sum[k] = 0.0;
        memcpy(rub->hint, r, wide * sizeof *r);
        for (int turn = 0; turn < 2; turn++) {
            build(rub, frame, mode, count, 0.0, rub->hint);
            for (size_t k = 0; k < count; k++) {
                rub->x[k] = -rub->b[rub->row[k]];
                for (size_t l = 0; l < count; l++)
                    rub->x[k] -= rub->matrix[k * count + l] * sum[l];
            }
            build(rub, frame, mode, count, extra, rub->hint);
            carom_dense_solve(count, rub->matrix, rub->x, rub->order, 1e-15);
            for (size_t k = 0; k < count; k++)
                sum[k] += rub->x[k];
        }
        memcpy(rub->x, sum, count * sizeof *sum);
        spread(rub, frame, mode, count, r);
    }
}

/* Unknowns: the normal impulse of every closed contact, the tangential one of every sticking one. Each makes its own
 * rate 0; where a contact slips, the tangential impulse goes with the normal one. */
bool carom_coulomb_modes(struct carom_coulomb *rub, const struct carom_frame *frame,
                         const enum carom_coulomb_mode *mode, double *r)
{
    const size_t n = frame->n, each = 1 + rub->ways;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (mode[i] != CAROM_COULOMB_OPEN)
            rub->row[count++] = each * i;
        for (size_t way = 0; way < rub->ways && mode[i] == CAROM_COULOMB_STICK && frame->slips[i]; way++)
            rub->row[count++] = each * i + 1 + way;
    }
    memset(r, 0, each * n * sizeof *r);
    if (count == 0)
        return true;
    build(rub, frame, mode, count, 0.0, r);
    for (size_t k = 0; k < count; k++)
        rub->x[k] = -rub->b[rub->row[k]];
    const bool unique = carom_dense_solve(count, rub->matrix, rub->x, rub->order, 1e-13) == count;
    if (unique)
        spread(rub, frame, mode, count, r);
    else
        share(rub, frame, mode, count, r);
    return unique;
}

static void rates(const struct carom_coulomb *rub, const struct carom_frame *frame, const double *r, double *u)
{
    const size_t wide = 2 * frame->n;
    for (size_t i = 0; i < wide; i++) {
        u[i] = rub->b[i];
        for (size_t k = 0; k < wide; k++)
            u[i] += frame->both[i * wide + k] * r[k];
    }
}

/* what impulses r and rates u say of the modes: the cases of the projection onto the cone */
static void predict(const struct carom_coulomb *rub, const struct carom_frame *frame, const double *r, const double *u,
                    enum carom_coulomb_mode *mode)
{
    const size_t n = frame->n, wide = 2 * n;
    for (size_t i = 0; i < n; i++) {
        const size_t at = 2 * i, aside = at + 1;
        const double normal = r[at] - u[at] / frame->both[at * wide + at];
        const double along = r[aside] - u[aside] / frame->both[aside * wide + aside];
        if (!(normal > 0.0))
            mode[i] = CAROM_COULOMB_OPEN;
        else if (fabs(along) <= rub->now[i] * normal && rub->now[i] > 0.0)
            mode[i] = CAROM_COULOMB_STICK;
        else
            mode[i] = along > 0.0 ? CAROM_COULOMB_UP : CAROM_COULOMB_DOWN;
    }
}

static bool same(size_t n, const enum carom_coulomb_mode *a, const enum carom_coulomb_mode *b)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

/* Newton's method on modes, from those that rub->r and rub->u suggest; true once they reproduce themselves */
static bool settle(struct carom_coulomb *rub, const struct carom_frame *frame, size_t most, size_t *iterations)
{
    rates(rub, frame, rub->r, rub->u);
    predict(rub, frame, rub->r, rub->u, rub->mode);
    for (size_t turn = 0; turn < most; turn++) {
        ++*iterations;
        carom_coulomb_modes(rub, frame, rub->mode, rub->r);
        rates(rub, frame, rub->r, rub->u);
        predict(rub, frame, rub->r, rub->u, rub->trial);
        if (same(frame->n, rub->mode, rub->trial))
            return true;
        memcpy(rub->mode, rub->trial, frame->n * sizeof *rub->mode);
    }
    return false;
}

/* --- one problem ------------------------------------------------------------------------------------------------- */

/* Is r an answer? Impulses a million times what would stop all that moves are none: contacts jam, and press without
 * end; a residual is then all rounding. */
static bool answers(const struct carom_coulomb *rub, const struct carom_friction_problem *problem)
{
    const size_t wide = 2 * problem->n;
    double speed = 0.0, push = 0.0;
    for (size_t i = 0; i < wide; i++) {
        speed = fmax(speed, fabs(rub->b[i]));
        push = fmax(push, problem->matrix[i * wide + i] * fabs(rub->r[i]));
    }
    return push <= 1e6 * speed && carom_friction_residual(problem, rub->r, rub->u) <= rub->tolerance;
}

/* Few contacts: all modes one after the other, contact 0 changing fastest; true at the first that are an answer */
static bool try_all(struct carom_coulomb *rub, const struct carom_frame *frame,
                    const struct carom_friction_problem *problem, size_t *iterations)
{
    if (frame->n > CAROM_COULOMB_FEW)
        return false;
    for (size_t choice = 0; choice >> 2 * frame->n == 0; choice++) {
        ++*iterations;
        for (size_t i = 0; i < frame->n; i++)
            rub->mode[i] = (enum carom_coulomb_mode)(choice >> 2 * i & 3);
        carom_coulomb_modes(rub, frame, rub->mode, rub->r);
        if (answers(rub, problem))
            return true;
    }
    return false;
}

/* with the coefficients of now, from the guess in rub->r */
static enum carom_status solve(struct carom_coulomb *rub, struct carom_stepper *stepper,
                               const struct carom_frame *frame, double t, struct carom_error *error)
{
    const struct carom_friction_problem problem = {
        .n = frame->n, .dim = 2, .matrix = frame->both, .b = rub->b, .mu = rub->now};
    const size_t most = 10 + 2 * frame->n;
    size_t iterations = 0;
    double residual = HUGE_VAL;
    if (settle(rub, frame, most, &iterations))
        residual = carom_friction_residual(&problem, rub->r, rub->u);
    if (!(residual <= rub->tolerance)) {
        struct carom_friction_report report = {.residual = HUGE_VAL};
        memset(rub->r, 0, 2 * frame->n * sizeof(double));
        carom_friction_solve(&problem, CAROM_FRICTION_AUTO, rub->tolerance, 0, rub->room, rub->r, rub->u, &report);
        stepper->counts.iterations += report.iterations;
        if (!report.solved && try_all(rub, frame, &problem, &iterations))
            report.residual = carom_friction_residual(&problem, rub->r, rub->u);
        else if (!report.solved)
            return carom_coulomb_tell_unsolved(rub, stepper, frame, t, &report, error);
        residual = report.residual;
        /* exact to rounding if its modes are; else as it is */
        memcpy(rub->keep, rub->r, 2 * frame->n * sizeof(double));
        if (!settle(rub, frame, 2, &iterations) ||
            !(carom_friction_residual(&problem, rub->r, rub->u) <= rub->tolerance)) {
            memcpy(rub->r, rub->keep, 2 * frame->n * sizeof(double));
            rates(rub, frame, rub->r, rub->u);
            predict(rub, frame, rub->r, rub->u, rub->mode);
        }
    }
    stepper->counts.iterations += iterations;
    if (residual > stepper->worst_residual)
        stepper->worst_residual = residual;
    return CAROM_OK;
}

/* --- mu_static --------------------------------------------------------------------------------------------------- */

static bool slips(enum carom_coulomb_mode mode)
{
    return mode == CAROM_COULOMB_UP || mode == CAROM_COULOMB_DOWN;
}

/* which contacts break away, and which would turn over and must stop first; true if any level changed */
static bool change_levels(struct carom_coulomb *rub, const struct carom_frame *frame)
{
    bool changed = false;
    for (size_t i = 0; i < frame->n; i++) {
        const size_t j = frame->contact[i];
        if (!(rub->mu_static[j] > rub->mu[j]) || !slips(rub->mode[i]))
            continue;
        if (rub->level[i] == STATIC)
            rub->level[i] = BROKEN;
        else if (rub->level[i] == SLIDING && friction_sign(rub->mode[i]) * rub->before[i] > 0.0)
            rub->level[i] = STATIC;
        else
            continue;
        changed = true;
    }
    return changed;
}

/* --- Painleve ---------------------------------------------------------------------------------------------------- */

/* modes in which all that slipped slip on */
static void slip_on(struct carom_coulomb *rub, const struct carom_frame *frame, const bool *lasting)
{
    for (size_t k = 0; k < frame->n; k++)
        rub->trial[k] = rub->mode[k] == CAROM_COULOMB_OPEN || !lasting[k] || rub->stuck[k] || rub->before[k] == 0.0
                            ? rub->mode[k]
                        : rub->before[k] > 0.0 ? CAROM_COULOMB_DOWN
                                               : CAROM_COULOMB_UP;
}

/* Contact i slipped and was pressed, and the answer has it neither slip on nor part: can slipping on not be, because
 * the force that would hold it is a pull? Then no force at all is a solution, and the answer is a shock. */
static enum carom_status find_paradox(struct carom_coulomb *rub, const struct carom_frame *frame, double t,
                                      const bool *lasting, struct carom_error *error)
{
    for (size_t i = 0; i < frame->n; i++) {
        const enum carom_coulomb_mode on = rub->before[i] > 0.0 ? CAROM_COULOMB_DOWN : CAROM_COULOMB_UP;
        if (!lasting[i] || rub->stuck[i] || rub->before[i] == 0.0 || rub->mode[i] == CAROM_COULOMB_OPEN ||
            rub->mode[i] == on || !frame->slips[i])
            continue;
        slip_on(rub, frame, lasting);
        if (!carom_coulomb_modes(rub, frame, rub->trial, rub->keep) || rub->keep[2 * i] > 0.0)
            continue;
        rub->trial[i] = CAROM_COULOMB_OPEN;
        carom_coulomb_modes(rub, frame, rub->trial, rub->keep);
        rates(rub, frame, rub->keep, rub->u);
        if (rub->u[2 * i] >= 0.0)
            continue;
        return carom_coulomb_tell_paradox(rub, frame, t, i, error);
    }
    return CAROM_OK;
}

enum carom_status carom_coulomb_solve(struct carom_coulomb *rub, struct carom_stepper *stepper,
                                      const struct carom_frame *frame, double t, const double *b, const bool *lasting,
                                      double *impulse, struct carom_error *error)
{
    const size_t n = frame->n;
    if (rub->ways > 1)
        return carom_coulomb_space_solve(rub, stepper, frame, t, b, lasting, impulse, error);
    for (size_t i = 0; i < n; i++) {
        rub->b[2 * i] = b[i];
        rub->b[2 * i + 1] = rub->freely[i];
        rub->level[i] = rub->stuck[i] ? STATIC : SLIDING;
    }
    for (size_t turn = 0; turn < 2 * n + 1; turn++) {
        for (size_t i = 0; i < n; i++) {
            const size_t j = frame->contact[i];
            rub->now[i] = !frame->slips[i] ? 0.0 : rub->level[i] == STATIC ? rub->mu_static[j] : rub->mu[j];
            rub->r[2 * i] = impulse[i];
            rub->r[2 * i + 1] = rub->impulse[i];
        }
        const enum carom_status status = solve(rub, stepper, frame, t, error);
        if (status != CAROM_OK)
            return status;
        if (!change_levels(rub, frame))
            break;
    }
    for (size_t i = 0; i < n; i++) {
        impulse[i] = rub->r[2 * i];
        rub->impulse[i] = rub->r[2 * i + 1];
    }
    return lasting ? find_paradox(rub, frame, t, lasting, error) : CAROM_OK;
}

/* --- impacts that are not unique --------------------------------------------------------------------------------- */

/* Unknowns of what is struck, in rub->row. What does not slip on sticks, though it be held by all that mu allows: other
 * answers have it so. */
static size_t list_struck(struct carom_coulomb *rub, const struct carom_frame *frame)
{
    double most = 0.0, fast = 0.0;
    size_t count = 0;
    for (size_t k = 0; k < 2 * frame->n; k++) {
        most = fmax(most, fabs(rub->r[k]));
        fast = fmax(fast, fabs(rub->b[k]));
    }
    for (size_t i = 0; i < frame->n; i++) {
        const bool struck = rub->r[2 * i] > 1e-12 * most, stops = fabs(rub->u[2 * i + 1]) <= 1e-10 * fast;
        rub->trial[i] = !struck                   ? CAROM_COULOMB_OPEN
                        : stops                   ? CAROM_COULOMB_STICK
                        : rub->r[2 * i + 1] > 0.0 ? CAROM_COULOMB_UP
                                                  : CAROM_COULOMB_DOWN;
        if (struck)
            rub->row[count++] = 2 * i;
        if (struck && stops && frame->slips[i])
            rub->row[count++] = 2 * i + 1;
    }
    return count;
}

/* A direction of impulses into rub->keep that leaves what is struck without rates and what sticks without slip; false:
 * there is none. Places have errors, and nearly none is one. */
static bool find_leeway(struct carom_coulomb *rub, const struct carom_frame *frame, size_t count)
{
    double largest = 0.0;
    memset(rub->hint, 0, 2 * frame->n * sizeof(double));
    for (int turn = 0; turn < 2; turn++) {
        build(rub, frame, rub->trial, count, turn ? 1e-8 : 0.0, rub->hint); /* singular: the answer is along it */
        for (size_t k = 0; k < count; k++)
            rub->x[k] = 1.0 / (double)(k + 1);
        if (carom_dense_solve(count, rub->matrix, rub->x, rub->order, turn ? 1e-15 : 1e-9) == count && turn == 0)
            return false;
    }
    spread(rub, frame, rub->trial, count, rub->keep);
    for (size_t k = 0; k < 2 * frame->n; k++)
        largest = fmax(largest, fabs(rub->keep[k]));
    for (size_t k = 0; k < 2 * frame->n; k++)
        rub->keep[k] /= largest;
    return largest > 0.0 && largest < HUGE_VAL;
}

/* May impulses change along rub->keep, times `sign`, without leaving a cone? */
static bool may_change(const struct carom_coulomb *rub, const struct carom_frame *frame, double sign)
{
    const double rounding = 1e-6;
    for (size_t i = 0; i < frame->n; i++) {
        const double *r = rub->r + 2 * i, *z = rub->keep + 2 * i, most = rub->now[i] * r[0];
        if (rub->trial[i] == CAROM_COULOMB_STICK && most - fabs(r[1]) <= rounding * most &&
            sign * (rub->now[i] * z[0] - (r[1] > 0.0 ? z[1] : -z[1])) < -rounding)
            return false;
    }
    return true;
}

/* Where the normal of one contact is the tangent of another, as of a corner on a floor beside a peg, one may press more
 * and the other hold less: if the first slips, with another friction and other velocities. */
static void note_leeway(struct carom_coulomb *rub, struct carom_stepper *stepper, const struct carom_frame *frame,
                        double t)
{
    const size_t wide = 2 * frame->n, count = list_struck(rub, frame);
    if (stepper->split.seen || count == 0 || !find_leeway(rub, frame, count) ||
        !(may_change(rub, frame, 1.0) || may_change(rub, frame, -1.0)))
        return;
    for (size_t i = 0; i < frame->n && !stepper->split.seen; i++) {
        double change = 0.0;
        for (size_t k = 0; k < wide; k++)
            change += frame->both[(2 * i + 1) * wide + k] * rub->keep[k];
        if (rub->trial[i] >= CAROM_COULOMB_UP && fabs(change) > 1e-6 * frame->both[(2 * i + 1) * wide + 2 * i + 1])
            stepper->split = (struct carom_split){true, t, 0.0, frame->contact[i], frame->contact[i], -1.0};
    }
}

enum carom_status carom_coulomb_strike(struct carom_coulomb *rub, struct carom_stepper *stepper,
                                       const struct carom_frame *frame, double t, const double *b, double *impulse,
                                       struct carom_error *error)
{
    const enum carom_status status = carom_coulomb_solve(rub, stepper, frame, t, b, NULL, impulse, error);
    if (status == CAROM_OK && rub->ways == 1)
        note_leeway(rub, stepper, frame, t);
    else if (status == CAROM_OK)
        carom_coulomb_space_leeway(rub, stepper, frame, t);
    return status;
}
