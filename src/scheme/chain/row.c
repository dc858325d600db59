/* Opening, Newton's method and the frame of implicit steps of one row. */
#include "scheme/chain/row.h"

#include <string.h>

#include "base/memory.h"
#include "scheme/halving.h"
#include "solve/tridiagonal.h"

enum { SOLVES = 60 };

bool carom_row_open(struct carom_row *r, const struct carom_model *model)
{
    r->chain = carom_chain_of(model);
    const size_t n = r->chain.n, nc = r->chain.nc, loaded = r->chain.beads->loaded ? n : 0;
    r->room = carom_memory_together(CAROM_ROOM(r->load[0], loaded), CAROM_ROOM(r->load[1], loaded),
                                    CAROM_ROOM(r->beside, 2 * r->chain.beads->ndrives), CAROM_ROOM(r->start, nc),
                                    CAROM_ROOM(r->deform, nc), CAROM_ROOM(r->unknown, n), CAROM_ROOM(r->diagonal, n),
                                    CAROM_ROOM(r->off, n), CAROM_ROOM(r->update, n), CAROM_ROOM(r->push, n),
                                    CAROM_ROOM(r->taken, n));
    return r->room;
}

void carom_row_close(struct carom_row *row)
{
    carom_memory_free(row->room);
}

/* walls, loads and overlaps at both ends of a step, those of the end as far as they are known */
static void set_clocks(struct carom_row *r, const struct carom_state *from, double h, double t_stop)
{
    const double t = from->time + from->time_low, end = fmin(t + h, carom_loads_before(t_stop));
    carom_chain_clock(&r->chain, t);
    r->late = r->chain;
    carom_chain_clock(&r->late, end);
    carom_chain_deform(&r->chain, 0, r->chain.nc, from->q, r->start);
    if (!r->chain.beads->loaded)
        return;
    carom_loads_fill(r->chain.beads, t, r->filled, r->load[0]);
    carom_loads_fill(r->chain.beads, end, r->filled, r->load[1]);
    r->filled = true;
}

void carom_row_lead(const struct carom_row *r, const double *x, double *shift)
{
    const struct carom_beads *b = r->chain.beads;
    for (size_t k = 0; k < b->ndrives; k++)
        if (b->drive[k].which >= 0)
            shift[b->drive[k].which] = carom_loads_motion(&b->drive[k], r->late.time).place - x[b->drive[k].which];
}

void carom_row_squeeze(struct carom_row *r, const double *shift)
{
    const size_t nc = r->chain.nc;
    carom_chain_difference(&r->chain, 0, nc, shift, r->deform);
    for (size_t j = 0; j < nc; j++)
        r->deform[j] += r->start[j];
    if (r->chain.moving && r->chain.left_wall)
        r->deform[0] += r->late.wall[0].place - r->chain.wall[0].place;
    if (r->chain.moving && r->chain.right_wall)
        r->deform[nc - 1] -= r->late.wall[1].place - r->chain.wall[1].place;
}

/* --- Newton's method ---------------------------------------------------------------------------------------------- */

void carom_row_set(struct carom_row *r, size_t i, double residual, double local, const double *stiff)
{
    const struct carom_beads *b = r->chain.beads;
    if (carom_loads_driven(b, i)) {
        r->update[i] = r->off[i] = 0.0;
        r->diagonal[i] = b->mass[i];
        return;
    }
    const double right = carom_row_right(r, i, stiff);
    r->update[i] = residual;
    r->diagonal[i] = b->mass[i] + local + carom_row_left(r, i, stiff) + right;
    r->off[i] = i + 1 < r->chain.n && carom_loads_driven(b, i + 1) ? 0.0 : -right;
}

/* unknown += part of the update */
static void move(const struct carom_row *r, double part)
{
    for (size_t i = 0; i < r->chain.n; i++)
        r->unknown[i] += part * r->taken[i];
}

/* The equations are those of the minimum of a function that is convex, or nearly so (strings beyond the horizontal);
 * updates are halved where the residual grows. False: there is no solution within reach. */
static bool newton(struct carom_row *r, const struct carom_row_form *form, void *own, struct carom_stepper *stepper,
                   double h)
{
    double noise, worst = form->assemble(stepper, own, h, &noise);
    for (int solve = 0; solve < SOLVES && worst < HUGE_VAL; solve++) {
        if (worst <= noise)
            return true;
        if (!carom_tridiagonal_solve(r->chain.n, r->diagonal, r->off, r->update))
            return false;
        stepper->counts.iterations++;
        memcpy(r->taken, r->update, r->chain.n * sizeof *r->taken);
        move(r, 1.0);
        double next = form->assemble(stepper, own, h, &noise);
        if (next > 0.25 * worst && worst < 1e3 * noise)
            return next <= 1e3 * noise; /* as far as rounding lets it */
        /* a residual may grow a little where contacts close; one that grows more has gone too far */
        for (double part = 0.5; !(next < 2.0 * worst) && part > 1e-6; part *= 0.5) {
            move(r, -part);
            next = form->assemble(stepper, own, h, &noise);
        }
        worst = next;
    }
    return false;
}

bool carom_row_step(struct carom_row *r, const struct carom_row_form *form, void *own, struct carom_stepper *stepper,
                    struct carom_state *state, double h, double t_stop)
{
    carom_motion_impose(stepper->model, state->time + state->time_low, state->q, state->v);
    carom_stepper_begin_step(stepper, state);
    set_clocks(r, stepper->before, h, t_stop);
    form->begin(stepper, own, h);
    if (!newton(r, form, own, stepper, h) || !form->finish(stepper, own, state, h)) {
        carom_state_swap(state, stepper->before);
        return false;
    }
    stepper->switched = false;
    for (size_t j = 0; j < r->chain.nc; j++)
        stepper->switched |= (r->start[j] > 0.0) != (r->deform[j] > 0.0);
    carom_stepper_arrive(state, h, t_stop);
    carom_stepper_count(stepper, h);
    return true;
}

static bool one_step(struct carom_stepper *stepper, struct carom_state *state, double h, double t_stop)
{
    struct carom_row *row = stepper->work;
    return carom_row_step(row, row->form, row, stepper, state, h, t_stop);
}

enum carom_status carom_row_steps(struct carom_stepper *stepper, struct carom_state *state,
                                  const struct carom_bound *bound, struct carom_error *error)
{
    const struct carom_stepper_options *o = stepper->options;
    return carom_halving_steps(stepper, state, bound, o->step, one_step, error);
}

void carom_row_end(struct carom_stepper *stepper)
{
    struct carom_row *row = stepper->work;
    carom_row_close(row);
    carom_memory_free_all(row->own, row);
    stepper->work = NULL;
}
