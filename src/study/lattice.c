/* The Hessian of a body's energy by differences of its forces (fourth order), then symmetric eigenproblems: complex
 * Hermitian ones of waves as real ones of twice the size. Monasse and Mariotti 2012, section 3.3. */
#include "study/lattice.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"
#include "model/solid/solid_turns.h"
#include "solve/eigen.h"

#define MODES ((size_t)2000)

/* --- the Hessian ----------------------------------------------------------------------------------------------- */

struct hessian {
    const struct carom_solid *s;
    const struct carom_part *part;
    struct carom_solid_work work;
    double *room, *rest, *moved, *step, *force, *sum;
};

static double inertia(const struct carom_solid *s, size_t i)
{
    return carom_solid_inertia(s, i / s->fast, i % s->fast);
}

/* column i of the Hessian, divided by the roots of both masses, into sum */
static void column(const struct hessian *h, size_t i)
{
    static const double weight[2] = {8.0 / 12.0, -1.0 / 12.0};
    const struct carom_solid *s = h->s;
    const size_t nv = s->fast * s->n;
    const double edge = carom_solid_sort_of(s, i / s->fast)->edge[0];
    const double size = 1e-3 * (i % s->fast < (size_t)s->dimension ? edge : 1.0);
    memset(h->sum, 0, nv * sizeof *h->sum);
    for (int k = -2; k <= 2; k++) {
        if (k == 0)
            continue;
        memset(h->step, 0, nv * sizeof *h->step);
        h->step[i] = k * size;
        h->part->move(s, h->rest, h->step, h->moved);
        carom_solid_forces(s, &h->work, NULL, 0.0, h->moved, h->force);
        carom_solid_turns_to_axes(s, NULL, h->moved, h->force);
        const double w = (k > 0 ? -1.0 : 1.0) * weight[(k > 0 ? k : -k) - 1] / size;
        for (size_t j = 0; j < nv; j++)
            h->sum[j] += w * h->force[j];
    }
    const double own = sqrt(inertia(s, i));
    for (size_t j = 0; j < nv; j++)
        h->sum[j] /= own * sqrt(inertia(s, j));
}

static bool hessian_open(struct hessian *h, const struct carom_solid *s)
{
    const size_t nq = carom_solid_size(s), nv = s->fast * s->n, space = carom_solid_forces_room(s, true);
    double *all = carom_memory_zeroed(space + 2 * nq + 3 * nv, sizeof *all);
    if (!all)
        return false;
    double *room = all + space;
    *h = (struct hessian){.s = s,
                          .work = carom_solid_forces_work(s, true, all),
                          .room = all,
                          .part = carom_solid_part(s),
                          .rest = room,
                          .moved = room + nq,
                          .step = room + 2 * nq,
                          .force = room + 2 * nq + nv,
                          .sum = room + 2 * nq + 2 * nv};
    carom_solid_rest(s, h->rest);
    return true;
}

/* --- waves ----------------------------------------------------------------------------------------------------- */

/* the lattice around one cell: five cells along each axis are as good as endless, and cost the same for every body */
static struct carom_solid *lattice_of(const struct carom_solid *s, struct carom_error *error)
{
    if (s->grid.count[0] == 0 || s->grid.shell) {
        carom_error_set(error, CAROM_E_REFUSED, "waves are of boxes of cells, %s",
                        s->grid.shell ? "not of a shell" : "not of Voronoi cells and meshes");
        return NULL;
    }
    const size_t count[3] = {5, 5, 5};
    const double origin[3] = {0.0, 0.0, 0.0};
    double size[3];
    for (int k = 0; k < 3; k++)
        size[k] = 5.0 * s->grid.edge[k];
    return carom_solid_box(s->kind, count, size, origin, s->depth, &s->material[0], error);
}

