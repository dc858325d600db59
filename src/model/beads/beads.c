/* Part `beads`: bodies on a line with constant masses; local springs and dampers, strings, weights, loads and drives
 * (loads.h has their formulas). q are displacements; port i is the displacement of bead i. */
#include <string.h>

#include "base/memory.h"
#include "base/sum.h"
#include "carom/model.h"
#include "model/beads/loads.h"

static void release(void *own)
{
    struct carom_beads *beads = own;
    if (!beads)
        return;
    for (size_t i = 0; i < beads->nloads; i++)
        carom_loads_forget(&beads->load[i].force);
    for (size_t i = 0; i < beads->ndrives; i++)
        carom_loads_forget(&beads->drive[i].place);
    carom_memory_free_all(beads->mass, beads->inverse_mass, beads->radius, beads->spring, beads->damper, beads->weight,
                          beads->string, beads->load, beads->drive, beads->driven, beads->pushed, beads);
}

static double *copy(const double *from, size_t n)
{
    double *to = carom_memory_zeroed(n, sizeof *to);
    if (to)
        memcpy(to, from, n * sizeof *to);
    return to;
}

/* numbers of each bead: finite, and `low` at least; NULL: there are none */
static enum carom_status check_each(const char *what, const double *x, size_t n, double low, struct carom_error *error)
{
    const struct carom_param row = {what, CAROM_REAL, 0, low, low, HUGE_VAL, "1", what, NULL};
    for (size_t i = 0; x && i < n; i++)
        if (carom_param_check(&row, x[i], error) != CAROM_OK) {
            carom_error_prefix(error, "%s of body %zu", what, i + 1);
            return CAROM_E_INPUT;
        }
    return CAROM_OK;
}

struct carom_beads *carom_beads_create(size_t n, const double *mass, const double *radius, const double *spring,
                                       struct carom_error *error)
{
    if (n > 0 && !mass)
        return carom_error_missing(error), NULL;
    for (size_t i = 0; i < n; i++)
        if (!(mass[i] > 0.0) || !(mass[i] < HUGE_VAL)) {
            carom_error_set(error, CAROM_E_INPUT, "mass of body %zu: must be positive, got %g", i + 1, mass[i]);
            return NULL;
        }
    if (n == 0 || n > INT32_MAX)
        return carom_error_set(error, CAROM_E_INPUT, "a row of beads has 1 to %d bodies, not %zu", INT32_MAX, n), NULL;
    if (check_each("radius", radius, n, CAROM_POSITIVE, error) != CAROM_OK ||
        check_each("spring", spring, n, 0.0, error) != CAROM_OK)
        return NULL;
    struct carom_beads *beads = carom_memory_zeroed(1, sizeof *beads);
    if (beads) {
        beads->n = n;
        beads->mass = copy(mass, n);
        beads->inverse_mass = carom_memory_zeroed(n, sizeof(double));
        beads->radius = radius ? copy(radius, n) : NULL;
        beads->spring = spring ? copy(spring, n) : NULL;
    }
    if (!beads || !beads->mass || !beads->inverse_mass || (radius && !beads->radius) || (spring && !beads->spring)) {
        release(beads);
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu beads", n);
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        beads->inverse_mass[i] = 1.0 / mass[i];
    return beads;
}

static void sizes(const void *own, size_t *nq, size_t *nv, size_t *nports)
{
    const struct carom_beads *beads = own;
    *nq = *nv = *nports = beads->n;
}

static enum carom_status no_memory(const struct carom_beads *beads, struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory for the loads of %zu beads", beads->n);
}

/* takes the place of an array of n numbers */
static enum carom_status replace(struct carom_beads *beads, double **array, const double *from,
                                 struct carom_error *error)
{
    double *new = copy(from, beads->n);
    if (!new)
        return no_memory(beads, error);
    carom_memory_free(*array);
    *array = new;
    beads->loaded = true;
    return CAROM_OK;
}

enum carom_status carom_beads_damp(struct carom_beads *beads, const double *damper, struct carom_error *error)
{
    if (!beads || !damper)
        return carom_error_missing(error);
    if (check_each("damper", damper, beads->n, 0.0, error) != CAROM_OK)
        return CAROM_E_INPUT;
    bool any = beads->damper != NULL;
    for (size_t i = 0; i < beads->n; i++)
        any |= damper[i] != 0.0;
    return any ? replace(beads, &beads->damper, damper, error) : CAROM_OK; /* none at all: flights stay exact */
}

enum carom_status carom_beads_weigh(struct carom_beads *beads, double acceleration, struct carom_error *error)
{
    if (!beads)
        return carom_error_missing(error);
    if (!isfinite(acceleration))
        return carom_error_set(error, CAROM_E_INPUT, "the acceleration of weights must be finite, got %g",
                               acceleration);
    const enum carom_status status = replace(beads, &beads->weight, beads->mass, error);
    for (size_t i = 0; status == CAROM_OK && i < beads->n; i++)
        beads->weight[i] *= acceleration;
    return status;
}

enum carom_status carom_beads_hang(struct carom_beads *beads, const double *string, double down, bool large,
                                   struct carom_error *error)
{
    if (!beads || !string)
        return carom_error_missing(error);
    if (!isfinite(down))
        return carom_error_set(error, CAROM_E_INPUT,
                               "the acceleration that strings work against must be finite, got %g", down);
    if (check_each("string", string, beads->n, 0.0, error) != CAROM_OK)
        return CAROM_E_INPUT;
    beads->down = down;
    if (large)
        return replace(beads, &beads->string, string, error);
    if (!beads->spring && !(beads->spring = carom_memory_zeroed(beads->n, sizeof(double))))
        return no_memory(beads, error);
    for (size_t i = 0; i < beads->n; i++)
        if (string[i] > 0.0)
            beads->spring[i] += beads->mass[i] * down / string[i];
    return CAROM_OK;
}

static enum carom_status no_bead(const struct carom_beads *beads, double bead, struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_INPUT, "there is no bead %.0f among %zu, which count from 0", bead, beads->n);
}

