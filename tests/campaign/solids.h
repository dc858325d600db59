/* A random valid solid: as the text of a scene, and as a struct cells_body. The same seed is the same body
 * everywhere. See solids.c. */
#ifndef CAROM_TESTS_CAMPAIGN_SOLIDS_H
#define CAROM_TESTS_CAMPAIGN_SOLIDS_H

#include "check.h"
#include "draws.h"
#include "reference/cells.h"

enum { SOLIDS_SAMPLES = 20 };
enum {
    SOLIDS_HARD = 1000000
}; /* seeds above this: sides held in part, single axes, symmetry, larger strains and turns */

struct solids_drawn {
    struct cells_body body;
    char text[DRAW_TEXT];
    bool dp5, hard, wall[CELLS_MOST]; /* wall: cells of a clamp that says no more */
    double tol, until, time, speed; /* time: of a P wave through the smallest cell, speed: what moves it, of order V */
};

static void solids_vector(struct solids_drawn *d, const char *name, const double *value)
{
    draw_add(d->text, "%s: [", name);
    for (int k = 0; k < d->body.d; k++)
        draw_add(d->text, "%s%.17g", k ? ", " : "", value[k]);
    draw_add(d->text, "]");
}

static const char *solids_side(const struct cells_body *c, int axis, int end)
{
    static const char *const names[3][2] = {{"left", "right"}, {"front", "back"}, {"bottom", "top"}};
    return names[c->d == 2 && axis == 1 ? 2 : axis][end];
}

static void solids_material(struct solids_drawn *d, struct carom_random *random, struct cells_material *m)
{
    *m = (struct cells_material){draw_size(random, 0.3, 3.0),
                                 draw_chance(random, 0.2) ? draw_between(random, -0.7, 0.0)
                                                          : draw_between(random, 0.0, 0.47),
                                 draw_size(random, 0.3, 3.0)};
    draw_add(d->text, "material: {young: %.17g, poisson: %.17g, density: %.17g}", m->young, m->poisson, m->density);
}

static void solids_shape(struct solids_drawn *d, struct carom_random *random)
{
    struct cells_body *c = &d->body;
    c->d = draw_chance(random, 0.5) ? 2 : 3;
    c->plane_stress = c->d == 2 && draw_chance(random, 0.5);
    c->count[2] = 1;
    for (int k = 0; k < 3; k++) {
        if (k < c->d)
            c->count[k] = 1 + (int)carom_random_below(random, c->d == 2 ? (k == 0 ? 9 : 6) : (k == 0 ? 6 : 3));
        c->edge[k] = c->d == 2 && k == 2 ? 1.0 : draw_between(random, 0.6, 1.4);
    }
    if (c->count[0] == 1)
        c->count[0] = 2;
    const double size[3] = {c->edge[0] * c->count[0], c->edge[1] * c->count[1], c->edge[2] * c->count[2]};
    draw_add(d->text, "theory: solid\nunits: none\nbodies:\n  - solid:\n      box: {");
    solids_vector(d, "size", size);
    for (int k = 0; k < c->d; k++) { /* as the scene will have them */
        c->edge[k] = size[k] / c->count[k];
        draw_add(d->text, k ? ", %d" : ", cells: [%d", c->count[k]);
    }
    draw_add(d->text, "]}\n      %s", c->plane_stress ? "plane: stress\n      " : "");
    solids_material(d, random, &c->material[0]);
    c->material[1] = c->material[0];
    c->split = c->count[0];
    if (draw_chance(random, 0.25)) {
        c->split = 1 + (int)carom_random_below(random, (uint64_t)(c->count[0] - 1));
        const double low[3] = {c->split * c->edge[0], 0.0, 0.0};
        draw_add(d->text, "\n      regions:\n        - {");
        solids_material(d, random, &c->material[1]);
        draw_add(d->text, ", box: [[%.17g, 0%s], [%.17g, %.17g", low[0], c->d == 3 ? ", 0" : "", size[0], size[1]);
        if (c->d == 3)
            draw_add(d->text, ", %.17g", size[2]);
        draw_add(d->text, "]]}");
    }
    draw_add(d->text, "\n");
}

