/* Crystals under Kuwabara and Kono's law at tol 1e-6 and 1e-9 against motions found in another way
 * (reference/cluster.h, in double precision, or in quadruple where CAMPAIGN_QUAD is defined): true errors are within
 * tol, and within three times what runs state. */
#ifndef CAROM_TESTS_CONVERGENCE_CRYSTALS_STATED_H
#define CAROM_TESTS_CONVERGENCE_CRYSTALS_STATED_H

#include "reference/cluster_of.h"
#include "runs.h"

enum { TOLS = 2 };
static const double tols[TOLS] = {1e-6, 1e-9};

enum { HEXAGONAL, FCC };
static const struct {
    const char *name, *bodies;
} crystals[] = {
    {"hexagonal 5 x 5", "  - lattice: {kind: hexagonal, count: [5, 5], radius: 5, mass: 1, at: [0, 0]}\n"
                        "  - disc: {at: [-8.2, -6.3], radius: 5, mass: 1, velocity: [1, 0.7]}\n"},
    {"fcc 3 x 3 x 3", "  - lattice: {kind: fcc, count: [3, 3, 3], radius: 5, mass: 1, at: [0, 0, 0]}\n"
                      "  - sphere: {at: [-6, -6.1, -5.9], radius: 5, mass: 1, velocity: [1, 0.8, 0.6]}\n"},
};

static void crystals_check(int which, double until)
{
    static struct cluster c;
    char text[1000];
    struct carom_memory *memory[TOLS];
    struct carom_sim *sim[TOLS];
    double worst[TOLS];
    for (int i = 0; i < TOLS; i++) {
        snprintf(text, sizeof text,
                 "units: none\nbodies:\n%scontacts: {law: kuwabara-kono, k: 1, gamma: 0.05}\n"
                 "run: {until: %g, tol: %g}\nrecord: {every: %g, probes: [u, v, spin]}\n",
                 crystals[which].bodies, until, tols[i], until / 20.0);
        sim[i] = runs_recorded(text, &memory[i]);
        cluster_of(&c, sim[i]);
        CHECK_STATUS(carom_sim_run(sim[i], NULL, NULL), CAROM_OK);
    }
    c.k = 1.0;
    c.p = c.b = 1.5;
    c.gamma = 0.05;
    c.pace = 1.0;
    c.most = 100000;
    cluster_pairs(&c, 2.0);
    CHECK(cluster_errors(&c, sim[0], memory, TOLS, worst));
    for (int i = 0; i < TOLS; i++) {
        printf("| %s | %.0e | %.1e | %.1e |\n", crystals[which].name, tols[i], worst[i], sim[i]->estimate);
        CHECK(worst[i] <= tols[i]);
        CHECK(worst[i] <= 3.0 * sim[i]->estimate);
        carom_sim_free(sim[i]);
    }
}

#endif
