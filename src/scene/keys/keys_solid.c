/* The tables of the keys of elastic solids. */
#include "scene/keys/keys_solid.h"
#include "scene/keys/keys_rows.h"

static const char *const planes[] = {"strain", "stress", NULL};
static const char *const axes[] = {"none", "x", "y", "z", NULL};
static const char *const endings[] = {"gap", "force", NULL};
static const char *const selves[] = {"pieces", "always", "never", NULL};
static const char *const times[] = {"always", "start", "run", NULL};

/* which cells are meant; several of them narrow each other down */
#define CELLS                                                                                                       \
    {"face", "left, right, front, back, bottom, top, inside or outside", "any",                                     \
     "cells with a free face there (bottom and top: y in the plane, z in space)"},                                  \
        {"box", "list of two corners", "any", "cells with their centre in it: [[0, 0, 0], [1, 1, 1]]"},             \
        {"sphere", "map of at, radius", "any", "cells with their centre in it; in the plane a disc"},               \
        {"near", "point", "any", "the cell whose centre is nearest"}, {"set", "name", "any", "a set of this body"}, \
    {                                                                                                               \
        "cells", "all", "none", "the whole body"                                                                    \
    }

static const struct carom_param no_params[] = {CAROM_PARAM_END};
static const struct carom_key no_others[] = {KEY_END};

static const struct carom_param solid_params[] = {
    CHOICE(solid, plane, 0, 1, "what a box with two axes is: plane strain or stress", planes),
    REAL(solid, depth, 1, CAROM_POSITIVE, HUGE_VAL, "m", "thickness of a plane box"),
    FLAG(solid, accept_skew, 0, "of voronoi and mesh: links may be skew by more than 30 degrees"),
    CHOICE(solid, self_contact, 0, 2,
           "cells press each other where they meet: those of bodies that break, of any, or none", selves),
    CAROM_PARAM_END,
};
static const struct carom_key solid_others[] = {
    {"box", "map of size, cells, origin", "none", "a box of cells: two axes make a plane body, three one in space"},
    {"cylinder", "map", "none", "instead of box: a cylinder shell, one cell thick"},
    {"voronoi", "map", "none", "instead of box: Voronoi cells in a region of space"},
    {"mesh", "map of file, unit", "none", "instead of box: cells out of a mesh file"},
    {"name", "name", "none", "what start, contacts, ties, record and files call it; several solids need names"},
    {"material", "name, or map of young, poisson, density", NULL, "what it is made of"},
    {"regions", "list", "none", "cells of another material"},
    {"gravity", "list of 2 or 3 accelerations", "none", "acts on every cell and counts as stored energy"},
    {"damping", "map of mass, stiffness", "none", "force = -(mass M + stiffness K) v"},
    {"sets", "map", "none", "cells by name, for clamps, loads, start and record: tip: {face: right}"},
    {"clamps", "list", "none", "cells held at their centres"},
    {"drives", "list", "none", "cells moved at their centres"},
    {"plasticity", "map of yield, hardening, kinematic", "none", "J2 plasticity of the whole body, in space"},
    {"viscoelasticity", "map of relaxation", "none", "Maxwell's body: shear stresses relax; in space"},
    {"fracture", "map of strength, energy, shear, box, cracks", "none", "links break; of an elastic body"},
    {"nonlinear", "map of quadratic, cubic", "none", "links stiffen or soften with their strain; of an elastic body"},
    {"self_friction", "map of mu, slip_speed", "none", "Coulomb's friction of cells that meet: see self_contact"},
    {"absorbing", "list of faces", "none", "sides that let waves out, such as [left, right, bottom]"},
    {"loads", "list", "none", "forces, moments, tractions, pressures"},
    {"sensors", "map", "none", "points that are recorded: name: [x, y, z]; also on the surface"},
    KEY_END,
};
const struct carom_section carom_keys_solid =
    SECTION("solid", "an elastic body of rigid cells", solid, solid, solid_others);

