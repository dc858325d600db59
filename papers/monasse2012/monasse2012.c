/* Monasse and Mariotti 2012, sections 4 and 5: forces against the slope of the energy; what the scheme keeps (momentum,
 * angular momentum, energy, the way back), its order in time, and the bound (A.4) of its fixed point. Bodies come from
 * the scenes of the rows; the solution of Lamb's problem and the statics are measured in the files beside. */
#include "papers/monasse2012/monasse2012.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "model/solid/solid.h"
#include "scheme/solid/rattle_turn.h"
#include "study/follow/track.h"

static const double no_arm[3] = {0.0, 0.0, 0.0};

static const struct carom_part *part_of(const struct carom_solid *s)
{
    return s->dimension == 3 ? &carom_part_solid : &carom_part_solid_plane;
}

static enum carom_status solid_in(const struct carom_model *model, const struct carom_solid **solid,
                                  struct carom_error *error)
{
    *solid = carom_solid_of(model, NULL);
    return *solid != NULL && model->nparts == 1 ? CAROM_OK
                                                : carom_error_set(error, CAROM_E_REFUSED, "the scene is no solid");
}

/* --- the gradient ------------------------------------------------------------------------------------------------ */

static const char *const gradient_keys[] = {"scene", "set", NULL};

/* What a check of the gradient works on. */
struct slope {
    const struct carom_solid *s;
    double *scratch, *q, *moved, *way, *step, *force, *still;
};

/* A large turn of the whole body and strains of some percent on top. */
static void shake(const struct slope *c, struct carom_random *random)
{
    const struct carom_solid *s = c->s;
    double turn[3], own[3], whole[3];
    for (int k = 0; k < 3; k++)
        turn[k] = s->dimension == 3 || k == 2 ? 1.5 * carom_random_normal(random) : 0.0;
    memset(c->q, 0, s->wide * s->n * sizeof *c->q);
    memset(c->step, 0, s->fast * s->n * sizeof *c->step);
    for (size_t i = 0; i < s->n; i++) {
        c->q[s->wide * i + (size_t)s->dimension] = 1.0;
        carom_quat_turn_back(carom_solid_sort_of(s, i)->frame, turn, own);
        for (size_t k = (size_t)s->dimension; k < s->fast; k++)
            c->step[s->fast * i + k] = (s->dimension == 3 ? own[k - 3] : turn[2]) + 0.03 * carom_random_normal(random);
    }
    part_of(s)->move(s, c->q, c->step, c->moved);
    for (size_t i = 0; i < s->n; i++) {
        const double edge = carom_solid_sort_of(s, i)->edge[0];
        carom_solid_moved(s, c->moved, i, s->centre[i], whole);
        for (int k = 0; k < s->dimension; k++)
            c->moved[s->wide * i + (size_t)k] =
                whole[k] - 2.0 * s->centre[i][k] + 0.03 * edge * carom_random_normal(random);
    }
    memcpy(c->q, c->moved, s->wide * s->n * sizeof *c->q);
}

static double energy_along(const struct slope *c, double h)
{
    const struct carom_solid *s = c->s;
    double kinetic, stored;
    for (size_t i = 0; i < s->fast * s->n; i++)
        c->step[i] = h * c->way[i];
    part_of(s)->move(s, c->q, c->step, c->moved);
    part_of(s)->energy(s, 0.0, c->moved, c->still, c->scratch, &kinetic, &stored);
    return stored;
}

/* Slopes of the energy along random ways, by differences of order 8, against the forces. */
static double gradient_error(const struct slope *c, struct carom_random *random)
{
    static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    const double h = 2e-3;
    double worst = 0.0;
    shake(c, random);
    part_of(c->s)->force(c->s, 0.0, c->q, c->still, c->scratch, c->force);
    for (int trial = 0; trial < 24; trial++) {
        double dot = 0.0, scale = 0.0, slope = 0.0;
        for (size_t i = 0; i < c->s->fast * c->s->n; i++) {
            const double edge = carom_solid_sort_of(c->s, i / c->s->fast)->edge[0];
            c->way[i] = carom_random_normal(random) * (i % c->s->fast < (size_t)c->s->dimension ? edge : 1.0);
            dot += c->way[i] * c->force[i];
            scale += fabs(c->way[i] * c->force[i]);
        }
        for (int k = 1; k <= 4; k++)
            slope += weight[k - 1] * (energy_along(c, k * h) - energy_along(c, -k * h));
        const double off = fabs(slope / h + dot) / scale;
        worst = off <= worst ? worst : off; /* NaN counts */
    }
    return worst;
}

