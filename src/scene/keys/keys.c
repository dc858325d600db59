/* The tables of scene keys. What a law or scheme takes stands in its own table and is accepted beside these. */
#include "scene/keys/keys.h"
#include "carom/impact.h"
#include "carom/law.h"
#include "scene/keys/keys_rows.h"

#include <stddef.h>
#include <string.h>

static const char *const units[] = {"si", "none", NULL};
static const char *const theories[] = {"compliant", "lzb", "nonsmooth", "solid", NULL};
static const char *const sides[] = {"left", "right", NULL};
static const char *const tapered[] = {"radius", "mass", NULL};
static const char *const disordered[] = {"radius", "mass", "stiffness", NULL};
static const char *const slopes[] = {"geometric", "linear", NULL};
static const char *const draws[] = {"uniform", "normal", "two-valued", NULL};
static const char *const endings[] = {"gap", "force", "latched", NULL};

#define MATERIAL                                                                                    \
    {                                                                                               \
        "material", "name, or map of young, poisson, density", "none",                              \
            "what it is made of: gives the mass with the radius, and the stiffness of its contacts" \
    }
#define DIAMETER                                                       \
    {                                                                  \
        "diameter", "number or list of m", "none", "instead of radius" \
    }

/* --- the whole --------------------------------------------------------------------------------------------------- */

static const struct carom_param scene_params[] = {
    CHOICE(scene, units, 0, 1, "si, or none: numbers without units", units),
    CHOICE(scene, theory, 0, 3, "how contacts are read; compliant, lzb, nonsmooth or solid", theories),
    INTEGER(scene, seed, 0, 0, 9007199254740992.0, "of random numbers; kept in run files"),
    REAL(scene, precompression, 0, 0, HUGE_VAL, "N",
         "starts from the static equilibrium in which this force presses on the right end; 0: under its weight alone"),
    INTEGER(scene, format, CAROM_SCENE_FORMAT, 1, HUGE_VAL,
            "of the scene itself; a carom that does not know it refuses the scene"),
    CAROM_PARAM_END,
};
const struct carom_param carom_keys_gravity = {
    "gravity", CAROM_REAL, 0, 0, -HUGE_VAL, HUGE_VAL, "m/s^2", "acceleration along the line", NULL};
static const struct carom_key scene_others[] = {
    {"title", "text", "name of the file", "one line for summaries and run files"},
    {"materials", "map, or name of a file", "none", "materials of the scene's own: name: {young, poisson, density}"},
    {"bodies", "list", NULL,
     "rows from left to right: chain, bead, striker, wall; plane and space: disc, sphere, lattice, packing, plane, "
     "box, cylinder"},
    {"contacts", "map, or list of maps", "hertz", "the law between neighbours, or between bodies that meet"},
    {"gravity", "number of m/s^2, in plane and space a list", "0",
     "rows: to the right positive, a column on its left wall has -9.81; solids: of all bodies"},
    {"domain", "list of 2 corners, or file", "none", "plane and space: [[x0, y0], [x1, y1]], where bodies are"},
    {"periodic", "list of x, y, z", "none", "sides of the domain that are joined"},
    {"outside", "keep, remove or stop", "keep", "what becomes of bodies that leave the domain's other sides"},
    {"joints", "list", "none",
     "plane and space: what holds bodies to each other or to the world; solids: what holds balls"},
    {"ties", "list", "none", "solids: surfaces that are one, - {between: [name, name]}"},
    {"start", "list", "at rest", "velocities and displacements at time 0"},
    {"loads", "list", "none", "forces on bodies and prescribed motions of bodies and walls"},
    {"strings", "map", "gravity 9.81, small angles", "how bodies that have a string hang"},
    {"run", "map", NULL, "how long and how exactly"},
    {"record", "map", "200 samples", "what to keep, and when"},
    {"sensors", "list", "none", "force sensors inside beads, at walls and contacts"},
    KEY_END,
};
const struct carom_section carom_keys_scene =
    SECTION("scene", "the keys of the file itself", scene, scene, scene_others);