/* room for one more behind `count` items, whose pointer stands at `at`; it doubles, so that many cost little */
static bool make_room(void *at, size_t count, size_t size)
{
    return (count & (count - 1)) != 0 || carom_memory_widen(at, count, count > 0 ? 2 * count : 1, size);
}

enum carom_status carom_beads_push(struct carom_beads *beads, size_t bead, const struct carom_signal *force,
                                   struct carom_error *error)
{
    if (!force)
        return carom_error_missing(error);
    struct carom_signal own = *force;
    if (!beads || bead >= beads->n) {
        carom_loads_forget(&own);
        return beads ? no_bead(beads, (double)bead, error) : carom_error_missing(error);
    }
    const bool room = make_room(&beads->load, beads->nloads, sizeof *beads->load);
    if (!beads->pushed)
        beads->pushed = carom_memory_zeroed(beads->n, sizeof *beads->pushed);
    if (!room || !beads->pushed) {
        carom_loads_forget(&own);
        return no_memory(beads, error);
    }
    beads->load[beads->nloads++] = (struct carom_load){bead, own};
    beads->pushed[bead] = true;
    beads->loaded = true;
    return CAROM_OK;
}

enum carom_status carom_beads_drive(struct carom_beads *beads, int32_t which, const struct carom_signal *place,
                                    struct carom_error *error)
{
    if (!place)
        return carom_error_missing(error);
    struct carom_signal own = *place;
    if (!beads || which < CAROM_WALL_RIGHT || (which >= 0 && (size_t)which >= beads->n)) {
        carom_loads_forget(&own);
        return beads ? no_bead(beads, (double)which, error) : carom_error_missing(error);
    }
    const bool room = make_room(&beads->drive, beads->ndrives, sizeof *beads->drive);
    if (which >= 0 && !beads->driven)
        beads->driven = carom_memory_zeroed(beads->n, sizeof *beads->driven);
    if (!room || (which >= 0 && !beads->driven)) {
        carom_loads_forget(&own);
        return no_memory(beads, error);
    }
    beads->drive[beads->ndrives++] = (struct carom_drive){which, own, 0.0};
    if (which >= 0) {
        beads->driven[which] = true;
        beads->inverse_mass[which] = 0.0;
    }
    beads->loaded = true;
    return CAROM_OK;
}

