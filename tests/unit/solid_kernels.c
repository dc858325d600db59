/* The kernels of solids in space against plain ones written down here, to rounding, on sizes that fill no register and
 * no block: forces of links (boxes with and without records, two materials, a shell; one and several threads to the
 * bit) and kick and drift of rattle (cubes, bricks, turned axes; cells at rest, held, slow, fast and too fast). */
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "carom/carom.h"
#include "check.h"
#include "kernel/turn.h"
#include "model/solid/solid.h"
#include "scheme/solid/rattle.h"
#include "scheme/solid/rattle_turn.h"
#include "solids.h"

static struct carom_solid *body(int which, size_t nx)
{
    static const double origin[3] = {-0.4, 0.2, 0.1}, brick[3] = {1.2, 0.8, 1.9};
    const struct carom_solid_material m = {1.0, 0.25, 1.0}, soft = {0.3, 0.4, 2.0};
    const size_t count[3] = {nx, 3, 11};
    const double cubes[3] = {0.1 * (double)nx, 0.3, 1.1};
    if (which == 2)
        return carom_solid_cylinder(nx + 5, 7, 1.0, 2.0, 0.3, origin, &m, NULL);
    struct carom_solid *s =
        carom_solid_box(CAROM_SOLID_SPACE, count, which == 0 ? cubes : brick, origin, 1.0, &m, NULL);
    const uint32_t some[5] = {0, 3, 4, 9, 16};
    if (s && which == 3)
        CHECK_STATUS(carom_solid_fill(s, &soft, 5, some, NULL), CAROM_OK);
    return s;
}

/* displacements and turns of that size */
static void shake(const struct carom_solid *s, struct carom_random *random, double size, double *q)
{
    for (size_t i = 0; i < s->n; i++) {
        double square = 0.0;
        for (size_t k = 0; k < 7; k++)
            q[7 * i + k] = (k == 3 ? 1.0 : 0.0) + size * carom_random_normal(random);
        for (size_t k = 3; k < 7; k++)
            square += q[7 * i + k] * q[7 * i + k];
        for (size_t k = 3; k < 7; k++)
            q[7 * i + k] /= sqrt(square);
    }
}

/* --- forces ---------------------------------------------------------------------------------------------------- */

struct plain_link {
    double apart[3], gap[3], arm[2][3], normal[3], distance, open;
};

static void plain_geometry(const struct carom_solid *s, const double *q, size_t l, struct plain_link *p)
{
    const struct carom_solid_shape *shape = &s->shape[s->link[l].shape];
    const double *q0 = q + 7 * (size_t)s->link[l].cell[0], *q1 = q + 7 * (size_t)s->link[l].cell[1];
    double shift[2][3], back[3];
    for (int k = 0; k < 3; k++)
        back[k] = shape->arm[k] - shape->apart[k];
    carom_quat_shift(q0 + 3, shape->arm, shift[0]);
    carom_quat_shift(q1 + 3, back, shift[1]);
    for (int k = 0; k < 3; k++) {
        p->apart[k] = shape->apart[k] + (q1[k] - q0[k]);
        p->gap[k] = q1[k] - q0[k] + (shift[1][k] - shift[0][k]);
        p->arm[0][k] = shape->arm[k] + shift[0][k];
        p->arm[1][k] = back[k] + shift[1][k];
    }
    p->distance = carom_vec_norm(p->apart);
    for (int k = 0; k < 3; k++)
        p->normal[k] = p->apart[k] / p->distance;
    p->open = carom_vec_dot(p->gap, p->normal);
}