static const struct carom_param material_params[] = {
    REAL(material, young, CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "Pa", "Young's modulus"),
    REAL(material, poisson, CAROM_REQUIRED, -0.999, 0.5, "1", "Poisson's ratio"),
    REAL(material, density, CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "kg/m^3",
         "density; not needed where masses are given"),
    REAL(material, yield, 0, CAROM_POSITIVE, HUGE_VAL, "Pa", "yield strength: check notes impacts that exceed it"),
    CAROM_PARAM_END,
};
static const struct carom_key no_others[] = {KEY_END};
const struct carom_section carom_keys_material =
    SECTION("material", "a material of the scene's own", material, material, no_others);

/* --- bodies ------------------------------------------------------------------------------------------------------ */

#define MASS(type, text) REAL(type, mass, 1, CAROM_POSITIVE, HUGE_VAL, "kg", text)
#define RADIUS(type, text) REAL(type, radius, 0.5, CAROM_POSITIVE, HUGE_VAL, "m", text)
#define SPRING(type, text) REAL(type, spring, 0, 0, HUGE_VAL, "N/m", text)
#define DAMPING(type, text) REAL(type, damping, 0, 0, HUGE_VAL, "N s/m", text)
#define STRING(type, text) REAL(type, string, 0, CAROM_POSITIVE, HUGE_VAL, "m", text)
#define GAP_BEFORE(type) \
    REAL(type, gap_before, 0, -HUGE_VAL, HUGE_VAL, "m", "opening to the body before it; negative: overlap")
#define MASS_TEXT "mass; without it from radius and material (units: none: 1)"
#define RADIUS_TEXT "radius, or diameter instead (radius 1/2 in pictures where no body has one)"
#define SPRING_TEXT "local spring to the bead's place (Newton's cradle)"
#define DAMPING_TEXT "local damper: a force -damping times the bead's own velocity"
#define STRING_TEXT "length of the string it hangs on (strings: says in which gravity, and for which angles)"

static const struct carom_param chain_params[] = {
    INTEGER(chain, count, CAROM_REQUIRED, 1, BODIES,
            "how many beads; may be left out where a list or the pattern says it"),
    MASS(chain, MASS_TEXT "; a number, or a list of one for each bead"),
    RADIUS(chain, RADIUS_TEXT "; a number or a list"),
    SPRING(chain, SPRING_TEXT "; a number or a list"),
    DAMPING(chain, DAMPING_TEXT "; a number or a list"),
    STRING(chain, STRING_TEXT "; a number or a list"),
    REAL(chain, gap, 0, -HUGE_VAL, HUGE_VAL, "m",
         "opening between neighbours at zero displacement, negative: overlap; a number, or a list of count - 1"),
    GAP_BEFORE(chain),
    CAROM_PARAM_END,
};
static const struct carom_key chain_others[] = {
    DIAMETER,
    MATERIAL,
    {"pattern", "list of maps", "none", "beads that differ, repeated up to count; overrides what the chain says"},
    {"taper", "map", "none", "sizes or masses that change evenly from bead to bead"},
    {"disorder", "map, or list of maps", "none", "random sizes, masses or stiffnesses, from a seed"},
    {"decorate", "map of mass, radius, material, spring", "none",
     "a bead of this kind between every two; the chain then has 2 count - 1 beads"},
    {"impurity", "map, or list of maps", "none", "single beads that differ"},
    KEY_END,
};
const struct carom_section carom_keys_chain = SECTION("chain", "a row of beads", chain, chain, chain_others);

static const struct carom_param pattern_params[] = {
    MASS(bead, MASS_TEXT),       RADIUS(bead, RADIUS_TEXT), SPRING(bead, SPRING_TEXT),
    DAMPING(bead, DAMPING_TEXT), STRING(bead, STRING_TEXT), CAROM_PARAM_END,
};
static const struct carom_key bead_others[] = {DIAMETER, MATERIAL, KEY_END};
const struct carom_section carom_keys_pattern =
    SECTION("pattern", "one entry of a chain's pattern", pattern, bead, bead_others);

const struct carom_section carom_keys_decorate =
    SECTION("decorate", "the beads between the beads of a chain", pattern, bead, bead_others);

