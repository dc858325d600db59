/* NULL where an object is expected: every public function that can fail says so, with the sentence of whoever failed to
 * make the object, if there is one; most of the others do nothing and answer nothing. And
 * numbers that no table allows are refused where models are built. tests/unit/null_objects.py sees to it that none of
 * the headers' functions is left out here. */
#include <carom/carom.h>
#include <carom/device.h>

#include "check.h"

static struct carom_error error;

/* The call fails with the sentence that stands there. */
#define MISSING(call)                                                                  \
    do {                                                                               \
        error = (struct carom_error){CAROM_E_REFUSED, "the object could not be made"}; \
        CHECK_STATUS(call, CAROM_E_REFUSED);                                           \
        CHECK_TEXT(error.text, "the object could not be made");                        \
        error = (struct carom_error){CAROM_OK, ""};                                    \
        CHECK_STATUS(call, CAROM_E_MEMORY);                                            \
        CHECK_TEXT(error.text, "out of memory");                                       \
    } while (0)

/* The same of a call that makes something. */
#define NOTHING(call)                                                                  \
    do {                                                                               \
        error = (struct carom_error){CAROM_E_REFUSED, "the object could not be made"}; \
        CHECK((call) == NULL);                                                         \
        CHECK_TEXT(error.text, "the object could not be made");                        \
    } while (0)

static const double one[3] = {1.0, 1.0, 1.0};

static void of_models(void)
{
    static const int32_t pair[1][2] = {{CAROM_WALL_LEFT, 0}};
    const double *const columns[CAROM_LAW_WIDTH] = {NULL};
    struct carom_model *model = carom_model_create();
    struct carom_beads *beads = carom_beads_create(2, one, NULL, NULL, NULL);
    const struct carom_signal signal = {0};
    struct carom_scales scales = {0};
    double q[2] = {0.0}, pace = 0.0;
    CHECK_OR_STOP(model != NULL && beads != NULL);
    MISSING(carom_model_add(NULL, &carom_part_beads, NULL, &error));
    MISSING(carom_model_add(model, NULL, NULL, &error));
    MISSING(carom_model_add(model, &carom_part_beads, NULL, &error));
    MISSING(carom_model_join(NULL, &carom_law_rigid, CAROM_END_GAP, 1, pair, one, columns, &error));
    MISSING(carom_model_join(model, NULL, CAROM_END_GAP, 1, pair, one, columns, &error));
    MISSING(carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, 1, NULL, one, columns, &error));
    MISSING(carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, 1, pair, NULL, columns, &error));
    MISSING(carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, 1, pair, one, NULL, &error));
    MISSING(carom_model_rejoin(NULL, &carom_law_rigid, columns, &error));
    MISSING(carom_model_rejoin(model, NULL, columns, &error));
    MISSING(carom_model_rejoin(model, &carom_law_rigid, NULL, &error));
    MISSING(carom_model_finish(NULL, &error));
    NOTHING(carom_beads_create(1, NULL, NULL, NULL, &error));
    MISSING(carom_beads_damp(NULL, one, &error));
    MISSING(carom_beads_damp(beads, NULL, &error));
    MISSING(carom_beads_weigh(NULL, 1.0, &error));
    MISSING(carom_beads_hang(NULL, one, 1.0, true, &error));
    MISSING(carom_beads_hang(beads, NULL, 1.0, true, &error));
    MISSING(carom_beads_push(NULL, 0, &signal, &error));
    MISSING(carom_beads_push(beads, 0, NULL, &error));
    MISSING(carom_beads_drive(NULL, 0, &signal, &error));
    MISSING(carom_beads_drive(beads, 0, NULL, &error));
    MISSING(carom_static_press(NULL, 0, 1, 1.0, q, &error));
    MISSING(carom_scales_find(NULL, one, one, &scales, &error));
    MISSING(carom_scales_within(NULL, one, one, 1.0, &scales, &error));
    MISSING(carom_bodies_finish(NULL, &error));
    NOTHING(carom_mechanism_create(NULL, one, one, &error));
    NOTHING(carom_striker_create(NULL, model, NULL, 1, &error));
    NOTHING(carom_striker_create(&carom_impact_newton, NULL, NULL, 1, &error));
    NOTHING(carom_stepper_create(NULL, model, NULL, &scales, NULL, &error));
    NOTHING(carom_stepper_create(carom_kinds_schemes[0], NULL, NULL, &scales, NULL, &error));
    NOTHING(carom_stepper_create(carom_kinds_schemes[0], model, NULL, NULL, NULL, &error));
    MISSING(carom_stepper_move(NULL, NULL, &error));
    MISSING(carom_param_check(NULL, pace, &error));
    CHECK(!carom_model_chain(NULL) && !carom_model_bodies(NULL) && !carom_mechanism_of(NULL));
    CHECK(!carom_state_create(NULL, 0) && carom_state_hash(NULL) == 0);
    CHECK(carom_stepper_memory(NULL, NULL, NULL) == 0 && !carom_striker_stopped(NULL, &error));
    CHECK(!carom_bodies_keep(NULL, NULL) && !carom_bodies_keep_pieces(NULL, NULL));
    CHECK(carom_param_count(NULL) == 0 && carom_param_find(NULL, "k") == NULL);
    carom_param_defaults(NULL, NULL);
    CHECK_STATUS(carom_model_add(model, &carom_part_beads, beads, NULL), CAROM_OK);
    carom_model_free(model);
}

