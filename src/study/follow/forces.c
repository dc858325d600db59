/* Forces of a view: of compliant contacts by their laws, of rigid ones as the scheme has found them. Inside impacts
 * that have a time of their own, samples at a 160th of a contact. */
#include "study/follow/forces.h"

#include <string.h>

#include "base/memory.h"

enum { ARRAYS = 8, SAMPLES = 160 };

void carom_forces_close(struct carom_forces *forces)
{
    carom_peaks_close(&forces->peaks);
    carom_memory_free(forces->block);
    *forces = (struct carom_forces){0};
}

enum carom_status carom_forces_open(struct carom_forces *forces, size_t nc, struct carom_error *error)
{
    *forces = (struct carom_forces){.block = carom_memory_zeroed(nc, ARRAYS * sizeof(double))};
    if (forces->block == NULL)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory");
    double **const array[ARRAYS] = {&forces->last[0], &forces->last[1], &forces->last_time[0], &forces->last_time[1],
                                    &forces->deform,  &forces->rate,    &forces->drag,         &forces->when};
    for (size_t i = 0; i < ARRAYS; i++)
        *array[i] = forces->block + i * nc;
    return carom_peaks_open(&forces->peaks, nc, error);
}

/* --- inside impacts ---------------------------------------------------------------------------------------------- */

/* The larger of the samples, or the top of the parabola through three at even distances. */
static void hear_force(void *own, size_t j, double time, double force)
{
    struct carom_forces *f = own;
    const double a = f->last[0][j], b = f->last[1][j], bend = a - 2.0 * b + force;
    const double early = f->last_time[1][j] - f->last_time[0][j], late = time - f->last_time[1][j];
    const bool even = early > 0.0 && fabs(late - early) < 1e-6 * early;
    const bool top = even && b >= a && b >= force && bend < 0.0;
    const double found = top ? b - (force - a) * (force - a) / (8.0 * bend) : force;
    if (found > f->peaks.largest[j]) {
        f->peaks.largest[j] = found;
        f->when[j] = top ? f->last_time[1][j] + 0.5 * late * (a - force) / bend : time;
    }
    f->last[0][j] = b;
    f->last_time[0][j] = f->last_time[1][j];
    f->last[1][j] = force;
    f->last_time[1][j] = time;
}

static void hear_end(void *own, double time, double duration, double estimate)
{
    struct carom_forces *f = own;
    (void)time, (void)duration, (void)estimate;
    memset(f->block, 0, 4 * f->peaks.n * sizeof *f->block); /* the last samples of all contacts */
}

/* How long a pair touches when it closes with V: some 3 times its deepest overlap over V; the shortest of all. */
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
                least = fmin(least, 3.0 / speed * pow(0.5 * (p + 1.0) * speed * speed / inverse / k, 1.0 / (p + 1.0)));
        }
    }
    return least < HUGE_VAL ? least : 0.0;
}

bool carom_forces_listen(struct carom_forces *forces, struct carom_stepper *stepper)
{
    if (!stepper->traces)
        return false;
    forces->trace = (struct carom_trace){.every = contact_time(stepper->model, stepper->scales.speed) / SAMPLES,
                                         .force = hear_force,
                                         .end = hear_end,
                                         .own = forces};
    stepper->trace = &forces->trace;
    return true;
}

/* --- views ------------------------------------------------------------------------------------------------------- */

/* When the parabola through the last three forces is highest: as in scheme/peaks.c, which keeps how high that is. */
static double summit(const struct carom_peaks *peaks, size_t j)
{
    const double *t = peaks->time, f1 = peaks->force[1][j];
    const double a = (f1 - peaks->force[0][j]) / (t[1] - t[0]), b = (peaks->force[2][j] - f1) / (t[2] - t[1]);
    const double bend = (b - a) / (t[2] - t[0]), slope = a + bend * (t[1] - t[0]);
    return bend < 0.0 ? t[1] - 0.5 * slope / bend : t[1];
}

void carom_forces_note(struct carom_forces *forces, const struct carom_model *model, const struct carom_state *view,
                       bool clip)
{
    double *force = carom_peaks_turn(&forces->peaks, view->time), *largest = forces->peaks.largest;
    const struct carom_response want = {.elastic = force, .drag = forces->drag};
    carom_contacts_deform(model, view->time, view->q, view->v, forces->deform, forces->rate);
    carom_contacts_evaluate(model, 0, model->nc, forces->deform, forces->rate, view->history, &want);
    for (size_t j = 0; j < model->nc; j++)
        force[j] = forces->deform[j] > 0.0 ? force[j] + forces->drag[j] * forces->rate[j] : 0.0;
    for (size_t g = 0; clip && g < model->ngroups; g++)
        for (size_t j = model->group[g].first; j < model->group[g].first + model->group[g].count; j++)
            if (model->group[g].ending == CAROM_END_FORCE && force[j] < 0.0)
                force[j] = 0.0;
    for (size_t j = 0; j < view->nforce; j++) /* of rigid contacts, which schemes find out */
        force[j] = view->force[j];
    memcpy(forces->deform, largest, model->nc * sizeof *largest); /* has done its service */
    carom_peaks_note(&forces->peaks);
    for (size_t j = 0; j < model->nc; j++)
        if (largest[j] > forces->deform[j])
            forces->when[j] = largest[j] == force[j] ? view->time : summit(&forces->peaks, j);
}
