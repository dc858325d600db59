/* The passes over cells of solids in four lanes against those in two, bit by bit: forces of links, and kicks and drifts
 * of rattle, on rows of all lengths, in blocks that begin and end anywhere. */
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "carom/carom.h"
#include "check.h"
#include "model/solid/solid_sheet.h"
#include "model/solid/solid_slice.h"
#include "scheme/solid/rattle_sheet.h"
#include "solids.h"

enum { SIZES = 11 };

static struct carom_solid *box(const size_t count[3])
{
    static const double origin[3] = {-0.4, 0.2, 0.1}, size[3] = {1.2, 0.8, 1.9};
    const struct carom_solid_material material = {1.0, 0.25, 1.0};
    struct carom_solid *s = carom_solid_box(CAROM_SOLID_SPACE, count, size, origin, 1.0, &material, NULL);
    CHECK_OR_STOP(s != NULL);
    return s;
}

static double *numbers(size_t count)
{
    double *x = carom_memory_zeroed(count, sizeof *x);
    CHECK_OR_STOP(x != NULL);
    return x;
}

/* displacements and turns of that size, in space */
static void shake(const struct carom_solid *s, struct carom_random *random, double size, double *q)
{
    for (size_t i = 0; i < 7 * s->n; i++)
        q[i] = (i % 7 == 3 ? 1.0 : 0.0) + size * carom_random_normal(random);
}

/* --- links ------------------------------------------------------------------------------------------------------- */

/* what the passes make of cells [first, last): sums, then forces */
static void act(const struct carom_solid_passes *passes, const struct carom_solid *s, const double *q, size_t first,
                size_t last, double *out)
{
    double *room = solid_room(s);
    struct carom_solid_call call = {.solid = s, .q = q, .sum = out, .stretch = room, .f = out + s->n, .to = s->n};
    call.blocks = 1;
    memset(out, 0, 7 * s->n * sizeof *out);
    passes->dilate(&call, first, last);
    passes->pull(&call, first, last);
    carom_memory_free(room);
}

static void check_links(const struct carom_solid_passes *narrow, const struct carom_solid_passes *wide,
                        const struct carom_solid *s, struct carom_random *random, double size)
{
    double *q = numbers(7 * s->n), *two = numbers(7 * s->n), *four = numbers(7 * s->n);
    shake(s, random, size, q);
    for (int try = 0; try < 4; try++) { /* blocks begin at even cells and end at them or with the body */
        const size_t first = try == 0 ? 0 : 2 * (carom_random_below(random, s->n / 2 + 1));
        const size_t more = first + 2 * (carom_random_below(random, s->n / 2 + 1)), last = more < s->n ? more : s->n;
        act(narrow, s, q, first, try == 0 ? s->n : last, two);
        act(wide, s, q, first, try == 0 ? s->n : last, four);
        CHECK(memcmp(two, four, 7 * s->n * sizeof *two) == 0);
        CHECK(try > 0 || s->n < 2 || two[s->n] != 0.0);
    }
    carom_memory_free(q);
    carom_memory_free(two);
    carom_memory_free(four);
}

/* The same for slices [from, to): onto all cells (try 0), onto some, onto some without forces to come. */
static void act_slices(const struct carom_slice_passes *passes, const struct carom_solid *s, const double *q, int try,
                       size_t from, size_t to, double *out)
{
    const struct carom_solid_field field = {.first = CAROM_SLICE * from, .last = CAROM_SLICE * to};
    double *room = solid_room(s);
    struct carom_solid_call call = {.solid = s, .q = q, .sum = out, .stretch = room, .f = out + s->n, .to = s->n};
    memset(out, 0, 7 * s->n * sizeof *out);
    if (try == 2)
        call.stretch = NULL;
    passes->dilate(&call, from, to, &field, try == 0);
    if (try != 2)
        passes->pull(&call, from, to, &field, try == 0);
    carom_memory_free(room);
}

static void check_slices(const struct carom_slice_passes *wide, const struct carom_solid *s,
                         struct carom_random *random)
{
    double *q = numbers(7 * s->n), *two = numbers(7 * s->n), *four = numbers(7 * s->n);
    shake(s, random, 0.02, q);
    for (int try = 0; try < 7; try++) {
        const size_t count = s->slices->count, to = try == 0 ? count : carom_random_below(random, count + 1);
        const size_t from = try == 0 ? 0 : carom_random_below(random, to + 1);
        act_slices(&carom_solid_slice_narrow, s, q, try % 3, from, to, two);
        act_slices(wide, s, q, try % 3, from, to, four);
        CHECK(memcmp(two, four, 7 * s->n * sizeof *two) == 0);
        CHECK(try > 0 || two[s->n] != 0.0);
    }
    carom_memory_free(q);
    carom_memory_free(two);
    carom_memory_free(four);
}