static void of_sims(void)
{
    const struct carom_kind *kind = &carom_kinds_schemes[0]->kind;
    const struct carom_checkpoint checkpoint = {0};
    const struct carom_setup nothing = {.until = 1.0};
    uint64_t rows, events;
    void *options = carom_options_create(kind);
    CHECK_OR_STOP(options != NULL);
    MISSING(carom_options_set(NULL, options, "tol", 1.0, &error));
    MISSING(carom_options_set(kind, NULL, kind->params[0].name, 1.0, &error));
    MISSING(carom_options_choose(NULL, options, "impact", "lzb", &error));
    MISSING(carom_options_choose(kind, options, NULL, "lzb", &error));
    NOTHING(carom_sim_create(NULL, &error));
    NOTHING(carom_sim_create(&nothing, &error));
    NOTHING(carom_scene_sim(NULL, &error));
    NOTHING(carom_scene_read(NULL, NULL, 0, &error));
    NOTHING(carom_scene_read_as(NULL, NULL, 0, NULL, &error));
    NOTHING(carom_scene_parse("scene", NULL, 1, NULL, 0, &error));
    NOTHING(carom_scene_parse_as("scene", NULL, 1, NULL, 0, NULL, &error));
    MISSING(carom_sim_run(NULL, NULL, &error));
    MISSING(carom_sim_step(NULL, 1, &error));
    MISSING(carom_sim_to(NULL, 1.0, &error));
    MISSING(carom_sim_break(NULL, 1.0, &error));
    MISSING(carom_sim_set(NULL, one, one, &error));
    MISSING(carom_sim_restore(NULL, &checkpoint, &error));
    MISSING(carom_sim_prepare(NULL, NULL, &error));
    MISSING(carom_sim_resume(NULL, NULL, &rows, &events, &error));
    MISSING(carom_sim_checkpoint(NULL, &error));
    NOTHING(carom_device_open(NULL, &error));
    CHECK(carom_options_create(NULL) == NULL && carom_sim_ended(NULL));
    carom_sim_watch(NULL, NULL);
    carom_sim_sync(NULL);
    carom_options_free(options);
}

