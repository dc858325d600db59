/* The stiffness of a body by differences of its forces (fourth order), a block for every two cells that feel each
 * other: neighbours, and neighbours of a neighbour, whose dilatations pull on the first. Cells that nobody feels both
 * of move at the same time, so that a body of any size takes as many differences as a small one. The matrix, weighed by
 * masses and shifted a little, is factored, and the largest eigenvalues of its inverse are the lowest frequencies. */
#include "study/vibration.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"
#include "model/solid/solid_turns.h"
#include "solve/block_factor.h"
#include "solve/spectrum.h"

#define PRODUCTS 3e8 /* of blocks in a factorisation: a minute or two */
#define CELLS ((size_t)50000)

/* rows of cells, rising */
struct rows {
    size_t *first, *column;
};

struct stiffness {
    const struct carom_solid *s;
    const struct carom_part *part;
    struct carom_solid_work work;
    struct rows near; /* who feels whom */
    size_t *colour, colours, *mark;
    double *room, *q, *moved, *step, *force, *light; /* light: 1 / sqrt(inertia) */
    double *value;                                   /* blocks of `near`, row by row */
    struct carom_block_factor factor;
    double shift;
};

/* --- who feels whom ---------------------------------------------------------------------------------------------- */

static void close_rows(struct rows *rows)
{
    carom_memory_free_all(rows->first, rows->column);
}

/* neighbours by links */
static bool join(const struct carom_solid *s, struct rows *out)
{
    out->first = carom_memory_zeroed(s->n + 2, sizeof *out->first);
    out->column = carom_memory_zeroed(2 * s->nlinks + 1, sizeof *out->column);
    if (!out->first || !out->column)
        return false;
    for (size_t l = 0; l < s->nlinks; l++)
        for (int k = 0; k < 2; k++)
            out->first[s->link[l].cell[k] + 2]++;
    for (size_t i = 0; i < s->n; i++)
        out->first[i + 2] += out->first[i + 1];
    for (size_t l = 0; l < s->nlinks; l++)
        for (int k = 0; k < 2; k++)
            out->column[out->first[s->link[l].cell[k] + 1]++] = s->link[l].cell[1 - k];
    return true;
}

/* Cells that two steps of `step` reach from i, i among them, into list; mark[j] = i + 1 for them. */
static size_t twice(const struct rows *step, size_t i, size_t *mark, size_t *list)
{
    size_t count = 0, from = 0, until;
    mark[i] = i + 1;
    list[count++] = i;
    for (int round = 0; round < 2; round++)
        for (until = count; from < until; from++)
            for (size_t k = step->first[list[from]]; k < step->first[list[from] + 1]; k++)
                if (mark[step->column[k]] != i + 1) {
                    mark[step->column[k]] = i + 1;
                    list[count++] = step->column[k];
                }
    return count;
}

/* two passes: how much there is, then what */
static bool find_near(struct stiffness *k, const struct rows *joined)
{
    const size_t n = k->s->n;
    size_t *list = carom_memory_zeroed(n, sizeof *list), total = 0;
    k->near.first = carom_memory_zeroed(n + 1, sizeof *k->near.first);
    for (int pass = 0; list && k->near.first && pass < 2; pass++) {
        if (pass == 1 && !(k->near.column = carom_memory_zeroed(total, sizeof *k->near.column)))
            break;
        memset(k->mark, 0, n * sizeof *k->mark);
        total = 0;
        for (size_t i = 0; i < n; i++) {
            const size_t count = twice(joined, i, k->mark, list);
            if (pass == 1) {
                qsort(list, count, sizeof *list, carom_sorted_sizes);
                memcpy(k->near.column + total, list, count * sizeof *list);
            }
            total += count;
            k->near.first[i + 1] = total;
        }
    }
    carom_memory_free(list);
    return k->near.column != NULL;
}

