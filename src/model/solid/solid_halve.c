/* Cells on a side that is held along its normal are cut through their centres, where they are held: the body ends
 * there. So a plane of symmetry is one (half a model moves as the whole one), and clamped bodies are of second order
 * in the cell size. Not in Monasse and Mariotti 2012, whose clamped cells keep a free face behind them.
 *
 * A cut cell has half of everything that counts by volume: mass, inertia, dilatation, links and faces across the cut.
 * Moments are those about the plane, half of the whole cell's. Sides that are held only in part stay as they are: their
 * held cells stand half a cell behind the free surface in any case, which is of first order, and cutting them one by
 * one makes that error three times larger (measured, see the manual). Sides that absorb are cut as well: what takes
 * waves in acts at the centres of their cells.
 *
 * Walls hold places, not turns: a body that is stuck to a plane and sheared by g turns there by g / 2 (half the curl of
 * its displacement), so cells whose turn is held carry 9/16 of the square of the shear in their links where it is 4/16,
 * in a layer of one cell: an error of first order. The neighbours that stand in the plane with a cell keep its section
 * straight; where it has none, its turn is held. About the normal there is no turn at a wall. */
#include <string.h>

#include "base/memory.h"
#include "model/solid/solid.h"

/* the axis of a side's normal; 3 for the walls of a cylinder, which are never cut */
static unsigned axis_of(const struct carom_solid *s, uint32_t side)
{
    switch (side) {
    case CAROM_SOLID_LEFT:
    case CAROM_SOLID_RIGHT:
        return 0;
    case CAROM_SOLID_FRONT:
    case CAROM_SOLID_BACK:
        return 1;
    case CAROM_SOLID_BOTTOM:
    case CAROM_SOLID_TOP:
        return s->dimension == 2 ? 1 : 2;
    default:
        return 3;
    }
}

static bool is_absorbing(const struct carom_solid *s, uint32_t side)
{
    for (size_t i = 0; i < s->nabsorbing; i++)
        if (s->absorbing[i] == side)
            return true;
    return false;
}

/* Where all are, no side is a wall before the rest of the body: a plate of one cell's thickness that is held by its
 * bottom ends where its sides are. */
bool carom_solid_halve_held(const struct carom_solid *s)
{
    const unsigned axes = s->dimension == 2 ? 3U : 7U;
    bool all = s->held != NULL;
    for (size_t i = 0; i < s->n && all; i++)
        all = (s->held[i] & axes) == axes;
    return all;
}

/* which sides are held along their normals, all over, or absorb */
static unsigned held_sides(const struct carom_solid *s)
{
    const bool throughout = carom_solid_halve_held(s);
    unsigned there = 0, loose = 0;
    for (size_t f = 0; f < s->nfaces; f++) {
        const unsigned axis = axis_of(s, s->face[f].side), bit = 1U << s->face[f].side;
        there |= bit;
        const bool held = s->held && !throughout && (unsigned)s->held[s->face[f].cell] >> axis & 1U;
        if (axis == 3 || s->grid.count[axis] < 2 || (!held && !is_absorbing(s, s->face[f].side)))
            loose |= bit;
    }
    return there & ~loose;
}

static double half_for_each(unsigned axes)
{
    return 1.0 / (double)(1U << ((axes & 1U) + (axes >> 1 & 1U) + (axes >> 2 & 1U)));
}

/* the axis a link runs along; around a cylinder it is none that can be cut */
static unsigned link_axes(const struct carom_solid *s, const struct carom_solid_link *l)
{
    const uint32_t form = s->cut[l->shape].form;
    if (s->grid.shell)
        return form < s->grid.count[0] ? 0U : 4U;
    return 1U << form;
}

struct halving {
    struct carom_solid *s;
    uint8_t *axes; /* n: across which axes each cell is cut */
    uint32_t *line;
    struct carom_solid_sort *sorts;
    struct carom_solid_shape *shape;
    struct carom_solid_cut *cut;
};

static void cut_faces(const struct halving *h, unsigned sides)
{
    for (size_t f = 0; f < h->s->nfaces; f++) {
        struct carom_solid_face *face = &h->s->face[f];
        const unsigned axis = axis_of(h->s, face->side);
        const bool on_plane = sides >> face->side & 1U;
        const double part = half_for_each(h->axes[face->cell] & ~(axis < 3 ? 1U << axis : 0U));
        face->area *= part;
        face->volume *= on_plane ? 0.0 : part;
        if (on_plane)
            face->arm[axis] = 0.0;
    }
}

/* old sorts stay, so that kernels find them in their places; line: 8 x old number + axes, the new number + 1 */
static void cut_cells(const struct halving *h)
{
    struct carom_solid *s = h->s;
    size_t used = s->nsorts;
    for (size_t i = 0; i < s->n; i++) {
        const unsigned axes = h->axes[i];
        if (axes == 0)
            continue;
        uint32_t *at = &h->line[8 * (size_t)s->sort[i] + axes];
        if (*at == 0) {
            struct carom_solid_sort *sort = &h->sorts[used];
            *sort = s->sorts[s->sort[i]];
            for (unsigned k = 0; k < 3; k++) /* the pyramid over the face behind is no longer there */
                sort->free -= axes >> k & 1U ? sort->volume / (2.0 * s->dimension) : 0.0;
            sort->free = fmax(sort->free, 0.0) * half_for_each(axes);
            sort->volume *= half_for_each(axes);
            sort->halved = axes;
            *at = (uint32_t)++used;
        }
        s->sort[i] = *at - 1;
    }
    carom_memory_free(s->sorts);
    s->sorts = h->sorts;
    s->nsorts = used;
}

