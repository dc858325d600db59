/* Springy impacts for tests: rows with k, p and es per contact, disks in the plane that touch along any directions (W
 * is dense), and one impact of all their contacts. */
#ifndef CAROM_TESTS_SPRINGY_H
#define CAROM_TESTS_SPRINGY_H

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "carom/impact.h"
#include "carom/law.h"
#include "check.h"
#include "impact/lzb.h"
#include "model/frame.h"

enum { SPRINGY_BODIES = 64, SPRINGY_CONTACTS = 128 };

/* --- disks: q = v = (x, y) of each ------------------------------------------------------------------------------- */

struct disks {
    size_t n, ntouch;
    double mass[16];
    struct {
        size_t a, b; /* a < b; b = n: a wall */
        double x, y; /* direction from a to b */
    } touch[48];
};

static inline void disks_sizes(const void *own, size_t *nq, size_t *nv, size_t *nports)
{
    const struct disks *d = own;
    *nq = *nv = 2 * d->n;
    *nports = d->ntouch;
}

static inline void disks_force(const void *own, double t, const double *q, const double *v, double *scratch, double *f)
{
    (void)scratch;
    (void)t;
    (void)q;
    (void)v;
    memset(f, 0, 2 * ((const struct disks *)own)->n * sizeof *f);
}

static inline void disks_mass_apply(const void *own, const double *q, const double *v, double *out)
{
    const struct disks *d = own;
    (void)q;
    for (size_t i = 0; i < 2 * d->n; i++)
        out[i] = d->mass[i / 2] * v[i];
}

static inline void disks_mass_solve(const void *own, const double *q, const double *in, double *v)
{
    const struct disks *d = own;
    (void)q;
    for (size_t i = 0; i < 2 * d->n; i++)
        v[i] = in[i] / d->mass[i / 2];
}

static inline void disks_energy(const void *own, double t, const double *q, const double *v, double *scratch,
                                double *kinetic, double *stored)
{
    (void)scratch;
    const struct disks *d = own;
    (void)t;
    (void)q;
    *kinetic = *stored = 0.0;
    for (size_t i = 0; i < 2 * d->n; i++)
        *kinetic += 0.5 * d->mass[i / 2] * v[i] * v[i];
}

/* port i: how far the bodies of touch i have moved apart */
static inline void disks_port(const void *own, size_t i, double t, const double *q, struct carom_port *out)
{
    const struct disks *d = own;
    const size_t a = d->touch[i].a, b = d->touch[i].b;
    (void)t;
    memset(out, 0, sizeof *out);
    out->first = 2 * a;
    out->count = b < d->n ? 2 * (b - a) + 2 : 2;
    out->slope[0] = -d->touch[i].x;
    out->slope[1] = -d->touch[i].y;
    if (b < d->n) {
        out->slope[2 * (b - a)] = d->touch[i].x;
        out->slope[2 * (b - a) + 1] = d->touch[i].y;
    }
    for (size_t c = 0; c < out->count; c++)
        out->value += out->slope[c] * q[out->first + c];
}

static const struct carom_part part_disks = {
    .kind = {"disks", "disks in the plane", NULL, sizeof(struct disks)},
    .offers = CAROM_FLAT,
    .sizes = disks_sizes,
    .force = disks_force,
    .mass_apply = disks_mass_apply,
    .mass_solve = disks_mass_solve,
    .energy = disks_energy,
    .port = disks_port,
    .release = carom_memory_free,
};

/* --- models ------------------------------------------------------------------------------------------------------ */

static inline void springy_join(struct carom_model *model, size_t nc, const int32_t (*pair)[2], const double *e,
                                const double *k, const double *p)
{
    static const double gaps[SPRINGY_CONTACTS];
    const double *const columns[CAROM_RIGID_COLUMNS] = {e, k, p};
    CHECK_STATUS(carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, nc, pair, gaps, columns, NULL), CAROM_OK);
    CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
}

