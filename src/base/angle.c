/* Sine and cosine: what an angle has beyond whole quarter turns, in two parts, then the series. Quarter turns of
 * moderate angles are taken off in four pieces of pi/2 (Cody and Waite 1980); of angles from 2^20 on only those bits of
 * 2/pi are multiplied that matter (Payne and Hanek 1983). Arcs: the nearest sixteenth from a table, then the series. */
#include "base/angle.h"

#include <math.h>
#include <stdint.h>

#include "base/twofold.h"
#include "base/vec.h"

static const struct carom_twofold none = {0.0, 0.0}, quarter_turn = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},
                                  half_turn = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

/* --- what is left of quarter turns ------------------------------------------------------------------------------- */

struct rest {
    struct carom_twofold angle; /* at most pi/4 */
    unsigned quarter;           /* of which only the last two bits count */
};

static struct rest take_off(double x)
{
    static const double piece[4] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69, 0x1.b839a252049c1p-104};
    static const double whole = 0x1.8p52; /* what is added to that is rounded to a whole number */
    const double n = (x * 0x1.45f306dc9c883p-1 + whole) - whole;
    const struct carom_twofold a = carom_twofold_sum(x - n * piece[0], -(n * piece[1]));
    const unsigned quarter = (unsigned)(int)n;
    if (fabs(a.high) > 0x1p-10)
        return (struct rest){carom_twofold_fold(a.high, a.low - n * (piece[2] + piece[3])), quarter};
    const struct carom_twofold b = carom_twofold_sum(a.high, -(n * piece[2]));
    return (struct rest){carom_twofold_sum(b.high, (a.low + b.low) - n * piece[3]), quarter};
}

/* the bits of 2/pi, behind a word of zeros */
static const uint64_t two_over_pi[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
    0xf0cfbc209af4361d,
};

static uint64_t word_from(int bit)
{
    const int word = bit / 64, shift = bit % 64;
    return shift == 0 ? two_over_pi[word] : two_over_pi[word] << shift | two_over_pi[word + 1] >> (64 - shift);
}

/* a b + carry, the upper half into *carry */
static uint64_t multiply(uint64_t a, uint64_t b, uint64_t *carry)
{
    const uint64_t mask = 0xffffffff, al = a & mask, ah = a >> 32, bl = b & mask, bh = b >> 32;
    const uint64_t low = al * bl + (*carry & mask), cross = ah * bl + (low >> 32) + (*carry >> 32);
    const uint64_t other = al * bh + (cross & mask);
    *carry = ah * bh + (cross >> 32) + (other >> 32);
    return other << 32 | (low & mask);
}

static void negate(uint64_t w[3])
{
    w[2] = ~w[2] + 1;
    w[1] = ~w[1] + (w[2] == 0 ? 1 : 0);
    w[0] = ~w[0] + (w[1] == 0 && w[2] == 0 ? 1 : 0);
}

/* x = m 2^e: m times the bits of 2/pi from 2^(2 - e) on is x / (pi/2) but for multiples of 4, as a number of 192 bits
 * of which the first two count quarters */
static struct rest take_off_large(double x)
{
    int e;
    const double m = frexp(fabs(x), &e) * 0x1p53;
    e -= 53;
    uint64_t w[3], carry = 0;
    for (int i = 2; i >= 0; i--)
        w[i] = multiply(word_from(64 + e - 2 + 64 * i), (uint64_t)m, &carry);
    unsigned quarter = (unsigned)(w[0] >> 62);
    w[0] = w[0] << 2 | w[1] >> 62;
    w[1] = w[1] << 2 | w[2] >> 62;
    w[2] <<= 2;
    const int beyond = w[0] >> 63 != 0; /* nearer to the next quarter */
    if (beyond) {
        negate(w);
        quarter++;
    }
    const struct carom_twofold a =
        carom_twofold_sum((double)(w[0] >> 32) * 0x1p-32, (double)(w[0] & 0xffffffff) * 0x1p-64);
    const double b = (double)(w[1] >> 32) * 0x1p-96 + (double)(w[1] & 0xffffffff) * 0x1p-128;
    struct carom_twofold angle = carom_twofold_multiply(carom_twofold_fold(a.high, a.low + b), quarter_turn);
    if ((x < 0.0) != (beyond != 0))
        angle = (struct carom_twofold){-angle.high, -angle.low};
    return (struct rest){angle, x < 0.0 ? 0u - quarter : quarter};
}

