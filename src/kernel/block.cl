/* Where the processor plays a device each place has a block of cells and goes through it as the processor does, four
 * cells or links at a time, so that every link is worked out once, but those that come in from cells before the block:
 * what space_blocks.cl and flat_blocks.cl share. After four.cl and body.cl. */

/* cells of a place, the first of a portion; those after it are the next place's */
struct block {
    uint first, last;
};

ALWAYS_INLINE struct block block_of(const struct step *t)
{
    const uint first = get_global_id(0) * t->block;
    return (struct block){first, min(first + t->block, t->n)};
}

ALWAYS_INLINE bool has(struct block b, uint i)
{
    return i >= b.first && i < b.last;
}

ALWAYS_INLINE double4 at(__global const double *x, uint4 i)
{
    return (double4)(x[i.s0], x[i.s1], x[i.s2], x[i.s3]);
}

/* weight and loads of a block's cells */
ALWAYS_INLINE void load_block(const struct step *t, struct block b, __global const uint *sort,
                              __global const struct sort *sorts, __global const int *first,
                              __global const struct push *push, int dimension, __global double *force)
{
    const int speeds = dimension == 3 ? 6 : 3;
    for (uint i = b.first; i < b.last; i++) {
        double f[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
        load(t, i, sorts[sort[i]].mass, first, push, dimension, f);
        for (int k = 0; k < speeds; k++)
            force[speeds * (size_t)i + k] = f[k];
    }
}

/* Links in the order in which the processor meets them, four at a time: their cells and shapes, and how many there
 * are. */
struct four {
    uint4 own, other, shape;
    uint count;
};

ALWAYS_INLINE uint4 next(__global const uint *x, uint k, uint count)
{
    const uint l = count - 1;
    return count == 4 ? vload4(0, x + k) : (uint4)(x[k], x[k + min(1U, l)], x[k + min(2U, l)], x[k + l]);
}

ALWAYS_INLINE struct four four_of(const struct step *t, __global const uint *end, uint k, uint stop)
{
    const uint count = min(4U, stop - k);
    return (struct four){next(end, k, count), next(end + t->nlinks, k, count),
                         next(end + 2 * (size_t)t->nlinks, k, count), count};
}

/* numbers of shapes, which often stand side by side */
ALWAYS_INLINE double4 made_at(__global const double *x, uint4 i)
{
    return i.s1 == i.s0 + 1 && i.s2 == i.s0 + 2 && i.s3 == i.s0 + 3 ? vload4(0, x + i.s0) : at(x, i);
}

/* links of cells before the block that may come into it, and those of its own cells; start: of two cells each */
struct links {
    uint early, first, last;
};

ALWAYS_INLINE struct links links_of(const struct step *t, struct block b, __global const uint *start)
{
    return (struct links){start[(b.first > t->reach ? b.first - t->reach : 0) / 2], start[b.first / 2],
                          start[(b.last + 1) / 2]};
}

ALWAYS_INLINE bool any(const struct four *l, struct block b)
{
    return has(b, l->other.s0) || has(b, l->other.s1) || has(b, l->other.s2) || has(b, l->other.s3);
}
