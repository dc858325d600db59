/* Probes: named quantities read from a view. A probe copies numbers out of a reading; what takes work (forces,
 * energies) is in the reading already. A new probe is a function and an entry in the list. */
#include "record/probe.h"
#include "record/probe_solid.h"

#include <stdio.h>
#include <string.h>

#include "model/solid/strike/solid_balls.h"
#include "record/bodies_read.h"
#include "record/grains.h"

#define BODIES "particles/%s/"
#define CONTACTS "observables/contacts/"
#define LEDGER "observables/ledger/"
#define REGION "observables/region/"

/* --- bodies -------------------------------------------------------------------------------------------------- */

/* cells of solids, and discs and spheres, have several numbers each; false: it is neither */
static bool read_axes(const struct carom_reading *reading, size_t member, enum carom_cells_what what, double *out)
{
    const bool solid = carom_solid_at(reading->model, member) != NULL;
    const bool bodies = carom_bodies_read_of(reading->model, what) != NULL;
    if (solid)
        carom_cells_read(reading, member, what, out);
    else if (bodies)
        carom_bodies_read(reading, member, what, out);
    return solid || bodies;
}

static void read_displacement(const struct carom_reading *reading, size_t member, double *out)
{
    const struct carom_member *part = &reading->model->member[member];
    if (read_axes(reading, member, CAROM_CELLS_DISPLACEMENT, out))
        return;
    memcpy(out, reading->view->q + part->q0, carom_probe_solid_moves(reading->model, member, part->nq) * sizeof *out);
}

static void read_velocity(const struct carom_reading *reading, size_t member, double *out)
{
    const struct carom_member *part = &reading->model->member[member];
    if (read_axes(reading, member, CAROM_CELLS_VELOCITY, out))
        return;
    memcpy(out, reading->view->v + part->v0, carom_probe_solid_moves(reading->model, member, part->nv) * sizeof *out);
}

static void read_position(const struct carom_reading *reading, size_t member, double *out)
{
    const struct carom_member *part = &reading->model->member[member];
    if (read_axes(reading, member, CAROM_CELLS_POSITION, out))
        return;
    const double *q = reading->view->q + part->q0;
    if (carom_probe_solid_places(reading->model, member, q, out))
        return;
    carom_model_positions(reading->model, out);
    for (size_t i = 0; i < part->nq; i++)
        out[i] += q[i];
}

#define AXES_READER(name, what)                                                              \
    static void read_##name(const struct carom_reading *reading, size_t member, double *out) \
    {                                                                                        \
        read_axes(reading, member, what, out);                                               \
    }

AXES_READER(rotation, CAROM_CELLS_ROTATION)
AXES_READER(stress, CAROM_CELLS_STRESS)
AXES_READER(strain, CAROM_CELLS_STRAIN)

static void read_spin(const struct carom_reading *reading, size_t member, double *out)
{
    const struct carom_member *part = &reading->model->member[member];
    if (read_axes(reading, member, CAROM_CELLS_SPIN, out))
        return;
    const size_t first = carom_probe_solid_moves(reading->model, member, part->nv);
    memcpy(out, reading->view->v + part->v0 + first, (part->nv - first) * sizeof *out);
}

AXES_READER(von_mises, CAROM_CELLS_VON_MISES)
AXES_READER(principal, CAROM_CELLS_PRINCIPAL)
AXES_READER(plastic_strain, CAROM_CELLS_PLASTIC_STRAIN)
AXES_READER(damage, CAROM_CELLS_DAMAGE)
AXES_READER(contact_load, CAROM_CELLS_CONTACT_LOAD)
AXES_READER(contact_pressure, CAROM_CELLS_CONTACT_PRESSURE)
AXES_READER(link_damage, CAROM_CELLS_LINK_DAMAGE)
AXES_READER(sensor_u, CAROM_CELLS_SENSOR_DISPLACEMENT)
AXES_READER(sensor_v, CAROM_CELLS_SENSOR_VELOCITY)
AXES_READER(reaction, CAROM_CELLS_REACTION)
AXES_READER(reaction_moment, CAROM_CELLS_REACTION_MOMENT)
#define JOINT_READER(name, what, moment)                                                     \
    static void read_##name(const struct carom_reading *reading, size_t member, double *out) \
    {                                                                                        \
        if (!carom_probe_solid_joints(reading, member, moment, out))                         \
            read_axes(reading, member, what, out);                                           \
    }