/* --- kicks and drifts -------------------------------------------------------------------------------------------- */

struct motion {
    double *f, *q, *v; /* in one piece of memory of 19 numbers a cell, at f */
    size_t bad[2];
};

static void move(const struct carom_rattle_passes *passes, const struct carom_solid *s, double *unlike,
                 const struct motion *from, size_t first, size_t last, struct motion *to)
{
    memcpy(to->f, from->f, 19 * s->n * sizeof *to->f);
    const struct carom_rattle_body body = {.solid = s, .force = to->f, .unlike = unlike, .still = {1e-9, 1e-9, 1e-9}};
    to->bad[0] = passes->drift(&body, first, last, 0.1, from->q, from->v, to->q, to->v);
    memcpy(to->f, from->f, 6 * s->n * sizeof *to->f);
    to->bad[1] = passes->kick(&body, first, last, 0.1, to->q, to->v);
}

static struct motion motion_of(const struct carom_solid *s)
{
    double *f = numbers(19 * s->n);
    return (struct motion){f, f + 6 * s->n, f + 13 * s->n, {0, 0}};
}

/* `speed`: slow enough for series, within the bound, beyond it, too fast; every fifth cell is at rest. What stands side
 * by side of unlike cells is what their sorts say. */
static void check_motion(const struct carom_rattle_passes *wide, const struct carom_solid *s,
                         struct carom_random *random, double speed)
{
    struct motion from = motion_of(s), two = motion_of(s), four = motion_of(s);
    double *unlike = carom_rattle_space_unlike_create(s);
    CHECK(carom_rattle_space_unlike_is(s) == (unlike != NULL));
    shake(s, random, 0.1, from.q);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < 6 && i % 5 > 0; k++) {
            const double heavy = k < 3 ? 1.0 : carom_solid_sort_of(s, i)->inertia[0];
            from.v[6 * i + k] = speed * heavy * carom_random_normal(random);
            from.f[6 * i + k] = 0.1 * speed * heavy * carom_random_normal(random);
        }
    for (int try = 0; try < 4; try++) {
        const size_t first = carom_random_below(random, s->n), last = try > 0 ? s->n : first + 1;
        move(&carom_rattle_space_narrow, s, NULL, &from, first, last, &two);
        for (int how = 0; how < 3; how++) {
            move(how == 1 ? &carom_rattle_space_narrow : wide, s, how > 0 ? unlike : NULL, &from, first, last, &four);
            CHECK(memcmp(two.f, four.f, 19 * s->n * sizeof *two.f) == 0);
            CHECK(memcmp(two.bad, four.bad, sizeof two.bad) == 0);
        }
        from.v[6 * (s->n - 1)] = try == 1 ? HUGE_VAL : from.v[6 * (s->n - 1)];
    }
    carom_memory_free_all(unlike, from.f, two.f, four.f);
}

/* --- plane boxes ------------------------------------------------------------------------------------------------- */

static void arrive(void *q, size_t block, size_t first, size_t last, double *const place[CAROM_SHEET_PLACES])
{
    (void)block;
    carom_solid_sheet_unpack(q, first, last, place);
}

/* forces and pressures of a sweep in so many blocks */
static void sweep(void (*pass)(void *, size_t), const struct carom_solid *s, double *q, size_t blocks, double *out)
{
    struct carom_sheet_sweep call = {.solid = s,
                                     .rows = numbers(carom_solid_sheet_room(s, blocks)),
                                     .q = q,
                                     .pressure = out,
                                     .f = out + s->n,
                                     .blocks = blocks,
                                     .arrive = arrive,
                                     .own = q};
    for (size_t b = 0; b < blocks; b++)
        pass(&call, b);
    carom_memory_free(call.rows);
}

/* a step of rattle: f, q and v */
static void step(const struct carom_rattle_sheet_passes *passes, const struct carom_solid *s, const double *from,
                 double *to)
{
    double *room = solid_room(s);
    memcpy(to, from, 10 * s->n * sizeof *to);
    const struct carom_rattle_body body = {
        .solid = s, .force = to, .still = {1e-9, 1e-9, 1e-9}, .work = carom_solid_forces_work(s, true, room)};
    struct carom_rattle_move move = {.h = 0.1,
                                     .q0 = from + 3 * s->n,
                                     .v0 = from + 7 * s->n,
                                     .q1 = to + 3 * s->n,
                                     .v1 = to + 7 * s->n,
                                     .fast = SIZE_MAX,
                                     .passes = passes};
    to[10 * s->n] = (double)carom_rattle_sheet_step(&body, &move);
    carom_memory_free(room);
}

