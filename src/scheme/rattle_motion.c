/* The moves of scheme rattle on the cells of one body: kicks by forces, drifts with rotation, damping at a frozen
 * configuration, and what lies between two steps. Cells are independent of each other here. */
#include "scheme/rattle.h"

#include <string.h>

#include "base/sum.h"
#include "scheme/rattle_pair.h"
#include "scheme/rattle_turn.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* angular velocity in space axes from angular momentum */
static void spin_of(const struct carom_solid *s, size_t cell, const double *q, const double *momentum, double spin[3])
{
    const struct carom_solid_sort *sort = carom_solid_sort_of(s, cell);
    double turn[4], own[3];
    carom_solid_product(q + 7 * cell + 3, sort->frame, turn);
    carom_solid_turn_back(turn, momentum, own);
    for (int k = 0; k < 3; k++)
        own[k] /= sort->inertia[k];
    carom_solid_turn(turn, own, spin);
}

void carom_rattle_motion_start(const struct carom_solid *s, const double *q, double *v)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct carom_solid_sort *sort = carom_solid_sort_of(s, i);
        if (s->dimension == 2) {
            v[3 * i + 2] *= sort->inertia[2];
            continue;
        }
        double turn[4], own[3];
        carom_solid_product(q + 7 * i + 3, sort->frame, turn);
        for (size_t k = 0; k < 3; k++)
            own[k] = sort->inertia[k] * v[6 * i + 3 + k];
        carom_solid_turn(turn, own, v + 6 * i + 3);
    }
}

void carom_rattle_motion_sync(const struct carom_solid *s, const double *q, double *v)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct carom_solid_sort *sort = carom_solid_sort_of(s, i);
        if (s->dimension == 2) {
            v[3 * i + 2] /= sort->inertia[2];
            continue;
        }
        double turn[4], own[3];
        carom_solid_product(q + 7 * i + 3, sort->frame, turn);
        carom_solid_turn_back(turn, v + 6 * i + 3, own);
        for (size_t k = 0; k < 3; k++)
            v[6 * i + 3 + k] = own[k] / sort->inertia[k];
    }
}

static bool turn_plane(const struct carom_solid_sort *sort, double h, const double q0[2], double momentum, double q1[2])
{
    double e[2];
    if (!carom_rattle_turn_plane(h * momentum * sort->inverse_inertia[2], e))
        return false;
    const double a = q0[0] * e[0] - q0[1] * e[1], d = q0[1] * e[0] + q0[0] * e[1];
    const double mend = 1.5 - 0.5 * (a * a + d * d);
    q1[0] = mend * a;
    q1[1] = mend * d;
    return true;
}

/* held coordinates feel nothing; bit 5 is the turn in the plane */
static inline bool is_held(const struct carom_solid *s, unsigned mask, size_t k)
{
    return mask >> (s->dimension == 2 && k == 2 ? 5 : k) & 1U;
}

/* v and out may be the same; `dimension` is a constant where this is compiled in */
ALWAYS_INLINE void push(const struct carom_solid *s, size_t dimension, size_t i, double half, const double *force,
                        const double *v, double *out)
{
    const double light = half * carom_solid_sort_of(s, i)->inverse_mass;
    const size_t fast = dimension == 3 ? 6 : 3;
    if (s->held && s->held[i]) {
        for (size_t k = 0; k < fast; k++)
            out[k] = is_held(s, s->held[i], k) ? v[k] : v[k] + (k < dimension ? light : half) * force[k];
        return;
    }
    for (size_t k = 0; k < dimension; k++)
        out[k] = v[k] + light * force[k];
    for (size_t k = dimension; k < fast; k++)
        out[k] = v[k] + half * force[k];
}

static inline void kick(const struct carom_solid *s, size_t i, double half, const double *force, const double *v,
                        double *out)
{
    if (s->dimension == 3)
        push(s, 3, i, half, force, v, out);
    else
        push(s, 2, i, half, force, v, out);
}

/* kick and drift of one cell, all but its turn in space */
ALWAYS_INLINE void move(const struct carom_rattle_body *body, size_t dimension, size_t i, double h, const double *q0,
                        const double *v0, double *q1, double *v1)
{
    const size_t wide = dimension == 3 ? 7 : 4, fast = dimension == 3 ? 6 : 3;
    double *v = v1 + fast * i;
    push(body->solid, dimension, i, 0.5 * h, body->force + fast * i, v0 + fast * i, v);
    for (size_t k = 0; k < dimension; k++)
        q1[wide * i + k] = q0[wide * i + k] + h * v[k];
}