/* the Hermitian matrix as ((Re, -Im), (Im, Re)): sum over cells of the Hessian e^(i phase) */
static void add_phases(const struct hessian *h, const double k[3], size_t middle, size_t i, double *matrix)
{
    const struct carom_solid *s = h->s;
    const size_t m = s->fast;
    for (size_t cell = 0; cell < s->n; cell++) {
        double phase = 0.0;
        for (int axis = 0; axis < s->dimension; axis++)
            phase += k[axis] * (s->centre[cell][axis] - s->centre[middle][axis]);
        for (size_t j = 0; j < m; j++) {
            const double re = h->sum[m * cell + j] * cos(phase), im = h->sum[m * cell + j] * sin(phase);
            matrix[j * 2 * m + i] += re;
            matrix[(m + j) * 2 * m + m + i] += re;
            matrix[j * 2 * m + m + i] -= im;
            matrix[(m + j) * 2 * m + i] += im;
        }
    }
}

enum carom_status carom_lattice_waves(const struct carom_solid *solid, const double k[3], double omega[6],
                                      struct carom_error *error)
{
    struct hessian h;
    struct carom_solid *s = lattice_of(solid, error);
    if (!s)
        return error ? error->status : CAROM_E_REFUSED;
    if (!hessian_open(&h, s)) {
        carom_solid_free(s);
        return carom_memory_error(error);
    }
    const size_t m = s->fast, middle = s->n / 2;
    double matrix[12 * 12] = {0.0}, value[12], scratch[12];
    for (size_t i = 0; i < m; i++) {
        column(&h, m * middle + i);
        add_phases(&h, k, middle, i, matrix);
    }
    carom_memory_free(h.room);
    carom_solid_free(s);
    for (size_t i = 0; i < 2 * m; i++) /* Hermitian but for the differences' errors */
        for (size_t j = 0; j < i; j++)
            matrix[i * 2 * m + j] = matrix[j * 2 * m + i] = 0.5 * (matrix[i * 2 * m + j] + matrix[j * 2 * m + i]);
    if (!carom_eigen_symmetric(2 * m, matrix, value, scratch))
        return carom_error_set(error, CAROM_E_NUMERIC, "the frequencies of waves could not be found");
    for (size_t i = 0; i < m; i++) /* each comes twice */
        omega[i] = sqrt(fmax(0.5 * (value[2 * i] + value[2 * i + 1]), 0.0));
    return CAROM_OK;
}

void carom_lattice_formula(const struct carom_solid *s, const double k[2], double omega[3])
{
    const struct carom_solid_material *m = &s->material[0];
    const double h = s->grid.edge[0], nu = m->poisson, e = m->young / (1.0 + nu);
    const double cx = cos(k[0] * h), cy = cos(k[1] * h), sx = sin(k[0] * h), sy = sin(k[1] * h);
    const double half = 4.0 + 2.0 * nu + (4.0 - nu) * (cx + cy), delta = half * half + 24.0 * (sx * sx + sy * sy);
    const double scale = 1.0 / (h * h * m->density), base = 6.0 + nu - 0.5 * nu * (cx + cy);
    omega[0] = sqrt(fmax(scale * e * (base - 0.5 * sqrt(delta)), 0.0));
    omega[1] = sqrt(scale * (e * (4.0 - 2.0 * cx - 2.0 * cy) + e * nu / (1.0 - 2.0 * nu) * (sx * sx + sy * sy)));
    omega[2] = sqrt(scale * e * (base + 0.5 * sqrt(delta)));
    qsort(omega, 3, sizeof *omega, carom_sorted_reals);
}

/* --- modes of bodies ------------------------------------------------------------------------------------------- */

/* Turns about one or two axes of space are held: what they are made of, unit vectors in the weighed turns about a
 * cell's principal axes, unloaded. */
static size_t held_turns(const struct carom_solid *s, size_t cell, double out[2][3])
{
    const struct carom_solid_sort *sort = carom_solid_sort_of(s, cell);
    size_t count = 0;
    for (int k = 0; k < 3; k++) {
        if (!(carom_solid_turns_held(s, cell) >> k & 1U))
            continue;
        const double axis[3] = {k == 0, k == 1, k == 2};
        double *c = out[count];
        carom_quat_turn_back(sort->frame, axis, c);
        for (int e = 0; e < 3; e++)
            c[e] *= sqrt(sort->inverse_inertia[e]);
        const double part = count > 0 ? carom_vec_dot(c, out[0]) : 0.0;
        for (int e = 0; e < 3; e++)
            c[e] -= part * out[0][e];
        const double size = carom_vec_norm(c);
        for (int e = 0; e < 3; e++)
            c[e] /= size;
        count++;
    }
    return count;
}

