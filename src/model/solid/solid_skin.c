/* The surface of a solid. Free faces are fans of triangles (in the plane two lines) around their middles; a middle
 * belongs to its cell, a corner to all cells with a free face there, and moves as the mean of where these would put
 * it. So the surface stays closed while cells turn, and the distance of a point outside is a function without jumps
 * of the cells' coordinates; its slopes are forces that balance. Bodies that break have pieces on both sides of their
 * links, too, which are hidden until the link is broken. */
#include "model/solid/solid_skin.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/single.h"
#include "model/solid/solid.h"
#include "model/solid/solid_bonds.h"
#include "model/solid/solid_cells.h"
#include "model/solid/solid_fracture.h"
#include "model/solid/solid_turns.h"

/* one polygon's point before corners are shared */
struct draft {
    long long key[3]; /* where it stands, in small units */
    uint32_t cell, slot;
    double arm[3];
};

struct making {
    const struct carom_solid *s;
    struct carom_solid_skin *skin;
    struct draft *draft;
    uint32_t *slot; /* of every draft by number: its corner */
    size_t ndrafts, faces, sides;
    uint32_t link; /* of the face at hand */
    double unit;
};

void carom_solid_skin_free(struct carom_solid_skin *skin)
{
    if (!skin)
        return;
    carom_memory_free_all(skin->corner, skin->owner, skin->piece, skin->rim, skin);
}

/* corners of face f in order around it, as arms from its cell's centre */
static size_t outline_of_box(const struct carom_solid *s, const struct carom_solid_face *face, double (*arm)[3])
{
    double corner[8][3];
    size_t order[8], n = 0;
    const size_t all = carom_solid_corners(s, face->cell, corner);
    double most = HUGE_VAL, part[8];
    for (size_t c = 0; c < all; c++) {
        double away[3];
        for (int k = 0; k < 3; k++)
            away[k] = corner[c][k] - s->centre[face->cell][k];
        part[c] = -carom_vec_dot(away, face->normal);
    }
    /* the 4 (in the plane 2) corners that are farthest along the normal */
    for (size_t wanted = all / 2; n < wanted; n++) {
        size_t best = all;
        most = HUGE_VAL;
        for (size_t c = 0; c < all; c++) {
            bool taken = false;
            for (size_t i = 0; i < n; i++)
                taken |= order[i] == c;
            if (!taken && part[c] < most - 1e-9 * fabs(part[c])) {
                most = part[c];
                best = c;
            }
        }
        order[n] = best;
    }
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            arm[i][k] = corner[order[i]][k] - s->centre[face->cell][k];
    if (n == 4) { /* neighbours are nearer than what lies across */
        double first = 0.0;
        size_t across = 1;
        for (size_t i = 1; i < 4; i++) {
            double square = 0.0;
            for (int k = 0; k < 3; k++)
                square += (arm[i][k] - arm[0][k]) * (arm[i][k] - arm[0][k]);
            if (square > first) {
                first = square;
                across = i;
            }
        }
        double swap[3];
        memcpy(swap, arm[2], sizeof swap);
        memcpy(arm[2], arm[across], sizeof swap);
        memcpy(arm[across], swap, sizeof swap);
    }
    return n;
}

/* corners of polygon f of a cell's look, rounded to floats: so runs keep the bits they had when looks were floats */
static size_t polygon_of(const struct carom_solid *s, size_t cell, uint64_t f, double (*arm)[3])
{
    const struct carom_mesh_look *look = &s->cells->look;
    size_t n = 0;
    for (uint64_t i = look->side[f]; i < look->side[f + 1] && n < CAROM_SKIN_SIDES; i++, n++)
        for (int k = 0; k < 3; k++)
            arm[n][k] = carom_single(look->arm[look->point[cell] + look->corner[i]][k]);
    return n;
}

/* its centre: that of a fan, by areas */
static void middle_of(const double (*arm)[3], size_t n, double out[3])
{
    double all = 0.0;
    out[0] = out[1] = out[2] = 0.0;
    for (size_t i = 1; i + 1 < n; i++) {
        double across[3];
        carom_vec_triangle(arm[0], arm[i], arm[i + 1], across);
        const double area = carom_vec_norm(across);
        all += area;
        for (int k = 0; k < 3; k++)
            out[k] += area * (arm[0][k] + arm[i][k] + arm[i + 1][k]) / 3.0;
    }
    for (int k = 0; k < 3; k++)
        out[k] = all > 0.0 ? out[k] / all : arm[0][k];
}

