/* The surface of a solid. Free faces are fans of triangles (in the plane two lines) around their middles; a middle
 * belongs to its cell, a corner to all cells with a free face there, and moves as the mean of where these would put
 * it. So the surface stays closed while cells turn, and the distance of a point outside is a function without jumps
 * of the cells' coordinates; its slopes are forces that balance. */
#include "model/solid/solid_skin.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/solid/solid.h"
#include "model/solid/solid_cells.h"
#include "model/solid/solid_turns.h"

enum { MOST_SIDES = 256 };

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
    size_t ndrafts, room;
    double unit;
};

void carom_solid_skin_free(struct carom_solid_skin *skin)
{
    if (!skin)
        return;
    carom_memory_free(skin->corner);
    carom_memory_free(skin->piece);
    carom_memory_free(skin->rim);
    carom_memory_free(skin);
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

/* the polygon of the look that stands where the face is */
static size_t outline_of_cell(const struct carom_solid *s, const struct carom_solid_face *face, double (*arm)[3])
{
    const struct carom_mesh_look *look = &s->cells->look;
    uint64_t best = look->face[face->cell];
    double least = HUGE_VAL;
    for (uint64_t f = look->face[face->cell]; f < look->face[face->cell + 1]; f++) {
        double middle[3] = {0.0, 0.0, 0.0}, off = 0.0;
        const double n = (double)(look->side[f + 1] - look->side[f]);
        for (uint64_t i = look->side[f]; i < look->side[f + 1]; i++)
            for (int k = 0; k < 3; k++)
                middle[k] += (double)look->arm[look->point[face->cell] + look->corner[i]][k] / n;
        for (uint64_t i = look->side[f]; i < look->side[f + 1]; i++) {
            const float *at = look->arm[look->point[face->cell] + look->corner[i]];
            double high = 0.0;
            for (int k = 0; k < 3; k++)
                high += ((double)at[k] - face->arm[k]) * face->normal[k];
            off = fmax(off, fabs(high));
        }
        for (int k = 0; k < 3; k++)
            off += 1e-3 * fabs(middle[k] - face->arm[k]); /* of two in one plane the nearer */
        if (off < least) {
            least = off;
            best = f;
        }
    }
    size_t n = 0;
    for (uint64_t i = look->side[best]; i < look->side[best + 1] && n < MOST_SIDES; i++, n++)
        for (int k = 0; k < 3; k++)
            arm[n][k] = (double)look->arm[look->point[face->cell] + look->corner[i]][k];
    return n;
}

static size_t outline(const struct carom_solid *s, const struct carom_solid_face *face, double (*arm)[3])
{
    return s->cells ? outline_of_cell(s, face, arm) : outline_of_box(s, face, arm);
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
    m->skin->piece[m->skin->npieces++] = (struct carom_skin_piece){.corner = {(uint32_t)a, (uint32_t)b, (uint32_t)c}};
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

/* a fan around the middle of a face; its corners by the numbers of drafts */
static void add_face(struct making *m, const struct carom_solid_face *face)
{
    double arm[MOST_SIDES][3];
    const size_t n = outline(m->s, face, arm), first = m->ndrafts;
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

static void share_corner(struct carom_skin_corner *corner, const struct draft *d)
{
    for (uint32_t i = 0; i < corner->count; i++)
        if (corner->cell[i] == d->cell)
            return;
    if (corner->count == CAROM_SKIN_OWNERS)
        return;
    corner->cell[corner->count] = d->cell;
    memcpy(corner->arm[corner->count++], d->arm, sizeof d->arm);
}

/* points that stand at one place become one corner, unless their cells may part */
static bool merge(struct making *m)
{
    struct carom_solid_skin *skin = m->skin;
    skin->corner = carom_memory_zeroed(m->ndrafts, sizeof *skin->corner);
    m->slot = carom_memory_zeroed(m->ndrafts, sizeof *m->slot);
    if (!skin->corner || !m->slot)
        return false;
    qsort(m->draft, m->ndrafts, sizeof *m->draft, compare);
    for (size_t i = 0; i < m->ndrafts; i++) {
        const struct draft *now = &m->draft[i], *last = i > 0 ? now - 1 : NULL;
        const bool same =
            last && memcmp(now->key, last->key, sizeof now->key) == 0 && (!m->s->breaks || now->cell == last->cell);
        skin->ncorners += !same;
        share_corner(&skin->corner[skin->ncorners - 1], &m->draft[i]);
        m->slot[m->draft[i].slot] = (uint32_t)skin->ncorners - 1;
    }
    for (size_t p = 0; p < skin->npieces; p++)
        for (int k = 0; k < 3; k++)
            skin->piece[p].corner[k] = m->slot[skin->piece[p].corner[k]];
    return true;
}

/* sides of all faces together, and the shortest edge for the unit of places */
static size_t measure(struct making *m)
{
    double arm[MOST_SIDES][3];
    size_t sides = 0;
    double least = HUGE_VAL;
    for (size_t f = 0; f < m->s->nfaces; f++) {
        const size_t n = outline(m->s, &m->s->face[f], arm);
        sides += n;
        for (int k = 0; k < m->s->dimension; k++)
            least = fmin(least, carom_solid_sort_of(m->s, m->s->face[f].cell)->edge[k]);
    }
    m->unit = 1e-5 * least;
    return sides;
}

struct carom_solid_skin *carom_solid_skin_create(const struct carom_solid *s)
{
    struct making m = {.s = s, .skin = carom_memory_zeroed(1, sizeof *m.skin)};
    if (!m.skin)
        return NULL;
    const size_t sides = measure(&m);
    m.draft = carom_memory_zeroed(sides + s->nfaces, sizeof *m.draft);
    m.skin->piece = carom_memory_zeroed(sides, sizeof *m.skin->piece);
    m.skin->rim = carom_memory_zeroed(s->nfaces, sizeof *m.skin->rim);
    bool good = m.draft && m.skin->piece && m.skin->rim;
    for (size_t f = 0; good && f < s->nfaces; f++) { /* faces go by rising cell */
        const struct carom_skin_rim *last = m.skin->nrims > 0 ? &m.skin->rim[m.skin->nrims - 1] : NULL;
        if (!last || last->cell != s->face[f].cell)
            m.skin->rim[m.skin->nrims++] =
                (struct carom_skin_rim){.cell = s->face[f].cell, .first = (uint32_t)m.skin->npieces};
        add_face(&m, &s->face[f]);
    }
    good = good && merge(&m);
    carom_memory_free(m.draft);
    carom_memory_free(m.slot);
    if (good)
        return m.skin;
    carom_solid_skin_free(m.skin);
    return NULL;
}

/* --- its points -------------------------------------------------------------------------------------------------- */

void carom_solid_skin_corner(const struct carom_solid *s, const struct carom_skin_corner *c, const double *q,
                             double out[3])
{
    out[0] = out[1] = out[2] = 0.0;
    for (uint32_t i = 0; i < c->count; i++) {
        double place[3];
        carom_solid_moved(s, q, c->cell[i], c->arm[i], place);
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
        carom_solid_skin_corner(s, &skin->corner[skin->piece[piece].corner[c]], q, corner);
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
            double turn[4];
            out->cell[out->ncells] = corner->cell[i];
            out->share[out->ncells] = share[c] / corner->count;
            carom_solid_quaternion(s, q, corner->cell[i], turn);
            carom_quat_turn(turn, corner->arm[i], out->arm[out->ncells]);
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
