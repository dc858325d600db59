/* What the files solid_blocks*.c share: the levels of a body whose cells are gathered into blocks (solid_blocks.c), and
 * what a node and its links do. `b`, the number of unknowns of a node, is a constant wherever speed counts. */
#ifndef CAROM_MODEL_SOLID_SETTLE_SOLID_BLOCKS_LEVEL_H
#define CAROM_MODEL_SOLID_SETTLE_SOLID_BLOCKS_LEVEL_H

#include "model/solid/settle/solid_blocks.h"
#include "model/solid/solid_fracture.h"
#include "solve/block_factor.h"

enum { CAROM_LEVELS = 32, CAROM_LEVEL_SPACE = 6, CAROM_LEVEL_PLANE = 3, CAROM_LEVEL_PACKED = 21 };

struct carom_level {
    size_t n, count[3];
    double edge[3];
    bool ring;          /* axis 0 closes */
    double (*place)[3]; /* n */
    float *link;        /* n x axes: stiffness, lower triangle by rows; 0 where there is none */
    float *factor;      /* n: of the diagonal, Cholesky's, with inverted diagonal */
    float *ground;      /* n: stiffness against what is held */
    uint32_t *parent;   /* n: the block on the next level */
    double *r, *z, *own[4];
    size_t tile[3], tiles[3]; /* nodes along the axes of a tile, tiles along those of the level */
    size_t nwaves, *wave;     /* nwaves + 1: the first of `order` of each */
    uint32_t *order;          /* tiles, wave by wave */
};

struct carom_solid_blocks {
    const struct carom_solid *s;
    struct carom_threads *threads;
    int b; /* unknowns of a node: CAROM_LEVEL_SPACE or CAROM_LEVEL_PLANE */
    size_t axes, packed, nlevels;
    struct carom_level level[CAROM_LEVELS];
    struct carom_block_factor factor; /* of the last level */
    size_t *first, *column;
    double *value, *scale;
};

#define CAROM_LEVEL_INLINE static inline __attribute__((always_inline))

/* --- small matrices -------------------------------------------------------------------------------------------- */

/* the motion z of a node as seen at `arm` from it */
CAROM_LEVEL_INLINE void carom_level_carry(int b, const double *z, const double arm[3], double *out)
{
    if (b == CAROM_LEVEL_PLANE) {
        out[0] = z[0] - z[2] * arm[1];
        out[1] = z[1] + z[2] * arm[0];
        out[2] = z[2];
        return;
    }
    out[0] = z[0] + z[4] * arm[2] - z[5] * arm[1];
    out[1] = z[1] + z[5] * arm[0] - z[3] * arm[2];
    out[2] = z[2] + z[3] * arm[1] - z[4] * arm[0];
    out[3] = z[3];
    out[4] = z[4];
    out[5] = z[5];
}

/* force and moment f at `arm`, as the node feels them */
CAROM_LEVEL_INLINE void carom_level_carry_back(int b, const double *f, const double arm[3], double *out)
{
    if (b == CAROM_LEVEL_PLANE) {
        out[0] = f[0];
        out[1] = f[1];
        out[2] = f[2] + arm[0] * f[1] - arm[1] * f[0];
        return;
    }
    out[0] = f[0];
    out[1] = f[1];
    out[2] = f[2];
    out[3] = f[3] + arm[1] * f[2] - arm[2] * f[1];
    out[4] = f[4] + arm[2] * f[0] - arm[0] * f[2];
    out[5] = f[5] + arm[0] * f[1] - arm[1] * f[0];
}

/* y = m x, written out: this is where the time goes */
CAROM_LEVEL_INLINE void carom_level_times(int b, const float *m, const double *x, double *y)
{
    if (b == CAROM_LEVEL_PLANE) {
        y[0] = (double)m[0] * x[0] + (double)m[1] * x[1] + (double)m[3] * x[2];
        y[1] = (double)m[1] * x[0] + (double)m[2] * x[1] + (double)m[4] * x[2];
        y[2] = (double)m[3] * x[0] + (double)m[4] * x[1] + (double)m[5] * x[2];
        return;
    }
    double w[CAROM_LEVEL_PACKED];
    for (int k = 0; k < CAROM_LEVEL_PACKED; k++)
        w[k] = (double)m[k];
    y[0] = w[0] * x[0] + w[1] * x[1] + w[3] * x[2] + w[6] * x[3] + w[10] * x[4] + w[15] * x[5];
    y[1] = w[1] * x[0] + w[2] * x[1] + w[4] * x[2] + w[7] * x[3] + w[11] * x[4] + w[16] * x[5];
    y[2] = w[3] * x[0] + w[4] * x[1] + w[5] * x[2] + w[8] * x[3] + w[12] * x[4] + w[17] * x[5];
    y[3] = w[6] * x[0] + w[7] * x[1] + w[8] * x[2] + w[9] * x[3] + w[13] * x[4] + w[18] * x[5];
    y[4] = w[10] * x[0] + w[11] * x[1] + w[12] * x[2] + w[13] * x[3] + w[14] * x[4] + w[19] * x[5];
    y[5] = w[15] * x[0] + w[16] * x[1] + w[17] * x[2] + w[18] * x[3] + w[19] * x[4] + w[20] * x[5];
}