/* turns that a wall holds where it is cut across one axis, see docs/solids.md */
static unsigned solids_wall(const struct cells_body *c, unsigned cut)
{
    const int axis = cut == 1U ? 0 : cut == 2U ? 1 : 2;
    unsigned held = c->d == 2 ? 32U : 56U;
    for (int turn = c->d == 2 ? 2 : 0; turn < 3 && cut != 0 && (cut & (cut - 1U)) == 0; turn++)
        if (turn != axis && c->count[3 - axis - turn] > 1)
            held &= ~(8U << turn);
    return held;
}

/* how a clamp says what it holds, and what that is */
static unsigned solids_fix(struct solids_drawn *d, struct carom_random *random, double kind, int axis, bool *wall)
{
    static const char *const fixes[2][4] = {{"", ", fix: [x, y]", ", fix: [x, y, turn]", ", fix: [y]"},
                                            {"", ", fix: [x, y, z]", ", fix: [x, y, z, turn]", ", fix: [z, turn-x]"}};
    static const unsigned masks[2][4] = {{35U, 3U, 35U, 2U}, {63U, 7U, 63U, 4U | 8U}};
    const bool space = d->body.d == 3;
    const size_t which = d->hard ? carom_random_below(random, 5) : kind < 0.3 ? 0 : kind < 0.5 ? 1 : 2;
    *wall = which == 0;
    if (which < 4)
        draw_add(d->text, "%s", fixes[space][which]);
    else
        draw_add(d->text, ", symmetry: %c", "xyz"[axis]);
    return which < 4 ? masks[space][which] : 1U << axis | (56U & ~(8U << axis) & (space ? 56U : 32U));
}

/* a side or, among the harder ones, part of it */
static void solids_clamp(struct solids_drawn *d, struct carom_random *random)
{
    struct cells_body *c = &d->body;
    const double kind = carom_random_uniform(random);
    const int drawn = (int)carom_random_below(random, (uint64_t)c->d), axis = c->count[drawn] > 1 ? drawn : 0;
    const int end = (int)carom_random_below(random, 2), other = (axis + 1) % c->d;
    c->n = c->count[0] * c->count[1] * c->count[2];
    if (kind > 0.6)
        return;
    int most = c->count[other];
    draw_add(d->text, "      clamps: [{face: %s", solids_side(c, axis, end));
    if (d->hard && most > 1 && draw_chance(random, 0.5)) {
        most = 1 + (int)carom_random_below(random, (uint64_t)(most - 1));
        double high[3];
        for (int k = 0; k < 3; k++)
            high[k] = c->edge[k] * (k == other ? most : c->count[k]);
        draw_add(d->text, ", box: [[0, 0%s], [%.17g, %.17g", c->d == 3 ? ", 0" : "", high[0], high[1]);
        draw_add(d->text, c->d == 3 ? ", %.17g]]" : "]]", high[2]);
    }
    bool wall;
    const unsigned held = solids_fix(d, random, kind, axis, &wall);
    draw_add(d->text, "}]\n");
    for (int i = 0; i < c->n; i++) {
        int at[3];
        cells_place(c, i, at);
        if (!cells_on_side(c, i, axis, end) || at[other] >= most)
            continue;
        c->held[i] = held;
        d->wall[i] = wall;
    }
}

static void solids_signal(struct solids_drawn *d, struct carom_random *random, struct cells_signal *s, bool smooth)
{
    s->shape = (enum cells_shape)carom_random_below(random, 4);
    if (smooth && s->shape == CELLS_CONSTANT)
        s->shape = CELLS_SINE;
    s->start = s->shape == CELLS_CONSTANT || draw_chance(random, 0.5) ? 0.0 : draw_between(random, 0.0, 0.5) * d->until;
    s->duration = s->shape == CELLS_HALF_SINE || s->shape == CELLS_RAMP ? draw_size(random, 1.0, 20.0) * d->time : 0.0;
    s->frequency = s->shape == CELLS_SINE ? draw_size(random, 0.005, 0.1) / d->time : 0.0;
    if (s->shape == CELLS_SINE)
        draw_add(d->text, ", signal: {shape: sine, start: %.17g, frequency: %.17g}", s->start, s->frequency);
    else if (s->shape != CELLS_CONSTANT)
        draw_add(d->text, ", signal: {shape: %s, start: %.17g, duration: %.17g}",
                 s->shape == CELLS_RAMP ? "ramp" : "half-sine", s->start, s->duration);
}

