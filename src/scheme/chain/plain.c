/* Plain two-stage steps: the unknowns are the accelerations k at both stages,
 *
 *     X = x + h c v + h^2 A^2 k,   V = v + h A k,   m k = push of elastic(X) + drag(X) rate(V).
 *
 * (clipped where force ends). The drag's slope grows like d^(-1/2) at touch, so near the end of a contact the
 * equations can have three roots: open, and two with a small overlap. Rule: Newton starts from the acceleration at
 * the start of the step, that is from the motion carried on, and takes the root it reaches; slopes so negative that
 * they would turn Newton round (the middle root) are cut off, so that it ends at an outer one. If it fails the step
 * is taken in halves. */
#include "scheme/chain/plain.h"

#include <string.h>

#include "base/memory.h"
#include "model/motion.h"
#include "scheme/chain/variables.h"
#include "scheme/compensated.h"
#include "scheme/halving.h"
#include "scheme/quintic.h"
#include "scheme/tally.h"
#include "solve/block_tridiagonal.h"

enum { SOLVES = 60 };

struct plain {
    struct carom_chain chain;
    double step;
    struct carom_block a, square;
    struct carom_pair b, c, late;                                             /* late = b A */
    double *deform0, *rate0;                                                  /* nc: at the start */
    double *deform[2], *rate[2], *elastic[2], *slope[2], *drag[2], *force[2]; /* nc: at the stages */
    double *nudged, *near;                        /* nc: overlaps a little larger, and the drag there */
    bool *by_force;                               /* nc: does force end this contact? */
    double *k[2], *push[2];                       /* n */
    struct carom_block *lower, *diagonal, *upper; /* n */
    struct carom_pair *update;                    /* n */
    double *room;                                 /* 4n + 2nc: for ways and gains, and for dense output */
    double time[2], end;                          /* of the stages and of the end of the step, before a break there */
    double *load[2];                              /* n: weights and loads at the stages; only if loaded */
    bool filled;
    void *arrays; /* where those of numbers are */
};

/* --- opening ------------------------------------------------------------------------------------------------- */

enum carom_status carom_plain_accept(const struct carom_model *model, const char *name, struct carom_error *error)
{
    const double touch = 1e-200, one = 1.0;
    for (size_t j = 0; j < model->nc; j++) {
        double first, later;
        struct carom_response want = {.drag = &first};
        carom_contacts_evaluate(model, j, j + 1, &touch, NULL, NULL, &want);
        want.drag = &later;
        carom_contacts_evaluate(model, j, j + 1, &one, NULL, NULL, &want);
        if (first > 1e-6 * later && later > 0.0)
            return carom_error_set(
                error, CAROM_E_REFUSED,
                "scheme %s needs forces that begin at zero, those of contact %zu jump at touch; use scheme %s%s%s",
                name, j + (model->pair[0][0] == CAROM_WALL_LEFT ? 0 : 1),
                model->clipped ? "dp5, or with contact_end: gap " : "", name, model->clipped ? "-reg" : "-reg or dp5");
    }
    return CAROM_OK;
}

const struct carom_column carom_plain_columns[CAROM_PLAIN_COLUMNS] = {
    {"rest", .once = 1}, {"low part of x", .q = 1}, {"low part of v", .q = 1}};

size_t carom_plain_memory(const struct carom_model *model, const void *options)
{
    (void)options;
    return carom_columns_size(carom_plain_columns, CAROM_PLAIN_COLUMNS, model);
}

void carom_plain_close(struct carom_stepper *stepper)
{
    struct plain *w = stepper->work;
    carom_memory_free_all(w->arrays, w);
    stepper->work = NULL;
}