static const struct carom_param solid_ball_params[] = {
    REAL(solid_ball, radius, CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "m", "radius"),
    REAL(solid_ball, mass, 0, CAROM_POSITIVE, HUGE_VAL, "kg", "else from radius and the material's density"),
    REAL(solid_ball, thickness, 0, CAROM_POSITIVE, HUGE_VAL, "m", "of a disc; else as deep as the solid"),
    CAROM_PARAM_END,
};
static const struct carom_key solid_ball_others[] = {
    {"at", "list of 2 or 3 lengths", NULL, "its centre"},
    {"material", "name, or map of young, poisson, density", "none", "gives mass and the stiffness of contacts"},
    {"velocity", "list of 2 or 3 speeds", "at rest", "at time 0"},
    {"spin", "list of 3 numbers of 1/s, in the plane one", "none", "at time 0, where there is friction"},
    {"name", "name", "its number", "what joints call it"},
    KEY_END,
};
const struct carom_section carom_keys_solid_ball =
    SECTION("sphere or disc beside a solid", "strikes the solid and others of its kind", solid_ball, solid_ball,
            solid_ball_others);

static const struct carom_key plane_others[] = {
    {"at", "list of 2 or 3 lengths", NULL, "a point of it"},
    {"normal", "list of 2 or 3 numbers", NULL, "into the free side; its length does not matter"},
    {"name", "name", "wall, wall2, ...", "what contacts call it"},
    KEY_END,
};
const struct carom_section carom_keys_solid_plane = {
    {"plane beside a solid", "a rigid flat wall without end that stands still; in the plane a straight line", no_params,
     0},
    plane_others};

static const struct carom_key tie_others[] = {
    {"between", "list of 2 names", NULL, "solids that are one where their surfaces touch at the start"}, KEY_END};
const struct carom_section carom_keys_solid_tie = {{"tie", "one entry of ties of solids", no_params, 0}, tie_others};

static const struct carom_param contacts_params[] = {
    CAROM_ROW_CHOICE(carom_keys_contacts, contact_end, 0, 1,
                     "a contact ends when the gap opens, or already when the force turns to tension", endings),
    CAROM_PARAM_END,
};
static const struct carom_key contacts_others[] = {
    {"law", "name", "hertz; of faces linear-dashpot", "a law of `carom list laws`"},
    {"restitution", "number, or map of e, speed", "none",
     "finds gamma, instead of gamma; of faces for bodies that move as a whole"},
    {"c", "number of N s/m", "none", "of a dashpot (linear-dashpot, hertz-dashpot), instead of gamma: gamma is c / k"},
    {"between", "list of 2 names", "all contacts of balls, or of faces without balls",
     "names of solids and planes, balls, or solid for a single one without a name"},
    {"at", "number or list of numbers", "all", "contacts this map applies to, instead of between"},
    {"friction", "map, or none", "none", "law, mu and what else the friction takes; of faces law: coulomb"},
    {"mu", "number", "none", "short for friction: {mu: ...}"},
    {"mu_static", "number", "mu", "short for friction: {mu_static: ...}"},
    {"any parameter of the law", "number or list", "k by Hertz; of faces as stiff as their cells",
     "one for all contacts, or one for each"},
    KEY_END,
};
const struct carom_section carom_keys_solid_contacts =
    SECTION("contacts of solids", "the law of balls and faces that meet", contacts, contacts, contacts_others);

static const struct carom_key box_others[] = {
    {"size", "list of 2 or 3 lengths", NULL, "edges of the body"},
    {"cells", "list of 2 or 3 numbers", NULL, "cells along each edge"},
    {"origin", "list of 2 or 3 lengths", "0", "the corner with the smallest coordinates"},
    KEY_END,
};
const struct carom_section carom_keys_solid_box = {{"solid box", "a box of equal cells", no_params, 0}, box_others};

