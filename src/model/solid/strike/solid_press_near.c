/* The surface of one solid against that of another: for the middle of each piece the nearest point of the other one.
 * Pieces are taken in their order, some at a time, with the cells near all of them, in theirs. Of pieces that meet in
 * the nearest point it is the order that decides, so nothing that is skipped may change it: only what is farther than
 * something that is known. */
#include <string.h>

#include "model/solid/strike/solid_press_room.h"

enum { PORTION = 16 }; /* pieces compared at a time: few, so that little is near all of them */

/* twice what solid_skin_near.c has for pieces that meet in one point: none of them may fall out */
#define NEARLY 2e-9

/* of the sight: what is nearer than that is looked for so far off, since nothing is nearer than a distance of 0 */
#define CLOSE 1e-3

/* some of them */
struct portion {
    const struct carom_press_search *s;
    carom_press_take *take;
    void *own;
    size_t n;
    uint32_t piece[PORTION];
    double place[PORTION][3];
};

static void tell(const struct portion *p, size_t i, const struct carom_skin_spot *spot)
{
    const struct carom_strike_body *a = p->s->from->body;
    struct carom_press press = {
        .end = {{.body = p->s->body[0], .piece = p->piece[i]}, {.body = p->s->body[1], .piece = (uint32_t)spot->piece}},
        .weight = p->s->part * a->skin->piece[p->piece[i]].area,
        .depth = -spot->distance};
    memcpy(press.end[0].share, carom_press_middle(a->solid), sizeof press.end[0].share);
    memcpy(press.end[1].share, spot->share, sizeof spot->share);
    for (int k = 0; k < 3; k++)
        press.normal[k] = spot->distance != 0.0 ? spot->away[k] / spot->distance : 0.0;
    p->take(p->own, &press);
}

static void corners_of(struct carom_press_side *side, size_t piece, double corner[3][3])
{
    for (int c = 0; c < 3; c++)
        memcpy(corner[c], carom_solid_press_room_corner(side, side->body->skin->piece[piece].corner[c]),
               sizeof corner[c]);
}

/* could what is within `wide` of the centre be nearer than what is known? */
static bool may_be_nearer(const double centre[3], double wide, int dimension, const double place[3],
                          const struct carom_skin_spot *spot)
{
    const double far = fabs(spot->distance) * (1.0 + NEARLY) + wide;
    double square = 0.0;
    for (int k = 0; k < dimension; k++)
        square += (place[k] - centre[k]) * (place[k] - centre[k]);
    return square <= far * far;
}

/* is the piece on one side of the place, and farther than what is known? */
static bool is_beyond(const double corner[3][3], int dimension, const double place[3],
                      const struct carom_skin_spot *spot)
{
    const double far = fabs(spot->distance) * (1.0 + NEARLY);
    bool beyond = false;
    for (int k = 0; k < dimension; k++) {
        const double low = fmin(corner[0][k], fmin(corner[1][k], corner[2][k])),
                     high = fmax(corner[0][k], fmax(corner[1][k], corner[2][k]));
        beyond = beyond || place[k] < low - far || place[k] > high + far;
    }
    return beyond;
}

static void look_at_rim(struct carom_press_side *to, size_t r, const double place[3], struct carom_skin_spot *spot)
{
    const struct carom_solid *s = to->body->solid;
    const struct carom_solid_skin *skin = to->body->skin;
    const struct carom_skin_rim *rim = &skin->rim[r];
    double corner[3][3];
    if (!may_be_nearer(to->cells->centre[r], CAROM_SKIN_SLACK * rim->reach, s->dimension, place, spot) ||
        !may_be_nearer(to->cells->centre[r], carom_solid_press_room_fit(to, r), s->dimension, place, spot))
        return;
    for (size_t i = rim->first; i < (size_t)rim->first + rim->count; i++) {
        if (!carom_solid_skin_bare(s, skin, i, to->q))
            continue;
        corners_of(to, i, corner);
        if (!is_beyond((const double(*)[3])corner, s->dimension, place, spot))
            carom_solid_skin_near_piece(s, skin, i, (const double(*)[3])corner, place, spot);
    }
}

