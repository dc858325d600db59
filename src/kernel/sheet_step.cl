/* Steps and loads of plane boxes of one material, for sheet.cl and sheet_blocks.cl. After sheet.h. */

/* constants of the body and sizes of the step that ends and of the one that begins */
struct step {
    struct carom_sheet_axis axis[2];
    double weight[2];
    double end[3], begin[3]; /* arm a step by mass, and for the turn by 1 */
    double still[2];         /* velocities, angular momenta below which cells are at rest */
    double h, rate;          /* of the step that begins; rate: h / inertia */
    ulong nx, ny;
    int ends, begins, holds, loads, keeps, pad; /* keeps: forces, without those of loads */
};

/* what a load does to a cell now */
struct push {
    double force[6], swell; /* of which the plane has three */
    int live, last; /* does it act at all; is it the last one of its cell? */
};

/* the dilatation of cell i, with what loads add */
ALWAYS_INLINE double swollen(double p, size_t i, __global const int *first, __global const struct push *push)
{
    if (first[i] >= 0)
        for (int e = first[i];; e++) {
            if (push[e].live & 2)
                p += push[e].swell;
            if (push[e].last)
                break;
        }
    return p;
}

/* the force on cell i, with that of loads */
ALWAYS_INLINE void load(size_t i, __global const int *first, __global const struct push *push, double f[3])
{
    if (first[i] >= 0)
        for (int e = first[i];; e++) {
            for (int k = 0; k < 3 && (push[e].live & 1); k++)
                f[k] += push[e].force[k];
            if (push[e].last)
                break;
        }
}
