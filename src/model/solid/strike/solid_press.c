/* Surfaces of solids that press each other, or a wall. Each piece of a surface is felt in its middle: where that is
 * behind another surface it has a depth d there, along the way to the nearest point, and the law acts there for its
 * part w of the area in which the bodies face each other (half of it from either side): a push w law(d, d') in both
 * points along the line between them, so that momentum and angular momentum are kept. What all of them come to is in
 * solid_push.c. Nothing is remembered: boxes tell who may touch, then pieces are compared with those near them
 * (solid_press_near.c). Edges and corners are felt as late as the middles of their pieces. Tied surfaces have d for the
 * distance of points that were one. */
#include <string.h>

#include "base/memory.h"
#include "model/solid/solid.h"
#include "model/solid/strike/solid_press_room.h"

/* --- at the start ------------------------------------------------------------------------------------------------- */

/* around all corners, unloaded */
static struct carom_press_box around(const struct carom_strike_body *b)
{
    struct carom_press_box box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (size_t c = 0; c < b->skin->ncorners; c++)
        for (int k = 0; k < 3; k++) {
            const struct carom_skin_owner *owner = &b->skin->owner[b->skin->corner[c].first];
            const double at = b->solid->centre[owner->cell][k] + owner->arm[k];
            box.low[k] = fmin(box.low[k], at);
            box.high[k] = fmax(box.high[k], at);
        }
    return box;
}

/* from the face to the centre of its cell, or (whole) through all of a cell that is cut at its centre */
static double thickness(const struct carom_solid *s, const struct carom_solid_face *face, bool whole)
{
    const double *edge = carom_solid_sort_of(s, face->cell)->edge;
    double through = 0.0;
    for (int k = 0; k < 3; k++)
        through += 0.5 * edge[k] * fabs(face->normal[k]);
    return whole ? through : fabs(carom_vec_dot(face->arm, face->normal));
}

/* mean of thickness / E over faces that look along a direction, or over all */
static double soften(const struct carom_solid *s, const double along[3], bool whole)
{
    double sum = 0.0, area = 0.0;
    for (int all = 0; all < 2 && area == 0.0; all++)
        for (size_t f = 0; f < s->nfaces; f++) {
            const struct carom_solid_face *face = &s->face[f];
            if (!all && carom_vec_dot(face->normal, along) < 0.7) /* within 45 degrees */
                continue;
            const double young = s->material[carom_solid_sort_of(s, face->cell)->material].young;
            sum += face->area * thickness(s, face, whole) / young;
            area += face->area;
        }
    return sum / area;
}

/* the section of a box across axis k; what is common with another one */
static double section(const struct carom_press_box *a, const struct carom_press_box *b, int across, int dimension)
{
    double area = 1.0;
    for (int k = 0; k < dimension; k++)
        area *= k == across ? 1.0 : fmax(0.0, fmin(a->high[k], b->high[k]) - fmax(a->low[k], b->low[k]));
    return area;
}

static void measure_wall(const struct carom_strike_body *b, const struct carom_strike_wall *wall,
                         struct carom_strike_meet *meet)
{
    const struct carom_press_box box = around(b);
    const double towards[3] = {-wall->normal[0], -wall->normal[1], -wall->normal[2]};
    for (int k = 0; k < b->solid->dimension; k++)
        meet->area += fabs(wall->normal[k]) * section(&box, &box, k, b->solid->dimension);
    meet->compliance = soften(b->solid, towards, false);
    if (meet->compliance == 0.0) /* cut where it faces the wall: as stiff as what is left of its cells */
        meet->compliance = soften(b->solid, towards, true);
}

