/* Regions, and who stands in them, see place.h. */
#include "model/place/place.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "model/bodies/meet.h"

#define TOUCH 1e-9 /* of the region: what reaches into it by less only touches it */

double carom_place_volume(size_t dimension, const struct carom_place_region *region)
{
    const double pi = 3.14159265358979323846, r = region->radius;
    const double *size = region->size;
    switch (region->surface) {
    case CAROM_BALL:
        return dimension == 2 ? pi * r * r : 4.0 / 3.0 * pi * r * r * r;
    case CAROM_BOX:
        return dimension == 2 ? 4.0 * size[0] * size[1] : 8.0 * size[0] * size[1] * size[2];
    case CAROM_CYLINDER:
        return 2.0 * pi * size[0] * size[0] * size[2];
    case CAROM_PLANE:
    case CAROM_CONVEX: /* are no regions */
    case CAROM_COMPOUND:
        break;
    }
    return HUGE_VAL; /* a half-space */
}

/* --- who stands there -------------------------------------------------------------------------------------------- */

/* half edges of the box around a region, in its own axes */
static void bounds(const struct carom_place_region *region, double half[3])
{
    for (int k = 0; k < 3; k++) {
        const bool round = region->surface == CAROM_BALL || (region->surface == CAROM_CYLINDER && k < 2);
        half[k] = !round ? region->size[k] : region->surface == CAROM_BALL ? region->radius : region->size[0];
    }
}

static void into_region(const struct carom_place_region *region, const double centre[3], double x[3])
{
    const double d[3] = {centre[0] - region->at[0], centre[1] - region->at[1], centre[2] - region->at[2]};
    carom_quat_turn_back(region->frame, d, x);
}

/* how far a ball around this centre is from the box around the region; through joined sides it is near in any case */
static double away(const struct carom_place_region *region, size_t dimension, const double centre[3])
{
    double half[3], x[3], square = 0.0;
    bounds(region, half);
    into_region(region, centre, x);
    for (size_t k = 0; k < dimension; k++) {
        const double beyond = region->periodic[k] ? 0.0 : fmax(0.0, fabs(x[k]) - half[k]);
        square += beyond * beyond;
    }
    return sqrt(square);
}

static double span(const struct carom_place_region *region)
{
    double half[3];
    bounds(region, half);
    return half[0] + half[1] + half[2];
}

/* The free side of planes and containers is convex: all corners of a box in it, the box is. */
static bool holds_region(const struct carom_place_others *o, uint32_t wall, const struct carom_place_region *region)
{
    const size_t dimension = o->walls->dimension;
    double half[3];
    bounds(region, half);
    for (unsigned corner = 0; corner < (1u << dimension); corner++) {
        const double x[3] = {corner & 1 ? half[0] : -half[0], corner & 2 ? half[1] : -half[1],
                             dimension == 2 ? 0.0
                             : corner & 4   ? half[2]
                                            : -half[2]};
        struct carom_body *probe = &o->walls->body[o->walls->n - 1];
        carom_quat_turn(region->frame, x, probe->at);
        for (int k = 0; k < 3; k++)
            probe->at[k] += region->at[k];
        probe->radius = 0.0;
        const size_t features = carom_meet_features(&o->walls->body[wall], probe);
        for (uint32_t feature = 0; feature < features; feature++) {
            const struct carom_contact_key key = {0, wall, (uint32_t)o->walls->n - 1, feature};
            struct carom_meeting m = {.gap = -HUGE_VAL};
            carom_meet(o->walls, &key, o->rest, &m);
            if (!(m.gap > -TOUCH * span(region)))
                return false;
        }
    }
    return true;
}

/* the walls that reach into the region, among those that were copied */
static void keep_walls(struct carom_place_others *o, const struct carom_place_region *region)
{
    size_t left = 0;
    for (size_t i = 0; i + 1 < o->walls->n; i++) {
        const struct carom_body wall = o->walls->body[i];
        const double size =
            sqrt(wall.size[0] * wall.size[0] + wall.size[1] * wall.size[1] + wall.size[2] * wall.size[2]);
        const bool convex = wall.inside || wall.surface == CAROM_PLANE;
        if (convex ? !holds_region(o, (uint32_t)i, region) : away(region, o->walls->dimension, wall.at) < size)
            o->walls->body[left++] = wall;
    }
    o->walls->body[left] = o->walls->body[o->walls->n - 1];
    o->walls->n = left + 1;
}

bool carom_place_others(struct carom_place_others *o, const struct carom_bodies *b, const bool *placed,
                        const struct carom_place_region *region)
{
    size_t balls = 0, walls = 0;
    *o = (struct carom_place_others){0};
    for (size_t i = 0; i < b->n; i++)
        *(carom_bodies_round(&b->body[i]) ? &balls : &walls) += placed[i];
    o->centre = carom_memory_zeroed(balls, sizeof *o->centre);
    o->radius = carom_memory_zeroed(balls, sizeof *o->radius);
    o->walls = carom_bodies_create(b->dimension, walls + 1, 1, 0, 0, 0);
    o->rest = carom_memory_zeroed((walls + 1) * 10, sizeof *o->rest);
    if (!o->centre || !o->radius || !o->walls || !o->rest)
        return false;
    carom_bodies_rest(o->walls, o->rest);
    walls = 0;
    for (size_t i = 0; i < b->n; i++) {
        const struct carom_body *body = &b->body[i];
        if (placed[i] && !carom_bodies_round(body))
            o->walls->body[walls++] = *body;
        if (!placed[i] || !carom_bodies_round(body) ||
            !(away(region, b->dimension, body->at) < body->radius - TOUCH * span(region)))
            continue;
        memcpy(o->centre[o->nballs], body->at, sizeof *o->centre);
        o->radius[o->nballs++] = body->radius;
    }
    keep_walls(o, region);
    return true;
}

void carom_place_others_free(struct carom_place_others *o)
{
    carom_memory_free_all(o->centre, o->radius, o->rest);
    carom_bodies_free(o->walls);
    *o = (struct carom_place_others){0};
}

double carom_place_others_walls(const struct carom_place_others *o, const double centre[3], double radius,
                                double push[3])
{
    struct carom_body *probe = &o->walls->body[o->walls->n - 1];
    double least = HUGE_VAL;
    memcpy(probe->at, centre, sizeof probe->at);
    probe->radius = radius;
    for (uint32_t wall = 0; wall + 1 < o->walls->n; wall++) {
        const size_t features = carom_meet_features(&o->walls->body[wall], probe);
        for (uint32_t feature = 0; feature < features; feature++) {
            const struct carom_contact_key key = {0, wall, (uint32_t)o->walls->n - 1, feature};
            struct carom_meeting m = {.gap = -radius, .normal = {1.0, 0.0, 0.0}};
            if (!carom_meet(o->walls, &key, o->rest, &m))
                m.gap = fmin(m.gap, -radius);
            least = fmin(least, m.gap);
            for (int k = 0; push && m.gap < 0.0 && k < 3; k++)
                push[k] -= m.gap * m.normal[k];
        }
    }
    return least;
}