/* a side that nothing holds, or -1 */
static int solids_free_side(const struct cells_body *c, struct carom_random *random, int *end)
{
    const int axis = (int)carom_random_below(random, (uint64_t)c->d);
    *end = (int)carom_random_below(random, 2);
    for (int i = 0; i < c->n; i++)
        if (cells_on_side(c, i, axis, *end) && c->held[i] != 0)
            return -1;
    return axis;
}

static void solids_loads(struct solids_drawn *d, struct carom_random *random, double strain)
{
    struct cells_body *c = &d->body;
    const double young = c->material[0].young;
    c->pushed_axis = c->forced = c->driven_axis = -1;
    c->n = c->count[0] * c->count[1] * c->count[2];
    if (!d->dp5 && draw_chance(random, 0.2) && (c->driven_side = solids_free_side(c, random, &c->driven_end)) >= 0) {
        c->driven_axis = (int)carom_random_below(random, (uint64_t)c->d);
        c->way = strain * draw_between(random, -1.0, 1.0);
        draw_add(d->text, "      drives: [{face: %s, displacement: [", solids_side(c, c->driven_side, c->driven_end));
        for (int k = 0; k < c->d; k++)
            draw_add(d->text, k == c->driven_axis ? "%s%.17g" : "%sfree", k ? ", " : "", c->way);
        draw_add(d->text, "]");
        solids_signal(d, random, &c->drive_signal, true);
        draw_add(d->text, "}]\n");
        for (int i = 0; i < c->n; i++)
            if (cells_driven(c, i))
                c->held[i] |= 1U << c->driven_axis;
    }
    const bool pushed = draw_chance(random, 0.4), forced = draw_chance(random, 0.3);
    draw_add(d->text, pushed || forced ? "      loads:\n" : "");
    if (pushed && (c->pushed_axis = solids_free_side(c, random, &c->pushed_end)) >= 0) {
        c->follows = draw_chance(random, 0.4);
        draw_add(d->text, "        - {face: %s, ", solids_side(c, c->pushed_axis, c->pushed_end));
        for (int k = 0; k < c->d; k++)
            c->push[k] = strain * young * draw_between(random, -1.0, 1.0);
        if (c->follows)
            draw_add(d->text, "pressure: %.17g", c->push[0]);
        else
            solids_vector(d, "traction", c->push);
        solids_signal(d, random, &c->push_signal, false);
        draw_add(d->text, "}\n");
    }
    if (forced || (pushed && c->pushed_axis < 0)) {
        c->forced = (int)carom_random_below(random, (uint64_t)c->n);
        int at[3];
        cells_place(c, c->forced, at);
        const double place[3] = {(at[0] + 0.5) * c->edge[0], (at[1] + 0.5) * c->edge[1], (at[2] + 0.5) * c->edge[2]};
        for (int k = 0; k < c->d; k++)
            c->force[k] = strain * young * draw_between(random, -1.0, 1.0);
        solids_vector(d, "        - {near", place);
        solids_vector(d, ", force", c->force);
        solids_signal(d, random, &c->force_signal, false);
        draw_add(d->text, "}\n");
    }
}