/* the polygon of the look whose centre is that of the face, to the rounding of floats */
static size_t outline_of_cell(const struct carom_solid *s, const struct carom_solid_face *face, double (*arm)[3])
{
    const struct carom_mesh_look *look = &s->cells->look;
    uint64_t best = look->face[face->cell];
    double least = HUGE_VAL;
    for (uint64_t f = look->face[face->cell]; f < look->face[face->cell + 1]; f++) {
        double middle[3];
        const size_t n = polygon_of(s, face->cell, f, arm);
        middle_of((const double(*)[3])arm, n, middle);
        for (int k = 0; k < 3; k++)
            middle[k] -= face->arm[k];
        const double off = carom_vec_norm(middle);
        if (off < least) {
            least = off;
            best = f;
        }
    }
    return polygon_of(s, face->cell, best, arm);
}

size_t carom_solid_skin_outline(const struct carom_solid *s, const struct carom_solid_face *face, double (*arm)[3])
{
    return s->cells ? outline_of_cell(s, face, arm) : outline_of_box(s, face, arm);
}

struct carom_solid_face carom_solid_skin_side(const struct carom_solid *s, size_t link, size_t side)
{
    const struct carom_solid_shape *shape = &s->shape[s->link[link].shape];
    const double length = carom_vec_norm(shape->apart), sign = side == 0 ? 1.0 : -1.0;
    struct carom_solid_face face = {.cell = s->link[link].cell[side]};
    for (int k = 0; k < 3; k++) {
        face.arm[k] = shape->arm[k] - (side == 1 ? shape->apart[k] : 0.0);
        face.normal[k] = sign * shape->apart[k] / length;
    }
    return face;
}

/* does the fan go around the wrong way? */
static bool backwards(const double (*arm)[3], size_t n, const struct carom_solid_face *face)
{
    double turn = 0.0;
    for (size_t i = 0; i < n; i++) {
        double a[3], b[3], across[3];
        for (int k = 0; k < 3; k++) {
            a[k] = arm[i][k] - face->arm[k];
            b[k] = arm[(i + 1) % n][k] - face->arm[k];
        }
        carom_vec_cross(a, b, across);
        turn += carom_vec_dot(across, face->normal);
    }
    return turn < 0.0;
}

static void add_draft(struct making *m, uint32_t cell, const double arm[3])
{
    struct draft *d = &m->draft[m->ndrafts];
    *d = (struct draft){.cell = cell, .slot = (uint32_t)m->ndrafts};
    for (int k = 0; k < 3; k++) {
        d->arm[k] = arm[k];
        d->key[k] = llround((m->s->centre[cell][k] + arm[k]) / m->unit + 0.37);
    }
    m->ndrafts++;
}

static void add_piece(struct making *m, size_t a, size_t b, size_t c)
{
    m->skin->piece[m->skin->npieces++] =
        (struct carom_skin_piece){.corner = {(uint32_t)a, (uint32_t)b, (uint32_t)c}, .link = m->link};
    double ab[3], ac[3], across[3];
    for (int k = 0; k < 3; k++) {
        ab[k] = m->draft[b].arm[k] - m->draft[a].arm[k];
        ac[k] = m->draft[c].arm[k] - m->draft[a].arm[k];
    }
    carom_vec_cross(ab, ac, across);
    m->skin->piece[m->skin->npieces - 1].area =
        m->s->dimension == 3 ? 0.5 * carom_vec_norm(across) : m->s->depth * carom_vec_norm(ab);
}

/* Which side is outside comes from the face: where a cell is cut through its centre, the line goes through that. */
static void add_line(struct making *m, size_t a, size_t b, const struct carom_solid_face *face)
{
    const double *from = m->draft[a].arm, *to = m->draft[b].arm;
    add_piece(m, a, b, b);
    m->skin->piece[m->skin->npieces - 1].left =
        (to[1] - from[1]) * face->normal[0] - (to[0] - from[0]) * face->normal[1] < 0.0;
}

/* Where a cell is cut through the middle of the face, that stands on the cut, and what is between the two has no area:
 * it has no outside either, and would take one from what is left of its normal as the body is strained. */
#define NOTHING 1e-9 /* of the cell */

static bool is_nothing(const struct making *m, const struct carom_skin_piece *piece, double reach)
{
    const double size = NOTHING * reach;
    return piece->area <= size * (m->s->dimension == 3 ? reach : m->s->depth);
}

