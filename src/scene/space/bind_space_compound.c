/* Capsules, and bodies of several parts: shapes about a common point, then mass, centre and axes of the whole. */
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "model/bodies/shapes.h"
#include "scene/space/bind_space.h"

static enum carom_status wrong(struct carom_bind_space *s, const struct carom_bind_entry *entry, const char *what)
{
    return carom_value_wrong_key(&s->b->r, entry->map, "%s: %s", entry->word, what);
}

/* What the parts of a body are while they are read. */
struct parts {
    struct carom_pieces *pieces;
    double volume;  /* of all of them, as if they did not overlap */
    size_t weighed; /* those that were given a mass */
};

static double weight_of(struct parts *p, double mass, double volume)
{
    p->volume += volume;
    p->weighed += mass > 0.0;
    return mass > 0.0 ? mass : volume;
}

/* --- shapes ------------------------------------------------------------------------------------------------------- */

/* half of the way from end to end of a capsule */
static enum carom_status read_axis(struct carom_bind_space *s, const struct carom_bind_entry *entry, double length,
                                   double half[3])
{
    struct carom_node *axis = carom_tree_find(entry->map, "axis");
    half[0] = s->dimension == 2 ? 1.0 : 0.0;
    half[1] = 0.0;
    half[2] = s->dimension == 2 ? 0.0 : 1.0;
    if (axis != NULL && carom_bind_space_direction(s, axis, half) != CAROM_OK)
        return s->b->r.error->status;
    for (size_t k = 0; k < 3; k++)
        half[k] *= 0.5 * length;
    return CAROM_OK;
}

static enum carom_status add_round(struct carom_bind_space *s, const struct carom_bind_entry *entry, const double at[3],
                                   double radius, double length, double mass, struct parts *p)
{
    double half[3] = {0.0}, end[2][3];
    if (length > 0.0 && read_axis(s, entry, length, half) != CAROM_OK)
        return s->b->r.error->status;
    for (size_t k = 0; k < 3; k++) {
        end[0][k] = at[k] - half[k];
        end[1][k] = at[k] + half[k];
    }
    const double weight = weight_of(p, mass, carom_pieces_volume(s->dimension, length, radius));
    return carom_pieces_add_round(p->pieces, s->dimension, (const double(*)[3])end, radius, weight, s->b->r.error) ==
                   CAROM_OK
               ? CAROM_OK
               : carom_tree_error_at(s->b->r.tree, entry->map, s->b->r.error);
}

static enum carom_status add_ball(struct carom_bind_space *s, const struct carom_bind_entry *entry, const double at[3],
                                  struct parts *p)
{
    const struct carom_section *section =
        entry->shape == CAROM_BIND_DISC ? &carom_keys_space_disc : &carom_keys_space_sphere;
    struct carom_keys_ball keys = {0};
    if (entry->shape == CAROM_BIND_SPHERE && s->dimension == 2)
        return wrong(s, entry, "a part of a body of the plane is a disc");
    if (carom_value_section(&s->b->r, entry->map, &section->kind, &keys) != CAROM_OK)
        return s->b->r.error->status;
    return add_round(s, entry, at, keys.radius, 0.0, keys.mass, p);
}

static enum carom_status add_capsule(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                     const double at[3], struct parts *p)
{
    struct carom_keys_compound keys = {0};
    if (carom_value_section(&s->b->r, entry->map, &carom_keys_space_capsule.kind, &keys) != CAROM_OK)
        return s->b->r.error->status;
    return add_round(s, entry, at, keys.radius, keys.length, keys.mass, p);
}

static enum carom_status add_box(struct carom_bind_space *s, const struct carom_bind_entry *entry, const double at[3],
                                 const double turn[4], struct parts *p)
{
    struct carom_node *size = carom_tree_find(entry->map, "size");
    struct carom_keys_side_wall keys = {0};
    double half[3] = {0.0};
    if (size == NULL)
        return wrong(s, entry, "size is missing: its edges, such as [1, 1]");
    if (carom_value_section(&s->b->r, entry->map, &carom_keys_space_box.kind, &keys) != CAROM_OK ||
        carom_bind_space_vector(s, size, "m", half) != CAROM_OK)
        return s->b->r.error->status;
    for (size_t k = 0; k < s->dimension; k++) {
        if (!(half[k] > 0.0))
            return carom_value_wrong(&s->b->r, size, "its edges must be positive");
        half[k] *= 0.5;
    }
    struct carom_convex *box = carom_convex_box(s->dimension, half);
    if (box == NULL)
        return wrong(s, entry, "a box with these edges has no usable mass or size");
    carom_pieces_add_convex(p->pieces, s->dimension, box, at, turn, weight_of(p, keys.mass, box->volume));
    return CAROM_OK;
}

