/* Every entry of `bodies` in the plane and in space: places, sizes, masses, walls, and how some are driven. */
#include <string.h>

#include "base/angle.h"
#include "base/memory.h"
#include "scene/bind_signal.h"
#include "scene/space/bind_space.h"

#define PI 3.14159265358979323846

/* --- balls ------------------------------------------------------------------------------------------------------- */

static enum carom_status no_mass(struct carom_bind_space *s, const struct carom_bind_entry *entry)
{
    const struct carom_reader *r = &s->b->r;
    return carom_value_wrong_key(r, entry->map,
                                 entry->made_of > 0 ? "%s: the mass is missing: its material has no density"
                                                    : "%s: give mass, or material: with the radius it gives the mass",
                                 entry->word);
}

enum carom_status carom_bind_space_bodies_ball(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                               double radius, double mass, double thickness, int of,
                                               struct carom_body *body)
{
    const struct carom_material *material = entry->made_of > 0 ? &s->b->material[entry->made_of - 1] : NULL;
    const bool disc = of == CAROM_KEYS_DISC && s->dimension == 2;
    const double volume = disc ? PI * radius * radius * thickness : 4.0 / 3.0 * PI * radius * radius * radius;
    body->surface = CAROM_BALL;
    body->radius = radius;
    body->volume = volume;
    body->depth = disc ? thickness : 2.0 * radius;
    body->material = entry->class;
    if (body->fixed)
        return CAROM_OK;
    if (!(mass > 0.0) && material == NULL && !s->b->r.si)
        mass = 1.0;
    else if (!(mass > 0.0) && material != NULL && material->density > 0.0)
        mass = material->density * volume;
    if (!(mass > 0.0))
        return no_mass(s, entry);
    body->mass = mass;
    const double shell = disc ? 1.0 : 2.0 / 3.0, whole = disc ? 0.5 : 0.4;
    body->inertia = (body->inside ? shell : whole) * mass * radius * radius;
    if (body->inertia > 0.0 && mass < HUGE_VAL && body->inertia < HUGE_VAL)
        return CAROM_OK;
    return carom_value_wrong_key(&s->b->r, entry->map, "%s: mass or inertia is not a usable number", entry->word);
}

/* a key that must be there */
static enum carom_status find(struct carom_bind_space *s, const struct carom_bind_entry *entry, const char *key,
                              const char *hint, struct carom_node **node)
{
    *node = carom_tree_find(entry->map, key);
    if (*node != NULL)
        return CAROM_OK;
    return carom_value_wrong_key(&s->b->r, entry->map, "%s: %s is missing: %s", entry->word, key, hint);
}

static enum carom_status place(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                               struct carom_body *body)
{
    struct carom_node *at;
    if (find(s, entry, "at", s->dimension == 2 ? "its place, such as [0, 0]" : "its place, such as [0, 0, 0]", &at) !=
        CAROM_OK)
        return s->b->r.error->status;
    return carom_bind_space_vector(s, at, "m", body->at);
}

/* velocity and spin that stand with the body itself */
static enum carom_status set_moving(struct carom_bind_space *s, const struct carom_bind_entry *entry)
{
    const size_t d = s->dimension, nv = d == 2 ? 3 : 6;
    struct carom_node *velocity = carom_tree_find(entry->map, "velocity"), *spin = carom_tree_find(entry->map, "spin");
    double fast[3] = {0.0}, turns[3] = {0.0};
    if ((velocity != NULL && carom_bind_space_velocity(s, velocity, fast) != CAROM_OK) ||
        (spin != NULL && carom_bind_space_turn(s, spin, "rad/s", turns) != CAROM_OK))
        return s->b->r.error->status;
    const struct carom_node *given = velocity != NULL ? velocity : spin;
    if (given != NULL && s->bodies->body[entry->first].fixed)
        return carom_value_wrong_key(&s->b->r, given, "%s: this body does not move by itself; a drive moves it",
                                     given->key);
    for (size_t i = entry->first; i < entry->first + entry->count; i++) {
        if (velocity != NULL)
            memcpy(&s->v[i * nv], fast, d * sizeof *fast);
        if (spin != NULL)
            memcpy(&s->v[i * nv + d], d == 2 ? &turns[2] : turns, (d == 2 ? 1 : 3) * sizeof *turns);
    }
    return CAROM_OK;
}

