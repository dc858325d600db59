/* What a sensor on a shell shows: rigid motions exactly, a stretched shell exactly also at its ends, waves around to
 * third order in the cells. */
#include <math.h>

#include "base/memory.h"
#include "carom/solid.h"
#include "check.h"
#include "model/solid/solid.h"

static const double pi = 3.14159265358979323846;
static const double origin[3] = {0.2, -0.1, 0.5};

static struct carom_solid *shell(size_t around, size_t along, double **q)
{
    const struct carom_solid_material m = {2.0, 0.3, 1.0};
    struct carom_solid *s = carom_solid_cylinder(around, along, 1.0, 2.0, 0.1, origin, &m, NULL);
    CHECK_OR_STOP(s != NULL);
    *q = carom_memory_zeroed(s->wide * s->n, sizeof **q);
    CHECK_OR_STOP(*q != NULL);
    for (size_t i = 0; i < s->n; i++)
        (*q)[s->wide * i + 3] = 1.0;
    return s;
}

/* at an angle, a distance from the axis and a height */
static void add(struct carom_solid *s, double angle, double radius, double up)
{
    const double place[3] = {origin[0] + radius * cos(angle), origin[1] + radius * sin(angle), origin[2] + up};
    CHECK_STATUS(carom_solid_add_sensor(s, "x", place, NULL), CAROM_OK);
}

static void add_some(struct carom_solid *s)
{
    static const double angle[] = {0.0, 0.1, 3.1, -3.1, -0.01, 6.28, -1.0, 2.0}, up[] = {0.0, 0.03, 1.0, 1.3, 2.0};
    for (size_t a = 0; a < sizeof angle / sizeof *angle; a++)
        for (size_t z = 0; z < sizeof up / sizeof *up; z++)
            add(s, angle[a], 0.95 + 0.025 * (double)z, up[z]);
}

/* a turn of 2 rad about a slanted axis through 0, and a shift */
static void check_rigid(size_t around, size_t along)
{
    double *q, worst = 0.0;
    struct carom_solid *s = shell(around, along, &q);
    const double turn[4] = {cos(1.0), sin(1.0) * 0.6, 0.0, sin(1.0) * 0.8}, shift[3] = {0.3, -0.7, 0.2};
    add_some(s);
    for (size_t i = 0; i < s->n; i++) {
        double *cell = q + s->wide * i;
        carom_quat_shift(turn, s->centre[i], cell);
        for (int k = 0; k < 3; k++)
            cell[k] += shift[k];
        for (int k = 0; k < 4; k++)
            cell[3 + k] = turn[k];
    }
    for (size_t i = 0; i < s->nsensors; i++) {
        double u[3], v[3], exact[3];
        carom_solid_sense(s, &s->sensor[i], q, NULL, u, v);
        carom_quat_shift(turn, s->sensor[i].place, exact);
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fabs(u[k] - exact[k] - shift[k]));
    }
    CHECK_NEAR(worst, 0.0, 1e-14);
    carom_memory_free(q);
    carom_solid_free(s);
}

/* u_z = z - z^2 / 4 with three cells along, linear with two */
static void check_stretch(size_t along, double bend)
{
    double *q;
    struct carom_solid *s = shell(8, along, &q);
    add_some(s);
    for (size_t i = 0; i < s->n; i++)
        q[s->wide * i + 2] = s->centre[i][2] - bend * s->centre[i][2] * s->centre[i][2];
    for (size_t i = 0; i < s->nsensors; i++) {
        double u[3], v[3];
        const double z = s->sensor[i].place[2];
        carom_solid_sense(s, &s->sensor[i], q, NULL, u, v);
        CHECK_NEAR(u[2], z - bend * z * z, 1e-13);
    }
    carom_memory_free(q);
    carom_solid_free(s);
}

/* the oval mode, u_r = cos 2 a and u_a = -sin(2 a) / 2, half a cell from centres */
static double oval(size_t around)
{
    double *q, worst = 0.0;
    struct carom_solid *s = shell(around, 3, &q);
    for (size_t a = 0; a < 5; a++)
        add(s, 2.0 * pi * ((double)a + 0.5) / (double)around, 1.0, 1.0);
    for (size_t i = 0; i < s->n; i++) {
        const double angle = 2.0 * pi * (double)(i % around) / (double)around;
        const double r = cos(2.0 * angle), t = -0.5 * sin(2.0 * angle);
        q[s->wide * i] = r * cos(angle) - t * sin(angle);
        q[s->wide * i + 1] = r * sin(angle) + t * cos(angle);
    }
    for (size_t i = 0; i < s->nsensors; i++) {
        double u[3], v[3];
        const double angle = 2.0 * pi * ((double)i + 0.5) / (double)around;
        carom_solid_sense(s, &s->sensor[i], q, NULL, u, v);
        const double r = cos(2.0 * angle), t = -0.5 * sin(2.0 * angle);
        worst = fmax(worst, fabs(u[0] - r * cos(angle) + t * sin(angle)));
        worst = fmax(worst, fabs(u[1] - r * sin(angle) - t * cos(angle)));
    }
    carom_memory_free(q);
    carom_solid_free(s);
    return worst;
}

int main(void)
{
    static const size_t around[] = {3, 4, 5, 24}, along[] = {1, 2, 3, 7};
    for (size_t a = 0; a < 4; a++)
        for (size_t z = 0; z < 4; z++)
            check_rigid(around[a], along[z]);
    check_stretch(2, 0.0);
    check_stretch(3, 0.25);
    check_stretch(9, 0.25);
    const double coarse = oval(24), fine = oval(48);
    printf("oval mode between centres: off by %.2e with 24 cells around, %.2e with 48\n", coarse, fine);
    CHECK_NEAR(fine, 0.0, 2e-3);
    CHECK_NEAR(log2(coarse / fine), 3.0, 0.2);
    return check_end();
}
