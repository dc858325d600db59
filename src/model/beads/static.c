/* Static equilibrium of a chain. Without local springs the forces follow from the balance of each bead, from the
 * pressed end to the held one; each overlap is then the solution of elastic(d) = force, to rounding, and displacements
 * are their sum. With local springs or strings Newton's method finds the minimum of the energy from there. Laws with
 * memory have no such state. */
#include <string.h>

#include "base/memory.h"
#include "base/sum.h"
#include "carom/state.h"
#include "model/beads/chain.h"
#include "solve/tridiagonal.h"

enum { SOLVES = 200 };

struct press {
    struct carom_model *model;
    struct carom_chain chain;
    struct carom_error *error;
    size_t first, last;  /* beads that are free to move */
    size_t inner, outer; /* contacts among them and those that hold them, [inner, outer) */
    bool left, right;    /* is the end held? */
    double force;
    double *pull;                          /* n: constant forces on beads */
    double *carried, *overlap;             /* nc */
    double *diagonal, *off, *step, *slope; /* n, n, n, nc: Newton's */
    double *way, *from;                    /* n, n */
};

/* elastic force and slope of contact j at overlap d */
static double elastic(const struct press *p, size_t j, double d, double *slope)
{
    double force = 0.0;
    *slope = 0.0;
    const struct carom_response want = {.elastic = &force, .slope = slope};
    carom_contacts_evaluate(p->model, j, j + 1, &d, NULL, NULL, &want);
    return force;
}

/* the overlap at which contact j carries `force`; NaN if none does */
static double overlap_of(const struct press *p, size_t j, double force)
{
    double low = 0.0, high = 1.0, slope;
    if (!(force > 0.0))
        return 0.0;
    for (int i = 0; i < 2000 && elastic(p, j, high, &slope) < force; i++)
        low = high, high *= 2.0;
    for (int i = 0; i < 2000 && low == 0.0 && elastic(p, j, 0.5 * high, &slope) >= force; i++)
        high *= 0.5;
    low = 0.5 * high;
    double d = high;
    for (int i = 0; i < 200; i++) { /* Newton, kept inside */
        const double lack = elastic(p, j, d, &slope) - force;
        *(lack < 0.0 ? &low : &high) = d;
        double next = d - lack / slope;
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (next == d || !(high > low))
            break;
        d = next;
    }
    const double lack = elastic(p, j, d, &slope) - force;
    return fabs(lack) <= 1e-9 * force ? d : nan("");
}

static size_t shown(const struct press *p, size_t j)
{
    return j + (p->chain.left_wall ? 0 : 1);
}

/* forces by the balance of each bead, from the pressed end to the held one; what is left at the other end */
static double balance(struct press *p)
{
    const bool leftwards = p->left || !p->right;
    const size_t count = p->last - p->first, shift = p->chain.shift;
    struct carom_sum sum = {p->force, 0.0};
    for (size_t k = 0; k <= count; k++) {
        /* the contact behind the next bead, nearer to the pressed end; and at last that which holds them */
        const size_t j = leftwards ? p->last + shift - k : p->first + shift + k; /* one more than its number */
        if (j > p->inner && j <= p->outer)
            p->carried[j - 1] = carom_sum_value(&sum);
        if (k < count)
            carom_sum_add(&sum, leftwards ? -p->pull[p->last - 1 - k] : p->pull[p->first + k]);
    }
    return carom_sum_value(&sum);
}

/* can these forces be? Not asked where local springs take their part */
static enum carom_status check_balance(const struct press *p, double rest)
{
    double most = p->force;
    for (size_t i = 0; i < p->chain.n; i++)
        most = fmax(most, fabs(p->pull[i]));
    if (!p->left && !p->right && fabs(rest - p->force) > 1e-12 * most)
        return carom_error_set(p->error, CAROM_E_REFUSED,
                               "nothing holds the chain against a force of %g along it; add a wall", p->force - rest);
    for (size_t j = 0; j < p->chain.nc; j++)
        if (p->carried[j] < -1e-12 * most)
            return carom_error_set(p->error, CAROM_E_REFUSED,
                                   "there is no equilibrium, contact %zu would have to pull with %g; a "
                                   "larger precompression may do",
                                   shown(p, j), -p->carried[j]);
    return CAROM_OK;
}