static bool allocate(struct plain *w)
{
    const size_t n = w->chain.n, nc = w->chain.nc, loaded = w->chain.beads->loaded ? n : 0;
    w->arrays = carom_memory_together(
        CAROM_ROOM(w->deform0, nc), CAROM_ROOM(w->rate0, nc), CAROM_ROOM(w->deform[0], nc),
        CAROM_ROOM(w->deform[1], nc), CAROM_ROOM(w->rate[0], nc), CAROM_ROOM(w->rate[1], nc),
        CAROM_ROOM(w->elastic[0], nc), CAROM_ROOM(w->elastic[1], nc), CAROM_ROOM(w->slope[0], nc),
        CAROM_ROOM(w->slope[1], nc), CAROM_ROOM(w->drag[0], nc), CAROM_ROOM(w->drag[1], nc),
        CAROM_ROOM(w->force[0], nc), CAROM_ROOM(w->force[1], nc), CAROM_ROOM(w->nudged, nc), CAROM_ROOM(w->near, nc),
        CAROM_ROOM(w->k[0], n), CAROM_ROOM(w->k[1], n), CAROM_ROOM(w->push[0], n), CAROM_ROOM(w->push[1], n),
        CAROM_ROOM(w->load[0], loaded), CAROM_ROOM(w->load[1], loaded), CAROM_ROOM(w->room, 4 * n + 2 * nc),
        CAROM_ROOM(w->by_force, nc), CAROM_ROOM(w->lower, n), CAROM_ROOM(w->diagonal, n), CAROM_ROOM(w->upper, n),
        CAROM_ROOM(w->update, n));
    return w->arrays;
}

enum carom_status carom_plain_open(struct carom_stepper *stepper, const struct carom_tableau *t, double step,
                                   struct carom_error *error)
{
    const struct carom_model *model = stepper->model;
    struct plain *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    if (w)
        w->chain = carom_chain_of(model);
    if (!w || !allocate(w))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme %s", stepper->scheme->kind.name);
    w->step = step;
    w->a = (struct carom_block){t->a11, t->a12, t->a21, t->a22};
    w->square = carom_block_product(w->a, w->a);
    w->b = (struct carom_pair){t->b1, 1.0 - t->b1};
    w->c = (struct carom_pair){t->a11 + t->a12, t->a21 + t->a22};
    w->late = (struct carom_pair){w->b.a * w->a.a + w->b.b * w->a.c, w->b.a * w->a.b + w->b.b * w->a.d};
    for (size_t g = 0; g < model->ngroups; g++)
        for (size_t j = 0; j < model->group[g].count; j++)
            w->by_force[model->group[g].first + j] = model->group[g].ending == CAROM_END_FORCE;
    return CAROM_OK;
}

/* --- the equations ------------------------------------------------------------------------------------------- */

/* forces at one stage, with their derivatives in overlap (into `slope`) and rate (into `drag`) */
static void evaluate(struct carom_stepper *stepper, int i)
{
    struct plain *w = stepper->work;
    const size_t nc = w->chain.nc;
    const double nudge = 1e-7;
    struct carom_response want = {.elastic = w->elastic[i], .slope = w->slope[i], .drag = w->drag[i]};
    carom_contacts_evaluate(stepper->model, 0, nc, w->deform[i], NULL, NULL, &want);
    stepper->counts.evaluations++;
    if (stepper->model->damped) {
        for (size_t j = 0; j < nc; j++)
            w->nudged[j] = w->deform[i][j] * (1.0 + nudge);
        want = (struct carom_response){.drag = w->near};
        carom_contacts_evaluate(stepper->model, 0, nc, w->nudged, NULL, NULL, &want);
    }
    for (size_t j = 0; j < nc; j++) {
        const double d = w->deform[i][j], rate = w->rate[i][j];
        w->force[i][j] = w->elastic[i][j] + w->drag[i][j] * rate;
        if (stepper->model->damped && d > 0.0)
            w->slope[i][j] += (w->near[j] - w->drag[i][j]) / (nudge * d) * rate;
        if (w->by_force[j] && !(w->force[i][j] > 0.0) && d > 0.0)
            w->force[i][j] = w->slope[i][j] = 0.0; /* the drag stays, to tell what is cut */
    }
}

static bool is_cut(const struct plain *w, int i, size_t j)
{
    return w->by_force[j] && w->deform[i][j] > 0.0 && w->force[i][j] == 0.0;
}

/* Derivative of contact j's force at both stages in the difference of accelerations: a slope whose part of the pivot
 * would take away more than half a mass is cut off there. */
