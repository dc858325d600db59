/* Bodies that would pass through each other, see moreau_graph.h. Pairs that move past each other by more than they may
 * overlap are looked at in places along the straight way of the step no farther apart than a quarter of the thinner
 * one: whoever goes through the middle of another is seen, whoever only grazes it may not. Walls that fill all that is
 * behind them are as thick as need be, and halving finds where they are met. The step is cut at the last place before
 * they touch. The next one is as short as a quarter of the thinner one, so that the middle of it, where contacts stand,
 * is not beyond the other body yet, and they push each other. */
#include "scheme/rigid/moreau/moreau_graph.h"

#include "model/bodies/outside.h"
#include "model/bodies/pieces.h"
#include "scheme/rigid/moreau/moreau_sleep.h"

enum { LOOKS = 20000, FEW = 1000 }; /* at more places than this nobody looks: the step is cut to the first few */
static const double fine = 1e12;    /* places of a whole step that rounding tells apart, and some digits in each */
static const double depth = 0.25;   /* of the thinner one: overlaps that count */

/* how far a and b move past each other in the step, what turning moves their surfaces by counted in */
static double way_past(const struct carom_moreau_graph *w, const struct carom_contact_key *pair)
{
    const struct carom_bodies *b = w->bodies;
    const size_t d = b->dimension, nv = carom_bodies_nv(b);
    const double *of[2] = {w->step + pair->a * nv, w->step + pair->b * nv};
    double square = 0.0, way = 0.0;
    for (size_t k = 0; k < d; k++)
        square += (of[1][k] - of[0][k]) * (of[1][k] - of[0][k]);
    for (int s = 0; s < 2; s++) {
        const struct carom_body *body = &b->body[s ? pair->b : pair->a];
        double spin = 0.0;
        for (size_t k = d; k < nv; k++)
            spin += of[s][k] * of[s][k];
        way += body->surface == CAROM_BALL ? 0.0 : sqrt(spin) * carom_bodies_reach(body);
    }
    return sqrt(square) + way;
}

/* by how much the two overlap at q; less than 0: they do not */
static double overlap(const struct carom_bodies *b, const struct carom_contact_key *pair, const double *q)
{
    struct carom_contact_key key = *pair;
    uint32_t feature[CAROM_SHAPES_MOST];
    struct carom_meeting m;
    const size_t places = carom_moreau_graph_places(b, pair, q, feature);
    double most = places == SIZE_MAX ? HUGE_VAL : -1.0;
    for (size_t k = 0; k < places && places != SIZE_MAX; k++) {
        key.feature = feature[k];
        most = carom_meet(b, &key, q, &m) ? fmax(most, -m.gap) : HUGE_VAL;
    }
    return most;
}

/* puts the two where they are after a part of the step */
static void go(struct carom_moreau_graph *w, const struct carom_contact_key *pair, const double *q, double part)
{
    const size_t nv = carom_bodies_nv(w->bodies), body[2] = {pair->a, pair->b};
    for (int s = 0; s < 2; s++) {
        for (size_t l = body[s] * nv; l < (body[s] + 1) * nv; l++)
            w->part[l] = part * w->step[l];
        carom_bodies_move(w->bodies, body[s], body[s] + 1, q, w->part, w->between);
    }
}

/* By how much the two may move past each other unseen. Balls are turned back wherever the centre of one has not passed
 * the other's yet, or a wall's surface; bodies with corners that overlap by half of the thinner one are refused. */
static double unseen(const struct carom_bodies *b, const struct carom_contact_key *pair, double one, double two)
{
    const double thin = fmin(one, two);
    if (one + two == HUGE_VAL)
        return thin;
    return carom_shapes_both(b, pair->a, pair->b) ? depth * thin : one + two;
}

/* The parts of the step, out of all of it, between which the spheres about the two meet, outside of which nobody need
 * look; false: they never do. */
static bool meeting_parts(const struct carom_moreau_graph *w, const struct carom_contact_key *pair, const double *q,
                          double part[2])
{
    const struct carom_bodies *b = w->bodies;
    const size_t nv = carom_bodies_nv(b);
    const double reach = carom_bodies_reach(&b->body[pair->a]) + carom_bodies_reach(&b->body[pair->b]);
    double apart[3], du[3], way = 0.0, along = 0.0, square = 0.0;
    carom_meet_between(b, pair->a, pair->b, q, apart, du);
    for (size_t k = 0; k < b->dimension; k++) {
        const double past = w->step[pair->b * nv + k] - w->step[pair->a * nv + k], d = apart[k] + du[k];
        if (b->periodic[k]) /* they may meet again and again */
            return true;
        way += past * past;
        along += past * d;
        square += d * d;
    }
    if (!(way > 0.0)) /* they only turn */
        return square <= reach * reach;
    const double nearest = -along / way, aside = fmax(square - along * along / way, 0.0);
    const double half = sqrt(fmax(reach * reach - aside, 0.0) / way);
    part[0] = fmax(nearest - half, 0.0);
    part[1] = fmin(nearest + half, 1.0);
    return part[0] <= part[1] && aside <= reach * reach;
}

