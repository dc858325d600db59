/* Stacks and random sets of bodies as contact problems. The stacks are one step of length h under gravity from rest,
 * mass 1, radius 1, mu = .5; in random ones masses, inertias, normals, levers, mu and velocities are drawn. */
#include "study/stacks.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/vec.h"

static const double fall = 9.81e-3; /* g h */
enum { MOST_CONTACTS = 1000000 };

struct heap {
    size_t n, dim, dof, bodies, most; /* contacts so far, room for them */
    size_t *pair;
    double *h, *inverse, *v, *mu;
};

static void heap_close(struct heap *heap)
{
    carom_memory_free(heap->pair);
}

static bool heap_open(struct heap *heap, size_t dim, size_t bodies, size_t contacts)
{
    const size_t dof = dim == 2 ? 3 : 6;
    *heap = (struct heap){.dim = dim, .dof = dof, .bodies = bodies, .most = contacts};
    return carom_memory_together(CAROM_ROOM(heap->pair, 2 * contacts), CAROM_ROOM(heap->h, 2 * dim * dof * contacts),
                                 CAROM_ROOM(heap->mu, contacts), CAROM_ROOM(heap->inverse, dof * bodies),
                                 CAROM_ROOM(heap->v, dof * bodies));
}

/* Two directions across the normal (one in the plane: turned left). */
static void frame(size_t dim, const double *normal, double axes[3][3])
{
    memcpy(axes[0], normal, 3 * sizeof(double));
    if (dim == 2) {
        const double left[3] = {-normal[1], normal[0], 0.0};
        memcpy(axes[1], left, sizeof left);
        return;
    }
    const size_t least = fabs(normal[0]) < 0.6 ? (size_t)0 : 1;
    double size = 0.0;
    for (size_t k = 0; k < 3; k++) {
        axes[1][k] = (k == least ? 1.0 : 0.0) - normal[least] * normal[k];
        size += axes[1][k] * axes[1][k];
    }
    for (size_t k = 0; k < 3; k++)
        axes[1][k] /= sqrt(size);
    carom_vec_cross(normal, axes[1], axes[2]);
}

/* A contact between a and b (b = bodies: the floor); the normal points to a, levers go from centres to the contact. */
static void touch(struct heap *heap, size_t a, size_t b, const double *normal, const double *lever_a,
                  const double *lever_b, double mu)
{
    double axes[3][3] = {{0.0}};
    frame(heap->dim, normal, axes);
    const size_t i = heap->n++, dof = heap->dof, dim = heap->dim;
    heap->pair[2 * i] = a;
    heap->pair[2 * i + 1] = b;
    heap->mu[i] = mu;
    for (size_t side = 0; side < 2; side++) {
        const double sign = side == 0 ? 1.0 : -1.0, *lever = side == 0 ? lever_a : lever_b;
        double spin[3];
        for (size_t k = 0; k < dim; k++) {
            double *row = heap->h + ((2 * i + side) * dim + k) * dof;
            for (size_t l = 0; l < dim; l++)
                row[l] = sign * axes[k][l];
            carom_vec_cross(lever, axes[k], spin); /* (w x lever) . e = w . (lever x e) */
            for (size_t l = dim; l < dof; l++)
                row[l] = sign * (dim == 3 ? spin[l - dim] : spin[2]);
        }
    }
}

/* mass 1, inertia of disks or spheres of radius 1, falling from rest along -axis */
static void drop(struct heap *heap, size_t axis)
{
    for (size_t b = 0; b < heap->bodies; b++)
        for (size_t k = 0; k < heap->dof; k++) {
            heap->inverse[b * heap->dof + k] = k < heap->dim ? 1.0 : heap->dim == 2 ? 2.0 : 2.5;
            heap->v[b * heap->dof + k] = k == axis ? -fall : 0.0;
        }
}

/* round bodies: levers follow from the normal */
static void touch_round(struct heap *heap, size_t a, size_t b, const double *normal)
{
    double below[3], above[3];
    for (size_t k = 0; k < 3; k++) {
        below[k] = -normal[k];
        above[k] = normal[k];
    }
    touch(heap, a, b, normal, below, above, 0.5);
}