/* Two cells have different colours if some cell feels both. */
static bool find_colours(struct stiffness *k)
{
    const size_t n = k->s->n;
    size_t *list = carom_memory_zeroed(n, sizeof *list), *taken = carom_memory_zeroed(n + 1, sizeof *taken);
    if (list && taken)
        memset(k->mark, 0, n * sizeof *k->mark);
    for (size_t i = 0; list && taken && i < n; i++) {
        const size_t count = twice(&k->near, i, k->mark, list);
        for (size_t j = 0; j < count; j++)
            if (list[j] < i)
                taken[k->colour[list[j]]] = i + 1;
        while (taken[k->colour[i]] == i + 1)
            k->colour[i]++;
        k->colours = k->colour[i] + 1 > k->colours ? k->colour[i] + 1 : k->colours;
    }
    const bool good = list && taken;
    carom_memory_free_all(list, taken);
    return good;
}

/* --- the matrix -------------------------------------------------------------------------------------------------- */

static double *block(const struct stiffness *k, size_t row, size_t column)
{
    const size_t *from = k->near.column + k->near.first[row];
    const size_t *found =
        bsearch(&column, from, k->near.first[row + 1] - k->near.first[row], sizeof *from, carom_sorted_sizes);
    return k->value + (size_t)(found - k->near.column) * k->s->fast * k->s->fast;
}

static double size_of(const struct stiffness *k, size_t cell, size_t axis)
{
    return 1e-3 * (axis < (size_t)k->s->dimension ? carom_solid_sort_of(k->s, cell)->edge[0] : 1.0);
}

/* what the cells that feel a cell of this colour feel when these move along `axis` by `times` their size */
static void add_difference(struct stiffness *k, size_t colour, size_t axis, double times, double weight)
{
    const struct carom_solid *s = k->s;
    const size_t m = s->fast;
    memset(k->step, 0, m * s->n * sizeof *k->step);
    for (size_t i = 0; i < s->n; i++)
        if (k->colour[i] == colour)
            k->step[m * i + axis] = times * size_of(k, i, axis);
    k->part->move(s, k->q, k->step, k->moved);
    carom_solid_forces(s, &k->work, NULL, 0.0, k->moved, k->force);
    carom_solid_turns_to_axes(s, NULL, k->moved, k->force);
    for (size_t i = 0; i < s->n; i++)
        for (size_t l = k->near.first[i]; k->colour[i] == colour && l < k->near.first[i + 1]; l++) {
            const size_t j = k->near.column[l];
            double *out = block(k, j, i);
            for (size_t e = 0; e < m; e++)
                out[e * m + axis] -=
                    weight / size_of(k, i, axis) * k->force[m * j + e] * k->light[m * j + e] * k->light[m * i + axis];
        }
}

static void fill(struct stiffness *k)
{
    for (size_t colour = 0; colour < k->colours; colour++)
        for (size_t axis = 0; axis < k->s->fast; axis++)
            for (int side = -1; side <= 1; side += 2) {
                add_difference(k, colour, axis, side, side * 8.0 / 12.0);
                add_difference(k, colour, axis, 2.0 * side, -side / 12.0);
            }
}

static void make_symmetric(struct stiffness *k)
{
    const size_t m = k->s->fast;
    for (size_t i = 0; i < k->s->n; i++)
        for (size_t l = k->near.first[i]; l < k->near.first[i + 1] && k->near.column[l] <= i; l++) {
            double *a = block(k, i, k->near.column[l]), *b = block(k, k->near.column[l], i);
            for (size_t e = 0; e < m; e++)
                for (size_t f = 0; f < m; f++)
                    a[e * m + f] = b[f * m + e] = 0.5 * (a[e * m + f] + b[f * m + e]);
        }
}

/* Motions of a cell that are held, unit vectors among its weighed coordinates: 0 ... fast of them. */
static size_t held_motions(const struct stiffness *k, size_t cell, double out[6][6])
{
    const struct carom_solid *s = k->s;
    size_t count = 0;
    memset(out, 0, 36 * sizeof out[0][0]);
    for (size_t e = 0; e < s->fast; e++)
        if (carom_solid_holds(s, cell, e))
            out[count++][e] = 1.0;
    const size_t before = count;
    for (int axis = 0; axis < 3; axis++) {
        if (!(carom_solid_turns_held(s, cell) >> axis & 1U))
            continue;
        const double along[3] = {axis == 0, axis == 1, axis == 2};
        double turn[4], *c = out[count], size = 0.0;
        carom_solid_turns_axes(s, cell, k->q, turn);
        carom_quat_turn_back(turn, along, c + 3);
        for (size_t e = 3; e < 6; e++)
            c[e] *= k->light[6 * cell + e];
        for (size_t other = before; other < count; other++) {
            const double part = carom_vec_dot(c + 3, out[other] + 3);
            for (size_t e = 3; e < 6; e++)
                c[e] -= part * out[other][e];
        }
        size = carom_vec_norm(c + 3);
        for (size_t e = 3; e < 6; e++)
            c[e] /= size;
        count++;
    }
    return count;
}