static void measure_solids(const struct carom_strike_body *a, const struct carom_strike_body *b,
                           struct carom_strike_meet *meet)
{
    const struct carom_press_box box[2] = {around(a), around(b)};
    const int d = a->solid->dimension;
    double along[2][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, most = -HUGE_VAL;
    int axis = 0;
    for (int k = 0; k < d; k++)
        for (int side = 0; side < 2; side++) {
            const double apart = box[1 - side].low[k] - box[side].high[k];
            if (apart > most) {
                most = apart;
                axis = k;
                along[0][0] = along[0][1] = along[0][2] = 0.0;
                along[0][k] = side == 0 ? 1.0 : -1.0;
            }
        }
    along[1][axis] = -along[0][axis];
    meet->area = section(&box[0], &box[1], axis, d);
    if (meet->area == 0.0) /* they pass each other, or meet later: the smaller one */
        meet->area = fmin(section(&box[0], &box[0], axis, d), section(&box[1], &box[1], axis, d));
    meet->compliance = soften(a->solid, along[0], false) + soften(b->solid, along[1], false);
    if (meet->compliance == 0.0) /* both are cut there */
        meet->compliance = soften(a->solid, along[0], true) + soften(b->solid, along[1], true);
}

void carom_solid_press_measure(const struct carom_solid_strike *s, struct carom_strike_meet *meet)
{
    const struct carom_strike_body *a = &s->body[meet->body[0]];
    meet->area = 0.0;
    if (meet->body[1] >= s->nbodies)
        measure_wall(a, &s->wall[meet->body[1] - s->nbodies], meet);
    else
        measure_solids(a, &s->body[meet->body[1]], meet);
    if (a->solid->dimension == 2)
        meet->area *= a->solid->depth;
}

/* --- who is near -------------------------------------------------------------------------------------------------- */

/* how far off a surface is looked for: a cell, more than anything may sink in */
static double sight(const struct carom_strike_body *a, const struct carom_strike_body *b)
{
    return fmax(a->reach, b->reach);
}

static void centre_of(const struct carom_solid *s, const double *q, size_t cell, double out[3])
{
    out[2] = 0.0;
    for (int k = 0; k < s->dimension; k++)
        out[k] = s->centre[cell][k] + q[s->wide * cell + (size_t)k];
}

void carom_solid_press_boxes(const struct carom_model *model, const double *q, struct carom_press_box *box)
{
    const struct carom_solid_strike *s = carom_solid_strike_of(model);
    for (size_t i = 0; i < s->nbodies; i++) {
        const struct carom_strike_body *b = &s->body[i];
        box[i] = (struct carom_press_box){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
        for (size_t r = 0; r < b->skin->nrims; r++) {
            double centre[3];
            centre_of(b->solid, q + model->member[i].q0, b->skin->rim[r].cell, centre);
            for (int k = 0; k < b->solid->dimension; k++) {
                box[i].low[k] = fmin(box[i].low[k], centre[k] - CAROM_SKIN_SLACK * b->reach);
                box[i].high[k] = fmax(box[i].high[k], centre[k] + CAROM_SKIN_SLACK * b->reach);
            }
        }
    }
}

static void find_wall(const struct carom_solid_strike *s, const struct carom_strike_meet *meet, const double *q,
                      carom_press_take *take, void *own)
{
    const struct carom_strike_body *a = &s->body[meet->body[0]];
    const struct carom_strike_wall *wall = &s->wall[meet->body[1] - s->nbodies];
    for (size_t r = 0; r < a->skin->nrims; r++) {
        const struct carom_skin_rim *rim = &a->skin->rim[r];
        double place[3], high = 0.0;
        centre_of(a->solid, q, rim->cell, place);
        for (int k = 0; k < 3; k++)
            high += (place[k] - wall->at[k]) * wall->normal[k];
        for (uint32_t i = 0; i < rim->count && high < 3.0 * a->reach; i++) {
            if (!carom_solid_skin_bare(a->solid, a->skin, rim->first + i, q))
                continue;
            struct carom_press press = {
                .end = {{.body = meet->body[0], .piece = rim->first + i}, {.body = meet->body[1]}},
                .weight = a->skin->piece[rim->first + i].area / meet->area};
            memcpy(press.end[0].share, carom_press_middle(a->solid), sizeof press.end[0].share);
            memcpy(press.normal, wall->normal, sizeof press.normal);
            carom_solid_skin_place(a->solid, a->skin, rim->first + i, carom_press_middle(a->solid), q, place);
            for (int k = 0; k < 3; k++)
                press.depth -= (place[k] - wall->at[k]) * wall->normal[k];
            if (press.depth > -a->reach)
                take(own, &press);
        }
    }
}

static void find_ties(const struct carom_model *model, const struct carom_strike_meet *meet, const double *q,
                      carom_press_take *take, void *own)
{
    const struct carom_solid_strike *s = carom_solid_strike_of(model);
    for (size_t i = 0; i < meet->nties; i++) {
        struct carom_press press = meet->tie[i];
        double place[2][3];
        for (int e = 0; e < 2; e++) {
            const struct carom_press_end *end = &press.end[e];
            const struct carom_strike_body *b = &s->body[end->body];
            carom_solid_skin_place(b->solid, b->skin, end->piece, end->share, q + model->member[end->body].q0,
                                   place[e]);
        }
        for (int k = 0; k < 3; k++)
            press.normal[k] = place[1][k] - place[0][k];
        press.depth = carom_vec_norm(press.normal);
        for (int k = 0; k < 3; k++)
            press.normal[k] = press.depth > 0.0 ? press.normal[k] / press.depth : 0.0;
        take(own, &press);
    }
}

bool carom_solid_press_deals(const struct carom_model *model, const struct carom_strike_meet *meet,
                             const struct carom_press_box *box)
{
    const struct carom_solid_strike *s = carom_solid_strike_of(model);
    if (meet->tied || meet->body[1] >= s->nbodies)
        return false;
    const double far = sight(&s->body[meet->body[0]], &s->body[meet->body[1]]);
    for (int k = 0; k < s->body[0].solid->dimension; k++)
        if (box[meet->body[0]].low[k] > box[meet->body[1]].high[k] + far ||
            box[meet->body[1]].low[k] > box[meet->body[0]].high[k] + far)
            return false;
    return true;
}

static void find_solids(const struct carom_model *model, const struct carom_strike_meet *meet,
                        const struct carom_press_box *box, const double *q, const struct carom_press_hands *hands,
                        carom_press_take *take, void *own)
{
    const struct carom_solid_strike *s = carom_solid_strike_of(model);
    struct carom_press_room *room = carom_solid_press_room_take(s);
    for (int side = 0; side < 2; side++)
        carom_solid_press_room_fill(&room->side[side], &s->body[meet->body[side]],
                                    q + model->member[meet->body[side]].q0);
    for (int side = 0; side < 2; side++) {
        const struct carom_press_search search = {.from = &room->side[side],
                                                  .to = &room->side[1 - side],
                                                  .body = {meet->body[side], meet->body[1 - side]},
                                                  .near = room->near,
                                                  .sight = sight(&s->body[meet->body[0]], &s->body[meet->body[1]]),
                                                  .part = 0.5 / meet->area,
                                                  .box = &box[meet->body[1 - side]]};
        const size_t n = carom_solid_press_near_rims(&search, room->rim);
        const size_t first = n * hands->number / hands->count, end = n * (hands->number + 1) / hands->count;
        carom_solid_press_crew_search(hands->crew, s, &search, room->rim + first, end - first, take, own);
    }
    carom_solid_press_room_give(s, room);
}

void carom_solid_press_find(const struct carom_model *model, const struct carom_strike_meet *meet,
                            const struct carom_press_box *box, const double *q, const struct carom_press_hands *hands,
                            carom_press_take *take, void *own)
{
    static const struct carom_press_hands one = {NULL, 0, 1};
    const struct carom_solid_strike *s = carom_solid_strike_of(model);
    if (meet->tied)
        find_ties(model, meet, q, take, own);
    else if (meet->body[1] >= s->nbodies)
        find_wall(s, meet, q + model->member[meet->body[0]].q0, take, own);
    else if (carom_solid_press_deals(model, meet, box))
        find_solids(model, meet, box, q, hands ? hands : &one, take, own);
}

/* --- one in the other --------------------------------------------------------------------------------------------- */

enum { SAMPLES = 64 }; /* centres that are looked at: all of them are inside, or the surfaces cross and feel it */

double carom_solid_press_distance(const struct carom_strike_body *b, const double *q, const double (*place)[3])
{
    struct carom_skin_spot spot;
    carom_solid_skin_near_begin(HUGE_VAL, &spot);
    for (size_t r = 0; r < b->skin->nrims; r++)
        carom_solid_skin_near(b->solid, b->skin, r, q, 1, place, &spot);
    return spot.distance;
}

bool carom_solid_press_inside(const struct carom_model *model, const struct carom_strike_meet *meet,
                              const struct carom_press_box *box, const double *q)
{
    const struct carom_solid_strike *s = carom_solid_strike_of(model);
    bool inside = false;
    for (int side = 0; side < 2 && meet->body[1] < s->nbodies; side++) {
        const size_t from = meet->body[side], to = meet->body[1 - side];
        const struct carom_solid *a = s->body[from].solid;
        const size_t step = a->n / SAMPLES + 1;
        for (size_t cell = 0; cell < a->n && !inside; cell += step) {
            double centre[1][3];
            centre_of(a, q + model->member[from].q0, cell, centre[0]);
            inside =
                carom_press_box_holds(&box[to], 0.0, a->dimension, centre[0]) &&
                carom_solid_press_distance(&s->body[to], q + model->member[to].q0, (const double(*)[3])centre) < 0.0;
        }
    }
    return inside;
}