JOINT_READER(joint_force, CAROM_CELLS_JOINT_FORCE, false)
JOINT_READER(joint_moment, CAROM_CELLS_JOINT_MOMENT, true)

/* --- regions ------------------------------------------------------------------------------------------------- */

#define REGION_READER(name)                                                                         \
    static void read_region_##name(const struct carom_reading *reading, size_t member, double *out) \
    {                                                                                               \
        (void)member;                                                                               \
        carom_grains_region_##name(reading->grains, reading->region, reading->moment, out);         \
    }

REGION_READER(stress)
REGION_READER(kinetic)

static void read_fabric(const struct carom_reading *reading, size_t member, double *out)
{
    (void)member;
    carom_grains_fabric(reading->grains, reading->region, reading->moment, out);
}

static void read_coordination(const struct carom_reading *reading, size_t member, double *out)
{
    (void)member;
    *out = carom_grains_coordination(reading->grains, reading->region, reading->moment);
}

/* --- contacts ------------------------------------------------------------------------------------------------ */

#define CONTACT_READER(what, from)                                                           \
    static void read_##what(const struct carom_reading *reading, size_t member, double *out) \
    {                                                                                        \
        (void)member;                                                                        \
        memcpy(out, reading->from, reading->model->nc * sizeof *out);                        \
    }

CONTACT_READER(force, force)
CONTACT_READER(slip, slip)
CONTACT_READER(contact_stored, stored)

static void read_friction_force(const struct carom_reading *reading, size_t member, double *out)
{
    (void)member;
    for (size_t j = 0; j < reading->model->nc; j++)
        out[j] = reading->view->nfriction > 0 ? reading->view->friction[j] : 0.0;
}

static void read_gap(const struct carom_reading *reading, size_t member, double *out)
{
    const struct carom_model *model = reading->model;
    (void)member;
    if (model->encounter) /* whose wide gaps nothing else asks for */
        carom_contacts_deform(model, reading->view->time, reading->view->q, NULL, out, NULL);
    else
        memcpy(out, reading->deform, model->nc * sizeof *out);
    for (size_t j = 0; j < model->nc; j++)
        out[j] = 0.0 - out[j]; /* a touching contact has gap 0, not -0 */
}

/* states keep only what their model can lose */
static void read_contact_dissipated(const struct carom_reading *reading, size_t member, double *out)
{
    const struct carom_state *view = reading->view;
    (void)member;
    for (size_t j = 0; j < reading->model->nc; j++)
        out[j] = (view->nlost > 0 ? view->lost[j] : 0.0) + (view->nclipped > 0 ? view->clipped[j] : 0.0) +
                 (view->nfriction > 0 ? view->friction_loss[j] : 0.0);
}

/* the member is twice the number of the sensor, one more without its filter */
static void read_sensor(const struct carom_reading *reading, size_t member, double *out)
{
    *out = reading->sensor[member];
}

/* the member is the coordinate or contact */
#define CHOSEN_READER(what, from)                                                                   \
    static void read_chosen_##what(const struct carom_reading *reading, size_t member, double *out) \
    {                                                                                               \
        *out = reading->from[member];                                                               \
    }

CHOSEN_READER(u, view->q)
CHOSEN_READER(v, view->v)
CHOSEN_READER(force, force)

/* --- ledger -------------------------------------------------------------------------------------------------- */