static struct rest reduce(double x)
{
    if (fabs(x) <= 0.25 * CAROM_ANGLE_PI)
        return (struct rest){{x, 0.0}, 0};
    return fabs(x) < 0x1p20 ? take_off(x) : take_off_large(x);
}

/* --- series, their coefficients fitted to |x| <= pi/4 ----------------------------------------------------------- */

static double sine(struct carom_twofold r)
{
    static const double c[] = {-0x1.5555555555555p-3, 0x1.1111111110bb2p-7,   -0x1.a01a019e83a9dp-13,
                               0x1.71de379688b0ep-19, -0x1.ae600b014833dp-26, 0x1.5e0b1974de176p-33};
    const double x = r.high, z = x * x, y = z * z;
    const double series = c[0] + z * c[1] + y * ((c[2] + z * c[3]) + y * (c[4] + z * c[5]));
    return x + (x * (z * series) + r.low * (1.0 - 0.5 * z));
}

static double cosine(struct carom_twofold r)
{
    static const double c[] = {0x1.5555555555555p-5,   -0x1.6c16c16c16967p-10, 0x1.a01a019f4eaf8p-16,
                               -0x1.27e4fa17d95a2p-22, 0x1.1eeb68e8843f9p-29,  -0x1.907da2e3b0622p-37};
    const double x = r.high, z = x * x, y = z * z, half = 0.5 * z, first = 1.0 - half;
    const double series = c[0] + z * c[1] + y * ((c[2] + z * c[3]) + y * (c[4] + z * c[5]));
    return first + (((1.0 - first) - half) + (y * series - x * r.low));
}

static double turned(struct rest r, unsigned more)
{
    const unsigned quarter = (r.quarter + more) & 3u;
    const double value = quarter & 1u ? cosine(r.angle) : sine(r.angle);
    return quarter & 2u ? -value : value;
}

double carom_angle_sin(double x)
{
    if (!(fabs(x) < HUGE_VAL))
        return nan("");
    return x == 0.0 ? x : turned(reduce(x), 0);
}

double carom_angle_cos(double x)
{
    return fabs(x) < HUGE_VAL ? turned(reduce(x), 1) : nan("");
}

void carom_angle_both(double x, double *sin, double *cos)
{
    if (!(fabs(x) < HUGE_VAL)) {
        *sin = *cos = nan("");
        return;
    }
    const struct rest r = reduce(x);
    *sin = x == 0.0 ? x : turned(r, 0);
    *cos = turned(r, 1);
}

/* --- arcs -------------------------------------------------------------------------------------------------------- */

