/* The tables of scene keys. What a law or scheme takes stands in its own table and is accepted beside these. */
#include "scene/keys.h"

#include <stddef.h>

#define BODIES 1e8 /* more are refused before memory is asked for */

#define FIELD(type, field) offsetof(struct carom_keys_##type, field)

static const char *const units[] = {"si", "none", NULL};
static const char *const theories[] = {"compliant", "lzb", "nonsmooth", "solid", NULL};
static const char *const sides[] = {"left", "right", NULL};
static const char *const endings[] = {"gap", "force", NULL};

#define MATERIAL                                                                                    \
    {                                                                                               \
        "material", "name, or map of young, poisson, density", "none",                              \
            "what it is made of: gives the mass with the radius, and the stiffness of its contacts" \
    }
#define KEY_END                \
    {                          \
        NULL, NULL, NULL, NULL \
    }

/* --- the whole --------------------------------------------------------------------------------------------------- */

static const struct carom_param scene_params[] = {
    {"units", CAROM_CHOICE, FIELD(scene, units), 0, 0, 1, "1", "si, or none: numbers without units", units},
    {"theory", CAROM_CHOICE, FIELD(scene, theory), 0, 0, 3, "1", "how contacts are read; this version has compliant, nonsmooth and solid",
     theories},
    {"seed", CAROM_INTEGER, FIELD(scene, seed), 0, 0, 9007199254740992.0, "1", "of random numbers; kept in run files",
     NULL},
    CAROM_PARAM_END,
};
static const struct carom_key scene_others[] = {
    {"title", "text", "name of the file", "one line for summaries and run files"},
    {"materials", "map", "none", "materials of the scene's own: name: {young, poisson, density}"},
    {"bodies", "list", NULL, "what there is, from left to right: chain, bead, striker, wall"},
    {"contacts", "map, or list of maps", "hertz", "the law between neighbours"},
    {"start", "list", "at rest", "velocities and displacements at time 0"},
    {"run", "map", NULL, "how long and how exactly"},
    {"record", "map", "200 samples", "what to keep, and when"},
    KEY_END,
};
const struct carom_section carom_keys_scene = {
    {"scene", "the keys of the file itself", scene_params, sizeof(struct carom_keys_scene)}, scene_others};

static const struct carom_param material_params[] = {
    {"young", CAROM_REAL, FIELD(material, young), CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "Pa", "Young's modulus",
     NULL},
    {"poisson", CAROM_REAL, FIELD(material, poisson), CAROM_REQUIRED, -0.999, 0.5, "1", "Poisson's ratio", NULL},
    {"density", CAROM_REAL, FIELD(material, density), CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "kg/m^3",
     "density; not needed where masses are given", NULL},
    CAROM_PARAM_END,
};
static const struct carom_key no_others[] = {KEY_END};
const struct carom_section carom_keys_material = {
    {"material", "a material of the scene's own", material_params, sizeof(struct carom_keys_material)}, no_others};

/* --- bodies ------------------------------------------------------------------------------------------------------ */

#define MASS(type, text)                                                                     \
    {                                                                                        \
        "mass", CAROM_REAL, FIELD(type, mass), 1, CAROM_POSITIVE, HUGE_VAL, "kg", text, NULL \
    }
#define RADIUS(type, text)                                                                        \
    {                                                                                             \
        "radius", CAROM_REAL, FIELD(type, radius), 0.5, CAROM_POSITIVE, HUGE_VAL, "m", text, NULL \
    }
#define SPRING(type, text)                                                           \
    {                                                                                \
        "spring", CAROM_REAL, FIELD(type, spring), 0, 0, HUGE_VAL, "N/m", text, NULL \
    }
#define GAP_BEFORE(type)                                                                                              \
    {                                                                                                                 \
        "gap_before", CAROM_REAL, FIELD(type, gap_before), 0, 0, HUGE_VAL, "m", "opening to the body before it", NULL \
    }
#define MASS_TEXT "mass; without it from radius and material (units: none: 1)"
#define RADIUS_TEXT "radius, never the diameter (1/2 in pictures where no body has one)"
#define SPRING_TEXT "local spring to the bead's place (Newton's cradle)"

