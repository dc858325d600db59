/* Both ends are eliminated in the same loop: the two recursions do not wait for each other. */
#include "solve/block_tridiagonal.h"

#include <math.h>

static const struct carom_front outside = {{0.0, 0.0, 0.0, 0.0}, {0.0, 0.0}};

/* x = known + coupled x_next; false if it is not finite */
static bool substitute(struct carom_block coupled, struct carom_pair next, struct carom_pair *known)
{
    const struct carom_pair more = carom_block_apply(coupled, next);
    known->a += more.a;
    known->b += more.b;
    return fabs(known->a) < HUGE_VAL && fabs(known->b) < HUGE_VAL;
}

bool carom_block_tridiagonal_solve(size_t n, const struct carom_block *lower, struct carom_block *diagonal,
                                   const struct carom_block *upper, struct carom_pair *b)
{
    static const struct carom_block none = {0.0, 0.0, 0.0, 0.0};
    if (n == 0)
        return true;
    const size_t middle = n / 2; /* n - 1 - middle rows right of it: as many as left, or one less */
    struct carom_front left = outside, right = outside;
    for (size_t i = 0; i < middle; i++) {
        const size_t j = n - 1 - i;
        left = carom_front_advance(left, i > 0 ? lower[i] : none, diagonal[i], upper[i], b[i]);
        diagonal[i] = left.coupled;
        b[i] = left.known;
        if (j == middle)
            continue;
        right = carom_front_advance(right, i > 0 ? upper[j] : none, diagonal[j], lower[j], b[j]);
        diagonal[j] = right.coupled;
        b[j] = right.known;
    }
    struct carom_block pivot = diagonal[middle];
    struct carom_pair rest = b[middle];
    if (middle > 0) {
        pivot = carom_block_sum(pivot, carom_block_product(lower[middle], left.coupled));
        const struct carom_pair carried = carom_block_apply(lower[middle], left.known);
        rest = (struct carom_pair){rest.a - carried.a, rest.b - carried.b};
    }
    if (middle + 1 < n) {
        pivot = carom_block_sum(pivot, carom_block_product(upper[middle], right.coupled));
        const struct carom_pair carried = carom_block_apply(upper[middle], right.known);
        rest = (struct carom_pair){rest.a - carried.a, rest.b - carried.b};
    }
    b[middle] = carom_block_apply(carom_block_inverse(pivot), rest);
    bool finite = substitute(none, rest, &b[middle]);
    for (size_t i = middle; i-- > 0;)
        finite &= substitute(diagonal[i], b[i + 1], &b[i]);
    for (size_t j = middle + 1; j < n; j++)
        finite &= substitute(diagonal[j], b[j - 1], &b[j]);
    return finite;
}
