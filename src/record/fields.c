/* Coarse-grained fields, see fields.h. A kernel is evaluated at the middles of cells and divided by its own sum; a
 * branch is a sum of kernels at Gauss points, one weight for each cell, so that its tensor is added once. */
#include "record/fields.h"

#include <string.h>

#include "base/memory.h"
#include "base/power.h"

#define GAUSS 4
#define CUT 4.0 /* of gaussian, in widths */
#define PIECES 64

const char *const carom_fields_kernels[] = {"lucy", "gaussian", NULL};

static double reach(enum carom_fields_kernel kernel, double width)
{
    return kernel == CAROM_FIELDS_GAUSSIAN ? CUT * width : width;
}

/* Such that as many balls are larger as are smaller: one large body among many does not blur what the others do. Found
 * by halving: nothing needs to be sorted. */
static double middle_radius(const struct carom_grains *g)
{
    double low = 0.0, high = 0.0;
    size_t balls = 0;
    for (size_t i = 0; i < g->n; i++) {
        high = fmax(high, g->radius[i]);
        balls += g->radius[i] > 0.0;
    }
    double middle = 0.5 * (low + high);
    while (high - low > 1e-6 * high && middle > low && middle < high) { /* between the smallest numbers there is none */
        size_t smaller = 0;
        for (size_t i = 0; i < g->n; i++)
            smaller += g->radius[i] > 0.0 && g->radius[i] <= middle;
        *(2 * smaller >= balls ? &high : &low) = middle;
        middle = 0.5 * (low + high);
    }
    double least = HUGE_VAL; /* of those that are left between */
    for (size_t i = 0; i < g->n; i++)
        least = g->radius[i] > low ? fmin(least, g->radius[i]) : least;
    return balls > 0 ? least : 0.0;
}

double carom_fields_usual_width(const struct carom_grains *g, enum carom_fields_kernel kernel)
{
    const double radius = middle_radius(g);
    return kernel == CAROM_FIELDS_GAUSSIAN ? radius : 4.0 * radius;
}

double carom_fields_usual_cell(const struct carom_grains *g, enum carom_fields_kernel kernel, double width)
{
    return reach(kernel, width) / (g->dimension == 3 ? 2.0 : 4.0);
}

/* --- life -------------------------------------------------------------------------------------------------------- */

static enum carom_status plan(struct carom_fields *f, const struct carom_grains *g, const double low[3],
                              const double high[3], const double cell[3], struct carom_error *error)
{
    double n = 1.0;
    for (size_t k = 0; k < 3; k++) {
        if (k < g->dimension && !(cell[k] > 0.0))
            return carom_error_set(error, CAROM_E_INPUT, "a cell must have a length above 0, got %g", cell[k]);
        const double side = high[k] - low[k], across = k < g->dimension ? ceil(side / cell[k] - 1e-9) : 1.0;
        const double count = across >= 1.0 ? across : 1.0;
        n *= count;
        if (!(n <= CAROM_FIELDS_MOST))
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "cells of %g are too many for bodies that take %g along %c: at most %.0e in all",
                                   cell[k], side, "xyz"[k], (double)CAROM_FIELDS_MOST);
        f->grid.count[k] = (size_t)count;
        f->grid.low[k] = low[k];
        f->grid.cell[k] = k < g->dimension ? side / count : g->depth;
    }
    f->n = (size_t)n;
    return CAROM_OK;
}

enum carom_status carom_fields_open(struct carom_fields *f, const struct carom_grains *g, const double low[3],
                                    const double high[3], const double cell[3], struct carom_error *error)
{
    if (!(f->width > 0.0) || !(f->width < HUGE_VAL))
        return carom_error_set(error, CAROM_E_INPUT, "the width of the kernel must be a length above 0, got %g",
                               f->width);
    const enum carom_status status = plan(f, g, low, high, cell, error);
    if (status != CAROM_OK)
        return status;
    if (carom_memory_together(CAROM_ROOM(f->fraction, f->n), CAROM_ROOM(f->density, f->n),
                              CAROM_ROOM(f->velocity, f->n), CAROM_ROOM(f->stress, f->n), CAROM_ROOM(f->kinetic, f->n),
                              CAROM_ROOM(f->weight, f->n), CAROM_ROOM(f->height, f->n)))
        return CAROM_OK;
    carom_fields_close(f);
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory for fields of %zu cells", f->n);
}

void carom_fields_close(struct carom_fields *f)
{
    carom_memory_free(f->fraction);
    f->fraction = f->density = f->weight = f->height = NULL;
    f->velocity = NULL;
    f->stress = f->kinetic = NULL;
}

double carom_fields_volume(const struct carom_fields *f, const struct carom_grains *g)
{
    double volume = g->depth;
    for (size_t k = 0; k < g->dimension; k++)
        volume *= f->grid.cell[k];
    return volume;
}

