/* The tables of keys for bodies in the plane and in space. */
#include "scene/keys/keys_space.h"

#include <stddef.h>

#include "model/place/lattice.h"
#include "scene/keys/keys_rows.h"

/* clang-format off */
#define NAME {"name", "text", "none", "what start, loads and contacts call it by, beside its number"}
#define AT(text) {"at", "list of 2 or 3 lengths", NULL, text}
#define MATERIAL {"material", "name, or map of young, poisson, density", "none", \
                  "what it is made of: gives the mass with the radius, and the stiffness of its contacts"}
#define DIAMETER {"diameter", "number of m", "none", "instead of radius"}
#define WALL_MATERIAL {"material", "name, rigid, or map of young, poisson, density", "none", \
                       "what it is made of: gives the stiffness of its contacts"}
#define DRIVE {"drive", "map", "none", "how it is moved; what is driven is fixed to its drive, whatever pushes it"}
#define MASS(type) REAL(type, mass, 0, CAROM_POSITIVE, HUGE_VAL, "kg", \
                        "mass of one; without it from radius and material (units: none: 1)")
#define FREE_MASS(type) REAL(type, mass, 0, CAROM_POSITIVE, HUGE_VAL, "kg", \
                             "of one that moves freely; without it from size and material")
#define RADIUS(type, text) REAL(type, radius, CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "m", text)
#define THICKNESS(type) REAL(type, thickness, 1, CAROM_POSITIVE, HUGE_VAL, "m", \
                             "in the plane, for the mass from a material")
#define FIXED(type, text) FLAG(type, fixed, 0, text)
#define INSIDE(type) FLAG(type, inside, 0, \
                          "a container: walls face inwards; fixed, or with a mass a thin shell that moves freely")
/* clang-format on */

static const char *const balls[] = {"disc", "sphere", NULL};
static const char *const packings[] = {"loose", "dense", NULL};

static const struct carom_param ball_params[] = {
    MASS(ball),      RADIUS(ball, "radius, or diameter instead"),
    THICKNESS(ball), FIXED(ball, "stands still, whatever pushes it"),
    INSIDE(ball),    CAROM_PARAM_END,
};
#define BALL_OTHERS                                                                              \
    AT("its centre: two numbers in the plane, three in space"), DIAMETER, MATERIAL, NAME, DRIVE, \
        {"velocity", "list of speeds, or map", "at rest", "at time 0"},                          \
        {"spin", "number in the plane, list of 3 in space", "0",                                 \
         "at time 0, anticlockwise positive; in space in its axes"},                             \
        KEY_END
static const struct carom_key ball_others[] = {BALL_OTHERS};
const struct carom_section carom_keys_space_disc =
    SECTION("disc", "a disc of the plane: mass pi r^2 times thickness, inertia m r^2 / 2", ball, ball, ball_others);
static const struct carom_param sphere_params[] = {
    MASS(ball),
    RADIUS(ball, "radius, or diameter instead"),
    FIXED(ball, "stands still, whatever pushes it"),
    INSIDE(ball),
    CAROM_PARAM_END,
};
const struct carom_section carom_keys_space_sphere =
    SECTION("sphere", "a sphere, in space or moving in a plane: inertia 2/5 m r^2", sphere, ball, ball_others);

static const struct carom_param lattice_params[] = {
    CHOICE(lattice, kind, CAROM_REQUIRED, 5, "square or hexagonal in the plane; sc, bcc, fcc or hcp in space",
           carom_lattice_names),
    MASS(lattice),
    RADIUS(lattice, "radius of its bodies, which touch their neighbours unless there is a gap"),
    THICKNESS(lattice),
    REAL(lattice, gap, 0, 0, HUGE_VAL, "m", "opening between neighbours at the start"),
    REAL(lattice, spread, 0, 0, 0.9, "1",
         "radii are drawn evenly between (1 - spread) and (1 + spread) times radius; the largest touch"),
    REAL(lattice, disorder, 0, 0, 1, "1", "each is moved in any direction by up to this share of half the gap"),
    REAL(lattice, vacancies, 0, 0, 1, "1", "share of the sites that are empty, drawn"),
    INTEGER(lattice, seed, 0, 0, 9007199254740992.0, "of its random numbers; 0: the scene's seed"),
    CHOICE(lattice, of, 0, 1, "plane lattices: of discs or of spheres", balls),
    FIXED(lattice, "its bodies stand still: a rough wall"),
    CAROM_PARAM_END,
};
static const struct carom_key lattice_others[] = {
    {"count", "list of 2 or 3 numbers", NULL,
     "bodies along x, y (and z); bcc and fcc: cubic cells of 2 and 4 bodies; hcp: bodies per row, rows, layers"},
    AT("centre of its first body; the others follow along x first, then y, then z"),
    {"omit", "list of numbers", "none", "sites left empty, counted from 1; they get no number as bodies"},
    {"intruders", "map, or list of maps", "none", "bodies of another radius, mass or material on some of the sites"},
    DIAMETER,
    MATERIAL,
    NAME,
    {"velocity", "list of speeds, or map", "at rest", "of all its bodies at time 0"},
    KEY_END,
};
const struct carom_section carom_keys_space_lattice =
    SECTION("lattice", "equal bodies on a crystal's sites", lattice, lattice, lattice_others);