/* velocities, and a spin of all cells about their centre of mass */
static void solids_start(struct solids_drawn *d, struct carom_random *random)
{
    struct cells_body *c = &d->body;
    double v[3] = {0.0}, spin[3] = {0.0}, one[3] = {0.0}, place[3], middle[3] = {0.0}, mass = 0.0;
    int at[3];
    const int fast = (int)carom_random_below(random, (uint64_t)c->n);
    cells_place(c, fast, at);
    for (int k = 0; k < c->d; k++) {
        v[k] = d->speed * draw_between(random, -1.0, 1.0);
        one[k] = d->speed * draw_between(random, -3.0, 3.0);
        place[k] = (at[k] + 0.5) * c->edge[k];
    }
    for (int k = c->d == 2 ? 2 : 0; k < 3; k++)
        spin[k] = draw_chance(random, 0.4) ? (d->hard ? 5.0 : 1.0) * d->speed * draw_between(random, -1.0, 1.0) : 0.0;
    solids_vector(d, "start:\n  - {velocity", v);
    if (c->d == 2)
        draw_add(d->text, ", spin: %.17g}\n", spin[2]);
    else
        solids_vector(d, ", spin", spin), draw_add(d->text, "}\n");
    solids_vector(d, "  - {near", place);
    solids_vector(d, ", velocity", one);
    draw_add(d->text, "}\n");
    for (int i = 0; i < c->n; i++)
        for (int k = 0; k < 3; k++) {
            middle[k] += c->mass[i] * c->centre[i][k];
            mass += k == 0 ? c->mass[i] : 0.0;
        }
    for (int i = 0; i < c->n; i++) {
        double arm[3], sweep[3], *y = c->y + CELLS_WIDE * i;
        for (int k = 0; k < 3; k++)
            arm[k] = c->centre[i][k] - middle[k] / mass;
        cells_cross(spin, arm, sweep);
        for (int k = 0; k < 3; k++) {
            y[7 + k] = c->held[i] >> k & 1U ? 0.0 : v[k] + sweep[k] + (i == fast ? one[k] : 0.0);
            y[10 + k] = c->inertia[i][k] * spin[k];
        }
    }
}

static void solids_draw(struct solids_drawn *d, uint64_t seed)
{
    struct carom_random random;
    struct cells_body *c = &d->body;
    memset(d, 0, sizeof *d);
    carom_random_start(&random, seed);
    d->hard = seed > SOLIDS_HARD;
    d->dp5 = draw_chance(&random, 0.15);
    solids_shape(d, &random);
    double fast = 0.0, small = HUGE_VAL;
    for (int m = 0; m < 2; m++) {
        const struct cells_material *x = &c->material[m];
        fast = fmax(fast,
                    sqrt(x->young * (1.0 - x->poisson) / (1.0 + x->poisson) / (1.0 - 2.0 * x->poisson) / x->density));
    }
    for (int k = 0; k < c->d; k++)
        small = fmin(small, c->edge[k]);
    d->time = small / fast;
    d->until = draw_size(&random, 2.0, 100.0) * d->time;
    const double strain = draw_size(&random, 1e-6, d->hard ? 0.1 : 0.03);
    d->speed = strain * fast;
    solids_clamp(d, &random);
    solids_loads(d, &random, strain);
    if (draw_chance(&random, 0.2)) {
        for (int k = 0; k < c->d; k++)
            c->gravity[k] = draw_between(&random, -0.1, 0.1) * d->speed / d->time;
        solids_vector(d, "      gravity", c->gravity);
        draw_add(d->text, "\n");
    }
    if (draw_chance(&random, 0.15)) {
        c->damping = draw_size(&random, 1e-3, 0.1) / d->time;
        draw_add(d->text, "      damping: {mass: %.17g}\n", c->damping);
    }
    cells_build(c);
    for (int i = 0; i < c->n; i++)
        if (d->wall[i])
            c->held[i] = (c->held[i] & 7U) | solids_wall(c, c->cut[i]);
    solids_start(d, &random);
    d->tol = draw_size(&random, 1e-6, 1e-2);
    draw_add(d->text, "run: {until: %.17g, scheme: %s, tol: %.17g}\nrecord: {probes: [u, v], times: [", d->until,
             d->dp5 ? "dp5" : "rattle", d->tol);
    for (int i = 0; i < SOLIDS_SAMPLES; i++) {
        const double at = (i + (i + 1 < SOLIDS_SAMPLES ? carom_random_uniform(&random) : 1.0)) / SOLIDS_SAMPLES;
        draw_add(d->text, "%s%.17g", i ? ", " : "", at * d->until);
    }
    draw_add(d->text, "]}\n");
}

#endif