/* out += factor x R^T m R, R the carrying by `arm` */
CAROM_LEVEL_INLINE void carom_level_add_carried(int b, const float *m, const double arm[3], double factor, double *out)
{
    for (int j = 0; j < b; j++) {
        double unit[CAROM_LEVEL_SPACE] = {0.0}, x[CAROM_LEVEL_SPACE], y[CAROM_LEVEL_SPACE];
        unit[j] = 1.0;
        carom_level_carry(b, unit, arm, x);
        carom_level_times(b, m, x, y);
        carom_level_carry_back(b, y, arm, x);
        for (int i = j; i < b; i++)
            out[i * (i + 1) / 2 + j] += factor * x[i];
    }
}

/* Cholesky's factor of a packed matrix in place, diagonal inverted; unknowns without stiffness are left alone */
static inline void carom_level_factorise(int b, double *m)
{
    for (int i = 0; i < b; i++) {
        double *row = m + i * (i + 1) / 2;
        const double whole = row[i];
        for (int j = 0; j <= i; j++) {
            const double *above = m + j * (j + 1) / 2;
            for (int k = 0; k < j; k++)
                row[j] -= row[k] * above[k];
            if (j < i)
                row[j] *= above[j];
        }
        row[i] = row[i] > 1e-12 * whole ? 1.0 / sqrt(row[i]) : 0.0;
    }
}

/* x = D^-1 x with the factor of D, written out */
CAROM_LEVEL_INLINE void carom_level_solve(int b, const float *factor, double *x)
{
    double w[CAROM_LEVEL_PACKED];
    for (int k = 0; k < b * (b + 1) / 2; k++)
        w[k] = (double)factor[k];
    x[0] *= w[0];
    x[1] = (x[1] - w[1] * x[0]) * w[2];
    x[2] = (x[2] - w[3] * x[0] - w[4] * x[1]) * w[5];
    if (b == CAROM_LEVEL_SPACE) {
        x[3] = (x[3] - w[6] * x[0] - w[7] * x[1] - w[8] * x[2]) * w[9];
        x[4] = (x[4] - w[10] * x[0] - w[11] * x[1] - w[12] * x[2] - w[13] * x[3]) * w[14];
        x[5] = (x[5] - w[15] * x[0] - w[16] * x[1] - w[17] * x[2] - w[18] * x[3] - w[19] * x[4]) * w[20] * w[20];
        x[4] = (x[4] - w[19] * x[5]) * w[14];
        x[3] = (x[3] - w[13] * x[4] - w[18] * x[5]) * w[9];
        x[2] = x[2] - w[8] * x[3] - w[12] * x[4] - w[17] * x[5];
        x[1] = x[1] - w[7] * x[3] - w[11] * x[4] - w[16] * x[5];
        x[0] = x[0] - w[6] * x[3] - w[10] * x[4] - w[15] * x[5];
    }
    x[2] *= w[5];
    x[1] = (x[1] - w[4] * x[2]) * w[2];
    x[0] = (x[0] - w[1] * x[1] - w[3] * x[2]) * w[0];
}

/* stiffness of the relative motion at the middle between the cells: k at the interface, bending in the axes of I */
static inline void carom_level_link(const struct carom_solid *s, const double *q, const struct carom_solid_link *link,
                                    const double here[3], const double there[3], float *to)
{
    const int b = s->dimension == 3 ? CAROM_LEVEL_SPACE : CAROM_LEVEL_PLANE;
    const struct carom_solid_shape *shape = &s->shape[link->shape];
    double turn[4], arm[3], bend[3][3] = {{0.0}}, m[CAROM_LEVEL_PACKED] = {0.0};
    float plain[CAROM_LEVEL_PACKED] = {0.0F};
    carom_solid_quaternion(s, q, link->cell[0], turn);
    carom_quat_turn(turn, shape->arm, arm);
    for (int k = 0; k < 3; k++)
        arm[k] -= 0.5 * (there[k] - here[k]); /* from the middle to the interface */
    if (b == CAROM_LEVEL_PLANE) {
        plain[0] = plain[2] = (float)shape->stiff;
        plain[5] = (float)shape->bend[0];
    } else {
        static const int index[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
        for (int k = 0; k < 3; k++) { /* Q B Q^T, column by column */
            double unit[3] = {0.0, 0.0, 0.0}, x[3], y[3];
            unit[k] = 1.0;
            carom_quat_turn_back(turn, unit, x);
            for (int i = 0; i < 3; i++)
                y[i] =
                    shape->bend[index[i][0]] * x[0] + shape->bend[index[i][1]] * x[1] + shape->bend[index[i][2]] * x[2];
            carom_quat_turn(turn, y, bend[k]);
        }
        plain[0] = plain[2] = plain[5] = (float)shape->stiff;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j <= i; j++)
                plain[(i + 3) * (i + 4) / 2 + j + 3] = (float)bend[j][i];
    }
    /* a thousandth is left of a broken link, so that no block becomes loose */
    const double whole = s->breaks ? fmax(1.0 - carom_solid_fracture_damage(s, q)[link - s->link], 1e-3) : 1.0;
    carom_level_add_carried(b, plain, arm, whole, m);
    for (int k = 0; k < b * (b + 1) / 2; k++)
        to[k] = (float)m[k];
}

