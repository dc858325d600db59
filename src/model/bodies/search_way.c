/* How far bodies have gone since the list of contacts was made (search.h): their centres, and surfaces that turn. */
#include "base/angle.h"
#include "base/quat.h"
#include "base/vec.h"
#include "model/bodies/search.h"

/* by how much body i has turned since its rotation was `then` */
static double angle_since(const struct carom_bodies *b, size_t i, const double *q, const double then[4])
{
    const double *turn = q + i * carom_bodies_nq(b) + b->dimension, back[4] = {then[0], -then[1], -then[2], -then[3]};
    double since[4];
    if (b->dimension == 2)
        return fabs(turn[0] - then[0]);
    carom_quat_product(turn, back, since);
    return 2.0 * carom_angle_atan2(carom_vec_norm(since + 1), fabs(since[0]));
}

/* does it turn, other than into itself? */
bool carom_search_way_sweeps(const struct carom_body *body)
{
    return body->surface != CAROM_BALL && (body->lead >= 0 || carom_bodies_tumbles(body));
}

double carom_search_way_between(const double a[3], const double b[3])
{
    const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    return carom_vec_norm(d);
}

/* how far the surface of wall number w has come nearer to a ball by turning; circles and spheres turn into
 * themselves */
static double swept(const struct carom_search *s, size_t w, const double *q)
{
    const size_t i = s->wall[w];
    return carom_search_way_sweeps(&s->bodies->body[i]) ? angle_since(s->bodies, i, q, s->turned[w]) * s->farthest[w]
                                                        : 0.0;
}

double carom_search_way_some(const struct carom_search *s, const double *q, size_t first, size_t last)
{
    const struct carom_bodies *b = s->bodies;
    double longest = 0.0;
    size_t w = 0;
    while (w < s->nwalls && s->wall[w] < first)
        w++;
    for (size_t i = first; i < last; i++) {
        double now[3];
        carom_bodies_centre(b, i, q, now);
        double way = carom_search_way_between(s->centre[i], now);
        if (w < s->nwalls && s->wall[w] == i)
            way += swept(s, w++, q);
        if (!(way <= longest))
            longest = way;
    }
    return longest;
}

double carom_search_way(const struct carom_search *s, const double *q)
{
    return carom_search_way_some(s, q, 0, s->bodies->n);
}