/* 2 Q_I (r_0 B r + r x B r), r of the relative turn */
static void plain_flex(const struct carom_solid *s, const double *q, size_t l, double out[3])
{
    static const int at[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
    const double *bend = s->shape[s->link[l].shape].bend;
    const double *q0 = q + 7 * (size_t)s->link[l].cell[0] + 3, *q1 = q + 7 * (size_t)s->link[l].cell[1] + 3;
    const double back[4] = {q0[0], -q0[1], -q0[2], -q0[3]};
    double r[4], b[3] = {0.0, 0.0, 0.0}, side[3];
    carom_quat_product(back, q1, r);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            b[i] += bend[at[i][k]] * r[1 + k];
    carom_vec_cross(r + 1, b, side);
    for (int k = 0; k < 3; k++)
        side[k] = 2.0 * (r[0] * b[k] + side[k]);
    carom_quat_turn(q0, side, out);
}

static void plain_forces(const struct carom_solid *s, const double *q, double *pressure, double *f)
{
    struct plain_link p;
    memset(pressure, 0, s->n * sizeof *pressure);
    memset(f, 0, 6 * s->n * sizeof *f);
    for (size_t l = 0; l < s->nlinks; l++) {
        plain_geometry(s, q, l, &p);
        for (int side = 0; side < 2; side++)
            pressure[s->link[l].cell[side]] += s->shape[s->link[l].shape].part[side] * p.open;
    }
    for (size_t i = 0; i < s->n; i++)
        pressure[i] *= carom_solid_sort_of(s, i)->share * carom_solid_sort_of(s, i)->lambda;
    for (size_t l = 0; l < s->nlinks; l++) {
        const struct carom_solid_shape *shape = &s->shape[s->link[l].shape];
        const size_t i = s->link[l].cell[0], j = s->link[l].cell[1];
        const double press = shape->part[0] * pressure[i] + shape->part[1] * pressure[j];
        double grip[3], force[3], turn[3], torque[2][3];
        plain_geometry(s, q, l, &p);
        plain_flex(s, q, l, turn);
        for (int k = 0; k < 3; k++) {
            grip[k] = shape->stiff * p.gap[k] + press * p.normal[k];
            force[k] = grip[k] + press / p.distance * (p.gap[k] - p.open * p.normal[k]);
        }
        carom_vec_cross(p.arm[0], grip, torque[0]);
        carom_vec_cross(p.arm[1], grip, torque[1]);
        for (size_t k = 0; k < 3; k++) {
            f[6 * i + k] += force[k];
            f[6 * j + k] -= force[k];
            f[6 * i + 3 + k] += torque[0][k] + turn[k];
            f[6 * j + 3 + k] -= torque[1][k] + turn[k];
        }
    }
}

/* every link gets a shape of its own, unlike all others */
static void scatter(struct carom_solid *s, struct carom_random *random)
{
    struct carom_solid_shape *shape = carom_memory_zeroed(s->nlinks, sizeof *shape);
    CHECK_OR_STOP(shape != NULL);
    for (size_t l = 0; l < s->nlinks; l++) {
        shape[l] = s->shape[s->link[l].shape];
        s->link[l].shape = (uint32_t)l;
        for (size_t k = 0; k < 3; k++) {
            shape[l].apart[k] *= 1.0 + 0.1 * carom_random_normal(random);
            shape[l].arm[k] += 0.1 * shape[l].apart[(k + 1) % 3];
        }
        shape[l].stiff *= 1.0 + 0.1 * carom_random_normal(random);
        shape[l].part[0] *= 1.0 + 0.1 * carom_random_normal(random);
        for (size_t k = 0; k < 6; k++)
            shape[l].bend[k] += 0.1 * shape[l].bend[(k + 1) % 6];
    }
    carom_memory_free(s->shape);
    s->shape = shape;
    s->nshapes = s->nlinks;
    CHECK_OR_STOP(carom_solid_mesh_ungrid(s));
}

/* f by any number of threads, over what was there before or onto 0: no bit differs */
static void check_ways(const struct carom_solid *s, const double *q, double *f, double *known)
{
    const size_t bytes = 6 * s->n * sizeof *f;
    memcpy(known, f, bytes);
    for (size_t count = 1; count <= 5; count++) {
        struct carom_threads *threads = carom_threads_create(count);
        CHECK_OR_STOP(threads != NULL);
        solid_forces(s, threads, 0.0, q, f, NULL);
        CHECK(memcmp(known, f, bytes) == 0);
        memset(f, 0, bytes);
        double *room = solid_room(s);
        const struct carom_solid_work work = carom_solid_forces_work(s, true, room);
        carom_solid_forces_onto(s, &work, threads, 0.0, q, f);
        carom_memory_free(room);
        CHECK(memcmp(known, f, bytes) == 0);
        carom_threads_free(threads);
    }
}

static void check_forces(int which, size_t nx, double size)
{
    struct carom_random random;
    carom_random_start(&random, 5 + nx);
    struct carom_solid *s = body(which, nx);
    CHECK_OR_STOP(s != NULL);
    double *room = carom_memory_zeroed(7 * s->n + 6 * s->n + 6 * s->n + 2 * s->n, sizeof *room);
    CHECK_OR_STOP(room != NULL);
    double *q = room, *f = q + 7 * s->n, *plain = f + 6 * s->n, *pressure = plain + 6 * s->n, *found = pressure + s->n;
    shake(s, &random, size, q);
    for (int records = 0; records < 3; records++) {
        CHECK_OR_STOP(records == 0 || carom_solid_mesh_ungrid(s));
        if (records == 2)
            scatter(s, &random);
        double largest = 0.0, highest = 0.0;
        plain_forces(s, q, pressure, plain);
        for (size_t i = 0; i < 6 * s->n; i++)
            largest = fmax(largest, fabs(plain[i]));
        for (size_t i = 0; i < s->n; i++)
            highest = fmax(highest, fabs(pressure[i]));
        solid_forces(s, NULL, 0.0, q, f, found);
        for (size_t i = 0; i < 6 * s->n; i++)
            CHECK_NEAR(f[i], plain[i], 3e-15 * largest);
        for (size_t i = 0; i < s->n; i++)
            CHECK_NEAR(found[i], pressure[i], 3e-15 * highest);
        check_ways(s, q, f, plain);
        s->gravity[2] = -largest;
        solid_forces(s, NULL, 0.0, q, f, NULL);
        CHECK(memcmp(plain, f, 6 * s->n * sizeof *f) != 0);
        check_ways(s, q, f, plain);
        s->gravity[2] = 0.0;
    }
    carom_memory_free(room);
    carom_solid_free(s);
}

/* --- kick and drift -------------------------------------------------------------------------------------------- */

struct flight {
    struct carom_solid *solid;
    double *q0, *v0, *f, *q1, *v1; /* all in one piece of memory, at q0 */
};

/* the second kick wants finite numbers; every seventh cell is at rest and feels nothing, or none (nx = 3) */
static void flight_create(struct flight *t, int which, size_t nx, double speed)
{
    struct carom_random random;
    carom_random_start(&random, 3 + nx);
    struct carom_solid *s = t->solid = body(which, nx);
    CHECK_OR_STOP(s != NULL);
    t->q0 = carom_memory_zeroed((7 + 6 + 6 + 7 + 6) * s->n, sizeof *t->q0);
    CHECK_OR_STOP(t->q0 != NULL);
    t->v0 = t->q0 + 7 * s->n;
    t->f = t->v0 + 6 * s->n;
    t->q1 = t->f + 6 * s->n;
    t->v1 = t->q1 + 7 * s->n;
    shake(s, &random, 0.3, t->q0);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < 6 && (i % 7 > 0 || nx == 3); k++) {
            const double heavy = k < 3 ? 1.0 : carom_solid_sort_of(s, i)->inertia[0];
            t->v0[6 * i + k] = speed * heavy * carom_random_normal(&random);
            t->f[6 * i + k] = 0.1 * speed * heavy * carom_random_normal(&random);
        }
}

