/* Sites of lattices, see lattice.h. Along each axis a site is a whole number of steps from the first one, and a step is
 * a radius times a root that is kept to twice the digits of a double: errors do not add up from row to row. */
#include "model/place/lattice.h"

#include <math.h>
#include <stdbool.h>

const char *const carom_lattice_names[] = {"square", "hexagonal", "sc", "bcc", "fcc", "hcp", NULL};

/* a number as the sum of two */
struct twofold {
    double high, low;
};

#define WHOLE(n) \
    {            \
        (n), 0.0 \
    }
#define ROOT_2                                       \
    {                                                \
        0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54 \
    }
#define ROOT_3                                      \
    {                                               \
        0x1.bb67ae8584caap+0, 0x1.cec95d0b5c1e3p-54 \
    }
#define ROOT_1_3                                    \
    {                                               \
        0x1.279a74590331cp-1, 0x1.34863e0792bedp-55 \
    } /* of 1/3 */
#define ROOT_4_3                                    \
    {                                               \
        0x1.279a74590331cp+0, 0x1.34863e0792bedp-54 \
    } /* of 4/3 */
#define ROOT_8_3                                     \
    {                                                \
        0x1.a20bd700c2c3ep+0, -0x1.fde99f28943c7p-59 \
    } /* of 8/3 */

/* steps along x, y and z, in radii */
static const struct twofold steps[][3] = {
    [CAROM_LATTICE_SQUARE] = {WHOLE(2.0), WHOLE(2.0), WHOLE(0.0)},
    [CAROM_LATTICE_HEXAGONAL] = {WHOLE(1.0), ROOT_3, WHOLE(0.0)},
    [CAROM_LATTICE_SC] = {WHOLE(2.0), WHOLE(2.0), WHOLE(2.0)},
    [CAROM_LATTICE_BCC] = {ROOT_4_3, ROOT_4_3, ROOT_4_3}, /* half the edge of a cell */
    [CAROM_LATTICE_FCC] = {ROOT_2, ROOT_2, ROOT_2},       /* likewise */
    [CAROM_LATTICE_HCP] = {WHOLE(1.0), ROOT_1_3, ROOT_8_3},
};

size_t carom_lattice_dimension(enum carom_lattice kind)
{
    return kind == CAROM_LATTICE_SQUARE || kind == CAROM_LATTICE_HEXAGONAL ? 2 : 3;
}

/* bodies of a cell */
static size_t basis(enum carom_lattice kind)
{
    return kind == CAROM_LATTICE_BCC ? 2 : kind == CAROM_LATTICE_FCC ? 4 : 1;
}

double carom_lattice_count(enum carom_lattice kind, const double count[3])
{
    double bodies = (double)basis(kind);
    for (size_t k = 0; k < carom_lattice_dimension(kind); k++)
        bodies *= count[k];
    return bodies;
}

/* how many steps along each axis cell c and its body number m are from the first body */
static void steps_to(enum carom_lattice kind, const size_t c[3], size_t m, size_t n[3])
{
    static const size_t face[4][3] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
    for (int k = 0; k < 3; k++)
        n[k] = c[k];
    switch (kind) {
    case CAROM_LATTICE_SQUARE:
    case CAROM_LATTICE_SC:
        break;
    case CAROM_LATTICE_HEXAGONAL:
        n[0] = 2 * c[0] + c[1] % 2;
        break;
    case CAROM_LATTICE_BCC:
        for (int k = 0; k < 3; k++)
            n[k] = 2 * c[k] + m;
        break;
    case CAROM_LATTICE_FCC:
        for (int k = 0; k < 3; k++)
            n[k] = 2 * c[k] + face[m][k];
        break;
    case CAROM_LATTICE_HCP: /* a ball of layer B rests on two of a row and one of the next */
        n[0] = 2 * c[0] + (c[1] + c[2]) % 2;
        n[1] = 3 * c[1] + c[2] % 2;
        break;
    }
}

static struct twofold times(double a, struct twofold b)
{
    const double high = a * b.high;
    return (struct twofold){high, fma(a, b.high, -high) + a * b.low};
}

/* a + b, rounded once or nearly so */
static double plus(double a, struct twofold b)
{
    const double sum = a + b.high, of_b = sum - a, rest = (a - (sum - of_b)) + (b.high - of_b);
    return sum + (rest + b.low);
}

void carom_lattice_site(enum carom_lattice kind, const size_t count[3], double radius, const double at[3], size_t i,
                        double centre[3])
{
    const size_t cell = i / basis(kind), row = cell / count[0];
    const bool flat = carom_lattice_dimension(kind) == 2;
    const size_t c[3] = {cell % count[0], flat ? row : row % count[1], flat ? 0 : row / count[1]};
    size_t n[3];
    steps_to(kind, c, i % basis(kind), n);
    for (int k = 0; k < 3; k++)
        centre[k] = plus(at[k], times(radius, times((double)n[k], steps[kind][k])));
}