static void of_recorders(void)
{
    const struct carom_schedule schedule = {.every = 1.0};
    const struct carom_sensor sensor = {.name = "a"};
    const struct carom_choice choice = {0};
    const struct carom_region region = {0};
    NOTHING(carom_recorder_create(NULL, NULL, 0, &schedule, &error));
    MISSING(carom_recorder_sense(NULL, &sensor, &error));
    MISSING(carom_recorder_choose(NULL, &choice, &error));
    MISSING(carom_recorder_region(NULL, &region, &error));
    MISSING(carom_recorder_attach(NULL, &carom_sink_memory, carom_sink_memory_new(), &error));
    MISSING(carom_recorder_begin(NULL, &(struct carom_origin){0}, "dp5", 0, 0, 0, &error));
    MISSING(carom_recorder_sample(NULL, NULL, &error));
    MISSING(carom_recorder_event(NULL, NULL, &error));
    MISSING(carom_recorder_episode(NULL, NULL, &error));
    MISSING(carom_recorder_left_out(NULL, 1, &error));
    MISSING(carom_recorder_stated(NULL, NULL, &error));
    MISSING(carom_recorder_force(NULL, NULL, &error));
    MISSING(carom_recorder_blow(NULL, NULL, &error));
    MISSING(carom_recorder_checkpoint(NULL, NULL, NULL, &error));
    MISSING(carom_recorder_flush(NULL, &error));
    MISSING(carom_recorder_end(NULL, NULL, &error));
    CHECK(!carom_probe_find(NULL) && !carom_sink_hdf5_new(NULL) && !carom_sink_hdf5_resume(NULL, 0, 0));
    CHECK(!carom_sink_csv_new(NULL) && !carom_sink_hdf5_keeps(NULL));
    CHECK(carom_sink_memory_column(NULL, "v", 0) == SIZE_MAX);
}

static void of_run_files(void)
{
    struct carom_run_about about;
    const struct carom_run_item item = {.name = "v"};
    double x;
    uint64_t n, m;
    struct carom_event event;
    struct carom_touch touch;
    struct carom_episode episode;
    struct carom_blow blow;
    struct carom_blow_force force;
    NOTHING(carom_run_file_open(NULL, &error));
    MISSING(carom_run_file_read(NULL, &item, 0, 1, &x, &error));
    MISSING(carom_run_file_times(NULL, 0, 1, &x, &error));
    MISSING(carom_run_file_steps(NULL, 0, 1, &n, &error));
    MISSING(carom_run_file_events(NULL, 0, 1, &event, &error));
    MISSING(carom_run_file_touching(NULL, 0, &n, &m, &error));
    MISSING(carom_run_file_touches(NULL, 0, 1, &touch, &error));
    MISSING(carom_run_file_episodes(NULL, 0, 1, &episode, &error));
    MISSING(carom_run_file_blows(NULL, 0, 1, &blow, &error));
    MISSING(carom_run_file_forces(NULL, 0, 1, &force, &error));
    MISSING(carom_run_check(NULL, &error));
    carom_run_about(NULL, &about);
    CHECK(about.rows == 0 && about.nitems == 0 && *about.title == '\0');
    CHECK(!carom_run_file_item(NULL, "v") && carom_run_items_cells(NULL, "cells", NULL, 0) == 0);
    CHECK(carom_run_ends(NULL, NULL, 0) == 0);
}