static enum carom_status add_ball(struct carom_bind_space *s, const struct carom_bind_entry *entry, bool driven,
                                  struct carom_body *body)
{
    struct carom_keys_ball keys = {.thickness = 1.0};
    const struct carom_section *section =
        entry->shape == CAROM_BIND_DISC ? &carom_keys_space_disc : &carom_keys_space_sphere;
    if (carom_value_section(&s->b->r, entry->map, &section->kind, &keys) != CAROM_OK ||
        place(s, entry, body) != CAROM_OK)
        return s->b->r.error->status;
    body->inside = keys.inside;
    body->fixed = keys.fixed || (keys.inside && !(keys.mass > 0.0)) || driven;
    const int of = entry->shape == CAROM_BIND_DISC ? CAROM_KEYS_DISC : CAROM_KEYS_SPHERE;
    return carom_bind_space_bodies_ball(s, entry, keys.radius, keys.mass, keys.thickness, of, body);
}

/* --- walls ------------------------------------------------------------------------------------------------------- */

/* the quaternion that turns z, or in the plane x, into a direction */
static void turn_to(const double direction[3], double frame[4])
{
    const double axis[3] = {-direction[1], direction[0], 0.0}; /* z x direction */
    const double cosine = direction[2], length = sqrt(axis[0] * axis[0] + axis[1] * axis[1]);
    if (!(length > 0.0)) {
        frame[0] = cosine > 0.0 ? 1.0 : 0.0;
        frame[1] = cosine > 0.0 ? 0.0 : 1.0;
        frame[2] = frame[3] = 0.0;
        return;
    }
    const double half = 0.5 * carom_angle_atan2(length, cosine);
    frame[0] = carom_angle_cos(half);
    for (size_t k = 0; k < 3; k++)
        frame[k + 1] = carom_angle_sin(half) * axis[k] / length;
}

enum carom_status carom_bind_space_bodies_turn(struct carom_bind_space *s, struct carom_node *node, double frame[4])
{
    const struct carom_reader *r = &s->b->r;
    const struct carom_param row = {"angle", CAROM_REAL, 0, 0.0, -HUGE_VAL, HUGE_VAL, "rad", "angle", NULL};
    double angle, axis[3] = {0.0, 0.0, 1.0};
    struct carom_node *given = node;
    if (s->dimension == 3) {
        struct carom_node *along = node->kind == CAROM_NODE_MAP ? carom_tree_find(node, "axis") : NULL;
        given = along != NULL ? carom_tree_find(node, "angle") : NULL;
        if (given == NULL)
            return carom_value_wrong(r, node, "in space a turn is a map, such as {axis: [0, 0, 1], angle: 0.5}");
        node->used = true;
        if (carom_bind_space_direction(s, along, axis) != CAROM_OK)
            return r->error->status;
    }
    if (carom_value_read(r, given, &row, &angle) != CAROM_OK)
        return r->error->status;
    frame[0] = carom_angle_cos(0.5 * angle);
    for (size_t k = 0; k < 3; k++)
        frame[k + 1] = carom_angle_sin(0.5 * angle) * axis[k];
    return CAROM_OK;
}

static enum carom_status add_plane(struct carom_bind_space *s, const struct carom_bind_entry *entry, bool driven,
                                   struct carom_body *body)
{
    struct carom_keys_side_wall keys = {0};
    struct carom_node *normal;
    if (carom_value_section(&s->b->r, entry->map, &carom_keys_space_plane.kind, &keys) != CAROM_OK ||
        place(s, entry, body) != CAROM_OK ||
        find(s, entry, "normal", "into the free side, such as [0, 1]", &normal) != CAROM_OK)
        return s->b->r.error->status;
    body->surface = CAROM_PLANE;
    body->fixed = keys.fixed || driven || !(keys.mass > 0.0);
    body->mass = body->fixed ? 0.0 : keys.mass;
    return carom_bind_space_direction(s, normal, body->normal);
}

static enum carom_status add_box(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                 struct carom_body *body)
{
    struct carom_node *size, *turn = carom_tree_find(entry->map, "turn");
    if (place(s, entry, body) != CAROM_OK || find(s, entry, "size", "its edges, such as [1, 1]", &size) != CAROM_OK ||
        carom_bind_space_vector(s, size, "m", body->size) != CAROM_OK)
        return s->b->r.error->status;
    body->surface = CAROM_BOX;
    for (size_t k = 0; k < s->dimension; k++) {
        if (!(body->size[k] > 0.0))
            return carom_value_wrong(&s->b->r, size, "its edges must be positive");
        body->size[k] *= 0.5;
    }
    return turn != NULL ? carom_bind_space_bodies_turn(s, turn, body->frame) : CAROM_OK;
}

static enum carom_status add_cylinder(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                      const struct carom_keys_side_wall *keys, struct carom_body *body)
{
    struct carom_node *axis = carom_tree_find(entry->map, "axis");
    double direction[3] = {0.0, 0.0, 1.0};
    if (place(s, entry, body) != CAROM_OK ||
        (axis != NULL && carom_bind_space_direction(s, axis, direction) != CAROM_OK))
        return s->b->r.error->status;
    body->surface = CAROM_CYLINDER;
    body->size[0] = keys->radius;
    body->size[2] = 0.5 * keys->height;
    turn_to(direction, body->frame);
    return CAROM_OK;
}