static const struct carom_param cylinder_params[] = {
    REAL(solid_cylinder, radius, CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "m", "of the middle surface"),
    REAL(solid_cylinder, height, CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "m", "along z"),
    REAL(solid_cylinder, thickness, CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "m", "of the wall"),
    INTEGER(solid_cylinder, around, CAROM_REQUIRED, 3, 1e6, "cells on the perimeter"),
    INTEGER(solid_cylinder, along, CAROM_REQUIRED, 1, 1e6, "cells on the height"),
    CAROM_PARAM_END,
};
static const struct carom_key cylinder_others[] = {
    {"diameter", "number of m", "none", "instead of radius"},
    {"origin", "list of 3 lengths", "0", "centre of the bottom; the axis is z"},
    KEY_END,
};
const struct carom_section carom_keys_solid_cylinder =
    SECTION("solid cylinder", "a cylinder shell", cylinder, solid_cylinder, cylinder_others);

static const struct carom_param damping_params[] = {
    REAL(solid_damping, mass, 0, 0, HUGE_VAL, "1/s", "times mass times velocity"),
    REAL(solid_damping, stiffness, 0, 0, HUGE_VAL, "s",
         "times the links' forces for the velocities; lowers the stable step"),
    CAROM_PARAM_END,
};
const struct carom_section carom_keys_solid_damping =
    SECTION("solid damping", "Rayleigh's damping", damping, solid_damping, no_others);

static const struct carom_param plasticity_params[] = {
    CAROM_ROW_REAL(carom_solid_plasticity, yield, CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "Pa",
                   "von Mises stress at which the material begins to flow"),
    CAROM_ROW_REAL(carom_solid_plasticity, hardening, 0, 0, HUGE_VAL, "Pa",
                   "isotropic: by how much that rises with the plastic strain"),
    CAROM_ROW_REAL(carom_solid_plasticity, kinematic, 0, 0, HUGE_VAL, "Pa",
                   "by how much the middle of the elastic range moves with the plastic strain"),
    CAROM_PARAM_END,
};
static const struct carom_param viscoelasticity_params[] = {
    CAROM_ROW_REAL(carom_solid_plasticity, relaxation, CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "s",
                   "time in which shear stresses fall to 1/e under constant strain"),
    CAROM_PARAM_END,
};
const struct carom_section carom_keys_solid_viscoelasticity = {{"solid viscoelasticity",
                                                                "Maxwell's relaxation of shear", viscoelasticity_params,
                                                                sizeof(struct carom_solid_plasticity)},
                                                               no_others};
const struct carom_section carom_keys_solid_plasticity = {{"solid plasticity", "von Mises' yield with linear hardening",
                                                           plasticity_params, sizeof(struct carom_solid_plasticity)},
                                                          no_others};

static const struct carom_param fracture_params[] = {
    CAROM_ROW_REAL(carom_solid_fracture, strength, 0, CAROM_POSITIVE, 1e30, "Pa",
                   "traction at which links begin to break; alone: break at once"),
    CAROM_ROW_REAL(carom_solid_fracture, energy, 0, CAROM_POSITIVE, 1e30, "J/m^2",
                   "that a crack takes, by its area; alone: links are as strong as their size allows"),
    CAROM_ROW_REAL(
        carom_solid_fracture, shear, 1, 1e-6, 1e6, "1",
        "strength in shear over that in tension; its square, with an energy alone: energy in shear over that"),
    CAROM_PARAM_END,
};
static const struct carom_key fracture_others[] = {
    {"box", "list of two corners", "any", "only links with the centre of their face in it break, as in a weak layer"},
    {"cracks", "list", "none", "links that are broken from the start"},
    KEY_END,
};
const struct carom_section carom_keys_solid_fracture = {
    {"solid fracture", "links that break", fracture_params, sizeof(struct carom_solid_fracture)}, fracture_others};

static const struct carom_param nonlinear_params[] = {
    CAROM_ROW_REAL(carom_solid_nonlinear, quadratic, 0, -1e12, 1e12, "1",
                   "the stress along a link strained by e has E quadratic e^2 beside what the linear law says"),
    CAROM_ROW_REAL(carom_solid_nonlinear, cubic, 0, -1e12, 1e12, "1", "and E cubic e^3"),
    CAROM_PARAM_END,
};
const struct carom_section carom_keys_solid_nonlinear = {
    {"solid nonlinear", "links with a nonlinear potential", nonlinear_params, sizeof(struct carom_solid_nonlinear)},
    no_others};

