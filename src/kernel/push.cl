/* What loads do to cells of solids, in the plane or in space. */
struct push {
    double force[6], swell; /* of which the plane has three */
    int live, last;         /* does it act at all; is it the last one of its cell? */
};

/* a dilatation of cell i, with what loads add; first: of a cell's loads, or -1 */
ALWAYS_INLINE double swollen(double sum, size_t i, __global const int *first, __global const struct push *push)
{
    if (first[i] >= 0)
        for (int e = first[i];; e++) {
            if (push[e].live & 2)
                sum += push[e].swell;
            if (push[e].last)
                break;
        }
    return sum;
}

/* the force on cell i, with that of loads */
ALWAYS_INLINE void shove(size_t i, int speeds, __global const int *first, __global const struct push *push, double *f)
{
    if (first[i] >= 0)
        for (int e = first[i];; e++) {
            for (int k = 0; k < speeds && (push[e].live & 1); k++)
                f[k] += push[e].force[k];
            if (push[e].last)
                break;
        }
}
