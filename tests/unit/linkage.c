/* Bodies and joints as one mechanism: its contacts have names by which `check` tells them apart, and in space errors of
 * turns count by how far a body reaches. */
#include "model/bodies/linkage.h"
#include "model/motion.h"
#include "runs.h"

static const char scene[] =
    "{units: none, theory: nonsmooth, gravity: [0, -5], bodies: [{box: {name: a, at: [0.5, 0], size: [1, 0.2], mass: "
    "1}}, "
    "{polygon: {name: b, points: [[-0.5, 0], [0.5, -0.2], [0.5, 0.2]], at: [1.5, 0], mass: 2}}, "
    "{disc: {at: [2.3, -0.3], radius: 0.2, mass: 0.5}}, {plane: {at: [0, -0.8], normal: [0, 1]}}], "
    "joints: [{hinge: {bodies: [1, world], at: [0, 0], limits: [-0.4, 0.3]}}, {hinge: {bodies: [2, 1], at: [1, 0]}}], "
    "contacts: [{e: 0.5}, {between: [a, b], meet: false}], run: {until: 0.1, scheme: event}}";

static const char *const names[] = {
    "bodies 1 and 3, place 1",  "bodies 1 and 4, corner 1", "bodies 1 and 4, corner 2", "bodies 1 and 4, corner 3",
    "bodies 1 and 4, corner 4", "bodies 2 and 3, place 1",  "bodies 2 and 4, corner 1", "bodies 2 and 4, corner 2",
    "bodies 2 and 4, corner 3", "bodies 3 and 4, place 1",  "lower limit of joint 1",   "upper limit of joint 1",
};

static const char spaced[] =
    "{units: none, theory: nonsmooth, bodies: [{sphere: {at: [0, 0, 9], radius: 0.5, mass: 1}}, {box: {at: [0, 0, 2], "
    "size: [2, 4, 4], mass: 1, spin: [1, 2, 3]}}, {plane: {at: [0, 0, -2], normal: [0, 0, 1]}}], contacts: {e: 0.5}, "
    "run: {until: 0.1, scheme: event}}";

/* contacts with a container say which of its walls they are at */
static const char contained[] =
    "{units: none, theory: nonsmooth, bodies: [{sphere: {at: [0, 0, 3], radius: 0.5, mass: 1}}, {box: {at: [0, 0, 0], "
    "size: [2, 2, 2], mass: 1}}, {box: {at: [0, 0, 0], size: [8, 8, 8], inside: true, fixed: true}}], "
    "contacts: {e: 0.5}, run: {until: 0.1, scheme: event}}";

static void check_walls(void)
{
    static const struct {
        size_t contact;
        const char *name;
    } told[] = {{0, "bodies 1 and 2, place 1"},
                {1, "bodies 1 and 3, wall -x"},
                {6, "bodies 1 and 3, wall +z"},
                {7, "bodies 2 and 3, wall -x, corner 1"},
                {7 + 37, "bodies 2 and 3, wall -z, corner 6"},
                {7 + 47, "bodies 2 and 3, wall +z, corner 8"}};
    struct carom_sim *sim = runs_sim(contained);
    char name[80];
    CHECK_OR_STOP(sim->model->nc == 1 + 6 + 48);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        carom_linkage_name(sim->model, told[i].contact, name, sizeof name);
        CHECK_TEXT(name, told[i].name);
    }
    carom_sim_free(sim);
}

static void check_space(void)
{
    struct carom_sim *sim = runs_sim(spaced);
    const struct carom_model *model = sim->model;
    CHECK_OR_STOP(model->nq == 14 && model->nv == 12);
    CHECK(model->nc == 10); /* one place of the two, one of the sphere, eight corners */
    CHECK(carom_motion_lever(model, false, 2) == 1.0 && carom_motion_lever(model, true, 2) == 1.0);
    CHECK(carom_motion_lever(model, false, 3) == 1.0 && carom_motion_lever(model, true, 3) == 0.5);
    CHECK(carom_motion_lever(model, false, 13) == 6.0 && carom_motion_lever(model, true, 11) == 3.0);
    carom_sim_free(sim);
}

int main(void)
{
    struct carom_sim *sim = runs_sim(scene);
    char name[80];
    CHECK_OR_STOP(sim->model->nc == sizeof names / sizeof *names);
    for (size_t i = 0; i < sim->model->nc; i++) {
        carom_linkage_name(sim->model, i, name, sizeof name);
        CHECK_TEXT(name, names[i]);
    }
    carom_sim_free(sim);
    check_space();
    check_walls();
    return check_end();
}