static enum carom_status solve_overlaps(struct press *p)
{
    for (size_t j = 0; j < p->chain.nc; j++) {
        p->overlap[j] = overlap_of(p, j, p->carried[j]);
        if (!(p->overlap[j] >= 0.0))
            return carom_error_set(p->error, CAROM_E_REFUSED, "contact %zu cannot carry a force of %g", shown(p, j),
                                   p->carried[j]);
    }
    return CAROM_OK;
}

/* the displacement beyond contact j from the one before it, in two doubles */
static void go_on(const struct press *p, size_t j, double sign, struct carom_sum *place)
{
    carom_sum_add(place, -sign * p->chain.gap[j]);
    carom_sum_add(place, -sign * p->overlap[j]);
}

/* displacements from overlaps, from a held end to the other; a chain that nothing holds stays in its middle */
static void lay_out(struct press *p, double *q)
{
    const struct carom_chain *c = &p->chain;
    if (p->left || !p->right) {
        struct carom_sum place = {!p->left ? 0.0 : p->first > 0 ? q[p->first - 1] : c->wall[0].place, 0.0};
        for (size_t i = p->first; i < p->last; i++) {
            if (i + c->shift > p->inner)
                go_on(p, i + c->shift - 1, 1.0, &place);
            q[i] = carom_sum_value(&place);
        }
    } else {
        struct carom_sum place = {p->last < c->n ? q[p->last] : c->wall[1].place, 0.0};
        for (size_t i = p->last; i-- > p->first;) {
            go_on(p, i + c->shift, -1.0, &place);
            q[i] = carom_sum_value(&place);
        }
    }
    const double middle = 0.5 * (q[p->first] + q[p->last - 1]);
    for (size_t i = p->first; !p->left && !p->right && i < p->last; i++)
        q[i] -= middle;
}

/* beads that are to strike stand where they would if the chain had been moved as its end was */
static void lay_out_others(const struct press *p, size_t first, size_t last, double *q)
{
    for (size_t i = 0; i < first; i++)
        q[i] = q[first];
    for (size_t i = last; i < p->chain.n; i++)
        q[i] = q[last - 1];
}

/* what is out of balance at bead i, and the matrix; the contact at the pressed end acts by its force alone */
static double unbalanced(struct press *p, const double *q, size_t pressed)
{
    const struct carom_chain *c = &p->chain;
    carom_chain_deform(c, 0, c->nc, q, p->overlap);
    for (size_t j = p->inner; j < p->outer; j++) {
        p->carried[j] = elastic(p, j, p->overlap[j], &p->slope[j]);
        if (j == pressed) {
            p->carried[j] = p->force;
            p->slope[j] = 0.0;
        }
    }
    double worst = 0.0;
    for (size_t i = p->first; i < p->last; i++) {
        const size_t j = i + c->shift;
        const bool before = j > p->inner, after = j < p->outer;
        double rest = p->pull[i] + carom_loads_local(c->beads, i, q[i]);
        rest += (before ? p->carried[j - 1] : 0.0) - (after ? p->carried[j] : 0.0);
        if (!p->left && i == p->first)
            rest += p->force;
        if (!p->right && i + 1 == p->last)
            rest -= p->force;
        const double near = (before ? p->slope[j - 1] : 0.0) + (after ? p->slope[j] : 0.0);
        p->step[i - p->first] = rest;
        p->diagonal[i - p->first] = near + carom_loads_stiffness(c->beads, i, q[i]);
        p->off[i - p->first] = after ? -p->slope[j] : 0.0;
        worst = fmax(worst, fabs(rest));
    }
    return worst;
}

/* The slope of the energy along `way`, where out-of-balance forces are those in p->step. */
static double uphill(const struct press *p, const double *way)
{
    double sum = 0.0;
    for (size_t i = 0; i < p->last - p->first; i++)
        sum -= p->step[i] * way[i];
    return sum;
}

/* Newton's way downhill into `way`: the energy is convex, but flat where contacts are open and stiff where they close,
 * so that steps overshoot without `extra` of the stiffest on the diagonal. False: it is none. */