static enum carom_status measure_gradient(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    char name[512];
    struct carom_random random;
    struct slope c = {0};
    struct carom_scene *scene = carom_measures_scene(m, NULL, 0, name, error);
    if (scene == NULL)
        return error->status;
    enum carom_status status = solid_in(scene->model, &c.s, error);
    if (status == CAROM_OK) {
        const size_t nq = c.s->wide * c.s->n, nv = c.s->fast * c.s->n;
        const size_t scratch = scene->model->force_scratch;
        double *room = carom_memory_zeroed(scratch + 2 * nq + 4 * nv, sizeof *room);
        if (room != NULL) {
            c.scratch = room;
            c.q = room + scratch;
            c.moved = c.q + nq;
            c.way = c.moved + nq;
            c.step = c.way + nv;
            c.force = c.step + nv;
            c.still = c.force + nv;
            carom_random_start(&random, 1);
            *value = gradient_error(&c, &random);
            carom_memory_free(room);
        } else
            status = carom_memory_error(error);
    }
    carom_scene_free(scene);
    return status;
}

/* --- what the scheme keeps ---------------------------------------------------------------------------------------- */

static const char *const flight_keys[] = {"scene", "set", "step", "steps", NULL};

/* The row's flight: `steps` steps of length `step` / `finer`, with room for as many again. */
static enum carom_status open_flight(const struct carom_measuring *m, double finer, struct carom_track *track,
                                     const struct carom_solid **solid, size_t *steps, struct carom_error *error)
{
    char name[512], option[2][64];
    const char *more[2] = {option[0], option[1]};
    double step, count;
    *track = (struct carom_track){0};
    if (carom_paper_number(m->paper, m->row, "step", &step, error) != CAROM_OK ||
        carom_paper_number(m->paper, m->row, "steps", &count, error) != CAROM_OK)
        return error->status;
    if (!(count >= 1.0 && count <= 1e12))
        return carom_error_set(error, CAROM_E_INPUT, "steps %g: must be from 1 to 1e12", count);
    *steps = (size_t)(count * finer);
    snprintf(option[0], sizeof option[0], "run.step=%.17g", step / finer);
    snprintf(option[1], sizeof option[1], "run.until=%.17g", 2.5 * step * count);
    struct carom_scene *scene = carom_measures_scene(m, more, 2, name, error);
    if (scene == NULL)
        return error->status;
    enum carom_status status = carom_track_open(track, scene, NULL, error);
    carom_scene_free(scene);
    if (status == CAROM_OK)
        status = solid_in(track->sim->model, solid, error);
    return status;
}

static enum carom_status fly(const struct carom_measuring *m, struct carom_track *track, size_t steps, double done,
                             struct carom_error *error)
{
    const uint64_t end = track->sim->state->step + steps;
    while (track->sim->state->step < end) {
        const uint64_t left = end - track->sim->state->step;
        if (carom_sim_step(track->sim, left < 2000 ? (size_t)left : 2000, error) != CAROM_OK)
            return error->status;
        if (!carom_progress_go_on(m->progress, done))
            return carom_error_set(error, CAROM_E_STOPPED, "stopped");
    }
    return CAROM_OK;
}

/* Momentum, then angular momentum about the origin. The scheme's variables are velocities and angular momenta. */
static void momenta(const struct carom_track *track, const struct carom_solid *s, double p[6])
{
    memset(p, 0, 6 * sizeof *p);
    for (size_t i = 0; i < s->n; i++) {
        const double *v = track->sim->state->v + s->fast * i;
        double x[3], own[3] = {0.0, 0.0, 0.0}, moment[3];
        carom_solid_moved(s, track->sim->state->q, i, no_arm, x);
        for (int k = 0; k < s->dimension; k++)
            p[k] += own[k] = carom_solid_sort_of(s, i)->mass * v[k];
        carom_vec_cross(x, own, moment);
        for (int k = 0; k < 3; k++)
            p[3 + k] += moment[k] + (s->dimension == 3 ? v[3 + k] : k == 2 ? v[2] : 0.0);
    }
}