static void cut_links(const struct halving *h)
{
    struct carom_solid *s = h->s;
    size_t used = s->nshapes;
    for (size_t l = 0; l < s->nlinks; l++) {
        struct carom_solid_link *link = &s->link[l];
        const unsigned axes = h->axes[link->cell[0]] & h->axes[link->cell[1]] & ~link_axes(s, link);
        if (axes == 0)
            continue;
        uint32_t *at = &h->line[8 * (size_t)link->shape + axes];
        if (*at == 0) {
            h->shape[used] = s->shape[link->shape];
            h->cut[used] = s->cut[link->shape];
            h->cut[used].area *= half_for_each(axes);
            for (int k = 0; k < 6; k++)
                h->cut[used].bend[k] *= half_for_each(axes);
            *at = (uint32_t)++used;
        }
        link->shape = *at - 1;
    }
    carom_memory_free_all(s->shape, s->cut);
    s->shape = h->shape;
    s->cut = h->cut;
    s->nshapes = used;
}

/* which of the turns that a wall holds a cell on it does without: those about axes in the plane across which it has
 * neighbours. Where two walls meet nothing is sheared; walls of shells are one cell thick, and turn with the circle. */
static unsigned let_go(const struct carom_solid *s, unsigned axes)
{
    const size_t *count = s->grid.count;
    if (s->grid.shell)
        return 0U;
    if (s->dimension == 2)
        return (axes == 1U && count[1] > 1) || (axes == 2U && count[0] > 1) ? 32U : 0U;
    const unsigned normal = axes == 1U ? 0U : axes == 2U ? 1U : 2U, s1 = (normal + 1) % 3, s2 = (normal + 2) % 3;
    if (axes != 1U && axes != 2U && axes != 4U)
        return 0U;
    return (count[s2] > 1 ? 8U << s1 : 0U) | (count[s1] > 1 ? 8U << s2 : 0U);
}

static void free_turns(const struct halving *h)
{
    struct carom_solid *s = h->s;
    if (s->held)
        memset(s->held, 0, s->n * sizeof *s->held);
    for (size_t k = 0; k < s->nholds; k++)
        for (size_t i = 0; i < s->hold[k].count; i++) {
            const uint32_t cell = s->hold[k].cell[i];
            const unsigned less = s->hold[k].wall && h->axes[cell] != 0 ? let_go(s, h->axes[cell]) : 0U;
            s->held[cell] |= (uint8_t)(s->hold[k].mask & ~less);
        }
}

/* Links between cells that cannot move at all carry nothing that matters, so that kernels without link records, which
 * take them for whole ones, are right too. */
static bool all_stand_still(const struct halving *h)
{
    const struct carom_solid *s = h->s;
    const unsigned whole = s->dimension == 2 ? 35U : 63U;
    for (size_t i = 0; i < s->n; i++)
        if (h->axes[i] != 0 && (!s->held || (s->held[i] & whole) != whole))
            return false;
    for (size_t k = 0; k < s->nholds; k++)
        for (size_t i = 0; s->hold[k].driven && i < s->hold[k].count; i++)
            if (h->axes[s->hold[k].cell[i]] != 0)
                return false;
    return true;
}

/* room for as many sorts and shapes as there can be; eight lines for each old one */
static bool open(struct halving *h, struct carom_solid *s)
{
    const size_t most = s->nsorts > s->nshapes ? s->nsorts : s->nshapes;
    *h = (struct halving){.s = s};
    h->axes = carom_memory_zeroed(s->n, sizeof *h->axes);
    h->line = carom_memory_zeroed(8 * most, sizeof *h->line);
    h->sorts = carom_memory_zeroed(8 * s->nsorts, sizeof *h->sorts);
    h->shape = carom_memory_zeroed(8 * s->nshapes, sizeof *h->shape);
    h->cut = carom_memory_zeroed(8 * s->nshapes, sizeof *h->cut);
    if (h->axes && h->line && h->sorts && h->shape && h->cut)
        return true;
    carom_memory_free_all(h->axes, h->line, h->sorts, h->shape, h->cut);
    return false;
}

enum carom_status carom_solid_halve(struct carom_solid *s, struct carom_error *error)
{
    if (!s)
        return carom_error_missing(error);
    const unsigned sides = (s->held || s->nabsorbing > 0) && s->grid.count[0] > 0 ? held_sides(s) : 0U;
    struct halving h;
    if (sides == 0)
        return CAROM_OK;
    if (!open(&h, s))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a solid");
    for (size_t f = 0; f < s->nfaces; f++)
        if (sides >> s->face[f].side & 1U)
            h.axes[s->face[f].cell] |= (uint8_t)(1U << axis_of(s, s->face[f].side));
    free_turns(&h);
    memcpy(h.sorts, s->sorts, s->nsorts * sizeof *h.sorts);
    memcpy(h.shape, s->shape, s->nshapes * sizeof *h.shape);
    memcpy(h.cut, s->cut, s->nshapes * sizeof *h.cut);
    cut_faces(&h, sides);
    cut_links(&h);
    memset(h.line, 0, 8 * s->nsorts * sizeof *h.line);
    cut_cells(&h);
    enum carom_status status = carom_solid_mesh_ready(s, error);
    s->halved = true;
    if (status == CAROM_OK && s->gridded && !all_stand_still(&h) && !carom_solid_mesh_ungrid(s))
        status = carom_error_set(error, CAROM_E_MEMORY, "out of memory for a solid");
    carom_memory_free_all(h.axes, h.line);
    return status;
}