/* a fan around the middle of a face; its corners by the numbers of drafts */
static void add_face(struct making *m, const struct carom_solid_face *face)
{
    double arm[CAROM_SKIN_SIDES][3];
    const size_t n = carom_solid_skin_outline(m->s, face, arm), first = m->ndrafts;
    struct carom_skin_rim *rim = &m->skin->rim[m->skin->nrims - 1];
    const bool turned = m->s->dimension == 3 && backwards((const double(*)[3])arm, n, face);
    add_draft(m, face->cell, face->arm);
    for (size_t i = 0; i < n; i++) {
        add_draft(m, face->cell, arm[i]);
        rim->reach = fmax(rim->reach, carom_vec_norm(arm[i]));
    }
    for (size_t i = 0; i < n; i++) {
        const size_t a = first + 1 + i, b = first + 1 + (i + 1) % n;
        if (m->s->dimension == 2)
            add_line(m, first, a, face);
        else
            add_piece(m, first, turned ? b : a, turned ? a : b);
        if (is_nothing(m, &m->skin->piece[m->skin->npieces - 1], carom_vec_norm(arm[i])))
            m->skin->npieces--;
    }
    rim->count = (uint32_t)m->skin->npieces - rim->first;
}

static int compare(const void *a, const void *b)
{
    const struct draft *x = a, *y = b;
    for (int k = 0; k < 3; k++)
        if (x->key[k] != y->key[k])
            return x->key[k] < y->key[k] ? -1 : 1;
    return x->slot < y->slot ? -1 : x->slot > y->slot;
}

/* the corner is the last one */
static void share_corner(struct carom_solid_skin *skin, const struct draft *d)
{
    struct carom_skin_corner *corner = &skin->corner[skin->ncorners - 1];
    for (uint32_t i = 0; i < corner->count; i++)
        if (skin->owner[corner->first + i].cell == d->cell)
            return;
    if (corner->count == CAROM_SKIN_OWNERS)
        return;
    struct carom_skin_owner *owner = &skin->owner[skin->nowners++];
    corner->count++;
    owner->cell = d->cell;
    memcpy(owner->arm, d->arm, sizeof d->arm);
}

/* points that stand at one place become one corner, unless their cells may part */
static bool merge(struct making *m)
{
    struct carom_solid_skin *skin = m->skin;
    skin->corner = carom_memory_zeroed(m->ndrafts, sizeof *skin->corner);
    skin->owner = carom_memory_zeroed(m->ndrafts, sizeof *skin->owner);
    m->slot = carom_memory_zeroed(m->ndrafts, sizeof *m->slot);
    if (!skin->corner || !skin->owner || !m->slot)
        return false;
    qsort(m->draft, m->ndrafts, sizeof *m->draft, compare);
    for (size_t i = 0; i < m->ndrafts; i++) {
        const struct draft *now = &m->draft[i], *last = i > 0 ? now - 1 : NULL;
        const bool same =
            last && memcmp(now->key, last->key, sizeof now->key) == 0 && (!m->s->breaks || now->cell == last->cell);
        if (!same)
            skin->corner[skin->ncorners++].first = (uint32_t)skin->nowners;
        share_corner(skin, &m->draft[i]);
        m->slot[m->draft[i].slot] = (uint32_t)skin->ncorners - 1;
    }
    for (size_t p = 0; p < skin->npieces; p++)
        for (int k = 0; k < 3; k++)
            skin->piece[p].corner[k] = m->slot[skin->piece[p].corner[k]];
    return true;
}

/* Calls for all faces by rising cell: free ones and, where links may break, those at links. */
typedef void take_face(struct making *m, const struct carom_solid_face *face);

static void go_through(struct making *m, take_face *take)
{
    const struct carom_solid *s = m->s;
    size_t f = 0;
    for (size_t i = 0; i < s->n; i++) {
        m->link = CAROM_SKIN_FREE;
        for (; f < s->nfaces && s->face[f].cell == i; f++)
            take(m, &s->face[f]);
        for (size_t k = s->breaks ? s->bonds->begin[i] : 1; k < (s->breaks ? s->bonds->begin[i + 1] : 1); k++) {
            m->link = s->bonds->entry[k] / 2;
            const struct carom_solid_face face = carom_solid_skin_side(s, m->link, s->bonds->entry[k] % 2);
            take(m, &face);
        }
    }
}

/* sides of all faces together, and the shortest edge for the unit of places */
static void measure(struct making *m, const struct carom_solid_face *face)
{
    double arm[CAROM_SKIN_SIDES][3];
    m->sides += carom_solid_skin_outline(m->s, face, arm);
    m->faces++;
    for (int k = 0; k < m->s->dimension; k++)
        m->unit = fmin(m->unit, 1e-5 * carom_solid_sort_of(m->s, face->cell)->edge[k]);
}