static size_t drift_plane(const struct carom_rattle_body *body, size_t first, size_t last, double h, const double *q0,
                          const double *v0, double *q1, double *v1)
{
    size_t bad = SIZE_MAX;
    for (size_t i = first; i < last; i += 2) {
        struct carom_rattle_pair cell[2];
        const size_t cells = last - i < 2 ? 1 : 2;
        for (size_t k = 0; k < cells; k++) {
            move(body, 2, i + k, h, q0, v0, q1, v1);
            cell[k] = (struct carom_rattle_pair){carom_solid_sort_of(body->solid, i + k), q0 + 4 * (i + k) + 2,
                                                 v1 + 3 * (i + k) + 2, q1 + 4 * (i + k) + 2};
        }
        if (cells == 2 && carom_rattle_pair_plane(h, cell))
            continue;
        for (size_t k = 0; k < cells; k++)
            if (!turn_plane(cell[k].sort, h, cell[k].q, *cell[k].momentum, cell[k].next) && bad == SIZE_MAX)
                bad = i + k;
    }
    return bad;
}

size_t carom_rattle_motion_drift(const struct carom_rattle_body *body, size_t first, size_t last, double h,
                                 const double *q0, const double *v0, double *q1, double *v1)
{
    return body->solid->dimension == 3 ? carom_rattle_space_drift(body, first, last, h, q0, v0, q1, v1)
                                       : drift_plane(body, first, last, h, q0, v0, q1, v1);
}

ALWAYS_INLINE size_t finish(const struct carom_rattle_body *body, size_t dimension, size_t first, size_t last, double h,
                            double *v1)
{
    const size_t fast = dimension == 3 ? 6 : 3;
    size_t bad = SIZE_MAX;
    for (size_t i = first; i < last; i++) {
        double *v = v1 + fast * i, size = 0.0;
        push(body->solid, dimension, i, 0.5 * h, body->force + fast * i, v, v);
        for (size_t k = 0; k < fast; k++)
            size += fabs(v[k]);
        if (!(size < HUGE_VAL) && bad == SIZE_MAX)
            bad = i;
    }
    return bad;
}

size_t carom_rattle_motion_kick(const struct carom_rattle_body *body, size_t first, size_t last, double h, double *v1)
{
    return body->solid->dimension == 3 ? carom_rattle_space_kick(body, first, last, h, v1)
                                       : finish(body, 2, first, last, h, v1);
}

/* --- damping --------------------------------------------------------------------------------------------------- */

/* twice the kinetic energy of a cell's free motions */
static double vigour(const struct carom_solid *s, size_t i, const double *q, const double *v)
{
    const struct carom_solid_sort *sort = carom_solid_sort_of(s, i);
    const unsigned held = s->held ? s->held[i] : 0U;
    const double *at = v + s->fast * i;
    double sum = 0.0, spin[3];
    for (size_t k = 0; k < (size_t)s->dimension; k++)
        sum += is_held(s, held, k) ? 0.0 : sort->mass * at[k] * at[k];
    if (s->dimension == 2)
        return sum + at[2] * at[2] / sort->inertia[2]; /* a held turn is none */
    spin_of(s, i, q, at + 3, spin);
    return sum + carom_solid_dot(spin, at + 3);
}

/* all free velocities shrink by the same factor, which is exact */
static double damp_mass(const struct carom_solid *s, double h, const double *q, double *v)
{
    const double keep = exp(-s->damping_mass * h), lost = -expm1(-2.0 * s->damping_mass * h);
    struct carom_sum sum = {0.0, 0.0};
    for (size_t i = 0; i < s->n; i++) {
        carom_sum_add(&sum, 0.5 * lost * vigour(s, i, q, v));
        for (size_t k = 0; k < s->fast; k++)
            if (!s->held || !is_held(s, s->held[i], k))
                v[s->fast * i + k] *= keep;
    }
    return carom_sum_value(&sum);
}

/* spins in space axes, then the links' drag for them; v . K v */
static double drag(const struct carom_rattle_body *body, const double *q, const double *v)
{
    const struct carom_solid *s = body->solid;
    memset(body->drag, 0, s->fast * s->n * sizeof *body->drag);
    for (size_t i = 0; i < s->n; i++) {
        double *w = body->spin + s->fast * i;
        if (s->dimension == 2) {
            memcpy(w, v + 3 * i, 2 * sizeof *w);
            w[2] = v[3 * i + 2] / carom_solid_sort_of(s, i)->inertia[2];
        } else {
            memcpy(w, v + 6 * i, 3 * sizeof *w);
            spin_of(s, i, q, v + 6 * i + 3, w + 3);
        }
    }
    return carom_solid_rates_drag(s, q, body->spin, body->rate, body->drag);
}

