/* Friction with two tangents along the path of a blow, see lzb_cone.h. */
#include "impact/lzb_cone.h"

#include <math.h>
#include <string.h>

#include "impact/blow_path.h"
#include "solve/conjugate.h"

enum { SWEEPS = 1000 };

static const double exactly = 1e-15; /* of what they are to keep: rests of those that stick */
static const double settled = 3e-14; /* of the largest cone: so far from the law it is kept */
static const double edge = 1e-9;     /* of a cone: so near it a contact is on it */

static double length_of(const double x[2])
{
    return sqrt(x[0] * x[0] + x[1] * x[1]);
}

/* the most that contact i may pull */
static double cone(const struct carom_lzb_friction *r, size_t i)
{
    const bool holds = r->slides[i] == CAROM_LZB_CONE_REST && r->of->mu_static[i] > r->of->mu[i];
    return (holds ? r->of->mu_static[i] : r->of->mu[i]) * r->force[i];
}

static bool at_rest(const struct carom_lzb_friction *r, size_t i)
{
    return r->slides[i] != CAROM_LZB_CONE_SLIPS;
}

/* c: how the slip of contact i changes by all but its own pull, or by all */
static void changes(const struct carom_lzb_friction *r, size_t i, bool own, double c[2])
{
    for (size_t a = 0; a < 2; a++) {
        c[a] = 0.0;
        for (size_t j = 0; j < r->n; j++) {
            c[a] += carom_lzb_cone_coupling(r, i, 1 + a, j, 0) * r->force[j];
            for (size_t b = 0; b < 2 && (own || j != i); b++)
                c[a] += carom_lzb_cone_coupling(r, i, 1 + a, j, 1 + b) * r->pull[2 * j + b];
        }
    }
}

/* those that stick, as carom_conjugate_real sees them */
struct held {
    const struct carom_lzb_friction *r;
    size_t m;
};

static void apply(void *own, const double *in, double *out)
{
    const struct held *of = own;
    const size_t wide = 2 * of->m;
    for (size_t k = 0; k < wide; k++) {
        out[k] = 0.0;
        for (size_t l = 0; l < wide; l++)
            out[k] += of->r->matrix[k * wide + l] * in[l];
    }
}

/* by the squares of cones: of answers that are not unique, as of corners of a face, that which fills the cones least */
static void ease(void *own, const double *in, double *out)
{
    const struct held *of = own;
    for (size_t k = 0; k < 2 * of->m; k++) {
        const double most = cone(of->r, of->r->who[k / 2]);
        out[k] = most * most * in[k];
    }
}

/* all of `who`, m of them, as if they stuck */
static void stick(struct carom_lzb_friction *r, size_t m)
{
    const size_t wide = 2 * m;
    struct held held = {r, m};
    double *x = r->side, *rest = x + wide, *room = rest + wide;
    bool solved;
    for (size_t k = 0; k < wide; k++) {
        double c[2];
        changes(r, r->who[k / 2], true, c);
        rest[k] = -c[k % 2];
        for (size_t l = 0; l < wide; l++)
            r->matrix[k * wide + l] = carom_lzb_cone_coupling(r, r->who[k / 2], 1 + k % 2, r->who[l / 2], 1 + l % 2);
    }
    carom_conjugate_real(
        &(struct carom_conjugate){wide, x, rest, room, room + wide, room + 2 * wide, apply, ease, &held}, exactly,
        4 * wide, &solved);
    for (size_t k = 0; k < wide; k++)
        r->pull[2 * r->who[k / 2] + k % 2] = x[k];
}

/* pulls beyond a cone onto it; were there any? */
static bool clip(struct carom_lzb_friction *r, size_t m)
{
    bool any = false;
    for (size_t k = 0; k < m; k++) {
        double *pull = r->pull + 2 * r->who[k];
        const double most = cone(r, r->who[k]), length = length_of(pull);
        if (!(length > most))
            continue;
        any = true;
        pull[0] *= most / length;
        pull[1] *= most / length;
    }
    return any;
}

/* the pull of contact i once more, by what the others do now */
static void pull_again(struct carom_lzb_friction *r, size_t i)
{
    static const double none[2] = {0.0, 0.0};
    double a[9], c[2];
    for (size_t k = 0; k < 9; k++)
        a[k] = carom_lzb_cone_coupling(r, i, k / 3, i, k % 3);
    changes(r, i, false, c);
    carom_blow_friction(3, a, cone(r, i), none, c, r->pull + 2 * i);
}