static const struct carom_param taper_params[] = {
    REAL(taper, ratio, 1, CAROM_POSITIVE, HUGE_VAL, "1", "of each bead to the one before it"),
    CHOICE(taper, of, 0, 1, "what ratio applies to", tapered),
    REAL(taper, radius, 0, CAROM_POSITIVE, HUGE_VAL, "m", "instead of ratio: radius of the last bead"),
    REAL(taper, mass, 0, CAROM_POSITIVE, HUGE_VAL, "kg", "instead of ratio: mass of the last bead"),
    CHOICE(taper, shape, 0, 1, "equal ratios, or equal differences (not with ratio)", slopes),
    CAROM_PARAM_END,
};
static const struct carom_key taper_others[] = {DIAMETER, KEY_END};
const struct carom_section carom_keys_taper =
    SECTION("taper", "how the beads of a chain grow or shrink", taper, taper, taper_others);

#define SEED(type)                                \
    INTEGER(type, seed, 0, 0, 9007199254740992.0, \
            "of these random numbers; without it they follow from the seed of the scene")

static const struct carom_param disorder_params[] = {
    CHOICE(disorder, of, CAROM_REQUIRED, 2, "what is multiplied by a random factor", disordered),
    CHOICE(disorder, kind, 0, 2, "how the factors are drawn", draws),
    REAL(disorder, width, 0, CAROM_POSITIVE, 0.999, "1", "uniform: factors lie between 1 - width and 1 + width"),
    REAL(disorder, deviation, 0, CAROM_POSITIVE, 0.5, "1",
         "normal: standard deviation of the factors (those beyond 0 and 2 are drawn again)"),
    REAL(disorder, ratio, 0, CAROM_POSITIVE, HUGE_VAL, "1", "two-valued: the factor of some, the others keep 1"),
    REAL(disorder, share, 0.5, 0, 1, "1", "two-valued: probability of the factor"),
    SEED(disorder),
    CAROM_PARAM_END,
};
const struct carom_section carom_keys_disorder = SECTION(
    "disorder", "random factors for the beads of a chain or the contacts between them", disorder, disorder, no_others);

static const struct carom_param impurity_params[] = {
    REAL(impurity, share, 0, 0, 1, "1", "instead of at: probability that a bead is one"),
    SEED(impurity),
    MASS(impurity, "its mass"),
    RADIUS(impurity, "its radius"),
    SPRING(impurity, SPRING_TEXT),
    CAROM_PARAM_END,
};
static const struct carom_key impurity_others[] = {
    {"at", "number or list of numbers", NULL, "which beads of the chain, from 1, decorating ones included"},
    DIAMETER,
    MATERIAL,
    KEY_END,
};
const struct carom_section carom_keys_impurity =
    SECTION("impurity", "single beads of a chain that differ", impurity, impurity, impurity_others);

static const struct carom_param bead_params[] = {
    MASS(bead, MASS_TEXT),     RADIUS(bead, RADIUS_TEXT), SPRING(bead, SPRING_TEXT), DAMPING(bead, DAMPING_TEXT),
    STRING(bead, STRING_TEXT), GAP_BEFORE(bead),          CAROM_PARAM_END,
};
const struct carom_section carom_keys_bead = SECTION("bead", "a single bead", bead, bead, bead_others);

static const struct carom_param striker_params[] = {
    CHOICE(striker, side, CAROM_REQUIRED, 1, "the end it comes from", sides),
    INTEGER(striker, count, 1, 1, BODIES, "how many beads, touching, with one velocity"),
    REAL(striker, velocity, CAROM_REQUIRED, -HUGE_VAL, HUGE_VAL, "m/s",
         "the speed it comes with, its own, to the right positive"),
    REAL(striker, gap, 0, 0, HUGE_VAL, "m", "opening to the body it strikes"),
    MASS(striker, MASS_TEXT),
    RADIUS(striker, RADIUS_TEXT),
    SPRING(striker, SPRING_TEXT),
    DAMPING(striker, DAMPING_TEXT),
    STRING(striker, STRING_TEXT),
    CAROM_PARAM_END,
};
const struct carom_section carom_keys_striker =
    SECTION("striker", "a bead that comes from one end, wherever it stands in the list", striker, striker, bead_others);