static const struct carom_param intruder_params[] = {
    REAL(intruder, share, 0, CAROM_POSITIVE, 1, "1", "of the sites, drawn; or at"),
    REAL(intruder, radius, 0, CAROM_POSITIVE, HUGE_VAL, "m", "unless the lattice's"),
    REAL(intruder, mass, 0, CAROM_POSITIVE, HUGE_VAL, "kg", "unless the lattice's, or from another material"),
    CAROM_PARAM_END,
};
static const struct carom_key intruder_others[] = {
    {"at", "number, or list of numbers", "drawn", "sites, counted from 1"},
    DIAMETER,
    MATERIAL,
    KEY_END,
};
const struct carom_section carom_keys_space_intruder =
    SECTION("intruders", "bodies of another kind on sites of a lattice", intruder, intruder, intruder_others);

static const struct carom_param packing_params[] = {
    CHOICE(packing, kind, 0, 1, "loose: put one by one where there is room; dense: grown until it jams", packings),
    INTEGER(packing, count, 0, 1, BODIES, "how many; or fraction"),
    REAL(packing, fraction, 0, CAROM_POSITIVE, 1, "1",
         "instead of count: share of the volume (area) inside that they fill"),
    MASS(packing),
    RADIUS(packing, "mean radius"),
    REAL(packing, spread, 0, 0, 0.9, "1", "radii are drawn evenly between (1 - spread) and (1 + spread) times radius"),
    THICKNESS(packing),
    CHOICE(packing, of, 0, 1, "in the plane: of discs or of spheres", balls),
    INTEGER(packing, seed, 0, 0, 9007199254740992.0, "of its random numbers; 0: the scene's seed"),
    CAROM_PARAM_END,
};
static const struct carom_key packing_others[] = {
    {"in", "name of a container, or two corners", "the domain", "where it is: [[x0, y0], [x1, y1]] or in space"},
    DIAMETER,
    MATERIAL,
    NAME,
    {"velocity", "list of speeds, or map", "at rest", "of all its bodies at time 0"},
    KEY_END,
};
const struct carom_section carom_keys_space_packing =
    SECTION("packing", "bodies at random places without overlaps", packing, packing, packing_others);

static const struct carom_param table_params[] = {
    MASS(table),
    REAL(table, radius, 0, CAROM_POSITIVE, HUGE_VAL, "m", "of all, where the file has none"),
    THICKNESS(table),
    CHOICE(table, of, 0, 1, "in the plane: of discs or of spheres", balls),
    FIXED(table, "its bodies stand still: a rough wall"),
    CAROM_PARAM_END,
};
#define TABLE_OTHERS                                                                                                 \
    {"shift", "list of lengths", "0", "added to every place"}, DIAMETER, MATERIAL,                                   \
        {"materials", "list of materials", "none", "instead of material: that of type 1, 2, ... of the file"}, NAME, \
        {"velocity", "list of speeds, or map", "the file's", "of all its bodies at time 0"},                         \
        {"table", "text", "none", "its rows, kept by runs: what it names is then not read"}, KEY_END
static const struct carom_key file_others[] = {
    {"file", "name of a file", NULL,
     "beside the scene: CSV with x, y, (z,) radius in its first line, VTK, LAMMPS data"},
    TABLE_OTHERS};
const struct carom_section carom_keys_space_file =
    SECTION("bodies from a file", "{file: NAME, ...}: a body for each row, atom or point", table, table, file_others);
static const struct carom_key run_others[] = {
    {"run", "name of a run file", NULL, "beside the scene: bodies that move in it, walls are left out"},
    {"at", "time, or end", "end", "the sample that is taken"},
    TABLE_OTHERS};