void carom_fields_middle(const struct carom_fields *f, size_t cell, double middle[3])
{
    const size_t at[3] = {cell % f->grid.count[0], cell / f->grid.count[0] % f->grid.count[1],
                          cell / f->grid.count[0] / f->grid.count[1]};
    for (size_t k = 0; k < 3; k++)
        middle[k] = f->grid.low[k] + ((double)at[k] + 0.5) * f->grid.cell[k];
}

/* --- kernels ----------------------------------------------------------------------------------------------------- */

/* Cells [first, first + count) along each axis; those that lie beyond a joined side are meant on the other one. */
struct patch {
    long first[3], count[3];
};

/* the cells that a kernel between two places reaches, the one it stands in among them */
static struct patch patch_of(const struct carom_fields *f, const struct carom_grains *g, const double *a,
                             const double *b)
{
    struct patch p;
    for (size_t k = 0; k < 3; k++) {
        const long n = (long)f->grid.count[k];
        const double cell = f->grid.cell[k], far = reach(f->kernel, f->width);
        p.first[k] = 0;
        p.count[k] = n;
        if (n == 1)
            continue;
        double low = floor((fmin(a[k], b[k]) - far - f->grid.low[k]) / cell);
        double high = floor((fmax(a[k], b[k]) + far - f->grid.low[k]) / cell);
        if (g->periodic[k] && !(high - low < (double)n)) { /* as far as it is not met twice */
            low = floor((0.5 * (a[k] + b[k]) - f->grid.low[k]) / cell) - (double)(n / 2);
            high = low + (double)n - 1.0;
        }
        if (!g->periodic[k]) {
            low = fmin(fmax(low, 0.0), (double)(n - 1));
            high = fmin(fmax(high, low), (double)(n - 1));
        }
        p.first[k] = (long)low;
        p.count[k] = (long)(high - low) + 1;
    }
    return p;
}

static double kernel_at(const struct carom_fields *f, double squared)
{
    const double x = sqrt(squared) / f->width;
    if (f->kernel == CAROM_FIELDS_GAUSSIAN)
        return x < CUT ? carom_power_exp(-0.5 * x * x) : 0.0;
    return x < 1.0 ? (1.0 + 3.0 * x) * (1.0 - x) * (1.0 - x) * (1.0 - x) : 0.0;
}

/* how far the middle of cell i along axis k is from a place, squared; 0 along an axis with one cell */
static double apart(const struct carom_fields *f, size_t k, long i, const double *place)
{
    const double way = f->grid.low[k] + ((double)i + 0.5) * f->grid.cell[k] - place[k];
    return f->grid.count[k] == 1 ? 0.0 : way * way;
}

/* the cell of the patch that a place lies in: where a kernel narrower than cells goes */
static size_t nearest(const struct carom_fields *f, const struct patch *p, const double *place)
{
    long at[3];
    for (size_t k = 0; k < 3; k++) {
        const double i = floor((place[k] - f->grid.low[k]) / f->grid.cell[k]) - (double)p->first[k];
        at[k] = (long)fmin(fmax(i, 0.0), (double)(p->count[k] - 1));
    }
    return (size_t)((at[2] * p->count[1] + at[1]) * p->count[0] + at[0]);
}

/* adds a kernel at a place to the weights of the patch, `share` in all */
static void spread(struct carom_fields *f, const struct patch *p, const double *place, double share)
{
    double sum = 0.0;
    size_t at = 0;
    for (long z = 0; z < p->count[2]; z++)
        for (long y = 0; y < p->count[1]; y++) {
            const double row = apart(f, 2, p->first[2] + z, place) + apart(f, 1, p->first[1] + y, place);
            for (long x = 0; x < p->count[0]; x++, at++)
                sum += f->height[at] = kernel_at(f, row + apart(f, 0, p->first[0] + x, place));
        }
    for (size_t i = 0; i < at && sum > 0.0; i++)
        f->weight[i] += share * f->height[i] / sum;
    if (!(sum > 0.0))
        f->weight[nearest(f, p, place)] += share;
}

static size_t cell_of(const struct carom_fields *f, const struct patch *p, size_t at)
{
    const long nx = p->count[0], ny = p->count[1], of[3] = {(long)at % nx, (long)at / nx % ny, (long)at / nx / ny};
    long i[3];
    for (size_t k = 0; k < 3; k++) {
        const long n = (long)f->grid.count[k];
        i[k] = (p->first[k] + of[k]) % n;
        i[k] += i[k] < 0 ? n : 0;
    }
    return (size_t)((i[2] * (long)f->grid.count[1] + i[1]) * (long)f->grid.count[0] + i[0]);
}

static size_t size_of(const struct patch *p)
{
    return (size_t)(p->count[0] * p->count[1] * p->count[2]);
}

/* --- bodies and contacts ----------------------------------------------------------------------------------------- */

/* a number, and along joined sides not far outside the domain, where files of others may put it */
static bool is_place(const struct carom_grains *g, const double *x)
{
    bool good = true;
    for (size_t k = 0; k < g->dimension; k++)
        good = good && fabs(x[k]) < HUGE_VAL &&
               (!g->periodic[k] || fabs(x[k] - g->low[k]) <= 2.0 * (g->high[k] - g->low[k]));
    return good;
}