static bool find_way(struct press *p, double extra, double *way)
{
    const size_t n = p->last - p->first;
    double stiffest = 0.0;
    for (size_t i = 0; i < n; i++)
        stiffest = fmax(stiffest, p->diagonal[i]);
    for (size_t i = 0; i < n; i++) {
        p->diagonal[i] += extra * stiffest;
        way[i] = p->step[i];
    }
    return carom_tridiagonal_solve(n, p->diagonal, p->off, way) && uphill(p, way) < 0.0;
}

/* Newton from where the chain without springs would be, as far along each way as the energy falls */
static enum carom_status relax(struct press *p, double *q, size_t pressed)
{
    const size_t n = p->last - p->first;
    double most = p->force, worst = HUGE_VAL, extra = 0.0;
    for (size_t i = 0; i < p->chain.n; i++)
        most = fmax(most, fabs(p->pull[i]));
    for (int solve = 0; solve < SOLVES; solve++) {
        const double before = worst;
        worst = unbalanced(p, q, pressed);
        if (worst <= 1e-15 * most || (worst <= 1e-11 * most && worst >= before))
            return CAROM_OK;
        memcpy(p->from, q + p->first, n * sizeof *q);
        if (!find_way(p, extra, p->way)) {
            extra = extra > 0.0 ? 10.0 * extra : 1e-12;
            continue;
        }
        const double slope = uphill(p, p->way);
        double part = 1.0;
        for (int turn = 0; turn < 60; turn++, part *= 0.5) {
            for (size_t i = 0; i < n; i++)
                q[p->first + i] = p->from[i] + part * p->way[i];
            unbalanced(p, q, pressed);
            if (!(uphill(p, p->way) > -0.9 * slope)) /* not far up the other side */
                break;
        }
        extra = part == 1.0 ? 0.1 * extra : extra;
    }
    return carom_error_set(p->error, CAROM_E_NUMERIC, "no equilibrium was found with these local springs and strings");
}

/* moves a held right end in until its contact carries the force */
static enum carom_status move_in(struct press *p, double *q, size_t pressed)
{
    struct carom_beads *beads = p->model->member[0].own;
    const int32_t which = p->last < beads->n ? (int32_t)p->last : CAROM_WALL_RIGHT;
    struct carom_sum place = {q[p->last - 1], 0.0};
    p->overlap[pressed] = overlap_of(p, pressed, p->force);
    go_on(p, pressed, 1.0, &place);
    size_t k = 0;
    while (k < beads->ndrives && beads->drive[k].which != which)
        k++;
    const struct carom_signal still = {.shape = CAROM_SHAPE_CONSTANT};
    if (k == beads->ndrives && carom_beads_drive(beads, which, &still, p->error) != CAROM_OK)
        return CAROM_E_MEMORY;
    beads->drive[k].offset = carom_sum_value(&place) - carom_signal_value(&beads->drive[k].place, 0.0);
    if (which >= 0)
        q[which] = carom_loads_motion(&beads->drive[k], 0.0).place;
    return CAROM_OK;
}

static enum carom_status push_ends(const struct press *p)
{
    struct carom_beads *beads = p->model->member[0].own;
    struct carom_signal push = {.shape = CAROM_SHAPE_CONSTANT, .amplitude = p->force};
    if (!(p->force > 0.0))
        return CAROM_OK;
    if (!p->left && carom_beads_push(beads, p->first, &push, p->error) != CAROM_OK)
        return CAROM_E_MEMORY;
    push.amplitude = -p->force;
    return p->right ? CAROM_OK : carom_beads_push(beads, p->last - 1, &push, p->error);
}

static enum carom_status find(struct press *p, double *q)
{
    const struct carom_beads *beads = p->chain.beads;
    const size_t pressed = p->left && p->right ? p->outer - 1 : p->chain.nc; /* the contact at the right end */
    const bool springs = beads->spring || beads->string;
    const double rest = balance(p);
    enum carom_status status = springs ? CAROM_OK : check_balance(p, rest);
    if (status == CAROM_OK)
        status = solve_overlaps(p);
    if (status == CAROM_OK)
        lay_out(p, q);
    if (status == CAROM_OK && springs)
        status = relax(p, q, pressed);
    if (status == CAROM_OK && p->left && p->right)
        status = move_in(p, q, pressed);
    return status == CAROM_OK ? push_ends(p) : status;
}