/* of so many looks: the last before a wall that one of the two is; whoever is behind it is in it: halving finds it */
static double before_wall(struct carom_moreau_graph *w, const struct carom_contact_key *pair, const double *q,
                          double looks, double deep)
{
    double low = 0.0, high = looks;
    go(w, pair, q, 1.0);
    if (overlap(w->bodies, pair, w->between) <= deep)
        return looks;
    while (high - low > 1.0) {
        const double middle = floor(0.5 * (low + high));
        go(w, pair, q, middle / looks);
        *(overlap(w->bodies, pair, w->between) > 0.0 ? &high : &low) = middle;
    }
    return low;
}

/* the last before two touch that then overlap deeply, or the first few where there are too many to look at */
static double before_body(struct carom_moreau_graph *w, const struct carom_contact_key *pair, const double *q,
                          double looks, double deep)
{
    double part[2] = {0.0, 1.0};
    if (!meeting_parts(w, pair, q, part))
        return looks;
    const double start = fmax(floor(part[0] * looks), 1.0), end = fmin(ceil(part[1] * looks), looks);
    double before = start - 1.0;
    bool met = false;
    if (end - start > LOOKS)
        return before + FEW;
    for (double k = start; k <= end; k++) {
        go(w, pair, q, k / looks);
        const double over = overlap(w->bodies, pair, w->between);
        met |= over > 0.0;
        if (!met)
            before = k;
        else if (over > deep)
            return before;
    }
    return looks;
}

/* The part of the step after which the two nearly touch or, if they do, push each other; 1: they do not pass, 0: their
 * way is too long to look at. */
static double part_before(struct carom_moreau_graph *w, const struct carom_contact_key *pair, const double *q)
{
    const struct carom_bodies *b = w->bodies;
    const double one = carom_shapes_thickness(&b->body[pair->a]), two = carom_shapes_thickness(&b->body[pair->b]),
                 thin = fmin(one, two);
    const double way = way_past(w, pair), looks = ceil(way / (depth * thin));
    if (!(thin < HUGE_VAL) || way <= unseen(b, pair, one, two))
        return 1.0;
    if (looks > fine)
        return 0.0;
    const double before = (one + two == HUGE_VAL ? before_wall : before_body)(w, pair, q, looks, depth * thin);
    return before == 0.0 ? 1.0 / looks : before / looks;
}

/* Euler's equations change a spin by at most `uneven` times its square: differences of two moments over the third */
static double uneven(const struct carom_body *body)
{
    double most = 0.0;
    for (int k = 0; k < 3; k++)
        most = fmax(most, fabs(body->moments[(k + 1) % 3] - body->moments[(k + 2) % 3]) / body->moments[k]);
    return most;
}

double carom_moreau_pass_turn(const struct carom_moreau_graph *w, const double *v, double h, size_t *body)
{
    const struct carom_bodies *b = w->bodies;
    const size_t nv = carom_bodies_nv(b);
    double least = 1.0;
    for (size_t i = 0; b->tumbling && b->dimension == 3 && i < b->n; i++) {
        const double *spin = v + i * nv + 3;
        if (b->body[i].fixed || !(b->body[i].moments[0] > 0.0))
            continue;
        const double turn = h * sqrt(carom_vec_dot(spin, spin)) * fmin(uneven(&b->body[i]), 1.0);
        /* iterations that ran away leave anything, and no number */
        const double part = turn <= 1.0 ? 1.0 : turn < 1e9 ? 0.9 / turn : 0.1;
        if (part < least) {
            least = part;
            *body = i;
        }
    }
    return least;
}

/* Does body i stay where it is for sure? */
static bool rest(const struct carom_moreau_graph *w, size_t i)
{
    return carom_moreau_sleep_is(w, i) || (w->bodies->body[i].fixed && w->bodies->nleads == 0);
}

double carom_moreau_pass_part(struct carom_moreau_graph *w, const struct carom_state *from, const double *v1, double h,
                              size_t pair[2])
{
    const struct carom_bodies *b = w->bodies;
    const size_t nv = carom_bodies_nv(b);
    const double theta = w->options->theta;
    double least = 1.0;
    for (size_t i = 0; i < b->n * nv; i++) {
        const double *v = b->body[i / nv].fixed ? from->v : v1;
        w->step[i] = h * (theta * v[i] + (1.0 - theta) * from->v[i]);
    }
    for (size_t j = 0; j < w->near->n; j++) {
        const struct carom_contact_key *key = &w->near->key[j];
        if (rest(w, key->a) && rest(w, key->b))
            continue;
        if (carom_outside_is(b, key->a, from->q) || carom_outside_is(b, key->b, from->q))
            continue;
        const double part = part_before(w, key, from->q);
        if (part < least) {
            least = part;
            pair[0] = key->a;
            pair[1] = key->b;
        }
    }
    return least;
}