static enum carom_status add_convex(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                    const double at[3], const double turn[4], struct parts *p)
{
    struct carom_keys_convex keys = {0};
    double centre[3], axes[4], frame[4], moved[3];
    struct carom_convex *convex = carom_bind_space_convex_shape(s, entry, &keys, centre, axes);
    if (convex == NULL)
        return s->b->r.error->status;
    carom_quat_turn(turn, centre, moved);
    for (size_t k = 0; k < 3; k++)
        moved[k] += at[k];
    carom_quat_product(turn, axes, frame);
    carom_pieces_add_convex(p->pieces, s->dimension, convex, moved, frame, weight_of(p, keys.mass, convex->volume));
    return CAROM_OK;
}

/* --- parts -------------------------------------------------------------------------------------------------------- */

/* what belongs to a whole body only */
static enum carom_status refuse_keys(struct carom_bind_space *s, const struct carom_bind_entry *entry)
{
    static const char *const of_body[] = {"name", "material", "drive",  "velocity",
                                          "spin", "fixed",    "inside", "thickness"};
    for (size_t i = 0; i < sizeof of_body / sizeof *of_body; i++) {
        const struct carom_node *node = carom_tree_find(entry->map, of_body[i]);
        if (node != NULL)
            return carom_value_wrong_key(&s->b->r, node,
                                         "%s: stands with the whole compound, not with one of its parts", of_body[i]);
    }
    return CAROM_OK;
}

static enum carom_status add_part(struct carom_bind_space *s, struct carom_node *node, struct parts *p)
{
    static const char *const words[] = {"disc", "sphere", "capsule", "box", "polygon", "polyhedron"};
    const struct carom_reader *r = &s->b->r;
    double at[3] = {0.0}, turn[4] = {1.0, 0.0, 0.0, 0.0};
    if (node->kind != CAROM_NODE_MAP || node->count != 1)
        return carom_value_wrong(r, node, "a part is one shape, such as - disc: {at: [0, 0], radius: 1}");
    node->used = true;
    struct carom_bind_entry entry = {.map = node->first, .shape = carom_bind_space_shape(node->first->key)};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        entry.word = strcmp(words[i], node->first->key) == 0 ? words[i] : entry.word;
    if (entry.word == NULL)
        return carom_value_unknown(r, node->first, "part", node->first->key, words, sizeof words / sizeof *words);
    if (carom_value_map(r, entry.map) != CAROM_OK || carom_bind_space_check(s, &entry) != CAROM_OK ||
        refuse_keys(s, &entry) != CAROM_OK)
        return r->error->status;
    struct carom_node *place = carom_tree_find(entry.map, "at"), *turned = carom_tree_find(entry.map, "turn");
    if ((place != NULL && carom_bind_space_vector(s, place, "m", at) != CAROM_OK) ||
        (turned != NULL && carom_bind_space_bodies_turn(s, turned, turn) != CAROM_OK))
        return r->error->status;
    if (entry.shape <= CAROM_BIND_SPHERE)
        return add_ball(s, &entry, at, p);
    if (entry.shape == CAROM_BIND_CAPSULE)
        return add_capsule(s, &entry, at, p);
    return entry.shape == CAROM_BIND_BOX ? add_box(s, &entry, at, turn, p) : add_convex(s, &entry, at, turn, p);
}

/* Where parts overlap, what is in both would weigh twice. */
static enum carom_status check_overlaps(struct carom_bind_space *s, struct carom_node *list, const struct parts *p)
{
    const struct carom_pieces *all = p->pieces;
    for (size_t j = 1; j < all->n; j++)
        for (size_t i = 0; i < j; i++) {
            const struct carom_piece piece[2] = {all->piece[i], all->piece[j]};
            const double apart = carom_shapes_between(s->dimension, piece);
            if (apart < -1e-9 * fmin(all->around[i], all->around[j]))
                return carom_value_wrong_key(&s->b->r, list,
                                             "parts: number %zu and %zu overlap, and what is in both would weigh "
                                             "twice; move them apart, or give every part its own mass",
                                             i + 1, j + 1);
        }
    return CAROM_OK;
}

