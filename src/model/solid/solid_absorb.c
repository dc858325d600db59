/* Sides that absorb waves: dashpots on their faces, after Lysmer and Kuhlemeyer 1969. A face of area S takes the force
 * S rho (c_p v_n n + c_s v_t) from the body, which is what the rest of an endless one would take from a wave that comes
 * in along the normal. Boxes are cut through the centres of the cells there (solid_halve.c); general cells lose the
 * mass of what stands between the centre and the face, which an outgoing wave passes without a force of its own.
 * Directions are those of the unloaded body.
 *
 * Cells also turn with a shear wave, and links bend where the turn changes along it: the moment E R phi', R the second
 * moment of the face, goes on into the rest with phi' = -phi. / c_s. So faces take moments E R / c_s times the spin,
 * without which the end of the body would be too soft by a part of first order in the cell size.
 *
 * Waves of q = k a on a row of cells carry less energy than those of the body, by a part of order q^2 (on a row of
 * springs cos(q / 2)), so dashpots at the last centre take too much: 2 to 4 % of a wave of ten cells comes back. In
 * boxes they therefore act on INWARD of the velocity of the cell behind and 1 - INWARD of the last one's, which takes
 * 1 - INWARD (1 - INWARD) q^2 of it. That lags, as a mass at the end would: with m / 2 - (2 - INWARD) INWARD m there
 * instead of m / 2 nothing of first order is left. INWARD and the part of the moments, TURNING, are those for which the
 * largest part of P and S waves of 8 to 40 cells that comes back is least, solved on a row for nu from 0 to 0.4; they
 * belong to the grid, not to a material. */
#include "base/memory.h"
#include "model/solid/solid.h"

#define INWARD 0.1
#define TURNING 2.5

static bool has_side(const struct carom_solid *s, uint32_t side)
{
    for (size_t f = 0; f < s->nfaces; f++)
        if (s->face[f].side == side)
            return true;
    return false;
}

/* boxes of one cell across the side, and walls of shells, have nothing to be cut from */
static bool is_thick(const struct carom_solid *s, uint32_t side)
{
    const bool vertical = side == CAROM_SOLID_BOTTOM || side == CAROM_SOLID_TOP;
    if (s->grid.count[0] == 0)
        return true;
    if (s->grid.shell)
        return vertical && s->grid.count[2] > 1;
    const size_t axis = vertical ? (size_t)s->dimension - 1 : side == CAROM_SOLID_FRONT || side == CAROM_SOLID_BACK;
    return s->grid.count[axis] > 1;
}

/* may some cell there move along the normal? */
static bool is_loose(const struct carom_solid *s, uint32_t side)
{
    for (size_t f = 0; f < s->nfaces; f++)
        for (unsigned k = 0; s->face[f].side == side && k < (unsigned)s->dimension; k++)
            if (fabs(s->face[f].normal[k]) > 0.5 && !carom_solid_holds(s, s->face[f].cell, k))
                return true;
    return false;
}

enum carom_status carom_solid_absorb(struct carom_solid *s, enum carom_solid_side side, struct carom_error *error)
{
    if (!s)
        return carom_error_missing(error);
    if (!has_side(s, (uint32_t)side))
        return carom_error_set(error, CAROM_E_INPUT, "the body has no such side to absorb waves");
    if (!is_thick(s, (uint32_t)side))
        return carom_error_set(error, CAROM_E_INPUT, "a side absorbs waves if there are two cells or more across it");
    if (!is_loose(s, (uint32_t)side))
        return carom_error_set(error, CAROM_E_INPUT, "a side that is clamped or driven all over does not absorb");
    for (size_t i = 0; i < s->nabsorbing; i++)
        if (s->absorbing[i] == (uint32_t)side)
            return carom_error_set(error, CAROM_E_INPUT, "this side is named twice");
    if (!carom_memory_widen(&s->absorbing, s->nabsorbing, s->nabsorbing + 1, sizeof *s->absorbing))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a solid");
    s->absorbing[s->nabsorbing++] = (uint32_t)side;
    return CAROM_OK;
}

static bool absorbs(const struct carom_solid *s, const struct carom_solid_face *face)
{
    for (size_t i = 0; i < s->nabsorbing; i++)
        if (s->absorbing[i] == face->side)
            return true;
    return false;
}

/* general cells have sorts of their own */
static void lighten(struct carom_solid *s, const struct carom_solid_face *face)
{
    struct carom_solid_sort *sort = &s->sorts[s->sort[face->cell]];
    sort->mass *= fmax(1.0 - face->area * carom_vec_dot(face->arm, face->normal) / sort->volume, 0.25);
    sort->inverse_mass = 1.0 / sort->mass;
}

