/* Embedding carom: a mechanism of our own, by callbacks. A bead slides without friction on a rod that turns about one
 * end, and a stop on the rod keeps it from flying off: q = (angle, distance from the hinge). Slopes of the gap and the
 * centrifugal terms are left to carom. Build: cc own_mechanism.c $(pkg-config --cflags --libs --static carom) */
#include <carom/carom.h>
#include <stdio.h>

static void mass(const void *own, const double *q, double *m)
{
    (void)own;
    m[0] = 0.5 + q[1] * q[1]; /* the rod's inertia, and the bead's */
    m[1] = m[2] = 0.0;
    m[3] = 1.0;
}

static double distance(const void *own, size_t i, double t, const double *q)
{
    (void)i;
    (void)t;
    return *(const double *)own - q[1];
}

int main(void)
{
    struct carom_error error = {CAROM_OK, ""};
    double stop = 1.0, q[2] = {0.0, 0.2}, v[2] = {2.0, 0.0};
    const struct carom_mechanism rod = {
        .name = "rod", .n = 2, .ndistances = 1, .own = &stop, .mass = mass, .distance = distance};
    const double gap[1] = {0.0}, e[1] = {0.5}, *const columns[CAROM_RIGID_COLUMNS] = {e};
    const int32_t pair[1][2] = {{CAROM_WALL_LEFT, 0}}; /* gap = distance 0 */
    struct carom_model *model = carom_model_create();
    void *part = carom_mechanism_create(&rod, q, v, &error);
    const bool ready =
        carom_model_add(model, &carom_part_mechanism, part, &error) == CAROM_OK &&
        carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, 1, pair, gap, columns, &error) == CAROM_OK &&
        carom_model_finish(model, &error) == CAROM_OK;
    if (!ready) {
        fprintf(stderr, "%s\n", error.text);
        carom_model_free(model);
        return 1;
    }
    const struct carom_setup setup = {.model = model, .scheme = &carom_scheme_event, .q = q, .v = v, .until = 20.0};
    struct carom_sim *sim = carom_sim_create(&setup, &error);
    if (!sim || carom_sim_to(sim, 20.0, &error) != CAROM_OK) {
        fprintf(stderr, "%s\n", error.text);
        carom_sim_free(sim);
        return 1;
    }
    const double spin = (0.5 + sim->view->q[1] * sim->view->q[1]) * sim->view->v[0];
    printf("after t = 20: distance %.9f, turning with %.9f, angular momentum %.12f\n", sim->view->q[1], sim->view->v[0],
           spin);
    const bool good = fabs(spin - 0.54 * 2.0) < 1e-7 && fabs(sim->view->q[1] - stop) < 1e-6; /* at rest on the stop */
    carom_sim_free(sim);
    return good ? 0 : 1;
}