/* energy that stays where it is */
static enum carom_status note_held(struct press *p, const double *q)
{
    struct carom_state *view = carom_state_create(p->model, 0);
    if (!view)
        return carom_error_set(p->error, CAROM_E_MEMORY, "out of memory for the equilibrium");
    for (size_t i = 0; i < p->chain.n; i++)
        view->q[i] = q[i];
    struct carom_ledger ledger;
    carom_balance_read(p->model, view, NULL, &ledger);
    ((struct carom_beads *)p->model->member[0].own)->held = ledger.stored;
    carom_state_free(view);
    return CAROM_OK;
}

static enum carom_status prepare(struct press *p, size_t first, size_t last, double *q)
{
    const struct carom_chain *c = &p->chain;
    const struct carom_beads *beads = c->beads;
    const size_t n = c->n;
    for (size_t i = first + 1; i + 1 < last; i++)
        if (carom_loads_driven(beads, i))
            return carom_error_set(p->error, CAROM_E_REFUSED,
                                   "body %zu has a prescribed motion; only those at the ends may", i + 1);
    p->first = first < last && carom_loads_driven(beads, first) ? first + 1 : first;
    p->last = last > p->first && carom_loads_driven(beads, last - 1) ? last - 1 : last;
    if (p->last <= p->first)
        return carom_error_set(p->error, CAROM_E_REFUSED, "no body is free to move");
    p->left = (first == 0 && c->left_wall) || p->first > first;
    p->right = (last == n && c->right_wall) || p->last < last;
    p->inner = p->first + c->shift - (p->left ? 1 : 0);
    p->outer = p->last + c->shift - (p->right ? 0 : 1);
    for (size_t i = 0; i < n; i++) {
        q[i] = 0.0;
        p->pull[i] = carom_loads_weight(beads, i);
    }
    for (size_t k = 0; k < beads->nloads; k++)
        if (beads->load[k].force.shape == CAROM_SHAPE_CONSTANT)
            p->pull[beads->load[k].bead] += beads->load[k].force.amplitude;
    carom_chain_clock(&p->chain, 0.0);
    for (size_t k = 0; k < beads->ndrives; k++)
        if (beads->drive[k].which >= 0)
            q[beads->drive[k].which] = carom_loads_motion(&beads->drive[k], 0.0).place;
    return CAROM_OK;
}

enum carom_status carom_static_press(struct carom_model *model, size_t first, size_t last, double force, double *q,
                                     struct carom_error *error)
{
    if (!model)
        return carom_error_missing(error);
    if (!(model->offers & CAROM_CHAIN) || !(model->offers & CAROM_MEMORYLESS) || !(model->offers & CAROM_COMPLIANT))
        return carom_error_set(
            error, CAROM_E_REFUSED,
            "a static equilibrium needs a single row of beads and compliant contacts without memory");
    struct press p = {.model = model, .chain = carom_chain_of(model), .error = error, .force = force};
    const size_t n = p.chain.n, nc = p.chain.nc;
    double *room = carom_memory_zeroed(6 * n + 3 * nc, sizeof *room);
    if (!room)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for the equilibrium");
    p.pull = room;
    p.diagonal = p.pull + n;
    p.off = p.diagonal + n;
    p.step = p.off + n;
    p.carried = p.step + n;
    p.overlap = p.carried + nc;
    p.slope = p.overlap + nc;
    p.way = p.slope + nc;
    p.from = p.way + n;
    enum carom_status status = prepare(&p, first, last, q);
    if (status == CAROM_OK)
        status = find(&p, q);
    if (status == CAROM_OK)
        lay_out_others(&p, first, last, q);
    if (status == CAROM_OK)
        status = carom_model_finish(model, error);
    if (status == CAROM_OK)
        status = note_held(&p, q);
    carom_memory_free(room);
    return status;
}
