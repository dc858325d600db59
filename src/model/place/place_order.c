/* Balls numbered along a curve that fills space (Morton's): those that touch then lie near each other in memory, too,
 * wherever they were put first. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"
#include "model/place/place.h"

struct ball {
    uint64_t along; /* the curve */
    size_t from;
    double radius, centre[3];
};

/* the lowest `bits` of x with `gap` zeros between them */
static uint64_t spread(uint64_t x, int bits, int gap)
{
    uint64_t out = 0;
    for (int k = 0; k < bits; k++)
        out |= (x >> k & 1u) << (k * (gap + 1));
    return out;
}

/* cells of a side of length 1 along each axis */
static uint64_t along(size_t dimension, const double centre[3], const double low[3], double scale)
{
    const int bits = dimension == 2 ? 31 : 21;
    uint64_t key = 0;
    for (size_t k = 0; k < dimension; k++) {
        const double cell = (centre[k] - low[k]) * scale * (double)((UINT64_C(1) << bits) - 1);
        key |= spread((uint64_t)cell, bits, (int)dimension - 1) << k;
    }
    return key;
}

static int compare(const void *a, const void *b)
{
    const struct ball *x = a, *y = b;
    return x->along != y->along ? CAROM_SORTED(x->along, y->along) : CAROM_SORTED(x->from, y->from);
}

bool carom_place_order(size_t dimension, size_t n, double (*centre)[3], double *radius)
{
    struct ball *ball = carom_memory_zeroed(n, sizeof *ball);
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, length = 0.0;
    if (!ball)
        return false;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < dimension; k++)
            low[k] = fmin(low[k], centre[i][k]);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < dimension; k++)
            length = fmax(length, centre[i][k] - low[k]);
    for (size_t i = 0; i < n; i++) {
        ball[i] = (struct ball){along(dimension, centre[i], low, length > 0.0 ? 1.0 / length : 0.0), i, radius[i], {0}};
        memcpy(ball[i].centre, centre[i], sizeof centre[i]);
    }
    qsort(ball, n, sizeof *ball, compare);
    for (size_t i = 0; i < n; i++) {
        radius[i] = ball[i].radius;
        memcpy(centre[i], ball[i].centre, sizeof centre[i]);
    }
    carom_memory_free(ball);
    return true;
}
