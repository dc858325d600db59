/* Sorts of cells and links with records, after lane.cl. */
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

/* What a link with a record is like. Numbers of one kind stand side by side, as those of cells. n: of all
 * shapes. */
ALWAYS_INLINE struct shape shape_of(size_t n, uint k, __global const double *made)
{
    struct shape to;
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
