/* Bodies of general convex cells, out of a mesh: every cell is a sort and every face between two a shape of its own.
 * Cells move about their centres of mass; links go from centre to centre and act where their face has its centre. The
 * method wants faces across the links: how far they are from that stands in `skew`. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "model/solid/solid.h"
#include "model/solid/solid_cells.h"
#include "solve/eigen.h"

static const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};

/* the quaternion of the rotation whose columns are these axes */
static void quaternion(double axis[3][3], double out[4])
{
    const double trace = axis[0][0] + axis[1][1] + axis[2][2];
    int most = 0; /* 0: the real part is among the largest, else 1 + its axis */
    double value = trace;
    for (int k = 0; k < 3; k++)
        if (axis[k][k] > value) {
            value = axis[k][k];
            most = k + 1;
        }
    const double size = sqrt(most == 0 ? 1.0 + trace : 1.0 + 2.0 * value - trace);
    if (most == 0) {
        out[0] = 0.5 * size;
        for (int k = 0; k < 3; k++) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            out[k + 1] = 0.5 / size * (axis[j][i] - axis[i][j]);
        }
        return;
    }
    const int k = most - 1, i = (k + 1) % 3, j = (k + 2) % 3;
    out[0] = 0.5 / size * (axis[j][i] - axis[i][j]);
    out[k + 1] = 0.5 * size;
    out[i + 1] = 0.5 / size * (axis[i][k] + axis[k][i]);
    out[j + 1] = 0.5 / size * (axis[j][k] + axis[k][j]);
}

/* Principal axes and radii of gyration from the integral of r r; the edges are those of the box with the same. */
static bool make_sort(const struct carom_bulk *bulk, uint32_t number, struct carom_solid_sort *sort)
{
    double a[9], vector[9] = {0.0}, value[3], scratch[3], axis[3][3];
    for (int k = 0; k < 6; k++)
        a[3 * row[k] + column[k]] = a[3 * column[k] + row[k]] = bulk->moment[k] / bulk->volume;
    if (!carom_eigen_symmetric_vectors(3, a, value, scratch, vector) || !(value[0] > 0.0))
        return false;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            axis[i][k] = vector[3 * i + k];
    const double hand = axis[0][0] * (axis[1][1] * axis[2][2] - axis[1][2] * axis[2][1]) -
                        axis[0][1] * (axis[1][0] * axis[2][2] - axis[1][2] * axis[2][0]) +
                        axis[0][2] * (axis[1][0] * axis[2][1] - axis[1][1] * axis[2][0]);
    for (int i = 0; i < 3 && hand < 0.0; i++)
        axis[i][2] = -axis[i][2];
    *sort = (struct carom_solid_sort){.volume = bulk->volume, .form = number};
    quaternion(axis, sort->frame);
    for (int k = 0; k < 3; k++) {
        sort->gyration[k] = value[(k + 1) % 3] + value[(k + 2) % 3];
        sort->edge[k] = sqrt(12.0 * value[k]);
    }
    return true;
}

/* The area is what the link sees of the face, S cos of its skew angle: so the sum of S D over all links is three times
 * the volume, which a uniform strain asks for. Moments about axes in the face, (R_s s s + R_t t t) / D, are all of the
 * integral but what is along the normal. */
static void make_shape(const struct carom_mesh *mesh, const struct carom_mesh_link *link, uint32_t number,
                       struct carom_solid_cut *cut, struct carom_solid_shape *shape)
{
    const struct carom_facet *f = &link->facet;
    const double *from = mesh->cell[link->cell[0]].centre, *to = mesh->cell[link->cell[1]].centre;
    *shape = (struct carom_solid_shape){.stiff = 0.0};
    for (int k = 0; k < 3; k++) {
        shape->apart[k] = to[k] - from[k];
        shape->arm[k] = f->centre[k] - from[k];
    }
    const double distance = carom_vec_norm(shape->apart), across = carom_vec_dot(shape->apart, f->normal);
    const double polar = f->moment[0] + f->moment[1] + f->moment[2];
    *cut = (struct carom_solid_cut){
        .area = f->area * across / distance, .share = carom_vec_dot(shape->arm, f->normal) / across, .form = number};
    for (int k = 0; k < 6; k++)
        cut->bend[k] =
            ((k < 3 ? polar : 0.0) - polar * f->normal[row[k]] * f->normal[column[k]] - f->moment[k]) / distance;
}