static void of_solids(void)
{
    const struct carom_solid_material material = {.young = 1.0, .poisson = 0.0, .density = 1.0};
    const size_t count[3] = {1, 1, 1};
    const double size[3] = {1.0, 1.0, 1.0}, origin[3] = {0.0};
    struct carom_scales scales;
    double omega, q[16] = {0.0};
    NOTHING(carom_solid_box(CAROM_SOLID_SPACE, NULL, size, origin, 0.0, &material, &error));
    NOTHING(carom_solid_box(CAROM_SOLID_SPACE, count, NULL, origin, 0.0, &material, &error));
    NOTHING(carom_solid_box(CAROM_SOLID_SPACE, count, size, NULL, 0.0, &material, &error));
    NOTHING(carom_solid_box(CAROM_SOLID_SPACE, count, size, origin, 0.0, NULL, &error));
    NOTHING(carom_solid_cylinder(8, 1, 1.0, 1.0, 0.1, NULL, &material, &error));
    NOTHING(carom_solid_cylinder(8, 1, 1.0, 1.0, 0.1, origin, NULL, &error));
    MISSING(carom_solid_fill(NULL, &material, 0, NULL, &error));
    MISSING(carom_solid_fill_each(NULL, 1, &material, NULL, &error));
    MISSING(carom_solid_add_load(NULL, NULL, &error));
    MISSING(carom_solid_add_hold(NULL, NULL, &error));
    MISSING(carom_solid_add_set(NULL, "a", 0, NULL, &error));
    MISSING(carom_solid_add_sensor(NULL, "a", origin, &error));
    MISSING(carom_solid_yield(NULL, NULL, &error));
    MISSING(carom_solid_fracture(NULL, NULL, NULL, &error));
    MISSING(carom_solid_self(NULL, false, &error));
    MISSING(carom_solid_bonds_nonlinear(NULL, NULL, &error));
    MISSING(carom_solid_absorb(NULL, 0, &error));
    MISSING(carom_solid_absorb_ready(NULL, &error));
    MISSING(carom_solid_halve(NULL, &error));
    MISSING(carom_solid_scales(NULL, NULL, NULL, &scales, &error));
    MISSING(carom_solid_frequency(NULL, NULL, NULL, &omega, &error));
    MISSING(carom_solid_settle(NULL, 0.0, 1e-6, q, NULL, NULL, &error));
    CHECK(!carom_solid_at(NULL, 0) && !carom_solid_of(NULL, NULL) && carom_solid_count(NULL) == 0);
    CHECK(!carom_solid_part(NULL) && carom_solid_size(NULL) == 0 && carom_solid_reaction_room(NULL) == 0);
    CHECK(carom_solid_faces(NULL, 0, 0, NULL, NULL) == 0 && carom_solid_fracture_crack(NULL, NULL, NULL, NULL) == 0);
    CHECK(carom_solid_sensor_find(NULL, "a", NULL, NULL) == SIZE_MAX);
    carom_solid_add_nothing(NULL);
}

/* What is freed may not have been made. */
static void of_nothing_to_free(void)
{
    carom_model_free(NULL);
    carom_bodies_free(NULL);
    carom_device_free(NULL);
    carom_striker_free(NULL);
    carom_recorder_free(NULL);
    carom_run_file_close(NULL);
    carom_scene_free(NULL);
    carom_stepper_free(NULL);
    carom_options_free(NULL);
    carom_sim_free(NULL);
    carom_solid_free(NULL);
    carom_state_free(NULL);
    CHECK(true);
}

/* --- numbers out of range ----------------------------------------------------------------------------------------- */

/* joins two beads by this law with this value in this column */
static enum carom_status join(const struct carom_law *law, size_t column, double value, double gap)
{
    static const int32_t pair[1][2] = {{0, 1}};
    const double usual = 0.5, *columns[CAROM_LAW_WIDTH] = {NULL};
    struct carom_model *model = carom_model_create();
    for (size_t i = 0; law->kind.params[i].name; i++)
        if (law->kind.params[i].standard == CAROM_REQUIRED)
            columns[i] = &usual;
    columns[column] = &value;
    error = (struct carom_error){CAROM_OK, ""};
    carom_model_add(model, &carom_part_beads, carom_beads_create(2, one, NULL, NULL, NULL), &error);
    carom_model_join(model, law, CAROM_END_GAP, 1, pair, &gap, columns, &error);
    carom_model_free(model);
    return error.status;
}

