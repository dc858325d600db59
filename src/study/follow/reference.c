/* References: closed forms, tighter runs or files, read as they are needed, so that no trajectory is kept. */
#include "study/follow/reference.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "model/bodies/linkage.h"
#include "model/solid/solid.h"
#include "study/theories.h"
#include "study/variant.h"

#define ROUNDING 1e-12 /* of U and V */

void carom_reference_sup(struct carom_sup *sup, const struct carom_apart_place *a, const struct carom_apart_place *b)
{
    double u, v;
    carom_apart_between(a, b, &u, &v);
    sup->u = fmax(sup->u, u);
    sup->v = fmax(sup->v, v);
    sup->times++;
}

void carom_reference_sum(struct carom_sup *sum, double weight, const struct carom_apart_place *a,
                         const struct carom_apart_place *b)
{
    double u, v;
    carom_apart_between(a, b, &u, &v);
    sum->u += weight * u;
    sum->v += weight * v;
    sum->times++;
}

/* --- closed forms ------------------------------------------------------------------------------------------------ */

enum carom_status carom_reference_open_closed(struct carom_reference *reference, const struct carom_scene *scene,
                                              struct carom_error *error)
{
    struct carom_academic problem;
    *reference = (struct carom_reference){.next = HUGE_VAL};
    if (!carom_academic_recognise(scene->model, scene->q, scene->v, &problem))
        return CAROM_OK;
    const enum carom_status status = carom_academic_open(&reference->exact, &problem, scene->until, error);
    reference->closed = status == CAROM_OK;
    return status == CAROM_E_MEMORY ? status : CAROM_OK;
}

static enum carom_status look_up(struct carom_reference *reference, double t)
{
    const struct carom_academic_place at = carom_academic_at(&reference->exact, t);
    reference->exact_q = at.q;
    reference->exact_v = at.right;
    reference->at.q = &reference->exact_q;
    reference->at.v = &reference->exact_v;
    return CAROM_OK;
}

bool carom_reference_tells(const struct carom_sup *sup, const struct carom_sup *doubt, double times,
                           const struct carom_scales *scales)
{
    return doubt->u <= fmax(sup->u / times, ROUNDING * scales->length) &&
           doubt->v <= fmax(sup->v / times, ROUNDING * scales->speed);
}

/* --- tighter runs ----------------------------------------------------------------------------------------------- */

const struct carom_scheme *carom_reference_scheme(const struct carom_model *model)
{
    return model->offers & CAROM_COMPLIANT ? &carom_scheme_dp5 : &carom_scheme_event;
}

/* solids with drives, absorbing sides or flow, struck ones, and large ones */
static bool only_rattle(const struct carom_model *model)
{
    const struct carom_solid *s = carom_solid_of(model, NULL);
    return s != NULL && (carom_solid_driven(s) || s->nabsorbing > 0 || s->flow || s->breaks != NULL ||
                         model->encounter != NULL || s->n > CAROM_SOLID_GENERAL);
}

/* The impact of the reference that means what `blow` of a scheme with steps does; NULL: its own. */
static const char *impact_of(const struct carom_scene *scene)
{
    const struct carom_param *blow = carom_param_find(scene->scheme->kind.params, "blow");
    if (blow == NULL || scene->options == NULL)
        return NULL;
    const char *law = blow->choices[(size_t)carom_param_value(blow, scene->options)];
    return strcmp(law, "newton") == 0 ? "moreau" : strcmp(law, "stronge") == 0 ? "lzb" : law; /* those are the same */
}

static enum carom_status open_track(struct carom_track *track, const struct carom_scene *scene, const char *name,
                                    double tol, const struct carom_watch *watch, struct carom_error *error)
{
    struct carom_scene *again = carom_variant_of(scene, name, NULL, 0, error);
    if (again == NULL)
        return error->status;
    const struct carom_scheme *scheme = carom_reference_scheme(again->model);
    const char *impact = impact_of(again);
    enum carom_status status = CAROM_OK;
    if (only_rattle(again->model))
        status = carom_error_set(error, CAROM_E_REFUSED,
                                 "it knows neither drives, absorbing sides, flow and balls that strike, nor solids of "
                                 "more than %zu cells; 'carom converge' with steps compares with smaller ones",
                                 CAROM_SOLID_GENERAL);
    if (status == CAROM_OK)
        status = carom_theories_move(&again, name, scheme, scheme == &carom_scheme_event ? impact : NULL, error);
    if (status == CAROM_OK)
        status = carom_variant_option(again, "tol", tol, error);
    if (status == CAROM_OK)
        status = carom_variant_option(again, "share", 0.1, error); /* no pilots: the check tells how good it is */
    again->until = scene->until;
    if (status == CAROM_OK)
        status = carom_track_open(track, again, watch, error);
    carom_scene_free(again);
    if (status == CAROM_OK)
        return CAROM_OK;
    return carom_error_prefix(error, "the reference, %s with tol = %g", scheme->kind.name, tol);
}

static enum carom_status open_fine_track(struct carom_track *track, const struct carom_scene *scene, const char *name,
                                         double step, const struct carom_watch *watch, struct carom_error *error)
{
    struct carom_scene *again = carom_variant_of(scene, name, NULL, 0, error);
    if (again == NULL)
        return error->status;
    enum carom_status status = carom_variant_scheme(again, scene->scheme, error);
    if (status == CAROM_OK)
        status = carom_variant_option(again, "step", step, error);
    again->until = scene->until;
    if (status == CAROM_OK)
        status = carom_track_open(track, again, watch, error);
    carom_scene_free(again);
    return status == CAROM_OK ? CAROM_OK : carom_error_prefix(error, "the reference, with step = %g", step);
}

