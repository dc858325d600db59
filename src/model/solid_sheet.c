/* Plane boxes of one material, without link records: the same sums as solid_flat.c, to the bit, with the terms left
 * out that are zero because arms lie along an axis. Two cells of a row at a time. To each cell the link from below is
 * added first, then the one from the left, then its own to the right and up: so pairs and blocks change no bit. */
#include "model/solid.h"
#include "model/solid_lane.h"

/* lanes and axes must be constants in what is compiled: indices by them would go through memory */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* two neighbouring cells of a row (or twice one) */
struct twin {
    carom_lane u[2], a, d;
    carom_lane less, sine; /* cos - 1 and sin of the turn */
};

struct bond {
    carom_lane gap[2], arm[2][2], apart[2], inverse, open;
};

struct pull {
    carom_lane force[2], first, second; /* on the first cell, and torques on both */
};

/* which links a pair has, constants where this is compiled in: how many of its cells have a neighbour on the right; is
 * there a row above, and are its cells among those to be added to? */
struct kind {
    size_t lanes, right;
    bool up, inside;
};

ALWAYS_INLINE void turn(struct twin *t)
{
    const carom_lane twice = t->d + t->d;
    t->less = -twice * t->d;
    t->sine = twice * t->a;
}

ALWAYS_INLINE void load(const double *q, size_t lanes, struct twin *t)
{
    const double *const next = q + 4 * (lanes - 1);
    t->u[0] = (carom_lane){q[0], next[0]};
    t->u[1] = (carom_lane){q[1], next[1]};
    t->a = (carom_lane){q[2], next[2]};
    t->d = (carom_lane){q[3], next[3]};
    turn(t);
}

ALWAYS_INLINE carom_lane onward(carom_lane own, carom_lane next)
{
    return (carom_lane){own[1], next[0]};
}

/* the neighbours on the right: the second cell, and the one after it; where there is none, anything finite */
ALWAYS_INLINE void step_right(const double *q, struct kind kind, const struct twin *own, struct twin *right)
{
    struct twin next = *own;
    if (kind.right == kind.lanes)
        load(q + 4 * kind.lanes, 1, &next);
    *right = next;
    if (kind.lanes == 1)
        return;
    for (int k = 0; k < 2; k++)
        right->u[k] = onward(own->u[k], next.u[k]);
    right->a = onward(own->a, next.a);
    right->d = onward(own->d, next.d);
    right->less = onward(own->less, next.less);
    right->sine = onward(own->sine, next.sine);
}

ALWAYS_INLINE void join(const struct twin *i, const struct twin *j, int k, double edge, struct bond *b)
{
    const int c = 1 - k;
    const double arm = 0.5 * edge, back = arm - edge, side = k == 0 ? 1.0 : -1.0;
    const carom_lane here[2] = {i->less * arm, i->sine * (side * arm)};
    const carom_lane there[2] = {j->less * back, j->sine * (side * back)};
    const carom_lane moved_k = j->u[k] - i->u[k], moved_c = j->u[c] - i->u[c];
    b->gap[k] = moved_k + (there[0] - here[0]);
    b->gap[c] = moved_c + (there[1] - here[1]);
    b->arm[0][k] = arm + here[0];
    b->arm[0][c] = here[1];
    b->arm[1][k] = back + there[0];
    b->arm[1][c] = there[1];
    b->apart[k] = edge + moved_k;
    b->apart[c] = moved_c;
    b->inverse = 1.0 / carom_lane_sqrt(b->apart[0] * b->apart[0] + b->apart[1] * b->apart[1]);
    b->open = (b->gap[0] * b->apart[0] + b->gap[1] * b->apart[1]) * b->inverse;
}

/* x where there is a link to the right, else 0 */
ALWAYS_INLINE carom_lane only(struct kind kind, carom_lane x)
{
    const carom_lane_mask mask = {kind.right > 0 ? -1 : 0, kind.right == kind.lanes ? -1 : 0};
    return kind.right == 2 ? x : (carom_lane)(mask & (carom_lane_mask)x);
}

typedef carom_lane carry[3]; /* what the link from the left adds to the next cell, in the second lane */

ALWAYS_INLINE carom_lane from_left(carom_lane before, carom_lane own)
{
    return (carom_lane){before[1], own[0]};
}

/* --- the dilatation -------------------------------------------------------------------------------------------- */

ALWAYS_INLINE void dilate(const struct carom_solid_call *c, size_t cell, struct kind kind, size_t last, carry before)
{
    const struct carom_solid *s = c->solid;
    const size_t nx = s->grid.count[0], lanes = kind.lanes;
    const double *q = c->q + 4 * cell;
    double *sum = c->sum + cell;
    struct twin own, right, above;
    struct bond b;
    load(q, lanes, &own);
    step_right(q, kind, &own, &right);
    join(&own, &right, 0, s->shape[0].apart[0], &b);
    const carom_lane across = only(kind, s->shape[0].part[0] * b.open); /* both sides of a link alike */
    carom_lane total = {sum[0], sum[lanes - 1]}, up = {0.0, 0.0};
    total += from_left(before[0], across);
    total += across;
    before[0] = lanes == 2 ? across : (carom_lane){0.0, across[0]};
    if (kind.up) {
        load(q + 4 * nx, lanes, &above);
        join(&own, &above, 1, s->shape[1].apart[1], &b);
        up = s->shape[1].part[0] * b.open;
        total += up;
    }
    for (size_t l = 0; l < lanes; l++) {
        sum[l] = total[l];
        if (kind.up && (kind.inside || cell + l + nx < last))
            sum[l + nx] += up[l];
    }
}