/* g of s' = - g Q' at contact i; none within the cone */
static double slows(const struct carom_lzb_friction *r, size_t i, const double c[2])
{
    const double *pull = r->pull + 2 * i, most = cone(r, i);
    return length_of(pull) >= (1.0 - edge) * most ? fmax(-(c[0] * pull[0] + c[1] * pull[1]) / (most * most), 0.0) : 0.0;
}

/* How far those at rest are from the law, as pulls. Pulls themselves may be open: what no pull moves has any. */
static double off_law(const struct carom_lzb_friction *r, size_t m)
{
    double off = 0.0;
    for (size_t k = 0; k < m; k++) {
        const size_t i = r->who[k];
        const double own = fmax(carom_lzb_cone_coupling(r, i, 1, i, 1), carom_lzb_cone_coupling(r, i, 2, i, 2));
        double c[2];
        changes(r, i, true, c);
        const double g = slows(r, i, c), *pull = r->pull + 2 * i;
        const double rest[2] = {c[0] + g * pull[0], c[1] + g * pull[1]};
        off = own > 0.0 ? fmax(off, length_of(rest) / own) : off;
    }
    return off;
}

void carom_lzb_cone_pull(struct carom_lzb_friction *r)
{
    size_t m = 0;
    double largest = 0.0;
    for (size_t i = 0; i < r->n; i++) {
        const double most = cone(r, i), *slip = r->slip + 2 * i, speed = length_of(slip);
        const bool slips = !at_rest(r, i) && speed > 0.0;
        for (size_t a = 0; a < 2; a++)
            r->pull[2 * i + a] = slips ? -most * slip[a] / speed : 0.0;
        largest = fmax(largest, most);
        if (at_rest(r, i) && most > 0.0)
            r->who[m++] = i;
    }
    if (m == 0)
        return;
    stick(r, m);
    if (!clip(r, m))
        return;
    for (int sweep = 0; sweep < SWEEPS && off_law(r, m) > settled * largest; sweep++)
        pull_again(r, r->who[0]);
}

double carom_lzb_cone_beyond(const struct carom_lzb_friction *r, size_t i)
{
    const double most = cone(r, i), speed = length_of(r->slip + 2 * i);
    if (!(most > 0.0))
        return -r->fast;
    if (!at_rest(r, i))
        return r->still - speed;
    const double within = (1.0 - edge - length_of(r->pull + 2 * i) / most) * r->fast;
    const double stays = fmax(speed - r->young, fmin(speed - r->still, within));
    const bool breaks = r->slides[i] == CAROM_LZB_CONE_REST && r->of->mu_static[i] > r->of->mu[i];
    return breaks ? fmax(stays, -within) : stays;
}

/* Does contact i, at rest until now, go on as it does? It slips where its slip is no longer young, or would be kept. */
static bool stays(const struct carom_lzb_friction *r, size_t i)
{
    const double most = cone(r, i);
    return most > 0.0 && length_of(r->slip + 2 * i) <= r->young && length_of(r->pull + 2 * i) >= (1.0 - edge) * most;
}

void carom_lzb_cone_share(struct carom_lzb_friction *r)
{
    carom_lzb_cone_pull(r);
    for (size_t i = 0; i < r->n; i++) {
        double *slip = r->slip + 2 * i;
        const bool rests = at_rest(r, i), on = rests && stays(r, i);
        if (!(length_of(slip) <= 2.0 * r->still)) {
            r->slides[i] = on ? r->slides[i] : CAROM_LZB_CONE_SLIPS;
            continue;
        }
        r->slides[i] = on ? CAROM_LZB_CONE_AWAY : rests ? r->slides[i] : CAROM_LZB_CONE_REST;
        for (size_t a = 0; a < 2 && !on; a++) {
            r->zero[2 * i + a] += slip[a];
            slip[a] = 0.0;
        }
    }
}

double carom_lzb_cone_reach(struct carom_lzb_friction *r)
{
    const double nearly = 0.99;
    double reach = HUGE_VAL;
    carom_lzb_cone_pull(r);
    for (size_t i = 0; i < r->n; i++) {
        const double *slip = r->slip + 2 * i, most = cone(r, i), speed = length_of(slip);
        double c[2];
        if (at_rest(r, i) || !(most > 0.0))
            continue;
        changes(r, i, true, c);
        const double slows = -(slip[0] * c[0] + slip[1] * c[1]) / speed;
        const double own = carom_lzb_cone_coupling(r, i, 1, i, 1) + carom_lzb_cone_coupling(r, i, 2, i, 2);
        reach = fmin(reach, speed / fmax(most * own, slows / nearly));
    }
    return reach;
}
