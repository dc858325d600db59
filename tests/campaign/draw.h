/* A random valid chain: as the text of a scene, and as a struct exact. The same seed is the same chain everywhere. */
#ifndef CAROM_TESTS_CAMPAIGN_DRAW_H
#define CAROM_TESTS_CAMPAIGN_DRAW_H

#include <stdio.h>

#include "campaign/exact.h"
#include "draws.h"

enum { DRAW_SAMPLES = 25 };
enum {
    DRAW_MEMORY = 1000000,
    DRAW_LATCH = 2000000
}; /* seeds above are of laws with a memory, of contacts that latch */

struct drawn {
    struct exact chain;
    char text[DRAW_TEXT];
    const char *law; /* of most contacts */
    bool left_wall, right_wall, remembers, latches;
    double tol, until, time; /* `time`: of a typical contact */
    double sample[DRAW_SAMPLES];
};

static void draw_list(struct drawn *d, const char *name, const double *value, int n)
{
    draw_add(d->text, ", %s: [", name);
    for (int i = 0; i < n; i++)
        draw_add(d->text, "%s%.17g", i ? ", " : "", value[i]);
    draw_add(d->text, "]");
}

static void draw_bodies(struct drawn *d, struct carom_random *random)
{
    struct exact *c = &d->chain;
    const bool gaps = draw_chance(random, 0.5), springs = draw_chance(random, 0.15),
               damping = draw_chance(random, 0.15), strings = draw_chance(random, 0.15);
    const double spread = draw_chance(random, 0.4) ? 1.0 : draw_size(random, 1.1, 30.0);
    double gap[EXACT_BEADS] = {0.0};
    c->n = draw_chance(random, 0.7) ? 1 + (int)carom_random_below(random, 4) : 5 + (int)carom_random_below(random, 8);
    d->left_wall = draw_chance(random, 0.4);
    d->right_wall = draw_chance(random, 0.5) || (c->n == 1 && !d->left_wall);
    for (int i = 0; i < c->n; i++) {
        c->mass[i] = draw_size(random, 1.0 / spread, spread);
        c->spring[i] = springs ? draw_size(random, 1e-3, 1.0) : 0.0;
        c->damping[i] = damping ? draw_size(random, 1e-3, 1.0) : 0.0;
        c->string[i] = strings ? draw_size(random, 1.0, 10.0) : 0.0;
        gap[i] = gaps && draw_chance(random, 0.7) ? draw_size(random, 1e-3, 1.0) : 0.0;
    }
    draw_add(d->text, "bodies:\n  - chain: {count: %d", c->n);
    draw_list(d, "mass", c->mass, c->n);
    if (springs)
        draw_list(d, "spring", c->spring, c->n);
    if (damping)
        draw_list(d, "damping", c->damping, c->n);
    if (strings)
        draw_list(d, "string", c->string, c->n);
    if (c->n > 1)
        draw_list(d, "gap", gap, c->n - 1);
    draw_add(d->text, "}\n");
    if (strings) {
        c->large = draw_chance(random, 0.5);
        c->string_gravity = draw_size(random, 0.01, 1.0);
    }
    for (int i = 0; i + (d->left_wall ? 0 : 1) <= c->n - (d->right_wall ? 0 : 1); i++) {
        const int left = d->left_wall ? i - 1 : i, right = left + 1 < c->n ? left + 1 : -1;
        const double wall = draw_chance(random, 0.5) ? draw_size(random, 1e-3, 1.0) : 0.0;
        c->contact[c->nc++] =
            (struct exact_contact){.left = left, .right = right, .gap = left < 0 || right < 0 ? wall : gap[left]};
    }
    if (d->left_wall)
        draw_add(d->text, "  - wall: {side: left, gap: %.17g}\n", c->contact[0].gap);
    if (d->right_wall)
        draw_add(d->text, "  - wall: {side: right, gap: %.17g}\n", c->contact[c->nc - 1].gap);
    if (strings)
        draw_add(d->text, "strings: {gravity: %.17g, angle: %s}\n", c->string_gravity, c->large ? "large" : "small");
}

