/* Numbers side by side in one register, on every machine: gcc and clang make SSE2, NEON or plain code of it. Each lane
 * does exactly what a single number would, so that working side by side changes no bit. Comparisons give masks of all
 * ones and zeros. Registers are taken to hold CAROM_LANES numbers: two, unless a file that is made for wider ones says
 * four before it includes this; what knows how many there are stands last. */
#ifndef CAROM_BASE_LANE_H
#define CAROM_BASE_LANE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* where a call, or an argument that is not known while compiling, would send registers through memory */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

#ifndef CAROM_LANES
#define CAROM_LANES 2
#endif

typedef double carom_lane __attribute__((vector_size(8 * CAROM_LANES)));
typedef int64_t carom_lane_mask __attribute__((vector_size(8 * CAROM_LANES))); /* what comparing lanes gives */
/* one in memory, at any double: it aliases doubles and nothing else, so that a store spoils no pointer in a register */
typedef double carom_lane_stored __attribute__((vector_size(8 * CAROM_LANES), aligned(8)));
typedef double carom_lane_duo
    __attribute__((vector_size(16))); /* two numbers of one record, whatever lanes there are */
typedef double carom_lane_duo_stored __attribute__((vector_size(16), aligned(8)));

ALWAYS_INLINE carom_lane carom_lane_load(const double *from)
{
    return *(const carom_lane_stored *)from;
}

ALWAYS_INLINE void carom_lane_store(double *to, carom_lane lane)
{
    *(carom_lane_stored *)to = lane;
}

/* f += x */
ALWAYS_INLINE void carom_lane_onto(double *f, carom_lane x)
{
    carom_lane_store(f, carom_lane_load(f) + x);
}

ALWAYS_INLINE carom_lane_duo carom_lane_duo_load(const double *from)
{
    return *(const carom_lane_duo_stored *)from;
}

ALWAYS_INLINE void carom_lane_duo_store(double *to, carom_lane_duo duo)
{
    *(carom_lane_duo_stored *)to = duo;
}

ALWAYS_INLINE void carom_lane_duo_onto(double *f, carom_lane_duo x)
{
    carom_lane_duo_store(f, carom_lane_duo_load(f) + x);
}

/* Two or four of the numbers in two registers, counted through both. gcc 11 has no word for it. */
#if defined(__clang__) || __GNUC__ >= 12
#define carom_lane_two __builtin_shufflevector
#define carom_lane_four __builtin_shufflevector
#else
#define NUMBERS(a) ((int)(sizeof(a) / sizeof(double)))
#define NUMBER(a, b, i) ((i) < NUMBERS(a) ? (a)[(i) % NUMBERS(a)] : (b)[(i) % NUMBERS(a)])
#define carom_lane_two(a, b, i, j) ((carom_lane_duo){NUMBER(a, b, i), NUMBER(a, b, j)})
#define carom_lane_four(a, b, i, j, k, l) \
    ((carom_lane){NUMBER(a, b, i), NUMBER(a, b, j), NUMBER(a, b, k), NUMBER(a, b, l)})
#endif

/* where the mask is not set */
ALWAYS_INLINE carom_lane_mask carom_lane_not(carom_lane_mask mask)
{
    return ~mask;
}

/* a where the mask is set, else 0 */
ALWAYS_INLINE carom_lane carom_lane_where(carom_lane_mask mask, carom_lane a)
{
    return (carom_lane)((carom_lane_mask)a & mask);
}

/* y where the mask is set, else x */
ALWAYS_INLINE carom_lane carom_lane_pick(carom_lane_mask mask, carom_lane y, carom_lane x)
{
    return (carom_lane)((mask & (carom_lane_mask)y) | (~mask & (carom_lane_mask)x));
}

/* a, or 0 where it is negative or not a number */
ALWAYS_INLINE carom_lane carom_lane_positive(carom_lane a)
{
    return carom_lane_where(a > 0.0, a);
}

ALWAYS_INLINE carom_lane carom_lane_abs(carom_lane a)
{
    return (carom_lane)((carom_lane_mask)a & INT64_MAX);
}