static struct carom_block stiffness(const struct plain *w, double h, size_t j, double lightest)
{
    const double largest = fmax(fmax(fabs(w->square.a), fabs(w->square.b)), fmax(fabs(w->square.c), fabs(w->square.d)));
    const double least = largest > 0.0 ? -0.25 * lightest / (h * h * largest) : 0.0;
    const double s1 = fmax(w->slope[0][j], least), s2 = fmax(w->slope[1][j], least);
    const double d1 = is_cut(w, 0, j) ? 0.0 : w->drag[0][j], d2 = is_cut(w, 1, j) ? 0.0 : w->drag[1][j];
    const struct carom_block q = carom_block_scaled(h * h, w->square), p = carom_block_scaled(h, w->a);
    return (struct carom_block){s1 * q.a + d1 * p.a, s1 * q.b + d1 * p.b, s2 * q.c + d2 * p.c, s2 * q.d + d2 * p.d};
}

static double lighter(const struct carom_model *model, const struct carom_beads *beads, size_t j)
{
    const int32_t left = model->pair[j][0], right = model->pair[j][1];
    const double a = left >= 0 ? beads->mass[left] : HUGE_VAL, b = right >= 0 ? beads->mass[right] : HUGE_VAL;
    return a < b ? a : b;
}

/* The accelerations of what is driven are 0: what its motion differs from a uniform one goes into the contacts beside
 * it. */
static void lead_stages(struct plain *w, double h)
{
    const struct carom_beads *b = w->chain.beads;
    const double node[2] = {w->c.a, w->c.b};
    for (size_t k = 0; k < b->ndrives; k++) {
        const struct carom_motion start = carom_loads_motion(&b->drive[k], w->chain.time);
        size_t left, right;
        carom_chain_contacts(&w->chain, b->drive[k].which, &left, &right);
        for (int i = 0; i < 2; i++) {
            const struct carom_motion motion = carom_loads_motion(&b->drive[k], w->time[i]);
            const double way = motion.place - (start.place + h * node[i] * start.rate), more = motion.rate - start.rate;
            if (left < w->chain.nc) {
                w->deform[i][left] -= way;
                w->rate[i][left] -= more;
            }
            if (right < w->chain.nc) {
                w->deform[i][right] += way;
                w->rate[i][right] += more;
            }
        }
    }
}

/* stages from the accelerations k */
static void place_stages(struct carom_stepper *stepper, double h)
{
    struct plain *w = stepper->work;
    const struct carom_block q = carom_block_scaled(h * h, w->square), p = carom_block_scaled(h, w->a);
    for (int i = 0; i < 2; i++)
        carom_chain_difference(&w->chain, 0, w->chain.nc, w->k[i], w->deform[i]);
    for (size_t j = 0; j < w->chain.nc; j++) {
        const struct carom_pair k = {w->deform[0][j], w->deform[1][j]};
        const struct carom_pair far = carom_block_apply(q, k), fast = carom_block_apply(p, k);
        w->deform[0][j] = w->deform0[j] + (h * w->c.a * w->rate0[j] + far.a);
        w->deform[1][j] = w->deform0[j] + (h * w->c.b * w->rate0[j] + far.b);
        w->rate[0][j] = w->rate0[j] + fast.a;
        w->rate[1][j] = w->rate0[j] + fast.b;
    }
    lead_stages(w, h);
}

/* what acts on bead i at both stages beside contacts, and its derivative in the accelerations, without sign */
static struct carom_pair local(const struct plain *w, const struct carom_state *from, double h, size_t i,
                               struct carom_block *stiff)
{
    const struct carom_beads *b = w->chain.beads;
    const struct carom_block q = carom_block_scaled(h * h, w->square), p = carom_block_scaled(h, w->a);
    const struct carom_pair k = {w->k[0][i], w->k[1][i]}, far = carom_block_apply(q, k);
    const struct carom_pair x = {from->q[i] + (h * w->c.a * from->v[i] + far.a),
                                 from->q[i] + (h * w->c.b * from->v[i] + far.b)};
    if (!b->loaded) {
        const double spring = b->spring ? b->spring[i] : 0.0;
        *stiff = carom_block_scaled(spring, q);
        return (struct carom_pair){-spring * x.a, -spring * x.b};
    }
    const double s1 = carom_loads_stiffness(b, i, x.a), s2 = carom_loads_stiffness(b, i, x.b);
    const double c = carom_loads_damper(b, i);
    const struct carom_pair fast = carom_block_apply(p, k);
    *stiff = (struct carom_block){s1 * q.a + c * p.a, s1 * q.b + c * p.b, s2 * q.c + c * p.c, s2 * q.d + c * p.d};
    return (struct carom_pair){carom_loads_local(b, i, x.a) + w->load[0][i] - c * (from->v[i] + fast.a),
                               carom_loads_local(b, i, x.b) + w->load[1][i] - c * (from->v[i] + fast.b)};
}