static const double arcs[][2] = {
    /* atan(j/16) */
    {0x0.0p+0, 0x0.0p+0},
    {0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.0657e94db30d0p-1, -0x1.d5b495f6349e6p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
    {0x1.a1a25f2c82506p-1, -0x1.8b4c3611182fcp-57},
    {0x1.b034f38649c88p-1, -0x1.be88d6936f833p-55},
    {0x1.bde70ed439fe7p-1, -0x1.a2b56372c05efp-56},
    {0x1.cac7c57846f9ep-1, 0x1.0dae13ad18a6bp-55},
    {0x1.d6e57cf4f0acap-1, -0x1.763b9456ae66ep-55},
    {0x1.e24dd44c855d1p-1, 0x1.f7ac612ab33d8p-55},
    {0x1.ed0d97c9041c9p-1, -0x1.2629e3b5da490p-58},
    {0x1.f730bd281f69bp-1, 0x1.007887af0cbbdp-56},
    {0x1.006132e34d617p+0, 0x1.b343dfa868d93p-54},
    {0x1.04e67277a01d7p+0, 0x1.7115496c13eb6p-57},
    {0x1.092ce471853ccp+0, 0x1.269f9b3e200c2p-55},
    {0x1.0d38f2c5ba09fp+0, -0x1.bd0dc231bfd70p-54},
    {0x1.110eb007f39f7p+0, -0x1.12b2ff85e5500p-54},
    {0x1.14b1dd5f90ce1p+0, -0x1.212d570a63fa2p-56},
    {0x1.1825f074030d9p+0, -0x1.9523f0af0d3b5p-58},
    {0x1.1b6e192ebbe44p+0, 0x1.b1b466a88828ep-54},
    {0x1.1e8d473c5d5cap+0, 0x1.40b5b2505c143p-54},
};

static double arc_series(double u)
{
    const double z = u * u;
    return u * z *
           (-1.0 / 3.0 +
            z * (1.0 / 5.0 +
                 z * (-1.0 / 7.0 +
                      z * (1.0 / 9.0 + z * (-1.0 / 11.0 + z * (1.0 / 13.0 + z * (-1.0 / 15.0 + z * (1.0 / 17.0))))))));
}

/* base + sign times the arc of x + low, for 0 <= x <= 2; the base is 0 or larger than the arc */
static double arc(double x, double low, struct carom_twofold base, double sign)
{
    const int j = x < 0.125 ? 0 : (int)(16.0 * x + 0.5);
    const double c = j / 16.0, u = j == 0 ? x : (x - c) / (1.0 + c * x);
    const double tail = arcs[j][1] + (low / (1.0 + x * x) + arc_series(u));
    if (base.high == 0.0)
        return j == 0 ? u + tail : arcs[j][0] + (u + tail);
    const struct carom_twofold first = carom_twofold_sum(base.high, sign * arcs[j][0]);
    return first.high + (first.low + (base.low + sign * (u + tail)));
}

double carom_angle_atan(double x)
{
    const double size = fabs(x);
    if (isnan(x))
        return x;
    const double value = size <= 2.0 ? arc(size, 0.0, none, 1.0) : arc(1.0 / size, 0.0, quarter_turn, -1.0);
    return x < 0.0 ? -value : x == 0.0 ? x : value;
}

/* a / b */
static struct carom_twofold divide(double a, double b)
{
    const double q = a / b;
    const struct carom_twofold p = carom_twofold_product(q, b);
    return (struct carom_twofold){q, ((a - p.high) - p.low) / b};
}

double carom_angle_atan2(double y, double x)
{
    double a = fabs(y), b = fabs(x);
    if (!(a < HUGE_VAL) || !(b < HUGE_VAL) || a == 0.0 || b == 0.0)
        return atan2(y, x); /* parts of a turn, or 0 */
    const double largest = fmax(a, b), scale = largest > 0x1p400 ? 0x1p-600 : largest < 0x1p-400 ? 0x1p600 : 1.0;
    a *= scale; /* so that no product leaves the range of doubles */
    b *= scale;
    const int steep = a > b;
    const struct carom_twofold q = steep ? divide(b, a) : divide(a, b);
    const struct carom_twofold base = steep ? quarter_turn : x < 0.0 ? half_turn : none;
    const double value = arc(q.high, q.low, base, steep ? (x < 0.0 ? 1.0 : -1.0) : x < 0.0 ? -1.0 : 1.0);
    return y < 0.0 ? -value : value;
}

void carom_angle_turn(const double vector[3], double turn[4])
{
    const double angle = carom_vec_norm(vector), part = angle > 0.0 ? carom_angle_sin(0.5 * angle) / angle : 0.5;
    turn[0] = carom_angle_cos(0.5 * angle);
    for (int k = 0; k < 3; k++)
        turn[1 + k] = part * vector[k];
}