/* a, unless it is not larger (smaller) than b or not a number: one instruction where compilers make four */
ALWAYS_INLINE carom_lane carom_lane_max(carom_lane a, carom_lane b)
{
#if CAROM_LANES == 2 && defined __SSE2__
    return __builtin_ia32_maxpd(a, b);
#elif CAROM_LANES == 4 && defined __AVX__
    return __builtin_ia32_maxpd256(a, b);
#else
    return carom_lane_pick(a > b, a, b);
#endif
}

ALWAYS_INLINE carom_lane carom_lane_min(carom_lane a, carom_lane b)
{
#if CAROM_LANES == 2 && defined __SSE2__
    return __builtin_ia32_minpd(a, b);
#elif CAROM_LANES == 4 && defined __AVX__
    return __builtin_ia32_minpd256(a, b);
#else
    return carom_lane_pick(a < b, a, b);
#endif
}

/* |a| if it is larger than the sizes so far; not a number counts as larger than any and stays */
ALWAYS_INLINE carom_lane_mask carom_lane_larger(carom_lane_mask so_far, carom_lane a)
{
    const carom_lane size = carom_lane_abs(a), larger = carom_lane_max(size, (carom_lane)so_far);
    return (carom_lane_mask)larger | ((size != size) & INT64_MAX);
}

