/* What the tests of elastic solids share. */
#ifndef CAROM_TESTS_SOLIDS_H
#define CAROM_TESTS_SOLIDS_H

#include "base/memory.h"
#include "check.h"
#include "mesh/voronoi.h"
#include "model/solid/solid.h"
#include "model/solid/solid_cells.h"

/* q of the unloaded body, to be freed */
static inline double *solid_rest(const struct carom_solid *s)
{
    double *q = carom_memory_zeroed(carom_solid_size(s), sizeof *q);
    CHECK_OR_STOP(q != NULL);
    carom_solid_rest(s, q);
    return q;
}

/* a box of relaxed Voronoi cells with a corner at 0 */
static inline struct carom_solid *solid_voronoi(const double size[3], size_t cells, size_t relax,
                                                const struct carom_solid_material *material)
{
    const struct carom_outline_shape box = {.kind = CAROM_OUTLINE_BOX, .size = {size[0], size[1], size[2]}};
    const struct carom_voronoi wish = {
        .region = {.nshapes = 1, .shape = &box}, .cells = cells, .seed = 1, .relax = relax};
    struct carom_mesh *mesh = carom_voronoi_mesh(&wish, NULL);
    CHECK_OR_STOP(mesh != NULL);
    struct carom_solid *s = carom_solid_cells(mesh, material, NULL);
    CHECK_OR_STOP(s != NULL);
    carom_mesh_free(mesh);
    return s;
}

/* room for forces of the body as it is now */
static inline double *solid_room(const struct carom_solid *s)
{
    double *room = carom_memory_zeroed(carom_solid_forces_room(s, true), sizeof *room);
    CHECK_OR_STOP(room != NULL);
    return room;
}

/* forces, and pressures (n) where wanted */
static inline void solid_forces(const struct carom_solid *s, struct carom_threads *threads, double t, const double *q,
                                double *f, double *pressure)
{
    double *room = solid_room(s);
    const struct carom_solid_work work = carom_solid_forces_work(s, true, room);
    carom_solid_forces(s, &work, threads, t, q, f);
    for (size_t i = 0; pressure && i < s->n; i++)
        pressure[i] = work.pressure[i];
    carom_memory_free(room);
}

/* elastic energy and that of gravity at time t */
static inline double solid_energy(const struct carom_solid *s, double t, const double *q)
{
    double *room = solid_room(s);
    const struct carom_solid_work work = carom_solid_forces_work(s, true, room);
    const double energy = carom_solid_forces_energy(s, &work, NULL, t, q);
    carom_memory_free(room);
    return energy;
}

#endif