/* a -= c (c^T a) from the left, or a -= (a c) c^T from the right */
static void take_out(size_t m, double *a, const double *c, bool left)
{
    const size_t along = left ? m : 1, across = left ? 1 : m;
    for (size_t j = 0; j < m; j++) {
        double sum = 0.0;
        for (size_t e = 0; e < m; e++)
            sum += c[e] * a[e * along + j * across];
        for (size_t e = 0; e < m; e++)
            a[e * along + j * across] -= c[e] * sum;
    }
}

/* What is held becomes a vibration of its own, higher than any other. */
static size_t hold(struct stiffness *k)
{
    const size_t m = k->s->fast;
    double far = 0.0;
    size_t total = 0;
    for (size_t i = 0; i < m * m * k->near.first[k->s->n]; i++)
        far = fmax(far, fabs(k->value[i]));
    for (size_t i = 0; i < k->s->n; i++) {
        double c[6][6];
        const size_t count = held_motions(k, i, c);
        for (size_t h = 0; h < count; h++) {
            for (size_t l = k->near.first[i]; l < k->near.first[i + 1]; l++) {
                take_out(m, block(k, i, k->near.column[l]), c[h], true);
                take_out(m, block(k, k->near.column[l], i), c[h], false);
            }
            for (size_t e = 0; e < m; e++)
                for (size_t f = 0; f < m; f++)
                    block(k, i, i)[e * m + f] += 100.0 * far * c[h][e] * c[h][f];
        }
        total += count;
    }
    return total;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static bool open(struct stiffness *k, const struct carom_solid *s, const double *q)
{
    const size_t nq = carom_solid_size(s), nv = s->fast * s->n, space = carom_solid_forces_room(s, true);
    struct rows joined = {0};
    *k = (struct stiffness){.s = s, .part = carom_solid_part(s)};
    k->room = carom_memory_zeroed(space + 2 * nq + 3 * nv, sizeof *k->room);
    k->colour = carom_memory_zeroed(s->n, sizeof *k->colour);
    k->mark = carom_memory_zeroed(s->n, sizeof *k->mark);
    const bool good = k->room && k->colour && k->mark && join(s, &joined) && find_near(k, &joined) && find_colours(k);
    close_rows(&joined);
    k->value = good ? carom_memory_zeroed(k->near.first[s->n], s->fast * s->fast * sizeof *k->value) : NULL;
    if (!k->value)
        return false;
    k->work = carom_solid_forces_work(s, true, k->room);
    k->q = k->room + space;
    k->moved = k->q + nq;
    k->step = k->moved + nq;
    k->force = k->step + nv;
    k->light = k->force + nv;
    carom_solid_rest(s, k->q);
    if (q)
        memcpy(k->q, q, nq * sizeof *q);
    for (size_t i = 0; i < nv; i++)
        k->light[i] = 1.0 / sqrt(carom_solid_inertia(s, i / s->fast, i % s->fast));
    return true;
}

static void close(struct stiffness *k)
{
    close_rows(&k->near);
    carom_block_factor_close(&k->factor);
    carom_memory_free_all(k->room, k->colour, k->mark, k->value);
}

/* of the order of the lowest square of a slender body, so that rigid motions do not make the matrix singular */
static double small_shift(const struct carom_solid *s)
{
    double low[3], high[3], longest = 0.0, edge = HUGE_VAL, p, slow;
    for (int a = 0; a < s->dimension; a++) {
        low[a] = high[a] = s->centre[0][a];
        for (size_t i = 0; i < s->n; i++) {
            low[a] = fmin(low[a], s->centre[i][a]);
            high[a] = fmax(high[a], s->centre[i][a]);
        }
        longest = fmax(longest, high[a] - low[a] + s->sorts[s->sort[0]].edge[a]);
        edge = fmin(edge, s->sorts[s->sort[0]].edge[a]);
    }
    carom_solid_speeds(s, 0, &p, &slow);
    return 0.1 * slow * slow * edge * edge / (longest * longest * longest * longest);
}

static void apply(void *own, const double *x, double *y)
{
    struct stiffness *k = own;
    carom_block_factor_solve(&k->factor, x, y);
}

/* squares rising, shapes in their order, in axes of space */
static void sort_out(const struct stiffness *k, struct carom_vibration *found, const double *value,
                     const double *vector)
{
    const struct carom_solid *s = k->s;
    const size_t nv = s->fast * s->n;
    for (size_t a = 0; a < found->count; a++) {
        size_t place = 0;
        for (size_t b = 0; b < found->count; b++) {
            const double mine = 1.0 / value[a], other = 1.0 / value[b];
            place += other < mine || (other == mine && b < a) ? 1 : 0;
        }
        double *shape = found->shape + place * nv, most = 0.0;
        found->square[place] = 1.0 / value[a] - k->shift;
        for (size_t i = 0; i < nv; i++)
            k->step[i] = vector[a * nv + i] * k->light[i];
        carom_solid_turns_to_space(s, NULL, k->q, k->step, shape);
        for (size_t i = 0; i < nv; i++)
            if (i % s->fast < (size_t)s->dimension && fabs(shape[i]) > fabs(most))
                most = shape[i];
        for (size_t i = 0; i < nv; i++)
            shape[i] /= most != 0.0 ? most : 1.0;
    }
}

static enum carom_status find(struct stiffness *k, size_t wanted, struct carom_vibration *found,
                              struct carom_error *error)
{
    const size_t n = k->s->n, nv = k->s->fast * n;
    if (carom_block_factor_open(&k->factor, n, k->s->fast, k->near.first, k->near.column, PRODUCTS, error) != CAROM_OK)
        return CAROM_E_MEMORY;
    if (!k->factor.exact)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "the body is too large: its stiffness takes more than %.0g products of blocks to factor",
                               PRODUCTS);
    fill(k);
    make_symmetric(k);
    const size_t loose = nv - hold(k);
    k->shift = small_shift(k->s);
    carom_block_factor_compute(&k->factor, k->near.first, k->near.column, k->value, k->shift, 0.0);
    found->count = wanted < loose ? wanted : loose;
    found->count = found->count < nv ? found->count : nv - 1;
    found->square = carom_memory_zeroed(found->count, sizeof *found->square);
    found->shape = carom_memory_zeroed(found->count * nv, sizeof *found->shape);
    double *value = carom_memory_zeroed(found->count * (nv + 1), sizeof *value);
    enum carom_status status = CAROM_E_MEMORY;
    if (found->square && found->shape && value)
        status = carom_spectrum_find(nv, apply, k, found->count, value, value + found->count, error);
    else
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for the vibrations of %zu cells", n);
    if (status == CAROM_OK)
        sort_out(k, found, value, value + found->count);
    carom_memory_free(value);
    return status;
}

void carom_vibration_free(struct carom_vibration *found)
{
    carom_memory_free_all(found->square, found->shape);
    *found = (struct carom_vibration){0};
}

enum carom_status carom_vibration_find(const struct carom_solid *s, const double *q, size_t wanted,
                                       struct carom_vibration *found, struct carom_error *error)
{
    struct stiffness k;
    *found = (struct carom_vibration){0};
    if (s->n > CELLS)
        return carom_error_set(error, CAROM_E_REFUSED, "vibrations are found for up to %zu cells, not %zu", CELLS,
                               s->n);
    enum carom_status status = CAROM_E_MEMORY;
    if (open(&k, s, q))
        status = find(&k, wanted, found, error);
    else
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for the vibrations of %zu cells", s->n);
    close(&k);
    if (status != CAROM_OK)
        carom_vibration_free(found);
    return status;
}
