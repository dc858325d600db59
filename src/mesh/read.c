/* Which reader a mesh file is for, and what all files have in common. */
#include "mesh/read.h"

#include <string.h>

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

struct carom_mesh *carom_read(const char *name, const char *text, size_t length, double unit, struct carom_error *error)
{
    struct carom_source s = {text, text + length, 1, error};
    struct carom_draft d = {.loose = false};
    struct carom_mesh *mesh = NULL;
    const bool good = read_any(name, &s, &d);
    for (size_t i = 0; i < d.nodes.count; i++)
        for (int k = 0; k < 3; k++)
            d.node[i][k] *= unit;
    if (good)
        mesh = carom_assemble(&d, error);
    carom_draft_free(&d);
    return mesh;
}