/* |after - before| / |before| of momentum (value[0]) and angular momentum (value[1]). */
static enum carom_status change_of_momenta(const struct carom_measuring *m, void *with, double *value,
                                           struct carom_error *error)
{
    (void)with;
    struct carom_track track;
    const struct carom_solid *s = NULL;
    size_t steps = 0;
    double before[6], after[6];
    enum carom_status status = open_flight(m, 1.0, &track, &s, &steps, error);
    if (status == CAROM_OK) {
        momenta(&track, s, before);
        status = fly(m, &track, steps, 0.0, error);
    }
    if (status == CAROM_OK) {
        momenta(&track, s, after);
        for (size_t i = 0; i < 2; i++) {
            double size = 0.0, off = 0.0;
            for (size_t k = 3 * i; k < 3 * i + 3; k++) {
                size += before[k] * before[k];
                off += (after[k] - before[k]) * (after[k] - before[k]);
            }
            value[i] = sqrt(off / size);
        }
    }
    carom_track_close(&track);
    return status;
}

static enum carom_status measure_momentum(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    return carom_measures_pick(m, "momenta", change_of_momenta, 2, 0, value, error);
}

static enum carom_status measure_turning(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    return carom_measures_pick(m, "momenta", change_of_momenta, 2, 1, value, error);
}

static double energy_of(const struct carom_track *track)
{
    struct carom_ledger ledger;
    carom_sim_sync(track->sim);
    carom_balance_read(track->sim->model, track->sim->view, NULL, &ledger);
    return ledger.kinetic + ledger.stored;
}

/* How the energy strays, relative to that of the start: value[0] the largest deviation, value[1] the drift, the mean
 * of the second half less that of the first. */
static enum carom_status stray_of(const struct carom_measuring *m, double finer, double value[2],
                                  struct carom_error *error)
{
    struct carom_track track;
    const struct carom_solid *s = NULL;
    enum { SAMPLES = 2000 };
    size_t steps = 0;
    enum carom_status status = open_flight(m, finer, &track, &s, &steps, error);
    const double start = status == CAROM_OK ? energy_of(&track) : 1.0;
    value[0] = value[1] = 0.0;
    for (size_t i = 0; i < SAMPLES && status == CAROM_OK; i++) {
        status = fly(m, &track, steps * (i + 1) / SAMPLES - steps * i / SAMPLES, (double)i / SAMPLES, error);
        const double off = status == CAROM_OK ? energy_of(&track) / start - 1.0 : 0.0;
        value[0] = fabs(off) <= value[0] ? value[0] : fabs(off);
        value[1] += (i < SAMPLES / 2 ? -off : off) / (SAMPLES / 2);
    }
    carom_track_close(&track);
    return status;
}

static enum carom_status stray(const struct carom_measuring *m, void *with, double *value, struct carom_error *error)
{
    (void)with;
    return stray_of(m, 1.0, value, error);
}

static enum carom_status measure_energy(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    return carom_measures_pick(m, "energy", stray, 2, 0, value, error);
}

static enum carom_status measure_drift(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    return carom_measures_pick(m, "energy", stray, 2, 1, value, error);
}

static enum carom_status measure_energy_order(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    double coarse[2], fine[2];
    enum carom_status status = stray_of(m, 1.0, coarse, error);
    if (status == CAROM_OK)
        status = stray_of(m, 2.0, fine, error);
    if (status == CAROM_OK)
        *value = log2(coarse[0] / fine[0]);
    return status;
}

/* --- the way back, and the order in time ------------------------------------------------------------------------- */

static double apart(const double *a, const double *b, size_t n)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
        most = fabs(a[i] - b[i]) <= most ? most : fabs(a[i] - b[i]);
    return most;
}

static double *copy_of(const double *x, size_t n)
{
    double *copy = carom_memory_zeroed(n, sizeof *copy);
    if (copy != NULL)
        memcpy(copy, x, n * sizeof *copy);
    return copy;
}

/* Flies out, turns all velocities round, flies back: how far from the start it ends, against how far it had been. */
static enum carom_status measure_back(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    struct carom_track track;
    const struct carom_solid *s = NULL;
    size_t steps = 0;
    double far = 0.0, *start = NULL;
    enum carom_status status = open_flight(m, 1.0, &track, &s, &steps, error);
    const struct carom_state *state = status == CAROM_OK ? track.sim->state : NULL;
    if (status == CAROM_OK) {
        start = copy_of(state->q, track.sim->model->nq);
        status = start != NULL ? fly(m, &track, steps, 0.0, error) : carom_memory_error(error);
    }
    if (status == CAROM_OK) {
        far = apart(state->q, start, track.sim->model->nq);
        for (size_t i = 0; i < track.sim->model->nv; i++)
            state->v[i] = -state->v[i];
        status = fly(m, &track, steps, 0.5, error);
    }
    if (status == CAROM_OK)
        *value = apart(state->q, start, track.sim->model->nq) / far;
    carom_memory_free(start);
    carom_track_close(&track);
    return status;
}

