/* Two levels for the static problem of bodies of general cells: cells that lie together make a rigid cluster, links
 * between two clusters are softened by the ratio of distances as those of blocks are (solid_blocks.c), and the matrix
 * of clusters is factored. What is left goes by damped sweeps over the cells, all at once, before and after. The
 * stiffness of a link is that of the relative motion at the middle between its cells; dilatation is left out. */
#include "model/solid/settle/solid_clusters.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/power.h"
#include "base/sorted.h"
#include "model/solid/settle/solid_blocks_level.h"

enum { MOST = 1500, SPACE = CAROM_LEVEL_SPACE, PACKED = CAROM_LEVEL_PACKED };
#define DAMPED 0.6

struct carom_solid_clusters {
    const struct carom_solid *s;
    size_t n, nc;
    uint32_t *parent;
    double (*place)[3], (*middle)[3]; /* of cells and of clusters */
    float *link, *factor;             /* packed: of links, and of the cells' diagonals */
    double *left, *moved, *r, *z;     /* 6 n twice, 6 nc twice */
    struct carom_block_factor coarse;
    size_t *first, *column;
    double *value, *scale;
};

static unsigned held(const struct carom_solid_clusters *w, size_t i)
{
    return w->s->held ? w->s->held[i] : 0U;
}

static void let_go(unsigned mask, double *x)
{
    for (int k = 0; mask != 0 && k < SPACE; k++)
        if (mask >> k & 1U)
            x[k] = 0.0;
}

/* --- who belongs together -------------------------------------------------------------------------------------- */

struct ticket {
    uint64_t box;
    uint32_t cell;
};

static int compare_tickets(const void *a, const void *b)
{
    const struct ticket *x = a, *y = b;
    return x->box != y->box ? CAROM_SORTED(x->box, y->box) : CAROM_SORTED(x->cell, y->cell);
}

/* boxes with an edge that leaves MOST of them or fewer; returns how many have cells */
static size_t put_in_boxes(struct carom_solid_clusters *w, struct ticket *ticket, double edge)
{
    const struct carom_solid *s = w->s;
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    size_t count = 0;
    for (size_t i = 0; i < w->n; i++)
        for (int k = 0; k < 3; k++)
            low[k] = fmin(low[k], s->centre[i][k]);
    for (size_t i = 0; i < w->n; i++) {
        uint64_t box = 0;
        for (int k = 0; k < 3; k++)
            box = box << 21 | (uint64_t)((s->centre[i][k] - low[k]) / edge);
        ticket[i] = (struct ticket){box, (uint32_t)i};
    }
    qsort(ticket, w->n, sizeof *ticket, compare_tickets);
    for (size_t i = 0; i < w->n; i++) {
        count += i == 0 || ticket[i].box != ticket[i - 1].box ? 1 : 0;
        w->parent[ticket[i].cell] = (uint32_t)(count - 1);
    }
    return count;
}

static bool cluster(struct carom_solid_clusters *w)
{
    double volume = 0.0;
    for (size_t i = 0; i < w->n; i++)
        w->parent[i] = (uint32_t)i;
    w->nc = w->n;
    if (w->n <= MOST)
        return true;
    struct ticket *ticket = carom_memory_zeroed(w->n, sizeof *ticket);
    for (size_t i = 0; i < w->n; i++)
        volume += carom_solid_sort_of(w->s, i)->volume;
    for (double edge = carom_power(volume / MOST, 1.0 / 3.0); ticket && w->nc > MOST; edge *= 1.1)
        w->nc = put_in_boxes(w, ticket, edge);
    carom_memory_free(ticket);
    return ticket != NULL;
}

/* --- the pattern ----------------------------------------------------------------------------------------------- */