static const struct carom_param rough_params[] = {
    REAL(solid_rough, mu, CAROM_REQUIRED, 0, HUGE_VAL, "1", "coefficient of friction"),
    REAL(solid_rough, slip_speed, 1e-3, CAROM_POSITIVE, HUGE_VAL, "m/s", "slip speed above which friction is full"),
    CAROM_PARAM_END,
};
const struct carom_section carom_keys_solid_rough =
    SECTION("solid self_friction", "Coulomb's friction of cells of one body that meet", rough, solid_rough, no_others);

static const struct carom_key crack_others[] = {
    {"at", "list of 2 or 3 lengths", NULL, "a point of its plane"},
    {"normal", "list of 2 or 3 numbers", NULL, "across it; its length does not matter"},
    {"box", "list of two corners", "any", "links with the centre of their face in it: [[0, 0], [0.1, 1]]"},
    KEY_END,
};
const struct carom_section carom_keys_solid_crack = {
    {"solid crack", "one entry of cracks: links whose cells stand on both sides of a plane", no_params, 0},
    crack_others};

static const struct carom_key cells_others[] = {CELLS, KEY_END};
const struct carom_section carom_keys_solid_cells = {
    {"solid cells", "which cells are meant: in sets, regions, clamps, drives, loads, start and record", no_params, 0},
    cells_others};

static const struct carom_key held_others[] = {
    {"body", "name", "the only solid", "the solid whose cells they are"}, CELLS, KEY_END};
const struct carom_section carom_keys_solid_held = {
    {"joints solid cells", "cells of a solid as the second of a joint's bodies: their centre of mass", no_params, 0},
    held_others};

static const struct carom_key recorded_others[] = {
    {"body", "name", "each solid", "the only one whose cells are recorded"}, CELLS, KEY_END};
const struct carom_section carom_keys_solid_recorded = {
    {"solid record", "cells of record, where they are a map", no_params, 0}, recorded_others};

static const struct carom_param sphere_params[] = {
    REAL(solid_sphere, radius, CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "m", "radius"),
    CAROM_PARAM_END,
};
static const struct carom_key sphere_others[] = {{"at", "point", NULL, "its middle"}, KEY_END};
const struct carom_section carom_keys_solid_sphere =
    SECTION("solid sphere", "cells by a sphere", sphere, solid_sphere, sphere_others);

static const struct carom_key graded_others[] = {
    {"from", "map of at, material", NULL, "what it is made of there, and on this side of it"},
    {"to", "map of at, material", NULL, "and there; between them young, poisson and density go straight"},
    KEY_END,
};
const struct carom_section carom_keys_solid_graded = {
    {"solid graded", "a material that changes between two points", no_params, 0}, graded_others};

static const struct carom_key graded_end_others[] = {
    {"at", "point", NULL, "where"},
    {"material", "name, or map of young, poisson, density", NULL, "what it is made of there"},
    KEY_END,
};
const struct carom_section carom_keys_solid_graded_end = {{"solid graded end", "from and to of graded", no_params, 0},
                                                          graded_end_others};

static const struct carom_key field_others[] = {
    {"file", "name", NULL,
     "beside the scene: CSV, x, y, z (not in the plane) and numbers in SI, or as its first line names them; or cell "
     "data of a .vtu"},
    {"bytes", "text", "none", "what was in it, kept by run files"},
    KEY_END,
};
const struct carom_section carom_keys_solid_field = {
    {"solid field", "materials, or a start, out of a file: cells take the nearest row, or their own", no_params, 0},
    field_others};

static const struct carom_key region_others[] = {
    {"material", "name, or map of young, poisson, density", "none", "what these cells are made of"},
    {"graded", "map of from, to", "none", "instead of material: it changes between two points"},
    {"field", "map of file", "none", "instead of material: out of a file"},
    CELLS,
    KEY_END};
