/* The scale U of bodies that lie on a tilted plane: gaps of the size of rounding are none, and U is the size of the
 * body however it is turned and wherever it lies. What loads do to a row until a time, and impulses as a whole. */
#include "carom/carom.h"
#include "check.h"
#include "model/beads/loads_scale.h"
#include "runs.h"

/* a body that touches the plane below it, at the origin before it is turned about `axis` by `angle` and shifted */
struct lying {
    const char *body; /* its entry, without place */
    double height;    /* of its centre */
    double size;      /* from end to end */
};

static const struct lying bodies[] = {
    {"capsule: {length: 1, radius: 0.25, mass: 2", 0.25, 1.5},
    {"box: {size: [1, 0.6, 0.5], mass: 2", 0.25, 1.3},
    {"polyhedron: {points: [[-0.5, -0.4, -0.3], [0.5, -0.4, -0.3], [0.5, 0.4, -0.3], [-0.5, 0.4, -0.3], "
     "[-0.5, -0.4, 0.3], [0.5, -0.4, 0.3], [0.5, 0.4, 0.3], [-0.5, 0.4, 0.3]], mass: 2",
     0.3, 1.4},
    {"compound: {parts: [{sphere: {at: [-0.5, 0, 0], radius: 0.3}}, {sphere: {at: [0.5, 0, 0], radius: 0.3}}], mass: 2",
     0.3, 1.6},
};

/* v turned about the unit vector (c, s, 0) by the angle */
static void turn(double c, double s, double angle, const double v[3], double out[3])
{
    const double along = (c * v[0] + s * v[1]) * (1.0 - cos(angle));
    out[0] = v[0] * cos(angle) + s * v[2] * sin(angle) + c * along;
    out[1] = v[1] * cos(angle) - c * v[2] * sin(angle) + s * along;
    out[2] = v[2] * cos(angle) + (c * v[1] - s * v[0]) * sin(angle);
}

static double length_of(const struct lying *lying, double way, double angle, const double at[3], double until)
{
    const double up[3] = {0.0, 0.0, 1.0}, flat[3] = {0.3, 0.9, 0.0}, c = cos(way), s = sin(way);
    double normal[3], axis[3];
    char turned[200], text[2000];
    struct carom_error error = {CAROM_OK, ""};
    turn(c, s, angle, up, normal);
    turn(c, s, angle, flat, axis);
    if (lying == bodies) /* a capsule */
        snprintf(turned, sizeof turned, "axis: [%.17g, %.17g, %.17g]", axis[0], axis[1], axis[2]);
    else
        snprintf(turned, sizeof turned, "turn: {axis: [%.17g, %.17g, 0], angle: %.17g}", c, s, angle);
    snprintf(text, sizeof text,
             "units: none\ntheory: nonsmooth\ngravity: [0, 0, -10]\nbodies:\n"
             "  - %s, at: [%.17g, %.17g, %.17g], %s}\n  - plane: {at: [%.17g, %.17g, %.17g], normal: [%.17g, %.17g, "
             "%.17g]}\ncontacts: {law: rigid, e: 0, mu: 3}\nrun: {until: %g, scheme: event, tol: 1e-6}\n",
             lying->body, at[0] + lying->height * normal[0], at[1] + lying->height * normal[1],
             at[2] + lying->height * normal[2], turned, at[0], at[1], at[2], normal[0], normal[1], normal[2], until);
    struct carom_scene *scene = carom_scene_parse("t.yaml", text, strlen(text), NULL, 0, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(scene != NULL);
    const double length = scene->scales.length;
    carom_scene_free(scene);
    return length;
}

/* masses 4 and 0.5; what a load gives is its force for all the time, or for as long as it acts */
static void check_loads(void)
{
    static const struct {
        const char *loads;
        double until, speed;
    } given[] = {
        {"{body: 1, force: {shape: constant, amplitude: -2}}", 3.0, 1.5},
        {"{body: 2, force: {shape: constant, amplitude: 2}}", 3.0, 12.0},
        {"{body: 1, force: {shape: step, amplitude: 2, duration: 0.5}}", 3.0, 0.25},
        {"{body: 1, force: {shape: step, amplitude: 2, duration: 0.5}}", 0.25, 0.125},
        {"{body: 1, force: {shape: constant, amplitude: 8}}, {body: 2, force: {shape: constant, amplitude: 1}}", 1.0,
         2.0}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        char text[500];
        snprintf(
            text, sizeof text,
            "units: none\nbodies: [bead: {mass: 4}, bead: {mass: 0.5, gap_before: 1}]\ncontacts: {law: hertz, k: 1e3}\n"
            "loads: [%s]\nrun: {until: 1}\n",
            given[i].loads);
        struct carom_scene *scene = runs_scene(text, NULL, 0);
        CHECK_NEAR(carom_loads_scale_free(scene->model, scene->q, given[i].until), given[i].speed,
                   1e-12 * given[i].speed);
        carom_scene_free(scene);
    }
}

int main(void)
{
    check_loads();
    const double at[][3] = {{0.0, 0.0, 0.0}, {3.7, -1.9, 0.6}, {-41.3, 77.7, 23.9}};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        for (int k = 0; k < 24; k++) {
            const double length = length_of(&bodies[i], 0.7 * k, 0.05 * k, at[k % 3], k % 2 ? 1.0 : 0.01);
            CHECK(length > bodies[i].size / 4.0 && length < 4.0 * bodies[i].size);
        }
    return check_end();
}
