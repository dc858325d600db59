/* Static solutions of bodies of any size against closed forms: a hanging column, a beam bent into an arc, a ring
 * pinched between two forces that nothing holds. The work does not grow with the size, it can be watched and
 * stopped, and threads share it. */
#include <string.h>

#include "base/memory.h"
#include "carom/solid.h"
#include "check.h"
#include "model/solid/solid.h"
#include "solids.h"

static const double pi = 3.14159265358979323846;

struct count {
    size_t calls, most; /* most: stop there, 0: never */
    double last;
    bool outside; /* did it ever say less than 0 or more than 1? */
};

static bool count_calls(void *own, double done)
{
    struct count *c = own;
    c->outside |= !(done >= 0.0 && done <= 1.0);
    c->last = done;
    return ++c->calls != c->most;
}

/* the cells whose coordinate `axis` of the lattice is `at` */
static uint32_t *layer(const struct carom_solid *s, int axis, size_t at, size_t *count)
{
    uint32_t *cell = carom_memory_zeroed(s->n, sizeof *cell);
    CHECK_OR_STOP(cell != NULL);
    *count = 0;
    for (size_t i = 0; i < s->n; i++) {
        const size_t where[3] = {i % s->grid.count[0], i / s->grid.count[0] % s->grid.count[1],
                                 i / s->grid.count[0] / s->grid.count[1]};
        if (where[axis] == at)
            cell[(*count)++] = (uint32_t)i;
    }
    return cell;
}

static void hold(struct carom_solid *s, int axis, size_t at, unsigned mask)
{
    struct carom_solid_hold h = {.mask = mask};
    h.cell = layer(s, axis, at, &h.count);
    CHECK_STATUS(carom_solid_add_hold(s, &h, NULL), CAROM_OK);
    CHECK_STATUS(carom_solid_halve(s, NULL), CAROM_OK);
    carom_memory_free(h.cell);
}

static void push(struct carom_solid *s, enum carom_solid_push kind, int axis, size_t at, size_t every,
                 const double vector[3])
{
    struct carom_solid_load l = {.push = kind,
                                 .vector = {vector[0], vector[1], vector[2]},
                                 .signal = {.shape = CAROM_SHAPE_CONSTANT, .amplitude = 1.0}};
    l.at = layer(s, axis, at, &l.count);
    l.count = every > 0 && every < l.count ? every : l.count;
    CHECK_STATUS(carom_solid_add_load(s, &l, NULL), CAROM_OK);
    carom_memory_free(l.at);
}

static size_t settle(const struct carom_solid *s, double *q)
{
    struct count count = {0, 0, 0.0, false};
    const struct carom_progress progress = {count_calls, &count};
    struct carom_error error = {CAROM_OK, ""};
    CHECK_STATUS(carom_solid_settle(s, 0.0, 1e-9, q, NULL, &progress, &error), CAROM_OK);
    if (error.status != CAROM_OK)
        fprintf(stderr, "%s\n", error.text);
    CHECK(!count.outside);
    return count.calls;
}

/* Without Poisson's ratio a column is a bar: u = rho g (s^2 - L^2) / 2 E at the height s above its lower end, to the
 * point in the cells' centres too; the upper layer is cut where it is held. */
static size_t check_column(const size_t cells[3])
{
    const struct carom_solid_material m = {2e9, 0.0, 1000.0};
    const double size[3] = {0.1 * (double)cells[0], 0.1 * (double)cells[1], 0.1 * (double)cells[2]}, g = 9.81;
    struct carom_solid *s =
        carom_solid_box(CAROM_SOLID_SPACE, cells, size, (const double[]){0.0, 0.0, 0.0}, 1.0, &m, NULL);
    CHECK_OR_STOP(s != NULL);
    hold(s, 2, cells[2] - 1, 63);
    s->gravity[2] = -g;
    double *q = solid_rest(s);
    const size_t calls = settle(s, q);
    const double top = s->centre[s->n - 1][2], scale = m.density * g * top * top / (2.0 * m.young);
    double worst = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        const double at = s->centre[i][2] / top;
        worst = fmax(worst, fabs(q[7 * i + 2] / scale - (at * at - 1.0)));
        worst = fmax(worst, fmax(fabs(q[7 * i]), fabs(q[7 * i + 1])) / scale);
    }
    printf("column of %zu cells: off by %.1e, %zu products\n", s->n, worst, calls);
    CHECK_NEAR(worst, 0.0, 1e-7);
    carom_memory_free(q);
    carom_solid_free(s);
    return calls;
}