/* one cell with plain numbers; its turn times the step */
static double plain_cell(const struct flight *t, size_t i, double h, double q1[7], double v1[6])
{
    const struct carom_solid_sort *sort = carom_solid_sort_of(t->solid, i);
    const double *q0 = t->q0 + 7 * i;
    double axes[4], moment[3], e[4], size = 0.0;
    for (size_t k = 0; k < 6; k++) {
        const bool held = t->solid->held && t->solid->held[i] >> k & 1U;
        const double share = k < 3 ? 0.5 * h / sort->mass : 0.5 * h;
        v1[k] = t->v0[6 * i + k] + (held ? 0.0 : share * t->f[6 * i + k]);
    }
    for (size_t k = 0; k < 3; k++)
        q1[k] = q0[k] + h * v1[k];
    carom_quat_product(q0 + 3, sort->frame, axes);
    carom_quat_turn_back(axes, v1 + 3, moment);
    for (int k = 0; k < 3; k++) {
        moment[k] *= h;
        size += fabs(moment[k]) / sort->inertia[k];
    }
    if (!carom_rattle_turn_solve(sort->inertia, sort->inverse_inertia, moment, e))
        return HUGE_VAL;
    carom_quat_turn(sort->frame, e + 1, e + 1);
    carom_quat_product(q0 + 3, e, q1 + 3);
    return size;
}

