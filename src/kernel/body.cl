/* What kernels of bodies with sorts of cells and links with records share, after lane.cl: what these are like, and
 * loads. */
enum { KEPT = 1, TAKEN };

/* as carom_solid_shape, and what carom_solid_sort tells a device */
struct shape {
    double apart[3], arm[3], stiff, part[2], bend[6];
};

struct sort {
    double mass, inverse_mass, factor, inverse_inertia[3], skew[3], frame[4];
};

/* one end of a link: the cell at the other end, and what the link is like */
struct end {
    uint other, shape;
};

/* Of the body, and of the step that ends and the one that begins. forces: KEPT: they are kept; TAKEN: those that were
 * kept are taken. */
struct step {
    struct shape axis[3];        /* links of a box of one material, by their axes */
    double gravity[3], still[3]; /* still: velocities, angular momenta, half turns below which cells are at rest */
    double end, begin, h; /* halves of the two, and the second as a whole */
    uint n, grid[3];      /* grid: cells along the axes of a box of one material */
    uint nshapes;
    int ends, begins, holds, loads, heavy, framed, forces;
};

/* what a load does to a cell now */
struct push {
    double force[6], swell;
    int live, last; /* does it act at all; is it the last one of its cell? */
};

/* What a link with a record is like. Numbers of one kind stand side by side, as those of cells. */
ALWAYS_INLINE struct shape shape_of(const struct step *t, uint k, __global const double *made)
{
    struct shape to;
    const size_t n = t->nshapes;
    for (int c = 0; c < 3; c++) {
        to.apart[c] = made[c * n + k];
        to.arm[c] = made[(3 + c) * n + k];
    }
    to.stiff = made[6 * n + k];
    for (int c = 0; c < 2; c++)
        to.part[c] = made[(7 + c) * n + k];
    for (int c = 0; c < 6; c++)
        to.bend[c] = made[(9 + c) * n + k];
    return to;
}

/* what loads add to the dilatation of cell i */
ALWAYS_INLINE double pushed(const struct step *t, uint i, __global const int *first, __global const struct push *push)
{
    double sum = 0.0;
    if (t->loads && first[i] >= 0)
        for (int e = first[i];; e++) {
            if (push[e].live & 2)
                sum += push[e].swell;
            if (push[e].last)
                break;
        }
    return sum;
}
