/* The tables of the keys of solids of general cells. */
#include "scene/keys/keys_voronoi.h"
#include "scene/keys/keys_rows.h"

static const char *const axes[] = {"x", "y", "z", NULL};
static const struct carom_param no_params[] = {CAROM_PARAM_END};

static const struct carom_param voronoi_params[] = {
    INTEGER(voronoi, cells, CAROM_REQUIRED, 1, 4e8, "how many"),
    INTEGER(voronoi, seed, 1, 0, 9e15, "of the points at the start"),
    INTEGER(voronoi, relax, 50, 0, 1e5,
            "how often all points go to the centres of their cells (Lloyd); 0: points as drawn, whose links are skew"),
    CAROM_PARAM_END,
};
static const struct carom_key voronoi_others[] = {
    {"box", "map of size, origin", "none", "the region: a box; its faces are left, right, front, back, bottom, top"},
    {"cylinder", "map", "none", "instead of box: a full cylinder; its round face is outside"},
    {"sphere", "map of radius, origin", "none", "instead of box: a ball; its face is outside"},
    {"within", "list of box, cylinder, sphere, plane", "none", "what the region is in common with"},
    {"holes", "list of box, cylinder, sphere", "none", "what is taken away; the faces of holes are inside"},
    {"fine", "list of near, within, times", "none", "places with smaller cells"},
    KEY_END,
};
const struct carom_section carom_keys_voronoi =
    SECTION("solid voronoi", "a body of Voronoi cells in space", voronoi, voronoi, voronoi_others);

static const struct carom_key box_others[] = {
    {"size", "list of 3 lengths", NULL, "edges"},
    {"origin", "list of 3 lengths", "0", "the corner with the smallest coordinates"},
    KEY_END,
};
const struct carom_section carom_keys_voronoi_box = {{"voronoi box", "a box of voronoi, within or holes", no_params, 0},
                                                     box_others};

static const struct carom_param cylinder_params[] = {
    REAL(voronoi_cylinder, radius, CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "m", "its radius"),
    REAL(voronoi_cylinder, height, CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "m", "along the axis"),
    CHOICE(voronoi_cylinder, axis, 2, 2, "where it points", axes),
    CAROM_PARAM_END,
};
static const struct carom_key cylinder_others[] = {
    {"diameter", "number of m", "none", "instead of radius"},
    {"origin", "list of 3 lengths", "0", "the centre of the end with the smallest coordinate"},
    KEY_END,
};
const struct carom_section carom_keys_voronoi_cylinder =
    SECTION("voronoi cylinder", "a cylinder of voronoi, within or holes", cylinder, voronoi_cylinder, cylinder_others);

static const struct carom_param sphere_params[] = {
    REAL(voronoi_sphere, radius, CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "m", "its radius"),
    CAROM_PARAM_END,
};
static const struct carom_key sphere_others[] = {
    {"diameter", "number of m", "none", "instead of radius"},
    {"origin", "list of 3 lengths", "0", "its centre"},
    KEY_END,
};
const struct carom_section carom_keys_voronoi_sphere =
    SECTION("voronoi sphere", "a ball of voronoi, within or holes", sphere, voronoi_sphere, sphere_others);

static const struct carom_key plane_others[] = {
    {"point", "list of 3 lengths", NULL, "of the plane"},
    {"normal", "list of 3 numbers", NULL, "out of the body: what lies beyond is cut off"},
    KEY_END,
};
const struct carom_section carom_keys_voronoi_plane = {
    {"voronoi plane", "a plane of within; its face is outside", no_params, 0}, plane_others};

static const struct carom_param fine_params[] = {
    REAL(voronoi_fine, within, CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "m",
         "the distance beyond which cells have their full size"),
    REAL(voronoi_fine, times, CAROM_REQUIRED, 0.05, 1.0, "1", "size of cells at the place, of those far away"),
    CAROM_PARAM_END,
};
static const struct carom_key fine_others[] = {
    {"near", "list of 3 lengths", NULL, "the place"},
    KEY_END,
};
const struct carom_section carom_keys_voronoi_fine =
    SECTION("voronoi fine", "one entry of fine", fine, voronoi_fine, fine_others);

static const struct carom_param mesh_params[] = {
    REAL(voronoi_mesh, unit, 1, CAROM_POSITIVE, HUGE_VAL, "m", "what 1 is in the file"),
    CAROM_PARAM_END,
};
static const struct carom_key mesh_others[] = {
    {"file", "name", NULL,
     "beside the scene: .msh of Gmsh (2.2, 4.1), .inp of Abaqus, .vtk or .vtu of VTK; its groups name sets and faces"},
    {"bytes", "text", "none", "what the file held, in base64: run files have it, so that they need no other file"},
    KEY_END,
};
const struct carom_section carom_keys_voronoi_mesh =
    SECTION("solid mesh", "a body out of a mesh file", mesh, voronoi_mesh, mesh_others);