static const struct carom_param wall_params[] = {
    CHOICE(wall, side, CAROM_REQUIRED, 1, "the end it stands at", sides),
    REAL(wall, gap, 0, -HUGE_VAL, HUGE_VAL, "m", "opening between it and the outermost body; negative: overlap"),
    CAROM_PARAM_END,
};
static const struct carom_key wall_others[] = {
    {"material", "name, rigid, or map of young, poisson", "none", "what it is made of: gives the stiffness"},
    {"restitution", "number, or map", "as contacts", "damping of this contact, by its restitution"},
    {"c", "number of N s/m", "none", "of a dashpot (linear-dashpot, hertz-dashpot), instead of gamma: gamma is c / k"},
    {"any parameter of the law", "number", "as contacts", "overrides it at this wall"},
    KEY_END,
};
const struct carom_section carom_keys_wall = SECTION("wall", "a fixed wall at one end", wall, wall, wall_others);

/* --- contacts and start ------------------------------------------------------------------------------------------ */

static const struct carom_param contacts_params[] = {
    CHOICE(contacts, contact_end, 0, 1,
           "ends when the gap opens, or when the force turns to tension; latched: until the gap has opened", endings),
    CAROM_PARAM_END,
};
static const struct carom_key contacts_others[] = {
    {"law", "name", "hertz", "a law of `carom list laws`"},
    {"restitution", "number, or map of e, speed", "none",
     "finds gamma from the restitution of a pair, instead of gamma; a number is e at 1 m/s"},
    {"c", "number of N s/m", "none", "of a dashpot (linear-dashpot, hertz-dashpot), instead of gamma: gamma is c / k"},
    {"at", "number or list of numbers", "all", "contacts this map applies to (in a list of maps, all but the first)"},
    {"any parameter of the law", "number or list", "k by Hertz, others as the law's table says",
     "one for all contacts, or one for each from left to right"},
    KEY_END,
};
const struct carom_section carom_keys_contacts =
    SECTION("contacts", "the law between neighbours", contacts, contacts, contacts_others);

static const struct carom_param restitution_params[] = {
    REAL(restitution, e, CAROM_REQUIRED, CAROM_POSITIVE, 1, "1", "speed after over speed before, of a pair"),
    REAL(restitution, speed, CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "m/s",
         "the closing speed at which the pair has this e"),
    CAROM_PARAM_END,
};
const struct carom_section carom_keys_restitution =
    SECTION("restitution", "damping by its outcome", restitution, restitution, no_others);

static const struct carom_param start_params[] = {
    REAL(start, velocity, 0, -HUGE_VAL, HUGE_VAL, "m/s",
         "at time 0, to the right positive; a number, or a list of one for each body"),
    REAL(start, displacement, 0, -HUGE_VAL, HUGE_VAL, "m",
         "at time 0, from the place where beads just touch or stand apart by their gaps; a number or a list"),
    REAL(start, angle, 0, -HUGE_VAL, HUGE_VAL, "rad",
         "instead of displacement, of bodies on strings: -30 deg pulls a body to the left; a number or a list"),
    CAROM_PARAM_END,
};
static const struct carom_key start_others[] = {
    {"body", "number", NULL, "the body that starts so; bodies count from 1, a left striker is the first"},
    {"bodies", "list of numbers, or all", NULL, "instead of body: several of them"},
    KEY_END,
};
const struct carom_section carom_keys_start =
    SECTION("start", "one entry of the list; later entries win", start, start, start_others);

/* --- loads ------------------------------------------------------------------------------------------------------- */

static const char *const angles[] = {"small", "large", NULL};
static const struct carom_param strings_params[] = {
    REAL(strings, gravity, 9.81, CAROM_POSITIVE, HUGE_VAL, "m/s^2", "acceleration downwards, across the line"),
    CHOICE(strings, angle, 0, 1, "small: a spring m g / L; large: the pendulum's force m g sin(u / L), u along the arc",
           angles),
    CAROM_PARAM_END,
};
const struct carom_section carom_keys_strings =
    SECTION("strings", "how bodies that have a string hang", strings, strings, no_others);

