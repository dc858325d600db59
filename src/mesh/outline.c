/* Regions for Voronoi cells: boxes, cylinders, spheres, half-spaces, and holes of the first three. */
#include "mesh/outline.h"

#include <math.h>

#include "base/vec.h"
#include "mesh/mesh.h"

static void shape_bounds(const struct carom_outline_shape *s, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        const bool along = s->kind == CAROM_OUTLINE_CYLINDER && k == s->axis;
        low[k] = s->kind == CAROM_OUTLINE_BOX || along ? s->origin[k] : s->origin[k] - s->radius;
        high[k] = s->kind == CAROM_OUTLINE_BOX ? s->origin[k] + s->size[k]
                  : along                      ? s->origin[k] + s->height
                                               : s->origin[k] + s->radius;
    }
}

bool carom_outline_bounds(const struct carom_outline *r, double low[3], double high[3])
{
    bool good = true;
    for (int k = 0; k < 3; k++) {
        low[k] = -HUGE_VAL;
        high[k] = HUGE_VAL;
    }
    for (size_t i = 0; i < r->nshapes; i++) {
        double from[3], to[3];
        if (r->shape[i].kind == CAROM_OUTLINE_PLANE)
            continue;
        shape_bounds(&r->shape[i], from, to);
        for (int k = 0; k < 3; k++) {
            low[k] = fmax(low[k], from[k]);
            high[k] = fmin(high[k], to[k]);
        }
    }
    for (int k = 0; k < 3; k++)
        good = good && low[k] > -HUGE_VAL && high[k] < HUGE_VAL && high[k] > low[k];
    return good;
}

/* from the axis of a cylinder or the centre of a sphere */
static double radial(const struct carom_outline_shape *s, const double place[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = s->kind == CAROM_OUTLINE_CYLINDER && k == s->axis ? 0.0 : place[k] - s->origin[k];
    return carom_vec_norm(out);
}

static bool shape_holds(const struct carom_outline_shape *s, const double place[3])
{
    struct carom_outline_wall wall[CAROM_OUTLINE_WALLS];
    double arm[3];
    const size_t walls = carom_outline_walls(s, wall);
    bool inside = true;
    for (size_t w = 0; w < walls; w++)
        inside = inside && carom_vec_dot(wall[w].normal, place) < wall[w].offset;
    if (s->kind == CAROM_OUTLINE_CYLINDER || s->kind == CAROM_OUTLINE_SPHERE)
        inside = inside && radial(s, place, arm) < s->radius;
    return inside;
}

bool carom_outline_holds(const struct carom_outline *r, const double place[3])
{
    bool inside = true;
    for (size_t i = 0; i < r->nshapes && inside; i++)
        inside = shape_holds(&r->shape[i], place);
    for (size_t i = 0; i < r->nholes && inside; i++)
        inside = !shape_holds(&r->hole[i], place);
    return inside;
}

size_t carom_outline_walls(const struct carom_outline_shape *s, struct carom_outline_wall wall[CAROM_OUTLINE_WALLS])
{
    size_t count = 0;
    if (s->kind == CAROM_OUTLINE_PLANE) {
        wall[0] = (struct carom_outline_wall){
            {s->size[0], s->size[1], s->size[2]}, carom_vec_dot(s->size, s->origin), CAROM_MESH_OUTSIDE};
        return 1;
    }
    for (int k = 0; k < 3; k++) {
        if (s->kind != CAROM_OUTLINE_BOX &&
            !(s->kind == CAROM_OUTLINE_CYLINDER && k == s->axis && s->height < HUGE_VAL))
            continue;
        const double high = s->origin[k] + (s->kind == CAROM_OUTLINE_BOX ? s->size[k] : s->height);
        for (int end = 0; end < 2; end++) {
            struct carom_outline_wall *w = &wall[count++];
            *w =
                (struct carom_outline_wall){.offset = end == 0 ? -s->origin[k] : high, .side = (uint32_t)(2 * k + end)};
            w->normal[k] = end == 0 ? -1.0 : 1.0;
        }
    }
    return count;
}

/* the place of a convex hole that is nearest; false if the place lies in it */
static bool nearest(const struct carom_outline_shape *s, const double place[3], double out[3])
{
    double arm[3], low[3], high[3];
    if (shape_holds(s, place))
        return false;
    shape_bounds(s, low, high);
    for (int k = 0; k < 3; k++)
        out[k] = fmin(fmax(place[k], low[k]), high[k]);
    if (s->kind == CAROM_OUTLINE_BOX)
        return true;
    const double away = radial(s, place, arm), share = away > s->radius ? s->radius / away : 1.0;
    for (int k = 0; k < 3; k++)
        if (!(s->kind == CAROM_OUTLINE_CYLINDER && k == s->axis))
            out[k] = s->origin[k] + share * arm[k];
    return true;
}

bool carom_outline_mirror(const struct carom_outline_shape *s, bool hole, double reach, const double place[3],
                          double image[3], uint32_t *side)
{
    double on[3], way[3], arm[3];
    *side = hole ? CAROM_MESH_INSIDE : CAROM_MESH_OUTSIDE;
    if (hole) {
        if (!nearest(s, place, on))
            return false;
    } else {
        if (s->kind != CAROM_OUTLINE_CYLINDER && s->kind != CAROM_OUTLINE_SPHERE)
            return false;
        const double away = radial(s, place, arm);
        if (!(away > 1e-6 * s->radius))
            return false;
        for (int k = 0; k < 3; k++)
            on[k] = place[k] + (s->radius / away - 1.0) * arm[k];
    }
    for (int k = 0; k < 3; k++) {
        way[k] = on[k] - place[k];
        image[k] = place[k] + 2.0 * way[k];
    }
    const double far = carom_vec_norm(way);
    return far <= reach && far > 0.0;
}

double carom_outline_spacing(const struct carom_outline *r, const double place[3])
{
    double least = 1.0;
    for (size_t i = 0; i < r->nfine; i++) {
        const struct carom_outline_fine *f = &r->fine[i];
        const double way[3] = {place[0] - f->place[0], place[1] - f->place[1], place[2] - f->place[2]};
        const double share = carom_vec_norm(way) / f->within;
        least = fmin(least, share < 1.0 ? f->times + (1.0 - f->times) * share : 1.0);
    }
    return least;
}
