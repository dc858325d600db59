/* The error of impact lzb follows impact_tol: against a run at 1e-13, for rows and lattices, lossless, lossy and with
 * small es; and es = 1 in free rows is the Hertz chain, whose bodies move, by dp5. The stated error is not much below
 * the true one. */
#include "carom/scene.h"
#include "springy.h"

#include <stdio.h>

/* --- tolerance --------------------------------------------------------------------------------------------------- */

static void compare(const struct carom_model *model, const double *v, size_t nv, double reference)
{
    struct carom_lzb_options options = {.impact_tol = reference, .impact_work = 200.0};
    struct springy_blow exact, blow;
    CHECK_STATUS(springy_strike(&carom_impact_lzb, model, &options, v, NULL, &exact, NULL), CAROM_OK);
    for (double tol = 1e-3; tol > 1e-11; tol *= 0.1) {
        double worst = 0.0;
        options.impact_tol = tol;
        CHECK_STATUS(springy_strike(&carom_impact_lzb, model, &options, v, NULL, &blow, NULL), CAROM_OK);
        for (size_t i = 0; i < nv; i++)
            worst = fmax(worst, fabs(blow.after[i] - exact.after[i]));
        CHECK_NEAR(worst, 0.0, 10.0 * tol);
        CHECK_NEAR(worst, 0.0, 5.0 * blow.estimate);
    }
}

static void check_row(size_t n, double es, double p, double ratio, bool wall)
{
    double mass[SPRINGY_BODIES], e[SPRINGY_CONTACTS], k[SPRINGY_CONTACTS], ps[SPRINGY_CONTACTS];
    const double v[SPRINGY_BODIES] = {1.0};
    for (size_t i = 0; i < n; i++) {
        mass[i] = pow(ratio, (double)i);
        e[i] = es;
        k[i] = 1.0 + (double)(i % 3);
        ps[i] = p;
    }
    struct carom_model *model = springy_row(n, false, wall, mass, e, k, ps);
    compare(model, v, n, 1e-13);
    carom_model_free(model);
}

/* a square of nine disks struck at a corner */
static void check_lattice(double es)
{
    struct disks d = {.n = 9};
    double e[12], k[12], p[12], v[18] = {1.0, 0.7};
    for (size_t i = 0; i < 9; i++) {
        d.mass[i] = 1.0 + 0.2 * (double)i;
        for (size_t way = 0; way < 2; way++) {
            if (way == 0 ? i % 3 == 2 : i > 5)
                continue;
            d.touch[d.ntouch].a = i;
            d.touch[d.ntouch].b = i + (way == 0 ? 1 : 3);
            d.touch[d.ntouch].x = way == 0 ? 1.0 : 0.1;
            d.touch[d.ntouch++].y = way == 0 ? 0.1 : 1.0;
        }
    }
    for (size_t j = 0; j < d.ntouch; j++) {
        e[j] = es;
        k[j] = 1.0;
        p[j] = 1.5;
    }
    struct carom_model *model = springy_disks(&d, e, k, p);
    compare(model, v, 18, 1e-13);
    carom_model_free(model);
}

/* --- the Hertz chain --------------------------------------------------------------------------------------------- */

static void final_velocities(const char *text, double *v, size_t n)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("hertz", text, strlen(text), NULL, 0, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(scene != NULL);
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL);
    CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
    carom_sim_sync(sim);
    for (size_t i = 0; i < n; i++)
        v[i] = sim->view->v[i];
    carom_sim_free(sim);
    carom_scene_free(scene);
}

/* frozen and moving bodies are the same where no contact closes again */
static void check_hertz(const char *chain, size_t n)
{
    char text[600];
    double moving[SPRINGY_BODIES], frozen[SPRINGY_BODIES];
    static const double tols[] = {1e-5, 1e-8};
    for (size_t t = 0; t < 2; t++)
        for (int theory = 0; theory < 2; theory++) {
            snprintf(text, sizeof text,
                     "units: none\ntheory: %s\nbodies: [chain: {%s}]\ncontacts: {law: hertz}\n"
                     "start: [{body: 1, velocity: 1}]\nrun: {until: 60, tol: %g}\n",
                     theory ? "lzb" : "compliant", chain, theory ? tols[t] : 1e-10);
            final_velocities(text, theory ? frozen : moving, n);
            for (size_t i = 0; theory && i < n; i++)
                CHECK_NEAR(frozen[i], moving[i], 10.0 * tols[t] + 1e-9);
        }
}

int main(void)
{
    check_row(12, 1.0, 1.5, 1.0, false);
    check_row(12, 1.0, 1.5, 1.0, true);
    check_row(10, 0.9, 1.5, 0.7, false);
    check_row(8, 0.8, 1.0, 1.3, true);
    check_row(6, 0.7, 3.0, 1.0, false);
    check_row(5, 0.3, 2.0, 2.0, false);
    check_row(20, 0.95, 1.5, 1.0, false); /* turns and openings inside steps, many at a time */
    check_row(30, 0.8, 1.5, 0.95, false);
    check_row(30, 0.9, 1.0, 1.02, true);
    check_lattice(1.0);
    check_lattice(0.8);
    check_hertz("count: 12", 12);
    check_hertz("count: 10, mass: [1, 0.8, 0.65, 0.5, 0.4, 0.33, 0.26, 0.21, 0.17, 0.13]", 10);
    return check_end();
}