static enum carom_status open_coarse(struct carom_solid_clusters *w, struct carom_error *error)
{
    const struct carom_solid *s = w->s;
    const size_t all = 2 * s->nlinks + w->nc;
    uint64_t *pair = carom_memory_zeroed(all, sizeof *pair);
    w->first = carom_memory_zeroed(w->nc + 1, sizeof *w->first);
    if (!pair || !w->first) {
        carom_memory_free(pair);
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a static solution");
    }
    size_t count = 0, used = 0;
    for (size_t i = 0; i < w->nc; i++)
        pair[count++] = (uint64_t)i << 32 | i;
    for (size_t l = 0; l < s->nlinks; l++) {
        const uint64_t a = w->parent[s->link[l].cell[0]], b = w->parent[s->link[l].cell[1]];
        pair[count++] = a << 32 | b;
        pair[count++] = b << 32 | a;
    }
    qsort(pair, count, sizeof *pair, carom_sorted_longs);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || pair[i] != pair[used - 1])
            pair[used++] = pair[i];
    w->column = carom_memory_zeroed(used, sizeof *w->column);
    w->value = carom_memory_zeroed(used * SPACE * SPACE, sizeof *w->value);
    w->scale = carom_memory_zeroed(w->nc * SPACE, sizeof *w->scale);
    const bool good = w->column && w->value && w->scale;
    for (size_t i = 0; good && i < used; i++) {
        w->column[i] = (size_t)(pair[i] & UINT32_MAX);
        w->first[(pair[i] >> 32) + 1] = i + 1;
    }
    carom_memory_free(pair);
    return good ? carom_block_factor_open(&w->coarse, w->nc, SPACE, w->first, w->column, HUGE_VAL, error)
                : carom_error_set(error, CAROM_E_MEMORY, "out of memory for a static solution");
}

struct carom_solid_clusters *carom_solid_clusters_create(const struct carom_solid *s, struct carom_error *error)
{
    struct carom_solid_clusters *w = carom_memory_zeroed(1, sizeof *w);
    enum carom_status status = CAROM_E_MEMORY;
    if (w) {
        w->s = s;
        w->n = s->n;
        w->parent = carom_memory_zeroed(s->n, sizeof *w->parent);
        w->place = carom_memory_zeroed(s->n, sizeof *w->place);
        w->link = carom_memory_zeroed(PACKED * s->nlinks, sizeof *w->link);
        w->factor = carom_memory_zeroed(PACKED * s->n, sizeof *w->factor);
        w->left = carom_memory_zeroed(SPACE * s->n, sizeof *w->left);
        w->moved = carom_memory_zeroed(SPACE * s->n, sizeof *w->moved);
    }
    if (w && w->parent && w->place && w->link && w->factor && w->left && w->moved && cluster(w)) {
        w->middle = carom_memory_zeroed(w->nc, sizeof *w->middle);
        w->r = carom_memory_zeroed(SPACE * w->nc, sizeof *w->r);
        w->z = carom_memory_zeroed(SPACE * w->nc, sizeof *w->z);
        status = w->middle && w->r && w->z ? open_coarse(w, error) : CAROM_E_MEMORY;
    }
    if (status == CAROM_OK)
        return w;
    carom_solid_clusters_free(w);
    carom_error_set(error, CAROM_E_MEMORY, "out of memory for a static solution of %zu cells", s->n);
    return NULL;
}

void carom_solid_clusters_free(struct carom_solid_clusters *w)
{
    if (!w)
        return;
    carom_block_factor_close(&w->coarse);
    carom_memory_free_all(w->parent, w->place, w->middle, w->link, w->factor, w->left, w->moved, w->r, w->z, w->first,
                          w->column, w->value, w->scale, w);
}

/* --- numbers --------------------------------------------------------------------------------------------------- */

static void place_all(struct carom_solid_clusters *w, const double *q)
{
    memset(w->middle, 0, w->nc * sizeof *w->middle);
    memset(w->r, 0, w->nc * sizeof *w->r); /* how many cells a cluster has */
    for (size_t i = 0; i < w->n; i++) {
        w->r[w->parent[i]] += 1.0;
        for (size_t k = 0; k < 3; k++) {
            w->place[i][k] = w->s->centre[i][k] + q[7 * i + k];
            w->middle[w->parent[i]][k] += w->place[i][k];
        }
    }
    for (size_t c = 0; c < w->nc; c++)
        for (int k = 0; k < 3; k++)
            w->middle[c][k] /= w->r[c];
}

/* from a cell, or its cluster, to the middle of its link */
static void arm_to(const double from[3], const double a[3], const double b[3], double arm[3])
{
    for (int k = 0; k < 3; k++)
        arm[k] = 0.5 * (a[k] + b[k]) - from[k];
}

static void add_block(double *to, const float *link, const double here[3], const double there[3], double factor)
{
    for (int c = 0; c < SPACE; c++) {
        double unit[SPACE] = {0.0}, x[SPACE], y[SPACE];
        unit[c] = 1.0;
        carom_level_carry(SPACE, unit, there, x);
        carom_level_times(SPACE, link, x, y);
        carom_level_carry_back(SPACE, y, here, x);
        for (int a = 0; a < SPACE; a++)
            to[a * SPACE + c] += factor * x[a];
    }
}

