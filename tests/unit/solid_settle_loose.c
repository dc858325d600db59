/* Static solutions of bodies that nothing holds, under two opposite forces so large that the body bends and turns until
 * the points where they act are in line with them again; a pinched shell with and without clamps that do nothing. */
#include <string.h>

#include "base/memory.h"
#include "carom/solid.h"
#include "check.h"
#include "model/solid/solid.h"
#include "solids.h"

static void push(struct carom_solid *s, size_t cell, const double force[3], double times)
{
    struct carom_solid_load l = {.push = CAROM_SOLID_FORCE,
                                 .vector = {times * force[0], times * force[1], times * force[2]},
                                 .count = 1,
                                 .signal = {.shape = CAROM_SHAPE_CONSTANT, .amplitude = 1.0}};
    uint32_t at = (uint32_t)cell;
    l.at = &at;
    CHECK_STATUS(carom_solid_add_load(s, &l, NULL), CAROM_OK);
}

static void hold(struct carom_solid *s, size_t cell, unsigned mask)
{
    uint32_t at = (uint32_t)cell;
    const struct carom_solid_hold h = {.mask = mask, .cell = &at, .count = 1};
    CHECK_STATUS(carom_solid_add_hold(s, &h, NULL), CAROM_OK);
}

static void settle(const struct carom_solid *s, double *q)
{
    struct carom_error error = {CAROM_OK, ""};
    CHECK_STATUS(carom_solid_settle(s, 0.0, 1e-9, q, NULL, NULL, &error), CAROM_OK);
    if (error.status != CAROM_OK)
        fprintf(stderr, "%s\n", error.text);
}

static void between(const struct carom_solid *s, const double *q, size_t from, size_t to, double out[3])
{
    for (size_t k = 0; k < 3; k++) {
        const bool flat = k == 2 && s->dimension == 2;
        out[k] = s->centre[to][k] - s->centre[from][k] + (flat ? 0.0 : q[s->wide * to + k] - q[s->wide * from + k]);
    }
}

/* largest difference of the distances of all cells from two of them: of shapes, wherever they stand */
static double apart(const struct carom_solid *s, const double *q, const double *p, size_t one, size_t two)
{
    double worst = 0.0;
    for (size_t i = 0; i < s->n; i++)
        for (int k = 0; k < 2; k++) {
            double a[3], b[3];
            between(s, q, k == 0 ? one : two, i, a);
            between(s, p, k == 0 ? one : two, i, b);
            worst = fmax(worst, fabs(carom_vec_norm(a) - carom_vec_norm(b)));
        }
    return worst;
}

/* A bar between two of its corners: loads of fixed direction have no torque when the corners lie on their line, and a
 * bar of which one corner is held and one pulled has the same shape. */
static void check_corners(enum carom_solid_case kind, double force)
{
    const struct carom_solid_material m = {1e6, 0.3, 1000.0};
    const size_t cells[3] = {12, 2, kind == CAROM_SOLID_SPACE ? 2 : 1};
    const double size[3] = {1.2, 0.2, 0.2}, none[3] = {0.0, 0.0, 0.0};
    struct carom_solid *s = carom_solid_box(kind, cells, size, none, 0.2, &m, NULL),
                       *pinned = carom_solid_box(kind, cells, size, none, 0.2, &m, NULL);
    CHECK_OR_STOP(s != NULL && pinned != NULL);
    const size_t last = s->n - 1;
    double *q = solid_rest(s), *p = solid_rest(s), way[3], now[3], off[3];
    between(s, q, 0, last, way);
    for (int k = 0; k < 3; k++)
        way[k] *= force;
    push(s, 0, way, -1.0);
    push(s, last, way, 1.0);
    settle(s, q);
    hold(pinned, 0, s->dimension == 3 ? 7U : 3U);
    CHECK_STATUS(carom_solid_halve(pinned, NULL), CAROM_OK);
    push(pinned, last, way, 1.0);
    settle(pinned, p);
    for (int i = 0; i < 2; i++) {
        between(s, i == 0 ? q : p, 0, last, now);
        carom_vec_cross(way, now, off);
        const double line = carom_vec_norm(off) / carom_vec_norm(way) / carom_vec_norm(now);
        double turn[4];
        carom_solid_quaternion(s, i == 0 ? q : p, s->n / 2, turn);
        printf("%s bar, force %g: %.1e rad off the line, the middle has turned by %.3f\n", i == 0 ? "free" : "pinned",
               force, line, 2.0 * carom_vec_norm(turn + 1));
        CHECK_NEAR(line, 0.0, 1e-7);
    }
    printf("shapes: %.1e apart\n", apart(s, q, p, 0, last));
    CHECK_NEAR(apart(s, q, p, 0, last), 0.0, 1e-6);
    carom_memory_free(q);
    carom_memory_free(p);
    carom_solid_free(s);
    carom_solid_free(pinned);
}

/* A cylinder between two forces, pushed and pulled; clamps at points that symmetry keeps where they are do nothing. */
static void check_shell(double force)
{
    enum { AROUND = 40, ALONG = 14, MIDDLE = AROUND * (ALONG / 2) };
    const struct carom_solid_material m = {210e9, 0.25, 7800.0};
    const double none[3] = {0.0, 0.0, 0.0};
    double *q[2];
    struct carom_solid *shell[2];
    for (int i = 0; i < 2; i++) {
        struct carom_solid *s = shell[i] = carom_solid_cylinder(AROUND, ALONG, 1.0, 1.4, 0.01, none, &m, NULL);
        CHECK_OR_STOP(s != NULL);
        if (i == 1) {
            hold(s, MIDDLE, 2U + 4U); /* y and z of where the forces act */
            hold(s, MIDDLE + AROUND / 2, 2U + 4U);
        }
        push(s, MIDDLE, (const double[]){1.0, 0.0, 0.0}, force);
        push(s, MIDDLE + AROUND / 2, (const double[]){1.0, 0.0, 0.0}, -force);
        q[i] = solid_rest(s);
        settle(s, q[i]);
    }
    const double off = apart(shell[0], q[0], q[1], MIDDLE, MIDDLE + AROUND / 2);
    printf("shell, force %g: shapes are %.1e apart, the point of force went %.3f\n", force, off, q[0][7 * MIDDLE]);
    CHECK_NEAR(off, 0.0, 1e-7);
    for (int i = 0; i < 2; i++) {
        carom_memory_free(q[i]);
        carom_solid_free(shell[i]);
    }
}

int main(void)
{
    const double forces[] = {1000.0, 300.0, -100.0};
    for (size_t i = 0; i < sizeof forces / sizeof *forces; i++) {
        check_corners(CAROM_SOLID_STRESS, forces[i]);
        check_corners(CAROM_SOLID_SPACE, forces[i]);
    }
    check_shell(-80e3);
    check_shell(80e3);
    return check_end();
}