/* Accelerations that the forces at the stages give (into push), the matrix and residual. Returns the largest difference
 * from k, infinite if one is not finite; *noise: what rounding makes of it. */
static double assemble(struct carom_stepper *stepper, const struct carom_state *from, double h, double *noise)
{
    struct plain *w = stepper->work;
    const struct carom_beads *beads = w->chain.beads;
    const size_t n = w->chain.n, nc = w->chain.nc, s = w->chain.shift;
    place_stages(stepper, h);
    for (int i = 0; i < 2; i++) {
        evaluate(stepper, i);
        carom_chain_push(&w->chain, 0, n, w->force[i], 0, w->push[i]);
    }
    double worst = 0.0, stiffest = 0.0, farthest = 0.0, largest = 0.0;
    bool broken = false;
    struct carom_block left = {0.0, 0.0, 0.0, 0.0};
    if (s > 0)
        left = stiffness(w, h, 0, lighter(stepper->model, beads, 0));
    for (size_t i = 0; i < n; i++) {
        const bool ends = i + s >= nc;
        const struct carom_block none = {0.0, 0.0, 0.0, 0.0};
        const struct carom_block right = ends ? none : stiffness(w, h, i + s, lighter(stepper->model, beads, i + s));
        const double m = beads->mass[i], x = from->q[i];
        const struct carom_pair k = {w->k[0][i], w->k[1][i]};
        struct carom_block own;
        const struct carom_pair force = local(w, from, h, i, &own);
        w->push[0][i] = (w->push[0][i] + force.a) * beads->inverse_mass[i];
        w->push[1][i] = (w->push[1][i] + force.b) * beads->inverse_mass[i];
        w->update[i] = (struct carom_pair){m * (w->push[0][i] - k.a), m * (w->push[1][i] - k.b)};
        w->lower[i] = carom_block_scaled(-1.0, left);
        w->upper[i] = carom_block_scaled(-1.0, right);
        w->diagonal[i] = carom_block_sum(carom_block_sum(left, right), own);
        w->diagonal[i].a += m;
        w->diagonal[i].d += m;
        if (carom_loads_driven(beads, i)) { /* its acceleration stays 0 */
            w->lower[i] = w->upper[i] = none;
            w->diagonal[i] = (struct carom_block){m, 0.0, 0.0, m};
            w->update[i] = (struct carom_pair){0.0, 0.0};
        }
        const double size = fmax(fabs(w->push[0][i] - k.a), fabs(w->push[1][i] - k.b));
        broken |= !(fabs(w->push[0][i] - k.a) < HUGE_VAL) || !(fabs(w->push[1][i] - k.b) < HUGE_VAL);
        worst = size > worst ? size : worst;
        const double stiff = (fabs(right.a) + fabs(right.d)) / (h * h) * beads->inverse_mass[i];
        stiffest = stiff > stiffest ? stiff : stiffest;
        farthest = fabs(x) > farthest ? fabs(x) : farthest;
        largest = fmax(largest, fmax(fabs(k.a), fabs(k.b)));
        left = right;
    }
    const double time = stepper->scales.contact_time, usual = time > 0.0 ? stepper->scales.speed / time : 0.0;
    *noise = 1e-16 * usual + 1e-15 * (largest + 4.0 * stiffest * farthest) + DBL_MIN;
    return broken ? HUGE_VAL : worst;
}

static bool newton(struct carom_stepper *stepper, const struct carom_state *from, double h)
{
    struct plain *w = stepper->work;
    const size_t n = w->chain.n;
    double noise, worst = assemble(stepper, from, h, &noise);
    for (int solve = 0; solve < SOLVES && worst < HUGE_VAL; solve++) {
        if (worst <= noise)
            return true;
        if (!carom_block_tridiagonal_solve(n, w->lower, w->diagonal, w->upper, w->update))
            return false;
        stepper->counts.iterations++;
        for (size_t i = 0; i < n; i++) {
            w->k[0][i] += w->update[i].a;
            w->k[1][i] += w->update[i].b;
        }
        const double next = assemble(stepper, from, h, &noise);
        if (next > 0.5 * worst && worst < 1e4 * noise && next < 1e4 * noise)
            return true; /* as far as rounding lets it */
        worst = next;
    }
    return false;
}