const struct carom_section carom_keys_space_run =
    SECTION("bodies from a run", "{run: NAME, ...}: bodies where a run has brought them", table, table, run_others);

/* --- walls ------------------------------------------------------------------------------------------------------- */

/* clang-format off */
#define TURN(text) {"turn", "angle in the plane; {axis, angle} in space", "0", text}
/* what every body that may move freely has */
#define FREE_OTHERS WALL_MATERIAL, NAME, DRIVE, \
    {"velocity", "list of speeds", "at rest", "of one that moves freely, at time 0"}, \
    {"spin", "number in the plane, list of 3 in space", "0", \
     "of one that moves freely, at time 0: anticlockwise positive; in space in its axes"}, KEY_END
/* clang-format on */

static const struct carom_param plane_params[] = {
    REAL(side_wall, mass, 0, CAROM_POSITIVE, HUGE_VAL, "kg",
         "of a wall that is free to move (without turning); a wall without mass stands still"),
    FIXED(side_wall, "stands still; so does every plane without mass or drive"),
    CAROM_PARAM_END,
};
static const struct carom_key plane_others[] = {
    AT("a point of it"),
    {"normal", "list of 2 or 3 numbers", NULL, "into the free side; its length does not matter"},
    WALL_MATERIAL,
    NAME,
    DRIVE,
    {"velocity", "list of speeds, or map", "at rest", "of a free wall at time 0"},
    KEY_END,
};
const struct carom_section carom_keys_space_plane =
    SECTION("plane", "a flat wall without end; in the plane a straight line", plane, side_wall, plane_others);

static const struct carom_param box_params[] = {
    FREE_MASS(side_wall),
    THICKNESS(side_wall),
    FIXED(side_wall, "stands still; a box that is neither fixed nor driven nor a container without mass moves freely"),
    INSIDE(side_wall),
    CAROM_PARAM_END,
};
static const struct carom_key box_others[] = {
    {"size", "list of 2 or 3 lengths", NULL, "its edges"},
    AT("its centre"),
    TURN("how it stands, in radians unless a unit is given"),
    FREE_OTHERS,
};
const struct carom_section carom_keys_space_box =
    SECTION("box", "a box, or with inside a container", box, side_wall, box_others);

static const struct carom_param cylinder_params[] = {
    REAL(side_wall, radius, CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "m", "radius"),
    REAL(side_wall, height, CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "m", "along its axis"),
    FREE_MASS(side_wall),
    FIXED(side_wall,
          "stands still; a cylinder that is neither fixed nor driven nor a container without mass moves freely"),
    INSIDE(side_wall),
    CAROM_PARAM_END,
};
static const struct carom_key cylinder_others[] = {
    DIAMETER,
    AT("its centre"),
    {"axis", "list of 3 numbers", "[0, 0, 1]", "its direction; the length does not matter"},
    FREE_OTHERS,
};
const struct carom_section carom_keys_space_cylinder =
    SECTION("cylinder", "a cylinder of space, or with inside a container with bottom and lid", cylinder, side_wall,
            cylinder_others);

#define CONVEX_OTHERS(points)                                                                                     \
    {"points", points, "none", "its corners, in any order, counted from `at`"},                                   \
        AT("where the points count from; of a regular one its centre"), TURN("how it stands, turned about `at`"), \
        FREE_OTHERS

static const struct carom_param polygon_params[] = {
    INTEGER(convex, sides, 0, 3, 64, "of a regular one, which stands on a side"),
    REAL(convex, radius, 0, CAROM_POSITIVE, HUGE_VAL, "m", "of a regular one: from its centre to its corners"),
    FREE_MASS(convex),
    THICKNESS(convex),
    FIXED(convex, "stands still; one that is neither fixed nor driven moves freely"),
    CAROM_PARAM_END,
};
static const struct carom_key polygon_others[] = {CONVEX_OTHERS("list of 3 to 64 points")};
const struct carom_section carom_keys_space_polygon =
    SECTION("polygon", "a convex polygon of the plane, rigid", polygon, convex, polygon_others);

static const char *const solid_kinds[] = {"none",         "tetrahedron", "cube", "octahedron",
                                          "dodecahedron", "icosahedron", NULL};