static const struct carom_param load_params[] = {
    CHOICE(load, wall, 0, 1, "instead of body: the wall that is moved", sides),
    CAROM_PARAM_END,
};
static const struct carom_key load_others[] = {
    {"body", "number", "none", "the body that is pushed or moved; bodies count from 1, a left striker is the first"},
    {"bodies", "list of numbers, or all", "none", "instead of body: several of them"},
    {"force", "signal, or list of them", "none", "a force in N, to the right positive; those of a list add up"},
    {"displacement", "signal", "none",
     "a displacement in m, to the right positive; what has one follows it whatever pushes it"},
    KEY_END,
};
const struct carom_section carom_keys_load =
    SECTION("loads", "one entry of the list; forces on one body add up", load, load, load_others);

static const char *const shapes[] = {"constant", "step", "ramp", "half-sine", "sine", "chirp", "ricker", "table", NULL};
static const struct carom_param signal_params[] = {
    CHOICE(signal, shape, CAROM_REQUIRED, 7, "constant, step, ramp, half-sine, sine, chirp, ricker or table", shapes),
    REAL(signal, amplitude, 0, -HUGE_VAL, HUGE_VAL, "1", "height, in the unit of what it drives; not for a table"),
    REAL(signal, offset, 0, -HUGE_VAL, HUGE_VAL, "1",
         "added to it at all times, in the same unit; of forces and displacements in rows"),
    REAL(signal, start, 0, -HUGE_VAL, HUGE_VAL, "s", "when it begins; of a ricker its peak"),
    REAL(signal, duration, 0, 0, HUGE_VAL, "s",
         "how long a step or sine lasts (0: for ever), a ramp rises, a half-sine or chirp takes"),
    REAL(signal, frequency, 0, CAROM_POSITIVE, HUGE_VAL, "Hz", "of a sine or ricker; of a chirp at its beginning"),
    REAL(signal, frequency_end, 0, CAROM_POSITIVE, HUGE_VAL, "Hz", "of a chirp at its end"),
    REAL(signal, phase, 0, -HUGE_VAL, HUGE_VAL, "rad", "of a sine or chirp, in radians"),
    CAROM_PARAM_END,
};
static const struct carom_key signal_others[] = {
    {"omega", "number of rad/s", "none", "instead of frequency: 2 pi times it"},
    {"omega_end", "number of rad/s", "none", "instead of frequency_end, likewise"},
    {"points", "list of pairs [time, value]", "none", "of a table: straight lines between, the ends' values outside"},
    {"file", "name of a CSV file", "none",
     "two columns, time and value, with units in the first line or in SI; from the folder of the scene"},
    KEY_END,
};
const struct carom_section carom_keys_signal =
    SECTION("signal", "a function of time; a bare number is constant", signal, signal, signal_others);

/* --- run and record ---------------------------------------------------------------------------------------------- */

static const struct carom_param run_params[] = {
    REAL(run, until, CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "s", "the time to run to"),
    INTEGER(run, threads, 0, 0, 1024, "threads, auto or 0: as many as pay; never changes a bit of the result"),
    REAL(run, checkpoint, 10, 0, HUGE_VAL, "s", "wall time between checkpoints, 0: only at the start and the end"),
    FLAG(run, resumable, 1,
         "whether the run file holds checkpoints (two whole states); without them it is small and cannot be resumed"),
    REAL(run, skin, 0, 0, HUGE_VAL, "m",
         "plane and space: how far beyond touching pairs are looked for, 0: chosen; never changes a bit of the result"),
    CAROM_PARAM_END,
};
static const struct carom_key run_others[] = {
    {"scheme", "name", "dp5", "a scheme of `carom list schemes`"},
    {"device", "name", "none",
     "where steps are taken: none (the processor), auto, or one of `carom list devices`; same bits anywhere"},
    {"any option of the scheme", "number", "as its table says", "tol for dp5; step for the others"},
    KEY_END,
};
const struct carom_section carom_keys_run = SECTION("run", "how long and how exactly", run, run, run_others);