/* density and fraction, momentum where velocity will be, and m v v */
static void add_body(struct carom_fields *f, const struct carom_grains *g, const struct carom_grains_moment *m,
                     size_t i)
{
    const size_t d = g->dimension;
    double place[3] = {0.0}, v[3] = {0.0};
    memcpy(place, m->place + d * i, d * sizeof *place);
    if (m->velocity != NULL)
        memcpy(v, m->velocity + d * i, d * sizeof *v);
    const struct patch p = patch_of(f, g, place, place);
    memset(f->weight, 0, size_of(&p) * sizeof *f->weight);
    spread(f, &p, place, 1.0);
    for (size_t at = 0; at < size_of(&p); at++) {
        const double w = f->weight[at], mass = w * g->mass[i];
        if (w == 0.0)
            continue;
        const size_t c = cell_of(f, &p, at);
        f->fraction[c] += w * g->volume[i];
        f->density[c] += mass;
        for (size_t k = 0; k < d; k++)
            f->velocity[c][k] += mass * v[k];
        carom_grains_add(f->kinetic[c], -mass, v, v);
    }
}

/* a branch that is long beside the kernel is taken in pieces of half its range */
static int pieces_of(const struct carom_fields *f, const double arm[3])
{
    const double length = sqrt(arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2]);
    return 1 + (int)fmin(2.0 * length / reach(f->kernel, f->width), PIECES - 1.0);
}

/* the way from a body's centre to the point of contact */
static void add_branch(struct carom_fields *f, const struct carom_grains *g, const double *centre, const double arm[3],
                       const double force[3])
{
    static const double point[GAUSS] = {0.069431844202973712, 0.330009478207571868, 0.669990521792428132,
                                        0.930568155797026288};
    static const double share[GAUSS] = {0.173927422568726929, 0.326072577431273071, 0.326072577431273071,
                                        0.173927422568726929};
    double from[3] = {0.0}, to[3] = {0.0};
    for (size_t k = 0; k < g->dimension; k++) {
        from[k] = centre[k];
        to[k] = centre[k] + arm[k];
    }
    const struct patch p = patch_of(f, g, from, to);
    memset(f->weight, 0, size_of(&p) * sizeof *f->weight);
    const int pieces = pieces_of(f, arm);
    for (int i = 0; i < pieces * GAUSS; i++) {
        double place[3];
        for (size_t k = 0; k < 3; k++)
            place[k] = from[k] + (i / GAUSS + point[i % GAUSS]) / pieces * (to[k] - from[k]);
        spread(f, &p, place, share[i % GAUSS] / pieces);
    }
    for (size_t at = 0; at < size_of(&p); at++)
        if (f->weight[at] != 0.0)
            carom_grains_add(f->stress[cell_of(f, &p, at)], f->weight[at], arm, force);
}

/* sums over bodies into fields: over the volume of a cell, and relative to the velocity of the field */
static void finish(struct carom_fields *f, const struct carom_grains *g)
{
    const double part = 1.0 / carom_fields_volume(f, g);
    for (size_t c = 0; c < f->n; c++) {
        double *v = f->velocity[c];
        const double mass = f->density[c];
        for (size_t k = 0; k < 3; k++)
            v[k] = mass > 0.0 ? v[k] / mass : 0.0;
        carom_grains_add(f->kinetic[c], mass, v, v);
        f->fraction[c] *= part;
        f->density[c] *= part;
        for (size_t k = 0; k < CAROM_GRAINS_TENSOR; k++) {
            f->kinetic[c][k] *= part;
            f->stress[c][k] = part * f->stress[c][k] + f->kinetic[c][k];
        }
    }
}

void carom_fields_read(struct carom_fields *f, const struct carom_grains *g, const struct carom_grains_moment *m)
{
    double arm[3], force[3];
    memset(f->fraction, 0, f->n * sizeof *f->fraction);
    memset(f->density, 0, f->n * sizeof *f->density);
    memset(f->velocity, 0, f->n * sizeof *f->velocity);
    memset(f->stress, 0, f->n * sizeof *f->stress);
    memset(f->kinetic, 0, f->n * sizeof *f->kinetic);
    for (size_t i = 0; i < g->n; i++)
        if (g->radius[i] > 0.0 && is_place(g, m->place + g->dimension * i))
            add_body(f, g, m, i);
    for (size_t j = 0; j < m->ntouches; j++)
        for (int side = 0; side < 2; side++) {
            const double *centre = m->place + g->dimension * (m->touch[j].pair[side] - 1);
            if (carom_grains_branch(g, m, &m->touch[j], side, arm, force) && is_place(g, centre) &&
                fabs(arm[0]) + fabs(arm[1]) + fabs(arm[2]) < HUGE_VAL)
                add_branch(f, g, centre, arm, force);
        }
    finish(f, g);
}