static const struct carom_param polyhedron_params[] = {
    CHOICE(convex, kind, 0, 5, "a regular solid, with a radius", solid_kinds),
    REAL(convex, radius, 0, CAROM_POSITIVE, HUGE_VAL, "m", "of a regular one: from its centre to its corners"),
    REAL(convex, scale, 1, CAROM_POSITIVE, HUGE_VAL, "1", "times the numbers of the file: 0.001 for millimetres"),
    FREE_MASS(convex),
    FIXED(convex, "stands still; one that is neither fixed nor driven moves freely"),
    CAROM_PARAM_END,
};
static const struct carom_key polyhedron_others[] = {
    {"file", "text", "none", "STL or OBJ: its corners, of a convex body"}, CONVEX_OTHERS("list of 4 to 250 points")};
const struct carom_section carom_keys_space_polyhedron =
    SECTION("polyhedron", "a convex polyhedron of space, rigid", polyhedron, convex, polyhedron_others);

static const struct carom_param capsule_params[] = {
    RADIUS(compound, "of its round ends, or diameter instead"),
    REAL(compound, length, CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "m", "between the centres of its ends"),
    FREE_MASS(compound),
    THICKNESS(compound),
    FIXED(compound, "stands still; one that is neither fixed nor driven moves freely"),
    CAROM_PARAM_END,
};
static const struct carom_key capsule_others[] = {
    AT("its centre"),
    DIAMETER,
    {"axis", "list of 2 or 3 numbers", "[1, 0]; in space [0, 0, 1]", "its direction; the length does not matter"},
    FREE_OTHERS,
};
const struct carom_section carom_keys_space_capsule =
    SECTION("capsule", "all that is no farther than its radius from a line; rigid", capsule, compound, capsule_others);

static const struct carom_param compound_params[] = {
    FREE_MASS(compound),
    THICKNESS(compound),
    FIXED(compound, "stands still; one that is neither fixed nor driven moves freely"),
    CAROM_PARAM_END,
};
static const struct carom_key compound_others[] = {
    {"parts", "list of 1 to 32 bodies", NULL,
     "bodies with their keys of shape, `at` counted from that of the whole; masses for all or none"},
    AT("where the parts count from"),
    TURN("how it stands, turned about `at`"),
    FREE_OTHERS,
};
const struct carom_section carom_keys_space_compound =
    SECTION("compound", "one rigid body of several parts", compound, compound, compound_others);

static const struct carom_param no_params[] = {CAROM_PARAM_END};
static const struct carom_key lead_others[] = {
    {"displacement", "list of lengths", "none", "of its centre, times the signal"},
    {"turn", "angle in the plane, list of 3 in space", "none", "about its centre, times the signal"},
    {"spin", "rate of turning in the plane, list of 3 in space", "none", "turns evenly from the start on"},
    {"signal", "signal without unit", "1", "how displacement and turn go with time; amplitude is 1 unless given"},
    KEY_END,
};
const struct carom_section carom_keys_space_lead = {
    {"drive", "how a body of the plane or of space is moved", no_params, 0}, lead_others};

/* --- contacts ---------------------------------------------------------------------------------------------------- */

static const char *const endings[] = {"gap", "force", NULL};
static const struct carom_param meeting_params[] = {
    CHOICE(contacts, contact_end, 0, 1, "a contact ends when the gap opens, or already when the force turns to tension",
           endings),
    CAROM_PARAM_END,
};
static const struct carom_key meeting_others[] = {
    {"law", "name", "hertz", "a law of `carom list laws`; its parameters stand beside it"},
    {"between", "list of 2 names", "all but the first map", "materials, or names of bodies, whose contacts are meant"},
    {"restitution", "number, or map of e, speed", "none",
     "damping by its outcome, of the pair that meets; a number is e at 1 m/s"},
    {"meet", "true or false", "true", "false: these bodies pass through each other"},
    {"c", "number of N s/m", "none", "of a dashpot (linear-dashpot, hertz-dashpot), instead of gamma: gamma is c / k"},
    {"friction", "map, or none", "none", "law, mu and what else the friction takes"},
    {"rolling", "map, or none", "none", "resistance to rolling"},
    {"twisting", "map, or none", "none", "resistance to turning about the normal, in space"},
    {"mu", "number", "none", "short for friction: {mu: ...}"},
    {"mu_static", "number", "mu", "short for friction: {mu_static: ...}"},
    KEY_END,
};
const struct carom_section carom_keys_space_meeting =
    SECTION("contacts of the plane and of space", "the law by which two bodies meet; a list of maps: later ones win",
            meeting, contacts, meeting_others);