static double *block_at(const struct carom_solid_clusters *w, size_t a, size_t b)
{
    size_t next = w->first[a] + 1;
    CAROM_SORTED_FIRST(next, w->first[a + 1], w->column[middle] <= b);
    return w->value + (size_t)(SPACE * SPACE) * (next - 1);
}

static void add_link(const struct carom_solid_clusters *w, size_t l)
{
    const uint32_t *cell = w->s->link[l].cell;
    const size_t a = w->parent[cell[0]], b = w->parent[cell[1]];
    const double *from = w->place[cell[0]], *to = w->place[cell[1]];
    double here[3], there[3], fine = 0.0, coarse = 0.0;
    if (a == b)
        return;
    for (int k = 0; k < 3; k++) {
        fine += (to[k] - from[k]) * (to[k] - from[k]);
        coarse += (w->middle[b][k] - w->middle[a][k]) * (w->middle[b][k] - w->middle[a][k]);
    }
    arm_to(w->middle[a], from, to, here);
    arm_to(w->middle[b], from, to, there);
    const double soft = fmin(1.0, sqrt(fine / coarse));
    const float *link = w->link + PACKED * l;
    add_block(block_at(w, a, a), link, here, here, soft);
    add_block(block_at(w, b, b), link, there, there, soft);
    add_block(block_at(w, a, b), link, here, there, -soft);
    add_block(block_at(w, b, a), link, there, here, -soft);
}

/* what holds a cell holds its cluster, as stiffly as the cell hangs on others */
static void add_ground(const struct carom_solid_clusters *w, size_t i, const double *m)
{
    const unsigned mask = held(w, i);
    float ground[PACKED] = {0.0F};
    double arm[3];
    if (mask == 0)
        return;
    for (int a = 0; a < SPACE; a++)
        for (int c = 0; c <= a; c++)
            if (mask >> a & 1U && mask >> c & 1U)
                ground[a * (a + 1) / 2 + c] = (float)m[a * (a + 1) / 2 + c];
    for (int k = 0; k < 3; k++)
        arm[k] = w->place[i][k] - w->middle[w->parent[i]][k];
    add_block(block_at(w, w->parent[i], w->parent[i]), ground, arm, arm, w->nc == w->n ? 1e6 : 0.5);
}

static void build_cells(const struct carom_solid_clusters *w, double *diagonal)
{
    const struct carom_solid *s = w->s;
    for (size_t l = 0; l < s->nlinks; l++)
        for (int side = 0; side < 2; side++) {
            const uint32_t *cell = s->link[l].cell;
            double arm[3];
            arm_to(w->place[cell[side]], w->place[cell[0]], w->place[cell[1]], arm);
            carom_level_add_carried(SPACE, w->link + PACKED * l, arm, 1.0, diagonal + PACKED * cell[side]);
        }
    for (size_t i = 0; i < w->n; i++) {
        const unsigned mask = held(w, i);
        double *m = diagonal + PACKED * i;
        add_ground(w, i, m);
        for (int a = 0; a < SPACE; a++)
            for (int c = 0; c <= a; c++)
                if (mask >> a & 1U || mask >> c & 1U)
                    m[a * (a + 1) / 2 + c] = a == c ? 1.0 : 0.0;
        carom_level_factorise(SPACE, m);
        for (size_t k = 0; k < PACKED; k++)
            w->factor[PACKED * i + k] = (float)m[k];
    }
}

/* unknowns scaled to a diagonal of 1, so that moves and turns are alike; a loose body is tied to where it is */
static void factor_coarse(struct carom_solid_clusters *w, bool loose)
{
    for (size_t c = 0; c < w->nc; c++) {
        double *block = block_at(w, c, c);
        for (int a = 0; a < SPACE; a++) {
            double *entry = &block[a * SPACE + a];
            *entry = !(*entry > 0.0) ? 1.0 : loose && c == w->nc / 2 ? 2.0 * *entry : *entry;
            w->scale[SPACE * c + (size_t)a] = 1.0 / sqrt(*entry);
        }
    }
    for (size_t c = 0; c < w->nc; c++)
        for (size_t k = w->first[c]; k < w->first[c + 1]; k++)
            for (size_t e = 0; e < SPACE * SPACE; e++)
                w->value[SPACE * SPACE * k + e] *=
                    w->scale[SPACE * c + e / SPACE] * w->scale[SPACE * w->column[k] + e % SPACE];
    carom_block_factor_compute(&w->coarse, w->first, w->column, w->value, 0.0, 1e-14);
}

