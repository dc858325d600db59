/* Which solver when: one after the other on one problem, the best impulses so far kept in the room. */
#include <math.h>
#include <string.h>

#include "base/power.h"
#include "solve/contact/friction_parts.h"

enum { TURN = 32, STARTS = 6, ATTEMPTS = 12 };
#define PATIENCE 3e10 /* of block products in all: minutes */

/* One solver after the other on one problem; the best impulses so far are in the room. */
struct hunt {
    const struct carom_friction_view *view;
    struct carom_friction_room *room;
    struct carom_friction_report *report;
    double tol, *r;
    size_t most;
};

static size_t left(const struct hunt *hunt, size_t wish)
{
    if (hunt->room->stopped)
        return 0;
    const size_t rest = hunt->most > hunt->report->iterations ? hunt->most - hunt->report->iterations : 0;
    return wish < rest ? wish : rest;
}

/* Keeps r if it is the best, else goes back to it; true if it is good enough. */
static bool keep(struct hunt *hunt, enum carom_friction_solver solver, double residual)
{
    const size_t bytes = hunt->view->n * hunt->view->dim * sizeof *hunt->r;
    if (residual < hunt->report->residual) {
        hunt->report->residual = residual;
        hunt->report->solver = solver;
        memcpy(hunt->room->best, hunt->r, bytes);
    } else {
        memcpy(hunt->r, hunt->room->best, bytes);
    }
    return hunt->report->residual <= hunt->tol;
}

static bool sweep(struct hunt *hunt, size_t sweeps)
{
    return keep(hunt, CAROM_FRICTION_GAUSS_SEIDEL,
                carom_friction_sweep_run(hunt->view, hunt->tol, left(hunt, sweeps), hunt->room, hunt->r,
                                         &hunt->report->iterations));
}

static bool mix(struct hunt *hunt, size_t sweeps)
{
    return keep(hunt, CAROM_FRICTION_MIXED,
                carom_friction_mix_run(hunt->view, hunt->tol, left(hunt, sweeps), hunt->room, hunt->r,
                                       &hunt->report->iterations));
}

static bool newton(struct hunt *hunt, size_t steps, bool sweeps)
{
    return keep(hunt, CAROM_FRICTION_NEWTON,
                carom_friction_newton_run(hunt->view, hunt->tol, left(hunt, steps), sweeps, hunt->room, hunt->r,
                                          &hunt->report->iterations));
}

/* The same from r = 0 and some sweeps, other ones each time: where contacts stick and slip in long chains the way is
 * found by luck, and this is the dice. */
static bool newton_afresh(struct hunt *hunt, size_t attempt)
{
    static const size_t sweeps[ATTEMPTS] = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233};
    memset(hunt->r, 0, hunt->view->n * hunt->view->dim * sizeof *hunt->r);
    if (left(hunt, sweeps[attempt]) > 0)
        carom_friction_sweep_run(hunt->view, 0.0, left(hunt, sweeps[attempt]), hunt->room, hunt->r,
                                 &hunt->report->iterations);
    return newton(hunt, 250, attempt % 2 == 0);
}

/* close enough for Newton to end it, whatever was found before? */
static bool keep_or_end(struct hunt *hunt, double residual)
{
    if (residual > hunt->tol && residual < 1e-3)
        return newton(hunt, 40, false);
    return keep(hunt, CAROM_FRICTION_NEWTON, residual);
}

static bool interior(struct hunt *hunt, size_t start)
{
    return keep_or_end(hunt, carom_friction_interior_run(hunt->view, hunt->tol, left(hunt, 60), start, hunt->room,
                                                         hunt->r, &hunt->report->iterations));
}

/* Piles that stand by friction: long chains of contacts that might slip lead the others astray, and rest needs none. */
static bool rest(struct hunt *hunt)
{
    return keep_or_end(hunt, carom_friction_interior_rest(hunt->view, hunt->tol, left(hunt, 60), hunt->room, hunt->r,
                                                          &hunt->report->iterations));
}

/* One sweep puts open contacts to 0 and slipping ones on the edge of their cones, where interior points only come near;
 * kept if it is good enough too. */