/* the largest of sizes */
ALWAYS_INLINE double carom_lane_largest(carom_lane_mask sizes)
{
    int64_t bits = sizes[0];
    double value;
    for (int l = 1; l < CAROM_LANES; l++)
        bits = sizes[l] > bits ? sizes[l] : bits;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Two numbers of each of several records on their way to or from lanes: records 0 (and 2), and records 1 (and 3). */
struct carom_lane_rows {
    carom_lane even, odd;
};

#if CAROM_LANES == 4

/* --- four lanes -------------------------------------------------------------------------------------------------- */

#if defined __AVX__ && !defined __clang__ /* clang finds these instructions itself, and has no names for some */
#define GCC_AVX
#endif

ALWAYS_INLINE carom_lane carom_lane_all(double x)
{
    return (carom_lane){x, x, x, x};
}

ALWAYS_INLINE carom_lane carom_lane_of(const double *const at[CAROM_LANES])
{
    return (carom_lane){*at[0], *at[1], *at[2], *at[3]};
}

/* where a mask is set, or a sign is: bit l for lane l */
ALWAYS_INLINE unsigned carom_lane_bits(carom_lane_mask m)
{
#ifdef __AVX__
    return (unsigned)__builtin_ia32_movmskpd256((carom_lane)m); /* compilers take the lanes apart instead */
#else
    return (unsigned)(m[0] < 0) | (unsigned)(m[1] < 0) << 1 | (unsigned)(m[2] < 0) << 2 | (unsigned)(m[3] < 0) << 3;
#endif
}

ALWAYS_INLINE carom_lane carom_lane_sqrt(carom_lane a)
{
    return (carom_lane){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
}

/* two numbers beside two others */
ALWAYS_INLINE carom_lane carom_lane_beside(const double *low, const double *high)
{
    const carom_lane_duo a = carom_lane_duo_load(low);
#ifdef GCC_AVX /* one instruction takes the second two out of memory; gcc loads them first */
    return __builtin_ia32_vinsertf128_pd256(__builtin_ia32_pd256_pd(a), carom_lane_duo_load(high), 1);
#else
    return carom_lane_four(a, carom_lane_duo_load(high), 0, 1, 2, 3);
#endif
}

ALWAYS_INLINE struct carom_lane_rows carom_lane_rows_of(const double *const at[CAROM_LANES])
{
    return (struct carom_lane_rows){carom_lane_beside(at[0], at[2]), carom_lane_beside(at[1], at[3])};
}

ALWAYS_INLINE void carom_lane_columns(struct carom_lane_rows rows, carom_lane *x, carom_lane *y)
{
    *x = carom_lane_four(rows.even, rows.odd, 0, 4, 2, 6);
    *y = carom_lane_four(rows.even, rows.odd, 1, 5, 3, 7);
}

ALWAYS_INLINE carom_lane_duo carom_lane_both(carom_lane x, carom_lane y, size_t l)
{
    const carom_lane rows = l % 2 == 0 ? carom_lane_four(x, y, 0, 4, 2, 6) : carom_lane_four(x, y, 1, 5, 3, 7);
#ifdef GCC_AVX /* which may store them; gcc moves them first */
    if (l >= 2)
        return __builtin_ia32_vextractf128_pd256(rows, 1);
#endif
    return l < 2 ? carom_lane_two(rows, rows, 0, 1) : carom_lane_two(rows, rows, 2, 3);
}

/* whole rows are subtracted before they are turned */
ALWAYS_INLINE void carom_lane_apart(const double *const from[CAROM_LANES], const double *const to[CAROM_LANES],
                                    carom_lane *x, carom_lane *y, carom_lane *z)
{
    carom_lane row[CAROM_LANES], xz[2], yw[2];
    for (int l = 0; l < CAROM_LANES; l++)
        row[l] = carom_lane_load(to[l]) - carom_lane_load(from[l]);
    for (int l = 0; l < 2; l++)
        carom_lane_columns((struct carom_lane_rows){row[2 * l], row[2 * l + 1]}, &xz[l], &yw[l]);
    *x = carom_lane_four(xz[0], xz[1], 0, 1, 4, 5);
    *y = carom_lane_four(yw[0], yw[1], 0, 1, 4, 5);
    *z = carom_lane_four(xz[0], xz[1], 2, 3, 6, 7);
}

ALWAYS_INLINE void carom_lane_records(const carom_lane x[6], carom_lane row[6])
{
    carom_lane even[3], odd[3];
    for (int k = 0; k < 3; k++)
        carom_lane_columns((struct carom_lane_rows){x[2 * k], x[2 * k + 1]}, &even[k], &odd[k]);
    row[0] = carom_lane_four(even[0], even[1], 0, 1, 4, 5);
    row[1] = carom_lane_four(even[2], odd[0], 0, 1, 4, 5);
    row[2] = carom_lane_four(odd[1], odd[2], 0, 1, 4, 5);
    row[3] = carom_lane_four(even[0], even[1], 2, 3, 6, 7);
    row[4] = carom_lane_four(even[2], odd[0], 2, 3, 6, 7);
    row[5] = carom_lane_four(odd[1], odd[2], 2, 3, 6, 7);
}

ALWAYS_INLINE void carom_lane_record_rows(const carom_lane row[6], struct carom_lane_rows out[3])
{
    for (int k = 0; k < 3; k++) {
        const carom_lane near = row[k], far = row[3 + k];
        const carom_lane low = carom_lane_four(near, far, 0, 1, 4, 5), high = carom_lane_four(near, far, 2, 3, 6, 7);
        *(k < 2 ? &out[2 * k].even : &out[1].odd) = low;
        *(k < 1 ? &out[1].even : k < 2 ? &out[0].odd : &out[2].odd) = high;
    }
}

ALWAYS_INLINE void carom_lane_rows_to(double *const at[CAROM_LANES], struct carom_lane_rows rows)
{
    carom_lane_duo_store(at[0], carom_lane_two(rows.even, rows.even, 0, 1));
    carom_lane_duo_store(at[1], carom_lane_two(rows.odd, rows.odd, 0, 1));
    carom_lane_duo_store(at[2], carom_lane_two(rows.even, rows.even, 2, 3));
    carom_lane_duo_store(at[3], carom_lane_two(rows.odd, rows.odd, 2, 3));
}

ALWAYS_INLINE carom_lane carom_lane_size(carom_lane a)
{
    return carom_lane_abs(a);
}

ALWAYS_INLINE void carom_lane_triples(const carom_lane x[3], carom_lane row[3])
{
    const carom_lane xy = carom_lane_four(x[0], x[1], 0, 4, 2, 6), yz = carom_lane_four(x[1], x[2], 1, 5, 3, 7),
                     zx = carom_lane_four(x[2], x[0], 0, 5, 2, 7);
    row[0] = carom_lane_four(xy, zx, 0, 1, 4, 5);
    row[1] = carom_lane_four(yz, xy, 0, 1, 6, 7);
    row[2] = carom_lane_four(zx, yz, 2, 3, 6, 7);
}

ALWAYS_INLINE struct carom_lane_rows carom_lane_triple_rows(const carom_lane row[3], carom_lane *last)
{
    const carom_lane yz = carom_lane_four(row[1], row[2], 0, 1, 6, 7), zx = carom_lane_four(row[0], row[2], 2, 3, 4, 5);
    *last = carom_lane_four(zx, yz, 0, 5, 2, 7);
    return (struct carom_lane_rows){carom_lane_four(row[0], row[1], 0, 1, 6, 7), carom_lane_four(zx, yz, 1, 4, 3, 6)};
}

ALWAYS_INLINE carom_lane carom_lane_between(carom_lane a, carom_lane b)
{
    return carom_lane_four(a, b, 3, 4, 5, 6);
}

ALWAYS_INLINE carom_lane carom_lane_halves(const double *const half[CAROM_LANES / 2])
{
    return carom_lane_beside(half[0], half[1]);
}

ALWAYS_INLINE carom_lane_duo carom_lane_half(carom_lane a, size_t h)
{
#ifdef GCC_AVX
    if (h == 1)
        return __builtin_ia32_vextractf128_pd256(a, 1);
#endif
    return h == 0 ? carom_lane_two(a, a, 0, 1) : carom_lane_two(a, a, 2, 3);
}

#else

/* --- two lanes --------------------------------------------------------------------------------------------------- */

ALWAYS_INLINE carom_lane carom_lane_all(double x)
{
    return (carom_lane){x, x};
}

/* numbers of several records, side by side */
ALWAYS_INLINE carom_lane carom_lane_of(const double *const at[CAROM_LANES])
{
    return (carom_lane){*at[0], *at[1]};
}

ALWAYS_INLINE unsigned carom_lane_bits(carom_lane_mask m)
{
#ifdef __SSE2__
    return (unsigned)__builtin_ia32_movmskpd((carom_lane)m);
#else
    return (unsigned)(m[0] < 0) | (unsigned)(m[1] < 0) << 1;
#endif
}

ALWAYS_INLINE struct carom_lane_rows carom_lane_rows_of(const double *const at[CAROM_LANES])
{
    return (struct carom_lane_rows){carom_lane_duo_load(at[0]), carom_lane_duo_load(at[1])};
}

/* the first and the second numbers of the records; and back */
ALWAYS_INLINE void carom_lane_columns(struct carom_lane_rows rows, carom_lane *x, carom_lane *y)
{
    *x = carom_lane_two(rows.even, rows.odd, 0, 2);
    *y = carom_lane_two(rows.even, rows.odd, 1, 3);
}

/* By how much three numbers of some records are larger than those of others; rows have a fourth, which anything may
 * be. */
ALWAYS_INLINE void carom_lane_apart(const double *const from[CAROM_LANES], const double *const to[CAROM_LANES],
                                    carom_lane *x, carom_lane *y, carom_lane *z)
{
    carom_lane_columns((struct carom_lane_rows){carom_lane_duo_load(to[0]) - carom_lane_duo_load(from[0]),
                                                carom_lane_duo_load(to[1]) - carom_lane_duo_load(from[1])},
                       x, y);
    *z = (carom_lane){to[0][2] - from[0][2], to[1][2] - from[1][2]};
}

ALWAYS_INLINE carom_lane carom_lane_sqrt(carom_lane a)
{
    return (carom_lane){sqrt(a[0]), sqrt(a[1])};
}

ALWAYS_INLINE carom_lane carom_lane_swap(carom_lane a)
{
    return (carom_lane){a[1], a[0]};
}

/* the last of a and then those of b but its last: what stands one place to the left of b */
ALWAYS_INLINE carom_lane carom_lane_between(carom_lane a, carom_lane b)
{
    return (carom_lane){a[1], b[0]};
}

/* the first and the second numbers of two registers, side by side */
ALWAYS_INLINE carom_lane carom_lane_first(carom_lane a, carom_lane b)
{
    return carom_lane_two(a, b, 0, 2);
}

ALWAYS_INLINE carom_lane carom_lane_second(carom_lane a, carom_lane b)
{
    return carom_lane_two(a, b, 1, 3);
}

/* numbers l of two registers */
ALWAYS_INLINE carom_lane_duo carom_lane_both(carom_lane x, carom_lane y, size_t l)
{
    return l == 0 ? carom_lane_first(x, y) : carom_lane_second(x, y);
}

/* six numbers of each lane, one record after the other */
ALWAYS_INLINE void carom_lane_records(const carom_lane x[6], carom_lane row[6])
{
    for (int k = 0; k < 3; k++) {
        row[k] = carom_lane_first(x[2 * k], x[2 * k + 1]);
        row[3 + k] = carom_lane_second(x[2 * k], x[2 * k + 1]);
    }
}

/* of such records: their first, second and third two numbers */
ALWAYS_INLINE void carom_lane_record_rows(const carom_lane row[6], struct carom_lane_rows out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (struct carom_lane_rows){row[k], row[3 + k]};
}

/* two numbers into each of several records */
ALWAYS_INLINE void carom_lane_rows_to(double *const at[CAROM_LANES], struct carom_lane_rows rows)
{
    carom_lane_duo_store(at[0], rows.even);
    carom_lane_duo_store(at[1], rows.odd);
}

/* three numbers of each lane, one record after the other; and of such records the first two, and the last */
ALWAYS_INLINE void carom_lane_triples(const carom_lane x[3], carom_lane row[3])
{
    row[0] = carom_lane_first(x[0], x[1]);
    row[1] = (carom_lane){x[2][0], x[0][1]};
    row[2] = carom_lane_second(x[1], x[2]);
}

ALWAYS_INLINE struct carom_lane_rows carom_lane_triple_rows(const carom_lane row[3], carom_lane *last)
{
    *last = (carom_lane){row[1][0], row[2][1]};
    return (struct carom_lane_rows){row[0], carom_lane_between(row[1], row[2])};
}

/* Two by two numbers that stand in several places, and such a two again. */
ALWAYS_INLINE carom_lane carom_lane_halves(const double *const half[CAROM_LANES / 2])
{
    return carom_lane_load(half[0]);
}

ALWAYS_INLINE carom_lane_duo carom_lane_half(carom_lane a, size_t h)
{
    (void)h;
    return a;
}

/* sizes; where there is an instruction for them that saves a register in the fullest loops */
ALWAYS_INLINE carom_lane carom_lane_size(carom_lane a)
{
    return (carom_lane){fabs(a[0]), fabs(a[1])};
}

#endif

/* f[0..5] += and -= lane l of six numbers; as a record, or compilers work out three addresses */
struct carom_lane_six {
    carom_lane_duo_stored two[3];
};

ALWAYS_INLINE void carom_lane_onto_six(double *f, const carom_lane x[6], size_t l)
{
    struct carom_lane_six *to = (struct carom_lane_six *)f;
    for (int k = 0; k < 3; k++)
        to->two[k] += carom_lane_both(x[2 * k], x[2 * k + 1], l);
}

ALWAYS_INLINE void carom_lane_off_six(double *f, const carom_lane x[6], size_t l)
{
    struct carom_lane_six *to = (struct carom_lane_six *)f;
    for (int k = 0; k < 3; k++)
        to->two[k] -= carom_lane_both(x[2 * k], x[2 * k + 1], l);
}

/* the same for records that follow each other, of all lanes */
ALWAYS_INLINE void carom_lane_onto_records(double *f, const carom_lane x[6])
{
    carom_lane row[6];
    carom_lane_records(x, row);
    for (int k = 0; k < 6; k++)
        carom_lane_onto(f + CAROM_LANES * k, row[k]);
}

ALWAYS_INLINE void carom_lane_off_records(double *f, const carom_lane x[6])
{
    carom_lane row[6];
    carom_lane_records(x, row);
    for (int k = 0; k < 6; k++)
        carom_lane_onto(f + CAROM_LANES * k, -row[k]);
}

/* the largest number; none may be NaN */
ALWAYS_INLINE double carom_lane_most(carom_lane a)
{
    double most = a[0];
    for (int l = 1; l < CAROM_LANES; l++)
        most = a[l] > most ? a[l] : most;
    return most;
}

/* is a mask set everywhere? */
ALWAYS_INLINE bool carom_lane_every(carom_lane_mask m)
{
    return carom_lane_bits(m) == (1U << CAROM_LANES) - 1U;
}

/* is a mask set anywhere? */
ALWAYS_INLINE bool carom_lane_any(carom_lane_mask m)
{
    return carom_lane_bits(m) != 0;
}

#endif