/* a parameter of every contact */
static void draw_each(struct drawn *d, const char *name, const double *value)
{
    if (d->chain.nc == 1)
        draw_add(d->text, ", %s: %.17g", name, value[0]);
    else if (d->chain.nc > 1)
        draw_list(d, name, value, d->chain.nc);
}

static void draw_law(struct drawn *d, struct carom_random *random)
{
    struct exact *c = &d->chain;
    const struct {
        const char *name;
        double p, b;
        enum exact_law law;
    } laws[] = {{"hertz", 1.5, 1.5, EXACT_VISCOUS},          {"kuwabara-kono", 1.5, 1.5, EXACT_VISCOUS},
                {"linear-dashpot", 1.0, 1.0, EXACT_VISCOUS}, {"hertz-dashpot", 1.5, 1.0, EXACT_VISCOUS},
                {"hunt-crossley", 1.5, 2.5, EXACT_VISCOUS},  {"power", 0.0, 0.0, EXACT_VISCOUS},
                {"bistiff", 1.5, 1.5, EXACT_BISTIFF},        {"walton-braun", 1.0, 1.0, EXACT_WALTON_BRAUN}};
    const size_t which = carom_random_below(random, d->remembers ? 2 : 6) + (d->remembers ? 6 : 0);
    const bool power = which == 5, force = draw_chance(random, d->latches ? 1.0 : 0.4),
               spread = draw_chance(random, 0.3);
    const double all = draw_size(random, 0.3, 30.0),
                 gamma = which == 0 || (power && draw_chance(random, 0.4)) ? 0.0 : draw_size(random, 0.01, 1.0);
    const double p = power ? (draw_chance(random, 0.3) ? 1.0 : draw_between(random, 1.1, 3.0)) : laws[which].p;
    const double b = power ? (draw_chance(random, 0.3) ? 1.0 : draw_between(random, 1.2, 2.5)) : laws[which].b;
    const double back = d->remembers ? draw_between(random, 0.3, 1.0) : 1.0; /* restitution */
    double k[EXACT_CONTACTS], k2[EXACT_CONTACTS], stiffest = 0.0;
    for (int j = 0; j < c->nc; j++) {
        struct exact_contact *x = &c->contact[j];
        k[j] = spread ? draw_size(random, 0.2, 5.0) * all : all;
        k2[j] = k[j] / (back * back);
        stiffest = fmax(stiffest, k[j]);
        *x = (struct exact_contact){.law = laws[which].law,
                                    .left = x->left,
                                    .right = x->right,
                                    .gap = x->gap,
                                    .k = k[j],
                                    .p = p,
                                    .b = b,
                                    .gamma = d->remembers ? 0.0 : gamma,
                                    .by_force = force,
                                    .latches = d->latches,
                                    .back = which == 7 ? k2[j] / k[j] : 1.0 / (back * back)};
    }
    d->law = laws[which].name;
    d->time = 3.0 * sqrt(1.0 / stiffest);
    draw_add(d->text, "contacts: {law: %s", d->law);
    draw_each(d, which == 7 ? "k1" : "k", k);
    if (which == 7)
        draw_each(d, "k2", k2);
    if (which == 6)
        draw_add(d->text, ", es: %.17g", back);
    if (power)
        draw_add(d->text, ", p: %.17g, b: %.17g", p, b);
    if (which > 0 && !d->remembers)
        draw_add(d->text, ", gamma: %.17g, contact_end: %s", gamma, d->latches ? "latched" : force ? "force" : "gap");
    draw_add(d->text, "}\n");
}

static void draw_start(struct drawn *d, struct carom_random *random)
{
    struct exact *c = &d->chain;
    const bool one = draw_chance(random, 0.4), pressed = draw_chance(random, 0.15);
    double u[EXACT_BEADS] = {0.0}, v[EXACT_BEADS] = {0.0};
    for (int i = 0; i < c->n; i++) {
        v[i] = one ? 0.0 : draw_between(random, -1.0, 1.0);
        u[i] = pressed ? draw_between(random, -0.1, 0.1) : 0.0;
    }
    if (one)
        v[0] = 1.0;
    draw_add(d->text, "start:\n  - {bodies: all");
    draw_list(d, "velocity", v, c->n);
    draw_list(d, "displacement", u, c->n);
    draw_add(d->text, "}\n");
    for (int i = 0; i < c->n; i++) {
        c->y[i] = (real)u[i];
        c->y[c->n + i] = (real)v[i];
    }
}

