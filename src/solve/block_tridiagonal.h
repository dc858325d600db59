/* Block tridiagonal systems with 2 x 2 blocks: what a chain needs when a step has two stages. The blocks of one row
 * at a time are in reach as inline functions, for schemes that make their rows on the way; a solver for stored rows
 * uses them too. Elimination without pivoting inside the blocks' rows: for systems whose pivot blocks stay regular. */
#ifndef CAROM_SOLVE_BLOCK_TRIDIAGONAL_H
#define CAROM_SOLVE_BLOCK_TRIDIAGONAL_H

#include <stdbool.h>
#include <stddef.h>

/* (a b; c d) */
struct carom_block {
    double a, b, c, d;
};

struct carom_pair {
    double a, b;
};

static inline struct carom_block carom_block_product(struct carom_block p, struct carom_block q)
{
    return (struct carom_block){p.a * q.a + p.b * q.c, p.a * q.b + p.b * q.d, p.c * q.a + p.d * q.c,
                                p.c * q.b + p.d * q.d};
}

static inline struct carom_block carom_block_sum(struct carom_block p, struct carom_block q)
{
    return (struct carom_block){p.a + q.a, p.b + q.b, p.c + q.c, p.d + q.d};
}

static inline struct carom_block carom_block_scaled(double s, struct carom_block p)
{
    return (struct carom_block){s * p.a, s * p.b, s * p.c, s * p.d};
}

static inline struct carom_pair carom_block_apply(struct carom_block p, struct carom_pair x)
{
    return (struct carom_pair){p.a * x.a + p.b * x.b, p.c * x.a + p.d * x.b};
}

static inline double carom_block_determinant(struct carom_block p)
{
    return p.a * p.d - p.b * p.c;
}

/* Divides by the determinant: infinite or NaN for a singular block. */
static inline struct carom_block carom_block_inverse(struct carom_block p)
{
    const double s = 1.0 / carom_block_determinant(p);
    return (struct carom_block){s * p.d, -s * p.b, -s * p.c, s * p.a};
}

/* A front of elimination, moving in from one end: the last row it has passed says x = known + coupled x_next. */
struct carom_front {
    struct carom_block coupled;
    struct carom_pair known;
};

/* The next row, toward_back x_back + pivot x + toward_next x_next = b, joins the front. */
static inline struct carom_front carom_front_advance(struct carom_front front, struct carom_block toward_back,
                                                     struct carom_block pivot, struct carom_block toward_next,
                                                     struct carom_pair b)
{
    const struct carom_block left = carom_block_product(toward_back, front.coupled);
    const struct carom_pair carried = carom_block_apply(toward_back, front.known);
    const struct carom_block inverse = carom_block_inverse(carom_block_sum(pivot, left));
    return (struct carom_front){
        carom_block_scaled(-1.0, carom_block_product(inverse, toward_next)),
        carom_block_apply(inverse, (struct carom_pair){b.a - carried.a, b.b - carried.b}),
    };
}

/* Solves lower[i] x[i-1] + diagonal[i] x[i] + upper[i] x[i+1] = b[i] for n rows, in from both ends at once; b becomes
 * x, the blocks are spent. lower[0] and upper[n-1] are not read. False if the result is not finite; b is then
 * undefined. */
bool carom_block_tridiagonal_solve(size_t n, const struct carom_block *lower, struct carom_block *diagonal,
                                   const struct carom_block *upper, struct carom_pair *b);

#endif