static void force(const void *own, double t, const double *q, const double *v, double *scratch, double *f)
{
    const struct carom_beads *beads = own;
    (void)scratch;
    for (size_t i = 0; i < beads->n; i++) {
        f[i] = beads->spring ? -beads->spring[i] * q[i] : 0.0;
        if (!beads->loaded)
            continue;
        f[i] = carom_loads_local(beads, i, q[i]) + carom_loads_weight(beads, i);
        if (beads->damper)
            f[i] -= beads->damper[i] * v[i];
    }
    for (size_t k = 0; k < beads->nloads; k++)
        f[beads->load[k].bead] += carom_signal_value(&beads->load[k].force, t);
    for (size_t i = 0; beads->driven && i < beads->n; i++)
        f[i] = beads->driven[i] ? 0.0 : f[i];
}

static void mass_apply(const void *own, const double *q, const double *v, double *p)
{
    const struct carom_beads *beads = own;
    (void)q;
    for (size_t i = 0; i < beads->n; i++)
        p[i] = beads->mass[i] * v[i];
}

static void mass_solve(const void *own, const double *q, const double *p, double *v)
{
    const struct carom_beads *beads = own;
    (void)q;
    for (size_t i = 0; i < beads->n; i++)
        v[i] = beads->inverse_mass[i] * p[i];
}

/* a long chain holds energies of very different size: the sums are compensated */
static void energy(const void *own, double t, const double *q, const double *v, double *scratch, double *kinetic,
                   double *stored)
{
    const struct carom_beads *beads = own;
    (void)t, (void)scratch;
    struct carom_sum motion = {0.0, 0.0}, springs = {0.0, 0.0};
    for (size_t i = 0; i < beads->n; i++)
        if (!beads->driven || !beads->driven[i])
            carom_sum_add(&motion, 0.5 * beads->mass[i] * v[i] * v[i]);
    for (size_t i = 0; (beads->spring || beads->loaded) && i < beads->n; i++)
        carom_sum_add(&springs, carom_loads_energy(beads, i, q[i]));
    *kinetic = carom_sum_value(&motion);
    *stored = carom_sum_value(&springs);
}

static void port(const void *own, size_t i, double t, const double *q, struct carom_port *out)
{
    const struct carom_beads *beads = own;
    out->value = q[i];
    out->drift = 0.0;
    out->first = i;
    out->count = 1;
    out->slope[0] = 1.0;
    for (size_t k = 0; beads->driven && beads->driven[i] && k < beads->ndrives; k++)
        if (beads->drive[k].which == (int32_t)i) {
            const struct carom_motion motion = carom_loads_motion(&beads->drive[k], t);
            out->value = motion.place;
            out->drift = motion.rate;
            out->count = 0;
        }
}

static void power(const void *own, double t, const double *q, const double *v, double *scratch, double *dissipated,
                  double *work)
{
    const struct carom_beads *beads = own;
    (void)q, (void)scratch;
    *dissipated = carom_loads_damping(beads, 0, beads->n, v);
    *work = carom_loads_power(beads, t, v);
}

static void impose(const void *own, double t, double *q, double *v)
{
    carom_loads_lead(own, t, q, v, NULL, NULL);
}

static const struct carom_signal *signal(const void *own, size_t i, enum carom_action *action)
{
    const struct carom_beads *beads = own;
    *action = CAROM_ACTS_FORCE;
    if (i < beads->nloads)
        return &beads->load[i].force;
    if (i - beads->nloads >= beads->ndrives)
        return NULL;
    const struct carom_drive *drive = &beads->drive[i - beads->nloads];
    *action = drive->which < 0 ? CAROM_ACTS_PORT : CAROM_ACTS_BODY;
    return &drive->place;
}

static void describe(const void *own, struct carom_particles *out)
{
    const struct carom_beads *beads = own;
    *out = (struct carom_particles){.dimension = 1, .n = beads->n, .mass = beads->mass, .radius = beads->radius};
}

const struct carom_part carom_part_beads = {
    .kind = {"beads", "bodies on a line: chains, columns, cradles", NULL, sizeof(struct carom_beads)},
    .offers = CAROM_DIAGONAL_MASS | CAROM_CONSTANT_MASS | CAROM_FLAT | CAROM_POTENTIAL,
    .sizes = sizes,
    .force = force,
    .mass_apply = mass_apply,
    .mass_solve = mass_solve,
    .energy = energy,
    .port = port,
    .power = power,
    .impose = impose,
    .signal = signal,
    .describe = describe,
    .release = release,
};
