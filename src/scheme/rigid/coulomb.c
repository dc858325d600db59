/* Friction of a step. Planar contacts have four modes (open, stick, slip up or down), and with modes given the problem
 * is linear, so a Newton method on modes ends with an answer exact to rounding; where it does not end, the solver of
 * src/solve/contact/friction.h takes over.
 *
 * mu_static: a contact that stuck breaks away at mu_static and slips with mu from then on, in the same step; one whose
 * slip would turn over within a step stops first, and sticks if mu_static can hold it. */
#include "scheme/rigid/coulomb.h"

#include <string.h>

#include "base/memory.h"
#include "carom/law.h"
#include "model/ports.h"
#include "solve/dense.h"

enum { SLIDING, STATIC, BROKEN }; /* levels: mu; mu_static; mu, for good */

static const double shaky = 1e-13; /* of the largest pivot: those that are none */

void carom_coulomb_close(struct carom_coulomb *c)
{
    carom_memory_free(c->mu);
    carom_friction_close(c->room);
    *c = (struct carom_coulomb){0};
}

static void read_friction(struct carom_coulomb *c)
{
    for (size_t i = 0; i < c->model->ngroups; i++) {
        const struct carom_group *g = &c->model->group[i];
        for (size_t j = 0; j < g->count; j++) {
            const double mu = g->param[CAROM_RIGID_MU][j], still = g->param[CAROM_RIGID_MU_STATIC][j];
            c->mu[g->first + j] = mu;
            c->mu_static[g->first + j] = still > mu ? still : mu;
        }
    }
}

enum carom_status carom_coulomb_open(struct carom_coulomb *c, const struct carom_model *model, double tolerance,
                                     struct carom_error *error)
{
    const size_t nc = model->nc, ways = carom_ports_spatial(model) ? 2 : 1, all_ways = ways * nc, wide = nc + all_ways;
    *c = (struct carom_coulomb){.model = model, .tolerance = tolerance, .ways = ways};
    if (!carom_memory_together(
            CAROM_ROOM(c->mu, nc), CAROM_ROOM(c->mu_static, nc), CAROM_ROOM(c->now, nc), CAROM_ROOM(c->stuck, nc),
            CAROM_ROOM(c->mode, nc), CAROM_ROOM(c->trial, nc), CAROM_ROOM(c->level, nc),
            CAROM_ROOM(c->slide0, all_ways), CAROM_ROOM(c->slide1, all_ways), CAROM_ROOM(c->before, all_ways),
            CAROM_ROOM(c->freely, all_ways), CAROM_ROOM(c->after, all_ways), CAROM_ROOM(c->impulse, all_ways),
            CAROM_ROOM(c->against, all_ways), CAROM_ROOM(c->b, wide), CAROM_ROOM(c->r, wide), CAROM_ROOM(c->u, wide),
            CAROM_ROOM(c->x, wide), CAROM_ROOM(c->keep, wide), CAROM_ROOM(c->sum, wide), CAROM_ROOM(c->hint, wide),
            CAROM_ROOM(c->order, wide), CAROM_ROOM(c->row, wide), CAROM_ROOM(c->matrix, wide * wide),
            CAROM_ROOM(c->left, wide * wide), CAROM_ROOM(c->right, wide * wide), CAROM_ROOM(c->v, model->nv)))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for friction at %zu contacts", nc);
    read_friction(c);
    c->room = carom_friction_open(nc, 1 + ways, 0, error);
    return c->room ? CAROM_OK : CAROM_E_MEMORY;
}

/* --- modes ------------------------------------------------------------------------------------------------------- */

static double friction_sign(enum carom_coulomb_mode mode)
{
    return mode == CAROM_COULOMB_UP ? 1.0 : mode == CAROM_COULOMB_DOWN ? -1.0 : 0.0;
}

