/* Meshes of convex polyhedra: their life, and how skew their links are. */
#include "mesh/mesh.h"

#include <math.h>

#include "base/memory.h"
#include "base/vec.h"

void carom_mesh_look_free(struct carom_mesh_look *look)
{
    carom_memory_free_all(look->point, look->arm);
    *look = (struct carom_mesh_look){.point = NULL};
}

void carom_mesh_free(struct carom_mesh *m)
{
    if (!m)
        return;
    for (size_t i = 0; m->set && i < m->nsets; i++)
        carom_memory_free(m->set[i].cell);
    carom_mesh_look_free(&m->look);
    carom_memory_free_all(m->cell, m->link, m->face, m->set, m->surface, m);
}

void carom_mesh_skew(const struct carom_mesh *m, struct carom_mesh_skew *skew)
{
    double area = 0.0;
    *skew = (struct carom_mesh_skew){.least = 1.0};
    for (size_t l = 0; l < m->nlinks; l++) {
        const struct carom_mesh_link *link = &m->link[l];
        const double *from = m->cell[link->cell[0]].centre, *to = m->cell[link->cell[1]].centre;
        double apart[3], arm[3];
        for (int k = 0; k < 3; k++) {
            apart[k] = to[k] - from[k];
            arm[k] = link->facet.centre[k] - from[k];
        }
        const double length = carom_vec_norm(apart), along = carom_vec_dot(arm, apart) / (length * length);
        for (int k = 0; k < 3; k++)
            arm[k] -= along * apart[k];
        const double cosine = carom_vec_dot(apart, link->facet.normal) / length, off = carom_vec_norm(arm) / length;
        area += link->facet.area;
        skew->cosine += link->facet.area * cosine;
        skew->offset += link->facet.area * off;
        skew->most = fmax(skew->most, off);
        if (cosine < skew->least) {
            skew->least = cosine;
            skew->worst = l;
        }
    }
    skew->cosine = area > 0.0 ? skew->cosine / area : 1.0;
    skew->offset = area > 0.0 ? skew->offset / area : 0.0;
}