static bool pyramid(struct heap *heap, size_t rows)
{
    if (!heap_open(heap, 2, rows * (rows + 1) / 2, rows * (3 * rows - 1) / 2))
        return false;
    drop(heap, 1);
    const double up[3] = {0.0, 1.0, 0.0}, right[3] = {1.0, 0.0, 0.0};
    const double slant[2][3] = {{0.5, sqrt(0.75), 0.0}, {-0.5, sqrt(0.75), 0.0}};
    size_t below = 0, at = 0;
    for (size_t row = 0; row < rows; row++) {
        for (size_t k = 0; k < rows - row; k++) {
            if (row == 0)
                touch_round(heap, at + k, heap->bodies, up);
            for (size_t side = 0; row > 0 && side < 2; side++)
                touch_round(heap, at + k, below + k + side, slant[side]);
            if (k > 0)
                touch_round(heap, at + k, at + k - 1, right);
        }
        below = at;
        at += rows - row;
    }
    return true;
}

static bool tower(struct heap *heap, size_t boxes)
{
    if (!heap_open(heap, 3, boxes, 4 * boxes))
        return false;
    drop(heap, 2);
    const double up[3] = {0.0, 0.0, 1.0};
    for (size_t b = 0; b < boxes; b++) {
        for (size_t k = 3; k < 6; k++)
            heap->inverse[b * 6 + k] = 1.5; /* a cube of side 2 */
        for (size_t k = 0; k < 4; k++) {
            const double x = k % 2 ? 1.0 : -1.0, y = k / 2 ? 1.0 : -1.0;
            touch(heap, b, b == 0 ? boxes : b - 1, up, (const double[3]){x, y, -1.0}, (const double[3]){x, y, 1.0},
                  0.5);
        }
    }
    return true;
}

/* boxes of 2 x 1 in bond, each row one shorter than the one below: two contacts with each box below and beside */
static bool bricks(struct heap *heap, size_t columns, size_t rows)
{
    const size_t count = rows * (2 * columns - rows + 1) / 2;
    if (!heap_open(heap, 2, count, 6 * count))
        return false;
    drop(heap, 1);
    const double up[3] = {0.0, 1.0, 0.0}, right[3] = {1.0, 0.0, 0.0};
    for (size_t b = 0; b < count; b++)
        heap->inverse[b * 3 + 2] = 12.0 / 5.0;
    for (size_t row = 0, at = 0, below = 0; row < rows; below = at, at += columns - row++)
        for (size_t k = 0; k < columns - row; k++) {
            for (size_t end = 0; row == 0 && end < 2; end++)
                touch(heap, at + k, count, up, (const double[3]){end ? 1.0 : -1.0, -0.5, 0.0}, up, 0.5);
            for (size_t part = 0; row > 0 && part < 4; part++) { /* left half on one box, right half on the next */
                const double x = part == 0 ? -1.0 : part == 3 ? 1.0 : 0.0;
                const double other = x + (part < 2 ? 1.0 : -1.0);
                touch(heap, at + k, below + k + part / 2, up, (const double[3]){x, -0.5, 0.0},
                      (const double[3]){other, 0.5, 0.0}, 0.5);
            }
            for (size_t end = 0; k > 0 && end < 2; end++)
                touch(heap, at + k, at + k - 1, right, (const double[3]){-1.0, end ? 0.5 : -0.5, 0.0},
                      (const double[3]){1.0, end ? 0.5 : -0.5, 0.0}, 0.5);
        }
    return true;
}