static void check_plane(size_t nx, size_t ny, double size, bool held, struct carom_random *random)
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    const struct carom_solid_material material = {2.0, 0.3, 1.5};
    const double edges[3] = {0.9 * (double)nx, 1.3 * (double)ny, 1.0};
    struct carom_solid *s =
        carom_solid_box(CAROM_SOLID_STRAIN, (const size_t[3]){nx, ny, 1}, edges, origin, 0.7, &material, NULL);
    CHECK_OR_STOP(s != NULL && carom_solid_sheet_fits(s));
    const struct carom_solid_hold hold = {.mask = 0x21, .count = 2, .cell = (uint32_t[]){1, 5}};
    if (held)
        CHECK_STATUS(carom_solid_add_hold(s, &hold, NULL), CAROM_OK);
    double *from = numbers(10 * s->n), *q = from + 3 * s->n, *two = numbers(10 * s->n + 1),
           *four = numbers(10 * s->n + 1);
    for (size_t i = 0; i < 10 * s->n; i++)
        from[i] = size * carom_random_normal(random);
    for (size_t i = 0; i < s->n; i++) {
        q[4 * i + 2] = 1.0;
        for (size_t k = 0; k < 3 && i % 5 == 0; k++) /* some are at rest */
            from[7 * s->n + 3 * i + k] = from[3 * i + k] = 0.0;
    }
    for (size_t blocks = 1; blocks <= 3 && blocks <= ny; blocks++) {
        sweep(carom_solid_sheet_narrow, s, q, blocks, two);
        sweep(carom_solid_sheet_wide(), s, q, blocks, four);
        CHECK(memcmp(two, four, 4 * s->n * sizeof *two) == 0);
    }
    step(&carom_rattle_sheet_narrow, s, from, two);
    step(carom_rattle_sheet_wide(), s, from, four);
    CHECK(memcmp(two, four, (10 * s->n + 1) * sizeof *two) == 0);
    carom_memory_free(from);
    carom_memory_free(two);
    carom_memory_free(four);
    carom_solid_free(s);
}

int main(int argc, char **argv)
{
    const struct carom_solid_passes *grid = carom_solid_grid_wide();
    const struct carom_slice_passes *slices = carom_solid_slice_wide();
    const struct carom_rattle_passes *space = carom_rattle_space_wide();
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    if (!grid || !slices || !space || !carom_solid_sheet_wide() || !carom_rattle_sheet_wide()) {
        printf("skipped: this processor has no registers of four numbers\n");
        return 77;
    }
    CHECK(grid == carom_solid_grid_passes() && slices == carom_solid_slice_passes());
    CHECK(space == carom_rattle_space_passes());
    for (size_t nx = 1; nx <= SIZES; nx++) {
        struct carom_solid *s = box((size_t[3]){nx, 1 + nx % 3, 1 + nx % 4});
        check_links(&carom_solid_grid_narrow, grid, s, &random, 0.02);
        check_links(&carom_solid_grid_narrow, grid, s, &random, 1e-7);
        for (double speed = 1e-4; speed < 2e3; speed *= 30.0)
            check_motion(space, s, &random, speed);
        CHECK_OR_STOP(carom_solid_mesh_ungrid(s));
        if (s->n > 1)
            check_slices(slices, s, &random);
        carom_solid_free(s);
    }
    for (size_t nx = 1; nx <= 2 * SIZES; nx++)
        for (double size = 1e-4; size < 20.0; size *= 40.0) { /* series, roots, too fast */
            check_plane(nx, 1 + nx % 6, size, false, &random);
            check_plane(nx + 6, 1 + nx % 3, size, true, &random);
        }
    check_plane(CAROM_SHEET_CHUNK + 5, 4, 1e-3, false, &random);
    const struct carom_solid_material material = {1.0, 0.25, 1.0};
    for (size_t cells = 20; cells <= 60; cells += 13) { /* as many shapes as links */
        struct carom_solid *s = solid_voronoi((const double[3]){1.0, 1.0, 1.0}, cells, 1, &material);
        check_slices(slices, s, &random);
        CHECK(carom_rattle_space_unlike_is(s));
        for (double speed = 1e-4; speed < 2e3; speed *= 30.0)
            check_motion(space, s, &random, speed);
        carom_solid_free(s);
    }
    return check_end();
}