#define LEDGER_READER(entry, name, text, path, label)                                         \
    static void read_##entry(const struct carom_reading *reading, size_t member, double *out) \
    {                                                                                         \
        (void)member;                                                                         \
        *out = reading->ledger->entry;                                                        \
    }

/* --- the list ------------------------------------------------------------------------------------------------ */

/* Every probe once: X(its name here, name, what it is, extent, path, unit, how it is read); those of cells, discs and
 * spheres say too what of them they read. Lists follow their order. */
/* clang-format off */
#define CELL_PROBES(X)                                                                                                 \
    X(u, "u", "displacement of each body from the reference",                                                          \
      CAROM_PER_COORDINATE, BODIES "displacement", "m", read_displacement, CAROM_CELLS_DISPLACEMENT)                   \
    X(v, "v", "velocity of each body",                                                                                 \
      CAROM_PER_VELOCITY, BODIES "velocity", "m/s", read_velocity, CAROM_CELLS_VELOCITY)                               \
    X(position, "position", "position of each body; the first bead of a row stands at 0 in the reference",             \
      CAROM_PER_COORDINATE, BODIES "position", "m", read_position, CAROM_CELLS_POSITION)                               \
    X(rotation, "rotation",                                                                                            \
      "rotation of each disc, sphere, wall or cell of a solid: quaternion; in the plane the angle",                    \
      CAROM_PER_COORDINATE, BODIES "rotation", "1", read_rotation, CAROM_CELLS_ROTATION)                               \
    X(spin, "spin", "angular velocity of each disc, sphere, wall or cell of a solid, axes of space",                   \
      CAROM_PER_VELOCITY, BODIES "spin", "1/s", read_spin, CAROM_CELLS_SPIN)                                           \
    X(stress, "stress", "stress of each cell of a solid, or of each disc or sphere: xx yy zz yz xz xy",                \
      CAROM_PER_COORDINATE, BODIES "stress", "Pa", read_stress, CAROM_CELLS_STRESS)                                    \
    X(strain, "strain", "strain of each cell of a solid: xx yy zz yz xz xy",                                           \
      CAROM_PER_COORDINATE, BODIES "strain", "1", read_strain, CAROM_CELLS_STRAIN)                                     \
    X(von_mises, "von_mises", "von Mises stress of each cell of a solid",                                              \
      CAROM_PER_COORDINATE, BODIES "von_mises", "Pa", read_von_mises, CAROM_CELLS_VON_MISES)                           \
    X(principal, "principal", "principal stresses of each cell of a solid, the largest first",                         \
      CAROM_PER_COORDINATE, BODIES "principal", "Pa", read_principal, CAROM_CELLS_PRINCIPAL)                           \
    X(plastic_strain, "plastic_strain", "length of the plastic or viscous strain's way in each cell of a solid",       \
      CAROM_PER_COORDINATE, BODIES "plastic_strain", "1", read_plastic_strain, CAROM_CELLS_PLASTIC_STRAIN)             \
    X(damage, "damage", "which part of the links of each cell of a solid is gone, by area",                            \
      CAROM_PER_COORDINATE, BODIES "damage", "1", read_damage, CAROM_CELLS_DAMAGE)                                     \
    X(contact_load, "contact_load", "force with which contacts press each cell of a solid, without friction",          \
      CAROM_PER_COORDINATE, BODIES "contact_load", "N", read_contact_load, CAROM_CELLS_CONTACT_LOAD)                   \
    X(contact_pressure, "contact_pressure", "pressure of contacts on each cell of a solid where it is touched",        \
      CAROM_PER_COORDINATE, BODIES "contact_pressure", "Pa", read_contact_pressure, CAROM_CELLS_CONTACT_PRESSURE)      \
    X(link_damage, "link_damage", "how much of each link of solids that break is gone: 0 whole, 1 broken",             \
      CAROM_PER_COORDINATE, "particles/links/damage", "1", read_link_damage, CAROM_CELLS_LINK_DAMAGE)                  \
    X(sensor_u, "sensor_u", "displacement at the sensors of a solid; always recorded",                                 \
      CAROM_PER_COORDINATE, "particles/sensors/displacement", "m", read_sensor_u, CAROM_CELLS_SENSOR_DISPLACEMENT)     \
    X(sensor_v, "sensor_v", "velocity at the sensors of a solid; always recorded",                                     \
      CAROM_PER_VELOCITY, "particles/sensors/velocity", "m/s", read_sensor_v, CAROM_CELLS_SENSOR_VELOCITY)             \
    X(reaction, "reaction", "force of each clamp, then of each drive, on a solid",                                     \
      CAROM_PER_COORDINATE, "particles/clamps/force", "N", read_reaction, CAROM_CELLS_REACTION)                        \
    X(reaction_moment, "reaction_moment",                                                                              \
      "moment of each clamp and drive of a solid about the middle of its cells, unloaded",                             \
      CAROM_PER_COORDINATE, "particles/clamps/moment", "N*m", read_reaction_moment, CAROM_CELLS_REACTION_MOMENT)       \
    X(joint_force, "joint_force", "force of each joint on the first of its bodies, motors and limits included",        \
      CAROM_PER_COORDINATE, "particles/joints/force", "N", read_joint_force, CAROM_CELLS_JOINT_FORCE)                  \
    X(joint_moment, "joint_moment", "moment of each joint on the first of its bodies, about the point that it holds",  \
      CAROM_PER_COORDINATE, "particles/joints/moment", "N*m", read_joint_moment, CAROM_CELLS_JOINT_MOMENT)