static void add_to_rim(struct making *m, const struct carom_solid_face *face)
{
    struct carom_solid_skin *skin = m->skin;
    if (skin->nrims == 0 || skin->rim[skin->nrims - 1].cell != face->cell)
        skin->rim[skin->nrims++] = (struct carom_skin_rim){.cell = face->cell, .first = (uint32_t)skin->npieces};
    add_face(m, face);
}

struct carom_solid_skin *carom_solid_skin_create(const struct carom_solid *s)
{
    struct making m = {.s = s, .skin = carom_memory_zeroed(1, sizeof *m.skin), .unit = HUGE_VAL};
    if (!m.skin)
        return NULL;
    go_through(&m, measure);
    m.draft = carom_memory_zeroed(m.sides + m.faces, sizeof *m.draft);
    m.skin->piece = carom_memory_zeroed(m.sides, sizeof *m.skin->piece);
    m.skin->rim = carom_memory_zeroed(m.faces < s->n ? m.faces : s->n, sizeof *m.skin->rim);
    bool good = m.draft && m.skin->piece && m.skin->rim;
    if (good)
        go_through(&m, add_to_rim);
    good = good && merge(&m);
    carom_memory_free_all(m.draft, m.slot);
    if (good)
        return m.skin;
    carom_solid_skin_free(m.skin);
    return NULL;
}

bool carom_solid_skin_bare(const struct carom_solid *s, const struct carom_solid_skin *skin, size_t piece,
                           const double *q)
{
    const uint32_t link = skin->piece[piece].link;
    return link == CAROM_SKIN_FREE || carom_solid_fracture_damage(s, q)[link] == 1.0;
}

/* --- its points -------------------------------------------------------------------------------------------------- */

void carom_solid_skin_corner(const struct carom_solid *s, const struct carom_solid_skin *skin, size_t corner,
                             const double *q, double out[3])
{
    const struct carom_skin_corner *c = &skin->corner[corner];
    out[0] = out[1] = out[2] = 0.0;
    for (uint32_t i = 0; i < c->count; i++) {
        const struct carom_skin_owner *owner = &skin->owner[c->first + i];
        double place[3];
        carom_solid_moved(s, q, owner->cell, owner->arm, place);
        for (int k = 0; k < 3; k++)
            out[k] += place[k] / c->count;
    }
}

void carom_solid_skin_place(const struct carom_solid *s, const struct carom_solid_skin *skin, size_t piece,
                            const double share[3], const double *q, double out[3])
{
    out[0] = out[1] = out[2] = 0.0;
    for (int c = 0; c < 3; c++) {
        double corner[3];
        if (share[c] == 0.0)
            continue;
        carom_solid_skin_corner(s, skin, skin->piece[piece].corner[c], q, corner);
        for (int k = 0; k < 3; k++)
            out[k] += share[c] * corner[k];
    }
}

void carom_solid_skin_grip(const struct carom_solid *s, const struct carom_solid_skin *skin, size_t piece,
                           const double share[3], const double *q, struct carom_skin_grip *out)
{
    out->ncells = 0;
    for (int c = 0; c < 3; c++) {
        const struct carom_skin_corner *corner = &skin->corner[skin->piece[piece].corner[c]];
        for (uint32_t i = 0; share[c] != 0.0 && i < corner->count; i++) {
            const struct carom_skin_owner *owner = &skin->owner[corner->first + i];
            double turn[4];
            out->cell[out->ncells] = owner->cell;
            out->share[out->ncells] = share[c] / corner->count;
            carom_solid_quaternion(s, q, owner->cell, turn);
            carom_quat_turn(turn, owner->arm, out->arm[out->ncells]);
            out->ncells++;
        }
    }
}

double carom_solid_skin_rate(const struct carom_solid *s, const struct carom_skin_grip *grip, const double normal[3],
                             const double *q, const double *v)
{
    double rate = 0.0;
    for (size_t i = 0; i < grip->ncells; i++) {
        const size_t cell = grip->cell[i];
        double spin[3] = {0.0, 0.0, 0.0}, sweep[3], turn[4];
        if (s->dimension == 3) {
            carom_solid_turns_axes(s, cell, q, turn);
            carom_quat_turn(turn, v + 6 * cell + 3, spin);
        } else {
            spin[2] = v[3 * cell + 2];
        }
        carom_vec_cross(spin, grip->arm[i], sweep);
        for (int k = 0; k < s->dimension; k++)
            rate += grip->share[i] * normal[k] * (v[s->fast * cell + (size_t)k] + sweep[k]);
    }
    return rate;
}