/* volume, and principal moments of inertia over the mass, of one that fills its box or cylinder evenly */
static double measure(const struct carom_body *body, size_t dimension, double thickness, double moments[3])
{
    const double *size = body->size;
    if (body->surface == CAROM_CYLINDER) {
        moments[0] = moments[1] = 0.25 * size[0] * size[0] + size[2] * size[2] / 3.0;
        moments[2] = 0.5 * size[0] * size[0];
        return 2.0 * PI * size[0] * size[0] * size[2];
    }
    for (size_t k = 0; k < 3; k++) {
        const double one = size[(k + 1) % 3], other = size[(k + 2) % 3];
        moments[k] = (one * one + other * other) / 3.0;
    }
    return dimension == 2 ? 4.0 * size[0] * size[1] * thickness : 8.0 * size[0] * size[1] * size[2];
}

enum carom_status carom_bind_space_bodies_weigh(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                                double mass, double volume, const double moments[3],
                                                struct carom_body *body)
{
    const struct carom_material *material = entry->made_of > 0 ? &s->b->material[entry->made_of - 1] : NULL;
    const bool container = entry->shape == CAROM_BIND_BOX || entry->shape == CAROM_BIND_CYLINDER;
    body->volume = volume;
    body->mass = mass > 0.0 ? mass : material != NULL ? material->density * volume : 0.0;
    if (!(body->mass > 0.0 && body->mass < HUGE_VAL))
        return carom_value_wrong_key(
            &s->b->r, entry->map,
            "%s: one that moves freely needs mass, or material; else give it fixed: true%s or a drive", entry->word,
            container ? ", inside: true" : "");
    const bool alike = s->dimension == 2 || (moments[0] == moments[1] && moments[1] == moments[2]);
    body->inertia = body->mass * (s->dimension == 2 ? moments[2] : fmin(moments[0], fmin(moments[1], moments[2])));
    for (size_t k = 0; k < 3 && !alike; k++)
        body->moments[k] = body->mass * moments[k];
    return CAROM_OK;
}

/* principal moments of inertia over the mass, of a container: a thin shell, evenly thick */
static void measure_shell(const struct carom_body *body, size_t dimension, double moments[3])
{
    const double *a = body->size;
    if (body->surface == CAROM_CYLINDER) { /* its side, bottom and lid */
        const double r = a[0], h = a[2], side = 2.0 * h / (2.0 * h + r), ends = r / (2.0 * h + r);
        moments[0] = moments[1] = side * (0.5 * r * r + h * h / 3.0) + ends * (0.25 * r * r + h * h);
        moments[2] = side * r * r + ends * 0.5 * r * r;
        return;
    }
    if (dimension == 2) {
        moments[2] = (a[0] + a[1]) * (a[0] + a[1]) / 3.0;
        return;
    }
    const double whole = a[0] * a[1] + a[1] * a[2] + a[2] * a[0];
    for (size_t k = 0; k < 3; k++) { /* faces across k, and the four along it */
        const double u = a[(k + 1) % 3], v = a[(k + 2) % 3], squares = u * u + v * v;
        moments[k] =
            (u * v * squares / 3.0 + a[k] * v * (u * u + v * v / 3.0) + a[k] * u * (v * v + u * u / 3.0)) / whole;
    }
}

static enum carom_status add_wall(struct carom_bind_space *s, const struct carom_bind_entry *entry, bool driven,
                                  struct carom_body *body)
{
    const bool box = entry->shape == CAROM_BIND_BOX;
    const struct carom_section *section = box ? &carom_keys_space_box : &carom_keys_space_cylinder;
    struct carom_keys_side_wall keys = {.thickness = 1.0};
    if (carom_value_section(&s->b->r, entry->map, &section->kind, &keys) != CAROM_OK)
        return s->b->r.error->status;
    body->inside = keys.inside;
    body->fixed = keys.fixed || (keys.inside && !(keys.mass > 0.0)) || driven;
    const enum carom_status status = box ? add_box(s, entry, body) : add_cylinder(s, entry, &keys, body);
    if (status != CAROM_OK || body->fixed)
        return status;
    double moments[3];
    const double volume = measure(body, s->dimension, keys.thickness, moments);
    if (body->inside)
        measure_shell(body, s->dimension, moments);
    body->depth = s->dimension == 2 ? keys.thickness : 0.0;
    return carom_bind_space_bodies_weigh(s, entry, keys.mass, volume, moments, body);
}