enum carom_status carom_reference_open_fine(struct carom_reference *reference, const struct carom_scene *scene,
                                            const char *name, double step, const struct carom_watch *watch,
                                            struct carom_error *error)
{
    *reference = (struct carom_reference){.next = HUGE_VAL};
    enum carom_status status = open_fine_track(&reference->best, scene, name, step, watch, error);
    if (status == CAROM_OK)
        status = open_fine_track(&reference->check, scene, name, 2.0 * step, watch, error);
    if (status != CAROM_OK)
        carom_reference_close(reference);
    return status;
}

enum carom_status carom_reference_open(struct carom_reference *reference, const struct carom_scene *scene,
                                       const char *name, double tol, bool checked, const struct carom_watch *watch,
                                       struct carom_error *error)
{
    *reference = (struct carom_reference){.next = HUGE_VAL};
    enum carom_status status = open_track(&reference->best, scene, name, tol, watch, error);
    if (status == CAROM_OK && checked)
        status = open_track(&reference->check, scene, name, 10.0 * tol, watch, error);
    if (status != CAROM_OK)
        carom_reference_close(reference);
    return status;
}

static enum carom_status follow(struct carom_reference *reference, double t, struct carom_error *error)
{
    const struct carom_sim *check = reference->check.sim;
    if (carom_sim_to(reference->best.sim, t, error) != CAROM_OK)
        return carom_error_prefix(error, "the reference");
    if (check != NULL) {
        if (carom_sim_to(reference->check.sim, t, error) != CAROM_OK)
            return carom_error_prefix(error, "the check of the reference");
        const struct carom_apart_place here = carom_track_place(&reference->best);
        const struct carom_apart_place there = carom_track_place(&reference->check);
        if (reference->norm == CAROM_NORM_L1)
            carom_reference_sum(&reference->doubt, t - reference->last, &here, &there);
        else
            carom_reference_sup(&reference->doubt, &here, &there);
        reference->last = t;
    }
    reference->at = carom_track_place(&reference->best);
    return CAROM_OK;
}

/* --- files ------------------------------------------------------------------------------------------------------ */

static enum carom_status find_next(struct carom_reference *reference, struct carom_error *error)
{
    reference->next = HUGE_VAL;
    if (reference->row >= reference->run->rows)
        return CAROM_OK;
    return carom_run_file_times(reference->run, reference->row, 1, &reference->next, error);
}

static enum carom_status read_row(struct carom_reference *reference, struct carom_error *error)
{
    const struct carom_run_file *run = reference->run;
    if (carom_run_file_read(run, reference->item[0], reference->row, 1, reference->u_row, error) != CAROM_OK ||
        carom_run_file_read(run, reference->item[1], reference->row, 1, reference->v_row, error) != CAROM_OK)
        return error->status;
    reference->row++;
    reference->at.q = reference->u_row;
    reference->at.v = reference->v_row;
    return find_next(reference, error);
}

static enum carom_status check_file(struct carom_reference *reference, const char *path,
                                    const struct carom_model *model, struct carom_error *error)
{
    static const char *const names[] = {"u", "v"};
    const size_t wanted[] = {model->nq, model->nv};
    if (carom_solid_of(model, NULL) != NULL)
        return carom_error_set(error, CAROM_E_REFUSED, "%s: a run of a solid cannot be a reference; leave it out",
                               path);
    if (carom_linkage_bodies(model) != NULL)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "%s: a run of bodies of plane or space cannot be a reference; leave it out", path);
    for (size_t i = 0; i < 2; i++) {
        const struct carom_run_item *item = carom_run_file_item(reference->run, names[i]);
        if (item == NULL)
            return carom_error_set(error, CAROM_E_INPUT, "%s: %s was not recorded, so it cannot be a reference", path,
                                   names[i]);
        if (item->width != wanted[i])
            return carom_error_set(error, CAROM_E_INPUT, "%s: has %zu bodies, the scene has %zu", path, item->width,
                                   wanted[i]);
        reference->item[i] = item;
    }
    if (reference->run->rows == 0)
        return carom_error_set(error, CAROM_E_INPUT, "%s: holds no samples", path);
    return CAROM_OK;
}

enum carom_status carom_reference_open_file(struct carom_reference *reference, const char *path,
                                            const struct carom_model *model, struct carom_error *error)
{
    *reference = (struct carom_reference){.next = HUGE_VAL};
    reference->run = carom_run_file_open(path, error);
    if (reference->run == NULL)
        return error->status;
    reference->u_row = carom_memory_zeroed(model->nq, sizeof(double));
    reference->v_row = carom_memory_zeroed(model->nv, sizeof(double));
    enum carom_status status = CAROM_OK;
    if (reference->u_row == NULL || reference->v_row == NULL)
        status = carom_error_set(error, CAROM_E_MEMORY, "%s: out of memory", path);
    if (status == CAROM_OK)
        status = check_file(reference, path, model, error);
    if (status == CAROM_OK)
        status = find_next(reference, error);
    if (status != CAROM_OK)
        carom_reference_close(reference);
    return status;
}

/* --- both ------------------------------------------------------------------------------------------------------- */

void carom_reference_close(struct carom_reference *reference)
{
    carom_track_close(&reference->best);
    carom_track_close(&reference->check);
    if (reference->run != NULL)
        carom_run_file_close(reference->run);
    carom_memory_free_all(reference->u_row, reference->v_row);
    carom_academic_close(&reference->exact);
    *reference = (struct carom_reference){0};
}

enum carom_status carom_reference_at(struct carom_reference *reference, double t, struct carom_error *error)
{
    if (reference->closed)
        return look_up(reference, t);
    return reference->run != NULL ? read_row(reference, error) : follow(reference, t, error);
}