void carom_solid_clusters_build(struct carom_solid_clusters *w, const double *q, bool loose)
{
    const struct carom_solid *s = w->s;
    double *diagonal = carom_memory_zeroed(PACKED * w->n, sizeof *diagonal);
    place_all(w, q);
    memset(w->value, 0, w->first[w->nc] * SPACE * SPACE * sizeof *w->value);
    for (size_t l = 0; l < s->nlinks; l++) {
        const double *here = w->place[s->link[l].cell[0]], *there = w->place[s->link[l].cell[1]];
        carom_level_link(s, q, &s->link[l], here, there, w->link + PACKED * l);
        add_link(w, l);
    }
    if (diagonal)
        build_cells(w, diagonal);
    carom_memory_free(diagonal);
    factor_coarse(w, loose);
}

/* --- a cycle --------------------------------------------------------------------------------------------------- */

/* left = r - A z */
static void find_left(const struct carom_solid_clusters *w, const double *r, const double *z)
{
    const struct carom_solid *s = w->s;
    memcpy(w->left, r, SPACE * w->n * sizeof *w->left);
    for (size_t l = 0; l < s->nlinks; l++) {
        const size_t a = s->link[l].cell[0], b = s->link[l].cell[1];
        double here[3], there[3], x[SPACE], y[SPACE], f[SPACE];
        arm_to(w->place[a], w->place[a], w->place[b], here);
        arm_to(w->place[b], w->place[a], w->place[b], there);
        carom_level_carry(SPACE, z + SPACE * b, there, x);
        carom_level_carry(SPACE, z + SPACE * a, here, y);
        for (int k = 0; k < SPACE; k++)
            x[k] -= y[k];
        carom_level_times(SPACE, w->link + PACKED * l, x, y);
        carom_level_carry_back(SPACE, y, here, f);
        carom_level_carry_back(SPACE, y, there, x);
        for (size_t k = 0; k < SPACE; k++) {
            w->left[SPACE * a + k] += f[k];
            w->left[SPACE * b + k] -= x[k];
        }
    }
    for (size_t i = 0; i < w->n; i++)
        let_go(held(w, i), w->left + SPACE * i);
}

static void sweep(const struct carom_solid_clusters *w, double *z)
{
    for (size_t i = 0; i < w->n; i++) {
        double *x = w->left + SPACE * i;
        carom_level_solve(SPACE, w->factor + PACKED * i, x);
        for (size_t k = 0; k < SPACE; k++)
            z[SPACE * i + k] += DAMPED * x[k];
    }
}

static void correct(struct carom_solid_clusters *w, double *z)
{
    memset(w->r, 0, SPACE * w->nc * sizeof *w->r);
    for (size_t i = 0; i < w->n; i++) {
        const size_t to = w->parent[i];
        double arm[3], f[SPACE];
        for (int k = 0; k < 3; k++)
            arm[k] = w->place[i][k] - w->middle[to][k];
        carom_level_carry_back(SPACE, w->left + SPACE * i, arm, f);
        for (size_t k = 0; k < SPACE; k++)
            w->r[SPACE * to + k] += f[k];
    }
    for (size_t i = 0; i < SPACE * w->nc; i++)
        w->z[i] = w->scale[i] * w->r[i];
    carom_block_factor_solve(&w->coarse, w->z, w->z);
    for (size_t i = 0; i < w->n; i++) {
        const size_t from = w->parent[i];
        double arm[3], x[SPACE], own[SPACE];
        for (int k = 0; k < 3; k++)
            arm[k] = w->place[i][k] - w->middle[from][k];
        for (size_t k = 0; k < SPACE; k++)
            own[k] = w->scale[SPACE * from + k] * w->z[SPACE * from + k];
        carom_level_carry(SPACE, own, arm, x);
        let_go(held(w, i), x);
        for (size_t k = 0; k < SPACE; k++)
            z[SPACE * i + k] += x[k];
    }
}

void carom_solid_clusters_solve(struct carom_solid_clusters *w, const double *r, double *z)
{
    memset(z, 0, SPACE * w->n * sizeof *z);
    memcpy(w->left, r, SPACE * w->n * sizeof *w->left);
    for (size_t i = 0; i < w->n; i++)
        let_go(held(w, i), w->left + SPACE * i);
    if (w->nc == w->n) {
        correct(w, z);
        return;
    }
    memcpy(w->moved, w->left, SPACE * w->n * sizeof *w->moved);
    sweep(w, z);
    find_left(w, w->moved, z);
    correct(w, z);
    find_left(w, w->moved, z);
    sweep(w, z);
}