/* the part along tangent k of what friction does at contact i, of its normal impulse */
static double drawn(const struct carom_coulomb *c, const enum carom_coulomb_mode *mode, size_t i, size_t k)
{
    if (c->ways == 1)
        return friction_sign(mode[i]) * c->now[i];
    return mode[i] == CAROM_COULOMB_SLIP ? c->against[2 * i + k] * c->now[i] : 0.0;
}

/* W as the unknowns see it, with `extra` of every diagonal entry added */
static void build(struct carom_coulomb *c, const struct carom_frame *frame, const enum carom_coulomb_mode *mode,
                  size_t count, double extra)
{
    const size_t each = 1 + c->ways, wide = each * frame->n;
    const double *w = frame->both;
    for (size_t k = 0; k < count; k++) {
        const size_t row = c->row[k];
        for (size_t l = 0; l < count; l++) {
            const size_t column = c->row[l], i = column / each;
            double sum = w[row * wide + column];
            for (size_t way = 0; way < c->ways && column % each == 0; way++)
                sum += drawn(c, mode, i, way) * w[row * wide + column + 1 + way];
            c->matrix[k * count + l] = sum;
        }
        c->matrix[k * count + k] += extra * w[row * wide + row];
    }
}

/* the answer of the unknowns in c->x as impulses */
static void spread(const struct carom_coulomb *c, const struct carom_frame *frame, const enum carom_coulomb_mode *mode,
                   size_t count, double *r)
{
    const size_t each = 1 + c->ways;
    memset(r, 0, each * frame->n * sizeof *r);
    for (size_t k = 0; k < count; k++)
        r[c->row[k]] = c->x[k];
    for (size_t i = 0; i < frame->n; i++)
        for (size_t way = 0; way < c->ways && (mode[i] == CAROM_COULOMB_UP || mode[i] == CAROM_COULOMB_DOWN); way++)
            r[each * i + 1 + way] = drawn(c, mode, i, way) * r[each * i];
}

/* Contacts more than enough, and changes z of the answer in c->x that change no rate, `count` - `rank` of them in
 * c->right: of all answers the one in which friction goes with the normal forces, so that it is allowed if any is. It
 * is the one that contacts would have which yield a little, first alike, then the more the less they press. */
static void share(struct carom_coulomb *c, const struct carom_frame *frame, const enum carom_coulomb_mode *mode,
                  size_t count, size_t rank, double *r)
{
    const size_t each = 1 + c->ways, wide = each * frame->n, open = count - rank;
    memset(r, 0, wide * sizeof *r);
    for (int pass = 0; pass < 2; pass++) {
        double most = 0.0;
        for (size_t i = 0; i < frame->n; i++)
            most = fmax(most, r[each * i]);
        for (size_t k = 0; k < count; k++) {
            const size_t row = c->row[k];
            const double press = fmax(r[row - row % each], 0.0);
            c->hint[k] = frame->both[row * wide + row] * (row % each && most > 0.0 ? fmin(most / press, 1e4) : 1.0);
        }
        for (size_t y = 0; y < open; y++) {
            const double *left = c->left + y * count;
            c->sum[y] = 0.0;
            for (size_t z = 0; z < open; z++)
                c->matrix[y * open + z] = 0.0;
            for (size_t k = 0; k < count; k++) {
                c->sum[y] -= left[k] * c->hint[k] * c->x[k];
                for (size_t z = 0; z < open; z++)
                    c->matrix[y * open + z] += left[k] * c->hint[k] * c->right[z * count + k];
            }
        }
        carom_dense_solve(open, c->matrix, c->sum, c->order, 1e-13);
        for (size_t z = 0; z < open; z++)
            for (size_t k = 0; k < count; k++)
                c->x[k] += c->sum[z] * c->right[z * count + k];
        spread(c, frame, mode, count, r);
    }
}

/* Unknowns: the normal impulse of every closed contact, the tangential one of every sticking one. Each makes its own
 * rate 0; where a contact slips, the tangential impulse goes with the normal one. */