static const struct carom_param chain_params[] = {
    {"count", CAROM_INTEGER, FIELD(chain, count), CAROM_REQUIRED, 1, BODIES, "1",
     "how many beads; may be left out where a list or the pattern says it", NULL},
    MASS(chain, MASS_TEXT "; a number, or a list of one for each bead"),
    RADIUS(chain, RADIUS_TEXT "; a number or a list"),
    SPRING(chain, SPRING_TEXT "; a number or a list"),
    {"gap", CAROM_REAL, FIELD(chain, gap), 0, 0, HUGE_VAL, "m",
     "opening between neighbours at zero displacement; a number, or a list of count - 1", NULL},
    GAP_BEFORE(chain),
    CAROM_PARAM_END,
};
static const struct carom_key chain_others[] = {
    MATERIAL,
    {"pattern", "list of maps", "none", "beads that differ, repeated up to count; overrides what the chain says"},
    KEY_END,
};
const struct carom_section carom_keys_chain = {
    {"chain", "a row of beads", chain_params, sizeof(struct carom_keys_chain)}, chain_others};

static const struct carom_param pattern_params[] = {
    MASS(bead, MASS_TEXT),
    RADIUS(bead, RADIUS_TEXT),
    SPRING(bead, SPRING_TEXT),
    CAROM_PARAM_END,
};
static const struct carom_key bead_others[] = {MATERIAL, KEY_END};
const struct carom_section carom_keys_pattern = {
    {"pattern", "one entry of a chain's pattern", pattern_params, sizeof(struct carom_keys_bead)}, bead_others};

static const struct carom_param bead_params[] = {
    MASS(bead, MASS_TEXT), RADIUS(bead, RADIUS_TEXT), SPRING(bead, SPRING_TEXT), GAP_BEFORE(bead), CAROM_PARAM_END,
};
const struct carom_section carom_keys_bead = {{"bead", "a single bead", bead_params, sizeof(struct carom_keys_bead)},
                                              bead_others};

static const struct carom_param striker_params[] = {
    {"side", CAROM_CHOICE, FIELD(striker, side), CAROM_REQUIRED, 0, 1, "1", "the end it comes from", sides},
    {"velocity", CAROM_REAL, FIELD(striker, velocity), CAROM_REQUIRED, -HUGE_VAL, HUGE_VAL, "m/s",
     "the speed it comes with, its own, to the right positive", NULL},
    {"gap", CAROM_REAL, FIELD(striker, gap), 0, 0, HUGE_VAL, "m", "opening to the body it strikes", NULL},
    MASS(striker, MASS_TEXT),
    RADIUS(striker, RADIUS_TEXT),
    SPRING(striker, SPRING_TEXT),
    CAROM_PARAM_END,
};
const struct carom_section carom_keys_striker = {{"striker",
                                                  "a bead that comes from one end, wherever it stands in the list",
                                                  striker_params, sizeof(struct carom_keys_striker)},
                                                 bead_others};

static const struct carom_param wall_params[] = {
    {"side", CAROM_CHOICE, FIELD(wall, side), CAROM_REQUIRED, 0, 1, "1", "the end it stands at", sides},
    {"gap", CAROM_REAL, FIELD(wall, gap), 0, 0, HUGE_VAL, "m", "opening between it and the outermost body", NULL},
    CAROM_PARAM_END,
};
static const struct carom_key wall_others[] = {
    {"material", "name, rigid, or map of young, poisson", "none", "what it is made of: gives the stiffness"},
    {"restitution", "map", "as contacts", "damping of this contact, by its restitution"},
    {"any parameter of the law", "number", "as contacts", "overrides it at this wall"},
    KEY_END,
};
const struct carom_section carom_keys_wall = {
    {"wall", "a fixed wall at one end", wall_params, sizeof(struct carom_keys_wall)}, wall_others};

/* --- contacts and start ------------------------------------------------------------------------------------------ */

static const struct carom_param contacts_params[] = {
    {"contact_end", CAROM_CHOICE, FIELD(contacts, contact_end), 0, 0, 1, "1",
     "a contact ends when the gap opens, or already when the force turns to tension", endings},
    CAROM_PARAM_END,
};
static const struct carom_key contacts_others[] = {
    {"law", "name", "hertz", "a law of `carom list laws`"},
    {"restitution", "map of e, speed", "none", "finds gamma from the restitution of a pair, instead of gamma"},
    {"at", "number or list of numbers", "all", "contacts this map speaks of (in a list of maps, all but the first)"},
    {"any parameter of the law", "number or list", "k by Hertz, others as the law's table says",
     "one for all contacts, or one for each from left to right"},
    KEY_END,
};
const struct carom_section carom_keys_contacts = {
    {"contacts", "the law between neighbours", contacts_params, sizeof(struct carom_keys_contacts)}, contacts_others};