/* power of the drag on what is held: drives have to supply it */
static double supplied(const struct carom_rattle_body *body, const double *v)
{
    const struct carom_solid *s = body->solid;
    double power = 0.0;
    for (size_t i = 0; s->held && i < s->n; i++)
        for (size_t k = 0; s->held[i] && k < (size_t)s->dimension; k++)
            if (is_held(s, s->held[i], k))
                power -= body->drag[s->fast * i + k] * v[s->fast * i + k];
    return power;
}

/* v' = -b M^-1 K v by the midpoint rule; the loss is that of the middle, from the links' own powers */
static double damp_stiffness(const struct carom_rattle_body *body, double h, const double *q, double *v, double *work)
{
    const struct carom_solid *s = body->solid;
    const double b = s->damping_stiffness;
    double *keep = body->spin + s->fast * s->n;
    memcpy(keep, v, s->fast * s->n * sizeof *v);
    double power = 0.0, drive = 0.0;
    for (int stage = 0; stage < 2; stage++) {
        power = drag(body, q, v);
        drive = supplied(body, v);
        for (size_t i = 0; i < s->n; i++)
            kick(s, i, (stage == 0 ? 0.5 : 1.0) * h * b, body->drag + s->fast * i, keep + s->fast * i, v + s->fast * i);
    }
    *work += h * b * drive;
    return h * b * power;
}

double carom_rattle_motion_damp(const struct carom_rattle_body *body, double h, const double *q, double *v,
                                double *work)
{
    double lost = 0.0;
    if (body->solid->damping_mass > 0.0)
        lost += damp_mass(body->solid, h, q, v);
    if (body->solid->damping_stiffness > 0.0)
        lost += damp_stiffness(body, h, q, v, work);
    return lost;
}

/* --- between steps --------------------------------------------------------------------------------------------- */

/* the cubic through both ends with both rates, and its own rate */
static void cubic(double s, double h, double x0, double x1, double r0, double r1, double *x, double *rate)
{
    const double mean = (x1 - x0) / h, early = r0 - mean, late = r1 - mean;
    *x = x0 + s * (x1 - x0) + h * s * (1.0 - s) * ((1.0 - s) * early - s * late);
    *rate = mean + (1.0 - s) * (1.0 - 3.0 * s) * early + s * (3.0 * s - 2.0) * late;
}

/* rates of the quaternion: (0, spin in space) q / 2 */
static void quaternion_rate(const struct carom_solid *s, size_t i, const double *q, const double *v, double rate[4])
{
    double turn[4], spin[4] = {0.0, 0.0, 0.0, 0.0};
    carom_solid_quaternion(s, q, i, turn);
    if (s->dimension == 2)
        spin[3] = v[3 * i + 2] / carom_solid_sort_of(s, i)->inertia[2];
    else
        spin_of(s, i, q, v + 6 * i + 3, spin + 1);
    carom_solid_product(spin, turn, rate);
    for (int k = 0; k < 4; k++)
        rate[k] *= 0.5;
}

void carom_rattle_motion_between(const struct carom_solid *s, double at, double h, const double *q0, const double *v0,
                                 const double *q1, const double *v1, double *q, double *v)
{
    const size_t d = (size_t)s->dimension;
    for (size_t i = 0; i < s->n; i++) {
        const size_t a = s->wide * i, b = s->fast * i;
        double rate[2][4], from[4], to[4], mixed[4], square = 0.0, unused;
        for (size_t k = 0; k < d; k++)
            cubic(at, h, q0[a + k], q1[a + k], v0[b + k], v1[b + k], &q[a + k], &v[b + k]);
        quaternion_rate(s, i, q0, v0, rate[0]);
        quaternion_rate(s, i, q1, v1, rate[1]);
        carom_solid_quaternion(s, q0, i, from);
        carom_solid_quaternion(s, q1, i, to);
        for (int k = 0; k < 4; k++) {
            cubic(at, h, from[k], to[k], rate[0][k], rate[1][k], &mixed[k], &unused);
            square += mixed[k] * mixed[k];
        }
        const double size = sqrt(square);
        if (d == 2) {
            q[a + 2] = mixed[0] / size;
            q[a + 3] = mixed[3] / size;
        }
        for (size_t k = 0; k < 4 && d == 3; k++)
            q[a + 3 + k] = mixed[k] / size;
        for (size_t k = d; k < s->fast; k++)
            v[b + k] = v0[b + k] + at * (v1[b + k] - v0[b + k]);
    }
}