const struct carom_section carom_keys_solid_region = {
    {"solid region", "one entry of regions; later ones win", no_params, 0}, region_others};

static const struct carom_param clamp_params[] = {
    CHOICE(solid_clamp, symmetry, 0, 3,
           "the cells lie on a plane of symmetry across this axis: no motion along it, no turn about the others", axes),
    CAROM_PARAM_END,
};
static const struct carom_key clamp_others[] = {{"fix", "list of x, y, z, turn, turn-x, turn-y, turn-z",
                                                 "all; of a whole side what a wall holds", "what is held at zero"},
                                                CELLS,
                                                KEY_END};
const struct carom_section carom_keys_solid_clamp =
    SECTION("solid clamp", "one entry of clamps", clamp, solid_clamp, clamp_others);

static const struct carom_key drive_others[] = {
    {"displacement", "list of lengths, or free", NULL, "what is given, times the signal; free: not driven"},
    {"turn", "map of angle, axis, about", NULL,
     "or turns them together as one rigid body, by the angle times the signal"},
    {"signal", "signal without unit", "1", "how it goes with time; amplitude is 1 unless given"},
    CELLS,
    KEY_END};
static const struct carom_param turn_params[] = {
    REAL(solid_turn, angle, 0, -HUGE_VAL, HUGE_VAL, "rad", "by which they turn; not 0"),
    CAROM_PARAM_END,
};
static const struct carom_key turn_others[] = {
    {"axis", "list of numbers", NULL, "in space: which way the axis points; of any length"},
    {"about", "list of lengths", "the middle of the cells", "a point of the axis"},
    KEY_END};
const struct carom_section carom_keys_solid_turn =
    SECTION("solid turn", "turn of an entry of drives", turn, solid_turn, turn_others);

const struct carom_section carom_keys_solid_drive = {{"solid drive", "one entry of drives", no_params, 0},
                                                     drive_others};

static const struct carom_param load_params[] = {
    REAL(solid_load, pressure, 0, -HUGE_VAL, HUGE_VAL, "Pa", "on the face, inwards, turning with it"),
    CHOICE(solid_load, during, 0, 2, "start: only where the body settles before the run; run: only in the run", times),
    CAROM_PARAM_END,
};
static const struct carom_key load_others[] = {
    {"force", "list of forces", "none", "in all, shared among the cells by volume, at their centres"},
    {"traction", "list of stresses", "none", "on the face, direction fixed in space"},
    {"moment", "list of 3 moments, in the plane one number", "none", "in all, shared among the cells by volume"},
    {"signal", "signal without unit", "1", "how it goes with time; amplitude is 1 unless given"},
    CELLS,
    KEY_END};
const struct carom_section carom_keys_solid_load = SECTION(
    "solid load", "one entry of loads: one of force, traction, pressure, moment", load, solid_load, load_others);

static const struct carom_param start_params[] = {
    FLAG(solid_start, settle, 0,
         "begin at rest in the equilibrium under the loads of time 0 and those of during: start"),
    CAROM_PARAM_END,
};
static const struct carom_key start_others[] = {
    {"body", "name", "each solid by itself", "the solid that is meant"},
    {"velocity", "list of speeds", "none", "of the cells"},
    {"spin", "list of 3 angular velocities, in the plane one number", "none",
     "turns the cells as one rigid body about their common centre of mass"},
    {"displacement", "list of lengths", "none", "of the cells"},
    {"field", "map of file", "none", "displacements and velocities of cells out of a file"},
    {"run", "name of a run file", "none",
     "beside the scene, of a body with the same cells: it begins as that run has left it, at rest or not"},
    {"state", "text", "none", "checksum of what was found in run, kept by runs"},
    CELLS,
    KEY_END};
const struct carom_section carom_keys_solid_start =
    SECTION("solid start", "one entry of start under theory solid; entries add up", start, solid_start, start_others);