static void of_laws(void)
{
    const double wrong[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, -1e300, 1e300};
    for (size_t l = 0; carom_kinds_laws[l]; l++) {
        const struct carom_law *law = carom_kinds_laws[l];
        for (size_t c = 0; !law->pull && c < carom_param_count(law->kind.params); c++)
            for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
                if (carom_param_check(&law->kind.params[c], wrong[i], &error) != CAROM_OK) {
                    CHECK_STATUS(join(law, c, wrong[i], 0.0), CAROM_E_INPUT);
                    CHECK_CONTAINS(error.text, law->kind.params[c].name);
                }
    }
    CHECK_STATUS(join(&carom_law_rigid, CAROM_RIGID_E, 0.5, 0.0), CAROM_OK);
    CHECK_STATUS(join(&carom_law_rigid, CAROM_RIGID_E, 7.0, 0.0), CAROM_E_INPUT);
    CHECK_TEXT(error.text, "law rigid, contact 1: e: must be between 0 and 1, got 7");
    CHECK_STATUS(join(&carom_law_rigid, CAROM_RIGID_E, (double)NAN, 0.0), CAROM_E_INPUT);
    CHECK_STATUS(join(&carom_law_rigid, CAROM_RIGID_E, 0.5, (double)NAN), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "the gap of contact 1 must be finite");
}

static enum carom_status beads(double mass, double radius, double spring)
{
    error = (struct carom_error){CAROM_OK, ""};
    struct carom_beads *made = carom_beads_create(1, &mass, &radius, &spring, &error);
    struct carom_model *model = carom_model_create();
    carom_model_add(model, &carom_part_beads, made, &error);
    carom_model_free(model);
    return error.status;
}

static void of_beads(void)
{
    const double wrong[] = {(double)NAN, HUGE_VAL, -1.0};
    const struct carom_signal signal = {.shape = CAROM_SHAPE_CONSTANT, .amplitude = 1.0};
    struct carom_beads *two = carom_beads_create(2, one, NULL, NULL, NULL);
    struct carom_model *model = carom_model_create();
    CHECK_OR_STOP(two != NULL && model != NULL);
    CHECK_STATUS(beads(1.0, 1.0, 0.0), CAROM_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const double each[2] = {0.0, wrong[i]};
        CHECK_STATUS(beads(wrong[i], 1.0, 0.0), CAROM_E_INPUT);
        CHECK_STATUS(beads(1.0, wrong[i], 0.0), CAROM_E_INPUT);
        CHECK_STATUS(beads(1.0, 1.0, wrong[i]), CAROM_E_INPUT);
        CHECK_STATUS(carom_beads_damp(two, each, &error), CAROM_E_INPUT);
        CHECK_CONTAINS(error.text, "damper of body 2");
        CHECK_STATUS(carom_beads_hang(two, each, 9.81, true, &error), CAROM_E_INPUT);
    }
    CHECK_STATUS(carom_beads_weigh(two, (double)NAN, &error), CAROM_E_INPUT);
    CHECK_STATUS(carom_beads_hang(two, one, (double)NAN, true, &error), CAROM_E_INPUT);
    CHECK_STATUS(carom_beads_push(two, 2, &signal, &error), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "there is no bead 2 among 2");
    CHECK_STATUS(carom_beads_drive(two, 2, &signal, &error), CAROM_E_INPUT);
    CHECK_STATUS(carom_beads_drive(two, -3, &signal, &error), CAROM_E_INPUT);
    CHECK_STATUS(carom_model_add(model, &carom_part_beads, two, NULL), CAROM_OK);
    carom_model_free(model);
}

/* a run that would never end, or is over before it begins */
static void of_times(void)
{
    const double wrong[] = {(double)NAN, HUGE_VAL, -1.0, 0.0}, q[1] = {0.0}, v[1] = {1.0};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct carom_model *model = carom_model_create();
        error = (struct carom_error){CAROM_OK, ""};
        carom_model_add(model, &carom_part_beads, carom_beads_create(1, one, NULL, NULL, NULL), &error);
        CHECK_STATUS(carom_model_finish(model, &error), CAROM_OK);
        const struct carom_setup setup = {
            .model = model, .scheme = carom_kinds_schemes[0], .q = q, .v = v, .until = wrong[i], .threads = 1};
        CHECK(carom_sim_create(&setup, &error) == NULL);
        CHECK_CONTAINS(error.text, "until must be positive and finite");
    }
}

int main(void)
{
    of_models();
    of_sims();
    of_recorders();
    of_run_files();
    of_solids();
    of_nothing_to_free();
    of_laws();
    of_beads();
    of_times();
    return check_end();
}