/* A moment bends a beam of one cell's section into an arc: the end turns by M L / E I, whatever the angle. */
static size_t check_arc(enum carom_solid_case kind, size_t cells, double angle)
{
    const struct carom_solid_material m = {2e9, 0.0, 1000.0};
    const double size[3] = {1.0, 0.02, 0.02}, depth = 0.02;
    struct carom_solid *s =
        carom_solid_box(kind, (const size_t[]){cells, 1, 1}, size, (const double[]){0.0, 0.0, 0.0}, depth, &m, NULL);
    CHECK_OR_STOP(s != NULL);
    const double step = 1.0 / (double)cells, length = 1.0 - step; /* between the centres of the first and the last */
    const double moment = angle / length * m.young * depth * 0.02 * 0.02 * 0.02 / 12.0;
    hold(s, 0, 0, 63);
    push(s, CAROM_SOLID_MOMENT, 0, cells - 1, 0, (const double[]){0.0, 0.0, moment});
    double *q = solid_rest(s), turn[4], worst = 0.0;
    const size_t calls = settle(s, q);
    for (size_t i = 0; i < s->n; i++) {
        const double at = angle * (double)i / (double)(cells - 1);
        carom_solid_quaternion(s, q, i, turn);
        worst = fmax(worst, fabs(2.0 * atan2(turn[3], turn[0]) - at));
        /* the interfaces lie on the arc's chords: the centres are off it by the square of a cell's angle */
        worst = fmax(worst, fabs(q[s->wide * i + 1] - length / angle * (1.0 - cos(at))));
    }
    printf("beam of %zu cells bent by %g rad: off by %.1e, %zu products\n", cells, angle, worst, calls);
    CHECK_NEAR(worst, 0.0, angle * angle * step * step + 1e-6);
    carom_memory_free(q);
    carom_solid_free(s);
    return calls;
}

/* A thin ring between two opposite forces shortens by (pi / 4 - 2 / pi) F R^3 / E I and widens by (2 / pi - 1 / 2); it
 * is held by nothing, and stays where it is. */
static size_t check_ring(size_t around, size_t along)
{
    const struct carom_solid_material m = {2e9, 0.0, 1000.0};
    const double thick = 0.01, high = 0.5, force = 1e-3;
    struct carom_solid *s =
        carom_solid_cylinder(around, along, 1.0, high, thick, (const double[]){0.0, 0.0, 0.0}, &m, NULL);
    CHECK_OR_STOP(s != NULL);
    push(s, CAROM_SOLID_FORCE, 0, 0, 0, (const double[]){-force, 0.0, 0.0});
    push(s, CAROM_SOLID_FORCE, 0, around / 2, 0, (const double[]){force, 0.0, 0.0});
    double *q = solid_rest(s);
    const size_t calls = settle(s, q);
    const double unit = force / (m.young * high * thick * thick * thick / 12.0);
    const double shorter = q[7 * (around / 2)] - q[0], wider = q[7 * (around / 4) + 1] - q[7 * (3 * around / 4) + 1];
    double middle[3] = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < 3; k++)
            middle[k] += q[7 * i + k] / (double)s->n;
    printf("ring of %zu x %zu cells: off by %.1e and %.1e, %zu products\n", around, along,
           shorter / unit / (pi / 4.0 - 2.0 / pi) - 1.0, wider / unit / (2.0 / pi - 0.5) - 1.0, calls);
    CHECK_NEAR(shorter / unit / (pi / 4.0 - 2.0 / pi), 1.0, 1e-3);
    CHECK_NEAR(wider / unit / (2.0 / pi - 0.5), 1.0, 1e-3);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(middle[k] / unit, 0.0, 1e-6);
    carom_memory_free(q);
    carom_solid_free(s);
    return calls;
}