#define OTHER_PROBES(X)                                                                                                \
    X(force, "contact_force", "force of each contact, positive when it pushes",                                        \
      CAROM_PER_CONTACT, CONTACTS "force", "N", read_force)                                                            \
    X(friction_force, "friction_force", "tangential force of each contact, against its slip",                          \
      CAROM_PER_CONTACT, CONTACTS "friction", "N", read_friction_force)                                                \
    X(slip, "slip", "how fast the bodies of each contact slip along each other",                                       \
      CAROM_PER_CONTACT, CONTACTS "slip", "m/s", read_slip)                                                            \
    X(gap, "gap", "gap of each contact, negative when it overlaps",                                                    \
      CAROM_PER_CONTACT, CONTACTS "gap", "m", read_gap)                                                                \
    X(contact_area, "contact_area", "area of solids and balls in touch, by contacts",                                  \
      CAROM_PER_CONTACT, CONTACTS "area", "m^2", carom_probe_solid_contact_area)                                       \
    X(contact_stored, "contact_stored", "elastic energy of each contact",                                              \
      CAROM_PER_CONTACT, CONTACTS "stored", "J", read_contact_stored)                                                  \
    X(contact_dissipated, "contact_dissipated", "energy dissipated in each contact so far",                            \
      CAROM_PER_CONTACT, CONTACTS "dissipated", "J", read_contact_dissipated)                                          \
    X(contacts, "contacts", "where contacts come and go: bodies, place, force and losses of those that are closed",    \
      CAROM_PER_LIST, CONTACTS "list", "1", NULL)                                                                      \
    X(region_stress, "region_stress", "stress of the contacts in a region: xx yy zz yz xz xy",                         \
      CAROM_PER_REGION, REGION "stress", "Pa", read_region_stress)                                                     \
    X(region_kinetic, "region_kinetic", "stress that bodies in a region carry beside their mean velocity",             \
      CAROM_PER_REGION, REGION "kinetic", "Pa", read_region_kinetic)                                                   \
    X(fabric, "fabric", "fabric of the contacts in a region, the mean of n n: xx yy zz yz xz xy",                      \
      CAROM_PER_REGION, REGION "fabric", "1", read_fabric)                                                             \
    X(coordination, "coordination", "contacts of each disc or sphere in a region, in the mean",                        \
      CAROM_PER_REGION, REGION "coordination", "1", read_coordination)
