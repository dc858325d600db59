/* Bodies and joints of the plane as one mechanism: its contacts have names by which `check` tells them apart. */
#include "model/bodies/linkage.h"
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
    return check_end();
}
