/* Room in which two surfaces are compared, see solid_press_room.h. Cells that follow each other are neighbours: on
 * grids they stand in rows, Voronoi cells along a curve. So boxes around some of them in a row are small. */
#include "model/solid/strike/solid_press_room.h"

#include <string.h>

#include "base/memory.h"

/* Rims in a box, and boxes in a larger one: as many are looked at in vain at either end of a row that is near. */
enum { ROW = 16, ROWS = 32 };

static bool open_side(struct carom_press_side *side, size_t rims, size_t corners)
{
    side->own.centre = carom_memory_zeroed(rims, sizeof *side->own.centre);
    side->own.row = carom_memory_zeroed(rims / ROW + 1, sizeof *side->own.row);
    side->own.rows = carom_memory_zeroed(rims / (ROW * ROWS) + 1, sizeof *side->own.rows);
    side->corner = carom_memory_zeroed(corners, sizeof *side->corner);
    side->fit = carom_memory_zeroed(rims, sizeof *side->fit);
    side->known = carom_memory_zeroed(corners, sizeof *side->known);
    side->fitted = carom_memory_zeroed(rims, sizeof *side->fitted);
    return side->own.centre && side->own.row && side->own.rows && side->corner && side->fit && side->known &&
           side->fitted;
}

static void free_room(struct carom_press_room *room)
{
    for (int e = 0; room && e < 2; e++) {
        struct carom_press_side *side = &room->side[e];
        carom_memory_free_all(side->own.centre, side->own.row, side->own.rows, side->corner, side->fit, side->known,
                              side->fitted);
    }
    if (room)
        carom_memory_free_all(room->near, room->rim);
    carom_memory_free(room);
}

static struct carom_press_room *create_room(const struct carom_solid_strike *strike)
{
    struct carom_press_room *room = carom_memory_zeroed(1, sizeof *room);
    size_t rims = 0, corners = 0;
    for (size_t i = 0; i < strike->nbodies; i++) {
        const struct carom_solid_skin *skin = strike->body[i].skin;
        rims = skin->nrims > rims ? skin->nrims : rims;
        corners = skin->ncorners > corners ? skin->ncorners : corners;
    }
    if (room && open_side(&room->side[0], rims, corners) && open_side(&room->side[1], rims, corners) &&
        (room->near = carom_memory_zeroed(rims, sizeof *room->near)) != NULL &&
        (room->rim = carom_memory_zeroed(rims, sizeof *room->rim)) != NULL)
        return room;
    free_room(room);
    return NULL;
}

struct carom_press_rooms *carom_solid_press_room_open(const struct carom_solid_strike *strike)
{
    struct carom_press_rooms *rooms = carom_memory_zeroed(1, sizeof *rooms);
    struct carom_press_room *room = rooms ? create_room(strike) : NULL;
    if (room) {
        atomic_store(&rooms->spare[0], room);
        return rooms;
    }
    carom_memory_free(rooms);
    return NULL;
}

void carom_solid_press_room_close(struct carom_press_rooms *rooms)
{
    for (size_t i = 0; rooms && i < CAROM_PRESS_ROOMS; i++)
        free_room(atomic_load(&rooms->spare[i]));
    carom_memory_free(rooms);
}

/* one there is always: where memory has run out it is waited for */
struct carom_press_room *carom_solid_press_room_take(const struct carom_solid_strike *strike)
{
    struct carom_press_room *room = NULL;
    while (!room) {
        for (size_t i = 0; i < CAROM_PRESS_ROOMS && !room; i++)
            room = atomic_exchange(&strike->rooms->spare[i], NULL);
        if (!room)
            room = create_room(strike);
    }
    return room;
}

void carom_solid_press_room_give(const struct carom_solid_strike *strike, struct carom_press_room *room)
{
    for (size_t i = 0; i < CAROM_PRESS_ROOMS && room; i++)
        room = atomic_exchange(&strike->rooms->spare[i], room);
    free_room(room);
}

static size_t end_of(size_t part, size_t size, size_t all)
{
    return (part + 1) * size < all ? (part + 1) * size : all;
}

static const struct carom_press_box nothing = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

static void widen(struct carom_press_box *box, const double low[3], const double high[3], int dimension)
{
    for (int k = 0; k < dimension; k++) {
        box->low[k] = fmin(box->low[k], low[k]);
        box->high[k] = fmax(box->high[k], high[k]);
    }
}

/* stamps of an earlier q are no longer true */
static void forget(struct carom_press_side *side, const struct carom_solid_skin *skin)
{
    if (++side->now != 0)
        return;
    memset(side->known, 0, skin->ncorners * sizeof *side->known);
    memset(side->fitted, 0, skin->nrims * sizeof *side->fitted);
    side->now = 1;
}

