/* Random clusters: a few balls in the plane or in space, flat walls, gravity, any law and any friction, as the text of
 * a scene and as a struct cluster. See clusters.c. */
#ifndef CAROM_TESTS_CAMPAIGN_CLUSTERS_H
#define CAROM_TESTS_CAMPAIGN_CLUSTERS_H

#include "draws.h"
#include "reference/cluster_of.h"
#include "runs.h"

/* The scene of a seed stops where its until and its tol come: who runs it adds them. */
enum { CLUSTERS_SAMPLES = 25 };

struct clusters_drawn {
    char text[DRAW_TEXT];
    const char *law, *friction;
    double k, p, gamma, b, mu, slip_speed;
    enum cluster_memory memory;
    enum cluster_form form;
    double again, k_t, gamma_t, roll; /* as in struct cluster */
    double deep, stiffness;           /* how deep balls come, and how stiff contacts are there */
    double tol, until;
    int n;
};

/* a ball that meets none of those before it */
static void clusters_ball(struct clusters_drawn *d, struct carom_random *random, int dimension, double (*at)[4], int i)
{
    bool free = false;
    for (int tries = 0; tries < 1000 && !free; tries++) {
        at[i][3] = draw_between(random, 0.3, 0.6);
        free = true;
        for (int k = 0; k < 3; k++)
            at[i][k] = k < dimension ? draw_between(random, -1.4, 1.4) : 0.0;
        for (int j = 0; j < i && free; j++) {
            const double x = at[i][0] - at[j][0], y = at[i][1] - at[j][1], z = at[i][2] - at[j][2];
            free = sqrt(x * x + y * y + z * z) > at[i][3] + at[j][3] + 1e-3;
        }
    }
    if (!free)
        return;
    double v[6];
    for (int k = 0; k < 6; k++)
        v[k] = draw_between(random, k < 3 ? -1.0 : -2.0, k < 3 ? 1.0 : 2.0) - (k < 3 ? 0.5 * at[i][k] : 0.0);
    const double mass = draw_size(random, 0.3, 3.0);
    if (dimension == 2)
        draw_add(d->text,
                 "  - disc: {at: [%.17g, %.17g], radius: %.17g, mass: %.17g, velocity: [%.17g, %.17g], spin: %.17g}\n",
                 at[i][0], at[i][1], at[i][3], mass, v[0], v[1], v[5]);
    else
        draw_add(d->text,
                 "  - sphere: {at: [%.17g, %.17g, %.17g], radius: %.17g, mass: %.17g, velocity: [%.17g, %.17g, %.17g], "
                 "spin: [%.17g, %.17g, %.17g]}\n",
                 at[i][0], at[i][1], at[i][2], at[i][3], mass, v[0], v[1], v[2], v[3], v[4], v[5]);
    d->n++;
}

static void clusters_law(struct clusters_drawn *d, struct carom_random *random)
{
    static const char *const laws[] = {"hertz",         "kuwabara-kono", "hertz-dashpot", "linear-dashpot",
                                       "hunt-crossley", "power",         "bistiff",       "walton-braun"};
    const size_t which = carom_random_below(random, sizeof laws / sizeof *laws);
    d->law = laws[which];
    d->memory = which < 6 ? CLUSTER_NONE : which == 6 ? CLUSTER_BISTIFF : CLUSTER_WALTON_BRAUN;
    d->p = which == 3 ? 1.0 : 1.5;
    d->b = which == 2 || which == 3 ? 1.0 : which == 4 ? 2.5 : 1.5;
    if (which == 5) {
        d->p = draw_between(random, 1.0, 2.5);
        d->b = draw_between(random, 1.0, 2.5);
    }
    d->p = which == 7 ? 1.0 : d->p;
    const double p = d->p, deep = draw_size(random, 0.005, 0.06);
    d->gamma = which == 0 ? 0.0 : which == 4 ? draw_size(random, 1e-3, 0.2) : draw_size(random, 1e-3, 0.3) * deep;
    d->k = 1.5 * (p + 1.0) / pow(deep, p + 1.0); /* so that a ball of mass 1 and speed 1.7 comes so deep */
    d->deep = deep;
    d->stiffness = p * d->k * pow(deep, p - 1.0);
    draw_add(d->text, "contacts: {law: %s, %s: %.17g", d->law, which == 7 ? "k1" : "k", d->k);
    if (which == 5)
        draw_add(d->text, ", p: %.17g, b: %.17g", d->p, d->b);
    if (which > 0 && which < 6)
        draw_add(d->text, ", gamma: %.17g, contact_end: gap", d->gamma);
    if (which > 5)
        d->again = which == 6 ? draw_between(random, 0.3, 0.95) : d->k * draw_between(random, 1.1, 4.0);
    if (which > 5)
        draw_add(d->text, ", %s: %.17g", which == 6 ? "es" : "k2", d->again);
    d->gamma_t = which == 1 || which == 3 ? d->gamma : 0.0; /* where the damper is that of the spring */
}