static void check_drift(int which, size_t nx, double speed, bool held)
{
    const double h = 0.1;
    struct flight t;
    flight_create(&t, which, nx, speed);
    struct carom_solid *s = t.solid;
    if (held) {
        const struct carom_solid_hold hold = {.mask = 0x3d, .count = 2, .cell = (uint32_t[]){1, 5}};
        CHECK_STATUS(carom_solid_add_hold(s, &hold, NULL), CAROM_OK);
    }
    double *force = carom_memory_zeroed(6 * s->n, sizeof *force);
    CHECK_OR_STOP(force != NULL);
    memcpy(force, t.f, 6 * s->n * sizeof *force);
    const struct carom_rattle_body own = {.solid = s, .force = force};
    const size_t bad = carom_rattle_motion_drift(&own, 0, s->n, h, t.q0, t.v0, t.q1, t.v1);
    size_t first_bad = SIZE_MAX, wild = 0;
    double norm = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        double q1[7], v1[6], square = 0.0;
        const double size = plain_cell(&t, i, h, q1, v1);
        wild += size > CAROM_TURN_BOUND;
        for (size_t k = 0; k < 6; k++)
            CHECK_NEAR(t.v1[6 * i + k], v1[k], 4e-16 * fmax(fabs(t.v0[6 * i + k]), fabs(v1[k])));
        if (size == HUGE_VAL) {
            first_bad = first_bad == SIZE_MAX ? i : first_bad;
            continue;
        }
        if (first_bad != SIZE_MAX)
            continue; /* after that a step is given up */
        for (size_t k = 0; k < 7; k++) {
            CHECK_NEAR(t.q1[7 * i + k], q1[k], 1e-15);
            square += k < 3 ? 0.0 : t.q1[7 * i + k] * t.q1[7 * i + k];
        }
        norm = fmax(norm, fabs(square - 1.0));
        if (v1[3] == 0.0 && v1[4] == 0.0 && v1[5] == 0.0)
            CHECK(memcmp(t.q1 + 7 * i + 3, t.q0 + 7 * i + 3, 4 * sizeof(double)) == 0);
    }
    CHECK(bad == first_bad);
    CHECK(norm < 2e-15);
    for (size_t i = 0; i < 6 * s->n; i++)
        CHECK(force[i] == (carom_rattle_space_clears(s) ? 0.0 : t.f[i]));
    memcpy(force, t.f, 6 * s->n * sizeof *force);
    carom_rattle_motion_drift(&own, 0, s->n, h, t.q0, t.v0, t.q1, t.v0); /* in place, as after damping */
    CHECK(memcmp(t.v0, t.v1, 6 * s->n * sizeof *t.v0) == 0);
    printf("body %d, %zu cells, speed %g: %zu cells beyond the bound, lengths to %.1e\n", which, s->n, speed, wild,
           norm);
    carom_memory_free(force);
    carom_memory_free(t.q0);
    carom_solid_free(s);
}

static void check_kick(bool held)
{
    struct flight t;
    flight_create(&t, 1, 5, 0.1);
    struct carom_solid *s = t.solid;
    if (held) {
        const struct carom_solid_hold hold = {.mask = 0x3d, .count = 2, .cell = (uint32_t[]){1, 5}};
        CHECK_STATUS(carom_solid_add_hold(s, &hold, NULL), CAROM_OK);
    }
    const struct carom_rattle_body own = {.solid = s, .force = t.f};
    memcpy(t.v1, t.v0, 6 * s->n * sizeof *t.v1);
    CHECK(carom_rattle_motion_kick(&own, 0, s->n, 0.1, t.q0, t.v1) == SIZE_MAX);
    for (size_t i = 0; i < 6 * s->n; i++) {
        const double share = i % 6 < 3 ? 0.05 / carom_solid_sort_of(s, i / 6)->mass : 0.05;
        const bool stays = held && s->held[i / 6] >> i % 6 & 1U;
        CHECK_NEAR(t.v1[i], t.v0[i] + (stays ? 0.0 : share * t.f[i]), 4e-16 * fmax(fabs(t.v0[i]), fabs(t.v1[i])));
    }
    const double wrong[3] = {nan(""), HUGE_VAL, -HUGE_VAL};
    for (size_t k = 0; k < 18; k++) {
        memcpy(t.v1, t.v0, 6 * s->n * sizeof *t.v1);
        t.v1[6 * 31 + k % 6] = wrong[k / 6];
        CHECK(carom_rattle_motion_kick(&own, 0, s->n, 0.1, t.q0, t.v1) == 31);
    }
    carom_memory_free(t.q0);
    carom_solid_free(s);
}

int main(void)
{
    for (size_t nx = 1; nx <= 7; nx++)
        for (int which = 0; which < 4; which++) {
            if (which == 3 && nx < 2)
                continue;
            check_forces(which, nx, 0.02);
            check_forces(which, nx, 1e-7);
        }
    const double speeds[7] = {1e-9, 1e-4, 3e-3, 0.05, 0.5, 3.0, 30.0};
    for (int which = 0; which < 3; which++)
        for (int k = 0; k < 7; k++)
            for (size_t nx = 1; nx <= 5; nx += 2)
                check_drift(which, nx, speeds[k], (nx + (size_t)k) % 2 > 0);
    check_kick(false);
    check_kick(true);
    return check_end();
}