/* cells of boxes share theirs: line is the number + 1 of what each became */
static bool lighten_shared(struct carom_solid *s, const struct carom_solid_face *face, uint32_t *line)
{
    uint32_t *at = &line[s->sort[face->cell]];
    if (*at == 0) {
        if (!carom_memory_widen(&s->sorts, s->nsorts, s->nsorts + 1, sizeof *s->sorts))
            return false;
        s->sorts[s->nsorts] = s->sorts[s->sort[face->cell]];
        s->sorts[s->nsorts].mass *= 1.0 - 2.0 * INWARD * (2.0 - INWARD);
        s->sorts[s->nsorts].inverse_mass = 1.0 / s->sorts[s->nsorts].mass;
        *at = (uint32_t)++s->nsorts;
    }
    s->sort[face->cell] = *at - 1;
    return true;
}

/* one side after the other, so that a cell in a corner becomes lighter twice */
static bool lighten_side(struct carom_solid *s, uint32_t side)
{
    uint32_t *line = carom_memory_zeroed(s->nsorts, sizeof *line);
    bool good = line != NULL;
    for (size_t f = 0; good && f < s->nfaces; f++)
        if (s->face[f].side == side && !s->cells)
            good = lighten_shared(s, &s->face[f], line);
        else if (s->face[f].side == side)
            lighten(s, &s->face[f]);
    carom_memory_free(line);
    return good;
}

/* second moments of a face about the axes of space; of general cells as if it were a square */
static void second_moments(const struct carom_solid *s, const struct carom_solid_face *face, double out[3])
{
    const double *edge = carom_solid_sort_of(s, face->cell)->edge;
    for (int k = 0; k < 3; k++)
        out[k] = face->area * face->area / 12.0;
    for (int k = 0; k < 3 && s->grid.count[0] > 0 && !s->grid.shell; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        if (face->normal[k] == 0.0)
            continue;
        out[a] = face->area * edge[b] * edge[b] / 12.0;
        out[b] = face->area * edge[a] * edge[a] / 12.0;
        out[k] = out[a] + out[b];
    }
}

/* the cell behind in a box, a step against the normal */
static uint32_t behind(const struct carom_solid *s, const struct carom_solid_face *face)
{
    size_t step = 1, axis = 0;
    while (axis < 2 && fabs(face->normal[axis]) < 0.5)
        step *= s->grid.count[axis++];
    return face->normal[axis] > 0.0 ? face->cell - (uint32_t)step : face->cell + (uint32_t)step;
}

static struct carom_solid_absorber absorber_of(const struct carom_solid *s, const struct carom_solid_face *face)
{
    const struct carom_solid_sort *sort = carom_solid_sort_of(s, face->cell);
    const double weight = face->area * s->material[sort->material].density, young = s->material[sort->material].young;
    const bool box = s->grid.count[0] > 0;
    struct carom_solid_absorber a = {.cell = face->cell, .inner = box ? behind(s, face) : face->cell};
    double p, slow, moment[3];
    carom_solid_speeds(s, sort->material, &p, &slow);
    second_moments(s, face, moment);
    a.inward = box ? INWARD : 0.0;
    a.mass = 1.0 / ((1.0 - a.inward) * (1.0 - a.inward) * sort->inverse_mass +
                    a.inward * a.inward * carom_solid_sort_of(s, a.inner)->inverse_mass);
    a.along = weight * p / a.mass;
    a.across = weight * slow / a.mass;
    for (int k = 0; k < 3; k++) {
        a.normal[k] = face->normal[k];
        a.turn[k] = (box ? TURNING : 1.0) * young * moment[k] / slow *
                    (s->framed ? (sort->inverse_inertia[0] + sort->inverse_inertia[1] + sort->inverse_inertia[2]) / 3.0
                               : sort->inverse_inertia[k]);
    }
    return a;
}

enum carom_status carom_solid_absorb_ready(struct carom_solid *s, struct carom_error *error)
{
    if (!s)
        return carom_error_missing(error);
    size_t faces = 0;
    bool good = true;
    for (size_t f = 0; f < s->nfaces; f++)
        faces += absorbs(s, &s->face[f]) ? 1 : 0;
    for (size_t i = 0; good && i < s->nabsorbing; i++)
        good = lighten_side(s, s->absorbing[i]);
    s->absorber = good ? carom_memory_zeroed(faces, sizeof *s->absorber) : NULL;
    if (!s->absorber)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a solid");
    for (size_t f = 0; f < s->nfaces; f++)
        if (absorbs(s, &s->face[f]))
            s->absorber[s->nabsorbers++] = absorber_of(s, &s->face[f]);
    return CAROM_OK;
}
