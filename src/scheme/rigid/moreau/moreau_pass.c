/* Bodies that would pass through each other, see moreau_pass.h. Only pairs that move past each other by more than the
 * two are thick are looked at, in places along the straight way of the step no farther apart than a quarter of the
 * thinner one: whoever goes through the middle of another is seen, whoever only grazes it may not. The step is cut at
 * the last place before they touch. The next one is as short as half of the thinner one, so that the middle of it,
 * where contacts stand, is not beyond the other body yet, and they push each other. */
#include "scheme/rigid/moreau/moreau_pass.h"

#include "model/bodies/outside.h"
#include "model/bodies/pieces.h"

enum { LOOKS = 4000 };            /* more places than this are not looked at */
static const double depth = 0.25; /* of the thinner one: overlaps that count */

/* how thick a body is at least, from its middle; HUGE_VAL: whoever is behind it is seen to be there */
static double thickness(const struct carom_body *body)
{
    if (body->surface == CAROM_PLANE || body->inside)
        return HUGE_VAL;
    if (body->pieces)
        return body->pieces->thin;
    if (body->convex)
        return body->convex->thin;
    return body->surface == CAROM_BALL ? body->radius : fmin(body->size[0], body->size[2]);
}

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

/* the part of the step after which the two nearly touch or, if they do, push each other; 1: they do not pass */
static double part_before(struct carom_moreau_graph *w, const struct carom_contact_key *pair, const double *q)
{
    const struct carom_bodies *b = w->bodies;
    const double one = thickness(&b->body[pair->a]), two = thickness(&b->body[pair->b]), thin = fmin(one, two);
    const double way = way_past(w, pair);
    if (!(one + two < HUGE_VAL) || way <= one + two)
        return 1.0;
    const double looks = fmin(ceil(way / (depth * thin)), LOOKS);
    double before = 0.0; /* the last place in which they are apart */
    bool met = false;
    for (double k = 1.0; k <= looks; k++) {
        go(w, pair, q, k / looks);
        const double deep = overlap(b, pair, w->between);
        met |= deep > 0.0;
        if (!met)
            before = k / looks;
        else if (deep > depth * thin)
            return before > 0.0 ? before : 2.0 / looks;
    }
    return 1.0;
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