static void tidy(struct hunt *hunt)
{
    size_t uncounted = 0;
    memcpy(hunt->room->best, hunt->r, hunt->view->n * hunt->view->dim * sizeof *hunt->r);
    if (!(carom_friction_sweep_run(hunt->view, 0.0, 1, hunt->room, hunt->r, &uncounted) <= hunt->tol))
        memcpy(hunt->r, hunt->room->best, hunt->view->n * hunt->view->dim * sizeof *hunt->r);
}

/* How often it is tried: large factors are made a few hundred times at most. */
static size_t attempts(const struct hunt *hunt)
{
    const double most = PATIENCE / (300.0 * hunt->room->products + 1.0);
    return !hunt->room->factored ? 0 : most >= ATTEMPTS ? ATTEMPTS : most > 1.0 ? (size_t)most : 1;
}

static void hunt_newton(struct hunt *hunt)
{
    if (hunt->report->residual < 1e-2 && newton(hunt, 40, false)) /* a good start is worth a try */
        return;
    for (size_t attempt = 0; attempt < attempts(hunt) && left(hunt, 1) > 0; attempt++)
        if ((attempt < STARTS && interior(hunt, attempt)) || newton_afresh(hunt, attempt))
            return;
}

/* Sweeps in turns as long as they promise to end within what a few factorisations cost; true if they did. */
static bool sweep_while_it_pays(struct hunt *hunt)
{
    const double entries = (double)hunt->view->first[hunt->view->n] + 10.0 * (double)hunt->view->n;
    const double pays = 4.0 * hunt->room->products * (double)hunt->view->dim / entries;
    const double budget = !hunt->room->factored ? HUGE_VAL : pays > TURN ? pays : TURN;
    double before = HUGE_VAL;
    for (double done = 0.0; done < budget && left(hunt, 1) > 0; done += TURN) {
        if (sweep(hunt, TURN))
            return true;
        const double ratio = hunt->report->residual / before;
        const double turns = carom_power_log(hunt->tol / hunt->report->residual) / carom_power_log(ratio);
        if (before < HUGE_VAL && !(ratio < 1.0 && done + (turns + 1.0) * TURN <= budget))
            break;
        before = hunt->report->residual;
    }
    return false;
}

/* Heaps: from the forces of the step before Newton often ends it. Where interior points came near, dice are not worth
 * their time: redundant contacts leave 1e-8 or so that no solver takes away. */
static bool hunt_heap(struct hunt *hunt)
{
    if (hunt->report->residual < 1e-2 && newton(hunt, 15, true))
        return true;
    return interior(hunt, 0) || (hunt->report->residual < 100.0 * hunt->tol && interior(hunt, 1)) || rest(hunt) ||
           hunt->report->residual < 100.0 * hunt->tol;
}

static void hunt_auto(struct hunt *hunt)
{
    if (hunt->view->arms ? mix(hunt, 600) || hunt_heap(hunt) : sweep_while_it_pays(hunt))
        return;
    for (size_t attempt = 0; attempt < attempts(hunt) && left(hunt, 1) > 0; attempt++)
        if ((attempt < STARTS && interior(hunt, attempt)) || newton_afresh(hunt, attempt) ||
            sweep(hunt, 400 * (attempt + 1)) || newton(hunt, 50, true))
            return;
    sweep(hunt, hunt->most);
}

void carom_friction_hunt_run(const struct carom_friction_view *view, enum carom_friction_solver solver, double tol,
                             size_t most, struct carom_friction_room *room, double *r,
                             struct carom_friction_report *report)
{
    struct hunt hunt = {view, room, report, tol, r, most ? most : solver == CAROM_FRICTION_NEWTON ? 4000 : 30000};
    const bool sweeps = solver == CAROM_FRICTION_GAUSS_SEIDEL || (solver == CAROM_FRICTION_NEWTON && !room->factored) ||
                        (solver == CAROM_FRICTION_MIXED && room->dense);
    if (report->residual > tol && sweeps)
        sweep(&hunt, hunt.most);
    else if (report->residual > tol && solver == CAROM_FRICTION_MIXED)
        mix(&hunt, hunt.most);
    else if (report->residual > tol && solver == CAROM_FRICTION_REST)
        rest(&hunt);
    else if (report->residual > tol && solver == CAROM_FRICTION_NEWTON)
        hunt_newton(&hunt);
    else if (report->residual > tol)
        hunt_auto(&hunt);
    if (report->solver == CAROM_FRICTION_NEWTON && report->residual <= tol)
        tidy(&hunt);
}
