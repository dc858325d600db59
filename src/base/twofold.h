/* Numbers in two parts, the second at most half a unit of the first: some 106 bits from plain doubles, the same on
 * every machine. */
#ifndef CAROM_BASE_TWOFOLD_H
#define CAROM_BASE_TWOFOLD_H

#include <math.h>

struct carom_twofold {
    double high, low;
};

/* a + b (Knuth 1969) */
static inline struct carom_twofold carom_twofold_sum(double a, double b)
{
    const double sum = a + b, part = sum - a;
    return (struct carom_twofold){sum, (a - (sum - part)) + (b - part)};
}

/* the same for |a| >= |b| */
static inline struct carom_twofold carom_twofold_fold(double a, double b)
{
    const double sum = a + b;
    return (struct carom_twofold){sum, b - (sum - a)};
}

/* a b, of numbers that are neither huge nor tiny. Where a fused multiply-add costs nothing it finds the low part, else
 * splitting does (Dekker 1971): that part is exact, and so the same. */
static inline struct carom_twofold carom_twofold_product(double a, double b)
{
    const double product = a * b;
#ifdef __FP_FAST_FMA
    return (struct carom_twofold){product, fma(a, b, -product)};
#else
    static const double splitter = 0x1p27 + 1.0;
    const double as = splitter * a, ah = as - (as - a), al = a - ah, bs = splitter * b, bh = bs - (bs - b), bl = b - bh;
    return (struct carom_twofold){product, ((ah * bh - product) + ah * bl + al * bh) + al * bl};
#endif
}

static inline struct carom_twofold carom_twofold_multiply(struct carom_twofold a, struct carom_twofold b)
{
    const struct carom_twofold p = carom_twofold_product(a.high, b.high);
    return carom_twofold_fold(p.high, p.low + (a.high * b.low + a.low * b.high));
}

#endif