static void make_face(const struct carom_mesh *mesh, const struct carom_mesh_face *from, struct carom_solid_face *to,
                      struct carom_solid_sort *sort)
{
    const struct carom_facet *f = &from->facet;
    *to = (struct carom_solid_face){.cell = from->cell, .side = from->side, .area = f->area};
    for (int k = 0; k < 3; k++) {
        to->arm[k] = f->centre[k] - mesh->cell[from->cell].centre[k];
        to->normal[k] = f->normal[k];
    }
    to->volume = f->area * carom_vec_dot(to->arm, f->normal) / 3.0;
    sort->free += to->volume;
}

static enum carom_status fill(struct carom_solid *s, struct carom_mesh *mesh, struct carom_error *error)
{
    for (size_t i = 0; i < s->n; i++) {
        if (!(mesh->cell[i].volume > 0.0) || !make_sort(&mesh->cell[i], (uint32_t)i, &s->sorts[i]))
            return carom_error_set(error, CAROM_E_INPUT, "cell %zu is flat: its volume is %g", i, mesh->cell[i].volume);
        memcpy(s->centre[i], mesh->cell[i].centre, sizeof s->centre[i]);
        s->sort[i] = (uint32_t)i;
    }
    for (size_t l = 0; l < s->nlinks; l++) {
        const struct carom_mesh_link *link = &mesh->link[l];
        s->link[l] = (struct carom_solid_link){{link->cell[0], link->cell[1]}, (uint32_t)l};
        make_shape(mesh, link, (uint32_t)l, &s->cut[l], &s->shape[l]);
    }
    for (size_t f = 0; f < s->nfaces; f++)
        make_face(mesh, &mesh->face[f], &s->face[f], &s->sorts[mesh->face[f].cell]);
    carom_mesh_skew(mesh, &s->cells->skew);
    s->cells->look = mesh->look;
    s->cells->surface = mesh->surface;
    s->cells->nsurfaces = mesh->nsurfaces;
    mesh->look = (struct carom_mesh_look){.point = NULL};
    mesh->surface = NULL;
    for (size_t i = 0; i < mesh->nsets; i++)
        if (carom_solid_add_set(s, mesh->set[i].name, mesh->set[i].count, mesh->set[i].cell, error) != CAROM_OK)
            return error ? error->status : CAROM_E_INPUT;
    return CAROM_OK;
}

struct carom_solid *carom_solid_cells(struct carom_mesh *mesh, const struct carom_solid_material *material,
                                      struct carom_error *error)
{
    if (carom_solid_mesh_check(material, error) != CAROM_OK)
        return NULL;
    struct carom_solid *s =
        carom_solid_mesh_create(CAROM_SOLID_SPACE, mesh->n, mesh->nlinks, mesh->n, mesh->nlinks, mesh->nfaces, error);
    if (!s)
        return NULL;
    s->cells = carom_memory_zeroed(1, sizeof *s->cells);
    s->material = carom_memory_zeroed(1, sizeof *s->material);
    s->nmaterials = 1;
    enum carom_status status =
        s->cells && s->material ? CAROM_OK : carom_error_set(error, CAROM_E_MEMORY, "out of memory for a solid");
    if (status == CAROM_OK) {
        s->material[0] = *material;
        status = fill(s, mesh, error);
    }
    if (status == CAROM_OK)
        status = carom_solid_mesh_ready(s, error);
    if (status == CAROM_OK)
        return s;
    carom_solid_free(s);
    return NULL;
}

void carom_solid_cells_free(struct carom_solid_cells *cells)
{
    if (!cells)
        return;
    carom_mesh_look_free(&cells->look);
    carom_memory_free_all(cells->surface, cells);
}
