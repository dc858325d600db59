/* Numbers of four cells or links side by side, where the processor plays a device. */

#define EACH(l) _Pragma("unroll") for (uint l = 0; l < 4; l++)
#define NONE ((double4)(0.0))

/* four by four numbers, the other way round */
ALWAYS_INLINE void swap(const double4 row[4], double4 column[4])
{
    const double4 a = (double4)(row[0].s0, row[1].s0, row[0].s2, row[1].s2),
                  b = (double4)(row[0].s1, row[1].s1, row[0].s3, row[1].s3),
                  c = (double4)(row[2].s0, row[3].s0, row[2].s2, row[3].s2),
                  d = (double4)(row[2].s1, row[3].s1, row[2].s3, row[3].s3);
    column[0] = (double4)(a.s01, c.s01);
    column[1] = (double4)(b.s01, d.s01);
    column[2] = (double4)(a.s23, c.s23);
    column[3] = (double4)(b.s23, d.s23);
}

ALWAYS_INLINE double4 size_of(double4 a)
{
    return as_double4(as_long4(a) & LONG_MAX);
}

/* as carom_still */
ALWAYS_INLINE double4 still(double4 a, double least)
{
    return size_of(a) < least ? NONE : a;
}
