/* The contact problem of a chain or column: an active-set Newton method (policy iteration on min(z, w) = 0) with one
 * elimination per iteration, O(n). For M-matrices, which chains have, z rises from the second iteration on and the
 * set is found in finitely many; other positive semidefinite matrices are guarded by single exchanges (Murty; Judice
 * and Pires).
 *
 * The elimination carries the excess of a pivot over its coupling instead of the pivot, so that diagonally dominant
 * matrices are solved without cancellation (Alfa, Xue and Ye 2002): a column of a million beads gets its impulses to
 * 1e-11 although its matrix has condition 1e12. A pivot that vanishes (redundant contacts between two walls)
 * leaves its contact out. While the method runs, the sign of z is the active set. */
#include <float.h>
#include <math.h>

#include "solve/contact/lcp_solvers.h"

enum { OVERSHOOT_FROM = 4, OVERSHOOT_UNTIL = 64, BLOCK_EXCHANGES = 10, SAME_AGAIN = 3, OWN_LIMIT = 1000 };

/* one end of the elimination as it moves to the middle */
struct end {
    double lift;   /* what the eliminated neighbour adds to the next row's excess */
    double push;   /* and to its right side */
    double couple; /* |coupling| to that neighbour; 0 if it is not active */
};

struct chain {
    size_t n;
    const double *diagonal, *beside, *b;
    double *factor;
    double smallest; /* pivot over diagonal that counts as 0 */
    double *z;
};

/* Eliminates row i. `couple` joins it to the next row inwards, 0 if that is not active. */
static inline void eliminate(const struct chain *c, size_t i, double couple, struct end *e)
{
    const double size = fabs(couple), excess = ((c->diagonal[i] - e->couple) - size) + e->lift, pivot = excess + size;
    if (c->z[i] > 0.0 && pivot > c->smallest * c->diagonal[i]) {
        const double inverse = 1.0 / pivot, x = (e->push - c->b[i]) * inverse;
        c->z[i] = x;
        c->factor[i] = couple * inverse;
        *e = (struct end){size * (excess * inverse), -couple * x, size};
    } else {
        c->z[i] = 0.0;
        c->factor[i] = 0.0;
        *e = (struct end){0.0, 0.0, 0.0};
    }
}

/* Solves for the active unknowns, the others are 0. From both ends at once, as each end waits for its divisions. */
static void solve(const struct chain *c)
{
    const size_t n = c->n, middle = n / 2;
    double *restrict z = c->z, *restrict factor = c->factor;
    struct end left = {0.0, 0.0, 0.0}, right = left;
    size_t i = 0, j = n - 1;
    for (; i < middle && j > middle; i++, j--) {
        eliminate(c, i, z[i + 1] > 0.0 ? c->beside[i] : 0.0, &left);
        eliminate(c, j, z[j - 1] > 0.0 ? c->beside[j - 1] : 0.0, &right);
    }
    if (i < middle) /* an even n has one row more on the left */
        eliminate(c, i, z[i + 1] > 0.0 ? c->beside[i] : 0.0, &left);
    const struct end both = {left.lift + right.lift, left.push + right.push, left.couple + right.couple};
    struct end last = both;
    eliminate(c, middle, 0.0, &last);
    for (i = middle, j = middle; i > 0 && j + 1 < n;) {
        i--;
        j++;
        z[i] -= factor[i] * z[i + 1];
        z[j] -= factor[j] * z[j - 1];
    }
    for (; i > 0; i--)
        z[i - 1] -= factor[i - 1] * z[i];
}

/* what a look at all rows finds */
struct verdict {
    double worst;            /* |min(A_ii z_i, w_i)| */
    double b, z;             /* largest |b_i|, A_ii z_i */
    size_t negative, pushed; /* z_i < 0; z_i = 0 with w_i < 0 */
    size_t last;             /* the last of either */
    bool stuck;              /* a coupling is positive: no M-matrix */
};

/* w_i, and whether it is negative by more than rounding */
static inline double rate(const struct chain *c, size_t i, double before, double z, double after, bool *pushed)
{
    const double left = i > 0 ? c->beside[i - 1] * before : 0.0, right = i + 1 < c->n ? c->beside[i] * after : 0.0;
    const double w = c->b[i] + left + right;
    *pushed = z == 0.0 && w < -4.0 * DBL_EPSILON * (fabs(c->b[i]) + fabs(left) + fabs(right));
    return w + c->diagonal[i] * z;
}

static struct verdict look(const struct chain *c)
{
    struct verdict v = {0};
    double before = 0.0, z = c->z[0], poison = 0.0, stuck = 0.0;
    for (size_t i = 0; i < c->n; i++) {
        const double after = i + 1 < c->n ? c->z[i + 1] : 0.0, scaled = c->diagonal[i] * z;
        bool pushed;
        const double w = rate(c, i, before, z, after, &pushed);
        const double size = fabs(scaled < w ? scaled : w), b = fabs(c->b[i]);
        poison += w * 0.0;
        v.worst = size > v.worst ? size : v.worst;
        v.b = b > v.b ? b : v.b;
        v.z = scaled > v.z ? scaled : v.z;
        if (z < 0.0 || pushed) {
            v.negative += z < 0.0;
            v.pushed += pushed;
            v.last = i;
        }
        if (i + 1 < c->n && c->beside[i] > stuck)
            stuck = c->beside[i];
        before = z;
        z = after;
    }
    v.stuck = stuck > 0.0;
    if (poison != 0.0)
        v.worst = nan("");
    return v;
}