static const struct carom_param restitution_params[] = {
    {"e", CAROM_REAL, FIELD(restitution, e), CAROM_REQUIRED, CAROM_POSITIVE, 1, "1",
     "speed after over speed before, of a pair", NULL},
    {"speed", CAROM_REAL, FIELD(restitution, speed), CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "m/s",
     "the closing speed at which the pair has this e", NULL},
    CAROM_PARAM_END,
};
const struct carom_section carom_keys_restitution = {
    {"restitution", "damping by its outcome", restitution_params, sizeof(struct carom_keys_restitution)}, no_others};

static const struct carom_param start_params[] = {
    {"velocity", CAROM_REAL, FIELD(start, velocity), 0, -HUGE_VAL, HUGE_VAL, "m/s",
     "at time 0, to the right positive; a number, or a list of one for each body", NULL},
    {"displacement", CAROM_REAL, FIELD(start, displacement), 0, -HUGE_VAL, HUGE_VAL, "m",
     "at time 0, from the place where beads just touch or stand apart by their gaps; a number or a list", NULL},
    CAROM_PARAM_END,
};
static const struct carom_key start_others[] = {
    {"body", "number", NULL, "the body that starts so; bodies count from 1, a left striker is the first"},
    {"bodies", "list of numbers, or all", NULL, "instead of body: several of them"},
    KEY_END,
};
const struct carom_section carom_keys_start = {
    {"start", "one entry of the list; later entries win", start_params, sizeof(struct carom_keys_start)}, start_others};

/* --- run and record ---------------------------------------------------------------------------------------------- */

static const struct carom_param run_params[] = {
    {"until", CAROM_REAL, FIELD(run, until), CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "s", "the time to run to", NULL},
    {"threads", CAROM_INTEGER, FIELD(run, threads), 0, 0, 1024, "1",
     "threads, 0: as many as pay; never changes a bit of the result", NULL},
    {"checkpoint", CAROM_REAL, FIELD(run, checkpoint), 10, 0, HUGE_VAL, "s",
     "wall time between checkpoints, 0: only at the end", NULL},
    CAROM_PARAM_END,
};
static const struct carom_key run_others[] = {
    {"scheme", "name", "dp5", "a scheme of `carom list schemes`"},
    {"any option of the scheme", "number", "as its table says", "tol for dp5; step for the others"},
    KEY_END,
};
const struct carom_section carom_keys_run = {
    {"run", "how long and how exactly", run_params, sizeof(struct carom_keys_run)}, run_others};

static const struct carom_param record_params[] = {
    {"every", CAROM_REAL, FIELD(record, every), 0, CAROM_POSITIVE, HUGE_VAL, "s",
     "interval between samples; without every, every_steps and times there are 200 samples", NULL},
    {"every_steps", CAROM_INTEGER, FIELD(record, every_steps), 0, 1, 1e15, "1", "a sample every so many steps", NULL},
    {"events", CAROM_FLAG, FIELD(record, events), 1, 0, 1, "1", "note when contacts open and close", NULL},
    CAROM_PARAM_END,
};
static const struct carom_key record_others[] = {
    {"times", "list", "none", "samples at these times, rising"},
    {"probes", "list of names", "[u, v, contact_force]",
     "quantities of `carom list probes`; the ledger comes by itself"},
    KEY_END,
};
const struct carom_section carom_keys_record = {
    {"record", "what to keep, and when", record_params, sizeof(struct carom_keys_record)}, record_others};

const struct carom_kind *const carom_keys_list[] = {
    &carom_keys_scene.kind,
    &carom_keys_material.kind,
    &carom_keys_chain.kind,
    &carom_keys_pattern.kind,
    &carom_keys_bead.kind,
    &carom_keys_striker.kind,
    &carom_keys_wall.kind,
    &carom_keys_contacts.kind,
    &carom_keys_restitution.kind,
    &carom_keys_start.kind,
    &carom_keys_run.kind,
    &carom_keys_record.kind,
    NULL,
};

const struct carom_section *carom_keys_section(const struct carom_kind *kind)
{
    return (const struct carom_section *)(const void *)kind; /* the kind is the section's first member */
}