/* --- forces ---------------------------------------------------------------------------------------------------- */

ALWAYS_INLINE void grip(const struct carom_solid_shape *shape, const struct twin *i, const struct twin *j,
                        const struct bond *b, carom_lane pressure_i, carom_lane pressure_j, struct pull *p)
{
    const carom_lane press = shape->part[0] * pressure_i + shape->part[1] * pressure_j, lean = press * b->inverse;
    const carom_lane n[2] = {b->inverse * b->apart[0], b->inverse * b->apart[1]};
    const carom_lane g[2] = {shape->stiff * b->gap[0] + press * n[0], shape->stiff * b->gap[1] + press * n[1]};
    const carom_lane r0 = i->a * j->a + i->d * j->d, r = i->a * j->d - j->a * i->d;
    const carom_lane flex = 2.0 * shape->bend[0] * r0 * r;
    for (int k = 0; k < 2; k++)
        p->force[k] = g[k] + lean * (b->gap[k] - b->open * n[k]);
    p->first = (b->arm[0][0] * g[1] - b->arm[0][1] * g[0]) + flex;
    p->second = (b->arm[1][1] * g[0] - b->arm[1][0] * g[1]) - flex;
}

ALWAYS_INLINE void load3(const double *f, size_t lanes, carom_lane x[3])
{
    for (size_t k = 0; k < 3; k++)
        x[k] = (carom_lane){f[k], f[3 * (lanes - 1) + k]};
}

ALWAYS_INLINE void pull(const struct carom_solid_call *c, size_t cell, struct kind kind, size_t last, carry before)
{
    const struct carom_solid *s = c->solid;
    const size_t nx = s->grid.count[0], lanes = kind.lanes;
    const double *q = c->q + 4 * cell, *sum = c->sum + cell;
    const carom_lane pressure = {sum[0], sum[lanes - 1]};
    double *f = c->f + 3 * cell;
    struct twin own, right, above;
    struct bond b;
    struct pull p;
    carom_lane total[3];
    load(q, lanes, &own);
    step_right(q, kind, &own, &right);
    join(&own, &right, 0, s->shape[0].apart[0], &b);
    const double next = kind.right == lanes ? sum[lanes] : 0.0;
    grip(&s->shape[0], &own, &right, &b, pressure, (carom_lane){lanes == 2 ? sum[1] : next, next}, &p);
    const carom_lane add[3] = {only(kind, p.force[0]), only(kind, p.force[1]), only(kind, p.first)};
    const carom_lane back[3] = {-add[0], -add[1], only(kind, p.second)};
    load3(f, lanes, total);
    for (int k = 0; k < 3; k++) {
        total[k] += from_left(before[k], back[k]);
        total[k] += add[k];
        before[k] = lanes == 2 ? back[k] : (carom_lane){0.0, back[k][0]};
    }
    if (kind.up) {
        load(q + 4 * nx, lanes, &above);
        join(&own, &above, 1, s->shape[1].apart[1], &b);
        grip(&s->shape[1], &own, &above, &b, pressure, (carom_lane){sum[nx], sum[nx + lanes - 1]}, &p);
        total[0] += p.force[0];
        total[1] += p.force[1];
        total[2] += p.first;
    }
    for (size_t l = 0; l < lanes; l++) {
        for (int k = 0; k < 3; k++)
            f[3 * l + (size_t)k] = total[k][l];
        if (kind.up && (kind.inside || cell + l + nx < last)) {
            double *g = f + 3 * (l + nx);
            g[0] -= p.force[0][l];
            g[1] -= p.force[1][l];
            g[2] += p.second[l];
        }
    }
}

/* --- rows ------------------------------------------------------------------------------------------------------ */

/* Cells [first, last), row by row: pairs with all their links, then what is left of the row. */
#define ROWS(work)                                                                         \
    const size_t nx = c->solid->grid.count[0], ny = c->solid->grid.count[1];               \
    for (size_t cell = first; cell < last;) {                                              \
        const size_t row = cell / nx, end = (row + 1) * nx < last ? (row + 1) * nx : last; \
        const bool up = row + 1 < ny, inside = up && end + nx <= last;                     \
        carry before = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};                               \
        for (; inside && cell + 2 < end; cell += 2)                                        \
            work(c, cell, (struct kind){2, 2, true, true}, last, before);                  \
        for (; cell < end; cell++) {                                                       \
            const size_t right = cell + 1 < (row + 1) * nx ? 1 : 0;                        \
            work(c, cell, (struct kind){1, right, up, false}, last, before);               \
        }                                                                                  \
    }

void carom_solid_sheet_dilate(const struct carom_solid_call *c, size_t first, size_t last)
{
    ROWS(dilate)
}

void carom_solid_sheet_pull(const struct carom_solid_call *c, size_t first, size_t last)
{
    ROWS(pull)
}