/* --- going over a level ---------------------------------------------------------------------------------------- */

/* The neighbours of a node: their numbers and links. */
struct carom_level_round {
    int count;
    size_t other[6];
    const float *link[6];
};

CAROM_LEVEL_INLINE void carom_level_round(const struct carom_level *l, size_t axes, size_t packed, const size_t at[3],
                                          size_t i, struct carom_level_round *r)
{
    size_t stride = 1;
    r->count = 0;
    for (size_t k = 0; k < axes; k++) {
        const bool ring = k == 0 && l->ring;
        const size_t back = stride * (l->count[k] - 1);
        if (at[k] > 0 || ring) {
            const size_t j = at[k] > 0 ? i - stride : i + back;
            r->other[r->count] = j;
            r->link[r->count++] = l->link + packed * (axes * j + k);
        }
        if (at[k] + 1 < l->count[k] || ring) {
            r->other[r->count] = at[k] + 1 < l->count[k] ? i + stride : i - back;
            r->link[r->count++] = l->link + packed * (axes * i + k);
        }
        stride *= l->count[k];
    }
}

/* where node i stands in the lattice */
CAROM_LEVEL_INLINE void carom_level_at(const size_t count[3], size_t i, size_t at[3])
{
    at[0] = i % count[0];
    at[1] = i / count[0] % count[1];
    at[2] = i / count[0] / count[1];
}

CAROM_LEVEL_INLINE void carom_level_step_on(const struct carom_level *l, size_t at[3])
{
    for (int k = 0; k < 3 && ++at[k] == l->count[k]; k++)
        at[k] = 0;
}

/* The nodes of l that make node `to` of the next level, rising; returns how many. */
CAROM_LEVEL_INLINE size_t carom_level_children(const struct carom_level *l, const struct carom_level *next, size_t to,
                                               size_t child[8])
{
    size_t at[3], end[3], count = 0;
    carom_level_at(next->count, to, at);
    for (int k = 0; k < 3; k++) {
        const size_t each = next->count[k] < l->count[k] ? 2 : 1;
        at[k] *= each;
        end[k] = at[k] + each < l->count[k] ? at[k] + each : l->count[k];
    }
    for (size_t z = at[2]; z < end[2]; z++)
        for (size_t y = at[1]; y < end[1]; y++)
            for (size_t x = at[0]; x < end[0]; x++)
                child[count++] = x + l->count[0] * (y + l->count[1] * z);
    return count;
}

/* from the node to the middle of a link */
CAROM_LEVEL_INLINE void carom_level_arm_to(const struct carom_level *l, size_t i, size_t j, double arm[3],
                                           double other[3])
{
    for (int k = 0; k < 3; k++) {
        arm[k] = 0.5 * (l->place[j][k] - l->place[i][k]);
        other[k] = -arm[k];
    }
}

static inline unsigned carom_level_held(const struct carom_solid_blocks *w, const struct carom_level *l, size_t i)
{
    const unsigned mask = l == w->level && w->s->held ? w->s->held[i] : 0U;
    return w->b == CAROM_LEVEL_PLANE ? (mask & 3U) | (mask >> 5 & 1U) << 2 : mask;
}

/* What is done to nodes of a level, for threads. */
struct carom_level_call {
    const struct carom_solid_blocks *w;
    const struct carom_level *l, *next;
    const double *from;
    double *to, *left;
    const uint32_t *tile; /* of the wave under way */
};

/* --- pieces with files of their own ---------------------------------------------------------------------------- */

/* The diagonal block of node i of a level, packed. */
void carom_solid_blocks_build_diagonal(const struct carom_solid_blocks *blocks, const struct carom_level *level,
                                       const size_t at[3], size_t i, double *m);

/* Waves of tiles (solid_blocks_waves.c): a tile's neighbours stand in the waves before and after its own, so that the
 * tiles of one can be swept at once and every node still finds what it finds when all are swept in turn. */
bool carom_solid_blocks_waves_open(const struct carom_solid_blocks *blocks, struct carom_level *level);

/* Calls work(call, i) for the tiles call->tile[i], wave by wave. */
void carom_solid_blocks_waves_run(struct carom_level_call *call, bool back, void (*work)(void *call, size_t i));

/* The nodes of a tile: from `first` to before `last` along each axis. */
void carom_solid_blocks_waves_tile(const struct carom_level *level, size_t tile, size_t first[3], size_t last[3]);

/* The coarsest level: room for its factors, the factors, z = A^-1 r. */
enum carom_status carom_solid_blocks_last_open(struct carom_solid_blocks *blocks, struct carom_error *error);
void carom_solid_blocks_last_close(struct carom_solid_blocks *blocks);
void carom_solid_blocks_last_build(struct carom_solid_blocks *blocks, bool loose);
void carom_solid_blocks_last_solve(struct carom_solid_blocks *blocks, const double *r, double *z);

#endif