/* clang-format on */

#define PROBE(id, name, text, extent, path, unit, read) \
    static const struct carom_probe probe_##id = {{name, text, NULL, 0}, extent, path, unit, read};
#define CELL_PROBE(id, name, text, extent, path, unit, read, what) PROBE(id, name, text, extent, path, unit, read)
#define LEDGER_PROBE(id, name, text, path, label) PROBE(id, name, text, CAROM_PER_RUN, LEDGER path, "J", read_##id)
CELL_PROBES(CELL_PROBE)
OTHER_PROBES(PROBE)
CAROM_LEDGER(LEDGER_READER)
CAROM_LEDGER(LEDGER_PROBE)
PROBE(crack_area, "crack_area", "area of the broken links of all solids, cracks of the start included", CAROM_PER_RUN,
      "observables/solids/crack_area", "m^2", carom_probe_solid_crack)

const struct carom_probe carom_probe_sensor = {
    {"sensor", "force a sensor reads", NULL, 0}, CAROM_PER_SENSOR, "observables/sensors/%s", "N", read_sensor};

#define CHOSEN "observables/chosen/"
const struct carom_probe carom_probe_chosen[3] = {
    {{"u", "displacement of a bead", NULL, 0}, CAROM_PER_SENSOR, CHOSEN "u_%s", "m", read_chosen_u},
    {{"v", "velocity of a bead", NULL, 0}, CAROM_PER_SENSOR, CHOSEN "v_%s", "m/s", read_chosen_v},
    {{"contact_force", "force of a contact", NULL, 0},
     CAROM_PER_SENSOR,
     CHOSEN "contact_force_%s",
     "N",
     read_chosen_force},
};

#define LISTED(id, name, text, extent, path, unit, read) &probe_##id,
#define CELL_LISTED(id, name, text, extent, path, unit, read, what) &probe_##id,
#define LEDGER_LISTED(id, name, text, path, label) &probe_##id,
/* clang-format off */
const struct carom_probe *const carom_probe_list[] = {
    CELL_PROBES(CELL_LISTED) OTHER_PROBES(LISTED) CAROM_LEDGER(LEDGER_LISTED) &probe_crack_area, NULL};
/* clang-format on */

const struct carom_probe *carom_probe_find(const char *name)
{
    if (name == NULL)
        return NULL;
    for (size_t i = 0; carom_probe_list[i] != NULL; i++)
        if (strcmp(carom_probe_list[i]->kind.name, name) == 0)
            return carom_probe_list[i];
    return NULL;
}

enum carom_cells_what carom_probe_cells(const struct carom_probe *probe)
{
#define READS(id, name, text, extent, path, unit, read, what) what,
    static const enum carom_cells_what reads[] = {CELL_PROBES(READS)};
    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++)
        if (carom_probe_list[i] == probe)
            return reads[i];
    return CAROM_CELLS_NOTHING;
}

bool carom_probe_of_grains(const struct carom_probe *probe)
{
    return probe->extent == CAROM_PER_REGION || probe == &probe_stress;
}

size_t carom_probe_region_size(const struct carom_probe *probe)
{
    return probe == &probe_coordination ? 1 : CAROM_GRAINS_TENSOR;
}

bool carom_probe_needs_volume(const struct carom_probe *probe)
{
    return probe == &probe_region_stress || probe == &probe_region_kinetic;
}

bool carom_probe_only_cells(const struct carom_probe *probe)
{
    const enum carom_cells_what what = carom_probe_cells(probe);
    return what >= CAROM_CELLS_ROTATION && probe != &probe_joint_force && probe != &probe_joint_moment;
}