/* --- steps --------------------------------------------------------------------------------------------------- */

static void add_losses(struct plain *w, const struct carom_state *from, struct carom_state *to, double h)
{
    const double weight[2] = {h * w->b.a, h * w->b.b};
    for (size_t j = 0; j < to->nlost; j++) {
        to->lost[j] = from->lost[j];
        for (int i = 0; i < 2; i++)
            if (!is_cut(w, i, j))
                to->lost[j] += weight[i] * w->drag[i][j] * w->rate[i][j] * w->rate[i][j];
    }
    for (size_t j = 0; j < to->nclipped; j++) {
        to->clipped[j] = from->clipped[j];
        for (int i = 0; i < 2; i++)
            if (is_cut(w, i, j))
                to->clipped[j] -= weight[i] * w->elastic[i][j] * w->rate[i][j];
    }
}

/* what loads and drives gave and local dampers took, by the stages */
static void add_works(const struct plain *w, const struct carom_state *from, struct carom_state *to, double h)
{
    const struct carom_beads *b = w->chain.beads;
    const double weight[2] = {h * w->b.a, h * w->b.b};
    for (int i = 0; i < 2; i++) {
        const double *a = i == 0 ? &w->a.a : &w->a.c;
        for (size_t k = 0; b->damper && k < b->n; k++) {
            const double v = from->v[k] + h * (a[0] * w->push[0][k] + a[1] * w->push[1][k]);
            to->spent[0] += weight[i] * carom_loads_damper(b, k) * v * v;
        }
        for (size_t k = 0; k < b->nloads; k++) {
            const size_t at = b->load[k].bead;
            const double v = from->v[at] + h * (a[0] * w->push[0][at] + a[1] * w->push[1][at]);
            if (!carom_loads_driven(b, at))
                to->work[0] += weight[i] * carom_signal_value(&b->load[k].force, w->time[i]) * v;
        }
        for (size_t k = 0; k < b->ndrives; k++) {
            size_t left, right;
            carom_chain_contacts(&w->chain, b->drive[k].which, &left, &right);
            const double push =
                (right < w->chain.nc ? w->force[i][right] : 0.0) - (left < w->chain.nc ? w->force[i][left] : 0.0);
            to->work[0] += weight[i] * push * carom_loads_motion(&b->drive[k], w->time[i]).rate;
        }
    }
}

bool carom_plain_arrive(const struct carom_chain *chain, double time, const struct carom_state *from, const double *way,
                        const double *gain, struct carom_state *to)
{
    const double *x_low = carom_plain_column(from, CAROM_PLAIN_X_LOW);
    const double *v_low = carom_plain_column(from, CAROM_PLAIN_V_LOW);
    double *x_rest = carom_plain_column(to, CAROM_PLAIN_X_LOW), *v_rest = carom_plain_column(to, CAROM_PLAIN_V_LOW);
    bool finite = true;
    for (size_t i = 0; i < chain->n; i++) {
        carom_compensated_add(from->q[i], x_low[i], way[i], &to->q[i], &x_rest[i]);
        carom_compensated_add(from->v[i], v_low[i], gain[i], &to->v[i], &v_rest[i]);
        finite &= fabs(to->q[i]) < HUGE_VAL && fabs(to->v[i]) < HUGE_VAL;
    }
    carom_loads_lead(chain->beads, time, to->q, to->v, x_rest, v_rest);
    return finite;
}

/* x1 and v1 from the accelerations that the forces gave; false if one is not finite */
static bool move(struct plain *w, const struct carom_state *from, struct carom_state *to, double h)
{
    double *way = w->room, *gain = w->room + w->chain.n;
    for (size_t i = 0; i < w->chain.n; i++) {
        const double k1 = w->push[0][i], k2 = w->push[1][i];
        way[i] = h * from->v[i] + h * h * (w->late.a * k1 + w->late.b * k2);
        gain[i] = h * (w->b.a * k1 + w->b.b * k2);
    }
    return carom_plain_arrive(&w->chain, w->end, from, way, gain, to);
}