enum carom_status carom_bind_space_bodies_one(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                              struct carom_body *body)
{
    const bool driven = carom_tree_find(entry->map, "drive") != NULL;
    if (entry->shape <= CAROM_BIND_SPHERE)
        return add_ball(s, entry, driven, body);
    if (entry->shape >= CAROM_BIND_POLYGON) {
        const bool convex = entry->shape <= CAROM_BIND_POLYHEDRON;
        if (place(s, entry, body) != CAROM_OK)
            return s->b->r.error->status;
        return convex ? carom_bind_space_convex(s, entry, driven, body)
                      : carom_bind_space_compound(s, entry, driven, body);
    }
    return entry->shape == CAROM_BIND_PLANE ? add_plane(s, entry, driven, body) : add_wall(s, entry, driven, body);
}

/* --- drives ------------------------------------------------------------------------------------------------------ */

/* A constant rate of turning is a ramp that no run sees the end of. */
static enum carom_status spin_evenly(struct carom_bind_space *s, struct carom_node *spin, struct carom_lead *lead)
{
    const double for_ever = 1e12;
    lead->signal = (struct carom_signal){.shape = CAROM_SHAPE_RAMP, .amplitude = for_ever, .duration = for_ever};
    return carom_bind_space_turn(s, spin, "rad/s", lead->turn);
}

static enum carom_status add_drive(struct carom_bind_space *s, struct carom_node *map, struct carom_lead *lead)
{
    const struct carom_reader *r = &s->b->r;
    if (carom_value_map_of(r, map, &carom_keys_space_lead) != CAROM_OK)
        return r->error->status;
    struct carom_node *displacement = carom_tree_find(map, "displacement"), *turn = carom_tree_find(map, "turn");
    struct carom_node *spin = carom_tree_find(map, "spin"), *signal = carom_tree_find(map, "signal");
    if (spin != NULL && (displacement != NULL || turn != NULL || signal != NULL))
        return carom_value_wrong_key(r, spin,
                                     "spin turns evenly and stands alone; turn: with a signal turns back and forth");
    if (spin != NULL)
        return spin_evenly(s, spin, lead);
    if (displacement == NULL && turn == NULL)
        return carom_value_wrong_key(r, map, "drive: there is neither displacement nor turn nor spin");
    if ((displacement != NULL && carom_bind_space_vector(s, displacement, "m", lead->displacement) != CAROM_OK) ||
        (turn != NULL && carom_bind_space_turn(s, turn, "rad", lead->turn) != CAROM_OK) ||
        carom_bind_signal_factor(s->b, map, &lead->signal, &lead->table) != CAROM_OK)
        return r->error->status;
    return carom_bind_signal_smooth(s->b, displacement != NULL ? displacement : turn, &lead->signal);
}

static enum carom_status add_entry(struct carom_bind_space *s, const struct carom_bind_entry *entry, size_t *leads)
{
    struct carom_node *drive = carom_tree_find(entry->map, "drive");
    struct carom_body *body = &s->bodies->body[entry->first];
    enum carom_status status = CAROM_OK;
    body->material = entry->class;
    if (drive != NULL) {
        body->lead = (int32_t)*leads;
        status = add_drive(s, drive, &s->bodies->lead[(*leads)++]);
    }
    if (status != CAROM_OK)
        return status;
    if (entry->shape == CAROM_BIND_LATTICE)
        status = carom_bind_space_lattice_place(s, entry);
    else if (entry->shape == CAROM_BIND_PACKING)
        status = carom_bind_space_place_packing(s, entry);
    else if (entry->table != NULL)
        status = carom_bind_space_table_place(s, entry);
    else
        status = carom_bind_space_bodies_one(s, entry, body);
    return status == CAROM_OK ? set_moving(s, entry) : status;
}

/* Walls do not meet walls: a container that moves would go through planes and other containers. */
static enum carom_status check_containers(const struct carom_bind_space *s)
{
    for (size_t i = 0; i < s->nentries; i++) {
        const struct carom_bind_entry *entry = &s->entry[i];
        const struct carom_body *body = &s->bodies->body[entry->first];
        for (size_t j = 0; j < s->nentries && body->inside && !body->fixed; j++) {
            const struct carom_body *other = &s->bodies->body[s->entry[j].first];
            if (j != i && (other->surface == CAROM_PLANE || other->inside))
                return carom_value_wrong_key(&s->b->r, carom_tree_find(entry->map, "mass"),
                                             "mass: a container that moves meets what is inside it only, not the %s; "
                                             "without mass it stands still",
                                             s->entry[j].word);
        }
    }
    return CAROM_OK;
}

enum carom_status carom_bind_space_bodies(struct carom_bind_space *s)
{
    size_t leads = 0;
    /* packings stand in containers that may come after them in the list */
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < s->nentries; i++)
            if (s->entry[i].main == i && (s->entry[i].shape == CAROM_BIND_PACKING) == (round == 1) &&
                add_entry(s, &s->entry[i], &leads) != CAROM_OK)
                return s->b->r.error->status;
    return check_containers(s);
}