static bool refuse(char why[CAROM_PROBE_WHY], const char *text)
{
    if (why != NULL)
        snprintf(why, CAROM_PROBE_WHY, "%s", text);
    return false;
}

bool carom_probe_fits(const struct carom_probe *probe, const struct carom_model *model, char why[CAROM_PROBE_WHY])
{
    const bool solid = carom_solid_of(model, NULL) != NULL, bodies = carom_model_bodies(model) != NULL;
    const enum carom_cells_what what = carom_probe_cells(probe);
    if (probe == &probe_contacts || probe->extent == CAROM_PER_REGION || probe == &probe_rolling ||
        probe == &probe_twisting || probe == &probe_numerical)
        return bodies || refuse(why, "needs bodies whose contacts come and go");
    if (probe == &probe_change)
        return bodies || (solid && model->frictional) || refuse(why, "needs friction of bodies");
    if (probe == &probe_slip && model->encounter && model->frictional)
        return refuse(why, "is not for contacts of solids");
    if (probe == &probe_outside)
        return (bodies && carom_model_bodies(model)->outside == CAROM_OUTSIDE_REMOVE) ||
               refuse(why, "needs a domain with outside: remove");
    if (probe == &probe_absorbed)
        return carom_probe_solid_any(model, CAROM_SOLID_ABSORBS) || refuse(why, "needs absorbing sides of a solid");
    if (probe == &probe_plastic && carom_probe_solid_any(model, CAROM_SOLID_FLOWS) &&
        !carom_probe_solid_any(model, CAROM_SOLID_YIELDS))
        return refuse(why, "needs plasticity");
    if (probe == &probe_plastic || probe == &probe_plastic_strain)
        return carom_probe_solid_any(model, CAROM_SOLID_FLOWS) || refuse(why, "needs a solid with plasticity");
    if (probe == &probe_fracture || probe == &probe_crack_area || probe == &probe_damage || probe == &probe_link_damage)
        return carom_probe_solid_any(model, CAROM_SOLID_BREAKS) || refuse(why, "needs a solid with fracture");
    if (probe == &probe_contact_load || probe == &probe_contact_pressure)
        return model->encounter != NULL || refuse(why, "needs solids that meet something");
    if (probe == &probe_contact_area)
        return carom_probe_solid_touches(model) || refuse(why, "needs solids that meet solids or planes, or spheres");
    if (probe == &probe_joint_force || probe == &probe_joint_moment)
        return (carom_bodies_read_of(model, what) && carom_bodies_read_of(model, what)->njoints > 0) ||
               (carom_solid_balls_of(model, NULL) && carom_solid_balls_of(model, NULL)->njoints > 0) ||
               refuse(why, "needs joints between bodies");
    if (carom_bodies_read_of(model, what) != NULL && !bodies)
        return true;
    const bool turns = what == CAROM_CELLS_ROTATION || what == CAROM_CELLS_SPIN || what == CAROM_CELLS_STRESS;
    if (carom_probe_only_cells(probe) && !solid && !(bodies && turns))
        return refuse(why, "needs a solid");
    if ((probe == &probe_reaction || probe == &probe_reaction_moment) &&
        !carom_probe_solid_any(model, CAROM_SOLID_HELD))
        return refuse(why, "needs clamps or drives");
    if (probe->extent == CAROM_PER_CONTACT && bodies)
        return refuse(why, "is for contacts that stay; probe contacts lists those that come and go");
    if (probe == &probe_position && carom_model_chain(model) == NULL && !solid && !bodies)
        return refuse(why, "needs a single row of beads");
    return true;
}

bool carom_probe_single(const struct carom_probe *probe)
{
    return probe->extent == CAROM_PER_RUN || probe->extent == CAROM_PER_SENSOR ||
           (probe->extent == CAROM_PER_REGION && carom_probe_region_size(probe) == 1);
}

bool carom_probe_is_ledger(const struct carom_probe *probe)
{
    return probe->extent == CAROM_PER_RUN;
}