static struct exact_signal draw_signal(struct drawn *d, struct carom_random *random, double amplitude, bool moves)
{
    struct exact_signal f = {.amplitude = amplitude};
    const double start = draw_chance(random, 0.5) ? 0.0 : draw_between(random, 0.0, 0.5 * d->until);
    switch (carom_random_below(random, moves ? 3 : 4)) {
    case 0:
        f.shape = EXACT_SINE;
        f.start = start;
        f.frequency = draw_size(random, 0.05, 2.0) / d->time;
        draw_add(d->text, "{shape: sine, amplitude: %.17g, start: %.17g, frequency: %.17g}", f.amplitude, f.start,
                 f.frequency);
        break;
    case 1:
        f.shape = EXACT_HALF_SINE;
        f.start = start;
        f.duration = draw_size(random, 0.2, 5.0) * d->time;
        draw_add(d->text, "{shape: half-sine, amplitude: %.17g, start: %.17g, duration: %.17g}", f.amplitude, f.start,
                 f.duration);
        break;
    case 2:
        f.shape = EXACT_RAMP;
        f.start = start;
        f.duration = draw_size(random, 0.2, 5.0) * d->time;
        draw_add(d->text, "{shape: ramp, amplitude: %.17g, start: %.17g, duration: %.17g}", f.amplitude, f.start,
                 f.duration);
        break;
    default:
        f.shape = EXACT_STEP;
        f.start = start;
        f.duration = draw_size(random, 0.2, 5.0) * d->time;
        draw_add(d->text, "{shape: step, amplitude: %.17g, start: %.17g, duration: %.17g}", f.amplitude, f.start,
                 f.duration);
    }
    return f;
}

static void draw_loads(struct drawn *d, struct carom_random *random)
{
    struct exact *c = &d->chain;
    if (draw_chance(random, 0.2)) {
        c->gravity = draw_between(random, -0.3, 0.3);
        draw_add(d->text, "gravity: %.17g\n", c->gravity);
    }
    const bool pushed = draw_chance(random, 0.15), left = d->left_wall && draw_chance(random, 0.25),
               right = d->right_wall && draw_chance(random, 0.25);
    if (pushed || left || right)
        draw_add(d->text, "loads:\n");
    if (pushed) {
        const int bead = (int)carom_random_below(random, (uint64_t)c->n);
        draw_add(d->text, "  - body: %d\n    force: ", bead + 1);
        c->force[bead] = draw_signal(d, random, draw_between(random, -1.0, 1.0), false);
        draw_add(d->text, "\n");
    }
    for (int side = 0; side < 2; side++)
        if (side ? right : left) {
            draw_add(d->text, "  - wall: %s\n    displacement: ", side ? "right" : "left");
            c->wall[side] = draw_signal(d, random, draw_between(random, -0.3, 0.3), true);
            draw_add(d->text, "\n");
        }
}

static void draw_chain(struct drawn *d, uint64_t seed)
{
    struct carom_random random;
    memset(d, 0, sizeof *d);
    d->latches = seed > DRAW_LATCH;
    d->remembers = seed > DRAW_MEMORY && !d->latches;
    carom_random_start(&random, seed);
    draw_add(d->text, "units: none\n");
    draw_bodies(d, &random);
    draw_law(d, &random);
    d->until = draw_size(&random, 0.5, 30.0) * d->time;
    draw_start(d, &random);
    draw_loads(d, &random);
    d->tol = draw_size(&random, 1e-9, 1e-3);
    for (int i = 0; i < DRAW_SAMPLES; i++)
        d->sample[i] = d->until * (i + carom_random_uniform(&random)) / DRAW_SAMPLES;
    d->sample[DRAW_SAMPLES - 1] = d->until;
    draw_add(d->text, "run: {until: %.17g, tol: %.17g}\nrecord: {probes: [u, v]", d->until, d->tol);
    draw_list(d, "times", d->sample, DRAW_SAMPLES);
    draw_add(d->text, "}\n");
}

#endif