void carom_solid_press_room_fill(struct carom_press_side *side, const struct carom_strike_body *body, const double *q)
{
    const struct carom_solid *s = body->solid;
    const struct carom_solid_skin *skin = body->skin;
    struct carom_press_cells *cells = &side->own;
    side->body = body;
    side->q = q;
    side->cells = cells;
    forget(side, skin);
    for (size_t r = 0; r < skin->nrims; r++) {
        struct carom_press_box *row = &cells->row[r / ROW];
        const size_t cell = skin->rim[r].cell;
        double low[3], high[3];
        for (int k = 0; k < s->dimension; k++) {
            cells->centre[r][k] = s->centre[cell][k] + q[s->wide * cell + (size_t)k];
            low[k] = cells->centre[r][k] - CAROM_SKIN_SLACK * skin->rim[r].reach;
            high[k] = cells->centre[r][k] + CAROM_SKIN_SLACK * skin->rim[r].reach;
        }
        *row = r % ROW == 0 ? nothing : *row;
        widen(row, low, high, s->dimension);
    }
    for (size_t r = 0; r * ROW < skin->nrims; r++) {
        struct carom_press_box *rows = &cells->rows[r / ROWS];
        *rows = r % ROWS == 0 ? nothing : *rows;
        widen(rows, cells->row[r].low, cells->row[r].high, s->dimension);
    }
}

void carom_solid_press_room_follow(struct carom_press_side *side, const struct carom_press_side *other)
{
    side->body = other->body;
    side->q = other->q;
    side->cells = other->cells;
    forget(side, other->body->skin);
}

const double *carom_solid_press_room_corner(struct carom_press_side *side, uint32_t corner)
{
    if (side->known[corner] != side->now) {
        carom_solid_skin_corner(side->body->solid, side->body->skin, corner, side->q, side->corner[corner]);
        side->known[corner] = side->now;
    }
    return side->corner[corner];
}

double carom_solid_press_room_fit(struct carom_press_side *side, size_t r)
{
    const struct carom_solid_skin *skin = side->body->skin;
    const struct carom_skin_rim *rim = &skin->rim[r];
    double square = 0.0;
    if (side->fitted[r] == side->now)
        return side->fit[r];
    for (size_t p = rim->first; p < (size_t)rim->first + rim->count; p++)
        for (int c = 0; c < 3; c++) {
            const double *corner = carom_solid_press_room_corner(side, skin->piece[p].corner[c]);
            double away = 0.0;
            for (int k = 0; k < side->body->solid->dimension; k++)
                away += (corner[k] - side->cells->centre[r][k]) * (corner[k] - side->cells->centre[r][k]);
            square = fmax(square, away);
        }
    side->fitted[r] = side->now;
    return side->fit[r] = fmin(sqrt(square) * (1.0 + 1e-12), CAROM_SKIN_SLACK * rim->reach);
}

static bool are_near(const struct carom_press_box *a, const struct carom_press_box *b, double by, int dimension)
{
    bool near = true;
    for (int k = 0; k < dimension; k++)
        near = near && a->low[k] < b->high[k] + by && b->low[k] < a->high[k] + by;
    return near;
}

/* those of one row */
static size_t near_in_row(const struct carom_press_side *side, size_t row, const struct carom_press_box *box,
                          double sight, uint32_t *near)
{
    const struct carom_solid_skin *skin = side->body->skin;
    size_t n = 0;
    for (size_t i = row * ROW; i < end_of(row, ROW, skin->nrims); i++) {
        const double margin = sight + CAROM_SKIN_SLACK * skin->rim[i].reach;
        bool inside = true;
        for (int k = 0; k < side->body->solid->dimension; k++)
            inside = inside && side->cells->centre[i][k] > box->low[k] - margin &&
                     side->cells->centre[i][k] < box->high[k] + margin;
        near[n] = (uint32_t)i;
        n += inside;
    }
    return n;
}

size_t carom_solid_press_room_near(const struct carom_press_side *side, const struct carom_press_box *box, double sight,
                                   uint32_t *near)
{
    const size_t nrows = (side->body->skin->nrims + ROW - 1) / ROW;
    const int dimension = side->body->solid->dimension;
    size_t n = 0;
    for (size_t part = 0; part * ROWS < nrows; part++) {
        const bool apart = !are_near(&side->cells->rows[part], box, sight, dimension);
        for (size_t row = part * ROWS; !apart && row < end_of(part, ROWS, nrows); row++)
            if (are_near(&side->cells->row[row], box, sight, dimension))
                n += near_in_row(side, row, box, sight, near + n);
    }
    return n;
}