/* walls at the start, loads at the stages */
static void set_clocks(struct plain *w, const struct carom_state *from, double h, double t_stop)
{
    const double t = from->time + from->time_low;
    w->end = fmin(t + h, carom_loads_before(t_stop));
    w->time[0] = fmin(t + w->c.a * h, w->end);
    w->time[1] = fmin(t + w->c.b * h, w->end);
    carom_chain_clock(&w->chain, t);
    for (int i = 0; w->chain.beads->loaded && i < 2; i++)
        carom_loads_fill(w->chain.beads, w->time[i], w->filled, w->load[i]);
    w->filled = w->chain.beads->loaded;
}

static bool one_step(struct carom_stepper *stepper, struct carom_state *state, double h, double t_stop)
{
    struct plain *w = stepper->work;
    const size_t nc = w->chain.nc;
    carom_motion_impose(stepper->model, state->time + state->time_low, state->q, state->v);
    carom_stepper_begin_step(stepper, state);
    const struct carom_state *from = stepper->before;
    set_clocks(w, from, h, t_stop);
    carom_chain_deform(&w->chain, 0, nc, from->q, w->deform0);
    carom_chain_rate(&w->chain, 0, nc, from->v, w->rate0);
    carom_variables_motion(stepper->model, &w->chain, from->q, from->v, w->k[0], NULL);
    stepper->counts.evaluations++;
    memcpy(w->k[1], w->k[0], w->chain.n * sizeof(double));
    if (!newton(stepper, from, h) || !move(w, from, state, h)) {
        carom_state_swap(state, stepper->before);
        return false;
    }
    add_losses(w, from, state, h);
    if (w->chain.beads->loaded)
        add_works(w, from, state, h);
    carom_chain_clock(&w->chain, w->end);
    carom_chain_deform(&w->chain, 0, nc, state->q, w->nudged);
    stepper->switched = false;
    for (size_t j = 0; j < nc; j++)
        stepper->switched |= (w->deform0[j] > 0.0) != (w->nudged[j] > 0.0);
    carom_stepper_arrive(state, h, t_stop);
    carom_stepper_count(stepper, h);
    return true;
}

enum carom_status carom_plain_step(struct carom_stepper *stepper, struct carom_state *state,
                                   const struct carom_bound *bound, struct carom_error *error)
{
    const struct plain *w = stepper->work;
    return carom_halving_steps(stepper, state, bound, w->step, one_step, error);
}

enum carom_status carom_plain_start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    (void)error;
    memset(state->memory, 0, state->nmemory * sizeof(double));
    carom_motion_impose(stepper->model, state->time + state->time_low, state->q, state->v);
    return CAROM_OK;
}

void carom_plain_sync(struct carom_stepper *stepper, const struct carom_state *state, struct carom_state *view)
{
    carom_state_view(view, state);
    carom_motion_impose(stepper->model, state->time + state->time_low, view->q, view->v);
}

void carom_plain_dense(struct carom_stepper *stepper, const struct carom_state *state, double t,
                       struct carom_state *view)
{
    struct plain *w = stepper->work;
    const size_t n = w->chain.n, nc = w->chain.nc;
    const double time[2] = {stepper->before->time + stepper->before->time_low, w->end};
    const struct carom_state *state_of[2] = {stepper->before, state};
    struct carom_quintic_end end[2];
    double *room = w->room;
    for (int i = 0; i < 2; i++, room += n + nc) {
        carom_chain_clock(&w->chain, time[i]);
        carom_variables_motion(stepper->model, &w->chain, state_of[i]->q, state_of[i]->v, room, room + n);
        end[i] = (struct carom_quintic_end){state_of[i], state_of[i]->v, room, room + n,
                                            carom_plain_column(state_of[i], CAROM_PLAIN_X_LOW)};
    }
    carom_quintic_view(&end[0], &end[1], t, view);
    struct carom_chain early = w->chain;
    carom_chain_clock(&early, time[0]);
    const struct carom_tally_end from = {&early, state_of[0], state_of[0]->v},
                                 to = {&w->chain, state_of[1], state_of[1]->v};
    carom_tally_view(stepper->model, &from, &to, t, view);
    carom_motion_impose(stepper->model, t, view->q, view->v);
}