static const struct carom_key friction_others[] = {
    {"law", "name", "mindlin; constant", "a law of `carom list friction`; its parameters stand beside it"},
    KEY_END,
};
const struct carom_section carom_keys_space_friction = {
    {"friction", "friction between bodies of the plane and of space; rolling and twisting likewise", no_params, 0},
    friction_others};

/* --- start and loads --------------------------------------------------------------------------------------------- */

#define WHO                                                                                     \
    {"body", "number or name", NULL, "who is meant; a name may stand for a whole lattice"},     \
    {                                                                                           \
        "bodies", "list of numbers and names, or all", NULL, "instead of body: several of them" \
    }

static const struct carom_param start_params[] = {
    CAROM_ROW_FLAG(carom_keys_space_start, settle, 0,
                   "they begin at rest in the equilibrium under gravity and constant loads, without friction; all "
                   "others stand still"),
    CAROM_PARAM_END,
};
static const struct carom_key start_others[] = {
    WHO,
    {"velocity", "list of speeds, or map", "none", "at time 0; a list of lists gives one for each body"},
    {"spin", "number in the plane, list of 3 in space", "none", "at time 0; a longer list gives one for each body"},
    {"displacement", "list of lengths", "none", "at time 0, from `at`; a list of lists gives one for each body"},
    {"run", "name of a run file", "none",
     "beside the scene, of the same bodies: all of them begin as it has left them"},
    {"at", "time, or end", "end", "of run: the sample that is taken"},
    {"press", "map of forces or pressures, by names of planes", "none",
     "with settle: planes move until they carry these; pressures act on the room taken"},
    {"state", "text", "none", "what was found in run, kept by runs: the file is then not read"},
    KEY_END,
};
const struct carom_section carom_keys_space_start = SECTION(
    "start of the plane and of space", "one entry of the list; later entries win", start, space_start, start_others);

static const struct carom_param velocity_params[] = {
    CAROM_ROW_REAL(carom_keys_space_velocity, speed, CAROM_REQUIRED, 0, HUGE_VAL, "m/s", "how fast"),
    CAROM_ROW_REAL(carom_keys_space_velocity, angle, 0, -HUGE_VAL, HUGE_VAL, "rad",
                   "between `from` and the velocity; radians unless a unit is given"),
    CAROM_PARAM_END,
};
static const struct carom_key velocity_others[] = {
    {"from", "direction", "[1, 0]; in space [0, 0, -1]", "where the velocity points at angle 0"},
    {"towards", "direction", "a quarter turn anticlockwise; in space [1, 0, 0]",
     "to which side the angle opens; its part along `from` does not count"},
    KEY_END,
};
const struct carom_section carom_keys_space_velocity =
    SECTION("velocity of discs and spheres", "instead of a list: speed and angle, for sweeps over angles", velocity,
            space_velocity, velocity_others);

static const struct carom_key load_others[] = {
    WHO,
    {"force", "list of forces", NULL, "on each of them, times the signal"},
    {"signal", "signal without unit", "1", "how it goes with time; amplitude is 1 unless given"},
    KEY_END,
};
const struct carom_section carom_keys_space_load = {
    {"loads of the plane and of space", "one entry of the list; forces on one body add up", no_params, 0}, load_others};

static const struct carom_param joint_params[] = {
    CAROM_ROW_REAL(carom_keys_space_joint, e, 0, 0, 1, "1", "restitution at its limits"),
    CAROM_PARAM_END,
};
static const struct carom_key joint_others[] = {
    {"bodies", "list of 2", NULL,
     "numbers or names of the two that it holds; the second may be world, or beside solids some of their cells"},
    {"at", "list of lengths", NULL, "the point that it holds, in the axes of space, as bodies stand at the start"},
    {"to", "list of lengths", "none", "of a distance: the point of the second body; `at` is that of the first"},
    {"axis", "direction", "none", "along which a slider slides; in space about which a hinge turns"},
    {"limits", "list of 2", "none",
     "between which the angle or displacement stays, 0 at the start; of a distance the least and the most"},
    {"k", "number of N/m", "none", "of limits beside a solid: how stiff they are; of a hinge in N m (a radian)"},
    {"speed", "number", "none", "of a motor: how fast the first turns or slides past the second, whatever it takes"},
    {"torque", "number of N m", "none", "of a motor of a hinge, on the first body"},
    {"force", "number of N", "none", "of a motor of a slider, on the first body"},
    KEY_END,
};
const struct carom_section carom_keys_space_joint =
    SECTION("joints", "one entry of the list: hinge, ball (space), slider, weld or distance, with these keys", joint,
            space_joint, joint_others);