/* Takes the motion c of three coordinates from `at` on out of the matrix and gives it the square `far`. */
static void take_out(double *matrix, size_t n, size_t at, const double c[3], double far, double *scratch)
{
    double both = far;
    for (size_t i = 0; i < n; i++)
        scratch[i] = matrix[i * n + at] * c[0] + matrix[i * n + at + 1] * c[1] + matrix[i * n + at + 2] * c[2];
    for (size_t e = 0; e < 3; e++)
        both += c[e] * scratch[at + e];
    for (size_t i = 0; i < n; i++)
        for (size_t e = 0; e < 3; e++) {
            matrix[i * n + at + e] -= scratch[i] * c[e];
            matrix[(at + e) * n + i] -= scratch[i] * c[e];
        }
    for (size_t d = 0; d < 3; d++)
        for (size_t e = 0; e < 3; e++)
            matrix[(at + d) * n + at + e] += both * c[d] * c[e];
}

/* Holds of turns about single axes: they become the highest of all modes. How many. */
static size_t hold_turns(const struct carom_solid *s, const size_t *free_ones, size_t n, double *matrix,
                         double *scratch)
{
    double far = 0.0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < n; j++)
            sum += fabs(matrix[i * n + j]);
        far = fmax(far, 4.0 * sum);
    }
    for (size_t i = 0; i < n; i++) {
        double c[2][3];
        if (s->dimension == 2 || free_ones[i] % 6 != 3 || !carom_solid_turns_held(s, free_ones[i] / 6))
            continue;
        const size_t held = held_turns(s, free_ones[i] / 6, c);
        for (size_t k = 0; k < held; k++, count++)
            take_out(matrix, n, i, c[k], far, scratch);
    }
    return count;
}

enum carom_status carom_lattice_modes(const struct carom_solid *s, double *omega, size_t room, size_t *count,
                                      struct carom_error *error)
{
    const size_t nv = s->fast * s->n;
    struct hessian h = {0};
    if (nv > MODES)
        return carom_error_set(error, CAROM_E_REFUSED, "frequencies are found for up to %zu coordinates, not %zu",
                               MODES, nv);
    size_t *free_ones = carom_memory_zeroed(nv, sizeof *free_ones), n = 0;
    for (size_t i = 0; free_ones && i < nv; i++) {
        const size_t k = i % s->fast, bit = s->dimension == 2 && k == 2 ? 5 : k;
        const unsigned held = s->held ? s->held[i / s->fast] : 0U;
        if (!(k < 3 ? held >> bit & 1U : held >> 3 == 7U)) /* other turns are held below */
            free_ones[n++] = i;
    }
    double *matrix = carom_memory_zeroed(n * n, sizeof *matrix), *value = carom_memory_zeroed(2 * n, sizeof *value);
    const bool good = free_ones && matrix && value && hessian_open(&h, s);
    for (size_t i = 0; good && i < n; i++) {
        column(&h, free_ones[i]);
        for (size_t j = 0; j < n; j++) {
            matrix[i * n + j] += 0.5 * h.sum[free_ones[j]];
            matrix[j * n + i] += 0.5 * h.sum[free_ones[j]];
        }
    }
    const size_t less = good ? hold_turns(s, free_ones, n, matrix, value) : 0;
    const bool found = good && carom_eigen_symmetric(n, matrix, value, value + n);
    *count = n - less < room ? n - less : room;
    for (size_t i = 0; found && i < *count; i++)
        omega[i] = sqrt(fmax(value[i], 0.0));
    carom_memory_free_all(h.room, value, matrix, free_ones);
    return found  ? CAROM_OK
           : good ? carom_error_set(error, CAROM_E_NUMERIC, "the frequencies of the body could not be found")
                  : carom_memory_error(error);
}
