/* Friction of a small impulse, see blow_path.h. */
#include "impact/blow_path.h"

#include <math.h>

enum { SECULAR = 40 }; /* Newton's steps for a slip in space */

static const double shaky = 1e-13; /* part of the largest mobility below which a slip has none */
static const double tiny = 1e-22;  /* part of what would end a slip: less friction is none */

/* The slips' own mobility: eigenvalues and the direction of the first. */
struct spread {
    double value[2], c, s;
};

static struct spread spread_of(size_t dim, const double *a)
{
    if (dim == 2)
        return (struct spread){.value = {a[3], a[3]}, .c = 1.0};
    const double x = a[4], y = a[8], z = 0.5 * (a[5] + a[7]), mean = 0.5 * (x + y), half = 0.5 * (x - y);
    const double turn = sqrt(half * half + z * z);
    /* the eigenvector of mean + turn, from the longer of two ways to write it */
    const double c = half >= 0.0 ? half + turn : z, s = half >= 0.0 ? z : turn - half;
    const double length = sqrt(c * c + s * s);
    return length > 0.0 ? (struct spread){{mean + turn, mean - turn}, c / length, s / length}
                        : (struct spread){{mean, mean}, 1.0, 0.0};
}

/* q = - (part S + more)^-1 m; its length */
static double answer(const struct spread *of, double part, double more, const double m[2], double q[2])
{
    const double along = of->c * m[0] + of->s * m[1], across = of->c * m[1] - of->s * m[0];
    const double x = -along / (part * of->value[0] + more), y = -across / (part * of->value[1] + more);
    q[0] = of->c * x - of->s * y;
    q[1] = of->s * x + of->c * y;
    return sqrt(x * x + y * y);
}

/* how |q| of `answer` falls with `more`, over |q|^3 */
static double falls(const struct spread *of, double more, const double m[2])
{
    const double along = of->c * m[0] + of->s * m[1], across = of->c * m[1] - of->s * m[0];
    const double x = 0.5 * of->value[0] + more, y = 0.5 * of->value[1] + more;
    return along * along / (x * x * x) + across * across / (y * y * y);
}

void carom_blow_friction(size_t dim, const double *a, double most, const double *slip, const double *change,
                         double q[2])
{
    struct spread of = spread_of(dim, a);
    double m[2] = {0.0}, end[2] = {0.0};
    q[0] = q[1] = 0.0;
    if (!(most > 0.0))
        return;
    for (size_t k = 0; k + 1 < dim; k++) {
        m[k] = slip[k] + 0.5 * change[k];
        end[k] = slip[k] + change[k];
    }
    for (size_t k = 0; k < 2; k++)
        of.value[k] = fmax(of.value[k], shaky * (a[0] + of.value[0]));
    if (answer(&of, 1.0, 0.0, end, q) <= most)
        return;
    double length = answer(&of, 0.5, 0.0, m, q), more = 0.0;
    if (!(most > tiny * length)) /* next to nothing, and Newton's steps would run away */
        q[0] = q[1] = length = 0.0;
    for (int turn = 0; turn < SECULAR && length > most * (1.0 + 1e-15); turn++) {
        /* 1 / |q| is nearly straight, and bent so that Newton's steps stay on one side */
        more += (length / most - 1.0) * length * length / falls(&of, more, m);
        length = answer(&of, 0.5, more, m, q);
    }
    for (size_t k = 0; k < 2 && length > most; k++)
        q[k] *= most / length;
}