static void clusters_friction(struct clusters_drawn *d, struct carom_random *random)
{
    static const char *const names[] = {"none", "coulomb", "cundall-strack", "mindlin"};
    static const char *const forms[] = {"spring", "potential", "force", "rescaled"};
    const size_t which = carom_random_below(random, 4);
    d->friction = names[which];
    d->mu = which > 0 ? draw_between(random, 0.05, 0.8) : 0.0;
    d->slip_speed = draw_size(random, 1e-2, 0.3);
    if (which == 1)
        draw_add(d->text, ", friction: {law: coulomb, mu: %.17g, slip_speed: %.17g}", d->mu, d->slip_speed);
    if (which > 1) {
        d->k_t = draw_between(random, 0.3, 1.2) * d->stiffness / (which == 3 ? sqrt(d->deep) : 1.0);
        draw_add(d->text, ", friction: {law: %s, mu: %.17g, k_t: %.17g", d->friction, d->mu, d->k_t);
        const size_t form = which == 3 ? carom_random_below(random, 4) : 0;
        d->form = which == 3 ? (enum cluster_form)(CLUSTER_SPRING + (int)form) : CLUSTER_CONSTANT;
        if (which == 3)
            draw_add(d->text, ", form: %s", forms[form]);
        draw_add(d->text, "}");
    }
    if (which > 1 && carom_random_uniform(random) < 0.2) {
        d->roll = draw_between(random, 0.01, 0.1);
        draw_add(d->text, ", rolling: {mu: %.17g, slip_speed: 0.05}", d->roll);
    }
    draw_add(d->text, "}\n");
}

static void clusters_draw(struct clusters_drawn *d, uint64_t seed)
{
    struct carom_random random;
    double at[8][4];
    carom_random_start(&random, seed);
    *d = (struct clusters_drawn){.tol = draw_size(&random, 1e-9, 1e-3)};
    const int dimension = carom_random_uniform(&random) < 0.5 ? 2 : 3, balls = 2 + (int)carom_random_below(&random, 4);
    const bool falls = carom_random_uniform(&random) < 0.3;
    const int walls = (int)carom_random_below(&random, 3) + (falls ? 1 : 0);
    draw_add(d->text, "units: none\n");
    if (falls)
        draw_add(d->text, "gravity: [0, %s%.17g]\n", dimension == 3 ? "0, " : "", -draw_between(&random, 0.1, 1.0));
    draw_add(d->text, "bodies:\n");
    for (int i = 0; i < balls; i++)
        clusters_ball(d, &random, dimension, at, i);
    for (int w = 0; w < walls; w++) { /* a floor, then sides */
        const double side = w % 2 ? 1.0 : -1.0;
        const bool across = w > 0;
        if (dimension == 2)
            draw_add(d->text, "  - plane: {at: [%g, %g], normal: [%g, %g]}\n", across ? 2.1 * side : 0.0,
                     across ? 0.0 : -2.1, across ? -side : 0.0, across ? 0.0 : 1.0);
        else
            draw_add(d->text, "  - plane: {at: [%g, 0, %g], normal: [%g, 0, %g]}\n", across ? 2.1 * side : 0.0,
                     across ? 0.0 : -2.1, across ? -side : 0.0, across ? 0.0 : 1.0);
    }
    clusters_law(d, &random);
    clusters_friction(d, &random);
    d->until = draw_between(&random, 1.0, 5.0);
}

#endif
