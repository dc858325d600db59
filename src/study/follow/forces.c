/* Forces inside impacts that have a time of their own: samples at a 160th of a contact. */
#include "study/follow/forces.h"

#include <math.h>

#include "base/memory.h"
#include "carom/bodies.h"
#include "carom/law.h"
#include "model/bodies/meet.h"

enum { SAMPLES = 160 };

void carom_forces_close(struct carom_forces *forces)
{
    carom_peak_force_close(&forces->peak);
    carom_memory_free(forces->inside);
    *forces = (struct carom_forces){0};
}

enum carom_status carom_forces_open(struct carom_forces *forces, const struct carom_model *model,
                                    struct carom_error *error)
{
    *forces = (struct carom_forces){0};
    return carom_peak_force_open(&forces->peak, model->nc, model->nh, error);
}

/* --- inside impacts ---------------------------------------------------------------------------------------------- */

static void hear_force(void *own, size_t j, double time, double force)
{
    carom_peak_force_told(&((struct carom_forces *)own)->inside[j], time, force);
}

static void hear_end(void *own, double time, double duration, double estimate)
{
    struct carom_forces *f = own;
    (void)time, (void)duration, (void)estimate;
    for (size_t j = 0; j < f->peak.n; j++)
        carom_peak_force_sampled(&f->inside[j]);
}

/* samples are so close that the top between two of them is higher by 1e-4 at most */
static void hear_pair(void *own, size_t pair, double time, double force)
{
    struct carom_forces *f = own;
    for (struct carom_forces_top *top = f->top; top < f->top + f->ntops; top++)
        if ((top->pair == 0 || top->pair == pair) && force > top->episode.peak_force)
            top->episode = (struct carom_episode){.contact = pair, .peak_time = time, .peak_force = force};
}

static void hear_nothing(void *own, double time, double duration, double estimate)
{
    (void)own, (void)time, (void)duration, (void)estimate;
}

/* How long a pair touches when it closes with V: some 3 times its deepest overlap over V. */
static double touches(double k, double p, double mass, double speed)
{
    return 3.0 / speed * pow(0.5 * (p + 1.0) * speed * speed * mass / k, 1.0 / (p + 1.0));
}

/* the shortest contact of a body with its like: what it meets is heavier, or as soon over */
static double contact_time_bodies(const struct carom_bodies *b, double speed)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < b->n && speed > 0.0; i++) {
        const struct carom_body *body = &b->body[i];
        const uint32_t pairing = b->meets[body->material * b->nmaterials + body->material];
        if (body->fixed || pairing == CAROM_UNPAIRED || carom_meet_features(body, body) == 0)
            continue;
        const struct carom_scaled *k = &b->pairing[pairing].param[CAROM_RIGID_K];
        const double mass = carom_meet_mass(body, body),
                     stiff = k->param * pow(carom_meet_radius(body, body), k->radius_power) * pow(mass, k->mass_power);
        if (stiff > 0.0)
            least = fmin(least, touches(stiff, b->pairing[pairing].param[CAROM_RIGID_P].param, mass, speed));
    }
    return least < HUGE_VAL ? least : 0.0;
}

/* the shortest of all */
static double contact_time(const struct carom_model *model, double speed)
{
    const struct carom_beads *beads = carom_model_chain(model);
    double least = HUGE_VAL;
    for (size_t i = 0; i < model->ngroups && speed > 0.0; i++) {
        const struct carom_group *g = &model->group[i];
        for (size_t j = 0; g->law->rigid && j < g->count; j++) {
            const double k = g->param[CAROM_RIGID_K][j], p = g->param[CAROM_RIGID_P][j];
            const int32_t *pair = model->pair[g->first + j];
            double inverse = beads != NULL ? 0.0 : 1.0;
            for (int side = 0; beads != NULL && side < 2; side++)
                inverse += pair[side] < 0 ? 0.0 : beads->inverse_mass[pair[side]];
            if (k > 0.0 && inverse > 0.0)
                least = fmin(least, touches(k, p, 1.0 / inverse, speed));
        }
    }
    return least < HUGE_VAL ? least : 0.0;
}

bool carom_forces_told(const struct carom_stepper *stepper)
{
    return stepper->traces && !stepper->model->frictional;
}

enum carom_status carom_forces_listen(struct carom_forces *forces, struct carom_stepper *stepper,
                                      struct carom_error *error)
{
    const struct carom_bodies *bodies = carom_model_bodies(stepper->model);
    if (!carom_forces_told(stepper))
        return CAROM_OK;
    if (bodies != NULL) {
        forces->trace = (struct carom_trace){.every = contact_time_bodies(bodies, stepper->scales.speed) / SAMPLES,
                                             .force = hear_pair,
                                             .end = hear_nothing,
                                             .own = forces};
        stepper->trace = &forces->trace;
        return CAROM_OK;
    }
    if (stepper->model->nc == 0)
        return CAROM_OK;
    forces->inside = carom_memory_zeroed(stepper->model->nc, sizeof *forces->inside);
    if (forces->inside == NULL)
        return carom_memory_error(error);
    forces->trace = (struct carom_trace){.every = contact_time(stepper->model, stepper->scales.speed) / SAMPLES,
                                         .force = hear_force,
                                         .end = hear_end,
                                         .own = forces};
    stepper->trace = &forces->trace;
    return CAROM_OK;
}

void carom_forces_end(struct carom_forces *forces)
{
    struct carom_peak_force *peak = &forces->peak;
    carom_peak_force_end(peak);
    for (size_t j = 0; forces->inside != NULL && j < peak->n; j++)
        if (forces->inside[j].largest > peak->largest[j]) {
            peak->largest[j] = forces->inside[j].largest;
            peak->when[j] = forces->inside[j].when;
        }
}
