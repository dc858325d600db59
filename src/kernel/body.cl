/* What kernels of bodies that are no plane boxes of one material share: their steps and loads. After links.cl and
 * push.cl. */
enum { KEPT = 1, TAKEN };

/* Of the body, and of the step that ends and the one that begins. forces: KEPT: they are kept; TAKEN: those that were
 * kept are taken. */
struct step {
    struct shape axis[3];        /* links of a box of one material, by their axes */
    double gravity[3], still[3]; /* still: velocities, angular momenta, half turns below which cells are at rest */
    double end, begin, h; /* halves of the two, and the second as a whole */
    uint n, grid[3];      /* grid: cells along the axes of a box of one material */
    uint nshapes, nlinks;
    int ends, begins, holds, loads, heavy, framed, forces;
};

/* what loads add to the dilatation of cell i */
ALWAYS_INLINE double pushed(const struct step *t, uint i, __global const int *first, __global const struct push *push)
{
    return t->loads ? swollen(0.0, i, first, push) : 0.0;
}

/* weight and loads of cell i, in the plane or in space */
ALWAYS_INLINE void load(const struct step *t, uint i, double mass, __global const int *first,
                        __global const struct push *push, int dimension, double *f)
{
    for (int k = 0; k < dimension && t->heavy; k++)
        f[k] = mass * t->gravity[k];
    if (t->loads)
        shove(i, dimension == 3 ? 6 : 3, first, push, f);
}