/* n beads in touch, with walls; arrays have a number per contact */
static inline struct carom_model *springy_row(size_t n, bool left, bool right, const double *mass, const double *e,
                                              const double *k, const double *p)
{
    const size_t shift = left ? 1 : 0, nc = n - 1 + shift + (right ? 1 : 0);
    int32_t pair[SPRINGY_CONTACTS][2];
    struct carom_model *model = carom_model_create();
    struct carom_beads *beads = carom_beads_create(n, mass, NULL, NULL, NULL);
    CHECK_OR_STOP(model && beads);
    CHECK_STATUS(carom_model_add(model, &carom_part_beads, beads, NULL), CAROM_OK);
    for (size_t j = 0; j < nc; j++) {
        pair[j][0] = j < shift ? CAROM_WALL_LEFT : (int32_t)(j - shift);
        pair[j][1] = j + 1 - shift < n ? (int32_t)(j + 1 - shift) : CAROM_WALL_RIGHT;
    }
    springy_join(model, nc, (const int32_t(*)[2])pair, e, k, p);
    return model;
}

static inline struct carom_model *springy_disks(const struct disks *like, const double *e, const double *k,
                                                const double *p)
{
    int32_t pair[SPRINGY_CONTACTS][2];
    struct carom_model *model = carom_model_create();
    struct disks *own = carom_memory_zeroed(1, sizeof *own);
    CHECK_OR_STOP(model && own);
    *own = *like;
    CHECK_STATUS(carom_model_add(model, &part_disks, own, NULL), CAROM_OK);
    for (size_t j = 0; j < like->ntouch; j++) {
        pair[j][0] = CAROM_WALL_LEFT;
        pair[j][1] = (int32_t)j;
    }
    springy_join(model, like->ntouch, (const int32_t(*)[2])pair, e, k, p);
    return model;
}

/* --- an impact --------------------------------------------------------------------------------------------------- */

struct springy_blow {
    double after[SPRINGY_BODIES], impulse[SPRINGY_CONTACTS], lost[SPRINGY_CONTACTS], rate[SPRINGY_CONTACTS];
    double estimate, duration, before_energy, after_energy;
    size_t steps;
};

static inline double springy_kinetic(const struct carom_model *model, const double *v)
{
    static const double q[SPRINGY_BODIES];
    double part, stored;
    model->member[0].part->energy(model->member[0].own, 0.0, q, v, NULL, &part, &stored);
    return part;
}

static bool springy_usual;                            /* hand over no k and no p, which are then 1 and 3/2 */
static const struct carom_patience *springy_patience; /* NULL: boundless */

static inline enum carom_status springy_strike(const struct carom_impact *impact, const struct carom_model *model,
                                               const void *options, const double *v, const struct carom_trace *trace,
                                               struct springy_blow *blow, struct carom_error *error)
{
    static const double q[SPRINGY_BODIES];
    size_t contact[SPRINGY_CONTACTS];
    const struct carom_group *g = &model->group[0];
    struct carom_frame frame;
    for (size_t j = 0; j < model->nc; j++)
        contact[j] = j;
    CHECK_STATUS(carom_frame_open(&frame, model, model->nc, NULL), CAROM_OK);
    CHECK_STATUS(carom_frame_set(&frame, 0.0, q, contact, model->nc, NULL), CAROM_OK);
    struct carom_striker *striker = carom_striker_create(impact, model, options, model->nc, NULL);
    CHECK_OR_STOP(striker != NULL);
    struct carom_collision c = {.frame = &frame,
                                .e = g->param[CAROM_RIGID_E],
                                .k = springy_usual ? NULL : g->param[CAROM_RIGID_K],
                                .p = springy_usual ? NULL : g->param[CAROM_RIGID_P],
                                .trace = trace,
                                .patience = springy_patience,
                                .v = v,
                                .after = blow->after,
                                .impulse = blow->impulse,
                                .lost = blow->lost,
                                .residual = -1.0, /* of an earlier blow: nothing of it may be left */
                                .estimate = -1.0,
                                .duration = -1.0,
                                .iterations = 1000000};
    const enum carom_status status = impact->solve(striker, &c, error);
    blow->estimate = c.estimate;
    blow->duration = c.duration;
    blow->steps = c.iterations;
    blow->before_energy = springy_kinetic(model, v);
    if (status == CAROM_OK) {
        CHECK(c.residual >= 0.0 && c.estimate >= 0.0 && c.duration >= 0.0);
        blow->after_energy = springy_kinetic(model, blow->after);
        carom_frame_rates(&frame, blow->after, blow->rate);
    }
    carom_striker_free(striker);
    carom_frame_close(&frame);
    return status;
}

#endif
