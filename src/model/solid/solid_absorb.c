/* Sides that absorb waves: dashpots on their faces, after Lysmer and Kuhlemeyer 1969. A face of area S takes the force
 * S rho (c_p v_n n + c_s v_t) from its cell, which is what the rest of an endless body would take from a wave that
 * comes in along the normal. It acts at the cell's centre: boxes are cut there (solid_halve.c), and general cells lose
 * the mass of what stands between the centre and the face, which an outgoing wave passes without a force of its own.
 * Directions are those of the unloaded body.
 *
 * Cells also turn with a shear wave, and links bend where the turn changes along it: the moment E R phi', R the second
 * moment of the face, goes on into the rest with phi' = -phi. / c_s. So faces take moments E R / c_s times the spin,
 * without which the end of the body would be too soft by a part of first order in the cell size. */
#include "base/memory.h"
#include "model/solid/solid.h"
#include "solve/eigen.h"

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
    if (!has_side(s, (uint32_t)side))
        return carom_error_set(error, CAROM_E_INPUT, "the body has no such side to absorb waves");
    if (!is_thick(s, (uint32_t)side))
        return carom_error_set(error, CAROM_E_INPUT, "a side absorbs waves if there are two cells or more across it");
    if (!is_loose(s, (uint32_t)side))
        return carom_error_set(error, CAROM_E_INPUT, "a side that is clamped or driven all over does not absorb");
    for (size_t i = 0; i < s->nabsorbing; i++)
        if (s->absorbing[i] == (uint32_t)side)
            return carom_error_set(error, CAROM_E_INPUT, "this side is named twice");
    uint32_t *grown = carom_memory_grow(s->absorbing, s->nabsorbing, s->nabsorbing + 1, sizeof *grown);
    if (!grown)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a solid");
    s->absorbing = grown;
    grown[s->nabsorbing++] = (uint32_t)side;
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

/* a += S rho (c_p n n + c_s (1 - n n)) */
static void add_face(const struct carom_solid *s, const struct carom_solid_face *face, double a[9])
{
    const uint32_t material = carom_solid_sort_of(s, face->cell)->material;
    double p, slow;
    carom_solid_speeds(s, material, &p, &slow);
    const double weight = face->area * s->material[material].density;
    for (size_t k = 0; k < 3; k++)
        for (size_t l = 0; l < 3; l++)
            a[3 * k + l] += weight * ((p - slow) * face->normal[k] * face->normal[l] + (k == l ? slow : 0.0));
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

static void add_turn(const struct carom_solid *s, const struct carom_solid_face *face, double turn[3])
{
    const struct carom_solid_sort *sort = carom_solid_sort_of(s, face->cell);
    double p, slow, moment[3];
    carom_solid_speeds(s, sort->material, &p, &slow);
    second_moments(s, face, moment);
    for (int k = 0; k < 3; k++)
        turn[k] += s->material[sort->material].young * moment[k] / slow *
                   (s->framed ? (sort->inverse_inertia[0] + sort->inverse_inertia[1] + sort->inverse_inertia[2]) / 3.0
                              : sort->inverse_inertia[k]);
}

/* rates and axes out of the sum over the faces of a cell */
static bool finish(const struct carom_solid *s, struct carom_solid_absorber *to, double a[9])
{
    double scratch[3], vector[9] = {0.0};
    const double mass = carom_solid_sort_of(s, to->cell)->mass;
    const bool straight = a[1] == 0.0 && a[2] == 0.0 && a[5] == 0.0;
    for (size_t k = 0; k < 3 && straight; k++) {
        to->rate[k] = a[4 * k] / mass;
        to->axis[k][k] = 1.0;
    }
    if (straight)
        return true;
    if (!carom_eigen_symmetric_vectors(3, a, to->rate, scratch, vector))
        return false;
    for (size_t k = 0; k < 3; k++) {
        to->rate[k] /= mass;
        for (size_t l = 0; l < 3; l++)
            to->axis[k][l] = vector[3 * l + k];
    }
    return true;
}

enum carom_status carom_solid_absorb_ready(struct carom_solid *s, struct carom_error *error)
{
    size_t faces = 0;
    for (size_t f = 0; f < s->nfaces; f++)
        faces += absorbs(s, &s->face[f]) ? 1 : 0;
    s->absorber = carom_memory_zeroed(faces, sizeof *s->absorber);
    if (!s->absorber)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a solid");
    for (size_t f = 0; f < s->nfaces && s->cells; f++)
        if (absorbs(s, &s->face[f]))
            lighten(s, &s->face[f]);
    for (size_t f = 0, i = 0; f < s->nfaces; i++) { /* faces rise with their cells */
        double sum[9] = {0.0}, turn[3] = {0.0, 0.0, 0.0};
        bool any = false;
        for (i = f; f < s->nfaces && s->face[f].cell == s->face[i].cell; f++)
            if (absorbs(s, &s->face[f])) {
                add_face(s, &s->face[f], sum);
                add_turn(s, &s->face[f], turn);
                any = true;
            }
        if (!any)
            continue;
        s->absorber[s->nabsorbers] =
            (struct carom_solid_absorber){.cell = s->face[i].cell, .turn = {turn[0], turn[1], turn[2]}};
        if (!finish(s, &s->absorber[s->nabsorbers++], sum))
            return carom_error_set(error, CAROM_E_NUMERIC, "cell %u has absorbing faces of no size",
                                   (unsigned)s->face[i].cell);
    }
    return CAROM_OK;
}