static double relative(const struct verdict *v)
{
    const double size = v->b + sqrt(v->b) * sqrt(v->z);
    return v->worst == 0.0 ? 0.0 : v->worst / (size > 0.0 ? size : v->z);
}

/* Of an M-matrix a contact that pushes, whatever others are active, carries something in the solution: it stays. Those
 * that the start or `reach` has put in are guesses, and go first: others may be negative because of them. */
static bool guessed_wrong(const struct chain *c, const double *guess)
{
    size_t i = 0;
    while (i < c->n && !(c->z[i] < 0.0 && guess[i] > 0.0))
        i++;
    return i < c->n;
}

/* The next active set, as signs in z. Where the set grew for several iterations in a row, it grows by `reach`
 * neighbours beyond what pushes, so that a long row of contacts does not close one by one; too much is let go in the
 * next. */
static void exchange(const struct chain *c, size_t reach, double *guess, bool stays)
{
    double before = 0.0, z = c->z[0];
    size_t more = 0;
    for (size_t i = 0; i < c->n; i++) {
        const double after = i + 1 < c->n ? c->z[i + 1] : 0.0;
        bool pushed;
        (void)rate(c, i, before, z, after, &pushed);
        if (pushed) {
            for (size_t k = i; k-- > 0 && i - k <= reach && !(c->z[k] > 0.0);)
                c->z[k] = guess[k] = 1.0;
            more = reach + 1;
        }
        const bool active = z > 0.0 || (z < 0.0 && stays && !(guess[i] > 0.0));
        if (!active)
            guess[i] = pushed ? 0.0 : 1.0;
        c->z[i] = active || more > 0 ? 1.0 : 0.0;
        more -= more > 0;
        before = z;
        z = after;
    }
}

/* only one of those in the wrong set changes sides: slow, but it ends for every P-matrix */
static void exchange_one(const struct chain *c, size_t row)
{
    const bool closes = !(c->z[row] < 0.0);
    for (size_t i = 0; i < c->n; i++)
        c->z[i] = i == row ? (closes ? 1.0 : 0.0) : c->z[i] != 0.0 ? 1.0 : 0.0;
}

/* The first set: what the start says, and every b_i <= 0, which for an M-matrix cannot be wrong. */
static void begin(const struct chain *c, double *guess)
{
    for (size_t i = 0; i < c->n; i++) {
        guess[i] = c->b[i] <= 0.0 ? 0.0 : 1.0;
        if (c->b[i] <= 0.0 && !(c->z[i] > 0.0))
            c->z[i] = 1.0;
    }
}

static void keep(double *best, const double *z, size_t n)
{
    for (size_t i = 0; i < n; i++)
        best[i] = z[i] > 0.0 ? z[i] : 0.0;
}

size_t carom_lcp_tridiagonal(const struct carom_lcp *lcp, double tolerance, size_t iterations,
                             const struct carom_lcp_pieces *piece, double *z, double *residual)
{
    const size_t n = lcp->n, limit = iterations > 0 ? iterations : OWN_LIMIT;
    const struct chain c = {n, lcp->diagonal, lcp->beside, lcp->b, piece->row[0], (64.0 + (double)n) * DBL_EPSILON, z};
    double best = HUGE_VAL;
    double last = HUGE_VAL;
    struct verdict before = {0};
    size_t count = 0, reach = 0, fewest = 2 * n + 1, tries = BLOCK_EXCHANGES, same = 0;
    begin(&c, piece->row[2]);
    for (;;) {
        solve(&c);
        count++;
        const struct verdict v = look(&c);
        const double now = relative(&v);
        const size_t wrong = v.negative + v.pushed;
        if (!(now == now) || wrong == 0) {
            *residual = now;
            return count;
        }
        const bool better = now < best;
        if (better) {
            best = now;
            keep(piece->row[1], z, n);
        }
        /* a contact left out for its pivot that pushes: there is no solution */
        same = now == last && v.negative == before.negative && v.pushed == before.pushed && v.last == before.last
                   ? same + 1
                   : 0;
        last = now;
        before = v;
        if (now <= 16.0 * DBL_EPSILON || (!better && best <= tolerance) || same == SAME_AGAIN || count >= limit)
            break;
        reach = v.negative > 0 || count >= OVERSHOOT_UNTIL ? 0 : count < OVERSHOOT_FROM ? 0 : 2 * reach + 1;
        tries = wrong < fewest ? BLOCK_EXCHANGES : tries - (tries > 0);
        fewest = wrong < fewest ? wrong : fewest;
        if (v.stuck && tries == 0)
            exchange_one(&c, v.last);
        else
            exchange(&c, v.stuck ? 0 : reach, piece->row[2], !v.stuck && guessed_wrong(&c, piece->row[2]));
    }
    for (size_t i = 0; i < n; i++)
        z[i] = piece->row[1][i];
    *residual = carom_lcp_residual(lcp, z);
    return count;
}
