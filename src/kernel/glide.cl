/* A cell of the plane under rattle, as the processor moves it cell by cell. After turn.h, still.h and links.cl. */

/* halves of the step that ends and of the one that begins, which is h; 0: there is none */
struct stride {
    double end, begin, h, still[2];
    int holds;
};

/* By forces f: the second kick of the step that ends, the first kick, way and turn of the one that begins, or one of the
 * two. wrong: set where the motion is not finite, or a cell turns too fast. */
ALWAYS_INLINE void glide(struct stride t, size_t i, const double f[3], __global const double4 *q0,
                         __global double4 *q1, __global double *v, __global const struct sort *s,
                         __global const uchar *held, __global int *wrong)
{
    double u[3], sum = 0.0;
    for (size_t k = 0; k < 3; k++) {
        const size_t at = 3 * i + k;
        const bool moves = !(t.holds && held[i] >> (k == 2 ? 5 : k) & 1);
        u[k] = v[at];
        if (t.end > 0.0 && moves)
            u[k] += (k < 2 ? t.end * s->inverse_mass : t.end) * f[k];
        sum += fabs(u[k]);
        if (t.begin > 0.0 && moves)
            u[k] += (k < 2 ? t.begin * s->inverse_mass : t.begin) * f[k];
        if (t.begin > 0.0)
            u[k] = carom_still(u[k], t.still[k == 2]);
        v[at] = u[k];
    }
    if (!(sum < INFINITY))
        *wrong = 1;
    if (t.begin > 0.0) {
        const double4 from = q0[i];
        const double way[2] = {from.z, from.w};
        double turned[2] = {0.0, 0.0};
        if (!carom_turn_plane_on(t.h * u[2] * s->inverse_inertia[2], way, turned))
            *wrong = 1;
        q1[i] = (double4)(from.x + t.h * u[0], from.y + t.h * u[1], turned[0], turned[1]);
    }
}