static enum carom_status add_parts(struct carom_bind_space *s, const struct carom_bind_entry *entry, double mass,
                                   struct parts *p)
{
    const struct carom_reader *r = &s->b->r;
    struct carom_node *list = carom_tree_find(entry->map, "parts");
    size_t corners = 0;
    if (list == NULL)
        return wrong(s, entry, "parts is missing: a list of shapes, such as [disc: {radius: 1}]");
    if (carom_value_list(r, list) != CAROM_OK)
        return r->error->status;
    if (list->count == 0 || list->count > CAROM_PIECES_MOST)
        return carom_value_wrong_key(r, list, "parts: there are %zu; 1 to %d are possible", list->count,
                                     (int)CAROM_PIECES_MOST);
    p->pieces = carom_pieces_create(list->count);
    if (p->pieces == NULL)
        return carom_bind_memory(s->b);
    for (struct carom_node *node = list->first; node != NULL; node = node->next)
        if (add_part(s, node, p) != CAROM_OK)
            return r->error->status;
    for (size_t i = 0; i < p->pieces->n; i++)
        corners += p->pieces->piece[i].convex ? p->pieces->piece[i].convex->ncorners : 2;
    if (corners > CAROM_SHAPES_MOST)
        return carom_tree_error_key(r->tree, list, CAROM_E_REFUSED, r->error,
                                    "parts: %zu corners; at most %d are possible", corners, (int)CAROM_SHAPES_MOST);
    if (p->weighed > 0 && (p->weighed < list->count || mass > 0.0))
        return carom_value_wrong_key(r, list,
                                     mass > 0.0 ? "parts: give a mass to the compound or to its parts, not to both"
                                                : "parts: give a mass to all of them, or to none");
    return p->weighed > 0 ? CAROM_OK : check_overlaps(s, list, p);
}

/* --- the body ----------------------------------------------------------------------------------------------------- */

enum carom_status carom_bind_space_compound(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                            bool driven, struct carom_body *body)
{
    const bool capsule = entry->shape == CAROM_BIND_CAPSULE;
    const struct carom_section *section = capsule ? &carom_keys_space_capsule : &carom_keys_space_compound;
    struct carom_node *turned = capsule ? NULL : carom_tree_find(entry->map, "turn");
    struct carom_keys_compound keys = {.thickness = 1.0};
    struct parts p = {0};
    double centre[3], axes[4], turn[4] = {1.0, 0.0, 0.0, 0.0};
    const double origin[3] = {0.0};
    if (carom_value_section(&s->b->r, entry->map, &section->kind, &keys) != CAROM_OK ||
        (turned != NULL && carom_bind_space_bodies_turn(s, turned, turn) != CAROM_OK))
        return s->b->r.error->status;
    if (!carom_bind_rigid(s->b))
        return carom_tree_error_key(s->b->r.tree, entry->map, CAROM_E_REFUSED, s->b->r.error,
                                    "%s: such bodies are rigid: theory: nonsmooth, law: rigid and scheme moreau-jean",
                                    entry->word);
    if (capsule && (p.pieces = carom_pieces_create(1)) == NULL)
        return carom_bind_memory(s->b);
    enum carom_status status =
        capsule ? add_round(s, entry, origin, keys.radius, keys.length, 0.0, &p) : add_parts(s, entry, keys.mass, &p);
    if (status == CAROM_OK && carom_pieces_finish(p.pieces, s->dimension, centre, axes, s->b->r.error) != CAROM_OK)
        status = carom_tree_error_at(s->b->r.tree, entry->map, s->b->r.error);
    if (status != CAROM_OK) {
        carom_pieces_free(p.pieces);
        return status;
    }
    if (!carom_bodies_keep_pieces(s->bodies, p.pieces))
        return carom_bind_memory(s->b);
    body->surface = CAROM_COMPOUND;
    body->pieces = p.pieces;
    body->radius = keys.radius; /* on which a capsule rolls */
    body->fixed = keys.fixed || driven;
    carom_bind_space_convex_stand(p.pieces->n, p.pieces->shape, centre, axes, turn, body);
    const double mass = p.weighed > 0 ? p.pieces->total : keys.mass;
    const double volume = p.volume * (s->dimension == 2 ? keys.thickness : 1.0);
    body->depth = s->dimension == 2 ? keys.thickness : 0.0;
    return body->fixed ? CAROM_OK : carom_bind_space_bodies_weigh(s, entry, mass, volume, p.pieces->moments, body);
}