static enum carom_status measure_time_order(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    double *end[3] = {NULL, NULL, NULL};
    enum carom_status status = CAROM_OK;
    size_t nq = 0;
    for (int i = 0; i < 3 && status == CAROM_OK; i++) {
        struct carom_track track;
        const struct carom_solid *s = NULL;
        size_t steps = 0;
        status = open_flight(m, 1 << i, &track, &s, &steps, error);
        if (status == CAROM_OK)
            status = fly(m, &track, steps, i / 3.0, error);
        if (status == CAROM_OK) {
            nq = track.sim->model->nq;
            end[i] = copy_of(track.sim->state->q, nq);
            status = end[i] != NULL ? CAROM_OK : carom_memory_error(error);
        }
        carom_track_close(&track);
    }
    if (status == CAROM_OK)
        *value = log2(apart(end[0], end[1], nq) / apart(end[1], end[2], nq));
    for (int i = 0; i < 3; i++)
        carom_memory_free(end[i]);
    return status;
}

/* --- the fixed point ---------------------------------------------------------------------------------------------- */

static const char *const bound_keys[] = {"trials", NULL};

/* The smallest sum |h alpha_i| / I_i, over random bricks and ways, at which the turn of a step is not found or does
 * not solve (49). Every other way is along one axis: there sin(turn) = sum has no solution beyond 1. */
static double first_failure(size_t trials)
{
    struct carom_random random;
    double least = HUGE_VAL;
    carom_random_start(&random, 7);
    for (size_t trial = 0; trial < trials; trial++) {
        double edge[3], inertia[3], inverse[3], x[3], e[4], total = 0.0, off = 0.0;
        const double aim = 1.3 * carom_random_uniform(&random);
        for (int k = 0; k < 3; k++)
            edge[k] = 0.02 + carom_random_uniform(&random);
        for (int k = 0; k < 3; k++) {
            inertia[k] = edge[(k + 1) % 3] * edge[(k + 1) % 3] + edge[(k + 2) % 3] * edge[(k + 2) % 3];
            inverse[k] = 1.0 / inertia[k];
            x[k] = trial % 2 == 0 || k == (int)(trial / 2 % 3) ? inertia[k] * carom_random_normal(&random) : 0.0;
            total += fabs(x[k]) * inverse[k];
        }
        for (int k = 0; k < 3; k++)
            x[k] *= aim / total;
        const bool found = carom_rattle_turn_solve(inertia, inverse, x, e);
        for (int k = 0; k < 3 && found; k++) {
            const int j = (k + 1) % 3, l = (k + 2) % 3;
            off = fmax(off, fabs(2.0 * e[0] * e[k + 1] +
                                 (2.0 * (inertia[l] - inertia[j]) * e[j + 1] * e[l + 1] - x[k]) * inverse[k]));
        }
        if ((!found || !(off <= 1e-12)) && aim < least)
            least = aim;
    }
    return least;
}

static enum carom_status measure_bound(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    double trials;
    if (carom_paper_number(m->paper, m->row, "trials", &trials, error) != CAROM_OK)
        return error->status;
    if (!(trials >= 1.0 && trials <= 1e9))
        return carom_error_set(error, CAROM_E_INPUT, "trials %g: must be from 1 to 1e9", trials);
    *value = first_failure((size_t)trials);
    return CAROM_OK;
}

const struct carom_measure carom_monasse2012_list[] = {
    {"solid_gradient", gradient_keys, measure_gradient},
    {"solid_momentum", flight_keys, measure_momentum},
    {"solid_angular_momentum", flight_keys, measure_turning},
    {"solid_energy", flight_keys, measure_energy},
    {"solid_energy_drift", flight_keys, measure_drift},
    {"solid_energy_order", flight_keys, measure_energy_order},
    {"solid_way_back", flight_keys, measure_back},
    {"solid_time_order", flight_keys, measure_time_order},
    {"turn_failure", bound_keys, measure_bound},
    {NULL, NULL, NULL},
};
