/* Which reader a mesh file is for, and what all files have in common. */
#include "mesh/read.h"

#include <string.h>

#include "mesh/weld.h"

static bool ends_in(const char *name, const char *ending)
{
    const size_t length = strlen(name), last = strlen(ending);
    return length > last && strcmp(name + length - last, ending) == 0;
}

static bool read_any(const char *name, struct carom_source *s, struct carom_draft *d)
{
    if (ends_in(name, ".msh"))
        return carom_read_msh(s, d);
    if (ends_in(name, ".inp"))
        return carom_read_inp(s, d);
    if (ends_in(name, ".vtk"))
        return carom_read_vtk(s, d);
    if (ends_in(name, ".vtu"))
        return carom_read_vtu(s, d);
    carom_error_set(s->error, CAROM_E_INPUT, "a mesh is a file .msh (Gmsh), .inp (Abaqus), .vtk or .vtu (VTK)");
    return false;
}

bool carom_read_cells_once(struct carom_source *source, const struct carom_draft *draft,
                           struct carom_source_names *cells)
{
    carom_source_names_sort(cells);
    const size_t i = carom_source_names_twice(cells, 1);
    if (i == cells->count)
        return true;
    source->line = draft->cell[cells->list[i].index].line;
    return carom_source_wrong(source, "there is another element before this one with the number '%llu'",
                              (unsigned long long)cells->list[i].name);
}

struct carom_mesh *carom_read(const char *name, const char *text, size_t length, double unit, struct carom_error *error)
{
    struct carom_source s = {text, text + length, 1, error};
    struct carom_draft d = {.loose = false};
    struct carom_mesh *mesh = NULL;
    const bool good = read_any(name, &s, &d);
    for (size_t i = 0; i < d.nodes.count; i++)
        for (int k = 0; k < 3; k++)
            d.node[i][k] *= unit;
    if (good && d.loose && !carom_weld(&d)) /* in VTK's files every cell may have points of its own */
        carom_source_memory(&s);
    else if (good)
        mesh = carom_assemble(&d, error);
    carom_draft_free(&d);
    return mesh;
}