/* where a place found what is nearest: its neighbour will find it there or nearby */
struct hint {
    size_t rim, piece;
};

/* Nothing is farther than what the neighbour found: that need not be looked at. */
static double sight_by(const struct portion *p, const struct hint *hint, const double place[3])
{
    const struct carom_solid *s = p->s->to->body->solid;
    struct carom_skin_spot spot;
    double corner[3][3];
    if (hint->piece == SIZE_MAX)
        return p->s->sight;
    corners_of(p->s->to, hint->piece, corner);
    const double distance =
        fmax(carom_solid_skin_near_distance(s, (const double(*)[3])corner, place), CLOSE * p->s->sight);
    carom_solid_skin_near_begin(distance, &spot);
    return distance < p->s->sight &&
                   may_be_nearer(p->s->to->cells->centre[hint->rim], carom_solid_press_room_fit(p->s->to, hint->rim),
                                 s->dimension, place, &spot)
               ? distance
               : p->s->sight;
}

/* compares a portion with the other body and empties it */
static void finish(struct portion *p)
{
    struct carom_press_box box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    struct hint hint = {0, SIZE_MAX};
    for (size_t i = 0; i < p->n; i++)
        for (int k = 0; k < p->s->to->body->solid->dimension; k++) {
            box.low[k] = fmin(box.low[k], p->place[i][k]);
            box.high[k] = fmax(box.high[k], p->place[i][k]);
        }
    const size_t near = p->n > 0 ? carom_solid_press_room_near(p->s->to, &box, p->s->sight, p->s->near) : 0;
    for (size_t i = 0; near > 0 && i < p->n; i++) {
        struct carom_skin_spot spot;
        size_t last = SIZE_MAX;
        carom_solid_skin_near_begin(sight_by(p, &hint, p->place[i]), &spot);
        for (size_t r = 0; r < near; r++) {
            look_at_rim(p->s->to, p->s->near[r], p->place[i], &spot);
            hint.rim = spot.piece != last ? p->s->near[r] : hint.rim;
            last = spot.piece;
        }
        hint.piece = spot.piece;
        carom_solid_skin_near_end(p->s->sight, &spot);
        if (spot.piece != SIZE_MAX)
            tell(p, i, &spot);
    }
    p->n = 0;
}

/* where the middle of a piece is; as carom_solid_skin_place has it */
static void find_middle(struct carom_press_side *side, size_t piece, double out[3])
{
    const double *share = carom_press_middle(side->body->solid);
    out[0] = out[1] = out[2] = 0.0;
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3 && share[c] != 0.0; k++)
            out[k] += share[c] * carom_solid_press_room_corner(side, side->body->skin->piece[piece].corner[c])[k];
}

size_t carom_solid_press_near_rims(const struct carom_press_search *s, uint32_t *rim)
{
    const struct carom_solid_skin *skin = s->from->body->skin;
    size_t n = 0;
    for (size_t r = 0; r < skin->nrims; r++) {
        rim[n] = (uint32_t)r;
        n += carom_press_box_holds(s->box, s->sight + CAROM_SKIN_SLACK * skin->rim[r].reach,
                                   s->from->body->solid->dimension, s->from->cells->centre[r]);
    }
    return n;
}

void carom_solid_press_near(const struct carom_press_search *s, const uint32_t *rim, size_t n, carom_press_take *take,
                            void *own)
{
    struct portion p = {.s = s, .take = take, .own = own};
    const struct carom_strike_body *a = s->from->body;
    for (size_t r = 0; r < n; r++) {
        const struct carom_skin_rim *at = &a->skin->rim[rim[r]];
        for (uint32_t i = at->first; i < at->first + at->count; i++) {
            if (!carom_solid_skin_bare(a->solid, a->skin, i, s->from->q))
                continue;
            if (p.n == PORTION)
                finish(&p);
            p.piece[p.n] = i;
            find_middle(s->from, i, p.place[p.n]);
            p.n += carom_press_box_holds(s->box, s->sight, a->solid->dimension, p.place[p.n]);
        }
    }
    finish(&p);
}