bool carom_coulomb_modes(struct carom_coulomb *c, const struct carom_frame *frame, const enum carom_coulomb_mode *mode,
                         double *r)
{
    const size_t n = frame->n, each = 1 + c->ways;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (mode[i] != CAROM_COULOMB_OPEN)
            c->row[count++] = each * i;
        for (size_t way = 0; way < c->ways && mode[i] == CAROM_COULOMB_STICK && frame->slips[i]; way++)
            c->row[count++] = each * i + 1 + way;
    }
    memset(r, 0, each * n * sizeof *r);
    if (count == 0)
        return true;
    build(c, frame, mode, count, 0.0);
    for (size_t k = 0; k < count; k++)
        c->x[k] = -c->b[c->row[k]];
    if (carom_dense_solve(count, c->matrix, c->x, c->order, shaky) == count) {
        spread(c, frame, mode, count, r);
        return true;
    }
    build(c, frame, mode, count, 0.0);
    for (size_t k = 0; k < count; k++)
        c->x[k] = -c->b[c->row[k]];
    const size_t rank = carom_dense_open(count, c->matrix, c->x, c->order, shaky, c->left, c->right);
    share(c, frame, mode, count, rank, r);
    return false;
}

double carom_coulomb_there(const struct carom_coulomb *c, const struct carom_frame *frame)
{
    /* Far more than forces change, and the solver, where its answer is known to 1e-10 of it only, still tells forces to
     * 1e-6; and times what friction does where a contact is held alone. */
    const double there = 1e4, beyond = 1e2;
    const size_t ways = frame->tangents, each = 1 + ways, wide = each * frame->n;
    double most = there;
    for (size_t k = 0; k < ways * frame->n; k++) {
        const size_t i = k / ways, t = each * i + 1 + k % ways;
        if (c->before[k] != 0.0)
            most = fmax(most, beyond * c->mu[frame->contact[i]] * frame->both[t * wide + t] / frame->diagonal[i]);
    }
    return most;
}

static void rates(const struct carom_coulomb *c, const struct carom_frame *frame, const double *r, double *u)
{
    const size_t wide = 2 * frame->n;
    for (size_t i = 0; i < wide; i++) {
        u[i] = c->b[i];
        for (size_t k = 0; k < wide; k++)
            u[i] += frame->both[i * wide + k] * r[k];
    }
}