static void check_stop(void)
{
    const struct carom_solid_material m = {2e9, 0.3, 1000.0};
    struct carom_solid *s =
        carom_solid_box(CAROM_SOLID_STRAIN, (const size_t[]){40, 40, 1}, (const double[]){1.0, 1.0, 1.0},
                        (const double[]){0.0, 0.0, 0.0}, 1.0, &m, NULL);
    CHECK_OR_STOP(s != NULL);
    hold(s, 1, 0, 63);
    s->gravity[1] = -9.81;
    double *q = solid_rest(s);
    struct count count = {0, 3, 0.0, false};
    const struct carom_progress progress = {count_calls, &count};
    struct carom_error error = {CAROM_OK, ""};
    CHECK_STATUS(carom_solid_settle(s, 0.0, 1e-9, q, NULL, &progress, &error), CAROM_E_STOPPED);
    CHECK(count.calls == 3);
    CHECK_CONTAINS(error.text, "settling");
    carom_memory_free(q);
    carom_solid_free(s);
}

/* Threads share all of it, and leave the bits of one: bodies that are held at one end and pulled askew at the other, of
 * so many cells that they are swept in waves. */
static void check_shared(struct carom_solid *s, int axis, size_t last)
{
    CHECK_OR_STOP(s != NULL);
    hold(s, axis, 0, 63);
    push(s, CAROM_SOLID_FORCE, axis, last, 0, (const double[]){3e3, -1e3, s->dimension == 3 ? 2e3 : 0.0});
    const size_t bytes = carom_solid_size(s) * sizeof(double);
    double *alone = solid_rest(s), *rest = solid_rest(s);
    CHECK_STATUS(carom_solid_settle(s, 0.0, 1e-9, alone, NULL, NULL, NULL), CAROM_OK);
    CHECK(memcmp(alone, rest, bytes) != 0);
    carom_memory_free(rest);
    for (size_t count = 2; count <= 3; count++) {
        struct carom_threads *threads = carom_threads_create(count);
        CHECK_OR_STOP(threads != NULL);
        double *q = solid_rest(s);
        CHECK_STATUS(carom_solid_settle_shared(s, threads, 0.0, 1e-9, q, NULL, NULL, NULL), CAROM_OK);
        CHECK(memcmp(alone, q, bytes) == 0);
        carom_memory_free(q);
        carom_threads_free(threads);
    }
    carom_memory_free(alone);
    carom_solid_free(s);
}

static void check_threads(void)
{
    const struct carom_solid_material m = {2e9, 0.3, 1000.0};
    const double none[3] = {0.0, 0.0, 0.0}, cube[3] = {1.0, 1.0, 1.0};
    check_shared(carom_solid_box(CAROM_SOLID_SPACE, (const size_t[]){19, 17, 18}, cube, none, 1.0, &m, NULL), 1, 16);
    check_shared(carom_solid_box(CAROM_SOLID_STRAIN, (const size_t[]){90, 70, 1}, cube, none, 1.0, &m, NULL), 0, 89);
    check_shared(carom_solid_cylinder(150, 21, 1.0, 1.0, 0.02, none, &m, NULL), 2, 20);
}

int main(void)
{
    check_threads();
    check_column((const size_t[]){6, 5, 12});
    check_column((const size_t[]){1, 1, 40});
    const bool all = check_takes_all();
    const size_t small = check_column((const size_t[]){11, 9, 30}),
                 large = check_column(all ? (const size_t[]){20, 18, 70} : (const size_t[]){14, 12, 42});
    CHECK(large <= small + 8 && large < 35);
    CHECK(check_arc(CAROM_SOLID_SPACE, 20, 1.0) < 400);
    CHECK(check_arc(CAROM_SOLID_SPACE, 400, 0.1) < 600);
    CHECK(check_arc(CAROM_SOLID_STRESS, 400, 1.0) < 1000);
    if (all)
        CHECK(check_arc(CAROM_SOLID_STRESS, 2000, 0.1) < 400);
    CHECK(check_ring(200, 3) < 40);
    CHECK(check_ring(all ? 1600 : 400, all ? 14 : 4) < 40);
    check_stop();
    return check_end();
}