static const struct carom_param record_params[] = {
    REAL(record, every, 0, CAROM_POSITIVE, HUGE_VAL, "s",
         "interval between samples; without every, every_steps and times there are 200 samples"),
    REAL(record, from, 0, 0, HUGE_VAL, "s", "samples by interval only from this time on"),
    REAL(record, to, 0, 0, HUGE_VAL, "s", "and only up to this time; 0: to the end"),
    INTEGER(record, every_steps, 0, 1, 1e15, "a sample every so many steps"),
    FLAG(record, events, 1, "note when contacts open and close"),
    FLAG(record, zero_force, 0,
         "rows and mechanisms of compliant contacts: note also when the force of a closed contact passes 0"),
    REAL(record, impact_every, 0, CAROM_POSITIVE, HUGE_VAL, "s",
         "impacts lzb and lzb-impulse: interval of the forces inside an impact, in its own time; without it: every"),
    CAROM_PARAM_END,
};
static const struct carom_key record_others[] = {
    {"times", "list", "none", "samples at these times, rising"},
    {"region", "two corners, each a list", "the domain",
     "plane and space: what region_stress, region_kinetic, fabric and coordination read"},
    {"cells", "all, none, or a map that chooses cells", "all up to 1e5", "which cells of a solid are recorded"},
    {"episodes", "all, none, or a number", "1e6",
     "the book of impacts: how many episodes of contacts are kept; of those left out the strongest of each contact"},
    {"beads", "list of numbers", "all", "rows: u and v of these beads only, each kept for itself as u_5, v_5"},
    {"contacts", "list of numbers", "all",
     "rows: the force of these contacts only, kept as contact_force_5; contact j is right of bead j"},
    {"probes", "list of names", "[u, v, contact_force]",
     "quantities of `carom list probes`; the ledger is always recorded"},
    KEY_END,
};
const struct carom_section carom_keys_record =
    SECTION("record", "what to keep, and when", record, record, record_others);

static const struct carom_param sensor_params[] = {
    CHOICE(sensor, wall, 0, 1, "at a wall: reads its force", sides),
    REAL(sensor, bandwidth, 0, CAROM_POSITIVE, HUGE_VAL, "Hz",
         "of a first-order low-pass filter: the frequency at which a sine comes out 3 dB lower; without it there is "
         "none"),
    CAROM_PARAM_END,
};
static const struct carom_key sensor_others[] = {
    {"name", "text", NULL, "of its item in run files, observables/sensors/<name>: letters, digits, - and _"},
    {"body", "number", "one of body, contact, wall", "inside a bead: reads the mean of its two contact forces"},
    {"contact", "number", "one of body, contact, wall", "between two bodies: reads the contact's force"},
    KEY_END,
};
const struct carom_section carom_keys_sensor =
    SECTION("sensors", "one entry of the list: a force sensor", sensor, sensor, sensor_others);

const struct carom_section *carom_keys_section(const struct carom_kind *kind)
{
    return (const struct carom_section *)(const void *)kind; /* the kind is the section's first member */
}

const char *carom_keys_home(const char *key)
{
    if (carom_param_find(carom_keys_run.kind.params, key) != NULL || strcmp(key, "scheme") == 0)
        return "run";
    for (size_t i = 0; carom_kinds_schemes[i] != NULL; i++)
        if (carom_param_find(carom_kinds_schemes[i]->kind.params, key) != NULL)
            return "run";
    if (carom_param_find(carom_keys_record.kind.params, key) != NULL || strcmp(key, "times") == 0 ||
        strcmp(key, "probes") == 0)
        return "record";
    if (carom_param_find(carom_keys_contacts.kind.params, key) != NULL || strcmp(key, "law") == 0 ||
        strcmp(key, "restitution") == 0)
        return "contacts";
    for (size_t i = 0; carom_kinds_laws[i] != NULL; i++)
        if (carom_param_find(carom_kinds_laws[i]->kind.params, key) != NULL)
            return "contacts";
    return NULL;
}

bool carom_keys_foreign(const struct carom_impact *impact, const char *key)
{
    bool of_springy = false;
    for (size_t i = 0; carom_striker_impacts[i] != NULL; i++)
        of_springy = of_springy || (carom_striker_impacts[i]->springy &&
                                    carom_param_find(carom_striker_impacts[i]->kind.params, key) != NULL);
    return of_springy && carom_param_find(impact->kind.params, key) == NULL;
}

const struct carom_impact *carom_keys_impact(const struct carom_scene *scene)
{
    const struct carom_param *row = carom_param_find(scene->scheme->kind.params, "impact");
    return row != NULL ? carom_striker_impacts[(size_t)carom_param_value(row, scene->options)] : NULL;
}