/* what impulses r and rates u say of the modes: the cases of the projection onto the cone */
static void predict(const struct carom_coulomb *c, const struct carom_frame *frame, const double *r, const double *u,
                    enum carom_coulomb_mode *mode)
{
    const size_t n = frame->n, wide = 2 * n;
    for (size_t i = 0; i < n; i++) {
        const size_t at = 2 * i, aside = at + 1;
        const double normal = r[at] - u[at] / frame->both[at * wide + at];
        const double along = r[aside] - u[aside] / frame->both[aside * wide + aside];
        if (!(normal > 0.0))
            mode[i] = CAROM_COULOMB_OPEN;
        else if (fabs(along) <= c->now[i] * normal && c->now[i] > 0.0)
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

/* Newton's method on modes, from those that c->r and c->u suggest; true once they reproduce themselves */
static bool settle(struct carom_coulomb *c, const struct carom_frame *frame, size_t most, size_t *iterations)
{
    rates(c, frame, c->r, c->u);
    predict(c, frame, c->r, c->u, c->mode);
    for (size_t turn = 0; turn < most; turn++) {
        ++*iterations;
        carom_coulomb_modes(c, frame, c->mode, c->r);
        rates(c, frame, c->r, c->u);
        predict(c, frame, c->r, c->u, c->trial);
        if (same(frame->n, c->mode, c->trial))
            return true;
        memcpy(c->mode, c->trial, frame->n * sizeof *c->mode);
    }
    return false;
}

/* --- one problem ------------------------------------------------------------------------------------------------- */

/* Is r an answer? Impulses a million times what would stop all that moves are none: contacts jam, and press without
 * end; a residual is then all rounding. */
static bool answers(const struct carom_coulomb *c, const struct carom_friction_problem *problem)
{
    const size_t wide = 2 * problem->n;
    double speed = 0.0, push = 0.0;
    for (size_t i = 0; i < wide; i++) {
        speed = fmax(speed, fabs(c->b[i]));
        push = fmax(push, problem->matrix[i * wide + i] * fabs(c->r[i]));
    }
    return push <= 1e6 * speed && carom_friction_residual(problem, c->r, c->u) <= c->tolerance;
}

/* Few contacts: all modes one after the other, contact 0 changing fastest; true at the first that are an answer */
static bool try_all(struct carom_coulomb *c, const struct carom_frame *frame,
                    const struct carom_friction_problem *problem, size_t *iterations)
{
    if (frame->n > CAROM_COULOMB_FEW)
        return false;
    for (size_t choice = 0; choice >> 2 * frame->n == 0; choice++) {
        ++*iterations;
        for (size_t i = 0; i < frame->n; i++)
            c->mode[i] = (enum carom_coulomb_mode)(choice >> 2 * i & 3);
        carom_coulomb_modes(c, frame, c->mode, c->r);
        if (answers(c, problem))
            return true;
    }
    return false;
}

/* with the coefficients of now, from the guess in c->r */
static enum carom_status solve(struct carom_coulomb *c, struct carom_stepper *stepper, const struct carom_frame *frame,
                               double t, struct carom_error *error)
{
    const struct carom_friction_problem problem = {
        .n = frame->n, .dim = 2, .matrix = frame->both, .b = c->b, .mu = c->now};
    const size_t most = 10 + 2 * frame->n;
    size_t iterations = 0;
    double residual = HUGE_VAL;
    if (settle(c, frame, most, &iterations))
        residual = carom_friction_residual(&problem, c->r, c->u);
    if (!(residual <= c->tolerance)) {
        struct carom_friction_report report = {.residual = HUGE_VAL};
        memset(c->r, 0, 2 * frame->n * sizeof(double));
        carom_friction_solve(&problem, CAROM_FRICTION_AUTO, c->tolerance, 0, c->room, c->r, c->u, &report);
        stepper->counts.iterations += report.iterations;
        if (!report.solved && try_all(c, frame, &problem, &iterations))
            report.residual = carom_friction_residual(&problem, c->r, c->u);
        else if (!report.solved)
            return carom_coulomb_tell_unsolved(c, stepper, frame, t, &report, error);
        residual = report.residual;
        /* exact to rounding if its modes are; else as it is */
        memcpy(c->keep, c->r, 2 * frame->n * sizeof(double));
        if (!settle(c, frame, 2, &iterations) || !(carom_friction_residual(&problem, c->r, c->u) <= c->tolerance)) {
            memcpy(c->r, c->keep, 2 * frame->n * sizeof(double));
            rates(c, frame, c->r, c->u);
            predict(c, frame, c->r, c->u, c->mode);
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
static bool change_levels(struct carom_coulomb *c, const struct carom_frame *frame)
{
    bool changed = false;
    for (size_t i = 0; i < frame->n; i++) {
        const size_t j = frame->contact[i];
        if (!(c->mu_static[j] > c->mu[j]) || !slips(c->mode[i]))
            continue;
        if (c->level[i] == STATIC)
            c->level[i] = BROKEN;
        else if (c->level[i] == SLIDING && friction_sign(c->mode[i]) * c->before[i] > 0.0)
            c->level[i] = STATIC;
        else
            continue;
        changed = true;
    }
    return changed;
}

/* --- Painleve ---------------------------------------------------------------------------------------------------- */

/* modes in which all that slipped slip on */
static void slip_on(struct carom_coulomb *c, const struct carom_frame *frame, const bool *lasting)
{
    for (size_t k = 0; k < frame->n; k++)
        c->trial[k] = c->mode[k] == CAROM_COULOMB_OPEN || !lasting[k] || c->stuck[k] || c->before[k] == 0.0 ? c->mode[k]
                      : c->before[k] > 0.0 ? CAROM_COULOMB_DOWN
                                           : CAROM_COULOMB_UP;
}

/* Contact i slipped and was pressed, and the answer has it neither slip on nor part: can slipping on not be, because
 * the force that would hold it is a pull? Then no force at all is a solution, and the answer is a shock. */
static enum carom_status find_paradox(struct carom_coulomb *c, const struct carom_frame *frame, double t,
                                      const bool *lasting, struct carom_error *error)
{
    for (size_t i = 0; i < frame->n; i++) {
        const enum carom_coulomb_mode on = c->before[i] > 0.0 ? CAROM_COULOMB_DOWN : CAROM_COULOMB_UP;
        if (!lasting[i] || c->stuck[i] || c->before[i] == 0.0 || c->mode[i] == CAROM_COULOMB_OPEN || c->mode[i] == on ||
            !frame->slips[i])
            continue;
        slip_on(c, frame, lasting);
        if (!carom_coulomb_modes(c, frame, c->trial, c->keep) || c->keep[2 * i] > 0.0)
            continue;
        c->trial[i] = CAROM_COULOMB_OPEN;
        carom_coulomb_modes(c, frame, c->trial, c->keep);
        rates(c, frame, c->keep, c->u);
        if (c->u[2 * i] >= 0.0)
            continue;
        return carom_coulomb_tell_paradox(c, frame, t, i, error);
    }
    return CAROM_OK;
}

enum carom_status carom_coulomb_solve(struct carom_coulomb *c, struct carom_stepper *stepper,
                                      const struct carom_frame *frame, double t, const double *b, const bool *lasting,
                                      double *impulse, struct carom_error *error)
{
    const size_t n = frame->n;
    if (c->ways > 1)
        return carom_coulomb_space_solve(c, stepper, frame, t, b, lasting, impulse, error);
    for (size_t i = 0; i < n; i++) {
        c->b[2 * i] = b[i];
        c->b[2 * i + 1] = c->freely[i];
        c->level[i] = c->stuck[i] ? STATIC : SLIDING;
    }
    for (size_t turn = 0; turn < 2 * n + 1; turn++) {
        for (size_t i = 0; i < n; i++) {
            const size_t j = frame->contact[i];
            c->now[i] = !frame->slips[i] ? 0.0 : c->level[i] == STATIC ? c->mu_static[j] : c->mu[j];
            c->r[2 * i] = impulse[i];
            c->r[2 * i + 1] = c->impulse[i];
        }
        const enum carom_status status = solve(c, stepper, frame, t, error);
        if (status != CAROM_OK)
            return status;
        if (!change_levels(c, frame))
            break;
    }
    for (size_t i = 0; i < n; i++) {
        impulse[i] = c->r[2 * i];
        c->impulse[i] = c->r[2 * i + 1];
    }
    return lasting ? find_paradox(c, frame, t, lasting, error) : CAROM_OK;
}

/* --- impacts that are not unique --------------------------------------------------------------------------------- */

/* Unknowns of what is struck, in c->row. What does not slip on sticks, though it be held by all that mu allows: other
 * answers have it so. */
static size_t list_struck(struct carom_coulomb *c, const struct carom_frame *frame)
{
    double most = 0.0, fast = 0.0;
    size_t count = 0;
    for (size_t k = 0; k < 2 * frame->n; k++) {
        most = fmax(most, fabs(c->r[k]));
        fast = fmax(fast, fabs(c->b[k]));
    }
    for (size_t i = 0; i < frame->n; i++) {
        const bool struck = c->r[2 * i] > 1e-12 * most, stops = fabs(c->u[2 * i + 1]) <= 1e-10 * fast;
        c->trial[i] = !struck                 ? CAROM_COULOMB_OPEN
                      : stops                 ? CAROM_COULOMB_STICK
                      : c->r[2 * i + 1] > 0.0 ? CAROM_COULOMB_UP
                                              : CAROM_COULOMB_DOWN;
        if (struck)
            c->row[count++] = 2 * i;
        if (struck && stops && frame->slips[i])
            c->row[count++] = 2 * i + 1;
    }
    return count;
}

/* A direction of impulses into c->keep that leaves what is struck without rates and what sticks without slip; false:
 * there is none. Places have errors, and nearly none is one. */
static bool find_leeway(struct carom_coulomb *c, const struct carom_frame *frame, size_t count)
{
    double largest = 0.0;
    for (int turn = 0; turn < 2; turn++) {
        build(c, frame, c->trial, count, turn ? 1e-8 : 0.0); /* singular: the answer is along it */
        for (size_t k = 0; k < count; k++)
            c->x[k] = 1.0 / (double)(k + 1);
        if (carom_dense_solve(count, c->matrix, c->x, c->order, turn ? 1e-15 : 1e-9) == count && turn == 0)
            return false;
    }
    spread(c, frame, c->trial, count, c->keep);
    for (size_t k = 0; k < 2 * frame->n; k++)
        largest = fmax(largest, fabs(c->keep[k]));
    for (size_t k = 0; k < 2 * frame->n; k++)
        c->keep[k] /= largest;
    return largest > 0.0 && largest < HUGE_VAL;
}

/* May impulses change along c->keep, times `sign`, without leaving a cone? */
static bool may_change(const struct carom_coulomb *c, const struct carom_frame *frame, double sign)
{
    const double rounding = 1e-6;
    for (size_t i = 0; i < frame->n; i++) {
        const double *r = c->r + 2 * i, *z = c->keep + 2 * i, most = c->now[i] * r[0];
        if (c->trial[i] == CAROM_COULOMB_STICK && most - fabs(r[1]) <= rounding * most &&
            sign * (c->now[i] * z[0] - (r[1] > 0.0 ? z[1] : -z[1])) < -rounding)
            return false;
    }
    return true;
}

/* Where the normal of one contact is the tangent of another, as of a corner on a floor beside a peg, one may press more
 * and the other hold less: if the first slips, with another friction and other velocities. */
static void note_leeway(struct carom_coulomb *c, struct carom_stepper *stepper, const struct carom_frame *frame,
                        double t)
{
    const size_t wide = 2 * frame->n, count = list_struck(c, frame);
    if (stepper->split.seen || count == 0 || !find_leeway(c, frame, count) ||
        !(may_change(c, frame, 1.0) || may_change(c, frame, -1.0)))
        return;
    for (size_t i = 0; i < frame->n && !stepper->split.seen; i++) {
        double change = 0.0;
        for (size_t k = 0; k < wide; k++)
            change += frame->both[(2 * i + 1) * wide + k] * c->keep[k];
        if (c->trial[i] >= CAROM_COULOMB_UP && fabs(change) > 1e-6 * frame->both[(2 * i + 1) * wide + 2 * i + 1])
            stepper->split = (struct carom_split){true, t, 0.0, frame->contact[i], frame->contact[i], -1.0};
    }
}

enum carom_status carom_coulomb_strike(struct carom_coulomb *c, struct carom_stepper *stepper,
                                       const struct carom_frame *frame, double t, const double *b, double *impulse,
                                       struct carom_error *error)
{
    const enum carom_status status = carom_coulomb_solve(c, stepper, frame, t, b, NULL, impulse, error);
    if (status == CAROM_OK && c->ways == 1)
        note_leeway(c, stepper, frame, t);
    else if (status == CAROM_OK)
        carom_coulomb_space_leeway(c, stepper, frame, t);
    return status;
}