static bool spheres(struct heap *heap, size_t side)
{
    if (!heap_open(heap, 3, side * side * side, 3 * side * side * side))
        return false;
    drop(heap, 2);
    const double axes[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const size_t stride[3] = {1, side, side * side};
    for (size_t b = 0; b < heap->bodies; b++)
        for (size_t k = 0; k < 3; k++)
            if (b / stride[k] % side > 0)
                touch_round(heap, b, b - stride[k], axes[k]);
            else if (k == 2)
                touch_round(heap, b, heap->bodies, axes[k]);
    return true;
}

static void direction(struct carom_random *random, size_t dim, double *x)
{
    double size = 0.0;
    do {
        size = 0.0;
        for (size_t k = 0; k < 3; k++) {
            x[k] = k < dim ? carom_random_normal(random) : 0.0;
            size += x[k] * x[k];
        }
    } while (size < 1e-6);
    for (size_t k = 0; k < 3; k++)
        x[k] /= sqrt(size);
}

/* The other body: any, or a neighbour in the grid; itself is the floor. */
static size_t partner(struct carom_random *random, const struct heap *heap, size_t a, bool any)
{
    if (any)
        return (size_t)carom_random_below(random, heap->bodies + 1);
    size_t side = 1, stride = 1;
    while ((heap->dim == 2 ? side * side : side * side * side) < heap->bodies)
        side++;
    for (uint64_t k = carom_random_below(random, heap->dim); k > 0; k--)
        stride *= side;
    return a >= stride ? a - stride : heap->bodies;
}

static bool scatter(struct heap *heap, size_t n, size_t dim, uint64_t seed, bool any)
{
    struct carom_random random;
    carom_random_start(&random, seed);
    const size_t bodies = any ? n : n / dim + 1;
    if (!heap_open(heap, dim, bodies, n))
        return false;
    for (size_t b = 0; b < bodies; b++) {
        const double mass = 0.5 + carom_random_uniform(&random);
        for (size_t k = 0; k < heap->dof; k++) {
            heap->inverse[b * heap->dof + k] = (k < dim ? 1.0 : 2.5) / mass;
            heap->v[b * heap->dof + k] = carom_random_normal(&random);
        }
    }
    for (size_t i = 0; i < n; i++) {
        const size_t a = any ? (size_t)carom_random_below(&random, bodies) : i % bodies;
        const size_t other = partner(&random, heap, a, any);
        double normal[3], lever_a[3], lever_b[3];
        direction(&random, dim, normal);
        direction(&random, dim, lever_a);
        direction(&random, dim, lever_b);
        touch(heap, a, other == a ? bodies : other, normal, lever_a, lever_b, 0.8 * carom_random_uniform(&random));
    }
    return true;
}

/* the numbers after the name; how many, or 0 if there is something else */
static size_t numbers(const char *text, unsigned long long *value, size_t most)
{
    size_t count = 0;
    while (*text == ':' && count < most) {
        char *end;
        if (text[1] < '0' || text[1] > '9')
            return 0;
        value[count++] = strtoull(text + 1, &end, 10);
        text = end;
    }
    return *text == '\0' ? count : 0;
}

static bool is(const char *name, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(name, word, length) == 0;
}

enum carom_status carom_stacks_make(const char *name, struct carom_friction_data *data, struct carom_error *error)
{
    const size_t length = strcspn(name, ":");
    unsigned long long value[3] = {0, 0, 1};
    const size_t count = numbers(name + length, value, 3), size = (size_t)value[0];
    const bool stack = is(name, length, "pyramid") || is(name, length, "tower") || is(name, length, "spheres");
    const bool wall =
        is(name, length, "bricks"); /* no more rows than its columns bear, no more boxes than is sensible */
    const bool random = is(name, length, "random") || is(name, length, "tangle");
    if ((!stack && !random && !wall) || (wall && (count != 2 || value[1] > value[0])) || (stack && count != 1) ||
        (random && (count < 2 || value[1] < 2 || value[1] > 3)))
        return carom_error_set(
            error, CAROM_E_USAGE,
            "%s is not a problem that can be made: pyramid:ROWS, tower:BOXES, bricks:COLUMNS:ROWS (at most as many "
            "rows as columns), spheres:SIDE, random:N:DIM:SEED or tangle:N:DIM:SEED (DIM 2 or 3)",
            name);
    const unsigned long long limit = is(name, length, "pyramid") || wall ? 800
                                     : is(name, length, "spheres")       ? 69
                                                                         : 250000;
    if (value[0] > (random ? MOST_CONTACTS : limit))
        return carom_error_set(error, CAROM_E_USAGE, "%s: at most %llu", name, random ? MOST_CONTACTS : limit);
    struct heap heap = {0};
    bool good;
    if (is(name, length, "pyramid"))
        good = pyramid(&heap, size);
    else if (is(name, length, "tower"))
        good = tower(&heap, size);
    else if (wall)
        good = bricks(&heap, size, (size_t)value[1]);
    else if (is(name, length, "spheres"))
        good = spheres(&heap, size);
    else
        good = scatter(&heap, size, (size_t)value[1], value[2], is(name, length, "tangle"));
    enum carom_status status = good ? carom_friction_data_assemble(data, heap.n, heap.dim, heap.bodies, heap.dof,
                                                                   heap.pair, heap.h, heap.inverse, heap.v, error)
                                    : carom_error_set(error, CAROM_E_MEMORY, "%s: out of memory", name);
    if (status == CAROM_OK)
        memcpy(data->mu, heap.mu, heap.n * sizeof *data->mu);
    heap_close(&heap);
    return status;
}
